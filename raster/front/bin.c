/* SPDX-License-Identifier: MIT */
/* Binning: which tiles a primitive may touch, and the per-tile lists of a job. */
#include "raster/front/bin.h"

#include <stdlib.h>
#include <string.h>
#include "raster/arena.h"
#include "raster/front/front.h"
#include "raster/front/job.h"
#include "raster/front/pa_state.h"
#include "raster/pass.h"
#include "raster/prim.h"

enum { CHUNK_ITEMS = sizeof((struct rs_item_chunk *)0)->item / sizeof(struct rs_item) };

bool rs_bin_reserve(struct rs_front *f, uint32_t tiles)
{
	if (tiles <= f->tile_cap)
		return true;
	uint32_t *items = calloc(tiles, sizeof *items), *used = malloc(tiles * sizeof *used);
	if (!items || !used) {
		free(items);
		free(used);
		return false;
	}
	free(f->tile_items);
	free(f->tile_used);
	f->tile_items = items;
	f->tile_used = used;
	f->tile_cap = tiles;
	return true;
}

static bool grow_entries(struct rs_front *f)
{
	uint32_t cap = f->entry_cap ? f->entry_cap * 2 : 1024;
	struct rs_bin_entry *e = realloc(f->entry, (size_t)cap * sizeof *e);
	if (!e) {
		f->no_memory = true;
		return false;
	}
	f->entry = e;
	f->entry_cap = cap;
	return true;
}

static inline void add_item(struct rs_front *f, uint32_t tile, struct rs_item item)
{
	if (f->entries == f->entry_cap && !grow_entries(f))
		return;
	f->entry[f->entries++] = (struct rs_bin_entry){ item, tile };
	if (!f->tile_items[tile]++)
		f->tile_used[f->tiles_used++] = tile;
}

static inline void add(struct rs_front *f, uint32_t tile, const struct rs_prim *p, bool full)
{
	add_item(f, tile, (struct rs_item){ .p = p, .kind = RS_ITEM_PRIM, .full = full });
}

static inline void add_small(struct rs_front *f, uint32_t tile, const struct rs_prim *p, unsigned qx,
	unsigned qy, uint32_t mask)
{
	if (mask)
		add_item(f, tile, (struct rs_item){ .p = p, .kind = RS_ITEM_SMALL, .qx = (uint8_t)qx, .qy = (uint8_t)qy,
			.mask = (uint16_t)mask });
}

void rs_bin_small(struct rs_front *f, const struct rs_prim *p, int32_t x, int32_t y, uint32_t mask)
{
	enum { LAST = RS_TILE / 2 - 1, LEFT = 0x0f0f, UPPER = 0x00ff };
	uint32_t tiles_x = f->pass->tiles_x, tile = (uint32_t)y / RS_TILE * tiles_x + (uint32_t)x / RS_TILE;
	unsigned qx = (unsigned)x / 2 & LAST, qy = (unsigned)y / 2 & LAST;
	if (qx != LAST && qy != LAST) {
		add_small(f, tile, p, qx, qy, mask);
		return;
	}
	/* The window may go over an edge of the tile: the part beyond begins a tile. */
	uint32_t right = qx == LAST ? mask >> 4 & LEFT : 0, left = qx == LAST ? mask & LEFT : mask;
	uint32_t upper = qy == LAST ? UPPER : 0xffff;
	add_small(f, tile, p, qx, qy, left & upper);
	add_small(f, tile + 1, p, 0, qy, right & upper);
	add_small(f, tile + tiles_x, p, qx, 0, (left & ~upper) >> 8);
	add_small(f, tile + tiles_x + 1, p, 0, 0, (right & ~upper) >> 8);
}

/* An edge over the tiles of a primitive: value at the first pixel centre of
 * the first tile, steps from tile to tile, extremes inside one. */
struct tile_edge { int64_t row, at, step_x, step_y, lowest, highest; };

/* Of a * x for x in [lo, hi]. */
static int64_t least(int64_t a, int32_t lo, int32_t hi) { return a < 0 ? a * hi : a * lo; }

static void init_tile_edge(struct tile_edge *t, const struct rs_edge *e, const struct rs_pa_state *pa, int32_t x, int32_t y)
{
	int64_t reach_x = (int64_t)e->a * 256 * (RS_TILE - 1), reach_y = (int64_t)e->b * 256 * (RS_TILE - 1);
	t->row = e->c + (int64_t)e->a * (256 * (int64_t)x + 128) + (int64_t)e->b * (256 * (int64_t)y + 128);
	t->step_x = (int64_t)e->a * 256 * RS_TILE;
	t->step_y = (int64_t)e->b * 256 * RS_TILE;
	t->lowest = (reach_x < 0 ? reach_x : 0) + (reach_y < 0 ? reach_y : 0);
	t->highest = (reach_x > 0 ? reach_x : 0) + (reach_y > 0 ? reach_y : 0);
	if (pa->samples > 1) { /* anywhere in the rectangle of their positions */
		t->lowest += least(e->a, pa->left, pa->right) + least(e->b, pa->up, pa->down);
		t->highest -= least(-(int64_t)e->a, pa->left, pa->right) + least(-(int64_t)e->b, pa->up, pa->down);
	}
}

static void bin_edges(struct rs_front *f, const struct rs_prim *p, int32_t tx0, int32_t ty0,
	int32_t tx1, int32_t ty1)
{
	struct tile_edge edge[4];
	unsigned n = p->edges;
	for (unsigned i = 0; i < n; i++)
		init_tile_edge(&edge[i], &p->edge[i], f->pa, tx0 * RS_TILE, ty0 * RS_TILE);
	for (int32_t ty = ty0; ty <= ty1; ty++) {
		for (unsigned i = 0; i < n; i++)
			edge[i].at = edge[i].row;
		for (int32_t tx = tx0; tx <= tx1; tx++) {
			bool touched = true, full = true;
			for (unsigned i = 0; i < n; i++) {
				touched &= edge[i].at + edge[i].highest >= 0;
				full &= edge[i].at + edge[i].lowest >= 0;
				edge[i].at += edge[i].step_x;
			}
			if (touched)
				add(f, (uint32_t)ty * f->pass->tiles_x + (uint32_t)tx, p, full);
		}
		for (unsigned i = 0; i < n; i++)
			edge[i].row += edge[i].step_y;
	}
}

/* Bresenham lines: tiles within half a tile's diagonal and the width of the line. */
static void bin_line(struct rs_front *f, const struct rs_prim *p, int32_t tx0, int32_t ty0,
	int32_t tx1, int32_t ty1)
{
	int64_t dx = p->line_x[1] - p->line_x[0], dy = p->line_y[1] - p->line_y[0];
	int64_t reach = (llabs(dx) + llabs(dy)) * 256 * (RS_TILE / 2 + 2 + (int64_t)p->line_width);
	for (int32_t ty = ty0; ty <= ty1; ty++)
		for (int32_t tx = tx0; tx <= tx1; tx++) {
			int64_t x = ((int64_t)tx * RS_TILE + RS_TILE / 2) * 256 - p->line_x[0];
			int64_t y = ((int64_t)ty * RS_TILE + RS_TILE / 2) * 256 - p->line_y[0];
			if (llabs(dx * y - dy * x) <= reach)
				add(f, (uint32_t)ty * f->pass->tiles_x + (uint32_t)tx, p, false);
		}
}

void rs_bin_prim(struct rs_front *f, const struct rs_prim *p)
{
	int32_t tx0 = p->x0 / RS_TILE, ty0 = p->y0 / RS_TILE;
	int32_t tx1 = (p->x1 - 1) / RS_TILE, ty1 = (p->y1 - 1) / RS_TILE;
	bool small = p->x1 - p->x0 < RS_TILE || p->y1 - p->y0 < RS_TILE;
	if (tx0 == tx1 && ty0 == ty1 && small)
		add(f, (uint32_t)ty0 * f->pass->tiles_x + (uint32_t)tx0, p, false);
	else if (p->kind == RS_PRIM_BRESENHAM)
		bin_line(f, p, tx0, ty0, tx1, ty1);
	else
		bin_edges(f, p, tx0, ty0, tx1, ty1);
}

/* Chunks for n items, the last no longer than needed; counts 0 for now. */
static struct rs_item_chunk *alloc_chunks(struct rs_arena *a, uint32_t n)
{
	struct rs_item_chunk *first = NULL, **link = &first;
	while (n) {
		uint32_t here = n < CHUNK_ITEMS ? n : CHUNK_ITEMS;
		struct rs_item_chunk *c = rs_arena_alloc(a,
			offsetof(struct rs_item_chunk, item) + here * sizeof(struct rs_item));
		if (!c)
			return NULL;
		c->next = NULL;
		c->count = 0;
		*link = c;
		link = &c->next;
		n -= here;
	}
	return first;
}

/* Makes the lists empty and leaves each tile its list's number. */
static bool alloc_lists(struct rs_front *f, struct rs_job *job)
{
	job->list = rs_arena_alloc(&f->arena, f->tiles_used * sizeof *job->list);
	if (!job->list)
		return false;
	for (uint32_t i = 0; i < f->tiles_used; i++) {
		uint32_t tile = f->tile_used[i], n = f->tile_items[tile];
		struct rs_item_chunk *c = alloc_chunks(&f->arena, n);
		if (!c)
			return false;
		job->list[i] = (struct rs_tile_list){ tile, n, c, c };
		f->tile_items[tile] = i;
	}
	job->lists = f->tiles_used;
	return true;
}

static void fill_lists(struct rs_front *f, struct rs_job *job)
{
	for (uint32_t i = 0; i < f->entries; i++) {
		const struct rs_bin_entry *e = &f->entry[i];
		struct rs_tile_list *l = &job->list[f->tile_items[e->tile]];
		if (l->last->count == CHUNK_ITEMS)
			l->last = l->last->next;
		l->last->item[l->last->count++] = e->item;
	}
}

void rs_bin_finish_job(struct rs_front *f, struct rs_job *job)
{
	if (f->entries && alloc_lists(f, job))
		fill_lists(f, job);
	else if (f->entries)
		f->no_memory = true;
	for (uint32_t i = 0; i < f->tiles_used; i++)
		f->tile_items[f->tile_used[i]] = 0;
	f->entries = f->tiles_used = 0;
}
