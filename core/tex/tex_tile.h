/* SPDX-License-Identifier: MIT */
/* Tiles: texels of an image that a wave samples, decoded next to one another, of which the kernels of ordinary images
 * read.  What both kinds of tiles share. */
#ifndef CORE_TEX_TEX_TILE_H
#define CORE_TEX_TEX_TILE_H

#include "core/tex/tex_footprint.h"
#include "core/tex/tex_texels.h"

/* Cells of 4x4 texels of a slice of a level, from the first to the last; those before 0 and from count on are those of the
 * other end.  A row of cells is `pitch` bytes, bottom the last row of texels.  most: cells, where that matters. */
struct tex_window { const uint8_t *base; size_t pitch; int32_t bottom, first[2], last[2], count[2], most; };

/* Which cells of a tile have been found to hold what is in memory since cu_tex_cache.call was `call`: a
 * bit a cell of a row.  They are of one slice, from first to last, which are not more than there are. */
struct tex_seen { uint64_t call; const uint8_t *slice; size_t pitch; int32_t bottom, first[2], last[2]; uint32_t row[32]; };

/* Forgets what was seen if that was in another call or elsewhere, or a tile is not enough for it and the window, whose cells
 * are to be seen. */
static inline void tex_see(struct tex_seen *s, int32_t across, int32_t down, uint64_t call, const struct tex_window *w)
{
	bool here = s->call == call && s->slice == w->base && s->pitch == w->pitch && s->bottom == w->bottom;
	for (int d = 0; d < 2; d++) {
		const int32_t first = w->first[d] < s->first[d] ? w->first[d] : s->first[d];
		const int32_t last = w->last[d] > s->last[d] ? w->last[d] : s->last[d];
		if (here && last - first < (d ? down : across)) {
			s->first[d] = first;
			s->last[d] = last;
		} else {
			here = false;
		}
	}
	if (here)
		return;
	s->call = call;
	s->slice = w->base;
	s->pitch = w->pitch;
	s->bottom = w->bottom;
	memset(s->row, 0, sizeof s->row);
	memcpy(s->first, w->first, sizeof s->first);
	memcpy(s->last, w->last, sizeof s->last);
}

/* The bits of a row's cells from first to last. */
static inline uint32_t tex_seen_bits(int32_t across, int32_t first, int32_t last)
{
	const uint64_t bits = (1ull << (last - first + 1)) - 1, turned = bits << ((uint32_t)first & (uint32_t)(across - 1));
	return (uint32_t)((turned | turned >> across) & ((1ull << across) - 1));
}

/* The slice of an arrayed image that all lanes that count read; false: they read several. */
static inline bool tex_find_slice(const struct tex_op *op, uint64_t exec, int32_t *slice)
{
	const uint32_t *coord = tex_coords(op)[2];
	const vi first = tex_slice(v_loadf(coord + __builtin_ctzll(exec) / VL * VL), op->image->slices);
	*slice = first[__builtin_ctzll(exec) % VL];
	uint64_t differ = 0;
	for (int lane = 0; lane < CU_LANES; lane += VL)
		differ |= (uint64_t)v_bits(tex_slice(v_loadf(coord + lane), op->image->slices) != *slice) << lane;
	return !(differ & exec);
}

/* A strip's coordinates along an axis; what is off is where a lane that is not is, as it may be anywhere. */
V_INLINE vf tex_coordinates_on(const uint32_t coord[CU_LANES], int lane, uint64_t exec)
{
	const vf v = v_loadf(coord + lane);
	if (__builtin_expect(exec == ~0ull, 1))
		return v;
	return v_self(v_mask_of((uint32_t)(exec >> lane) & ((1u << VL) - 1)), v, (vf)v_set((int32_t)coord[__builtin_ctzll(exec)]));
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
	w->bottom = at->last[1];
	for (int d = 0; d < 2; d++)
		w->count[d] = (at->last[d] + 4) / 4;
	return true;
}

#endif
