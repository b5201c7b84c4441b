/* SPDX-License-Identifier: MIT */
/* Blocks of BC1 to BC7 (Khronos Data Format specification 1.3, chapters 18 to 20): 4x4 texels in 8 bytes (BC1, BC4) or
 * 16 (the others), unaligned.  Texel x, y is texels[4 * y + x].
 *
 * Colours of 8 bits are R, G, B, A, the same for UNORM and SRGB.  What the specification leaves to the implementation,
 * how colours between the ends are rounded, is: ends to 8 bits by repeating their high bits, weights in integers, the
 * quotient rounded down.  BC6H and BC7 are exact by specification.
 *
 * Any bytes are a block: reserved modes are black, with alpha 1 in BC6H and 0 in BC7. */
#ifndef CORE_FORMAT_BC_H
#define CORE_FORMAT_BC_H

#include <stdbool.h>
#include <stdint.h>

/* With `alpha` the third colour's black is transparent (BC1 RGBA). */
void cu_bc1_decode(const void *block, bool alpha, uint8_t texels[16][4]);
void cu_bc2_decode(const void *block, uint8_t texels[16][4]);
void cu_bc3_decode(const void *block, uint8_t texels[16][4]);

/* Floats of [0, 1], or of [-1, 1] with `is_signed`: the fraction that is meant, rounded to nearest once. */
void cu_bc4_decode(const void *block, bool is_signed, float texels[16]);
void cu_bc5_decode(const void *block, bool is_signed, float texels[16][2]);

/* Bits of float16: R, G, B and 1. */
void cu_bc6h_decode(const void *block, bool is_signed, uint16_t texels[16][4]);
void cu_bc7_decode(const void *block, uint8_t texels[16][4]);

#endif
