#version 450
// SPDX-License-Identifier: MIT
/* Bitonic sort of 512 keys a group in shared memory. */
layout(local_size_x = 256) in;
layout(set = 0, binding = 0) readonly buffer Keys { uint key[]; };
layout(set = 0, binding = 1) writeonly buffer Sorted { uint sorted[]; };
shared uint s[512];

void main()
{
	uint i = gl_LocalInvocationIndex, base = 512u * gl_WorkGroupID.x;
	s[i] = key[base + i];
	s[i + 256u] = key[base + i + 256u];
	for (uint k = 2u; k <= 512u; k *= 2u)
		for (uint j = k / 2u; j > 0u; j /= 2u) {
			barrier();
			uint a = 2u * i - (i & (j - 1u)), b = a + j;
			uint x = s[a], y = s[b];
			if ((x > y) == ((a & k) == 0u)) {
				s[a] = y;
				s[b] = x;
			}
		}
	barrier();
	sorted[base + i] = s[i];
	sorted[base + i + 256u] = s[i + 256u];
}
