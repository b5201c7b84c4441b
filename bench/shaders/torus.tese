#version 450
// SPDX-License-Identifier: MIT
// A bicubic patch.
layout(quads, fractional_odd_spacing, ccw) in;
layout(location = 0) out vec3 normal;

vec4 weights(float t)
{
	float s = 1.0 - t;
	return vec4(s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t);
}

vec4 slopes(float t)
{
	float s = 1.0 - t;
	return vec4(-s * s, s * s - 2.0 * s * t, 2.0 * s * t - t * t, t * t);
}

void main()
{
	vec4 u = weights(gl_TessCoord.x), v = weights(gl_TessCoord.y);
	vec4 du = slopes(gl_TessCoord.x), dv = slopes(gl_TessCoord.y);
	vec3 place = vec3(0), along = vec3(0), across = vec3(0);
	for (int j = 0; j < 4; j++) {
		vec3 row = vec3(0), row_slope = vec3(0);
		for (int i = 0; i < 4; i++) {
			vec3 point = gl_in[4 * j + i].gl_Position.xyz;
			row += u[i] * point;
			row_slope += du[i] * point;
		}
		place += v[j] * row;
		along += v[j] * row_slope;
		across += dv[j] * row;
	}
	normal = normalize(cross(along, across));
	float far = place.z + 2.4;
	gl_Position = vec4(1.17 * place.x, -2.08 * place.y, (far - 0.5) * 1.1, far);
}
