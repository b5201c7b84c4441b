/* SPDX-License-Identifier: MIT */
/* QW_COPY_IMAGE: raw elements between images and buffers of any tiling. */
#include <string.h>
#include "isa/pm4.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/copy_row.h"
#include "raster/dma/dma.h"
#include "raster/dma/dma_priv.h"

/* Places and sizes count elements. */
struct copy_job {
	struct surf_plane src, dst;
	uint32_t src_at[3], dst_at[3], size[3];
	uint32_t bands, rows; /* a slice is cut into bands of `rows` rows */
	bool whole_parts;     /* both sides 4X4 and aligned alike */
};

/* Every sample of the elements. */
static void copy_sample_rows(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count, uint32_t x, uint32_t n)
{
	unsigned samples = j->dst.samples, bpe = j->dst.bpe;
	for (uint32_t i = y; i < y + count; i++) {
		uint8_t *dst = surf_row(&j->dst, j->dst_at[1] + i, j->dst_at[2] + z);
		const uint8_t *src = surf_row(&j->src, j->src_at[1] + i, j->src_at[2] + z);
		for (uint32_t k = x; k < x + n; k++)
			for (unsigned s = 0; s < samples; s++)
				memcpy(dst + surf_x_part(TILING_4X4, bpe, surf_ms_x(samples, j->dst_at[0] + k, s)),
					src + surf_x_part(TILING_4X4, bpe, surf_ms_x(samples, j->src_at[0] + k, s)), bpe);
	}
}

static void copy_element_rows(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count, uint32_t x, uint32_t n)
{
	if (j->dst.samples > 1) {
		copy_sample_rows(j, z, y, count, x, n);
		return;
	}
	for (uint32_t i = y; i < y + count; i++)
		rs_copy_row(j->dst.bpe, surf_row(&j->dst, j->dst_at[1] + i, j->dst_at[2] + z), j->dst.tiling, j->dst_at[0] + x,
			surf_row(&j->src, j->src_at[1] + i, j->src_at[2] + z), j->src.tiling, j->src_at[0] + x, n);
}

/* Rows [y, y + count) of equally aligned 4X4 sides: full parts are contiguous. */
static void copy_parts(const struct copy_job *j, uint32_t z, uint32_t y, uint32_t count)
{
	uint32_t head = (4 - (j->dst_at[0] & 3)) & 3, end = y + count;
	uint32_t parts = j->size[0] > head ? (j->size[0] - head) / 4 : 0, tail = head + parts * 4;
	while (y < end) {
		uint32_t n = 4 - ((j->dst_at[1] + y) & 3);
		n = n < end - y ? n : end - y;
		if (n < 4 || !parts) {
			copy_element_rows(j, z, y, n, 0, j->size[0]);
		} else {
			copy_element_rows(j, z, y, n, 0, head);
			/* elements and samples of a whole part are as one element of all their bytes */
			unsigned bytes = j->dst.bpe * j->dst.samples;
			uint8_t *dst = surf_row(&j->dst, j->dst_at[1] + y, j->dst_at[2] + z);
			const uint8_t *src = surf_row(&j->src, j->src_at[1] + y, j->src_at[2] + z);
			memcpy(dst + surf_x_part(TILING_4X4, bytes, j->dst_at[0] + head),
				src + surf_x_part(TILING_4X4, bytes, j->src_at[0] + head), (uint64_t)parts * 16 * bytes);
			copy_element_rows(j, z, y, n, tail, j->size[0] - tail);
		}
		y += n;
	}
}

static void copy_band(void *data, uint32_t index, unsigned thread)
{
	const struct copy_job *j = data;
	uint32_t z = index / j->bands, y = index % j->bands * j->rows;
	uint32_t count = j->size[1] - y < j->rows ? j->size[1] - y : j->rows;
	if (j->whole_parts)
		copy_parts(j, z, y, count);
	else
		copy_element_rows(j, z, y, count, 0, j->size[0]);
}

/* The buffer side as a plane, laid out as the elements of the image; false when rows or
 * slices would overlap. */
static bool buffer_plane(const struct pm4_copy_image *c, const struct surf_plane *image, struct surf_plane *out)
{
	const struct pm4_buffer_image *b = &c->buffer;
	uint64_t base = dma_address(b->address_lo, b->address_hi);
	uint64_t pitch = (uint64_t)surf_elements(b->row_texels, image->block_width) * image->bpe;
	if (!base || b->row_texels < c->width || (c->depth > 1 && b->image_rows < c->height) || pitch > UINT32_MAX)
		return false;
	*out = (struct surf_plane){ .base = (uint8_t *)(uintptr_t)base,
		.slice_stride = pitch * surf_elements(b->image_rows, image->block_height), .pitch = (uint32_t)pitch,
		.width = c->width, .height = c->height, .slices = c->depth, .tiling = TILING_LINEAR, .samples = 1,
		.bpe = image->bpe, .block_width = image->block_width, .block_height = image->block_height,
		.block_depth = image->block_depth };
	return true;
}

static bool decode_copy(const struct pm4_copy_image *c, struct copy_job *j)
{
	bool from_buffer = c->kind == PM4_COPY_BUFFER_TO_IMAGE, to_buffer = c->kind == PM4_COPY_IMAGE_TO_BUFFER;
	const uint32_t src_at[3] = { c->src_x, c->src_y, c->src_z }, dst_at[3] = { c->dst_x, c->dst_y, c->dst_z };
	if (c->kind > PM4_COPY_IMAGE_TO_BUFFER)
		return false;
	if ((!from_buffer && !dma_surface(&c->src, &j->src)) || (!to_buffer && !dma_surface(&c->dst, &j->dst)) ||
	    (from_buffer && !buffer_plane(c, &j->dst, &j->src)) || (to_buffer && !buffer_plane(c, &j->src, &j->dst)))
		return false;
	if (j->src.bpe != j->dst.bpe || j->src.samples != j->dst.samples)
		return false;
	if (!from_buffer)
		memcpy(j->src_at, src_at, sizeof src_at);
	if (!to_buffer)
		memcpy(j->dst_at, dst_at, sizeof dst_at);
	j->size[0] = surf_elements(c->width, j->src.block_width);
	j->size[1] = surf_elements(c->height, j->src.block_height);
	j->size[2] = surf_elements(c->depth, j->src.block_depth);
	return surf_place(&j->src, j->src_at) && surf_place(&j->dst, j->dst_at) &&
		surf_holds(&j->src, j->src_at, j->size) && surf_holds(&j->dst, j->dst_at, j->size);
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
	uint64_t row_bytes = (uint64_t)j.size[0] * j.dst.bpe * j.dst.samples;
	j.rows = row_bytes < 16384 ? (uint32_t)(65536 / row_bytes + 3) & ~3u : 4;
	j.bands = (j.size[1] + j.rows - 1) / j.rows;
	j.whole_parts = j.src.tiling == TILING_4X4 && j.dst.tiling == TILING_4X4 && ((j.src_at[0] ^ j.dst_at[0]) & 3) == 0 &&
		((j.src_at[1] ^ j.dst_at[1]) & 3) == 0;
	if ((uint64_t)j.bands * j.size[2] > UINT32_MAX)
		return false;
	dma_run(dma->pool, row_bytes * j.size[1] * j.size[2], j.bands * j.size[2], copy_band, &j);
	return true;
}
