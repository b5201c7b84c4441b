/* SPDX-License-Identifier: MIT */
/* Blend factors and equations for a vector of lanes. */
#ifndef RASTER_BACK_CB_BLEND_H
#define RASTER_BACK_CB_BLEND_H

#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/cb.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"

#define INLINE static inline __attribute__((always_inline))

INLINE bool rs_owns_alpha(enum rs_blend_kind kind)
{
#define KIND(name, ...) || kind == RS_BLEND_##name
	return false RS_BLEND_OWN_ALPHA_KINDS(KIND);
#undef KIND
}

/* The equation of a kind; of alpha unless it is the pipeline's own. */
INLINE struct rs_blend rs_known_blend(enum rs_blend_kind kind)
{
#define KIND(name, cs, cd, as, ad) { .enable = true, .color_src = cs, .color_dst = cd, .alpha_src = as, .alpha_dst = ad },
#define OWN_ALPHA_KIND(name, cs, cd) { .enable = true, .color_src = cs, .color_dst = cd },
	static const struct rs_blend known[] = { RS_BLEND_KINDS(KIND) RS_BLEND_OWN_ALPHA_KINDS(OWN_ALPHA_KIND) };
#undef OWN_ALPHA_KIND
#undef KIND
	return known[kind];
}

/* A source of a known equation: normalized ones are clamped, of which max gives 0 for NaN. */
INLINE vf rs_known_source(bool normalized, vf v) { return normalized ? v_clampf(v, v_setf(0), v_setf(1)) : v; }

/* One vector of lanes of everything that blending reads. */
struct inputs {
	vf src[4], dst[4], src1[4], constant[4];
};

static inline __attribute__((always_inline)) vf factor(unsigned f, unsigned ch, const struct inputs *in)
{
	vf one = v_setf(1);
	switch (f) {
	case BLEND_ONE: return one;
	case BLEND_SRC_COLOR: return in->src[ch];
	case BLEND_ONE_MINUS_SRC_COLOR: return one - in->src[ch];
	case BLEND_SRC_ALPHA: return in->src[3];
	case BLEND_ONE_MINUS_SRC_ALPHA: return one - in->src[3];
	case BLEND_DST_ALPHA: return in->dst[3];
	case BLEND_ONE_MINUS_DST_ALPHA: return one - in->dst[3];
	case BLEND_DST_COLOR: return in->dst[ch];
	case BLEND_ONE_MINUS_DST_COLOR: return one - in->dst[ch];
	case BLEND_SRC_ALPHA_SATURATE: return ch == 3 ? one : v_minf(in->src[3], one - in->dst[3]);
	case BLEND_CONSTANT_COLOR: return in->constant[ch];
	case BLEND_ONE_MINUS_CONSTANT_COLOR: return one - in->constant[ch];
	case BLEND_SRC1_COLOR: return in->src1[ch];
	case BLEND_ONE_MINUS_SRC1_COLOR: return one - in->src1[ch];
	case BLEND_SRC1_ALPHA: return in->src1[3];
	case BLEND_ONE_MINUS_SRC1_ALPHA: return one - in->src1[3];
	case BLEND_CONSTANT_ALPHA: return in->constant[3];
	case BLEND_ONE_MINUS_CONSTANT_ALPHA: return one - in->constant[3];
	default: return v_setf(0);
	}
}

static inline __attribute__((always_inline)) vf clamp_input(const struct rs_color *c, vf v)
{
	if (c->clamp_lo > c->clamp_hi)
		return v;
	/* NaN of a normalised target is 0, as when it is packed */
	v = v_self((vi)(v == v), v, v_setf(0));
	return v_clampf(v, v_setf(c->clamp_lo), v_setf(c->clamp_hi));
}

static inline __attribute__((always_inline)) vf combine(const struct rs_color *c, unsigned ch, unsigned fs, unsigned fd,
	unsigned op, const struct inputs *in)
{
	vf s = in->src[ch], d = in->dst[ch];
	/* the destination where either is NaN */
	if (op == COMB_MIN)
		return v_minf(s, d);
	if (op == COMB_MAX)
		return v_maxf(s, d);
	vf a = factor(fs, ch, in), b = factor(fd, ch, in);
	s = s * a;
	d = d * b;
	return op == COMB_SUBTRACT ? s - d : op == COMB_REVERSE_SUBTRACT ? d - s : s + d;
}

/* Everything but the destination, from the exports at `lane`. */
static inline __attribute__((always_inline)) void load_inputs(const struct rs_worker *w, const struct rs_color *c, unsigned lane, struct inputs *in)
{
	const struct cu_wave *wave = w->slot.wave;
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		in->src[ch] = clamp_input(c, v_loadf(cu_exported(wave, c->index, ch) + lane));
		in->constant[ch] = clamp_input(c, v_setf(w->state->constant[ch]));
		in->src1[ch] = v_setf(0);
		if (w->state->dual_source)
			in->src1[ch] = clamp_input(c, v_loadf(cu_exported(wave, 1, ch) + lane));
	}
}

static inline __attribute__((always_inline)) void blend_vector(const struct rs_color *c, const struct inputs *in, vf out[4])
{
	const struct rs_blend *b = c->blend;
	V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
		out[ch] = combine(c, ch, b->color_src, b->color_dst, b->color_op, in);
	out[3] = combine(c, 3, b->alpha_src, b->alpha_dst, b->alpha_op, in);
}

#endif
