/* SPDX-License-Identifier: MIT */
/* BC6H and BC7 (Khronos Data Format specification 1.3, chapter 20). */
#include "core/format/bc.h"

#include <emmintrin.h>
#include <string.h>

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

/* Bit i: the subset of texel i. */
static const uint16_t two_subsets[64] = {
	0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
	0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
	0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
	0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
	0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
	0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
	0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
	0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};

/* Bits 2 i and 2 i + 1. */
static const uint32_t three_subsets[64] = {
	0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
	0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
	0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
	0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
	0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
	0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
	0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
	0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};

/* The texel of each subset whose index has a bit less: texel 0 in subset 0, in the others these.  16 in a number, the
 * first in the lowest four bits. */
static const uint64_t anchor_of_two[4] = {
	0xffffffffffffffff, 0x22882282f882282f, 0x6ff22282ff8286ff, 0xf22fffff22ff8626 };
static const uint64_t anchors_of_three[2][4] = {
	{ 0x33566688ff38ff33, 0xff586885a633f833, 0xffff5f3ff8a653f8, 0x33cfd8a5a58555f3 },
	{ 0x8fffffff83ff388f, 0x8affa6f38f8f3f8f, 0x8663f8f6a98aaf3f, 0x8ff3ffffffffff3f } };

struct partition { uint32_t subsets; uint16_t anchors; }; /* subsets: two bits a texel; anchors: a bit a texel */

static uint32_t spread(uint32_t v) /* bit i to bit 2 i, of 16 */
{
	v = (v | v << 8) & 0x00ff00ff;
	v = (v | v << 4) & 0x0f0f0f0f;
	v = (v | v << 2) & 0x33333333;
	return (v | v << 1) & 0x55555555;
}

static unsigned nibble(const uint64_t v[4], unsigned i)
{
	return (unsigned)(v[i / 16] >> i % 16 * 4) & 15;
}

static struct partition partition(unsigned subsets, unsigned which)
{
	if (subsets == 1)
		return (struct partition){ 0, 1 };
	if (subsets == 2)
		return (struct partition){ spread(two_subsets[which]), (uint16_t)(1 | 1u << nibble(anchor_of_two, which)) };
	return (struct partition){ three_subsets[which],
		(uint16_t)(1 | 1u << nibble(anchors_of_three[0], which) | 1u << nibble(anchors_of_three[1], which)) };
}

/* --- indices --- */

/* The indices of all texels, `bits` each from the lowest on: an anchor's gets the bit that it has not. */
static uint64_t indices(struct bits *b, unsigned bits, const struct partition *p)
{
	uint64_t v;
	memcpy(&v, b->byte + b->at / 8, 8);
	v = v >> b->at % 8 | (uint64_t)b->byte[b->at / 8 + 8] << 1 << (63 - b->at % 8);
	b->at += 16 * bits;
	for (unsigned left = p->anchors; left; left &= left - 1) {
		const uint64_t below = (1ull << ((unsigned)__builtin_ctz(left) * bits + bits - 1)) - 1;
		v = (v & below) | (v & ~below) << 1;
		b->at--;
	}
	return v;
}

/* Of 64, for indices of 2, 3 and 4 bits: for each of the four channels of colours that follow one another. */
#define W(w) { w, w, w, w }
static const uint16_t weights[3][16][4] = {
	{ W(0), W(21), W(43), W(64) },
	{ W(0), W(9), W(18), W(27), W(37), W(46), W(55), W(64) },
	{ W(0), W(4), W(9), W(13), W(17), W(21), W(26), W(30), W(34), W(38), W(43), W(47), W(51), W(55), W(60), W(64) },
};
#undef W

static int between(int a, int b, unsigned bits, uint64_t index)
{
	int w = weights[bits - 2][index][0];
	return (a * (64 - w) + b * w + 32) >> 6;
}

/* --- BC7 --- */

/* Compiled for each mode: its numbers are constants then. */
#define EACH_MODE static inline __attribute__((always_inline))

static const struct mode7 {
	uint8_t subsets, partition, rotation, selection;
	uint8_t colour, alpha, own, shared; /* bits of an end's channels; lowest bits, one an end or one a subset */
	uint8_t index, second;
} modes7[8] = {
	{ 3, 4, 0, 0, 4, 0, 1, 0, 3, 0 },
	{ 2, 6, 0, 0, 6, 0, 0, 1, 3, 0 },
	{ 3, 6, 0, 0, 5, 0, 0, 0, 2, 0 },
	{ 2, 6, 0, 0, 7, 0, 1, 0, 2, 0 },
	{ 1, 0, 2, 1, 5, 6, 0, 0, 2, 3 },
	{ 1, 0, 2, 0, 7, 8, 0, 0, 2, 2 },
	{ 1, 0, 0, 0, 7, 7, 1, 0, 4, 0 },
	{ 2, 6, 0, 0, 5, 5, 1, 0, 2, 0 },
};

/* Both ends of each subset as bytes: ends[2 subset + which][channel]. */
EACH_MODE void ends7(struct bits *b, const struct mode7 *m, uint8_t ends[6][4])
{
	unsigned count = 2u * m->subsets, low[6] = { 0 };
	for (unsigned k = 0; k < 4; k++)
		for (unsigned e = 0; e < count; e++)
			ends[e][k] = (uint8_t)take(b, k < 3 ? m->colour : m->alpha);
	for (unsigned e = 0; e < count && m->own; e++)
		low[e] = take(b, 1);
	for (unsigned e = 0; e < count && m->shared; e += 2)
		low[e] = low[e + 1] = take(b, 1);
	for (unsigned e = 0; e < count; e++)
		for (unsigned k = 0; k < 4; k++) {
			unsigned bits = k < 3 ? m->colour : m->alpha, v = ends[e][k];
			if (!bits) {
				ends[e][k] = 255;
				continue;
			}
			if (m->own | m->shared) {
				v = v << 1 | low[e];
				bits++;
			}
			v <<= 8 - bits;
			ends[e][k] = (uint8_t)(v | v >> bits);
		}
}

/* Two colours of four channels between the ends, the first of which has the weight 64 - w. */
static inline __m128i two_colours(__m128i a, __m128i b, const uint16_t w[2][4])
{
	const __m128i second = _mm_loadu_si128((const __m128i *)w), first = _mm_sub_epi16(_mm_set1_epi16(64), second);
	const __m128i sum = _mm_add_epi16(_mm_mullo_epi16(a, first), _mm_mullo_epi16(b, second));
	return _mm_srli_epi16(_mm_add_epi16(sum, _mm_set1_epi16(32)), 6);
}

static inline __m128i channels(const uint8_t end[4])
{
	int v;
	memcpy(&v, end, 4);
	return _mm_unpacklo_epi8(_mm_set1_epi32(v), _mm_setzero_si128());
}

/* All colours between two ends, R in the lowest byte. */
EACH_MODE void palette7(const uint8_t ends[2][4], unsigned bits, uint32_t colour[16])
{
	const __m128i a = channels(ends[0]), b = channels(ends[1]);
	const uint16_t (*w)[4] = weights[bits - 2];
	for (unsigned i = 0; i < 1u << bits; i += 4)
		_mm_storeu_si128((__m128i *)(colour + i), _mm_packus_epi16(two_colours(a, b, w + i), two_colours(a, b, w + i + 2)));
}

/* Modes with indices of their own for alpha: one subset. */
EACH_MODE void decode7_apart(struct bits *b, const struct mode7 *m, bool swap, unsigned rotation, const uint8_t ends[2][4],
	uint8_t texels[16][4])
{
	const struct partition whole = partition(1, 0);
	const uint64_t first = indices(b, m->index, &whole), second = indices(b, m->second, &whole);
	const unsigned colour_bits = swap ? m->second : m->index, alpha_bits = swap ? m->index : m->second;
	uint64_t colour = swap ? second : first, alpha = swap ? first : second;
	uint32_t colours[16], alphas[16];
	palette7(ends, colour_bits, colours);
	palette7(ends, alpha_bits, alphas);
	for (unsigned i = 0; i < 16; i++) {
		const uint32_t c = colours[colour & ((1u << colour_bits) - 1)], a = alphas[alpha & ((1u << alpha_bits) - 1)];
		uint8_t out[4] = { (uint8_t)c, (uint8_t)(c >> 8), (uint8_t)(c >> 16), (uint8_t)(a >> 24) };
		if (rotation) {
			out[3] = out[rotation - 1];
			out[rotation - 1] = (uint8_t)(a >> 24);
		}
		memcpy(texels[i], out, sizeof out);
		colour >>= colour_bits;
		alpha >>= alpha_bits;
	}
}

EACH_MODE void decode7(struct bits *b, const struct mode7 *m, uint8_t texels[16][4])
{
	const struct partition p = partition(m->subsets, take(b, m->partition));
	const unsigned rotation = take(b, m->rotation), swap = take(b, m->selection);
	uint8_t ends[6][4];
	uint32_t colour[3][16];
	ends7(b, m, ends);
	if (m->second) {
		if (swap)
			decode7_apart(b, m, true, rotation, (const uint8_t (*)[4])ends, texels);
		else
			decode7_apart(b, m, false, rotation, (const uint8_t (*)[4])ends, texels);
		return;
	}
	for (unsigned s = 0; s < m->subsets; s++)
		palette7((const uint8_t (*)[4])&ends[2 * s], m->index, colour[s]);
	uint64_t index = indices(b, m->index, &p);
	uint32_t subset = p.subsets;
	for (unsigned i = 0; i < 16; i++, index >>= m->index, subset >>= 2) {
		const uint32_t c = colour[subset & 3][index & ((1u << m->index) - 1)];
		memcpy(texels[i], &c, 4);
	}
}

void cu_bc7_decode(const void *block, uint8_t texels[16][4])
{
	struct bits b = bits_of(block);
	const unsigned mode = (unsigned)__builtin_ctz(b.byte[0] | 1u << 8);
	b.at = mode + 1;
	switch (mode) {
#define MODE(m) case m: decode7(&b, &modes7[m], texels); break;
	MODE(0) MODE(1) MODE(2) MODE(3) MODE(4) MODE(5) MODE(6) MODE(7)
#undef MODE
	default: memset(texels, 0, 16 * sizeof *texels);
	}
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
	const struct partition p = partition(m->subsets, m->subsets == 2 ? take(&b, 5) : 0);
	uint64_t index = indices(&b, bits, &p);
	for (unsigned i = 0; i < 16; i++, index >>= bits) {
		const int (*e)[3] = (const int (*)[3])&ends[2 * (p.subsets >> 2 * i & 3)];
		for (unsigned k = 0; k < 3; k++)
			texels[i][k] = half(between(e[0][k], e[1][k], bits, index & ((1u << bits) - 1)), is_signed);
		texels[i][3] = 0x3c00;
	}
}
