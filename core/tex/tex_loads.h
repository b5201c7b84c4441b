/* SPDX-License-Identifier: MIT */
/* Texels that integers name: where they are. */
#ifndef CORE_TEX_TEX_LOADS_H
#define CORE_TEX_TEX_LOADS_H

#include "core/tex/tex_column.h"
#include "core/tex/tex_levels.h"

/* Where the texels of image_load and image_store are, p->strips of them, and which lanes' are within the image: all, or not.
 * plain: of two dimensions, in a plan that is not odd. */
V_INLINE bool tex_find_loads(bool plain, const struct tex_op *op, struct tex_footprint *p, int32_t inside[CU_LANES])
{
	const struct tex_image *img = op->image;
	const struct tex_plan *plan = op->plan;
	const struct tex_place *at = plan->level;
	const vi part_x = v_repeat4(plan->part_x), part_y = v_repeat4(at->part_y), pitch = v_set(at->pitch);
	const vi width = v_set(at->last[0] + 1), height = v_set(at->last[1] + 1);
	const vi slices = v_set(img->is_3d ? img->size[2][0] : (int32_t)img->slices);
	vi all = v_set(-1);
	EACH_STRIP(p->strips, lane) {
		unsigned n = 1;
		vi x = v_load(&op->address[0][lane]), y = v_set(0), z = v_set(0), place = z, in;
		if (plain || img->dims >= 2)
			y = v_load(&op->address[n++][lane]);
		in = v_less_u(x, width) & v_less_u(y, height);
		if (!plain && (img->arrayed || img->is_3d)) {
			z = v_load(&op->address[n][lane]);
			in &= v_less_u(z, slices);
			place = tex_slice_at(img, at, z & in);
		}
		x &= in;
		y &= in;
		all &= in;
		if (!plain && plan->odd)
			place += tex_odd_column(img, plan, x) + tex_odd_line(img, plan, (int32_t)img->level->pitch, y);
		else
			place += tex_column(plan, true, part_x, x) + tex_line(true, pitch, part_y, y);
		v_store(&p->at[0][lane], place);
		v_store(&inside[lane], in);
	}
	return !v_any(~all);
}

#endif
