/* SPDX-License-Identifier: MIT */
/* Halves, one in the lower bits of each word, are worked on as singles and stay so from
 * one instruction to the next (FORM_HALF): rounded to halves, but for the bits of NaNs.
 * What each opcode computes is the interpreter's definition, in
 * core/interp/ops_half_kernel.c: operations in single precision, rounded again. */
#include "core/interp/interp.h"
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_translate.h"
#include "core/jit/jit_vector.h"
#include "isa/bits.h"
#include "isa/gcn.h"

enum { NEAREST = 8 };

static uint32_t single_of(uint32_t half)
{
	uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
	if (exponent == 31)
		return sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0);
	if (exponent == 0)
		return sign | float_bits((float)mantissa * 0x1p-24f);
	return sign | (exponent + 112) << 23 | mantissa << 13;
}

static void widen(struct jit_region *g, struct xo d, struct xo half)
{
	jit_x_emit(g->b, ZYDIS_MNEMONIC_VCVTPH2PS, g->v4 ? 0 : -1, false, 2, (struct xo[]){ d, half });
}

/* d = the singles of the lower halves of x's words; d may be x. */
static void singles(struct jit_region *g, struct xo d, struct xo x)
{
	/* Within 128 bits the lower halves go to the front. */
	static const uint8_t front[64] = { 0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13,
		0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13 };
	struct xo h = jit_v_half_reg(g, d);
	if (g->v4) {
		jit_vxk(g, ZYDIS_MNEMONIC_VPMOVDW, 0, false, 2, (struct xo[]){ h, x });
	} else {
		X(g->b, VPSHUFB, d, x, jit_x_mem(RB_POOL, jit_x_vector(g->b, front), 32));
		X(g->b, VPERMQ, d, d, jit_x_imm(8));
	}
	widen(g, d, h);
}

void jit_half_stay(struct jit_region *g, unsigned vgpr)
{
	const struct xo x = jit_r_use(g, vgpr);
	singles(g, x, x);
	jit_r_set_half(g, vgpr);
}

/* Of an SGPR. */
static struct xo uniform(struct jit_region *g, int32_t at)
{
	struct xo x = g->v4 ? (struct xo){ 0 } : jit_r_uniform(g, JIT_UNIFORM_HALF | at);
	if (x.kind)
		return x;
	x = jit_r_temp(g);
	VX(g, VPBROADCASTW, jit_v_half_reg(g, x), jit_wave((size_t)at, 2));
	widen(g, x, jit_v_half_reg(g, x));
	if (!g->v4)
		jit_r_keep_uniform(g, JIT_UNIFORM_HALF | at, x);
	return x;
}

/* By DPP words are asked for, which the other sources may not be: source 0 comes first. */
struct xo jit_half_source(struct jit_region *g, uint32_t i, int n)
{
	const struct cu_rec *r = jit_rec(g->t, i);
	const struct gcn_inst *in = r->in;
	uint32_t bits;
	struct xo x;
	if (jit_v_constant(g, i, n, &bits))
		return jit_v_const(g, single_of(bits & 0xffff));
	unsigned vgpr = (unsigned)r->s[n] / 256;
	if (r->scalar >> n & 1) {
		x = uniform(g, (int32_t)r->s[n]);
	} else if (n == 0 && in->sub == GCN_SUB_DPP) { /* with its modifiers */
		x = jit_r_temp(g);
		singles(g, x, jit_v_source(g, i, n));
		return x;
	} else if (jit_r_is_half(g, vgpr)) {
		x = jit_r_half(g, vgpr);
	} else {
		jit_r_settle(g, vgpr);
		x = jit_r_use(g, vgpr);
		if (jit_r_clean(g, vgpr)) {
			jit_half_stay(g, vgpr);
		} else {
			const struct xo words = x;
			x = jit_r_temp(g);
			singles(g, x, words);
		}
	}
	bool abs = in->abs >> n & 1, neg = in->neg >> n & 1;
	if (!abs && !neg)
		return x;
	struct xo y = jit_r_is_temp(g, x) ? x : jit_r_temp(g);
	if (abs)
		VXD(g, VPAND, y, x, jit_v_const(g, 0x7fffffff));
	if (neg)
		VXD(g, VPXOR, y, abs ? y : x, jit_v_const(g, 0x80000000u));
	return y;
}

/* The result is x, a temporary, rounded. */
static void put(struct jit_region *g, uint32_t i, struct xo x)
{
	const struct gcn_inst *in = jit_rec(g->t, i)->in;
	bool dpp = in->sub == GCN_SUB_DPP && !in->bound_ctrl; /* see jit_v_result */
	if (!g->full && (dpp || !g->in[i].off_dead)) {
		jit_v_round_half(g, x, x, jit_v_mask_temp(g, 0));
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VMOVAPS, x);
		jit_v_put(g, i, &o);
		return;
	}
	unsigned vgpr = (unsigned)g->in[i].vd;
	struct xo d = jit_r_def(g, vgpr, false), h = jit_v_half_reg(g, d);
	jit_x_emit(g->b, ZYDIS_MNEMONIC_VCVTPS2PH, g->v4 ? 0 : -1, false, 3, (struct xo[]){ h, x, jit_x_imm(NEAREST) });
	widen(g, d, h);
	jit_r_set_half(g, vgpr);
}

static void binary(struct jit_region *g, uint32_t i, ZydisMnemonic m, int first)
{
	struct xo s[2], x;
	for (int n = 0; n < 2; n++)
		s[n] = jit_half_source(g, i, n);
	s[first] = jit_v_register(g, s[first]);
	x = jit_r_temp(g);
	jit_vx(g, m, 3, (struct xo[]){ x, s[first], s[!first] });
	put(g, i, x);
}
void jit_add_f16(struct jit_region *g, uint32_t i) { binary(g, i, ZYDIS_MNEMONIC_VADDPS, 0); }
void jit_sub_f16(struct jit_region *g, uint32_t i) { binary(g, i, ZYDIS_MNEMONIC_VSUBPS, 0); }
void jit_subrev_f16(struct jit_region *g, uint32_t i) { binary(g, i, ZYDIS_MNEMONIC_VSUBPS, 1); }
void jit_mul_f16(struct jit_region *g, uint32_t i) { binary(g, i, ZYDIS_MNEMONIC_VMULPS, 0); }

static void min_max(struct jit_region *g, uint32_t i, bool max)
{
	struct xo a = jit_v_register(g, jit_half_source(g, i, 0)), b = jit_v_register(g, jit_half_source(g, i, 1));
	struct xo x = jit_r_temp(g);
	jit_v_min_max(g, x, a, b, max);
	put(g, i, x);
}
void jit_min_f16(struct jit_region *g, uint32_t i) { min_max(g, i, false); }
void jit_max_f16(struct jit_region *g, uint32_t i) { min_max(g, i, true); }

void jit_cvt_f16_f32(struct jit_region *g, uint32_t i)
{
	struct xo x = jit_r_temp(g);
	jit_v_load(g, x, jit_v_source(g, i, 0));
	put(g, i, x);
}
void jit_cvt_f32_f16(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_half_source(g, i, 0), x = jit_r_temp(g);
	jit_v_load(g, x, a);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}

/* What the sum s of the exact product a * b and of c has lost, in e: its sign, and whether
 * it is 0, are right if s has 12 bits, and else the sign is not wrong.  Either order of
 * taking the addends away may round, to 0 at worst; not both then.  v: used up. */
static void lost(struct jit_region *g, struct xo e, struct xo s, struct xo a, struct xo b, struct xo c, struct xo v)
{
	VX(g, VSUBPS, e, s, c);
	VX(g, VFMSUB231PS, e, a, b);
	VX(g, VMOVAPS, v, s);
	VX(g, VFMSUB231PS, v, a, b);
	VX(g, VADDPS, v, v, c);
	VXD(g, VPOR, e, e, v);
}

/* k: lanes of s that are between two halves, as 13 bits say, or below the least that has all bits of a half.  v: used up. */
static void between(struct jit_region *g, struct xo k, struct xo s, struct xo v)
{
	const uint32_t least = 0x38800000; /* 2^-14 */
	X(g->b, VPAND, k, s, jit_v_const(g, 0x1fff));
	X(g->b, VPCMPEQD, k, k, jit_v_const(g, 0x1000));
	X(g->b, VPAND, v, s, jit_v_const(g, 0x7fffffff));
	X(g->b, VMOVAPS, R(YMM14), jit_v_const(g, least));
	X(g->b, VPCMPGTD, v, R(YMM14), v);
	X(g->b, VPOR, k, k, v);
}

static void unless_both(struct jit_region *g, struct xo a, struct xo b, int label)
{
	X(g->b, VPTEST, a, b);
	XJ(g->b, JZ, label);
}

/* Two roundings differ from one only where the first gives a number between two halves,
 * which is even; so even sums that are not exact go to the odd neighbour that is nearer to
 * what was lost.  An infinite sum has lost a NaN: it becomes the largest number at most,
 * which rounds to the same.  What is rarer is asked first: that some sum is not exact, or
 * that one is between two halves.  AVX2. */
static void sum_odd(struct jit_region *g, struct xo s, struct xo a, struct xo b, struct xo c, bool exact)
{
	struct xo e = jit_r_temp(g), k = jit_r_temp(g), v = jit_r_temp(g), r = v;
	int good = jit_x_label(g->b);
	jit_v_load(g, s, c);
	VX(g, VFMADD231PS, s, a, b);
	if (exact) {
		lost(g, e, s, a, b, c, v);
		unless_both(g, e, e, good);
		between(g, k, s, v);
	} else {
		between(g, k, s, v);
		unless_both(g, k, k, good);
		lost(g, e, s, a, b, c, v);
	}
	unless_both(g, k, e, good);
	X(g->b, VMOVAPS, k, jit_v_const(g, 0xff7fffff));
	X(g->b, VMAXPS, r, k, s); /* the second if it is a NaN */
	X(g->b, VPANDN, k, r, jit_v_const(g, 1));
	X(g->b, VPSIGND, k, k, s);
	X(g->b, VPSIGND, k, k, e);
	X(g->b, VPADDD, s, r, k);
	jit_x_bind(g->b, good);
	jit_r_free(g, e);
	jit_r_free(g, k);
	jit_r_free(g, v);
}

static void fma_rounded(struct jit_region *g, struct xo d, struct xo a, struct xo b, struct xo c, uint8_t rounding)
{
	jit_v_load(g, d, c);
	b.rounding = rounding;
	VX(g, VFMADD231PS, d, a, b);
}

/* AVX-512 rounds as an instruction says: where down and up differ one of them is odd.  An exact 0 is even both ways, and that of up
 * is what it is to be. */
static void sum_odd_v4(struct jit_region *g, struct xo s, struct xo a, struct xo b, struct xo c)
{
	const struct xo down = jit_r_temp(g);
	b = jit_v_register(g, b);
	fma_rounded(g, down, a, b, c, XO_DOWN);
	fma_rounded(g, s, a, b, c, XO_UP);
	VX(g, VPTESTMD, R(K7), down, jit_v_const(g, 1));
	VXK(g, 7, VMOVAPS, s, down);
	jit_r_free(g, down);
}

struct xo jit_half_fma(struct jit_region *g, struct xo a, struct xo b, struct xo c, bool exact)
{
	struct xo s = jit_r_temp(g);
	if (g->v4)
		sum_odd_v4(g, s, a, b, c);
	else
		sum_odd(g, s, a, b, c, exact);
	return s;
}

/* Of a constant with so few bits, products are most often exact in their sums. */
static bool has_few_bits(struct jit_region *g, uint32_t i, int n)
{
	uint32_t bits;
	return jit_v_constant(g, i, n, &bits) && !(bits & 0x7f);
}

void jit_fma_f16(struct jit_region *g, uint32_t i)
{
	struct xo a = jit_half_source(g, i, 0), b = jit_half_source(g, i, 1), c = jit_half_source(g, i, 2);
	if (a.kind == XO_MEM) {
		struct xo swap = a;
		a = b;
		b = swap;
	}
	put(g, i, jit_half_fma(g, jit_v_register(g, a), b, c, has_few_bits(g, i, 0) || has_few_bits(g, i, 1)));
}
