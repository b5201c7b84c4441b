/* SPDX-License-Identifier: MIT */
/* Inside of the copy engine: surfaces of packets checked and decoded, rows of
 * texels, splitting work over the pool. */
#ifndef RASTER_DMA_DMA_PRIV_H
#define RASTER_DMA_DMA_PRIV_H

#include <string.h>
#include "isa/pm4.h"
#include "isa/surface.h"
#include "raster/dma/dma.h"
#include "raster/pool.h"

/* Work below this many bytes stays on the calling thread. */
#define DMA_PARALLEL_BYTES (256u << 10)

static inline uint64_t dma_bytes(uint32_t lo, uint32_t hi) { return (uint64_t)hi << 32 | lo; }
/* 0 for what has more than the GPU's 48 bits. */
static inline uint64_t dma_address(uint32_t lo, uint32_t hi) { return hi >> 16 ? 0 : (uint64_t)hi << 32 | lo; }

/* The level that a packet's surface names.  False for one that cannot be:
 * no address, unknown format or tiling, sizes or level out of range. */
bool dma_surface(const struct pm4_surface *p, struct surf_plane *out);

/* Runs fn(data, 0 .. count - 1) on the pool when the work is large; pool may be NULL. */
void dma_run(struct rs_pool *pool, uint64_t bytes, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data);

/* Fills `bytes` with the `size`-byte pattern; bytes is a multiple of size. */
void dma_fill(uint8_t *dst, uint64_t bytes, const uint8_t *pattern, unsigned size);

#endif
