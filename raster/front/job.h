/* SPDX-License-Identifier: MIT */
/* A job: consecutive primitives of a draw, some small draws that follow one another, a clear or a resolve, as one thread
 * does them.  Results are committed by job number, so that order does not depend on threads. */
#ifndef RASTER_FRONT_JOB_H
#define RASTER_FRONT_JOB_H

#include <stdbool.h>
#include <stdint.h>
#include "isa/strmout.h"

struct pm4_clear_target;
struct rs_item_chunk;
struct rs_strmout_chunk;
struct rs_strmout_update;
struct rs_target_resolve;
struct rs_vdraw;

enum { RS_JOB_PRIMS = 510, RS_JOBS_MAX = 256 };

/* What a job contributes to one tile. */
struct rs_tile_list {
	uint32_t tile, items;
	struct rs_item_chunk *first, *last;
};
struct rs_job {
	const struct rs_vdraw *draw; /* or one of the others */
	const struct pm4_clear_target *clear;
	const struct rs_target_resolve *resolve;
	const struct rs_strmout_update *update;
	uint64_t first;              /* primitive number: instance * prims + n */
	uint32_t count;
	uint32_t draws;              /* whole ones, `draw` and those behind it; or 1 */
	bool done;
	struct rs_tile_list *list;
	uint32_t lists;
	struct rs_strmout_chunk *captured, *captured_last; /* for streamout, in primitive order */
	/* If it is known, how far the buffers are filled where the job begins. */
	bool placed;
	uint64_t filled[ISA_STRMOUT_BUFFERS];
};

#endif
