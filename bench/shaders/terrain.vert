#version 450
// SPDX-License-Identifier: MIT
// Corners of 64 x 64 quads over a square from -1 to 1; gl_Position is where on it.

void main()
{
	int patch_number = gl_VertexIndex / 4, corner = gl_VertexIndex % 4;
	vec2 at = vec2(patch_number % 64 + (corner & 1), patch_number / 64 + (corner >> 1));
	gl_Position = vec4(at / 32.0 - 1.0, 0, 1);
}
