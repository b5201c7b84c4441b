/* SPDX-License-Identifier: MIT */
/* The tessellator against Vulkan's "Tessellation", which is followed here slowly and in its own words: edges by
 * their levels, concentric triangles by perpendiculars, and of the triangles that they do not overlap and leave
 * nothing out.
 *
 * Every level of the grid of 1/16 is looked at as an edge of each kind and with each spacing, every pair of an
 * outer and an inner number of segments as a patch, and patches of random levels of the grid; all six levels
 * with all others would be 2^60.  `--patches N`: so many random ones instead of 1500. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "isa/regs.h"
#include "raster/front/tess.h"
#include "tests/check.h"

enum { ONE = 1 << 24, GRID = 16 };
static const unsigned parts[] = { PART_INTEGER, PART_FRAC_ODD, PART_FRAC_EVEN };
static const char *const part_names[] = { "equal", "", "fractional odd", "fractional even" };

static struct rs_tess_cache *cache;

struct patch { struct rs_tess_mode mode; float outer[4], inner[2]; };

static const char *name(const struct patch *p)
{
	static char text[200];
	snprintf(text, sizeof text, "domain %u, %s, topology %u, outer %.9g %.9g %.9g %.9g, inner %.9g %.9g", p->mode.type,
		part_names[p->mode.partitioning], p->mode.topology, (double)p->outer[0], (double)p->outer[1],
		(double)p->outer[2], (double)p->outer[3], (double)p->inner[0], (double)p->inner[1]);
	return text;
}

static struct rs_tess_pattern run(const struct patch *p)
{
	struct rs_tess_pattern out;
	CHECK(rs_tess_find(cache, p->mode, p->outer, p->inner, &out), "%s", name(p));
	return out;
}

/* A coordinate as a number of 1/2^24: exact, or the test ends. */
static int32_t fixed(float x)
{
	double scaled = (double)x * ONE;
	CHECK(scaled >= 0 && scaled <= ONE && scaled == floor(scaled), "%.9g is no coordinate", (double)x);
	return (int32_t)scaled;
}

/* --- Edges --- */

/* "clamped to [1, maxLevel], rounded up to the nearest integer", and so on. */
static unsigned segments_of(unsigned part, float level)
{
	double f = isnan(level) ? 0 : (double)level;
	double low = part == PART_FRAC_EVEN ? 2 : 1, high = part == PART_FRAC_ODD ? 63 : 64;
	f = fmin(fmax(f, low), high);
	unsigned n = (unsigned)ceil(f);
	while ((part == PART_FRAC_ODD && n % 2 == 0) || (part == PART_FRAC_EVEN && n % 2 == 1))
		n++;
	return n;
}

/* The cuts of an edge, from isolines of one line; at[0 .. n]. */
static unsigned edge_of(unsigned part, float level, int32_t at[65])
{
	struct patch p = { { TESS_ISOLINE, (uint8_t)part, OUTPUT_LINE }, { 1, level, 0, 0 }, { 0, 0 } };
	struct rs_tess_pattern t = run(&p);
	CHECK(t.points == segments_of(part, level) + 1 && t.prims == t.points - 1 && t.corners == 2, "%s", name(&p));
	for (unsigned i = 0; i < t.points; i++) {
		at[i] = fixed(t.point[i].u);
		EXPECT(t.point[i].v == 0, "%s", name(&p));
		EXPECT(i == 0 || (t.index[2 * i - 2] == i - 1 && t.index[2 * i - 1] == i), "%s", name(&p));
	}
	return t.prims;
}

static int compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

/* n - 2 segments of one length and two of another that is not greater, at places that mirror each
 * other; a unit may be lost where each begins and ends.  The length of the two. */
static int32_t check_edge(unsigned part, float level)
{
	int32_t at[65], length[64];
	unsigned n = edge_of(part, level, at);
	const char *spacing = part_names[part];
	EXPECT(at[0] == 0 && at[n] == ONE, "%s %.9g", spacing, (double)level);
	for (unsigned i = 0; i < n; i++) {
		EXPECT(at[i] + at[n - i] == ONE, "%s %.9g: %u", spacing, (double)level, i);
		length[i] = at[i + 1] - at[i];
	}
	qsort(length, n, sizeof *length, compare);
	EXPECT(length[0] >= 0, "%s %.9g", spacing, (double)level);
	if (n < 3)
		return length[0];
	EXPECT(length[1] - length[0] <= 2, "%s %.9g: the two are not equal", spacing, (double)level);
	EXPECT(length[n - 1] - length[2] <= 2, "%s %.9g: others are not equal", spacing, (double)level);
	if ((float)n == level || part == PART_INTEGER)
		EXPECT(length[n - 1] - length[0] <= 2, "%s %.9g: not equal", spacing, (double)level);
	return length[0];
}

static void check_edges(void)
{
	for (unsigned k = 0; k < 3; k++) {
		int32_t before = 0;
		unsigned n = 0;
		for (int i = -GRID; i <= 66 * GRID; i++) {
			float level = (float)i / GRID;
			int32_t length = level > 0 ? check_edge(parts[k], level) : 0;
			unsigned segments = segments_of(parts[k], level);
			/* They grow with the level, from near nothing. */
			if (segments == n && parts[k] != PART_INTEGER)
				EXPECT(length >= before, "%s %.9g: shorter than before", part_names[parts[k]], (double)level);
			else if (parts[k] != PART_INTEGER && segments > 2)
				EXPECT(length <= ONE / (int)n / 16, "%s %.9g: jumps", part_names[parts[k]], (double)level);
			before = length;
			n = segments;
		}
		for (unsigned i = 1; i < 64; i++) { /* the least above a number */
			check_edge(parts[k], nextafterf((float)i, 100));
			check_edge(parts[k], nextafterf((float)i, 0));
		}
	}
}

/* --- What a patch is made of, by the specification --- */

struct domain {
	unsigned sides, inner;       /* numbers of edges */
	unsigned side[4], within[2]; /* their segments; within: after "treated as though 1 + epsilon" */
	bool whole;
	unsigned points, prims;
};

static struct domain expect(const struct patch *p)
{
	unsigned part = p->mode.partitioning, total = 0;
	struct domain d = { .sides = p->mode.type == TESS_QUAD ? 4 : 3, .inner = p->mode.type == TESS_QUAD ? 2 : 1 };
	d.whole = true;
	for (unsigned i = 0; i < d.sides; i++) {
		d.side[i] = segments_of(part, p->outer[i]);
		d.whole &= d.side[i] == 1;
		total += d.side[i];
	}
	for (unsigned i = 0; i < d.inner; i++) {
		d.within[i] = segments_of(part, p->inner[i]);
		d.whole &= d.within[i] == 1;
	}
	for (unsigned i = 0; i < d.inner; i++)
		if (!d.whole && d.within[i] == 1)
			d.within[i] = part == PART_FRAC_ODD ? 3 : 2;
	d.points = total;
	d.prims = d.sides - 2;
	if (d.whole)
		return d;
	d.prims = total;
	if (d.sides == 4) {
		unsigned m = d.within[0] - 2, n = d.within[1] - 2;
		d.points += (m + 1) * (n + 1);
		d.prims += 2 * m + 2 * n + 2 * m * n;
		return d;
	}
	unsigned n = d.within[0]; /* each ring has two segments fewer than the one around it */
	d.prims += n == 2 ? 0 : 3 * (n - 2);
	for (n -= 2; n > 1; n -= 2) {
		d.points += 3 * n;
		d.prims += 3 * n + (n == 2 ? 0 : 3 * (n - 2));
	}
	d.points += n ? 3 : 1;
	d.prims += n;
	return d;
}

/* --- Points --- */

struct place { double u, v; };
static struct place wanted[RS_TESS_MAX_POINTS];
static unsigned wants;

static void want(double u, double v)
{
	CHECK(wants < RS_TESS_MAX_POINTS);
	wanted[wants++] = (struct place){ u, v };
}

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (fabs(x->u - y->u) > 1e-6)
		return x->u < y->u ? -1 : 1;
	return (x->v > y->v) - (x->v < y->v);
}

/* Side i of the domain, by its outer level: u = 0, v = 0, u = 1, v = 1, or u = 0, v = 0, w = 0;
 * each without its end, counter-clockwise. */
static void want_side(const struct patch *p, unsigned i)
{
	int32_t at[65];
	unsigned n = edge_of(p->mode.partitioning, p->outer[i], at);
	for (unsigned k = 0; k < n; k++) {
		double x = (double)at[k] / ONE, back = (double)at[n - k] / ONE;
		switch (i) {
		case 0: want(0, back); break;
		case 1: want(x, 0); break;
		case 2: if (p->mode.type == TESS_QUAD) want(1, x); else want(back, x); break;
		default: want(back, 1); break;
		}
	}
}

/* An inner edge as it is cut, one that is not as though it were 1 + epsilon. */
static unsigned inner_edge(const struct patch *p, unsigned i, int32_t at[65])
{
	float level = p->inner[i];
	if (segments_of(p->mode.partitioning, level) == 1)
		level = nextafterf(1, 2);
	return edge_of(p->mode.partitioning, level, at);
}

/* The equilateral triangle: W = (0, 0), U = (1, 0), V = (1/2, h). */
static void want_rings(const struct patch *p)
{
	const double h = sqrt(0.75), corner[4][2] = { { 0, 0 }, { 1, 0 }, { 0.5, h }, { 0, 0 } };
	int32_t at[65];
	unsigned n = inner_edge(p, 0, at);
	for (unsigned r = 1; 2 * r <= n; r++)
		for (unsigned side = 0; side < 3; side++) {
			const double *a = corner[side], *b = corner[side + 1], along[2] = { b[0] - a[0], b[1] - a[1] };
			/* The perpendicular to the side through cut r meets the bisector of the corner, which leaves
			 * the side by 30 degrees, this far from it; ring r lies there. */
			double off = (double)at[r] / ONE * tan(M_PI / 6);
			for (unsigned k = r; k < n - r || k == r; k++) {
				double x = a[0] + along[0] * at[k] / ONE - along[1] * off;
				double y = a[1] + along[1] * at[k] / ONE + along[0] * off;
				double v = y / h, u = x - v / 2;
				if (2 * r < n || side == 0)
					want(u, v);
			}
		}
}

static void check_points(const struct patch *p, const struct rs_tess_pattern *t, const struct domain *d)
{
	static struct place have[RS_TESS_MAX_POINTS];
	static struct rs_tess_point kept[RS_TESS_MAX_POINTS]; /* edge_of asks for other patterns */
	memcpy(kept, t->point, t->points * sizeof *kept);
	wants = 0;
	for (unsigned i = 0; i < d->sides; i++)
		want_side(p, i);
	unsigned outer = wants;
	if (!d->whole && d->sides == 3) {
		want_rings(p);
	} else if (!d->whole) {
		int32_t x[65], y[65];
		unsigned m = inner_edge(p, 0, x), n = inner_edge(p, 1, y);
		for (unsigned j = 1; j < n; j++)
			for (unsigned i = 1; i < m; i++)
				want((double)x[i] / ONE, (double)y[j] / ONE);
	}
	CHECK(wants == d->points, "%s: the test expects %u, %u points", name(p), wants, d->points);
	/* Outer points are exact; of the rings, thirds are rounded. */
	for (unsigned i = 0; i < t->points; i++)
		have[i] = (struct place){ (double)kept[i].u, (double)kept[i].v };
	for (unsigned i = 0; i < outer; i++) {
		bool found = false;
		for (unsigned k = 0; !found && k < t->points; k++)
			found = have[k].u == wanted[i].u && have[k].v == wanted[i].v;
		EXPECT(found, "%s: (%.9g, %.9g) misses", name(p), wanted[i].u, wanted[i].v);
	}
	qsort(have, t->points, sizeof *have, by_place);
	qsort(wanted, wants, sizeof *wanted, by_place);
	for (unsigned i = 0; i < wants; i++)
		EXPECT(fabs(have[i].u - wanted[i].u) < 1e-6 && fabs(have[i].v - wanted[i].v) < 1e-6,
			"%s: (%.9g, %.9g) is not (%.9g, %.9g)", name(p), have[i].u, have[i].v, wanted[i].u, wanted[i].v);
}

/* --- Triangles --- */

/* Bit a * points + b: some triangle has an edge from a to b. */
static uint64_t has_edge[(size_t)RS_TESS_MAX_POINTS * RS_TESS_MAX_POINTS / 64 + 1];

static bool is_border(unsigned type, int32_t u0, int32_t v0, int32_t u1, int32_t v1)
{
	if ((u0 == 0 && u1 == 0) || (v0 == 0 && v1 == 0))
		return true;
	return type == TESS_QUAD ? (u0 == ONE && u1 == ONE) || (v0 == ONE && v1 == ONE) :
		u0 + v0 == ONE && u1 + v1 == ONE;
}

/* No triangle is turned over, their edges pair up but those along the border, which are the outer edges'
 * segments: so each place of the domain is in exactly one of them. */
static void check_triangles(const struct patch *p, const struct rs_tess_pattern *t, const struct domain *d)
{
	static int32_t u[RS_TESS_MAX_POINTS], v[RS_TESS_MAX_POINTS];
	int64_t total = 0, perimeter = 0;
	unsigned border = 0, outer = 0;
	for (unsigned i = 0; i < t->points; i++) {
		u[i] = fixed(t->point[i].u);
		v[i] = fixed(t->point[i].v);
	}
	for (unsigned i = 0; i < d->sides; i++)
		outer += d->side[i];
	for (unsigned i = 0; i < t->prims; i++) {
		const uint16_t *x = t->index + 3 * i;
		CHECK(x[0] < t->points && x[1] < t->points && x[2] < t->points, "%s", name(p));
		int64_t a = 0;
		for (unsigned k = 0; k < 3; k++) {
			unsigned from = x[k], to = x[(k + 1) % 3];
			size_t bit = (size_t)from * t->points + to;
			a += (int64_t)u[from] * v[to] - (int64_t)u[to] * v[from];
			EXPECT(!(has_edge[bit / 64] >> bit % 64 & 1), "%s: edge %u %u twice", name(p), from, to);
			has_edge[bit / 64] |= 1ull << bit % 64;
		}
		if (p->mode.topology == OUTPUT_TRIANGLE_CCW)
			a = -a;
		EXPECT(a >= 0, "%s: triangle %u is turned over", name(p), i);
		total += a;
	}
	EXPECT(total == (d->sides - 2) * (int64_t)ONE * ONE, "%s: area", name(p));
	for (unsigned i = 0; i < 3 * t->prims; i++) {
		unsigned from = t->index[i], to = t->index[i % 3 == 2 ? i - 2 : i + 1];
		size_t bit = (size_t)to * t->points + from;
		if (has_edge[bit / 64] >> bit % 64 & 1)
			continue;
		EXPECT(is_border(p->mode.type, u[from], v[from], u[to], v[to]), "%s: edge %u %u is open", name(p), from, to);
		border++;
		perimeter += abs(u[from] - u[to]) > abs(v[from] - v[to]) ? abs(u[from] - u[to]) : abs(v[from] - v[to]);
	}
	EXPECT(border == outer && perimeter == (int64_t)d->sides * ONE, "%s: %u border edges, not %u", name(p), border, outer);
	memset(has_edge, 0, ((size_t)t->points * t->points / 64 + 1) * sizeof *has_edge);
}

/* "Each distinct vertex" once. */
static void check_point_mode(struct patch p, unsigned points)
{
	static uint8_t seen[RS_TESS_MAX_POINTS];
	p.mode.topology = OUTPUT_POINT;
	struct rs_tess_pattern t = run(&p);
	memset(seen, 0, sizeof seen);
	EXPECT(t.corners == 1 && t.points == points && t.prims == points, "%s", name(&p));
	for (unsigned i = 0; i < t.prims && t.index[i] < points; i++)
		EXPECT(!seen[t.index[i]]++, "%s: point %u twice", name(&p), t.index[i]);
}

static void check_patch(const struct patch *p)
{
	struct rs_tess_pattern t = run(p);
	struct domain d = expect(p);
	CHECK(t.points == d.points && t.prims == d.prims && t.corners == 3, "%s: %u points, not %u; %u triangles, not %u",
		name(p), t.points, d.points, t.prims, d.prims);
	check_triangles(p, &t, &d);
	check_points(p, &t, &d);
	check_point_mode(*p, d.points);
}

/* Every pair of segments of an outer and an inner edge: with whole levels, which equal spacing has, the others have
 * their own there. */
static void check_pairs(void)
{
	for (unsigned k = 0; k < 3; k++)
		for (unsigned o = 1; o <= 64; o++)
			for (unsigned i = 1; i <= 64; i++) {
				if (parts[k] != PART_INTEGER && (o + i) % 4 != k)
					continue;
				uint8_t part = (uint8_t)parts[k], order = (o ^ i) & 1 ? OUTPUT_TRIANGLE_CW : OUTPUT_TRIANGLE_CCW;
				float a = (float)o, b = (float)(1 + (o * 7 + i) % 64), c = (float)(65 - o), d = (float)i;
				check_patch(&(struct patch){ { TESS_TRIANGLE, part, order }, { a, b, c, 0 }, { d, 0 } });
				if ((o + i) % 2)
					check_patch(&(struct patch){ { TESS_QUAD, part, order }, { a, b, c, d }, { d, b } });
			}
}

static uint32_t random_bits(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static void check_random(unsigned patches)
{
	uint32_t seed = 1;
	for (unsigned n = 0; n < patches; n++) {
		struct patch p = { { n & 1 ? TESS_QUAD : TESS_TRIANGLE, (uint8_t)parts[random_bits(&seed) % 3],
			n & 2 ? OUTPUT_TRIANGLE_CW : OUTPUT_TRIANGLE_CCW }, { 0 }, { 0 } };
		unsigned range = random_bits(&seed) & 1 ? 65 * GRID : 5 * GRID; /* small ones are seldom else */
		for (unsigned i = 0; i < 4; i++)
			p.outer[i] = (float)(1 + random_bits(&seed) % range) / GRID;
		for (unsigned i = 0; i < 2; i++)
			p.inner[i] = (float)(random_bits(&seed) % range) / GRID - 1;
		check_patch(&p);
	}
}

/* --- What must not depend on what --- */

/* The sum over triangles without a point on the border, or with one on the first side but no other: order does
 * not matter. */
static void sum_triangles(const struct patch *p, uint64_t *within, uint64_t *side)
{
	struct rs_tess_pattern t = run(p);
	*within = *side = 0;
	for (unsigned i = 0; i < t.prims; i++) {
		uint64_t hash = 0;
		bool v0 = false, other = false;
		for (unsigned k = 0; k < 3; k++) {
			const struct rs_tess_point *a = &t.point[t.index[3 * i + k]];
			uint64_t h = ((uint64_t)fixed(a->u) << 32 | (uint32_t)fixed(a->v)) * 0x9E3779B97F4A7C15u;
			hash += (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
			v0 |= a->v == 0;
			other |= a->u == 0 || a->v == 1 || a->u == 1 || (p->mode.type == TESS_TRIANGLE && fixed(a->u) + fixed(a->v) == ONE);
		}
		*(v0 || other ? side : within) += v0 && other ? 0 : v0 || !other ? (hash ^ hash >> 31) * 0x94D049BB133111EBu : 0;
	}
}

/* Vulkan, "Tessellation Invariance", rules 5 and 6: what is within depends on inner levels, what is between an outer
 * edge and that on them and the edge's. */
static void check_invariance(void)
{
	uint32_t seed = 7;
	for (unsigned n = 0; n < 300; n++) {
		struct patch p = { { n & 1 ? TESS_QUAD : TESS_TRIANGLE, (uint8_t)parts[n % 3], OUTPUT_TRIANGLE_CW }, { 0 }, { 0 } };
		uint64_t within[2], side[2];
		for (unsigned i = 0; i < 2; i++)
			p.inner[i] = 3 + (float)(random_bits(&seed) % (20 * GRID)) / GRID;
		p.outer[1] = 1 + (float)(random_bits(&seed) % (40 * GRID)) / GRID;
		for (unsigned round = 0; round < 2; round++) {
			p.outer[0] = 1 + (float)(random_bits(&seed) % (40 * GRID)) / GRID;
			p.outer[2] = 1 + (float)(random_bits(&seed) % (40 * GRID)) / GRID;
			p.outer[3] = 1 + (float)(random_bits(&seed) % (40 * GRID)) / GRID;
			sum_triangles(&p, &within[round], &side[round]);
		}
		EXPECT(within[0] == within[1], "%s: within", name(&p));
		EXPECT(side[0] == side[1], "%s: beside v = 0", name(&p));
	}
}

/* The sum over triangles that can be seen, their corners to 1/2^11. */
static uint64_t sum_visible(const struct patch *p)
{
	struct rs_tess_pattern t = run(p);
	uint64_t sum = 0;
	for (unsigned i = 0; i < t.prims; i++) {
		int64_t area = 0;
		uint64_t hash = 0;
		for (unsigned k = 0; k < 3; k++) {
			const struct rs_tess_point *a = &t.point[t.index[3 * i + k]], *b = &t.point[t.index[3 * i + (k + 1) % 3]];
			area += (int64_t)fixed(a->u) * fixed(b->v) - (int64_t)fixed(a->v) * fixed(b->u);
			uint64_t h = ((uint64_t)((fixed(a->u) + 0xfff) >> 13) << 32 | (uint32_t)((fixed(a->v) + 0xfff) >> 13)) *
				0x9E3779B97F4A7C15u;
			hash += (h ^ h >> 29) * 0xBF58476D1CE4E5B9u;
		}
		sum += area < ONE ? 0 : (hash ^ hash >> 31) * 0x94D049BB133111EBu;
	}
	return sum;
}

/* With fractional spacing nothing jumps where an edge gets more segments. */
static void check_growth(void)
{
	for (unsigned k = 1; k < 3; k++)
		for (unsigned n = k + 2; n < 63; n += 2)
			for (unsigned other = k + 2; other < 40; other += 8)
				for (unsigned type = TESS_TRIANGLE; type <= TESS_QUAD; type++) {
					float a = (float)n, b = (float)other;
					struct patch p = { { (uint8_t)type, (uint8_t)parts[k], OUTPUT_TRIANGLE_CW }, { a, b, b, b }, { b, b } };
					uint64_t before = sum_visible(&p);
					p.outer[0] = nextafterf(a, 100);
					EXPECT(before == sum_visible(&p), "%s: jumps", name(&p));
					p.inner[0] = nextafterf(b, 100);
					EXPECT(before == sum_visible(&p), "%s: jumps", name(&p));
				}
}

static void check_isolines(void)
{
	for (unsigned lines = 1; lines <= 64; lines++)
		for (unsigned n = 1; n <= 64; n += 7) {
			struct patch p = { { TESS_ISOLINE, PART_INTEGER, OUTPUT_LINE }, { (float)lines - 0.5f, (float)n, NAN, -1 },
				{ NAN, -1 } };
			int32_t along[65], across[65];
			edge_of(PART_INTEGER, (float)n, along);
			edge_of(PART_INTEGER, (float)lines, across);
			struct rs_tess_pattern t = run(&p);
			EXPECT(!rs_tess_is_discarded(TESS_ISOLINE, p.outer));
			CHECK(t.points == lines * (n + 1) && t.prims == lines * n && t.corners == 2, "%s", name(&p));
			for (unsigned i = 0; i < t.prims; i++) {
				const struct rs_tess_point *a = &t.point[t.index[2 * i]], *b = &t.point[t.index[2 * i + 1]];
				EXPECT(fixed(a->u) == along[i % n] && fixed(b->u) == along[i % n + 1], "%s: segment %u", name(&p), i);
				EXPECT(fixed(a->v) == across[i / n] && a->v == b->v, "%s: segment %u", name(&p), i);
			}
			check_point_mode(p, t.points);
		}
	struct patch odd = { { TESS_ISOLINE, PART_FRAC_ODD, OUTPUT_LINE }, { 4, 4, 0, 0 }, { 0, 0 } };
	EXPECT(run(&odd).prims == 4 * 5); /* the number of lines has no spacing */
}

static void check_discard(void)
{
	static const unsigned sides[] = { [TESS_ISOLINE] = 2, [TESS_TRIANGLE] = 3, [TESS_QUAD] = 4 };
	const float bad[] = { 0, -0.0f, -1, NAN, -INFINITY };
	for (unsigned type = 0; type < 3; type++) {
		for (unsigned i = 0; i < 4; i++)
			for (unsigned k = 0; k < 5; k++) {
				float outer[4] = { 1, 0x1p-126f, INFINITY, 64 };
				outer[i] = bad[k];
				EXPECT(rs_tess_is_discarded(type, outer) == (i < sides[type]), "%u: outer %u = %g", type, i, (double)bad[k]);
			}
	}
	for (unsigned k = 0; k < 3; k++) { /* inner levels are clamped, and outer ones above */
		uint8_t part = (uint8_t)parts[k];
		check_patch(&(struct patch){ { TESS_QUAD, part, OUTPUT_TRIANGLE_CW }, { INFINITY, 1, 1e30f, 1e-30f },
			{ NAN, -INFINITY } });
		check_patch(&(struct patch){ { TESS_TRIANGLE, part, OUTPUT_TRIANGLE_CW }, { 1, 1, 1, 0 }, { NAN, NAN } });
		check_patch(&(struct patch){ { TESS_QUAD, part, OUTPUT_TRIANGLE_CCW }, { 1, 1, 1, 1 }, { 1, INFINITY } });
	}
}

/* Patterns come out the same whatever came before them. */
static void check_cache(void)
{
	uint32_t seed = 3;
	for (unsigned n = 0; n < 2000; n++) {
		unsigned k = random_bits(&seed) % 40;
		struct patch p = { { k & 1 ? TESS_QUAD : TESS_TRIANGLE, (uint8_t)parts[k % 3], OUTPUT_TRIANGLE_CW },
			{ (float)(1 + k % 3) * 1.5f, 3, 4, 5 }, { 2 + (float)(k % 5), 3 } };
		struct rs_tess_pattern kept = run(&p), fresh;
		struct rs_tess_cache *other = rs_tess_cache_create();
		CHECK(other && rs_tess_find(other, p.mode, p.outer, p.inner, &fresh));
		EXPECT(kept.points == fresh.points && kept.prims == fresh.prims, "%s", name(&p));
		for (unsigned i = 0; i < kept.points; i++)
			EXPECT(kept.point[i].u == fresh.point[i].u && kept.point[i].v == fresh.point[i].v, "%s", name(&p));
		EXPECT(!memcmp(kept.index, fresh.index, kept.prims * 3 * sizeof *kept.index), "%s", name(&p));
		rs_tess_cache_destroy(other);
	}
	rs_tess_cache_destroy(NULL);
}

int main(int argc, char **argv)
{
	unsigned patches = argc > 2 && !strcmp(argv[1], "--patches") ? (unsigned)strtoul(argv[2], NULL, 10) : 1500;
	cache = rs_tess_cache_create();
	CHECK(cache);
	check_edges();
	check_isolines();
	check_discard();
	check_pairs();
	check_random(patches);
	check_invariance();
	check_growth();
	check_cache();
	rs_tess_cache_destroy(cache);
	return failures != 0;
}
