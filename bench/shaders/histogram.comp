#version 450
// SPDX-License-Identifier: MIT
/* How often each of 256 values is there: counted in shared memory, then added up. */
layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer values { uint value[]; };
layout(binding = 1) buffer counts { uint count[256]; };

shared uint here[256];

void main()
{
	uint i = gl_LocalInvocationIndex, first = gl_WorkGroupID.x * 4096 + i;
	here[i] = 0;
	barrier();
	for (uint k = 0; k < 16; k++) {
		uint four = value[first + 256 * k];
		for (uint n = 0; n < 4; n++)
			atomicAdd(here[four >> 8 * n & 255], 1);
	}
	barrier();
	atomicAdd(count[i], here[i]);
}
