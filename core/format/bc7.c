/* SPDX-License-Identifier: MIT */
/* BC7 (Khronos Data Format specification 1.3, section 20.1): a block's fields and its sixteen texels in vectors. */
#include "core/format/bc.h"

#include <string.h>
#include "core/format/avx2.h"
#include "core/format/bptc.h"

/* All is compiled for each of them: its numbers, and where its fields are, are constants then. */
static const struct mode {
	uint8_t subsets, partition, rotation, selection;
	uint8_t colour, alpha, own, shared; /* bits of an end's channels; lowest bits, one an end or one a subset */
	uint8_t index, second;
} modes[8] = {
	{ 3, 4, 0, 0, 4, 0, 1, 0, 3, 0 },
	{ 2, 6, 0, 0, 6, 0, 0, 1, 3, 0 },
	{ 3, 6, 0, 0, 5, 0, 0, 0, 2, 0 },
	{ 2, 6, 0, 0, 7, 0, 1, 0, 2, 0 },
	{ 1, 0, 2, 1, 5, 6, 0, 0, 2, 3 },
	{ 1, 0, 2, 0, 7, 8, 0, 0, 2, 2 },
	{ 1, 0, 0, 0, 7, 7, 1, 0, 4, 0 },
	{ 2, 6, 0, 0, 5, 5, 1, 0, 2, 0 },
};

/* --- fields --- */

struct block { uint64_t low, high; };

AVX2_INLINE uint64_t bits_at(struct block b, unsigned at, unsigned count) /* 0..63 */
{
	uint64_t v = at < 64 ? b.low >> at : b.high >> (at - 64);
	if (at > 0 && at < 64)
		v |= b.high << (64 - at);
	return v & ((1ull << count) - 1);
}

/* Eight fields of as many bits, the first lowest, each in a dword. */
AVX2_INLINE __m256i eight_fields(uint32_t v, int bits)
{
	const __m256i at = _mm256_setr_epi32(0, bits, 2 * bits, 3 * bits, 4 * bits, 5 * bits, 6 * bits, 7 * bits);
	return _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32((int)v), at), _mm256_set1_epi32((1 << bits) - 1));
}

/* The same of sixteen, each in a word. */
AVX2_INLINE __m256i sixteen_fields(uint64_t v, int bits)
{
	const __m256i first = eight_fields((uint32_t)v, bits), second = eight_fields((uint32_t)(v >> 8 * bits), bits);
	return _mm256_permute4x64_epi64(_mm256_packus_epi32(first, second), 0xd8);
}

/* --- ends --- */

/* One channel of all ends to bytes; low: their lowest bits, if they have some besides. */
AVX2_INLINE __m256i end_channel(uint32_t fields, int bits, bool has_low, __m256i low)
{
	__m256i v = eight_fields(fields, bits);
	if (has_low) {
		v = _mm256_or_si256(_mm256_slli_epi32(v, 1), low);
		bits++;
	}
	return _mm256_or_si256(_mm256_slli_epi32(v, 8 - bits), _mm256_srli_epi32(v, 2 * bits - 8));
}

/* Ends 2 s and 2 s + 1 of subset s: R, G, B, A in a dword each.  *at: where they begin, then what is behind them. */
AVX2_INLINE __m256i ends_of(struct block b, const struct mode *m, unsigned *at)
{
	const unsigned count = 2u * m->subsets, colours = *at, alpha = colours + 3 * count * m->colour, lows = alpha + count * m->alpha;
	const bool has_low = m->own || m->shared;
	__m256i low = _mm256_setzero_si256(), ends = _mm256_set1_epi32((int)0xff000000);
	if (m->own)
		low = eight_fields((uint32_t)bits_at(b, lows, count), 1);
	else if (m->shared) /* of two ends each: of four */
		low = _mm256_shuffle_epi32(eight_fields((uint32_t)bits_at(b, lows, count / 2), 1), 0x50);
	if (m->alpha)
		ends = _mm256_slli_epi32(end_channel((uint32_t)bits_at(b, alpha, count * m->alpha), m->alpha, has_low, low), 24);
	for (unsigned c = 0; c < 3; c++) {
		const uint32_t fields = (uint32_t)bits_at(b, colours + c * count * m->colour, count * m->colour);
		ends = _mm256_or_si256(ends, _mm256_slli_epi32(end_channel(fields, m->colour, has_low, low), (int)(8 * c)));
	}
	*at = lows + (m->own ? count : m->shared ? count / 2 : 0);
	return ends;
}

/* --- texels --- */

/* Weights of both ends, of 64 together, a byte each for all texels; they are the same from either side. */
AVX2_INLINE __m256i weights_of(__m256i index, int bits)
{
	const __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)cu_bptc_weights[bits - 2]));
	const __m256i second = _mm256_slli_epi16(index, 8), first = _mm256_sub_epi16(_mm256_set1_epi16((int16_t)((1 << bits) - 1)), index);
	return _mm256_shuffle_epi8(table, _mm256_or_si256(first, second));
}

/* A channel of all texels, in words: ends has it for all ends, which `which` names the texels' two of. */
AVX2_INLINE __m256i channel(__m256i ends, __m256i which, __m256i weights)
{
	const __m256i sum = _mm256_maddubs_epi16(_mm256_shuffle_epi8(ends, which), weights);
	return _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(32)), 6);
}

AVX2_INLINE void store(const __m256i c[4], uint8_t texels[16][4])
{
	const __m256i red_green = _mm256_or_si256(c[0], _mm256_slli_epi16(c[1], 8));
	const __m256i blue_alpha = _mm256_or_si256(c[2], _mm256_slli_epi16(c[3], 8));
	const __m256i a = _mm256_unpacklo_epi16(red_green, blue_alpha), b = _mm256_unpackhi_epi16(red_green, blue_alpha);
	_mm256_storeu_si256((__m256i *)texels[0], _mm256_permute2x128_si256(a, b, 0x20));
	_mm256_storeu_si256((__m256i *)texels[8], _mm256_permute2x128_si256(a, b, 0x31));
}

AVX2_INLINE void exchange(__m256i *a, __m256i *b)
{
	const __m256i t = *a;
	*a = *b;
	*b = t;
}

/* Which bytes of a channel's are the two ends of each texel. */
AVX2_INLINE __m256i ends_of_texels(unsigned subsets, unsigned which)
{
	__m256i subset = _mm256_setzero_si256();
	if (subsets == 2)
		subset = sixteen_fields(cu_bptc_two[which], 1);
	else if (subsets == 3)
		subset = sixteen_fields(cu_bptc_three[which], 2);
	const __m256i twice = _mm256_add_epi16(subset, subset);
	return _mm256_or_si256(_mm256_or_si256(twice, _mm256_slli_epi16(twice, 8)), _mm256_set1_epi16(0x0100));
}

AVX2_INLINE void decode(struct block b, const struct mode *m, unsigned mode, uint8_t texels[16][4])
{
	unsigned at = mode + 1;
	const unsigned which = (unsigned)bits_at(b, at, m->partition);
	at += m->partition;
	const unsigned rotation = (unsigned)bits_at(b, at, m->rotation);
	at += m->rotation;
	const bool swap = bits_at(b, at, m->selection);
	at += m->selection;
	const __m256i ends = ends_of(b, m, &at);

	/* Bytes of ends 0 to 3 and 4 to 7, channel by channel, to the eight of red and green, and of blue and alpha. */
	const __m256i by_channel = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
	const __m256i four = _mm256_shuffle_epi8(ends, by_channel);
	const __m128i low = _mm256_castsi256_si128(four), high = _mm256_extracti128_si256(four, 1);
	const __m256i red_green = _mm256_broadcastsi128_si256(_mm_unpacklo_epi32(low, high));
	const __m256i blue_alpha = _mm256_broadcastsi128_si256(_mm_unpackhi_epi32(low, high));

	const unsigned anchors = cu_bptc_anchors(m->subsets, which), count = 16u * m->index - m->subsets;
	__m256i colour = weights_of(sixteen_fields(cu_bptc_indices(bits_at(b, at, count), m->index, anchors), m->index), m->index);
	__m256i alpha = colour;
	if (m->second) {
		const uint64_t second = cu_bptc_indices(bits_at(b, at + count, 16u * m->second - 1), m->second, 1);
		alpha = weights_of(sixteen_fields(second, m->second), m->second);
	}
	if (swap)
		exchange(&colour, &alpha);
	const __m256i first = ends_of_texels(m->subsets, which), second = _mm256_add_epi8(first, _mm256_set1_epi8(8));
	__m256i c[4] = { channel(red_green, first, colour), channel(red_green, second, colour), channel(blue_alpha, first, colour),
		channel(blue_alpha, second, alpha) };
	if (rotation)
		exchange(&c[3], &c[rotation - 1]);
	store(c, texels);
}

AVX2 void cu_bc7_decode(const void *block, uint8_t texels[16][4])
{
	struct block b;
	memcpy(&b, block, sizeof b);
	const unsigned mode = (unsigned)__builtin_ctz((unsigned)(b.low & 255) | 1u << 8);
	switch (mode) {
#define MODE(m) case m: decode(b, &modes[m], m, texels); break;
	MODE(0) MODE(1) MODE(2) MODE(3) MODE(4) MODE(5) MODE(6) MODE(7)
#undef MODE
	default: memset(texels, 0, 16 * sizeof *texels);
	}
}
