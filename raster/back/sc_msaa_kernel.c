/* SPDX-License-Identifier: MIT */
/* SC: scan conversion with more than one sample.
 *
 * The walk is that of sc_kernel.c with a mask of lanes for each sample.  A
 * sample moves an edge function by a x + b y, x and y its place in 1/256 pixel:
 * an integer, so coverage stays exact and the top-left rule, which is in c,
 * holds at every sample. */
#include <string.h>
#include "core/level.h"
#include "raster/back/db.h"
#include "raster/back/edges.h"
#include "raster/back/group.h"
#include "raster/back/lanes.h"
#include "raster/back/order.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/sc.h"
#include "raster/back/spi.h"
#include "raster/back/walk.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/prim.h"

struct walk {
	struct rs_bounds in;
	struct rs_edges edges;       /* at pixel centres */
	vl4 sample[RS_MAX_SAMPLES];  /* from there to a sample */
	vl4 lowest, highest;         /* least and most change inside a block over all samples */
};

static inline vl4 lesser(vl4 a, vl4 b)
{
	vl4 m = a < b;
	return (a & m) | (b & ~m);
}

/* (x, y): first pixel of the first block. */
static void begin(struct walk *p, const struct rs_ps_state *s, const struct rs_prim *prim, int32_t x, int32_t y)
{
	rs_edges_begin(&p->edges, prim, x, y);
	vl4 ab, b;
	memcpy(&ab, p->edges.slope, sizeof ab);
	b = (vl4)_mm256_srli_epi64((__m256i)ab, 32);
	for (unsigned k = 0; k < s->samples; k++) {
		p->sample[k] = rs_times(ab, s->offset_x[k]) + rs_times(b, s->offset_y[k]);
		p->lowest = k ? lesser(p->lowest, p->sample[k]) : p->sample[k];
		p->highest = k ? -lesser(-p->highest, -p->sample[k]) : p->sample[k];
	}
	p->lowest += p->edges.least;
	p->highest += p->edges.most;
}

/* Lanes of a block whose sample is inside; e: values there of the first pixel. */
static uint64_t cover(const struct rs_edges *p, vl4 e, uint64_t within)
{
	if (rs_negative(e + p->most))
		return 0;
	uint32_t crossing = rs_negative(e + p->least);
	return crossing ? rs_edges_cover(p, crossing, e, within) : within;
}

static bool test(struct rs_worker *w, struct rs_piece *p, bool write)
{
	CU_FN(rs_db_block_msaa)(w, p->prim, p->block, p->sample, write);
	p->mask = rs_any_sample(w->state, p->sample);
	return p->mask;
}
static unsigned count(const struct rs_worker *w, const struct rs_piece *p)
{
	unsigned n = 0;
	for (unsigned k = 0; k < w->state->samples; k++)
		n += (unsigned)__builtin_popcountll(p->sample[k]);
	return n;
}
static void pack(struct rs_worker *w, const struct rs_piece *p)
{
	CU_FN(rs_spi_block_msaa)(w, p->prim, p->block, p->sample, p->covered);
}

/* The sample mask comes first. */
void CU_FN(rs_sc_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t inside[RS_MAX_SAMPLES])
{
	static const struct rs_stages stages = { test, count, pack };
	const struct rs_ps_state *s = w->state;
	uint64_t covered[RS_MAX_SAMPLES], mask[RS_MAX_SAMPLES];
	for (unsigned k = 0; k < s->samples; k++)
		covered[k] = mask[k] = s->sample_mask >> k & 1 ? inside[k] : 0;
	struct rs_piece p = { .prim = prim, .block = block, .mask = rs_any_sample(s, mask), .sample = mask, .covered = covered };
	if (p.mask)
		rs_order_block(w, &p, &stages);
}

/* full: no edge is looked at. */
static void draw(struct rs_worker *w, const struct rs_prim *prim, struct walk *p, bool full)
{
	const struct rs_ps_state *s = w->state;
	if (full)
		memset(&p->edges, 0, sizeof p->edges);
	else
		begin(p, s, prim, w->x + (p->in.x0 & ~7), w->y + (p->in.y0 & ~7));
	vl4 row = p->edges.e;
	for (int by = p->in.y0 >> 3; by <= (p->in.y1 - 1) >> 3; by++, row += p->edges.step_y) {
		const uint32_t hidden = rs_hidden_of_row(w, prim, by);
		vl4 e = row;
		for (int bx = p->in.x0 >> 3; bx <= (p->in.x1 - 1) >> 3; bx++, e += p->edges.step_x) {
			unsigned block = (unsigned)(8 * by + bx);
			if (hidden >> bx & 1 || (!full && rs_negative(e + p->highest)) || rs_hiz_hides(w, block))
				continue;
			uint64_t within = rs_lanes_within(bx, by, p->in.x0, p->in.y0, p->in.x1, p->in.y1), mask[RS_MAX_SAMPLES];
			bool inside = full || !rs_negative(e + p->lowest);
			for (unsigned k = 0; k < s->samples; k++)
				mask[k] = inside ? within : cover(&p->edges, e + p->sample[k], within);
			CU_FN(rs_sc_block_msaa)(w, prim, block, mask);
		}
	}
}

void CU_FN(rs_sc_prim_msaa)(struct rs_worker *w, const struct rs_prim *prim, bool full)
{
	struct walk p;
	if (!rs_bounds_in_tile(&p.in, w, prim))
		return;
	if (w->depth.tests)
		CU_FN(rs_db_begin_prim)(w, prim);
	for (unsigned k = 0; w->depth.use_z && k < w->state->samples; k++) {
		double x = w->state->sample_x[k], y = w->state->sample_y[k];
		w->depth.z_sample[k] = prim->z;
		w->depth.z_sample[k].c += prim->z.dx * x + prim->z.dy * y;
	}
	if (prim->kind == RS_PRIM_BRESENHAM) {
		CU_FN(rs_sc_line)(w, prim);
		return;
	}
	draw(w, prim, &p, full || !prim->edges);
}
