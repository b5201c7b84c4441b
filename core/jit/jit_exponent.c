/* SPDX-License-Identifier: MIT */
/* Exponents and mantissas of floats, as core/interp/ops_f32_kernel.c defines them. */
#include "core/jit/jit_emit.h"
#include "core/jit/jit_regs.h"
#include "core/jit/jit_vector.h"

enum { BIAS = 127, LEAST = -126, FRACTION = 23 };

/* 2 to the x, which is an exponent of normal numbers. */
static void power(struct jit_region *g, struct xo x)
{
	VX(g, VPADDD, x, x, jit_v_const(g, BIAS));
	VX(g, VPSLLD, x, x, jit_x_imm(FRACTION));
}

/* Three factors, of which the last is the smallest: where what it meets is no longer exact, its product is 0. */
static void scale_avx2(struct jit_region *g, uint32_t i, struct xo a, struct xo n)
{
	enum { MOST = 3 * -LEAST }; /* from the smallest to the greatest number and on */
	const struct xo last = jit_r_temp(g), first = jit_r_temp(g), rest = jit_r_temp(g);
	X(g->b, VPMINSD, rest, n, jit_v_const(g, MOST));
	X(g->b, VPMAXSD, rest, rest, jit_v_const(g, (uint32_t)-MOST));
	X(g->b, VPMINSD, last, rest, jit_v_const(g, BIAS));
	X(g->b, VPMAXSD, last, last, jit_v_const(g, (uint32_t)LEAST));
	X(g->b, VPSUBD, rest, rest, last);
	X(g->b, VPSRAD, first, rest, jit_x_imm(1));
	X(g->b, VPSUBD, rest, rest, first);
	power(g, first);
	power(g, rest);
	power(g, last);
	X(g->b, VMULPS, first, a, first);
	X(g->b, VMULPS, first, first, rest);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMULPS, first, last);
	jit_v_put(g, i, &o);
}

void jit_ldexp(struct jit_region *g, uint32_t i)
{
	uint32_t bits;
	const struct xo a = jit_v_register(g, jit_v_source(g, i, 0));
	if (jit_v_constant(g, i, 1, &bits) && (int32_t)bits >= LEAST && (int32_t)bits <= BIAS) {
		struct jit_v_out o = jit_v_result(g, i);
		V_LAST(g, &o, VMULPS, a, jit_v_const(g, (bits + BIAS) << FRACTION));
		jit_v_put(g, i, &o);
		return;
	}
	const struct xo n = jit_v_register(g, jit_v_source(g, i, 1));
	if (!g->v4) {
		scale_avx2(g, i, a, n);
		return;
	}
	const struct xo x = jit_r_temp(g);
	VX(g, VCVTDQ2PS, x, n);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VSCALEFPS, a, x);
	jit_v_put(g, i, &o);
}

/* y: x, denormals of it times 2^24.  *tiny: where. */
static void normalise(struct jit_region *g, struct xo y, struct xo x, struct xo magnitude, struct xo *tiny)
{
	*tiny = jit_v_mask_temp(g, 0);
	VX(g, VCMPPS, *tiny, magnitude, jit_v_const(g, 0x00800000), jit_x_imm(1));
	VX(g, VMULPS, y, x, jit_v_const(g, 0x4b800000));
	jit_v_select(g, y, *tiny, y, x);
}

/* Where a magnitude, which is lost, is that of a number but 0. */
static struct xo has_exponent(struct jit_region *g, struct xo magnitude)
{
	const struct xo m = jit_v_mask_temp(g, 1);
	VX(g, VPADDD, magnitude, magnitude, jit_v_const(g, ~0u));
	if (g->v4) {
		VX(g, VPCMPUD, m, magnitude, jit_v_const(g, 0x7f7ffffe), jit_x_imm(2));
	} else {
		X(g->b, VPMINUD, m, magnitude, jit_v_const(g, 0x7f7ffffe));
		X(g->b, VPCMPEQD, m, m, magnitude);
	}
	return m;
}

void jit_frexp_mant(struct jit_region *g, uint32_t i)
{
	const struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), magnitude = jit_r_temp(g), x = jit_r_temp(g);
	struct xo tiny;
	VXD(g, VPAND, magnitude, a, jit_v_const(g, 0x7fffffff));
	normalise(g, x, a, magnitude, &tiny);
	VXD(g, VPAND, x, x, jit_v_const(g, 0x807fffff));
	VXD(g, VPOR, x, x, jit_v_const(g, 0x3f000000));
	jit_v_select(g, x, has_exponent(g, magnitude), x, a);
	struct jit_v_out o = jit_v_result(g, i);
	V_LAST(g, &o, VMOVAPS, x);
	jit_v_put(g, i, &o);
}

void jit_frexp_exp(struct jit_region *g, uint32_t i)
{
	const struct xo a = jit_v_register(g, jit_v_source(g, i, 0)), magnitude = jit_r_temp(g), x = jit_r_temp(g), less = jit_r_temp(g);
	struct xo tiny;
	VXD(g, VPAND, magnitude, a, jit_v_const(g, 0x7fffffff));
	normalise(g, x, magnitude, magnitude, &tiny);
	VX(g, VPSRLD, x, x, jit_x_imm(FRACTION));
	jit_v_select(g, less, tiny, jit_v_const(g, BIAS - 1 + 24), jit_v_const(g, BIAS - 1));
	VX(g, VPSUBD, x, x, less);
	const struct xo m = has_exponent(g, magnitude);
	struct jit_v_out o = jit_v_result(g, i);
	if (g->v4) {
		jit_v_select(g, x, m, x, jit_v_const(g, 0));
		V_LAST(g, &o, VMOVAPS, x);
	} else {
		V_LAST(g, &o, VPAND, x, m);
	}
	jit_v_put(g, i, &o);
}
