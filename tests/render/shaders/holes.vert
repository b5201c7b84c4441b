// SPDX-License-Identifier: MIT
// Triangles 0 and 1: the upper half, texture coordinates that grow quadratically to the right.
// 2 and 3: the lower left quarter, in perspective.  The rest: a mesh of 15 x 15 cells of
// 2.8 pixels in the lower right quarter.
#version 450

layout(location = 0) out vec2 uv;
layout(location = 1) flat out int part;

const vec2 corners[6] = vec2[](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1));

void main()
{
	int cell = gl_VertexIndex / 6;
	vec2 corner = corners[gl_VertexIndex % 6];
	part = min(cell, 2);
	if (part == 0) {
		gl_Position = vec4(corner * vec2(2, 0.96) - 1.0, 0, 1);
		uv = corner;
	} else if (part == 1) {
		float w = 1.0 + 7.0 * (1.0 - corner.y);
		gl_Position = vec4((corner.x * 0.96 - 1.0) * w, (corner.y * 0.96 + 0.04) * w, 0, w);
		uv = vec2(corner.x, 1.0 - corner.y) * w;
	} else {
		vec2 grid = vec2((cell - 2) % 15, (cell - 2) / 15) + corner;
		gl_Position = vec4(grid * vec2(0.022, 0.022) + vec2(0.1, 0.2), 0, 1);
		uv = grid / 15.0;
	}
}
