/* SPDX-License-Identifier: MIT */
/* From levels to a plan, and the patterns that were made of the last plans. */
#include "raster/front/tess.h"

#include <stdlib.h>
#include <string.h>
#include "isa/regs.h"
#include "raster/front/tess_priv.h"

enum { LEVEL_ONE = 1 << 23, PATTERNS_KEPT = 16 };

bool rs_tess_is_discarded(unsigned type, const float outer[4])
{
	static const unsigned sides[] = { [TESS_ISOLINE] = 2, [TESS_TRIANGLE] = 3, [TESS_QUAD] = 4 };
	for (unsigned i = 0; i < sides[type]; i++)
		if (!(outer[i] > 0))
			return true;
	return false;
}

/* Vulkan, "Tessellator Spacing".  NaN, which only inner levels can be, is the lower end. */
static struct tess_edge make_edge(unsigned partitioning, float level)
{
	float low = partitioning == PART_FRAC_EVEN ? 2 : 1;
	float high = partitioning == PART_FRAC_ODD ? RS_TESS_MAX_LEVEL - 1 : RS_TESS_MAX_LEVEL;
	uint32_t clamped = (uint32_t)((level > high ? high : level > low ? level : low) * LEVEL_ONE);
	uint32_t up = (clamped + LEVEL_ONE - 1) / LEVEL_ONE;
	switch (partitioning) {
	case PART_FRAC_EVEN: return (struct tess_edge){ clamped, up + (up & 1) };
	case PART_FRAC_ODD: return (struct tess_edge){ clamped, up | 1 };
	default: return (struct tess_edge){ up * LEVEL_ONE, up };
	}
}

/* One that is not divided, as though its level were a little above 1. */
static void divide(unsigned partitioning, struct tess_edge *e)
{
	if (e->segments == 1)
		*e = partitioning == PART_FRAC_ODD ? (struct tess_edge){ LEVEL_ONE + 1, 3 } :
			(struct tess_edge){ 2 * LEVEL_ONE, 2 };
}

static struct tess_plan make_plan(struct rs_tess_mode mode, const float outer[4], const float inner[2])
{
	static const uint8_t sides[][4] = { [TESS_ISOLINE] = { 0, 1 }, [TESS_TRIANGLE] = { 1, 2, 0 },
		[TESS_QUAD] = { 1, 2, 3, 0 } };
	static const uint8_t counts[][2] = { [TESS_ISOLINE] = { 2, 0 }, [TESS_TRIANGLE] = { 3, 1 }, [TESS_QUAD] = { 4, 2 } };
	unsigned type = mode.type, part = mode.partitioning;
	struct tess_plan p = { .type = type };
	bool divided = false;
	for (unsigned i = 0; i < counts[type][0]; i++) {
		/* The number of isolines is always whole. */
		bool whole = type == TESS_ISOLINE && i == 0;
		p.side[i] = make_edge(whole ? PART_INTEGER : part, outer[sides[type][i]]);
		divided |= p.side[i].segments > 1;
	}
	for (unsigned i = 0; i < counts[type][1]; i++) {
		p.inner[i] = make_edge(part, inner[i]);
		divided |= p.inner[i].segments > 1;
	}
	for (unsigned i = 0; divided && i < counts[type][1]; i++)
		divide(part, &p.inner[i]);
	return p;
}

/* --- Cache --- */

struct kept {
	struct tess_plan plan;       /* primitives: levels are 0 */
	uint8_t topology;
	uint32_t used;               /* time of its last use; 0: never */
	unsigned count;              /* points or primitives */
	void *data;
	size_t capacity;             /* bytes */
};
struct rs_tess_cache {
	uint32_t now;
	struct kept points[PATTERNS_KEPT], prims[PATTERNS_KEPT];
};

struct rs_tess_cache *rs_tess_cache_create(void)
{
	return calloc(1, sizeof(struct rs_tess_cache));
}

void rs_tess_cache_destroy(struct rs_tess_cache *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < PATTERNS_KEPT; i++) {
		free(c->points[i].data);
		free(c->prims[i].data);
	}
	free(c);
}

/* The one that is kept, or the oldest, whose `used` is 0 then. */
static struct kept *find(struct rs_tess_cache *c, struct kept *k, const struct tess_plan *plan, unsigned topology)
{
	struct kept *oldest = k;
	for (unsigned i = 0; i < PATTERNS_KEPT; i++) {
		if (k[i].used && k[i].topology == topology && !memcmp(&k[i].plan, plan, sizeof *plan)) {
			k[i].used = c->now;
			return &k[i];
		}
		if (k[i].used < oldest->used)
			oldest = &k[i];
	}
	oldest->used = 0;
	return oldest;
}

static bool reserve(struct kept *k, size_t bytes)
{
	if (k->capacity >= bytes)
		return true;
	void *p = realloc(k->data, bytes);
	if (!p)
		return false;
	k->data = p;
	k->capacity = bytes;
	return true;
}

static void keep(struct rs_tess_cache *c, struct kept *k, const struct tess_plan *plan, unsigned topology, unsigned count)
{
	k->plan = *plan;
	k->topology = (uint8_t)topology;
	k->used = c->now;
	k->count = count;
}

static struct kept *find_points(struct rs_tess_cache *c, const struct tess_plan *plan)
{
	struct kept *k = find(c, c->points, plan, 0);
	if (k->used)
		return k;
	unsigned count = tess_count_points(plan);
	if (!reserve(k, count * sizeof(struct rs_tess_point)))
		return NULL;
	tess_make_points(plan, k->data);
	keep(c, k, plan, 0, count);
	return k;
}

static struct kept *find_prims(struct rs_tess_cache *c, const struct tess_plan *plan, unsigned topology, unsigned corners)
{
	struct tess_plan cuts = *plan;
	for (unsigned i = 0; i < 4; i++)
		cuts.side[i].level = 0;
	cuts.inner[0].level = cuts.inner[1].level = 0;
	struct kept *k = find(c, c->prims, &cuts, topology);
	if (k->used)
		return k;
	unsigned count = tess_count_prims(&cuts, topology);
	if (!reserve(k, count * corners * sizeof(uint16_t)))
		return NULL;
	tess_make_prims(&cuts, topology, k->data);
	keep(c, k, &cuts, topology, count);
	return k;
}

bool rs_tess_find(struct rs_tess_cache *c, struct rs_tess_mode mode, const float outer[4], const float inner[2],
	struct rs_tess_pattern *out)
{
	struct tess_plan plan = make_plan(mode, outer, inner);
	unsigned corners = mode.topology == OUTPUT_POINT ? 1 : mode.type == TESS_ISOLINE ? 2 : 3;
	if (++c->now == 0) { /* begins anew */
		for (unsigned i = 0; i < PATTERNS_KEPT; i++)
			c->points[i].used = c->prims[i].used = 0;
		c->now = 1;
	}
	const struct kept *points = find_points(c, &plan);
	const struct kept *prims = points ? find_prims(c, &plan, mode.topology, corners) : NULL;
	if (!prims)
		return false;
	*out = (struct rs_tess_pattern){ points->count, prims->count, corners, points->data, prims->data };
	return true;
}
