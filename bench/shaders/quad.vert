// SPDX-License-Identifier: MIT
// A grid of 16 x 9 quads, several layers of it; texture coordinates lightly turned.
#version 450

layout(location = 0) out vec2 uv;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	int cell = gl_InstanceIndex % 144, layer = gl_InstanceIndex / 144;
	vec2 f = corners[gl_VertexIndex];
	vec2 q = vec2(cell % 16, cell / 16);
	gl_Position = vec4((q + f) / vec2(16, 9) * 2.0 - 1.0, 0, 1);
	uv = vec2(0.11 * q.x + 0.30 * f.x + 0.04 * f.y, 0.17 * q.y - 0.04 * f.x + 0.30 * f.y) + 0.25 * float(layer);
}
