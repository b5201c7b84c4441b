/* SPDX-License-Identifier: MIT */
/* Vertex grouper: cuts draws into primitives, and jobs into batches of vertices, which
 * the vertex program then runs for. */
#ifndef RASTER_FRONT_VGT_H
#define RASTER_FRONT_VGT_H

#include <stdbool.h>
#include <stdint.h>

struct rs_arena;
struct rs_batch;
struct rs_front;
struct rs_vdraw;

/* Vertices of a primitive of a DI_PT_*, without adjacent ones; 0: there is none. */
unsigned rs_vgt_corners(unsigned topology);
/* The same with adjacent ones. */
unsigned rs_vgt_all_corners(unsigned topology);
/* Counts primitives and cuts at restarts; false without memory. */
bool rs_vgt_prepare(struct rs_arena *a, struct rs_vdraw *d, uint32_t indices,
	bool restart, uint32_t restart_index);
/* Fills the batch with the job's next primitives, of which there are some: as many as
 * there is room for. */
void rs_vgt_fetch(struct rs_front *f, struct rs_batch *b);
/* Writes the primitives' numbers into a param of their vertices, which they do not share. */
void rs_vgt_number(const struct rs_front *f, struct rs_batch *b);
/* Patches of a draw with tessellation, and their vertices one patch after the other. */
struct rs_patches { unsigned count; uint32_t vertex[64], instance[64], prim_id[64]; };
/* The job's next patches, of which there are some: as many as a group has room for. */
void rs_vgt_fetch_patches(struct rs_front *f, struct rs_patches *p);
/* Runs the vertex program for the batch's vertices; false after a fault or without memory. */
bool rs_vgt_run_vertices(struct rs_front *f, struct rs_batch *b);

#endif
