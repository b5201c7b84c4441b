#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(constant_id = 0) const bool LEAVES = true;
layout(set = 0, binding = 0) buffer Data { uint first, data[]; };
shared uint ours[4096];
/* Leaves its traces in private and shared memory, or shows what it finds there. */
void main()
{
	uint mine[128], id = gl_LocalInvocationIndex;
	for (uint i = 0; LEAVES && i < 128; i++)
		mine[i + first & 127] = 0xc0ffee00u + i;
	for (uint i = 0; LEAVES && i < 64; i++)
		ours[64 * i + id] = 0xc0ffee00u + i;
	for (uint i = 0; i < 128; i++)
		data[128 * id + i] = mine[i + first & 127];
	for (uint i = 0; i < 64; i++)
		data[8192 + 64 * i + id] = ours[64 * i + id];
}
