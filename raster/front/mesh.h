/* SPDX-License-Identifier: MIT */
/* Meshes: groups of a mesh program that write their vertices and primitives to an output
 * block (isa/abi.h), of which batches are made. */
#ifndef RASTER_FRONT_MESH_H
#define RASTER_FRONT_MESH_H

#include <stdbool.h>
#include <stdint.h>
#include "core/group.h"
#include "isa/abi.h"

struct rs_batch;
struct rs_front;

/* What a task group left: a grid of mesh groups, and the payload that they read. */
struct rs_task {
	uint32_t first;              /* its first group's number in the draw */
	uint32_t groups[3];
	const void *payload;
};

/* A draw of mesh groups, which are numbered through all tasks; in the pass's arena. */
struct rs_mesh_draw {
	struct cu_group group;       /* of the mesh program, its user SGPRs but for those of one group */
	const struct rs_task *task;  /* those with groups, in order */
	uint32_t tasks;
	uint32_t payload_bytes;      /* 0: there are no payloads */
	/* Of QW_MESH_OUTPUT and QW_MESH_CNTL. */
	unsigned vertices, prims, params, prim_params;
	bool prim_layer, prim_viewport, prim_cull, view_layer;
	unsigned position_rows;      /* of a vertex, before its params */
};

/* What a thread has for them: memory that the programs reach, and where it is in the draw. */
enum { RS_MESH_BLOCK_BYTES = ABI_MESH_HEAD_BYTES + 64 +
	4 * (4 * ABI_MESH_MAX_VERTICES * (4 + 32) + ABI_MESH_MAX_PRIMITIVES * ABI_MESH_PRIM_ROWS),
	RS_MESH_PAYLOAD_BYTES = ABI_TASK_HEAD_BYTES + ABI_TASK_MAX_PAYLOAD };
struct rs_mesh {
	struct cu_group_ctx *ctx;    /* the thread's, which runs groups */
	uint8_t *memory;             /* block, then payload */
	uint8_t *block, *payload;    /* payload: with the head of a task group's block before it */
	const void *payload_of;      /* what was copied to it */
	bool begun;                  /* the group at hand has run, and primitives [at, end) are left */
	uint32_t at, end, count;     /* count: of vertices */
	uint16_t slot_of[ABI_MESH_MAX_VERTICES]; /* in the batch at hand */
	uint16_t vertex[ABI_MESH_MAX_VERTICES], leads[ABI_MESH_MAX_VERTICES]; /* by slot: whose vertex and primitive */
};
enum { RS_MESH_MEMORY_BYTES = ((RS_MESH_BLOCK_BYTES + 63) & ~63) + RS_MESH_PAYLOAD_BYTES };

/* Before the first batch of a job. */
void rs_mesh_begin(struct rs_front *f);
/* Fills the batch with primitives of the job's next groups: all or some of one's.  There may
 * be none.  False after a fault or without memory. */
bool rs_mesh_fill(struct rs_front *f, struct rs_batch *b);

#endif
