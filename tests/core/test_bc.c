/* SPDX-License-Identifier: MIT */
/* Blocks of BC1 to BC7: some worked out by hand from the specification; and the checksum of what a stream of made-up
 * blocks decodes to, with each mode in turn.  A million blocks a format of such a stream were compared with a decoder
 * of other authors: equal bit for bit (BC4 and BC5, which that one rounds twice, within 2^-22), but for ends of BC1
 * that are equal, where the specification decides for three colours, and for its signed BC4 and BC5, which divide by 128. */
#include <string.h>
#include "core/format/bc.h"
#include "isa/bits.h"
#include "tests/check.h"

static bool is(const uint8_t texel[4], unsigned r, unsigned g, unsigned b, unsigned a)
{
	return texel[0] == r && texel[1] == g && texel[2] == b && texel[3] == a;
}

static void colours(void)
{
	/* Red and blue; the first row has indices 0 to 3. */
	static const uint8_t four[8] = { 0x00, 0xf8, 0x1f, 0x00, 0xe4 }, three[8] = { 0x1f, 0x00, 0x00, 0xf8, 0xe4 };
	static const uint8_t equal[8] = { 0xff, 0xff, 0xff, 0xff, 0xe4 };
	uint8_t t[16][4], block[16] = { 0x10, 0xf2 };
	cu_bc1_decode(four, true, t);
	EXPECT(is(t[0], 255, 0, 0, 255) && is(t[1], 0, 0, 255, 255) && is(t[2], 170, 0, 85, 255) && is(t[3], 85, 0, 170, 255));
	EXPECT(is(t[15], 255, 0, 0, 255));
	cu_bc1_decode(three, true, t);
	EXPECT(is(t[2], 127, 0, 127, 255) && is(t[3], 0, 0, 0, 0));
	cu_bc1_decode(three, false, t);
	EXPECT(is(t[2], 127, 0, 127, 255) && is(t[3], 0, 0, 0, 255));
	cu_bc1_decode(equal, true, t);
	EXPECT(is(t[2], 255, 255, 255, 255) && is(t[3], 0, 0, 0, 0));
	memcpy(block + 8, three, 8); /* four colours whatever their order */
	cu_bc2_decode(block, t);
	EXPECT(is(t[0], 0, 0, 255, 0) && is(t[1], 255, 0, 0, 17) && is(t[2], 85, 0, 170, 34) && is(t[3], 170, 0, 85, 255));
}

static void fractions(void)
{
	static const uint8_t ascending[16] = { 0, 255, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa, 0xff, 0xff, 0, 0 };
	static const uint8_t descending[16] = { 255, 0, 0x88, 0xc6, 0xfa, 0x88, 0xc6, 0xfa, 0xff, 0xff, 0, 0 };
	static const uint8_t six[8] = { 0, 255, 51, 102, 153, 204, 0, 255 }, eight[8] = { 255, 0, 218, 182, 145, 109, 72, 36 };
	uint8_t t[16][4];
	float f[16];
	for (unsigned i = 0; i < 16; i++) { /* indices 0 to 7, twice */
		cu_bc3_decode(ascending, t);
		EXPECT(t[i][3] == six[i & 7], "alpha %u: %u", i, t[i][3]);
		cu_bc3_decode(descending, t);
		EXPECT(t[i][3] == eight[i & 7], "alpha %u: %u", i, t[i][3]);
	}
	cu_bc4_decode(descending, false, f);
	EXPECT(f[0] == 1 && f[1] == 0 && float_bits(f[2]) == float_bits(6.0f / 7) && float_bits(f[7]) == float_bits(1.0f / 7));
	/* -1 twice, as -127 and -128: which is the first counts. */
	uint8_t ends[16] = { 0x81, 0x80, 0x88, 0xc6, 0xfa, 0, 0, 0, 0x80, 0x81, 0x88, 0xc6, 0xfa };
	float g[16][2];
	cu_bc5_decode(ends, true, g);
	for (unsigned i = 0; i < 8; i++)
		EXPECT(g[i][0] == -1 && g[i][1] == (i == 7 ? 1 : -1), "%u: %g %g", i, (double)g[i][0], (double)g[i][1]);
}

static void modes(void)
{
	static const uint8_t reserved[4] = { 0x13, 0x17, 0x1b, 0x1f };
	uint8_t block[16] = { 0 }, t[16][4];
	uint16_t h[16][4];
	memset(t, 1, sizeof t);
	cu_bc7_decode(block, t);
	EXPECT(is(t[0], 0, 0, 0, 0) && is(t[15], 0, 0, 0, 0));
	memset(block, 255, sizeof block);
	for (unsigned m = 0; m < 8; m++) {
		block[0] = (uint8_t)(255u << m);
		cu_bc7_decode(block, t);
		EXPECT(is(t[0], 255, 255, 255, 255) && is(t[15], 255, 255, 255, 255), "mode %u", m);
	}
	for (unsigned i = 0; i < 4; i++) {
		block[0] = reserved[i];
		cu_bc6h_decode(block, true, h);
		EXPECT(h[0][0] == 0 && h[15][2] == 0 && h[0][3] == 0x3c00 && h[15][3] == 0x3c00, "reserved %u", i);
	}
	block[0] = 0xe3; /* one subset, ends of 10 bits, all ones */
	cu_bc6h_decode(block, false, h);
	EXPECT(h[0][0] == 0x7bff && h[15][2] == 0x7bff, "%04x", h[0][0]);
	cu_bc6h_decode(block, true, h); /* -1 of 511: 96 of 32767, of which 31/32 */
	EXPECT(h[0][0] == 0x805d && h[0][3] == 0x3c00, "%04x", h[0][0]);
}

/* --- the stream --- */

static uint64_t state;
static uint64_t rnd(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }

static void made_up(unsigned i, unsigned format, uint8_t block[16])
{
	uint64_t a = rnd(), b = rnd();
	a = i % 4 == 1 ? a & rnd() & rnd() : a;
	b = i % 4 == 2 ? b | rnd() | rnd() : b;
	for (unsigned k = 0; k < 8; k++) {
		block[k] = (uint8_t)(a >> 8 * k);
		block[8 + k] = (uint8_t)(b >> 8 * k);
	}
	if (format == 7 && i % 2) { /* mode: the lowest bit set */
		unsigned mode = i / 2 % 8;
		block[0] = (uint8_t)((block[0] | 1u) << mode);
	}
	if (format == 6 && i % 2)
		block[0] = (uint8_t)((block[0] & ~31u) | (i / 2 & 31));
}

static uint64_t stream(unsigned format, bool flag)
{
	uint64_t sum = 0xcbf29ce484222325ull;
	state = 88172645463325252ull;
	for (unsigned i = 0; i < 20000; i++) {
		uint8_t block[16], t[16][4];
		uint16_t h[16][4];
		float f[16][2] = { 0 }, one[16];
		made_up(i, format, block);
		switch (format) {
		case 1: cu_bc1_decode(block, flag, t); break;
		case 2: cu_bc2_decode(block, t); break;
		case 3: cu_bc3_decode(block, t); break;
		case 4:
			cu_bc4_decode(block, flag, one);
			for (unsigned k = 0; k < 16; k++)
				f[k][0] = one[k];
			break;
		case 5: cu_bc5_decode(block, flag, f); break;
		case 6: cu_bc6h_decode(block, flag, h); break;
		default: cu_bc7_decode(block, t); break;
		}
		const uint8_t *bytes = format == 6 ? (const uint8_t *)h : (const uint8_t *)t;
		for (unsigned k = 0; k < (format == 6 ? 128u : format == 4 || format == 5 ? 0 : 64); k++)
			sum = (sum ^ bytes[k]) * 0x100000001b3ull;
		for (unsigned k = 0; k < 32 && (format == 4 || format == 5); k++)
			sum = (sum ^ float_bits(f[k / 2][k % 2])) * 0x100000001b3ull;
	}
	return sum;
}

int main(void)
{
	static const struct { unsigned format; bool flag; uint64_t sum; } want[] = {
		{ 1, false, 0x5466f955ad39d38e },
		{ 1, true, 0x883e6ce9641f7096 },
		{ 2, false, 0x01ea7f11497faa6c },
		{ 3, false, 0x1912ca01500aed7c },
		{ 4, false, 0xc80e41d115afce9f },
		{ 4, true, 0x9fd63aa4b2761b17 },
		{ 5, false, 0x410813431fa782c1 },
		{ 5, true, 0x3d29b023db516311 },
		{ 6, false, 0x01b81a0321f0df19 },
		{ 6, true, 0x8889b53ee5d2acd5 },
		{ 7, false, 0x943d4f3f1e15cf0c },
	};
	colours();
	fractions();
	modes();
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		uint64_t sum = stream(want[i].format, want[i].flag);
		EXPECT(sum == want[i].sum, "BC%u %d: 0x%016llx", want[i].format, want[i].flag, (unsigned long long)sum);
	}
	return failures != 0;
}
