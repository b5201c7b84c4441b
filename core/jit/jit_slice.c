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

bool jit_slice_chosen(const struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const struct jit_s_op *s = &jit_s_ops[r->in->op];
	return s->kind == S_SELECT && s->bytes == 8 && t->in[i].kind == JIT_SCALAR && (r->konst & 3) == 3 && slice_source(r, 0) &&
		slice_source(r, 1);
}

bool jit_slice_logic(const struct jit_translator *t, uint32_t i)
{
	const struct jit_s_op *s = &jit_s_ops[jit_rec(t, i)->in->op];
	return jit_slice_known(t, i) && (s->kind == S_LOGIC || s->kind == S_NOT) && jit_rec(t, i)->in->dst != GCN_SRC_EXEC;
}

static unsigned pair_at(size_t offset) { return (unsigned)((offset - offsetof(struct cu_wave, sgpr)) / 4); }

/* m is of all lanes of a strip, or of none. */
static void uniform_mask_in(struct jit_region *g, struct xo m, bool on)
{
	if (g->v4 && on)
		X(g->b, KXNORW, m, m, m);
	else if (g->v4)
		X(g->b, KXORW, m, m, m);
	else if (on)
		X(g->b, VPCMPEQD, m, m, m);
	else
		X(g->b, VPXOR, m, m, m);
}
static struct xo uniform_mask(struct jit_region *g, int n, bool on)
{
	struct xo m = jit_v_mask_temp(g, n);
	uniform_mask_in(g, m, on);
	return m;
}
static struct xo exec_mask(struct jit_region *g, int n) { return g->full ? uniform_mask(g, n, true) : jit_exec(g); }

static struct xo mask_source(struct jit_region *g, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t k;
	if (!(r->konst >> n & 1)) {
		const unsigned pair = pair_at((size_t)r->s[n]);
		return pair == GCN_SRC_EXEC ? exec_mask(g, n) : jit_v_mask_load(g, pair);
	}
	memcpy(&k, (const char *)r->pool + r->s[n], 8);
	return uniform_mask(g, n, k != 0);
}

static void complement(struct jit_region *g, struct xo to, struct xo m)
{
	if (g->v4)
		X(g->b, KNOTW, to, m);
	else
		X(g->b, VPXOR, to, m, jit_v_const(g, ~0u));
}

/* m = a and not b. */
static void without(struct jit_region *g, struct xo m, struct xo a, struct xo b)
{
	if (g->v4)
		X(g->b, KANDNW, m, b, a);
	else
		X(g->b, VPANDN, m, b, a);
}

/* m = a and b, or what else `op` says. */
static void combine(struct jit_region *g, ZydisMnemonic op, struct xo m, struct xo a, struct xo b)
{
	switch (op) {
	case ZYDIS_MNEMONIC_AND:
		jit_x_emit(g->b, g->v4 ? ZYDIS_MNEMONIC_KANDW : ZYDIS_MNEMONIC_VPAND, -1, false, 3, (struct xo[]){ m, a, b });
		break;
	case ZYDIS_MNEMONIC_OR:
		jit_x_emit(g->b, g->v4 ? ZYDIS_MNEMONIC_KORW : ZYDIS_MNEMONIC_VPOR, -1, false, 3, (struct xo[]){ m, a, b });
		break;
	default:
		jit_x_emit(g->b, g->v4 ? ZYDIS_MNEMONIC_KXORW : ZYDIS_MNEMONIC_VPXOR, -1, false, 3, (struct xo[]){ m, a, b });
	}
}

/* EXEC as it is to the pair, from which it comes back soon. */
static void save_exec(struct jit_region *g, uint32_t i, unsigned pair)
{
	struct xo m = jit_v_mask_new(g, pair);
	if (g->full)
		uniform_mask_in(g, m, true);
	else if (g->v4)
		X(g->b, KMOVW, m, jit_exec(g));
	else
		X(g->b, VMOVAPS, m, jit_exec(g));
	jit_v_mask_store(g, i, pair, m);
}

/* AVX2: what SCC chooses of all lanes and none. */
static struct xo chosen(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint64_t a, b;
	struct xo m = jit_v_mask_new(g, pair_at(r->d));
	memcpy(&a, (const char *)r->pool + r->s[0], 8);
	memcpy(&b, (const char *)r->pool + r->s[1], 8);
	if (a == b) {
		uniform_mask_in(g, m, a != 0);
		return m;
	}
	X(g->b, VPBROADCASTB, m, jit_s_scc());
	X(g->b, VPCMPEQD, m, m, jit_v_const(g, a ? 0x01010101 : 0));
	return m;
}

static bool source_is_free(const struct jit_region *g, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	return !(r->konst >> n & 1) && jit_v_mask_is_free(g, pair_at((size_t)r->s[n]));
}

/* A mask without the lanes that are off. */
static struct xo of_exec(struct jit_region *g, struct xo mask)
{
	struct xo m = jit_v_mask_temp(g, 0);
	X(g->b, VPAND, m, mask, jit_exec(g));
	return m;
}

/* What the instruction makes of its sources, for `pair`; the second is EXEC where that is saved, to the pair `save`; -1: not.  free:
 * whatever lanes have that are off. */
static struct xo slice_result(struct jit_region *g, uint32_t i, const struct jit_s_op *s, unsigned pair, int save, bool free)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	struct xo a = mask_source(g, i, 0), b = { 0 };
	if (!free && source_is_free(g, i, 0))
		a = of_exec(g, a);
	if (!(r->konst & 1))
		g->mask_held = (int)pair_at((size_t)r->s[0]);
	if (s->kind == S_LOGIC)
		b = mask_source(g, i, 1);
	else if (s->kind == S_SAVEEXEC)
		b = exec_mask(g, 1);
	if (s->kind == S_LOGIC && !free && source_is_free(g, i, 1))
		b = of_exec(g, b);
	if (save >= 0)
		save_exec(g, i, (unsigned)save);
	g->mask_held = -1;
	const bool but = s->flags & (NOT_A | NOT_B), masks = but && s->m == ZYDIS_MNEMONIC_AND;
	if (but && !masks) {
		struct xo rest = jit_v_mask_temp(g, s->flags & NOT_A ? 0 : 1);
		complement(g, rest, s->flags & NOT_A ? a : b);
		*(s->flags & NOT_A ? &a : &b) = rest;
	}
	struct xo m = pair == GCN_SRC_EXEC ? jit_exec(g) : jit_v_mask_new(g, pair);
	if (masks)
		without(g, m, s->flags & NOT_A ? b : a, s->flags & NOT_A ? a : b);
	else if (s->kind == S_LOGIC || s->kind == S_SAVEEXEC)
		combine(g, (ZydisMnemonic)s->m, m, a, b);
	else if (s->kind == S_NOT)
		complement(g, m, a);
	else if (g->v4)
		X(g->b, KMOVW, m, a);
	else
		X(g->b, VMOVAPS, m, a);
	if (s->flags & NOT_D)
		complement(g, m, m);
	return m;
}

/* The instruction reads the pair that it saves EXEC to, or one with half of it. */
static bool saves_to_source(const struct cu_rec *r)
{
	const int source = (int)r->s[0], to = (int)r->d;
	return !(r->konst & 1) && source > to - 8 && source < to + 8;
}

void jit_slice(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct jit_s_op *s = &jit_s_ops[r->in->op];
	const bool saves = s->kind == S_SAVEEXEC, writes_exec = saves || r->in->dst == GCN_SRC_EXEC;
	const bool by_bits = saves && !(s->flags & WREXEC) && saves_to_source(r);
	int save = saves && !(s->flags & WREXEC) && !by_bits ? (int)pair_at(r->d) : -1;
	g->at = i;
	if (s->kind == S_SELECT) {
		jit_v_mask_store(g, i, pair_at(r->d), chosen(g, i));
		return;
	}
	if (writes_exec)
		jit_r_before_exec(g);
	if (save == GCN_SRC_EXEC) /* EXEC is what it holds last where it is both */
		save = -1;
	const unsigned pair = writes_exec ? GCN_SRC_EXEC : pair_at(r->d);
	if (by_bits)
		jit_exec_bits(g);
	const bool of_free = source_is_free(g, i, 0) || (s->kind == S_LOGIC && source_is_free(g, i, 1));
	const bool free = of_free && !writes_exec && jit_v_mask_may_be_free(g, i, pair);
	struct xo m = slice_result(g, i, s, pair, save, free || saves);
	if (writes_exec)
		jit_v_mask_forget(g, GCN_SRC_EXEC);
	if (saves && save < 0 && pair_at(r->d) != GCN_SRC_EXEC) {
		jit_v_mask_forget(g, pair_at(r->d));
		if (s->flags & WREXEC)
			jit_v_mask_bits(g, pair_at(r->d), m);
		else
			X(g->b, MOV, jit_slice_of(g->t, pair_at(r->d)), g->v4 ? R(DX) : R(DL));
	}
	jit_v_mask_store(g, i, pair, m);
	if (free)
		jit_v_mask_set_free(g, pair);
	g->full &= !writes_exec;
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

void jit_branch_taken(struct jit_translator *t, uint32_t i)
{
	count_jump(t, i);
	XJ(&t->b, JMP, t->labels[i + (uint32_t)jit_rec(t, i)->jump]);
}

void jit_branch(struct jit_translator *t, uint32_t i)
{
	const struct cu_rec *r = jit_rec(t, i);
	const int skip = jit_x_label(&t->b);
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
	jit_branch_taken(t, i);
	jit_x_bind(&t->b, skip);
}
