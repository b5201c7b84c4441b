/* SPDX-License-Identifier: MIT */
/* SC: scan conversion of one primitive inside one tile. */
#include "raster/back/sc.h"

#include "core/level.h"
#include "raster/back/db.h"
#include "raster/back/edges.h"
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
	if (w->waves.occupied[p->block] & p->mask)
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
static void draw_bounds(struct rs_worker *w, const struct rs_prim *prim, const struct rs_bounds *in)
{
	for (int by = in->y0 >> 3; by <= (in->y1 - 1) >> 3; by++) {
		const uint32_t hidden = rs_hidden_of_row(w, prim, by);
		for (int bx = in->x0 >> 3; bx <= (in->x1 - 1) >> 3; bx++) {
			unsigned block = (unsigned)(8 * by + bx);
			if (!(hidden >> bx & 1) && !rs_hiz_hides(w, block))
				CU_FN(rs_sc_block)(w, prim, block, rs_lanes_within(bx, by, in->x0, in->y0, in->x1, in->y1));
		}
	}
}

static void draw_edges(struct rs_worker *w, const struct rs_prim *prim, const struct rs_bounds *in)
{
	struct rs_edges p;
	rs_edges_begin(&p, prim, w->x + (in->x0 & ~7), w->y + (in->y0 & ~7));
	vl4 row = p.e;
	for (int by = in->y0 >> 3; by <= (in->y1 - 1) >> 3; by++, row += p.step_y) {
		const uint32_t hidden = rs_hidden_of_row(w, prim, by);
		vl4 e = row;
		for (int bx = in->x0 >> 3; bx <= (in->x1 - 1) >> 3; bx++, e += p.step_x) {
			unsigned block = (unsigned)(8 * by + bx);
			if (hidden >> bx & 1 || rs_negative(e + p.most) || rs_hiz_hides(w, block))
				continue;
			uint64_t mask = rs_lanes_within(bx, by, in->x0, in->y0, in->x1, in->y1);
			uint32_t crossing = rs_negative(e + p.least);
			if (crossing)
				mask = rs_edges_cover(&p, crossing, e, mask);
			if (mask)
				CU_FN(rs_sc_block)(w, prim, block, mask);
		}
	}
}

void CU_FN(rs_sc_prim)(struct rs_worker *w, const struct rs_prim *prim, bool full)
{
	struct rs_bounds in;
	if (!rs_bounds_in_tile(&in, w, prim))
		return;
	if (w->depth.tests)
		CU_FN(rs_db_begin_prim)(w, prim);
	if (prim->kind == RS_PRIM_BRESENHAM)
		CU_FN(rs_sc_line)(w, prim);
	else if (full || !prim->edges)
		draw_bounds(w, prim, &in);
	else
		draw_edges(w, prim, &in);
	if (w->waves.run_count)
		CU_FN(rs_spi_run)(w);
}

const struct rs_back_kernels CU_FN(rs_back_kernels) = {
	.prim = CU_FN(rs_sc_prim),
	.small = CU_FN(rs_sc_small),
	.prim_msaa = CU_FN(rs_sc_prim_msaa),
	.flush = CU_FN(rs_spi_flush),
	.fill = CU_FN(rs_fill),
};
