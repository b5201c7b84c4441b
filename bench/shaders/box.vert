#version 450
// SPDX-License-Identifier: MIT
// Boxes of 160 x 90 cells, eight vertices each.
layout(location = 0) out vec3 place;

void main()
{
	vec2 cell = vec2(gl_InstanceIndex % 160, gl_InstanceIndex / 160);
	vec3 corner = vec3(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1, gl_VertexIndex >> 2);
	place = vec3(cell + 0.1 + 0.4 * corner.xy, 0.35 * corner.z);
}
