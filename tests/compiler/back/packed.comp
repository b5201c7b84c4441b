#version 450
// SPDX-License-Identifier: MIT
// Pairs of halves, from loads to stores: straight, swizzled, with signs, constants, in a loop and in
// a branch; test_back_packed.c says what comes out.
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require
layout(local_size_x = 64) in;
struct In { f16vec4 x, y, z; u16vec4 p, q; };
struct Out { f16vec4 sums, swizzled, chained, chosen; u16vec4 whole; i16vec4 bounds; };
layout(set = 0, binding = 0) readonly buffer A { In a[]; };
layout(set = 0, binding = 1) writeonly buffer B { Out b[]; };

void main()
{
	In v = a[gl_GlobalInvocationID.x];
	Out r;
	r.sums = (v.x + v.y) * v.z - v.x;
	r.swizzled = fma(v.x.yxwz, -v.y.xxzz, f16vec4(1.5hf, -0.25hf, 2.0hf, 0.0hf));
	f16vec4 c = v.z;
	for (uint k = 0; k < 5; k++) {
		c = fma(c, v.x, v.y);
		c = max(c, -v.z.wzyx);
	}
	r.chained = c;
	r.chosen = v.x;
	if (v.p.x > v.q.x)
		r.chosen = min(v.x * v.y, v.z + v.x.xxxx);
	r.whole = (v.p + v.q) * v.p - v.q.yxwz;
	r.bounds = max(i16vec4(v.p), i16vec4(v.q)) + min(i16vec4(v.p), i16vec4(3, -4, 5, -6));
	r.whole = max(r.whole, min(v.p, v.q));
	b[gl_GlobalInvocationID.x] = r;
}
