/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering: see tex_aniso_kernel.c and docs/texture-filters.md. */
#ifndef CORE_TEX_TEX_ANISO_H
#define CORE_TEX_TEX_ANISO_H

#include "core/tex/tex_filter.h"

/* N is the ratio of the axes less this, rounded up: a ratio that is a little above a whole
 * number, by rounding or truly, is not worth a probe. */
#define TEX_ANISO_SLACK 0.125f

/* Whether the instruction looks at the derivatives in this way.  Levels that are given have none,
 * and integers have no mean. */
V_INLINE bool tex_aniso_applies(const struct tex_op *op)
{
	return op->sampler->max_aniso > 1 && !(op->flags & (TEX_L | TEX_LZ)) && !op->sampler->unnormalized &&
		!op->image->integer && (op->flags & TEX_KIND) != TEX_GATHER;
}

/* Sets axis (of the length that the longer one has, in coordinates) and probes (1 to 16).  Returns
 * lambda before bias and clamps. */
#define tex_aniso_axes CU_FN(cu_tex_aniso_axes)
vf tex_aniso_axes(const struct tex_op *op, struct tex_strip *st);

/* What quads of two dimensions have in common, where their derivatives are those of the coordinates; 4 behind the last are
 * for tex_of_quads. */
struct tex_aniso {
	alignas(64) float axis[2][CU_LANES / 4 + 4], base[CU_LANES / 4 + 4], probes[CU_LANES / 4 + 4];
	bool by_quads;
};
#define tex_aniso_quads CU_FN(cu_tex_aniso_quads)
void tex_aniso_quads(const struct tex_op *op, struct tex_aniso *a);

/* tex_aniso_axes by these. */
V_INLINE vf tex_aniso_axes_of(const struct tex_op *op, const struct tex_aniso *a, int lane, struct tex_strip *st)
{
	if (!a->by_quads)
		return tex_aniso_axes(op, st);
	for (unsigned d = 0; d < 2; d++)
		st->axis[d] = tex_of_quads(a->axis[d], lane);
	st->probes = (vi)tex_of_quads(a->probes, lane);
	return tex_of_quads(a->base, lane);
}

/* A tex_strip_fn: the probes, by op->probe. */
#define tex_aniso_strip CU_FN(cu_tex_aniso_strip)
void tex_aniso_strip(const struct tex_op *op, int lane, struct tex_strip *st);

/* The probes of lanes that have p of them or more, p from 1 on: where they are from st->coord, step: 1 / (N + 1). */
V_INLINE vf tex_aniso_along(int p, vf step) { return v_fma(v_setf((float)p), step, v_setf(-0.5f)); }

/* tex_aniso_bytes_kernel.c: all of it for bilinear and trilinear samples of 8_8_8_8 UNORM, 2D, in rows, without
 * border, comparison or offsets.  Texels of blocks are summed as tex_aniso_wave sums those in blocks, whose last bits differ. */
static inline bool tex_aniso_bytes_applies(const struct tex_op *op)
{
	const struct tex_image *img = op->image;
	const struct tex_sampler *smp = op->sampler;
	return (op->flags & TEX_KIND) == TEX_SAMPLE && !(op->flags & (TEX_C | TEX_O)) && img->dims == 2 && !img->cube && !img->of_blocks &&
		op->plan->loads && img->level->dfmt == DFMT_8_8_8_8 && img->level->nfmt == NFMT_UNORM &&
		img->level->tiling == TILING_LINEAR && smp->mag_linear && smp->min_linear && !smp->any_border && !smp->special;
}
#define tex_aniso_bytes CU_FN(cu_tex_aniso_bytes)
void tex_aniso_bytes(const struct tex_op *op);

/* tex_aniso_wave_kernel.c: other formats and ways of two dimensions that the plan has a way for: as tex_aniso_strip
 * does them, but for the rounding of positions, which is the plan's. */
static inline bool tex_aniso_wave_applies(const struct tex_op *op)
{
	return op->plan->probes && (op->flags & TEX_KIND) == TEX_SAMPLE && !(op->flags & (TEX_C | TEX_O)) &&
		(op->plan->body == TEX_BODY_FLAT || op->plan->body == TEX_BODY_LAYERS);
}
#define tex_aniso_wave CU_FN(cu_tex_aniso_wave)
void tex_aniso_wave(const struct tex_op *op);

#endif
