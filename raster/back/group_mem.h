/* SPDX-License-Identifier: MIT */
/* Texels of a group of 16 lanes to and from a contiguous array. */
#ifndef RASTER_BACK_GROUP_MEM_H
#define RASTER_BACK_GROUP_MEM_H

#include <immintrin.h>
#include <string.h>
#include "raster/back/group.h"

static inline __attribute__((always_inline)) void rs_gather_n(const struct rs_group *g,
	unsigned bpe, uint32_t lanes, uint8_t *out)
{
	for (unsigned q = 0; q < 4; q++, out += 4 * bpe) {
		uint32_t m = lanes >> 4 * q & 15;
		const uint8_t *p = g->quad[q];
		if (m == 15) {
			memcpy(out, p, 2 * bpe);
			memcpy(out + 2 * bpe, p + g->row, 2 * bpe);
		} else if (m) {
			for (unsigned i = 0; i < 4; i++)
				if (m >> i & 1)
					memcpy(out + i * bpe, p + (i & 2 ? g->row : 0) + (i & 1) * bpe, bpe);
		}
	}
}

/* The texels of `lanes` of a quad in one piece, 4 bytes each, to p; AVX2 writes the others again as they are. */
static inline void rs_store_quad(uint8_t *p, uint32_t lanes, __m128i v)
{
#if CU_LEVEL >= 4
	_mm_mask_storeu_epi32(p, (__mmask8)lanes, v);
#else
	const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
	const __m128i on = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)lanes), bit), bit);
	_mm_storeu_si128((__m128i *)p, _mm_blendv_epi8(_mm_loadu_si128((const __m128i *)p), v, on));
#endif
}

/* Lanes of a quad, texel by texel of 4 bytes: others go to `none`.  Which lanes of a quad at an edge are covered nobody
 * foresees; what is next to the texels may be somebody else's. */
static inline __attribute__((always_inline)) void rs_store_texels(uint8_t *up, size_t row, uint32_t lanes, __m128i texels,
	uint8_t none[16])
{
	_mm_storeu_si32(lanes & 1 ? up : none, texels);
	_mm_storeu_si32(lanes & 2 ? up + 4 : none, _mm_shuffle_epi32(texels, 1));
	_mm_storeu_si32(lanes & 4 ? up + row : none, _mm_shuffle_epi32(texels, 2));
	_mm_storeu_si32(lanes & 8 ? up + row + 4 : none, _mm_shuffle_epi32(texels, 3));
}

/* The texels of `lanes` of a quad in two rows, 4 bytes each; the others are written again as they are, and must be the
 * tile's as well: the image's sides are even. */
static inline void rs_store_rows(uint8_t *p, size_t row, uint32_t lanes, __m128i v)
{
	const __m128i bit = _mm_setr_epi32(1, 2, 4, 8);
	const __m128i on = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)lanes), bit), bit);
	__m128i there = _mm_loadl_epi64((const __m128i *)p);
	there = (__m128i)_mm_loadh_pd((__m128d)there, (const double *)(p + row));
	v = _mm_blendv_epi8(there, v, on);
	_mm_storel_epi64((__m128i *)p, v);
	_mm_storeh_pd((double *)(p + row), (__m128d)v);
}

/* Rows of quads whose texels have 4 bytes. */
static inline void rs_scatter_rows(const struct rs_group *g, uint32_t lanes, const uint8_t *in)
{
	_Alignas(16) uint8_t none[16];
	for (unsigned q = 0; q < 4; q++) {
		uint32_t m = lanes >> 4 * q & 15;
		uint8_t *p = g->quad[q];
		__m128i v = _mm_loadu_si128((const __m128i *)in + q);
		if (m == 15) {
			_mm_storel_epi64((__m128i *)p, v);
			_mm_storeh_pd((double *)(p + g->row), (__m128d)v);
		} else if (m) {
			rs_store_texels(p, g->row, m, v, none);
		}
	}
}

static inline __attribute__((always_inline)) void rs_scatter_n(const struct rs_group *g,
	unsigned bpe, uint32_t lanes, const uint8_t *in)
{
	for (unsigned q = 0; q < 4; q++, in += 4 * bpe) {
		uint32_t m = lanes >> 4 * q & 15;
		uint8_t *p = g->quad[q];
		if (m == 15) {
			memcpy(p, in, 2 * bpe);
			memcpy(p + g->row, in + 2 * bpe, 2 * bpe);
		} else if (m) {
			for (unsigned i = 0; i < 4; i++)
				if (m >> i & 1)
					memcpy(p + (i & 2 ? g->row : 0) + (i & 1) * bpe, in + i * bpe, bpe);
		}
	}
}

/* Reads the texels of `lanes` into out[16 * bpe]; the others keep what was
 * there.  Nothing outside `lanes` is touched: a row image may end there. */
static inline void rs_gather(const struct rs_group *g, unsigned bpe, uint32_t lanes, void *out)
{
	switch (bpe) {
	case 1: rs_gather_n(g, 1, lanes, out); break;
	case 2: rs_gather_n(g, 2, lanes, out); break;
	case 4: rs_gather_n(g, 4, lanes, out); break;
	case 8: rs_gather_n(g, 8, lanes, out); break;
	case 16: rs_gather_n(g, 16, lanes, out); break;
	default: rs_gather_n(g, bpe, lanes, out); break;
	}
}

/* Writes the texels of `lanes` from in[16 * bpe]. */
static inline void rs_scatter(const struct rs_group *g, unsigned bpe, uint32_t lanes, const void *in)
{
	switch (bpe) {
	case 1: rs_scatter_n(g, 1, lanes, in); break;
	case 2: rs_scatter_n(g, 2, lanes, in); break;
	case 4: rs_scatter_rows(g, lanes, in); break;
	case 8: rs_scatter_n(g, 8, lanes, in); break;
	case 16: rs_scatter_n(g, 16, lanes, in); break;
	default: rs_scatter_n(g, bpe, lanes, in); break;
	}
}

/* The same of images whose sides are even. */
static inline void rs_scatter_even_rows(const struct rs_group *g, uint32_t lanes, const void *in)
{
	for (unsigned q = 0; q < 4; q++)
		if (lanes >> 4 * q & 15)
			rs_store_rows(g->quad[q], g->row, lanes >> 4 * q & 15, _mm_load_si128((const __m128i *)in + q));
}

/* rs_scatter for 4 bytes a texel and quads of 16 bytes. */
static inline void rs_scatter_quads(const struct rs_group *g, uint32_t lanes, const void *in)
{
	for (unsigned q = 0; q < 4; q++)
		if (lanes >> 4 * q & 15)
			rs_store_quad(g->quad[q], lanes >> 4 * q & 15, _mm_load_si128((const __m128i *)in + q));
}

/* --- four rows of four texels --- */

/* 64 bytes in one piece, so that whoever loads a vector of them finds it in one store. */
static inline void rs_store_64(uint8_t *out, __m256i low, __m256i high)
{
#if CU_LEVEL >= 4
	_mm512_store_si512((__m512i *)out, _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1));
#else
	_mm256_store_si256((__m256i *)out, low);
	_mm256_store_si256((__m256i *)out + 1, high);
#endif
}

/* Two rows of four texels as two quads: those of 1 and 2 bytes in the lowest 8 and 16. */
static inline __m128i rs_small_quads(const uint8_t *p, size_t row, unsigned bpe)
{
	if (bpe == 1)
		return _mm_unpacklo_epi16(_mm_loadu_si32(p), _mm_loadu_si32(p + row));
	return _mm_unpacklo_epi32(_mm_loadl_epi64((const __m128i *)p), _mm_loadl_epi64((const __m128i *)(p + row)));
}

static inline __m256i rs_quads(const uint8_t *p, size_t row)
{
	const __m128i a = _mm_loadu_si128((const __m128i *)p), b = _mm_loadu_si128((const __m128i *)(p + row));
	return _mm256_set_m128i(_mm_unpackhi_epi64(a, b), _mm_unpacklo_epi64(a, b));
}

static inline bool rs_has_part(const struct rs_group *g, unsigned bpe, uint32_t lanes)
{
	return g->part && lanes == 0xffff && bpe <= 16 && !(bpe & (bpe - 1));
}

/* The texels of four rows of four, `row` bytes apart, to out, which is a vector's.  bpe: a power of two. */
static inline void rs_load_four_rows(const uint8_t *p, size_t row, unsigned bpe, uint8_t *out)
{
	if (bpe == 1) {
		_mm_store_si128((__m128i *)out, _mm_unpacklo_epi64(rs_small_quads(p, row, 1), rs_small_quads(p + 2 * row, row, 1)));
	} else if (bpe == 2) {
		_mm256_store_si256((__m256i *)out, _mm256_set_m128i(rs_small_quads(p + 2 * row, row, 2), rs_small_quads(p, row, 2)));
	} else if (bpe == 4) {
		rs_store_64(out, rs_quads(p, row), rs_quads(p + 2 * row, row));
	} else {
		for (unsigned i = 0; i < 2; i++, out += 8 * bpe) {
			const __m256i *a = (const __m256i *)(p + 2 * i * row), *b = (const __m256i *)(p + (2 * i + 1) * row);
			const __m256i first[2] = { _mm256_loadu_si256(a), _mm256_loadu_si256(b) };
			if (bpe == 8) {
				rs_store_64(out, _mm256_permute2x128_si256(first[0], first[1], 0x20), _mm256_permute2x128_si256(first[0], first[1], 0x31));
			} else {
				rs_store_64(out, first[0], first[1]);
				rs_store_64(out + 64, _mm256_loadu_si256(a + 1), _mm256_loadu_si256(b + 1));
			}
		}
	}
}

/* The same from in. */
static inline void rs_store_four_rows(uint8_t *p, size_t row, unsigned bpe, const uint8_t *in)
{
	if (bpe == 1) {
		const __m128i order = _mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15);
		const __m128i rows = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)in), order);
		_mm_storeu_si32(p, rows);
		_mm_storeu_si32(p + row, _mm_shuffle_epi32(rows, 1));
		_mm_storeu_si32(p + 2 * row, _mm_shuffle_epi32(rows, 2));
		_mm_storeu_si32(p + 3 * row, _mm_shuffle_epi32(rows, 3));
		return;
	}
	for (unsigned i = 0; i < 2; i++, in += 8 * bpe) {
		uint8_t *const a = p + 2 * i * row, *const b = a + row;
		if (bpe == 2) {
			const __m128i rows = _mm_shuffle_epi32(_mm_load_si128((const __m128i *)in), 0xd8);
			_mm_storel_epi64((__m128i *)a, rows);
			_mm_storeh_pd((double *)b, (__m128d)rows);
		} else if (bpe == 4) {
			const __m128i left = _mm_load_si128((const __m128i *)in), right = _mm_load_si128((const __m128i *)in + 1);
			_mm_storeu_si128((__m128i *)a, _mm_unpacklo_epi64(left, right));
			_mm_storeu_si128((__m128i *)b, _mm_unpackhi_epi64(left, right));
		} else {
			const __m256i left = _mm256_load_si256((const __m256i *)in), right = _mm256_load_si256((const __m256i *)in + 1);
			_mm256_storeu_si256((__m256i *)a, bpe == 8 ? _mm256_permute2x128_si256(left, right, 0x20) : left);
			_mm256_storeu_si256((__m256i *)b, bpe == 8 ? _mm256_permute2x128_si256(left, right, 0x31) : right);
			if (bpe == 16) {
				_mm256_storeu_si256((__m256i *)a + 1, _mm256_load_si256((const __m256i *)in + 2));
				_mm256_storeu_si256((__m256i *)b + 1, _mm256_load_si256((const __m256i *)in + 3));
			}
		}
	}
}

/* The same of a group that has_part. */
static inline void rs_load_part(const struct rs_group *g, unsigned bpe, uint8_t *out) { rs_load_four_rows(g->quad[0], g->row, bpe, out); }
static inline void rs_store_part(const struct rs_group *g, unsigned bpe, const uint8_t *in) { rs_store_four_rows(g->quad[0], g->row, bpe, in); }

#endif
