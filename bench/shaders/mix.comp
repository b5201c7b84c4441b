#version 450
// SPDX-License-Identifier: MIT
/* About 1,000 instructions of straight code, each step of another constant. */
layout(local_size_x = 64) in;
layout(binding = 0) writeonly buffer results {
	uint result[];
};

uint x, y;

#define STEP(i) x = (x ^ (x >> 15)) * (0x2c1b3c6du + 2u * (i)) + y; y = (y << 3) ^ x;
#define STEPS4(i) STEP(i) STEP((i) + 1u) STEP((i) + 2u) STEP((i) + 3u)
#define STEPS16(i) STEPS4(i) STEPS4((i) + 4u) STEPS4((i) + 8u) STEPS4((i) + 12u)
#define STEPS64(i) STEPS16(i) STEPS16((i) + 16u) STEPS16((i) + 32u) STEPS16((i) + 48u)

void main()
{
	x = gl_GlobalInvocationID.x;
	y = ~x;
	STEPS64(0u) STEPS64(64u) STEPS16(128u) STEPS16(144u) STEPS4(160u) STEPS4(164u)
	result[gl_GlobalInvocationID.x] = x;
}
