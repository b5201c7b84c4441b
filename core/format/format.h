/* SPDX-License-Identifier: MIT */
/* Conversion between memory texels and shader channels: used by the buffer
 * unit, the texture unit, the colour block and the copy engine, so that all of
 * them agree.  Channels are 32-bit words: float bits for UNORM, SNORM, SRGB,
 * USCALED, SSCALED, FLOAT; integers for UINT, SINT.
 *
 * Unpacking gives memory components 0..3 before any DST_SEL; absent ones are
 * 0, 0, 0, 1 (float 1.0 or integer 1).  Packing takes components in memory
 * order: floats are clamped for UNORM, SNORM and SRGB (NaN to 0) and rounded
 * to nearest even; to FLOAT16/11/10/9995 rounded to nearest even (unsigned
 * small floats: negative to 0, NaN kept, overflow to the largest finite for
 * 5_9_9_9, infinity kept otherwise); integers saturate.
 *
 * `src`/`dst` hold n texels, `stride` bytes apart, unaligned; channels are
 * out[component][i]. */
#ifndef CORE_FORMAT_FORMAT_H
#define CORE_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"

/* False for a (dfmt, nfmt) that does not exist. */
bool cu_format_valid(unsigned dfmt, unsigned nfmt);

/* One texel. */
void cu_format_unpack(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4]);
void cu_format_pack(unsigned dfmt, unsigned nfmt, const uint32_t in[4], void *dst);

/* Buffers know more pairs: every data format of a V# with every number format
 * (SNORM_OGL is read only; FLOAT where the components have floats). */
bool cu_format_valid_buffer(unsigned dfmt, unsigned nfmt);
void cu_format_unpack_buffer(unsigned dfmt, unsigned nfmt, const void *src, uint32_t out[4]);
void cu_format_pack_buffer(unsigned dfmt, unsigned nfmt, const uint32_t in[4], void *dst);

/* 16 contiguous texels (one 4x4 block in memory order), all read; the fast
 * path of the colour block.  NULL for a pair that does not exist. */
typedef void (*cu_unpack_block_fn)(const void *src, uint32_t out[4][16]);
typedef void (*cu_pack_block_fn)(const uint32_t in[4][16], void *dst);
struct cu_formats {
	cu_unpack_block_fn (*unpack_block)(unsigned dfmt, unsigned nfmt);
	cu_pack_block_fn (*pack_block)(unsigned dfmt, unsigned nfmt);
};
CU_TABLES(struct cu_formats, cu_formats);

/* Single conversions, exact as above. */
float cu_half_to_float(uint16_t h);
uint16_t cu_float_to_half(float f);
float cu_srgb_to_linear(float c);   /* c in [0,1] */
float cu_linear_to_srgb(float c);

#endif
