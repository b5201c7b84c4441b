/* SPDX-License-Identifier: MIT */
/* Transcendentals of the vector unit: own polynomials over correctly rounded
 * operations, so the same bits on every CPU and level.  Bounds (measured by
 * tests/core/test_interp_math.c over all inputs):
 *   exp2_  0.90 ulp, exact at integers, denormal results rounded once
 *   log2_  1.68 ulp; near 1 the relative error stays that small
 *   sin_, cos_ of turns: absolute error 1.9e-7 (below 2^-22), all |x|
 * A NaN result is the canonical one. */
#ifndef CORE_INTERP_MATH_H
#define CORE_INTERP_MATH_H

#include "core/simd.h"

/* 2^n as a float, n in -126..127. */
static inline vf pow2i(vu n)
{
	return F((n + splat(127)) << 23);
}

static inline vu exp2_(vf x)
{
	/* Beyond these the result is 0 or infinity anyway; NaN passes. */
	vf y = max86(splatf(-152.0f), min86(splatf(129.0f), x));
	vf n = rint_(y);
	vf f = y - n;
	vf p = splatf(0x1.4308fap-13f);
	p = fma_(p, f, splatf(0x1.5f07b4p-10f));
	p = fma_(p, f, splatf(0x1.3b2ba0p-7f));
	p = fma_(p, f, splatf(0x1.c6af6ep-5f));
	p = fma_(p, f, splatf(0x1.ebfbdep-3f));
	p = fma_(p, f, splatf(0x1.62e430p-1f));
	p = fma_(p, f, splatf(1.0f));
	/* Two factors: the first product is exact, the second rounds once. */
	vu k = f2i(n);
	vu k1 = U(I(k) >> 1);
	return canon(p * pow2i(k1) * pow2i(k - k1));
}

static inline vu log2_(vf x)
{
	vm tiny = f_lt(x, splatf(0x1p-126f)); /* denormal, zero or negative */
	vf y = self(tiny, x * splatf(0x1p24f), x);
	vu bits = U(y);
	/* Exponent such that the mantissa is in [sqrt(1/2), sqrt(2)). */
	vu shifted = bits - splat(0x3f3504f3);
	vu e = U(I(shifted) >> 23);
	vf m = F(bits - (e << 23));
	vf t = m - splatf(1.0f);
	vf p = splatf(-0x1.c25a72p-4f);
	p = fma_(p, t, splatf(0x1.7d494ap-3f));
	p = fma_(p, t, splatf(-0x1.874be8p-3f));
	p = fma_(p, t, splatf(0x1.a305a6p-3f));
	p = fma_(p, t, splatf(-0x1.eabc88p-3f));
	p = fma_(p, t, splatf(0x1.277e36p-2f));
	p = fma_(p, t, splatf(-0x1.715a76p-2f));
	p = fma_(p, t, splatf(0x1.ec7096p-2f));
	p = fma_(p, t, splatf(-0x1.715470p-1f));
	p = fma_(p, t, splatf(0x1.715476p+0f));
	vf whole = i2f(e) - self(tiny, splatf(24.0f), splatf(0.0f));
	vf r = fma_(t, p, whole);
	/* 0: -inf; negative or NaN: NaN; inf: inf. */
	r = self(f_eq(x, splatf(0.0f)), F(splat(0xff800000u)), r);
	r = self(f_nge(x, splatf(0.0f)), F(splat(QNAN32)), r);
	return U(self(f_eq(x, F(splat(0x7f800000u))), x, r));
}

/* sin(2 pi r) for r in [-1/4, 1/4]. */
static inline vu sin_quarter(vf r)
{
	vf s = r * r;
	vf p = splatf(-0x1.cc345ap+3f);
	p = fma_(p, s, splatf(0x1.500ff8p+5f));
	p = fma_(p, s, splatf(-0x1.32d112p+6f));
	p = fma_(p, s, splatf(0x1.466bc0p+6f));
	p = fma_(p, s, splatf(-0x1.4abbcep+5f));
	p = fma_(p, s, splatf(0x1.921fb6p+2f));
	vf y = r * p;
	y = max86(splatf(-1.0f), min86(splatf(1.0f), y));
	return canon(y);
}

static inline vu sin_(vf x)
{
	vf r = x - rint_(x); /* exact; NaN for infinity */
	vf half = F((U(r) & splat(0x80000000u)) | splat(0x3f000000u));
	r = self(f_gt(abs_(r), splatf(0.25f)), half - r, r);
	return sin_quarter(r);
}

static inline vu cos_(vf x)
{
	vf r = x - rint_(x);
	return sin_quarter(splatf(0.25f) - abs_(r));
}

/* --- minimum and maximum: the number where one is NaN, -0 below +0 --- */

static inline vu fmin_(vf a, vf b)
{
	vu r = U(min86(a, b));
	r = sel(f_eq(a, b), U(a) | U(b), r); /* -0 < +0 */
	r = sel(m_nan(b), U(a), r);
	return canon(F(r));
}
static inline vu fmax_(vf a, vf b)
{
	vu r = U(max86(a, b));
	r = sel(f_eq(a, b), U(a) & U(b), r);
	r = sel(m_nan(b), U(a), r);
	return canon(F(r));
}
/* The middle value; with a NaN, the minimum.  Zeros count as equal here. */
static inline vu fmed3_(vf a, vf b, vf c)
{
	vm nan = m_or(f_uno(a, b), m_nan(c));
	vu med = U(max86(min86(a, b), min86(max86(a, b), c)));
	if (__builtin_expect(m_bits(nan) != 0, 0))
		med = sel(nan, fmin_(F(fmin_(a, b)), c), med);
	return med;
}

/* --- v_mad: flushes denormals and rounds twice --- */

/* Denormals to zero of the same sign. */
static inline vf flush(vf a)
{
	vm tiny = f_lt(abs_(a), splatf(0x1p-126f));
	return F(sel(tiny, U(a) & splat(0x80000000u), U(a)));
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
	vm tiny = f_lt(abs_(a), splatf(0x1p-126f));
	*shift = sel(tiny, splat(24), splat(0));
	return self(tiny, a * splatf(0x1p24f), a);
}
/* Zero, infinity or NaN. */
static inline vm no_exponent(vf a)
{
	return m_or(f_eq(a, splatf(0.0f)), f_nlt(abs_(a), F(splat(0x7f800000u))));
}
static inline vu frexp_mant(vf a)
{
	vu shift;
	vu m = (U(normalised(a, &shift)) & splat(0x807fffffu)) | splat(0x3f000000u);
	return sel(no_exponent(a), canon(a), m);
}
static inline vu frexp_exp(vf a)
{
	vu shift;
	vu e = (U(normalised(a, &shift)) >> 23 & splat(255)) - splat(126) - shift;
	return sel(no_exponent(a), splat(0), e);
}
#endif
