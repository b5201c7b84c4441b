#version 450
// SPDX-License-Identifier: MIT
// Points in the middle of 500 x 400 cells.

void main()
{
	vec2 cell = vec2(gl_VertexIndex % 500, gl_VertexIndex / 500);
	gl_Position = vec4((cell + 0.5) / vec2(250, 200) - 1.0, 0, 1);
}
