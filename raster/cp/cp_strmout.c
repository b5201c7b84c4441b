/* SPDX-License-Identifier: MIT */
/* Streamout in the command processor; see cp_strmout.h. */
#include "raster/cp/cp_strmout.h"

#include <string.h>
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/gpu.h"
#include "raster/draw.h"
#include "raster/front/job.h"
#include "raster/front/strmout.h"
#include "raster/front/vdraw.h"
#include "raster/pool.h"

const struct rs_strmout *rs_strmout_state(struct rs_gpu *gpu, struct rs_arena *a, const struct rs_context *c, bool *ok)
{
	*ok = true;
	if (!REG_GET(c->reg[R_VGT_STRMOUT_CONFIG], VGT_STRMOUT_CONFIG, STREAMOUT_EN))
		return NULL;
	struct rs_strmout *s = rs_arena_alloc(a, sizeof *s);
	const char *error = s ? rs_strmout_init(s, c) : "no memory for streamout";
	*ok = !error;
	if (error)
		rs_gpu_fail(gpu, "%s", error);
	return error ? NULL : s;
}

/* --- How far buffers are filled --- */

void rs_strmout_run_update(struct rs_gpu *gpu, const struct rs_strmout_update *u)
{
	uint64_t *filled = &gpu->filled[u->buffer];
	if (u->to)
		*u->to = (uint32_t)*filled;
	if (!u->keeps)
		*filled = u->from ? *u->from : u->filled;
}

bool rs_cp_STRMOUT_BUFFER_UPDATE(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_strmout_buffer_update *k = (const void *)p;
	struct rs_strmout_update u = { .buffer = k->control >> PM4_STRMOUT_BUFFER_LO & 3, .filled = k->src_lo };
	if (k->control & PM4_STRMOUT_STORE && !rs_cp_address(gpu, &k->dst_lo, 4, &u.to))
		return false;
	switch (k->control & PM4_STRMOUT_SOURCE) {
	case PM4_STRMOUT_FROM_PACKET: break;
	case PM4_STRMOUT_KEEP: u.keeps = true; break;
	case PM4_STRMOUT_FROM_MEMORY:
		if (!rs_cp_address(gpu, &k->src_lo, 4, &u.from))
			return false;
		break;
	default: return rs_gpu_fail(gpu, "source of control 0x%x is not supported", k->control);
	}
	return rs_pass_settle(gpu) && rs_pass_add_update(gpu, &u);
}

bool rs_cp_COPY_DATA(struct rs_gpu *gpu, const uint32_t *p, uint32_t n)
{
	const struct pm4_copy_data *k = (const void *)p;
	const uint32_t *src = NULL;
	if (k->control != PM4_COPY_DATA_MEM_TO_REG)
		return rs_gpu_fail(gpu, "control 0x%x is not supported", k->control);
	if (!rs_cp_address(gpu, &k->src_lo, 4, &src) || !rs_pass_settle(gpu))
		return false;
	const uint32_t set[2] = { k->reg, *src };
	return rs_cp_SET_CONTEXT_REG(gpu, set, 2);
}

/* --- Before jobs --- */

void rs_strmout_foresee(const struct rs_gpu *gpu, struct rs_job *job, unsigned jobs)
{
	uint64_t filled[ISA_STRMOUT_BUFFERS];
	bool stored = false; /* by the time that these updates run, memory may say something else */
	memcpy(filled, gpu->filled, sizeof filled);
	for (unsigned i = 0; i < jobs; i++) {
		const struct rs_strmout_update *u = job[i].update;
		const struct rs_vdraw *d = job[i].draw;
		if (u) {
			if (u->from && stored && !u->keeps)
				return;
			stored |= u->to != NULL;
			if (!u->keeps)
				filled[u->buffer] = u->from ? *u->from : u->filled;
		}
		if (!d || !d->strmout)
			continue;
		if (!rs_strmout_counts(d))
			return;
		if (!job[i].done) {
			job[i].placed = true;
			memcpy(job[i].filled, filled, sizeof filled);
		}
		rs_strmout_skip(d, job[i].count, filled);
	}
}

/* --- The end of jobs --- */

static void count(struct rs_counter *c, unsigned stream, unsigned what, uint64_t n)
{
	atomic_fetch_add_explicit(&c->stream[stream][what], n, memory_order_relaxed);
}

void rs_strmout_commit(struct rs_gpu *gpu, struct rs_job *job)
{
	for (struct rs_strmout_chunk *k = job->captured; k; k = k->next) {
		uint32_t written = rs_strmout_place(job->draw->strmout, k, gpu->filled);
		count(job->draw->streams, k->stream, PM4_STREAM_NEEDED, k->prims);
		count(job->draw->streams, k->stream, PM4_STREAM_WRITTEN, written);
	}
}

static void write_job(void *data, uint32_t index, unsigned thread)
{
	struct rs_job *job = (struct rs_job *)data + index;
	for (; job->captured; job->captured = job->captured->next)
		rs_strmout_copy(job->draw->strmout, job->captured);
}

void rs_strmout_write(struct rs_gpu *gpu, struct rs_job *job, unsigned jobs)
{
	while (jobs && !job->captured) {
		job++;
		jobs--;
	}
	while (jobs && !job[jobs - 1].captured)
		jobs--;
	if (jobs == 1)
		write_job(job, 0, 0);
	else if (jobs)
		rs_pool_run(gpu->pool, jobs, write_job, job);
}
