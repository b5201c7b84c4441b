/* SPDX-License-Identifier: MIT */
/* SC: scan conversion of one primitive inside one tile.
 *
 * Edge functions come in 1/256 pixel units at pixel centres, so from pixel to
 * pixel they change by 256 a and 256 b and their low 8 bits never change:
 * e >= 0 exactly when floor(e / 256) >= 0, and that scaled function steps by a
 * and b.  |a|, |b| < 2^25: inside an 8x8 block it changes by less than 2^29.
 * Block origins are int64; only an edge that crosses the block is evaluated by
 * lane, and then its scaled value at the origin is below 2^29 too: int32. */
#include "raster/back/sc.h"

#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "raster/back/db.h"
#include "raster/back/group.h"
#include "raster/back/lanes.h"
#include "raster/back/order.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/spi.h"
#include "raster/back/walk.h"
#include "raster/back/worker.h"
#include "raster/kernels.h"
#include "raster/prim.h"

/* The edges side by side; those that the primitive lacks are 0: always inside. */
struct prim_walk {
	struct rs_bounds in;
	vl4 e;                /* at the first pixel of the first block */
	vl4 step_x, step_y;   /* from block to block */
	vl4 least, most;      /* change inside a block, from its first pixel */
	struct { int32_t a, b; } slope[4];
	vi lane[4][RS_VECS];  /* change inside a 4x4 part, scaled */
};

/* Low halves times x. */
static inline vl4 times(vl4 v, int32_t x)
{
	return (vl4)_mm256_mul_epi32((__m256i)v, _mm256_set1_epi32(x));
}

/* (x, y): first pixel of the first block. */
static inline void edges_begin(struct prim_walk *p, const struct rs_prim *prim, int32_t x, int32_t y)
{
	static const int32_t lx[RS_GROUP] = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 };
	static const int32_t ly[RS_GROUP] = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };
	_Static_assert(sizeof(struct rs_edge) == 16, "two edges to a vector: c0, a0 b0, c1, a1 b1");
	const vl4 zero = { 0 }, exists = { -1, -1, -1, prim->edges > 3 ? -1 : 0 };
	__m256i e01 = _mm256_loadu_si256((const void *)&prim->edge[0]);
	__m256i e23 = _mm256_loadu_si256((const void *)&prim->edge[2]);
	/* in the order 0, 2, 1, 3 */
	vl4 c = (vl4)_mm256_unpacklo_epi64(e01, e23) & exists, ab = (vl4)_mm256_unpackhi_epi64(e01, e23) & exists;
	vl4 b = (vl4)_mm256_srli_epi64((__m256i)ab, 32);
	p->e = c + times(ab, 256 * x + 128) + times(b, 256 * y + 128);
	p->step_x = times(ab, 8 * 256);
	p->step_y = times(b, 8 * 256);
	vl4 right = times(ab, 7 * 256), down = times(b, 7 * 256);
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
static inline uint64_t cover(const struct prim_walk *p, uint32_t crossing, vl4 e, uint64_t within)
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

static inline bool test(struct rs_worker *w, struct rs_piece *p, bool write)
{
	p->mask = CU_FN(rs_db_block)(w, p->prim, p->block, p->mask, write);
	return p->mask;
}
static inline unsigned count(const struct rs_worker *w, const struct rs_piece *p)
{
	return (unsigned)__builtin_popcountll(p->mask);
}
static inline void pack(struct rs_worker *w, const struct rs_piece *p)
{
	if (__builtin_popcountll(rs_live_quads(p->mask)) < RS_BLOCK_QUADS) {
		CU_FN(rs_spi_append)(w, p->prim, p->block, p->mask);
		return;
	}
	if (w->occupied[p->block] & p->mask)
		CU_FN(rs_spi_flush)(w);
	CU_FN(rs_spi_block)(w, p->prim, p->block, p->mask);
}

void CU_FN(rs_sc_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	static const struct rs_stages stages = { test, count, pack };
	struct rs_piece p = { .prim = prim, .block = block, .mask = mask };
	rs_order_block(w, &p, &stages);
}

/* A primitive that covers all of its bounds. */
static void draw_bounds(struct rs_worker *w, const struct rs_prim *prim, const struct prim_walk *p)
{
	for (int by = p->in.y0 >> 3; by <= (p->in.y1 - 1) >> 3; by++)
		for (int bx = p->in.x0 >> 3; bx <= (p->in.x1 - 1) >> 3; bx++) {
			unsigned block = (unsigned)(8 * by + bx);
			if (!w->use_hiz || !CU_FN(rs_db_hiz_reject)(w, prim, block))
				CU_FN(rs_sc_block)(w, prim, block, rs_lanes_within(bx, by, p->in.x0, p->in.y0, p->in.x1, p->in.y1));
		}
}

static void draw_edges(struct rs_worker *w, const struct rs_prim *prim, struct prim_walk *p)
{
	edges_begin(p, prim, w->x + (p->in.x0 & ~7), w->y + (p->in.y0 & ~7));
	vl4 row = p->e;
	for (int by = p->in.y0 >> 3; by <= (p->in.y1 - 1) >> 3; by++, row += p->step_y) {
		vl4 e = row;
		for (int bx = p->in.x0 >> 3; bx <= (p->in.x1 - 1) >> 3; bx++, e += p->step_x) {
			unsigned block = (unsigned)(8 * by + bx);
			if (rs_negative(e + p->most) || (w->use_hiz && CU_FN(rs_db_hiz_reject)(w, prim, block)))
				continue;
			uint64_t mask = rs_lanes_within(bx, by, p->in.x0, p->in.y0, p->in.x1, p->in.y1);
			uint32_t crossing = rs_negative(e + p->least);
			if (crossing)
				mask = cover(p, crossing, e, mask);
			if (mask)
				CU_FN(rs_sc_block)(w, prim, block, mask);
		}
	}
}

void CU_FN(rs_sc_prim)(struct rs_worker *w, const struct rs_prim *prim, bool full)
{
	struct prim_walk p;
	if (!rs_bounds_in_tile(&p.in, w, prim))
		return;
	if (w->db)
		CU_FN(rs_db_begin_prim)(w, prim);
	if (prim->kind == RS_PRIM_BRESENHAM) {
		CU_FN(rs_sc_line)(w, prim);
		return;
	}
	if (full || !prim->edges)
		draw_bounds(w, prim, &p);
	else
		draw_edges(w, prim, &p);
}

const struct rs_back_kernels CU_FN(rs_back_kernels) = {
	.prim = CU_FN(rs_sc_prim),
	.small = CU_FN(rs_sc_small),
	.prim_msaa = CU_FN(rs_sc_prim_msaa),
	.flush = CU_FN(rs_spi_flush),
	.fill = CU_FN(rs_fill),
};
