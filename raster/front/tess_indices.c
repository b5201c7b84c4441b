/* SPDX-License-Identifier: MIT */
/* How the points of a patch are joined: a strip along each side, between the cuts of the outer edge and those
 * within, and a regular mesh inside.  Points are numbered as tess_make_points makes them.
 *
 * The mesh goes column by column of a few cells, so that a batch of points is a block of them and not a
 * few long rows, and little is shaded twice. */
#include "raster/front/tess_priv.h"

#include "isa/regs.h"

/* Cells of a mesh side by side before the next row is begun: 16 x 16 points are a batch. */
enum { COLUMN_CELLS = 15 };

struct joiner { uint16_t *out; bool clockwise; };

/* Counter-clockwise, with v upwards. */
static inline void join(struct joiner *j, unsigned a, unsigned b, unsigned c)
{
	j->out[0] = (uint16_t)a;
	j->out[1] = (uint16_t)(j->clockwise ? b : c);
	j->out[2] = (uint16_t)(j->clockwise ? c : b);
	j->out += 3;
}

/* Half an edge has 32 slots for whole segments, filled in this order: any number of them is spread
 * over the half, and what was filled stays when there are more. */
static unsigned slot_rank(unsigned slot)
{
	if (!slot)
		return 0;
	unsigned shift = (unsigned)__builtin_ctz(slot);
	return (16u >> shift) + (slot >> (shift + 1));
}

/* Points of a strip in the direction of its side, the outer ones at its right. */
struct strip {
	unsigned outer_segments, inner_segments; /* within: of the patch, two more than the strip has */
	uint16_t outer[RS_TESS_MAX_LEVEL + 1], inner[RS_TESS_MAX_LEVEL + 1];
};

/* Triangles with two corners on one line and one on the other, slot by slot to the middle and mirrored
 * from there.  Where both lines have a segment the outer one comes first.  Within, slot 0 is the corner's. */
static void join_strip(struct joiner *j, const struct strip *s)
{
	unsigned o = 0, i = 0, outer_half = s->outer_segments / 2, inner_half = s->inner_segments / 2;
	for (unsigned slot = 0; slot < 32; slot++) {
		if (slot_rank(slot) < outer_half) {
			join(j, s->outer[o], s->outer[o + 1], s->inner[i]);
			o++;
		}
		if (slot && slot_rank(slot) < inner_half) {
			join(j, s->inner[i], s->outer[o], s->inner[i + 1]);
			i++;
		}
	}
	if (s->outer_segments & 1) {
		join(j, s->outer[o], s->outer[o + 1], s->inner[i]);
		o++;
	}
	if (s->inner_segments & 1) {
		join(j, s->inner[i], s->outer[o], s->inner[i + 1]);
		i++;
	}
	for (unsigned slot = 32; slot-- > 0;) {
		if (slot && slot_rank(slot) < inner_half) {
			join(j, s->inner[i], s->outer[o], s->inner[i + 1]);
			i++;
		}
		if (slot_rank(slot) < outer_half) {
			join(j, s->outer[o], s->outer[o + 1], s->inner[i]);
			o++;
		}
	}
}

/* The outer points of a side; `first` is its first point, `all` the number of outer points. */
static void take_outer(struct strip *s, unsigned segments, unsigned first, unsigned all)
{
	s->outer_segments = segments;
	for (unsigned i = 0; i <= segments; i++)
		s->outer[i] = (uint16_t)(first + i < all ? first + i : 0);
}

/* --- Quads --- */

static void join_quad_sides(struct joiner *j, const struct tess_plan *p, unsigned all)
{
	unsigned m = p->inner[0].segments, n = p->inner[1].segments, first = 0;
	/* Of the points within, row by row: the first of each side, and the way to the next. */
	unsigned last_column = m - 2, last_row = (n - 2) * (m - 1);
	const unsigned from[4] = { 0, last_column, last_row + last_column, last_row };
	const int step[4] = { 1, (int)m - 1, -1, 1 - (int)m };
	for (unsigned side = 0; side < 4; side++) {
		struct strip s;
		take_outer(&s, p->side[side].segments, first, all);
		first += p->side[side].segments;
		s.inner_segments = side & 1 ? n : m;
		for (unsigned i = 0; i + 1 < s.inner_segments; i++)
			s.inner[i] = (uint16_t)((int)(all + from[side]) + step[side] * (int)i);
		join_strip(j, &s);
	}
}

/* Diagonals point to the middle. */
static void join_quad_cell(struct joiner *j, unsigned a, unsigned row, bool falling)
{
	unsigned b = a + 1, c = a + row + 1, d = a + row;
	if (falling) {
		join(j, a, b, d);
		join(j, b, c, d);
	} else {
		join(j, a, b, c);
		join(j, a, c, d);
	}
}

static void join_quad(struct joiner *j, const struct tess_plan *p)
{
	unsigned all = p->side[0].segments + p->side[1].segments + p->side[2].segments + p->side[3].segments;
	unsigned m = p->inner[0].segments - 2, n = p->inner[1].segments - 2; /* cells, a row has one point more */
	join_quad_sides(j, p, all);
	for (unsigned from = 0; from < m; from += COLUMN_CELLS)
		for (unsigned y = 0; y < n; y++)
			for (unsigned x = from; x < m && x < from + COLUMN_CELLS; x++)
				join_quad_cell(j, all + y * (m + 1) + x, m + 1, (2 * x < m) != (2 * y < n));
}

/* --- Triangles --- */

/* Point i of a side of ring r, counted from the corner of ring 0: r <= i <= n - r.  Ring n / 2 of an even n is
 * one point. */
static unsigned ring_point(unsigned all, unsigned n, unsigned r, unsigned side, unsigned i)
{
	unsigned segments = n - 2 * r, before = 3 * (r - 1) * (n - r); /* of the rings 1 to r - 1: 3 (n - 2), 3 (n - 4) .. */
	if (!segments)
		return all + before;
	return all + before + (side * segments + i - r) % (3 * segments);
}

static void join_triangle_sides(struct joiner *j, const struct tess_plan *p, unsigned all)
{
	unsigned n = p->inner[0].segments, first = 0;
	for (unsigned side = 0; side < 3; side++) {
		struct strip s;
		take_outer(&s, p->side[side].segments, first, all);
		first += p->side[side].segments;
		s.inner_segments = n;
		for (unsigned i = 0; i + 1 < n; i++)
			s.inner[i] = (uint16_t)ring_point(all, n, 1, side, i + 1);
		join_strip(j, &s);
	}
}

/* Between rings r and r + 1 of a side: a triangle at both ends, cells between. */
static void join_triangle_cell(struct joiner *j, unsigned all, unsigned n, unsigned r, unsigned side, unsigned i)
{
	unsigned a = ring_point(all, n, r, side, i), b = ring_point(all, n, r, side, i + 1);
	if (i == r) {
		join(j, a, b, ring_point(all, n, r + 1, side, i + 1));
	} else if (i + r + 1 == n) {
		join(j, a, b, ring_point(all, n, r + 1, side, i));
	} else {
		unsigned c = ring_point(all, n, r + 1, side, i + 1), d = ring_point(all, n, r + 1, side, i);
		if (2 * i < n) {
			join(j, a, b, d);
			join(j, b, c, d);
		} else {
			join(j, a, b, c);
			join(j, a, c, d);
		}
	}
}

static void join_triangle(struct joiner *j, const struct tess_plan *p)
{
	unsigned all = p->side[0].segments + p->side[1].segments + p->side[2].segments, n = p->inner[0].segments;
	join_triangle_sides(j, p, all);
	for (unsigned side = 0; side < 3; side++)
		for (unsigned from = 0; from < n; from += COLUMN_CELLS)
			for (unsigned r = 1; 2 * r + 1 < n; r++)
				for (unsigned i = from > r ? from : r; i < from + COLUMN_CELLS && i < n - r; i++)
					join_triangle_cell(j, all, n, r, side, i);
	if (n & 1)
		join(j, ring_point(all, n, n / 2, 0, n / 2), ring_point(all, n, n / 2, 1, n / 2),
			ring_point(all, n, n / 2, 2, n / 2));
}

/* --- All --- */

bool tess_is_whole(const struct tess_plan *p)
{
	return p->type != TESS_ISOLINE && p->inner[0].segments == 1;
}

static void join_lines(uint16_t *out, const struct tess_plan *p)
{
	unsigned points = p->side[1].segments + 1;
	for (unsigned line = 0; line < p->side[0].segments; line++)
		for (unsigned i = 0; i + 1 < points; i++) {
			*out++ = (uint16_t)(line * points + i);
			*out++ = (uint16_t)(line * points + i + 1);
		}
}

void tess_make_prims(const struct tess_plan *p, unsigned topology, uint16_t *out)
{
	struct joiner j = { out, topology == OUTPUT_TRIANGLE_CW };
	if (topology == OUTPUT_POINT) {
		for (unsigned i = 0, n = tess_count_points(p); i < n; i++)
			out[i] = (uint16_t)i;
	} else if (p->type == TESS_ISOLINE) {
		join_lines(out, p);
	} else if (tess_is_whole(p)) {
		join(&j, 0, 1, 2);
		if (p->type == TESS_QUAD)
			join(&j, 0, 2, 3);
	} else if (p->type == TESS_TRIANGLE) {
		join_triangle(&j, p);
	} else {
		join_quad(&j, p);
	}
}

unsigned tess_count_prims(const struct tess_plan *p, unsigned topology)
{
	unsigned outer = p->side[0].segments + p->side[1].segments + p->side[2].segments + p->side[3].segments;
	unsigned m = p->inner[0].segments, n = p->inner[1].segments, half = m / 2;
	if (topology == OUTPUT_POINT)
		return tess_count_points(p);
	if (p->type == TESS_ISOLINE)
		return p->side[0].segments * p->side[1].segments;
	if (tess_is_whole(p))
		return p->type == TESS_QUAD ? 2 : 1;
	if (p->type == TESS_QUAD)
		return outer + 2 * (m - 1) * (n - 1) - 2;
	return outer + 3 * (m - 2) + (m & 1 ? 6 * half * (half - 1) + 1 : 6 * (half - 1) * (half - 1));
}
