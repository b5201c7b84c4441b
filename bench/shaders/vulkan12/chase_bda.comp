#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(local_size_x = 64) in;
layout(buffer_reference) buffer node;
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer node {
	node next;
	uint value, unused;
};
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer results {
	uint at[];
};
layout(push_constant) uniform constants {
	uint64_t list;
	results result;
	uint hops;
};

void main()
{
	uint i = gl_GlobalInvocationID.x, sum = 0;
	node n = node(list + 16ul * i);
	for (uint k = 0; k < hops; k++) {
		sum = 3 * sum + n.value;
		n = n.next;
	}
	result.at[i] = sum;
}
