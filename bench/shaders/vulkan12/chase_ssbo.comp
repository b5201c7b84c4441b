#version 450
// SPDX-License-Identifier: MIT
/* chase_bda.comp with indices. */
layout(local_size_x = 64) in;
struct node {
	uint next, unused0, value, unused1;
};
layout(binding = 0) readonly buffer nodes {
	node list[];
};
layout(binding = 1) writeonly buffer results {
	uint result[];
};
layout(push_constant) uniform constants {
	uint hops;
};

void main()
{
	uint i = gl_GlobalInvocationID.x, sum = 0, n = i;
	for (uint k = 0; k < hops; k++) {
		sum = 3 * sum + list[n].value;
		n = list[n].next;
	}
	result[i] = sum;
}
