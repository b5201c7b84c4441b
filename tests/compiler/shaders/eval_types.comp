#version 460
// SPDX-License-Identifier: MIT
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer R { uint failed, checks, first; };
layout(push_constant) uniform P { uint v[32]; };   // 1, 2, 3, ...
struct Part { int8_t b; int64_t q; float16_t h; u8vec3 c; double d; bool flag; };
layout(std430, set = 0, binding = 1) buffer M { Part part[4]; f16vec3 hs[5]; i64vec3 qs[3]; uint8_t bytes[16]; } m;
layout(constant_id = 0) const int64_t big = 0x123456789al;
layout(constant_id = 1) const uint8_t small = uint8_t(200);
shared Part room[3];
shared uint16_t shorts[7];
void check(bool c) { checks++; if (!c) { if (failed == 0) first = checks; failed++; } }
void main()
{
	int64_t one = int64_t(v[0]), three = int64_t(v[2]), wide = one << 40;
	int16_t s7 = int16_t(v[6]);
	int8_t b5 = int8_t(v[4]);
	uint8_t u5 = uint8_t(v[4]);
	float16_t h2 = float16_t(float(v[1])), h3 = float16_t(float(v[2]));
	double d3 = double(v[2]), d2 = double(v[1]);
	check(wide + three == 0x10000000003l && wide - three == 0xfffffffffdl && -wide == -0x10000000000l);  // 1
	check(wide * three == 0x30000000000l && (wide + three) * (wide + three) == 0x60000000009l);
	check(wide / three == 366503875925l && wide % three == 1l && -wide / three == -366503875925l && -wide % three == 2l);
	check((wide | three) == 0x10000000003l && (wide >> 38) == 4l && (-wide >> 38) == -4l && ~wide == -wide - 1l);
	check(wide > three && -wide < three && min(wide, -wide) == -wide && max(uint64_t(wide), 3ul) == uint64_t(wide)); // 5
	check(int(wide + three) == 3 && int64_t(-int(v[2])) == -3l && uint64_t(v[2]) == 3ul);
	check(double(wide) == 1099511627776.0lf && float(-wide) == -1099511627776.0 && int64_t(1e12 * float(v[0])) == 999999995904l);
	check(s7 * int16_t(10000) == int16_t(4464) && s7 / int16_t(-2) == int16_t(-3) && s7 % int16_t(4) == int16_t(3));
	check(-s7 >> 1 == int16_t(-4) && uint16_t(-s7) >> 1 == uint16_t(32764) && int16_t(-s7) < s7);
	check(b5 * int8_t(50) == int8_t(-6) && u5 * uint8_t(60) == uint8_t(44) && int(b5 * int8_t(50)) == -6);  // 10
	check(uint8_t(u5 - uint8_t(6)) == uint8_t(255) && uint(uint8_t(u5 - uint8_t(6))) == 255u && abs(int8_t(-b5)) == b5);
	check(h2 + h3 == 5.0hf && h2 * h3 == 6.0hf && h2 - h3 == -1.0hf && h3 / h2 == 1.5hf && h2 < h3 && -h2 < h2);
	check(fma(h2, h3, h3) == 9.0hf && min(h2, h3) == h2 && clamp(h3, 0.0hf, 1.0hf) == 1.0hf && abs(-h3) == 3.0hf);
	check(floor(h3 / h2) == 1.0hf && fract(h3 / h2) == 0.5hf && sqrt(h2 + h2) == 2.0hf && mod(-h2, h3) == 1.0hf);
	check(float(h3 * 1000.0hf) == 3000.0 && float16_t(65520.0 * float(v[0])) > 65504.0hf && int(h3) == 3);   // 15
	check(dot(f16vec2(h2, h3), f16vec2(h3, h2)) == 12.0hf && length(f16vec2(h3, h2 + h2)) == 5.0hf);
	check(mix(h2, h3, 0.5hf) == 2.5hf && step(h2, h3) == 1.0hf && sign(-h3) == -1.0hf && exp2(h3) == 8.0hf);
	check(d3 / d2 == 1.5lf && d3 * 1e200lf > 1e200lf && fma(d3, d2, d3) == 9.0lf && sqrt(d3 * d3) == 3.0lf);
	check(floor(-d3 / d2) == -2.0lf && trunc(-d3 / d2) == -1.0lf && fract(d3 / d2) == 0.5lf && abs(-d3) == d3);
	check(int(-d3) == -3 && uint(d3) == 3u && float(d3) == 3.0 && double(float(v[2])) == d3 && int64_t(d3 * 1e12lf) == 3000000000000l); // 20
	check(float16_t(d3) == h3 && double(h2) == d2 && isnan(d3 / 0.0lf - d3 / 0.0lf) && isinf(d3 / 0.0lf) && !isinf(h3));
	check(packDouble2x32(unpackDouble2x32(d3)) == d3 && unpackDouble2x32(d3).y == 0x40080000u);
	check(pack64(u32vec2(v[2], v[0])) == 0x100000003ul && unpack32(uint64_t(wide)).y == 256u && unpack16(uint64_t(wide) + 1ul).x == uint16_t(1));
	check(pack32(u16vec2(uint16_t(v[1]), uint16_t(v[2]))) == 0x30002u && unpack8(v[31] << 16).z == uint8_t(32));
	check(int16BitsToHalf(int16_t(v[0]) << 14s) == 2.0hf && halfBitsToUint16(h3) == uint16_t(0x4200));       // 25
	int k = int(v[2]);
	m.part[k].b = int8_t(-b5);
	m.part[k].q = wide + 1l;
	m.part[k].h = h3;
	m.part[k].c = u8vec3(1, 2, v[2]);
	m.part[k].d = d3;
	m.part[k].flag = v[0] == 1;
	Part p = m.part[3];
	check(p.b == int8_t(-5) && p.q == 0x10000000001l && p.h == 3.0hf && p.c == u8vec3(1, 2, 3) && p.d == 3.0lf && p.flag);
	m.hs[k] = f16vec3(h2, h3, -h2);
	m.qs[1] = i64vec3(one, wide, three);
	m.bytes[k + 2] = uint8_t(v[3]);
	check(m.hs[3] == f16vec3(2, 3, -2) && m.qs[1].zyx == i64vec3(three, wide, one) && m.bytes[5] == uint8_t(4));
	room[1] = p;
	room[1].c.y = uint8_t(77);
	shorts[k] = uint16_t(s7);
	shorts[k + 1] = uint16_t(9);
	check(room[k - 2].q == 0x10000000001l && room[1].c == u8vec3(1, 77, 3) && room[1].flag && room[1].h == h3);
	check(shorts[3] == uint16_t(7) && shorts[k + 1] == uint16_t(9) && big + one == 0x123456789bl && small == uint8_t(200));
	int16_t local[20];
	for (int i = 0; i < 20; i++)
		local[i] = int16_t(i * i);
	check(local[k] == int16_t(9) && local[v[15]] == int16_t(256) && (one << 32 | 1l) == 0x100000001l); // 30
	dmat2 dm = dmat2(d2, 0, 0, d3);
	f16mat2 hm = f16mat2(h2, 0, 0, h3);
	check(dm * dvec2(d3, d2) == dvec2(6, 6) && determinant(dm) == 6.0lf && hm * f16vec2(h3, h2) == f16vec2(6, 6) && determinant(hm) == 6.0hf);
}
