/* SPDX-License-Identifier: MIT */
/* Blocks of ASTC, 16 bytes each, as the Khronos Data Format specification 1.4
 * has them in its chapter "ASTC Compressed Texture Image Formats": every
 * footprint, void extents (whose coordinates only say whether the block is
 * valid), LDR and HDR.  Any 16 bytes are a block: what the specification calls
 * illegal is opaque magenta, (1, 0, 1, 1). */
#ifndef CORE_FORMAT_ASTC_H
#define CORE_FORMAT_ASTC_H

#include <stdint.h>

/* Footprints, F(width, height, depth): those of two and of three dimensions. */
#define CU_ASTC_FOOTPRINTS_2D(F) \
	F(4, 4, 1) F(5, 4, 1) F(5, 5, 1) F(6, 5, 1) F(6, 6, 1) F(8, 5, 1) F(8, 6, 1) F(8, 8, 1) \
	F(10, 5, 1) F(10, 6, 1) F(10, 8, 1) F(10, 10, 1) F(12, 10, 1) F(12, 12, 1)
#define CU_ASTC_FOOTPRINTS_3D(F) \
	F(3, 3, 3) F(4, 3, 3) F(4, 4, 3) F(4, 4, 4) F(5, 4, 4) F(5, 5, 4) F(5, 5, 5) F(6, 5, 5) F(6, 6, 5) F(6, 6, 6)

enum { CU_ASTC_MAX_TEXELS = 6 * 6 * 6 };

struct cu_astc_footprint {
	uint8_t width, height, depth; /* depth 1: a block of two dimensions */
};

/* Operation mode and decode mode, and what a texel is then: four bytes or four
 * half-precision floats, R, G, B, A.  In LDR modes texels of HDR endpoints and
 * of HDR void extents are magenta, as in an LDR-profile decoder. */
enum cu_astc_mode {
	CU_ASTC_SRGB8,       /* sRGB: bytes, R, G and B not yet linear */
	CU_ASTC_UNORM8,      /* linear LDR, decode_unorm8: bytes */
	CU_ASTC_FLOAT16,     /* linear LDR, decode_float16: halves */
	CU_ASTC_FLOAT16_HDR, /* HDR, decode_float16: halves, none of them infinite or NaN */
};

/* `out` is uint8_t [texels][4], or uint16_t [texels][4] for halves, aligned to
 * its elements: row by row, slice by slice. */
void cu_astc_decode(struct cu_astc_footprint size, enum cu_astc_mode mode, const uint8_t block[16], void *out);

#endif
