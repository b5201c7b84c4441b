/* SPDX-License-Identifier: MIT */
#include "ref_format.h"

#include <math.h>
#include <string.h>
#include "isa/resource.h"

enum { SNORM_OGL = 6 };

/* Bits of the components from the lowest bit on, row by row of the table. */
enum { FORMATS = 31 };
static const uint8_t bits[FORMATS][4] = {
	[1] = { 8 }, [2] = { 16 }, [3] = { 8, 8 }, [4] = { 32 }, [5] = { 16, 16 },
	[6] = { 11, 11, 10 }, [7] = { 10, 11, 11 }, [8] = { 2, 10, 10, 10 }, [9] = { 10, 10, 10, 2 },
	[10] = { 8, 8, 8, 8 }, [11] = { 32, 32 }, [12] = { 16, 16, 16, 16 }, [13] = { 32, 32, 32 },
	[14] = { 32, 32, 32, 32 }, [29] = { 8, 8, 8 }, [30] = { 16, 16, 16 }, /* these two are our own */
};

static uint32_t fbits(float f)
{
	uint32_t u;
	memcpy(&u, &f, 4);
	return u;
}
static float ffrom(uint32_t u)
{
	float f;
	memcpy(&f, &u, 4);
	return f;
}

unsigned ref_format_bytes(unsigned dfmt)
{
	unsigned n = 0;
	for (int c = 0; c < 4 && dfmt < FORMATS; c++)
		n += bits[dfmt][c];
	return n / 8;
}
unsigned ref_format_align(unsigned dfmt)
{
	unsigned b = dfmt < FORMATS ? bits[dfmt][0] : 0;
	return b == 8 ? 1 : b == 16 ? 2 : 4;
}
bool ref_format_readable(unsigned dfmt, unsigned nfmt)
{
	unsigned b = dfmt < FORMATS ? bits[dfmt][0] : 0;
	if (!b)
		return false;
	if (nfmt == NFMT_FLOAT)
		return b == 32 || b == 16 || dfmt == DFMT_10_11_11 || dfmt == DFMT_11_11_10;
	return nfmt < 8;
}
/* The column BufW. */
bool ref_format_writable(unsigned dfmt, unsigned nfmt)
{
	return ref_format_readable(dfmt, nfmt) && nfmt != NFMT_USCALED && nfmt != NFMT_SSCALED && nfmt != SNORM_OGL;
}

/* Floats with 5 exponent bits and m mantissa bits, no sign. */
static float small(uint32_t v, int m)
{
	uint32_t e = v >> m, f = v & ((1u << m) - 1);
	if (e == 31)
		return f ? ffrom(0x7fc00000 | f << (23 - m)) : INFINITY;
	return e ? ldexpf((float)(f | 1u << m), (int)e - 15 - m) : ldexpf((float)f, -14 - m);
}
float ref_half(uint32_t h)
{
	float f = small(h & 0x7fff, 10);
	return h & 0x8000 ? ffrom(fbits(f) | 0x80000000) : f;
}
/* Nearest even, among the numbers of the format; too large: infinity. */
static uint32_t to_small(double x, int m)
{
	if (x >= ldexp(2 - ldexp(1, -m - 1), 15))
		return 31u << m;
	int e = x < ldexp(1, -14) ? -14 : ilogb(x);
	double steps = rint(ldexp(x, m - e)); /* of the binade */
	return (uint32_t)steps + (e == -14 && x < ldexp(1, -14) ? 0 : (uint32_t)(e + 14) << m);
}
uint32_t ref_to_half(float f)
{
	uint32_t sign = fbits(f) >> 16 & 0x8000;
	if (f != f)
		return sign | 0x7e00 | (fbits(f) >> 13 & 0x1ff);
	return sign | to_small(fabs((double)f), 10);
}

/* v / max rounded once: the quotient's distance from a tie is at least 2^-57
 * of it. */
static float quotient(long double v, long double max)
{
	return (float)(v / max);
}
static uint32_t decode_one(unsigned nfmt, unsigned n, uint64_t v)
{
	uint64_t max = (1ull << n) - 1;
	int64_t s = v >> (n - 1) ? (int64_t)v - (int64_t)max - 1 : (int64_t)v;
	switch (nfmt) {
	case NFMT_UNORM: return fbits(quotient(v, max));
	case NFMT_SNORM: return fbits(fmaxf(quotient(s, max >> 1), -1));
	case NFMT_USCALED: return fbits((float)v);
	case NFMT_SSCALED: return fbits((float)s);
	case SNORM_OGL: return fbits(quotient(2 * (long double)s + 1, max));
	case NFMT_SINT: return (uint32_t)s;
	case NFMT_FLOAT:
		return n == 32 ? (uint32_t)v : fbits(n == 16 ? ref_half((uint32_t)v) : small((uint32_t)v, (int)n - 5));
	default: return (uint32_t)v;
	}
}
static uint64_t encode_one(unsigned nfmt, unsigned n, uint32_t in)
{
	uint64_t max = (1ull << n) - 1, half = max >> 1;
	long double f = ffrom(in);
	int64_t i = (int32_t)in;
	switch (nfmt) {
	case NFMT_UNORM: return (uint64_t)rintl((f > 0 ? f < 1 ? f : 1 : 0) * max);
	case NFMT_SNORM: return (uint64_t)(int64_t)rintl((f == f ? f > -1 ? f < 1 ? f : 1 : -1 : 0) * half) & max;
	case NFMT_UINT: return in < max ? in : max;
	case NFMT_SINT: return (uint64_t)(i > (int64_t)half ? (int64_t)half : i < -(int64_t)half - 1 ? -(int64_t)half - 1 : i) & max;
	default:
		if (n == 32)
			return in;
		if (n == 16)
			return ref_to_half((float)f);
		return f != f ? 31ull << (n - 5) | 1ull << (n - 6) : f > 0 ? to_small((double)f, (int)n - 5) : 0;
	}
}

void ref_format_decode(unsigned dfmt, unsigned nfmt, const uint8_t *texel, uint32_t out[4])
{
	unsigned at = 0;
	out[0] = out[1] = out[2] = 0;
	out[3] = nfmt == NFMT_UINT || nfmt == NFMT_SINT ? 1 : fbits(1);
	for (int c = 0; c < 4 && bits[dfmt][c]; c++) {
		uint64_t v = 0;
		for (unsigned b = 0; b < bits[dfmt][c]; b++, at++)
			v |= (uint64_t)(texel[at / 8] >> at % 8 & 1) << b;
		out[c] = decode_one(nfmt, bits[dfmt][c], v);
	}
}
void ref_format_encode(unsigned dfmt, unsigned nfmt, const uint32_t in[4], uint8_t *texel)
{
	unsigned at = 0;
	memset(texel, 0, ref_format_bytes(dfmt));
	for (int c = 0; c < 4 && bits[dfmt][c]; c++) {
		uint64_t v = encode_one(nfmt, bits[dfmt][c], in[c]);
		for (unsigned b = 0; b < bits[dfmt][c]; b++, at++)
			texel[at / 8] |= (uint8_t)((v >> b & 1) << at % 8);
	}
}
