/* SPDX-License-Identifier: MIT */
/* Geometry programs, in one with the vertex program before them (isa/abi.h): waves whose first
 * half runs up to 64 vertices, and whose second emits vertices of strips. */
#ifndef RASTER_FRONT_GS_H
#define RASTER_FRONT_GS_H

#include <stdbool.h>
#include <stdint.h>
#include "core/cu.h"
#include "raster/front/front.h"

struct rs_counter;

/* What a thread's front end needs for them. */
struct rs_gs {
	/* The primitives at hand: vertices in->vertex, 64 at most, and which of them each has. */
	struct rs_batch in;
	unsigned room;               /* for so many primitives */
	uint8_t corner[6][CU_LANES];
	uint32_t prim_id[CU_LANES];
	/* GS lanes: primitive * invocations + invocation; those from `lane` on were not run. */
	unsigned lane, ran;          /* ran: in the last wave */
	uint32_t from[RS_BATCH_VERTICES]; /* in GSVS, of the batch's vertices: their lane's dword 0 */
	unsigned stream, assembled;  /* whose vertices are put into batches, and of how many lanes they are there */
	struct cu_gs told;           /* by that wave */
	struct cu_scratch scratch;   /* of these waves */
	uint32_t *gsvs;              /* in it: the vertices */
	const struct cu_program *program; /* whose they are, and whose attributes LDS has */
};

/* The job's next primitives, of which there are some, or those of the group of patches at hand, until there are no more.
 * False then, or without memory. */
bool rs_gs_fetch(struct rs_front *f, struct rs_counter *stats);
/* Are there lanes that were not run? */
bool rs_gs_lanes(const struct rs_front *f);
/* Runs a wave of them; false after a fault or without memory. */
bool rs_gs_run(struct rs_front *f);
/* Fills b with the next primitives that the wave emitted, stream by stream in the order of lanes; false: there are no more, or
 * no memory. */
bool rs_gs_assemble(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats);
void rs_gs_finish(struct rs_front *f);

#endif
