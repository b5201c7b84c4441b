#version 450
// SPDX-License-Identifier: MIT
// The wireframe of a wavy sheet: a line an instance pair of vertices, along x, along y or across.
layout(constant_id = 0) const int side = 160;
layout(location = 0) flat out int layer;

void main()
{
	int line = gl_VertexIndex / 2, end = gl_VertexIndex & 1;
	int cell = line / 3, way = line % 3;
	vec2 at = vec2(cell % side, cell / side) + float(end) * vec2(way != 1 ? 1 : 0, way != 0 ? 1 : 0);
	vec2 p = at / float(side) * 2 - 1;
	float wave = p.x * p.y * (1 - p.x * p.x) * (1 - p.y * p.y);
	gl_Position = vec4(0.95 * p + vec2(0.1, 0.3) * wave, 0.5 + wave, 1);
	layer = way;
}
