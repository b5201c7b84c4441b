/* SPDX-License-Identifier: MIT */
/* Forward branches by EXECZ within regions.  A strip whose slice of EXEC is empty
 * skips the body by itself, although the wave does not when others have lanes.
 * That changes nothing but SGPRs: the body's results for an empty slice are worked
 * out here (most masks stay as they are), and those that differ must not be read
 * behind the body.  They are the program's `loose` SGPRs. */
#include "core/jit/jit_flow.h"

#include <stdlib.h>
#include <string.h>
#include "core/interp/interp.h"
#include "core/jit/jit_analyse.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_fused.h"
#include "core/jit/jit_region.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_sets.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"
#include "isa/gcn_uses.h"

/* --- which SGPRs are read later --- */

static struct sset all_sgprs(void)
{
	return (struct sset){ ~0ull, ~0ull };
}

struct sset jit_flow_reads(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct jit_s_use *u = &t->in[i].scalar;
	const struct gcn_inst *in = r->in;
	const struct cu_level_ops *l = t->p->kernels;
	struct sset s = s_join(u->read, u->mask_read);
	if (t->in[i].kind == JIT_SCALAR || t->in[i].kind == JIT_NOP || t->in[i].kind == JIT_END || t->in[i].kind == JIT_BARRIER)
		return s;
	if (r->fn == l->special || r->fn == l->valu_indexed || (!cu_is_vector(in) && t->in[i].kind == JIT_CALL && !jit_is_pure(r)))
		return all_sgprs();
	s = s_join(s, S_EXEC_PAIR);
	s_add(&s, GCN_SRC_M0, 1);
	if (in->op == GCN_S_CBRANCH_SCC0 || in->op == GCN_S_CBRANCH_SCC1)
		s_add(&s, S_SCC, 1);
	if (in->op == GCN_S_CBRANCH_VCCZ || in->op == GCN_S_CBRANCH_VCCNZ)
		s_add(&s, GCN_SRC_VCC, 2);
	if (r->op->cls == CU_CLASS_VALU || !cu_is_vector(in) || in->fmt == GCN_VINTRP)
		return s;
	s_add(&s, GCN_SRC_FLAT_SCRATCH, 4);
	for (int n = 0; n < 4; n++)
		if (in->src[n] < 128)
			s_add(&s, in->src[n], 8);
	return s;
}

bool jit_sgprs_live(struct jit_translator *t)
{
	bool wanted = jit_fused_masks(t), loops = false;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct cu_rec *r = jit_rec(t, i);
		loops |= r->op->flags & CU_OP_JUMPS && r->jump <= 0;
		wanted |= r->op->mask_out || (r->in->op == GCN_S_CBRANCH_EXECZ && r->jump > 0);
	}
	if (!wanted)
		return true;
	if (!(t->s_live = calloc(t->n, sizeof(*t->s_live))))
		return false;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = t->n; i-- > 0;) {
			const struct cu_rec *r = jit_rec(t, i);
			struct sset s = { 0 };
			const struct jit_s_use *const u = &t->in[i].scalar;
			if (!(r->op->flags & CU_OP_ENDS) && i + 1 < t->n)
				s = t->s_live[i + 1];
			if (r->op->flags & CU_OP_JUMPS)
				s = s_join(s, t->s_live[i + (uint32_t)r->jump]);
			bool sure = !gcn_writes_maybe(r->in->op);
			struct sset kill = s_join(u->write, u->mask_write), in = jit_flow_reads(t, i);
			if (sure && t->in[i].kind != JIT_CALL) {
				s.lo &= ~kill.lo;
				s.hi &= ~kill.hi;
			}
			s = s_join(s, in);
			changed |= loops && t->in[i].leader && memcmp(&s, &t->s_live[i], sizeof(s));
			t->s_live[i] = s;
		}
	}
	return true;
}

/* --- what an empty slice makes of the body --- */

static struct sset pair_of(unsigned r)
{
	struct sset s = { 0 };
	s_add(&s, r, 2);
	return s;
}
static bool is_zero(const struct jit_region *g, const struct jit_if *f, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t k;
	if (!(r->konst >> n & 1))
		return r->in->src[n] < 128 && s_has(f->zero, r->in->src[n]);
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	return k == 0;
}
static void set_result(struct jit_if *f, unsigned d, bool zero, bool same)
{
	struct sset pair = pair_of(d);
	if (same || (zero && s_has(f->zero, d)))
		return;
	f->changed = s_join(f->changed, pair);
	f->zero.lo &= ~pair.lo;
	f->zero.hi &= ~pair.hi;
	if (zero)
		f->zero = s_join(f->zero, pair);
}

/* False when EXEC may not stay empty. */
static bool slice_in(const struct jit_region *g, struct jit_if *f, uint32_t i)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	bool a = is_zero(g, f, i, 0), b = in->fmt == GCN_SOP2 && is_zero(g, f, i, 1);
	bool own0 = in->src[0] == in->dst, own1 = in->fmt == GCN_SOP2 && in->src[1] == in->dst;
	switch (in->op) {
	case GCN_S_AND_B64:
		set_result(f, in->dst, a || b, false);
		break;
	case GCN_S_ANDN2_B64:
		set_result(f, in->dst, a, b && own0);
		break;
	case GCN_S_OR_B64: case GCN_S_XOR_B64:
		set_result(f, in->dst, a && b, (a && own1) || (b && own0));
		break;
	case GCN_S_MOV_B64:
		set_result(f, in->dst, a, own0);
		break;
	case GCN_S_AND_SAVEEXEC_B64: case GCN_S_ANDN1_SAVEEXEC_B64:
		set_result(f, in->dst, true, false);
		break;
	case GCN_S_OR_SAVEEXEC_B64: case GCN_S_XOR_SAVEEXEC_B64: case GCN_S_ANDN2_SAVEEXEC_B64:
		set_result(f, in->dst, true, false);
		return a;
	default:
		set_result(f, in->dst, false, false);
		if (jit_rec(g->t, i)->op->flags & CU_OP_WRITES_EXEC)
			return false;
	}
	return s_has(f->zero, GCN_SRC_EXEC);
}

/* What instruction i does where EXEC is empty; false when it may not stay so. */
static bool idle_inst(const struct jit_region *g, struct jit_if *f, uint32_t i)
{
	const struct jit_s_use u = g->in[i].scalar;
	if (g->in[i].role == ROLE_VECTOR) {
		struct sset w = u.mask_write;
		w.hi &= ~S_EXEC_PAIR.hi; /* stays empty */
		f->changed = s_join(f->changed, w);
		f->zero = s_join(f->zero, w);
	} else if (g->in[i].role == ROLE_STRIP) {
		f->changed = s_join(f->changed, u.write);
		f->zero.lo &= ~u.write.lo;
		f->zero.hi &= ~u.write.hi;
	} else if (g->in[i].role == ROLE_SLICE) {
		return slice_in(g, f, i);
	}
	return true;
}

bool jit_flow_inst(struct jit_region *g, unsigned count, uint32_t i)
{
	for (unsigned k = 0; k < count; k++) {
		struct jit_if *f = &g->ifs[k];
		if (f->to <= i)
			continue;
		if (g->in[i].role == ROLE_ONCE || jit_rec(g->t, i)->in->op == GCN_EXPORT || !idle_inst(g, f, i))
			return false;
	}
	return true;
}

bool jit_flow_without_lanes(const struct jit_region *g, uint32_t exit, struct sset *changed)
{
	const uint32_t count = g->e.end - g->e.first, from = exit - g->e.first;
	struct jit_if f = { .zero = S_EXEC_PAIR };
	for (uint32_t k = from + 1; k <= from + count; k++)
		if (!idle_inst(g, &f, g->e.first + k % count))
			return false;
	*changed = s_join(*changed, f.changed);
	return true;
}

bool jit_flow_skips(struct jit_region *g)
{
	enum { WORTH = 8 }; /* vector instructions, for a branch that is not easily foreseen */
	struct jit_if f = { .zero = S_EXEC_PAIR };
	if (g->e.images || g->e.exports || (g->e.vectors < WORTH && !g->e.loop))
		return false;
	for (uint32_t i = g->e.first; i < g->e.end; i++)
		if (!idle_inst(g, &f, i))
			return false;
	/* SGPRs of the last strip, which is not left out, are the wave's */
	struct sset masks = { f.changed.lo & ~g->e.written.lo, f.changed.hi & ~g->e.written.hi };
	masks.hi &= ~(1ull << (S_SCC - 64));
	const struct sset other = { masks.lo & ~f.zero.lo, masks.hi & ~f.zero.hi };
	g->e.skipped = (struct sset){ masks.lo & f.zero.lo, masks.hi & f.zero.hi };
	if (s_none(other))
		return true;
	/* behind a cut the strip goes on, and reads them */
	if (g->cut_count || !g->t->s_live || g->e.end >= g->t->n || s_meet(other, g->t->s_live[g->e.end]) ||
	    (g->e.scc_pair >= 0 && s_has(other, (unsigned)g->e.scc_pair)))
		return false;
	g->e.loose = s_join(g->e.loose, other);
	return true;
}

bool jit_flow_branch(struct jit_region *g, unsigned *count, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	if (r->in->op != GCN_S_CBRANCH_EXECZ || r->jump < 1 || *count == IFS)
		return false;
	uint32_t to = i + (uint32_t)r->jump;
	for (unsigned k = 0; k < *count; k++)
		if (g->ifs[k].to > i && g->ifs[k].to < to)
			return false;
	g->ifs[(*count)++] = (struct jit_if){ .at = i, .to = to, .zero = S_EXEC_PAIR };
	g->in[i].role = ROLE_BRANCH;
	return true;
}

/* --- code --- */

void jit_flow_skip(struct jit_region *g, unsigned k)
{
	struct jit_if *f = &g->ifs[k];
	f->label = jit_x_label(g->b);
	f->full = g->full;
	jit_r_plain(g);
	if (!g->full) {
		if (g->v4)
			X(g->b, KORTESTW, R(K1), R(K1));
		else
			X(g->b, CMP, jit_slice_of(g->t, GCN_SRC_EXEC), jit_x_imm(0));
		XJ(g->b, JZ, f->label);
	}
	X(g->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_IFS + (int)k, 1), jit_x_imm(1));
	jit_r_note_state(g, &f->state);
}

void jit_flow_join(struct jit_region *g, unsigned count, uint32_t i)
{
	for (unsigned k = count; k-- > 0;) {
		struct jit_if *f = &g->ifs[k];
		if (f->to != i)
			continue;
		jit_r_restore_state(g, &f->state);
		jit_x_bind(g->b, f->label);
		g->full &= f->full;
		jit_forget_masks(g);
	}
}

void jit_flow_begin(struct jit_region *g, unsigned count)
{
	for (unsigned k = 0; k < count; k += 8)
		X(g->b, MOV, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_IFS + (int)k, 8), jit_x_imm(0));
}

void jit_flow_count(struct jit_region *g, unsigned count)
{
	int label[IFS + 1];
	for (unsigned k = 0; k <= count; k++)
		label[k] = jit_x_label(g->b);
	for (unsigned k = 0; k < count; k++) {
		int ran = jit_x_label(g->b);
		unsigned behind = k + 1;
		while (behind < count && g->ifs[behind].at < g->ifs[k].to)
			behind++;
		jit_x_bind(g->b, label[k]);
		X(g->b, CMP, jit_x_mem(ZYDIS_REGISTER_RSP, FRAME_IFS + (int)k, 1), jit_x_imm(0));
		XJ(g->b, JNZ, ran);
		X(g->b, ADD, JIT_FIELD(instructions), jit_x_imm(1 - (int64_t)jit_rec(g->t, g->ifs[k].at)->jump));
		if (behind > k + 1)
			XJ(g->b, JMP, label[behind]);
		jit_x_bind(g->b, ran);
	}
	jit_x_bind(g->b, label[count]);
}
