/* SPDX-License-Identifier: MIT */
/* Copy engine. */
#ifndef RASTER_DMA_DMA_H
#define RASTER_DMA_DMA_H

#include <stdbool.h>
#include <stdint.h>

struct rs_pool;

/* Each takes a packet's payload, uses the pool for large
 * work, and returns false for a malformed one. */
bool rs_dma_copy_buffer(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_fill_buffer(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_copy_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_blit_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_resolve_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);
bool rs_dma_clear_image(struct rs_pool *pool, const uint32_t *payload, uint32_t dwords);

#endif
