/* SPDX-License-Identifier: MIT */
/* Cubic filtering: VK_EXT_filter_cubic. */
#ifndef CORE_TEX_TEX_CUBIC_H
#define CORE_TEX_TEX_CUBIC_H

#include "core/tex/tex_filter.h"

/* Memory components of `level`, of 4x4 (1D: 4) texels, for those lanes whose filter is cubic; the
 * others keep theirs.  Images of one or two dimensions that are no cubes. */
#define tex_cubic_level CU_FN(cu_tex_cubic_level)
void tex_cubic_level(const struct tex_op *op, const struct tex_strip *st, vi level, vi out[4]);

/* The texels that a tap reads: those of the image, then what border and comparison make of them. */
#define tex_fetch_tap CU_FN(cu_tex_fetch_tap)
void tex_fetch_tap(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv,
	const vi at[3], vi border, vi v[4]);

#endif
