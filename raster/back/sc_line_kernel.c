/* SPDX-License-Identifier: MIT */
/* SC: Bresenham lines by the diamond-exit rule (Vulkan, "Bresenham Line Segment
 * Rasterization"), exact in int64.
 *
 * u is the major axis, v the minor.  A pixel is covered when the line leaves
 * its diamond |u - uc| + |v - vc| < 1/2.  A line of slope at most one leaves
 * every diamond whose centre column it crosses, except the one in which it
 * ends, and one whose centre it misses only when it starts inside it.  Points
 * on a diamond's border: both ends count as moved by (-e, -e^2) in (x, y), e
 * infinitely small, so nothing is ever on a border. */
#include "core/level.h"
#include "raster/back/db.h"
#include "raster/back/hiz.h"
#include "raster/back/ps_state.h"
#include "raster/back/sc.h"
#include "raster/back/walk.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/prim.h"

struct line {
	int64_t u[2], v[2];   /* 24.8 */
	int64_t du, dv;       /* du > 0: of the line taken in ascending u */
	bool x_major, forward;
};

static void line_begin(struct line *l, const struct rs_prim *p)
{
	int64_t dx = (int64_t)p->line_x[1] - p->line_x[0], dy = (int64_t)p->line_y[1] - p->line_y[0];
	l->x_major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy);
	for (unsigned i = 0; i < 2; i++) {
		l->u[i] = l->x_major ? p->line_x[i] : p->line_y[i];
		l->v[i] = l->x_major ? p->line_y[i] : p->line_x[i];
		/* a wide line starts half its width lower and is replicated upwards */
		l->v[i] -= ((int64_t)p->line_width - 1) * 128;
	}
	l->du = l->u[1] - l->u[0];
	l->dv = l->v[1] - l->v[0];
	l->forward = l->du >= 0;
	if (!l->forward) {
		l->du = -l->du;
		l->dv = -l->dv;
	}
}

/* Pixel of a coordinate that is moved down by an infinitely small amount. */
static inline int64_t pixel_below(int64_t c)
{
	return (c - 1) >> 8;
}

/* End i lies inside the diamond of its own pixel. */
static bool in_diamond(const struct line *l, unsigned i)
{
	int64_t du = l->u[i] - (pixel_below(l->u[i]) * 256 + 128);
	int64_t dv = l->v[i] - (pixel_below(l->v[i]) * 256 + 128);
	int64_t d = (du < 0 ? -du : du) + (dv < 0 ? -dv : dv);
	if (d != 128)
		return d < 128;
	/* on the border: x moves it most; left of the centre or on it is outside */
	return l->x_major ? du > 0 : dv > 0;
}

/* Row of the line in the middle of column i. */
static int64_t row_at(const struct line *l, int64_t i)
{
	int64_t num = l->v[0] * l->du + l->dv * (i * 256 + 128 - l->u[0]), den = 256 * l->du;
	int64_t q = num / den;
	if (q * den > num)
		q--;
	/* exactly between two rows: see the displacement above */
	bool down = !l->x_major || l->dv <= 0;
	return q * den == num && down ? q - 1 : q;
}

struct line_area {
	int64_t u0, v0, u1, v1; /* the part of the tile to be drawn, in pixels */
	int64_t tile_x, tile_y;
	uint32_t width;
	uint64_t mask[RS_BLOCKS];
};

static void plot(struct line_area *a, const struct line *l, int64_t u, int64_t v)
{
	if (u < a->u0 || u >= a->u1)
		return;
	int64_t from = v > a->v0 ? v : a->v0, to = v + a->width < a->v1 ? v + a->width : a->v1;
	for (; from < to; from++) {
		unsigned x = (unsigned)((l->x_major ? u : from) - a->tile_x);
		unsigned y = (unsigned)((l->x_major ? from : u) - a->tile_y);
		unsigned lane = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2 | (x & 4) << 2 | (y & 4) << 3;
		a->mask[(y >> 3) * 8 + (x >> 3)] |= 1ull << lane;
	}
}

static void draw(struct line_area *a, const struct line *l)
{
	int64_t first = l->forward ? l->u[0] : l->u[1], last = l->forward ? l->u[1] : l->u[0];
	int64_t skip = in_diamond(l, 1) ? pixel_below(l->u[1]) : INT64_MIN;
	/* columns whose middle m has first <= m < last */
	int64_t i = (first + 127) >> 8, end = (last + 127) >> 8;
	for (i = i > a->u0 ? i : a->u0, end = end < a->u1 ? end : a->u1; i < end; i++)
		if (i != skip)
			plot(a, l, i, row_at(l, i));
	/* the first diamond, when the line starts beyond its middle */
	int64_t u = pixel_below(l->u[0]), middle = u * 256 + 128;
	bool beyond = l->forward ? l->u[0] > middle : l->u[0] <= middle;
	bool ends_there = u == skip && pixel_below(l->v[0]) == pixel_below(l->v[1]);
	if (beyond && in_diamond(l, 0) && !ends_there)
		plot(a, l, u, pixel_below(l->v[0]));
}

/* A pixel of the line has all its samples. */
static void draw_block(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	uint64_t covered[RS_MAX_SAMPLES];
	if (w->state->samples == 1) {
		CU_FN(rs_sc_block)(w, prim, block, mask);
		return;
	}
	for (unsigned k = 0; k < RS_MAX_SAMPLES; k++)
		covered[k] = mask;
	CU_FN(rs_sc_block_msaa)(w, prim, block, covered);
}

void CU_FN(rs_sc_line)(struct rs_worker *w, const struct rs_prim *prim)
{
	struct line l;
	line_begin(&l, prim);
	int64_t x0 = prim->x0 > w->x ? prim->x0 : w->x, y0 = prim->y0 > w->y ? prim->y0 : w->y;
	int64_t x1 = prim->x1 < w->x + w->width ? prim->x1 : w->x + w->width;
	int64_t y1 = prim->y1 < w->y + w->height ? prim->y1 : w->y + w->height;
	struct line_area a = { .tile_x = w->x, .tile_y = w->y, .width = prim->line_width,
		.u0 = l.x_major ? x0 : y0, .u1 = l.x_major ? x1 : y1,
		.v0 = l.x_major ? y0 : x0, .v1 = l.x_major ? y1 : x1 };
	draw(&a, &l);
	for (unsigned b = 0, row = RS_BLOCKS; b < RS_BLOCKS; b++) {
		if (!a.mask[b])
			continue;
		if (b / 8 != row)
			rs_hidden_of_row(w, prim, (int)(row = b / 8));
		if (!rs_hiz_hides(w, b))
			draw_block(w, prim, b, a.mask[b]);
	}
}
