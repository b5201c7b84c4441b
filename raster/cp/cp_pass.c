/* SPDX-License-Identifier: MIT */
/* The pass under construction: draws and clears are collected, the front end
 * runs their jobs in groups, tiles render when the pass ends or its bins are
 * too big. */
#include "raster/cp/cp_pass.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include "isa/pm4.h"
#include "raster/arena.h"
#include "raster/back/back.h"
#include "raster/cp/build.h"
#include "raster/cp/cp_strmout.h"
#include "raster/cp/cp_targets.h"
#include "raster/cp/cp_tiles.h"
#include "raster/cp/gpu.h"
#include "raster/draw.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/job.h"
#include "raster/front/pa_state.h"
#include "raster/front/strmout.h"
#include "raster/front/vdraw.h"
#include "raster/pass.h"
#include "raster/pool.h"
#include "raster/program_cache.h"

/* --- Opening --- */

static bool open_pass(struct rs_gpu *gpu, const uint32_t key[RS_TARGET_KEY])
{
	struct rs_build *b = &gpu->build;
	memset(&b->pass, 0, sizeof b->pass);
	if (!rs_targets_decode(gpu, &b->pass))
		return false;
	size_t tiles = (size_t)b->pass.tiles_x * b->pass.tiles_y;
	b->pass.bin = rs_arena_zalloc(&b->arena, (tiles + 1) * sizeof *b->pass.bin);
	b->tile_items = rs_arena_zalloc(&b->arena, (tiles + 1) * sizeof *b->tile_items);
	bool ok = b->pass.bin && b->tile_items;
	for (unsigned i = 0; i < gpu->threads && ok; i++) {
		gpu->front[i].pass = &b->pass;
		gpu->front[i].slot.bounds = gpu->bounds;
		ok = rs_bin_reserve(&gpu->front[i], (uint32_t)tiles);
	}
	if (!ok)
		return rs_gpu_fail(gpu, "no memory for a pass");
	b->pass.bounds = gpu->bounds;
	memcpy(b->key, key, sizeof b->key);
	b->state = NULL;
	b->open = true;
	return true;
}

static struct rs_state *snapshot(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	uint64_t hash = gpu->context_hash;
	struct rs_state **head = &b->states[hash & 63];
	for (struct rs_state *s = *head; s; s = s->next)
		if (s->hash == hash && !memcmp(&s->context, &gpu->context, sizeof gpu->context))
			return s;
	struct rs_state *s = rs_arena_alloc(&b->arena, sizeof *s);
	if (!s)
		return NULL;
	s->context = gpu->context;
	s->hash = hash;
	s->uses = NULL;
	s->next = *head;
	rs_pa_state_init(&s->pa, &s->context, &b->pass);
	bool ok;
	s->strmout = rs_strmout_state(gpu, &b->arena, &s->context, &ok);
	if (!ok)
		return NULL;
	if (s->strmout && s->pa.params < s->strmout->params)
		s->pa.params = s->strmout->params;
	return *head = s;
}

bool rs_pass_prepare(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (b->open && b->arena.bytes > RS_PASS_BYTES && !rs_pass_flush(gpu))
		return false;
	if (b->open && b->state && !gpu->context_dirty)
		return true;
	uint32_t key[RS_TARGET_KEY];
	rs_targets_key(&gpu->context, key);
	if (b->open && memcmp(key, b->key, sizeof key) && !rs_pass_flush(gpu))
		return false;
	if (!b->open && !open_pass(gpu, key))
		return false;
	b->state = snapshot(gpu);
	gpu->context_dirty = false;
	return b->state || rs_gpu_fail(gpu, "no memory for a context");
}

/* --- Counters --- */

struct rs_counter *rs_pass_counter(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (!b->counter) {
		struct rs_counter_node *n = rs_arena_zalloc(&b->arena, sizeof *n);
		if (!n)
			return NULL;
		if (b->counter_last)
			b->counter_last->next = n;
		else
			b->counters = n;
		b->counter = b->counter_last = n;
	}
	return &b->counter->counter;
}

static void write_totals(const struct rs_gpu *gpu, uint64_t address, enum rs_total which)
{
	uint64_t *to = (uint64_t *)(uintptr_t)address;
	if (which == RS_TOTAL_SAMPLES)
		*to = gpu->samples;
	else if (which == RS_TOTAL_STATS)
		memcpy(to, gpu->stat, sizeof gpu->stat);
	else
		memcpy(to, gpu->stream[which - RS_TOTAL_STREAM0], sizeof gpu->stream[0]);
}

bool rs_pass_sample(struct rs_gpu *gpu, uint64_t address, unsigned which)
{
	struct rs_build *b = &gpu->build;
	if (!b->open) {
		write_totals(gpu, address, which);
		return true;
	}
	if (!rs_pass_counter(gpu))
		return rs_gpu_fail(gpu, "no memory for a counter");
	b->counter->address = address;
	b->counter->which = which;
	b->counter = NULL;
	return true;
}

static void write_counters(struct rs_gpu *gpu)
{
	for (struct rs_counter_node *n = gpu->build.counters; n; n = n->next) {
		gpu->samples += atomic_load(&n->counter.samples);
		for (unsigned i = 0; i < PM4_STATS; i++)
			gpu->stat[i] += atomic_load(&n->counter.stat[i]);
		for (unsigned i = 0; i < ISA_STREAMS; i++)
			for (unsigned k = 0; k < PM4_STREAM_COUNTS; k++)
				gpu->stream[i][k] += atomic_load(&n->counter.stream[i][k]);
		if (n->address)
			write_totals(gpu, n->address, n->which);
	}
}

/* --- Jobs --- */

/* A draw that takes little time, and of which nobody keeps the place among primitives. */
static bool is_small(const struct rs_entry *e)
{
	enum { SMALL = 64 };
	const struct rs_vdraw *d = e->draw;
	return d && rs_vdraw_units(d) <= (d->job_prims < SMALL ? d->job_prims : SMALL) && !d->strmout && !d->gs && !d->tess && !d->mesh;
}

/* Adds draws behind a small one to its job: a share of a group for each thread. */
static void join_small(struct rs_build *b, struct rs_job *job, unsigned threads)
{
	enum { ALL = 32, PRIMS = 256 };
	uint32_t prims = job->count;
	while (job->draws < ALL / threads && b->first && is_small(b->first) && prims < PRIMS) {
		prims += (uint32_t)rs_vdraw_units(b->first->draw);
		job->draws++;
		b->first = b->first->next;
	}
}

static bool next_job(struct rs_build *b, struct rs_job *job, unsigned threads)
{
	struct rs_entry *e = b->first;
	if (!e)
		return false;
	const bool small = !b->next_prim && is_small(e);
	*job = (struct rs_job){ .clear = e->clear, .resolve = e->resolve, .update = e->update, .done = !e->draw, .draws = 1 };
	if (e->draw) {
		uint64_t total = rs_vdraw_units(e->draw);
		uint64_t left = total - b->next_prim;
		job->draw = e->draw;
		job->first = b->next_prim;
		job->count = left < e->draw->job_prims ? (uint32_t)left : e->draw->job_prims;
		b->next_prim += job->count;
		if (b->next_prim < total)
			return true;
	}
	b->next_prim = 0;
	b->first = e->next;
	if (small)
		join_small(b, job, threads);
	if (!b->first)
		b->last = NULL;
	return true;
}

/* Bytes of primitives, params and bins; described: those of the pass's arena. */
static size_t geometry_bytes(struct rs_gpu *gpu, size_t described)
{
	return atomic_load_explicit(&gpu->blocks.used, memory_order_relaxed) - described;
}

/* How many of them before tiles are rendered.  Less is nearer to the cores, but what is discarded stays out of memory in a
 * pass of one piece only: worth more where pixels have several samples. */
static size_t pass_bytes(const struct rs_gpu *gpu)
{
	const struct rs_build *b = &gpu->build;
	return b->pass.samples > 1 && b->discards ? RS_PASS_BYTES : gpu->pass_bytes;
}

static void run_job(void *data, uint32_t index, unsigned thread)
{
	struct rs_gpu *gpu = data;
	struct rs_build *b = &gpu->build;
	struct rs_job *job = &b->job[index];
	if (job->done)
		return;
	if (b->limit && geometry_bytes(gpu, b->described) > pass_bytes(gpu) + (size_t)gpu->threads * RS_BLOCK_BYTES)
		return;
	if (job->draw && !atomic_load_explicit(&b->pass.failed, memory_order_relaxed))
		rs_front_run(&gpu->front[thread], job);
	job->done = true;
}

static void bin_chunk(struct rs_build *b, uint32_t tile, struct rs_item_chunk *first,
	struct rs_item_chunk *last, uint32_t items)
{
	struct rs_bin *bin = &b->pass.bin[tile];
	if (bin->last)
		bin->last->next = first;
	else
		bin->first = first;
	bin->last = last;
	b->tile_items[tile] += items;
}

/* Tiles [x0, x1) x [y0, y1). */
struct tile_box { uint32_t x0, y0, x1, y1; };

static struct tile_box box_of(const struct rs_pass *pass, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
	uint64_t x1 = (uint64_t)x + width, y1 = (uint64_t)y + height;
	x1 = x1 < pass->width ? x1 : pass->width;
	y1 = y1 < pass->height ? y1 : pass->height;
	if (x >= x1 || y >= y1)
		return (struct tile_box){ 0, 0, 0, 0 };
	return (struct tile_box){ x / RS_TILE, y / RS_TILE, (uint32_t)(x1 - 1) / RS_TILE + 1,
		(uint32_t)(y1 - 1) / RS_TILE + 1 };
}

static struct tile_box job_box(const struct rs_pass *pass, const struct rs_job *job)
{
	const struct pm4_clear_target *c = job->clear;
	const struct rs_target_resolve *t = job->resolve;
	return c ? box_of(pass, c->x, c->y, c->width, c->height) :
		box_of(pass, t->r.src_at[0], t->r.src_at[1], t->r.width, t->r.height);
}

static bool in_box(const struct tile_box *b, uint32_t x, uint32_t y)
{
	return x >= b->x0 && x < b->x1 && y >= b->y0 && y < b->y1;
}

/* The items of one tile for a run of clears and resolves. */
static bool commit_tile_boxes(struct rs_gpu *gpu, const struct rs_job *job, const struct tile_box *box,
	unsigned n, uint32_t x, uint32_t y)
{
	struct rs_build *b = &gpu->build;
	unsigned touched = 0;
	for (unsigned i = 0; i < n; i++)
		touched += in_box(&box[i], x, y);
	if (!touched)
		return true;
	struct rs_item_chunk *k = rs_arena_alloc(&gpu->front[0].arena, offsetof(struct rs_item_chunk, item) +
		touched * sizeof k->item[0]);
	if (!k)
		return rs_gpu_fail(gpu, "no memory for a clear");
	k->next = NULL;
	k->count = 0;
	for (unsigned i = 0; i < n; i++)
		if (in_box(&box[i], x, y))
			k->item[k->count++] = job[i].clear ? (struct rs_item){ job[i].clear, RS_ITEM_CLEAR, 0 } :
				(struct rs_item){ job[i].resolve, RS_ITEM_RESOLVE, 0 };
	bin_chunk(b, y * b->pass.tiles_x + x, k, k, touched);
	return true;
}

/* Consecutive ones share a chunk in each tile.  Takes as many as fit and sets *taken. */
static bool commit_boxes(struct rs_gpu *gpu, const struct rs_job *job, unsigned jobs, unsigned *taken)
{
	enum { RUN = 32 };
	struct tile_box box[RUN], all = { UINT32_MAX, UINT32_MAX, 0, 0 };
	unsigned n = 0;
	for (; n < jobs && n < RUN && (job[n].clear || job[n].resolve); n++) {
		box[n] = job_box(&gpu->build.pass, &job[n]);
		if (box[n].x0 == box[n].x1)
			continue;
		all.x0 = all.x0 < box[n].x0 ? all.x0 : box[n].x0;
		all.y0 = all.y0 < box[n].y0 ? all.y0 : box[n].y0;
		all.x1 = all.x1 > box[n].x1 ? all.x1 : box[n].x1;
		all.y1 = all.y1 > box[n].y1 ? all.y1 : box[n].y1;
	}
	*taken = n;
	for (uint32_t y = all.y0; y < all.y1; y++)
		for (uint32_t x = all.x0; x < all.x1; x++)
			if (!commit_tile_boxes(gpu, job, box, n, x, y))
				return false;
	return true;
}

static void commit_draw(struct rs_gpu *gpu, struct rs_job *job)
{
	if (job->captured)
		rs_strmout_commit(gpu, job);
	for (uint32_t i = 0; i < job->lists; i++)
		bin_chunk(&gpu->build, job->list[i].tile, job->list[i].first, job->list[i].last,
			job->list[i].items);
}

static bool commit_jobs(struct rs_gpu *gpu, struct rs_job *job, unsigned jobs)
{
	for (unsigned i = 0; i < jobs;) {
		unsigned taken = 1;
		if (job[i].draw)
			commit_draw(gpu, &job[i]);
		else if (job[i].update)
			rs_strmout_run_update(gpu, job[i].update);
		else if (!commit_boxes(gpu, &job[i], jobs - i, &taken))
			return false;
		i += taken;
	}
	rs_strmout_write(gpu, job, jobs);
	return true;
}

static bool front_failed(struct rs_gpu *gpu)
{
	for (unsigned i = 0; i < gpu->threads; i++)
		if (gpu->front[i].no_memory) {
			rs_gpu_fail(gpu, "no memory for primitives");
			return true;
		}
	return !rs_pass_check(gpu);
}

/* The next group of jobs; false: nothing of it is for threads. */
static bool gather_jobs(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	unsigned draws = 0;
	while (b->jobs < RS_JOBS_MAX && next_job(b, &b->job[b->jobs], gpu->threads))
		b->gathered += b->job[b->jobs++].draws;
	for (unsigned i = 0; i < b->jobs; i++)
		draws += b->job[i].draw && !b->job[i].done;
	rs_strmout_foresee(gpu, b->job, b->jobs);
	b->limit = true;
	b->described = b->arena.bytes;
	return draws;
}

/* Runs a group of jobs, or what is left of the one that is running, and commits those that memory allowed, in order. */
static bool run_jobs(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (b->running)
		rs_pool_end(gpu->pool);
	else if (gather_jobs(gpu))
		rs_pool_run(gpu->pool, b->jobs, run_job, gpu);
	b->running = false;
	/* Threads may leave a job out and do a later one: fill the holes. */
	unsigned ready = b->jobs;
	while (ready && !(b->job[ready - 1].draw && b->job[ready - 1].done))
		ready--;
	while (ready < b->jobs && !b->job[ready].draw)
		ready++;
	b->limit = false;
	for (unsigned i = 0; i < ready; i++) {
		run_job(gpu, i, 0);
		b->gathered -= b->job[i].draws;
		b->pending -= b->job[i].draws;
	}
	if (front_failed(gpu))
		return false;
	if (!commit_jobs(gpu, b->job, ready))
		return false;
	b->jobs -= ready;
	memmove(b->job, b->job + ready, b->jobs * sizeof *b->job);
	if (geometry_bytes(gpu, b->arena.bytes) <= pass_bytes(gpu))
		return true;
	b->pass.discard.targets = 0; /* what comes later in the pass reads it */
	return rs_pass_render(gpu);
}

/* With the last entry: runs groups that are complete; and begins one as soon as threads have nothing to do, so that what is
 * to be described meanwhile is not waited for. */
static bool go_on(struct rs_gpu *gpu)
{
	enum { SOME = 32, MANY = 4 * RS_JOBS_MAX };
	struct rs_build *b = &gpu->build;
	/* Whoever helps waits in the end for what others are at: seldom where draws are small, of which a job has several. */
	while (b->pending >= (b->running ? b->gathered : 0) + (gpu->threads == 1 ? RS_JOBS_MAX : MANY))
		if (!run_jobs(gpu))
			return false;
	if (gpu->threads == 1 || (b->state && b->state->strmout))
		return true;
	if (b->running && b->pending >= b->gathered + SOME && rs_pool_is_done(gpu->pool) && !run_jobs(gpu))
		return false;
	if (!b->running && b->pending >= SOME && gather_jobs(gpu)) {
		b->running = true;
		rs_pool_begin(gpu->pool, b->jobs, run_job, gpu);
	}
	return true;
}

/* Inline, as what is built in memory and read in one is waited for. */
static inline __attribute__((always_inline)) bool append(struct rs_gpu *gpu, struct rs_entry **first, struct rs_entry **last,
	struct rs_entry what)
{
	struct rs_entry *e = rs_arena_alloc(&gpu->build.arena, sizeof *e);
	if (!e)
		return rs_gpu_fail(gpu, "no memory for a draw");
	*e = what;
	if (*last && (*last)->draw)
		(*last)->draw->next = e->draw;
	if (*last)
		(*last)->next = e;
	else
		*first = e;
	*last = e;
	return true;
}

static inline __attribute__((always_inline)) bool add_entry(struct rs_gpu *gpu, struct rs_entry what, uint64_t jobs)
{
	struct rs_build *b = &gpu->build;
	/* Threads read what lies beside it, primitive by primitive. */
	if (b->pass.discard.targets)
		b->pass.discard.targets = 0;
	if (!append(gpu, &b->first, &b->last, what))
		return false;
	b->pending += jobs;
	return go_on(gpu);
}

bool rs_pass_add_draw(struct rs_gpu *gpu, struct rs_vdraw *d)
{
	uint64_t units = rs_vdraw_units(d);
	if (!units)
		return true;
	return add_entry(gpu, (struct rs_entry){ .draw = d }, units <= d->job_prims ? 1 : (units + d->job_prims - 1) / d->job_prims);
}

bool rs_pass_add_clear(struct rs_gpu *gpu, const struct pm4_clear_target *c)
{
	struct pm4_clear_target *copy = rs_arena_alloc(&gpu->build.arena, sizeof *copy);
	if (!copy)
		return rs_gpu_fail(gpu, "no memory for a clear");
	*copy = *c;
	if (gpu->build.barrier)
		return append(gpu, &gpu->build.late, &gpu->build.late_last, (struct rs_entry){ .clear = copy });
	return add_entry(gpu, (struct rs_entry){ .clear = copy }, 1);
}

bool rs_pass_add_resolve(struct rs_gpu *gpu, const struct rs_target_resolve *r)
{
	struct rs_target_resolve *copy = rs_arena_alloc(&gpu->build.arena, sizeof *copy);
	if (!copy)
		return rs_gpu_fail(gpu, "no memory for a resolve");
	*copy = *r;
	return add_entry(gpu, (struct rs_entry){ .resolve = copy }, 1);
}

void rs_pass_discard_targets(struct rs_gpu *gpu, const struct rs_discard *d)
{
	struct rs_build *b = &gpu->build;
	uint32_t key[RS_TARGET_KEY];
	rs_targets_key(&gpu->context, key);
	if (!b->open || memcmp(key, b->key, sizeof key))
		return;
	b->pass.discard = *d;
	b->discarded = true;
}

bool rs_pass_add_update(struct rs_gpu *gpu, const struct rs_strmout_update *u)
{
	if (!gpu->build.open) {
		rs_strmout_run_update(gpu, u);
		return true;
	}
	struct rs_strmout_update *copy = rs_arena_alloc(&gpu->build.arena, sizeof *copy);
	if (!copy)
		return rs_gpu_fail(gpu, "no memory for streamout");
	*copy = *u;
	return add_entry(gpu, (struct rs_entry){ .update = copy }, 1);
}

/* --- Barriers --- */

void rs_pass_barrier(struct rs_gpu *gpu)
{
	if (gpu->build.open)
		gpu->build.barrier = true;
}

/* Makes the clears after the barrier part of the pass. */
static bool take_late(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	struct rs_entry *e = b->late;
	b->late = b->late_last = NULL;
	b->barrier = false;
	for (; e; e = e->next)
		if (!add_entry(gpu, (struct rs_entry){ .clear = e->clear }, 1))
			return false;
	return true;
}

/* Clears right before a draw belong to its pass, while the tiles are at hand;
 * a long run of them is worth a pass of its own. */
bool rs_pass_settle(struct rs_gpu *gpu)
{
	enum { FEW = 16 };
	struct rs_build *b = &gpu->build;
	struct pm4_clear_target clear[FEW];
	uint32_t key[RS_TARGET_KEY];
	unsigned n = 0;
	if (!b->open || !b->barrier)
		return true;
	rs_targets_key(&gpu->context, key);
	if (memcmp(key, b->key, sizeof key))
		return rs_pass_flush(gpu);
	struct rs_entry *e = b->late;
	for (; e && n < FEW; e = e->next)
		clear[n++] = *e->clear;
	if (e)
		return rs_pass_flush(gpu);
	b->late = b->late_last = NULL;
	if (!rs_pass_flush(gpu))
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!rs_pass_prepare(gpu) || !rs_pass_add_clear(gpu, &clear[i]))
			return false;
	return true;
}

/* --- The end --- */

bool rs_pass_flush(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (!b->open)
		return true;
	if (!take_late(gpu))
		return false;
	while (b->first || b->jobs)
		if (!run_jobs(gpu))
			return false;
	if (!rs_pass_render(gpu))
		return false;
	if (b->pass.samples > 1)
		b->discards = b->discarded;
	b->discarded = false;
	write_counters(gpu);
	rs_pass_discard(gpu);
	return true;
}

void rs_pass_discard(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (b->running)
		rs_pool_end(gpu->pool);
	b->running = false;
	for (unsigned i = 0; i < 64; i++) {
		for (struct rs_state *s = b->states[i]; s; s = s->next)
			for (struct rs_ps_use *u = s->uses; u; u = u->next)
				rs_ps_state_destroy(u->state);
		b->states[i] = NULL;
	}
	if (b->open)
		for (unsigned i = 0; i < gpu->threads; i++)
			rs_arena_reset(&gpu->front[i].arena);
	if (b->arena.blocks)
		rs_arena_reset(&b->arena);
	b->state = NULL;
	b->last_draw = NULL;
	b->first = b->last = b->late = b->late_last = NULL;
	b->barrier = false;
	b->counters = b->counter_last = b->counter = NULL;
	b->next_prim = b->pending = b->gathered = 0;
	b->jobs = 0;
	b->open = false;
	rs_programs_free_stale(gpu->programs, &gpu->reader);
}
