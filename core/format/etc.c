/* SPDX-License-Identifier: MIT */
/* Sections are those of the Khronos Data Format specification, "ETC2
 * Compressed Texture Image Formats".  Its words are big-endian, and its texels
 * a to p go down the columns. */
#include "core/format/etc.h"

#include <string.h>

enum { OPAQUE_BIT = 33, FLIP_BIT = 32 };

static uint64_t load_word(const uint8_t *p)
{
	uint64_t word = 0;
	for (int i = 0; i < 8; i++)
		word = word << 8 | p[i];
	return word;
}

/* n < 32 bits from bit `low` on. */
static inline int field(uint64_t word, unsigned low, unsigned n)
{
	return (int)(word >> low & ((1u << n) - 1));
}

static inline int signed_field3(uint64_t word, unsigned low)
{
	return (field(word, low, 3) ^ 4) - 4;
}

static inline int clamp(int v, int low, int high)
{
	return v < low ? low : v > high ? high : v;
}

/* Codes of 4 to 7 bits to 8, by replication. */
static inline int extend(int v, unsigned bits)
{
	return v << (8 - bits) | v >> (2 * bits - 8);
}

struct rgb {
	int c[3];
};

static struct rgb rgb_extend(unsigned bits, int r, int g, int b)
{
	return (struct rgb){ { extend(r, bits), extend(g, bits), extend(b, bits) } };
}

/* A texel as it lies in memory: the base colour, d brighter. */
static uint32_t paint(struct rgb base, int d)
{
	uint32_t texel = 0xff000000;
	for (int i = 0; i < 3; i++)
		texel |= (uint32_t)clamp(base.c[i] + d, 0, 255) << 8 * i;
	return texel;
}

/* The four texels of a subblock, by index: "intensity modifier sets". */
static void subblock_paints(struct rgb base, int codeword, bool opaque, uint32_t paints[4])
{
	static const uint8_t modifiers[8][2] = {
		{ 2, 8 }, { 5, 17 }, { 9, 29 }, { 13, 42 }, { 18, 60 }, { 24, 80 }, { 33, 106 }, { 47, 183 },
	};
	int small = opaque ? modifiers[codeword][0] : 0, large = modifiers[codeword][1];
	paints[0] = paint(base, small);
	paints[1] = paint(base, large);
	paints[2] = paint(base, -small);
	paints[3] = paint(base, -large);
}

static void individual_paints(uint64_t word, uint32_t paints[2][4])
{
	struct rgb base1 = rgb_extend(4, field(word, 60, 4), field(word, 52, 4), field(word, 44, 4));
	struct rgb base2 = rgb_extend(4, field(word, 56, 4), field(word, 48, 4), field(word, 40, 4));
	subblock_paints(base1, field(word, 37, 3), true, paints[0]);
	subblock_paints(base2, field(word, 34, 3), true, paints[1]);
}

/* `second` is the base colour of subblock 2, five bits a channel. */
static void differential_paints(uint64_t word, const int second[3], bool opaque, uint32_t paints[2][4])
{
	struct rgb base1 = rgb_extend(5, field(word, 59, 5), field(word, 51, 5), field(word, 43, 5));
	struct rgb base2 = rgb_extend(5, second[0], second[1], second[2]);
	subblock_paints(base1, field(word, 37, 3), opaque, paints[0]);
	subblock_paints(base2, field(word, 34, 3), opaque, paints[1]);
}

/* "Distance table for ETC2 'T' and 'H' modes" */
static const uint8_t distances[8] = { 3, 6, 11, 16, 23, 32, 41, 64 };

static void t_paints(uint64_t word, uint32_t paints[4])
{
	struct rgb base1 = rgb_extend(4, field(word, 59, 2) << 2 | field(word, 56, 2), field(word, 52, 4),
		field(word, 48, 4));
	struct rgb base2 = rgb_extend(4, field(word, 44, 4), field(word, 40, 4), field(word, 36, 4));
	int d = distances[field(word, 34, 2) << 1 | field(word, 32, 1)];
	paints[0] = paint(base1, 0);
	paints[1] = paint(base2, d);
	paints[2] = paint(base2, 0);
	paints[3] = paint(base2, -d);
}

static void h_paints(uint64_t word, uint32_t paints[4])
{
	int r1 = field(word, 59, 4), r2 = field(word, 43, 4);
	int g1 = field(word, 56, 3) << 1 | field(word, 52, 1), g2 = field(word, 39, 4);
	int b1 = field(word, 51, 1) << 3 | field(word, 47, 3), b2 = field(word, 35, 4);
	bool ordered = (r1 << 8 | g1 << 4 | b1) >= (r2 << 8 | g2 << 4 | b2);
	int d = distances[field(word, 34, 1) << 2 | field(word, 32, 1) << 1 | ordered];
	struct rgb base1 = rgb_extend(4, r1, g1, b1), base2 = rgb_extend(4, r2, g2, b2);
	paints[0] = paint(base1, d);
	paints[1] = paint(base1, -d);
	paints[2] = paint(base2, d);
	paints[3] = paint(base2, -d);
}

/* Three colours of 6, 7 and 6 bits: at the origin, and one block to the right
 * of it and below. */
static void decode_planar(uint64_t word, uint8_t out[16][4])
{
	int origin[3] = {
		extend(field(word, 57, 6), 6),
		extend(field(word, 56, 1) << 6 | field(word, 49, 6), 7),
		extend(field(word, 48, 1) << 5 | field(word, 43, 2) << 3 | field(word, 39, 3), 6),
	};
	int right[3] = {
		extend(field(word, 34, 5) << 1 | field(word, 32, 1), 6),
		extend(field(word, 25, 7), 7),
		extend(field(word, 19, 6), 6),
	};
	int below[3] = { extend(field(word, 13, 6), 6), extend(field(word, 6, 7), 7), extend(field(word, 0, 6), 6) };
	for (int i = 0; i < 16; i++) {
		int x = i % 4, y = i / 4;
		for (int c = 0; c < 3; c++) {
			int v = x * (right[c] - origin[c]) + y * (below[c] - origin[c]) + 4 * origin[c] + 2;
			out[i][c] = (uint8_t)clamp(v >> 2, 0, 255);
		}
		out[i][3] = 255;
	}
}

/* The texels that the indices in the low half of the word choose.  `flip`:
 * subblock 2 is the lower half, otherwise the right one. */
static void place_paints(uint64_t word, bool flip, uint32_t paints[2][4], uint8_t out[16][4])
{
	for (int i = 0; i < 16; i++) {
		int x = i % 4, y = i / 4, letter = 4 * x + y;
		int index = field(word, 16 + letter, 1) << 1 | field(word, letter, 1);
		memcpy(out[i], &paints[(flip ? y : x) >> 1][index], 4);
	}
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "R is the first byte of a texel");

/* Sections "Format RGB ETC2" and "Format RGB ETC2 with punchthrough alpha":
 * the latter has no individual mode, whose bit says there whether all texels
 * are opaque. */
static void decode_colour(uint64_t word, bool punch_through, uint8_t out[16][4])
{
	uint32_t paints[2][4];
	bool differential = field(word, OPAQUE_BIT, 1), flip = field(word, FLIP_BIT, 1);
	bool opaque = differential || !punch_through;
	int second[3];
	for (int i = 0; i < 3; i++)
		second[i] = field(word, 59 - 8 * i, 5) + signed_field3(word, 56 - 8 * i);

	if (!differential && !punch_through) {
		individual_paints(word, paints);
	} else if (second[0] & ~31) {
		t_paints(word, paints[0]);
		memcpy(paints[1], paints[0], sizeof(paints[0]));
	} else if (second[1] & ~31) {
		h_paints(word, paints[0]);
		memcpy(paints[1], paints[0], sizeof(paints[0]));
	} else if (second[2] & ~31) {
		decode_planar(word, out);
		return;
	} else {
		differential_paints(word, second, opaque, paints);
	}
	if (!opaque)
		paints[0][2] = paints[1][2] = 0;
	place_paints(word, flip, paints, out);
}

void cu_etc2_rgb8(const uint8_t block[8], uint8_t out[16][4])
{
	decode_colour(load_word(block), false, out);
}

void cu_etc2_rgb8a1(const uint8_t block[8], uint8_t out[16][4])
{
	decode_colour(load_word(block), true, out);
}

/* The eight modifiers of a word of EAC: "Intensity modifier sets for RGBA ETC2
 * alpha component". */
static const int8_t *eac_modifiers(uint64_t word)
{
	static const int8_t modifiers[16][8] = {
		{ -3, -6, -9, -15, 2, 5, 8, 14 },
		{ -3, -7, -10, -13, 2, 6, 9, 12 },
		{ -2, -5, -8, -13, 1, 4, 7, 12 },
		{ -2, -4, -6, -13, 1, 3, 5, 12 },
		{ -3, -6, -8, -12, 2, 5, 7, 11 },
		{ -3, -7, -9, -11, 2, 6, 8, 10 },
		{ -4, -7, -8, -11, 3, 6, 7, 10 },
		{ -3, -5, -8, -11, 2, 4, 7, 10 },
		{ -2, -6, -8, -10, 1, 5, 7, 9 },
		{ -2, -5, -8, -10, 1, 4, 7, 9 },
		{ -2, -4, -8, -10, 1, 3, 7, 9 },
		{ -2, -5, -7, -10, 1, 4, 6, 9 },
		{ -3, -4, -7, -10, 2, 3, 6, 9 },
		{ -1, -2, -3, -10, 0, 1, 2, 9 },
		{ -4, -6, -8, -9, 3, 5, 7, 8 },
		{ -3, -5, -7, -9, 2, 4, 6, 8 },
	};
	return modifiers[field(word, 48, 4)];
}

/* Which of the eight values texel i has. */
static inline int eac_index(uint64_t word, int i)
{
	int letter = 4 * (i % 4) + i / 4;
	return field(word, 45 - 3 * letter, 3);
}

void cu_etc2_rgba8(const uint8_t block[16], uint8_t out[16][4])
{
	uint64_t word = load_word(block);
	const int8_t *modifiers = eac_modifiers(word);
	uint8_t values[8];
	for (int i = 0; i < 8; i++)
		values[i] = (uint8_t)clamp(field(word, 56, 8) + modifiers[i] * field(word, 52, 4), 0, 255);
	decode_colour(load_word(block + 8), false, out);
	for (int i = 0; i < 16; i++)
		out[i][3] = values[eac_index(word, i)];
}

/* Sections "Format Unsigned R11 EAC" and "Format Signed R11 EAC". */
void cu_eac_r11(const uint8_t block[8], bool is_signed, int16_t out[16])
{
	uint64_t word = load_word(block);
	const int8_t *modifiers = eac_modifiers(word);
	int base = field(word, 56, 8), multiplier = 8 * field(word, 52, 4);
	int low = is_signed ? -1023 : 0, high = is_signed ? 1023 : 2047;
	if (is_signed)
		base = 8 * clamp((base ^ 0x80) - 0x80, -127, 127);
	else
		base = 8 * base + 4;
	if (!multiplier)
		multiplier = 1; /* the specification's 1/8 */
	int16_t values[8];
	for (int i = 0; i < 8; i++)
		values[i] = (int16_t)clamp(base + modifiers[i] * multiplier, low, high);
	for (int i = 0; i < 16; i++)
		out[i] = values[eac_index(word, i)];
}

void cu_eac_rg11(const uint8_t block[16], bool is_signed, int16_t out[2][16])
{
	cu_eac_r11(block, is_signed, out[0]);
	cu_eac_r11(block + 8, is_signed, out[1]);
}

/* With n bits, code / (2^n - 1) is the fraction 0.(code)(code)(code)... in
 * base 2^n.  No such number lies halfway between two floats: behind a one
 * there is another. */
uint32_t cu_eac_float(int code, bool is_signed)
{
	unsigned n = is_signed ? 10 : 11;
	uint32_t sign = code < 0 ? 0x80000000 : 0;
	uint64_t magnitude = (uint64_t)(code < 0 ? -code : code), fraction = 0;
	if (!magnitude)
		return 0;
	for (int i = 0; i < 5; i++)
		fraction = fraction << n | magnitude;
	unsigned top = 63 - (unsigned)__builtin_clzll(fraction); /* at least 4 n: the leading one */
	uint32_t mantissa = (uint32_t)(fraction >> (top - 24)) + 1;
	uint32_t exponent = 127 + top - 5 * n;
	/* The sum carries the mantissa's leading one into the exponent. */
	return sign | (((exponent - 1) << 23) + (mantissa >> 1));
}
