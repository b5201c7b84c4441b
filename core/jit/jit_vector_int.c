/* SPDX-License-Identifier: MIT */
/* Integer opcodes that take more than one x86 instruction.  What each computes is
 * the interpreter's definition, in core/interp/ops_*_kernel.c. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"

void jit_not(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), ones = jit_v_const(g, ~0u);
	struct jit_v_out o = jit_v_result(g, i);
	V_LASTD(g, &o, VPXOR, a, ones);
	jit_v_put(g, i, &o);
}

/* Shift counts: five bits. */
static struct xo count(struct jit_region *g, struct xo n)
{
	struct xo x = jit_r_temp(g);
	VXD(g, VPAND, x, jit_v_register(g, n), jit_v_const(g, 31));
	return x;
}
static void shift_to(struct jit_region *g, struct xo d, struct xo a, uint32_t i, int n,
	ZydisMnemonic by_const, ZydisMnemonic by_lane)
{
	uint32_t k;
	if (jit_v_constant(g, i, n, &k)) {
		jit_vx(g, by_const, 3, (struct xo[]){ d, a, jit_x_imm(k & 31) });
		return;
	}
	struct xo c = count(g, jit_v_source(g, i, n));
	jit_vx(g, by_lane, 3, (struct xo[]){ d, a, c });
}
#define SHL ZYDIS_MNEMONIC_VPSLLD, ZYDIS_MNEMONIC_VPSLLVD
#define SHR ZYDIS_MNEMONIC_VPSRLD, ZYDIS_MNEMONIC_VPSRLVD
#define SAR ZYDIS_MNEMONIC_VPSRAD, ZYDIS_MNEMONIC_VPSRAVD

static void shift_rev(struct jit_region *g, uint32_t i, ZydisMnemonic by_const, ZydisMnemonic by_lane)
{
	uint32_t k;
	struct xo a = jit_v_register(g, jit_v_source(g, i, 1)), c = jit_x_imm(0);
	bool constant = jit_v_constant(g, i, 0, &k);
	if (constant)
		c = jit_x_imm(k & 31);
	else
		c = count(g, jit_v_source(g, i, 0));
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, constant ? by_const : by_lane, 2, (struct xo[]){ a, c });
	jit_v_put(g, i, &o);
}
void jit_lshlrev(struct jit_region *g, uint32_t i) { shift_rev(g, i, SHL); }
void jit_lshrrev(struct jit_region *g, uint32_t i) { shift_rev(g, i, SHR); }
void jit_ashrrev(struct jit_region *g, uint32_t i) { shift_rev(g, i, SAR); }

/* (a op b) op2 c for bitwise and additive pairs. */
static void pair3(struct jit_region *g, uint32_t i, ZydisMnemonic first, ZydisMnemonic second)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1), c = jit_v_source(g, i, 2);
	struct xo x = jit_r_temp(g);
	jit_vx(g, first, 3, (struct xo[]){ x, a, b });
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, second, 2, (struct xo[]){ x, c });
	jit_v_put(g, i, &o);
}
#define LEVEL(g, M) ((g)->v4 ? ZYDIS_MNEMONIC_##M##D : ZYDIS_MNEMONIC_##M)
void jit_add3(struct jit_region *g, uint32_t i)
{
	pair3(g, i, ZYDIS_MNEMONIC_VPADDD, ZYDIS_MNEMONIC_VPADDD);
}
void jit_and_or(struct jit_region *g, uint32_t i) { pair3(g, i, LEVEL(g, VPAND), LEVEL(g, VPOR)); }
void jit_or3(struct jit_region *g, uint32_t i) { pair3(g, i, LEVEL(g, VPOR), LEVEL(g, VPOR)); }
void jit_xad(struct jit_region *g, uint32_t i)
{
	pair3(g, i, LEVEL(g, VPXOR), ZYDIS_MNEMONIC_VPADDD);
}
static void shift_then(struct jit_region *g, uint32_t i, ZydisMnemonic second)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), c = jit_v_source(g, i, 2), x = jit_r_temp(g);
	shift_to(g, x, a, i, 1, SHL);
	struct jit_v_out o = jit_v_result(g, i);
	jit_v_last(g, &o, second, 2, (struct xo[]){ x, c });
	jit_v_put(g, i, &o);
}
void jit_lshl_add(struct jit_region *g, uint32_t i) { shift_then(g, i, ZYDIS_MNEMONIC_VPADDD); }
void jit_lshl_or(struct jit_region *g, uint32_t i) { shift_then(g, i, LEVEL(g, VPOR)); }
void jit_add_lshl(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1), x = jit_r_temp(g);
	VX(g, VPADDD, x, a, b);
	shift_to(g, x, x, i, 2, SHL);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}
void jit_bfi(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_source(g, i, 1), c = jit_v_source(g, i, 2);
	struct xo x = jit_r_temp(g), y = jit_r_temp(g);
	VXD(g, VPAND, x, a, b);
	VXD(g, VPANDN, y, a, c);
	struct jit_v_out o = jit_v_result(g, i);
	V_LASTD(g, &o, VPOR, x, y);
	jit_v_put(g, i, &o);
}
/* Field of a: shr(a, b), then the low c bits; signed: (field ^ sign) - sign. */
static void bfe(struct jit_region *g, uint32_t i, bool sign)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), x = jit_r_temp(g), y = jit_r_temp(g);
	uint32_t w;
	bool constant = jit_v_constant(g, i, 2, &w);
	shift_to(g, x, a, i, 1, SHR);
	struct xo low, top;
	if (constant) {
		w &= 31;
		low = jit_v_const(g, (1u << w) - 1);
		top = sign ? jit_v_const(g, (1u << w) >> 1) : low;
	} else {
		struct xo c = count(g, jit_v_source(g, i, 2)), one = jit_v_register(g, jit_v_const(g, 1));
		VX(g, VPSLLVD, y, one, c);
		low = jit_r_temp(g);
		VX(g, VPSUBD, low, y, one);
		VX(g, VPSRLD, y, y, jit_x_imm(1));
		top = y;
	}
	struct jit_v_out o;
	if (!sign) {
		o = jit_v_result(g, i);
		V_LASTD(g, &o, VPAND, x, low);
	} else {
		VXD(g, VPAND, x, x, low);
		VXD(g, VPXOR, x, x, top);
		o = jit_v_result(g, i);
		V_LAST(g, &o, VPSUBD, x, top);
	}
	jit_v_put(g, i, &o);
}
void jit_bfe_u(struct jit_region *g, uint32_t i) { bfe(g, i, false); }
void jit_bfe_i(struct jit_region *g, uint32_t i) { bfe(g, i, true); }

static struct xo low24(struct jit_region *g, struct xo a, bool sign)
{
	struct xo x = jit_r_temp(g);
	a = jit_v_register(g, a);
	if (!sign) {
		VXD(g, VPAND, x, a, jit_v_const(g, 0xffffff));
		return x;
	}
	VX(g, VPSLLD, x, a, jit_x_imm(8));
	VX(g, VPSRAD, x, x, jit_x_imm(8));
	return x;
}
static void mul24(struct jit_region *g, uint32_t i, bool sign, bool add)
{
	struct xo a = low24(g, jit_v_source(g, i, 0), sign), b = low24(g, jit_v_source(g, i, 1), sign);
	struct jit_v_out o;
	if (!add) {
		o = jit_v_result(g, i);
		V_LAST(g, &o, VPMULLD, a, b);
	} else {
		struct xo c = jit_v_source(g, i, 2);
		VX(g, VPMULLD, a, a, b);
		o = jit_v_result(g, i);
		V_LAST(g, &o, VPADDD, a, c);
	}
	jit_v_put(g, i, &o);
}
void jit_mul_u24(struct jit_region *g, uint32_t i) { mul24(g, i, false, false); }
void jit_mul_i24(struct jit_region *g, uint32_t i) { mul24(g, i, true, false); }
void jit_mad_u24(struct jit_region *g, uint32_t i) { mul24(g, i, false, true); }
void jit_mad_i24(struct jit_region *g, uint32_t i) { mul24(g, i, true, true); }

/* High halves of the products of even and odd lanes, joined. */
static void mul_hi(struct jit_region *g, uint32_t i, bool sign)
{
	struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), b = jit_v_register(g, jit_v_source(g, i, 1));
	struct xo even = jit_r_temp(g), odd = jit_r_temp(g), y = jit_r_temp(g);
	ZydisMnemonic mul = sign ? ZYDIS_MNEMONIC_VPMULDQ : ZYDIS_MNEMONIC_VPMULUDQ;
	bool same = (jit_rec(g->t, i)->scalar | jit_rec(g->t, i)->konst) & 2; /* b has the same in all lanes */
	jit_vx(g, mul, 3, (struct xo[]){ even, a, b });
	VX(g, VPSRLQ, odd, a, jit_x_imm(32));
	if (!same)
		VX(g, VPSRLQ, y, b, jit_x_imm(32));
	jit_vx(g, mul, 3, (struct xo[]){ odd, odd, same ? b : y });
	VX(g, VPSRLQ, even, even, jit_x_imm(32));
	/* Odd dwords of the odd products, even dwords of the even ones. */
	if (g->v4)
		VXD(g, VPAND, odd, odd, jit_v_const_64(g, 0xffffffff00000000));
	struct jit_v_out o = jit_v_result(g, i);
	if (g->v4)
		V_LASTD(g, &o, VPOR, even, odd);
	else
		V_LAST(g, &o, VPBLENDD, even, odd, jit_x_imm(0xaa));
	jit_v_put(g, i, &o);
}
void jit_mul_hi_u(struct jit_region *g, uint32_t i) { mul_hi(g, i, false); }
void jit_mul_hi_i(struct jit_region *g, uint32_t i) { mul_hi(g, i, true); }
