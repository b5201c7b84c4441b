/* SPDX-License-Identifier: MIT */
/* The pass under construction: draws are not executed when they are read, a pass is
 * a list of entries, and the front end runs many jobs of many draws at once when enough
 * have come together or the pass ends. */
#ifndef RASTER_CP_BUILD_H
#define RASTER_CP_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include "raster/arena.h"
#include "raster/draw.h"
#include "raster/front/job.h"
#include "raster/front/pa_state.h"
#include "raster/pass.h"

struct pm4_clear_target;
struct rs_strmout;
struct rs_strmout_update;
struct rs_vdraw;

struct rs_ps_use {
	const struct cu_program *program;
	struct rs_ps_state *state;
	struct rs_ps_use *next;
};
/* A context snapshot of a pass. */
struct rs_state {
	struct rs_context context;
	struct rs_pa_state pa;
	const struct rs_strmout *strmout; /* NULL: off */
	uint64_t hash;
	struct rs_ps_use *uses;
	struct rs_state *next;
};

/* One of these. */
struct rs_entry {
	struct rs_vdraw *draw;
	struct pm4_clear_target *clear;
	struct rs_target_resolve *resolve;
	struct rs_strmout_update *update;
	struct rs_entry *next;
};
/* Running totals: samples, statistics, primitives of a stream. */
enum rs_total { RS_TOTAL_SAMPLES, RS_TOTAL_STATS, RS_TOTAL_STREAM0 };
/* A counter, and where which running totals go when it ends (0: nowhere). */
struct rs_counter_node {
	struct rs_counter counter;
	uint64_t address;
	enum rs_total which;
	struct rs_counter_node *next;
};
enum { RS_TARGET_KEY = RS_MAX_COLOR * 6 + 8 };
struct rs_build {
	bool open;
	struct rs_pass pass;
	uint32_t key[RS_TARGET_KEY];
	uint32_t *tile_items;        /* per tile, for order */
	bool backwards;              /* order of the tiles, in turn */
	struct rs_arena arena;       /* draws, states, counters: until the pass ends */
	struct rs_state *states[64], *state;
	struct rs_draw *last_draw;
	struct rs_entry *first, *last;
	/* A barrier came; only clears came after it, and wait here. */
	bool barrier;
	struct rs_entry *late, *late_last;
	uint64_t next_prim;          /* of *first: where the next job starts */
	uint64_t pending;            /* jobs not yet run, if each were of one draw */
	struct rs_job job[RS_JOBS_MAX];
	unsigned jobs;
	uint64_t gathered;           /* of pending those that are these jobs */
	bool running;                /* threads are at them, while draws that come later are described */
	bool limit;                  /* jobs stop when memory runs over */
	size_t described;            /* of the arena, when they began */
	/* Targets of several samples were discarded: of this pass, of the last one that had such. */
	bool discarded, discards;
	/* All of the pass, the last, and the one that counts now (NULL: none yet). */
	struct rs_counter_node *counters, *counter_last, *counter;
};

#endif
