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

/* Texels along an axis, and the weight of the second as the kernel wants it. */
struct tex_texels { vi i[2], weight; };

/* Constants of an axis. */
struct tex_ends { vf scale, limit; vi last, low, high; };

V_INLINE struct tex_ends tex_ends_of(const struct tex_op *op, const struct tex_place *at, unsigned d)
{
	return (struct tex_ends){ v_setf(at->scale[d]), v_setf(op->sampler->unnormalized ? (float)(at->last[d] + 1) : 1),
		v_set(at->last[d]), v_set(at->low[d]), v_set(at->high[d]) };
}

V_INLINE vi tex_nearest_texel(const struct tex_ends *e, vf v)
{
	const vi i = v_trunc(v * e->scale);
	return v_sel_sign(e->last - i, e->high, i);
}

/* In 256ths of a texel, to the nearest of which it is rounded: of the first of two texels. */
V_INLINE vi tex_position(const struct tex_ends *e, vf v)
{
	return v_round(v_fma(v, e->scale * v_setf(256), v_setf(-128)));
}

/* The first of two texels, from -1 on, and the weight of the second as the kernel wants it.  bytes: for kernels that weigh by
 * 256ths, to the nearest of which positions are rounded; the lowest byte of the weight counts. */
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

V_INLINE struct tex_texels tex_two_texels(bool bytes, const struct tex_ends *e, vf v)
{
	uint32_t second[VL];
	const vi i = tex_first_texel(bytes, e, v, second);
	const vi weight = bytes ? v_load(second) & 255 : v_load(second);
	vi next = i + 1;
	return (struct tex_texels){ { v_sel_sign(i, e->low, i), v_sel_sign(e->last - next, e->high, next) }, weight };
}

#endif
