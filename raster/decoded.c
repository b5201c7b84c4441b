/* SPDX-License-Identifier: MIT */
/* What the driver has to know of decoded planes: core/format/block.h has the formats. */
#include "core/format/block.h"
#include "isa/decoded.h"
#include "raster/rs.h"

uint64_t rs_decoded_bytes(const struct surf_plane *blocks, unsigned levels)
{
	const struct cu_block_format *f = cu_block_format(blocks->dfmt, blocks->nfmt);
	return f && f->depth == 1 && levels <= SURF_MAX_LEVELS ? isa_decoded_bytes(blocks, levels, f->dfmt, f->nfmt) : 0;
}

bool rs_decodes_alike(unsigned dfmt, unsigned a, unsigned b)
{
	const struct cu_block_format *f = cu_block_format(dfmt, a), *g = cu_block_format(dfmt, b);
	return f && g && f->decode == g->decode;
}
