/* SPDX-License-Identifier: MIT */
/* BC6H (Khronos Data Format specification 1.3, chapter 20), and the partitions that BC7 has as well. */
#include "core/format/bc.h"

#include <string.h>
#include "core/format/bptc.h"

/* The block's bits from the lowest on, zeros behind them: those before `at` are taken. */
struct bits { uint8_t byte[24]; unsigned at; };

static struct bits bits_of(const void *block)
{
	struct bits b = { { 0 }, 0 };
	memcpy(b.byte, block, 16);
	return b;
}

static unsigned take(struct bits *b, unsigned count) /* 0..16 */
{
	uint32_t v;
	memcpy(&v, b->byte + b->at / 8, 4);
	v >>= b->at % 8;
	b->at += count;
	return v & ((1u << count) - 1);
}

static unsigned take_reversed(struct bits *b, unsigned count)
{
	unsigned v = 0;
	for (unsigned i = 0; i < count; i++)
		v = v << 1 | take(b, 1);
	return v;
}

/* --- partitions --- */

const uint16_t cu_bptc_two[64] = {
	0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
	0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
	0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
	0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
	0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
	0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
	0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
	0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

const uint32_t cu_bptc_three[64] = {
	0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
	0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
	0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
	0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
	0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
	0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
	0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

const uint64_t cu_bptc_anchor_of_two[4] = {
	0xffffffffffffffff, 0x22882282f882282f, 0x6ff22282ff8286ff, 0xf22fffff22ff8626 };
const uint64_t cu_bptc_anchors_of_three[2][4] = {
	{ 0x33566688ff38ff33, 0xff586885a633f833, 0xffff5f3ff8a653f8, 0x33cfd8a5a58555f3 },
	{ 0x8fffffff83ff388f, 0x8affa6f38f8f3f8f, 0x8663f8f6a98aaf3f, 0x8ff3ffffffffff3f } };

/* --- indices --- */

/* The indices of all texels, `bits` each from the lowest on. */
static uint64_t indices(struct bits *b, unsigned bits, unsigned anchors)
{
	uint64_t v;
	memcpy(&v, b->byte + b->at / 8, 8);
	return cu_bptc_indices(v >> b->at % 8 | (uint64_t)b->byte[b->at / 8 + 8] << 1 << (63 - b->at % 8), bits, anchors);
}

const uint8_t cu_bptc_weights[3][16] = { { 0, 21, 43, 64 }, { 0, 9, 18, 27, 37, 46, 55, 64 },
	{ 0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64 } };

static int between(int a, int b, unsigned bits, uint64_t index)
{
	const int w = cu_bptc_weights[bits - 2][index];
	return (a * (64 - w) + b * w + 32) >> 6;
}

/* --- BC6H --- */

/* Where the ends' bits lie: runs from the mode's last bit on.  A run: which channel of which end, its lowest bit,
 * how many bits; R: the highest first. */
enum { R0, G0, B0, R1, G1, B1, R2, G2, B2, R3, G3, B3 };
#define RUN(channel, low, count) (channel | (low) << 4 | (count) << 8)
#define REVERSED(channel, low, count) (RUN(channel, low, count) | 1 << 12)
#define RUNS 24 /* 0 ends a list that is shorter: no run has 0 bits */

static const struct mode6 {
	uint8_t bits;     /* of an end, and of the differences to the first */
	uint8_t delta[3];
	uint8_t subsets;
	bool transformed;
	uint16_t runs[RUNS];
} modes6[14] = {
	{ 10, { 5, 5, 5 }, 2, true, {
		RUN(G2, 4, 1), RUN(B2, 4, 1), RUN(B3, 4, 1), RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10),
		RUN(R1, 0, 5), RUN(G3, 4, 1), RUN(G2, 0, 4), RUN(G1, 0, 5), RUN(B3, 0, 1), RUN(G3, 0, 4),
		RUN(B1, 0, 5), RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 5), RUN(B3, 2, 1), RUN(R3, 0, 5),
		RUN(B3, 3, 1) } },
	{ 7, { 6, 6, 6 }, 2, true, {
		RUN(G2, 5, 1), RUN(G3, 4, 1), RUN(G3, 5, 1), RUN(R0, 0, 7), RUN(B3, 0, 1), RUN(B3, 1, 1),
		RUN(B2, 4, 1), RUN(G0, 0, 7), RUN(B2, 5, 1), RUN(B3, 2, 1), RUN(G2, 4, 1), RUN(B0, 0, 7),
		RUN(B3, 3, 1), RUN(B3, 5, 1), RUN(B3, 4, 1), RUN(R1, 0, 6), RUN(G2, 0, 4), RUN(G1, 0, 6),
		RUN(G3, 0, 4), RUN(B1, 0, 6), RUN(B2, 0, 4), RUN(R2, 0, 6), RUN(R3, 0, 6) } },
	{ 11, { 5, 4, 4 }, 2, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 5), RUN(R0, 10, 1), RUN(G2, 0, 4),
		RUN(G1, 0, 4), RUN(G0, 10, 1), RUN(B3, 0, 1), RUN(G3, 0, 4), RUN(B1, 0, 4), RUN(B0, 10, 1),
		RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 5), RUN(B3, 2, 1), RUN(R3, 0, 5), RUN(B3, 3, 1) } },
	{ 11, { 4, 5, 4 }, 2, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 4), RUN(R0, 10, 1), RUN(G3, 4, 1),
		RUN(G2, 0, 4), RUN(G1, 0, 5), RUN(G0, 10, 1), RUN(G3, 0, 4), RUN(B1, 0, 4), RUN(B0, 10, 1),
		RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 4), RUN(B3, 0, 1), RUN(B3, 2, 1), RUN(R3, 0, 4),
		RUN(G2, 4, 1), RUN(B3, 3, 1) } },
	{ 11, { 4, 4, 5 }, 2, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 4), RUN(R0, 10, 1), RUN(B2, 4, 1),
		RUN(G2, 0, 4), RUN(G1, 0, 4), RUN(G0, 10, 1), RUN(B3, 0, 1), RUN(G3, 0, 4), RUN(B1, 0, 5),
		RUN(B0, 10, 1), RUN(B2, 0, 4), RUN(R2, 0, 4), RUN(B3, 1, 1), RUN(B3, 2, 1), RUN(R3, 0, 4),
		RUN(B3, 4, 1), RUN(B3, 3, 1) } },
	{ 9, { 5, 5, 5 }, 2, true, {
		RUN(R0, 0, 9), RUN(B2, 4, 1), RUN(G0, 0, 9), RUN(G2, 4, 1), RUN(B0, 0, 9), RUN(B3, 4, 1),
		RUN(R1, 0, 5), RUN(G3, 4, 1), RUN(G2, 0, 4), RUN(G1, 0, 5), RUN(B3, 0, 1), RUN(G3, 0, 4),
		RUN(B1, 0, 5), RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 5), RUN(B3, 2, 1), RUN(R3, 0, 5),
		RUN(B3, 3, 1) } },
	{ 8, { 6, 5, 5 }, 2, true, {
		RUN(R0, 0, 8), RUN(G3, 4, 1), RUN(B2, 4, 1), RUN(G0, 0, 8), RUN(B3, 2, 1), RUN(G2, 4, 1),
		RUN(B0, 0, 8), RUN(B3, 3, 1), RUN(B3, 4, 1), RUN(R1, 0, 6), RUN(G2, 0, 4), RUN(G1, 0, 5),
		RUN(B3, 0, 1), RUN(G3, 0, 4), RUN(B1, 0, 5), RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 6),
		RUN(R3, 0, 6) } },
	{ 8, { 5, 6, 5 }, 2, true, {
		RUN(R0, 0, 8), RUN(B3, 0, 1), RUN(B2, 4, 1), RUN(G0, 0, 8), RUN(G2, 5, 1), RUN(G2, 4, 1),
		RUN(B0, 0, 8), RUN(G3, 5, 1), RUN(B3, 4, 1), RUN(R1, 0, 5), RUN(G3, 4, 1), RUN(G2, 0, 4),
		RUN(G1, 0, 6), RUN(G3, 0, 4), RUN(B1, 0, 5), RUN(B3, 1, 1), RUN(B2, 0, 4), RUN(R2, 0, 5),
		RUN(B3, 2, 1), RUN(R3, 0, 5), RUN(B3, 3, 1) } },
	{ 8, { 5, 5, 6 }, 2, true, {
		RUN(R0, 0, 8), RUN(B3, 1, 1), RUN(B2, 4, 1), RUN(G0, 0, 8), RUN(B2, 5, 1), RUN(G2, 4, 1),
		RUN(B0, 0, 8), RUN(B3, 5, 1), RUN(B3, 4, 1), RUN(R1, 0, 5), RUN(G3, 4, 1), RUN(G2, 0, 4),
		RUN(G1, 0, 5), RUN(B3, 0, 1), RUN(G3, 0, 4), RUN(B1, 0, 6), RUN(B2, 0, 4), RUN(R2, 0, 5),
		RUN(B3, 2, 1), RUN(R3, 0, 5), RUN(B3, 3, 1) } },
	{ 6, { 6, 6, 6 }, 2, false, {
		RUN(R0, 0, 6), RUN(G3, 4, 1), RUN(B3, 0, 2), RUN(B2, 4, 1), RUN(G0, 0, 6), RUN(G2, 5, 1),
		RUN(B2, 5, 1), RUN(B3, 2, 1), RUN(G2, 4, 1), RUN(B0, 0, 6), RUN(G3, 5, 1), RUN(B3, 3, 1),
		RUN(B3, 5, 1), RUN(B3, 4, 1), RUN(R1, 0, 6), RUN(G2, 0, 4), RUN(G1, 0, 6), RUN(G3, 0, 4),
		RUN(B1, 0, 6), RUN(B2, 0, 4), RUN(R2, 0, 6), RUN(R3, 0, 6) } },
	{ 10, { 10, 10, 10 }, 1, false, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 10), RUN(G1, 0, 10), RUN(B1, 0, 10) } },
	{ 11, { 9, 9, 9 }, 1, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 9), RUN(R0, 10, 1), RUN(G1, 0, 9),
		RUN(G0, 10, 1), RUN(B1, 0, 9), RUN(B0, 10, 1) } },
	{ 12, { 8, 8, 8 }, 1, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 8), REVERSED(R0, 10, 2), RUN(G1, 0, 8),
		REVERSED(G0, 10, 2), RUN(B1, 0, 8), REVERSED(B0, 10, 2) } },
	{ 16, { 4, 4, 4 }, 1, true, {
		RUN(R0, 0, 10), RUN(G0, 0, 10), RUN(B0, 0, 10), RUN(R1, 0, 4), REVERSED(R0, 10, 6), RUN(G1, 0, 4),
		REVERSED(G0, 10, 6), RUN(B1, 0, 4), REVERSED(B0, 10, 6) } },
};

/* -1: reserved.  Takes the mode's bits. */
static int mode6(struct bits *b)
{
	unsigned m = take(b, 2);
	if (m < 2)
		return (int)m;
	unsigned rest = take(b, 3);
	if (m == 2)
		return (int)(2 + rest);
	return rest < 4 ? (int)(10 + rest) : -1;
}

static int sign_extend(unsigned v, unsigned bits)
{
	unsigned sign = 1u << (bits - 1);
	return (int)((v & (2 * sign - 1)) ^ sign) - (int)sign;
}

/* To 16 bits, or 15 and a sign. */
static int unquantize(int v, unsigned bits, bool is_signed)
{
	if (!is_signed) {
		if (bits >= 15 || !v)
			return v;
		return v == (1 << bits) - 1 ? 0xffff : ((v << 15) + 0x4000) >> (bits - 1);
	}
	int a = v < 0 ? -v : v;
	if (bits < 16 && a)
		a = a >= (1 << (bits - 1)) - 1 ? 0x7fff : ((a << 15) + 0x4000) >> (bits - 1);
	return v < 0 ? -a : a;
}

static void ends6(struct bits *b, const struct mode6 *m, bool is_signed, int ends[4][3])
{
	unsigned raw[12] = { 0 };
	for (const uint16_t *r = m->runs; r < m->runs + RUNS && *r; r++) {
		unsigned count = *r >> 8 & 15;
		raw[*r & 15] |= (*r >> 12 ? take_reversed(b, count) : take(b, count)) << (*r >> 4 & 15);
	}
	for (unsigned e = 0; e < 2u * m->subsets; e++)
		for (unsigned k = 0; k < 3; k++) {
			unsigned v = raw[3 * e + k];
			if (e && m->transformed)
				v = (raw[k] + (unsigned)sign_extend(v, m->delta[k])) & ((1u << m->bits) - 1);
			ends[e][k] = unquantize(is_signed ? sign_extend(v, m->bits) : (int)v, m->bits, is_signed);
		}
}

/* A value of 16 bits, or of 15 and a sign, as float16: 31/64 or 31/32 of it, so that infinity is not reached. */
static uint16_t half(int v, bool is_signed)
{
	if (!is_signed)
		return (uint16_t)(v * 31 >> 6);
	int a = (v < 0 ? -v : v) * 31 >> 5;
	return (uint16_t)(v < 0 && a ? 0x8000 | a : a); /* zero has no sign */
}

void cu_bc6h_decode(const void *block, bool is_signed, uint16_t texels[16][4])
{
	struct bits b = bits_of(block);
	int mode = mode6(&b), ends[4][3];
	if (mode < 0) {
		for (unsigned i = 0; i < 16; i++)
			memcpy(texels[i], (const uint16_t[4]){ 0, 0, 0, 0x3c00 }, 8);
		return;
	}
	const struct mode6 *m = &modes6[mode];
	unsigned bits = m->subsets == 2 ? 3 : 4;
	ends6(&b, m, is_signed, ends);
	const unsigned which = m->subsets == 2 ? take(&b, 5) : 0, subsets = m->subsets == 2 ? cu_bptc_two[which] : 0;
	uint64_t index = indices(&b, bits, cu_bptc_anchors(m->subsets, which));
	for (unsigned i = 0; i < 16; i++, index >>= bits) {
		const int (*e)[3] = (const int (*)[3])&ends[2 * (subsets >> i & 1)];
		for (unsigned k = 0; k < 3; k++)
			texels[i][k] = half(between(e[0][k], e[1][k], bits, index & ((1u << bits) - 1)), is_signed);
		texels[i][3] = 0x3c00;
	}
}
