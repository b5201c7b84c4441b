/* SPDX-License-Identifier: MIT */
/* The front end's order. */
#include "raster/front/front.h"

#include "isa/pm4.h"
#include "raster/draw.h"
#include "raster/front/bin.h"
#include "raster/front/ds.h"
#include "raster/front/gs.h"
#include "raster/front/hs.h"
#include "raster/front/job.h"
#include "raster/front/mesh.h"
#include "raster/front/pa.h"
#include "raster/front/pa_state.h"
#include "raster/front/strmout.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"

static void count(struct rs_front *f, const struct rs_batch *b, struct rs_counter *stats)
{
	rs_count(stats, PM4_STAT_CLIP_INVOCATIONS, b->prims);
	rs_count(stats, PM4_STAT_CLIP_PRIMITIVES, rs_pa_count_visible(f, b));
}

/* What is made of a batch before it is rasterized. */
static void stream_out(struct rs_front *f, const struct rs_batch *b)
{
	struct rs_counter *c = f->draw->streams;
	if (!c)
		return;
	atomic_fetch_add_explicit(&c->stream[b->stream][PM4_STREAM_GENERATED], b->prims, memory_order_relaxed);
	if (f->draw->strmout)
		rs_strmout_gather(f, b);
}

/* From vertices in clip space to bins. */
static void set_up(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	stream_out(f, b);
	if ((f->pa->kill && !stats) || b->stream != f->pa->rast_stream) /* nothing is rasterised */
		return;
	rs_pa_project(f, b);
	if (stats)
		count(f, b, stats);
	if (!f->pa->kill)
		rs_pa_set_up(f, b);
}

/* What the geometry program makes of primitives that were fetched; false after a fault. */
static bool run_waves(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	while (rs_gs_lanes(f)) {
		if (!rs_gs_run(f))
			return false;
		while (rs_gs_assemble(f, b, stats))
			set_up(f, b, stats);
	}
	return true;
}

static void run_geometry(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	while (f->next < f->end)
		if (!rs_gs_fetch(f, stats) || !run_waves(f, b, stats))
			return;
}

/* The patches of a group; false after a fault. */
static bool run_domain(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	while (f->draw->gs && rs_gs_fetch(f, stats))
		if (!run_waves(f, b, stats))
			return false;
	while (!f->draw->gs && rs_ds_fetch(f, b, stats)) {
		if (!rs_vgt_run_vertices(f, b))
			return false;
		if (f->pa->primitive_id)
			rs_ds_number(f, b);
		set_up(f, b, stats);
	}
	return true;
}

static void run_tessellation(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	f->part = 0;
	if (f->draw->parts > 1) { /* a job is one */
		f->part = (uint32_t)(f->job->first % f->draw->parts);
		f->next = f->job->first / f->draw->parts;
		f->end = f->next + 1;
	}
	while (f->next < f->end)
		if (!rs_hs_run(f, stats) || !run_domain(f, b, stats))
			return;
}

/* The next primitives with their vertices; false after a fault or without memory. */
static bool fill(struct rs_front *f, struct rs_batch *b)
{
	if (f->draw->mesh)
		return rs_mesh_fill(f, b);
	rs_vgt_fetch(f, b);
	return rs_vgt_run_vertices(f, b);
}

/* From f->next to f->end. */
static void run_draw(struct rs_front *f, const struct rs_vdraw *d)
{
	struct rs_batch *b = f->batch;
	struct rs_counter *stats = d->draw->stats;
	f->draw = d;
	f->pa = d->pa;
	if (f->draw->tess)
		run_tessellation(f, b, stats);
	else if (f->draw->gs)
		run_geometry(f, b, stats);
	if (f->draw->mesh)
		rs_mesh_begin(f);
	while (f->next < f->end && !f->draw->gs && !f->draw->tess) {
		if (!fill(f, b))
			break;
		if (stats && !f->draw->mesh)
			rs_count(stats, PM4_STAT_VS_INVOCATIONS, b->count);
		if (f->pa->primitive_id)
			rs_vgt_number(f, b);
		set_up(f, b, stats);
	}
}

static void foresee(const struct rs_vdraw *d)
{
	cu_program_foresee(d->vs.program, d->vs.user, d->vs.user_count);
}

/* While d runs, memory of the next draw is on its way, and the description of the one behind that: another CPU may
 * have written them.  left: draws of the job behind d; what follows these may be written just now. */
static void look_ahead(const struct rs_vdraw *d, uint32_t left)
{
	enum { LINE = 64 };
	if (left < 1)
		return;
	foresee(d->next);
	if (left > 1)
		for (size_t at = 0; at < sizeof *d; at += LINE)
			__builtin_prefetch((const uint8_t *)d->next->next + at);
}

void rs_front_run(struct rs_front *f, struct rs_job *job)
{
	const struct rs_vdraw *d = job->draw;
	f->job = job;
	f->next = job->first;
	f->end = job->first + job->count;
	if (job->draws > 1)
		foresee(d);
	look_ahead(d, job->draws - 1);
	run_draw(f, d);
	for (uint32_t n = 1; n < job->draws; n++) {
		d = d->next;
		look_ahead(d, job->draws - 1 - n);
		f->next = 0;
		f->end = rs_vdraw_units(d);
		run_draw(f, d);
	}
	rs_bin_finish_job(f, job);
}
