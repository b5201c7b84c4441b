/* SPDX-License-Identifier: MIT */
/* Texels of VL lanes from memory, which are all within the image: a row, of two texels a lane. */
#ifndef CORE_TEX_TEX_FETCH_TAPS_H
#define CORE_TEX_TEX_FETCH_TAPS_H

#include "core/tex/tex_bytes.h"
#include "core/vec.h"

#if CU_LEVEL >= 4
V_INLINE struct tex_row tex_gather_row(const uint8_t *base, const int32_t *at)
{
	__m512i order = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), _mm512_loadu_si512(at));
	return (struct tex_row){ { (vi)_mm512_i32gather_epi64(_mm512_castsi512_si256(order), base, 1),
		(vi)_mm512_i32gather_epi64(_mm512_extracti64x4_epi64(order, 1), base, 1) } };
}
#define tex_load_row tex_gather_row
#else
V_INLINE struct tex_row tex_gather_row(const uint8_t *base, const int32_t *at)
{
	__m256i order = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)at), 0xd8);
	return (struct tex_row){ { (vi)_mm256_i32gather_epi64((const void *)base, _mm256_castsi256_si128(order), 1),
		(vi)_mm256_i32gather_epi64((const void *)base, _mm256_extracti128_si256(order, 1), 1) } };
}

V_INLINE __m128d tex_two_qwords(const uint8_t *base, int32_t first, int32_t second)
{
	return _mm_loadh_pd(_mm_load_sd((const double *)(base + first)), (const double *)(base + second));
}

V_INLINE __m256d tex_four_qwords(const uint8_t *base, const int32_t *at, int a, int b, int c, int d)
{
	return _mm256_insertf128_pd(_mm256_castpd128_pd256(tex_two_qwords(base, at[a], at[b])),
		tex_two_qwords(base, at[c], at[d]), 1);
}

/* The same by single loads.  Alone either is slower than one row by each: loads fill the time that gathers leave the rest
 * of the core idle. */
V_INLINE struct tex_row tex_load_row(const uint8_t *base, const int32_t *at)
{
	return (struct tex_row){ { (vi)tex_four_qwords(base, at, 0, 1, 4, 5), (vi)tex_four_qwords(base, at, 2, 3, 6, 7) } };
}
#endif

#endif
