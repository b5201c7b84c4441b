/* Level of detail: Vulkan 1.3, "Level-of-Detail Operation" and "Image Level(s)
 * Selection". */
#ifndef CORE_TEX_LOD_H
#define CORE_TEX_LOD_H

#include "core/tex.h"

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
	vi live;
};

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

/* Quads that span several faces: all lanes on the plane of lane 0's face. */
static void tex_project_quads(const struct tex_strip *st, vf coord[3])
{
	float s[VL], t[VL];
	v_store(s, (vi)coord[0]);
	v_store(t, (vi)coord[1]);
	for (int i = 0; i < VL; i++)
		if (st->face[i] != st->face[i & ~3])
			tex_cube_project(st->face[i], st->face[i & ~3], &s[i], &t[i]);
	coord[0] = (vf)v_load(s);
	coord[1] = (vf)v_load(t);
}

/* Differences along x and y of the quad: lane 1 - lane 0, lane 2 - lane 0. */
V_INLINE void tex_derivatives(const struct tex_image *img, struct tex_strip *st)
{
	vf coord[3] = { st->coord[0], st->coord[1], st->coord[2] };
	if (img->cube && v_any((vi)V_QUAD(st->face, 0) != st->face))
		tex_project_quads(st, coord);
	for (unsigned d = 0; d < img->dims; d++) {
		vf origin = V_QUAD(coord[d], 0);
		st->ddx[d] = V_QUAD(coord[d], 1) - origin;
		st->ddy[d] = V_QUAD(coord[d], 2) - origin;
	}
}

V_INLINE vf tex_base_lambda(const struct tex_op *op, struct tex_strip *st)
{
	const struct tex_image *img = &op->image;
	if (op->flags & TEX_L)
		return st->lod;
	if (op->flags & TEX_LZ)
		return v_setf(0);
	if (!(op->flags & TEX_D))
		tex_derivatives(img, st);
	vf x2 = v_setf(0), y2 = v_setf(0);
	for (unsigned d = 0; d < img->dims; d++) {
		vf size = v_setf((float)img->size[d][0]), dx = st->ddx[d] * size, dy = st->ddy[d] * size;
		x2 = v_fma(dx, dx, x2);
		y2 = v_fma(dy, dy, y2);
	}
	return tex_log2(v_maxf(x2, y2)) * v_setf(0.5f); /* log2 of the longer one */
}

/* Sets lambda_raw and lambda.  A NaN becomes the minimum. */
V_INLINE void tex_lambda(const struct tex_op *op, struct tex_strip *st)
{
	const struct tex_sampler *smp = &op->sampler;
	vf bias = v_setf(smp->bias), min_lod;
	if (op->flags & TEX_B)
		bias = bias + st->bias;
	bias = v_minf(v_maxf(bias, v_setf(-16)), v_setf(16));
	min_lod = v_setf(smp->min_lod > op->image.min_lod ? smp->min_lod : op->image.min_lod);
	if (op->flags & TEX_CL)
		min_lod = v_maxf(st->lod, min_lod);
	st->lambda_raw = tex_base_lambda(op, st) + bias;
	st->lambda = v_minf(v_maxf(st->lambda_raw, min_lod), v_setf(smp->max_lod));
}

/* The levels to read and the weight of the second; *delta 0 with one level. */
V_INLINE void tex_select_levels(const struct tex_op *op, vf lambda, vi *first, vi *second, vf *delta)
{
	int32_t last = (int32_t)op->image.levels - 1;
	vf d = v_minf(v_maxf(lambda, v_setf(0)), v_setf((float)last));
	*delta = v_setf(0);
	if (op->sampler.mip == S_MIP_LINEAR) {
		vf whole = v_floor(d);
		*first = v_trunc(whole);
		*second = v_min(*first + 1, v_set(last));
		*delta = d - whole;
		return;
	}
	*first = v_set(0);
	if (op->sampler.mip == S_MIP_POINT) /* ceil(d + 0.5) - 1 */
		*first = v_trunc(v_setf(0) - v_floor(v_setf(-0.5f) - d)) - 1;
	*second = *first;
}

#endif
