/* SPDX-License-Identifier: MIT */
/* Scalar conversions against exact references: every texel of the small
 * formats, rationals in double or long arithmetic for the rest. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "core/format/format.h"
#include "core/format/format_layout.h"
#include "tests/check.h"

static uint32_t bits(float f) { uint32_t u; memcpy(&u, &f, 4); return u; }
static float value(uint32_t u) { float f; memcpy(&f, &u, 4); return f; }
static uint64_t state = 88172645463325252ull;
static uint32_t rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return (uint32_t)(state >> 16); }

/* One component of a format, reference by rational arithmetic. */
static void check_unpack(unsigned nfmt, unsigned n, uint32_t v, uint32_t got)
{
	int32_t s = (int32_t)(v << (32 - n)) >> (32 - n);
	uint32_t max = (1u << n) - 1;
	switch (nfmt) {
	case NFMT_UNORM: EXPECT(value(got) == (float)((double)v / max), "unorm%u %u", n, v); break;
	case NFMT_UNORM_10: EXPECT(value(got) == (float)((double)(v / 64) / 1023), "unorm_10 %u", v); break;
	case NFMT_UNORM_12: EXPECT(value(got) == (float)((double)(v / 16) / 4095), "unorm_12 %u", v); break;
	case NFMT_SNORM: EXPECT(value(got) == fmaxf((float)((double)s / (max >> 1)), -1), "snorm%u %d", n, s); break;
	case NFMT_USCALED: EXPECT(value(got) == (float)v, "uscaled"); break;
	case NFMT_SSCALED: EXPECT(value(got) == (float)s, "sscaled"); break;
	case NFMT_UINT: EXPECT(got == v, "uint"); break;
	case NFMT_SINT: EXPECT(got == (uint32_t)s, "sint"); break;
	}
}

/* All values of every component of at most 16 bits: unpack and back. */
static void test_components(unsigned dfmt, unsigned nfmt)
{
	struct cu_format_layout l = cu_format_layout(dfmt);
	if (nfmt == NFMT_FLOAT || nfmt == NFMT_SRGB)
		return;
	for (unsigned c = 0; c < l.count; c++) {
		if (l.bits[c] > 16)
			continue;
		for (uint32_t v = 0; v < 1u << l.bits[c]; v++) {
			uint32_t raw[4] = { 0 }, out[4], back[4] = { 0 };
			raw[l.shift[c] / 32] = v << l.shift[c] % 32;
			cu_format_unpack(dfmt, nfmt, raw, out);
			check_unpack(nfmt, l.bits[c], v, out[c]);
			cu_format_pack(dfmt, nfmt, out, back);
			uint32_t expect = v;
			if (nfmt == NFMT_SNORM && v == 1u << (l.bits[c] - 1))
				expect = v + 1; /* both lowest codes mean -1 */
			if (nfmt == NFMT_UNORM_10 || nfmt == NFMT_UNORM_12)
				expect = nfmt == NFMT_UNORM_10 ? v & 0xffc0 : v & 0xfff0;
			EXPECT((back[l.shift[c] / 32] >> l.shift[c] % 32 & ((1u << l.bits[c]) - 1)) == expect,
				"round trip dfmt %u nfmt %u comp %u value %u", dfmt, nfmt, c, v);
		}
	}
}

static void test_absent(void)
{
	uint32_t out[4], raw[4] = { 0 };
	cu_format_unpack(DFMT_8, NFMT_UNORM, raw, out);
	EXPECT(!out[1] && !out[2] && out[3] == bits(1), "absent float");
	cu_format_unpack(DFMT_32_32, NFMT_SINT, raw, out);
	EXPECT(!out[2] && out[3] == 1, "absent int");
	EXPECT(!cu_format_valid(0, 0) && !cu_format_valid(DFMT_32, NFMT_UNORM) && !cu_format_valid(999, 3) &&
		cu_format_valid(DFMT_8_8_8_8, NFMT_SRGB), "valid");
}

static void test_pack_rounding(void)
{
	for (int i = 0; i < 2000000; i++) {
		float f = value(rnd());
		if (i & 1)
			f = (float)((rnd() % 70000) + 0.5) / (float)(rnd() % 2 ? 255 : 65535);
		uint32_t in[4] = { bits(f) };
		uint8_t u8;
		uint16_t u16;
		int8_t s8;
		double d = isnan(f) ? 0 : f, u = fmin(fmax(d, 0), 1), s = fmin(fmax(d, -1), 1);
		cu_format_pack(DFMT_8, NFMT_UNORM, in, &u8);
		EXPECT(u8 == (uint8_t)nearbyint(u * 255), "unorm8 %a", f);
		cu_format_pack(DFMT_16, NFMT_UNORM, in, &u16);
		EXPECT(u16 == (uint16_t)nearbyint(u * 65535), "unorm16 %a", f);
		cu_format_pack(DFMT_8, NFMT_SNORM, in, &s8);
		EXPECT(s8 == (int8_t)nearbyint(s * 127), "snorm8 %a", f);
	}
	uint32_t in[4] = { 300, 0x80000000, 5, 4 };
	uint8_t b[4];
	cu_format_pack(DFMT_8_8_8_8, NFMT_UINT, in, b);
	EXPECT(b[0] == 255 && b[1] == 255 && b[2] == 5, "uint saturates");
	cu_format_pack(DFMT_8_8_8_8, NFMT_SINT, in, b);
	EXPECT(b[0] == 127 && b[1] == 128, "sint saturates");
}

static void test_half(void)
{
	for (uint32_t h = 0; h < 65536; h++) {
		float f = cu_half_to_float((uint16_t)h);
		int e = h >> 10 & 31, m = h & 1023;
		double ref = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
		EXPECT(isnan(ref) ? isnan(f) : f == (float)(h >> 15 ? -ref : ref), "half %x", h);
		uint16_t back = cu_float_to_half(f);
		EXPECT(back == (e == 31 && m ? (h | 0x200) : h), "half round trip %x", h);
	}
	/* Ties and neighbours of every midpoint between two halves. */
	for (uint32_t h = 0; h < 0x7c00; h++) {
		double a = cu_half_to_float((uint16_t)h), b = h == 0x7bff ? 65536 : cu_half_to_float((uint16_t)(h + 1));
		float mid = (float)((a + b) / 2);
		EXPECT(cu_float_to_half(mid) == (h & 1 ? h + 1 : h), "tie %x", h);
		EXPECT(cu_float_to_half(nextafterf(mid, 0)) == h, "below %x", h);
		EXPECT(cu_float_to_half(nextafterf(mid, 1e9f)) == h + 1, "above %x", h);
	}
	EXPECT(cu_float_to_half(-INFINITY) == 0xfc00 && cu_float_to_half(1e30f) == 0x7c00, "infinity");
}

static void test_small_floats(void)
{
	for (uint32_t v = 0; v < 2048; v++) {
		uint32_t out[4], raw = v, back;
		cu_format_unpack(DFMT_10_11_11, NFMT_FLOAT, &raw, out);
		int e = v >> 6, m = v & 63;
		double ref = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(64 + m, e - 21) : ldexp(m, -20);
		EXPECT(isnan(ref) ? isnan(value(out[0])) : value(out[0]) == ref, "f11 %x", v);
		cu_format_pack(DFMT_10_11_11, NFMT_FLOAT, out, &back);
		EXPECT((back & 2047) == (isnan(ref) ? 0x7e0 : v), "f11 back %x %x", v, back);
		if (v < 0x7bf) { /* midpoint to the next */
			float mid = (float)((ref + (e ? ldexp(64 + m + 1, e - 21) : ldexp(m + 1, -20))) / 2);
			uint32_t in[4] = { bits(mid) };
			cu_format_pack(DFMT_10_11_11, NFMT_FLOAT, in, &back);
			EXPECT((back & 2047) == (v & 1 ? v + 1 : v), "f11 tie %x", v);
		}
	}
	uint32_t in[4] = { bits(-1), bits(NAN), bits(INFINITY) }, raw;
	cu_format_pack(DFMT_10_11_11, NFMT_FLOAT, in, &raw);
	EXPECT((raw & 2047) == 0 && (raw >> 11 & 2047) == 0x7e0 && raw >> 22 == 0x3e0, "f11 special %x", raw);
}

/* The shared exponent is the smallest that holds the largest channel, and
 * each mantissa is within half a step. */
static void test_5999(void)
{
	for (int i = 0; i < 300000; i++) {
		uint32_t in[4], out[4], raw;
		double max = 0;
		for (int c = 0; c < 3; c++) {
			float f = ldexpf((float)(rnd() % 4096) / 4096, (int)(rnd() % 44) - 24);
			in[c] = bits(f);
			max = fmax(max, f);
		}
		cu_format_pack(DFMT_5_9_9_9, NFMT_FLOAT, in, &raw);
		cu_format_unpack(DFMT_5_9_9_9, NFMT_FLOAT, &raw, out);
		double step = ldexp(1, (int)(raw >> 27) - 24);
		for (int c = 0; c < 3; c++)
			EXPECT(fabs(fmin(value(in[c]), 65408) - value(out[c])) <= step / 2, "5999 error %a", value(in[c]));
		EXPECT(raw >> 27 == 0 || max >= 511.5 * step / 2, "5999 exponent too large for %a", max);
	}
	uint32_t in[4] = { bits(NAN), bits(INFINITY), bits(-1) }, out[4], raw;
	cu_format_pack(DFMT_5_9_9_9, NFMT_FLOAT, in, &raw);
	cu_format_unpack(DFMT_5_9_9_9, NFMT_FLOAT, &raw, out);
	EXPECT(value(out[0]) == 0 && value(out[1]) == 65408 && value(out[2]) == 0, "5999 special");
}

static double srgb(double l) { return l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055; }
static double linear(double c) { return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4); }

static void test_srgb(void)
{
	for (unsigned v = 0; v < 256; v++) {
		uint32_t out[4], raw = v | v << 8 | v << 16 | v << 24, back;
		cu_format_unpack(DFMT_8_8_8_8, NFMT_SRGB, &raw, out);
		EXPECT(value(out[1]) == (float)linear(v / 255.0), "srgb decode %u", v);
		EXPECT(value(out[3]) == (float)(v / 255.0), "srgb alpha %u", v);
		cu_format_pack(DFMT_8_8_8_8, NFMT_SRGB, out, &back);
		EXPECT(raw == back, "srgb round trip %u", v);
	}
	/* Every 61st float of [0, 1]. */
	for (uint32_t u = 0; u <= 0x3f800000; u += 61) {
		uint32_t in[4] = { u };
		double code = srgb(value(u)) * 255;
		uint8_t got;
		cu_format_pack(DFMT_8, NFMT_SRGB, in, &got);
		EXPECT(got == (uint8_t)nearbyint(code) || fabs(code - floor(code) - 0.5) < 1e-9, "srgb encode %a", value(u));
	}
	for (uint32_t u = 0x30000000; u <= 0x3f800000; u += 1009) {
		float f = value(u);
		EXPECT(fabs(cu_srgb_to_linear(f) - linear(f)) <= linear(f) * 6.1e-8, "to linear %a", f);
		EXPECT(fabs(cu_linear_to_srgb(f) - srgb(f)) <= srgb(f) * 6.1e-8, "to srgb %a", f);
	}
	uint32_t in[4] = { bits(NAN), bits(-INFINITY), bits(INFINITY), bits(NAN) };
	uint8_t out[4];
	cu_format_pack(DFMT_8_8_8_8, NFMT_SRGB, in, out);
	EXPECT(!out[0] && !out[1] && out[2] == 255 && !out[3], "srgb special");
}

int main(void)
{
#define F(d, n) test_components(DFMT_##d, NFMT_##n);
	ISA_FORMATS(F)
	test_absent();
	test_pack_rounding();
	test_half();
	test_small_floats();
	test_5999();
	test_srgb();
	printf("%d failures\n", failures);
	return failures != 0;
}
