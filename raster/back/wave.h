/* SPDX-License-Identifier: MIT */
/* The wave being filled or run. */
#ifndef RASTER_BACK_WAVE_H
#define RASTER_BACK_WAVE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "raster/back/group.h"
#include "raster/draw.h"
#include "raster/prim.h"

#define RS_WAVE_QUADS 16
#define RS_BLOCK_QUADS 12 /* live ones from which on a block is a wave of its own */

struct rs_open_wave {
	unsigned quads, prims;
	bool block;           /* one whole 8x8 block of one primitive */
	const struct rs_prim *prim[RS_WAVE_QUADS];
	uint8_t quad_prim[RS_WAVE_QUADS];
	uint16_t x[RS_WAVE_QUADS + 4], y[RS_WAVE_QUADS + 4]; /* first pixel of the quad; four are read at once */
	uint32_t new_prim;    /* bit q: quad q starts a new primitive (q >= 1) */
	uint64_t exec;        /* coverage: of any sample */
	/* More than one sample: lanes with each sample still alive, and covered
	 * before the tests.  With iterate, every quad belongs to one sample. */
	uint64_t sample[RS_MAX_SAMPLES], covered[RS_MAX_SAMPLES];
	uint8_t quad_sample[RS_WAVE_QUADS];
};

/* Where a block of 8x8 pixels is in a target of one sample: rs_address of its first one. */
static inline __attribute__((always_inline)) uint8_t *rs_block_wave(const struct rs_target *t, const struct rs_open_wave *o)
{
	const bool parts = t->plane.tiling == TILING_4X4;
	uint8_t *const slice = t->plane.base + o->prim[0]->layer * t->plane.slice_stride;
	const size_t line = parts ? o->y[0] / 4u : o->y[0];
	return slice + line * t->plane.pitch + (size_t)(parts ? 4u : 1u) * t->plane.bpe * o->x[0];
}

/* Group `n` (lanes 16 n ..) of a wave; quads that the wave has not are where the group's first one is. */
static inline __attribute__((always_inline)) struct rs_group rs_group_wave(const struct rs_target *t,
	const struct rs_open_wave *o, unsigned n)
{
	if (o->block)
		return rs_group_part(t, o->prim[0]->layer, o->x[4 * n], o->y[4 * n]);
	struct rs_group g = { .row = rs_row_step(t), .block = false };
	for (unsigned i = 0; i < 4 && 4 * n < o->quads; i++) {
		const unsigned q = 4 * n + i < o->quads ? 4 * n + i : 4 * n;
		g.quad[i] = rs_address(t, o->prim[o->quad_prim[q]]->layer, o->x[q], o->y[q]);
	}
	return g;
}

/* The wave exported this component of a target. */
static inline bool rs_exported(const struct cu_exports *e, unsigned target, unsigned component)
{
	return e->targets >> target & 1 && e->mask[target] >> component & 1;
}

#endif
