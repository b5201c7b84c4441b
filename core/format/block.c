/* SPDX-License-Identifier: MIT */
#include "core/format/block.h"

#include <stddef.h>
#include "core/format/astc.h"
#include "core/format/bc.h"
#include "core/format/etc.h"
#include "core/format/format_layout.h"

static void bc1(const void *block, void *texels) { cu_bc1_decode(block, true, texels); }
static void bc2(const void *block, void *texels) { cu_bc2_decode(block, texels); }
static void bc3(const void *block, void *texels) { cu_bc3_decode(block, texels); }
static void bc4_unorm(const void *block, void *texels) { cu_bc4_decode(block, false, texels); }
static void bc4_snorm(const void *block, void *texels) { cu_bc4_decode(block, true, texels); }
static void bc5_unorm(const void *block, void *texels) { cu_bc5_decode(block, false, texels); }
static void bc5_snorm(const void *block, void *texels) { cu_bc5_decode(block, true, texels); }
static void bc6_unorm(const void *block, void *texels) { cu_bc6h_decode(block, false, texels); }
static void bc6_snorm(const void *block, void *texels) { cu_bc6h_decode(block, true, texels); }
static void bc7(const void *block, void *texels) { cu_bc7_decode(block, texels); }

static void etc2_rgb(const void *block, void *texels) { cu_etc2_rgb8(block, texels); }
static void etc2_rgba(const void *block, void *texels) { cu_etc2_rgba8(block, texels); }
static void etc2_rgba1(const void *block, void *texels) { cu_etc2_rgb8a1(block, texels); }

static void eac_r(const void *block, bool is_signed, uint32_t *texels)
{
	int16_t codes[16];
	cu_eac_r11(block, is_signed, codes);
	for (unsigned i = 0; i < 16; i++)
		texels[i] = cu_eac_float(codes[i], is_signed);
}
static void eac_r_unorm(const void *block, void *texels) { eac_r(block, false, texels); }
static void eac_r_snorm(const void *block, void *texels) { eac_r(block, true, texels); }

static void eac_rg(const void *block, bool is_signed, uint32_t *texels)
{
	int16_t codes[2][16];
	cu_eac_rg11(block, is_signed, codes);
	for (unsigned i = 0; i < 32; i++)
		texels[i] = cu_eac_float(codes[i % 2][i / 2], is_signed);
}
static void eac_rg_unorm(const void *block, void *texels) { eac_rg(block, false, texels); }
static void eac_rg_snorm(const void *block, void *texels) { eac_rg(block, true, texels); }

/* Halves to 5_9_9_9 as decode_rgb9e5 has it: the exponent of the largest of the three, what does not fit is cut off.
 * Negative ones, which only void extents have, are 0. */
static uint32_t shared_exponent(const uint16_t half[4])
{
	uint64_t steps[3]; /* of 2^-24 */
	for (unsigned c = 0; c < 3; c++) {
		unsigned e = half[c] >> 10, m = half[c] & 0x3ff;
		steps[c] = e > 31 ? 0 : e ? (uint64_t)(m | 0x400) << (e - 1) : m;
	}
	unsigned bits = 64 - (unsigned)__builtin_clzll(steps[0] | steps[1] | steps[2] | 1), shift = bits > 9 ? bits - 9 : 0;
	return (uint32_t)(shift << 27 | steps[2] >> shift << 18 | steps[1] >> shift << 9 | steps[0] >> shift);
}

static void astc_shared(struct cu_astc_footprint size, enum cu_astc_mode mode, const void *block, uint32_t *texels)
{
	uint16_t half[CU_ASTC_MAX_TEXELS][4];
	cu_astc_decode(size, mode, block, half);
	for (unsigned i = 0; i < (unsigned)size.width * size.height * size.depth; i++)
		texels[i] = shared_exponent(half[i]);
}

#define FUNCTIONS(name, w, h, d) \
	static void name##_unorm8(const void *block, void *texels) \
	{ cu_astc_decode((struct cu_astc_footprint){ w, h, d }, CU_ASTC_UNORM8, block, texels); } \
	static void name##_shared(const void *block, void *texels) \
	{ astc_shared((struct cu_astc_footprint){ w, h, d }, CU_ASTC_FLOAT16, block, texels); } \
	static void name##_shared_hdr(const void *block, void *texels) \
	{ astc_shared((struct cu_astc_footprint){ w, h, d }, CU_ASTC_FLOAT16_HDR, block, texels); } \
	static void name##_unorm(const void *block, void *texels) \
	{ cu_astc_decode((struct cu_astc_footprint){ w, h, d }, CU_ASTC_FLOAT16, block, texels); } \
	static void name##_srgb(const void *block, void *texels) \
	{ cu_astc_decode((struct cu_astc_footprint){ w, h, d }, CU_ASTC_SRGB8, block, texels); } \
	static void name##_float(const void *block, void *texels) \
	{ cu_astc_decode((struct cu_astc_footprint){ w, h, d }, CU_ASTC_FLOAT16_HDR, block, texels); }
#define ASTC(w, h, d) FUNCTIONS(astc_##w##x##h, w, h, d)
CU_ASTC_FOOTPRINTS_2D(ASTC)
#undef ASTC
#define ASTC(w, h, d) FUNCTIONS(astc_##w##x##h##x##d, w, h, d)
CU_ASTC_FOOTPRINTS_3D(ASTC)
#undef ASTC

#define SIZED(dfmt_, nfmt_, width_, height_, depth_, texel, texel_nfmt, decode_) \
	case CU_FORMAT_KEY(DFMT_##dfmt_, NFMT_##nfmt_): { \
		static const struct cu_block_format f = { DFMT_BYTES_##dfmt_, width_, height_, depth_, DFMT_BYTES_##texel, DFMT_##texel, \
			NFMT_##texel_nfmt, decode_ }; \
		_Static_assert((width_) * (height_) * (depth_) * DFMT_BYTES_##texel <= CU_BLOCK_BYTES, "a block's texels"); \
		return &f; }
#define ROW(dfmt, nfmt, texel, texel_nfmt, decode) SIZED(dfmt, nfmt, 4, 4, 1, texel, texel_nfmt, decode)

const struct cu_block_format *cu_block_format(unsigned dfmt, unsigned nfmt)
{
	switch (CU_FORMAT_KEY(dfmt, nfmt)) {
	ROW(ETC2_RGB, UNORM, 8_8_8_8, UNORM, etc2_rgb)
	ROW(ETC2_RGB, SRGB, 8_8_8_8, SRGB, etc2_rgb)
	ROW(ETC2_RGBA, UNORM, 8_8_8_8, UNORM, etc2_rgba)
	ROW(ETC2_RGBA, SRGB, 8_8_8_8, SRGB, etc2_rgba)
	ROW(ETC2_RGBA1, UNORM, 8_8_8_8, UNORM, etc2_rgba1)
	ROW(ETC2_RGBA1, SRGB, 8_8_8_8, SRGB, etc2_rgba1)
	ROW(ETC2_R, UNORM, 32, FLOAT, eac_r_unorm)
	ROW(ETC2_R, SNORM, 32, FLOAT, eac_r_snorm)
	ROW(ETC2_RG, UNORM, 32_32, FLOAT, eac_rg_unorm)
	ROW(ETC2_RG, SNORM, 32_32, FLOAT, eac_rg_snorm)
	ROW(BC1, UNORM, 8_8_8_8, UNORM, bc1)
	ROW(BC1, SRGB, 8_8_8_8, SRGB, bc1)
	ROW(BC2, UNORM, 8_8_8_8, UNORM, bc2)
	ROW(BC2, SRGB, 8_8_8_8, SRGB, bc2)
	ROW(BC3, UNORM, 8_8_8_8, UNORM, bc3)
	ROW(BC3, SRGB, 8_8_8_8, SRGB, bc3)
	ROW(BC4, UNORM, 32, FLOAT, bc4_unorm)
	ROW(BC4, SNORM, 32, FLOAT, bc4_snorm)
	ROW(BC5, UNORM, 32_32, FLOAT, bc5_unorm)
	ROW(BC5, SNORM, 32_32, FLOAT, bc5_snorm)
	ROW(BC6, UNORM, 16_16_16_16, FLOAT, bc6_unorm)
	ROW(BC6, SNORM, 16_16_16_16, FLOAT, bc6_snorm)
	ROW(BC7, UNORM, 8_8_8_8, UNORM, bc7)
	ROW(BC7, SRGB, 8_8_8_8, SRGB, bc7)
#define ROWS(dfmt, name, w, h, d) \
	SIZED(dfmt, UNORM, w, h, d, 16_16_16_16, FLOAT, name##_unorm) \
	SIZED(dfmt, USCALED, w, h, d, 8_8_8_8, UNORM, name##_unorm8) \
	SIZED(dfmt, SNORM, w, h, d, 5_9_9_9, FLOAT, name##_shared) \
	SIZED(dfmt, SSCALED, w, h, d, 5_9_9_9, FLOAT, name##_shared_hdr) \
	SIZED(dfmt, SRGB, w, h, d, 8_8_8_8, SRGB, name##_srgb) \
	SIZED(dfmt, FLOAT, w, h, d, 16_16_16_16, FLOAT, name##_float)
#define ASTC(w, h, d) ROWS(ASTC_##w##x##h, astc_##w##x##h, w, h, d)
	CU_ASTC_FOOTPRINTS_2D(ASTC)
#undef ASTC
#define ASTC(w, h, d) ROWS(ASTC_##w##x##h##x##d, astc_##w##x##h##x##d, w, h, d)
	CU_ASTC_FOOTPRINTS_3D(ASTC)
#undef ASTC
	default: return NULL;
	}
}
