/* SPDX-License-Identifier: MIT */
/* The scalar definition of every format conversion.  The vector forms
 * (format_vec.h) agree with it bit for bit; tests/core/test_format_block.c
 * checks that. */
#include "core/format/format.h"

#include <math.h>
#include <string.h>
#include "core/format/format_layout.h"
#include "core/level.h"
#include "isa/bits.h"

/* Round to nearest even by the sum's own rounding; |d| < 2^51. */
static int64_t round_even(double d)
{
	double magic = 6755399441055744.0; /* 1.5 * 2^52 */
	return (int64_t)((d + magic) - magic);
}

bool cu_format_valid(unsigned dfmt, unsigned nfmt)
{
	if (dfmt > 63 || nfmt > 15)
		return false;
	switch (CU_FORMAT_KEY(dfmt, nfmt)) {
#define F(d, n) case CU_FORMAT_KEY(DFMT_##d, NFMT_##n):
	ISA_FORMATS(F)
#undef F
		return true;
	default:
		return false;
	}
}

/* NaNs are quieted and keep their payload, as VCVTPH2PS does. */
float cu_half_to_float(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 0x3ff;
	if (e == 31)
		return bits_float(sign | 0x7f800000 | (m ? 0x400000 | m << 13 : 0));
	if (e)
		return bits_float(sign | (e + 112) << 23 | m << 13);
	float f = (float)m * 0x1p-24f;
	return sign ? -f : f;
}

/* To a float with 5 exponent bits and `mbits` mantissa bits; x >= 0 or +Inf. */
static uint32_t to_small_float(float x, unsigned mbits)
{
	uint32_t u = float_bits(x), drop = 23 - mbits, inf = 31u << mbits;
	if (x < 0x1p-14f) /* denormal: an integer multiple of 2^(-14 - mbits) */
		return (uint32_t)round_even((double)x * (double)(1u << (14 + mbits)));
	u += ((1u << (drop - 1)) - 1) + (u >> drop & 1);
	u = (u >> drop) - (112u << mbits);
	return u < inf ? u : inf;
}

/* NaNs are quieted and keep the top of their payload, as VCVTPS2PH does. */
uint16_t cu_float_to_half(float f)
{
	uint32_t u = float_bits(f), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
	if (a > 0x7f800000)
		return (uint16_t)(sign | 0x7e00 | (a >> 13 & 0x1ff));
	return (uint16_t)(sign | to_small_float(bits_float(a), 10));
}

/* Unsigned: negative to 0, NaN to one quiet NaN. */
static uint32_t to_unsigned_small_float(float f, unsigned mbits)
{
	if (f != f)
		return 31u << mbits | 1u << (mbits - 1);
	return f > 0 ? to_small_float(f, mbits) : 0;
}

static double fifth_root(double a) /* of [0.008, 1] */
{
	double y = 0.5 + 0.5 * a;
	for (int i = 0; i < 8; i++) {
		double y2 = y * y, y4 = y2 * y2;
		y -= (y4 * y - a) / (5 * y4);
	}
	return y;
}

static double cube_root(double a) /* of [0.0007, 1] */
{
	double y = 0.25 + 0.75 * a;
	for (int i = 0; i < 9; i++)
		y = (2 * y + a / (y * y)) / 3;
	return y;
}

/* Only + - * / sqrt, in double: no libm, the same bits everywhere. */
float cu_srgb_to_linear(float c)
{
	if (!(c > 0))
		return 0;
	if (c >= 1)
		return 1;
	if ((double)c <= 0.04045)
		return (float)((double)c / 12.92);
	double x = ((double)c + 0.055) / 1.055;
	return (float)(x * x * fifth_root(x * x)); /* x^2.4 */
}

float cu_linear_to_srgb(float c)
{
	if (!(c > 0))
		return 0;
	if (c >= 1)
		return 1;
	double x = c;
	if (x <= 0.0031308)
		return (float)(x * 12.92);
	return (float)(1.055 * cube_root(x * sqrt(sqrt(x))) - 0.055); /* x^(5/12) */
}

static uint32_t srgb_encode8(float f)
{
	uint32_t u = float_bits(f);
	if (!(f >= 0x1p-13f))
		return 0;
	if (u > CU_SRGB_LAST)
		u = CU_SRGB_LAST;
	return (cu_srgb_steps[(u - CU_SRGB_FIRST) >> 16] + (u & 0xffff)) >> 16;
}

static uint32_t low_bits(unsigned n)
{
	return n == 32 ? ~0u : (1u << n) - 1;
}

static int32_t sign_extend(uint32_t v, unsigned bits)
{
	return (int32_t)(v << (32 - bits)) >> (32 - bits);
}

static uint32_t unpack_float(uint32_t v, unsigned bits)
{
	switch (bits) {
	case 32: return v;
	case 16: return float_bits(cu_half_to_float((uint16_t)v));
	case 11: return float_bits(cu_half_to_float((uint16_t)(v << 4)));
	default: return float_bits(cu_half_to_float((uint16_t)(v << 5)));
	}
}

/* n / d rounded once: in 64 bits a quotient of 33-bit integers is too far from
 * the middle of two floats to be rounded to it. */
static uint32_t quotient(int64_t n, uint32_t d)
{
	return float_bits((float)((long double)n / (long double)d));
}

/* Component `c` of `bits` bits to its channel. */
static uint32_t unpack_component(unsigned nfmt, unsigned bits, unsigned c, uint32_t v)
{
	uint32_t max = low_bits(bits);
	switch (nfmt) {
	case NFMT_SRGB:
		if (c < 3)
			return cu_srgb_decode_bits[v];
		return float_bits((float)v / 255.0f); /* alpha is linear */
	case NFMT_UNORM:
		return bits == 32 ? quotient(v, max) : float_bits((float)v / (float)max);
	case NFMT_UNORM_10:
		return float_bits((float)(v >> 6) / 1023.0f);
	case NFMT_UNORM_12:
		return float_bits((float)(v >> 4) / 4095.0f);
	case NFMT_SNORM_OGL:
		return quotient(2 * (int64_t)sign_extend(v, bits) + 1, max);
	case NFMT_SNORM: {
		float f = bits == 32 ? bits_float(quotient((int32_t)v, max >> 1)) : (float)sign_extend(v, bits) / (float)(max >> 1);
		return float_bits(f > -1.0f ? f : -1.0f);
	}
	case NFMT_USCALED:
		return float_bits((float)v);
	case NFMT_SSCALED:
		return float_bits((float)sign_extend(v, bits));
	case NFMT_SINT:
		return (uint32_t)sign_extend(v, bits);
	case NFMT_FLOAT:
		return unpack_float(v, bits);
	default:
		return v;
	}
}

/* NaN to 0, then into [lo, hi], scaled, rounded to nearest even. The product is exact in double. */
static uint32_t pack_scaled(float f, double lo, double hi, double scale)
{
	double d = f == f ? (double)f : 0;
	d = d < lo ? lo : d > hi ? hi : d;
	return (uint32_t)round_even(d * scale);
}

/* The same for 32 bits, where only long double holds the product. */
static uint32_t pack_wide(float f, float lo, float hi, uint32_t scale)
{
	long double d = f == f ? f < lo ? lo : f > hi ? hi : f : 0;
	return (uint32_t)(int64_t)rintl(d * scale);
}

static uint32_t pack_component(unsigned nfmt, unsigned bits, unsigned c, uint32_t in)
{
	uint32_t max = low_bits(bits), smax = max >> 1;
	float f = bits_float(in);
	switch (nfmt) {
	case NFMT_SRGB:
		return c < 3 ? srgb_encode8(f) : pack_scaled(f, 0, 1, 255);
	case NFMT_UNORM:
		return bits == 32 ? pack_wide(f, 0, 1, max) : pack_scaled(f, 0, 1, max);
	case NFMT_UNORM_10:
		return pack_scaled(f, 0, 1, 1023) << 6;
	case NFMT_UNORM_12:
		return pack_scaled(f, 0, 1, 4095) << 4;
	case NFMT_SNORM:
		return bits == 32 ? pack_wide(f, -1, 1, smax) : pack_scaled(f, -1, 1, smax) & max;
	case NFMT_USCALED:
		return pack_scaled(f, 0, max, 1);
	case NFMT_SSCALED:
		return pack_scaled(f, -(double)smax - 1, smax, 1) & max;
	case NFMT_UINT:
		return in < max ? in : max;
	case NFMT_SINT: {
		int32_t i = (int32_t)in, hi = (int32_t)smax, lo = -hi - 1;
		return (uint32_t)(i < lo ? lo : i > hi ? hi : i) & max;
	}
	default:
		switch (bits) {
		case 32: return in;
		case 16: return cu_float_to_half(f);
		case 11: return to_unsigned_small_float(f, 6);
		default: return to_unsigned_small_float(f, 5);
		}
	}
}

/* Shared exponent: Vulkan 1.3, "RGB to Shared Exponent Conversion", with
 * mantissas rounded to nearest even. */
static uint32_t pack_5999(const uint32_t in[4])
{
	float c[3], max = 0;
	for (int i = 0; i < 3; i++) {
		float f = bits_float(in[i]);
		c[i] = f > 0 ? f < CU_MAX_5999 ? f : CU_MAX_5999 : 0;
		max = c[i] > max ? c[i] : max;
	}
	int e = (int)(float_bits(max) >> 23) - 127;
	e = (e < -16 ? -16 : e) + 16;
	if (round_even((double)max * (double)bits_float((uint32_t)(24 - e + 127) << 23)) == 512)
		e++;
	double scale = bits_float((uint32_t)(24 - e + 127) << 23);
	uint32_t v = (uint32_t)e << 27;
	for (int i = 0; i < 3; i++)
		v |= (uint32_t)round_even((double)c[i] * scale) << 9 * i;
	return v;
}

static void unpack(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4])
{
	struct cu_format_layout l = cu_format_layout(dfmt);
	uint32_t raw[4] = { 0 };
	memcpy(raw, src, l.bytes);
	if (dfmt == DFMT_5_9_9_9) {
		float scale = bits_float(((raw[0] >> 27) + 103) << 23); /* 2^(e - 24) */
		for (int c = 0; c < 3; c++)
			out[c] = float_bits((float)(raw[0] >> 9 * c & 511) * scale);
		return;
	}
	for (unsigned c = 0; c < l.count; c++) {
		uint32_t v = raw[l.shift[c] / 32] >> l.shift[c] % 32 & low_bits(l.bits[c]);
		out[c] = unpack_component(nfmt, l.bits[c], c, v);
	}
}

static void pack(unsigned dfmt, unsigned nfmt, const uint32_t in[4], void *dst)
{
	struct cu_format_layout l = cu_format_layout(dfmt);
	uint32_t raw[4] = { 0 };
	if (dfmt == DFMT_5_9_9_9)
		raw[0] = pack_5999(in);
	else
		for (unsigned c = 0; c < l.count; c++)
			raw[l.shift[c] / 32] |= pack_component(nfmt, l.bits[c], c, in[c]) << l.shift[c] % 32;
	memcpy(dst, raw, l.bytes);
}

static void absent(unsigned nfmt, uint32_t out[4])
{
	out[0] = out[1] = out[2] = 0;
	out[3] = cu_nfmt_is_integer(nfmt) ? 1 : 0x3f800000;
}

void cu_format_unpack(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4])
{
	absent(nfmt, out);
	if (cu_format_valid(dfmt, nfmt))
		unpack(dfmt, nfmt, src, out);
}

void cu_format_pack(unsigned dfmt, unsigned nfmt, const uint32_t in[4], void *dst)
{
	if (cu_format_valid(dfmt, nfmt))
		pack(dfmt, nfmt, in, dst);
}

bool cu_format_valid_buffer(unsigned dfmt, unsigned nfmt)
{
	return cu_format_in_buffers(dfmt) && cu_format_layout(dfmt).count && (nfmt < NFMT_FLOAT || cu_format_valid(dfmt, nfmt));
}

void cu_format_unpack_buffer(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4])
{
	absent(nfmt, out);
	if (cu_format_valid_buffer(dfmt, nfmt))
		unpack(dfmt, nfmt, src, out);
}

void cu_format_pack_buffer(unsigned dfmt, unsigned nfmt, const uint32_t in[4], void *dst)
{
	if (cu_format_valid_buffer(dfmt, nfmt) && nfmt != NFMT_SNORM_OGL)
		pack(dfmt, nfmt, in, dst);
}
