// SPDX-License-Identifier: MIT
// Round 0 writes a pattern; each later round turns the 8x8 tiles by a quarter
// through shared memory and mixes in the neighbour's brightness.
#version 450

layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform constants {
	uint round;
};
layout(binding = 0, rgba8) uniform image2D picture;
layout(binding = 1, r32ui) uniform uimage2D counts;
layout(binding = 2) buffer histogram {
	uint bins[32];
};
shared vec4 tile[8][8];
shared uint brightest;

void main()
{
	ivec2 at = ivec2(gl_GlobalInvocationID.xy), local = ivec2(gl_LocalInvocationID.xy);
	if (round == 0) {
		uint code = uint(at.x * 5 ^ at.y * 3);
		imageStore(picture, at, vec4(vec2(at) / 63.0, float(code & 63u) / 63.0, 1));
		return;
	}
	if (local == ivec2(0))
		brightest = 0;
	tile[local.y][local.x] = imageLoad(picture, at);
	barrier();
	vec4 mine = tile[7 - local.x][local.y];
	atomicMax(brightest, uint(mine.b * 63.0 + 0.5));
	barrier();
	float scale = float(brightest) / 63.0;
	imageStore(picture, at, vec4(mine.rg, 0.5 * mine.b + 0.5 * scale * mine.r, 1));
	// Red and green only move about, so these counts are exact.
	atomicAdd(bins[(uint(mine.r * 255.0 + 0.5) + uint(mine.g * 255.0 + 0.5)) >> 4], 1);
	imageAtomicAdd(counts, ivec2(gl_WorkGroupID.xy), uint(mine.r * 255.0 + 0.5) + brightest);
}
