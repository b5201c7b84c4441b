/* SPDX-License-Identifier: MIT */
/* One thread's front end, and what goes through it: batches of primitives with their
 * vertices.  rs_front_run is the order of its steps, each of which is given a batch:
 *
 *   rs_vgt_fetch          which vertices the next primitives have
 *   rs_vgt_run_vertices   vertex waves: positions, distances, params
 *   rs_strmout_gather     what streamout takes of it
 *   rs_pa_project         window coordinates, clip codes
 *   rs_pa_set_up          culls, clips, sets up; into bins, primitive by primitive,
 *                         while what was set up is in the cache
 *   rs_bin_finish_job     per-tile lists of the job
 *
 * Of a draw of meshes rs_mesh_fill stands in the place of the first two.
 *
 * A step that makes primitives of its own (tessellation, geometry, meshes) takes one batch
 * and fills another, which stands in for it from there on; where one batch makes many it is
 * a loop within the loop, `while (fill the next)`.  What comes after sees no difference.
 * With a geometry program (gs.h), until the batch is projected:
 *
 *   rs_gs_fetch           which vertices the next primitives have
 *   rs_gs_run             a wave of both programs: vertices in its scratch
 *   rs_gs_assemble        the next batch of what was emitted
 *
 * With tessellation (hs.h, ds.h), in the place of rs_vgt_fetch:
 *
 *   rs_hs_run             a wave of vertices and hull: patches and their levels in memory
 *   rs_ds_fetch           the next batch of points, which the domain program is run for */
#ifndef RASTER_FRONT_FRONT_H
#define RASTER_FRONT_FRONT_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "core/launch.h"
#include "raster/arena.h"
#include "raster/front/job.h"
#include "raster/pass.h"

struct cu_memory;
struct rs_gs;
struct rs_hs;
struct rs_mesh;
struct rs_pa_kernels;
struct rs_pa_state;

enum { RS_BATCH_VERTICES = 256 };

/* Vertices 0 .. count - 1, and primitives of them; by the step that fills it in. */
struct rs_batch {
	/* rs_vgt_fetch. */
	unsigned count, prims;
	unsigned corners;            /* of a primitive: 1 points, 2 lines, 3 triangles */
	unsigned stream;             /* of vertices, which streamout tells apart */
	uint64_t first;              /* primitive of the draw, all instances counted; the others follow */
	uint32_t vertex[RS_BATCH_VERTICES], instance[RS_BATCH_VERTICES];
	uint8_t prim[3][RS_JOB_PRIMS + 2 + 16];   /* slots, provoking vertex first */
	/* rs_vgt_run_vertices: what was exported. */
	alignas(64) float pos[4][RS_BATCH_VERTICES];
	alignas(64) float size[RS_BATCH_VERTICES];
	alignas(64) uint32_t layer[RS_BATCH_VERTICES], viewport[RS_BATCH_VERTICES];
	alignas(64) float dist[8][RS_BATCH_VERTICES];
	float *attr;                 /* vertex v has its params at attr + v * stride */
	unsigned stride;
	/* rs_pa_project: window coordinates, 24.8 and float, clip codes. */
	alignas(64) int32_t x[RS_BATCH_VERTICES], y[RS_BATCH_VERTICES];
	alignas(64) float win[3][RS_BATCH_VERTICES];
	alignas(64) float inv_w[RS_BATCH_VERTICES];
	alignas(64) uint32_t code[RS_BATCH_VERTICES];
	alignas(64) int32_t row[RS_BATCH_VERTICES][4]; /* x, y, code and window z again, side by side: by the kernel alone */
};

enum { RS_HASH_SLOTS = 512 };
struct rs_hash_entry { uint32_t key; uint16_t generation, slot; };

struct rs_bin_entry { struct rs_item item; uint32_t tile; };

/* One thread's front end, in cache lines of its own. */
struct rs_front {
	const struct rs_pa_kernels *k;
	struct cu_slot slot;         /* of vertex waves */
	struct rs_arena arena;       /* primitives, params, items */
	struct rs_job *job;          /* the running one */
	const struct rs_vdraw *draw; /* of the running job */
	const struct rs_pa_state *pa;
	uint64_t next, end;          /* of its primitives that were not fetched: [next, end) */
	uint32_t part;               /* of each, where they have parts */
	struct rs_pass *pass;
	struct rs_batch *batch;
	struct rs_gs *gs;            /* NULL until a draw needs it */
	struct rs_hs *hs;            /* likewise */
	struct cu_memory *memory;    /* what its waves may access; NULL: not checked */
	struct rs_mesh *mesh;        /* of groups of mesh programs; NULL until there is such a draw */
	struct rs_hash_entry hash[RS_HASH_SLOTS];
	uint16_t generation;
	/* Items of the running job in primitive order, and per tile how many. */
	struct rs_bin_entry *entry;
	uint32_t entries, entry_cap;
	uint32_t *tile_items;        /* all zero between jobs */
	uint32_t *tile_used;         /* tiles with items, in order of first use */
	uint32_t tiles_used, tile_cap;
	bool no_memory;
	alignas(64) uint8_t apart[64]; /* threads write theirs all the time: no cache line is of two */
};

/* For who is out of memory: false. */
static inline bool rs_front_no_memory(struct rs_front *f)
{
	f->no_memory = true;
	return false;
}

/* Runs a job from its primitives to its lists of items.  What fails is in f->pass or in
 * f->no_memory, and the rest of the job is left out. */
void rs_front_run(struct rs_front *f, struct rs_job *job);

#endif
