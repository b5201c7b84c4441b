/* SPDX-License-Identifier: MIT */
/* Lines: rectangular (a quad with ends perpendicular to the line: strictLines)
 * or Bresenham, which the scan converter walks from the end points. */
#include <math.h>
#include "raster/arena.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_clip.h"
#include "raster/front/pa_state.h"
#include "raster/prim.h"

#define MODERATE 0x1p20

struct line {
	unsigned viewport;
	int32_t x[2], y[2];          /* clipped end points, 24.8 */
	double wx[2], wy[2];         /* the same, pixels */
	struct rs_plane t;           /* 0 at the first vertex of the planes, 1 at the second */
	unsigned which[2];           /* those vertices in the common part */
	struct rs_prim_common common;
};

/* Cuts the segment; false when nothing is left. */
static bool clip_segment(const struct rs_front *f, const struct rs_viewport *vp,
	struct rs_clip_vertex end[2], uint32_t codes)
{
	for (uint32_t planes = rs_clip_planes(codes); planes; planes &= planes - 1) {
		uint32_t code = planes & -planes;
		double d0 = rs_clip_distance(f->pa, vp, &end[0], code);
		double d1 = rs_clip_distance(f->pa, vp, &end[1], code);
		struct rs_clip_vertex r;
		if (d0 < 0 && d1 < 0)
			return false;
		if (d0 < 0) {
			rs_clip_cross(&r, &end[1], &end[0], d1, d0);
			end[0] = r;
		} else if (d1 < 0) {
			rs_clip_cross(&r, &end[0], &end[1], d0, d1);
			end[1] = r;
		}
	}
	return true;
}

/* t by projection onto the line from (x0, y0) to (x1, y1). */
static bool set_t(struct rs_plane *t, const double x[2], const double y[2])
{
	double dx = x[1] - x[0], dy = y[1] - y[0], length2 = dx * dx + dy * dy;
	if (!(length2 > 0))
		return false;
	t->dx = dx / length2;
	t->dy = dy / length2;
	t->c = (0.5 - x[0]) * t->dx + (0.5 - y[0]) * t->dy;
	return true;
}

/* Planes between the unclipped vertices where both have usable positions.  win: those of its ends, if they are these. */
static bool whole_line(struct rs_front *f, const struct rs_batch *b, struct line *l, const unsigned slot[3],
	unsigned from, unsigned to, uint32_t codes, double win[2][3])
{
	const unsigned which[2] = { from, to };
	const bool whole = !rs_clip_planes(codes);
	double x[2], y[2];
	if (codes & RS_CODE_W)
		return false;
	for (int i = 0; i < 2; i++) {
		if (!whole) {
			struct rs_clip_vertex v;
			rs_clip_load(f, b, slot[which[i]], which[i], &v);
			rs_clip_window(f, b, l->viewport, slot, &v, win[i]);
		}
		if (!(fabs(win[i][0]) < MODERATE) || !(fabs(win[i][1]) < MODERATE))
			return false;
		x[i] = win[i][0];
		y[i] = win[i][1];
		l->common.z[which[i]] = (float)win[i][2];
		l->which[i] = which[i];
	}
	return set_t(&l->t, x, y);
}

/* Params of its own for each clipped end; the first end leads, with the
 * provoking vertex's flat params. */
static bool cut_line(struct rs_front *f, struct line *l, const struct rs_clip_vertex end[2],
	const double z[2])
{
	struct rs_prim_common *c = &l->common;
	const float *attr[3] = { c->attr[0], c->attr[1], c->attr[2] };
	for (unsigned i = 0; i < 2; i++) {
		if (!(c->attr[i] = rs_clip_attr(f, attr, end[i].weight, i)))
			return false;
		c->inv_w[i] = (float)(1 / end[i].p[3]);
		c->z[i] = (float)z[i];
		l->which[i] = i;
	}
	c->cut = f->pa->numbered;
	if (!c->cut)
		c->attr[2] = c->attr[0];
	else if (!(c->attr[2] = rs_clip_attr(f, attr, end[0].weight, 2)))
		return false;
	c->inv_w[2] = c->inv_w[0];
	c->z[2] = c->z[0];
	return set_t(&l->t, l->wx, l->wy);
}

static void weight_plane(struct rs_plane *p, const struct line *l, unsigned vertex)
{
	*p = (struct rs_plane){ 0 };
	if (l->which[1] == vertex)
		*p = l->t;
	else if (l->which[0] == vertex)
		*p = (struct rs_plane){ 1 - l->t.c, -l->t.dx, -l->t.dy };
}

static void set_planes(const struct line *l, struct rs_prim *p)
{
	const struct rs_prim_common *c = &l->common;
	double z0 = c->z[l->which[0]], dz = (double)c->z[l->which[1]] - z0;
	weight_plane(&p->b1, l, 1);
	weight_plane(&p->b2, l, 2);
	p->z = (struct rs_plane){ z0 + c->z_bias + dz * l->t.c, dz * l->t.dx, dz * l->t.dy };
	/* Pixels of a wide or stepped line lie a little past its ends. */
	float over = (float)(fabs(dz) * (sqrt(l->t.dx * l->t.dx + l->t.dy * l->t.dy) * 1.5));
	p->z_min -= over;
	p->z_max += over;
}

static int32_t snap(double v)
{
	return (int32_t)__builtin_lrint(v * 256);
}

static int32_t min4(const int32_t v[4])
{
	int32_t a = v[0] < v[1] ? v[0] : v[1], b = v[2] < v[3] ? v[2] : v[3];
	return a < b ? a : b;
}
static int32_t max4(const int32_t v[4])
{
	int32_t a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
	return a > b ? a : b;
}

static bool set_rectangle(struct rs_front *f, const struct line *l, struct rs_prim *p)
{
	double dx = l->wx[1] - l->wx[0], dy = l->wy[1] - l->wy[0];
	double length = sqrt(dx * dx + dy * dy);
	if (!(length > 0))
		return false;
	double nx = -dy / length * (f->pa->line_width * 0.5), ny = dx / length * (f->pa->line_width * 0.5);
	/* In the order of a clockwise quad, y down, from the line's left. */
	int32_t x[4] = { snap(l->wx[0] - nx), snap(l->wx[1] - nx), snap(l->wx[1] + nx), snap(l->wx[0] + nx) };
	int32_t y[4] = { snap(l->wy[0] - ny), snap(l->wy[1] - ny), snap(l->wy[1] + ny), snap(l->wy[0] + ny) };
	int64_t area = (int64_t)(x[2] - x[0]) * (y[3] - y[1]) - (int64_t)(x[3] - x[1]) * (y[2] - y[0]);
	if (area <= 0)
		return false;
	p->edges = 4;
	for (int i = 0; i < 4; i++)
		rs_pa_edge(&p->edge[i], x[i], y[i], x[(i + 1) & 3], y[(i + 1) & 3], false);
	return rs_pa_bounds(p, &f->pa->vp[l->viewport], min4(x), min4(y), max4(x), max4(y));
}

static bool set_bresenham(struct rs_front *f, const struct line *l, struct rs_prim *p)
{
	p->kind = RS_PRIM_BRESENHAM;
	p->edges = 0;
	p->line_width = f->pa->line_width < 1.5f ? 1 : (uint32_t)__builtin_lrintf(f->pa->line_width);
	for (int i = 0; i < 2; i++) {
		p->line_x[i] = l->x[i];
		p->line_y[i] = l->y[i];
	}
	int32_t room = ((int32_t)p->line_width / 2 + 2) * 256;
	int32_t x[4] = { l->x[0], l->x[1], l->x[0], l->x[1] }, y[4] = { l->y[0], l->y[1], l->y[0], l->y[1] };
	return rs_pa_bounds(p, &f->pa->vp[l->viewport], min4(x) - room, min4(y) - room,
		max4(x) + room, max4(y) + room);
}

void rs_pa_line(struct rs_front *f, const struct rs_batch *b, const struct rs_prim_common *c, const unsigned slot[3],
	unsigned from, unsigned to)
{
	const uint32_t *code = b->code;
	uint32_t codes = code[slot[from]] | code[slot[to]];
	struct line l = { .viewport = c->viewport, .common = *c };
	struct rs_clip_vertex end[2];
	rs_clip_load(f, b, slot[from], from, &end[0]);
	rs_clip_load(f, b, slot[to], to, &end[1]);
	if (f->pa->vertex_viewport)
		codes |= RS_CODE_X0 | RS_CODE_X1 | RS_CODE_Y0 | RS_CODE_Y1;
	if (!clip_segment(f, &f->pa->vp[l.viewport], end, codes))
		return;
	double win[2][3], z[2];
	for (int i = 0; i < 2; i++) {
		rs_clip_window(f, b, l.viewport, slot, &end[i], win[i]);
		l.wx[i] = rs_clip_guard(win[i][0]);
		l.wy[i] = rs_clip_guard(win[i][1]);
		z[i] = win[i][2];
		l.x[i] = snap(l.wx[i]);
		l.y[i] = snap(l.wy[i]);
	}
	if (!whole_line(f, b, &l, slot, from, to, codes, win) && !cut_line(f, &l, end, z))
		return;
	/* The vertex that the line does not use must not widen its depth range. */
	for (unsigned i = 0; i < 3; i++)
		if (i != l.which[0] && i != l.which[1])
			l.common.z[i] = l.common.z[l.which[0]];
	struct rs_prim *p = rs_arena_alloc(&f->arena, sizeof *p);
	if (!p) {
		f->no_memory = true;
		return;
	}
	rs_pa_fill_prim(f, p, &l.common);
	set_planes(&l, p);
	if (f->pa->rectangular ? set_rectangle(f, &l, p) : set_bresenham(f, &l, p))
		rs_bin_prim(f, p);
}
