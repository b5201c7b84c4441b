/* SPDX-License-Identifier: MIT */
/* Points: squares around the unsnapped centre. */
#include <math.h>
#include "raster/arena.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_clip.h"
#include "raster/front/pa_state.h"
#include "raster/prim.h"

static float point_size(const struct rs_front *f, const struct rs_batch *b, unsigned slot)
{
	const struct rs_pa_state *pa = f->pa;
	float size = pa->vertex_size ? b->size[slot] : pa->point_size;
	if (!(size > pa->point_min)) /* NaN too */
		size = pa->point_min;
	return size > pa->point_max ? pa->point_max : size;
}

/* A point is clipped as a whole, by all planes of the view volume. */
static bool outside(const struct rs_front *f, const struct rs_batch *b, unsigned slot)
{
	if (!f->pa->clip || !f->pa->transform)
		return false;
	float w = f->pa->divide ? b->pos[3][slot] : 1;
	return !(fabsf(b->pos[0][slot]) <= w) || !(fabsf(b->pos[1][slot]) <= w);
}

/* The pixels whose centres are inside: no edges are needed. */
static bool is_rectangle(const struct rs_front *f) { return f->pa->samples == 1; }

/* From (x[0], y[0]), which is inside, to (x[1], y[1]), which is not; false: there is no pixel in it. */
static bool set_square(const struct rs_front *f, struct rs_prim *p, const int32_t x[2], const int32_t y[2])
{
	const struct rs_viewport *vp = &f->pa->vp[p->viewport];
	if (x[0] >= x[1] || y[0] >= y[1])
		return false;
	if (is_rectangle(f)) {
		p->edges = 0;
		return rs_pa_bounds(p, vp, x[0], y[0], x[1] - 1, y[1] - 1);
	}
	p->edges = 4;
	rs_pa_edge(&p->edge[0], x[0], y[0], x[1], y[0], false);
	rs_pa_edge(&p->edge[1], x[1], y[0], x[1], y[1], false);
	rs_pa_edge(&p->edge[2], x[1], y[1], x[0], y[1], false);
	rs_pa_edge(&p->edge[3], x[0], y[1], x[0], y[0], false);
	return rs_pa_bounds(p, vp, x[0], y[0], x[1], y[1]);
}

void rs_pa_point(struct rs_front *f, const struct rs_batch *b, struct rs_prim_common *c, const unsigned slot[3],
	unsigned which)
{
	unsigned v = slot[which];
	float size = point_size(f, b, v);
	if (outside(f, b, v) || !(size > 0))
		return;
	float win[3];
	rs_pa_window(f->pa, c->viewport, (float[]){ b->pos[0][v], b->pos[1][v], b->pos[2][v],
		b->pos[3][v] }, win);
	if (!(fabsf(win[0]) <= RS_GUARD) || !(fabsf(win[1]) <= RS_GUARD))
		return;
	float half = size * 0.5f;
	int32_t x[2] = { rs_pa_snap(win[0] - half), rs_pa_snap(win[0] + half) };
	int32_t y[2] = { rs_pa_snap(win[1] - half), rs_pa_snap(win[1] + half) };
	struct rs_prim *p = rs_arena_alloc(&f->arena, is_rectangle(f) ? RS_PRIM_EDGELESS_BYTES : RS_PRIM_TRIANGLE_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	if (which) { /* of a triangle: the vertex's own params, but for flat ones */
		const double weight[3] = { 0, which == 1, which == 2 };
		c->cut = true;
		if (!(c->attr[0] = rs_clip_attr(f, c->attr, weight, 0)))
			return;
	}
	c->z[0] = c->z[1] = c->z[2] = win[2];
	rs_pa_fill_prim(f, p, c);
	if (!set_square(f, p, x, y))
		return;
	p->is_point = 1;
	p->z = (struct rs_plane){ win[2] + c->z_bias, 0, 0 };
	/* Point coordinates run 0..1 from the upper left corner. */
	double k = 1 / (double)size;
	p->b1 = (struct rs_plane){ 0.5 + (0.5 - win[0]) * k, k, 0 };
	p->b2 = (struct rs_plane){ 0.5 + (0.5 - win[1]) * k, 0, k };
	rs_bin_prim(f, p);
}
