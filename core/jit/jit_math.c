/* SPDX-License-Identifier: MIT */
/* Transcendentals, step by step as core/interp/math.h defines them. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/bits.h"
#include "isa/poly.h"

static void round_even(struct jit_region *g, struct xo d, struct xo a)
{
	if (g->v4)
		VX(g, VRNDSCALEPS, d, a, jit_x_imm(8));
	else
		VX(g, VROUNDPS, d, a, jit_x_imm(8));
}
static struct xo constant(struct jit_region *g, uint32_t bits)
{
	struct xo r = jit_r_temp(g);
	jit_v_load(g, r, jit_v_const(g, bits));
	return r;
}
/* The polynomial's value at x. */
static struct xo horner(struct jit_region *g, const float *k, int n, struct xo x)
{
	struct xo p = constant(g, float_bits(k[0]));
	for (int i = 1; i < n; i++)
		VX(g, VFMADD213PS, p, x, jit_v_const(g, float_bits(k[i])));
	return p;
}
/* x = min or max of the bound and x, in this order: NaN passes. */
static void bound(struct jit_region *g, ZydisMnemonic m, struct xo x, uint32_t bits)
{
	struct xo k = constant(g, bits);
	jit_vx(g, m, 3, (struct xo[]){ x, k, x });
	jit_r_free(g, k);
}
static void finish(struct jit_region *g, uint32_t i, struct xo x)
{
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
#define K(x) float_bits(x)

void jit_exp(struct jit_region *g, uint32_t i)
{
	enum { NOT_LESS = 0x15 };
	struct xo x = jit_v_register(g, jit_v_source(g, i, 0));
	struct xo y = jit_r_temp(g), n = jit_r_temp(g), p;
	/* The variable is the second operand: NaN passes. */
	VX(g, VMINPS, y, jit_v_register(g, jit_v_const(g, K(129.0f))), x);
	bound(g, ZYDIS_MNEMONIC_VMAXPS, y, K(-126.0f));
	round_even(g, n, y);
	VX(g, VSUBPS, y, y, n);
	p = horner(g, isa_poly_exp2, ISA_POLY_EXP2, y);
	VX(g, VCVTTPS2DQ, n, n);
	VX(g, VPSRAD, y, n, jit_x_imm(1));
	VX(g, VPSUBD, n, n, y);
	VX(g, VPADDD, y, y, jit_v_const(g, 127));
	VX(g, VPADDD, n, n, jit_v_const(g, 127));
	VX(g, VPSLLD, y, y, jit_x_imm(23));
	VX(g, VPSLLD, n, n, jit_x_imm(23));
	VX(g, VMULPS, p, p, y);
	VX(g, VMULPS, p, p, n);
	const struct xo normal = g->v4 ? jit_v_mask_temp(g, 0) : n; /* or NaN */
	VX(g, VCMPPS, normal, x, jit_v_const(g, K(-126.0f)), jit_x_imm(NOT_LESS));
	if (g->v4)
		jit_v_select(g, p, normal, p, jit_v_const(g, 0));
	else
		VX(g, VANDPS, p, p, normal);
	finish(g, i, p);
}

void jit_log(struct jit_region *g, uint32_t i)
{
	struct xo x = jit_v_register(g, jit_v_source(g, i, 0)), y = jit_r_temp(g), e = jit_r_temp(g), p;
	struct xo tiny = jit_v_mask_temp(g, 0), w = jit_r_temp(g);
	VX(g, VCMPPS, tiny, x, jit_v_const(g, K(0x1p-126f)), jit_x_imm(0x11));
	VX(g, VMULPS, y, x, jit_v_const(g, K(0x1p24f)));
	jit_v_select(g, y, tiny, y, x);
	VX(g, VPSUBD, e, y, jit_v_const(g, 0x3f3504f3));
	VX(g, VPSRAD, e, e, jit_x_imm(23));
	VX(g, VPSLLD, w, e, jit_x_imm(23));
	VX(g, VPSUBD, y, y, w);
	VX(g, VSUBPS, y, y, jit_v_const(g, K(1.0f)));
	p = horner(g, isa_poly_log2, ISA_POLY_LOG2, y);
	VX(g, VCVTDQ2PS, e, e);
	VX(g, VSUBPS, w, e, jit_v_const(g, K(24.0f)));
	jit_v_select(g, e, tiny, w, e);
	VX(g, VFMADD213PS, p, y, e);
	/* 0: -inf; negative or NaN: NaN; inf: inf. */
	VX(g, VCMPPS, tiny, x, jit_v_const(g, 0), jit_x_imm(0));
	jit_v_select(g, p, tiny, jit_v_const(g, 0xff800000u), p);
	VX(g, VCMPPS, tiny, x, jit_v_const(g, 0), jit_x_imm(0x19));
	jit_v_select(g, p, tiny, jit_v_const(g, 0x7fc00000), p);
	VX(g, VCMPPS, tiny, x, jit_v_const(g, 0x7f800000), jit_x_imm(0));
	jit_v_select(g, p, tiny, x, p);
	finish(g, i, p);
}

/* sin(2 pi r) for r in [-1/4, 1/4], by which it may be a little above 1 or below -1. */
static struct xo sin_quarter(struct jit_region *g, struct xo r)
{
	struct xo s = jit_r_temp(g);
	VX(g, VMULPS, s, r, r);
	struct xo p = horner(g, isa_poly_sin, ISA_POLY_SIN, s);
	VX(g, VMULPS, p, r, p);
	bound(g, ZYDIS_MNEMONIC_VMINPS, p, K(1.0f));
	jit_r_free(g, s);
	return p;
}

/* Source 0 of i is what v_fract made, as the compiler has it: 0 <= x < 1, or NaN. */
static bool is_turn(const struct jit_region *g, uint32_t i)
{
	enum { NEAR = 8 };
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	if (in->sub != GCN_SUB_NONE || (in->neg | in->abs) & 1 || in->src[0] < GCN_SRC_VGPR0)
		return false;
	for (uint32_t k = i; k > g->e.first && i - k < NEAR && !g->in[k].leader && g->in[k - 1].role == ROLE_VECTOR;) {
		const struct gcn_inst *before = jit_rec(g->t, --k)->in; /* under an EXEC that has all lanes of this one */
		const int vd = g->in[k].vd, at = in->src[0] - GCN_SRC_VGPR0;
		if (vd >= 0 && at >= vd && at < vd + g->in[k].nvd)
			return before->op == GCN_V_FRACT_F32 && before->sub == GCN_SUB_NONE && !before->omod;
	}
	return false;
}

/* min(|r|, 1/2 - |r|) has the sine of |r|, and nothing of it is rounded. */
void jit_sin(struct jit_region *g, uint32_t i)
{
	struct xo x = jit_v_register(g, jit_v_source(g, i, 0)), r = jit_r_temp(g), m = jit_r_temp(g), a = jit_r_temp(g);
	const bool turn = is_turn(g, i);
	struct xo half = constant(g, K(0.5f));
	if (turn) { /* of x, |1/2 - x| and 1 - x the least */
		VX(g, VSUBPS, r, half, x);
		VX(g, VSUBPS, m, jit_v_register(g, jit_v_const(g, K(1.0f))), x);
		VXD(g, VPAND, a, r, jit_v_const(g, 0x7fffffff));
		VX(g, VMINPS, m, m, x);
		VX(g, VMINPS, m, m, a);
	} else {
		round_even(g, r, x);
		VX(g, VSUBPS, r, x, r);
		VXD(g, VPAND, a, r, jit_v_const(g, 0x7fffffff));
		VX(g, VSUBPS, m, half, a);
		VX(g, VMINPS, m, m, a);
	}
	jit_r_free(g, half);
	jit_r_free(g, a);
	VXD(g, VPAND, r, r, jit_v_const(g, 0x80000000u));
	struct xo p = sin_quarter(g, m);
	struct jit_v_out o = jit_v_result(g, i);
	if (turn) {
		V_LASTD(g, &o, VPOR, p, r);
	} else { /* 0 is positive */
		VXD(g, VPOR, r, r, jit_v_const(g, K(1.0f)));
		VX(g, VFMADD213PS, r, p, jit_v_const(g, 0));
		V_LAST(g, &o, VMOVAPS, r);
	}
	jit_v_put(g, i, &o);
}

void jit_cos(struct jit_region *g, uint32_t i)
{
	struct xo x = jit_v_register(g, jit_v_source(g, i, 0)), r = jit_r_temp(g);
	if (is_turn(g, i)) {
		VX(g, VSUBPS, r, jit_v_register(g, jit_v_const(g, K(1.0f))), x);
		VX(g, VMINPS, r, r, x);
	} else {
		round_even(g, r, x);
		VX(g, VSUBPS, r, x, r);
		VXD(g, VPAND, r, r, jit_v_const(g, 0x7fffffff));
	}
	VX(g, VSUBPS, r, jit_v_register(g, jit_v_const(g, K(0.25f))), r);
	struct xo p = sin_quarter(g, r);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMAXPS, jit_v_register(g, jit_v_const(g, K(-1.0f))), p);
	jit_v_put(g, i, &o);
}
