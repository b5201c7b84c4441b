/* SPDX-License-Identifier: MIT */
/* Tiles: texels of an image that a wave samples, decoded next to one another, of which the kernels of ordinary images
 * read.  What both kinds of tiles share. */
#ifndef CORE_TEX_TEX_TILE_H
#define CORE_TEX_TEX_TILE_H

#include "core/tex/tex_footprint.h"
#include "core/tex/tex_texels.h"

/* Cells of 4x4 texels of a slice of a level, from the first to the last; those before 0 and from count on are those of the
 * other end.  A row of cells is `pitch` bytes. */
struct tex_window { const uint8_t *base; size_t pitch; int32_t first[2], last[2], count[2]; };

/* The slice of an arrayed image that all lanes that count read; false: they read several. */
static inline bool tex_find_slice(const struct tex_op *op, uint64_t exec, int32_t *slice)
{
	const uint32_t *coord = op->address[2];
	const vi first = tex_slice(v_loadf(coord + __builtin_ctzll(exec) / VL * VL), op->image->slices);
	*slice = first[__builtin_ctzll(exec) % VL];
	uint64_t differ = 0;
	for (int lane = 0; lane < CU_LANES; lane += VL)
		differ |= (uint64_t)v_bits(tex_slice(v_loadf(coord + lane), op->image->slices) != *slice) << lane;
	return !(differ & exec);
}

/* Fills in base, pitch and count; takes lanes of strips that nobody wants from *exec.  False: there is no such window. */
static inline bool tex_window_begin(const struct tex_op *op, unsigned level, const struct tex_footprint *p, uint64_t *exec,
	struct tex_window *w)
{
	const struct surf_plane *plane = &op->image->level[level];
	const struct tex_place *at = &op->plan->level[level];
	int32_t slice = 0;
	for (int s = 0; s < CU_LANES / VL; s++)
		if (!(p->strips >> s & 1))
			*exec &= ~(((1ull << VL) - 1) << s * VL);
	if (!*exec || (op->image->arrayed && !tex_find_slice(op, *exec, &slice)))
		return false;
	w->base = at->base + (size_t)slice * plane->slice_stride;
	w->pitch = op->plan->parts ? plane->pitch : 4 * (size_t)plane->pitch;
	for (int d = 0; d < 2; d++)
		w->count[d] = (at->last[d] + 4) / 4;
	return true;
}

#endif
