/* SPDX-License-Identifier: MIT */
/* Texels of many lanes at once: levels, addresses, gathers. */
#ifndef CORE_TEX_TEX_FETCH_H
#define CORE_TEX_TEX_FETCH_H

#include "core/tex/tex.h"

/* Geometry of each lane's level; level numbers are those of the view. */
struct tex_lanes_level {
	vi level, size[3], pitch, stride, offset;
};

_Static_assert(TEX_MAX_LEVELS == 16, "v_table16");
V_INLINE vi tex_table(const int32_t table[TEX_MAX_LEVELS], vi level, bool uniform, int32_t first)
{
	return uniform ? v_set(table[first]) : v_table16(table, level);
}

V_INLINE struct tex_lanes_level tex_level_of(const struct tex_image *img, vi level)
{
	int32_t first = level[0];
	bool uniform = !v_any(level != first);
	struct tex_lanes_level lv;
	lv.level = level;
	lv.size[0] = tex_table(img->size[0], level, uniform, first);
	lv.size[1] = tex_table(img->size[1], level, uniform, first);
	lv.size[2] = img->is_3d ? tex_table(img->size[2], level, uniform, first) : v_set(1);
	lv.pitch = tex_table(img->pitch, level, uniform, first);
	lv.stride = tex_table(img->stride, level, uniform, first);
	lv.offset = tex_table(img->offset, level, uniform, first);
	return lv;
}

/* surf_x_part and surf_y_part for lanes: of elements. */
V_INLINE vi tex_x_part(unsigned tiling, unsigned bytes, vi x)
{
	if (tiling == TILING_4X4)
		x = SURF_4X4_X(x);
	return bytes == 4 ? x << 2 : x * (int)bytes;
}

V_INLINE vi tex_y_part(unsigned tiling, unsigned bytes, vi pitch, vi y)
{
	if (tiling != TILING_4X4)
		return y * pitch;
	vi inside = SURF_4X4_Y(y);
	return (y >> 2) * pitch + (bytes == 4 ? inside << 2 : inside * (int)bytes);
}

/* Byte offset from img->base, when the image is not wide. */
V_INLINE vi tex_offset(const struct tex_image *img, const struct tex_lanes_level *lv, vi x, vi y, vi slice)
{
	const struct surf_plane *p = img->level;
	return lv->offset + slice * lv->stride + tex_x_part(p->tiling, p->bpe, x) +
		tex_y_part(p->tiling, p->bpe, lv->pitch, y);
}

/* x: as surf_ms_x gives it. */
static inline uint8_t *tex_pointer(const struct tex_image *img, int32_t level, uint32_t x, uint32_t y, uint32_t slice)
{
	const struct surf_plane *p = &img->level[level];
	return surf_row(p, y, slice) + surf_x_part(p->tiling, p->bpe, x);
}

/* Raw dwords of the texels; lanes outside `mask` are zero and not touched.
 * Coordinates are in range where mask is set. */
V_INLINE void tex_gather_narrow(const uint8_t *base, unsigned bytes, vi offset, vi mask, vi raw[4])
{
	if (bytes < 4) {
		/* Whole dwords, so as not to read past the end; planes are 256-byte aligned. */
		vi word = v_gather_mask(base, offset & ~3, mask);
		if (bytes == 3) { /* the rest may be in the next one */
			vi next = v_gather_mask(base, (offset + 2) & ~3, mask), shift = (offset & 3) << 3;
			raw[0] = ((vi)((vu)word >> (vu)shift) | next << 8 << (24 - shift)) & 0xffffff;
			return;
		}
		raw[0] = (vi)((vu)word >> (vu)((offset & 3) << 3)) & (bytes == 1 ? 0xff : 0xffff);
		return;
	}
	raw[0] = v_gather_mask(base, offset, mask);
	if (bytes == 6) /* from within the texel */
		raw[1] = v_shr(v_gather_mask(base + 2, offset, mask), 16);
	if (bytes >= 8)
		raw[1] = v_gather_mask(base + 4, offset, mask);
	if (bytes >= 12)
		raw[2] = v_gather_mask(base + 8, offset, mask);
	if (bytes >= 16)
		raw[3] = v_gather_mask(base + 12, offset, mask);
}

static inline void tex_gather_wide(const struct tex_image *img, vi level, vi x, vi y, vi slice, vi mask, vi raw[4])
{
	uint32_t texel[4][VL];
	memset(texel, 0, sizeof(texel));
	for (uint32_t live = v_bits(mask); live; live &= live - 1) {
		int i = __builtin_ctz(live);
		uint32_t one[4] = { 0 };
		memcpy(one, tex_pointer(img, level[i], (uint32_t)x[i], (uint32_t)y[i], (uint32_t)slice[i]), img->level->bpe);
		for (int c = 0; c < 4; c++)
			texel[c][i] = one[c];
	}
	for (int c = 0; c < 4; c++)
		raw[c] = v_load(texel[c]);
}

V_INLINE void tex_fetch(const struct tex_op *op, const struct tex_lanes_level *lv, vi x, vi y, vi slice,
	vi mask, vi out[4])
{
	const struct tex_image *img = op->image;
	vi raw[4];
	if (img->block)
		tex_gather_blocks(op, lv->level, x, y, slice, mask, raw);
	else if (img->wide)
		tex_gather_wide(img, lv->level, x, y, slice, mask, raw);
	else
		tex_gather_narrow(img->base, img->level->bpe, tex_offset(img, lv, x, y, slice), mask, raw);
	img->decode(raw, out);
}

#endif
