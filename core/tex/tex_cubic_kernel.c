/* SPDX-License-Identifier: MIT */
/* Vulkan, "Texel Filtering", cubic: Catmull-Rom weights of four texels along each axis, in full
 * floats, rows first.  With a filter mode, the least or greatest of those that have a weight. */
#include "core/tex/tex_cubic.h"

/* Four texels along an axis. */
struct row { vi index[4], border[4]; vf weight[4]; };

static void find_row(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv, unsigned d,
	struct row *r)
{
	struct tex_axis a;
	tex_axis_indices(tex_texels(op, st, lv, d), st->offset[d], v_set(-1), &a);
	for (int k = 0; k < 4; k++) {
		r->border[k] = v_set(0);
		r->index[k] = tex_wrap(a.i[0] + (k - 1), lv->size[d], op->sampler->clamp[d], op->image->pow2[d], &r->border[k]);
	}
	vf f = a.weight, half = v_setf(0.5f), one = v_setf(1), rest = one - f;
	r->weight[0] = half * f * rest * rest * v_setf(-1);
	r->weight[1] = v_fma(f * f, v_fma(v_setf(1.5f), f, v_setf(-2.5f)), one);
	r->weight[2] = v_fma(rest * rest, v_fma(v_setf(1.5f), rest, v_setf(-2.5f)), one);
	r->weight[3] = half * rest * f * f * v_setf(-1);
}

/* Sums, or extremes of those that count. */
V_INLINE void add(unsigned mode, vf weight, vf v, vi *some, vf *sum)
{
	vi counts = weight != v_setf(0);
	vf more = mode == S_MODE_BLEND ? v_fma(weight, v, *sum) : v_self(*some, tex_extreme_of(mode, *sum, v), v);
	*sum = v_self(counts, more, *sum);
	*some |= counts;
}

void tex_cubic_level(const struct tex_op *op, const struct tex_strip *st, vi level, vi out[4])
{
	const struct tex_sampler *smp = op->sampler;
	const struct tex_lanes_level lv = tex_level_of(op->image, level);
	const bool flat = op->image->dims == 1;
	struct row x, y;
	vf sum[4] = { v_setf(0), v_setf(0), v_setf(0), v_setf(0) };
	vi some[4] = { v_set(0), v_set(0), v_set(0), v_set(0) };
	vi lanes = v_sel(st->lambda <= v_setf(0), v_set(-smp->mag_cubic), v_set(-smp->min_cubic)) & st->live;
	if (!v_any(lanes))
		return;
	find_row(op, st, &lv, 0, &x);
	if (!flat)
		find_row(op, st, &lv, 1, &y);
	for (int j = 0; j < (flat ? 1 : 4); j++) {
		vf across[4] = { v_setf(0), v_setf(0), v_setf(0), v_setf(0) };
		vi any[4] = { v_set(0), v_set(0), v_set(0), v_set(0) };
		for (int i = 0; i < 4; i++) {
			const vi at[3] = { x.index[i], flat ? v_set(0) : y.index[j], st->slice };
			vi texel[4];
			tex_fetch_tap(op, st, &lv, at, flat ? x.border[i] : x.border[i] | y.border[j], texel);
			for (unsigned c = 0; c < 4; c++)
				add(smp->mode, x.weight[i], (vf)texel[c], &any[c], &across[c]);
		}
		for (unsigned c = 0; c < 4; c++)
			add(smp->mode, flat ? v_setf(1) : y.weight[j], across[c], &some[c], &sum[c]);
	}
	for (unsigned c = 0; c < 4; c++) /* which of several NaNs a sum keeps is the compiler's choice */
		out[c] = v_sel(lanes, v_sel(sum[c] == sum[c], (vi)sum[c], v_set(0x7fc00000)), out[c]);
}
