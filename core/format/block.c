/* SPDX-License-Identifier: MIT */
#include "core/format/block.h"

#include <stddef.h>
#include "core/format/bc.h"
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

#define ROW(dfmt_, nfmt_, texel, texel_nfmt, decode_) \
	case CU_FORMAT_KEY(DFMT_##dfmt_, NFMT_##nfmt_): { \
		static const struct cu_block_format f = { DFMT_BYTES_##dfmt_, 4, 4, DFMT_BYTES_##texel, DFMT_##texel, \
			NFMT_##texel_nfmt, decode_ }; \
		return &f; }

const struct cu_block_format *cu_block_format(unsigned dfmt, unsigned nfmt)
{
	switch (CU_FORMAT_KEY(dfmt, nfmt)) {
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
	default: return NULL;
	}
}
