/* SPDX-License-Identifier: MIT */
/* Setup: edge functions, planes, depth bias.  Coverage is exact integer
 * arithmetic on vertices snapped to 1/256 pixel; planes are double. */
#include <math.h>
#include <string.h>
#include "raster/arena.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/prim.h"

int64_t rs_pa_area(const int32_t x[3], const int32_t y[3])
{
	return (int64_t)(x[1] - x[0]) * (y[2] - y[0]) - (int64_t)(x[2] - x[0]) * (y[1] - y[0]);
}

void rs_pa_edge(struct rs_edge *e, int32_t x0, int32_t y0, int32_t x1, int32_t y1, bool flip)
{
	int32_t a = y0 - y1, b = x1 - x0;
	if (flip) {
		a = -a;
		b = -b;
	}
	e->a = a;
	e->b = b;
	/* A left edge, or a horizontal top one, owns the points on it. */
	bool owns = a > 0 || (a == 0 && b > 0);
	e->c = -(int64_t)a * x0 - (int64_t)b * y0 - !owns;
}

void rs_pa_gradients(struct rs_gradients *g, const double x[3], const double y[3],
	const float z[3], double area)
{
	double k = 256 / area;
	/* b1 falls to 0 on the edge from 2 to 0, b2 on the edge from 0 to 1. */
	g->b1.dx = (y[2] - y[0]) * k;
	g->b1.dy = (x[0] - x[2]) * k;
	g->b2.dx = (y[0] - y[1]) * k;
	g->b2.dy = (x[1] - x[0]) * k;
	double ox = (128 - x[0]) * (1.0 / 256), oy = (128 - y[0]) * (1.0 / 256);
	g->b1.c = g->b1.dx * ox + g->b1.dy * oy;
	g->b2.c = g->b2.dx * ox + g->b2.dy * oy;
	double z1 = (double)z[1] - z[0], z2 = (double)z[2] - z[0];
	g->z.dx = z1 * g->b1.dx + z2 * g->b2.dx;
	g->z.dy = z1 * g->b1.dy + z2 * g->b2.dy;
	g->z.c = z[0] + z1 * g->b1.c + z2 * g->b2.c;
}

static float max_f(float a, float b) { return a > b ? a : b; }
static float min_f(float a, float b) { return a < b ? a : b; }

double rs_pa_depth_bias(const struct rs_pa_state *pa, bool front,
	const struct rs_gradients *g, const float z[3])
{
	unsigned face = front ? 0 : 1;
	if (!pa->offset[face])
		return 0;
	double dx = fabs(g->z.dx), dy = fabs(g->z.dy), m = dx > dy ? dx : dy;
	double r = pa->z_unit;
	if (pa->z_float) {
		int e;
		float largest = max_f(max_f(fabsf(z[0]), fabsf(z[1])), fabsf(z[2]));
		frexpf(largest, &e); /* largest = f * 2^e, f in [0.5, 1) */
		r = largest > 0 ? ldexp(1, (e - 1 < -126 ? -126 : e - 1) - 23) : 0;
	}
	double bias = m * pa->offset_slope[face] + r * pa->offset_units[face];
	if (!(bias == bias))
		return 0;
	if (pa->offset_clamp > 0 && bias > pa->offset_clamp)
		bias = pa->offset_clamp;
	if (pa->offset_clamp < 0 && bias < pa->offset_clamp)
		bias = pa->offset_clamp;
	return bias;
}

static int32_t max_i(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t min_i(int32_t a, int32_t b) { return a < b ? a : b; }

bool rs_pa_bounds(struct rs_prim *p, const struct rs_viewport *vp, int32_t min_x, int32_t min_y,
	int32_t max_x, int32_t max_y)
{
	/* The first sample at or after the minimum, the last at or before the maximum. */
	p->x0 = max_i((min_x + vp->first_x) >> 8, vp->x0);
	p->y0 = max_i((min_y + vp->first_y) >> 8, vp->y0);
	p->x1 = min_i((max_x + vp->end_x) >> 8, vp->x1);
	p->y1 = min_i((max_y + vp->end_y) >> 8, vp->y1);
	return p->x0 < p->x1 && p->y0 < p->y1;
}

void rs_pa_fill_prim(struct rs_front *f, struct rs_prim *p, const struct rs_prim_common *c)
{
	p->draw = f->draw->draw;
	p->kind = RS_PRIM_EDGES;
	p->front_facing = c->front_facing;
	p->viewport = (uint8_t)c->viewport;
	p->is_point = 0;
	p->cut = c->cut;
	p->layer = (uint16_t)c->layer;
	for (int i = 0; i < 3; i++) {
		p->inv_w[i] = c->inv_w[i];
		p->attr[i] = c->attr[i];
	}
	float lo = min_f(min_f(c->z[0], c->z[1]), c->z[2]);
	float hi = max_f(max_f(c->z[0], c->z[1]), c->z[2]);
	/* Planes round: leave a little room. */
	float room = (fabsf(lo) + fabsf(hi) + 0x1p-100f) * 0x1p-22f;
	p->z_min = (float)(lo + c->z_bias) - room;
	p->z_max = (float)(hi + c->z_bias) + room;
}

void rs_pa_emit_triangle(struct rs_front *f, const struct rs_prim_common *c,
	const int32_t x[3], const int32_t y[3], int64_t area, const struct rs_gradients *g)
{
	struct rs_prim box;
	if (!rs_pa_bounds(&box, &f->pa->vp[c->viewport],
			min_i(min_i(x[0], x[1]), x[2]), min_i(min_i(y[0], y[1]), y[2]),
			max_i(max_i(x[0], x[1]), x[2]), max_i(max_i(y[0], y[1]), y[2])))
		return;
	struct rs_prim *p = rs_arena_alloc(&f->arena, RS_PRIM_TRIANGLE_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	rs_pa_fill_prim(f, p, c);
	p->edges = 3;
	p->x0 = box.x0;
	p->y0 = box.y0;
	p->x1 = box.x1;
	p->y1 = box.y1;
	for (int i = 0; i < 3; i++) {
		int j = i == 2 ? 0 : i + 1;
		rs_pa_edge(&p->edge[i], x[i], y[i], x[j], y[j], area < 0);
	}
	p->z = g->z;
	p->z.c += c->z_bias;
	p->b1 = g->b1;
	p->b2 = g->b2;
	rs_bin_prim(f, p);
}
