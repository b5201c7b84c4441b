#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 4, local_size_y = 2) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
struct S { float a; vec3 b; mat2 c; int d[3]; };
// words of buffer b: i * 16 + b
layout(std430, binding = 1) buffer B { uint w0; uvec2 w2; uvec4 w4; uvec3 w8; uint w11; uint rest[]; } b1;
layout(std430, binding = 2) buffer C { uint n; uint a[4]; uvec3 v[2]; uint tail[]; } b2;
layout(std430, binding = 3) buffer M { layout(column_major) mat3x2 c; layout(row_major) mat3x2 r; S s[2]; } b3;
layout(std140, binding = 4) uniform U { uint u[4]; layout(row_major) mat4 m; S s; uvec4 last; } b4;
layout(std430, binding = 5) buffer E { uint words[]; } b5[2];
layout(std430, binding = 7) buffer F { uint count; uint max_; int min_; uint swap; } b7;
layout(push_constant) uniform P { uint v[16]; mat2 pm; };
shared uint sh[8];
shared vec3 shv[4];
shared S shs[2];
shared bool shb[2];
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
uint word(uint i, uint b) { return i * 16u + b; }
float table[4] = float[](1.0, 2.0, 4.0, 8.0);
struct Mixed { bool p; uint q; bvec2 r[2]; };
void fill(inout uint x[3], uint k) { for (uint i = 0; i < 3; i++) x[i] += i * k; }
S make(float a) { S s; s.a = a; s.b = vec3(a); s.c = mat2(a); s.d = int[](1, 2, 3); return s; }
void main()
{
	uint one = v[0], two = v[1], three = v[2];
	check(b1.w0 == word(0, 1) && b1.w2 == uvec2(word(2, 1), word(3, 1)) && b1.w4.w == word(7, 1));  // 1
	check(b1.w8 == uvec3(word(8, 1), word(9, 1), word(10, 1)) && b1.w11 == word(11, 1));
	check(b1.rest[two] == word(14, 1) && b1.rest.length() == 4096 - 12);
	check(b2.a[three] == word(4, 2) && b2.v[one] == uvec3(word(12, 2), word(13, 2), word(14, 2)) && b2.tail.length() == 4096 - 16);
	b2.v[one].y = 77u;                                                                              // 5
	check(b2.v[1].y == 77u && b2.v[1].x == word(12, 2));
	check(b2.v[one][two - 1u] == 77u);
	b3.c = mat3x2(1, 2, 3, 4, 5, 6);
	b3.r = mat3x2(1, 2, 3, 4, 5, 6) * float(two);
	check(b3.c[one] == vec2(3, 4) && b3.r[one] == vec2(6, 8) && b3.r[two][one] == 12.0);
	b3.r[one][one] = 99.0;
	check(b3.r == mat3x2(2, 4, 6, 99, 10, 12));
	b3.s[one] = make(float(three));
	check(b3.s[1].b == vec3(3) && b3.s[one].d[two] == 3 && b3.s[1].c[one] == vec2(0, 3));            // 9
	b3.s[0] = b3.s[one];
	check(b3.s[0] == b3.s[1]);
	b3.s[0].d[two - 1u] = 50;
	check(b3.s[0] != b3.s[1] && b3.s[0].d == int[](1, 50, 3));
	check(b4.u[three] == word(12, 4) && b4.u[0] == word(0, 4));
	check(floatBitsToUint(b4.m[one][two]) == word(16u + 2u * 4u + 1u, 4) && b4.last.x == word(60, 4));
	check(b5[1].words[three] == word(3, 5) && b5[0].words[0] == word(0, 5));
	check(v[3] == 4u && floatBitsToUint(pm[1][0]) == 19u);                                          // 15
	for (uint i = 0; i < 8; i++)
		sh[i] = i * i;
	barrier();
	check(sh[three] == 9u && sh[7] == 49u);
	check(atomicAdd(sh[two], 5u) == 4u && sh[2] == 9u && atomicExchange(sh[one], 7u) == 1u && sh[1] == 7u);
	check(atomicCompSwap(sh[0], 0u, 3u) == 0u && sh[0] == 3u && atomicCompSwap(sh[0], 0u, 4u) == 3u && sh[0] == 3u);
	shv[two] = vec3(1, 2, 3) * float(two);
	shv[two].y += 1.0;
	check(shv[2] == vec3(2, 5, 6));
	shs[one] = make(2.5);
	shb[one] = three > two;
	shb[0] = three < two;
	check(shs[1].d[two] == 3 && shs[one].c[1][1] == 2.5 && shb[1] && !shb[one - 1u]);               // 20
	b7.count = 10u; b7.max_ = 3u; b7.min_ = 5;
	check(atomicAdd(b7.count, two) == 10u && atomicMax(b7.max_, 9u) == 3u && atomicMin(b7.min_, -4) == 5);
	check(b7.count == 12u && b7.max_ == 9u && b7.min_ == -4);
	check(atomicAnd(b7.count, 8u) == 12u && atomicOr(b7.count, 1u) == 8u && atomicXor(b7.count, 3u) == 9u && b7.count == 10u);
	table[two] += 0.5;
	check(table[one] == 2.0 && table[2] == 4.5 && table[three] == 8.0);
	uint x[3] = uint[](10u, 20u, 30u);                                                              // 25
	fill(x, three);
	check(x == uint[](10u, 23u, 36u));
	Mixed mx;
	mx.p = two == 2u;
	mx.q = 5u;
	mx.r[one] = bvec2(true, false);
	mx.r[0] = bvec2(false, three == 3u);
	check(mx.p && mx.r[one].x && !mx.r[one].y && mx.r[0].y && mx.q == 5u);
	Mixed my = mx;
	my.r[one - 1u].x = true;
	check(my.r[0].x && !mx.r[0].x && my != mx);
	bool flags[4];
	for (int i = 0; i < 4; i++)
		flags[i] = (i & 1) == 1;
	check(flags[three] && !flags[two] && flags[one]);
	mat3 mm = mat3(1.0);
	mm[one][two] = 7.0;
	mm[two] = vec3(1, 2, 3);
	check(mm[1] == vec3(0, 1, 7) && mm[int(two)][int(one)] == 2.0 && (mm * vec3(0, 1, 0)).z == 7.0);
	float grid[3][4];                                                                               // 30
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 4; k++)
			grid[i][k] = float(i * 10 + k);
	check(grid[two][three] == 23.0 && grid[one][0] == 10.0);
	check(gl_WorkGroupSize == uvec3(4, 2, 1) && gl_LocalInvocationIndex == 0u && gl_GlobalInvocationID == uvec3(0));
}
