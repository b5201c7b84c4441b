/* SPDX-License-Identifier: MIT */
/* BC1 to BC5: colours and fractions between two ends.  BC6H and BC7, of many modes, are in bptc.c. */
#include "core/format/bc.h"

#include <string.h>
#include "core/format/avx2.h"

static inline uint64_t half(const uint8_t *p) /* of a block, little endian */
{
	uint64_t v;
	memcpy(&v, p, sizeof v);
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
AVX2_INLINE void colours(const uint8_t *block, bool may_be_three, uint8_t black_alpha, uint8_t texels[16][4])
{
	const uint64_t all = half(block);
	const unsigned c0 = all & 0xffff, c1 = all >> 16 & 0xffff;
	const uint32_t which = (uint32_t)(all >> 32);
	bool three = may_be_three && c0 <= c1;
	const uint64_t a = end_colour(c0), b = end_colour(c1);
	_Alignas(16) const uint32_t colour[4] = { packed(a, 255), packed(b, 255),
		packed(three ? (a + b) >> 1 & EACH(255) : third(2 * a + b), 255),
		three ? (uint32_t)black_alpha << 24 : packed(third(a + 2 * b), 255) };
	const __m256i at = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
	const __m256 table = _mm256_broadcast_ps((const __m128 *)colour);
	for (unsigned i = 0; i < 2; i++) {
		const __m256i index = _mm256_srlv_epi32(_mm256_set1_epi32((int)(which >> 16 * i)), at);
		_mm256_storeu_ps((float *)texels[8 * i], _mm256_permutevar_ps(table, index));
	}
}

AVX2 void cu_bc1_decode(const void *block, bool alpha, uint8_t texels[16][4])
{
	colours(block, true, alpha ? 0 : 255, texels);
}

AVX2 void cu_bc2_decode(const void *block, uint8_t texels[16][4])
{
	uint64_t alpha = half(block);
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
AVX2_INLINE __m256 values(const struct fractions *k, float a, float b, float least, float greatest, float unit)
{
	const four low = (k->a[0] * a + k->b[0] * b) / (k->over * unit);
	const four high = (k->a[1] * a + k->b[1] * b + k->least * least + k->greatest * greatest) / (k->over * unit);
	return _mm256_setr_m128((__m128)low, (__m128)high);
}

/* Of eight texels, three bits each from bit 0 on. */
AVX2_INLINE __m256i indices(uint64_t which)
{
	return _mm256_srlv_epi32(_mm256_set1_epi32((int)which), _mm256_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21));
}

AVX2 void cu_bc3_decode(const void *block, uint8_t texels[16][4])
{
	const uint8_t *p = block;
	const uint64_t which = half(p) >> 16;
	const __m256i alpha = _mm256_slli_epi32(_mm256_cvttps_epi32(values(&fractions[p[0] > p[1]], p[0], p[1], 0, 255, 1)), 24);
	colours(p + 8, false, 0, texels);
	for (unsigned i = 0; i < 2; i++) {
		__m256i *eight = (__m256i *)texels[8 * i];
		const __m256i opaque = _mm256_slli_epi32(_mm256_set1_epi32(255), 24);
		const __m256i a = _mm256_permutevar8x32_epi32(alpha, indices(which >> 24 * i));
		_mm256_storeu_si256(eight, _mm256_or_si256(_mm256_andnot_si256(opaque, _mm256_loadu_si256(eight)), a));
	}
}

/* Of texels 0 to 7 and 8 to 15. */
struct channel { __m256 texels[2]; };
AVX2_INLINE struct channel channel(const uint8_t *block, bool is_signed)
{
	const uint64_t which = half(block) >> 16;
	const int a = is_signed ? (int8_t)block[0] : block[0], b = is_signed ? (int8_t)block[1] : block[1];
	const int least = is_signed ? -127 : 0, greatest = is_signed ? 127 : 255;
	/* -128 is -127, but not when the ends are compared. */
	const __m256 fraction = values(&fractions[a > b], (float)(a < least ? least : a), (float)(b < least ? least : b),
		(float)least, (float)greatest, (float)greatest);
	return (struct channel){ { _mm256_permutevar8x32_ps(fraction, indices(which)),
		_mm256_permutevar8x32_ps(fraction, indices(which >> 24)) } };
}

AVX2 void cu_bc4_decode(const void *block, bool is_signed, float texels[16])
{
	const struct channel red = channel(block, is_signed);
	for (unsigned i = 0; i < 2; i++)
		_mm256_storeu_ps(texels + 8 * i, red.texels[i]);
}

AVX2 void cu_bc5_decode(const void *block, bool is_signed, float texels[16][2])
{
	const struct channel red = channel(block, is_signed), green = channel((const uint8_t *)block + 8, is_signed);
	for (unsigned i = 0; i < 2; i++) {
		const __m256 low = _mm256_unpacklo_ps(red.texels[i], green.texels[i]);
		const __m256 high = _mm256_unpackhi_ps(red.texels[i], green.texels[i]);
		_mm256_storeu_ps(texels[8 * i], _mm256_permute2f128_ps(low, high, 0x20));
		_mm256_storeu_ps(texels[8 * i + 4], _mm256_permute2f128_ps(low, high, 0x31));
	}
}
