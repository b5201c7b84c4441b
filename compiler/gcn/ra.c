/* SPDX-License-Identifier: MIT */
/* Placement of bundles, and the allocator's rounds. */
#include "compiler/gcn/ra.h"

#include <stdlib.h>
#include <string.h>

/* --- placing and evicting --- */

static void put(struct ra *r, uint32_t index, unsigned reg)
{
	struct ra_bundle *b = &r->bundles[index];
	b->reg = (uint16_t)reg;
	b->turn = ++r->turn;
	ra_map_flip(r, b);
	ra_taken_put(r, index);
}

static void take_away(struct ra *r, uint32_t index)
{
	ra_taken_remove(r, index);
	ra_map_flip(r, &r->bundles[index]);
	r->bundles[index].reg = MIR_NONE;
}

struct cost { struct ra *r; const struct ra_bundle *b; unsigned reg; float sum, best; };

static unsigned shared_registers(const struct ra_bundle *b, unsigned reg, const struct ra_bundle *other)
{
	unsigned from = reg > other->reg ? reg : other->reg, end = reg + b->width, other_end = other->reg + other->width;
	return (end < other_end ? end : other_end) - from;
}

static bool add_cost(void *ctx, uint32_t index)
{
	struct cost *c = ctx;
	const struct ra_bundle *other = &c->r->bundles[index];
	if (other->fixed || (!c->b->fixed && other->weight >= c->b->weight))
		return false;
	c->sum += other->weight * (float)shared_registers(c->b, c->reg, other);
	return c->best < 0 || c->sum < c->best;
}

/* Weight of all bundles to be evicted for b at reg, once for each register they
 * share; a negative number if one weighs as much as b itself, or all as much as
 * `best` unless that is negative. */
static float eviction_cost(struct ra *r, const struct ra_bundle *b, unsigned reg, float best)
{
	struct cost c = { r, b, reg, 0, best };
	return ra_taken_visit(r, b, reg, add_cost, &c) ? c.sum : -1;
}

struct queue { uint32_t *list, head, count, room; };

static void enqueue(struct ra *r, struct queue *q, uint32_t index)
{
	if (q->count == q->room) {
		uint32_t room = 2 * q->room + 64;
		uint32_t *grown = ir_realloc(r->pool, q->list, room * sizeof *grown);
		if (!grown)
			return;
		q->list = grown;
		q->room = room;
	}
	q->list[q->count++] = index;
}

struct victim { uint32_t index, turn; };
struct victims { struct ra *r; struct victim *list; uint32_t count, room; };

static bool add_victim(void *ctx, uint32_t index)
{
	struct victims *v = ctx;
	if (v->count == v->room) {
		uint32_t room = 2 * v->room + 16;
		struct victim *grown = ir_realloc(v->r->pool, v->list, room * sizeof *grown);
		if (!grown)
			return false;
		v->list = grown;
		v->room = room;
	}
	v->list[v->count++] = (struct victim){ index, v->r->bundles[index].turn };
	return true;
}

static int latest_first(const void *a, const void *b)
{
	uint32_t x = ((const struct victim *)a)->turn, y = ((const struct victim *)b)->turn;
	return x > y ? -1 : x < y;
}

static void evict_for(struct ra *r, struct queue *q, const struct ra_bundle *b, unsigned reg)
{
	struct victims v = { .r = r };
	if (ra_taken_visit(r, b, reg, add_victim, &v) && v.count) {
		qsort(v.list, v.count, sizeof *v.list, latest_first);
		for (uint32_t i = 0; i < v.count; i++) {
			take_away(r, v.list[i].index);
			enqueue(r, q, v.list[i].index);
		}
	}
	ir_free(r->pool, v.list);
}

/* The first register that the bundle may have: kept ones end at an aligned one. */
static unsigned first_base(const struct ra *r, const struct ra_bundle *b)
{
	unsigned kept = (r->m->kept[b->cls] + b->align - 1u) / b->align * b->align, first = kept + b->align_at;
	return b->lowest > first ? b->lowest : first;
}

/* Scalars of a small program take registers in turn: one that is written once can be written before all vectors, which
 * the core likes.  Where registers are rare, it would cost room and time. */
static unsigned place_in_turn(struct ra *r, const struct ra_bundle *b)
{
	const unsigned first = first_base(r, b), limit = r->limit[MIR_SGPR];
	const unsigned next = r->next_sgpr > first ? first + (r->next_sgpr - first + b->align - 1) / b->align * b->align : first;
	unsigned reg = ra_map_find(r, b, next, limit);
	if (reg == MIR_NONE)
		reg = ra_map_find(r, b, first, limit);
	r->next_sgpr = reg == MIR_NONE ? 0 : reg + b->width;
	return reg;
}

static bool place_free(struct ra *r, uint32_t index)
{
	const struct ra_bundle *b = &r->bundles[index];
	unsigned limit = r->limit[b->cls], reg = MIR_NONE;
	if (b->want != MIR_NONE && b->want >= r->m->kept[b->cls] && b->want + b->width <= limit && b->want % b->align == b->align_at)
		reg = ra_map_find(r, b, b->want, b->want + b->width);
	if (reg == MIR_NONE)
		reg = b->cls == MIR_SGPR && r->in_turn ? place_in_turn(r, b) : ra_map_find(r, b, first_base(r, b), limit);
	if (reg == MIR_NONE)
		return false;
	put(r, index, reg);
	return true;
}

static bool place_by_force(struct ra *r, struct queue *q, uint32_t index)
{
	const struct ra_bundle *b = &r->bundles[index];
	float best = -1;
	unsigned best_reg = 0;
	if (!ra_taken_build(r, b->cls))
		return false;
	for (unsigned reg = first_base(r, b); reg + b->width <= r->limit[b->cls]; reg += b->align) {
		float cost = eviction_cost(r, b, reg, best);
		if (cost >= 0 && (best < 0 || cost < best)) {
			best = cost;
			best_reg = reg;
		}
	}
	if (best < 0 || ir_pool_failed(r->pool))
		return false;
	evict_for(r, q, b, best_reg);
	put(r, index, best_reg);
	return true;
}

static void measure(struct ra *r, struct ra_bundle *b)
{
	float refs = 0;
	uint32_t points = 0;
	b->start = ~0u;
	for (uint32_t v = b->first; v != RA_NO_BUNDLE; v = r->vregs[v].next)
		refs += r->vregs[v].weight;
	for (unsigned i = 0; i < b->width; i++)
		for (const struct ra_seg *s = b->segs[i].first; s; s = s->next) {
			points += s->to - s->from;
			b->start = s->from < b->start ? s->from : b->start;
		}
	b->length = points;
	b->weight = b->fixed ? 1e30f : refs / (float)(points + 8);
}

/* The members go their own ways; one alone is spilled. */
static bool give_up(struct ra *r, struct queue *q, uint32_t index)
{
	uint32_t v = r->bundles[index].first;
	if (r->vregs[v].next == RA_NO_BUNDLE) {
		if (r->bundles[index].fixed)
			return false;
		r->vregs[v].spill = true;
		r->spilled = true;
		return true;
	}
	while (v != RA_NO_BUNDLE) {
		uint32_t next = r->vregs[v].next, alone = ra_bundle_of(r, v);
		if (alone == RA_NO_BUNDLE)
			return true;
		measure(r, &r->bundles[alone]);
		enqueue(r, q, alone);
		v = next;
	}
	r->bundles[index].first = RA_NO_BUNDLE;
	return true;
}

struct order { uint32_t index, start; uint8_t width, rank; };

/* Reloads, what is in its place at entry, wide tuples, the rest in program order. */
static int compare_order(const void *pa, const void *pb)
{
	const struct order *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	unsigned wa = a->width > 2 ? a->width : 0, wb = b->width > 2 ? b->width : 0;
	if (wa != wb)
		return wa > wb ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static bool fill_queue(struct ra *r, struct queue *q)
{
	struct order *order = ir_calloc(r->pool, r->bundle_count + 1, sizeof *order);
	uint32_t n = 0;
	if (!order)
		return false;
	for (uint32_t i = 0; i < r->bundle_count; i++) {
		struct ra_bundle *b = &r->bundles[i];
		if (b->first == RA_NO_BUNDLE)
			continue;
		measure(r, b);
		if (b->length)
			order[n++] = (struct order){ i, b->start, b->width, b->fixed ? 0 : b->want != MIR_NONE ? 1 : 2 };
	}
	qsort(order, n, sizeof *order, compare_order);
	for (uint32_t i = 0; i < n; i++)
		enqueue(r, q, order[i].index);
	ir_free(r->pool, order);
	return !ir_pool_failed(r->pool);
}

static bool place_all(struct ra *r, struct queue *q)
{
	while (q->head < q->count && !ir_pool_failed(r->pool)) {
		uint32_t index = q->list[q->head++];
		if (place_free(r, index))
			continue;
		if (r->roomy) { /* no room: the next round does it without */
			r->spilled = true;
			return true;
		}
		if (!place_by_force(r, q, index) && !give_up(r, q, index))
			return false;
	}
	return !ir_pool_failed(r->pool);
}

static void store_places(struct ra *r)
{
	unsigned used[2] = { 0, 0 };
	for (uint32_t v = 0; v < r->m->vreg_count; v++) {
		const struct ra_bundle *b = &r->bundles[r->vregs[v].bundle];
		struct mir_vreg *to = &r->m->vregs[v];
		unsigned reg = b->reg == MIR_NONE ? 0 : (unsigned)(b->reg + r->vregs[v].offset);
		to->reg = (uint16_t)(reg + (to->cls == MIR_VGPR ? GCN_SRC_VGPR0 : 0));
		if (b->reg != MIR_NONE && reg + to->size > used[to->cls])
			used[to->cls] = reg + to->size;
	}
	r->m->sgprs = used[MIR_SGPR];
	r->m->vgprs = used[MIR_VGPR];
}

bool ra_place(struct ra *r)
{
	enum { SMALL = 1024 }; /* bundles */
	static const unsigned file[2] = { RA_SGPRS, RA_VGPRS };
	struct queue q = { 0 };
	bool ok = true;
	r->in_turn &= r->bundle_count <= SMALL;
	for (int c = 0; c < 2; c++)
		ok = ra_map_init(&r->map[c], r->pool, file[c], r->points) && ok;
	ok = ok && fill_queue(r, &q) && place_all(r, &q);
	if (ok && !r->spilled)
		store_places(r);
	for (int c = 0; c < 2; c++)
		ra_map_finish(&r->map[c], r->pool);
	ir_free(r->pool, q.list);
	return ok;
}

/* --- rounds --- */

static bool one_round(struct ra *r)
{
	bool ok = ra_live(r) && ra_coalesce(r) && ra_part_lanes(r) && ra_place(r);
	if (ok && r->spilled && !r->roomy)
		ra_spill(r);
	ir_free(r->pool, r->vregs);
	ir_free(r->pool, r->unit_segs);
	ir_free(r->pool, r->bundles);
	return ok;
}

bool ra_run(struct mir_func *m, unsigned sgprs, unsigned vgprs)
{
	enum { ROUNDS = 40 };
	for (int round = -1; round < ROUNDS; round++) { /* the first one with lanes parted, or not at all */
		struct ra r = { .m = m, .pool = ir_pool_create_part(m->pool), .limit = { sgprs, vgprs }, .in_turn = round <= 0, .roomy = round < 0 };
		bool ok = r.pool && one_round(&r) && !ir_pool_failed(r.pool);
		ir_pool_destroy(r.pool);
		if (ir_pool_failed(m->pool) || (!ok && !r.roomy))
			return false;
		if (ok && !r.spilled) {
			ra_lower_copies(m);
			return true;
		}
	}
	return false;
}
