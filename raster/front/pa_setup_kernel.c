/* SPDX-License-Identifier: MIT */
/* Small triangles, a vector at a time: filled, one viewport, no vertex outside,
 * less than 128 pixels wide and high, so that areas fit 32 bits.  Everything
 * else goes to the scalar code, in primitive order.  What fits 2x2 quads gets
 * its coverage here and needs no edges. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "raster/arena.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_clip.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/kernels.h"
#include "raster/prim.h"

/* VL triangles: corners, edges of positive orientation, bounds. */
struct group {
	vi x[3], y[3], code_or, code_and;
	vf z[3];
	int32_t vertex[3][VL];       /* four times the slot */
	vi area, a[3], b[3];
	vi x0, y0, x1, y1;
	uint32_t slow, scalar, fast; /* lanes, by what happens to them */
	uint32_t small;              /* of the fast ones: they fit 2x2 quads */
	vi mask;                     /* small: coverage as in struct rs_item */
};

/* Setup of a group, by lane. */
struct planes {
	int32_t a[3][VL], b[3][VL], x[3][VL], y[3][VL], area[VL];
	int32_t x0[VL], y0[VL], x1[VL], y1[VL], mask[VL];
	float z[3][VL], inv_w[3][VL], z_min[VL], z_max[VL];
	double plane[9][VL];         /* z, b1, b2: c, dx, dy */
};

/* Coverage of the 4x4 pixels whose first quad is at the bounds' corner; right
 * for triangles that fit them. */
static vi window_coverage(const struct group *g)
{
	/* lanes of column and row n */
	static const int32_t column[4] = { 0x0505, 0x0a0a, 0x5050, 0xa0a0 }, row[4] = { 0x0033, 0x00cc, 0x3300, 0xcc00 };
	vi x = g->x0 & ~1, y = g->y0 & ~1, at[3], step_x[3], step_y[3];
	vi mask = v_set(0), columns = v_set(0), rows = v_set(0);
	for (int i = 0; i < 3; i++) {
		vi owns = (vi)(g->a[i] > 0) | ((vi)(g->a[i] == 0) & (vi)(g->b[i] > 0));
		at[i] = g->a[i] * (x * 256 + 128 - g->x[i]) + g->b[i] * (y * 256 + 128 - g->y[i]) + ~owns;
		step_x[i] = g->a[i] * 256;
		step_y[i] = g->b[i] * 256;
	}
	for (int n = 0; n < 4; n++) {
		columns |= (vi)(x + n >= g->x0) & (vi)(x + n < g->x1) & v_set(column[n]);
		rows |= (vi)(y + n >= g->y0) & (vi)(y + n < g->y1) & v_set(row[n]);
	}
	for (int j = 0; j < 4; j++) {
		vi e[3] = { at[0], at[1], at[2] };
		for (int i = 0; i < 4; i++) {
			mask |= (vi)((e[0] | e[1] | e[2]) >= 0) & v_set(column[i] & row[j]);
			for (int n = 0; n < 3; n++)
				e[n] += step_x[n];
		}
		for (int n = 0; n < 3; n++)
			at[n] += step_y[n];
	}
	return mask & columns & rows;
}

static void bounds(struct group *g, const struct rs_viewport *vp, vi min_x, vi min_y, vi max_x, vi max_y)
{
	g->x0 = v_max((min_x + vp->first_x) >> 8, v_set(vp->x0));
	g->y0 = v_max((min_y + vp->first_y) >> 8, v_set(vp->y0));
	g->x1 = v_min((max_x + vp->end_x) >> 8, v_set(vp->x1));
	g->y1 = v_min((max_y + vp->end_y) >> 8, v_set(vp->y1));
}

/* Sorts lanes into slow, scalar, fast and dropped. */
static void classify(struct group *g, const struct rs_pa_state *pa, uint32_t valid)
{
	uint32_t live = valid & v_bits((vi)((g->code_or & RS_CODE_DROP) == 0) &
		(vi)((g->code_and & RS_CODE_REJECT) == 0));
	g->slow = live & v_bits((vi)((g->code_or & RS_CODE_CLIP) != 0));
	live &= ~g->slow;
	vi min_x = v_min(v_min(g->x[0], g->x[1]), g->x[2]), max_x = v_max(v_max(g->x[0], g->x[1]), g->x[2]);
	vi min_y = v_min(v_min(g->y[0], g->y[1]), g->y[2]), max_y = v_max(v_max(g->y[0], g->y[1]), g->y[2]);
	bounds(g, &pa->vp[0], min_x, min_y, max_x, max_y);
	live &= v_bits((vi)(g->x0 < g->x1) & (vi)(g->y0 < g->y1));
	/* Products of differences must fit 31 bits. */
	vi limit = v_set(1 << 15);
	g->scalar = live & ~v_bits((vi)(max_x - min_x < limit) & (vi)(max_y - min_y < limit));
	live &= ~g->scalar;
	g->area = (g->x[1] - g->x[0]) * (g->y[2] - g->y[0]) - (g->x[2] - g->x[0]) * (g->y[1] - g->y[0]);
	vi clockwise = (vi)(g->area > 0), front = pa->clockwise_front ? clockwise : ~clockwise;
	live &= v_bits((vi)(g->area != 0));
	if (pa->cull_front)
		live &= ~v_bits(front);
	if (pa->cull_back)
		live &= v_bits(front);
	for (int i = 0; i < 3; i++) {
		int j = i == 2 ? 0 : i + 1;
		vi a = g->y[i] - g->y[j], b = g->x[j] - g->x[i];
		g->a[i] = v_sel(clockwise, a, -a);
		g->b[i] = v_sel(clockwise, b, -b);
	}
	g->fast = live;
	g->small = 0;
	if (!pa->small)
		return;
	g->small = live & v_bits((vi)(g->x1 - (g->x0 & ~1) <= 4) & (vi)(g->y1 - (g->y0 & ~1) <= 4));
	if (!g->small)
		return;
	g->mask = window_coverage(g);
	uint32_t missed = g->small & v_bits((vi)(g->mask == 0));
	g->small &= ~missed;
	g->fast &= ~missed;
}

/* rs_pa_gradients, for half a vector. */
static void gradients(const struct group *g, const vf z[3], struct planes *p, int half)
{
	vd k = v_setd(256) / v_double(g->area, half), x[3], y[3];
	for (int i = 0; i < 3; i++) {
		x[i] = v_double(g->x[i], half);
		y[i] = v_double(g->y[i], half);
	}
	vd b1dx = (y[2] - y[0]) * k, b1dy = (x[0] - x[2]) * k;
	vd b2dx = (y[0] - y[1]) * k, b2dy = (x[1] - x[0]) * k;
	vd ox = (v_setd(128) - x[0]) * v_setd(1.0 / 256), oy = (v_setd(128) - y[0]) * v_setd(1.0 / 256);
	vd b1c = b1dx * ox + b1dy * oy, b2c = b2dx * ox + b2dy * oy;
	vd z0 = v_doublef(z[0], half);
	vd z1 = v_doublef(z[1], half) - z0, z2 = v_doublef(z[2], half) - z0;
	const vd out[9] = {
		z0 + z1 * b1c + z2 * b2c, z1 * b1dx + z2 * b2dx, z1 * b1dy + z2 * b2dy,
		b1c, b1dx, b1dy, b2c, b2dx, b2dy,
	};
	for (int i = 0; i < 9; i++)
		memcpy(&p->plane[i][half * (VL / 2)], &out[i], sizeof out[i]);
}

static vf absolute(vf v)
{
	return (vf)((vi)v & 0x7fffffff);
}

static void setup(const struct rs_batch *b, const struct group *g, struct planes *p)
{
	const vf *z = g->z;
	for (int i = 0; i < 3; i++) {
		v_storef(p->z[i], z[i]);
		v_store(p->inv_w[i], v_load_at(b->inv_w, g->vertex[i]));
	}
	v_store(p->area, g->area);
	v_store(p->x0, g->x0);
	v_store(p->y0, g->y0);
	if (g->small)
		v_store(p->mask, g->mask);
	gradients(g, z, p, 0);
	gradients(g, z, p, 1);
	if (g->small == g->fast)
		return;
	for (int i = 0; i < 3; i++) {
		v_store(p->a[i], g->a[i]);
		v_store(p->b[i], g->b[i]);
		v_store(p->x[i], g->x[i]);
		v_store(p->y[i], g->y[i]);
	}
	v_store(p->x1, g->x1);
	v_store(p->y1, g->y1);
	vf lo = v_minf(v_minf(z[0], z[1]), z[2]), hi = v_maxf(v_maxf(z[0], z[1]), z[2]);
	vf room = (absolute(lo) + absolute(hi) + v_setf(0x1p-100f)) * v_setf(0x1p-22f);
	v_storef(p->z_min, lo - room);
	v_storef(p->z_max, hi + room);
}

static void apply_bias(const struct rs_pa_state *pa, const struct planes *s, unsigned l, struct rs_prim *p,
	bool small)
{
	const float z[3] = { s->z[0][l], s->z[1][l], s->z[2][l] };
	struct rs_gradients g = { p->z, p->b1, p->b2 };
	double bias = rs_pa_depth_bias(pa, p->front_facing, &g, z);
	p->z.c += bias;
	if (small)
		return;
	float room = (absolute(v_setf((float)bias))[0] + 0x1p-100f) * 0x1p-22f;
	p->z_min = (float)(p->z_min + bias) - room;
	p->z_max = (float)(p->z_max + bias) + room;
}

/* What all have; false when there is no such layer. */
static inline bool fill(const struct rs_front *f, const struct rs_batch *b, const struct planes *s, unsigned l,
	const unsigned slot[3], struct rs_prim *p)
{
	const struct rs_pa_state *pa = f->pa;
	uint32_t layer = pa->vertex_layer ? b->layer[slot[0]] : 0;
	if (layer >= pa->slices)
		return false;
	p->draw = f->draw->draw;
	p->kind = RS_PRIM_EDGES;
	p->edges = 3;
	p->front_facing = (s->area[l] > 0) == pa->clockwise_front;
	p->viewport = 0;
	p->is_point = p->cut = 0;
	p->layer = (uint16_t)layer;
	p->z = (struct rs_plane){ s->plane[0][l], s->plane[1][l], s->plane[2][l] };
	p->b1 = (struct rs_plane){ s->plane[3][l], s->plane[4][l], s->plane[5][l] };
	p->b2 = (struct rs_plane){ s->plane[6][l], s->plane[7][l], s->plane[8][l] };
	for (int i = 0; i < 3; i++) {
		p->inv_w[i] = s->inv_w[i][l];
		p->attr[i] = b->attr + (size_t)slot[i] * b->stride;
	}
	return true;
}

static void emit_small(struct rs_front *f, const struct rs_batch *b, const struct planes *s, unsigned l,
	const unsigned slot[3])
{
	struct rs_prim *p = rs_arena_alloc(&f->arena, RS_PRIM_SMALL_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	if (!fill(f, b, s, l, slot, p))
		return;
	if (f->pa->offset[p->front_facing ? 0 : 1])
		apply_bias(f->pa, s, l, p, true);
	rs_bin_small(f, p, s->x0[l] & ~1, s->y0[l] & ~1, (uint32_t)s->mask[l]);
}

static void emit(struct rs_front *f, const struct rs_batch *b, const struct planes *s, unsigned l,
	const unsigned slot[3])
{
	struct rs_prim *p = rs_arena_alloc(&f->arena, RS_PRIM_TRIANGLE_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	if (!fill(f, b, s, l, slot, p))
		return;
	p->x0 = s->x0[l];
	p->y0 = s->y0[l];
	p->x1 = s->x1[l];
	p->y1 = s->y1[l];
	for (int i = 0; i < 3; i++) {
		int32_t ea = s->a[i][l], eb = s->b[i][l];
		bool owns = ea > 0 || (ea == 0 && eb > 0);
		p->edge[i] = (struct rs_edge){ -(int64_t)ea * s->x[i][l] - (int64_t)eb * s->y[i][l] - !owns, ea, eb };
	}
	p->z_min = s->z_min[l];
	p->z_max = s->z_max[l];
	if (f->pa->offset[p->front_facing ? 0 : 1])
		apply_bias(f->pa, s, l, p, false);
	rs_bin_prim(f, p);
}

static void group(struct rs_front *f, const struct rs_batch *b, unsigned first, uint32_t valid)
{
	struct group g;
	struct planes p;
	g.code_and = v_set(-1);
	g.code_or = v_set(0);
	for (int i = 0; i < 3; i++) {
		const vi slot = v_load_u8(&b->prim[i][first]);
		int32_t at[VL];
		vi row[4];
		v_store(at, slot * (int32_t)sizeof b->row[0]);
		v_store(g.vertex[i], slot * 4);
		v_load_rows_at(16, b->row, at, row);
		g.x[i] = row[0];
		g.y[i] = row[1];
		g.code_or |= row[2];
		g.code_and &= row[2];
		g.z[i] = (vf)row[3];
	}
	classify(&g, f->pa, valid);
	if (g.fast)
		setup(b, &g, &p);
	for (uint32_t left = g.fast | g.slow | g.scalar; left; left &= left - 1) {
		unsigned l = (unsigned)__builtin_ctz(left);
		const unsigned s[3] = { b->prim[0][first + l], b->prim[1][first + l], b->prim[2][first + l] };
		if (g.small >> l & 1)
			emit_small(f, b, &p, l, s);
		else if (g.fast >> l & 1)
			emit(f, b, &p, l, s);
		else if (g.scalar >> l & 1)
			rs_pa_triangle(f, b, s);
		else
			rs_pa_clip_triangle(f, b, s);
	}
}

void CU_FN(rs_pa_triangles)(struct rs_front *f, const struct rs_batch *b)
{
	unsigned n = b->prims;
	for (unsigned p = 0; p < n; p += VL)
		group(f, b, p, n - p >= VL ? (1u << VL) - 1 : (1u << (n - p)) - 1);
}

const struct rs_pa_kernels CU_FN(rs_pa_kernels) = {
	.vertices = CU_FN(rs_pa_vertices),
	.triangles = CU_FN(rs_pa_triangles),
};
