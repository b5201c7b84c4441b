/* SPDX-License-Identifier: MIT */
/* Streamout as the command processor sees it: its state, how far buffers are filled, and
 * the end of jobs that captured something. */
#ifndef RASTER_CP_CP_STRMOUT_H
#define RASTER_CP_CP_STRMOUT_H

#include <stdbool.h>
#include <stdint.h>

struct rs_arena;
struct rs_context;
struct rs_gpu;
struct rs_job;
struct rs_strmout;

/* STRMOUT_BUFFER_UPDATE, decoded. */
struct rs_strmout_update {
	uint8_t buffer;
	bool keeps;                  /* what is filled; else it becomes *from, or `filled` without that */
	uint32_t filled;
	const uint32_t *from;        /* or NULL */
	uint32_t *to;                /* where the bytes filled are stored first, or NULL */
};

/* What the context says of streamout: NULL if it is off, or with *ok false if gpu has failed. */
const struct rs_strmout *rs_strmout_state(struct rs_gpu *gpu, struct rs_arena *a, const struct rs_context *c, bool *ok);
void rs_strmout_run_update(struct rs_gpu *gpu, const struct rs_strmout_update *u);
/* Tells jobs that are about to run where in the buffers they begin, up to one behind a job of which
 * nobody knows beforehand how much it writes. */
void rs_strmout_foresee(const struct rs_gpu *gpu, struct rs_job *job, unsigned jobs);
/* Finds places for what the job captured, in the order of jobs, and counts its primitives. */
void rs_strmout_commit(struct rs_gpu *gpu, struct rs_job *job);
/* Copies what was committed of these jobs. */
void rs_strmout_write(struct rs_gpu *gpu, struct rs_job *job, unsigned jobs);

#endif
