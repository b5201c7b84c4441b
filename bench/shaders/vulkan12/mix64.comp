#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
/* A hash of 64 bits: a round is two products, three shifts, three XORs and two sums. */
layout(local_size_x = 64) in;
layout(push_constant) uniform constants {
	uint rounds;
};
layout(binding = 0) writeonly buffer results {
	uint64_t result[];
};

#define STEP x += 0x9e3779b97f4a7c15ul; z = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ul; \
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebul; sum += z ^ (z >> 31);

void main()
{
	uint64_t x = uint64_t(gl_GlobalInvocationID.x) << 29, z, sum = 0ul;
	for (uint round = 0; round < rounds; round++) {
		STEP STEP STEP STEP
	}
	result[gl_GlobalInvocationID.x] = sum;
}
