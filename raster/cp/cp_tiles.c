/* SPDX-License-Identifier: MIT */
/* The tiles of a pass: which go first, which thread takes which. */
#include "raster/cp/cp_tiles.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include "raster/arena.h"
#include "raster/back/back.h"
#include "raster/cp/build.h"
#include "raster/cp/gpu.h"
#include "raster/front/front.h"
#include "raster/front/vdraw.h"
#include "raster/pass.h"
#include "raster/pool.h"
#include "raster/program_cache.h"

/* A tile has a home: the thread that takes it first, pass after pass, so that
 * the tile's pixels wait in that core's own cache.  Runs of tiles share a home. */
enum { HOME_RUN = 8, CLEARED_ACROSS = 32 };
struct tile_home { _Atomic uint32_t next; uint32_t end; char pad[56]; /* a cache line each */ };
/* across: of a tile, how many from it on are cleared with it. */
struct tile_run { struct rs_gpu *gpu; uint32_t *order; struct tile_home *home; const uint8_t *across; };

static unsigned home_of(const struct rs_gpu *gpu, uint32_t tile)
{
	return tile / HOME_RUN % gpu->threads;
}

/* One of the tiles at home here, else one of another thread's.  There are as
 * many calls as tiles, so each call finds one. */
static uint32_t take_tile(struct tile_run *r, unsigned thread)
{
	for (unsigned i = 0; i < r->gpu->threads; i++) {
		struct tile_home *h = &r->home[(thread + i) % r->gpu->threads];
		if (atomic_load_explicit(&h->next, memory_order_relaxed) >= h->end)
			continue;
		uint32_t at = atomic_fetch_add_explicit(&h->next, 1, memory_order_relaxed);
		if (at < h->end)
			return r->order[at];
	}
	assert(!"more calls than tiles");
	return 0;
}

static void run_tile(void *data, uint32_t index, unsigned thread)
{
	struct tile_run *r = data;
	struct rs_pass *pass = &r->gpu->build.pass;
	uint32_t tile = take_tile(r, thread);
	rs_tile_render(r->gpu->worker[thread], pass, tile % pass->tiles_x, tile / pass->tiles_x,
		r->across[tile]);
}

/* Whether nothing but the same clears is in both bins, and both or neither in what is discarded. */
static bool same_clears(const struct rs_pass *pass, uint32_t a, uint32_t b)
{
	const struct rs_item_chunk *x = pass->bin[a].first, *y = pass->bin[b].first;
	const uint64_t at = b % pass->tiles_x * RS_TILE, left = pass->discard.x, right = left + pass->discard.width;
	if (x->next || y->next || x->count != y->count || memcmp(x->item, y->item, x->count * sizeof *x->item))
		return false;
	for (unsigned i = 0; i < x->count; i++)
		if (x->item[i].kind != RS_ITEM_CLEAR)
			return false;
	return !pass->discard.targets || left >= at + RS_TILE || (left + RS_TILE <= at && right >= at + RS_TILE);
}

/* Tiles that are only cleared are cleared with those beside them, as long rows of memory; those have no items then. */
static void join_clears(struct rs_build *b, uint8_t *across)
{
	const struct rs_pass *pass = &b->pass;
	for (uint32_t y = 0; y < pass->tiles_y; y++)
		for (uint32_t x = 0, first = 0; x < pass->tiles_x; x++) {
			const uint32_t t = y * pass->tiles_x + x, f = y * pass->tiles_x + first;
			across[t] = 1;
			if (x == 0 || !b->tile_items[t] || !b->tile_items[f] || x - first >= CLEARED_ACROSS || !same_clears(pass, f, t)) {
				first = x;
				continue;
			}
			across[f]++;
			b->tile_items[t] = 0;
		}
}

static unsigned log2_bucket(uint32_t n)
{
	return n ? 31 - (unsigned)__builtin_clz(n) : 0;
}

/* Tiles with items, those with most first, by powers of two.  Equals go forwards
 * and backwards in turn: the last pass left the tiles it drew last in the cache. */
static uint32_t order_tiles(const struct rs_build *b, uint32_t *order)
{
	uint32_t tiles = b->pass.tiles_x * b->pass.tiles_y, at[33] = { 0 }, n = 0;
	for (uint32_t t = 0; t < tiles; t++)
		if (b->tile_items[t])
			at[32 - log2_bucket(b->tile_items[t])]++, n++;
	for (uint32_t i = 0, sum = 0; i < 33; i++) {
		uint32_t count = at[i];
		at[i] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < tiles; i++) {
		uint32_t t = b->backwards ? tiles - 1 - i : i;
		if (b->tile_items[t])
			order[at[32 - log2_bucket(b->tile_items[t])]++] = t;
	}
	return n;
}

/* Moves the tiles of each home together and keeps their order. */
static void send_home(struct tile_run *r, const uint32_t *sorted, uint32_t n)
{
	uint32_t sum = 0;
	for (unsigned i = 0; i < r->gpu->threads; i++)
		r->home[i].end = 0;
	for (uint32_t i = 0; i < n; i++)
		r->home[home_of(r->gpu, sorted[i])].end++;
	for (unsigned i = 0; i < r->gpu->threads; i++) {
		uint32_t count = r->home[i].end;
		atomic_store_explicit(&r->home[i].next, sum, memory_order_relaxed);
		r->home[i].end = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < n; i++)
		r->order[r->home[home_of(r->gpu, sorted[i])].end++] = sorted[i];
}

/* Of an aborted pass: the one that ran, or would have been the next, or was the last. */
static const struct cu_program *program_at_work(const struct rs_gpu *gpu)
{
	const struct rs_build *b = &gpu->build;
	const struct cu_program *pixel = atomic_load_explicit(&b->pass.aborted, memory_order_relaxed);
	if (pixel)
		return pixel;
	for (unsigned i = 0; i < b->jobs; i++)
		if (!b->job[i].done && b->job[i].draw)
			return b->job[i].draw->vs.program;
	return gpu->program;
}

bool rs_pass_check(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	if (!atomic_load(&b->pass.failed)) {
		if (!rs_gpu_aborted(gpu))
			return true;
		gpu->program = program_at_work(gpu);
		return rs_gpu_stopped(gpu, "");
	}
	return rs_gpu_fail_wave(gpu, b->pass.what, b->pass.program, &b->pass.error);
}

bool rs_pass_render(struct rs_gpu *gpu)
{
	struct rs_build *b = &gpu->build;
	size_t tiles = (size_t)b->pass.tiles_x * b->pass.tiles_y;
	struct rs_arena *arena = &gpu->front[0].arena;
	uint32_t *sorted = rs_arena_alloc(arena, (tiles + 1) * sizeof *sorted);
	struct tile_run run = { gpu, rs_arena_alloc(arena, (tiles + 1) * sizeof *run.order),
		rs_arena_alloc(arena, gpu->threads * sizeof *run.home) };
	uint8_t *across = rs_arena_alloc(arena, tiles + 1);
	if (!sorted || !run.order || !run.home || !across)
		return rs_gpu_fail(gpu, "no memory for a pass");
	join_clears(b, across);
	run.across = across;
	uint32_t n = order_tiles(b, sorted);
	b->backwards = !b->backwards;
	send_home(&run, sorted, n);
	rs_pool_run(gpu->pool, n, run_tile, &run);
	memset(b->pass.bin, 0, tiles * sizeof *b->pass.bin);
	memset(b->tile_items, 0, tiles * sizeof *b->tile_items);
	for (unsigned i = 0; i < gpu->threads; i++)
		rs_arena_reset(&gpu->front[i].arena);
	return rs_pass_check(gpu);
}
