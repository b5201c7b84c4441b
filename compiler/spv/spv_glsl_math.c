/* SPDX-License-Identifier: MIT */
/* Exponentials, logarithms and trigonometry from the hardware's few: within
 * the precision of the Vulkan specification's "Precision of GLSL.std.450
 * Instructions".  Polynomials are our own fits at Chebyshev nodes. */
#include <spirv/unified1/GLSL.std.450.h>
#include "compiler/spv/spv_priv.h"

static const float log2_e = 1.44269504088896340736f, ln_2 = 0.69314718055994530942f;
static const float pi = 3.14159265358979323846f, half_pi = 1.57079632679489661923f;
static const float inverse_two_pi = 0.15915494309189533577f;

/* The instruction has no denormal results: where the program asks for them, it makes 2^64 times as much. */
struct ir_src spv_exp2(struct spv *s, struct ir_src x)
{
	const bool asked = s->float_modes_set >> ISA_MODE_DENORM_F32 & 1 && isa_mode_denorm(s->f->float_mode, 32) == ISA_DENORM_KEEP;
	if (!asked || x.inst->bits != 32)
		return spv_1(s, IR_FEXP2, x);
	const struct ir_src tiny = spv_2(s, IR_FCMP_LT, x, spv_f(s, -126));
	const struct ir_src r = spv_1(s, IR_FEXP2, spv_3(s, IR_SELECT, tiny, spv_2(s, IR_FADD, x, spv_f(s, 64)), x));
	return spv_3(s, IR_SELECT, tiny, spv_2(s, IR_FMUL, r, spv_f(s, 0x1p-64f)), r);
}

static struct ir_src exp_e(struct spv *s, struct ir_src x)
{
	return spv_exp2(s, spv_2(s, IR_FMUL, x, spv_f(s, log2_e)));
}

static struct ir_src log_e(struct spv *s, struct ir_src x)
{
	return spv_2(s, IR_FMUL, spv_1(s, IR_FLOG2, x), spv_f(s, ln_2));
}

/* Magnitude of a, sign of b. */
static struct ir_src copy_sign(struct spv *s, struct ir_src a, struct ir_src b)
{
	return spv_3(s, IR_BFI, spv_u(s, 0x7fffffff), a, b);
}

/* The argument in turns, reduced to [0, 1). */
static struct ir_src turns(struct spv *s, struct ir_src x)
{
	return spv_1(s, IR_FFRACT, spv_2(s, IR_FMUL, x, spv_f(s, inverse_two_pi)));
}

static struct ir_src polynomial(struct spv *s, struct ir_src x, const float *c, unsigned n)
{
	struct ir_src sum = spv_f(s, c[n - 1]);
	for (unsigned i = n - 1; i-- > 0;)
		sum = spv_3(s, IR_FFMA, sum, x, spv_f(s, c[i]));
	return sum;
}

/* --- arcs --- */

/* asin(t) for t = |x| <= 1/2, else asin(sqrt((1 - |x|) / 2)); relative error
 * 1e-7 before rounding.  asin x = pi/2 - 2 asin(sqrt((1 - x) / 2)). */
static struct ir_src arc_core(struct spv *s, struct ir_src magnitude, struct ir_src is_big)
{
	static const float c[] = { 1.0000000726f, 0.1666521959f, 0.0754534558f, 0.0397944433f, 0.0503576819f };
	struct ir_src half = spv_f(s, 0.5f);
	struct ir_src far = spv_3(s, IR_FFMA, magnitude, spv_f(s, -0.5f), half);
	struct ir_src z = spv_3(s, IR_SELECT, is_big, far, spv_2(s, IR_FMUL, magnitude, magnitude));
	struct ir_src t = spv_3(s, IR_SELECT, is_big, spv_1(s, IR_FSQRT, far), magnitude);
	return spv_2(s, IR_FMUL, t, polynomial(s, z, c, sizeof c / sizeof c[0]));
}

static struct ir_src arc_sine(struct spv *s, struct ir_src x)
{
	struct ir_src magnitude = spv_1(s, IR_FABS, x);
	struct ir_src is_big = spv_2(s, IR_FCMP_LT, spv_f(s, 0.5f), magnitude);
	struct ir_src p = arc_core(s, magnitude, is_big);
	struct ir_src far = spv_3(s, IR_FFMA, p, spv_f(s, -2), spv_f(s, half_pi));
	return copy_sign(s, spv_3(s, IR_SELECT, is_big, far, p), x);
}

static struct ir_src arc_cosine(struct spv *s, struct ir_src x)
{
	struct ir_src magnitude = spv_1(s, IR_FABS, x);
	struct ir_src is_big = spv_2(s, IR_FCMP_LT, spv_f(s, 0.5f), magnitude);
	struct ir_src p = arc_core(s, magnitude, is_big);
	struct ir_src twice = spv_2(s, IR_FADD, p, p);
	struct ir_src negative = spv_2(s, IR_FCMP_LT, x, spv_f(s, 0));
	struct ir_src far = spv_3(s, IR_SELECT, negative, spv_2(s, IR_FSUB, spv_f(s, pi), twice), twice);
	struct ir_src near = spv_2(s, IR_FSUB, spv_f(s, half_pi), copy_sign(s, p, x));
	return spv_3(s, IR_SELECT, is_big, far, near);
}

/* atan(t), 0 <= t <= 1, relative error 8e-7. */
static struct ir_src arc_tangent_core(struct spv *s, struct ir_src t)
{
	static const float c[] = { 0.9999992256f, -0.3332567804f, 0.1987204027f, -0.1344786406f, 0.0831264530f,
		-0.0363604309f, 0.0076483539f };
	return spv_2(s, IR_FMUL, t, polynomial(s, spv_2(s, IR_FMUL, t, t), c, sizeof c / sizeof c[0]));
}

static struct ir_src arc_tangent(struct spv *s, struct ir_src x)
{
	struct ir_src magnitude = spv_1(s, IR_FABS, x);
	struct ir_src is_big = spv_2(s, IR_FCMP_LT, spv_f(s, 1), magnitude);
	struct ir_src t = spv_3(s, IR_SELECT, is_big, spv_1(s, IR_FRCP, magnitude), magnitude);
	struct ir_src a = arc_tangent_core(s, t);
	a = spv_3(s, IR_SELECT, is_big, spv_2(s, IR_FSUB, spv_f(s, half_pi), a), a);
	return copy_sign(s, a, x);
}

/* The quotient of the smaller by the larger magnitude is at most 1; equal ones
 * (both infinite, too) give 1, both zero 0.  Magnitudes of which the larger has
 * no normal reciprocal are scaled. */
struct ir_src spv_atan2(struct spv *s, struct ir_src y, struct ir_src x)
{
	struct ir_src ax = spv_1(s, IR_FABS, x), ay = spv_1(s, IR_FABS, y);
	struct ir_src low = spv_2(s, IR_FMIN, ax, ay), high = spv_2(s, IR_FMAX, ax, ay), zero = spv_f(s, 0);
	struct ir_src huge = spv_2(s, IR_FCMP_LE, spv_f(s, 0x1p126f), high);
	struct ir_src tiny = spv_2(s, IR_FCMP_LT, high, spv_f(s, 0x1p-100f));
	struct ir_src scale = spv_3(s, IR_SELECT, huge, spv_f(s, 0x1p-32f),
		spv_3(s, IR_SELECT, tiny, spv_f(s, 0x1p32f), spv_f(s, 1)));
	struct ir_src q = spv_2(s, IR_FMUL, spv_2(s, IR_FMUL, low, scale),
		spv_1(s, IR_FRCP, spv_2(s, IR_FMUL, high, scale)));
	q = spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_EQ, low, high), spv_f(s, 1), q);
	q = spv_3(s, IR_SELECT, spv_2(s, IR_FCMP_EQ, high, zero), zero, q);
	struct ir_src a = arc_tangent_core(s, q);
	struct ir_src steep = spv_2(s, IR_FCMP_LT, ax, ay);
	a = spv_3(s, IR_SELECT, steep, spv_2(s, IR_FSUB, spv_f(s, half_pi), a), a);
	struct ir_src left = spv_2(s, IR_SCMP_LT, x, spv_u(s, 0));
	a = spv_3(s, IR_SELECT, left, spv_2(s, IR_FSUB, spv_f(s, pi), a), a);
	return copy_sign(s, a, y);
}

/* --- hyperbolic --- */

/* (e^x + sign e^-x) / 2 */
static struct ir_src hyperbolic(struct spv *s, struct ir_src x, enum ir_op op)
{
	struct ir_src up = exp_e(s, x), down = exp_e(s, spv_1(s, IR_FNEG, x));
	return spv_2(s, IR_FMUL, spv_2(s, op, up, down), spv_f(s, 0.5f));
}

/* 1 - 2 / (e^2x + 1); beyond +-10 the result rounds to +-1. */
static struct ir_src hyperbolic_tangent(struct spv *s, struct ir_src x)
{
	struct ir_src t = spv_2(s, IR_FMIN, spv_2(s, IR_FMAX, x, spv_f(s, -10)), spv_f(s, 10));
	t = exp_e(s, spv_2(s, IR_FADD, t, t));
	t = spv_1(s, IR_FRCP, spv_2(s, IR_FADD, t, spv_f(s, 1)));
	return spv_3(s, IR_FFMA, t, spv_f(s, -2), spv_f(s, 1));
}

static struct ir_src area_sine(struct spv *s, struct ir_src x)
{
	struct ir_src a = spv_1(s, IR_FABS, x);
	struct ir_src root = spv_1(s, IR_FSQRT, spv_3(s, IR_FFMA, a, a, spv_f(s, 1)));
	return copy_sign(s, log_e(s, spv_2(s, IR_FADD, a, root)), x);
}

static struct ir_src area_cosine(struct spv *s, struct ir_src x)
{
	struct ir_src root = spv_1(s, IR_FSQRT, spv_3(s, IR_FFMA, x, x, spv_f(s, -1)));
	return log_e(s, spv_2(s, IR_FADD, x, root));
}

static struct ir_src area_tangent(struct spv *s, struct ir_src x)
{
	struct ir_src one = spv_f(s, 1);
	struct ir_src q = spv_div(s, spv_2(s, IR_FADD, one, x), spv_2(s, IR_FSUB, one, x));
	return spv_2(s, IR_FMUL, log_e(s, q), spv_f(s, 0.5f));
}

/* False: not one of them. */
bool spv_glsl_transcendental(struct spv *s, uint32_t inst, struct ir_src x, struct ir_src *out)
{
	struct ir_src t;
	switch (inst) {
	case GLSLstd450Exp: *out = exp_e(s, x); return true;
	case GLSLstd450Log: *out = log_e(s, x); return true;
	case GLSLstd450Sin: *out = spv_1(s, IR_FSIN, turns(s, x)); return true;
	case GLSLstd450Cos: *out = spv_1(s, IR_FCOS, turns(s, x)); return true;
	case GLSLstd450Tan:
		t = turns(s, x);
		*out = spv_div(s, spv_1(s, IR_FSIN, t), spv_1(s, IR_FCOS, t));
		return true;
	case GLSLstd450Asin: *out = arc_sine(s, x); return true;
	case GLSLstd450Acos: *out = arc_cosine(s, x); return true;
	case GLSLstd450Atan: *out = arc_tangent(s, x); return true;
	case GLSLstd450Sinh: *out = hyperbolic(s, x, IR_FSUB); return true;
	case GLSLstd450Cosh: *out = hyperbolic(s, x, IR_FADD); return true;
	case GLSLstd450Tanh: *out = hyperbolic_tangent(s, x); return true;
	case GLSLstd450Asinh: *out = area_sine(s, x); return true;
	case GLSLstd450Acosh: *out = area_cosine(s, x); return true;
	case GLSLstd450Atanh: *out = area_tangent(s, x); return true;
	default: return false;
	}
}
