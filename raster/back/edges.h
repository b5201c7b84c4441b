/* SPDX-License-Identifier: MIT */
/* The edge functions of one primitive over the blocks of a tile.
 *
 * They come in 1/256 pixel units at pixel centres, so from pixel to pixel they
 * change by 256 a and 256 b and their low 8 bits never change: e >= 0 exactly
 * when floor(e / 256) >= 0, and that scaled function steps by a and b.
 * |a|, |b| < 2^25: inside an 8x8 block it changes by less than 2^29.  Block
 * origins are int64; only an edge that crosses the block is evaluated by lane,
 * and then its scaled value at the origin is below 2^29 too: int32. */
#ifndef RASTER_BACK_EDGES_H
#define RASTER_BACK_EDGES_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include "core/vec.h"
#include "raster/back/group.h"
#include "raster/back/plane.h"
#include "raster/prim.h"

/* Four edges side by side. */
typedef int64_t vl4 __attribute__((vector_size(32)));

static inline uint32_t rs_negative(vl4 v)
{
	return (uint32_t)_mm256_movemask_pd((__m256d)v);
}

/* Low halves times x. */
static inline vl4 rs_times(vl4 v, int32_t x)
{
	return (vl4)_mm256_mul_epi32((__m256i)v, _mm256_set1_epi32(x));
}

/* In the order 0, 2, 1, 3; a fourth that the primitive lacks is 0: always inside. */
struct rs_edges {
	vl4 e;                /* at the first pixel of the first block */
	vl4 step_x, step_y;   /* from block to block */
	vl4 least, most;      /* change inside a block, from its first pixel */
	struct { int32_t a, b; } slope[4];
	vi lane[4][RS_VECS];  /* change inside a 4x4 part, scaled */
};

/* Of a primitive with three edges or four; (x, y): first pixel of the first block. */
static inline void rs_edges_begin(struct rs_edges *p, const struct rs_prim *prim, int32_t x, int32_t y)
{
	static const int32_t lx[RS_GROUP] = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 };
	static const int32_t ly[RS_GROUP] = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };
	_Static_assert(sizeof(struct rs_edge) == 16, "two edges to a vector: c0, a0 b0, c1, a1 b1");
	const vl4 zero = { 0 }, exists = { -1, -1, -1, prim->edges > 3 ? -1 : 0 };
	__m256i e01 = _mm256_loadu_si256((const void *)&prim->edge[0]);
	__m256i e23 = _mm256_loadu_si256((const void *)&prim->edge[2]);
	vl4 c = (vl4)_mm256_unpacklo_epi64(e01, e23) & exists;
	vl4 ab = (vl4)_mm256_unpackhi_epi64(e01, e23) & exists, b = (vl4)_mm256_srli_epi64((__m256i)ab, 32);
	p->e = c + rs_times(ab, 256 * x + 128) + rs_times(b, 256 * y + 128);
	p->step_x = rs_times(ab, 8 * 256);
	p->step_y = rs_times(b, 8 * 256);
	vl4 right = rs_times(ab, 7 * 256), down = rs_times(b, 7 * 256);
	p->least = (right & (right < zero)) + (down & (down < zero));
	p->most = right + down - p->least;
	memcpy(p->slope, &ab, sizeof p->slope);
	for (unsigned n = 0; n < (prim->edges > 3 ? 4 : 3); n++) {
		unsigned k = n == 1 ? 2 : n == 2 ? 1 : n;
		for (unsigned i = 0; i < RS_VECS; i++)
			p->lane[k][i] = v_set(prim->edge[n].a) * v_load(lx + VL * i) +
				v_set(prim->edge[n].b) * v_load(ly + VL * i);
	}
}

/* Lanes of a block inside the edges of `crossing`, whose values at the first
 * pixel are in e.  Parts that `within` excludes are not evaluated. */
static inline uint64_t rs_edges_cover(const struct rs_edges *p, uint32_t crossing, vl4 e, uint64_t within)
{
	uint64_t out = 0;
	int64_t at[4];
	memcpy(at, &e, sizeof at);
	for (unsigned n = 0; n < 4; n++) {
		if (!(within >> 16 * n & 0xffff))
			continue;
		struct vi16 outside;
		for (unsigned i = 0; i < RS_VECS; i++)
			outside.v[i] = v_set(0);
		for (uint32_t left = crossing; left; left &= left - 1) {
			unsigned k = (unsigned)__builtin_ctz(left);
			int32_t first = (int32_t)(at[k] >> 8) + (n & 1 ? 4 * p->slope[k].a : 0) + (n & 2 ? 4 * p->slope[k].b : 0);
			for (unsigned i = 0; i < RS_VECS; i++)
				outside.v[i] |= v_set(first) + p->lane[k][i];
		}
		out |= (uint64_t)(~vi16_signs(&outside) & 0xffff) << 16 * n;
	}
	return out & within;
}

#endif
