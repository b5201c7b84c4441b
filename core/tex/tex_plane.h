/* SPDX-License-Identifier: MIT */
/* Texels of a level to places in memory, of images of two dimensions in rows or in parts. */
#ifndef CORE_TEX_TEX_PLANE_H
#define CORE_TEX_TEX_PLANE_H

#include "core/tex/tex_texels.h"

/* Of a level. */
struct tex_plane {
	struct tex_ends ends[2];
	vi part_x, part_y, pitch, stride, low_line, high_line; /* the lines of ends[1].low and high */
	vf edge[2]; /* of a cube's face: nearer to an end of an axis, neighbours are on other faces */
	unsigned shift;
};

V_INLINE struct tex_plane tex_plane_of(const struct tex_op *op, const struct tex_place *at)
{
	const float edge = op->sampler->cube_wrap ? 0.5f : -1;
	return (struct tex_plane){ { tex_ends_of(op, at, 0), tex_ends_of(op, at, 1) }, v_repeat4(op->plan->part_x),
		v_repeat4(at->part_y), v_set(at->pitch), v_set(at->stride), v_set(at->low[1] * at->pitch),
		v_set(at->high[1] * at->pitch),
		{ v_setf(edge * at->inverse[0]), v_setf(edge * at->inverse[1]) }, op->plan->shift };
}

/* Where all four texels of a footprint lie: (x0, y0), (x1, y0), (x0, y1), (x1, y1). */
V_INLINE void tex_find_four(const struct tex_plane *pl, bool parts, const vi i[2], vi slice, vi at[4])
{
	vi x[2], y[2];
	V_UNROLL
	for (int k = 0; k < 2; k++) {
		const vi at_x = tex_texel_of_two(&pl->ends[0], i[0], k), at_y = tex_texel_of_two(&pl->ends[1], i[1], k);
		x[k] = v_shift_left(at_x, pl->shift);
		y[k] = at_y * pl->pitch + slice;
		if (parts) {
			x[k] += v_pick4(pl->part_x, at_x);
			y[k] += v_pick4(pl->part_y, at_y);
		}
	}
	V_UNROLL
	for (int t = 0; t < 4; t++)
		at[t] = x[t & 1] + y[t >> 1];
}

/* Where one texel lies. */
V_INLINE vi tex_find_one(const struct tex_plane *pl, bool parts, vi x, vi y, vi slice)
{
	const vi column = v_shift_left(x, pl->shift), row = y * pl->pitch + slice;
	return parts ? column + v_pick4(pl->part_x, x) + (row + v_pick4(pl->part_y, y)) : column + row;
}

#endif
