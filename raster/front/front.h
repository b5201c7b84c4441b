/* SPDX-License-Identifier: MIT */
/* One thread's front end, and the batch of vertices at hand.
 *
 *   vgt     cuts draws into jobs of consecutive primitives, runs vertex waves
 *   pa      assembles, clips, culls, sets up
 *   bin     per-tile lists of a job, their commit in order */
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

struct rs_pa_kernels;
struct rs_pa_state;

enum { RS_BATCH_VERTICES = 256 };

/* One vertex batch; vertex slots 0 .. count - 1. */
struct rs_batch {
	unsigned count, prims;
	uint32_t vertex[RS_BATCH_VERTICES], instance[RS_BATCH_VERTICES];
	uint8_t prim[3][RS_JOB_PRIMS + 2 + 16];   /* slots, provoking vertex first */
	/* Exports. */
	alignas(64) float pos[4][RS_BATCH_VERTICES];
	alignas(64) float size[RS_BATCH_VERTICES];
	alignas(64) uint32_t layer[RS_BATCH_VERTICES], viewport[RS_BATCH_VERTICES];
	alignas(64) float dist[8][RS_BATCH_VERTICES];
	float *attr;                 /* vertex v has its params at attr + v * stride */
	unsigned stride;
	/* Derived: window coordinates, 24.8 and float, clip codes. */
	alignas(64) int32_t x[RS_BATCH_VERTICES], y[RS_BATCH_VERTICES];
	alignas(64) float win[3][RS_BATCH_VERTICES];
	alignas(64) float inv_w[RS_BATCH_VERTICES];
	alignas(64) uint32_t code[RS_BATCH_VERTICES];
};

enum { RS_HASH_SLOTS = 512 };
struct rs_hash_entry { uint32_t key; uint16_t generation, slot; };

struct rs_bin_entry { struct rs_item item; uint32_t tile; };

/* One thread's front end. */
struct rs_front {
	const struct rs_pa_kernels *k;
	struct cu_slot slot;         /* of vertex waves */
	struct rs_arena arena;       /* primitives, params, items */
	const struct rs_vdraw *draw; /* of the running job */
	const struct rs_pa_state *pa;
	struct rs_pass *pass;
	struct rs_batch *batch;
	struct rs_hash_entry hash[RS_HASH_SLOTS];
	uint16_t generation;
	/* Items of the running job in primitive order, and per tile how many. */
	struct rs_bin_entry *entry;
	uint32_t entries, entry_cap;
	uint32_t *tile_items;        /* all zero between jobs */
	uint32_t *tile_used;         /* tiles with items, in order of first use */
	uint32_t tiles_used, tile_cap;
	bool no_memory;
};

#endif
