/* SPDX-License-Identifier: MIT */
/* Hierarchical Z of a tile. */
#ifndef RASTER_BACK_HIZ_H
#define RASTER_BACK_HIZ_H

#include <stdint.h>
#include "isa/regs.h"

#define RS_BLOCKS 64          /* of 8x8 pixels in a tile */
enum { RS_HIZ_PATIENCE = 64, RS_HIZ_MOST_PATIENCE = 240 };

/* By block, in depth codes (float, or the integer of D16
 * as a float): every stored depth is within [lo, hi]. */
struct rs_hiz {
	float lo[RS_BLOCKS], hi[RS_BLOCKS];
	uint8_t stale[RS_BLOCKS];  /* pixels written since the range was exact */
	uint8_t patience[RS_BLOCKS]; /* so many may be, then the depths are looked at again */
	uint64_t valid;            /* bit per block */
	unsigned layer;
};

/* A primitive's depths: between its vertices, and in a block from the plane at its first pixel, with the slack of roundings
 * and samples; what they are clamped to. */
struct rs_z_range { double down, up; float first, last, min, max; };

/* Its codes in a row of the tile's blocks; plain: by block, rs_depth.z_plain. */
struct rs_z_row { _Alignas(32) float lo[8], hi[8]; uint32_t plain; };

/* After `count` pixels of a block passed the test and were written: that moves depths one way
 * only, so one bound of the block stays. */
static inline void rs_hiz_touch(struct rs_hiz *h, unsigned func, unsigned block, unsigned count)
{
	unsigned stale = h->stale[block] + count;
	switch (func) {
	case COMPARE_LESS: case COMPARE_LEQUAL: h->lo[block] = -__builtin_inff(); break;
	case COMPARE_GREATER: case COMPARE_GEQUAL: h->hi[block] = __builtin_inff(); break;
	case COMPARE_EQUAL: return;
	default: h->valid &= ~(1ull << block); return;
	}
	h->stale[block] = (uint8_t)(stale < 255 ? stale : 255);
}

#endif
