#version 450
// SPDX-License-Identifier: MIT
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer R { uint failed, checks, first; };
layout(push_constant) uniform P { uint v[32]; };   // 1, 2, 3, ...
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
bool near(float a, float b, float eps) { return abs(a - b) <= eps * max(1.0, abs(b)); }
void main()
{
	int i1 = int(v[0]), i3 = int(v[2]), i7 = int(v[6]);
	uint u5 = v[4], u8 = v[7];
	float f1 = float(v[0]), f2 = float(v[1]), f3 = float(v[2]), f5 = float(v[4]);
	check(i3 - i7 == -4);                                     // 1
	check(-i7 / i3 == -2 && i7 / i3 == 2);
	check(u8 % u5 == 3u && u8 / u5 == 1u);
	check((-i7 >> 1) == -4 && (0x80000000u >> u5) == 0x4000000u);
	check((~u5) == 0xfffffffau && (u5 ^ u8) == 13u && (u5 | u8) == 13u && (u5 & u8) == 0u); // 5
	check(bitfieldExtract(0xf0u + u5 - 5u, i1 + 3, i1 + 3) == 15u);
	check(bitfieldExtract(int(0xf0u + u5 - 5u), i1 + 3, i1 + 3) == -1);
	check(bitfieldExtract(u5, 0, int(v[31])) == 5u);
	check(bitfieldInsert(0u, u5, i3, i3) == 40u && bitfieldInsert(7u, u5, 0, int(v[31])) == 5u);
	check(bitfieldReverse(u5) == 0xa0000000u && bitCount(0xffu * v[0]) == 8); // 10
	check(findLSB(u8) == 3 && findMSB(u8) == 3 && findMSB(-i1) == -1 && findLSB(v[0] - 1u) == -1);
	uint carry, borrow, msb, lsb;
	check(uaddCarry(0xffffffffu, v[1], carry) == 1u && carry == 1u);
	check(usubBorrow(v[0], v[1], borrow) == 0xffffffffu && borrow == 1u);
	umulExtended(0x80000000u, u8, msb, lsb);
	check(msb == 4u && lsb == 0u);
	int imsb, ilsb;
	imulExtended(-i1, i3, imsb, ilsb);
	check(imsb == -1 && ilsb == -3);                           // 15
	check(mod(-f1, f3) == 2.0 && near(mod(f5, f3), 2.0, 1e-6));
	check(near(f5 / f3, 1.6666666, 1e-6));
	check(floor(-f5 / f2) == -3.0 && ceil(-f5 / f2) == -2.0 && trunc(-f5 / f2) == -2.0 && roundEven(f5 / f2) == 2.0);
	check(fract(f5 / f2) == 0.5 && sign(-f5) == -1.0 && sign(f5 - 5.0) == 0.0 && abs(-i7) == 7 && sign(-i7) == -1);
	check(min(f3, f5) == 3.0 && max(-i3, i1) == 1 && clamp(f5, f1, f3) == 3.0 && clamp(u8, 1u, 3u) == 3u); // 20
	check(mix(f1, f5, 0.5) == 3.0 && step(f2, f3) == 1.0 && step(f3, f2) == 0.0);
	check(near(smoothstep(f1, f3, f2), 0.5, 1e-6) && fma(f2, f3, f5) == 11.0);
	check(near(sqrt(f2), 1.4142135, 1e-6) && near(inversesqrt(f2), 0.70710678, 1e-6));
	check(near(exp(f1), 2.7182818, 1e-5) && near(log(f5), 1.6094379, 1e-5) && exp2(f3) == 8.0 && log2(float(u8)) == 3.0);
	check(near(pow(f3, f5), 243.0, 1e-5) && pow(f1 - 1.0, f2) == 0.0 && pow(f5, f1 - 1.0) == 1.0 && /* products: */
		pow(f3, 1.0) == 3.0 && pow(f3, 2.0) == 9.0 && pow(f3, 5.0) == 243.0 && pow(f3, 6.0) == 729.0 &&
		pow(f3, 13.0) == 1594323.0 && pow(f2, 31.0) == 2147483648.0 && pow(f2, 32.0) == 4294967296.0 && /* and not: */
		near(pow(f2, 33.0), 8589934592.0, 1e-5) && near(pow(f2, 2.5), 5.656854, 1e-5) && pow(f3, 0.0) == 1.0); // 25
	check(near(sin(f1), 0.84147098, 1e-5) && near(cos(f1), 0.54030230, 1e-5) && near(tan(f1), 1.5574077, 1e-4));
	check(near(asin(f1 / f2), 0.52359877, 1e-5) && near(asin(f1 * 0.9), 1.1197695, 1e-5) && near(asin(-f1), -1.5707963, 1e-5));
	check(near(acos(f1 / f2), 1.0471975, 1e-5) && near(acos(-f1 * 0.9), 2.6905658, 1e-5) && near(acos(f1), 0.0, 1e-5));
	check(near(atan(f1), 0.78539816, 1e-5) && near(atan(-f5), -1.3734007, 1e-5) && near(atan(f1 * 0.25), 0.24497866, 1e-6));
	check(near(atan(f1, -f2), 2.6779450, 1e-5) && near(atan(-f5, f1), -1.3734007, 1e-5) && near(atan(-f1, -f1), -2.3561945, 1e-5)); // 30
	check(near(atan(f1 - 1.0, -f1), 3.1415926, 1e-5) && atan(f1 - 1.0, f1) == 0.0);
	check(near(sinh(f1), 1.1752012, 1e-5) && near(cosh(f1), 1.5430806, 1e-5) && near(tanh(f1), 0.76159416, 1e-5) && tanh(100.0 * f1) == 1.0);
	check(near(asinh(-f2), -1.4436355, 1e-5) && near(acosh(f2), 1.3169579, 1e-5) && near(atanh(f1 / f2), 0.54930614, 1e-5));
	check(near(radians(180.0 * f1), 3.1415926, 1e-6) && near(degrees(f1), 57.295780, 1e-6));
	float whole; int e;
	check(modf(-f5 / f2, whole) == -0.5 && whole == -2.0);     // 35
	check(frexp(f5, e) == 0.625 && e == 3 && ldexp(f5, i3) == 40.0);
	check(isinf(f1 / 0.0) && !isinf(f1) && isnan(log2(-f1)) && !isnan(f1));
	check(packUnorm4x8(vec4(0, 1, 0.5, 2) * f1) == 0xff80ff00u && packSnorm4x8(vec4(0, 1, -1, -2) * f1) == 0x81817f00u);
	check(packUnorm2x16(vec2(1, 0) * f1) == 0xffffu && packSnorm2x16(vec2(-1, 1) * f1) == 0x7fff8001u);
	check(packHalf2x16(vec2(f1, -f2)) == 0xc0003c00u && unpackHalf2x16(0x3c00c000u + v[0] - 1u) == vec2(-2, 1)); // 40
	vec4 un = unpackUnorm4x8(0xff00ff00u + v[0] - 1u);
	check(un == vec4(0, 1, 0, 1));
	check(unpackSnorm4x8(0x80817f00u + v[0] - 1u) == vec4(0, 1, -1, -1));
	check(unpackSnorm2x16(0x80007fffu + v[0] - 1u) == vec2(1, -1) && unpackUnorm2x16(0xffff0000u + v[0] - 1u) == vec2(0, 1));
	vec3 a = vec3(f1, f2, f3), b = vec3(f3, f5, f2);
	check(dot(a, b) == 19.0 && cross(a, b) == vec3(-11, 7, -1) && near(length(a), 3.7416573, 1e-6));
	check(near(distance(a, b), 3.7416573, 1e-6) && near(dot(normalize(a), a), 3.7416573, 1e-6)); // 45
	check(reflect(a, vec3(0, 1, 0)) == vec3(1, -2, 3) && faceforward(a, b, -b) == a && faceforward(a, b, b) == -a);
	vec3 r = refract(vec3(0.6, -0.8, 0) * f1, vec3(0, 1, 0), 0.5);
	check(near(r.x, 0.3, 1e-5) && near(r.y, -0.9539392, 1e-5));
	check(refract(vec3(0.8, -0.6, 0) * f1, vec3(0, 1, 0), 2.0) == vec3(0));
	mat3 m = mat3(f2, 0, f1, 0, f3, 0, f1, 0, f1);
	check(near(determinant(m), 3.0, 1e-5));
	mat3 id = m * inverse(m);                                   // 50
	check(near(id[0][0], 1.0, 1e-5) && near(id[1][1], 1.0, 1e-5) && near(id[2][0], 0.0, 1e-5) && near(id[2][2], 1.0, 1e-5));
	mat4 m4 = mat4(f1, f2, f3, 0, 0, f1, f5, f2, f3, 0, f1, 0, f2, f2, 0, f5);
	mat4 id4 = inverse(m4) * m4;
	bool is_id = true;
	for (int c = 0; c < 4; c++)
		for (int k = 0; k < 4; k++)
			is_id = is_id && near(id4[c][k], c == k ? 1.0 : 0.0, 1e-4);
	check(is_id);
	mat2 m2 = mat2(f1, f2, f3, f5);
	check(determinant(m2) == -1.0 && m2 * vec2(f1, f2) == vec2(7, 12) && vec2(f1, f2) * m2 == vec2(5, 13));
	check(transpose(mat2x3(a, b)) * vec3(1) == vec2(6, 10) && outerProduct(a.xy, b)[2] == vec2(2, 4));
	check((m2 * m2)[1] == vec2(18, 31) && matrixCompMult(m2, m2)[0] == vec2(1, 4) && (m2 * f2)[1].y == 10.0);
	bvec3 cmp = lessThan(a, b);                                 // 55
	check(cmp == bvec3(true, true, false) && any(cmp) && !all(cmp) && any(not(cmp)));
	check(mix(a, b, cmp) == vec3(3, 5, 3) && greaterThanEqual(ivec2(i1, i3), ivec2(1, 4)) == bvec2(true, false));
	check(int(-f5 / f2) == -2 && uint(f5 / f2) == 2u && float(-i3) == -3.0 && float(0xffffffffu * v[0]) == 4294967296.0);
	check(floatBitsToUint(f1) == 0x3f800000u && uintBitsToFloat(0x40000000u * v[0]) == 2.0 && bool(v[0]) && int(bool(v[1])) == 1);
	vec4 q = vec4(f1, f2, f3, f5);
	q.zx = q.xy;
	check(q == vec4(2, 2, 1, 5));
	q[v[2] - 1u] = 9.0;                                         // 60
	check(q.z == 9.0 && q[v[0]] == 2.0 && q.wzyx == vec4(5, 9, 2, 2));
	check(f1 < f2 && !(f2 < f1) && f1 <= f1 && f3 > f2 && f3 >= f3 && f1 != f2);
}
