/* SPDX-License-Identifier: MIT */
/* Small triangles, a vector at a time: filled, one viewport, no vertex outside,
 * less than 128 pixels wide and high, so that areas fit 32 bits.  Everything
 * else goes to the scalar code, in primitive order.  What fits 2x2 quads gets
 * its coverage here and needs no edges. */
#include <string.h>
#include "core/level.h"
#include "raster/arena.h"
#include "raster/front/bin.h"
#include "raster/front/front.h"
#include "raster/front/pa.h"
#include "raster/front/pa_clip.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/prim.h"
#include "raster/vec.h"

/* VW triangles: corners, edges of positive orientation, bounds. */
struct group {
	vi x[3], y[3], code_or, code_and;
	vi area, a[3], b[3];
	vi x0, y0, x1, y1;
	uint32_t slow, scalar, fast; /* lanes, by what happens to them */
	uint32_t small;              /* of the fast ones: they fit 2x2 quads */
	vi mask;                     /* small: coverage as in struct rs_item */
};

/* Setup of a group, by lane. */
struct planes {
	int32_t a[3][VW], b[3][VW], x[3][VW], y[3][VW], area[VW];
	int32_t x0[VW], y0[VW], x1[VW], y1[VW], mask[VW];
	float z[3][VW], inv_w[3][VW], z_min[VW], z_max[VW];
	double plane[9][VW];         /* z, b1, b2: c, dx, dy */
};

static inline vi gather(const void *base, vi index)
{
#if CU_LEVEL >= 4
	return (vi)_mm512_i32gather_epi32((__m512i)index, base, 4);
#else
	return (vi)_mm256_i32gather_epi32(base, (__m256i)index, 4);
#endif
}

static inline vi load_slots(const uint8_t *p)
{
#if CU_LEVEL >= 4
	return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)p));
#else
	return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const void *)p));
#endif
}

static inline vi vi_min(vi a, vi b) { return vi_pick((vi)(a < b), a, b); }
static inline vi vi_max(vi a, vi b) { return vi_pick((vi)(a > b), a, b); }
static inline uint32_t lanes(vi mask) { return vi_signs(mask); }

/* Coverage of the 4x4 pixels whose first quad is at the bounds' corner; right
 * for triangles that fit them. */
static vi window_coverage(const struct group *g)
{
	/* lanes of column and row n */
	static const int32_t column[4] = { 0x0505, 0x0a0a, 0x5050, 0xa0a0 }, row[4] = { 0x0033, 0x00cc, 0x3300, 0xcc00 };
	vi x = g->x0 & ~1, y = g->y0 & ~1, at[3], step_x[3], step_y[3];
	vi mask = vi_set(0), columns = vi_set(0), rows = vi_set(0);
	for (int i = 0; i < 3; i++) {
		vi owns = (vi)(g->a[i] > 0) | ((vi)(g->a[i] == 0) & (vi)(g->b[i] > 0));
		at[i] = g->a[i] * (x * 256 + 128 - g->x[i]) + g->b[i] * (y * 256 + 128 - g->y[i]) + ~owns;
		step_x[i] = g->a[i] * 256;
		step_y[i] = g->b[i] * 256;
	}
	for (int n = 0; n < 4; n++) {
		columns |= (vi)(x + n >= g->x0) & (vi)(x + n < g->x1) & vi_set(column[n]);
		rows |= (vi)(y + n >= g->y0) & (vi)(y + n < g->y1) & vi_set(row[n]);
	}
	for (int j = 0; j < 4; j++) {
		vi e[3] = { at[0], at[1], at[2] };
		for (int i = 0; i < 4; i++) {
			mask |= (vi)((e[0] | e[1] | e[2]) >= 0) & vi_set(column[i] & row[j]);
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
	g->x0 = vi_max((min_x + vp->first_x) >> 8, vi_set(vp->x0));
	g->y0 = vi_max((min_y + vp->first_y) >> 8, vi_set(vp->y0));
	g->x1 = vi_min((max_x + vp->end_x) >> 8, vi_set(vp->x1));
	g->y1 = vi_min((max_y + vp->end_y) >> 8, vi_set(vp->y1));
}

/* Sorts lanes into slow, scalar, fast and dropped. */
static void classify(struct group *g, const struct rs_pa_state *pa, uint32_t valid)
{
	uint32_t live = valid & lanes((vi)((g->code_or & RS_CODE_DROP) == 0) &
		(vi)((g->code_and & RS_CODE_REJECT) == 0));
	g->slow = live & lanes((vi)((g->code_or & RS_CODE_CLIP) != 0));
	live &= ~g->slow;
	vi min_x = vi_min(vi_min(g->x[0], g->x[1]), g->x[2]), max_x = vi_max(vi_max(g->x[0], g->x[1]), g->x[2]);
	vi min_y = vi_min(vi_min(g->y[0], g->y[1]), g->y[2]), max_y = vi_max(vi_max(g->y[0], g->y[1]), g->y[2]);
	bounds(g, &pa->vp[0], min_x, min_y, max_x, max_y);
	live &= lanes((vi)(g->x0 < g->x1) & (vi)(g->y0 < g->y1));
	/* Products of differences must fit 31 bits. */
	vi limit = vi_set(1 << 15);
	g->scalar = live & ~lanes((vi)(max_x - min_x < limit) & (vi)(max_y - min_y < limit));
	live &= ~g->scalar;
	g->area = (g->x[1] - g->x[0]) * (g->y[2] - g->y[0]) - (g->x[2] - g->x[0]) * (g->y[1] - g->y[0]);
	vi clockwise = (vi)(g->area > 0), front = pa->clockwise_front ? clockwise : ~clockwise;
	live &= lanes((vi)(g->area != 0));
	if (pa->cull_front)
		live &= ~lanes(front);
	if (pa->cull_back)
		live &= lanes(front);
	for (int i = 0; i < 3; i++) {
		int j = i == 2 ? 0 : i + 1;
		vi a = g->y[i] - g->y[j], b = g->x[j] - g->x[i];
		g->a[i] = vi_pick(clockwise, a, -a);
		g->b[i] = vi_pick(clockwise, b, -b);
	}
	g->fast = live;
	g->small = 0;
	if (!pa->small)
		return;
	g->small = live & lanes((vi)(g->x1 - (g->x0 & ~1) <= 4) & (vi)(g->y1 - (g->y0 & ~1) <= 4));
	if (!g->small)
		return;
	g->mask = window_coverage(g);
	uint32_t missed = g->small & lanes((vi)(g->mask == 0));
	g->small &= ~missed;
	g->fast &= ~missed;
}

/* Half a vector of integers as doubles. */
static inline vd half_to_double(vi v, int half)
{
#if CU_LEVEL >= 4
	return (vd)_mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64((__m512i)v, 1) :
		_mm512_castsi512_si256((__m512i)v));
#else
	return (vd)_mm256_cvtepi32_pd(half ? _mm256_extracti128_si256((__m256i)v, 1) :
		_mm256_castsi256_si128((__m256i)v));
#endif
}
static inline vd half_of_float(vf v, int half)
{
#if CU_LEVEL >= 4
	return (vd)_mm512_cvtps_pd(half ? _mm512_extractf32x8_ps((__m512)v, 1) :
		_mm512_castps512_ps256((__m512)v));
#else
	return (vd)_mm256_cvtps_pd(half ? _mm256_extractf128_ps((__m256)v, 1) :
		_mm256_castps256_ps128((__m256)v));
#endif
}

/* rs_pa_gradients, for half a vector. */
static void gradients(const struct group *g, const vf z[3], struct planes *p, int half)
{
	vd k = vd_set(256) / half_to_double(g->area, half), x[3], y[3];
	for (int i = 0; i < 3; i++) {
		x[i] = half_to_double(g->x[i], half);
		y[i] = half_to_double(g->y[i], half);
	}
	vd b1dx = (y[2] - y[0]) * k, b1dy = (x[0] - x[2]) * k;
	vd b2dx = (y[0] - y[1]) * k, b2dy = (x[1] - x[0]) * k;
	vd ox = (vd_set(128) - x[0]) * vd_set(1.0 / 256), oy = (vd_set(128) - y[0]) * vd_set(1.0 / 256);
	vd b1c = b1dx * ox + b1dy * oy, b2c = b2dx * ox + b2dy * oy;
	vd z0 = half_of_float(z[0], half);
	vd z1 = half_of_float(z[1], half) - z0, z2 = half_of_float(z[2], half) - z0;
	const vd out[9] = {
		z0 + z1 * b1c + z2 * b2c, z1 * b1dx + z2 * b2dx, z1 * b1dy + z2 * b2dy,
		b1c, b1dx, b1dy, b2c, b2dx, b2dy,
	};
	for (int i = 0; i < 9; i++)
		memcpy(&p->plane[i][half * (VW / 2)], &out[i], sizeof out[i]);
}

static vf absolute(vf v)
{
	return (vf)((vi)v & 0x7fffffff);
}

static void setup(const struct rs_batch *b, const struct group *g, const vi slot[3], struct planes *p)
{
	vf z[3];
	for (int i = 0; i < 3; i++) {
		z[i] = (vf)gather(b->win[2], slot[i]);
		vf_store(p->z[i], z[i]);
		vi_store(p->inv_w[i], gather(b->inv_w, slot[i]));
	}
	vi_store(p->area, g->area);
	vi_store(p->x0, g->x0);
	vi_store(p->y0, g->y0);
	if (g->small)
		vi_store(p->mask, g->mask);
	gradients(g, z, p, 0);
	gradients(g, z, p, 1);
	if (g->small == g->fast)
		return;
	for (int i = 0; i < 3; i++) {
		vi_store(p->a[i], g->a[i]);
		vi_store(p->b[i], g->b[i]);
		vi_store(p->x[i], g->x[i]);
		vi_store(p->y[i], g->y[i]);
	}
	vi_store(p->x1, g->x1);
	vi_store(p->y1, g->y1);
	vf lo = vf_min(vf_min(z[0], z[1]), z[2]), hi = vf_max(vf_max(z[0], z[1]), z[2]);
	vf room = (absolute(lo) + absolute(hi) + vf_set(0x1p-100f)) * vf_set(0x1p-22f);
	vf_store(p->z_min, lo - room);
	vf_store(p->z_max, hi + room);
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
	float room = (absolute(vf_set((float)bias))[0] + 0x1p-100f) * 0x1p-22f;
	p->z_min = (float)(p->z_min + bias) - room;
	p->z_max = (float)(p->z_max + bias) + room;
}

/* What all have; false when there is no such layer. */
static inline bool fill(const struct rs_front *f, const struct planes *s, unsigned l, const unsigned slot[3],
	struct rs_prim *p)
{
	const struct rs_batch *b = f->batch;
	const struct rs_pa_state *pa = f->pa;
	uint32_t layer = pa->vertex_layer ? b->layer[slot[0]] : 0;
	if (layer >= pa->slices)
		return false;
	p->draw = f->draw->draw;
	p->kind = RS_PRIM_EDGES;
	p->edges = 3;
	p->front_facing = (s->area[l] > 0) == pa->clockwise_front;
	p->viewport = 0;
	p->is_point = 0;
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

static void emit_small(struct rs_front *f, const struct planes *s, unsigned l, const unsigned slot[3])
{
	struct rs_prim *p = rs_arena_alloc(&f->arena, RS_PRIM_SMALL_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	if (!fill(f, s, l, slot, p))
		return;
	if (f->pa->offset[p->front_facing ? 0 : 1])
		apply_bias(f->pa, s, l, p, true);
	rs_bin_small(f, p, s->x0[l] & ~1, s->y0[l] & ~1, (uint32_t)s->mask[l]);
}

static void emit(struct rs_front *f, const struct planes *s, unsigned l, const unsigned slot[3])
{
	struct rs_prim *p = rs_arena_alloc(&f->arena, RS_PRIM_TRIANGLE_BYTES);
	if (!p) {
		f->no_memory = true;
		return;
	}
	if (!fill(f, s, l, slot, p))
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

static void group(struct rs_front *f, unsigned first, uint32_t valid)
{
	const struct rs_batch *b = f->batch;
	struct group g;
	struct planes p;
	vi slot[3];
	g.code_and = vi_set(-1);
	g.code_or = vi_set(0);
	for (int i = 0; i < 3; i++) {
		slot[i] = load_slots(&b->prim[i][first]);
		g.x[i] = gather(b->x, slot[i]);
		g.y[i] = gather(b->y, slot[i]);
		vi code = gather(b->code, slot[i]);
		g.code_or |= code;
		g.code_and &= code;
	}
	classify(&g, f->pa, valid);
	if (g.fast)
		setup(b, &g, slot, &p);
	for (uint32_t left = g.fast | g.slow | g.scalar; left; left &= left - 1) {
		unsigned l = (unsigned)__builtin_ctz(left);
		const unsigned s[3] = { b->prim[0][first + l], b->prim[1][first + l], b->prim[2][first + l] };
		if (g.small >> l & 1)
			emit_small(f, &p, l, s);
		else if (g.fast >> l & 1)
			emit(f, &p, l, s);
		else if (g.scalar >> l & 1)
			rs_pa_triangle(f, s);
		else
			rs_pa_clip_triangle(f, s);
	}
}

void CU_FN(rs_pa_triangles)(struct rs_front *f)
{
	unsigned n = f->batch->prims;
	for (unsigned p = 0; p < n; p += VW)
		group(f, p, n - p >= VW ? (1u << VW) - 1 : (1u << (n - p)) - 1);
}
