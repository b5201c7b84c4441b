/* SPDX-License-Identifier: MIT */
/* Scalar instructions on lane masks, a strip's slice at a time; branches. */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_scalar.h"
#include "core/jit/jit_scalar_priv.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

static bool slice_source(const struct cu_rec *r, int n)
{
	uint64_t k;
	if (!(r->konst >> n & 1))
		return r->s[n] != (int32_t)offsetof(struct cu_wave, scc);
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	return k == 0 || k == ~0ull;
}
bool jit_slice_known(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct jit_s_op *s = &jit_s_ops[r->in->op];
	if (s->bytes != 8 || t->in[i].kind != JIT_SCALAR)
		return false;
	if (s->kind == S_LOGIC)
		return slice_source(r, 0) && slice_source(r, 1);
	return (s->kind == S_MOVE || s->kind == S_NOT || s->kind == S_SAVEEXEC) && slice_source(r, 0);
}

static struct xo slice_at(const struct jit_translator *t, size_t offset)
{
	return jit_slice_of(t, (unsigned)((offset - offsetof(struct cu_wave, sgpr)) / 4));
}
static void load_slice(struct jit_region *g, struct xo reg, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t k;
	if (r->konst >> n & 1) {
		memcpy(&k, (const char *)r->pool + r->s[n], 8);
		X(g->b, MOV, reg, jit_x_imm(k ? -1 : 0));
	} else {
		X(g->b, MOVZX, reg, slice_at(g->t, (size_t)r->s[n]));
	}
}
static void store_slice(struct jit_region *g, struct xo to, unsigned reg)
{
	static const uint16_t low[3][2] = { { ZYDIS_REGISTER_AL, ZYDIS_REGISTER_AX },
		{ ZYDIS_REGISTER_CL, ZYDIS_REGISTER_CX }, { ZYDIS_REGISTER_DL, ZYDIS_REGISTER_DX } };
	X(g->b, MOV, to, jit_x_reg(low[reg][g->v4]));
}

void jit_slice(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct jit_s_op *s = &jit_s_ops[r->in->op];
	bool writes_exec = s->kind == S_SAVEEXEC || r->in->dst == GCN_SRC_EXEC;
	if (writes_exec)
		jit_r_before_exec(g);
	load_slice(g, R(EAX), i, 0);
	if (s->kind == S_LOGIC) {
		load_slice(g, R(ECX), i, 1);
		jit_s_logic(g->t, s->m, s->flags, 4, R(EAX), R(ECX));
	} else if (s->kind == S_NOT) {
		X(g->b, NOT, R(EAX));
	} else if (s->kind == S_SAVEEXEC) {
		X(g->b, MOVZX, R(ECX), jit_slice_of(g->t, GCN_SRC_EXEC));
		X(g->b, MOV, R(EDX), R(ECX));
		jit_s_logic(g->t, s->m, s->flags, 4, R(EAX), R(ECX));
		store_slice(g, slice_at(g->t, r->d), s->flags & WREXEC ? 0 : 2);
		store_slice(g, jit_slice_of(g->t, GCN_SRC_EXEC), 0);
	}
	if (s->kind != S_SAVEEXEC)
		store_slice(g, slice_at(g->t, r->d), 0);
	jit_forget_masks(g);
	if (writes_exec) {
		jit_load_exec(g);
		g->full = false;
	}
}

/* --- branches --- */

static void count_jump(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	struct xo count = JIT_FIELD(instructions);
	if (r->jump > 0) {
		if (r->jump != 1)
			X(&t->b, ADD, count, jit_x_imm(1 - (int64_t)r->jump));
		return;
	}
	/* Backwards: the handler asks now and then whether to stop. */
	X(&t->b, MOV, R(RAX), count);
	X(&t->b, ADD, R(RAX), jit_x_imm(1 - (int64_t)r->jump));
	X(&t->b, MOV, R(RCX), R(RAX));
	X(&t->b, SUB, R(RCX), JIT_FIELD(next_poll));
	int back = jit_slow(t, M_(JNS), i);
	X(&t->b, MOV, count, R(RAX));
	jit_x_bind(&t->b, back);
}

void jit_branch(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	int target = t->labels[i + (uint32_t)r->jump], skip = jit_x_label(&t->b);
	switch (r->in->op) {
	case GCN_S_BRANCH:
		break;
	case GCN_S_CBRANCH_SCC0:
		X(&t->b, CMP, jit_s_scc(), jit_x_imm(0));
		XJ(&t->b, JNZ, skip);
		break;
	case GCN_S_CBRANCH_SCC1:
		X(&t->b, CMP, jit_s_scc(), jit_x_imm(0));
		XJ(&t->b, JZ, skip);
		break;
	case GCN_S_CBRANCH_VCCZ:
	case GCN_S_CBRANCH_VCCNZ:
	case GCN_S_CBRANCH_EXECZ:
	case GCN_S_CBRANCH_EXECNZ: {
		bool vcc = r->in->op == GCN_S_CBRANCH_VCCZ || r->in->op == GCN_S_CBRANCH_VCCNZ;
		bool zero = r->in->op == GCN_S_CBRANCH_VCCZ || r->in->op == GCN_S_CBRANCH_EXECZ;
		X(&t->b, CMP, jit_sgpr(vcc ? GCN_SRC_VCC : GCN_SRC_EXEC, 8), jit_x_imm(0));
		jit_x_jump(&t->b, zero ? M_(JNZ) : M_(JZ), skip);
		break;
	}
	default: /* the debugger's conditions are never met */
		jit_x_bind(&t->b, skip);
		return;
	}
	count_jump(t, i);
	XJ(&t->b, JMP, target);
	jit_x_bind(&t->b, skip);
}
