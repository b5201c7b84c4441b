/* SPDX-License-Identifier: MIT */
/* What blocks of BC6H and BC7 have in common (Khronos Data Format specification 1.3, chapter 20). */
#ifndef CORE_FORMAT_BPTC_H
#define CORE_FORMAT_BPTC_H

#include <stdint.h>

/* Partitions.  Two subsets: bit i is the subset of texel i; three: bits 2 i and 2 i + 1. */
extern const uint16_t cu_bptc_two[64];
extern const uint32_t cu_bptc_three[64];
/* The texel of each subset whose index has a bit less: texel 0 in subset 0, in the others these.  16 in a number, the
 * first in the lowest four bits. */
extern const uint64_t cu_bptc_anchor_of_two[4], cu_bptc_anchors_of_three[2][4];

/* Of 64, for indices of 2, 3 and 4 bits. */
extern const uint8_t cu_bptc_weights[3][16];

static inline unsigned cu_bptc_nibble(const uint64_t v[4], unsigned i) { return (unsigned)(v[i / 16] >> i % 16 * 4) & 15; }

/* A bit for each of these texels. */
static inline unsigned cu_bptc_anchors(unsigned subsets, unsigned which)
{
	if (subsets == 1)
		return 1;
	if (subsets == 2)
		return 1 | 1u << cu_bptc_nibble(cu_bptc_anchor_of_two, which);
	return 1 | 1u << cu_bptc_nibble(cu_bptc_anchors_of_three[0], which) | 1u << cu_bptc_nibble(cu_bptc_anchors_of_three[1], which);
}

/* Indices of 16 texels, `bits` each from the lowest on, of what a block has of them: an anchor's gets the bit that it has not. */
static inline uint64_t cu_bptc_indices(uint64_t v, unsigned bits, unsigned anchors)
{
	for (; anchors; anchors &= anchors - 1) {
		const uint64_t below = (1ull << ((unsigned)__builtin_ctz(anchors) * bits + bits - 1)) - 1;
		v = (v & below) | (v & ~below) << 1;
	}
	return v;
}

#endif
