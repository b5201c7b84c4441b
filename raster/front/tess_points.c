/* SPDX-License-Identifier: MIT */
/* Where a patch is cut: edges by their levels, and the points within. */
#include "raster/front/tess_priv.h"

#include "isa/regs.h"

enum { SIDE_POINTS = RS_TESS_MAX_LEVEL + 1 };

/* Where the cuts of one edge are, in 1/TESS_ONE: at[0] = 0 .. at[segments] = TESS_ONE. */
struct cuts { uint32_t segments, at[SIDE_POINTS]; };

static unsigned without_top_bit(unsigned v)
{
	return v & ~(1u << (31 - __builtin_clz(v)));
}

/* Of half an edge with `whole` whole segments, the one that splits where the next comes from:
 * the widest gap first, as tess_make_prims fills its slots, so that triangles keep their corners
 * while a level grows. */
static unsigned find_split(unsigned whole)
{
	return whole ? 2 * without_top_bit(whole) + 1 : 0;
}

/* Vulkan, "Tessellator Spacing": between the even cut into two segments fewer, two of which have
 * no length yet, and that into all of them, as far as the level has gone. */
static void cut(const struct tess_edge *e, struct cuts *c)
{
	unsigned n = e->segments, odd = n & 1;
	uint32_t half = e->level + odd * (TESS_ONE / 2); /* segments of a half, in 1/TESS_ONE; the middle one is whole */
	uint32_t before = half / TESS_ONE, grown = half % TESS_ONE;
	unsigned split = find_split(before - odd), fewer = 2 * before - odd;
	c->segments = n;
	c->at[n / 2] = TESS_ONE / 2; /* of an even edge */
	for (unsigned p = 0; 2 * p < n; p++) {
		uint64_t from = (uint64_t)(p - (p > split)) * (TESS_ONE - grown) * n, to = (uint64_t)p * grown * fewer;
		c->at[p] = grown ? (uint32_t)((from + to + fewer * n / 2) / (fewer * n)) : (p * TESS_ONE + n / 2) / n;
		c->at[n - p] = TESS_ONE - c->at[p];
	}
}

static inline struct rs_tess_point point(uint32_t u, uint32_t v)
{
	return (struct rs_tess_point){ (float)u / TESS_ONE, (float)v / TESS_ONE };
}

static struct rs_tess_point *make_quad_side(const struct tess_edge *e, unsigned side, struct rs_tess_point *out)
{
	struct cuts c;
	cut(e, &c);
	for (unsigned p = 0; p < c.segments; p++) {
		uint32_t x = c.at[p], back = TESS_ONE - x;
		switch (side) {
		case 0: *out++ = point(x, 0); break;
		case 1: *out++ = point(TESS_ONE, x); break;
		case 2: *out++ = point(back, TESS_ONE); break;
		default: *out++ = point(0, back); break;
		}
	}
	return out;
}

static void make_quad(const struct tess_plan *p, struct rs_tess_point *out)
{
	struct cuts u, v;
	for (unsigned side = 0; side < 4; side++)
		out = make_quad_side(&p->side[side], side, out);
	if (tess_is_whole(p))
		return;
	cut(&p->inner[0], &u);
	cut(&p->inner[1], &v);
	for (unsigned j = 1; j < v.segments; j++)
		for (unsigned i = 1; i < u.segments; i++)
			*out++ = point(u.at[i], v.at[j]);
}

/* A point of a triangle's side from where it is b along it and c off it; the corner behind it has the rest. */
static inline struct rs_tess_point on_side(unsigned side, uint32_t b, uint32_t c)
{
	uint32_t a = TESS_ONE - b - c;
	switch (side) {
	case 0: return point(b, c);
	case 1: return point(a, b);
	default: return point(c, a);
	}
}

/* Down to thirds of multiples of 1/TESS_ONE, which keeps the order. */
static void round_to_thirds(struct cuts *c)
{
	for (unsigned p = 0; 2 * p < c->segments; p++) {
		c->at[p] -= c->at[p] % 3;
		c->at[c->segments - p] = TESS_ONE - c->at[p];
	}
}

/* The corner of ring r is where perpendiculars through cut r of two sides meet, so it has 2/3 of the cut's
 * distance from both; its other points are where perpendiculars through the cuts between meet its sides. */
static void make_triangle(const struct tess_plan *p, struct rs_tess_point *out)
{
	struct cuts c;
	for (unsigned side = 0; side < 3; side++) {
		cut(&p->side[side], &c);
		for (unsigned i = 0; i < c.segments; i++)
			*out++ = on_side(side, c.at[i], 0);
	}
	if (tess_is_whole(p))
		return;
	cut(&p->inner[0], &c);
	round_to_thirds(&c);
	for (unsigned r = 1; 2 * r < c.segments; r++)
		for (unsigned side = 0; side < 3; side++)
			for (unsigned i = r; i < c.segments - r; i++)
				*out++ = on_side(side, c.at[i] - c.at[r] / 3, c.at[r] / 3 * 2);
	if (c.segments % 2 == 0)
		*out = point(TESS_ONE / 3, TESS_ONE / 3);
}

static void make_isolines(const struct tess_plan *p, struct rs_tess_point *out)
{
	struct cuts lines, along;
	cut(&p->side[0], &lines);
	cut(&p->side[1], &along);
	for (unsigned j = 0; j < lines.segments; j++)
		for (unsigned i = 0; i <= along.segments; i++)
			*out++ = point(along.at[i], lines.at[j]);
}

void tess_make_points(const struct tess_plan *p, struct rs_tess_point *out)
{
	switch (p->type) {
	case TESS_ISOLINE: make_isolines(p, out); break;
	case TESS_TRIANGLE: make_triangle(p, out); break;
	default: make_quad(p, out); break;
	}
}

unsigned tess_count_points(const struct tess_plan *p)
{
	unsigned outer = p->side[0].segments + p->side[1].segments + p->side[2].segments + p->side[3].segments;
	unsigned m = p->inner[0].segments, n = p->inner[1].segments, half = m / 2;
	switch (p->type) {
	case TESS_ISOLINE: return p->side[0].segments * (p->side[1].segments + 1);
	case TESS_TRIANGLE: return outer + (m & 1 ? 3 * half * half : 3 * half * (half - 1) + 1);
	default: return outer + (m - 1) * (n - 1);
	}
}
