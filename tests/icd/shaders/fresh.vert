#version 450
// SPDX-License-Identifier: MIT
layout(constant_id = 0) const bool LEAVES = true;
layout(set = 0, binding = 0) buffer Data { uint first, data[]; };
void main()
{
	uint mine[128];
	for (uint i = 0; LEAVES && i < 128; i++)
		mine[i + first & 127] = 0xc0ffee00u + i;
	for (uint i = 0; i < 128; i++)
		data[128 * gl_VertexIndex + i] = mine[i + first & 127];
	/* The first triangle covers everything. */
	gl_Position = gl_VertexIndex < 3 ? vec4(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1, 0, 1) :
		vec4(2, 2, 2, 1);
}
