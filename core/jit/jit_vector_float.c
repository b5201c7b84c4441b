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

void j_mov(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0);
	struct v_out o = v_result(t, i);
	if (a.kind == XO_MEM && a.size == 4) {
		a.bcast = 0;
		V_LAST(t, &o, VBROADCASTSS, a);
	} else {
		V_LAST(t, &o, VMOVAPS, a);
	}
	v_put(t, i, &o);
}

void j_cndmask(struct translator *t, uint32_t i)
{
	const struct cu_rec *r = j_rec(t, i);
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), m;
	if (r->konst & 4) { /* an inline constant as the mask */
		uint64_t bits;
		memcpy(&bits, (const char *)r->pool + r->s[2], 8);
		struct v_out o = v_result(t, i);
		if (bits)
			b = v_register(t, b);
		V_LAST(t, &o, VMOVAPS, bits ? b : a);
		v_put(t, i, &o);
		return;
	}
	m = v_mask_load(t, (unsigned)((size_t)r->s[2] - offsetof(struct cu_wave, sgpr)) / 4);
	struct v_out o = v_result(t, i);
	if (!t->v4) {
		V_LAST(t, &o, VBLENDVPS, a, b, m);
	} else if (o.mask && !o.post) {
		struct xo x = r_temp(t);
		v_select(t, x, m, b, a);
		V_LAST(t, &o, VMOVAPS, x);
	} else {
		v_select(t, o.reg, m, b, a);
	}
	v_put(t, i, &o);
}

/* --- floats --- */

void j_rcp(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0), one = v_register(t, v_const(t, 0x3f800000));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VDIVPS, one, a);
	v_put(t, i, &o);
}
void j_rsq(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0), one = v_register(t, v_const(t, 0x3f800000)), x = r_temp(t);
	VX(t, VSQRTPS, x, a);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VDIVPS, one, x);
	v_put(t, i, &o);
}
/* x - floor(x), below 1; the order of min matters: NaN passes. */
void j_fract(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), x = r_temp(t);
	if (t->v4)
		VX(t, VRNDSCALEPS, x, a, x_imm(9));
	else
		VX(t, VROUNDPS, x, a, x_imm(9));
	VX(t, VSUBPS, x, a, x);
	struct xo top = v_register(t, v_const(t, 0x3f7fffff));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMINPS, top, x);
	v_put(t, i, &o);
}

/* The addend's register, or a copy of it, becomes the result. */
void j_fma(struct translator *t, uint32_t i)
{
	/* By sign of the product and of the addend. */
	static const uint16_t add231[4] = { ZYDIS_MNEMONIC_VFMADD231PS, ZYDIS_MNEMONIC_VFNMADD231PS,
		ZYDIS_MNEMONIC_VFMSUB231PS, ZYDIS_MNEMONIC_VFNMSUB231PS };
	static const uint16_t add213[4] = { ZYDIS_MNEMONIC_VFMADD213PS, ZYDIS_MNEMONIC_VFNMADD213PS,
		ZYDIS_MNEMONIC_VFMSUB213PS, ZYDIS_MNEMONIC_VFNMSUB213PS };
	const struct j_inst *j = &t->in[i];
	unsigned neg = j_rec(t, i)->in->neg, form = ((neg ^ neg >> 1) & 1) | (neg >> 1 & 2);
	struct xo s[3];
	for (int n = 0; n < 3; n++)
		s[n] = v_source_signed(t, i, n, true);
	if (s[0].kind == XO_MEM) {
		struct xo swap = s[0];
		s[0] = s[1];
		s[1] = swap;
	}
	s[0] = v_register(t, s[0]);
	if ((t->full || j->off_dead) && j->vs[2] >= 0 && !r_is_temp(t, s[2]))
		r_inherit(t, (unsigned)j->vs[2], (unsigned)j->vd);
	struct v_out o = v_result(t, i);
	bool direct = !o.merge || (t->v4 && !o.post);
	if (direct && s[2].kind == XO_REG && s[2].reg == o.reg.reg) {
		v_last(t, &o, (ZydisMnemonic)add231[form], 2, s);
	} else if (direct && s[0].reg == o.reg.reg) {
		v_last(t, &o, (ZydisMnemonic)add213[form], 2, (struct xo[]){ v_register(t, s[1]), s[2] });
	} else if (direct && s[1].kind == XO_REG && s[1].reg == o.reg.reg) {
		v_last(t, &o, (ZydisMnemonic)add213[form], 2, (struct xo[]){ s[0], s[2] });
	} else if (direct && o.merge) {
		struct xo x = r_temp(t);
		v_load(t, x, s[2]);
		vx(t, (ZydisMnemonic)add231[form], 3, (struct xo[]){ x, s[0], s[1] });
		V_LAST(t, &o, VMOVAPS, x);
	} else {
		v_load(t, o.reg, s[2]);
		vx(t, (ZydisMnemonic)add231[form], 3, (struct xo[]){ o.reg, s[0], s[1] });
	}
	v_put(t, i, &o);
}

/* The number where one is NaN, -0 below +0: core/interp/math.h. */
static void min_max(struct translator *t, struct xo d, struct xo a, struct xo b, bool max)
{
	struct xo m = v_mask_temp(t, 0), x = r_temp(t);
	vx(t, max ? ZYDIS_MNEMONIC_VMAXPS : ZYDIS_MNEMONIC_VMINPS, 3, (struct xo[]){ x, a, b });
	VX(t, VCMPPS, m, a, b, x_imm(0));
	struct xo y = r_temp(t);
	if (max)
		VXD(t, VPAND, y, a, b);
	else
		VXD(t, VPOR, y, a, b);
	v_select(t, x, m, y, x);
	b = v_register(t, b);
	VX(t, VCMPPS, m, b, b, x_imm(3));
	v_select(t, d, m, a, x);
	r_free(t, x);
	r_free(t, y);
	if (!t->v4)
		r_free(t, m);
}
/* Against such a constant the x86 instruction is right: it gives the second
 * operand, the constant, for NaN and for equal zeros. */
static bool easy_bound(uint32_t k, bool max)
{
	return (k & 0x7fffffff) <= 0x7f800000 && (k != 0x80000000u || !max) && (k != 0 || max);
}
static void min_or_max(struct translator *t, uint32_t i, bool max)
{
	uint32_t k;
	for (int n = 0; n < 2; n++) {
		if (!v_constant(t, i, n, &k) || !easy_bound(k, max))
			continue;
		struct xo a = v_register(t, v_source(t, i, 1 - n)), b = v_source(t, i, n);
		struct v_out o = v_result(t, i);
		v_last(t, &o, max ? ZYDIS_MNEMONIC_VMAXPS : ZYDIS_MNEMONIC_VMINPS, 2,
			(struct xo[]){ a, b });
		v_put(t, i, &o);
		return;
	}
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), x = r_temp(t);
	min_max(t, x, a, b, max);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
void j_min(struct translator *t, uint32_t i) { min_or_max(t, i, false); }
void j_max(struct translator *t, uint32_t i) { min_or_max(t, i, true); }

static void min_max3(struct translator *t, uint32_t i, bool max)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1);
	struct xo c = v_source(t, i, 2), x = r_temp(t);
	min_max(t, x, a, b, max);
	min_max(t, x, x, c, max);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
void j_min3(struct translator *t, uint32_t i) { min_max3(t, i, false); }
void j_max3(struct translator *t, uint32_t i) { min_max3(t, i, true); }

/* The middle value; with a NaN, the minimum. */
void j_med3(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_register(t, v_source(t, i, 1));
	struct xo c = v_register(t, v_source(t, i, 2)), x = r_temp(t), y = r_temp(t);
	min_max(t, y, a, b, false);
	min_max(t, y, y, c, false);
	struct xo z = r_temp(t);
	VX(t, VMAXPS, x, a, b);
	VX(t, VMINPS, x, x, c);
	VX(t, VMINPS, z, a, b);
	VX(t, VMAXPS, x, z, x);
	r_free(t, z);
	struct xo m = v_mask_temp(t, 0);
	VX(t, VCMPPS, m, a, b, x_imm(3));
	v_select(t, x, m, y, x);
	VX(t, VCMPPS, m, c, c, x_imm(3));
	v_select(t, x, m, y, x);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}

/* --- conversions --- */

void j_cvt_i32(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), x = r_temp(t), m = v_mask_temp(t, 0);
	struct xo zero = r_temp(t);
	VX(t, VCVTTPS2DQ, x, a); /* 0x80000000 when it does not fit */
	VX(t, VCMPPS, m, a, v_const(t, 0x4f000000), x_imm(0x0d));
	v_select(t, x, m, v_const(t, 0x7fffffff), x);
	VX(t, VCMPPS, m, a, a, x_imm(3));
	VXD(t, VPXOR, zero, zero, zero);
	v_select(t, x, m, zero, x);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
void j_cvt_u32(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), x = r_temp(t);
	VX(t, VMAXPS, x, a, v_const(t, 0)); /* NaN too gives 0 */
	if (t->v4) {
		struct v_out o = v_result(t, i);
		V_LAST(t, &o, VCVTTPS2UDQ, x);
		v_put(t, i, &o);
		return;
	}
	struct xo big = r_temp(t), y = r_temp(t), top = v_const(t, 0x4f000000);
	X(&t->b, VCMPPS, big, x, top, x_imm(0x0d));
	X(&t->b, VSUBPS, y, x, top);
	X(&t->b, VBLENDVPS, y, x, y, big);
	X(&t->b, VCVTTPS2DQ, y, y);
	X(&t->b, VPSLLD, big, big, x_imm(31));
	X(&t->b, VPXOR, y, y, big);
	X(&t->b, VCMPPS, x, x, v_const(t, 0x4f800000), x_imm(0x0d));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VPOR, y, x);
	v_put(t, i, &o);
}
/* One rounding: large values are halved, the lost bit sticks. */
void j_cvt_f32_u32(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0);
	if (!t->v4)
		a = v_register(t, a);
	if (t->v4) {
		struct v_out o = v_result(t, i);
		V_LAST(t, &o, VCVTUDQ2PS, a);
		v_put(t, i, &o);
		return;
	}
	struct xo x = r_temp(t), y = r_temp(t);
	X(&t->b, VPSRLD, x, a, x_imm(1));
	X(&t->b, VPAND, y, a, v_const(t, 1));
	X(&t->b, VPOR, x, x, y);
	X(&t->b, VBLENDVPS, x, a, x, a); /* by the sign of a */
	X(&t->b, VCVTDQ2PS, x, x);
	X(&t->b, VADDPS, y, x, x);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VBLENDVPS, x, y, a);
	v_put(t, i, &o);
}
static void ubyte(struct translator *t, uint32_t i, int n)
{
	struct xo a = v_register(t, v_source(t, i, 0)), x = r_temp(t);
	if (n) {
		VX(t, VPSRLD, x, a, x_imm(8 * n));
		a = x;
	}
	if (n < 3)
		VXD(t, VPAND, x, a, v_const(t, 255));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VCVTDQ2PS, x);
	v_put(t, i, &o);
}
void j_ubyte0(struct translator *t, uint32_t i) { ubyte(t, i, 0); }
void j_ubyte1(struct translator *t, uint32_t i) { ubyte(t, i, 1); }
void j_ubyte2(struct translator *t, uint32_t i) { ubyte(t, i, 2); }
void j_ubyte3(struct translator *t, uint32_t i) { ubyte(t, i, 3); }

static struct xo half_reg(const struct translator *t, struct xo x)
{
	return t->v4 ? x_reg(x.reg - ZYDIS_REGISTER_ZMM0 + ZYDIS_REGISTER_YMM0)
		: x_reg(x.reg - ZYDIS_REGISTER_YMM0 + ZYDIS_REGISTER_XMM0);
}
/* a rounded towards zero to a half, canonical, in the low bits of x. */
static void f2h_rtz(struct translator *t, struct xo x, struct xo a)
{
	struct xo m = v_mask_temp(t, 0), h = half_reg(t, x);
	if (t->v4)
		vxk(t, ZYDIS_MNEMONIC_VCVTPS2PH, 0, false, 3, (struct xo[]){ h, a, x_imm(11) });
	else
		X(&t->b, VCVTPS2PH, h, a, x_imm(11));
	VX(t, VPMOVZXWD, x, h);
	VX(t, VCMPPS, m, a, a, x_imm(3));
	v_select(t, x, m, v_const(t, 0x7e00), x);
}
void j_pkrtz(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_register(t, v_source(t, i, 1));
	struct xo x = r_temp(t), y = r_temp(t);
	f2h_rtz(t, x, a);
	f2h_rtz(t, y, b);
	VX(t, VPSLLD, y, y, x_imm(16));
	struct v_out o = v_result(t, i);
	V_LASTD(t, &o, VPOR, x, y);
	v_put(t, i, &o);
}
