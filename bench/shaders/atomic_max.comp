#version 450
// SPDX-License-Identifier: MIT
/* The greatest of the values that come to each place. */
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer values { uint value[]; };
layout(binding = 1) buffer places { uint most[]; };

void main()
{
	uint v = value[gl_GlobalInvocationID.x];
	atomicMax(most[v * 2654435769u >> 14], v);
}
