/* SPDX-License-Identifier: MIT */
/* Clears of a tile: QW_CLEAR_TARGET as direct fills with the packed texel; its resolves. */
#include <string.h>
#include "core/format/format.h"
#include "core/level.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "raster/back/fill.h"
#include "raster/back/group.h"
#include "raster/back/hiz.h"
#include "raster/back/tile.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/pass.h"

struct fill {
	const struct rs_target *target;
	unsigned slice;
	int32_t x0, y0, x1, y1;   /* pixels of the target */
	rs_fill_fn run;
	uint8_t pattern[RS_FILL_PATTERN];
};

static void fill_pixels(const struct fill *f, int32_t x0, int32_t x1, int32_t y)
{
	const struct rs_target *t = f->target;
	for (int32_t x = x0; x < x1; x++) {
		uint8_t *p = rs_address(t, f->slice, (uint32_t)x, (uint32_t)y);
		for (unsigned k = 0; k < t->plane.samples; k++)
			memcpy(p + k * surf_sample_stride(&t->plane), f->pattern, t->plane.bpe);
	}
}

static void fill_linear(const struct fill *f)
{
	for (int32_t y = f->y0; y < f->y1; y++)
		f->run(rs_address(f->target, f->slice, (uint32_t)f->x0, (uint32_t)y),
			(size_t)(f->x1 - f->x0) * f->target->plane.bpe, f->pattern);
}

/* Rows of whole 4x4 blocks are contiguous; the rest goes pixel by pixel. */
static void fill_4x4(const struct fill *f)
{
	int32_t left = (f->x0 + 3) & ~3, right = f->x1 & ~3;
	for (int32_t y = f->y0; y < f->y1;) {
		if (!(y & 3) && y + 4 <= f->y1 && left < right) {
			f->run(rs_address(f->target, f->slice, (uint32_t)left, (uint32_t)y),
				(size_t)(right - left) * 4 * f->target->plane.bpe * f->target->plane.samples, f->pattern);
			for (int32_t i = 0; i < 4 && (f->x0 < left || right < f->x1); i++) {
				fill_pixels(f, f->x0, left, y + i);
				fill_pixels(f, right, f->x1, y + i);
			}
			y += 4;
		} else {
			fill_pixels(f, f->x0, f->x1, y++);
		}
	}
}

/* A pattern of texels, twice as many at a time: it is made for each tile. */
static void repeat(uint8_t pattern[RS_FILL_PATTERN], const uint8_t *texel, size_t bpe)
{
	memcpy(pattern, texel, bpe);
	for (size_t n = bpe; n < RS_FILL_PATTERN; n *= 2)
		memcpy(pattern + n, pattern, n < RS_FILL_PATTERN - n ? n : RS_FILL_PATTERN - n);
}

/* The rectangle cut by the tile at hand and the target, in every slice. */
static void fill_target(const struct rs_worker *w, const struct pm4_clear_target *c,
	const struct rs_target *t, const uint8_t *texel)
{
	struct fill f = { .target = t, .run = w->k->fill };
	int64_t x0 = c->x, y0 = c->y, x1 = x0 + c->width, y1 = y0 + c->height;
	x0 = x0 > w->x ? x0 : w->x;
	y0 = y0 > w->y ? y0 : w->y;
	int64_t right = w->x + w->across < (int64_t)t->plane.width ? w->x + w->across : (int64_t)t->plane.width;
	int64_t bottom = w->y + RS_TILE < (int64_t)t->plane.height ? w->y + RS_TILE : (int64_t)t->plane.height;
	x1 = x1 < right ? x1 : right;
	y1 = y1 < bottom ? y1 : bottom;
	if (!t->plane.base || !t->plane.bpe || x0 >= x1 || y0 >= y1)
		return;
	f.x0 = (int32_t)x0;
	f.y0 = (int32_t)y0;
	f.x1 = (int32_t)x1;
	f.y1 = (int32_t)y1;
	repeat(f.pattern, texel, t->plane.bpe);
	for (uint64_t s = c->first_slice; s < (uint64_t)c->first_slice + c->slice_count && s < t->plane.slices; s++) {
		f.slice = (unsigned)s;
		if (t->plane.tiling == TILING_4X4)
			fill_4x4(&f);
		else
			fill_linear(&f);
	}
}

static void clear_color(const struct rs_worker *w, const struct pm4_clear_target *c, unsigned n)
{
	const struct rs_target *t = &w->targets->color[n];
	uint32_t in[4];
	uint8_t texel[16] = { 0 };
	bool integer = t->plane.nfmt == NFMT_UINT || t->plane.nfmt == NFMT_SINT;
	for (unsigned i = 0; i < 4; i++) {
		unsigned sel = t->sel[i];
		in[i] = sel >= SEL_R ? c->value[sel - SEL_R] : sel == SEL_0 ? 0 : integer ? 1 : 0x3f800000;
	}
	if (!t->plane.base)
		return;
	cu_format_pack(t->plane.dfmt, t->plane.nfmt, in, texel);
	fill_target(w, c, t, texel);
}

/* The blocks that a depth clear covers have an exact range now. */
static void clear_hiz(struct rs_worker *w, const struct pm4_clear_target *c, float code)
{
	struct rs_hiz *h = &w->depth.hiz;
	if (h->layer < c->first_slice || h->layer - c->first_slice >= c->slice_count)
		return;
	int64_t x0 = (int64_t)c->x - w->x, y0 = (int64_t)c->y - w->y;
	int64_t x1 = x0 + c->width, y1 = y0 + c->height;
	for (int b = 0; b < RS_BLOCKS; b++) {
		int bx = 8 * (b & 7), by = 8 * (b >> 3);
		int right = bx + 8 < w->width ? bx + 8 : w->width, bottom = by + 8 < w->height ? by + 8 : w->height;
		if (bx >= right || by >= bottom)
			continue;
		h->valid &= ~(1ull << b);
		if (x0 > bx || y0 > by || x1 < right || y1 < bottom || code != code)
			continue;
		h->valid |= 1ull << b;
		h->lo[b] = h->hi[b] = code;
		h->stale[b] = 0;
	}
}

static void clear_depth(struct rs_worker *w, const struct pm4_clear_target *c)
{
	const struct rs_target *t = &w->targets->depth;
	float z;
	uint32_t bits = c->value[0];
	memcpy(&z, &c->value[0], 4);
	if (t->code_max) {
		z = rs_depth_code(t, z);
		bits = (uint32_t)z;
	}
	uint8_t texel[16];
	memcpy(texel, &bits, 4);
	fill_target(w, c, t, texel);
	clear_hiz(w, c, z);
}

void rs_tile_resolve(struct rs_worker *w, const struct rs_target_resolve *t)
{
	struct rs_resolve r = t->r;
	const uint32_t at[2] = { (uint32_t)w->x, (uint32_t)w->y };
	uint32_t *const size[2] = { &r.width, &r.height };
	r.src = w->targets->color[t->color].plane;
	for (unsigned d = 0; d < 2; d++) {
		const uint32_t first = r.src_at[d] > at[d] ? r.src_at[d] : at[d], end = r.src_at[d] + *size[d];
		if (first >= end || first >= at[d] + RS_TILE)
			return;
		*size[d] = (end < at[d] + RS_TILE ? end : at[d] + RS_TILE) - first;
		r.dst_at[d] += first - r.src_at[d];
		r.src_at[d] = first;
	}
	for (uint32_t z = 0; z < r.depth; z++)
		for (uint32_t band = 0; band < rs_resolve_bands(&r); band++)
			rs_resolve_band(&r, band, z);
}

void rs_tile_clear(struct rs_worker *w, const struct pm4_clear_target *c)
{
	uint32_t targets = c->targets;
	if (targets & PM4_CLEAR_UNREAD && c->slice_count == 1 && c->first_slice == w->overwritten_slice)
		targets &= ~w->overwritten;
	for (unsigned n = 0; n < RS_MAX_COLOR; n++)
		if (targets & PM4_CLEAR_COLOR0 << n) {
			clear_color(w, c, n);
			w->waves.touched = ~0ull;
		}
	if (c->targets & PM4_CLEAR_DEPTH)
		clear_depth(w, c);
	if (c->targets & PM4_CLEAR_STENCIL) {
		uint8_t texel[16] = { (uint8_t)c->value[1] };
		fill_target(w, c, &w->targets->stencil, texel);
	}
}
