/* SPDX-License-Identifier: MIT */
/* "Partition Pattern Generation": each partition has a number that grows along
 * the axes, modulo 64; a texel belongs to the partition with the largest, the
 * first of equal ones. */
#include "core/format/astc_block.h"

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

	unsigned start[4] = { 0 }, dx[4] = { 0 }, dy[4] = { 0 }, dz[4] = { 0 };
	for (unsigned i = 0; i < partitions; i++) {
		start[i] = hash >> (14 - 4 * i);
		dx[i] = scale * growth(hash, x_low[i], x_shift);
		dy[i] = scale * growth(hash, y_low[i], y_shift);
		dz[i] = scale * growth(hash, z_low[i], z_shift);
	}
	for (unsigned z = 0; z < size.depth; z++)
		for (unsigned y = 0; y < size.height; y++)
			for (unsigned x = 0; x < size.width; x++) {
				unsigned best = 0;
				for (unsigned i = 0; i < 4; i++) {
					unsigned number = (start[i] + dx[i] * x + dy[i] * y + dz[i] * z) & 63;
					unsigned key = number << 2 | (3 - i);
					best = key > best ? key : best;
				}
				*map++ = (uint8_t)(3 - (best & 3));
			}
}
