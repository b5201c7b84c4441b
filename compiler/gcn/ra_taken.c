/* SPDX-License-Identifier: MIT */
/* Who has a hardware register when: what stands in a bundle's way, found without
 * a look at all that was ever placed there.  Built for a class when a bundle of it
 * finds no free place for the first time; most programs never need it. */
#include "compiler/gcn/ra.h"

enum { LEVELS = 8 }; /* each has a quarter of the spans of the one below */

/* Spans of one register ascend and do not overlap.  A skip list: next has as many
 * levels as the span, links lead past spans of fewer. */
struct span { uint32_t from, to, bundle; struct span *next[]; };
struct ra_taken {
	struct span *(*first)[LEVELS]; /* by register */
	struct span *unused[LEVELS];   /* by levels - 1 */
	uint32_t seed;
};

static unsigned random_level(struct ra_taken *t)
{
	t->seed = t->seed * 1664525u + 1013904223u; /* the same in every run */
	unsigned level = 0;
	for (uint32_t bits = t->seed >> 8; level + 1 < LEVELS && !(bits & 3); bits >>= 2)
		level++;
	return level;
}

/* The first span of the register that ends behind the point; `where`: at each
 * level the links that lead to it or past it. */
static struct span *find(struct ra_taken *t, unsigned reg, uint32_t point, struct span **where[LEVELS])
{
	struct span **links = t->first[reg];
	for (unsigned l = LEVELS; l-- > 0; where[l] = links)
		while (links[l] && links[l]->to <= point)
			links = links[l]->next;
	return links[0];
}

static void insert(struct ra *r, struct ra_taken *t, unsigned reg, const struct ra_seg *s, uint32_t bundle)
{
	struct span **where[LEVELS];
	unsigned level = random_level(t);
	struct span *span = t->unused[level];
	if (span)
		t->unused[level] = span->next[0];
	else
		span = ir_alloc(r->pool, sizeof *span + (level + 1) * sizeof *span->next);
	find(t, reg, s->from, where);
	span->from = s->from;
	span->to = s->to;
	span->bundle = bundle;
	for (unsigned l = 0; l <= level; l++) {
		span->next[l] = where[l][l];
		where[l][l] = span;
	}
}

static void remove_at(struct ra_taken *t, unsigned reg, uint32_t from)
{
	struct span **where[LEVELS], *span = find(t, reg, from, where);
	unsigned level = 0;
	for (unsigned l = 0; l < LEVELS && where[l][l] == span; l++) {
		where[l][l] = span->next[l];
		level = l;
	}
	span->next[0] = t->unused[level];
	t->unused[level] = span;
}

void ra_taken_put(struct ra *r, uint32_t index)
{
	const struct ra_bundle *b = &r->bundles[index];
	for (unsigned i = 0; r->taken[b->cls] && i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s && ir_charge(r->pool, 1); s = s->next)
			insert(r, r->taken[b->cls], b->reg + i, s, index);
}

void ra_taken_remove(struct ra *r, uint32_t index)
{
	const struct ra_bundle *b = &r->bundles[index];
	for (unsigned i = 0; r->taken[b->cls] && i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s && ir_charge(r->pool, 1); s = s->next)
			remove_at(r->taken[b->cls], b->reg + i, s->from);
}

bool ra_taken_build(struct ra *r, unsigned cls)
{
	if (r->taken[cls])
		return true;
	struct ra_taken *t = ir_alloc(r->pool, sizeof *t);
	t->first = ir_alloc(r->pool, r->limit[cls] * sizeof *t->first);
	r->taken[cls] = t;
	for (uint32_t i = 0; i < r->bundle_count && !ir_pool_failed(r->pool); i++)
		if (r->bundles[i].cls == cls && r->bundles[i].reg != MIR_NONE)
			ra_taken_put(r, i);
	return !ir_pool_failed(r->pool);
}

/* Two looks are a tick. */
static bool look(struct ra *r)
{
	return ++r->looks % 2 || ir_charge(r->pool, 1);
}

bool ra_taken_visit(struct ra *r, const struct ra_bundle *b, unsigned reg, ra_taken_fn *fn, void *ctx)
{
	struct span **where[LEVELS];
	uint32_t stamp = ++r->stamp;
	for (unsigned i = 0; i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s; s = s->next) {
			struct span *span = find(r->taken[b->cls], reg + i, s->from, where);
			for (; span && span->from < s->to; span = span->next[0]) {
				struct ra_bundle *other = &r->bundles[span->bundle];
				if (!look(r))
					return false;
				if (other->stamp != stamp && !fn(ctx, span->bundle))
					return false;
				other->stamp = stamp;
			}
		}
	return look(r);
}
