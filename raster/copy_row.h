/* SPDX-License-Identifier: MIT */
/* A row of elements from one tiling to another. */
#ifndef RASTER_COPY_ROW_H
#define RASTER_COPY_ROW_H

#include <stdint.h>

/* Copies n elements of `bpe` bytes from x position sx of one row to dx of another. */
void rs_copy_row(unsigned bpe, uint8_t *dst, unsigned dst_tiling, uint32_t dx,
	const uint8_t *src, unsigned src_tiling, uint32_t sx, uint32_t n);

#endif
