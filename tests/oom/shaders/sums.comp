#version 450
// SPDX-License-Identifier: MIT
/* LDS, a barrier and an array that only scratch can hold. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 1) buffer Data { uint data[]; };
shared uint row[64];
void main()
{
	uint i = gl_LocalInvocationID.x, mine[32], sum = 0;
	for (uint n = 0; n < 32; n++)
		mine[(n * 7 + i) & 31] = n + i;
	row[i] = mine[i & 31];
	barrier();
	for (uint n = 0; n < 64; n++)
		sum += row[n] * mine[(n + i) & 31];
	data[gl_GlobalInvocationID.x] = sum;
}
