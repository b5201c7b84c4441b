/* SPDX-License-Identifier: MIT */
/* Level of detail: Vulkan 1.3, "Level-of-Detail Operation" and "Image Level(s)
 * Selection". */
#ifndef CORE_TEX_TEX_LOD_H
#define CORE_TEX_TEX_LOD_H

#include "core/tex/tex.h"

/* What one sample instruction reads for VL lanes. */
struct tex_strip {
	vf coord[3];       /* as given; of cubes the face coordinates in [0, 1] */
	vi slice, face;    /* slice: of the view; of cubes that of face 0 */
	vi offset[3];
	vf compare;
	vf ddx[3], ddy[3]; /* with TEX_D */
	vf bias, lod;      /* lod: also the clamp of _cl */
	vf lambda;         /* after tex_lambda: clamped */
	vf lambda_raw;     /* before the clamps to min and max LOD */
	vf axis[3];        /* with tex_aniso_axes */
	vi probes;
	vi live;
};

/* tex_sample_kernel.c: operands of VL lanes from `lane` on. */
#define tex_read_strip CU_FN(cu_tex_read_strip)
void tex_read_strip(const struct tex_op *op, int lane, struct tex_strip *st);

/* x >= 0; 0 gives -127, infinity 128.  Exact for powers of two, else within
 * 1e-6 (the polynomial's error is 6e-8 relative to f). */
V_INLINE vf tex_log2(vf x)
{
	vi e = ((vi)x - 0x3f3504f3) >> 23;
	vf f = (vf)((vi)x - (e << 23)) - v_setf(1); /* [sqrt(1/2), sqrt(2)) - 1 */
	vf p = v_setf(0x1.f841dcp-4f);
	p = v_fma(p, f, v_setf(-0x1.a59aeap-3f));
	p = v_fma(p, f, v_setf(0x1.ba8738p-3f));
	p = v_fma(p, f, v_setf(-0x1.e9d1e6p-3f));
	p = v_fma(p, f, v_setf(0x1.26d01cp-2f));
	p = v_fma(p, f, v_setf(-0x1.715994p-2f));
	p = v_fma(p, f, v_setf(0x1.ec73dep-2f));
	p = v_fma(p, f, v_setf(-0x1.715474p-1f));
	p = v_fma(p, f, v_setf(0x1.715476p+0f));
	return v_fma(p, f, v_float(e));
}

/* Quads that span several faces: each lane takes its quad's differences on the
 * plane of its own face, where those of a flat surface stay what they are. */
static void tex_cross_faces(struct tex_strip *st)
{
	float s[VL], t[VL], d[4][VL];
	v_store(s, (vi)st->coord[0]);
	v_store(t, (vi)st->coord[1]);
	for (int i = 0; i < 4; i++)
		v_store(d[i], (vi)(i < 2 ? st->ddx[i] : st->ddy[i - 2]));
	for (int i = 0; i < VL; i++) {
		int quad = i & ~3, face = st->face[i];
		float p[3][2];
		if (st->face[quad] == face && st->face[quad + 1] == face && st->face[quad + 2] == face)
			continue;
		for (int k = 0; k < 3; k++) {
			p[k][0] = s[quad + k];
			p[k][1] = t[quad + k];
			if (st->face[quad + k] != face)
				tex_cube_project(st->face[quad + k], face, &p[k][0], &p[k][1]);
		}
		for (int k = 0; k < 4; k++)
			d[k][i] = p[1 + k / 2][k & 1] - p[0][k & 1];
	}
	for (int i = 0; i < 2; i++) {
		st->ddx[i] = (vf)v_load(d[i]);
		st->ddy[i] = (vf)v_load(d[2 + i]);
	}
}

/* Differences along x and y of the quad: lane 1 - lane 0, lane 2 - lane 0. */
V_INLINE void tex_derivatives(const struct tex_image *img, struct tex_strip *st)
{
	for (unsigned d = 0; d < img->dims; d++) {
		vf origin = V_QUAD(st->coord[d], 0);
		st->ddx[d] = V_QUAD(st->coord[d], 1) - origin;
		st->ddy[d] = V_QUAD(st->coord[d], 2) - origin;
	}
	if (img->cube && v_any((vi)V_QUAD(st->face, 0) != st->face))
		tex_cross_faces(st);
}

/* The square of the longer of both derivatives, in texels; dims: img->dims. */
V_INLINE vf tex_longer_squared(const struct tex_image *img, unsigned dims, const struct tex_strip *st)
{
	vf x2 = v_setf(0), y2 = v_setf(0);
	V_UNROLL
	for (unsigned d = 0; d < dims; d++) {
		vf size = v_setf((float)img->size[d][0]), dx = st->ddx[d] * size, dy = st->ddy[d] * size;
		x2 = v_fma(dx, dx, x2);
		y2 = v_fma(dy, dy, y2);
	}
	return v_maxf(x2, y2);
}

/* All NaNs are one, whatever the coordinates have. */
V_INLINE vf tex_lambda_of_squared(vf longer)
{
	const vi bits = v_min((vi)longer & INT32_MAX, v_set(0x7fc00000));
	return tex_log2((vf)bits) * v_setf(0.5f);
}

/* Lanes from `lane` on of one value a quad; the array has 4 behind its last. */
V_INLINE vf tex_of_quads(const float quads[CU_LANES / 4 + 4], int lane)
{
	vi quad;
	for (int i = 0; i < VL; i++)
		quad[i] = i / 4;
	return (vf)v_pick4(v_repeat4((const int32_t *)(quads + lane / 4)), quad);
}

/* Of a coordinate's row, of the quads q to q + VL - 1, in the order that v_quads_in_order undoes. */
V_INLINE void tex_quad_differences(const uint32_t row[CU_LANES], int q, vf *dx, vf *dy)
{
	vi strip[4], lanes[3];
	V_UNROLL
	for (int k = 0; k < 4; k++)
		strip[k] = v_load(&row[4 * q + k * VL]);
	v_quads_of(strip, lanes);
	*dx = (vf)lanes[1] - (vf)lanes[0];
	*dy = (vf)lanes[2] - (vf)lanes[0];
}

/* Where derivatives are those of `dims` coordinates alone they are a quad's: lambdas, before bias and clamps, of the quads q to
 * q + VL - 1.  The same bits as tex_base_lambda gives. */
V_INLINE vf tex_lambda_of_quads(const struct tex_image *img, unsigned dims, uint32_t (*coord)[CU_LANES], int q)
{
	struct tex_strip st;
	V_UNROLL
	for (unsigned d = 0; d < dims; d++)
		tex_quad_differences(coord[d], q, &st.ddx[d], &st.ddy[d]);
	return (vf)v_quads_in_order((vi)tex_lambda_of_squared(tex_longer_squared(img, dims, &st)));
}

/* The same of all quads. */
V_INLINE void tex_quad_lambdas(const struct tex_image *img, unsigned dims, uint32_t (*coord)[CU_LANES],
	float out[CU_LANES / 4])
{
	for (int q = 0; q < CU_LANES / 4; q += VL)
		v_storef(out + q, tex_lambda_of_quads(img, dims, coord, q));
}

V_INLINE vf tex_base_lambda(const struct tex_op *op, struct tex_strip *st)
{
	if (op->flags & TEX_L)
		return st->lod;
	if (op->flags & TEX_LZ)
		return v_setf(0);
	if (!(op->flags & TEX_D))
		tex_derivatives(op->image, st);
	return tex_lambda_of_squared(tex_longer_squared(op->image, op->image->dims, st));
}

/* Sets lambda_raw and lambda.  A NaN becomes the minimum. */
V_INLINE void tex_set_lambda(const struct tex_op *op, vf base, struct tex_strip *st)
{
	const struct tex_sampler *smp = op->sampler;
	vf bias = v_setf(smp->bias), min_lod;
	if (op->flags & TEX_B)
		bias = bias + st->bias;
	bias = v_minf(v_maxf(bias, v_setf(-16)), v_setf(16));
	min_lod = v_setf(smp->min_lod);
	if (op->flags & TEX_CL)
		min_lod = v_maxf(st->lod, min_lod);
	st->lambda_raw = base + bias;
	st->lambda = v_minf(v_maxf(st->lambda_raw, min_lod), v_setf(smp->max_lod));
}

V_INLINE void tex_lambda(const struct tex_op *op, struct tex_strip *st)
{
	tex_set_lambda(op, tex_base_lambda(op, st), st);
}

/* The levels to read and the weight of the second; *delta 0 with one level.  The view's least
 * level counts after all other clamps, and does not tell magnified from minified. */
V_INLINE void tex_select_levels(const struct tex_op *op, vf lambda, vi *first, vi *second, vf *delta)
{
	int32_t last = (int32_t)op->image->levels - 1;
	vf d = v_minf(v_maxf(lambda, v_setf(op->image->min_lod)), v_setf((float)last));
	*delta = v_setf(0);
	if (op->sampler->mip == S_MIP_LINEAR) {
		vf whole = v_floor(d);
		*first = v_trunc(whole);
		*second = v_min(*first + 1, v_set(last));
		*delta = d - whole;
		return;
	}
	*first = v_set(0);
	if (op->sampler->mip == S_MIP_POINT) /* ceil(d + 0.5) - 1 */
		*first = v_trunc(v_setf(0) - v_floor(v_setf(-0.5f) - d)) - 1;
	*second = *first;
}

#endif
