/* SPDX-License-Identifier: MIT */
/* Primitive assembly: vertices to window coordinates and clip codes, the
 * choice between the fast path and clipping for each primitive. */
#include "raster/front/pa.h"

#include <string.h>
#include "core/level.h"
#include "isa/regs.h"
#include "raster/front/front.h"
#include "raster/front/pa_clip.h"
#include "raster/front/pa_state.h"

int32_t rs_pa_snap(float v)
{
	return (int32_t)__builtin_lrintf(v * 256.0f);
}

void rs_pa_window(const struct rs_pa_state *pa, unsigned viewport, const float pos[4], float win[3])
{
	const struct rs_viewport *vp = &pa->vp[viewport];
	float w = pa->divide ? pos[3] : 1.0f;
	for (int i = 0; i < 3; i++)
		win[i] = pos[i] / w * vp->scale[i] + vp->offset[i];
}

static uint32_t distance_codes(const struct rs_batch *b, const struct rs_pa_state *pa, unsigned v)
{
	uint32_t code = 0;
	for (unsigned mask = pa->clip_mask; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		if (!(b->dist[i][v] >= 0)) /* NaN is outside */
			code |= RS_CODE_USER << i;
	}
	for (unsigned mask = pa->cull_mask; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		if (!(b->dist[i][v] >= 0))
			code |= RS_CODE_CULL << i;
	}
	return code;
}

static bool is_finite(float v)
{
	return v - v == 0;
}

static void vertex(struct rs_batch *b, const struct rs_pa_state *pa, unsigned v)
{
	float pos[4] = { b->pos[0][v], b->pos[1][v], b->pos[2][v], b->pos[3][v] };
	float w = pa->divide ? pos[3] : 1.0f;
	uint32_t code = distance_codes(b, pa, v);
	if (!is_finite(pos[0]) || !is_finite(pos[1]) || !is_finite(pos[2]) || !is_finite(pos[3]))
		code |= RS_CODE_DROP;
	if (pa->near_clip && pos[2] < (pa->z_symmetric ? -w : 0))
		code |= RS_CODE_NEAR;
	if (pa->far_clip && pos[2] > w)
		code |= RS_CODE_FAR;
	float win[3] = { 0 };
	if (w > 0) {
		rs_pa_window(pa, pa->vertex_viewport ? b->viewport[v] & 15 : 0, pos, win);
		if (!(win[0] >= -RS_GUARD))
			code |= RS_CODE_X0;
		if (!(win[0] <= RS_GUARD))
			code |= RS_CODE_X1;
		if (!(win[1] >= -RS_GUARD))
			code |= RS_CODE_Y0;
		if (!(win[1] <= RS_GUARD))
			code |= RS_CODE_Y1;
	} else {
		code |= RS_CODE_W;
	}
	bool inside = !(code & (RS_CODE_DROP | RS_CODE_W | RS_CODE_X0 | RS_CODE_X1 | RS_CODE_Y0 | RS_CODE_Y1));
	b->x[v] = inside ? rs_pa_snap(win[0]) : 0;
	b->y[v] = inside ? rs_pa_snap(win[1]) : 0;
	for (int i = 0; i < 3; i++)
		b->win[i][v] = win[i];
	/* Without the division the shader gives 1/w itself. */
	b->inv_w[v] = pa->divide ? 1.0f / pos[3] : pos[3];
	b->code[v] = code;
}

/* A viewport for each vertex: not worth a kernel. */
static void vertices(struct rs_batch *b, const struct rs_pa_state *pa)
{
	for (unsigned v = 0; v < b->count; v++)
		vertex(b, pa, v);
}

bool rs_pa_common(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3], struct rs_prim_common *c)
{
	unsigned provoking = slot[0];
	c->front_facing = true;
	c->cut = false;
	c->viewport = f->pa->vertex_viewport ? b->viewport[provoking] & 15 : 0;
	c->layer = f->pa->vertex_layer ? b->layer[provoking] : 0;
	c->z_bias = 0;
	for (int i = 0; i < 3; i++) {
		c->attr[i] = b->attr + (size_t)slot[i] * b->stride;
		c->inv_w[i] = b->inv_w[slot[i]];
		c->z[i] = b->win[2][slot[i]];
	}
	return c->layer < f->pa->slices;
}

bool rs_pa_facing(const struct rs_pa_state *pa, int64_t area, bool *front)
{
	*front = (area > 0) == pa->clockwise_front;
	return !(*front ? pa->cull_front : pa->cull_back);
}

void rs_pa_triangle(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3])
{
	const struct rs_pa_state *pa = f->pa;
	int32_t x[3], y[3];
	for (int i = 0; i < 3; i++) {
		x[i] = b->x[slot[i]];
		y[i] = b->y[slot[i]];
	}
	struct rs_prim_common c;
	int64_t area = rs_pa_area(x, y);
	bool front;
	if (!area || !rs_pa_facing(pa, area, &front) || !rs_pa_common(f, b, slot, &c))
		return;
	c.front_facing = front;
	struct rs_gradients g;
	double dx[3] = { x[0], x[1], x[2] }, dy[3] = { y[0], y[1], y[2] };
	rs_pa_gradients(&g, dx, dy, c.z, (double)area);
	c.z_bias = rs_pa_depth_bias(pa, front, &g, c.z);
	rs_pa_emit_triangle(f, &c, x, y, area, &g);
}

static void triangles(struct rs_front *f, const struct rs_batch *b)
{
	const struct rs_pa_state *pa = f->pa;
	bool filled = pa->ptype[0] == PTYPE_TRIANGLES && pa->ptype[1] == PTYPE_TRIANGLES;
	if (filled && !pa->vertex_viewport) {
		f->k->triangles(f, b);
		return;
	}
	for (unsigned p = 0; p < b->prims; p++) {
		unsigned slot[3] = { b->prim[0][p], b->prim[1][p], b->prim[2][p] };
		uint32_t c0 = b->code[slot[0]], c1 = b->code[slot[1]], c2 = b->code[slot[2]];
		if (((c0 | c1 | c2) & RS_CODE_DROP) || (c0 & c1 & c2 & RS_CODE_REJECT))
			continue;
		bool mixed = pa->vertex_viewport && (b->viewport[slot[0]] != b->viewport[slot[1]] ||
			b->viewport[slot[0]] != b->viewport[slot[2]]);
		if (!filled || mixed || ((c0 | c1 | c2) & RS_CODE_CLIP))
			rs_pa_clip_triangle(f, b, slot);
		else
			rs_pa_triangle(f, b, slot);
	}
}

static void lines(struct rs_front *f, const struct rs_batch *b)
{
	bool last = f->pa->provoking_last;
	for (unsigned p = 0; p < b->prims; p++) {
		unsigned from = b->prim[0][p], to = b->prim[1][p];
		/* The provoking vertex is number 0, the line keeps its direction. */
		unsigned slot[3] = { last ? to : from, last ? from : to, last ? to : from };
		uint32_t c0 = b->code[from], c1 = b->code[to];
		struct rs_prim_common c;
		if (((c0 | c1) & RS_CODE_DROP) || (c0 & c1 & RS_CODE_REJECT) || !rs_pa_common(f, b, slot, &c))
			continue;
		rs_pa_line(f, b, &c, slot, last, !last);
	}
}

static void points(struct rs_front *f, const struct rs_batch *b)
{
	for (unsigned p = 0; p < b->prims; p++) {
		unsigned slot[3] = { b->prim[0][p], b->prim[0][p], b->prim[0][p] };
		struct rs_prim_common c;
		if ((b->code[slot[0]] & (RS_CODE_DROP | RS_CODE_REJECT)) || !rs_pa_common(f, b, slot, &c))
			continue;
		rs_pa_point(f, b, &c, slot, 0);
	}
}

/* Sides of the view volume that the vertex is outside of, in bits of their own. */
static uint32_t side_codes(const struct rs_batch *b, const struct rs_pa_state *pa, unsigned v)
{
	float w = pa->divide ? b->pos[3][v] : 1.0f;
	uint32_t code = 0;
	for (unsigned i = 0; i < 2; i++) {
		code |= b->pos[i][v] < -w ? 1u << (28 + 2 * i) : 0;
		code |= b->pos[i][v] > w ? 2u << (28 + 2 * i) : 0;
	}
	return code;
}

unsigned rs_pa_count_visible(const struct rs_front *f, const struct rs_batch *b)
{
	unsigned n = 0;
	for (unsigned p = 0; p < b->prims; p++) {
		uint32_t all = ~0u, any = 0;
		for (unsigned i = 0; i < b->corners; i++) {
			unsigned v = b->prim[i][p];
			/* Wide points and lines may reach into the volume. */
			uint32_t code = b->code[v] | (b->corners == 3 && f->pa->clip ? side_codes(b, f->pa, v) : 0);
			all &= code;
			any |= code;
		}
		n += !(any & RS_CODE_DROP) && !(all & ~(uint32_t)RS_CODE_DROP);
	}
	return n;
}

void rs_pa_project(struct rs_front *f, struct rs_batch *b)
{
	if (f->pa->vertex_viewport)
		vertices(b, f->pa);
	else
		f->k->vertices(b, f->pa);
}

void rs_pa_set_up(struct rs_front *f, const struct rs_batch *b)
{
	switch (b->corners) {
	case 1: points(f, b); break;
	case 2: lines(f, b); break;
	case 3: triangles(f, b); break;
	}
}
