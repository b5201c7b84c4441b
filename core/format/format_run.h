/* SPDX-License-Identifier: MIT */
/* VL texels that lie side by side, from memory to channels and back: what format_vec.h makes of their dwords, by shorter ways
 * where a format has one. */
#ifndef CORE_FORMAT_FORMAT_RUN_H
#define CORE_FORMAT_FORMAT_RUN_H

#include "core/format/format_vec.h"

/* Texels of 16 bytes: a line each. */
V_INLINE void tex_load_lines(const uint8_t *p, vi raw[4])
{
	v_int_reg r[4];
	V_UNROLL
	for (unsigned i = 0; i < 4; i++) {
		__m128i line[VL / 4];
		V_UNROLL
		for (unsigned k = 0; k < VL / 4; k++)
			line[k] = _mm_loadu_si128((const __m128i *)p + 4 * k + i);
		r[i] = (v_int_reg)v_of_lines(line);
	}
	v_transpose(r, raw);
}

V_INLINE void tex_store_lines(uint8_t *p, const vi raw[4])
{
	const v_int_reg r[4] = { (v_int_reg)raw[0], (v_int_reg)raw[1], (v_int_reg)raw[2], (v_int_reg)raw[3] };
	vi texel[4];
	v_transpose(r, texel);
	V_UNROLL
	for (unsigned i = 0; i < 4; i++) {
		__m128i line[VL / 4];
		v_to_lines(texel[i], line);
		V_UNROLL
		for (unsigned k = 0; k < VL / 4; k++)
			_mm_storeu_si128((__m128i *)p + 4 * k + i, line[k]);
	}
}

/* VL contiguous texels of `bytes` to their dwords, and back. */
V_INLINE void tex_load_run(unsigned bytes, const uint8_t *p, vi raw[4])
{
	switch (bytes) {
	case 1: raw[0] = v_load_u8(p); break;
	case 2: raw[0] = v_load_u16(p); break;
	case 4: raw[0] = v_load(p); break;
	case 8: {
		vi a = v_load(p), b = v_load(p + 4 * VL);
		raw[0] = v_even(a, b);
		raw[1] = v_odd(a, b);
		break;
	}
	case 3: case 6: case 12: {
		uint32_t d[3][VL] = { { 0 } };
		for (unsigned i = 0; i < VL; i++)
			V_UNROLL
			for (unsigned at = 0; at < bytes; at += 4)
				memcpy(&d[at / 4][i], p + bytes * i + at, bytes - at < 4 ? bytes - at : 4);
		V_UNROLL
		for (unsigned c = 0; c < (bytes + 3) / 4; c++)
			raw[c] = v_load(d[c]);
		break;
	}
	default: tex_load_lines(p, raw); break;
	}
}

V_INLINE void tex_store_run(unsigned bytes, uint8_t *p, const vi raw[4])
{
	switch (bytes) {
	case 1: v_store_u8(p, raw[0]); break;
	case 2: v_store_u16(p, raw[0]); break;
	case 4: v_store(p, raw[0]); break;
	case 8:
		v_store(p, v_zip_low(raw[0], raw[1]));
		v_store(p + 4 * VL, v_zip_high(raw[0], raw[1]));
		break;
	case 3: case 6: case 12:
		for (unsigned i = 0; i < VL; i++)
			V_UNROLL
			for (unsigned at = 0; at < bytes; at += 4)
				memcpy(p + bytes * i + at, (const uint32_t *)&raw[at / 4] + i, bytes - at < 4 ? bytes - at : 4);
		break;
	default: tex_store_lines(p, raw); break;
	}
}

/* --- components of 16 bits, in halves of a vector --- */

#if VL == 16
static const uint16_t tex_even_odd[32] = { 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30,
	1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31 };
static const uint16_t tex_fourths[32] = { 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60,
	1, 5, 9, 13, 17, 21, 25, 29, 33, 37, 41, 45, 49, 53, 57, 61 };
static const uint16_t tex_zip[32] = { 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
	8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31 };
static const uint16_t tex_zip_four[32] = { 0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51,
	4, 20, 36, 52, 5, 21, 37, 53, 6, 22, 38, 54, 7, 23, 39, 55 };
#endif

/* Of 1, 2 or 4 components: each one's own. */
V_INLINE void tex_split_halves(unsigned count, const uint8_t *p, v_half_reg half[4])
{
	if (count == 1) {
		memcpy(&half[0], p, sizeof half[0]);
		return;
	}
#if VL == 16
	const __m512i a = _mm512_loadu_si512(p);
	__m512i pair[2];
	if (count == 2) {
		pair[0] = _mm512_permutexvar_epi16(_mm512_loadu_si512(tex_even_odd), a);
	} else {
		const __m512i b = _mm512_loadu_si512(p + 64);
		V_UNROLL
		for (unsigned i = 0; i < 2; i++)
			pair[i] = _mm512_permutex2var_epi16(a, _mm512_add_epi16(_mm512_loadu_si512(tex_fourths), _mm512_set1_epi16((short)(2 * i))), b);
	}
	V_UNROLL
	for (unsigned c = 0; c < count; c++)
		half[c] = c & 1 ? _mm512_extracti64x4_epi64(pair[c / 2], 1) : _mm512_castsi512_si256(pair[c / 2]);
#else
	__m256i pair[2];
	if (count == 2) {
		const __m128i order = _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
		pair[0] = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)p), _mm256_broadcastsi128_si256(order));
	} else {
		const __m128i *q = (const __m128i *)p; /* two texels each */
		const __m256i a = _mm256_set_m128i(_mm_loadu_si128(q + 2), _mm_loadu_si128(q));
		const __m256i b = _mm256_set_m128i(_mm_loadu_si128(q + 3), _mm_loadu_si128(q + 1));
		const __m256i even = _mm256_unpacklo_epi16(a, b), odd = _mm256_unpackhi_epi16(a, b);
		pair[0] = _mm256_unpacklo_epi16(even, odd);
		pair[1] = _mm256_unpackhi_epi16(even, odd);
	}
	V_UNROLL
	for (unsigned c = 0; c < count; c += 2) {
		const __m256i both = _mm256_permute4x64_epi64(pair[c / 2], 0xd8);
		half[c] = _mm256_castsi256_si128(both);
		half[c + 1] = _mm256_extracti128_si256(both, 1);
	}
#endif
}

V_INLINE void tex_join_halves(unsigned count, uint8_t *p, const v_half_reg half[4])
{
	if (count == 1) {
		memcpy(p, &half[0], sizeof half[0]);
		return;
	}
#if VL == 16
	__m512i pair[2];
	V_UNROLL
	for (unsigned c = 0; c < count; c += 2)
		pair[c / 2] = _mm512_inserti64x4(_mm512_castsi256_si512(half[c]), half[c + 1], 1);
	if (count == 2) {
		_mm512_storeu_si512(p, _mm512_permutexvar_epi16(_mm512_loadu_si512(tex_zip), pair[0]));
		return;
	}
	V_UNROLL
	for (unsigned i = 0; i < 2; i++)
		_mm512_storeu_si512(p + 64 * i, _mm512_permutex2var_epi16(pair[0],
			_mm512_add_epi16(_mm512_loadu_si512(tex_zip_four), _mm512_set1_epi16((short)(8 * i))), pair[1]));
#else
	__m128i *q = (__m128i *)p;
	const __m128i low = _mm_unpacklo_epi16(half[0], half[1]), high = _mm_unpackhi_epi16(half[0], half[1]);
	if (count == 2) {
		_mm_storeu_si128(q, low);
		_mm_storeu_si128(q + 1, high);
		return;
	}
	const __m128i low2 = _mm_unpacklo_epi16(half[2], half[3]), high2 = _mm_unpackhi_epi16(half[2], half[3]);
	_mm_storeu_si128(q, _mm_unpacklo_epi32(low, low2));
	_mm_storeu_si128(q + 1, _mm_unpackhi_epi32(low, low2));
	_mm_storeu_si128(q + 2, _mm_unpacklo_epi32(high, high2));
	_mm_storeu_si128(q + 3, _mm_unpackhi_epi32(high, high2));
#endif
}

/* --- texels to channels and back: as tex_unpack and tex_pack --- */

V_INLINE bool tex_has_halves(unsigned dfmt, unsigned nfmt)
{
	return nfmt == NFMT_FLOAT && (dfmt == DFMT_16 || dfmt == DFMT_16_16 || dfmt == DFMT_16_16_16_16);
}

V_INLINE void tex_read_run(unsigned dfmt, unsigned nfmt, const uint8_t *p, vi out[4])
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	vi raw[4];
	if (!tex_has_halves(dfmt, nfmt)) {
		tex_load_run(l.bytes, p, raw);
		tex_unpack(dfmt, nfmt, raw, out);
		return;
	}
	v_half_reg half[4];
	tex_split_halves(l.count, p, half);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		out[c] = c < l.count ? (vi)V_OP(cvtph_ps)(half[c]) : v_set(c == 3 ? 0x3f800000 : 0);
}

V_INLINE void tex_write_run(unsigned dfmt, unsigned nfmt, const vi in[4], uint8_t *p)
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	vi raw[4];
	if (!tex_has_halves(dfmt, nfmt)) {
		tex_pack(dfmt, nfmt, in, raw);
		tex_store_run(l.bytes, p, raw);
		return;
	}
	v_half_reg half[4];
	V_UNROLL
	for (unsigned c = 0; c < l.count; c++)
		half[c] = V_OP(cvtps_ph)((v_float_reg)in[c], _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
	tex_join_halves(l.count, p, half);
}

#endif
