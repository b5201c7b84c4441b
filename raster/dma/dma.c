/* SPDX-License-Identifier: MIT */
/* Copy engine: buffers, clears, and what all its packets share. */
#include "raster/dma/dma.h"

#include <string.h>
#include "core/format/format.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/dma/dma_priv.h"
#include "raster/pool.h"

#define MAX_EXTENT 65536u

bool dma_surface(const struct pm4_surface *p, struct surf_plane *out)
{
	if (p->width - 1 >= MAX_EXTENT || p->height - 1 >= MAX_EXTENT || p->slices - 1 >= MAX_EXTENT ||
	    p->level >= SURF_MAX_LEVELS || (p->tiling | p->dfmt | p->nfmt | p->samples) > UINT8_MAX)
		return false;
	*out = (struct surf_plane){ .base = (uint8_t *)(uintptr_t)dma_address(p->base_lo, p->base_hi), .width = p->width,
		.height = p->height, .slices = p->slices, .is_3d = p->is_3d != 0, .tiling = (uint8_t)p->tiling,
		.samples = p->samples ? (uint8_t)p->samples : 1, .dfmt = (uint8_t)p->dfmt, .nfmt = (uint8_t)p->nfmt };
	surf_init(out);
	if (surf_fault(out) || (out->samples > 1 && p->level))
		return false;
	*out = surf_level(*out, p->level);
	return true;
}

void dma_run(struct rs_pool *pool, uint64_t bytes, uint32_t count,
	void (*fn)(void *data, uint32_t index, unsigned thread), void *data)
{
	if (pool && count > 1 && bytes > DMA_PARALLEL_BYTES) {
		rs_pool_run(pool, count, fn, data);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		fn(data, i, 0);
}

void dma_fill(uint8_t *dst, uint64_t bytes, const uint8_t *pattern, unsigned size)
{
	bool same = true;
	for (unsigned i = 1; i < size; i++)
		same &= pattern[i] == pattern[0];
	if (same) {
		memset(dst, pattern[0], bytes);
		return;
	}
	/* A run of 4 KiB or so by doubling, then that run again and again. */
	uint64_t run = size, limit = bytes < 4096 ? bytes : 4096;
	memcpy(dst, pattern, bytes < size ? bytes : size);
	while (run * 2 <= limit) {
		memcpy(dst + run, dst, run);
		run *= 2;
	}
	for (uint64_t at = run; at < bytes; at += run)
		memcpy(dst + at, dst, bytes - at < run ? bytes - at : run);
}

/* A flat range cut into pieces: copied when src is set, else filled. */
struct flat_job {
	uint8_t *dst;
	const uint8_t *src;
	uint64_t bytes;
	unsigned size;
	uint8_t pattern[16];
};

static void flat_piece(void *data, uint32_t index, unsigned thread)
{
	const struct flat_job *j = data;
	uint64_t at = (uint64_t)index * DMA_PARALLEL_BYTES, n = j->bytes - at;
	n = n < DMA_PARALLEL_BYTES ? n : DMA_PARALLEL_BYTES;
	if (j->src)
		memcpy(j->dst + at, j->src + at, n);
	else
		dma_fill(j->dst + at, n, j->pattern, j->size);
}

/* False when the range is too long to be one. */
static bool run_flat(struct rs_pool *pool, struct flat_job *j)
{
	uint64_t pieces = (j->bytes + DMA_PARALLEL_BYTES - 1) / DMA_PARALLEL_BYTES;
	if (pieces > UINT32_MAX)
		return false;
	dma_run(pool, j->bytes, (uint32_t)pieces, flat_piece, j);
	return true;
}

bool rs_dma_copy_buffer(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	const struct pm4_copy_buffer *k = (const void *)payload;
	if (dwords != PM4_DWORDS(pm4_copy_buffer))
		return false;
	struct flat_job j = { .src = (const uint8_t *)(uintptr_t)dma_address(k->src_lo, k->src_hi),
		.dst = (uint8_t *)(uintptr_t)dma_address(k->dst_lo, k->dst_hi), .bytes = dma_bytes(k->bytes_lo, k->bytes_hi) };
	return j.bytes == 0 || (j.src && j.dst && run_flat(dma->pool, &j));
}

bool rs_dma_fill_buffer(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	const struct pm4_fill_buffer *k = (const void *)payload;
	if (dwords != PM4_DWORDS(pm4_fill_buffer))
		return false;
	struct flat_job j = { .dst = (uint8_t *)(uintptr_t)dma_address(k->dst_lo, k->dst_hi),
		.bytes = dma_bytes(k->bytes_lo, k->bytes_hi), .size = 4 };
	memcpy(j.pattern, &k->value, 4);
	return j.bytes == 0 || (j.dst && j.bytes % 4 == 0 && run_flat(dma->pool, &j));
}

/* Formats of three components do not divide the padding of rows and slices. */
static void clear_rows(const struct surf_plane *p, const struct pm4_clear_image *c, const uint8_t *texel)
{
	uint32_t step = p->tiling == TILING_4X4 ? 4 : 1; /* rows in one piece */
	uint32_t bytes = p->tiling == TILING_4X4 ? p->pitch : surf_columns(p) * p->bpe;
	for (uint32_t z = 0; z < c->slice_count; z++)
		for (uint32_t y = 0; y < surf_rows(p); y += step)
			dma_fill(surf_row(p, y, c->first_slice + z), bytes, texel, p->bpe);
}

bool rs_dma_clear_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_clear_image c;
	struct surf_plane p;
	if (dwords != PM4_DWORDS(pm4_clear_image))
		return false;
	memcpy(&c, payload, sizeof(c));
	if (!dma_surface(&c.dst, &p) || !cu_format_valid(c.dst.dfmt, c.dst.nfmt) || c.first_slice > p.slices ||
	    c.slice_count > p.slices - c.first_slice)
		return false;
	struct flat_job j = { .dst = surf_row(&p, 0, c.first_slice), .bytes = c.slice_count * p.slice_stride,
		.size = p.bpe };
	uint32_t mem[4] = { 0 };
	for (unsigned ch = 0; ch < 4; ch++) {
		unsigned sel = c.dst.sel >> 3 * ch & 7;
		if (sel >= SEL_R)
			mem[sel - SEL_R] = c.value[ch];
	}
	cu_format_pack(c.dst.dfmt, c.dst.nfmt, mem, j.pattern);
	if (!(p.bpe & (p.bpe - 1)))
		return run_flat(dma->pool, &j); /* padding is the plane's own */
	clear_rows(&p, &c, j.pattern);
	return true;
}
