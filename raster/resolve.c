/* SPDX-License-Identifier: MIT */
/* Resolving: a 4x4 block of the source at a time, each of whose samples is 16 texels in one piece. */
#include "raster/resolve.h"

#include <emmintrin.h>
#include <string.h>
#include "core/format/format.h"
#include "core/format/format_layout.h"
#include "isa/bits.h"
#include "isa/pm4.h"
#include "isa/resource.h"
#include "raster/copy_row.h"

enum { TEXELS = 16, MAX_TEXEL = 16 };

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
static void combine(const struct rs_resolve *r, const uint32_t next[TEXELS], uint32_t sum[TEXELS])
{
	if (r->mode == PM4_RESOLVE_AVERAGE) {
		for (unsigned i = 0; i < TEXELS; i++)
			sum[i] = float_bits(bits_float(sum[i]) + bits_float(next[i]));
		return;
	}
	for (unsigned i = 0; i < TEXELS; i++)
		sum[i] = pick(r->src.nfmt, r->mode == PM4_RESOLVE_MAX, sum[i], next[i]);
}

/* Whether all samples of 16 texels have the same bytes, as where no edge goes. */
static bool all_equal(const struct rs_resolve *r, const uint8_t *block)
{
	const size_t plane = TEXELS * r->src.bpe;
	__m128i differ = _mm_setzero_si128();
	for (size_t i = 0; i < plane; i += sizeof differ) {
		const __m128i first = _mm_loadu_si128((const __m128i *)(block + i));
		for (unsigned s = 1; s < r->src.samples; s++)
			differ = _mm_or_si128(differ, _mm_xor_si128(first, _mm_loadu_si128((const __m128i *)(block + s * plane + i))));
	}
	return _mm_movemask_epi8(_mm_cmpeq_epi8(differ, _mm_setzero_si128())) == 0xffff;
}

/* The block of the source that starts at `block`, to 16 texels. */
static void resolve_block(const struct rs_resolve *r, const uint8_t *block, uint8_t out[TEXELS * MAX_TEXEL])
{
	unsigned plane = TEXELS * r->src.bpe;
	uint32_t sum[4][TEXELS], next[4][TEXELS];
	if (r->mode == PM4_RESOLVE_SAMPLE_ZERO || (r->exact && all_equal(r, block))) {
		memcpy(out, block, plane);
		return;
	}
	r->unpack(block, sum);
	for (unsigned s = 1; s < r->src.samples; s++) {
		r->unpack(block + s * plane, next);
		for (unsigned c = 0; c < 4; c++)
			combine(r, next[c], sum[c]);
	}
	float scale = 1.0f / (float)r->src.samples; /* a power of two: exact */
	for (unsigned c = 0; c < 4 && r->mode == PM4_RESOLVE_AVERAGE; c++)
		for (unsigned i = 0; i < TEXELS; i++)
			sum[c][i] = float_bits(bits_float(sum[c][i]) * scale);
	r->pack((const uint32_t (*)[TEXELS])sum, out);
}

/* Whether the mean of a texel and itself is the texel: its codes are those of numbers, each of one, and it has no bits
 * that are none's. */
static bool mean_is_exact(unsigned dfmt, unsigned nfmt)
{
	const struct cu_format_layout layout = cu_format_layout(dfmt);
	unsigned bits = 0;
	for (unsigned c = 0; c < layout.count; c++)
		bits += layout.bits[c];
	return bits == 8u * layout.bytes && (nfmt == NFMT_UNORM || nfmt == NFMT_SRGB);
}

bool rs_resolve_init(struct rs_resolve *r, unsigned mode, const struct cu_formats *formats)
{
	const struct surf_plane *src = &r->src, *dst = &r->dst;
	const uint32_t size[3] = { r->width, r->height, r->depth };
	if (src->samples < 2 || dst->samples > 1 || src->dfmt != dst->dfmt || src->nfmt != dst->nfmt || mode > PM4_RESOLVE_MAX)
		return false;
	r->mode = mode;
	if (mode == PM4_RESOLVE_AVERAGE && (src->nfmt == NFMT_UINT || src->nfmt == NFMT_SINT))
		r->mode = PM4_RESOLVE_SAMPLE_ZERO;
	r->exact = r->mode == PM4_RESOLVE_AVERAGE && mean_is_exact(src->dfmt, src->nfmt);
	r->unpack = formats->unpack_block(src->dfmt, src->nfmt);
	r->pack = formats->pack_block(src->dfmt, src->nfmt);
	return r->unpack && r->pack && surf_holds(src, r->src_at, size) && surf_holds(dst, r->dst_at, size);
}

uint32_t rs_resolve_bands(const struct rs_resolve *r)
{
	return ((r->src_at[1] + r->height + 3) >> 2) - (r->src_at[1] >> 2);
}

void rs_resolve_band(const struct rs_resolve *r, uint32_t band, uint32_t z)
{
	const uint32_t by = (r->src_at[1] >> 2) + band, end_x = r->src_at[0] + r->width, end_y = r->src_at[1] + r->height;
	const uint32_t y0 = by * 4 > r->src_at[1] ? by * 4 : r->src_at[1], y1 = by * 4 + 4 < end_y ? by * 4 + 4 : end_y;
	const uint8_t *row = surf_row(&r->src, by * 4, r->src_at[2] + z);
	const unsigned bpe = r->src.bpe;
	/* Blocks of the source are blocks of the destination. */
	const bool blocks = y1 - y0 == 4 && r->dst.tiling == TILING_4X4 &&
		!(((r->dst_at[0] - r->src_at[0]) | (r->dst_at[1] - r->src_at[1])) & 3);
	uint8_t *const to = surf_row(&r->dst, r->dst_at[1] + y0 - r->src_at[1], r->dst_at[2] + z);
	for (uint32_t x0 = r->src_at[0], x1; x0 < end_x; x0 = x1) {
		uint8_t texels[TEXELS * MAX_TEXEL];
		const uint8_t *const from = row + surf_x_part(TILING_4X4, bpe, surf_ms_x(r->src.samples, x0 & ~3u, 0));
		x1 = (x0 & ~3u) + 4;
		x1 = x1 < end_x ? x1 : end_x;
		if (blocks && x1 - x0 == 4) {
			resolve_block(r, from, to + surf_x_part(TILING_4X4, bpe, r->dst_at[0] + x0 - r->src_at[0]));
			continue;
		}
		resolve_block(r, from, texels);
		for (uint32_t y = y0; y < y1; y++)
			rs_copy_row(bpe, surf_row(&r->dst, r->dst_at[1] + y - r->src_at[1], r->dst_at[2] + z), r->dst.tiling,
				r->dst_at[0] + x0 - r->src_at[0], texels + surf_y_part(TILING_4X4, bpe, 0, y & 3), TILING_4X4, x0 & 3, x1 - x0);
	}
}
