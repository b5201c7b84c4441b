/* SPDX-License-Identifier: MIT */
/* Coordinates to texels along one axis, without borders: what all plans share. */
#ifndef CORE_TEX_TEX_TEXELS_H
#define CORE_TEX_TEX_TEXELS_H

#include "core/tex/tex.h"
#include "isa/regs.h"

/* Into [0, limit], NaN to 0: after that, repeating and clamping differ only in what lies beyond the ends. */
V_INLINE vf tex_fold(unsigned mode, vf v, vf limit)
{
	if (mode == S_WRAP)
		return v_maxf(v - v_floor(v), v_setf(0));
	if (mode == S_MIRROR)
		v = v_absf(v_fma(v_rint(v * v_setf(0.5f)), v_setf(-2), v));
	else if (mode == S_MIRROR_ONCE_LAST_TEXEL)
		v = v_absf(v);
	return v_minf(v_maxf(v, v_setf(0)), limit);
}

/* How all axes go on beyond the ends, for code that is compiled for it; TEX_FOLD_ANY: each as its mode says. */
enum tex_fold_way { TEX_FOLD_WRAP, TEX_FOLD_CLAMP, TEX_FOLD_ANY };

/* Of both axes of a plane. */
V_INLINE enum tex_fold_way tex_fold_of(const struct tex_sampler *smp)
{
	if (smp->clamp[0] != smp->clamp[1])
		return TEX_FOLD_ANY;
	return smp->clamp[0] == S_WRAP ? TEX_FOLD_WRAP : smp->clamp[0] == S_CLAMP_LAST_TEXEL ? TEX_FOLD_CLAMP : TEX_FOLD_ANY;
}

V_INLINE vf tex_fold_axis(enum tex_fold_way how, const struct tex_op *op, unsigned d, vf v, vf limit)
{
	return tex_fold(how == TEX_FOLD_WRAP ? S_WRAP : how == TEX_FOLD_CLAMP ? S_CLAMP_LAST_TEXEL : op->sampler->clamp[d], v,
		limit);
}

/* Texels along an axis, and the weight of the second as the kernel wants it. */
struct tex_texels { vi i[2], weight; };

/* Constants of an axis. */
struct tex_ends { vf scale, limit; vi last, low, high; };

V_INLINE struct tex_ends tex_ends_of(const struct tex_op *op, const struct tex_place *at, unsigned d)
{
	return (struct tex_ends){ v_setf(at->scale[d]), v_setf(op->sampler->unnormalized ? (float)(at->last[d] + 1) : 1),
		v_set(at->last[d]), v_set(at->low[d]), v_set(at->high[d]) };
}

/* v: as tex_fold leaves it; a repeated coordinate just below 0 may have become 1, which is the last texel. */
V_INLINE vi tex_nearest_texel(const struct tex_ends *e, vf v)
{
	return v_min(v_trunc(v * e->scale), e->last);
}

/* In 256ths of a texel, to the nearest of which it is rounded: of the first of two texels. */
V_INLINE vi tex_position(const struct tex_ends *e, vf v)
{
	return v_round(v_fma(v, e->scale * v_setf(256), v_setf(-128)));
}

/* The first of two texels, from -1 on, and the weight of the second as the kernel wants it.  bytes: for kernels that
 * weigh by 256ths, to the nearest of which positions are rounded; the lowest byte of the weight counts. */
V_INLINE vi tex_first_texel(bool bytes, const struct tex_ends *e, vf v, uint32_t weight[VL])
{
	if (bytes) {
		const vi u = tex_position(e, v);
		v_store(weight, u);
		return u >> 8;
	}
	const vf u = v_fma(v, e->scale, v_setf(-0.5f)), whole = v_floor(u);
	v_storef(weight, u - whole);
	return v_trunc(whole);
}

/* The first (k 0) or second of two texels, within the level. */
V_INLINE vi tex_texel_of_two(const struct tex_ends *e, vi first, int k)
{
	return k ? v_sel_sign(e->last - 1 - first, e->high, first + 1) : v_sel_sign(first, e->low, first);
}

V_INLINE struct tex_texels tex_two_texels(bool bytes, const struct tex_ends *e, vf v)
{
	uint32_t second[VL];
	const vi i = tex_first_texel(bytes, e, v, second), weight = v_load(second);
	return (struct tex_texels){ { tex_texel_of_two(e, i, 0), tex_texel_of_two(e, i, 1) }, bytes ? weight & 255 : weight };
}

/* Float slice to an index in [0, count): nearest even, clamped, NaN 0. */
V_INLINE vi tex_slice(vf z, uint32_t count)
{
	return v_trunc(v_minf(v_maxf(v_rint(z), v_setf(0)), v_setf((float)(count - 1))));
}

/* The operands of a cube: v_cubesc and v_cubetc over v_cubema, plus 1.5; z is face + 8 * layer. */
V_INLINE vf tex_cube_coordinate(vf v) { return v - v_setf(1); }

/* slice: that of face 0. */
V_INLINE void tex_cube_slice(const struct tex_image *img, vf z, vi *slice, vi *face)
{
	const vi id = tex_slice(z, 1 << 24);
	*face = v_min(id & 7, v_set(5));
	*slice = v_min(id >> 3, v_set(img->arrayed ? (int32_t)img->slices / 6 - 1 : 0)) * 6;
}

#endif
