/* SPDX-License-Identifier: MIT */
/* BC1 to BC5: colours and fractions between two ends.  BC6H and BC7, of many modes, are in bptc.c. */
#include "core/format/bc.h"

#include <string.h>

static inline uint64_t little_endian(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;
	memcpy(&v, p, bytes);
	return v;
}

/* Three channels of 21 bits, so that they can be reckoned with at once. */
enum { CHANNEL = 21 };
#define EACH(v) ((uint64_t)(v) * (1 | 1ull << CHANNEL | 1ull << 2 * CHANNEL))

/* 5_6_5 to bytes. */
static uint64_t end_colour(unsigned c)
{
	uint64_t r = c >> 11 & 31, g = c >> 5 & 63, b = c & 31;
	return (r << 3 | r >> 2) | (g << 2 | g >> 4) << CHANNEL | (b << 3 | b >> 2) << 2 * CHANNEL;
}

/* Of up to 765. */
static uint64_t third(uint64_t v) { return v * 683 >> 11 & EACH(255); }

static uint32_t packed(uint64_t v, uint32_t alpha)
{
	return (uint32_t)(v & 255) | (uint32_t)(v >> CHANNEL & 255) << 8 | (uint32_t)(v >> 2 * CHANNEL) << 16 | alpha << 24;
}

/* Section 18.1.  Four colours; or, where a block may have and has its ends the other way round, three and black. */
static void colours(const uint8_t *block, bool may_be_three, uint8_t black_alpha, uint8_t texels[16][4])
{
	unsigned c0 = (unsigned)little_endian(block, 2), c1 = (unsigned)little_endian(block + 2, 2);
	uint32_t which = (uint32_t)little_endian(block + 4, 4);
	bool three = may_be_three && c0 <= c1;
	const uint64_t a = end_colour(c0), b = end_colour(c1);
	const uint32_t colour[4] = { packed(a, 255), packed(b, 255),
		packed(three ? (a + b) >> 1 & EACH(255) : third(2 * a + b), 255),
		three ? (uint32_t)black_alpha << 24 : packed(third(a + 2 * b), 255) };
	for (unsigned i = 0; i < 16; i++)
		memcpy(texels[i], &colour[which >> 2 * i & 3], 4);
}

void cu_bc1_decode(const void *block, bool alpha, uint8_t texels[16][4])
{
	colours(block, true, alpha ? 0 : 255, texels);
}

void cu_bc2_decode(const void *block, uint8_t texels[16][4])
{
	uint64_t alpha = little_endian(block, 8);
	colours((const uint8_t *)block + 8, false, 255, texels);
	for (unsigned i = 0; i < 16; i++)
		texels[i][3] = (uint8_t)((alpha >> 4 * i & 15) * 17);
}

/* Section 18.3: eight values between two ends; or, unless the first is the greater, six, the least and the greatest.  As
 * numerators of `over`: what a, b, the least and the greatest count in each.  All of that is exact. */
typedef float four __attribute__((vector_size(16)));
static const struct fractions { four a[2], b[2], least, greatest; float over; } fractions[2] = {
	{ { { 5, 0, 4, 3 }, { 2, 1, 0, 0 } }, { { 0, 5, 1, 2 }, { 3, 4, 0, 0 } }, { 0, 0, 5, 0 }, { 0, 0, 0, 5 }, 5 },
	{ { { 7, 0, 6, 5 }, { 4, 3, 2, 1 } }, { { 0, 7, 1, 2 }, { 3, 4, 5, 6 } }, { 0, 0, 0, 0 }, { 0, 0, 0, 0 }, 7 },
};

/* Over `unit` times what they are numerators of. */
union eight { four v[2]; float f[8]; };
static inline union eight values(const struct fractions *k, float a, float b, float least, float greatest, float unit)
{
	union eight out;
	out.v[0] = (k->a[0] * a + k->b[0] * b) / (k->over * unit);
	out.v[1] = (k->a[1] * a + k->b[1] * b + k->least * least + k->greatest * greatest) / (k->over * unit);
	return out;
}

void cu_bc3_decode(const void *block, uint8_t texels[16][4])
{
	const uint8_t *p = block;
	const uint64_t which = little_endian(p + 2, 6);
	const union eight alpha = values(&fractions[p[0] > p[1]], p[0], p[1], 0, 255, 1);
	uint8_t whole[8];
	for (unsigned i = 0; i < 8; i++)
		whole[i] = (uint8_t)(int)alpha.f[i];
	colours(p + 8, false, 255, texels);
	for (unsigned i = 0; i < 16; i++)
		texels[i][3] = whole[which >> 3 * i & 7];
}

/* Texel i at texels[i * stride]. */
static inline __attribute__((always_inline)) void channel(const uint8_t *block, bool is_signed, float *texels,
	unsigned stride)
{
	const uint64_t which = little_endian(block + 2, 6);
	const int a = is_signed ? (int8_t)block[0] : block[0], b = is_signed ? (int8_t)block[1] : block[1];
	const int least = is_signed ? -127 : 0, greatest = is_signed ? 127 : 255;
	/* -128 is -127, but not when the ends are compared. */
	const union eight fraction = values(&fractions[a > b], (float)(a < least ? least : a), (float)(b < least ? least : b),
		(float)least, (float)greatest, (float)greatest);
#pragma GCC unroll 16
	for (unsigned i = 0; i < 16; i++)
		texels[i * stride] = fraction.f[which >> 3 * i & 7];
}

void cu_bc4_decode(const void *block, bool is_signed, float texels[16])
{
	channel(block, is_signed, texels, 1);
}

void cu_bc5_decode(const void *block, bool is_signed, float texels[16][2])
{
	channel(block, is_signed, &texels[0][0], 2);
	channel((const uint8_t *)block + 8, is_signed, &texels[0][1], 2);
}
