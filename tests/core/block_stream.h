/* SPDX-License-Identifier: MIT */
/* Streams of compressed blocks, the same on every machine: random bits, few or
 * many ones, and of ASTC every block mode in turn with every kind of the rest. */
#ifndef TESTS_CORE_BLOCK_STREAM_H
#define TESTS_CORE_BLOCK_STREAM_H

#include <stdint.h>
#include <string.h>

typedef unsigned __int128 block_bits;

/* splitmix64 */
static inline uint64_t block_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static inline block_bits block_random_bits(uint64_t *state)
{
	block_bits high = block_random(state);
	return high << 64 | block_random(state);
}

static inline void block_put(block_bits *v, unsigned low, unsigned n, uint64_t value)
{
	block_bits mask = (((block_bits)1 << n) - 1) << low;
	*v = (*v & ~mask) | ((block_bits)value << low & mask);
}

static inline uint64_t block_get(block_bits v, unsigned low, unsigned n)
{
	return (uint64_t)(v >> low) & ((1ull << n) - 1);
}

/* Random bits of one of a few kinds. */
static inline block_bits block_filling(uint64_t *state)
{
	block_bits v = block_random_bits(state);
	switch (block_random(state) % 8) {
	case 0: return v & block_random_bits(state);
	case 1: return v | block_random_bits(state);
	case 2: return v >> block_random(state) % 128;
	case 3: return v << block_random(state) % 128;
	case 4: return ~(v >> block_random(state) % 128);
	default: return v;
	}
}

/* Coordinates that are none, in order, equal, or anything; colours with
 * extremes, and none that is infinite or NaN as a half. */
static inline block_bits block_void_extent(uint64_t *state)
{
	block_bits v = block_filling(state);
	uint64_t kind = block_random(state) % 8;
	block_put(&v, 0, 9, 0x1fc);
	if (kind < 6)
		block_put(&v, 10, 2, 3);
	if (kind < 3)
		block_put(&v, 12, 52, ~0ull);
	if (kind == 0)
		block_put(&v, 10, 54, ~0ull);
	if (kind == 3 || kind == 4)
		for (unsigned low = 12; low < 64; low += 26)
			block_put(&v, low + 13, 13, block_get(v, low, 13) + block_random(state) % 3 - (kind == 3));
	if (kind == 6 || kind == 7)
		for (unsigned low = 10; low < 64; low += 18)
			block_put(&v, low + 9, 9, block_get(v, low, 9) + block_random(state) % 3 - (kind == 6));
	for (unsigned low = 64; low < 128; low += 16) {
		if (block_random(state) % 4 == 0)
			block_put(&v, low, 16, block_random(state) % 8);
		if (block_get(v, 9, 1) && block_get(v, low + 10, 5) == 31)
			block_put(&v, low + 10, 1, 0);
		else if (!block_get(v, 9, 1) && block_random(state) % 4 == 0)
			block_put(&v, low, 16, 0xffff - block_random(state) % 8);
	}
	return v;
}

/* Block i of a stream of ASTC. */
static inline void block_astc(uint64_t *state, uint32_t i, uint8_t block[16])
{
	block_bits v = block_filling(state);
	if (i % 16 == 0) {
		v = block_void_extent(state);
	} else if (i % 16 > 1) {
		static const uint8_t partitions[8] = { 0, 0, 0, 1, 1, 2, 2, 3 };
		block_put(&v, 0, 11, i / 2 % 2048);
		block_put(&v, 11, 2, partitions[block_random(state) % 8]);
		if (block_get(v, 0, 9) == 0x1fc)
			v = block_void_extent(state);
		else if (block_get(v, 11, 2) == 0)
			block_put(&v, 13, 4, block_random(state));
		else if (block_random(state) % 2)
			block_put(&v, 23, 6, block_random(state) << 2); /* one endpoint mode */
		else
			block_put(&v, 23, 6, block_random(state));
		if (i % 16 == 2)
			block_put(&v, 100, 28, -(block_random(state) % 2));
	} else if (block_get(v, 0, 9) == 0x1fc) {
		v = block_void_extent(state);
	}
	memcpy(block, &v, 16);
}

/* Block i of a stream of ETC2 and EAC: words that select each of the modes. */
static inline void block_etc(uint64_t *state, uint32_t i, uint8_t block[16])
{
	block_bits v = block_filling(state);
	memcpy(block, &v, 16);
	uint8_t *word = block + 8 * (block_random(state) % 2);
	if (i % 4 == 0) { /* a channel that leaves its range */
		word[block_random(state) % 3] = block_random(state) % 2 ? 3 + 1 : 0xf8 | (block_random(state) & 3);
		word[3] |= 2;
	} else if (i % 4 == 1) { /* an extreme base, multiplier and table */
		word[0] = block_random(state) % 2 ? 0x80 : (uint8_t)(0x7f + block_random(state) % 3);
		word[1] = (uint8_t)(block_random(state) % 16 | (block_random(state) % 3 ? 0 : 0xf0));
	}
}

/* Over 32-bit words; n is a number of bytes. */
static inline uint64_t block_checksum(uint64_t sum, const void *data, unsigned n)
{
	for (unsigned i = 0; i < n; i += 4) {
		uint32_t word;
		memcpy(&word, (const uint8_t *)data + i, 4);
		sum = (sum ^ word) * 0x9e3779b97f4a7c15;
		sum ^= sum >> 29;
	}
	return sum;
}

#endif
