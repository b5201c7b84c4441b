/* SPDX-License-Identifier: MIT */
/* Compressed formats: as which texels their blocks come out.  Used by the texture unit and the copy engine.  BC6 is
 * unsigned with UNORM and signed with SNORM, as the hardware has it; ASTC's UNORM texels are float16, its FLOAT ones
 * of the HDR profile; with its other decode modes USCALED is UNORM in bytes, SNORM is UNORM with a shared exponent, and
 * SSCALED FLOAT with a shared exponent. */
#ifndef CORE_FORMAT_BLOCK_H
#define CORE_FORMAT_BLOCK_H

#include <stdint.h>

#define CU_BLOCK_BYTES 1728 /* of a block's texels, at most: 6x6x6 halves */

struct cu_block_format {
	uint8_t bytes;         /* of a block */
	uint8_t width, height, depth; /* in texels */
	uint8_t texel_bytes;
	uint8_t dfmt, nfmt;    /* of its texels: a pair that cu_format_unpack knows */
	/* Texel (x, y, z) to texels + ((z * height + y) * width + x) * texel_bytes. */
	void (*decode)(const void *block, void *texels);
};

/* NULL for a pair that is not compressed, or does not exist. */
const struct cu_block_format *cu_block_format(unsigned dfmt, unsigned nfmt);

#endif
