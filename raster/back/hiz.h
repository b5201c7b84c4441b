/* SPDX-License-Identifier: MIT */
/* Hierarchical Z of a tile. */
#ifndef RASTER_BACK_HIZ_H
#define RASTER_BACK_HIZ_H

#include <stdint.h>

#define RS_BLOCKS 64          /* of 8x8 pixels in a tile */

/* By block, in depth codes (float, or the integer of D16
 * as a float): every stored depth is within [lo, hi]. */
struct rs_hiz {
	float lo[RS_BLOCKS], hi[RS_BLOCKS];
	uint8_t stale[RS_BLOCKS];  /* pixels written since the range was exact */
	uint64_t valid;            /* bit per block */
	unsigned layer;
};

#endif
