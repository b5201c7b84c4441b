/* SPDX-License-Identifier: MIT */
/* One tap of a footprint from memory: raw dwords of VL lanes, which are all within the image. */
#ifndef CORE_TEX_TEX_FETCH_TAPS_H
#define CORE_TEX_TEX_FETCH_TAPS_H

#include "core/tex/tex_bytes.h"
#include "core/tex/tex_fetch.h"

V_INLINE __m128d tex_two_qwords(const uint8_t *base, int32_t first, int32_t second)
{
	return _mm_loadh_pd(_mm_load_sd((const double *)(base + first)), (const double *)(base + second));
}

#if CU_LEVEL >= 4
V_INLINE struct tex_row tex_gather_row(const uint8_t *base, vi at)
{
	__m512i order = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), (__m512i)at);
	return (struct tex_row){ { (vi)_mm512_i32gather_epi64(_mm512_castsi512_si256(order), base, 1),
		(vi)_mm512_i32gather_epi64(_mm512_extracti64x4_epi64(order, 1), base, 1) } };
}

/* Of lanes 0, 1, 4, 5, ... from `at` on. */
V_INLINE __m512 tex_eight_qwords(const uint8_t *base, const int32_t *at)
{
	__m512d v = _mm512_castpd128_pd512(tex_two_qwords(base, at[0], at[1]));
	v = _mm512_insertf64x2(v, tex_two_qwords(base, at[4], at[5]), 1);
	v = _mm512_insertf64x2(v, tex_two_qwords(base, at[8], at[9]), 2);
	return (__m512)_mm512_insertf64x2(v, tex_two_qwords(base, at[12], at[13]), 3);
}

/* The same by single loads: faster where the offsets have been in memory for a while. */
V_INLINE struct tex_row tex_load_row(const uint8_t *base, const int32_t *at)
{
	return (struct tex_row){ { (vi)tex_eight_qwords(base, at), (vi)tex_eight_qwords(base, at + 2) } };
}

V_INLINE void tex_load_qwords(const uint8_t *base, const int32_t *at, vi raw[4])
{
	const __m512 a = tex_eight_qwords(base, at), b = tex_eight_qwords(base, at + 2);
	raw[0] = (vi)_mm512_shuffle_ps(a, b, 0x88);
	raw[1] = (vi)_mm512_shuffle_ps(a, b, 0xdd);
}

#else
V_INLINE struct tex_row tex_gather_row(const uint8_t *base, vi at)
{
	__m256i order = _mm256_permute4x64_epi64((__m256i)at, 0xd8);
	return (struct tex_row){ { (vi)_mm256_i32gather_epi64((const void *)base, _mm256_castsi256_si128(order), 1),
		(vi)_mm256_i32gather_epi64((const void *)base, _mm256_extracti128_si256(order, 1), 1) } };
}

V_INLINE __m256d tex_four_qwords(const uint8_t *base, const int32_t *at, int a, int b, int c, int d)
{
	return _mm256_insertf128_pd(_mm256_castpd128_pd256(tex_two_qwords(base, at[a], at[b])),
		tex_two_qwords(base, at[c], at[d]), 1);
}

/* The same by single loads: faster where the offsets have been in memory for a while. */
V_INLINE struct tex_row tex_load_row(const uint8_t *base, const int32_t *at)
{
	return (struct tex_row){ { (vi)tex_four_qwords(base, at, 0, 1, 4, 5), (vi)tex_four_qwords(base, at, 2, 3, 6, 7) } };
}

V_INLINE void tex_load_qwords(const uint8_t *base, const int32_t *at, vi raw[4])
{
	const __m256 a = (__m256)tex_four_qwords(base, at, 0, 1, 4, 5), b = (__m256)tex_four_qwords(base, at, 2, 3, 6, 7);
	raw[0] = (vi)_mm256_shuffle_ps(a, b, 0x88);
	raw[1] = (vi)_mm256_shuffle_ps(a, b, 0xdd);
}
#endif

V_INLINE int tex_word(const uint8_t *at)
{
	uint16_t word;
	memcpy(&word, at, 2);
	return word;
}

V_INLINE __m128i tex_eight_words(const uint8_t *base, const int32_t *at)
{
	__m128i v = _mm_cvtsi32_si128(tex_word(base + at[0]));
	v = _mm_insert_epi16(v, tex_word(base + at[1]), 1);
	v = _mm_insert_epi16(v, tex_word(base + at[2]), 2);
	v = _mm_insert_epi16(v, tex_word(base + at[3]), 3);
	v = _mm_insert_epi16(v, tex_word(base + at[4]), 4);
	v = _mm_insert_epi16(v, tex_word(base + at[5]), 5);
	v = _mm_insert_epi16(v, tex_word(base + at[6]), 6);
	return _mm_insert_epi16(v, tex_word(base + at[7]), 7);
}

/* Words at each of base + at, zero-extended. */
V_INLINE vi tex_load_words(const uint8_t *base, const int32_t *at)
{
#if CU_LEVEL >= 4
	return (vi)_mm512_cvtepu16_epi32(_mm256_set_m128i(tex_eight_words(base, at + 8), tex_eight_words(base, at)));
#else
	return (vi)_mm256_cvtepu16_epi32(tex_eight_words(base, at));
#endif
}

V_INLINE __m128i tex_eight_bytes(const uint8_t *base, const int32_t *at)
{
	__m128i v = _mm_cvtsi32_si128(base[at[0]]);
	v = _mm_insert_epi8(v, base[at[1]], 1);
	v = _mm_insert_epi8(v, base[at[2]], 2);
	v = _mm_insert_epi8(v, base[at[3]], 3);
	v = _mm_insert_epi8(v, base[at[4]], 4);
	v = _mm_insert_epi8(v, base[at[5]], 5);
	v = _mm_insert_epi8(v, base[at[6]], 6);
	return _mm_insert_epi8(v, base[at[7]], 7);
}

V_INLINE vi tex_load_narrow(unsigned bytes, const uint8_t *base, const int32_t *at)
{
	if (bytes != 1)
		return tex_load_words(base, at);
#if CU_LEVEL >= 4
	return (vi)_mm512_cvtepu8_epi32(_mm_unpacklo_epi64(tex_eight_bytes(base, at), tex_eight_bytes(base, at + 8)));
#else
	return (vi)_mm256_cvtepu8_epi32(tex_eight_bytes(base, at));
#endif
}

V_INLINE void tex_fetch_texels(unsigned bytes, const uint8_t *base, const int32_t *at, vi raw[4])
{
	switch (bytes) {
	case 1:
	case 2: raw[0] = tex_load_narrow(bytes, base, at); break;
	case 4: raw[0] = v_load_at(base, at); break;
	case 8: tex_load_qwords(base, at, raw); break;
	case 3:
	case 6: tex_gather_narrow(base, bytes, v_load(at), v_set(-1), raw); break;
	case 12:
		V_UNROLL
		for (int c = 0; c < 3; c++)
			raw[c] = v_gather(base + 4 * c, v_load(at));
		break;
	default: v_load_rows_at(16, base, at, raw); break;
	}
}

/* Two taps that follow one another. */
V_INLINE void tex_fetch_pair(unsigned bytes, const uint8_t *base, const int32_t *at, vi first[4], vi second[4])
{
	vi both[4];
	switch (bytes) {
	case 1:
		both[0] = tex_load_words(base, at);
		first[0] = both[0] & 0xff;
		second[0] = v_shr(both[0], 8);
		break;
	case 2:
		both[0] = v_load_at(base, at);
		first[0] = both[0] & 0xffff;
		second[0] = v_shr(both[0], 16);
		break;
	case 4:
		tex_load_qwords(base, at, both);
		first[0] = both[0];
		second[0] = both[1];
		break;
	case 8:
		v_load_rows_at(16, base, at, both);
		first[0] = both[0];
		first[1] = both[1];
		second[0] = both[2];
		second[1] = both[3];
		break;
	default:
		tex_fetch_texels(bytes, base, at, first);
		tex_fetch_texels(bytes, base + bytes, at, second);
		break;
	}
}

#endif
