/* SPDX-License-Identifier: MIT */
#include "raster/copy_row.h"

#include <string.h>
#include "isa/resource.h"
#include "isa/surface.h"

/* In both tilings an even x and its successor are neighbours in memory, so
 * elements move in pairs where both sides are at an even x (or linear). */
static inline __attribute__((always_inline)) void copy_row(unsigned bpe, uint8_t *dst, unsigned dst_tiling, uint32_t dx,
	const uint8_t *src, unsigned src_tiling, uint32_t sx, uint32_t n)
{
	uint32_t odd = (dst_tiling == TILING_4X4 ? dx & 1 : 0) | (src_tiling == TILING_4X4 ? sx & 1 : 0);
	bool pairs = dst_tiling != TILING_4X4 || src_tiling != TILING_4X4 || ((dx ^ sx) & 1) == 0;
	uint32_t i = 0;
	for (; i < n && (!pairs || i < odd); i++)
		memcpy(dst + surf_x_part(dst_tiling, bpe, dx + i), src + surf_x_part(src_tiling, bpe, sx + i), bpe);
	for (; i + 2 <= n; i += 2)
		memcpy(dst + surf_x_part(dst_tiling, bpe, dx + i), src + surf_x_part(src_tiling, bpe, sx + i), 2 * bpe);
	if (i < n)
		memcpy(dst + surf_x_part(dst_tiling, bpe, dx + i), src + surf_x_part(src_tiling, bpe, sx + i), bpe);
}

void rs_copy_row(unsigned bpe, uint8_t *dst, unsigned dst_tiling, uint32_t dx,
	const uint8_t *src, unsigned src_tiling, uint32_t sx, uint32_t n)
{
	if (dst_tiling != TILING_4X4 && src_tiling != TILING_4X4) {
		memcpy(dst + (uint64_t)dx * bpe, src + (uint64_t)sx * bpe, (uint64_t)n * bpe);
		return;
	}
	switch (bpe) { /* so that the copies have constant sizes */
	case 1: copy_row(1, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 2: copy_row(2, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 3: copy_row(3, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 4: copy_row(4, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 6: copy_row(6, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 8: copy_row(8, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 12: copy_row(12, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	default: copy_row(16, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	}
}
