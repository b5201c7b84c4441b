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

/* AVX2 has equal and signed greater only; the rest are swaps and complements. */
static void compare_avx2(struct translator *t, struct xo m, struct xo a, struct xo b, int p, bool sign)
{
	bool complement = p == P_NE || p == P_LE || p == P_GE;
	if (p == P_FALSE || p == P_TRUE) {
		X(&t->b, VPCMPEQD, m, m, m);
		if (p == P_FALSE)
			X(&t->b, VPXOR, m, m, m);
		return;
	}
	if (!sign && p != P_EQ && p != P_NE) {
		struct xo top = v_const(t, 0x80000000u), x = r_temp(t), y = r_temp(t);
		X(&t->b, VPXOR, x, a, top);
		X(&t->b, VPXOR, y, b, top);
		a = x;
		b = y;
	}
	if (p == P_EQ || p == P_NE)
		X(&t->b, VPCMPEQD, m, a, b);
	else if (p == P_GT || p == P_LE)
		X(&t->b, VPCMPGTD, m, a, b);
	else
		X(&t->b, VPCMPGTD, m, b, a);
	if (complement) {
		struct xo ones = r_temp(t);
		X(&t->b, VPCMPEQD, ones, ones, ones);
		X(&t->b, VPXOR, m, m, ones);
	}
}

void v_compare(struct translator *t, uint32_t i, const struct vec_op *v)
{
	const struct cu_rec *r = j_rec(t, i);
	unsigned pair = (unsigned)(r->sd - offsetof(struct cu_wave, sgpr)) / 4;
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1);
	if (!t->v4)
		b = v_register(t, b);
	if (v->flags & VEC_EXEC)
		r_settle_all(t);
	struct xo m = v_mask_new(t, pair);
	if (t->v4) {
		ZydisMnemonic mn = v->kind == VEC_COMPARE_F ? ZYDIS_MNEMONIC_VCMPPS
			: v->kind == VEC_COMPARE_I ? ZYDIS_MNEMONIC_VPCMPD : ZYDIS_MNEMONIC_VPCMPUD;
		vxk(t, mn, t->full ? 0 : 1, false, 4, (struct xo[]){ m, a, b, x_imm(v->imm) });
	} else {
		if (v->kind == VEC_COMPARE_F)
			X(&t->b, VCMPPS, m, a, b, x_imm(v->imm));
		else
			compare_avx2(t, m, a, b, v->imm, v->kind == VEC_COMPARE_I);
		if (!t->full)
			X(&t->b, VPAND, m, m, j_exec(t));
	}
	v_mask_store(t, pair, m);
	if (!(v->flags & VEC_EXEC))
		return;
	v_mask_store(t, GCN_SRC_EXEC, m);
	if (pair != GCN_SRC_EXEC)
		v_mask_forget(t, GCN_SRC_EXEC);
	if (t->v4)
		X(&t->b, KMOVW, R(K1), m);
	else
		X(&t->b, VMOVAPS, R(YMM15), m);
	t->full = false;
}
