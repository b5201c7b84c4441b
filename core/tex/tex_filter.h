/* SPDX-License-Identifier: MIT */
/* Steps of filtering that the general path and the fast paths share. */
#ifndef CORE_TEX_TEX_FILTER_H
#define CORE_TEX_TEX_FILTER_H

#include "core/tex/tex_fetch.h"
#include "core/tex/tex_lod.h"
#include "isa/regs.h"

/* i mod n into [0, n), |i| <= 2^31 - 1: the first quotient may be off by some
 * hundreds, the second by one. */
V_INLINE vi tex_modulo(vi i, vi n)
{
	vf inverse = v_setf(1) / v_float(n);
	for (int round = 0; round < 2; round++)
		i -= v_trunc(v_floor(v_float(i) * inverse)) * n;
	i += n & (i < 0);
	i -= n & (i >= n);
	return i;
}

/* Texel index to [0, size) by the clamp mode; *border where it is outside. */
V_INLINE vi tex_wrap(vi i, vi size, unsigned mode, bool pow2, vi *border)
{
	vi last = size - 1, m;
	switch (mode) {
	case S_WRAP:
		if (pow2)
			return i & last;
		return v_any(~v_less_u(i, size)) ? tex_modulo(i, size) : i;
	case S_MIRROR:
		m = pow2 ? i & (size + last) : tex_modulo(i, size + size);
		return v_sel(m < size, m, size + last - m);
	case S_CLAMP_LAST_TEXEL:
		return v_min(v_max(i, v_set(0)), last);
	case S_MIRROR_ONCE_LAST_TEXEL:
		return v_min(v_sel(i < 0, -1 - i, i), last);
	case S_MIRROR_ONCE_HALF_BORDER:
	case S_MIRROR_ONCE_BORDER:
		i = v_sel(i < 0, -1 - i, i);
		break;
	default: /* the border modes */
		break;
	}
	*border |= ~v_less_u(i, size);
	return v_min(v_max(i, v_set(0)), last);
}

/* One axis: u in texels to two texel indices and the weight of the second. */
struct tex_axis { vi i[2], border[2]; vf weight; };

/* Before wrapping.  Infinite and huge u saturate, NaN becomes the lowest. */
V_INLINE void tex_axis_indices(vf u, vi offset, vi linear, struct tex_axis *a)
{
	u = v_minf(v_maxf(u, v_setf(-0x1p30f)), v_setf(0x1p30f));
	u = u - (vf)((vi)v_setf(0.5f) & linear);
	vf whole = v_floor(u);
	a->i[0] = v_trunc(whole) + offset;
	a->i[1] = a->i[0] - linear;
	a->weight = u - whole;
}

V_INLINE vf tex_texels(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv, unsigned d)
{
	return op->sampler->unnormalized ? st->coord[d] : st->coord[d] * v_float(lv->size[d]);
}

V_INLINE vf tex_lerp(vf a, vf b, vf f) { return v_fma(f, b - a, a); }

/* The same where b may be infinite or NaN: with weight 0 it must not count. */
V_INLINE vf tex_lerp_float(vf a, vf b, vf f) { return v_self(f > v_setf(0), tex_lerp(a, b, f), a); }

/* By S_MODE_MIN or S_MODE_MAX. */
V_INLINE vf tex_extreme_of(unsigned mode, vf a, vf b) { return mode == S_MODE_MIN ? v_minf(b, a) : v_maxf(b, a); }

/* Lanes that pass: `ref` FUNC `d`, a COMPARE_*. */
V_INLINE vi tex_compare(unsigned func, vf ref, vf d)
{
	switch (func) {
	case COMPARE_NEVER: return v_set(0);
	case COMPARE_LESS: return ref < d;
	case COMPARE_EQUAL: return ref == d;
	case COMPARE_LEQUAL: return ref <= d;
	case COMPARE_GREATER: return ref > d;
	case COMPARE_NOTEQUAL: return ref != d;
	case COMPARE_GEQUAL: return ref >= d;
	default: return v_set(-1);
	}
}

/* Memory components that the channels of `dmask` need. */
V_INLINE unsigned tex_needed(const struct tex_op *op, unsigned dmask)
{
	unsigned need = 0;
	for (unsigned c = 0; c < 4; c++)
		if (dmask >> c & 1 && op->image->sel[c] >= SEL_R)
			need |= 1u << (op->image->sel[c] - SEL_R);
	return need;
}

#endif
