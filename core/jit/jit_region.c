/* SPDX-License-Identifier: MIT */
/* Regions: runs of instructions within a block that are done strip by strip.
 *
 * Of a scalar instruction among vector ones there are three kinds: lane masks,
 * of which each strip does its slice; what can be done once before the strips;
 * and what every strip does again, on SGPRs that are put back before.  What
 * fits none of them ends the region, as does whatever needs all lanes.
 *
 * Some loops are regions as a whole (jit_loop.c). */
#include "core/jit/jit_region.h"

#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_again.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_cut.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_flow.h"
#include "core/jit/jit_image.h"
#include "core/jit/jit_loop.h"
#include "core/jit/jit_memory.h"
#include "core/jit/jit_pixel.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_twins.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

/* Scalar handlers without any effect beside their operands. */
bool jit_is_pure(const struct cu_rec *r)
{
	bool scalar = r->in->fmt == GCN_SOP1 || r->in->fmt == GCN_SOP2 || r->in->fmt == GCN_SOPC || r->in->fmt == GCN_SOPK;
	return scalar && r->fn == r->op->direct && !gcn_effects(r->in);
}

/* Pairs begin at even numbers, so that two of them are the same or apart. */
static bool even(struct sset s)
{
	return !(((s.lo ^ s.lo >> 1) | (s.hi ^ s.hi >> 1)) & 0x5555555555555555);
}

bool jit_region_slices(struct jit_region *g, const struct jit_s_use *u)
{
	struct sset out = u->mask_write;
	if (s_meet(out, s_join(g->e.whole, g->e.written)) || !even(out) || !even(u->mask_read))
		return false;
	g->e.read = s_join(g->e.read, u->mask_read);
	g->e.saved.lo |= u->mask_read.lo & ~g->e.written.lo & ~g->e.sliced.lo;
	g->e.saved.hi |= u->mask_read.hi & ~g->e.written.hi & ~g->e.sliced.hi;
	g->e.sliced = s_join(g->e.sliced, out);
	g->e.exec_written |= s_meet(out, S_EXEC_PAIR);
	return true;
}
bool jit_region_whole(struct jit_region *g, struct sset read)
{
	if (s_meet(read, g->e.sliced))
		return false;
	g->e.saved.lo |= read.lo & ~g->e.written.lo;
	g->e.saved.hi |= read.hi & ~g->e.written.hi;
	g->e.read = s_join(g->e.read, read);
	g->e.whole = s_join(g->e.whole, read);
	return true;
}

/* Strips do their loads and stores in another order than the whole wave would:
 * nobody may see it.  Scratch is each lane's own. */
static bool add_memory(struct jit_region *g, uint32_t i)
{
	struct jit_memory m;
	if (jit_rec(g->t, i)->op->cls == CU_CLASS_VALU) /* LDS_DIRECT is not for strips */
		return true;
	bool known = jit_memory_op(g->t, i, &m);
	unsigned e = known && m.unit == UNIT_SCRATCH ? 0 : gcn_effects(jit_rec(g->t, i)->in);
	unsigned reads = e & (GCN_READS_MEMORY | GCN_READS_LDS), writes = e & (GCN_WRITES_MEMORY | GCN_WRITES_LDS);
	if (g->e.effects & (reads << 1 | writes | writes >> 1) || (writes && g->e.loop))
		return false;
	g->e.effects |= reads | writes;
	if (!known || m.unit == UNIT_LDS || m.unit == UNIT_GLOBAL)
		return true;
	g->e.memory = true;
	return i - g->e.first < REGION_BITS && jit_memory_slot(g, i) >= 0;
}

bool jit_region_vector(struct jit_region *g, uint32_t i)
{
	const struct jit_s_use u = g->in[i].scalar;
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	if (in->op == GCN_EXPORT && g->e.exec_written)
		return false; /* EXEC is noted before the strips */
	if (in->fmt == GCN_VINTRP && (g->e.m0_written || !jit_params_fit(g, i)))
		return false;
	g->e.exports |= in->op == GCN_EXPORT;
	g->e.interpolates |= in->fmt == GCN_VINTRP;
	struct jit_memory m;
	if (jit_memory_op(g->t, i, &m) && (m.unit == UNIT_BUFFER || m.unit == UNIT_SCRATCH)) { /* it is looked at before the strips */
		struct sset before = { 0 };
		s_add(&before, GCN_SRC_FLAT_SCRATCH, 2);
		if (m.unit == UNIT_BUFFER)
			before = u.read;
		if (s_meet(before, g->e.written))
			return false;
		g->e.before = s_join(g->e.before, before);
	}
	if (s_meet(u.read, g->e.sliced) || !jit_region_slices(g, &u) || !jit_region_whole(g, u.read) || !add_memory(g, i))
		return false;
	g->in[i].role = ROLE_VECTOR;
	g->e.vectors++;
	return true;
}

/* All strips come to it before any goes on (jit_region_code.c), so that nothing but VGPRs and slices may have changed;
 * one after the other, as in a body that strips skip, they are slower than the unit. */
static bool add_image(struct jit_region *g, uint32_t i)
{
	const struct jit_s_use u = g->in[i].scalar;
	for (unsigned k = 0; k < g->e.if_count; k++)
		if (g->ifs[k].to > i)
			return false;
	if (g->t->no_images || g->e.written.lo || g->e.written.hi || s_meet(u.read, g->e.sliced) || jit_image_slot(g, i) < 0)
		return false;
	if (!jit_region_slices(g, &u) || !jit_region_whole(g, u.read) || !add_memory(g, i))
		return false;
	g->e.before = s_join(g->e.before, u.read); /* descriptors are looked at before the strips */
	g->in[i].role = ROLE_VECTOR;
	g->e.vectors++;
	g->e.images++;
	return true;
}

static bool add_scalar(struct jit_region *g, uint32_t i, bool *last)
{
	const struct jit_s_use u = g->in[i].scalar;
	struct sset all = s_join(u.read, u.write), masks = s_join(g->e.sliced, S_EXEC_PAIR);
	if (jit_slice_known(g->t, i) && s_meet(all, masks)) {
		struct jit_s_use m = { .mask_read = u.read, .mask_write = u.write };
		m.mask_write.hi &= ~(1ull << (S_SCC - 64));
		if (!jit_region_slices(g, &m))
			return false;
		g->in[i].role = ROLE_SLICE;
		g->e.scc_pair = -1;
		if (s_has(u.write, S_SCC) && g->in[i].scc_live) {
			bool exec = s_meet(u.write, S_EXEC_PAIR);
			g->e.scc_pair = exec ? GCN_SRC_EXEC : jit_rec(g->t, i)->in->dst;
			*last = true;
		}
		return true;
	}
	if (s_meet(all, g->e.sliced) || s_meet(u.write, S_EXEC_PAIR))
		return false;
	if (s_has(u.write, GCN_SRC_M0) && !g->e.vectors) /* a region behind it may interpolate */
		return false;
	g->e.m0_written |= s_has(u.write, GCN_SRC_M0);
	if (!s_meet(u.read, g->e.written) && !s_meet(u.write, s_join(g->e.read, g->e.written))) {
		g->in[i].role = ROLE_ONCE;
		if (jit_is_load(g->t, i) && g->e.effects & GCN_WRITES_MEMORY)
			return false;
		return g->in[i].kind == JIT_SCALAR || jit_is_pure(jit_rec(g->t, i));
	}
	if (g->in[i].kind != JIT_SCALAR || jit_is_load(g->t, i) || !jit_region_whole(g, u.read))
		return false;
	g->in[i].role = ROLE_STRIP;
	g->e.written = s_join(g->e.written, u.write);
	return true;
}

/* Bodies that end before i: whether nothing of them is read behind.  *open: how many
 * others there are. */
static bool close_ifs(struct jit_region *g, uint32_t i, unsigned *open, unsigned *ending)
{
	*open = *ending = 0;
	for (unsigned k = 0; k < g->e.if_count; k++) {
		const struct jit_if *f = &g->ifs[k];
		*open += f->to > i;
		*ending += f->to == i;
		if (f->to == i && s_meet(f->changed, g->t->s_live[i]))
			return false;
		if (f->to == i)
			g->e.loose = s_join(g->e.loose, f->changed);
	}
	return true;
}

static bool add(struct jit_region *g, uint32_t i, bool *last)
{
	const struct jit_inst *j = &g->in[i];
	bool ok = false;
	*last = j->depths;
	g->in[i].role = ROLE_NONE;
	if (j->kind == JIT_BRANCH)
		return !j->no_if && jit_flow_branch(g, &g->e.if_count, i);
	if (j->kind == JIT_NOP || j->done)
		return true;
	if (j->kind == JIT_VECTOR)
		ok = jit_region_vector(g, i);
	else if (j->image)
		ok = add_image(g, i);
	else if (j->kind == JIT_SCALAR || (j->kind == JIT_CALL && jit_is_pure(jit_rec(g->t, i))))
		ok = add_scalar(g, i, last);
	return ok && jit_flow_inst(g, g->e.if_count, i);
}

static bool build(struct jit_region *g, uint32_t first)
{
	memset(&g->e, 0, sizeof(g->e));
	g->e.first = g->e.end = first;
	g->e.scc_pair = -1;
	g->param_count = g->slot_count = g->row_count = g->image_slot_count = 0;
	struct jit_extent good = g->e;
	/* Next uses are counted in 16 bits. */
	for (uint32_t i = first; i <= g->t->limit && i - first < 0xf000; i++) {
		unsigned open, ending;
		bool last;
		if (g->e.memory && i - first >= REGION_BITS)
			break;
		if (!close_ifs(g, i, &open, &ending))
			break;
		if (ending && !open && g->e.vectors) {
			g->e.end = i;
			good = g->e;
		}
		if (i == g->t->limit)
			break;
		bool behind_branch = i > first && g->in[i - 1].role == ROLE_BRANCH;
		if (i > first && g->in[i].leader && (g->in[i].jumps != ending || !(ending || behind_branch)))
			break;
		if (!add(g, i, &last))
			break;
		if ((g->in[i].role == ROLE_VECTOR || last) && !open) {
			g->e.end = i + 1;
			good = g->e;
		}
		if (last)
			break;
	}
	for (unsigned k = good.if_count; k < g->e.if_count; k++)
		g->in[g->ifs[k].at].no_if = true; /* not tried again and again */
	g->e = good;
	g->e.saved.lo &= g->e.written.lo;
	g->e.saved.hi &= g->e.written.hi;
	return g->e.vectors > g->e.images; /* images alone are one call for all strips */
}

/* AVX-512 merges by EXEC for nothing but a register's old value: code for any
 * EXEC is as good as code for a full one where few results keep it. */
static bool one_version(struct jit_region *g)
{
	uint32_t keep = 0;
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		keep += g->in[i].role == ROLE_VECTOR && g->in[i].vd >= 0 && !g->in[i].off_dead;
	return g->v4 && 4 * keep <= g->e.vectors;
}

/* A loop that strips leave at different turns: for any EXEC, as it changes.  False: there are too few registers. */
static bool parting_loop(struct jit_region *g)
{
	const struct jit_made before = jit_made(g);
	jit_cuts(g);
	g->slots_ready = 0;
	jit_region_save(g, false);
	jit_loop_before(g);
	if (!jit_region_strips(g, false, jit_twins(g, false))) {
		jit_unmake(g, &before);
		g->in[g->e.first].no_parts = true;
		return false;
	}
	jit_loop_go(g);
	g->t->loose = s_join(g->t->loose, g->e.loose);
	return true;
}

uint32_t jit_region(struct jit_translator *t, uint32_t first)
{
	struct jit_region *g = t->region;
	const bool loop = jit_loop(g, first);
	if (loop && g->e.parts && parting_loop(g))
		return g->e.end;
	if ((!loop || g->e.parts) && !build(g, first))
		return first;
	jit_cuts(g);
	g->e.skips = jit_flow_skips(g);
	if (g->e.interpolates)
		jit_check_params(g, first);
	int slow = jit_x_label(&t->b);
	g->slots_ready = 0;
	for (uint32_t i = first; i < g->e.end; i++)
		if (t->in[i].role == ROLE_ONCE)
			jit_single(t, i);
	jit_again_here(g);
	if (g->e.images) {
		g->apart = jit_x_label(&t->b);
		jit_images_once(g, g->apart);
		jit_again_images(g);
	}
	for (uint32_t i = first; i < g->e.end; i++)
		if (t->in[i].role == ROLE_VECTOR && jit_rec(t, i)->in->op == GCN_EXPORT)
			jit_export_once(g, i);
	for (uint32_t i = first; i < g->e.end && g->e.memory; i++)
		if (t->in[i].role == ROLE_VECTOR)
			jit_memory_once(g, i, slow);
	/* Parameters of a wave's only primitive are the same in all lanes. */
	bool alone = g->e.interpolates && !(g->e.effects & GCN_WRITES_LDS);
	if (g->e.interpolates && !alone)
		jit_load_params(g);
	jit_region_save(g, false);
	if (g->e.loop)
		jit_loop_before(g);
	int any = jit_x_label(&t->b), end = jit_x_label(&t->b);
	t->loose = s_join(t->loose, g->e.loose);
	jit_exports_stay(g, end);
	jit_flow_begin(g, g->e.if_count);
	g->alone = alone;
	const bool twins = jit_twins(g, true);
	if (alone || twins || !one_version(g)) {
		X(&t->b, CMP, jit_sgpr(GCN_SRC_EXEC, 8), jit_x_imm(-1));
		XJ(&t->b, JNZ, any);
		if (alone) {
			X(&t->b, TEST, jit_sgpr(GCN_SRC_M0, 4), jit_x_imm(0x7fff0000));
			XJ(&t->b, JNZ, any);
		}
		if (alone)
			jit_spread_params(g);
		jit_region_strips(g, true, twins);
		XJ(&t->b, JMP, end);
	}
	g->alone = false;
	jit_x_bind(&t->b, any);
	if (alone)
		jit_load_params(g);
	jit_region_strips(g, false, jit_twins(g, false));
	jit_x_bind(&t->b, end);
	if (g->e.if_count)
		jit_flow_count(g, g->e.if_count);
	if (g->e.scc_pair >= 0) {
		X(&t->b, CMP, jit_sgpr((unsigned)g->e.scc_pair, 8), jit_x_imm(0));
		X(&t->b, SETNZ, jit_wave(offsetof(struct cu_wave, scc), 1));
	}
	if (g->slots_ready) {
		int behind = jit_x_label(&t->b);
		XJ(&t->b, JMP, behind);
		jit_memory_handlers(g, first, g->e.end, slow);
		jit_x_bind(&t->b, behind);
	} else {
		jit_x_bind(&t->b, slow);
	}
	return g->e.end;
}
