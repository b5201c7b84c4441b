#version 450
// SPDX-License-Identifier: MIT
// A square of 24 x 24 texels somewhere in each cell of 64 x 64; as scene_shadow.c has them.

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	int i = gl_InstanceIndex;
	vec2 at = vec2(i % 16, i / 16) * 64.0 + vec2(2 + i * 7 % 36, 2 + i * 11 % 36);
	gl_Position = vec4((at + 24.0 * corners[gl_VertexIndex]) / 512.0 - 1.0, 0.3, 1);
}
