/* SPDX-License-Identifier: MIT */
/* QW_COPY_IMAGE: raw texels between images and buffers of any tiling. */
#include <string.h>
#include "isa/pm4.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/dma/dma.h"
#include "raster/dma/dma_priv.h"

/* In both tilings an even x and its successor are neighbours in memory, so
 * texels move in pairs where both sides are at an even x (or linear). */
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

void dma_copy_row(unsigned bpe, uint8_t *dst, unsigned dst_tiling, uint32_t dx,
	const uint8_t *src, unsigned src_tiling, uint32_t sx, uint32_t n)
{
	if (dst_tiling != TILING_4X4 && src_tiling != TILING_4X4) {
		memcpy(dst + (uint64_t)dx * bpe, src + (uint64_t)sx * bpe, (uint64_t)n * bpe);
		return;
	}
	switch (bpe) { /* so that the copies have constant sizes */
	case 1: copy_row(1, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 2: copy_row(2, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 4: copy_row(4, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 8: copy_row(8, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	case 12: copy_row(12, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	default: copy_row(16, dst, dst_tiling, dx, src, src_tiling, sx, n); break;
	}
}

struct copy_job {
	struct dma_texels src, dst;
	uint32_t src_x, src_y, src_z, dst_x, dst_y, dst_z;
	uint32_t width, height;
	uint32_t bands, rows; /* a slice is cut into bands of `rows` rows */
	bool whole_blocks;    /* both sides 4X4 and aligned alike */
};

/* Every sample of the texels. */
static void copy_sample_rows(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count, uint32_t x, uint32_t n)
{
	unsigned samples = j->dst.samples, bpe = j->dst.bpe;
	for (uint32_t i = y; i < y + count; i++) {
		uint8_t *dst = dma_row(&j->dst, j->dst_y + i, j->dst_z + z);
		const uint8_t *src = dma_row(&j->src, j->src_y + i, j->src_z + z);
		for (uint32_t k = x; k < x + n; k++)
			for (unsigned s = 0; s < samples; s++)
				memcpy(dst + surf_x_part(TILING_4X4, bpe, surf_ms_x(samples, j->dst_x + k, s)),
					src + surf_x_part(TILING_4X4, bpe, surf_ms_x(samples, j->src_x + k, s)), bpe);
	}
}

static void copy_texel_rows(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count, uint32_t x, uint32_t n)
{
	if (j->dst.samples > 1) {
		copy_sample_rows(j, z, y, count, x, n);
		return;
	}
	for (uint32_t i = y; i < y + count; i++)
		dma_copy_row(j->dst.bpe, dma_row(&j->dst, j->dst_y + i, j->dst_z + z), j->dst.tiling, j->dst_x + x,
			dma_row(&j->src, j->src_y + i, j->src_z + z), j->src.tiling, j->src_x + x, n);
}

/* Rows [y, y + count) of equally aligned 4X4 sides: full blocks are contiguous. */
static void copy_blocks(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count)
{
	uint32_t head = (4 - (j->dst_x & 3)) & 3, end = y + count;
	uint32_t blocks = j->width > head ? (j->width - head) / 4 : 0, tail = head + blocks * 4;
	while (y < end) {
		uint32_t n = 4 - ((j->dst_y + y) & 3);
		n = n < end - y ? n : end - y;
		if (n < 4 || !blocks) {
			copy_texel_rows(j, z, y, n, 0, j->width);
		} else {
			copy_texel_rows(j, z, y, n, 0, head);
			/* texels and samples of a whole block are as one texel of all their bytes */
			unsigned bytes = j->dst.bpe * j->dst.samples;
			memcpy(dma_row(&j->dst, j->dst_y + y, j->dst_z + z) + surf_x_part(TILING_4X4, bytes, j->dst_x + head),
				dma_row(&j->src, j->src_y + y, j->src_z + z) + surf_x_part(TILING_4X4, bytes, j->src_x + head),
				(uint64_t)blocks * 16 * bytes);
			copy_texel_rows(j, z, y, n, tail, j->width - tail);
		}
		y += n;
	}
}

static void copy_band(void *data, uint32_t index, unsigned thread)
{
	const struct copy_job *j = data;
	uint32_t z = index / j->bands, y = index % j->bands * j->rows;
	uint32_t count = j->height - y < j->rows ? j->height - y : j->rows;
	if (j->whole_blocks)
		copy_blocks(j, z, y, count);
	else
		copy_texel_rows(j, z, y, count, 0, j->width);
}

/* The buffer side as texels; false when rows or slices would overlap. */
static bool buffer_texels(const struct pm4_copy_image *c, unsigned bpe, struct dma_texels *out)
{
	const struct pm4_buffer_image *b = &c->buffer;
	uint64_t base = dma_address(b->address_lo, b->address_hi), pitch = (uint64_t)b->row_texels * bpe;
	if (!base || b->row_texels < c->width || (c->depth > 1 && b->image_rows < c->height) || pitch > UINT32_MAX)
		return false;
	*out = (struct dma_texels){ (uint8_t *)(uintptr_t)base, pitch * b->image_rows, (uint32_t)pitch, c->width, c->height,
		c->depth, TILING_LINEAR, bpe, 1 };
	return true;
}

static bool fits(const struct dma_texels *t, uint32_t x, uint32_t y, uint32_t z, const struct pm4_copy_image *c)
{
	return x <= t->width && c->width <= t->width - x && y <= t->height && c->height <= t->height - y &&
		z <= t->slices && c->depth <= t->slices - z;
}

static bool decode_copy(const struct pm4_copy_image *c, struct copy_job *j)
{
	bool from_buffer = c->kind == PM4_COPY_BUFFER_TO_IMAGE, to_buffer = c->kind == PM4_COPY_IMAGE_TO_BUFFER;
	if (c->kind > PM4_COPY_IMAGE_TO_BUFFER)
		return false;
	if ((!from_buffer && !dma_surface(&c->src, &j->src)) || (!to_buffer && !dma_surface(&c->dst, &j->dst)) ||
	    (from_buffer && !buffer_texels(c, j->dst.bpe, &j->src)) || (to_buffer && !buffer_texels(c, j->src.bpe, &j->dst)))
		return false;
	if (!from_buffer) {
		j->src_x = c->src_x;
		j->src_y = c->src_y;
		j->src_z = c->src_z;
	}
	if (!to_buffer) {
		j->dst_x = c->dst_x;
		j->dst_y = c->dst_y;
		j->dst_z = c->dst_z;
	}
	j->width = c->width;
	j->height = c->height;
	return j->src.bpe == j->dst.bpe && j->src.samples == j->dst.samples && fits(&j->src, j->src_x, j->src_y, j->src_z, c) &&
		fits(&j->dst, j->dst_x, j->dst_y, j->dst_z, c);
}

bool rs_dma_copy_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_copy_image c;
	struct copy_job j = { 0 };
	if (dwords != PM4_DWORDS(pm4_copy_image))
		return false;
	memcpy(&c, payload, sizeof(c));
	if (!c.width || !c.height || !c.depth)
		return true;
	if (!decode_copy(&c, &j))
		return false;
	uint64_t row_bytes = (uint64_t)j.width * j.dst.bpe * j.dst.samples;
	j.rows = row_bytes < 16384 ? (uint32_t)(65536 / row_bytes + 3) & ~3u : 4;
	j.bands = (j.height + j.rows - 1) / j.rows;
	j.whole_blocks = j.src.tiling == TILING_4X4 && j.dst.tiling == TILING_4X4 && ((j.src_x ^ j.dst_x) & 3) == 0 &&
		((j.src_y ^ j.dst_y) & 3) == 0;
	if ((uint64_t)j.bands * c.depth > UINT32_MAX)
		return false;
	dma_run(dma->pool, row_bytes * j.height * c.depth, j.bands * c.depth, copy_band, &j);
	return true;
}
