/* SPDX-License-Identifier: MIT */
/* SPI: waves of pixels with more than one sample.
 *
 * Without PS_ITER_SAMPLE a lane is a pixel, alive when any sample is; with it a
 * lane is a sample, and the four lanes of a quad are the same sample of its
 * pixels.  In both the wave knows the lanes of each sample. */
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "core/vec.h"
#include "isa/gcn_operand.h"
#include "raster/back/cb_wave.h"
#include "raster/back/db.h"
#include "raster/back/lanes.h"
#include "raster/back/order.h"
#include "raster/back/ps_state.h"
#include "raster/back/spi.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/prim.h"

/* The four quads of a group are tested and blended at once: they must not share
 * a sample when one reads what the other writes. */
static bool clashes(const struct rs_ps_state *s, const struct rs_open_wave *o, unsigned x, unsigned y, unsigned lane,
	const uint64_t mask[RS_MAX_SAMPLES])
{
	for (unsigned q = o->quads & ~3u; q < o->quads; q++)
		for (unsigned k = 0; o->x[q] == x && o->y[q] == y && k < s->samples; k++)
			if (o->sample[k] >> 4 * q & mask[k] >> lane & 15)
				return true;
	return false;
}

/* Appends the live quads of a block to the open wave; with iterate, mask has
 * lanes of sample `id` only. */
static void append(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES], unsigned id)
{
	const struct rs_ps_state *s = w->state;
	struct rs_open_wave *o = &w->waves.open;
	uint64_t any = rs_any_sample(s, mask);
	unsigned x = (unsigned)w->x + 8 * (block & 7), y = (unsigned)w->y + 8 * (block >> 3);
	for (uint64_t live = rs_live_quads(any); live; live &= live - 1) {
		unsigned lane = (unsigned)__builtin_ctzll(live);
		unsigned qx = x + rs_lane_x(lane), qy = y + rs_lane_y(lane);
		if (w->waves.reads && clashes(s, o, qx, qy, lane, mask))
			CU_FN(rs_spi_flush)(w);
		unsigned n = o->quads;
		if (!n) {
			memset(o->sample, 0, sizeof o->sample);
			memset(o->covered, 0, sizeof o->covered);
		}
		if (!n || o->prim[o->prims - 1] != prim) {
			o->new_prim |= 1u << n;
			o->prim[o->prims++] = prim;
		}
		o->quad_prim[n] = (uint8_t)(o->prims - 1);
		o->quad_sample[n] = (uint8_t)id;
		o->x[n] = (uint16_t)qx;
		o->y[n] = (uint16_t)qy;
		o->exec |= (any >> lane & 15) << 4 * n;
		for (unsigned k = 0; k < s->samples; k++) {
			o->sample[k] |= (mask[k] >> lane & 15) << 4 * n;
			o->covered[k] |= (covered[k] >> lane & 15) << 4 * n;
		}
		w->waves.occupied[block] |= any & 15ull << lane;
		w->waves.occupied_blocks |= 1ull << block;
		o->quads = n + 1;
		if (o->quads == RS_WAVE_QUADS)
			CU_FN(rs_spi_flush)(w);
	}
}

/* A wave of the whole block. */
static void launch_block(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES], unsigned id)
{
	memcpy(w->waves.direct.sample, mask, sizeof w->waves.direct.sample);
	memcpy(w->waves.direct.covered, covered, sizeof w->waves.direct.covered);
	memset(w->waves.direct.quad_sample, (int)id, sizeof w->waves.direct.quad_sample);
	CU_FN(rs_spi_block)(w, prim, block, rs_any_sample(w->state, mask));
}

static inline bool is_full(uint64_t mask)
{
	return __builtin_popcountll(rs_live_quads(mask)) >= RS_BLOCK_QUADS;
}

/* A sample at a time.  Samples do not touch each other, so whole blocks may go
 * before what is appended. */
static void iterate(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES])
{
	const struct rs_ps_state *s = w->state;
	for (int full = 1; full >= 0; full--)
		for (unsigned k = 0; k < s->samples; k++) {
			uint64_t one[RS_MAX_SAMPLES] = { 0 }, inside[RS_MAX_SAMPLES] = { 0 };
			if (!mask[k] || is_full(mask[k]) != (full == 1))
				continue;
			one[k] = mask[k];
			inside[k] = covered[k];
			if (full && w->waves.occupied[block] & mask[k])
				CU_FN(rs_spi_flush)(w);
			if (full)
				launch_block(w, prim, block, one, inside, k);
			else
				append(w, prim, block, one, inside, k);
		}
}

void CU_FN(rs_spi_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES])
{
	uint64_t any = rs_any_sample(w->state, mask), m[RS_MAX_SAMPLES] = { 0 }, c[RS_MAX_SAMPLES] = { 0 };
	memcpy(m, mask, w->state->samples * sizeof *m);
	memcpy(c, covered, w->state->samples * sizeof *c);
	if (w->state->iterate) {
		iterate(w, prim, block, m, c);
		return;
	}
	if (!is_full(any)) {
		append(w, prim, block, m, c, 0);
		return;
	}
	if (w->waves.occupied[block] & any)
		CU_FN(rs_spi_flush)(w);
	launch_block(w, prim, block, m, c, 0);
}

void CU_FN(rs_spi_finish_msaa)(struct rs_worker *w, const struct rs_open_wave *o)
{
	rs_order_wave(w, o, true);
}
