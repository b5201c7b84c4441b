#version 450
// SPDX-License-Identifier: MIT
// Hills over the square, seen from (0, 1, -1.8), 30 degrees downwards.
layout(quads, equal_spacing, cw) in;
layout(location = 0) out vec3 normal;

void main()
{
	vec2 left = mix(gl_in[0].gl_Position.xy, gl_in[2].gl_Position.xy, gl_TessCoord.y);
	vec2 right = mix(gl_in[1].gl_Position.xy, gl_in[3].gl_Position.xy, gl_TessCoord.y);
	vec2 at = mix(left, right, gl_TessCoord.x);
	vec2 wide = 3.0 * at + vec2(0.5, 0), fine = 9.0 * at;
	float height = 0.12 * sin(wide.x) * cos(wide.y) + 0.02 * sin(fine.x + fine.y);
	float slope = 0.18 * cos(fine.x + fine.y);
	normal = normalize(vec3(-0.36 * cos(wide.x) * cos(wide.y) - slope, 1, 0.36 * sin(wide.x) * sin(wide.y) - slope));
	vec3 eye = vec3(at.x, height, at.y) - vec3(0, 1, -1.8);
	float up = 0.8660254 * eye.y + 0.5 * eye.z, far = 0.8660254 * eye.z - 0.5 * eye.y;
	gl_Position = vec4(1.17 * eye.x, -2.08 * up, (far - 0.5) * 1.1, far);
}
