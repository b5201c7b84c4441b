/* SPDX-License-Identifier: MIT */
/* Transcendentals, step by step as core/interp/math.h defines them. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

/* p = p * x + constant, for each of the constants. */
static void horner(struct translator *t, struct xo p, struct xo x, const uint32_t *k, int n)
{
	for (int i = 0; i < n; i++)
		VX(t, VFMADD213PS, p, x, v_const(t, k[i]));
}
static void round_even(struct translator *t, struct xo d, struct xo a)
{
	if (t->v4)
		VX(t, VRNDSCALEPS, d, a, x_imm(8));
	else
		VX(t, VROUNDPS, d, a, x_imm(8));
}
static struct xo constant(struct translator *t, uint32_t bits)
{
	struct xo r = r_temp(t);
	v_load(t, r, v_const(t, bits));
	return r;
}
/* x = min or max of the bound and x, in this order: NaN passes. */
static void bound(struct translator *t, ZydisMnemonic m, struct xo x, uint32_t bits)
{
	struct xo k = constant(t, bits);
	vx(t, m, 3, (struct xo[]){ x, k, x });
	r_free(t, k);
}
static void finish(struct translator *t, uint32_t i, struct xo x)
{
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
static uint32_t bits_of(float f)
{
	union { float f; uint32_t u; } x = { f };
	return x.u;
}
#define K(x) bits_of(x)

void j_exp(struct translator *t, uint32_t i)
{
	const uint32_t k[] = { K(0x1.5f07b4p-10f), K(0x1.3b2ba0p-7f), K(0x1.c6af6ep-5f),
		K(0x1.ebfbdep-3f), K(0x1.62e430p-1f), K(1.0f) };
	struct xo x = v_register(t, v_source(t, i, 0));
	struct xo y = r_temp(t), n = r_temp(t), p;
	/* The variable is the second operand: NaN passes. */
	VX(t, VMINPS, y, v_register(t, v_const(t, K(129.0f))), x);
	bound(t, ZYDIS_MNEMONIC_VMAXPS, y, K(-152.0f));
	round_even(t, n, y);
	VX(t, VSUBPS, y, y, n);
	p = constant(t, K(0x1.4308fap-13f));
	horner(t, p, y, k, 6);
	VX(t, VCVTTPS2DQ, n, n);
	VX(t, VPSRAD, y, n, x_imm(1));
	VX(t, VPSUBD, n, n, y);
	VX(t, VPADDD, y, y, v_const(t, 127));
	VX(t, VPADDD, n, n, v_const(t, 127));
	VX(t, VPSLLD, y, y, x_imm(23));
	VX(t, VPSLLD, n, n, x_imm(23));
	VX(t, VMULPS, p, p, y);
	VX(t, VMULPS, p, p, n);
	finish(t, i, p);
}

void j_log(struct translator *t, uint32_t i)
{
	const uint32_t k[] = { K(0x1.7d494ap-3f), K(-0x1.874be8p-3f), K(0x1.a305a6p-3f),
		K(-0x1.eabc88p-3f), K(0x1.277e36p-2f), K(-0x1.715a76p-2f), K(0x1.ec7096p-2f),
		K(-0x1.715470p-1f), K(0x1.715476p+0f) };
	struct xo x = v_register(t, v_source(t, i, 0)), y = r_temp(t), e = r_temp(t), p;
	struct xo tiny = v_mask_temp(t, 0), w = r_temp(t);
	VX(t, VCMPPS, tiny, x, v_const(t, K(0x1p-126f)), x_imm(0x11));
	VX(t, VMULPS, y, x, v_const(t, K(0x1p24f)));
	v_select(t, y, tiny, y, x);
	VX(t, VPSUBD, e, y, v_const(t, 0x3f3504f3));
	VX(t, VPSRAD, e, e, x_imm(23));
	VX(t, VPSLLD, w, e, x_imm(23));
	VX(t, VPSUBD, y, y, w);
	VX(t, VSUBPS, y, y, v_const(t, K(1.0f)));
	p = constant(t, K(-0x1.c25a72p-4f));
	horner(t, p, y, k, 9);
	VX(t, VCVTDQ2PS, e, e);
	VX(t, VSUBPS, w, e, v_const(t, K(24.0f)));
	v_select(t, e, tiny, w, e);
	VX(t, VFMADD213PS, p, y, e);
	/* 0: -inf; negative or NaN: NaN; inf: inf. */
	VX(t, VCMPPS, tiny, x, v_const(t, 0), x_imm(0));
	v_select(t, p, tiny, v_const(t, 0xff800000u), p);
	VX(t, VCMPPS, tiny, x, v_const(t, 0), x_imm(0x19));
	v_select(t, p, tiny, v_const(t, 0x7fc00000), p);
	VX(t, VCMPPS, tiny, x, v_const(t, 0x7f800000), x_imm(0));
	v_select(t, p, tiny, x, p);
	finish(t, i, p);
}

/* sin(2 pi r) for r in [-1/4, 1/4]; r is used up. */
static struct xo sin_quarter(struct translator *t, struct xo r)
{
	const uint32_t k[] = { K(0x1.500ff8p+5f), K(-0x1.32d112p+6f), K(0x1.466bc0p+6f),
		K(-0x1.4abbcep+5f), K(0x1.921fb6p+2f) };
	struct xo s = r_temp(t), p = constant(t, K(-0x1.cc345ap+3f));
	VX(t, VMULPS, s, r, r);
	horner(t, p, s, k, 5);
	VX(t, VMULPS, p, r, p);
	bound(t, ZYDIS_MNEMONIC_VMINPS, p, K(1.0f));
	bound(t, ZYDIS_MNEMONIC_VMAXPS, p, K(-1.0f));
	r_free(t, s);
	return p;
}

void j_sin(struct translator *t, uint32_t i)
{
	struct xo x = v_register(t, v_source(t, i, 0)), r = r_temp(t), h = r_temp(t);
	struct xo m = v_mask_temp(t, 0), a = r_temp(t);
	round_even(t, r, x);
	VX(t, VSUBPS, r, x, r);
	VXD(t, VPAND, h, r, v_const(t, 0x80000000u));
	VXD(t, VPOR, h, h, v_const(t, 0x3f000000));
	VXD(t, VPAND, a, r, v_const(t, 0x7fffffff));
	VX(t, VCMPPS, m, a, v_const(t, K(0.25f)), x_imm(0x1e));
	VX(t, VSUBPS, h, h, r);
	v_select(t, r, m, h, r);
	r_free(t, a);
	r_free(t, h);
	finish(t, i, sin_quarter(t, r));
}

void j_cos(struct translator *t, uint32_t i)
{
	struct xo x = v_register(t, v_source(t, i, 0)), r = r_temp(t);
	round_even(t, r, x);
	VX(t, VSUBPS, r, x, r);
	VXD(t, VPAND, r, r, v_const(t, 0x7fffffff));
	VX(t, VSUBPS, r, constant(t, K(0.25f)), r);
	finish(t, i, sin_quarter(t, r));
}
