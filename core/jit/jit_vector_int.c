/* SPDX-License-Identifier: MIT */
/* Integer opcodes that take more than one x86 instruction.  What each computes is
 * the interpreter's definition, in core/interp/ops_*_kernel.c. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

void j_not(struct translator *t, uint32_t i)
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
void j_lshlrev(struct translator *t, uint32_t i) { shift_rev(t, i, SHL); }
void j_lshrrev(struct translator *t, uint32_t i) { shift_rev(t, i, SHR); }
void j_ashrrev(struct translator *t, uint32_t i) { shift_rev(t, i, SAR); }

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
void j_add3(struct translator *t, uint32_t i)
{
	pair3(t, i, ZYDIS_MNEMONIC_VPADDD, ZYDIS_MNEMONIC_VPADDD);
}
void j_and_or(struct translator *t, uint32_t i) { pair3(t, i, LEVEL(t, VPAND), LEVEL(t, VPOR)); }
void j_or3(struct translator *t, uint32_t i) { pair3(t, i, LEVEL(t, VPOR), LEVEL(t, VPOR)); }
void j_xad(struct translator *t, uint32_t i)
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
void j_lshl_add(struct translator *t, uint32_t i) { shift_then(t, i, ZYDIS_MNEMONIC_VPADDD); }
void j_lshl_or(struct translator *t, uint32_t i) { shift_then(t, i, LEVEL(t, VPOR)); }
void j_add_lshl(struct translator *t, uint32_t i)
{
	struct xo a = v_register(t, v_source(t, i, 0)), b = v_source(t, i, 1), x = r_temp(t);
	VX(t, VPADDD, x, a, b);
	shift_to(t, x, x, i, 2, SHL);
	struct v_out o = v_result(t, i);
	V_LAST(t, &o, VMOVAPS, x);
	v_put(t, i, &o);
}
void j_bfi(struct translator *t, uint32_t i)
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
void j_bfe_u(struct translator *t, uint32_t i) { bfe(t, i, false); }
void j_bfe_i(struct translator *t, uint32_t i) { bfe(t, i, true); }

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
void j_mul_u24(struct translator *t, uint32_t i) { mul24(t, i, false, false); }
void j_mul_i24(struct translator *t, uint32_t i) { mul24(t, i, true, false); }
void j_mad_u24(struct translator *t, uint32_t i) { mul24(t, i, false, true); }
void j_mad_i24(struct translator *t, uint32_t i) { mul24(t, i, true, true); }

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
void j_mul_hi_u(struct translator *t, uint32_t i) { mul_hi(t, i, false); }
void j_mul_hi_i(struct translator *t, uint32_t i) { mul_hi(t, i, true); }
