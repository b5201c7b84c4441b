/* SPDX-License-Identifier: MIT */
/* Texels to places in memory, of all images that a plan has a way for. */
#ifndef CORE_TEX_TEX_COLUMN_H
#define CORE_TEX_TEX_COLUMN_H

#include "core/tex/tex_fetch.h"
#include "core/tex/tex_footprint.h"

V_INLINE vi tex_column(const struct tex_plan *plan, bool parts, vi part_x, vi x)
{
	vi at = v_shift_left(x, plan->shift);
	return parts ? at + v_pick4(part_x, x) : at;
}

V_INLINE vi tex_line(bool parts, vi pitch, vi part_y, vi y)
{
	vi at = y * pitch;
	return parts ? at + v_pick4(part_y, y) : at;
}

/* Elements of a size that is no power of two, blocks in parts and those that are not of 4x4. */
static inline vi tex_odd_column(const struct tex_image *img, const struct tex_plan *plan, vi x)
{
	const struct surf_plane *p = img->level;
	if (!img->block)
		return tex_x_part(p->tiling, p->bpe, x);
	const vi block = tex_block_of(x, img->block->width);
	return (tex_x_part(p->tiling, p->bpe, block) << plan->up) + x - block * img->block->width;
}

static inline vi tex_odd_line(const struct tex_image *img, const struct tex_plan *plan, int32_t pitch, vi y)
{
	const struct surf_plane *p = img->level;
	if (!img->block)
		return tex_y_part(p->tiling, p->bpe, v_set(pitch), y);
	const vi block = tex_block_of(y, img->block->height);
	return (tex_y_part(p->tiling, p->bpe, v_set(pitch), block) << plan->up) +
		(y - block * img->block->height) * img->block->width;
}

V_INLINE vi tex_slice_at(const struct tex_image *img, const struct tex_place *at, vi z)
{
	if (!img->block || img->block->depth == 1)
		return z * at->stride;
	const vi block = tex_block_of(z, img->block->depth);
	return block * at->stride + (z - block * img->block->depth) * (img->block->width * img->block->height);
}

#endif
