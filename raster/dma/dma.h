/* SPDX-License-Identifier: MIT */
/* Copy engine. */
#ifndef RASTER_DMA_DMA_H
#define RASTER_DMA_DMA_H

#include <stdbool.h>
#include <stdint.h>

struct cu_formats;
struct pm4_resolve_target;
struct rs_pool;
struct rs_resolve;
struct surf_plane;

struct rs_dma {
	struct rs_pool *pool;             /* for large work; may be NULL */
	const struct cu_formats *formats; /* of the device's level */
};

/* Each takes a packet's payload and returns false for a malformed one. */
bool rs_dma_copy_buffer(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);
bool rs_dma_fill_buffer(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);
bool rs_dma_copy_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);
bool rs_dma_blit_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);
bool rs_dma_resolve_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);
/* What a packet asks of the target `src`. */
bool rs_dma_resolve_target(const struct rs_dma *dma, const struct pm4_resolve_target *p, const struct surf_plane *src,
	struct rs_resolve *r);
bool rs_dma_clear_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords);

#endif
