#version 450
// SPDX-License-Identifier: MIT
// Levels of an edge by the distance of its middle from the eye, so that both patches have the same.
layout(vertices = 16) out;

float level(vec3 a, vec3 b)
{
	return clamp(28.0 / (distance(0.5 * (a + b), vec3(0, 0, -2.4)) - 0.9), 2.0, 40.0);
}

void main()
{
	gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
	if (gl_InvocationID == 0) {
		vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[3].gl_Position.xyz;
		vec3 c = gl_in[12].gl_Position.xyz, d = gl_in[15].gl_Position.xyz;
		gl_TessLevelOuter[0] = level(a, c);
		gl_TessLevelOuter[1] = level(a, b);
		gl_TessLevelOuter[2] = level(b, d);
		gl_TessLevelOuter[3] = level(c, d);
		gl_TessLevelInner[0] = 0.5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]);
		gl_TessLevelInner[1] = 0.5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);
	}
}
