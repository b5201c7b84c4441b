/* SPDX-License-Identifier: MIT */
/* SC: triangles of at most 2x2 quads, whose coverage is known from setup.
 *
 * With a plain depth test in quads of 16 bytes (quick_quads) the four quads are
 * tested at once, wherever in their 4x4 parts they lie; anything else goes
 * block by block like larger primitives. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/compare.h"
#include "raster/back/db.h"
#include "raster/back/depth_code.h"
#include "raster/back/hiz.h"
#include "raster/back/order.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/sc.h"
#include "raster/back/spi.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

/* The 16 values of the 2x2 quads at (x, y), both even; see rs_plane_base. */
static inline struct vf16 window_plane(const struct rs_plane *p, int x, int y)
{
	/* by x & 2: where the 4x4 part of each column starts, and columns in it */
	static const double part[2][8] = { { 0, 0, 0, 0, 0, 0, 0, 0 }, { -2, -2, -2, -2, 2, 2, 2, 2 } };
	static const double column[2][8] = { { 0, 1, 0, 1, 2, 3, 2, 3 }, { 2, 3, 2, 3, 0, 1, 0, 1 } };
	static const double row[8] = { 0, 0, 1, 1, 0, 0, 1, 1 };
	const double *px = part[x >> 1 & 1], *lx = column[x >> 1 & 1];
	vd y0 = v_setd(p->dy * y), y1 = v_setd(p->dy * (y + 2));
	vfh upper[2], lower[2];
	struct vf16 out;
	for (unsigned i = 0; i < 16 / VL; i++) {
		vd at, in_x, in_y;
		memcpy(&at, px + i * (VL / 2), sizeof at);
		memcpy(&in_x, lx + i * (VL / 2), sizeof in_x);
		memcpy(&in_y, row + i * (VL / 2), sizeof in_y);
		vd c = v_setd(p->c) + v_setd(p->dx) * (v_setd(x) + at);
		vd lane = v_setd(p->dx) * in_x + v_setd(p->dy) * in_y;
		upper[i] = v_floatd((c + y0) + lane);
		lower[i] = v_floatd((c + y1) + lane);
	}
#if VL == 16
	out.v[0] = v_join(upper[0], lower[0]);
#else
	out.v[0] = v_join(upper[0], upper[1]);
	out.v[1] = v_join(lower[0], lower[1]);
#endif
	return out;
}

static inline void store_quads(uint8_t *const quad[4], const struct vf16 *z)
{
#if VL == 16
	__m512 v = (__m512)z->v[0];
	_mm_store_ps((float *)quad[0], _mm512_castps512_ps128(v));
	_mm_store_ps((float *)quad[1], _mm512_extractf32x4_ps(v, 1));
	_mm_store_ps((float *)quad[2], _mm512_extractf32x4_ps(v, 2));
	_mm_store_ps((float *)quad[3], _mm512_extractf32x4_ps(v, 3));
#else
	for (unsigned i = 0; i < 2; i++) {
		_mm_store_ps((float *)quad[2 * i], _mm256_castps256_ps128((__m256)z->v[i]));
		_mm_store_ps((float *)quad[2 * i + 1], _mm256_extractf128_ps((__m256)z->v[i], 1));
	}
#endif
}

static inline void hiz_wrote(struct rs_worker *w, unsigned qx, unsigned qy, uint32_t lanes)
{
	const unsigned func = w->state->z_func;
	if ((qx & 3) != 3 && (qy & 3) != 3) {
		rs_hiz_touch(&w->depth.hiz, func, (qy >> 2) * 8 + (qx >> 2), (unsigned)__builtin_popcount(lanes));
		return;
	}
	for (unsigned q = 0; q < 4; q++)
		if (lanes >> 4 * q & 15)
			rs_hiz_touch(&w->depth.hiz, func, (qy + (q >> 1)) / 4 * 8 + (qx + (q & 1)) / 4,
				(unsigned)__builtin_popcount(lanes & 15u << 4 * q));
}

/* Depth test of the lanes, with writes, whatever `write` says: quick_quads is early. */
static inline bool test(struct rs_worker *w, struct rs_piece *p, bool write)
{
	const struct rs_prim *prim = p->prim;
	unsigned qx = p->qx, qy = p->qy;
	uint32_t lanes = (uint32_t)p->mask;
	const struct rs_target *t = &w->targets->depth;
	const struct rs_ps_state *s = w->state;
	int x = w->x + 2 * (int)qx, y = w->y + 2 * (int)qy;
	_Alignas(16) uint8_t nowhere[16] = { 0 };
	/* quads without a lane may be another tile's: not even read */
	uint8_t *first = w->depth.z_tile + rs_offset_4x4(t, 2 * qx, 2 * qy);
	if (prim->layer)
		first += prim->layer * t->plane.slice_stride;
	size_t right = qx & 1 ? 48 : 16, down = qy & 1 ? t->plane.pitch - 32 : 32;
	uint8_t *quad[4] = { lanes & 0xf ? first : nowhere, lanes & 0xf0 ? first + right : nowhere,
		lanes & 0xf00 ? first + down : nowhere, lanes & 0xf000 ? first + down + right : nowhere };
	struct vf16 old = rs_load_quads(quad), z = window_plane(&prim->z, x, y);
	for (unsigned i = 0; i < RS_VECS; i++)
		z.v[i] = v_clampf(z.v[i], v_setf(s->clamp_min[prim->viewport]), v_setf(s->clamp_max[prim->viewport]));
	if (t->code_max)
		for (unsigned i = 0; i < RS_VECS; i++) {
			old.v[i] = rs_code_in_dword(true, old.v[i]);
			z.v[i] = rs_code_24(z.v[i]);
		}
	lanes &= rs_compare(s->z_func, &z, &old);
	p->mask = lanes;
	if (!lanes || !s->z_write)
		return lanes;
	for (unsigned i = 0; i < RS_VECS; i++)
		z.v[i] = rs_dword_of_code(t->code_max, v_self(v_mask_of(lanes >> VL * i), z.v[i], old.v[i]));
	store_quads(quad, &z);
	if (w->depth.hiz.layer != prim->layer) {
		w->depth.hiz.layer = prim->layer;
		w->depth.hiz.valid = 0;
	}
	hiz_wrote(w, qx, qy, lanes);
	return true;
}
static inline unsigned count(const struct rs_worker *w, const struct rs_piece *p)
{
	return (unsigned)__builtin_popcount((uint32_t)p->mask);
}
static inline void pack(struct rs_worker *w, const struct rs_piece *p)
{
	CU_FN(rs_spi_append_small)(w, p->prim, p->qx, p->qy, (uint32_t)p->mask);
}

/* The general way: by 8x8 blocks, of which the quads may touch four. */
static void draw_blocks(struct rs_worker *w, const struct rs_prim *prim, unsigned qx, unsigned qy, uint32_t lanes)
{
	uint64_t mask[4] = { 0 };
	for (unsigned q = 0; q < 4; q++) {
		unsigned x = qx + (q & 1), y = qy + (q >> 1);
		unsigned lane = 4 * ((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
		unsigned n = (x >> 2 != qx >> 2) | (y >> 2 != qy >> 2) << 1;
		mask[n] |= (uint64_t)(lanes >> 4 * q & 15) << lane;
	}
	if (w->depth.tests)
		CU_FN(rs_db_begin_small)(w, prim);
	for (unsigned n = 0; n < 4; n++)
		if (mask[n])
			CU_FN(rs_sc_block)(w, prim, ((qy >> 2) + (n >> 1)) * 8 + (qx >> 2) + (n & 1), mask[n]);
}

void CU_FN(rs_sc_small)(struct rs_worker *w, const struct rs_prim *prim, const struct rs_item *item)
{
	static const struct rs_stages stages = { test, count, pack };
	if (!w->depth.quick_quads && (w->depth.tests || w->order == RS_Z_EARLY_TEST)) {
		draw_blocks(w, prim, item->qx, item->qy, item->mask);
		return;
	}
	struct rs_piece p = { .prim = prim, .qx = item->qx, .qy = item->qy, .mask = item->mask };
	rs_order_piece(w, &p, w->depth.quick_quads, &stages);
}
