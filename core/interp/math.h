/* SPDX-License-Identifier: MIT */
/* Transcendentals of the vector unit: own polynomials over correctly rounded
 * operations, so the same bits on every CPU and level.  Bounds (measured by
 * tests/core/test_interp_math.c over all inputs):
 *   exp2_  0.90 ulp, exact at integers; denormal results are 0, as on hardware
 *   log2_  1.68 ulp; near 1 the relative error stays that small
 *   sin_, cos_ of turns: absolute error 1.9e-7 (below 2^-22), all |x|
 * A NaN result is the canonical one. */
#ifndef CORE_INTERP_MATH_H
#define CORE_INTERP_MATH_H

#include "core/interp/value.h"
#include "isa/poly.h"

/* 2^n as a float, n in -126..127. */
static inline vf pow2i(vu n)
{
	return (vf)((n + v_setu(127)) << 23);
}

static inline __attribute__((always_inline)) vf horner(const float *k, int n, vf x)
{
	vf p = v_setf(k[0]);
	V_UNROLL for (int i = 1; i < n; i++)
		p = v_fma(p, x, v_setf(k[i]));
	return p;
}

static inline vu exp2_(vf x)
{
	/* Beyond these the result is infinity or denormal, which CPUs take a hundred times as long to make; NaN passes. */
	vf y = v_maxf(v_setf(-126.0f), v_minf(v_setf(129.0f), x));
	vf n = v_rint(y);
	vf f = y - n;
	vf p = horner(isa_poly_exp2, ISA_POLY_EXP2, f);
	/* Two factors, as the power may be more than a number is. */
	vu k = (vu)v_trunc(n);
	vu k1 = (vu)((vi)k >> 1);
	return m_sel(f_lt(x, v_setf(-126.0f)), v_setu(0), canon(p * pow2i(k1) * pow2i(k - k1)));
}

static inline vu log2_(vf x)
{
	vm tiny = f_lt(x, v_setf(0x1p-126f)); /* denormal, zero or negative */
	vf y = m_self(tiny, x * v_setf(0x1p24f), x);
	vu bits = (vu)y;
	/* Exponent such that the mantissa is in [sqrt(1/2), sqrt(2)). */
	vu shifted = bits - v_setu(0x3f3504f3);
	vu e = (vu)((vi)shifted >> 23);
	vf m = (vf)(bits - (e << 23));
	vf t = m - v_setf(1.0f);
	vf p = horner(isa_poly_log2, ISA_POLY_LOG2, t);
	vf whole = v_float((vi)e) - m_self(tiny, v_setf(24.0f), v_setf(0.0f));
	vf r = v_fma(t, p, whole);
	/* 0: -inf; negative or NaN: NaN; inf: inf. */
	r = m_self(f_eq(x, v_setf(0.0f)), (vf)v_setu(0xff800000u), r);
	r = m_self(f_nge(x, v_setf(0.0f)), (vf)v_setu(QNAN32), r);
	return (vu)m_self(f_eq(x, (vf)v_setu(0x7f800000u)), x, r);
}

/* sin(2 pi r) for r in [-1/4, 1/4]. */
static inline vu sin_quarter(vf r)
{
	vf p = horner(isa_poly_sin, ISA_POLY_SIN, r * r);
	vf y = r * p;
	y = v_maxf(v_setf(-1.0f), v_minf(v_setf(1.0f), y));
	return canon(y);
}

static inline vu sin_(vf x)
{
	vf r = x - v_rint(x); /* exact; NaN for infinity */
	vf half = (vf)(((vu)r & v_setu(0x80000000u)) | v_setu(0x3f000000u));
	r = m_self(f_gt(v_absf(r), v_setf(0.25f)), half - r, r);
	return sin_quarter(r);
}

static inline vu cos_(vf x)
{
	vf r = x - v_rint(x);
	return sin_quarter(v_setf(0.25f) - v_absf(r));
}

/* --- minimum and maximum: the number where one is NaN, -0 below +0 --- */

static inline vu fmin_(vf a, vf b)
{
	vu r = (vu)v_minf(a, b);
	r = m_sel(f_eq(a, b), (vu)a | (vu)b, r); /* -0 < +0 */
	r = m_sel(m_nan(b), (vu)a, r);
	return canon((vf)r);
}
static inline vu fmax_(vf a, vf b)
{
	vu r = (vu)v_maxf(a, b);
	r = m_sel(f_eq(a, b), (vu)a & (vu)b, r);
	r = m_sel(m_nan(b), (vu)a, r);
	return canon((vf)r);
}
/* The middle value; with a NaN, the minimum.  Zeros count as equal here. */
static inline vu fmed3_(vf a, vf b, vf c)
{
	vm nan = m_or(f_uno(a, b), m_nan(c));
	vu med = (vu)v_maxf(v_minf(a, b), v_minf(v_maxf(a, b), c));
	if (__builtin_expect(m_bits(nan) != 0, 0))
		med = m_sel(nan, fmin_((vf)fmin_(a, b), c), med);
	return med;
}

/* --- v_mad: flushes denormals and rounds twice --- */

/* Denormals to zero of the same sign. */
static inline vf flush(vf a)
{
	vm tiny = f_lt(v_absf(a), v_setf(0x1p-126f));
	return (vf)m_sel(tiny, (vu)a & v_setu(0x80000000u), (vu)a);
}
static inline vu mad_(vf a, vf b, vf c)
{
	vf p = flush(flush(a) * flush(b));
	return canon(flush(p + flush(c)));
}
/* --- exponent and mantissa --- */

/* a scaled so that it is normal, and by how much (0 or 24 bits). */
static inline vf normalised(vf a, vu *shift)
{
	vm tiny = f_lt(v_absf(a), v_setf(0x1p-126f));
	*shift = m_sel(tiny, v_setu(24), v_setu(0));
	return m_self(tiny, a * v_setf(0x1p24f), a);
}
/* Zero, infinity or NaN. */
static inline vm no_exponent(vf a)
{
	return m_or(f_eq(a, v_setf(0.0f)), f_nlt(v_absf(a), (vf)v_setu(0x7f800000u)));
}
static inline vu frexp_mant(vf a)
{
	vu shift;
	vu m = ((vu)normalised(a, &shift) & v_setu(0x807fffffu)) | v_setu(0x3f000000u);
	return m_sel(no_exponent(a), canon(a), m);
}
static inline vu frexp_exp(vf a)
{
	vu shift;
	vu e = ((vu)normalised(a, &shift) >> 23 & v_setu(255)) - v_setu(126) - shift;
	return m_sel(no_exponent(a), v_setu(0), e);
}
#endif
