/* SPDX-License-Identifier: MIT */
/* QW_RESOLVE_IMAGE: samples to one value a pixel (Vulkan, "Resolving
 * Multisample Images" and VkResolveModeFlagBits), a 4x4 block of the source at
 * a time: each of its samples is 16 texels in one piece. */
#include <string.h>
#include "core/format/format.h"
#include "core/level.h"
#include "isa/bits.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/dma/dma.h"
#include "raster/dma/dma_priv.h"

enum { TEXELS = 16, MAX_TEXEL = 16 };

struct resolve_job {
	struct surf_plane src, dst;
	uint32_t src_x, src_y, src_z, dst_x, dst_y, dst_z;
	uint32_t width, height, bands; /* bands: rows of blocks a slice */
	uint32_t mode, nfmt;
	cu_unpack_block_fn unpack;
	cu_pack_block_fn pack;
};

/* The second where it is less (more: greater); the first with NaN. */
static uint32_t pick(uint32_t nfmt, bool more, uint32_t a, uint32_t b)
{
	bool other;
	if (nfmt == NFMT_UINT)
		other = more ? b > a : b < a;
	else if (nfmt == NFMT_SINT)
		other = more ? (int32_t)b > (int32_t)a : (int32_t)b < (int32_t)a;
	else
		other = more ? bits_float(b) > bits_float(a) : bits_float(b) < bits_float(a);
	return other ? b : a;
}

/* One more sample of a component of 16 texels. */
static void combine(const struct resolve_job *j, const uint32_t next[TEXELS], uint32_t sum[TEXELS])
{
	if (j->mode == PM4_RESOLVE_AVERAGE) {
		for (unsigned i = 0; i < TEXELS; i++)
			sum[i] = float_bits(bits_float(sum[i]) + bits_float(next[i]));
		return;
	}
	for (unsigned i = 0; i < TEXELS; i++)
		sum[i] = pick(j->nfmt, j->mode == PM4_RESOLVE_MAX, sum[i], next[i]);
}

/* The block of the source that starts at `block`, to 16 texels. */
static void resolve_block(const struct resolve_job *j, const uint8_t *block, uint8_t out[TEXELS * MAX_TEXEL])
{
	unsigned plane = TEXELS * j->src.bpe;
	uint32_t sum[4][TEXELS], next[4][TEXELS];
	if (j->mode == PM4_RESOLVE_SAMPLE_ZERO) {
		memcpy(out, block, plane);
		return;
	}
	j->unpack(block, sum);
	for (unsigned s = 1; s < j->src.samples; s++) {
		j->unpack(block + s * plane, next);
		for (unsigned c = 0; c < 4; c++)
			combine(j, next[c], sum[c]);
	}
	float scale = 1.0f / (float)j->src.samples; /* a power of two: exact */
	for (unsigned c = 0; c < 4 && j->mode == PM4_RESOLVE_AVERAGE; c++)
		for (unsigned i = 0; i < TEXELS; i++)
			sum[c][i] = float_bits(bits_float(sum[c][i]) * scale);
	j->pack((const uint32_t (*)[TEXELS])sum, out);
}

/* A row of source blocks. */
static void resolve_band(void *data, uint32_t index, unsigned thread)
{
	const struct resolve_job *j = data;
	uint32_t z = index / j->bands, by = (j->src_y >> 2) + index % j->bands;
	uint32_t y0 = by * 4 > j->src_y ? by * 4 : j->src_y, y1 = by * 4 + 4;
	uint32_t end_x = j->src_x + j->width, end_y = j->src_y + j->height;
	const uint8_t *row = surf_row(&j->src, by * 4, j->src_z + z);
	unsigned bpe = j->src.bpe;
	y1 = y1 < end_y ? y1 : end_y;
	for (uint32_t x0 = j->src_x, x1; x0 < end_x; x0 = x1) {
		uint8_t texels[TEXELS * MAX_TEXEL];
		x1 = (x0 & ~3u) + 4;
		x1 = x1 < end_x ? x1 : end_x;
		resolve_block(j, row + surf_x_part(TILING_4X4, bpe, surf_ms_x(j->src.samples, x0 & ~3u, 0)), texels);
		for (uint32_t y = y0; y < y1; y++)
			dma_copy_row(bpe, surf_row(&j->dst, j->dst_y + y - j->src_y, j->dst_z + z), j->dst.tiling,
				j->dst_x + x0 - j->src_x, texels + surf_y_part(TILING_4X4, bpe, 0, y & 3), TILING_4X4, x0 & 3, x1 - x0);
	}
}

static bool decode_resolve(const struct pm4_resolve_image *r, struct resolve_job *j, const struct cu_formats *formats)
{
	if (!dma_surface(&r->src, &j->src) || !dma_surface(&r->dst, &j->dst) || j->src.samples < 2 || j->dst.samples > 1 ||
	    r->src.dfmt != r->dst.dfmt || r->src.nfmt != r->dst.nfmt || r->mode > PM4_RESOLVE_MAX)
		return false;
	j->nfmt = r->src.nfmt;
	j->mode = r->mode;
	if (j->mode == PM4_RESOLVE_AVERAGE && (j->nfmt == NFMT_UINT || j->nfmt == NFMT_SINT))
		j->mode = PM4_RESOLVE_SAMPLE_ZERO;
	j->unpack = formats->unpack_block(r->src.dfmt, r->src.nfmt);
	j->pack = formats->pack_block(r->src.dfmt, r->src.nfmt);
	j->src_x = r->src_x;
	j->src_y = r->src_y;
	j->src_z = r->src_z;
	j->dst_x = r->dst_x;
	j->dst_y = r->dst_y;
	j->dst_z = r->dst_z;
	j->width = r->width;
	j->height = r->height;
	const uint32_t size[3] = { r->width, r->height, r->depth };
	const uint32_t src_at[3] = { r->src_x, r->src_y, r->src_z }, dst_at[3] = { r->dst_x, r->dst_y, r->dst_z };
	return j->unpack && j->pack && surf_holds(&j->src, src_at, size) && surf_holds(&j->dst, dst_at, size);
}

bool rs_dma_resolve_image(const struct rs_dma *dma, const uint32_t *payload, uint32_t dwords)
{
	struct pm4_resolve_image r;
	struct resolve_job j = { 0 };
	if (dwords != PM4_DWORDS(pm4_resolve_image))
		return false;
	memcpy(&r, payload, sizeof(r));
	if (!r.width || !r.height || !r.depth)
		return true;
	if (!decode_resolve(&r, &j, dma->formats))
		return false;
	j.bands = ((j.src_y + j.height + 3) >> 2) - (j.src_y >> 2);
	uint64_t bands = (uint64_t)j.bands * r.depth;
	if (bands > UINT32_MAX)
		return false;
	dma_run(dma->pool, bands * j.width * 4 * j.src.bpe * j.src.samples, (uint32_t)bands, resolve_band, &j);
	return true;
}
