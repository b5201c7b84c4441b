/* SPDX-License-Identifier: MIT */
/* "Partition Pattern Generation": each partition has a number that grows along
 * the axes, modulo 64; a texel belongs to the partition with the largest, the
 * first of equal ones. */
#include <string.h>

#include "core/format/astc_block.h"

/* Texels beside each other, of which a footprint has at most twelve. */
typedef uint8_t row __attribute__((vector_size(ASTC_ROW)));

static uint32_t hash52(uint32_t v)
{
	v ^= v >> 15;
	v *= 0xeede0891; /* (1 - 2^17) (1 + 2^7) (1 + 2^4) modulo 2^32 */
	v ^= v >> 5;
	v += v << 16;
	v ^= v >> 7;
	v ^= v >> 3;
	v ^= v << 6;
	v ^= v >> 17;
	return v;
}

/* How much a number grows from texel to texel: the four bits from bit `low`
 * of the hash on, which is thought to repeat, squared and shifted. */
static unsigned growth(uint32_t hash, unsigned low, unsigned shift)
{
	unsigned seed = (unsigned)(((uint64_t)hash << 32 | hash) >> low) & 15;
	return seed * seed >> shift;
}

void astc_partition_map(struct cu_astc_footprint size, unsigned pattern, unsigned partitions, uint8_t *map)
{
	static const uint8_t x_low[4] = { 0, 8, 16, 24 }, y_low[4] = { 4, 12, 20, 28 }, z_low[4] = { 26, 30, 18, 22 };
	unsigned seed = pattern + (partitions - 1) * 1024, texels = (unsigned)size.width * size.height * size.depth;
	uint32_t hash = hash52(seed);
	unsigned by_seed = seed & 2 ? 4 : 5, by_count = partitions == 3 ? 6 : 5;
	unsigned x_shift = seed & 1 ? by_seed : by_count, y_shift = seed & 1 ? by_count : by_seed;
	unsigned z_shift = seed & 16 ? x_shift : y_shift;
	unsigned scale = texels < 31 ? 2 : 1; /* small blocks */

	/* Bits 7 to 2 are the number of partition i, and the rest makes the first
	 * of equal ones the largest.  Those that do not exist have 0. */
	uint8_t key[4], dx[4] = { 0 }, dy[4] = { 0 }, dz[4] = { 0 };
	for (unsigned i = 0; i < 4; i++)
		key[i] = (uint8_t)(3 - i);
	for (unsigned i = 0; i < partitions; i++) {
		key[i] = (uint8_t)(key[i] | hash >> (14 - 4 * i) << 2);
		dx[i] = (uint8_t)(scale * growth(hash, x_low[i], x_shift));
		dy[i] = (uint8_t)(scale * growth(hash, y_low[i], y_shift));
		dz[i] = (uint8_t)(scale * growth(hash, z_low[i], z_shift));
	}
	row first[4];
	for (unsigned i = 0; i < 4; i++)
		first[i] = key[i] + (uint8_t)(4 * dx[i]) * (row){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	for (unsigned z = 0; z < size.depth; z++)
		for (unsigned y = 0; y < size.height; y++) {
			row best = { 0 };
			for (unsigned i = 0; i < 4; i++) {
				row keys = first[i] + (uint8_t)(4 * (dy[i] * y + dz[i] * z));
				row more = (row)(keys > best);
				best = (keys & more) | (best & ~more);
			}
			best = 3 - (best & 3);
			memcpy(map, &best, sizeof(best));
			map += size.width;
		}
}
