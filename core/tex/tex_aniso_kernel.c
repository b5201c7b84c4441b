/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering (Vulkan 1.3, "Texel Anisotropic Filtering"): N probes along the longer axis
 * of what a pixel covers, each filtered as a sample of its own at the level that fits the shorter
 * one.  docs/texture-filters.md says where they are.
 *
 * The axes are those of the ellipse that the derivatives span.  Where these are perpendicular they
 * are the axes, and all is as the specification's formulas have it. */
#include "core/tex/tex_aniso.h"

/* Of the 2 by 2 matrix of the derivatives' products: numbers that are as large as nothing overflows. */
static const float MOST = 0x1p60f;

/* What a NaN comes to is nothing. */
V_INLINE vf limited(vf a, float least) { return v_minf(v_maxf(a, v_setf(least)), v_setf(MOST)); }

/* Of the derivatives of the strip, or of quads. */
V_INLINE vf find_axes(const struct tex_op *op, unsigned dims, struct tex_strip *st)
{
	const struct tex_image *img = op->image;
	vf xx = v_setf(0), yy = v_setf(0), xy = v_setf(0), one = v_setf(1);
	for (unsigned d = 0; d < dims; d++) {
		vf size = v_setf((float)img->size[d][0]), dx = st->ddx[d] * size, dy = st->ddy[d] * size;
		xx = v_fma(dx, dx, xx);
		yy = v_fma(dy, dy, yy);
		xy = v_fma(dx, dy, xy);
	}
	xx = limited(xx, 0);
	yy = limited(yy, 0);
	xy = limited(xy, -MOST);
	vf apart = xx - yy, twice = xy + xy, root = v_sqrtf(v_fma(twice, twice, apart * apart));
	/* The direction in the pixel that becomes the longer axis, from the row that does not cancel. */
	vi by_x = apart >= v_setf(0);
	vf right = v_self(by_x, apart + root, twice), down = v_self(by_x, twice, root - apart);
	vf length = v_sqrtf(v_fma(right, right, down * down));
	vi round = ~(length > v_setf(0)); /* a circle, or nothing */
	right = v_self(round, one, right / length);
	down = v_self(round, v_setf(0), down / length);
	for (unsigned d = 0; d < dims; d++)
		st->axis[d] = v_fma(right, st->ddx[d], down * st->ddy[d]);
	vf major = (xx + yy + root) * v_setf(0.5f), minor = v_maxf((xx + yy - root) * v_setf(0.5f), v_setf(0));
	/* No more of them than texels: 0 / 0 is a NaN, of which the limit is left. */
	vf eta = v_minf(v_sqrtf(major / minor), v_setf(op->sampler->max_aniso));
	eta = v_maxf(v_minf(eta, v_sqrtf(major)), one);
	st->probes = v_trunc(v_ceil(eta - v_setf(TEX_ANISO_SLACK)));
	return tex_lambda_of_squared(major / (eta * eta));
}

vf tex_aniso_axes(const struct tex_op *op, struct tex_strip *st)
{
	if (!(op->flags & TEX_D))
		tex_derivatives(op->image, st);
	return find_axes(op, op->image->dims, st);
}

void tex_aniso_quads(const struct tex_op *op, struct tex_aniso *a)
{
	a->by_quads = !(op->flags & (TEX_D | TEX_C | TEX_O));
	if (!a->by_quads)
		return;
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	for (int q = 0; q < CU_LANES / 4; q += VL) {
		struct tex_strip st;
		V_UNROLL
		for (unsigned d = 0; d < 2; d++)
			tex_quad_differences(coord[d], q, &st.ddx[d], &st.ddy[d]);
		const vf base = find_axes(op, 2, &st);
		for (unsigned d = 0; d < 2; d++)
			v_store(a->axis[d] + q, v_quads_in_order((vi)st.axis[d]));
		v_store(a->base + q, v_quads_in_order((vi)base));
		v_store(a->probes + q, v_quads_in_order(st.probes));
	}
}

/* The strip at probe p of 1 to N, for lanes that have so many. */
V_INLINE void place(const struct tex_op *op, const struct tex_strip *st, int p, vf step, struct tex_strip *at)
{
	vf along = tex_aniso_along(p, step);
	for (unsigned d = 0; d < op->image->dims; d++)
		at->coord[d] = v_fma(along, st->axis[d], st->coord[d]);
	if (!op->image->cube)
		return;
	at->face = st->face;
	vf low = v_minf(at->coord[0], at->coord[1]), high = v_maxf(at->coord[0], at->coord[1]);
	for (uint32_t out = v_bits(((low < v_setf(0)) | (high > v_setf(1))) & at->live); out; out &= out - 1) {
		int i = __builtin_ctz(out), face = at->face[i];
		float s = at->coord[0][i], t = at->coord[1][i];
		tex_cube_leave(&face, &s, &t);
		at->face[i] = face;
		at->coord[0][i] = s;
		at->coord[1][i] = t;
	}
}

void tex_aniso_strip(const struct tex_op *op, int lane, struct tex_strip *st)
{
	alignas(64) uint32_t data[4][CU_LANES];
	const unsigned count = (unsigned)__builtin_popcount(op->in->dmask), mode = op->sampler->mode;
	struct tex_op one = *op;
	struct tex_strip at = *st;
	vf sum[4], all = v_float(st->probes), step = v_setf(1) / (all + v_setf(1));
	one.data = data;
	for (unsigned n = 0; n < count; n++)
		sum[n] = v_setf(0);
	for (int p = 1; at.live = st->live & (st->probes >= p), v_any(at.live); p++) {
		place(op, st, p, step, &at);
		op->probe(&one, lane, &at);
		for (unsigned n = 0; n < count; n++) {
			vf v = (vf)v_load(&data[n][lane]), more = mode == S_MODE_BLEND ? sum[n] + v :
				p == 1 ? v : mode == S_MODE_MIN ? v_minf(sum[n], v) : v_maxf(sum[n], v);
			sum[n] = v_self(at.live, more, sum[n]);
		}
	}
	for (unsigned n = 0; n < count; n++) {
		vf mean = mode == S_MODE_BLEND ? sum[n] / all : sum[n];
		/* Which of several NaNs a sum keeps is the compiler's choice. */
		tex_write(op, n, lane, st->live, v_sel(mean == mean, (vi)mean, v_set(0x7fc00000)));
	}
}
