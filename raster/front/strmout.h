/* SPDX-License-Identifier: MIT */
/* Streamout (transform feedback): captured outputs of vertices go to buffers, primitive by
 * primitive.  It takes batches, whichever step filled them, in two parts, so that threads need not
 * wait for each other: a job gathers what it captures, as records without holes, and when jobs are
 * committed, in their order, each learns where its records go (rs_strmout_place); then they are
 * copied (rs_strmout_copy), by any thread.  Where it is known beforehand how much the jobs in front
 * of it write (rs_strmout_counts), a job writes to the buffers at once.
 *
 * A primitive is written to all buffers of its stream or to none (Vulkan, "Transform Feedback"). */
#ifndef RASTER_FRONT_STRMOUT_H
#define RASTER_FRONT_STRMOUT_H

#include <stdbool.h>
#include <stdint.h>
#include "isa/strmout.h"

struct rs_batch;
struct rs_context;
struct rs_front;
struct rs_vdraw;

/* Of a record, what lies together in the buffer as well. */
struct rs_strmout_piece { uint16_t from, to, bytes; };

struct rs_strmout_buffer {
	uint8_t *base;               /* NULL: nothing is bound */
	uint64_t bytes;
	uint32_t stride, packed;     /* of a vertex, bytes: in the buffer, of its record */
	unsigned first_run, runs, first_piece, pieces;
};

/* What a context says. */
struct rs_strmout {
	struct rs_strmout_buffer buffer[ISA_STRMOUT_BUFFERS];
	uint8_t enabled;             /* streams, a bit each */
	uint8_t buffers[ISA_STREAMS];/* those of a stream that are bound, a bit each */
	unsigned params;             /* of a vertex that are read: 0 .. params - 1 */
	struct isa_strmout_run run[ISA_STRMOUT_RUNS];
	struct rs_strmout_piece piece[ISA_STRMOUT_RUNS];
};

/* What a job gathered of one batch. */
struct rs_strmout_chunk {
	struct rs_strmout_chunk *next;
	uint32_t prims;
	uint8_t stream, corners;
	const uint8_t *record[ISA_STRMOUT_BUFFERS]; /* NULL: it went to the buffer */
	/* By rs_strmout_place. */
	uint32_t written;            /* primitives */
	uint8_t *to[ISA_STRMOUT_BUFFERS];
};

/* Decodes the registers and the table.  NULL, or what is wrong with them. */
const char *rs_strmout_init(struct rs_strmout *s, const struct rs_context *c);
/* Gathers the batch's primitives for the running job; without memory f->no_memory says so. */
void rs_strmout_gather(struct rs_front *f, const struct rs_batch *b);
/* Finds room for the chunk behind the bytes that are filled, moves these on, and returns how many
 * primitives are written. */
uint32_t rs_strmout_place(const struct rs_strmout *s, struct rs_strmout_chunk *k, uint64_t filled[ISA_STRMOUT_BUFFERS]);
/* Whether each primitive of the draw becomes just one. */
bool rs_strmout_counts(const struct rs_vdraw *d);
/* Moves on what is filled as so many primitives of such a draw will. */
void rs_strmout_skip(const struct rs_vdraw *d, uint32_t prims, uint64_t filled[ISA_STRMOUT_BUFFERS]);
void rs_strmout_copy(const struct rs_strmout *s, const struct rs_strmout_chunk *k);

#endif
