/* SPDX-License-Identifier: MIT */
/* Cuts.  What a strip computes is often one long chain of operations that wait for each other, as lighting is: a CPU has
 * some 250 instructions in flight, and where that is not much more than a strip, it waits, too.  So regions are cut where
 * chains become long: all strips go as far as the cut, from where they go on one after the other, and several of them are
 * in flight at once.  What lives across it is in the wave meanwhile.
 *
 * How long an instruction takes, and how many it becomes, need not be exact: they are of a CPU in the middle. */
#include "core/jit/jit_cut.h"

#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"

enum { IN_FLIGHT = 256, LEAST = 32, MOST = 80 }; /* instructions; cycles of a chain between which a cut is looked for */

/* divider: cycles for which the one unit of its kind is busy. */
struct cost { uint8_t cycles, instructions, divider; };

static struct cost cost_of(const struct cu_rec *r)
{
	switch (r->in->op) {
	case GCN_V_RCP_F32: case GCN_V_RCP_IFLAG_F32: return (struct cost){ 11, 2, 3 };
	case GCN_V_SQRT_F32: return (struct cost){ 15, 2, 5 };
	case GCN_V_RSQ_F32: return (struct cost){ 26, 3, 8 };
	case GCN_V_LOG_F32: return (struct cost){ 62, 27, 0 };
	case GCN_V_EXP_F32: return (struct cost){ 52, 22, 0 };
	case GCN_V_SIN_F32: case GCN_V_COS_F32: return (struct cost){ 60, 25, 0 };
	case GCN_V_INTERP_P1_F32: case GCN_V_INTERP_P2_F32: return (struct cost){ 8, 3, 0 };
	case GCN_V_MOV_B32: return (struct cost){ 0, 1, 0 };
	default: return r->op->dtype == CU_T_F32 ? (struct cost){ 4, 1, 0 } : (struct cost){ 2, 2, 0 };
	}
}

struct jit_cost jit_cost_of(const struct cu_rec *r)
{
	const struct cost c = cost_of(r);
	return (struct jit_cost){ c.cycles, c.instructions };
}

/* How far a chain of operations has come, by VGPR, and all of them. */
struct chain { uint16_t at[CU_VGPRS]; unsigned depth, instructions, divider; };

static void go_on(struct chain *c, const struct jit_inst *j, struct cost cost)
{
	unsigned at = 0;
	for (int n = 0; n < j->nvs; n++)
		if (j->vs[n] >= 0 && c->at[j->vs[n]] > at)
			at = c->at[j->vs[n]];
	at = at + cost.cycles < UINT16_MAX ? at + cost.cycles : UINT16_MAX;
	for (int n = 0; n < j->nvd; n++)
		c->at[j->vd + n] = (uint16_t)at;
	c->depth = c->depth > at ? c->depth : at;
	c->instructions += cost.instructions;
	c->divider += cost.divider;
}

/* Whether a strip's operations rather wait for each other than for a CPU's units, of which AVX-512 needs more. */
static bool waits(const struct jit_region *g, const struct chain *c)
{
	const unsigned units = c->instructions * (g->v4 ? 3 : 2) / 8, divider = c->divider * (g->v4 ? 2 : 1);
	const unsigned strips = c->instructions < IN_FLIGHT ? c->instructions : IN_FLIGHT; /* the shorter, the more at once */
	return c->depth * strips / IN_FLIGHT > 2 * (units > divider ? units : divider);
}

static bool in_body(const struct jit_region *g, uint32_t i)
{
	for (unsigned k = 0; k < g->e.if_count; k++)
		if (g->ifs[k].at < i && g->ifs[k].to > i)
			return true;
	return false;
}

/* Values of the region's own that live before instruction i. */
static unsigned living(const struct jit_region *g, uint32_t i, const struct vset *made)
{
	const struct vset *on = &g->t->live[i - 1].on;
	unsigned n = 0;
	for (unsigned k = 0; k < 4; k++)
		n += (unsigned)__builtin_popcountll(on->w[k] & made->w[k]);
	return n;
}

static bool is_step(const struct jit_region *g, uint32_t i) { return g->in[i].role == ROLE_VECTOR && !g->in[i].image; }

static void add_made(const struct jit_region *g, uint32_t i, struct vset *made)
{
	for (int n = 0; n < g->in[i].nvd; n++)
		v_add(made, (unsigned)(g->in[i].vd + n));
}

/* Between `from` and `to`, where few values live. */
static void cut(struct jit_region *g, uint32_t from, uint32_t to, struct vset made)
{
	struct chain c = { .depth = 0 };
	const unsigned before = g->cut_count;
	unsigned fewest = UINT32_MAX;
	uint32_t best = 0;
	for (uint32_t i = from; i < to && g->cut_count < CUTS; i++) {
		if (!is_step(g, i))
			continue;
		if (c.depth >= LEAST && !in_body(g, i)) {
			const unsigned live = living(g, i, &made);
			if (live < fewest || (live == fewest && c.depth < MOST)) {
				best = i;
				fewest = live;
			}
		}
		if (c.depth >= MOST && best) {
			g->cuts[g->cut_count++] = i = best;
			memset(&c, 0, sizeof c);
			best = 0;
			fewest = UINT32_MAX;
		}
		go_on(&c, &g->in[i], cost_of(jit_rec(g->t, i)));
		add_made(g, i, &made);
	}
	g->cut_count -= g->cut_count > before && c.depth < LEAST / 2; /* not for a rest */
}

/* Anywhere, for tests. */
static void random_cuts(struct jit_region *g)
{
	for (uint32_t i = g->e.first + 1; i < g->e.end && g->cut_count < CUTS; i++)
		if (is_step(g, i) && !in_body(g, i) && jit_random(g->t) % 8 == 0)
			g->cuts[g->cut_count++] = i;
}

void jit_cuts(struct jit_region *g)
{
	struct vset made = { { 0 } };
	g->cut_count = 0;
	if (g->e.loop || g->e.written.lo || g->e.written.hi) /* strips begin with SGPRs as they were */
		return;
	if (g->t->o->seed) {
		random_cuts(g);
		return;
	}
	for (uint32_t i = g->e.first, to; i < g->e.end; i = to) {
		struct chain whole = { .depth = 0 };
		for (; i < g->e.end && g->in[i].image; i++) /* these stop strips by themselves */
			add_made(g, i, &made);
		for (to = i; to < g->e.end && !g->in[to].image; to++)
			if (is_step(g, to))
				go_on(&whole, &g->in[to], cost_of(jit_rec(g->t, to)));
		if (waits(g, &whole))
			cut(g, i, to, made);
		for (; i < to; i++)
			if (is_step(g, i))
				add_made(g, i, &made);
	}
}
