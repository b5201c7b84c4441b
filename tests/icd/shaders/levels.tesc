#version 450
// SPDX-License-Identifier: MIT
layout(vertices = 1) out;
void main()
{
	for (int i = 0; i < 4; i++)
		gl_TessLevelOuter[i] = gl_in[0].gl_Position.x;
	for (int i = 0; i < 2; i++)
		gl_TessLevelInner[i] = gl_in[0].gl_Position.x;
}
