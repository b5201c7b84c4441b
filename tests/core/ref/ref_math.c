/* SPDX-License-Identifier: MIT */
#include "ref_math.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static float value(uint32_t x)
{
	float f;
	memcpy(&f, &x, 4);
	return f;
}
static uint64_t pattern(float f)
{
	uint32_t x;
	memcpy(&x, &f, 4);
	return f != f ? 0x7fc00000 : x;
}
/* c[0] + x (c[1] + x (..)), by fused steps. */
static float polynomial(const float *c, int n, float x)
{
	float p = c[n - 1];
	for (int i = n - 2; i >= 0; i--)
		p = fmaf(p, x, c[i]);
	return p;
}

/* 2^x: the nearest integer apart, a polynomial of degree 6 on [-1/2, 1/2]; no denormals. */
uint64_t ref_exp2(uint32_t bits)
{
	static const float c[] = { 1, 0x1.62e430p-1f, 0x1.ebfbdep-3f, 0x1.c6af6ep-5f, 0x1.3b2ba0p-7f,
		0x1.5f07b4p-10f, 0x1.4308fap-13f };
	float x = value(bits);
	if (x != x)
		return 0x7fc00000;
	if (x < -126)
		return 0;
	x = x > 129 ? 129 : x;
	float n = rintf(x);
	return pattern(ldexpf(polynomial(c, 7, x - n), (int)n));
}

/* log2 of a mantissa in [sqrt(1/2), sqrt(2)) by a polynomial in m - 1, plus the
 * exponent. */
uint64_t ref_log2(uint32_t bits)
{
	static const float c[] = { 0x1.715476p+0f, -0x1.715470p-1f, 0x1.ec7096p-2f, -0x1.715a76p-2f,
		0x1.277e36p-2f, -0x1.eabc88p-3f, 0x1.a305a6p-3f, -0x1.874be8p-3f, 0x1.7d494ap-3f,
		-0x1.c25a72p-4f };
	float x = value(bits);
	if (x == 0)
		return 0xff800000;
	if (!(x > 0))
		return 0x7fc00000;
	if (isinf(x))
		return bits;
	int e;
	float m = frexpf(x, &e); /* [1/2, 1) */
	if (pattern(m) < 0x3f3504f3) {
		m *= 2;
		e--;
	}
	float t = m - 1;
	return pattern(fmaf(t, polynomial(c, 10, t), (float)e));
}

/* sin(2 pi r), |r| <= 1/4: an odd polynomial. */
static uint64_t sin_quarter(float r)
{
	static const float c[] = { 0x1.921fb6p+2f, -0x1.4abbcep+5f, 0x1.466bc0p+6f, -0x1.32d112p+6f,
		0x1.500ff8p+5f, -0x1.cc345ap+3f };
	float y = r * polynomial(c, 6, r * r);
	return pattern(y > 1 ? 1 : y < -1 ? -1 : y);
}
uint64_t ref_sin(uint32_t bits)
{
	float x = value(bits), r = x - rintf(x);
	if (!(fabsf(x) < INFINITY))
		return 0x7fc00000;
	if (fabsf(r) > 0.25f)
		r = copysignf(0.5f, r) - r;
	return sin_quarter(r);
}
uint64_t ref_cos(uint32_t bits)
{
	float x = value(bits), r = x - rintf(x);
	return fabsf(x) < INFINITY ? sin_quarter(0.25f - fabsf(r)) : 0x7fc00000;
}

/* --- 2/pi by Machin's formula, on numbers of 44 dwords --- */
enum { DWORDS = 44 }; /* the first is the integer part */
typedef uint32_t number[DWORDS];

static void divide(number a, uint32_t by)
{
	uint64_t rest = 0;
	for (int i = 0; i < DWORDS; i++) {
		rest = rest << 32 | a[i];
		a[i] = (uint32_t)(rest / by);
		rest %= by;
	}
}
static bool is_zero(const number a)
{
	for (int i = 0; i < DWORDS; i++)
		if (a[i])
			return false;
	return true;
}
static void accumulate(number a, const number b, bool subtract)
{
	int64_t carry = 0;
	for (int i = DWORDS - 1; i >= 0; i--) {
		carry += (int64_t)a[i] + (subtract ? -(int64_t)b[i] : (int64_t)b[i]);
		a[i] = (uint32_t)carry;
		carry >>= 32;
	}
}
/* sum += factor * arctan(1/x) */
static void arctan(number sum, uint32_t factor, uint32_t x, bool subtract)
{
	number power = { factor };
	divide(power, x);
	for (uint32_t n = 1; !is_zero(power); n += 2) {
		number term;
		memcpy(term, power, sizeof(term));
		divide(term, n);
		accumulate(sum, term, subtract != (n % 4 == 3));
		divide(power, x * x);
	}
}
static bool fits(const number pi, const number rest)
{
	for (int i = 0; i < DWORDS; i++)
		if (pi[i] != rest[i])
			return pi[i] < rest[i];
	return true;
}
uint64_t ref_two_over_pi(unsigned at)
{
	number pi = { 0 }, rest = { 2 };
	uint64_t r = 0;
	arctan(pi, 16, 5, false);
	arctan(pi, 4, 239, true);
	for (unsigned i = 0; i < at + 53; i++) { /* one binary digit after the other */
		number twice;
		memcpy(twice, rest, sizeof(twice));
		accumulate(rest, twice, false);
		bool digit = fits(pi, rest);
		if (digit)
			accumulate(rest, pi, true);
		if (i >= at)
			r = r << 1 | (digit && i < 1201);
	}
	return r;
}
