/* SPDX-License-Identifier: MIT */
/* Waves that filter few texels of 8_8_8_8 SRGB: each is made linear once, into a tile, instead of by every lane that has it
 * as a neighbour, and kept from sample to sample.  As in tex_tile_kernel.c a cell is known by its texels' bytes, which are
 * looked at again when these may have changed (struct tex_seen). */
#include <stdlib.h>
#include "core/tex/tex_desc.h"
#include "core/tex/tex_srgb.h"
#include "core/tex/tex_tile.h"

/* Cell (x, y) of the image is cell (x % ACROSS, y % DOWN).  A tile of the screen and what is around it are less than ACROSS,
 * so that rows of blocks take nothing from one another.  MOST: of a wave. */
enum { ACROSS = 32, DOWN = 16, CELLS = ACROSS * DOWN, WIDTH = 4 * ACROSS, HEIGHT = 4 * DOWN, COLUMNS = WIDTH + 2, TILES = 8, MOST = 16 };
/* In planes a row of the tile has each channel by itself, red first; what is behind its end and behind the last row is what
 * they begin with, as far as a strip may reach. */
enum { PLANE = CU_MIMG_PLANE_BYTES / 4, PLANES_ROW = 4 * PLANE };
_Static_assert(PLANE == WIDTH + 4, "a cell more than a tile is across");
/* What a tile costs, in some 12 cycles: a wave, a cell that is looked at, one that is new; and what it saves, a strip.
 * Once PATIENCE has been lost, REST waves do without. */
enum { COST_WAVE = 5, COST_LOOK = 1, COST_NEW = 5, SAVES_STRIP = VL == 16 ? 3 : 4, PATIENCE = 256, REST = 1000 };
/* Of translated code: what a row of nearest texels saves, rows that were found for nothing cost, and slots that do without. */
enum { SAVES_ROW = 20, COST_FAR = 32, PATIENCE_FAR = 1024, REST_SLOTS = 16 };

struct texel_tile {
	struct tex_seen seen;
	uint32_t filled[DOWN], even[DOWN]; /* a bit a cell of a row; all its texels are the same */
	alignas(64) uint8_t cell[CELLS][64];
	union {
		alignas(64) float texels[HEIGHT * COLUMNS * 4]; /* alpha is a code */
		float planes[(HEIGHT + 4) * PLANES_ROW];
	};
};

/* Tiles of a level differ in the order of cells' bytes, in what these are made linear by, and in their own order: planes are
 * of nearest texels, of which red may be the third byte. */
enum { KIND_PARTS = 1, KIND_NEAREST = 2, KIND_PLANES = 4, KIND_SWAPPED = 8 };

/* Of a thread. */
struct texel_tiles {
	const uint8_t *base[TILES]; /* of the level; NULL: of none */
	uint8_t kind[TILES];
	unsigned next, last;        /* the tile that the next other level gets; the one asked for last */
	struct texel_tile tile[TILES];
};

static struct texel_tiles *tiles_of(struct cu_tex_cache *c)
{
	if (c && !c->texels) {
		struct texel_tiles *all = aligned_alloc(alignof(struct texel_tiles), sizeof *all);
		if (all)
			memset(all, 0, offsetof(struct texel_tiles, tile));
		c->texels = all;
	}
	return c ? c->texels : NULL;
}

static bool is_tile_of(const struct texel_tiles *all, unsigned i, uint8_t kind, const uint8_t *base)
{
	return all->base[i] == base && all->kind[i] == kind;
}

/* The level's tile. */
static unsigned tile_of(struct texel_tiles *all, uint8_t kind, const uint8_t *base)
{
	unsigned i = all->last;
	if (is_tile_of(all, i, kind, base))
		return i;
	i = 0;
	while (i < TILES && !is_tile_of(all, i, kind, base))
		i++;
	if (i < TILES)
		return all->last = i;
	i = all->last = all->next++ % TILES;
	all->base[i] = base;
	all->kind[i] = kind;
	all->tile[i].seen.call = 0;
	memset(all->tile[i].filled, 0, sizeof all->tile[i].filled);
	return i;
}

/* Bytes of a cell in the image. */
struct cell { __m256i v[2]; };

V_INLINE __m256i two_rows(const uint8_t *a, const uint8_t *b)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)a)),
		_mm_loadu_si128((const __m128i *)b), 1);
}

/* At (x, y) of the image, `line` where row y begins; last: the image's last row, which stands for those behind it.  What is
 * behind the last column is of the row, too: rows are multiples of 64 bytes.  Of the blocks below, texels are fetched. */
V_INLINE struct cell load_cell(const uint8_t *line, int32_t pitch, bool parts, int32_t x, int32_t y, int32_t last)
{
	if (parts) {
		const uint8_t *at = line + x * 16;
		return (struct cell){ { _mm256_loadu_si256((const __m256i *)at), _mm256_loadu_si256((const __m256i *)(at + 32)) } };
	}
	const uint8_t *row[4];
	for (int r = 0; r < 4; r++) {
		row[r] = line + (size_t)(y + r <= last ? r : last - y) * (size_t)pitch + 4 * x;
		_mm_prefetch((const char *)row[r] + 8 * (size_t)pitch, _MM_HINT_T0);
	}
	return (struct cell){ { two_rows(row[0], row[1]), two_rows(row[2], row[3]) } };
}

V_INLINE bool same_cell(const uint8_t *kept, const struct cell *c)
{
	const __m256i a = _mm256_xor_si256(_mm256_load_si256((const __m256i *)kept), c->v[0]);
	const __m256i b = _mm256_xor_si256(_mm256_load_si256((const __m256i *)(kept + 32)), c->v[1]);
	const __m256i differ = _mm256_or_si256(a, b);
	return _mm256_testz_si256(differ, differ);
}

/* Texels of as many rows as v has lines. */
V_INLINE void store_lines(float *to, vi v)
{
#if VL == 16
	_mm_store_ps(to + 4 * 2 * COLUMNS, _mm512_extractf32x4_ps((__m512)v, 2));
	_mm_store_ps(to + 4 * 3 * COLUMNS, _mm512_extractf32x4_ps((__m512)v, 3));
	const __m256 low = _mm512_castps512_ps256((__m512)v);
#else
	const __m256 low = (__m256)v;
#endif
	_mm_store_ps(to, _mm256_castps256_ps128(low));
	_mm_store_ps(to + 4 * COLUMNS, _mm256_extractf128_ps(low, 1));
}

V_INLINE bool is_even(const struct cell *c)
{
	const __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(c->v[0]));
	const __m256i differ = _mm256_or_si256(_mm256_xor_si256(c->v[0], first), _mm256_xor_si256(c->v[1], first));
	return _mm256_testz_si256(differ, differ);
}

/* Texels that are filtered. */
V_INLINE void filtered_texels(const uint32_t code[16], float *to)
{
	const bool table = tex_srgb_by_table();
	for (int i = 0; i < 16; i += VL, to += VL * COLUMNS) {
		const vi v = v_load(code + i);
		v_int_reg component[4];
		vi texel[4];
		V_UNROLL
		for (unsigned k = 0; k < 3; k++)
			component[k] = (v_int_reg)tex_srgb_linear_by(table, v_shr(v, 8 * k) & 255);
		component[3] = (v_int_reg)v_float(v_shr(v, 24));
		v_transpose(component, texel);
		V_UNROLL
		for (int k = 0; k < 4; k++)
			store_lines(to + 4 * k, texel[k]);
	}
}

V_INLINE __m128 linear_texel(const uint32_t table[256], uint32_t code)
{
	const float *linear = (const float *)table;
	return _mm_setr_ps(linear[code & 255], linear[code >> 8 & 255], linear[code >> 16 & 255], (float)(int32_t)(code >> 24));
}

/* The same, all of them one. */
V_INLINE void even_texels(__m128 texel, float *to)
{
	for (int row = 0; row < 4; row++, to += 4 * COLUMNS)
		V_UNROLL
		for (int k = 0; k < 4; k++)
			_mm_store_ps(to + 4 * k, texel);
}

/* Those that are read alone, by the table. */
V_INLINE void nearest_texels(const uint32_t code[16], float *to)
{
	for (int row = 0; row < 4; row++)
		V_UNROLL
		for (int k = 0; k < 4; k++)
			_mm_store_ps(to + 4 * (row * COLUMNS + k), linear_texel(cu_srgb_decode_bits, code[4 * row + k]));
}

/* The same in planes. */
V_INLINE void plane_texels(const uint32_t code[16], unsigned red, float *to)
{
	const float *linear = (const float *)cu_srgb_decode_bits;
	for (const uint32_t *c = code; c < code + 16; c += 4, to += PLANES_ROW) {
		V_UNROLL
		for (unsigned k = 0; k < 3; k++) {
			const unsigned shift = k == 1 ? 8 : red ^ 8 * k;
			_mm_store_ps(to + k * PLANE, _mm_setr_ps(linear[c[0] >> shift & 255], linear[c[1] >> shift & 255],
				linear[c[2] >> shift & 255], linear[c[3] >> shift & 255]));
		}
		_mm_store_ps(to + 3 * PLANE, _mm_cvtepi32_ps(_mm_srli_epi32(_mm_load_si128((const __m128i *)c), 24)));
	}
}

/* Two rows of a channel. */
V_INLINE void store_planes(float *to, __m256 v)
{
	_mm_store_ps(to, _mm256_castps256_ps128(v));
	_mm_store_ps(to + PLANES_ROW, _mm256_extractf128_ps(v, 1));
}

/* Where gathers are quick. */
V_INLINE void gather_planes(const uint32_t code[16], unsigned red, float *to)
{
	const float *linear = (const float *)cu_srgb_decode_bits;
	for (int i = 0; i < 2; i++, to += 2 * PLANES_ROW) {
		const __m256i c = _mm256_load_si256((const __m256i *)code + i);
		V_UNROLL
		for (unsigned k = 0; k < 3; k++) {
			const __m256i at = _mm256_srl_epi32(c, _mm_cvtsi32_si128(k == 1 ? 8 : (int)(red ^ 8 * k)));
			store_planes(to + k * PLANE, _mm256_i32gather_ps(linear, _mm256_and_si256(at, _mm256_set1_epi32(255)), 4));
		}
		store_planes(to + 3 * PLANE, _mm256_cvtepi32_ps(_mm256_srli_epi32(c, 24)));
	}
}

V_INLINE void even_planes(__m128 texel, unsigned red, float *to)
{
	const __m128 plane[4] = { _mm_shuffle_ps(texel, texel, 0x00), _mm_shuffle_ps(texel, texel, 0x55), _mm_shuffle_ps(texel, texel, 0xaa),
		_mm_shuffle_ps(texel, texel, 0xff) };
	for (int row = 0; row < 4; row++, to += PLANES_ROW)
		V_UNROLL
		for (unsigned k = 0; k < 4; k++)
			_mm_store_ps(to + k * PLANE, plane[red && !(k & 1) ? 2 - k : k]);
}

static void repeat_planes(const float *from, float *to)
{
	for (int i = 0; i < 4 * 4; i++)
		_mm_store_ps(to + i * PLANE, _mm_load_ps(from + i * PLANE));
}

/* Planes' rows and columns that begin the tile once more behind its ends. */
static void repeat_ends(float *to, int32_t x, int32_t y)
{
	if (x == 0)
		repeat_planes(to, to + WIDTH);
	if (y == 0)
		repeat_planes(to, to + HEIGHT * PLANES_ROW);
	if (x == 0 && y == 0)
		repeat_planes(to, to + HEIGHT * PLANES_ROW + WIDTH);
}

static void fill_planes(struct texel_tile *tile, const uint32_t code[16], unsigned kind, int32_t x, int32_t y)
{
	float *to = tile->planes + 4 * (y * PLANES_ROW + x);
	if (cu_quick_gathers)
		gather_planes(code, kind & KIND_SWAPPED ? 16 : 0, to);
	else
		plane_texels(code, kind & KIND_SWAPPED ? 16 : 0, to);
	repeat_ends(to, x, y);
}

/* The column behind the last one. */
static void repeat_column(float *to)
{
	for (int row = 0; row < 4; row++)
		_mm_store_ps(to + 4 * (row * COLUMNS + WIDTH), _mm_load_ps(to + 4 * row * COLUMNS));
}

/* A cell's texels into the tile. */
static void fill_cell(struct texel_tile *tile, unsigned kind, int32_t x, int32_t y, const struct cell *c)
{
	alignas(64) uint32_t code[16];
	float *to = tile->texels + (y * COLUMNS + x) * 16;
	for (int i = 0; i < 2; i++) /* parts are in Morton order: rows of two */
		_mm256_store_si256((__m256i *)code + i, kind & KIND_PARTS ? _mm256_permute4x64_epi64(c->v[i], 0xd8) : c->v[i]);
	if (kind & KIND_PLANES) {
		fill_planes(tile, code, kind, x, y);
		return;
	}
	if (kind & KIND_NEAREST)
		nearest_texels(code, to);
	else
		filtered_texels(code, to);
	if (x == 0)
		repeat_column(to);
}

/* The same where they are all the same. */
static __attribute__((noinline)) void fill_even(struct texel_tile *tile, unsigned kind, int32_t x, int32_t y, uint32_t code)
{
	const __m128 texel = linear_texel(kind & KIND_NEAREST ? cu_srgb_decode_bits : cu_srgb_filter_bits, code);
	float *const to = kind & KIND_PLANES ? tile->planes + 4 * (y * PLANES_ROW + x) : tile->texels + (y * COLUMNS + x) * 16;
	if (kind & KIND_PLANES) {
		even_planes(texel, kind & KIND_SWAPPED, to);
		repeat_ends(to, x, y);
		return;
	}
	even_texels(texel, to);
	if (x == 0)
		repeat_column(to);
}

/* Of row cy of cells those whose bits of the tile's row are set, which have not been seen; returns what that costs. */
static int fill_row(struct texel_tile *tile, unsigned kind, const struct tex_window *w, const struct tex_place *at, int32_t cy,
	uint32_t cells)
{
	const int32_t y = cy & (DOWN - 1);
	const uint8_t *line = w->base + (size_t)cy * w->pitch;
	uint32_t even = tile->even[y];
	int cost = 0;
	for (uint32_t left = cells; left; left &= left - 1) {
		const int32_t x = __builtin_ctz(left), cx = w->first[0] + ((x - w->first[0]) & (ACROSS - 1));
		uint8_t *const kept = tile->cell[y * ACROSS + x];
		cost += COST_LOOK;
		const struct cell c = load_cell(line, at->pitch, kind & KIND_PARTS, 4 * cx, 4 * cy, at->last[1]);
		if (tile->filled[y] >> x & 1 && same_cell(kept, &c))
			continue;
		_mm256_store_si256((__m256i *)kept, c.v[0]);
		_mm256_store_si256((__m256i *)(kept + 32), c.v[1]);
		even &= ~(1u << x);
		if (is_even(&c)) {
			even |= 1u << x;
			fill_even(tile, kind, x, y, (uint32_t)_mm_cvtsi128_si32(_mm256_castsi256_si128(c.v[0])));
		} else {
			fill_cell(tile, kind, x, y, &c);
		}
		cost += COST_NEW;
	}
	tile->even[y] = even;
	tile->seen.row[y] |= cells;
	tile->filled[y] |= cells;
	return cost;
}

/* Makes the tile hold all cells of the window; returns what that costs. */
static int fill(struct texel_tile *tile, unsigned kind, const struct tex_window *w, const struct tex_place *at)
{
	const uint32_t cells = tex_seen_bits(ACROSS, w->first[0], w->last[0]);
	int cost = 0;
	for (int32_t cy = w->first[1]; cy <= w->last[1]; cy++) {
		const uint32_t new = cells & ~tile->seen.row[cy & (DOWN - 1)];
		if (new)
			cost += fill_row(tile, kind, w, at, cy, new);
	}
	return cost;
}

/* Whether all texels of the window, which the tile holds, are the same. */
static bool is_one_texel(const struct texel_tile *tile, const struct tex_window *w)
{
	uint32_t first, code, differ = 0;
	if (!(tile->even[w->first[1] & (DOWN - 1)] >> (w->first[0] & (ACROSS - 1)) & 1))
		return false;
	const uint32_t cells = tex_seen_bits(ACROSS, w->first[0], w->last[0]);
	for (int32_t cy = w->first[1]; cy <= w->last[1]; cy++)
		differ |= cells & ~tile->even[cy & (DOWN - 1)];
	if (differ)
		return false;
	memcpy(&first, tile->cell[(w->first[1] & (DOWN - 1)) * ACROSS + (w->first[0] & (ACROSS - 1))], 4);
	for (int32_t cy = w->first[1]; cy <= w->last[1]; cy++)
		for (int32_t cx = w->first[0]; cx <= w->last[0]; cx++) {
			memcpy(&code, tile->cell[(cy & (DOWN - 1)) * ACROSS + (cx & (ACROSS - 1))], 4);
			differ |= code ^ first;
		}
	return !differ;
}

/* Where texels are in a tile, of waves that are nowhere at an end of the level; those: false. */
V_INLINE bool find_inside(enum tex_fold_way fold, const struct tex_op *op, const struct tex_place *at,
	uint64_t exec, struct tex_footprint *p, struct tex_window *w)
{
	const struct tex_ends ends[2] = { tex_ends_of(op, at, 0), tex_ends_of(op, at, 1) };
	const vi pitch = v_set(COLUMNS * 16), columns = v_set(WIDTH - 1), rows = v_set(HEIGHT - 1);
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	vi low[2] = { v_set(INT32_MAX), v_set(INT32_MAX) }, high[2] = { v_set(INT32_MIN), v_set(INT32_MIN) };
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		vi i[2];
		if (!(p->strips >> lane / VL & 1))
			continue;
		V_UNROLL
		for (unsigned d = 0; d < 2; d++) {
			const vf v = tex_fold_axis(fold, op, d, tex_coordinates_on(coord[d], lane, exec), ends[d].limit);
			i[d] = tex_first_texel(false, &ends[d], v, &p->weight[d][lane]);
			low[d] = v_min(low[d], i[d]);
			high[d] = v_max(high[d], i[d]);
		}
		const vi x = v_shift_left(i[0] & columns, 4);
		v_store(&p->at[0][lane], x + (i[1] & rows) * pitch);
		v_store(&p->at[2][lane], x + ((i[1] + 1) & rows) * pitch);
	}
	p->pairs = ~0u;
	for (unsigned d = 0; d < 2; d++) {
		const int32_t first = v_least(low[d]), last = ~v_least(~high[d]) + 1;
		if (first < 0 || last > at->last[d])
			return false;
		w->first[d] = first >> 2;
		w->last[d] = last >> 2;
	}
	return true;
}

static bool find_in_tile(const struct tex_op *op, const struct tex_place *at, uint64_t exec, struct tex_footprint *p,
	struct tex_window *w)
{
	switch (tex_fold_of(op->sampler)) {
	case TEX_FOLD_WRAP: return find_inside(TEX_FOLD_WRAP, op, at, exec, p, w);
	case TEX_FOLD_CLAMP: return find_inside(TEX_FOLD_CLAMP, op, at, exec, p, w);
	default: return find_inside(TEX_FOLD_ANY, op, at, exec, p, w);
	}
}

static bool fits(const struct tex_window *w)
{
	const int32_t across = w->last[0] - w->first[0] + 1, down = w->last[1] - w->first[1] + 1;
	return across <= ACROSS && down <= DOWN && across * down <= MOST;
}

bool tex_find_texel_tile(const struct tex_op *op, unsigned level, uint64_t exec, struct tex_footprint *p)
{
	const struct tex_place *at = &op->plan->level[level];
	const uint8_t kind = op->plan->parts ? KIND_PARTS : 0;
	const int saves = SAVES_STRIP * __builtin_popcount(p->strips) - COST_WAVE;
	struct tex_patience *patience = op->plan->patience;
	struct texel_tiles *all = tiles_of(op->w->tex);
	struct tex_window w;
	if (!all || saves <= 0)
		return false;
	if (patience->lost > PATIENCE) {
		patience->lost = PATIENCE * 3 / 4; /* so that it is soon known whether that has changed */
		patience->rest = REST;
	}
	if (!tex_window_begin(op, level, p, &exec, &w) || !find_in_tile(op, at, exec, p, &w))
		return false;
	if (!fits(&w)) {
		patience->lost += PATIENCE / 4;
		return false;
	}
	struct texel_tile *tile = &all->tile[tile_of(all, kind, at->base)];
	tex_see(&tile->seen, ACROSS, DOWN, op->w->tex->call, &w);
	const int lost = patience->lost + fill(tile, kind, &w, at) - saves;
	patience->lost = lost > 0 ? lost : 0;
	p->base = (const uint8_t *)tile->texels;
	p->one_texel = is_one_texel(tile, &w);
	return true;
}

/* --- nearest texels of translated code --- */

/* What lanes of a strip are behind the first one, where they lie as pixels of a block do. */
#if VL == 16
static const vi steps[2] = { { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 }, { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 } };
#else
static const vi steps[2] = { { 0, 1, 0, 1, 2, 3, 2, 3 }, { 0, 0, 1, 1, 0, 0, 1, 1 } };
#endif

/* Along an axis, of the lanes that are on.  Returns whether they all are, and each strip's texels lie as its pixels do. */
static bool find_window(uint64_t exec, uint32_t (*rows)[CU_LANES], uint64_t which, unsigned axis, struct tex_window *window)
{
	vi low = v_set(INT32_MAX), high = v_set(0), differ = v_set(0);
	for (; which; which &= which - 1) {
		const uint32_t *row = rows[__builtin_ctzll(which)];
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			vi v = v_load(row + lane);
			if (__builtin_expect(exec != ~0ull, 0))
				v = v_sel(v_mask_of((uint32_t)(exec >> lane) & ((1u << VL) - 1)), v, v_set((int32_t)row[__builtin_ctzll(exec)]));
			low = v_min(low, v);
			high = v_max(high, v);
			differ |= (v - steps[axis]) ^ v_set((int32_t)row[lane]);
		}
	}
	window->first[axis] = v_least(low) >> 2;
	window->last[axis] = ~v_least(~high) >> 2;
	return exec == ~0ull && !v_any(differ != 0);
}

/* Nearest texels in the place of coordinates. */
static void find_texels(const struct tex_op *op, unsigned axis, uint32_t (*rows)[CU_LANES], uint64_t which)
{
	const struct tex_ends ends = tex_ends_of(op, op->plan->level, axis);
	for (; which; which &= which - 1) {
		uint32_t *const row = rows[__builtin_ctzll(which)];
		for (int lane = 0; lane < CU_LANES; lane += VL)
			v_store(row + lane, tex_nearest_texel(&ends, tex_fold_axis(TEX_FOLD_ANY, op, axis, v_loadf(row + lane), ends.limit)));
	}
}

/* The first texels of rows, in their order. */
struct firsts { int32_t axis[2][CU_MIMG_TAPS]; };

/* Of a block of the screen, what the first pixel of the strip at a lane is behind the block's. */
V_INLINE int32_t block_step(unsigned axis, int lane)
{
	return axis == 0 ? 4 * (lane / 16 % 2) : 4 * (lane / 32) + 2 * (lane / 8 % 2);
}

/* Where texels lie as pixels of a block do, which those of nearly all waves of effects do, and none is at an end of the image,
 * so that coordinates neither repeat nor are clamped; else false. */
V_INLINE bool find_block_along(unsigned axis, const struct tex_place *at, uint32_t (*rows)[CU_LANES], uint64_t which,
	struct firsts *firsts, struct tex_window *window)
{
	const vf scale = v_setf(at->scale[axis]);
	vi differ = v_set(0), negative = v_set(0);
	int32_t low = INT32_MAX, high = 0;
	for (unsigned n = 0; which; which &= which - 1, n++) {
		const uint32_t *row = rows[__builtin_ctzll(which)];
		const int32_t first = v_trunc(v_loadf(row) * scale)[0];
		const vi strip = v_set(first) + steps[axis];
		V_UNROLL
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			negative |= v_load(row + lane);
			differ |= v_trunc(v_loadf(row + lane) * scale) ^ (strip + v_set(block_step(axis, lane)));
		}
		firsts->axis[axis][n] = first;
		low = first < low ? first : low;
		high = first > high ? first : high;
	}
	window->first[axis] = low >> 2;
	window->last[axis] = (high + 7) >> 2;
	return high <= at->last[axis] - 7 && !v_any(differ != 0) && !v_any(negative < 0);
}

static bool find_block(const struct tex_place *at, uint32_t (*rows)[CU_LANES], const uint64_t which[2], struct firsts *firsts,
	struct tex_window *window)
{
	return find_block_along(0, at, rows, which[0], firsts, window) && find_block_along(1, at, rows, which[1], firsts, window);
}

/* Rows as they would have been without a tile. */
static void place_rows(const struct tex_plan *plan, uint32_t (*rows)[CU_LANES], const struct cu_mimg_taps *taps)
{
	const struct tex_place *at = plan->level;
	const vi part_x = v_repeat4(plan->part_x), part_y = v_repeat4(at->part_y), pitch = v_set(at->pitch);
	for (unsigned k = 0; k < taps->count; k++)
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			const vi x = v_load(rows[taps->axis[0][k]] + lane), y = v_load(rows[taps->axis[1][k]] + lane);
			v_store(rows[taps->own[k]] + lane, v_shift_left(x, plan->shift) + v_pick4(part_x, x) + (y * pitch + v_pick4(part_y, y)));
		}
}

static void place_texels(uint32_t (*rows)[CU_LANES], const struct cu_mimg_taps *taps)
{
	for (unsigned k = 0; k < taps->count; k++)
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			const vi x = v_load(rows[taps->axis[0][k]] + lane) & (WIDTH - 1), y = v_load(rows[taps->axis[1][k]] + lane) & (HEIGHT - 1);
			v_store(rows[taps->own[k]] + lane, (x << 4) + y * v_set(COLUMNS * 16));
		}
}

/* A strip's first lane is enough; of a block's, the first strip's. */
V_INLINE void place_planes_along(unsigned axis, const struct firsts *block, uint32_t (*rows)[CU_LANES], uint64_t which)
{
	const uint32_t last = axis ? HEIGHT - 1 : WIDTH - 1, bytes = axis ? 4 * PLANES_ROW : 4;
	for (unsigned n = 0; which; which &= which - 1, n++) {
		uint32_t *const row = rows[__builtin_ctzll(which)];
		V_UNROLL
		for (int lane = 0; lane < CU_LANES; lane += VL)
			row[lane] = ((block ? (uint32_t)(block->axis[axis][n] + block_step(axis, lane)) : row[lane]) & last) * bytes;
	}
}

static void place_planes(const struct firsts *block, uint32_t (*rows)[CU_LANES], const uint64_t which[2])
{
	place_planes_along(0, block, rows, which[0]);
	place_planes_along(1, block, rows, which[1]);
}

/* There is no tile for the samples: what they cost, and that they may do without before long. */
static void without(struct tex_desc *d, struct cu_mimg_slot *slot)
{
	d->patience.lost += COST_FAR;
	if (d->patience.lost > PATIENCE_FAR) {
		d->patience = (struct tex_patience){ .rest = REST_SLOTS };
		slot->find = slot->lanes->find;
	}
}

void CU_FN(cu_mimg_tile)(struct cu_wave *w, struct cu_mimg_slot *slot, uint32_t (*rows)[CU_LANES], const struct cu_mimg_taps *taps)
{
	struct tex_desc *d = (struct tex_desc *)((uintptr_t)slot->lanes - offsetof(struct tex_desc, lanes));
	const struct cu_mimg_lanes *l = slot->lanes;
	const struct tex_place *at = d->plan.level;
	struct texel_tiles *all = tiles_of(w->tex);
	struct tex_window window = { .base = at->base, .bottom = at->last[1], .pitch = d->plan.parts ? d->image.level->pitch : 4 * (size_t)at->pitch };
	const uint64_t exec = cu_exec(w) ? cu_exec(w) : ~0ull;
	struct firsts firsts;
	const bool block = all && exec == ~0ull && find_block(at, rows, taps->rows, &firsts, &window) && fits(&window);
	bool in_steps = block;
	if (!block) {
		const struct tex_op op = { .image = &d->image, .sampler = &d->sampler, .plan = &d->plan };
		find_texels(&op, 0, rows, taps->rows[0]);
		find_texels(&op, 1, rows, taps->rows[1]);
		in_steps = find_window(exec, rows, taps->rows[0], 0, &window);
		in_steps &= find_window(exec, rows, taps->rows[1], 1, &window);
	}
	slot->tiled = !all || !fits(&window) ? CU_MIMG_NO_TILE : in_steps ? CU_MIMG_PLANES : CU_MIMG_TEXELS;
	slot->read = slot->tiled == CU_MIMG_PLANES ? CU_MIMG_TILE : l->read;
	if (!slot->tiled) {
		without(d, slot);
		place_rows(&d->plan, rows, taps);
		return;
	}
	const unsigned parts = d->plan.parts ? KIND_PARTS : 0, planes = l->swapped ? KIND_PLANES | KIND_SWAPPED : KIND_PLANES;
	const uint8_t kind = (uint8_t)(parts | KIND_NEAREST | (in_steps ? planes : 0));
	struct texel_tile *tile = &all->tile[tile_of(all, kind, at->base)];
	tex_see(&tile->seen, ACROSS, DOWN, w->tex->call, &window);
	const int lost = d->patience.lost + fill(tile, kind, &window, at) + COST_WAVE - SAVES_ROW * taps->count;
	d->patience.lost = lost > 0 ? lost : 0;
	slot->texels = tile->texels;
	if (in_steps)
		place_planes(block ? &firsts : NULL, rows, taps->rows);
	else
		place_texels(rows, taps);
}
