/* SPDX-License-Identifier: MIT */
/* Waves that sample few blocks of a compressed image: the blocks are decoded next to one another into a tile, of which
 * the kernels of ordinary images read.  Tiles stay from wave to wave: a cell is known by its block's bytes, not by its
 * address, so that nobody has to say when memory changes. */
#include <stdlib.h>
#include "core/tex/tex_bytes.h"
#include "core/tex/tex_tile.h"

/* Block (x, y) is decoded into cell (x % ACROSS, y % ACROSS), so texel (x, y) is at (x % SIDE, y % SIDE).  Column SIDE is
 * column 0 again: what follows a texel in the image follows it here. */
enum { ACROSS = 32, CELLS = ACROSS * ACROSS, SIDE = 4 * ACROSS, COLUMNS = SIDE + 2, TEXEL_BYTES = 8, TILES = 16 };
enum { MOST = 64, MOST_AGAIN = 256 }; /* blocks of a wave, and of one that samples the image again next to here */

struct tex_tile {
	const struct cu_block_format *format; /* NULL: nothing yet */
	struct tex_seen seen;
	uint32_t filled[ACROSS]; /* a bit for a cell of a row */
	__m128i block[CELLS]; /* of 8 bytes: zeros behind them */
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

static void __attribute__((noinline)) fill_cell(struct tex_tile *tile, unsigned x, unsigned y)
{
	alignas(16) uint8_t texels[16 * TEXEL_BYTES];
	tile->format->decode(&tile->block[y * ACROSS + x], texels);
	if (tile->format->texel_bytes == 8)
		put_texels(tile, x, y, texels, 8);
	else
		put_texels(tile, x, y, texels, 4);
}

V_INLINE int32_t turned(int32_t i, int32_t count) { return i < 0 ? i + count : i >= count ? i - count : i; }

/* Makes a cell hold a block, decoded; where it does already, nothing. */
V_INLINE void hold(struct tex_tile *tile, unsigned x, unsigned y, const uint8_t *at, unsigned bytes)
{
	__m128i *cell = &tile->block[y * ACROSS + x];
	const __m128i block = bytes == 16 ? _mm_loadu_si128((const __m128i *)at) : _mm_loadl_epi64((const __m128i *)at);
	const __m128i differ = _mm_xor_si128(block, *cell);
	if (tile->filled[y] >> x & 1 && _mm_testz_si128(differ, differ))
		return;
	*cell = block;
	tile->filled[y] |= 1u << x;
	fill_cell(tile, x, y);
}

/* Makes the tile hold all blocks of the window, of so many bytes; again: but those that have been seen. */
V_INLINE void fill_of(bool again, unsigned bytes, struct tex_tile *tile, const struct tex_window *w)
{
	const int32_t first = w->first[0], count = w->count[0];
	const uint32_t cells = tex_seen_bits(ACROSS, first, w->last[0]);
	for (int32_t by = w->first[1]; by <= w->last[1]; by++) {
		const unsigned y = (unsigned)by % ACROSS;
		uint32_t new = again ? cells & ~tile->seen.row[y] : cells;
		const uint8_t *line = w->base + (size_t)turned(by, w->count[1]) * w->pitch;
		tile->seen.row[y] |= cells;
		for (; new; new &= new - 1) {
			const unsigned x = (unsigned)__builtin_ctz(new);
			const int32_t bx = first + (int32_t)((x - (unsigned)first) % ACROSS);
			hold(tile, x, y, line + (size_t)turned(bx, count) * bytes, bytes);
		}
	}
}

V_INLINE void fill(bool again, struct tex_tile *tile, const struct tex_window *w)
{
	if (tile->format->bytes == 16)
		fill_of(again, 16, tile, w);
	else
		fill_of(again, 8, tile, w);
}

/* How texels are told from coordinates of a repeated image.  PLAIN: within it.  TURN: next to the first lane's.  FREE: of the
 * first two as they are found, which may be one before the image's first, and the one behind it: of the other end, whose cells
 * follow these in the tile, so that all are pairs. */
enum turn { PLAIN, TURN, FREE };
struct how { bool linear, bytes; enum turn turn; enum tex_fold_way fold; };

V_INLINE vi next_to(vi i, vi other, int32_t size)
{
	const vi d = i - other;
	return i - (v_set(size) & (d > size / 2)) + (v_set(size) & (d < -size / 2));
}

/* Bytes from a tile's first texel. */
struct steps { unsigned shift; vi pitch; };
V_INLINE vi x_bytes(const struct steps *s, vi x) { return v_shift_left(x & (SIDE - 1), s->shift); }
V_INLINE vi y_bytes(const struct steps *s, vi y) { return V_TWO(madd_epi16, y & (SIDE - 1), s->pitch); } /* words */

/* Where texels are in a tile, and of which part of the image they are: *w's first and last; false: it is too large. */
V_INLINE bool find(struct how how, const struct tex_op *op, const struct tex_place *at, uint64_t exec,
	struct tex_footprint *p, struct tex_window *w)
{
	const struct tex_ends ends[2] = { tex_ends_of(op, at, 0), tex_ends_of(op, at, 1) };
	const unsigned shift = op->image->block->texel_bytes == 8 ? 3 : 2;
	const struct steps steps = { shift, v_set(COLUMNS << shift) };
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	const int some = __builtin_ctzll(exec);
	const uint32_t strips = p->strips;
	vi near[2] = { v_set(0), v_set(0) };
	vi low[2] = { v_set(INT32_MAX), v_set(INT32_MAX) }, high[2] = { v_set(INT32_MIN), v_set(INT32_MIN) };
	p->pairs = how.turn == FREE ? strips : 0;
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		vi i[2][2], x[2], y[2];
		if (!(strips >> lane / VL & 1))
			continue;
		V_UNROLL
		for (unsigned d = 0; d < 2; d++) {
			const vf v = tex_fold_axis(how.fold, op, d, tex_coordinates_on(coord[d], lane, exec), ends[d].limit);
			if (how.linear) {
				const vi first = tex_first_texel(how.bytes, &ends[d], v, &p->weight[d][lane]);
				for (int k = 0; k < 2; k++)
					i[d][k] = how.turn == FREE ? first + k : tex_texel_of_two(&ends[d], first, k);
			} else {
				i[d][0] = i[d][1] = tex_nearest_texel(&ends[d], v);
			}
			if (how.turn == TURN) {
				if (lane == some / VL * VL)
					near[d] = v_set(i[d][0][some % VL]);
				i[d][0] = next_to(i[d][0], near[d], at->last[d] + 1);
				i[d][1] = next_to(i[d][1], near[d], at->last[d] + 1);
			}
			low[d] = v_min(low[d], how.turn == FREE ? i[d][0] : v_min(i[d][0], i[d][1]));
			high[d] = v_max(high[d], how.turn == FREE ? i[d][1] : v_max(i[d][0], i[d][1]));
		}
		x[0] = x_bytes(&steps, i[0][0]);
		y[0] = y_bytes(&steps, i[1][0]);
		v_store(&p->at[0][lane], x[0] + y[0]);
		if (!how.linear)
			continue;
		y[1] = y_bytes(&steps, i[1][1]);
		v_store(&p->at[2][lane], x[0] + y[1]);
		if (how.turn == FREE)
			continue;
		if (!v_any(i[0][1] - i[0][0] != 1)) {
			p->pairs |= 1u << lane / VL;
			continue;
		}
		x[1] = x_bytes(&steps, i[0][1]);
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

static bool find_in_tile(const struct tex_op *op, const struct tex_place *at, bool linear, enum turn turn, uint64_t exec,
	struct tex_footprint *p, struct tex_window *w)
{
	const enum tex_fold_way fold = tex_fold_of(op->sampler);
#define WAY(linear, bytes, turn, fold) ((((fold) * 3 + (turn)) * 2 + (bytes)) * 2 + (linear))
#define CASE(linear, bytes, turn, fold) \
	case WAY(linear, bytes, turn, fold): \
		return find((struct how){ linear, bytes, turn, fold }, op, at, exec, p, w);
#define CASES(turn, fold) CASE(1, 0, turn, fold) CASE(1, 1, turn, fold)
	if (turn != PLAIN && fold != TEX_FOLD_WRAP)
		return false;
	switch (WAY(linear, linear && op->plan->bytes, turn, fold)) {
	CASE(0, 0, PLAIN, TEX_FOLD_WRAP) CASE(0, 0, PLAIN, TEX_FOLD_CLAMP) CASE(0, 0, PLAIN, TEX_FOLD_ANY) CASE(0, 0, TURN, TEX_FOLD_WRAP)
	CASES(PLAIN, TEX_FOLD_WRAP) CASES(PLAIN, TEX_FOLD_CLAMP) CASES(PLAIN, TEX_FOLD_ANY) CASES(TURN, TEX_FOLD_WRAP)
	CASES(FREE, TEX_FOLD_WRAP)
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
	/* Whole blocks, so that those of the other end may follow them. */
	const bool whole = ((at->last[0] + 1) | (at->last[1] + 1)) % 4 == 0;
	const enum turn first = whole && linear && tex_fold_of(op->sampler) == TEX_FOLD_WRAP ? FREE : PLAIN;
	if (!find_in_tile(op, at, linear, first, exec, p, &w) && !(whole && find_in_tile(op, at, linear, TURN, exec, p, &w)))
		return false;
	struct tex_tile *tile = tile_of(op, op->image->block, w.base);
	if (!tile)
		return false;
	if (again) {
		tex_see(&tile->seen, ACROSS, ACROSS, op->w->tex->call, &w);
		fill(true, tile, &w);
	} else {
		tile->seen.call = 0;
		fill(false, tile, &w);
	}
	p->base = tile->texels;
	return true;
}
