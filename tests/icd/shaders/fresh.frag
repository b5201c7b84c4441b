#version 450
// SPDX-License-Identifier: MIT
layout(constant_id = 0) const bool LEAVES = true;
layout(set = 0, binding = 0) buffer Data { uint first, data[]; };
void main()
{
	uint mine[128], id = uint(gl_FragCoord.x) + 8 * uint(gl_FragCoord.y);
	for (uint i = 0; LEAVES && i < 128; i++)
		mine[i + first & 127] = 0xc0ffee00u + i;
	for (uint i = 0; i < 128; i++)
		data[8192 + 128 * id + i] = mine[i + first & 127];
}
