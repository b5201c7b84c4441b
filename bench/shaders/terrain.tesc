#version 450
// SPDX-License-Identifier: MIT
layout(vertices = 4) out;

void main()
{
	gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
	if (gl_InvocationID == 0) {
		for (int i = 0; i < 4; i++)
			gl_TessLevelOuter[i] = 32;
		for (int i = 0; i < 2; i++)
			gl_TessLevelInner[i] = 32;
	}
}
