/* SPDX-License-Identifier: MIT */
/* Hull programs, in one with the vertex program before them (isa/abi.h): waves whose first half runs the
 * control points of a few patches, and whose second writes those patches and their levels into memory. */
#ifndef RASTER_FRONT_HS_H
#define RASTER_FRONT_HS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "raster/front/front.h"
#include "raster/front/tess.h"
#include "raster/front/vgt.h"

struct rs_counter;

/* What a thread's front end needs for tessellation. */
struct rs_hs {
	struct rs_patches in;
	uint8_t *patches;            /* ABI_PATCH_BYTES: those of the group, for domain programs */
	const struct cu_program *program; /* whose they are */
	uint64_t serial, first;      /* draw and primitive whose they are, where patches have parts */
	/* What ds.h keeps: the next patch, and of the one at hand the next primitive. */
	struct rs_tess_cache *cache;
	struct rs_tess_pattern pattern;
	unsigned patch, prim, prim_end;
	bool open;                   /* there is one at hand */
	uint32_t generation;         /* of slots */
	uint32_t slot[RS_TESS_MAX_POINTS]; /* generation << 8 | slot in the batch */
	/* Of the batch's points, whose u and v stand for vertex and instance: patch in the group, PrimitiveId. */
	uint32_t of[RS_BATCH_VERTICES], prim_id[RS_BATCH_VERTICES];
};

/* The job's next patches, of which there are some, through both programs; of a part, unless the thread's last part was
 * one of the same patch (Vulkan, "Tessellation Control Shader Execution": at least once for each output vertex).  False after a fault or without
 * memory. */
bool rs_hs_run(struct rs_front *f, struct rs_counter *stats);
void rs_hs_finish(struct rs_front *f);

#endif
