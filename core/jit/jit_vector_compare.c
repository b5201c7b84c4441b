/* SPDX-License-Identifier: MIT */
/* Vector compares: a slice of a lane mask each. */
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/gcn.h"

enum { P_EQ, P_LT, P_LE, P_FALSE, P_NE, P_GE, P_GT, P_TRUE };

/* AVX2 has equal and signed greater only; the rest are swaps and complements, and
 * without signs what the lesser or the greater one is equal to. */
static void compare_avx2(struct jit_region *g, struct xo m, struct xo a, struct xo b, int p, bool sign)
{
	bool complement = p == P_NE || (sign ? p == P_LE || p == P_GE : p == P_LT || p == P_GT);
	if (p == P_FALSE || p == P_TRUE) {
		X(g->b, VPCMPEQD, m, m, m);
		if (p == P_FALSE)
			X(g->b, VPXOR, m, m, m);
		return;
	}
	if (p == P_EQ || p == P_NE) {
		X(g->b, VPCMPEQD, m, a, b);
	} else if (!sign) {
		struct xo x = jit_r_temp(g);
		if (p == P_LE || p == P_GT)
			X(g->b, VPMINUD, x, a, b);
		else
			X(g->b, VPMAXUD, x, a, b);
		X(g->b, VPCMPEQD, m, x, a);
		jit_r_free(g, x);
	} else if (p == P_GT || p == P_LE) {
		X(g->b, VPCMPGTD, m, a, b);
	} else {
		X(g->b, VPCMPGTD, m, b, a);
	}
	if (complement)
		X(g->b, VPXOR, m, m, jit_v_const(g, ~0u));
}

void jit_v_compare(struct jit_region *g, uint32_t i, const struct jit_vec_op *v)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	unsigned pair = (unsigned)(r->sd - offsetof(struct cu_wave, sgpr)) / 4;
	bool half = r->op->stype[0] == CU_T_F16, wide = r->op->stype[0] == CU_T_F64;
	struct xo a = { 0 }, b = { 0 };
	bool free = false;
	if (v->flags & VEC_EXEC) /* in front of the sources, which may be halves in registers that it makes words again */
		jit_r_before_exec(g);
	if (!wide) {
		a = jit_v_register(g, half ? jit_half_source(g, i, 0) : jit_v_source(g, i, 0));
		b = half ? jit_half_source(g, i, 1) : jit_v_source(g, i, 1);
		if (!g->v4 && v->kind != VEC_COMPARE_F)
			b = jit_v_register(g, b);
	}
	struct xo m = jit_v_mask_new(g, pair);
	if (wide) {
		jit_compare_f64(g, i, v->imm, m);
	} else if (g->v4) {
		ZydisMnemonic mn = v->kind == VEC_COMPARE_F ? ZYDIS_MNEMONIC_VCMPPS
			: v->kind == VEC_COMPARE_I ? ZYDIS_MNEMONIC_VPCMPD : ZYDIS_MNEMONIC_VPCMPUD;
		jit_vxk(g, mn, g->full ? 0 : 1, false, 4, (struct xo[]){ m, a, b, jit_x_imm(v->imm) });
	} else {
		if (v->kind == VEC_COMPARE_F)
			X(g->b, VCMPPS, m, a, b, jit_x_imm(v->imm));
		else
			compare_avx2(g, m, a, b, v->imm, v->kind == VEC_COMPARE_I);
		free = !(v->flags & VEC_EXEC) && jit_v_mask_may_be_free(g, i, pair);
		if (!g->full && !free)
			X(g->b, VPAND, m, m, jit_exec(g));
	}
	jit_v_mask_store(g, i, pair, m);
	if (free)
		jit_v_mask_set_free(g, pair);
	if (!(v->flags & VEC_EXEC))
		return;
	jit_v_mask_store(g, i, GCN_SRC_EXEC, m);
	if (pair != GCN_SRC_EXEC)
		jit_v_mask_forget(g, GCN_SRC_EXEC);
	if (g->v4)
		X(g->b, KMOVW, R(K1), m);
	else
		X(g->b, VMOVAPS, R(YMM15), m);
	g->full = false;
}
