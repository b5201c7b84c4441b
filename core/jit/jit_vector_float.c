/* SPDX-License-Identifier: MIT */
/* Moves, selects, floats and conversions that take more than one x86 instruction.
 * What each computes is the interpreter's definition, in core/interp/ops_*_kernel.c. */
#include <string.h>
#include "core/cu.h"
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

/* --- moves and selects --- */

void jit_mov(struct jit_region *g, uint32_t i)
{
	uint32_t bits;
	if (jit_v_constant(g, i, 0, &bits) && (g->full || g->in[i].off_dead) && jit_rec(g->t, i)->in->sub != GCN_SUB_DPP) {
		jit_r_set_constant(g, (unsigned)g->in[i].vd, bits);
		return;
	}
	/* A float stays one whose NaNs are yet to be settled. */
	const int from = g->in[i].vs[0];
	const bool lazy = from >= 0 && jit_rec(g->t, i)->in->sub == GCN_SUB_NONE && jit_r_is_lazy(g, (unsigned)from);
	struct xo a = lazy ? jit_r_use(g, (unsigned)from) : jit_v_source(g, i, 0);
	struct jit_v_out o = jit_v_result(g, i);
	if (a.kind == XO_MEM && a.size == 4) {
		a.bcast = 0;
		V_LAST(g, &o, VBROADCASTSS, a);
	} else {
		V_LAST(g, &o, VMOVAPS, a);
	}
	jit_v_put(g, i, &o);
	if (lazy)
		jit_r_lazy(g, (unsigned)g->in[i].vd, true);
}

/* AVX2: masks are ones, so that where one of two values is 0, as of step and sign, the other one is masked: a blend is three
 * operations on some CPUs.  False: neither is. */
static bool or_zero(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	uint32_t bits;
	int zero = 0;
	while (zero < 2 && !(jit_v_constant(g, i, zero, &bits) && bits == 0))
		zero++;
	if (zero == 2 || cu_is_modified(r->in))
		return false;
	const struct xo other = jit_v_source(g, i, 1 - zero);
	const struct xo m = jit_v_mask_load(g, (unsigned)((size_t)r->s[2] - offsetof(struct cu_wave, sgpr)) / 4);
	struct jit_v_out o = jit_v_result(g, i);
	if (zero == 0)
		V_LAST(g, &o, VPAND, m, other);
	else
		V_LAST(g, &o, VPANDN, m, other);
	jit_v_put(g, i, &o);
	return true;
}

void jit_cndmask(struct jit_region *g, uint32_t i)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	struct xo a, b, m;
	uint32_t off, on;
	if (!g->v4 && !(r->konst & 4) && jit_v_constant(g, i, 0, &off) && off == 0 && jit_v_constant(g, i, 1, &on) && on == 1) {
		m = jit_v_mask_load(g, (unsigned)((size_t)r->s[2] - offsetof(struct cu_wave, sgpr)) / 4);
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VPSRLD, m, jit_x_imm(31));
		jit_v_put(g, i, &o);
		return;
	}
	if (!g->v4 && !(r->konst & 4) && or_zero(g, i))
		return;
	a = jit_v_register(g, jit_v_source(g, i, 0));
	b = jit_v_source(g, i, 1);
	if (r->konst & 4) { /* an inline constant as the mask */
		uint64_t bits;
		memcpy(&bits, (const char *)r->pool + r->s[2], 8);
		struct jit_v_out o = jit_v_result(g, i);
		if (bits)
			b = jit_v_register(g, b);
		V_LAST(g, &o, VMOVAPS, bits ? b : a);
		jit_v_put(g, i, &o);
		return;
	}
	m = jit_v_mask_load(g, (unsigned)((size_t)r->s[2] - offsetof(struct cu_wave, sgpr)) / 4);
	struct jit_v_out o = jit_v_result(g, i);
	if (!g->v4) {
		V_LAST(g, &o, VBLENDVPS, a, b, m);
	} else if (o.mask && !o.post) {
		struct xo x = jit_r_temp(g);
		jit_v_select(g, x, m, b, a);
		V_LAST(g, &o, VMOVAPS, x);
	} else {
		jit_v_select(g, o.reg, m, b, a);
	}
	jit_v_put(g, i, &o);
}

/* --- floats --- */

void jit_rcp(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_source(g, i, 0), one = jit_v_register(g, jit_v_const(g, 0x3f800000));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VDIVPS, one, a);
	jit_v_put(g, i, &o);
}
void jit_rsq(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_source(g, i, 0), one = jit_v_register(g, jit_v_const(g, 0x3f800000)), x = jit_r_temp(g);
	VX(g, VSQRTPS, x, a);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VDIVPS, one, x);
	jit_v_put(g, i, &o);
}
/* x - floor(x), below 1; the order of min matters: NaN passes. */
void jit_fract(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g);
	if (g->v4)
		VX(g, VRNDSCALEPS, x, a, jit_x_imm(9));
	else
		VX(g, VROUNDPS, x, a, jit_x_imm(9));
	VX(g, VSUBPS, x, a, x);
	struct xo top = jit_v_register(g, jit_v_const(g, 0x3f7fffff));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMINPS, top, x);
	jit_v_put(g, i, &o);
}

/* The addend's register, or a copy of it, becomes the result. */
void jit_fma(struct jit_region *g, uint32_t i)
{
	/* By sign of the product and of the addend. */
	static const uint16_t add231[4] = { ZYDIS_MNEMONIC_VFMADD231PS, ZYDIS_MNEMONIC_VFNMADD231PS,
		ZYDIS_MNEMONIC_VFMSUB231PS, ZYDIS_MNEMONIC_VFNMSUB231PS };
	static const uint16_t add213[4] = { ZYDIS_MNEMONIC_VFMADD213PS, ZYDIS_MNEMONIC_VFNMADD213PS,
		ZYDIS_MNEMONIC_VFMSUB213PS, ZYDIS_MNEMONIC_VFNMSUB213PS };
	const struct jit_inst *j = &g->in[i];
	unsigned neg = jit_rec(g->t, i)->in->neg, form = ((neg ^ neg >> 1) & 1) | (neg >> 1 & 2);
	struct xo s[3];
	for (int n = 0; n < 3; n++)
		s[n] = jit_v_operand(g, i, n, true);
	if (s[0].kind == XO_MEM) {
		struct xo swap = s[0];
		s[0] = s[1];
		s[1] = swap;
	}
	s[0] = jit_v_register(g, s[0]);
	if (j->vs[2] >= 0 && !jit_r_is_temp(g, s[2]))
		jit_r_inherit(g, (unsigned)j->vs[2], (unsigned)j->vd);
	struct jit_v_out o = jit_v_result(g, i);
	bool direct = !o.merge || (g->v4 && !o.post);
	if (direct && s[2].kind == XO_REG && s[2].reg == o.reg.reg) {
		jit_v_last(g, &o, (ZydisMnemonic)add231[form], 2, s);
	} else if (direct && s[0].reg == o.reg.reg) {
		jit_v_last(g, &o, (ZydisMnemonic)add213[form], 2, (struct xo[]){ jit_v_register(g, s[1]), s[2] });
	} else if (direct && s[1].kind == XO_REG && s[1].reg == o.reg.reg) {
		jit_v_last(g, &o, (ZydisMnemonic)add213[form], 2, (struct xo[]){ s[0], s[2] });
	} else if (direct && o.merge) {
		struct xo x = jit_r_temp(g);
		jit_v_load(g, x, s[2]);
		jit_vx(g, (ZydisMnemonic)add231[form], 3, (struct xo[]){ x, s[0], s[1] });
		V_LAST(g, &o, VMOVAPS, x);
	} else {
		jit_v_load(g, o.reg, s[2]);
		jit_vx(g, (ZydisMnemonic)add231[form], 3, (struct xo[]){ o.reg, s[0], s[1] });
	}
	jit_v_put(g, i, &o);
}

/* The number where one is NaN, -0 below +0: core/interp/math.h. */
void jit_v_min_max(struct jit_region *g, struct xo d, struct xo a, struct xo b, bool max)
{
	struct xo m = jit_v_mask_temp(g, 0), x = jit_r_temp(g);
	jit_vx(g, max ? ZYDIS_MNEMONIC_VMAXPS : ZYDIS_MNEMONIC_VMINPS, 3, (struct xo[]){ x, a, b });
	VX(g, VCMPPS, m, a, b, jit_x_imm(0));
	struct xo y = jit_r_temp(g);
	if (g->v4) {
		if (max)
			VXD(g, VPAND, y, a, b);
		else
			VXD(g, VPOR, y, a, b);
		jit_v_select(g, x, m, y, x);
	} else if (max) { /* b, where they are the same: but with both signs; without a blend, which is three operations on some CPUs */
		X(g->b, VPANDN, y, a, m);
		X(g->b, VPANDN, x, y, x);
	} else {
		X(g->b, VPAND, y, a, m);
		X(g->b, VPOR, x, x, y);
	}
	b = jit_v_register(g, b);
	VX(g, VCMPPS, m, b, b, jit_x_imm(3));
	jit_v_select(g, d, m, a, x);
	jit_r_free(g, x);
	jit_r_free(g, y);
	if (!g->v4)
		jit_r_free(g, m);
}
/* Against such a constant the x86 instruction is right: it gives the second
 * operand, the constant, for NaN and for equal zeros. */
static bool easy_bound(uint32_t k, bool max)
{
	return (k & 0x7fffffff) <= 0x7f800000 && (k != 0x80000000u || !max) && (k != 0 || max);
}
/* Against 0 it gives the second operand, which then is the other one, for equal zeros, as it should, and for NaN, which becomes 0. */
static void min_and_0(struct jit_region *g, uint32_t i, struct xo a)
{
	struct xo m = jit_v_mask_temp(g, 0), x = jit_r_temp(g), zero = jit_v_register(g, jit_v_const(g, 0));
	VX(g, VMINPS, x, zero, a);
	VX(g, VCMPPS, m, a, a, jit_x_imm(3));
	struct jit_v_out o = jit_v_result(g, i);
	if (g->v4) {
		jit_v_select(g, x, m, jit_v_const(g, 0), x);
		V_LAST(g, &o, VMOVAPS, x);
	} else {
		V_LAST(g, &o, VPANDN, m, x);
	}
	jit_v_put(g, i, &o);
}

static void min_or_max(struct jit_region *g, uint32_t i, bool max)
{
	uint32_t k;
	for (int n = 0; n < 2; n++) {
		if (!jit_v_constant(g, i, n, &k) || !easy_bound(k, max))
			continue;
		struct xo a = jit_v_register(g, jit_v_source(g, i, 1 - n)), b = jit_v_source(g, i, n);
		struct jit_v_out o = jit_v_result(g, i);
		jit_v_last(g, &o, max ? ZYDIS_MNEMONIC_VMAXPS : ZYDIS_MNEMONIC_VMINPS, 2,
			(struct xo[]){ a, b });
		jit_v_put(g, i, &o);
		return;
	}
	for (int n = 0; n < 2; n++)
		if (!max && jit_v_constant(g, i, n, &k) && k == 0) {
			min_and_0(g, i, jit_v_register(g, jit_v_source(g, i, 1 - n)));
			return;
		}
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1), x = jit_r_temp(g);
	jit_v_min_max(g, x, a, b, max);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
void jit_min(struct jit_region *g, uint32_t i) { min_or_max(g, i, false); }
void jit_max(struct jit_region *g, uint32_t i) { min_or_max(g, i, true); }

static void min_max3(struct jit_region *g, uint32_t i, bool max)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1);
	struct xo c = jit_v_source(g, i, 2), x = jit_r_temp(g);
	jit_v_min_max(g, x, a, b, max);
	jit_v_min_max(g, x, x, c, max);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
void jit_min3(struct jit_region *g, uint32_t i) { min_max3(g, i, false); }
void jit_max3(struct jit_region *g, uint32_t i) { min_max3(g, i, true); }

/* The middle value; with a NaN, the minimum. */
void jit_med3(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_register(g, jit_v_source(g, i, 1));
	struct xo c = jit_v_register(g, jit_v_source(g, i, 2)), x = jit_r_temp(g), y = jit_r_temp(g);
	jit_v_min_max(g, y, a, b, false);
	jit_v_min_max(g, y, y, c, false);
	struct xo z = jit_r_temp(g);
	VX(g, VMAXPS, x, a, b);
	VX(g, VMINPS, x, x, c);
	VX(g, VMINPS, z, a, b);
	VX(g, VMAXPS, x, z, x);
	jit_r_free(g, z);
	struct xo m = jit_v_mask_temp(g, 0);
	VX(g, VCMPPS, m, a, b, jit_x_imm(3));
	jit_v_select(g, x, m, y, x);
	VX(g, VCMPPS, m, c, c, jit_x_imm(3));
	jit_v_select(g, x, m, y, x);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}

/* --- conversions --- */

void jit_cvt_i32(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g), m = jit_v_mask_temp(g, 0);
	VX(g, VCVTTPS2DQ, x, a); /* 0x80000000 when it does not fit */
	VX(g, VCMPPS, m, a, jit_v_const(g, 0x4f000000), jit_x_imm(0x0d));
	if (!g->v4) { /* masks are vectors: the inverse where it is too large, 0 where it is none */
		X(g->b, VPXOR, x, x, m);
		X(g->b, VCMPPS, m, a, a, jit_x_imm(7));
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VPAND, x, m);
		jit_v_put(g, i, &o);
		return;
	}
	struct xo zero = jit_r_temp(g);
	jit_v_select(g, x, m, jit_v_const(g, 0x7fffffff), x);
	VX(g, VCMPPS, m, a, a, jit_x_imm(3));
	VXD(g, VPXOR, zero, zero, zero);
	jit_v_select(g, x, m, zero, x);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
void jit_cvt_u32(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g);
	VX(g, VMAXPS, x, a, jit_v_const(g, 0)); /* NaN too gives 0 */
	if (g->v4) {
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VCVTTPS2UDQ, x);
		jit_v_put(g, i, &o);
		return;
	}
	struct xo big = jit_r_temp(g), y = jit_r_temp(g), top = jit_v_const(g, 0x4f000000);
	X(g->b, VCMPPS, big, x, top, jit_x_imm(0x0d));
	X(g->b, VSUBPS, y, x, top);
	X(g->b, VBLENDVPS, y, x, y, big);
	X(g->b, VCVTTPS2DQ, y, y);
	X(g->b, VPSLLD, big, big, jit_x_imm(31));
	X(g->b, VPXOR, y, y, big);
	X(g->b, VCMPPS, x, x, jit_v_const(g, 0x4f800000), jit_x_imm(0x0d));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VPOR, y, x);
	jit_v_put(g, i, &o);
}
/* One rounding: large values are halved, the lost bit sticks. */
void jit_cvt_f32_u32(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_source(g, i, 0);
	if (!g->v4)
		a = jit_v_register(g, a);
	if (g->v4) {
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VCVTUDQ2PS, a);
		jit_v_put(g, i, &o);
		return;
	}
	/* two halves, each exact, and one rounding of their sum */
	struct xo high = jit_r_temp(g), low = jit_r_temp(g);
	X(g->b, VPSRLD, high, a, jit_x_imm(16));
	X(g->b, VPBLENDW, low, a, jit_v_const(g, 0), jit_x_imm(0xaa));
	X(g->b, VCVTDQ2PS, high, high);
	X(g->b, VCVTDQ2PS, low, low);
	X(g->b, VFMADD231PS, low, high, jit_v_const(g, 0x47800000));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, low);
	jit_v_put(g, i, &o);
}
static void ubyte(struct jit_region *g, uint32_t i, int n)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g);
	if (n) {
		VX(g, VPSRLD, x, a, jit_x_imm(8 * n));
		a = x;
	}
	if (n < 3)
		VXD(g, VPAND, x, a, jit_v_const(g, 255));
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VCVTDQ2PS, x);
	jit_v_put(g, i, &o);
}
void jit_ubyte0(struct jit_region *g, uint32_t i) { ubyte(g, i, 0); }
void jit_ubyte1(struct jit_region *g, uint32_t i) { ubyte(g, i, 1); }
void jit_ubyte2(struct jit_region *g, uint32_t i) { ubyte(g, i, 2); }
void jit_ubyte3(struct jit_region *g, uint32_t i) { ubyte(g, i, 3); }

struct xo jit_v_half_reg(const struct jit_region *g, struct xo x)
{
	return g->v4 ? jit_x_reg(x.reg - ZYDIS_REGISTER_ZMM0 + ZYDIS_REGISTER_YMM0)
		: jit_x_reg(x.reg - ZYDIS_REGISTER_YMM0 + ZYDIS_REGISTER_XMM0);
}
enum { HALF_NEAREST = 8, HALF_TO_ZERO = 11 };
/* a rounded to a half, canonical, in the low bits of x. */
static void f2h(struct jit_region *g, struct xo x, struct xo a, struct xo m, int rounding)
{
	struct xo h = jit_v_half_reg(g, x);
	VX(g, VCMPPS, m, a, a, jit_x_imm(3));
	if (g->v4)
		jit_vxk(g, ZYDIS_MNEMONIC_VCVTPS2PH, 0, false, 3, (struct xo[]){ h, a, jit_x_imm(rounding) });
	else
		X(g->b, VCVTPS2PH, h, a, jit_x_imm(rounding));
	VX(g, VPMOVZXWD, x, h);
	jit_v_select(g, x, m, jit_v_const(g, 0x7e00), x);
}
void jit_v_round_half(struct jit_region *g, struct xo x, struct xo a, struct xo m)
{
	f2h(g, x, a, m, HALF_NEAREST);
}
void jit_pkrtz(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_register(g, jit_v_source(g, i, 1));
	struct xo x = jit_r_temp(g), y = jit_r_temp(g);
	f2h(g, x, a, jit_v_mask_temp(g, 0), HALF_TO_ZERO);
	f2h(g, y, b, jit_v_mask_temp(g, 0), HALF_TO_ZERO);
	VX(g, VPSLLD, y, y, jit_x_imm(16));
	struct jit_v_out o = jit_v_result(g, i);
	V_LASTD(g, &o, VPOR, x, y);
	jit_v_put(g, i, &o);
}
