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

bool dma_surface(const struct pm4_surface *p, struct dma_texels *out)
{
	unsigned bpe = surf_dfmt_bytes(p->dfmt);
	uint64_t base = dma_address(p->base_lo, p->base_hi);
	unsigned samples = p->samples ? p->samples : 1;
	if (!base || !bpe || (p->tiling != TILING_LINEAR && p->tiling != TILING_4X4) || p->level >= SURF_MAX_LEVELS)
		return false;
	if (p->width - 1 >= MAX_EXTENT || p->height - 1 >= MAX_EXTENT || p->slices - 1 >= MAX_EXTENT)
		return false;
	if (samples > 8 || (samples & (samples - 1)) ||
	    (samples > 1 && (p->tiling != TILING_4X4 || p->level || p->is_3d)))
		return false;
	struct surf_level l = surf_level_at(p->tiling, bpe * samples, p->width, p->height, p->slices, p->is_3d != 0, p->level);
	*out = (struct dma_texels){ (uint8_t *)(uintptr_t)base + l.offset, l.slice_stride, l.pitch, l.width, l.height,
		l.slices, p->tiling, bpe, samples };
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

/* Formats of 12 bytes do not divide the padding of rows and slices. */
static void clear_rows(const struct dma_texels *t, const struct pm4_clear_image *c, const uint8_t *texel)
{
	uint32_t rows = t->tiling == TILING_4X4 ? (t->height + 3) / 4 : t->height;
	uint32_t bytes = t->tiling == TILING_4X4 ? t->pitch : t->width * t->bpe;
	for (uint32_t z = 0; z < c->slice_count; z++)
		for (uint32_t y = 0; y < rows; y++)
			dma_fill(t->base + (c->first_slice + z) * t->slice_stride + (uint64_t)y * t->pitch, bytes, texel, t->bpe);
}

bool rs_dma_clear_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_clear_image c;
	struct dma_texels t;
	if (dwords != PM4_DWORDS(pm4_clear_image))
		return false;
	memcpy(&c, payload, sizeof(c));
	if (!dma_surface(&c.dst, &t) || !cu_format_valid(c.dst.dfmt, c.dst.nfmt) || c.first_slice > t.slices ||
	    c.slice_count > t.slices - c.first_slice)
		return false;
	struct flat_job j = { .dst = t.base + c.first_slice * t.slice_stride, .bytes = c.slice_count * t.slice_stride,
		.size = t.bpe };
	uint32_t mem[4] = { 0 };
	for (unsigned ch = 0; ch < 4; ch++) {
		unsigned sel = c.dst.sel >> 3 * ch & 7;
		if (sel >= SEL_R)
			mem[sel - SEL_R] = c.value[ch];
	}
	cu_format_pack(c.dst.dfmt, c.dst.nfmt, mem, j.pattern);
	if (t.bpe != 12)
		return run_flat(dma->pool, &j); /* padding is the plane's own */
	clear_rows(&t, &c, j.pattern);
	return true;
}
