/* SPDX-License-Identifier: MIT */
/* Vertex grouper: cuts draws into primitives, and jobs into batches. */
#ifndef RASTER_FRONT_VGT_H
#define RASTER_FRONT_VGT_H

#include <stdbool.h>
#include <stdint.h>

struct rs_arena;
struct rs_front;
struct rs_job;
struct rs_vdraw;

/* Counts primitives and cuts at restarts; false without memory. */
bool rs_vgt_prepare(struct rs_arena *a, struct rs_vdraw *d, uint32_t indices,
	bool restart, uint32_t restart_index);
void rs_vgt_run(struct rs_front *f, struct rs_job *job);
/* Runs the vertex program for the batch's vertices; false after a fault. */
bool rs_vgt_run_vertices(struct rs_front *f);

#endif
