/* SPDX-License-Identifier: MIT */
/* The device: creation, execution of streams, errors. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/group.h"
#include "core/interp/closed.h"
#include "core/jit/jit_host.h"
#include "core/level.h"
#include "core/memory.h"
#include "raster/arena.h"
#include "raster/back/back.h"
#include "raster/cp/cp.h"
#include "raster/cp/cp_draw.h"
#include "raster/cp/cp_pass.h"
#include "raster/cp/gpu.h"
#include "raster/front/front.h"
#include "raster/front/gs.h"
#include "raster/front/hs.h"
#include "raster/pool.h"
#include "raster/program_cache.h"
#include "raster/rs.h"

enum { MAX_THREADS = 256 };

bool rs_gpu_fail(struct rs_gpu *gpu, const char *format, ...)
{
	if (!gpu->lost) {
		va_list args;
		va_start(args, format);
		vsnprintf(gpu->error, sizeof gpu->error, format, args);
		va_end(args);
		gpu->lost = true;
	}
	return false;
}

bool rs_gpu_fail_wave(struct rs_gpu *gpu, const char *what, const struct cu_program *program,
	const struct cu_error *error)
{
	static const enum rs_access accesses[] = { [CU_ACCESS_READ] = RS_ACCESS_READ, [CU_ACCESS_WRITE] = RS_ACCESS_WRITE };
	char name[RS_PROGRAM_NAME];
	if (!program)
		return rs_gpu_fail(gpu, "%s: %s", what, error->text);
	uint64_t code = rs_programs_name(gpu->programs, program, name);
	if (!gpu->lost)
		gpu->fault = (struct rs_fault){ .access = accesses[error->access], .address = error->address,
			.bytes = error->bytes, .instruction = error->located && code ? code + 4 * (uint64_t)error->pc : 0 };
	return rs_gpu_fail(gpu, "%s of program %s: %s", what, name, error->text);
}

bool rs_gpu_aborted(struct rs_gpu *gpu)
{
	return __atomic_load_n(&gpu->shared->abort, __ATOMIC_ACQUIRE);
}

void rs_gpu_begin_turn(struct rs_gpu *gpu)
{
	if (gpu->shared->in_turn)
		pthread_mutex_lock(&gpu->shared->turn);
}

void rs_gpu_end_turn(struct rs_gpu *gpu)
{
	if (gpu->shared->in_turn)
		pthread_mutex_unlock(&gpu->shared->turn);
}

bool rs_gpu_stopped(struct rs_gpu *gpu, const char *where)
{
	char name[RS_PROGRAM_NAME];
	if (!gpu->program)
		return rs_gpu_fail(gpu, "aborted%s", where);
	rs_programs_name(gpu->programs, gpu->program, name);
	return rs_gpu_fail(gpu, "aborted%s; program %s was at work or the last", where, name);
}

static void front_finish(struct rs_front *f)
{
	if (f->arena.pool)
		rs_arena_reset(&f->arena);
	rs_gs_finish(f);
	rs_hs_finish(f);
	cu_slot_finish(&f->slot);
	free(f->batch);
	free(f->entry);
	free(f->tile_items);
	free(f->tile_used);
}

static void *zeroed(size_t bytes)
{
	size_t rounded = (bytes + 63) & ~(size_t)63;
	void *p = aligned_alloc(64, rounded);
	return p ? memset(p, 0, rounded) : NULL;
}

static void shared_destroy(struct rs_shared *s)
{
	rs_programs_finish(&s->programs);
	cu_host_destroy(s->programs.host);
	cu_memory_destroy(s->memory);
	pthread_mutex_destroy(&s->turn);
	free(s);
}

static bool front_init(struct rs_front *f, struct rs_gpu *gpu)
{
	f->k = gpu->kernels.pa;
	f->memory = gpu->shared->memory;
	f->arena.pool = &gpu->blocks;
	f->batch = zeroed(sizeof *f->batch);
	return cu_slot_init(&f->slot, CU_SLOT_WAVE | CU_SLOT_EXPORTS) && f->batch;
}

void rs_gpu_destroy(struct rs_gpu *gpu)
{
	if (!gpu || gpu->orphan)
		return;
	rs_pass_discard(gpu);
	for (unsigned i = 0; i < gpu->threads; i++) {
		if (gpu->front) {
			rs_cp_mesh_destroy(gpu, gpu->front[i].mesh);
			front_finish(&gpu->front[i]);
		}
		if (gpu->worker && gpu->worker[i])
			rs_worker_destroy(gpu->worker[i]);
		if (gpu->group && gpu->group[i])
			cu_group_ctx_destroy(gpu->group[i]);
	}
	free(gpu->front);
	free(gpu->worker);
	free(gpu->group);
	rs_programs_remove_reader(gpu->programs, &gpu->reader);
	rs_blocks_finish(&gpu->blocks);
	rs_pool_destroy(gpu->pool);
	if (gpu->owner)
		shared_destroy(gpu->shared);
	free(gpu);
}

static bool create_parts(struct rs_gpu *gpu)
{
	gpu->front = zeroed(gpu->threads * sizeof *gpu->front);
	gpu->worker = calloc(gpu->threads, sizeof *gpu->worker);
	gpu->group = calloc(gpu->threads, sizeof *gpu->group);
	if (!gpu->front || !gpu->worker || !gpu->group)
		return false;
	for (unsigned i = 0; i < gpu->threads; i++) {
		if (!front_init(&gpu->front[i], gpu))
			return false;
		if (!(gpu->worker[i] = rs_worker_create(&gpu->kernels)))
			return false;
		if (!(gpu->group[i] = cu_group_ctx_create()))
			return false;
	}
	gpu->pool = rs_pool_create(gpu->threads);
	if (gpu->pool)
		rs_pool_watch(gpu->pool, &gpu->shared->abort);
	return gpu->pool;
}

/* One for each CPU that this process may use. */
static unsigned thread_count(unsigned asked)
{
	const unsigned n = asked ? asked : rs_cpus();
	return n > MAX_THREADS ? MAX_THREADS : n;
}

static struct cu_host *create_host(const struct rs_gpu_info *info, const char **why)
{
	struct cu_host_info host = { .faults = info->jit_faults, .perf_map = info->perf_map,
		.dump_dir = info->dump_dir };
	if (!cu_core_parse(info->core, &host.core)) {
		*why = "QW_CORE is neither interp nor jit nor check";
		return NULL;
	}
	return cu_host_create(&host, why);
}

/* What queues share; the host is its own from then on.  NULL without memory. */
static struct rs_shared *shared_create(enum cu_level level, struct cu_host *host, bool checked)
{
	struct rs_shared *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	if (pthread_mutex_init(&s->turn, NULL))
		goto free_shared;
	if (!rs_programs_init(&s->programs, level, host))
		goto destroy_turn;
	/* Waves are run twice then, and must not see each other's stores. */
	s->in_turn = cu_host_core(host) == CU_CORE_CHECK;
	if (!checked)
		return s;
	s->memory = cu_memory_create();
	s->programs.memory = s->memory;
	if (s->memory)
		return s;
	rs_programs_finish(&s->programs);
destroy_turn:
	pthread_mutex_destroy(&s->turn);
free_shared:
	free(s);
	return NULL;
}

/* A queue of what is shared, as `like` says. */
static struct rs_gpu *create_queue(struct rs_shared *shared, const struct rs_gpu *like)
{
	struct rs_gpu *gpu = zeroed(sizeof *gpu);
	if (!gpu)
		return NULL;
	if (!rs_blocks_init(&gpu->blocks)) {
		free(gpu);
		return NULL;
	}
	gpu->shared = shared;
	gpu->programs = &shared->programs;
	rs_programs_add_reader(gpu->programs, &gpu->reader);
	gpu->level = like->level;
	gpu->kernels = rs_kernels_of(like->level);
	/* Border colours are a stream's, and one may be running. */
	gpu->bounds = (struct cu_bounds){ .abort = like->bounds.abort, .budget = like->bounds.budget,
		.memory = like->bounds.memory, .poison = like->bounds.poison };
	gpu->threads = like->threads;
	gpu->pass_bytes = (size_t)(gpu->threads + 1) * RS_THREAD_PASS_BYTES;
	if (gpu->pass_bytes > RS_PASS_BYTES)
		gpu->pass_bytes = RS_PASS_BYTES;
	gpu->build.arena.pool = &gpu->blocks;
	if (create_parts(gpu))
		return gpu;
	rs_gpu_destroy(gpu);
	return NULL;
}

struct rs_gpu *rs_gpu_create(const struct rs_gpu_info *info, const char **why)
{
	enum cu_level level;
	if (!cu_level_detect(info->level, &level, why))
		return NULL;
	struct cu_host *host = create_host(info, why);
	if (!host)
		return NULL;
	*why = NULL;
	struct rs_shared *shared = shared_create(level, host, info->checked);
	if (!shared) {
		cu_host_destroy(host);
		return NULL;
	}
	struct rs_gpu *gpu = create_queue(shared, &(struct rs_gpu){ .level = level,
		.threads = shared->in_turn ? 1 : thread_count(info->threads),
		.bounds = { .memory = shared->memory, .abort = &shared->abort, .budget = info->budget ? info->budget : RS_BUDGET,
			.poison = info->poison } });
	if (gpu)
		gpu->owner = true;
	else
		shared_destroy(shared);
	return gpu;
}

struct rs_gpu *rs_gpu_create_queue(const struct rs_gpu *gpu)
{
	return create_queue(gpu->shared, gpu);
}

static void execute(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords)
{
	unsigned mxcsr = cu_fp_enter();
	memset(gpu->sh, 0, sizeof gpu->sh);
	memset(gpu->uconfig, 0, sizeof gpu->uconfig);
	gpu->bounds.border_colors = 0;
	memset(&gpu->context, 0, sizeof gpu->context);
	gpu->context_dirty = true;
	gpu->context_hash = 0;
	gpu->skip = false;
	gpu->depth = 0;
	gpu->program = NULL;
	rs_programs_enter(gpu->programs, &gpu->reader);
	rs_programs_unverify(gpu->programs);
	if (rs_cp_stream(gpu, ib, dwords) && rs_pass_flush(gpu) && rs_gpu_aborted(gpu))
		rs_gpu_stopped(gpu, ""); /* the last packet's work may be incomplete */
	rs_pass_discard(gpu);
	rs_programs_leave(gpu->programs, &gpu->reader);
	cu_fp_leave(mxcsr);
}

enum rs_status rs_gpu_execute(struct rs_gpu *gpu, const uint32_t *ib, size_t dwords)
{
	if (gpu->lost)
		return RS_LOST;
	rs_gpu_begin_turn(gpu);
	execute(gpu, ib, dwords);
	rs_gpu_end_turn(gpu);
	return gpu->lost ? RS_LOST : RS_OK;
}

const char *rs_gpu_problem(const struct rs_gpu *gpu)
{
	return cu_host_problem(gpu->programs->host);
}

bool rs_gpu_prepare(struct rs_gpu *gpu, const uint32_t *code, const struct rs_prepare *how)
{
	struct cu_error err;
	if (gpu->orphan)
		return true;
	unsigned mxcsr = cu_fp_enter();
	bool ok = rs_programs_get(gpu->programs, (uintptr_t)code, how, &err);
	cu_fp_leave(mxcsr);
	return ok;
}

struct cu_program *rs_gpu_decode(struct rs_gpu *gpu, const uint32_t *code, size_t dwords)
{
	struct cu_error err;
	unsigned mxcsr = cu_fp_enter();
	struct cu_program *p = cu_program_create(gpu->level, code, dwords, &err);
	cu_fp_leave(mxcsr);
	if (p && cu_program_is_closed(p))
		return p;
	cu_program_destroy(p);
	return NULL;
}

void rs_gpu_drop(struct cu_program *decoded)
{
	cu_program_destroy(decoded);
}

void *rs_gpu_save(struct rs_gpu *gpu, const uint32_t *code, size_t *bytes)
{
	return gpu->orphan ? NULL : rs_programs_save(gpu->programs, (uintptr_t)code, bytes);
}

enum cu_level rs_gpu_level(const struct rs_gpu *gpu)
{
	return gpu->level;
}

void rs_gpu_forget(struct rs_gpu *gpu, const uint32_t *code)
{
	if (!gpu->orphan)
		rs_programs_forget(gpu->programs, (uintptr_t)code);
}

const char *rs_gpu_error(const struct rs_gpu *gpu)
{
	return gpu->error;
}

struct rs_fault rs_gpu_fault(const struct rs_gpu *gpu)
{
	return gpu->fault;
}

void rs_gpu_abort(struct rs_gpu *gpu)
{
	__atomic_store_n(&gpu->shared->abort, 1, __ATOMIC_RELEASE);
}

void rs_gpu_orphan(struct rs_gpu *gpu)
{
	gpu->orphan = gpu->lost = true;
}

bool rs_gpu_add_memory(struct rs_gpu *gpu, const void *p, size_t bytes)
{
	struct cu_memory *memory = gpu->shared->memory;
	return !memory || gpu->orphan || cu_memory_add(memory, p, bytes);
}

void rs_gpu_remove_memory(struct rs_gpu *gpu, const void *p)
{
	if (gpu->shared->memory && !gpu->orphan)
		cu_memory_remove(gpu->shared->memory, p);
}

unsigned rs_gpu_threads(const struct rs_gpu *gpu)
{
	return gpu->threads;
}
