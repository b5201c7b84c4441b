/* SPDX-License-Identifier: MIT */
/* Loops that each strip goes round by itself, its VGPRs in registers: which they are.
 *
 * A block that branches to itself by an SCC of its own scalar code is one: all strips go round as often.  So are blocks of which
 * lanes leave one by one, when each either goes on to the next one or leaves the loop: a strip leaves when it has no lanes any
 * more (strips part), which the wave does when no strip has, so that the wave goes where the strip does that stays longest.
 * What is then not the wave's is what turns without lanes make of masks, and nobody may read that behind the loop. */
#include "core/jit/jit_loop.h"

#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_cut.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_twins.h"
#include "isa/gcn.h"

enum { LONGEST = 0x7000 }; /* next uses are counted in 16 bits, of two turns */

uint32_t jit_loop_target(const struct jit_region *g, uint32_t i) { return i + (uint32_t)jit_rec(g->t, i)->jump; }
static unsigned op_of(const struct jit_region *g, uint32_t i) { return jit_rec(g->t, i)->in->op; }

static struct sset mask_writes(const struct jit_region *g, uint32_t i)
{
	struct sset s = s_join(g->in[i].scalar.write, g->in[i].scalar.mask_write);
	s.hi &= ~(1ull << (S_SCC - 64));
	return s;
}

/* Its instructions are [first, the result), the last of which branches back; `first`: there is none.  Exits have their role. */
static uint32_t find_end(struct jit_region *g, uint32_t first)
{
	if (!g->in[first].leader)
		return first;
	for (uint32_t i = first; i < g->t->limit && i - first < LONGEST; i++) {
		const bool behind_exit = i > first && g->in[i - 1].role == ROLE_EXIT;
		if (i > first && g->in[i].leader && (!behind_exit || g->in[i].jumps))
			return first;
		g->in[i].role = ROLE_NONE;
		if (g->in[i].kind != JIT_BRANCH)
			continue;
		if (jit_loop_target(g, i) == first)
			return i + 1;
		if (op_of(g, i) != GCN_S_CBRANCH_EXECZ && op_of(g, i) != GCN_S_CBRANCH_SCC0 && op_of(g, i) != GCN_S_CBRANCH_SCC1)
			return first;
		g->in[i].role = ROLE_EXIT; /* there are no jumps to what is between: it goes out */
	}
	return first;
}

/* How the branch back does without all strips. */
static bool branches_back(struct jit_region *g, uint32_t i)
{
	bool exits = false;
	for (uint32_t k = g->e.first; k < i; k++)
		exits |= g->in[k].role == ROLE_EXIT;
	g->e.parts = exits || op_of(g, i) == GCN_S_CBRANCH_EXECNZ;
	switch (op_of(g, i)) {
	case GCN_S_CBRANCH_SCC0: case GCN_S_CBRANCH_SCC1: case GCN_S_CBRANCH_EXECNZ:
		return true;
	default:
		return op_of(g, i) == GCN_S_BRANCH && exits;
	}
}

/* Pairs that strips make slices of, wherever in the loop: by comparing, or from such or EXEC; and what these read of which SCC
 * says that it is all lanes or none. */
static struct sset find_sliced(const struct jit_region *g)
{
	struct sset sliced = { 0, 0 }, before;
	if (g->e.parts)
		sliced = S_EXEC_PAIR;
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		if (g->in[i].kind == JIT_VECTOR)
			sliced = s_join(sliced, mask_writes(g, i));
	struct sset chosen = { 0, 0 };
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		if (g->e.parts && jit_slice_chosen(g->t, i))
			chosen = s_join(chosen, mask_writes(g, i));
	do {
		before = sliced;
		for (uint32_t i = g->e.first; i < g->e.end; i++) {
			const struct sset read = g->in[i].scalar.read;
			if (!jit_slice_known(g->t, i) || !s_meet(s_join(read, mask_writes(g, i)), sliced))
				continue;
			sliced = s_join(sliced, mask_writes(g, i));
			sliced = s_join(sliced, (struct sset){ read.lo & chosen.lo, read.hi & chosen.hi });
		}
	} while (before.lo != sliced.lo || before.hi != sliced.hi);
	return sliced;
}

/* What later instructions write, earlier ones meet in the next turn, so order does not excuse; nothing is done once. */
static bool add(struct jit_region *g, uint32_t i, struct sset sliced)
{
	struct jit_inst *j = &g->in[i];
	const struct jit_s_use u = j->scalar;
	if (j->kind == JIT_NOP || j->role == ROLE_EXIT || i + 1 == g->e.end)
		return true;
	if (j->kind == JIT_VECTOR)
		return jit_region_vector(g, i);
	if (j->kind != JIT_SCALAR || jit_is_load(g->t, i))
		return false;
	if (jit_slice_chosen(g->t, i) && s_meet(mask_writes(g, i), sliced)) {
		const struct jit_s_use m = { .mask_write = mask_writes(g, i) };
		j->role = ROLE_SLICE;
		return jit_region_slices(g, &m) && jit_region_whole(g, u.read);
	}
	if (jit_slice_known(g->t, i) && s_meet(s_join(u.read, mask_writes(g, i)), sliced)) {
		const struct jit_s_use m = { .mask_read = u.read, .mask_write = mask_writes(g, i) };
		j->role = ROLE_SLICE;
		return g->e.parts && !j->scc_live && jit_region_slices(g, &m);
	}
	if (s_meet(u.write, S_EXEC_PAIR) || !jit_region_whole(g, u.read))
		return false;
	j->role = ROLE_STRIP;
	g->e.written = s_join(g->e.written, u.write);
	g->e.m0_written |= s_has(u.write, GCN_SRC_M0);
	return true;
}

/* EXEC loses lanes and gets none back, but for arms (note_arm in jit_analyse.c). */
static bool only_narrows(const struct jit_region *g)
{
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		const struct gcn_inst *in = jit_rec(g->t, i)->in;
		const bool first = in->src[0] == GCN_SRC_EXEC, own = first || in->src[1] == GCN_SRC_EXEC;
		const bool narrows = (in->op == GCN_S_AND_B64 && own) || (in->op == GCN_S_ANDN2_B64 && first);
		if (s_meet(mask_writes(g, i), S_EXEC_PAIR) && !g->in[i].arm && !g->in[i].arm_end && !narrows)
			return false;
	}
	return true;
}

/* Whether nobody asks for masks that strips which have left are owed: the turns of others, which they would have made without
 * lanes.  Numbers are those of the strips that stay longest. */
static bool may_part(struct jit_region *g)
{
	struct sset owed = { 0, 0 };
	const bool reads_more = g->e.memory || g->e.effects || g->e.interpolates || g->e.m0_written;
	if (reads_more || !g->t->s_live || g->e.end >= g->t->n || !jit_twins_fit(g))
		return false;
	struct sset asked = g->t->s_live[g->e.end];
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		const bool exit = g->in[i].role == ROLE_EXIT, leaves = exit || i + 1 == g->e.end;
		if (leaves && (g->in[i].scc_live || !jit_flow_without_lanes(g, i, &owed)))
			return false;
		if (exit)
			asked = s_join(asked, g->t->s_live[jit_loop_target(g, i)]);
	}
	asked.hi &= ~(1ull << (S_SCC - 64));
	const struct sset masks = { owed.lo & g->e.sliced.lo, owed.hi & g->e.sliced.hi & ~S_EXEC_PAIR.hi };
	if (s_meet(masks, asked))
		return false;
	g->e.asked = (struct sset){ g->e.written.lo & asked.lo, g->e.written.hi & asked.hi };
	g->e.loose = s_join(masks, (struct sset){ g->e.written.lo & ~asked.lo, g->e.written.hi & ~asked.hi });
	s_add(&g->e.loose, S_SCC, 1);
	return true;
}

/* --- whether it is worth while --- */

/* AVX2. */
static struct jit_cost cost_of(const struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	switch (r->in->op) {
	case GCN_V_MIN_F32: case GCN_V_MAX_F32: case GCN_V_MED3_F32: case GCN_V_MIN3_F32: case GCN_V_MAX3_F32:
		return (struct jit_cost){ 14, 7 };
	default:
		return g->in[i].role == ROLE_SLICE ? (struct jit_cost){ 1, 1 } : jit_cost_of(r);
	}
}

/* When VGPRs and masks are there, in cycles. */
struct times { unsigned vgpr[CU_VGPRS], pair[64], last; };

static unsigned latest(const struct times *t, struct sset masks, unsigned at)
{
	for (; !s_none(masks);) {
		const unsigned pair = s_take(&masks) / 2;
		at = t->pair[pair] > at ? t->pair[pair] : at;
	}
	return at;
}

static void pass(const struct jit_region *g, uint32_t i, struct times *t)
{
	const struct jit_inst *j = &g->in[i];
	const bool slice = j->role == ROLE_SLICE;
	unsigned at = latest(t, slice ? j->scalar.read : j->scalar.mask_read, 0);
	for (int n = 0; n < j->nvs && !slice; n++)
		if (j->vs[n] >= 0 && t->vgpr[j->vs[n]] > at)
			at = t->vgpr[j->vs[n]];
	if (!g->e.narrows && !j->off_dead && j->nvd)
		at = latest(t, S_EXEC_PAIR, at);
	at += cost_of(g, i).cycles;
	for (int n = 0; n < j->nvd && !slice; n++)
		t->vgpr[j->vd + n] = at;
	for (struct sset masks = mask_writes(g, i); !s_none(masks);)
		t->pair[s_take(&masks) / 2] = at;
	t->last = at > t->last ? at : t->last;
}

/* Two strips by themselves wait for their own operations from one turn to the next; all strips of a wave for none, but masks and
 * VGPRs go through memory at each branch. */
static bool worth_it(const struct jit_region *g)
{
	enum { TURNS = 3, ENTER = 12 /* x86 instructions for each of the regions between branches and behind arms */ };
	struct times t = { .last = 0 };
	unsigned before = 0, instructions = 0, regions = 0;
	bool vectors = false;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		before = t.last;
		for (uint32_t i = g->e.first; i < g->e.end; i++)
			if (g->in[i].role == ROLE_VECTOR || g->in[i].role == ROLE_SLICE)
				pass(g, i, &t);
	}
	for (uint32_t i = g->e.first; i < g->e.end; i++) {
		const bool ends = g->in[i].role == ROLE_EXIT || i + 1 == g->e.end;
		vectors |= g->in[i].role == ROLE_VECTOR;
		regions += (ends && vectors) + g->in[i].arm_end;
		vectors &= !ends;
		instructions += g->in[i].role == ROLE_VECTOR || g->in[i].role == ROLE_SLICE ? cost_of(g, i).instructions : 0;
	}
	const unsigned cycles = t.last - before, work = instructions / 2 + 5;
	return (cycles > work ? cycles : work) < 8 * (instructions + ENTER * regions) / 15;
}

bool jit_loop(struct jit_region *g, uint32_t first)
{
	memset(&g->e, 0, sizeof(g->e));
	g->e.first = first;
	g->e.end = find_end(g, first);
	g->e.scc_pair = -1;
	g->e.loop = true;
	g->param_count = g->slot_count = g->row_count = g->image_slot_count = 0;
	if (g->e.end == first || !branches_back(g, g->e.end - 1))
		return false;
	if (g->e.parts && (g->v4 || g->in[first].no_parts)) /* there are k registers for one EXEC, and one strip at a time is slower than the wave */
		return false;
	const struct sset sliced = find_sliced(g);
	for (uint32_t i = first; i < g->e.end; i++)
		if (!add(g, i, sliced))
			return false;
	if (!g->e.vectors || g->e.exports || (g->e.exec_written && !g->e.parts) || (g->e.m0_written && g->e.interpolates))
		return false;
	g->e.saved.lo &= g->e.written.lo;
	g->e.saved.hi &= g->e.written.hi;
	if (g->e.memory && g->e.end - first > REGION_BITS)
		return false;
	if (s_meet(g->e.sliced, s_join(g->e.whole, g->e.written)) || s_meet(g->e.before, g->e.written))
		return false;
	g->e.narrows = g->e.parts && only_narrows(g);
	return (!g->e.parts || may_part(g)) && (g->t->o->seed || worth_it(g));
}
