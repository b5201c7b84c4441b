/* The vector opcodes that are translated, one row each, and those that take
 * more than one x86 instruction.  What each computes is the interpreter's
 * definition, in ops_*.c. */
#include "core/jit/vector.h"

#include <string.h>

/* --- moves and selects --- */

static void e_mov(struct translator *t, uint32_t i)
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

static void e_cndmask(struct translator *t, uint32_t i)
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

static void e_rcp(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0), one = v_register(t, v_const(t, 0x3f800000));
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VDIVPS, one, a);
	v_put(t, i, &o);
}
static void e_rsq(struct translator *t, uint32_t i)
{
	struct xo a = v_source(t, i, 0), one = v_register(t, v_const(t, 0x3f800000)), x = r_temp(t);
	VX(t, VSQRTPS, x, a);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VDIVPS, one, x);
	v_put(t, i, &o);
}
/* x - floor(x), below 1; the order of min matters: NaN passes. */
static void e_fract(struct translator *t, uint32_t i)
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
static void e_fma(struct translator *t, uint32_t i)
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

/* The number where one is NaN, -0 below +0: core/math.h. */
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
static void e_min(struct translator *t, uint32_t i) { min_or_max(t, i, false); }
static void e_max(struct translator *t, uint32_t i) { min_or_max(t, i, true); }

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
static void e_min3(struct translator *t, uint32_t i) { min_max3(t, i, false); }
static void e_max3(struct translator *t, uint32_t i) { min_max3(t, i, true); }

/* The middle value; with a NaN, the minimum. */
static void e_med3(struct translator *t, uint32_t i)
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

static void e_cvt_i32(struct translator *t, uint32_t i)
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
static void e_cvt_u32(struct translator *t, uint32_t i)
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
static void e_cvt_f32_u32(struct translator *t, uint32_t i)
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
static void e_ubyte0(struct translator *t, uint32_t i) { ubyte(t, i, 0); }
static void e_ubyte1(struct translator *t, uint32_t i) { ubyte(t, i, 1); }
static void e_ubyte2(struct translator *t, uint32_t i) { ubyte(t, i, 2); }
static void e_ubyte3(struct translator *t, uint32_t i) { ubyte(t, i, 3); }

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
static void e_pkrtz(struct translator *t, uint32_t i)
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

/* --- integers --- */

static void e_not(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), ones = v_const(t, ~0u);
	struct v_out o = v_result(t, i);
	V_LASTD(t, &o, VPXOR, a, ones);
	v_put(t, i, &o);
}

/* Shift counts: five bits. */
static struct xo count(struct translator *t, struct xo n)
{
	struct xo x = r_temp(t);
	VXD(t, VPAND, x, v_register(t, n), v_const(t, 31));
	return x;
}
static void shift_to(struct translator *t, struct xo d, struct xo a, uint32_t i, int n,
	ZydisMnemonic by_const, ZydisMnemonic by_lane)
{
	uint32_t k;
	if (v_constant(t, i, n, &k)) {
		vx(t, by_const, 3, (struct xo[]){ d, a, x_imm(k & 31) });
		return;
	}
	struct xo c = count(t, v_source(t, i, n));
	vx(t, by_lane, 3, (struct xo[]){ d, a, c });
}
#define SHL ZYDIS_MNEMONIC_VPSLLD, ZYDIS_MNEMONIC_VPSLLVD
#define SHR ZYDIS_MNEMONIC_VPSRLD, ZYDIS_MNEMONIC_VPSRLVD
#define SAR ZYDIS_MNEMONIC_VPSRAD, ZYDIS_MNEMONIC_VPSRAVD

static void shift_rev(struct translator *t, uint32_t i, ZydisMnemonic by_const, ZydisMnemonic by_lane)
{
	uint32_t k;
	struct xo a = v_register(t, v_source(t, i, 1)), c = x_imm(0);
	bool constant = v_constant(t, i, 0, &k);
	if (constant)
		c = x_imm(k & 31);
	else
		c = count(t, v_source(t, i, 0));
	struct v_out o = v_result(t, i);
	v_last(t, &o, constant ? by_const : by_lane, 2, (struct xo[]){ a, c });
	v_put(t, i, &o);
}
static void e_lshlrev(struct translator *t, uint32_t i) { shift_rev(t, i, SHL); }
static void e_lshrrev(struct translator *t, uint32_t i) { shift_rev(t, i, SHR); }
static void e_ashrrev(struct translator *t, uint32_t i) { shift_rev(t, i, SAR); }

/* (a op b) op2 c for bitwise and additive pairs. */
static void pair3(struct translator *t, uint32_t i, ZydisMnemonic first, ZydisMnemonic second)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), c = v_source(t, i, 2);
	struct xo x = r_temp(t);
	vx(t, first, 3, (struct xo[]){ x, a, b });
	struct v_out o = v_result(t, i);
	v_last(t, &o, second, 2, (struct xo[]){ x, c });
	v_put(t, i, &o);
}
#define LEVEL(t, M) ((t)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M)
static void e_add3(struct translator *t, uint32_t i)
{
	pair3(t, i, ZYDIS_MNEMONIC_VPADDD, ZYDIS_MNEMONIC_VPADDD);
}
static void e_and_or(struct translator *t, uint32_t i) { pair3(t, i, LEVEL(t, VPAND), LEVEL(t, VPOR)); }
static void e_or3(struct translator *t, uint32_t i) { pair3(t, i, LEVEL(t, VPOR), LEVEL(t, VPOR)); }
static void e_xad(struct translator *t, uint32_t i)
{
	pair3(t, i, LEVEL(t, VPXOR), ZYDIS_MNEMONIC_VPADDD);
}
static void shift_then(struct translator *t, uint32_t i, ZydisMnemonic second)
{
	struct xo a = v_register(t, v_source(t, i, 0)), c = v_source(t, i, 2), x = r_temp(t);
	shift_to(t, x, a, i, 1, SHL);
	struct v_out o = v_result(t, i);
	v_last(t, &o, second, 2, (struct xo[]){ x, c });
	v_put(t, i, &o);
}
static void e_lshl_add(struct translator *t, uint32_t i) { shift_then(t, i, ZYDIS_MNEMONIC_VPADDD); }
static void e_lshl_or(struct translator *t, uint32_t i) { shift_then(t, i, LEVEL(t, VPOR)); }
static void e_add_lshl(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), x = r_temp(t);
	VX(t, VPADDD, x, a, b);
	shift_to(t, x, x, i, 2, SHL);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
static void e_bfi(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), c = v_source(t, i, 2);
	struct xo x = r_temp(t), y = r_temp(t);
	VXD(t, VPAND, x, a, b);
	VXD(t, VPANDN, y, a, c);
	struct v_out o = v_result(t, i);
	V_LASTD(t, &o, VPOR, x, y);
	v_put(t, i, &o);
}
/* Field of a: shr(a, b), then the low c bits; signed: (field ^ sign) - sign. */
static void bfe(struct translator *t, uint32_t i, bool sign)
{
	struct xo a = v_register(t, v_source(t, i, 0)), x = r_temp(t), y = r_temp(t);
	uint32_t w;
	bool constant = v_constant(t, i, 2, &w);
	shift_to(t, x, a, i, 1, SHR);
	struct xo low, top;
	if (constant) {
		w &= 31;
		low = v_const(t, (1u << w) - 1);
		top = sign ? v_const(t, (1u << w) >> 1) : low;
	} else {
		struct xo c = count(t, v_source(t, i, 2)), one = v_register(t, v_const(t, 1));
		VX(t, VPSLLVD, y, one, c);
		low = r_temp(t);
		VX(t, VPSUBD, low, y, one);
		VX(t, VPSRLD, y, y, x_imm(1));
		top = y;
	}
	struct v_out o;
	if (!sign) {
		o = v_result(t, i);
		V_LASTD(t, &o, VPAND, x, low);
	} else {
		VXD(t, VPAND, x, x, low);
		VXD(t, VPXOR, x, x, top);
		o = v_result(t, i);
		V_LAST(t, &o, VPSUBD, x, top);
	}
	v_put(t, i, &o);
}
static void e_bfe_u(struct translator *t, uint32_t i) { bfe(t, i, false); }
static void e_bfe_i(struct translator *t, uint32_t i) { bfe(t, i, true); }

static struct xo low24(struct translator *t, struct xo a, bool sign)
{
	struct xo x = r_temp(t);
	a = v_register(t, a);
	if (!sign) {
		VXD(t, VPAND, x, a, v_const(t, 0xffffff));
		return x;
	}
	VX(t, VPSLLD, x, a, x_imm(8));
	VX(t, VPSRAD, x, x, x_imm(8));
	return x;
}
static void mul24(struct translator *t, uint32_t i, bool sign, bool add)
{
	struct xo a = low24(t, v_source(t, i, 0), sign), b = low24(t, v_source(t, i, 1), sign);
	struct v_out o;
	if (!add) {
		o = v_result(t, i);
		V_LAST(t, &o, VPMULLD, a, b);
	} else {
		struct xo c = v_source(t, i, 2);
		VX(t, VPMULLD, a, a, b);
		o = v_result(t, i);
		V_LAST(t, &o, VPADDD, a, c);
	}
	v_put(t, i, &o);
}
static void e_mul_u24(struct translator *t, uint32_t i) { mul24(t, i, false, false); }
static void e_mul_i24(struct translator *t, uint32_t i) { mul24(t, i, true, false); }
static void e_mad_u24(struct translator *t, uint32_t i) { mul24(t, i, false, true); }
static void e_mad_i24(struct translator *t, uint32_t i) { mul24(t, i, true, true); }

/* High halves of the products of even and odd lanes, joined. */
static void mul_hi(struct translator *t, uint32_t i, bool sign)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_register(t, v_source(t, i, 1));
	struct xo even = r_temp(t), odd = r_temp(t), y = r_temp(t);
	ZydisMnemonic mul = sign ? ZYDIS_MNEMONIC_VPMULDQ : ZYDIS_MNEMONIC_VPMULUDQ;
	vx(t, mul, 3, (struct xo[]){ even, a, b });
	VX(t, VPSRLQ, even, even, x_imm(32));
	VX(t, VPSRLQ, odd, a, x_imm(32));
	VX(t, VPSRLQ, y, b, x_imm(32));
	vx(t, mul, 3, (struct xo[]){ odd, odd, y });
	/* Odd dwords of the odd products, even dwords of the even ones. */
	VX(t, VPSRLQ, odd, odd, x_imm(32));
	VX(t, VPSLLQ, odd, odd, x_imm(32));
	struct v_out o = v_result(t, i);
	V_LASTD(t, &o, VPOR, even, odd);
	v_put(t, i, &o);
}
static void e_mul_hi_u(struct translator *t, uint32_t i) { mul_hi(t, i, false); }
static void e_mul_hi_i(struct translator *t, uint32_t i) { mul_hi(t, i, true); }

/* --- the table --- */

#define M_(M) ZYDIS_MNEMONIC_##M
#define FLAGS_F (VEC_LAZY_IN | VEC_LAZY_OUT)
#define BINARY(NAME, FLAGS, V4, V3) [GCN_##NAME] = { VEC_BINARY, FLAGS, -1, M_(V4), M_(V3), NULL }
#define UNARY(NAME, FLAGS, V4, V3, IMM) [GCN_##NAME] = { VEC_UNARY, FLAGS, IMM, M_(V4), M_(V3), NULL }
#define CUSTOM(NAME, FLAGS, FN) [GCN_##NAME] = { VEC_CUSTOM, FLAGS, -1, 0, 0, FN }
#define CMP(REL, KIND, IMM, FLAGS) \
	[GCN_V_CMP_##REL] = { KIND, FLAGS, IMM, 0, 0, NULL }, \
	[GCN_V_CMPX_##REL] = { KIND, (FLAGS) | VEC_EXEC, IMM, 0, 0, NULL }
#define FCMP(REL, IMM) CMP(REL##_F32, VEC_COMPARE_F, IMM, VEC_LAZY_IN)
#define ICMP(REL, IMM) CMP(REL##_I32, VEC_COMPARE_I, IMM, 0), CMP(REL##_U32, VEC_COMPARE_U, IMM, 0)

const struct vec_op j_vec_ops[GCN_OP_COUNT] = {
	BINARY(V_ADD_F32, FLAGS_F | VEC_COMMUTES, VADDPS, VADDPS),
	BINARY(V_SUB_F32, FLAGS_F, VSUBPS, VSUBPS),
	BINARY(V_SUBREV_F32, FLAGS_F | VEC_SWAPPED, VSUBPS, VSUBPS),
	BINARY(V_MUL_F32, FLAGS_F | VEC_COMMUTES, VMULPS, VMULPS),
	BINARY(V_ADD_U32, VEC_COMMUTES, VPADDD, VPADDD),
	BINARY(V_SUB_U32, 0, VPSUBD, VPSUBD),
	BINARY(V_SUBREV_U32, VEC_SWAPPED, VPSUBD, VPSUBD),
	BINARY(V_ADD_I32, VEC_COMMUTES, VPADDD, VPADDD),
	BINARY(V_SUB_I32, 0, VPSUBD, VPSUBD),
	BINARY(V_AND_B32, VEC_COMMUTES, VPANDD, VPAND),
	BINARY(V_OR_B32, VEC_COMMUTES, VPORD, VPOR),
	BINARY(V_XOR_B32, VEC_COMMUTES, VPXORD, VPXOR),
	BINARY(V_MIN_I32, VEC_COMMUTES, VPMINSD, VPMINSD),
	BINARY(V_MAX_I32, VEC_COMMUTES, VPMAXSD, VPMAXSD),
	BINARY(V_MIN_U32, VEC_COMMUTES, VPMINUD, VPMINUD),
	BINARY(V_MAX_U32, VEC_COMMUTES, VPMAXUD, VPMAXUD),
	BINARY(V_MUL_LO_U32, VEC_COMMUTES, VPMULLD, VPMULLD),
	UNARY(V_CVT_F32_I32, 0, VCVTDQ2PS, VCVTDQ2PS, -1),
	UNARY(V_SQRT_F32, FLAGS_F, VSQRTPS, VSQRTPS, -1),
	UNARY(V_RNDNE_F32, FLAGS_F, VRNDSCALEPS, VROUNDPS, 8),
	UNARY(V_FLOOR_F32, FLAGS_F, VRNDSCALEPS, VROUNDPS, 9),
	UNARY(V_CEIL_F32, FLAGS_F, VRNDSCALEPS, VROUNDPS, 10),
	UNARY(V_TRUNC_F32, FLAGS_F, VRNDSCALEPS, VROUNDPS, 11),
	CUSTOM(V_MOV_B32, 0, e_mov),
	CUSTOM(V_NOT_B32, 0, e_not),
	CUSTOM(V_CNDMASK_B32, 0, e_cndmask),
	CUSTOM(V_RCP_F32, FLAGS_F, e_rcp),
	CUSTOM(V_RCP_IFLAG_F32, FLAGS_F, e_rcp),
	CUSTOM(V_RSQ_F32, FLAGS_F, e_rsq),
	CUSTOM(V_FRACT_F32, FLAGS_F, e_fract),
	CUSTOM(V_FMA_F32, FLAGS_F, e_fma),
	CUSTOM(V_MIN_F32, FLAGS_F, e_min),
	CUSTOM(V_MAX_F32, FLAGS_F, e_max),
	CUSTOM(V_MIN3_F32, FLAGS_F, e_min3),
	CUSTOM(V_MAX3_F32, FLAGS_F, e_max3),
	CUSTOM(V_MED3_F32, FLAGS_F, e_med3),
	CUSTOM(V_CVT_I32_F32, VEC_LAZY_IN, e_cvt_i32),
	CUSTOM(V_CVT_U32_F32, VEC_LAZY_IN, e_cvt_u32),
	CUSTOM(V_CVT_F32_U32, 0, e_cvt_f32_u32),
	CUSTOM(V_CVT_F32_UBYTE0, 0, e_ubyte0),
	CUSTOM(V_CVT_F32_UBYTE1, 0, e_ubyte1),
	CUSTOM(V_CVT_F32_UBYTE2, 0, e_ubyte2),
	CUSTOM(V_CVT_F32_UBYTE3, 0, e_ubyte3),
	CUSTOM(V_CVT_PKRTZ_F16_F32, VEC_LAZY_IN, e_pkrtz),
	CUSTOM(V_LSHLREV_B32, 0, e_lshlrev),
	CUSTOM(V_LSHRREV_B32, 0, e_lshrrev),
	CUSTOM(V_ASHRREV_I32, 0, e_ashrrev),
	CUSTOM(V_ADD3_U32, 0, e_add3),
	CUSTOM(V_AND_OR_B32, 0, e_and_or),
	CUSTOM(V_OR3_B32, 0, e_or3),
	CUSTOM(V_XAD_U32, 0, e_xad),
	CUSTOM(V_LSHL_ADD_U32, 0, e_lshl_add),
	CUSTOM(V_LSHL_OR_B32, 0, e_lshl_or),
	CUSTOM(V_ADD_LSHL_U32, 0, e_add_lshl),
	CUSTOM(V_BFI_B32, 0, e_bfi),
	CUSTOM(V_BFE_U32, 0, e_bfe_u),
	CUSTOM(V_BFE_I32, 0, e_bfe_i),
	CUSTOM(V_MUL_U32_U24, 0, e_mul_u24),
	CUSTOM(V_MUL_I32_I24, 0, e_mul_i24),
	CUSTOM(V_MAD_U32_U24, 0, e_mad_u24),
	CUSTOM(V_MAD_I32_I24, 0, e_mad_i24),
	CUSTOM(V_MUL_HI_U32, 0, e_mul_hi_u),
	CUSTOM(V_MUL_HI_I32, 0, e_mul_hi_i),
	CUSTOM(V_EXP_F32, FLAGS_F, j_exp),
	CUSTOM(V_LOG_F32, FLAGS_F, j_log),
	CUSTOM(V_SIN_F32, FLAGS_F, j_sin),
	CUSTOM(V_COS_F32, FLAGS_F, j_cos),
	CUSTOM(SCRATCH_LOAD_DWORD, 0, j_memory),
	CUSTOM(SCRATCH_LOAD_DWORDX2, 0, j_memory),
	CUSTOM(SCRATCH_LOAD_DWORDX3, 0, j_memory),
	CUSTOM(SCRATCH_LOAD_DWORDX4, 0, j_memory),
	CUSTOM(SCRATCH_STORE_DWORD, 0, j_memory),
	CUSTOM(SCRATCH_STORE_DWORDX2, 0, j_memory),
	CUSTOM(SCRATCH_STORE_DWORDX3, 0, j_memory),
	CUSTOM(SCRATCH_STORE_DWORDX4, 0, j_memory),
	CUSTOM(BUFFER_LOAD_DWORD, 0, j_memory),
	CUSTOM(BUFFER_LOAD_DWORDX2, 0, j_memory),
	CUSTOM(BUFFER_LOAD_DWORDX3, 0, j_memory),
	CUSTOM(BUFFER_LOAD_DWORDX4, 0, j_memory),
	CUSTOM(BUFFER_STORE_DWORD, 0, j_memory),
	CUSTOM(DS_READ_B32, 0, j_memory),
	CUSTOM(DS_READ_B64, 0, j_memory),
	CUSTOM(DS_READ_B96, 0, j_memory),
	CUSTOM(DS_READ_B128, 0, j_memory),
	CUSTOM(DS_READ2_B32, 0, j_memory),
	CUSTOM(DS_WRITE_B32, 0, j_memory),
	CUSTOM(EXPORT, 0, j_export),
	CUSTOM(V_INTERP_P1_F32, FLAGS_F, j_interp_p1),
	CUSTOM(V_INTERP_P2_F32, FLAGS_F, j_interp_p2),
	CUSTOM(V_INTERP_MOV_F32, 0, j_interp_mov),
	FCMP(F, 0x0b), FCMP(LT, 0x11), FCMP(EQ, 0x00), FCMP(LE, 0x12), FCMP(GT, 0x1e), FCMP(LG, 0x0c),
	FCMP(GE, 0x1d), FCMP(O, 0x07), FCMP(U, 0x03), FCMP(NGE, 0x19), FCMP(NLG, 0x08), FCMP(NGT, 0x1a),
	FCMP(NLE, 0x16), FCMP(NEQ, 0x04), FCMP(NLT, 0x15), FCMP(TRU, 0x0f),
	ICMP(F, 3), ICMP(LT, 1), ICMP(EQ, 0), ICMP(LE, 2), ICMP(GT, 6), ICMP(NE, 4), ICMP(GE, 5), ICMP(T, 7),
};
