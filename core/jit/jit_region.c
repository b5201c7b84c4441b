/* SPDX-License-Identifier: MIT */
/* Regions: runs of instructions within a block that are done strip by strip.
 *
 * Of a scalar instruction among vector ones there are three kinds: lane masks,
 * of which each strip does its slice; what can be done once before the strips;
 * and what every strip does again, on SGPRs that are put back before.  What
 * fits none of them ends the region, as does whatever needs all lanes.
 *
 * A block that branches to itself by an SCC of its own scalar code is a region
 * as a whole: each strip goes round by itself, its VGPRs in registers. */
#include "core/jit/jit_region.h"

#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_pixel.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

/* Scalar handlers without any effect beside their operands. */
bool j_is_pure(const struct cu_rec *r)
{
	bool scalar = r->in->fmt == GCN_SOP1 || r->in->fmt == GCN_SOP2 || r->in->fmt == GCN_SOPC || r->in->fmt == GCN_SOPK;
	return scalar && r->fn == r->op->direct && !gcn_effects(r->in);
}

/* Pairs begin at even numbers, so that two of them are the same or apart. */
static bool even(struct sset s)
{
	return !(((s.lo ^ s.lo >> 1) | (s.hi ^ s.hi >> 1)) & 0x5555555555555555);
}

static bool add_slices(struct region *g, const struct s_use *u)
{
	struct sset out = u->mask_write;
	if (s_meet(out, s_join(g->whole, g->written)) || !even(out) || !even(u->mask_read))
		return false;
	g->read = s_join(g->read, u->mask_read);
	g->saved.lo |= u->mask_read.lo & ~g->written.lo & ~g->sliced.lo;
	g->saved.hi |= u->mask_read.hi & ~g->written.hi & ~g->sliced.hi;
	g->sliced = s_join(g->sliced, out);
	g->exec_written |= s_meet(out, S_EXEC_PAIR);
	return true;
}
static bool read_whole(struct region *g, struct sset read)
{
	if (s_meet(read, g->sliced))
		return false;
	g->saved.lo |= read.lo & ~g->written.lo;
	g->saved.hi |= read.hi & ~g->written.hi;
	g->read = s_join(g->read, read);
	g->whole = s_join(g->whole, read);
	return true;
}

/* Strips do their loads and stores in another order than the whole wave would:
 * nobody may see it.  Scratch is each lane's own. */
static bool add_memory(struct translator *t, struct region *g, uint32_t i)
{
	struct j_memory m;
	bool known = j_memory_op(t, i, &m);
	unsigned e = known && m.unit == UNIT_SCRATCH ? 0 : gcn_effects(j_rec(t, i)->in);
	unsigned reads = e & (GCN_READS_MEMORY | GCN_READS_LDS), writes = e & (GCN_WRITES_MEMORY | GCN_WRITES_LDS);
	if (g->effects & (reads << 1 | writes | writes >> 1) || (writes && g->loop))
		return false;
	g->effects |= reads | writes;
	if (!known || m.unit == UNIT_LDS || m.unit == UNIT_GLOBAL)
		return true;
	g->memory = true;
	return i - g->first < REGION_BITS && j_memory_slot(t, i) >= 0;
}

static bool add_vector(struct translator *t, struct region *g, uint32_t i)
{
	struct s_use u;
	j_scalar_use(t, i, &u);
	const struct gcn_inst *in = j_rec(t, i)->in;
	if (in->op == GCN_EXPORT && g->exec_written)
		return false; /* EXEC is noted before the strips */
	if (in->fmt == GCN_VINTRP && (g->m0_written || !j_params_fit(t, i)))
		return false;
	g->exports |= in->op == GCN_EXPORT;
	g->params |= in->fmt == GCN_VINTRP;
	struct j_memory m;
	if (j_memory_op(t, i, &m) && (m.unit == UNIT_BUFFER || m.unit == UNIT_SCRATCH)) { /* it is looked at before the strips */
		struct sset before = { 0 };
		s_add(&before, GCN_SRC_FLAT_SCRATCH, 2);
		if (m.unit == UNIT_BUFFER)
			before = u.read;
		if (s_meet(before, g->written))
			return false;
		g->before = s_join(g->before, before);
	}
	if (s_meet(u.read, g->sliced) || !add_slices(g, &u) || !read_whole(g, u.read) || !add_memory(t, g, i))
		return false;
	t->in[i].role = ROLE_VECTOR;
	g->vectors++;
	return true;
}

static bool add_scalar(struct translator *t, struct region *g, uint32_t i, bool *last)
{
	struct s_use u;
	j_scalar_use(t, i, &u);
	struct sset all = s_join(u.read, u.write), masks = s_join(g->sliced, S_EXEC_PAIR);
	if (j_slice_known(t, i) && s_meet(all, masks)) {
		struct s_use m = { .mask_read = u.read, .mask_write = u.write };
		m.mask_write.hi &= ~(1ull << (S_SCC - 64));
		if (!add_slices(g, &m))
			return false;
		t->in[i].role = ROLE_SLICE;
		g->scc_pair = -1;
		if (s_has(u.write, S_SCC) && t->in[i].scc_live) {
			bool exec = s_meet(u.write, S_EXEC_PAIR);
			g->scc_pair = exec ? GCN_SRC_EXEC : j_rec(t, i)->in->dst;
			*last = true;
		}
		return true;
	}
	if (s_meet(all, g->sliced) || s_meet(u.write, S_EXEC_PAIR))
		return false;
	g->m0_written |= s_has(u.write, GCN_SRC_M0);
	if (!s_meet(u.read, g->written) && !s_meet(u.write, s_join(g->read, g->written))) {
		t->in[i].role = ROLE_ONCE;
		if (j_is_load(t, i) && g->effects & GCN_WRITES_MEMORY)
			return false;
		return t->in[i].kind == J_SCALAR || j_is_pure(j_rec(t, i));
	}
	if (t->in[i].kind != J_SCALAR || j_is_load(t, i) || !read_whole(g, u.read))
		return false;
	t->in[i].role = ROLE_STRIP;
	g->written = s_join(g->written, u.write);
	return true;
}

/* Bodies that end before i: whether nothing of them is read behind.  *open: how many
 * others there are. */
static bool close_ifs(struct translator *t, struct region *g, uint32_t i, unsigned *open, unsigned *ending)
{
	*open = *ending = 0;
	for (unsigned k = 0; k < g->if_count; k++) {
		const struct j_if *f = &t->ifs[k];
		*open += f->to > i;
		*ending += f->to == i;
		if (f->to == i && s_meet(f->changed, t->s_live[i]))
			return false;
		if (f->to == i)
			g->loose = s_join(g->loose, f->changed);
	}
	return true;
}

static bool add(struct translator *t, struct region *g, uint32_t i, bool *last)
{
	const struct j_inst *j = &t->in[i];
	bool ok = false;
	*last = false;
	t->in[i].role = ROLE_NONE;
	if (j->kind == J_BRANCH)
		return !j->no_if && j_flow_branch(t, &g->if_count, i);
	if (j->kind == J_NOP)
		return true;
	if (j->kind == J_VECTOR)
		ok = add_vector(t, g, i);
	else if (j->kind == J_SCALAR || (j->kind == J_CALL && j_is_pure(j_rec(t, i))))
		ok = add_scalar(t, g, i, last);
	return ok && j_flow_inst(t, g->if_count, i);
}

static bool build(struct translator *t, uint32_t first, struct region *g)
{
	memset(g, 0, sizeof(*g));
	g->first = g->end = first;
	g->scc_pair = -1;
	t->param_count = t->slot_count = 0;
	struct region good = *g;
	/* Next uses are counted in 16 bits. */
	for (uint32_t i = first; i < t->n && i - first < 0xf000; i++) {
		unsigned open, ending;
		bool last;
		if (g->memory && i - first >= REGION_BITS)
			break;
		if (!close_ifs(t, g, i, &open, &ending))
			break;
		if (ending && !open && g->vectors) {
			g->end = i;
			good = *g;
		}
		bool behind_branch = i > first && t->in[i - 1].role == ROLE_BRANCH;
		if (i > first && t->in[i].leader && (t->in[i].jumps != ending || !(ending || behind_branch)))
			break;
		if (!add(t, g, i, &last))
			break;
		if ((t->in[i].kind == J_VECTOR || last) && !open) {
			g->end = i + 1;
			good = *g;
		}
		if (last)
			break;
	}
	for (unsigned k = good.if_count; k < g->if_count; k++)
		t->in[t->ifs[k].at].no_if = true; /* not tried again and again */
	*g = good;
	g->saved.lo &= g->written.lo;
	g->saved.hi &= g->written.hi;
	return g->vectors > 0;
}

/* The same for a block that is a loop.  What later instructions write, earlier
 * ones meet in the next turn, so order does not excuse; nothing is done once. */
static bool build_loop(struct translator *t, uint32_t first, struct region *g)
{
	struct s_use u;
	uint32_t i = first;
	memset(g, 0, sizeof(*g));
	g->first = first;
	g->scc_pair = -1;
	g->loop = true;
	t->param_count = t->slot_count = 0;
	if (!t->in[first].leader)
		return false;
	for (; i < t->n && (i == first || !t->in[i].leader); i++) {
		const struct j_inst *j = &t->in[i];
		j_scalar_use(t, i, &u);
		t->in[i].role = ROLE_NONE;
		if (j->kind == J_BRANCH)
			break;
		if (j->kind == J_VECTOR && !add_vector(t, g, i))
			return false;
		if (j->kind == J_NOP || j->kind == J_VECTOR)
			continue;
		bool slice = j_slice_known(t, i) && s_meet(s_join(u.read, u.write), g->sliced);
		if (j->kind != J_SCALAR || slice || j_is_load(t, i) || s_meet(u.write, S_EXEC_PAIR))
			return false;
		if (!read_whole(g, u.read))
			return false;
		t->in[i].role = ROLE_STRIP;
		g->written = s_join(g->written, u.write);
		g->m0_written |= s_has(u.write, GCN_SRC_M0);
	}
	if (i == t->n || t->in[i].kind != J_BRANCH || !g->vectors || i - first > 0x7000)
		return false;
	if (t->in[i].leader) /* somebody jumps to the branch alone */
		return false;
	const struct cu_rec *r = j_rec(t, i);
	bool scc = r->in->op == GCN_S_CBRANCH_SCC0 || r->in->op == GCN_S_CBRANCH_SCC1;
	if (!scc || i + (uint32_t)r->jump != first || g->exports || g->exec_written)
		return false;
	if (g->m0_written && g->params)
		return false;
	g->end = i + 1;
	g->saved.lo &= g->written.lo;
	g->saved.hi &= g->written.hi;
	if (g->memory && g->end - first > REGION_BITS)
		return false;
	return !s_meet(g->sliced, s_join(g->whole, g->written)) && !s_meet(g->before, g->written);
}

/* AVX-512 merges by EXEC for nothing but a register's old value: code for any
 * EXEC is as good as code for a full one where few results keep it. */
static bool one_version(const struct translator *t, const struct region *g)
{
	uint32_t keep = 0;
	for (uint32_t i = g->first; i < g->end; i++)
		keep += t->in[i].role == ROLE_VECTOR && t->in[i].vd >= 0 && !t->in[i].off_dead;
	return t->v4 && 4 * keep <= g->vectors;
}

uint32_t j_region(struct translator *t, uint32_t first)
{
	struct region g;
	if (!build_loop(t, first, &g) && !build(t, first, &g))
		return first;
	if (g.params)
		j_check_params(t, first);
	int slow = x_label(&t->b);
	t->slots_ready = 0;
	for (uint32_t i = first; i < g.end; i++)
		if (t->in[i].role == ROLE_ONCE)
			j_single(t, i);
		else if (t->in[i].role == ROLE_VECTOR && j_rec(t, i)->in->op == GCN_EXPORT)
			j_export_once(t, i);
	for (uint32_t i = first; i < g.end && g.memory; i++)
		if (t->in[i].role == ROLE_VECTOR)
			j_memory_once(t, i, slow);
	/* Parameters of a wave's only primitive are the same in all lanes. */
	bool alone = g.params && !(g.effects & GCN_WRITES_LDS);
	if (g.params && !alone)
		j_load_params(t);
	g_save(t, &g, false);
	if (g.loop) {
		X(&t->b, MOV, R(RAX), J_FIELD(instructions));
		X(&t->b, MOV, x_mem(ZYDIS_REGISTER_RSP, FRAME_COUNT, 8), R(RAX));
	}
	int any = x_label(&t->b), end = x_label(&t->b);
	t->loose = s_join(t->loose, g.loose);
	j_flow_begin(t, g.if_count);
	if (alone || !one_version(t, &g)) {
		X(&t->b, CMP, j_sgpr(GCN_SRC_EXEC, 8), x_imm(-1));
		XJ(&t->b, JNZ, any);
		if (alone) {
			X(&t->b, TEST, j_sgpr(GCN_SRC_M0, 4), x_imm(0x7fff0000));
			XJ(&t->b, JNZ, any);
		}
		t->alone = alone;
		g_strips(t, &g, true);
		t->alone = false;
		XJ(&t->b, JMP, end);
	}
	x_bind(&t->b, any);
	if (alone)
		j_load_params(t);
	g_strips(t, &g, false);
	x_bind(&t->b, end);
	if (g.if_count)
		j_flow_count(t, g.if_count);
	if (g.scc_pair >= 0) {
		X(&t->b, CMP, j_sgpr((unsigned)g.scc_pair, 8), x_imm(0));
		X(&t->b, SETNZ, j_wave(offsetof(struct cu_wave, scc), 1));
	}
	if (t->slots_ready) {
		int behind = x_label(&t->b);
		XJ(&t->b, JMP, behind);
		j_memory_handlers(t, first, g.end, slow);
		x_bind(&t->b, behind);
	} else {
		x_bind(&t->b, slow);
	}
	return g.end;
}
