/* SPDX-License-Identifier: MIT */
/* "HDR Endpoint Decoding": components of 12 bits, 0x780 is 1.0. */
#include "core/format/astc_block.h"

enum { ONE = 0x780, MAX = 0xfff };

static void set_rgb(int end[4], int r, int g, int b)
{
	end[0] = astc_clamp(r, 0, MAX);
	end[1] = astc_clamp(g, 0, MAX);
	end[2] = astc_clamp(b, 0, MAX);
	end[3] = ONE;
}

/* Exchanges red and the major component, which the fields have as red. */
static void place_major(int end[4], int major)
{
	int red = end[0];
	end[0] = end[major];
	end[major] = red;
}

/* Where a bit goes whose place the mode decides: to which field, and where there. */
struct place {
	uint8_t field, bit;
};

static void place_bits(const struct place *places, unsigned count, unsigned bits, int *fields)
{
	for (unsigned i = 0; i < count; i++)
		fields[places[i].field] |= (int)(bits >> i & 1) << places[i].bit;
}

/* Mode 2: luminance, large range. */
static void decode_luminance_large(const uint8_t *v, int end[2][4])
{
	int y0 = v[0] << 4, y1 = v[1] << 4;
	if (v[1] < v[0]) {
		y0 = (v[1] << 4) + 8;
		y1 = (v[0] << 4) - 8;
	}
	set_rgb(end[0], y0, y0, y0);
	set_rgb(end[1], y1, y1, y1);
}

/* Mode 3: luminance, small range; one more bit is the base's or the offset's. */
static void decode_luminance_small(const uint8_t *v, int end[2][4])
{
	bool wide = v[0] & 0x80;
	unsigned offset_bits = wide ? 5 : 4, shift = wide ? 2 : 1;
	int base = (v[1] >> offset_bits << (offset_bits + 4)) | (v[0] & 0x7f) << shift;
	int other = base + ((v[1] & ((1 << offset_bits) - 1)) << shift);
	set_rgb(end[0], base, base, base);
	set_rgb(end[1], other, other, other);
}

/* Mode 7: a colour and how much less the other is in all channels. */
static void decode_scale(const uint8_t *v, int end[2][4])
{
	enum { R, G, B, S };
	static const struct place places[6][7] = {
		{ { R, 9 }, { R, 8 }, { R, 7 }, { R, 10 }, { R, 6 }, { S, 6 }, { S, 5 } },
		{ { R, 8 }, { G, 5 }, { R, 7 }, { B, 5 }, { R, 6 }, { R, 10 }, { R, 9 } },
		{ { R, 9 }, { R, 8 }, { R, 7 }, { R, 6 }, { S, 7 }, { S, 6 }, { S, 5 } },
		{ { R, 8 }, { G, 5 }, { R, 7 }, { B, 5 }, { R, 6 }, { S, 6 }, { S, 5 } },
		{ { G, 6 }, { G, 5 }, { B, 6 }, { B, 5 }, { R, 6 }, { R, 7 }, { S, 5 } },
		{ { G, 6 }, { G, 5 }, { B, 6 }, { B, 5 }, { R, 6 }, { S, 6 }, { S, 5 } },
	};
	static const uint8_t shifts[6] = { 1, 1, 2, 3, 4, 5 };
	unsigned code = v[0] >> 6 | (v[1] >> 5 & 4) | (v[2] >> 4 & 8);
	unsigned major = code >> 2, mode = code & 3;
	if (major == 3) {
		major = mode == 3 ? 0 : mode;
		mode = mode == 3 ? 5 : 4;
	}
	int f[4] = { v[0] & 0x3f, v[1] & 0x1f, v[2] & 0x1f, v[3] & 0x1f };
	unsigned x = (v[1] >> 6 & 1) | (v[1] >> 4 & 2) | (v[2] >> 4 & 4) | (v[2] >> 2 & 8) |
		(v[3] >> 3 & 16) | (v[3] >> 1 & 32) | (v[3] << 1 & 64);
	place_bits(places[mode], 7, x, f);
	for (int i = 0; i < 4; i++)
		f[i] <<= shifts[mode];
	if (mode != 5) {
		f[G] = f[R] - f[G];
		f[B] = f[R] - f[B];
	}
	set_rgb(end[0], f[R] - f[S], f[G] - f[S], f[B] - f[S]);
	set_rgb(end[1], f[R], f[G], f[B]);
	place_major(end[0], (int)major);
	place_major(end[1], (int)major);
}

/* An offset of n bits, signed. */
static int sign_extend(int v, unsigned n)
{
	int sign = 1 << (n - 1);
	return ((v & (2 * sign - 1)) ^ sign) - sign;
}

/* Modes 11, 14 and 15: two colours, or one and what the other lacks. */
static void decode_rgb(const uint8_t *v, int end[2][4])
{
	enum { A, B0, B1, C, D0, D1 };
	static const struct place places[8][6] = {
		{ { B0, 6 }, { B1, 6 }, { D0, 6 }, { D1, 6 }, { D0, 5 }, { D1, 5 } },
		{ { B0, 6 }, { B1, 6 }, { B0, 7 }, { B1, 7 }, { D0, 5 }, { D1, 5 } },
		{ { A, 9 }, { C, 6 }, { D0, 6 }, { D1, 6 }, { D0, 5 }, { D1, 5 } },
		{ { B0, 6 }, { B1, 6 }, { A, 9 }, { C, 6 }, { D0, 5 }, { D1, 5 } },
		{ { B0, 6 }, { B1, 6 }, { B0, 7 }, { B1, 7 }, { A, 9 }, { A, 10 } },
		{ { A, 9 }, { A, 10 }, { C, 7 }, { C, 6 }, { D0, 5 }, { D1, 5 } },
		{ { B0, 6 }, { B1, 6 }, { A, 11 }, { C, 6 }, { A, 9 }, { A, 10 } },
		{ { A, 9 }, { A, 10 }, { A, 11 }, { C, 6 }, { D0, 5 }, { D1, 5 } },
	};
	static const uint8_t d_bits[8] = { 7, 6, 7, 6, 5, 6, 5, 6 };
	int major = v[4] >> 7 | (v[5] >> 6 & 2);
	if (major == 3) {
		set_rgb(end[0], v[0] << 4, v[2] << 4, (v[4] & 0x7f) << 5);
		set_rgb(end[1], v[1] << 4, v[3] << 4, (v[5] & 0x7f) << 5);
		return;
	}
	unsigned mode = v[1] >> 7 | (v[2] >> 6 & 2) | (v[3] >> 5 & 4);
	int f[6] = { v[0] | (v[1] & 0x40) << 2, v[2] & 0x3f, v[3] & 0x3f, v[1] & 0x3f, v[4] & 0x1f, v[5] & 0x1f };
	unsigned x = (v[2] >> 6 & 1) | (v[3] >> 5 & 2) | (v[4] >> 4 & 4) | (v[5] >> 3 & 8) |
		(v[4] >> 1 & 16) | (v[5] & 32);
	place_bits(places[mode], 6, x, f);
	f[D0] = sign_extend(f[D0], d_bits[mode]);
	f[D1] = sign_extend(f[D1], d_bits[mode]);
	int scale = 1 << ((mode >> 1) ^ 3);
	for (int i = 0; i < 6; i++)
		f[i] *= scale;
	set_rgb(end[0], f[A] - f[C], f[A] - f[B0] - f[C] - f[D0], f[A] - f[B1] - f[C] - f[D1]);
	set_rgb(end[1], f[A], f[A] - f[B0], f[A] - f[B1]);
	place_major(end[0], major);
	place_major(end[1], major);
}

/* Mode 15: alpha as two values, or one and an offset. */
static void decode_alpha(const uint8_t *v, int *a0, int *a1)
{
	unsigned mode = v[0] >> 7 | (v[1] >> 6 & 2);
	int a = v[0] & 0x7f, b = v[1] & 0x7f;
	if (mode == 3) {
		*a0 = a << 5;
		*a1 = b << 5;
		return;
	}
	a |= b << (mode + 1) & 0x780;
	b = sign_extend(b, 6 - mode);
	*a0 = a << (4 - mode);
	*a1 = astc_clamp((a + b) * (1 << (4 - mode)), 0, MAX);
}

void astc_endpoints_decode_hdr(unsigned endpoint_mode, const uint8_t *v, struct astc_endpoints *out)
{
	out->hdr_rgb = out->hdr_alpha = true;
	switch (endpoint_mode) {
	case 2: decode_luminance_large(v, out->end); break;
	case 3: decode_luminance_small(v, out->end); break;
	case 7: decode_scale(v, out->end); break;
	default: decode_rgb(v, out->end); break;
	}
	if (endpoint_mode == 14) {
		out->hdr_alpha = false;
		out->end[0][3] = v[6];
		out->end[1][3] = v[7];
	} else if (endpoint_mode == 15) {
		decode_alpha(v + 6, &out->end[0][3], &out->end[1][3]);
	}
}
