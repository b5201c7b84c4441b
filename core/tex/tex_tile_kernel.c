/* SPDX-License-Identifier: MIT */
/* Waves that sample few blocks of a compressed image: the blocks are decoded next to one another into a tile, of which
 * the kernels of ordinary images read.  Tiles stay from wave to wave: a cell is known by its block's bytes, not by its
 * address, so that nobody has to say when memory changes. */
#include <stdlib.h>
#include "core/tex/tex_tile.h"

/* Block (x, y) is decoded into cell (x % ACROSS, y % ACROSS), so texel (x, y) is at (x % SIDE, y % SIDE).  Column SIDE is
 * column 0 again: what follows a texel in the image follows it here. */
enum { ACROSS = 32, CELLS = ACROSS * ACROSS, SIDE = 4 * ACROSS, COLUMNS = SIDE + 2, TEXEL_BYTES = 8, TILES = 16 };
enum { MOST = 64, MOST_AGAIN = 256 }; /* blocks of a wave, and of one that samples the image again next to here */

struct tex_tile {
	const struct cu_block_format *format; /* NULL: nothing yet */
	struct tex_seen seen;
	bool filled[CELLS];
	uint64_t block[CELLS][2];
	alignas(64) uint8_t texels[SIDE * COLUMNS * TEXEL_BYTES];
};

bool tex_can_tile(const struct cu_block_format *f)
{
	return tex_small_block(f) && (f->texel_bytes == 4 || f->texel_bytes == 8);
}

/* Of a thread: a tile for each level of an image that it has sampled of late. */
struct tiles {
	const uint8_t *base[TILES];
	unsigned next; /* the tile that the next other level gets */
	struct tex_tile tile[TILES];
};

static struct tiles *tiles_of(struct cu_tex_cache *c)
{
	if (c && !c->tiles) {
		struct tiles *all = aligned_alloc(alignof(struct tiles), sizeof *all);
		for (int i = 0; all && i < TILES; i++) {
			all->base[i] = NULL;
			all->tile[i].format = NULL;
			all->next = 0;
		}
		c->tiles = all;
	}
	return c ? c->tiles : NULL;
}

static struct tex_tile *tile_of(const struct tex_op *op, const struct cu_block_format *f, const uint8_t *base)
{
	struct tiles *all = tiles_of(op->w->tex);
	unsigned i = 0;
	if (!all)
		return NULL;
	while (i < TILES && all->base[i] != base)
		i++;
	if (i == TILES) {
		i = all->next++ % TILES;
		all->base[i] = base;
	}
	struct tex_tile *tile = &all->tile[i];
	if (tile->format != f) {
		tile->format = f;
		tile->seen.call = 0;
		memset(tile->filled, 0, sizeof tile->filled);
	}
	return tile;
}

V_INLINE void put_texels(struct tex_tile *tile, unsigned x, unsigned y, const uint8_t *texels, unsigned size)
{
	uint8_t *to = tile->texels + (4 * y * COLUMNS + 4 * x) * size;
	for (unsigned r = 0; r < 4; r++)
		memcpy(to + r * COLUMNS * size, texels + 4 * r * size, 4 * size);
	for (unsigned r = 0; r < 4 && x == 0; r++)
		memcpy(to + (r * COLUMNS + SIDE) * size, texels + 4 * r * size, size);
}

static void fill_cell(struct tex_tile *tile, unsigned x, unsigned y)
{
	alignas(16) uint8_t texels[16 * TEXEL_BYTES];
	tile->format->decode(tile->block[y * ACROSS + x], texels);
	if (tile->format->texel_bytes == 8)
		put_texels(tile, x, y, texels, 8);
	else
		put_texels(tile, x, y, texels, 4);
}

V_INLINE int32_t turned(int32_t i, int32_t count) { return i < 0 ? i + count : i >= count ? i - count : i; }

/* Makes a cell hold a block, decoded; where it does already, nothing. */
V_INLINE void hold(struct tex_tile *tile, unsigned x, unsigned y, const uint8_t *at)
{
	const unsigned cell = y * ACROSS + x;
	uint64_t block[2] = { 0 };
	memcpy(&block[0], at, 8);
	if (tile->format->bytes == 16)
		memcpy(&block[1], at + 8, 8);
	if (tile->filled[cell] && tile->block[cell][0] == block[0] && tile->block[cell][1] == block[1])
		return;
	memcpy(tile->block[cell], block, sizeof block);
	tile->filled[cell] = true;
	fill_cell(tile, x, y);
}

/* Makes the tile hold all blocks of the window; again: but those that have been seen. */
V_INLINE void fill(bool again, struct tex_tile *tile, const struct tex_window *w)
{
	const unsigned bytes = tile->format->bytes, first = (unsigned)w->first[0];
	const uint32_t cells = tex_seen_bits(ACROSS, w->first[0], w->last[0]);
	for (int32_t by = w->first[1]; by <= w->last[1]; by++) {
		const unsigned y = (unsigned)by % ACROSS;
		uint32_t new = again ? cells & ~tile->seen.row[y] : cells;
		const uint8_t *line = w->base + (size_t)turned(by, w->count[1]) * w->pitch;
		tile->seen.row[y] |= cells;
		for (; new; new &= new - 1) {
			const unsigned x = (unsigned)__builtin_ctz(new);
			const int32_t bx = w->first[0] + (int32_t)((x - first) % ACROSS);
			hold(tile, x, y, line + (size_t)turned(bx, w->count[0]) * bytes);
		}
	}
}

/* turn: texels are those that are next to the first lane's where the image is repeated. */
struct how { bool linear, bytes, turn; enum tex_fold_way fold; };

V_INLINE vi next_to(vi i, vi other, int32_t size)
{
	const vi d = i - other;
	return i - (v_set(size) & (d > size / 2)) + (v_set(size) & (d < -size / 2));
}

/* Where texels are in a tile, and of which part of the image they are: *w's first and last; false: it is too large. */
V_INLINE bool find(struct how how, const struct tex_op *op, const struct tex_place *at, uint64_t exec,
	struct tex_footprint *p, struct tex_window *w)
{
	const struct tex_ends ends[2] = { tex_ends_of(op, at, 0), tex_ends_of(op, at, 1) };
	const unsigned shift = op->image->block->texel_bytes == 8 ? 3 : 2;
	const vi pitch = v_set(COLUMNS << shift);
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	const int some = __builtin_ctzll(exec);
	vi near[2] = { v_set(0), v_set(0) };
	vi low[2] = { v_set(INT32_MAX), v_set(INT32_MAX) }, high[2] = { v_set(INT32_MIN), v_set(INT32_MIN) };
	p->pairs = 0;
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		vi i[2][2], x[2], y[2];
		if (!(p->strips >> lane / VL & 1))
			continue;
		V_UNROLL
		for (unsigned d = 0; d < 2; d++) {
			vf v = v_loadf(&coord[d][lane]);
			if (exec != ~0ull) /* what is off may be anywhere */
				v = v_self(v_mask_of((uint32_t)(exec >> lane) & ((1u << VL) - 1)), v, (vf)v_set((int32_t)coord[d][some]));
			v = tex_fold_axis(how.fold, op, d, v, ends[d].limit);
			if (how.linear) {
				const vi first = tex_first_texel(how.bytes, &ends[d], v, &p->weight[d][lane]);
				i[d][0] = tex_texel_of_two(&ends[d], first, 0);
				i[d][1] = tex_texel_of_two(&ends[d], first, 1);
			} else {
				i[d][0] = i[d][1] = tex_nearest_texel(&ends[d], v);
			}
			if (how.turn) {
				if (lane == some / VL * VL)
					near[d] = v_set(i[d][0][some % VL]);
				i[d][0] = next_to(i[d][0], near[d], at->last[d] + 1);
				i[d][1] = next_to(i[d][1], near[d], at->last[d] + 1);
			}
			low[d] = v_min(low[d], v_min(i[d][0], i[d][1]));
			high[d] = v_max(high[d], v_max(i[d][0], i[d][1]));
		}
		V_UNROLL
		for (int k = 0; k < 2; k++) {
			x[k] = v_shift_left(i[0][k] & (SIDE - 1), shift);
			y[k] = (i[1][k] & (SIDE - 1)) * pitch;
		}
		v_store(&p->at[0][lane], x[0] + y[0]);
		if (!how.linear)
			continue;
		v_store(&p->at[2][lane], x[0] + y[1]);
		if (!v_any(i[0][1] - i[0][0] != 1)) {
			p->pairs |= 1u << lane / VL;
			continue;
		}
		v_store(&p->at[1][lane], x[1] + y[0]);
		v_store(&p->at[3][lane], x[1] + y[1]);
	}
	for (unsigned d = 0; d < 2; d++) {
		w->first[d] = v_least(low[d]) >> 2;
		w->last[d] = ~v_least(~high[d]) >> 2;
	}
	const int32_t across = w->last[0] - w->first[0] + 1, down = w->last[1] - w->first[1] + 1;
	return across <= ACROSS && down <= ACROSS && across * down <= w->most;
}

static bool find_in_tile(const struct tex_op *op, const struct tex_place *at, bool linear, bool turn, uint64_t exec,
	struct tex_footprint *p, struct tex_window *w)
{
	const enum tex_fold_way fold = tex_fold_of(op->sampler);
#define WAY(linear, bytes, turn, fold) ((((fold) * 2 + (turn)) * 2 + (bytes)) * 2 + (linear))
#define CASE(linear, bytes, turn, fold) \
	case WAY(linear, bytes, turn, fold): \
		return find((struct how){ linear, bytes, turn, fold }, op, at, exec, p, w);
#define CASES(turn, fold) CASE(0, 0, turn, fold) CASE(1, 0, turn, fold) CASE(1, 1, turn, fold)
	if (turn && fold != TEX_FOLD_WRAP)
		return false;
	switch (WAY(linear, linear && op->plan->bytes, turn, fold)) {
	CASES(0, TEX_FOLD_WRAP) CASES(0, TEX_FOLD_CLAMP) CASES(0, TEX_FOLD_ANY) CASES(1, TEX_FOLD_WRAP)
	}
	return false;
#undef CASES
#undef CASE
#undef WAY
}

bool tex_find_tile(const struct tex_op *op, unsigned level, bool linear, bool again, uint64_t exec, struct tex_footprint *p)
{
	const struct tex_place *at = &op->plan->level[level];
	struct tex_window w;
	if (!tex_window_begin(op, level, p, &exec, &w))
		return false;
	w.most = again ? MOST_AGAIN : MOST;
	if (!find_in_tile(op, at, linear, false, exec, p, &w) &&
	    (((at->last[0] + 1) | (at->last[1] + 1)) % 4 != 0 || !find_in_tile(op, at, linear, true, exec, p, &w)))
		return false;
	struct tex_tile *tile = tile_of(op, op->image->block, w.base);
	if (!tile)
		return false;
	if (again) {
		tex_see(&tile->seen, ACROSS, op->w->tex->call, &w);
		fill(true, tile, &w);
	} else {
		tile->seen.call = 0;
		fill(false, tile, &w);
	}
	p->base = tile->texels;
	return true;
}
