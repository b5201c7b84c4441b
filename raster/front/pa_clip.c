/* SPDX-License-Identifier: MIT */
/* Clipping, in double.  A crossing is always computed from the inside vertex
 * to the outside one, so that two primitives with a common edge get the same
 * point.
 *
 * A clipped triangle keeps its own planes and params where its three vertices
 * have window positions of moderate size: then clipping only cuts coverage,
 * and no seam can show between the pieces.  Only where a vertex is behind the
 * eye do the pieces get vertices, and params, of their own. */
#include "raster/front/pa_clip.h"

#include <math.h>
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_state.h"

enum { MAX_POLYGON = 24 };
/* Nearest to the eye plane; crossings are cut again by the guard band. */
#define MIN_W 0x1p-60
#define MODERATE 0x1p20

struct polygon { unsigned count; struct rs_clip_vertex v[MAX_POLYGON]; };

void rs_clip_load(const struct rs_front *f, const struct rs_batch *b, unsigned slot, unsigned vertex,
	struct rs_clip_vertex *v)
{
	for (int i = 0; i < 4; i++)
		v->p[i] = b->pos[i][slot];
	if (!f->pa->divide)
		v->p[3] = 1;
	for (int i = 0; i < 8; i++)
		v->dist[i] = f->pa->clip_mask >> i & 1 ? (double)b->dist[i][slot] : 0;
	for (unsigned i = 0; i < 3; i++)
		v->weight[i] = i == vertex;
	v->vertex = (int)vertex;
}

double rs_clip_distance(const struct rs_pa_state *pa, const struct rs_viewport *vp,
	const struct rs_clip_vertex *v, uint32_t code)
{
	const double *p = v->p, g = RS_GUARD;
	switch (code) {
	case RS_CODE_W: return p[3] - MIN_W;
	case RS_CODE_NEAR: return pa->z_symmetric ? p[2] + p[3] : p[2];
	case RS_CODE_FAR: return p[3] - p[2];
	case RS_CODE_X0: return p[0] * vp->scale[0] + p[3] * vp->offset[0] + g * p[3];
	case RS_CODE_X1: return g * p[3] - (p[0] * vp->scale[0] + p[3] * vp->offset[0]);
	case RS_CODE_Y0: return p[1] * vp->scale[1] + p[3] * vp->offset[1] + g * p[3];
	case RS_CODE_Y1: return g * p[3] - (p[1] * vp->scale[1] + p[3] * vp->offset[1]);
	}
	double d = v->dist[__builtin_ctz(code / RS_CODE_USER)];
	return d == d ? d : -1;
}

void rs_clip_cross(struct rs_clip_vertex *r, const struct rs_clip_vertex *in,
	const struct rs_clip_vertex *out, double d_in, double d_out)
{
	double t = d_in / (d_in - d_out);
	for (int i = 0; i < 4; i++)
		r->p[i] = in->p[i] + t * (out->p[i] - in->p[i]);
	for (int i = 0; i < 8; i++)
		r->dist[i] = in->dist[i] + t * (out->dist[i] - in->dist[i]);
	for (int i = 0; i < 3; i++)
		r->weight[i] = in->weight[i] + t * (out->weight[i] - in->weight[i]);
	r->vertex = -1;
}

uint32_t rs_clip_planes(uint32_t codes)
{
	/* Points made near the eye plane can be anywhere. */
	if (codes & RS_CODE_W)
		codes |= RS_CODE_X0 | RS_CODE_X1 | RS_CODE_Y0 | RS_CODE_Y1;
	return codes & RS_CODE_CLIP;
}

void rs_clip_window(const struct rs_front *f, const struct rs_batch *b, unsigned viewport, const unsigned slot[3],
	const struct rs_clip_vertex *v, double win[3])
{
	const struct rs_viewport *vp = &f->pa->vp[viewport];
	if (v->vertex >= 0) {
		unsigned s = slot[v->vertex];
		float w[3];
		rs_pa_window(f->pa, viewport, (float[]){ b->pos[0][s], b->pos[1][s], b->pos[2][s],
			b->pos[3][s] }, w);
		for (int i = 0; i < 3; i++)
			win[i] = w[i];
		return;
	}
	for (int i = 0; i < 3; i++)
		win[i] = v->p[i] / v->p[3] * vp->scale[i] + vp->offset[i];
}

double rs_clip_guard(double v)
{
	const double guard = (double)RS_GUARD + 1;
	return v > guard ? guard : v >= -guard ? v : -guard; /* NaN as well */
}

const float *rs_clip_attr(struct rs_front *f, const float *const attr[3], const double weight[3], unsigned k)
{
	unsigned n = f->pa->params * 4;
	float *r = rs_arena_alloc(&f->arena, n * 4 + 32);
	if (!r) {
		f->no_memory = true;
		return NULL;
	}
	r += 4;
	for (unsigned i = 0; i < 3; i++)
		RS_WEIGHTS(r)[i] = (float)weight[i];
	for (unsigned i = 0; i < n; i++) {
		if ((f->pa->flat | f->pa->vertices) >> i / 4 & 1)
			((uint32_t *)r)[i] = ((const uint32_t *)attr[f->pa->flat >> i / 4 & 1 ? 0 : k])[i];
		else
			r[i] = (float)(attr[0][i] * weight[0] + attr[1][i] * weight[1] + attr[2][i] * weight[2]);
	}
	return r;
}

/* Cuts the polygon by one plane (Sutherland and Hodgman). */
static void cut(const struct rs_front *f, const struct rs_viewport *vp, uint32_t code,
	const struct polygon *in, struct polygon *out)
{
	out->count = 0;
	for (unsigned i = 0; i < in->count; i++) {
		const struct rs_clip_vertex *a = &in->v[i], *b = &in->v[i + 1 < in->count ? i + 1 : 0];
		double da = rs_clip_distance(f->pa, vp, a, code), db = rs_clip_distance(f->pa, vp, b, code);
		if (out->count + 2 > MAX_POLYGON)
			return;
		if (da >= 0)
			out->v[out->count++] = *a;
		if (da >= 0 && db < 0)
			rs_clip_cross(&out->v[out->count++], a, b, da, db);
		else if (da < 0 && db >= 0)
			rs_clip_cross(&out->v[out->count++], b, a, db, da);
	}
}

static struct polygon *clip(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3], unsigned viewport,
	struct polygon buffer[2], uint32_t codes)
{
	struct polygon *in = &buffer[0], *out = &buffer[1];
	in->count = 3;
	for (unsigned i = 0; i < 3; i++)
		rs_clip_load(f, b, slot[i], i, &in->v[i]);
	for (uint32_t planes = rs_clip_planes(codes); planes && in->count; planes &= planes - 1) {
		cut(f, &f->pa->vp[viewport], planes & -planes, in, out);
		struct polygon *t = in;
		in = out;
		out = t;
	}
	return in->count >= 3 ? in : NULL;
}

/* Polygon vertices in the window. */
struct corners {
	int32_t x[MAX_POLYGON], y[MAX_POLYGON];
	double z[MAX_POLYGON];
};

static void project(struct rs_front *f, const struct rs_batch *b, unsigned viewport, const unsigned slot[3],
	const struct polygon *poly, struct corners *c)
{
	for (unsigned i = 0; i < poly->count; i++) {
		double win[3];
		rs_clip_window(f, b, viewport, slot, &poly->v[i], win);
		/* Unclipped vertices must snap as in the fast path: from float. */
		c->x[i] = rs_pa_snap((float)rs_clip_guard(win[0]));
		c->y[i] = rs_pa_snap((float)rs_clip_guard(win[1]));
		c->z[i] = win[2];
	}
}

static int64_t piece(const struct corners *c, unsigned i, int32_t x[3], int32_t y[3])
{
	const unsigned v[3] = { 0, i, i + 1 };
	for (int k = 0; k < 3; k++) {
		x[k] = c->x[v[k]];
		y[k] = c->y[v[k]];
	}
	return rs_pa_area(x, y);
}

/* Planes of the whole triangle; false where a vertex has no usable position. */
static bool whole_gradients(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3], uint32_t codes,
	struct rs_prim_common *c, struct rs_gradients *g)
{
	double x[3], y[3];
	if (codes & RS_CODE_W)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		struct rs_clip_vertex v;
		double win[3];
		rs_clip_load(f, b, slot[i], i, &v);
		rs_clip_window(f, b, c->viewport, slot, &v, win);
		if (!(fabs(win[0]) < MODERATE) || !(fabs(win[1]) < MODERATE))
			return false;
		x[i] = win[0] * 256;
		y[i] = win[1] * 256;
		c->z[i] = (float)win[2];
	}
	double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
	if (area == 0)
		return false;
	rs_pa_gradients(g, x, y, c->z, area);
	return true;
}

static void emit_whole(struct rs_front *f, struct rs_prim_common *c, const struct polygon *poly,
	const struct corners *corners, int64_t total, const struct rs_gradients *g)
{
	for (unsigned i = 1; i + 1 < poly->count; i++) {
		int32_t x[3], y[3];
		int64_t area = piece(corners, i, x, y);
		if (area && (area > 0) == (total > 0))
			rs_pa_emit_triangle(f, c, x, y, area, g);
	}
}

/* Vertex i of the polygon as vertex k of a piece. */
static bool set_vertex(struct rs_front *f, struct rs_prim_common *c, unsigned k,
	const struct polygon *poly, const struct corners *corners, const float *const attr[3], unsigned i)
{
	const struct rs_clip_vertex *v = &poly->v[i];
	/* Only the triangle's own provoking vertex may lead without a copy: flat params. */
	bool own = v->vertex >= 0 && (k > 0 || v->vertex == 0) && !f->pa->numbered;
	c->attr[k] = own ? attr[v->vertex] : rs_clip_attr(f, attr, v->weight, k);
	c->inv_w[k] = (float)(1 / v->p[3]);
	c->z[k] = (float)corners->z[i];
	return c->attr[k];
}

static void emit_pieces(struct rs_front *f, struct rs_prim_common *c, const struct polygon *poly,
	const struct corners *corners, int64_t total)
{
	const float *attr[3] = { c->attr[0], c->attr[1], c->attr[2] };
	c->cut = f->pa->numbered;
	for (unsigned i = 1; i + 1 < poly->count; i++) {
		int32_t x[3], y[3];
		int64_t area = piece(corners, i, x, y);
		if (!area || (area > 0) != (total > 0))
			continue;
		if (!set_vertex(f, c, 0, poly, corners, attr, 0) ||
		    !set_vertex(f, c, 1, poly, corners, attr, i) ||
		    !set_vertex(f, c, 2, poly, corners, attr, i + 1))
			return;
		struct rs_gradients g;
		double dx[3] = { x[0], x[1], x[2] }, dy[3] = { y[0], y[1], y[2] };
		rs_pa_gradients(&g, dx, dy, c->z, (double)area);
		c->z_bias = rs_pa_depth_bias(f->pa, c->front_facing, &g, c->z);
		rs_pa_emit_triangle(f, c, x, y, area, &g);
	}
}

/* Depth bias for polygon modes without whole planes: that of the first piece. */
static double first_piece_bias(struct rs_front *f, const struct rs_prim_common *c,
	const struct polygon *poly, const struct corners *corners)
{
	for (unsigned i = 1; i + 1 < poly->count; i++) {
		int32_t x[3], y[3];
		int64_t area = piece(corners, i, x, y);
		if (!area)
			continue;
		struct rs_gradients g;
		double dx[3] = { x[0], x[1], x[2] }, dy[3] = { y[0], y[1], y[2] };
		float z[3] = { (float)corners->z[0], (float)corners->z[i], (float)corners->z[i + 1] };
		rs_pa_gradients(&g, dx, dy, z, (double)area);
		return rs_pa_depth_bias(f->pa, c->front_facing, &g, z);
	}
	return 0;
}

static void emit_outline(struct rs_front *f, const struct rs_batch *b, const struct rs_prim_common *c,
	const unsigned slot[3], unsigned type)
{
	const uint32_t *code = b->code;
	for (unsigned i = 0; i < 3; i++) {
		unsigned j = i == 2 ? 0 : i + 1;
		struct rs_prim_common own = *c;
		if (type == PTYPE_POINTS && !(code[slot[i]] & (RS_CODE_CLIP | RS_CODE_DROP)))
			rs_pa_point(f, b, &own, slot, i);
		if (type == PTYPE_LINES && !(code[slot[i]] & code[slot[j]] & RS_CODE_CLIP))
			rs_pa_line(f, b, c, slot, i, j);
	}
}

void rs_pa_clip_triangle(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3])
{
	const uint32_t *code = b->code;
	uint32_t codes = code[slot[0]] | code[slot[1]] | code[slot[2]];
	struct rs_prim_common c;
	struct polygon buffer[2], *poly;
	if (!rs_pa_common(f, b, slot, &c))
		return;
	/* Codes of vertices with another viewport say nothing about this one's guard band. */
	if (f->pa->vertex_viewport)
		codes |= RS_CODE_X0 | RS_CODE_X1 | RS_CODE_Y0 | RS_CODE_Y1;
	if (!(poly = clip(f, b, slot, c.viewport, buffer, codes)))
		return;
	struct corners corners;
	project(f, b, c.viewport, slot, poly, &corners);
	int64_t total = 0;
	for (unsigned i = 1; i + 1 < poly->count; i++) {
		int32_t x[3], y[3];
		total += piece(&corners, i, x, y);
	}
	if (!total || !rs_pa_facing(f->pa, total, &c.front_facing))
		return;
	struct rs_gradients g;
	bool whole = whole_gradients(f, b, slot, codes, &c, &g);
	if (whole)
		c.z_bias = rs_pa_depth_bias(f->pa, c.front_facing, &g, c.z);
	unsigned type = f->pa->ptype[c.front_facing ? 0 : 1];
	if (type != PTYPE_TRIANGLES) {
		if (!whole)
			c.z_bias = first_piece_bias(f, &c, poly, &corners);
		emit_outline(f, b, &c, slot, type);
	} else if (whole) {
		emit_whole(f, &c, poly, &corners, total, &g);
	} else {
		emit_pieces(f, &c, poly, &corners, total);
	}
}
