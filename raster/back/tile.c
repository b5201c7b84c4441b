/* SPDX-License-Identifier: MIT */
/* Renders a tile: its items in order, primitives through the kernels, clears
 * by direct fills. */
#include "raster/back/tile.h"

#include <stdatomic.h>
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "isa/stages.h"
#include "raster/back/back.h"
#include "raster/back/cb.h"
#include "raster/back/group.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/pass.h"
#include "raster/prim.h"

enum { PREFETCH = 6, POINT_AHEAD = 2, ITEMS_AHEAD = 8 }; /* items; a power of two above PREFETCH */

static bool aborted(const struct rs_pass *pass)
{
	return pass->bounds.abort && __atomic_load_n(pass->bounds.abort, __ATOMIC_RELAXED);
}

void rs_worker_count(struct rs_worker *w)
{
	if (w->counter && w->samples)
		atomic_fetch_add_explicit(&w->counter->samples, w->samples, memory_order_relaxed);
	if (w->stats && w->invocations)
		rs_count(w->stats, PM4_STAT_PS_INVOCATIONS, w->invocations);
	w->samples = w->invocations = 0;
}

/* Two draws whose quads may share a wave. */
static bool same_wave(const struct rs_draw *a, const struct rs_draw *b)
{
	return a->context == b->context && a->state == b->state && a->counter == b->counter && a->stats == b->stats &&
		cu_use_is(&a->ps, &b->ps);
}

static bool is_normalized(const struct rs_target *t)
{
	return t->plane.nfmt == NFMT_UNORM || t->plane.nfmt == NFMT_SNORM || t->plane.nfmt == NFMT_SRGB;
}

static void bind_colors(struct rs_worker *w)
{
	w->color_count = 0;
	w->waves.reads = w->state->order != RS_Z_EARLY;
	w->waves.numbers = true;
	for (unsigned n = 0; n < RS_MAX_COLOR; n++) {
		struct rs_color *c = &w->color[w->color_count];
		if (!rs_color_bind(c, w->pass, &w->targets->color[n], w->state, n, w->formats))
			continue;
		w->waves.reads |= c->read || c->partial;
		w->waves.numbers &= is_normalized(&w->targets->color[n]);
		w->color_count++;
	}
}

static void bind_depth(struct rs_worker *w)
{
	const struct rs_ps_state *s = w->state;
	struct rs_depth *d = &w->depth;
	d->use_z = w->targets->depth.plane.base && (s->z_enable || s->bounds_enable);
	d->use_stencil = w->targets->stencil.plane.base && s->stencil_enable;
	d->tests = d->use_z || d->use_stencil;
	w->order = s->order;
	bool failing = false;
	for (unsigned i = 0; d->use_stencil && i < 2; i++)
		failing |= s->face[i].write_mask &&
			(s->face[i].fail != STENCIL_KEEP || s->face[i].zfail != STENCIL_KEEP);
	/* those that order or pin the depth: a range can decide */
	bool ranged = s->z_func != COMPARE_NEVER && s->z_func != COMPARE_NOTEQUAL && s->z_func != COMPARE_ALWAYS;
	const struct rs_target *z = &w->targets->depth, *stencil = &w->targets->stencil;
	d->quick = d->tests && !s->bounds_enable && (!d->use_z || z->plane.tiling == TILING_4X4) &&
		(!d->use_stencil || stencil->plane.tiling == TILING_4X4);
	d->quick_late = d->quick && d->use_z && !d->use_stencil && z->plane.bpe == 4;
	d->quick_quads = d->quick_late && s->order == RS_Z_EARLY;
	if (d->quick && d->use_z)
		d->z_tile = rs_address(z, 0, (uint32_t)w->x, (uint32_t)w->y);
	if (d->quick && d->use_stencil)
		d->stencil_tile = rs_address(stencil, 0, (uint32_t)w->x, (uint32_t)w->y);
	d->use_hiz = d->use_z && s->z_enable && s->order != RS_Z_LATE && ranged && !failing;
}

void rs_worker_bind(struct rs_worker *w, const struct rs_draw *draw)
{
	w->slot.tex.call++; /* there may have been a barrier */
	if (w->draw && same_wave(w->draw, draw)) {
		w->draw = draw;
		return;
	}
	if (draw->ps.program)
		cu_program_foresee(draw->ps.program, draw->ps.user, draw->ps.user_count);
	w->k->flush(w);
	if (w->counter != draw->counter || w->stats != draw->stats) {
		rs_worker_count(w);
		w->counter = draw->counter;
		w->stats = draw->stats;
	}
	w->draw = draw;
	w->waves.lds_prim = w->waves.lane_prim = NULL;
	w->waves.again = false;
	if (w->state != draw->state) {
		w->state = draw->state;
		bind_colors(w);
		bind_depth(w);
		w->depth.code_prim = NULL;
	}
	/* The shader runs when something of it can be seen. */
	const struct rs_ps_state *s = w->state;
	bool shapes = s->order != RS_Z_EARLY && (w->depth.tests || draw->counter);
	w->waves.asks = s->depth_first && w->depth.tests;
	w->waves.runs = s->samples == 1 && !s->side_effects;
	w->waves.run_ps = draw->ps.program && (w->color_count || s->side_effects || shapes || draw->stats);
	if (!draw->ps.program)
		w->order = RS_Z_EARLY;
	if (!cu_slot_reserve(&w->slot, &draw->ps, 1)) {
		rs_pass_fail(w->pass, isa_hw_stages[ISA_HW_PS].wave, draw->ps.program,
			&(struct cu_error){ "no memory for scratch" });
		w->waves.run_ps = false;
	}
}

static void begin_tile(struct rs_worker *w, struct rs_pass *pass, const struct rs_bin *bin, uint32_t tile_x,
	uint32_t tile_y, uint32_t across)
{
	w->pass = pass;
	w->slot.bounds = pass->bounds;
	w->x = (int32_t)(tile_x * RS_TILE);
	w->y = (int32_t)(tile_y * RS_TILE);
	w->across = (int32_t)(across * RS_TILE);
	w->overwritten = 0;
	w->width = (int32_t)pass->width - w->x < RS_TILE ? (int32_t)pass->width - w->x : RS_TILE;
	w->height = (int32_t)pass->height - w->y < RS_TILE ? (int32_t)pass->height - w->y : RS_TILE;
	rs_tile_targets(w, bin);
	w->waves.touched = 0;
	w->depth.hiz.valid = 0;
	w->depth.hiz.layer = 0;
	w->depth.code_prim = NULL;
	memset(w->depth.hiz.patience, RS_HIZ_PATIENCE, sizeof w->depth.hiz.patience);
	w->draw = NULL;
	w->state = NULL;
	w->counter = w->stats = NULL;
	w->samples = w->invocations = 0;
	w->waves.lds_prim = w->waves.lane_prim = NULL;
	w->waves.again = false;
	w->waves.run_count = 0;
	/* a failed tile may have left its wave open */
	memset(w->waves.occupied, 0, sizeof w->waves.occupied);
	w->waves.occupied_blocks = 0;
	w->waves.open.quads = w->waves.open.prims = 0;
	w->waves.open.new_prim = 0;
	w->waves.open.exec = 0;
}

/* The item after the clears that the bin begins with; NULL: none. */
static const struct rs_item *first_drawn(const struct rs_bin *bin)
{
	for (const struct rs_item_chunk *c = bin->first; c; c = c->next)
		for (unsigned i = 0; i < c->count; i++)
			if (c->item[i].kind != RS_ITEM_CLEAR)
				return &c->item[i];
	return NULL;
}

/* Whether every pixel of the tile gets what the program exports, whatever that and the depth may be. */
static bool writes_tile(const struct rs_worker *w, const struct rs_item *item)
{
	const struct rs_prim *prim = item->p;
	const struct rs_ps_state *s = prim->draw->state;
	if (item->kind != RS_ITEM_PRIM || !item->full || prim->kind != RS_PRIM_EDGES || s->samples > 1 || !s->sample_mask)
		return false;
	return !(s->kill || s->mask_export || s->alpha_to_mask || s->z_enable || s->bounds_enable || s->stencil_enable) &&
		prim->x0 <= w->x && prim->y0 <= w->y && prim->x1 >= w->x + w->width && prim->y1 >= w->y + w->height;
}

/* What is drawn over in one piece need not be cleared: targets of which the first primitive writes all of the tile. */
static void find_overwritten(struct rs_worker *w, const struct rs_item *drawn)
{
	const struct rs_prim *prim = drawn->p;
	if (!writes_tile(w, drawn))
		return;
	rs_worker_bind(w, prim->draw);
	for (unsigned i = 0; i < w->color_count && w->waves.run_ps; i++) {
		const struct rs_color *c = &w->color[i];
		const struct surf_plane *p = &c->target->plane;
		if (!c->read && !c->partial && p->width == w->pass->width && p->height == w->pass->height)
			w->overwritten |= 1u << c->index;
	}
	w->overwritten_slice = prim->layer;
}

static void render_prim(struct rs_worker *w, const struct rs_item *item)
{
	const struct rs_prim *prim = item->p;
	if (prim->draw != w->draw)
		rs_worker_bind(w, prim->draw);
	if (!w->state->sample_mask)
		return;
	if (item->kind == RS_ITEM_SMALL)
		w->k->small(w, prim, item);
	else if (w->state->samples > 1)
		w->k->prim_msaa(w, prim, item->full);
	else
		w->k->prim(w, prim, item->full);
}

static void render_item(struct rs_worker *w, const struct rs_item *item)
{
	switch ((enum rs_item_kind)item->kind) {
	case RS_ITEM_PRIM:
	case RS_ITEM_SMALL:
		render_prim(w, item);
		break;
	case RS_ITEM_CLEAR:
		w->k->flush(w);
		rs_tile_clear(w, item->p);
		break;
	case RS_ITEM_RESOLVE:
		w->k->flush(w);
		rs_tile_resolve(w, item->p);
		break;
	}
}

/* Primitives of a tile are scattered over the arenas of many batches, and its chunks, of a few items
 * each, over those of jobs: this walks PREFETCH items ahead of what is rendered. */
struct ahead {
	const struct rs_item_chunk *c;
	unsigned i, n;                                /* of the next item: in the chunk, and of all */
	const struct rs_item *item[ITEMS_AHEAD];      /* those seen last, by their number; NULL behind the last one */
};

static inline void look_ahead(struct ahead *a)
{
	while (a->c && a->i == a->c->count) {
		a->c = a->c->next;
		a->i = 0;
		if (a->c)
			__builtin_prefetch(a->c->next);
	}
	const struct rs_item *const item = a->c ? &a->c->item[a->i++] : NULL;
	a->item[a->n++ % ITEMS_AHEAD] = item;
	if (!item)
		return;
	const char *p = item->p;
	__builtin_prefetch(item + 2 * PREFETCH);
	__builtin_prefetch(p);
	__builtin_prefetch(p + 64);
	if (item->kind == RS_ITEM_PRIM)
		for (size_t n = 128; n < RS_PRIM_TRIANGLE_BYTES; n += 64)
			__builtin_prefetch(p + n);
}

/* The params of a point, which is a wave by itself or nearly so; POINT_AHEAD of it, its kind is there by now. */
static inline void look_at_point(const struct ahead *a)
{
	const struct rs_item *const item = a->item[(a->n - 1 - PREFETCH + POINT_AHEAD) % ITEMS_AHEAD];
	if (!item || item->kind != RS_ITEM_PRIM)
		return;
	const struct rs_prim *const prim = item->p;
	if (prim->is_point)
		__builtin_prefetch(prim->attr[0] + 4);
}

void rs_tile_render(struct rs_worker *w, struct rs_pass *pass, uint32_t tile_x, uint32_t tile_y, uint32_t across)
{
	const struct rs_bin *bin = &pass->bin[tile_y * pass->tiles_x + tile_x];
	if (!bin->first)
		return;
	unsigned mxcsr = cu_fp_enter();
	begin_tile(w, pass, bin, tile_x, tile_y, across);
	struct ahead ahead = { .c = bin->first };
	for (unsigned i = 0; i < PREFETCH; i++)
		look_ahead(&ahead);
	const struct rs_item *const drawn = first_drawn(bin);
	if (drawn && drawn != bin->first->item)
		find_overwritten(w, drawn);
	for (const struct rs_item_chunk *c = bin->first; c; c = c->next) {
		if (atomic_load_explicit(&pass->failed, memory_order_relaxed) || aborted(pass))
			break;
		for (unsigned i = 0; i < c->count; i++) {
			const struct rs_item *item = &c->item[i];
			look_ahead(&ahead);
			look_at_point(&ahead);
			if (item == drawn)
				w->overwritten = 0;
			render_item(w, item);
		}
	}
	if (!atomic_load_explicit(&pass->failed, memory_order_relaxed))
		w->k->flush(w);
	if (aborted(pass) && w->draw)
		atomic_store_explicit(&pass->aborted, w->draw->ps.program, memory_order_relaxed);
	rs_worker_count(w);
	cu_fp_leave(mxcsr);
}
