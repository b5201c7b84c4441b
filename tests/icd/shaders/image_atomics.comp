#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
// SPDX-License-Identifier: MIT
layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint64_t words[64]; uint failed; } result;
layout(binding = 1, r64ui) uniform u64image2D wide;
layout(binding = 2, r64i) uniform i64imageBuffer texels;
layout(binding = 3, r32f) uniform image2D real;
layout(binding = 4, r32f) uniform image2D nothing;
layout(binding = 5, r64ui) uniform u64image2D none;
layout(binding = 6) uniform Where { uvec2 outside; } where;

void fail(bool wrong, uint bit)
{
	if (wrong)
		atomicOr(result.failed, 1u << bit);
}
/* What is not there reads zero, keeps nothing and lets nobody wait. */
void outside()
{
	ivec2 at = ivec2(where.outside);
	fail(imageAtomicAdd(real, at, 1.0) != 0.0, 0);
	fail(imageAtomicMin(real, ivec2(-1, 0), -1.0) != 0.0, 1);
	fail(imageAtomicAdd(nothing, ivec2(0), 1.0) != 0.0, 2);
	fail(imageAtomicAdd(wide, at, 1ul) != 0ul, 3);
	fail(imageAtomicExchange(none, ivec2(0), 1ul) != 0ul, 4);
	fail(imageAtomicAdd(texels, at.x, 1l) != 0l, 5);
	fail(imageLoad(wide, at).x != 0ul, 6);
	imageStore(wide, at, u64vec4(1));
	fail(imageLoad(wide, at) != u64vec4(0, 0, 0, 1), 7);
	fail(imageLoad(none, ivec2(0)) != u64vec4(0), 12);
}
void main()
{
	uint lane = gl_LocalInvocationIndex;
	outside();
	/* Sums carry from word to word; lane order is not known. */
	imageAtomicAdd(wide, ivec2(0, 0), 0xfffffffful * (lane + 1));
	imageAtomicMax(wide, ivec2(1, 0), 1ul << lane);
	imageAtomicMin(wide, ivec2(0, 1), ~0ul >> lane);
	imageAtomicXor(wide, ivec2(1, 1), 1ul << lane);
	imageAtomicMin(texels, 0, -int64_t(lane) * 0x100000000l);
	imageAtomicMax(texels, 1, -int64_t(lane + 1) * 0x100000000l);
	if (lane == 5)
		fail(imageAtomicCompSwap(texels, 2, 3l, 0x700000001l) != 3l, 8);
	imageAtomicAdd(real, ivec2(0, 0), 0.5);
	imageAtomicMin(real, ivec2(1, 0), 10.0 - float(lane));
	imageAtomicMax(real, ivec2(0, 1), float(lane));
	if (lane == 3)
		fail(imageAtomicExchange(real, ivec2(1, 1), 7.5) != 2.0, 9);
	if (lane == 7)
		imageStore(wide, ivec2(2, 0), u64vec4(0x123456789abcdef0ul, 1, 2, 3));
	memoryBarrierImage();
	barrier();
	u64vec4 stored = imageLoad(wide, ivec2(2, 0));
	fail(stored != u64vec4(0x123456789abcdef0ul, 0, 0, 1), 10);
	fail(imageAtomicAdd(wide, ivec2(2, 1), 0ul) != 0ul, 11);
	result.words[lane] = imageLoad(wide, ivec2(lane & 1, lane >> 1 & 1)).x;
}
