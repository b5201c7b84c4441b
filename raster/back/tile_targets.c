/* SPDX-License-Identifier: MIT */
/* Targets of a tile.  What is cleared before anything is drawn to it, and read by nobody when the pass is over, is
 * nobody's business in between: the worker keeps it in memory of its own, the same for each tile, which stays in the
 * core's cache, and the target's memory is neither read nor written.  So are many depth buffers, and most samples of what
 * is resolved. */
#include <stdlib.h>
#include "isa/pm4.h"
#include "isa/surface.h"
#include "raster/back/tile.h"
#include "raster/back/worker.h"
#include "raster/pass.h"

/* Targets in the order of their bits. */
enum { DEPTH = 8, STENCIL = 9, TARGETS = 10, MEMORY_BYTES = 1 << 19 };
_Static_assert(PM4_CLEAR_DEPTH == 1 << DEPTH && PM4_CLEAR_STENCIL == 1 << STENCIL && RS_MAX_COLOR == DEPTH,
	"targets have the bits of clears");

static struct rs_target *target_of(struct rs_targets *t, unsigned n)
{
	return n == DEPTH ? &t->depth : n == STENCIL ? &t->stencil : &t->color[n];
}

/* Whether a rectangle has all pixels of the tile that the target has. */
static bool covers(const struct rs_worker *w, const struct surf_plane *p, const uint32_t rect[4])
{
	const uint64_t x = (uint32_t)w->x, y = (uint32_t)w->y;
	const uint64_t right = x + RS_TILE < p->width ? x + RS_TILE : p->width;
	const uint64_t bottom = y + RS_TILE < p->height ? y + RS_TILE : p->height;
	return rect[0] <= x && rect[1] <= y && (uint64_t)rect[0] + rect[2] >= right &&
		(uint64_t)rect[1] + rect[3] >= bottom;
}

/* Of these targets, those that the clears at the beginning clear; whether there is anything else. */
static uint32_t cleared_first(struct rs_worker *w, const struct rs_bin *bin, uint32_t targets, bool *more)
{
	uint32_t cleared = 0;
	*more = false;
	for (const struct rs_item_chunk *c = bin->first; c && !*more; c = c->next)
		for (unsigned i = 0; i < c->count && !*more; i++) {
			const struct pm4_clear_target *k = c->item[i].p;
			*more = c->item[i].kind != RS_ITEM_CLEAR;
			for (uint32_t t = *more ? 0 : targets & k->targets; t; t &= t - 1) {
				const unsigned n = (unsigned)__builtin_ctz(t);
				const uint32_t rect[4] = { k->x, k->y, k->width, k->height };
				if (!k->first_slice && k->slice_count && covers(w, &target_of(&w->own, n)->plane, rect))
					cleared |= 1u << n;
			}
		}
	return cleared;
}

/* Bytes of a tile; 0: it stays where it is. */
static size_t tile_bytes(const struct rs_worker *w, const struct surf_plane *p)
{
	const struct rs_discard *d = &w->pass->discard;
	const uint32_t rect[4] = { d->x, d->y, d->width, d->height };
	if (!p->base || p->slices != 1 || !covers(w, p, rect))
		return 0;
	return (size_t)RS_TILE * RS_TILE * p->bpe * p->samples;
}

/* The tile's first texel is at `to`. */
static void move(const struct rs_worker *w, struct surf_plane *p, uint8_t *to)
{
	const uint32_t x = p->samples > 1 ? surf_ms_x(p->samples, (uint32_t)w->x, 0) : (uint32_t)w->x;
	p->pitch = RS_TILE * (uint32_t)p->bpe * p->samples * (p->tiling == TILING_4X4 ? 4 : 1);
	p->base = (uint8_t *)((uintptr_t)to - surf_x_part(p->tiling, p->bpe, x) -
		surf_y_part(p->tiling, p->bpe, p->pitch, (uint32_t)w->y));
}

static bool reserve(struct rs_worker *w, size_t bytes)
{
	if (bytes <= w->memory_bytes)
		return true;
	if (bytes > MEMORY_BYTES)
		return false;
	free(w->memory);
	w->memory = aligned_alloc(64, bytes);
	w->memory_bytes = w->memory ? bytes : 0;
	return w->memory;
}

void rs_tile_targets(struct rs_worker *w, const struct rs_bin *bin)
{
	size_t bytes[TARGETS] = { 0 }, sum = 0;
	bool more;
	w->targets = &w->pass->targets;
	if (!w->pass->discard.targets)
		return;
	w->own = w->pass->targets;
	uint32_t targets = cleared_first(w, bin, w->pass->discard.targets & ((1u << TARGETS) - 1), &more);
	for (unsigned n = 0; n < TARGETS; n++) {
		if (targets >> n & 1)
			bytes[n] = tile_bytes(w, &target_of(&w->own, n)->plane);
		sum += bytes[n];
	}
	if (!sum || !reserve(w, sum))
		return;
	uint8_t *to = w->memory;
	for (unsigned n = 0; n < TARGETS; to += bytes[n++])
		if (bytes[n] && more)
			move(w, &target_of(&w->own, n)->plane, to);
		else if (bytes[n])
			target_of(&w->own, n)->plane.base = NULL; /* nobody would see the clear */
	w->targets = &w->own;
}
