#version 450
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
layout(std430, binding = 1) buffer B { float16_t h[8]; uint words[]; } b;
layout(push_constant) uniform P { uint v[16]; };
shared float16_t sh[6];
shared float sf[4];
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
float16_t f(float x) { return float16_t(x); }
void main()
{
	uint one = v[0], two = v[1], three = v[2];
	for (uint i = 0; i < 6; i++) {
		b.h[i] = f(i * 100.0);
		sh[i] = f(i * 10.0);
	}
	// The other half of the word stays what it is.
	check(atomicAdd(b.h[2], f(1.5)) == f(200) && b.h[2] == f(201.5) && b.h[3] == f(300) && b.h[1] == f(100)); // 1
	check(atomicAdd(b.h[three], f(1.5)) == f(300) && b.h[3] == f(301.5) && b.h[2] == f(201.5) && b.h[4] == f(400));
	check(atomicMin(b.h[two + three], f(7)) == f(500) && b.h[5] == f(7) && b.h[4] == f(400));
	check(atomicMax(b.h[5], f(6)) == f(7) && b.h[5] == f(7));
	check(atomicExchange(b.h[4], f(9)) == f(400) && b.h[4] == f(9) && b.h[5] == f(7));               // 5
	check(b.words[0] == 4u * 16u + 1u);
	check(atomicAdd(sh[three], f(0.25)) == f(30) && sh[3] == f(30.25) && sh[2] == f(20) && sh[4] == f(40));
	check(atomicMax(sh[3], f(64)) == f(30.25) && sh[3] == f(64) && sh[2] == f(20));
	check(atomicMin(sh[two], f(-1)) == f(20) && sh[2] == f(-1) && sh[3] == f(64));
	check(atomicExchange(sh[one], f(3)) == f(10) && sh[1] == f(3) && sh[0] == f(0));                 // 10
	check(atomicAdd(sh[1], f(65504)) == f(3) && sh[1] == f(65504)); // to the nearest
	sf[one] = 1.5;
	sf[two] = -0.0;
	check(atomicAdd(sf[one], 0.25 * float(two)) == 1.5 && sf[1] == 2.0);
	check(atomicAdd(sf[2], 1e-40) == 0.0 && sf[two] == 1e-40); // denormals are kept
	check(isnan(atomicAdd(sf[one], uintBitsToFloat(0x7fc00000u) * float(one)) + sf[1]) && isnan(sf[1]));
	check(atomicMin(sf[two], -1.0) == 1e-40 && atomicMax(sf[two], 3.0) == -1.0 && sf[2] == 3.0);      // 15
}
