/* Blend factors and equations for a vector of lanes. */
#ifndef RASTER_CB_BLEND_H
#define RASTER_CB_BLEND_H

#include "raster/back_vec.h"

enum { F_ZERO = 0, F_ONE = 1, F_SRC = 2, F_INV_SRC = 3, F_SRC_A = 4, F_INV_SRC_A = 5, F_DST_A = 6,
	F_INV_DST_A = 7, F_DST = 8, F_INV_DST = 9, F_SATURATE = 10, F_CONST = 13, F_INV_CONST = 14,
	F_SRC1 = 15, F_INV_SRC1 = 16, F_SRC1_A = 17, F_INV_SRC1_A = 18, F_CONST_A = 19, F_INV_CONST_A = 20 };
enum { OP_ADD = 0, OP_SUBTRACT = 1, OP_MIN = 2, OP_MAX = 3, OP_REVERSE = 4 };

/* One vector of lanes of everything that blending reads. */
struct inputs {
	vf src[4], dst[4], src1[4], constant[4];
};

static inline __attribute__((always_inline)) vf factor(unsigned f, unsigned ch, const struct inputs *in)
{
	vf one = vf_set(1);
	switch (f) {
	case F_ONE: return one;
	case F_SRC: return in->src[ch];
	case F_INV_SRC: return one - in->src[ch];
	case F_SRC_A: return in->src[3];
	case F_INV_SRC_A: return one - in->src[3];
	case F_DST_A: return in->dst[3];
	case F_INV_DST_A: return one - in->dst[3];
	case F_DST: return in->dst[ch];
	case F_INV_DST: return one - in->dst[ch];
	case F_SATURATE: return ch == 3 ? one : vf_min(in->src[3], one - in->dst[3]);
	case F_CONST: return in->constant[ch];
	case F_INV_CONST: return one - in->constant[ch];
	case F_SRC1: return in->src1[ch];
	case F_INV_SRC1: return one - in->src1[ch];
	case F_SRC1_A: return in->src1[3];
	case F_INV_SRC1_A: return one - in->src1[3];
	case F_CONST_A: return in->constant[3];
	case F_INV_CONST_A: return one - in->constant[3];
	default: return vf_set(0);
	}
}

static inline __attribute__((always_inline)) vf clamp_input(const struct rs_color *c, vf v)
{
	if (c->clamp_lo > c->clamp_hi)
		return v;
	/* NaN of a normalised target is 0, as when it is packed */
	v = vf_pick((vi)(v == v), v, vf_set(0));
	return vf_clamp(v, vf_set(c->clamp_lo), vf_set(c->clamp_hi));
}

static inline __attribute__((always_inline)) vf combine(const struct rs_color *c, unsigned ch, unsigned fs, unsigned fd,
	unsigned op, const struct inputs *in)
{
	vf s = in->src[ch], d = in->dst[ch];
	/* the destination where either is NaN */
	if (op == OP_MIN)
		return vf_min(s, d);
	if (op == OP_MAX)
		return vf_max(s, d);
	vf a = factor(fs, ch, in), b = factor(fd, ch, in);
	s = s * a;
	d = d * b;
	return op == OP_SUBTRACT ? s - d : op == OP_REVERSE ? d - s : s + d;
}

/* Everything but the destination, from the exports at `lane`. */
static inline __attribute__((always_inline)) void load_inputs(const struct rs_worker *w, const struct rs_color *c, unsigned lane, struct inputs *in)
{
	const struct cu_exports *e = w->exports;
	RS_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		in->src[ch] = clamp_input(c, vf_load(&e->data[c->index][ch][lane]));
		in->constant[ch] = clamp_input(c, vf_set(w->state->constant[ch]));
		in->src1[ch] = vf_set(0);
		if (w->state->dual_source)
			in->src1[ch] = clamp_input(c, vf_load(&e->data[1][ch][lane]));
	}
}

static inline __attribute__((always_inline)) void blend_vector(const struct rs_color *c, const struct inputs *in, vf out[4])
{
	const struct rs_blend *b = c->blend;
	RS_UNROLL for (unsigned ch = 0; ch < 3; ch++)
		out[ch] = combine(c, ch, b->color_src, b->color_dst, b->color_op, in);
	out[3] = combine(c, 3, b->alpha_src, b->alpha_dst, b->alpha_op, in);
}

#endif
