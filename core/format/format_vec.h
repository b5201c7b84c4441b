/* SPDX-License-Identifier: MIT */
/* Format conversion of VL texels at a time: the vector twin of format.c, with
 * the same bits.  Called with constant formats, so each call folds to the few
 * instructions of its format. */
#ifndef CORE_FORMAT_FORMAT_VEC_H
#define CORE_FORMAT_FORMAT_VEC_H

#include "core/level.h"
#include "core/format/format_layout.h"
#include "core/vec.h"

/* raw: the dwords of the texels (one for formats up to 32 bits, the value in
 * the low bits and zero above); channels as in core/format/format.h. */
typedef void (*tex_decode_fn)(const vi raw[4], vi out[4]);
typedef void (*tex_encode_fn)(const vi in[4], vi raw[4]);
tex_decode_fn CU_FN(cu_tex_decoder)(unsigned dfmt, unsigned nfmt); /* NULL: no such format */
tex_encode_fn CU_FN(cu_tex_encoder)(unsigned dfmt, unsigned nfmt);

/* v / max, correctly rounded: for max = 2^n - 1, n <= 16, the two-term
 * reciprocal does it (checked for every v by the tests). */
V_INLINE vf tex_divide(vf v, uint32_t max)
{
	if (max == 1)
		return v;
	if (max > 0xffff)
		return v / v_setf((float)max);
	const float hi = 1.0f / (float)max;
	const float lo = (float)(1.0 / (double)max - (double)hi);
	return v_fma(v, v_setf(hi), v * v_setf(lo));
}

/* Byte `byte` of each dword over 255, correctly rounded: of three times it, which is exact, one product by 1/765 is so
 * (checked for every byte by the tests). */
V_INLINE vf tex_unorm_byte(vi raw, unsigned byte)
{
	const vi three = (vi)V_OP(maddubs_epi16)((v_int_reg)raw, (v_int_reg)v_set(3 << 8 * byte));
	return v_float(three) * v_setf(byte < 2 ? 0x1.56ac02p-10f : 0x1.56ac02p-26f);
}

V_INLINE vf tex_srgb_decode(vi v) { return (vf)v_gather(cu_srgb_decode_bits, v << 2); }

/* Of VL dwords in memory, a table's entries by one of each one's bytes, or by its upper half less `first`: by plain loads,
 * which are faster than gathers on most CPUs. */
V_INLINE __m128i tex_four_by_byte(const uint32_t *table, const uint8_t *at)
{
	__m128i v = _mm_loadu_si32(&table[at[0]]);
	v = _mm_insert_epi32(v, (int)table[at[4]], 1);
	v = _mm_insert_epi32(v, (int)table[at[8]], 2);
	return _mm_insert_epi32(v, (int)table[at[12]], 3);
}

V_INLINE __m128i tex_four_by_half(const uint32_t *table, size_t first, const uint16_t *at)
{
	__m128i v = _mm_loadu_si32(&table[at[1] - first]);
	v = _mm_insert_epi32(v, (int)table[at[3] - first], 1);
	v = _mm_insert_epi32(v, (int)table[at[5] - first], 2);
	return _mm_insert_epi32(v, (int)table[at[7] - first], 3);
}

V_INLINE vi tex_by_byte(const uint32_t *table, const uint32_t dwords[VL], unsigned byte)
{
	if (cu_quick_gathers)
		return v_gather_index(table, v_shr(v_load(dwords), 8 * (int)byte) & 255);
	__m128i line[VL / 4];
	V_UNROLL
	for (unsigned i = 0; i < VL / 4; i++)
		line[i] = tex_four_by_byte(table, (const uint8_t *)(dwords + 4 * i) + byte);
	return v_of_lines(line);
}

V_INLINE vi tex_by_half(const uint32_t *table, size_t first, const uint32_t dwords[VL])
{
	if (cu_quick_gathers)
		return v_gather_index(table, v_shr(v_load(dwords), 16) - (int)first);
	__m128i line[VL / 4];
	V_UNROLL
	for (unsigned i = 0; i < VL / 4; i++)
		line[i] = tex_four_by_half(table, first, (const uint16_t *)(dwords + 4 * i));
	return v_of_lines(line);
}

/* A number's bits as they are encoded, and the code of these. */
V_INLINE vi tex_srgb_bits(vf f)
{
	return (vi)v_minf(v_maxf(f, v_setf(0x1p-13f)), (vf)v_set(CU_SRGB_LAST)); /* NaN becomes 2^-13, code 0 */
}

V_INLINE vi tex_srgb_code(vi bits)
{
	return v_shr(v_gather_index(cu_srgb_steps, v_shr(bits - (int)CU_SRGB_FIRST, 16)) + (bits & 0xffff), 16);
}

V_INLINE vi tex_srgb_code_of(const uint32_t bits[VL])
{
	return v_shr(tex_by_half(cu_srgb_steps, CU_SRGB_FIRST >> 16, bits) + (v_load(bits) & 0xffff), 16);
}

V_INLINE vi tex_srgb_encode(vf f) { return tex_srgb_code(tex_srgb_bits(f)); }

V_INLINE vi tex_field(const vi raw[4], unsigned shift, unsigned bits)
{
	vi v = raw[shift / 32];
	return shift % 32 + bits == 32 ? v_shr(v, shift % 32) : v_shr(v, shift % 32) & (int)((1u << (bits & 31)) - 1);
}

V_INLINE vi tex_signed_field(const vi raw[4], unsigned shift, unsigned bits)
{
	return raw[shift / 32] << (32 - bits - shift % 32) >> (32 - bits);
}

V_INLINE vi tex_unpack_component(unsigned nfmt, unsigned bits, unsigned shift, unsigned c, const vi raw[4])
{
	uint32_t max = bits == 32 ? ~0u : (1u << (bits & 31)) - 1;
	switch (nfmt) {
	case NFMT_SRGB:
		if (c < 3)
			return (vi)tex_srgb_decode(tex_field(raw, shift, bits));
		return (vi)tex_unorm_byte(raw[shift / 32], shift % 32 / 8);
	case NFMT_UNORM:
		if (bits == 8)
			return (vi)tex_unorm_byte(raw[shift / 32], shift % 32 / 8);
		return (vi)tex_divide(v_float(tex_field(raw, shift, bits)), max);
	case NFMT_UNORM_10:
		return (vi)tex_divide(v_float(tex_field(raw, shift + 6, 10)), 1023);
	case NFMT_UNORM_12:
		return (vi)tex_divide(v_float(tex_field(raw, shift + 4, 12)), 4095);
	case NFMT_SNORM:
		return (vi)v_maxf(tex_divide(v_float(tex_signed_field(raw, shift, bits)), max >> 1), v_setf(-1));
	case NFMT_USCALED:
		return (vi)v_float(tex_field(raw, shift, bits));
	case NFMT_SSCALED:
		return (vi)v_float(tex_signed_field(raw, shift, bits));
	case NFMT_SINT:
		return tex_signed_field(raw, shift, bits);
	case NFMT_FLOAT:
		if (bits == 32)
			return raw[shift / 32];
		return (vi)v_half_to_float(tex_field(raw, shift, bits) << (bits == 16 ? 0 : bits == 11 ? 4 : 5));
	default:
		return tex_field(raw, shift, bits);
	}
}

V_INLINE void tex_unpack(unsigned dfmt, unsigned nfmt, const vi raw[4], vi out[4])
{
	struct cu_format_layout l = cu_format_layout(dfmt);
	V_UNROLL
	for (unsigned c = 0; c < 3; c++)
		out[c] = v_set(0);
	out[3] = v_set(cu_nfmt_is_integer(nfmt) ? 1 : 0x3f800000);
	if (dfmt == DFMT_5_9_9_9) {
		vf scale = (vf)((v_shr(raw[0], 27) + 103) << 23); /* 2^(e - 24) */
		V_UNROLL
		for (unsigned c = 0; c < 3; c++)
			out[c] = (vi)(v_float(tex_field(raw, 9 * c, 9)) * scale);
		return;
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		if (c < l.count)
			out[c] = tex_unpack_component(nfmt, l.bits[c], l.shift[c], c, raw);
}

/* v_scale_round also for negatives: with 1.5 * 2^23. */
V_INLINE vi tex_round_signed(vf f, float scale)
{
	return (vi)v_fma(f, v_setf(scale), v_setf(0x1.8p23f)) - 0x4b400000;
}

V_INLINE vi tex_pack_unorm(vf f, unsigned bits)
{
	f = v_minf(v_maxf(f, v_setf(0)), v_setf(1)); /* NaN to 0 */
	if (bits <= 16)
		return v_scale_round(f, (float)((1u << bits) - 1));
	/* 24 bits: from 2^23 on the product itself has integer precision. */
	vf p = f * v_setf(0xffffff);
	return v_sel(p < v_setf(0x1p23f), v_scale_round(f, 0xffffff), v_trunc(p));
}

V_INLINE vi tex_pack_signed(vf f, float lo, float hi, float scale)
{
	f = (vf)((vi)f & (f == f));
	return tex_round_signed(v_minf(v_maxf(f, v_setf(lo)), v_setf(hi)), scale);
}

/* Unsigned float of 5 exponent bits: see to_unsigned_small_float in format.c. */
V_INLINE vi tex_pack_small_float(vf f, unsigned mbits)
{
	int drop = 23 - (int)mbits;
	vf x = v_maxf(f, v_setf(0));
	vi u = (vi)x;
	vi normal = v_shr(u + ((1 << (drop - 1)) - 1) + (v_shr(u, drop) & 1), drop) - (112 << mbits);
	normal = v_min(normal, v_set(31 << mbits));
	vi denormal = (vi)(x * v_setf((float)(1u << (14 + mbits))) + v_setf(0x1p23f)) & 0x7fffff;
	vi v = v_sel(x < v_setf(0x1p-14f), denormal, normal);
	return v_sel(f == f, v, v_set(31 << mbits | 1 << (mbits - 1)));
}

V_INLINE vi tex_pack_5999(const vi in[4])
{
	vf c[3], max = v_setf(0);
	V_UNROLL
	for (int i = 0; i < 3; i++) {
		c[i] = v_minf(v_maxf((vf)in[i], v_setf(0)), v_setf(CU_MAX_5999));
		max = v_maxf(c[i], max);
	}
	vi e = v_max(v_shr((vi)max, 23) - 127, v_set(-16)) + 16;
	vf scale = (vf)((24 + 127 - e) << 23);
	vi overflow = v_scale_round(max * scale, 1) == 512;
	e -= overflow;
	scale = (vf)((24 + 127 - e) << 23);
	vi v = e << 27;
	V_UNROLL
	for (int i = 0; i < 3; i++)
		v |= v_scale_round(c[i] * scale, 1) << 9 * i;
	return v;
}

V_INLINE vi tex_pack_component(unsigned nfmt, unsigned bits, unsigned c, vi in)
{
	uint32_t max = bits == 32 ? ~0u : (1u << (bits & 31)) - 1;
	int smax = (int)(max >> 1);
	switch (nfmt) {
	case NFMT_SRGB:
		return c < 3 ? tex_srgb_encode((vf)in) : tex_pack_unorm((vf)in, 8);
	case NFMT_UNORM:
		return tex_pack_unorm((vf)in, bits);
	case NFMT_UNORM_10:
		return tex_pack_unorm((vf)in, 10) << 6;
	case NFMT_UNORM_12:
		return tex_pack_unorm((vf)in, 12) << 4;
	case NFMT_SNORM:
		return tex_pack_signed((vf)in, -1, 1, (float)smax) & (int)max;
	case NFMT_USCALED:
		return v_scale_round(v_minf(v_maxf((vf)in, v_setf(0)), v_setf((float)max)), 1);
	case NFMT_SSCALED:
		return tex_pack_signed((vf)in, (float)(-smax - 1), (float)smax, 1) & (int)max;
	case NFMT_UINT:
		return (vi)v_minu((vu)in, v_setu(max));
	case NFMT_SINT:
		return v_clamp(in, -smax - 1, smax) & (int)max;
	default:
		if (bits == 32)
			return in;
		return bits == 16 ? v_float_to_half((vf)in) : tex_pack_small_float((vf)in, bits - 5);
	}
}

V_INLINE void tex_pack(unsigned dfmt, unsigned nfmt, const vi in[4], vi raw[4])
{
	struct cu_format_layout l = cu_format_layout(dfmt);
	V_UNROLL
	for (unsigned i = 0; i < 4; i++)
		if (i < (l.bytes + 3u) / 4)
			raw[i] = v_set(0);
	if (dfmt == DFMT_5_9_9_9) {
		raw[0] = tex_pack_5999(in);
		return;
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		if (c < l.count)
			raw[l.shift[c] / 32] |= tex_pack_component(nfmt, l.bits[c], c, in[c]) << l.shift[c] % 32;
}

#endif
