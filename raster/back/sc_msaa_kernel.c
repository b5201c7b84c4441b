/* SPDX-License-Identifier: MIT */
/* SC: scan conversion with more than one sample.
 *
 * The walk is that of sc_kernel.c with a mask of lanes for each sample.  A
 * sample moves an edge function by a x + b y, x and y its place in 1/256 pixel:
 * an integer, so coverage stays exact and the top-left rule, which is in c,
 * holds at every sample. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "raster/back/db.h"
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

/* The edges side by side; those that the primitive lacks are 0: always inside. */
struct walk {
	struct rs_bounds in;
	unsigned edges;
	vl4 e;                    /* at the centre of the first pixel of the first block */
	vl4 step_x, step_y;       /* from block to block */
	vl4 least, most;          /* change inside a block, from its first pixel */
	vl4 lowest, highest;      /* the same over all samples */
	vl4 sample[RS_MAX_SAMPLES];
	int32_t a[4], b[4];
	vi lane[4][RS_VECS];      /* change inside a 4x4 part, scaled */
};

static inline vl4 lesser(vl4 a, vl4 b)
{
	vl4 m = a < b;
	return (a & m) | (b & ~m);
}

static void place_samples(struct walk *p, const struct rs_ps_state *s, vl4 a, vl4 b)
{
	for (unsigned k = 0; k < s->samples; k++) {
		p->sample[k] = a * s->offset_x[k] + b * s->offset_y[k];
		p->lowest = k ? lesser(p->lowest, p->sample[k]) : p->sample[k];
		p->highest = k ? -lesser(-p->highest, -p->sample[k]) : p->sample[k];
	}
	p->lowest += p->least;
	p->highest += p->most;
}

/* (x, y): first pixel of the first block. */
static void edges_begin(struct walk *p, const struct rs_ps_state *s, const struct rs_prim *prim, int32_t x, int32_t y)
{
	static const int32_t lx[RS_GROUP] = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 };
	static const int32_t ly[RS_GROUP] = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };
	const vl4 zero = { 0 };
	vl4 a = zero, b = zero, c = zero;
	memset(p->a, 0, sizeof p->a);
	memset(p->b, 0, sizeof p->b);
	p->edges = prim->edges;
	for (unsigned n = 0; n < prim->edges; n++) {
		a[n] = p->a[n] = prim->edge[n].a;
		b[n] = p->b[n] = prim->edge[n].b;
		c[n] = prim->edge[n].c;
		for (unsigned i = 0; i < RS_VECS; i++)
			p->lane[n][i] = v_set(p->a[n]) * v_load(lx + VL * i) + v_set(p->b[n]) * v_load(ly + VL * i);
	}
	p->e = c + a * (256 * x + 128) + b * (256 * y + 128);
	p->step_x = a * (8 * 256);
	p->step_y = b * (8 * 256);
	vl4 right = a * (7 * 256), down = b * (7 * 256);
	p->least = (right & (right < zero)) + (down & (down < zero));
	p->most = right + down - p->least;
	place_samples(p, s, a, b);
}

/* Lanes of a block whose sample is inside; e: values there of the first pixel. */
static uint64_t cover(const struct walk *p, vl4 e, uint64_t within)
{
	uint32_t crossing = rs_negative(e + p->least);
	uint64_t out = 0;
	int64_t at[4];
	if (rs_negative(e + p->most))
		return 0;
	if (!crossing)
		return within;
	memcpy(at, &e, sizeof at);
	for (unsigned n = 0; n < 4; n++) {
		if (!(within >> 16 * n & 0xffff))
			continue;
		struct vi16 outside;
		for (unsigned i = 0; i < RS_VECS; i++)
			outside.v[i] = v_set(0);
		for (uint32_t left = crossing; left; left &= left - 1) {
			unsigned k = (unsigned)__builtin_ctz(left);
			int32_t first = (int32_t)(at[k] >> 8) + (n & 1 ? 4 * p->a[k] : 0) + (n & 2 ? 4 * p->b[k] : 0);
			for (unsigned i = 0; i < RS_VECS; i++)
				outside.v[i] |= v_set(first) + p->lane[k][i];
		}
		out |= (uint64_t)(~vi16_signs(&outside) & 0xffff) << 16 * n;
	}
	return out & within;
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
	if (!full)
		edges_begin(p, s, prim, w->x + (p->in.x0 & ~7), w->y + (p->in.y0 & ~7));
	vl4 row = p->e;
	for (int by = p->in.y0 >> 3; by <= (p->in.y1 - 1) >> 3; by++, row += p->step_y) {
		vl4 e = row;
		for (int bx = p->in.x0 >> 3; bx <= (p->in.x1 - 1) >> 3; bx++, e += p->step_x) {
			unsigned block = (unsigned)(8 * by + bx);
			if ((!full && rs_negative(e + p->highest)) || (w->use_hiz && CU_FN(rs_db_hiz_reject)(w, prim, block)))
				continue;
			uint64_t within = rs_lanes_within(bx, by, p->in.x0, p->in.y0, p->in.x1, p->in.y1), mask[RS_MAX_SAMPLES];
			bool inside = full || !rs_negative(e + p->lowest);
			for (unsigned k = 0; k < s->samples; k++)
				mask[k] = inside ? within : cover(p, e + p->sample[k], within);
			CU_FN(rs_sc_block_msaa)(w, prim, block, mask);
		}
	}
}

void CU_FN(rs_sc_prim_msaa)(struct rs_worker *w, const struct rs_prim *prim, bool full)
{
	struct walk p;
	if (!rs_bounds_in_tile(&p.in, w, prim))
		return;
	if (w->db)
		CU_FN(rs_db_begin_prim)(w, prim);
	for (unsigned k = 0; w->use_z && k < w->state->samples; k++) {
		double x = w->state->sample_x[k], y = w->state->sample_y[k];
		w->z_sample[k] = prim->z;
		w->z_sample[k].c += prim->z.dx * x + prim->z.dy * y;
	}
	if (prim->kind == RS_PRIM_BRESENHAM) {
		CU_FN(rs_sc_line)(w, prim);
		return;
	}
	if (full) {
		p.e = p.step_x = p.step_y = (vl4){ 0 };
	}
	draw(w, prim, &p, full);
}
