/* SPDX-License-Identifier: MIT */
/* One draw as the tiles need it, and the registers it was made of. */
#ifndef RASTER_DRAW_H
#define RASTER_DRAW_H

#include <stdatomic.h>
#include <stdint.h>
#include "core/launch.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "isa/strmout.h"

#define RS_MAX_COLOR 8
#define RS_MAX_ATTRS 32
#define RS_MAX_SAMPLES 8


/* Context registers of one or more draws, immutable once a draw uses them. */
struct rs_context { uint32_t reg[REG_CONTEXT_DWORDS]; };

/* What is counted between two events of a pass: samples that passed, statistics (PM4_STAT_*),
 * and primitives of streams (PM4_STREAM_*).  Jobs of vertices and of tiles add to it. */
struct rs_counter { _Atomic uint64_t samples, stat[PM4_STATS], stream[ISA_STREAMS][PM4_STREAM_COUNTS]; };

static inline void rs_count(struct rs_counter *c, unsigned stat, uint64_t n)
{
	atomic_fetch_add_explicit(&c->stat[stat], n, memory_order_relaxed);
}

/* Back-end state decoded once per rs_context + PS program; opaque to the front end. */
struct rs_ps_state;

/* One draw as the tiles need it; lives in the pass arena. */
struct rs_draw {
	const struct rs_context *context;
	const struct rs_ps_state *state;     /* from rs_ps_state_create */
	struct cu_program_use ps;            /* without a program: no pixel shader */
	unsigned num_interp, corners;        /* corners: of a primitive */
	struct rs_counter *counter;          /* occlusion, or NULL */
	struct rs_counter *stats;            /* statistics, or NULL */
};

/* Samples a draw has, and their positions in 1/256 pixel from the centre. */
unsigned rs_samples(const struct rs_context *c, int32_t x[RS_MAX_SAMPLES], int32_t y[RS_MAX_SAMPLES]);

#endif
