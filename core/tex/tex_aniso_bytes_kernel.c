/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering of 8_8_8_8 UNORM in rows: levels and their sizes are found once a strip, each lane its own, then each
 * probe is a bilinear sample of one or two of them, as the plan's kernel of bytes has it, with 8 bits of position. */
#include "core/tex/tex_aniso.h"
#include "core/tex/tex_bytes.h"
#include "core/tex/tex_fetch_taps.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_output.h"

/* How both axes wrap: the first three without asking in the loop. */
enum wrap { WRAP_POW2, MIRROR_POW2, CLAMP, WRAP_ANY };

/* A level, by lane. */
struct level { vf scale[2]; vi size[2], pitch, base; };

/* A strip; count: of probes, 0 where it is off. */
struct strip { struct level level[2]; vf coord[2], axis[2], delta, step; vi count; };

V_INLINE struct level level_of(const struct tex_op *op, const struct tex_strip *st, vi number)
{
	const struct tex_lanes_level lv = tex_level_of(op->image, number);
	struct level l = { .pitch = lv.pitch, .base = lv.offset + st->slice * lv.stride };
	for (unsigned d = 0; d < 2; d++) {
		l.size[d] = lv.size[d];
		l.scale[d] = v_float(lv.size[d]) * v_setf(256);
	}
	return l;
}

V_INLINE struct strip begin_strip(const struct tex_op *op, const struct tex_aniso *axes, int lane)
{
	struct strip s;
	struct tex_strip st;
	vi level[2];
	tex_read_strip(op, lane, &st);
	tex_set_lambda(op, tex_aniso_axes_of(op, axes, lane, &st), &st);
	tex_select_levels(op, st.lambda, &level[0], &level[1], &s.delta);
	for (unsigned d = 0; d < 2; d++) {
		s.level[d] = level_of(op, &st, level[d]);
		s.coord[d] = st.coord[d];
		s.axis[d] = st.axis[d];
	}
	s.step = v_setf(1) / (v_float(st.probes) + v_setf(1));
	s.count = st.probes & v_mask_of(tex_live(op->w, lane));
	return s;
}

/* 256ths of texels, mirrored into the image: a place there is between the same two texels, with the same weights. */
V_INLINE vi mirrored(vi at, vi size)
{
	const vi period = size << 9, m = (at + 128) & (period - 1);
	return v_min(m, period - m) - 128;
}

/* Two texels along an axis and the weight of the second, in 256ths: the lowest byte.  NaN and what is far off give some
 * texel. */
V_INLINE vi find(enum wrap wrap, const struct tex_op *op, const struct level *l, unsigned d, vf coord, vi i[2])
{
	const vf far = v_setf(0x1p30f);
	const vi last = l->size[d] - 1;
	vi at = v_round(v_minf(v_maxf(v_fma(coord, l->scale[d], v_setf(-128)), v_setf(0) - far), far)), border = v_set(0);
	if (wrap == MIRROR_POW2)
		at = mirrored(at, l->size[d]);
	for (int k = 0; k < 2; k++) {
		const vi texel = (at >> 8) + k;
		if (wrap == WRAP_POW2)
			i[k] = texel & last;
		else if (wrap == WRAP_ANY)
			i[k] = tex_wrap(texel, l->size[d], op->sampler->clamp[d], op->image->pow2[d], &border);
		else
			i[k] = v_min(v_max(texel, v_set(0)), last);
	}
	return at;
}

/* Texels of a probe: their places, through memory, which takes a while, so that others do best to be in between. */
struct probe { alignas(64) int32_t at[4][VL]; vi weight[2]; bool pairs; };

/* Those of the probe that is so far along the axis. */
V_INLINE void place(enum wrap wrap, const struct tex_op *op, const struct strip *s, const struct level *l, vf along, struct probe *to)
{
	vi x[2], y[2];
	to->weight[0] = find(wrap, op, l, 0, v_fma(along, s->axis[0], s->coord[0]), x);
	to->weight[1] = find(wrap, op, l, 1, v_fma(along, s->axis[1], s->coord[1]), y);
	const vi apart = (x[1] - x[0]) << 2, first = l->base + (x[0] << 2);
	to->pairs = !v_any(apart != 4);
	for (int n = 0; n < 2; n++) {
		const vi offset = first + y[n] * l->pitch;
		v_store(to->at[2 * n], offset);
		if (!to->pairs)
			v_store(to->at[2 * n + 1], offset + apart);
	}
}

V_INLINE void sample(const struct tex_op *op, const struct tex_bytes_constants *k, const struct probe *from, vf out[4])
{
	const uint8_t *base = op->image->base;
	struct tex_row row[2];
	for (int n = 0; n < 2; n++)
		row[n] = from->pairs ? tex_load_row(base, from->at[2 * n]) :
			tex_row_of(v_load_at(base, from->at[2 * n]), v_load_at(base, from->at[2 * n + 1]));
	tex_weigh_bytes(k, row, from->weight[0], from->weight[1], out);
}

/* All probes of a strip, added up; places of the next one are found before what is at those of one is read. */
V_INLINE void add_probes(enum wrap wrap, const struct tex_op *op, const struct tex_bytes_constants *k, const struct strip *s, vf sum[4])
{
	const int32_t most = ~v_least(~s->count);
	const int levels = 1 + v_any((s->delta > v_setf(0)) & (s->count > 0));
	struct probe probe[2][2];
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		sum[c] = v_setf(0);
	for (int32_t p = 0; p <= most; p++) {
		struct probe *next = probe[p & 1], *now = probe[~p & 1];
		const vf along = tex_aniso_along(p + 1, s->step);
		const vi in = s->count >= p;
		if (p < most)
			for (int n = 0; n < levels; n++)
				place(wrap, op, s, &s->level[n], along, &next[n]);
		__asm__("" : "+m"(probe)); /* out of registers they would come one by one */
		for (int n = 0; n < (p ? levels : 0); n++) {
			const vf weight = (vf)((vi)(n ? s->delta : v_setf(1) - s->delta) & in);
			vf value[4];
			sample(op, k, &now[n], value);
			V_UNROLL
			for (unsigned c = 0; c < 4; c++)
				sum[c] = v_fma(value[c], weight, sum[c]);
		}
	}
}

V_INLINE void run(enum wrap wrap, const struct tex_op *op)
{
	const struct tex_bytes_constants constants = tex_bytes_constants();
	struct tex_outputs out;
	struct tex_aniso axes;
	tex_aniso_quads(op, &axes);
	tex_find_outputs(op, &out);
	EACH_STRIP(live_strips(cu_exec(op->w)), lane) {
		const struct strip s = begin_strip(op, &axes, lane);
		vf sum[4];
		vi mem[4];
		add_probes(wrap, op, &constants, &s, sum);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			mem[c] = (vi)(sum[c] / v_float(s.count));
		tex_write_strip(&out, false, lane, tex_live(op->w, lane), mem);
	}
}

void tex_aniso_bytes(const struct tex_op *op)
{
	const bool pow2 = op->image->pow2[0] && op->image->pow2[1];
	const unsigned mode = op->sampler->clamp[0];
	if (mode != op->sampler->clamp[1])
		run(WRAP_ANY, op);
	else if (mode == S_WRAP && pow2)
		run(WRAP_POW2, op);
	else if (mode == S_MIRROR && pow2)
		run(MIRROR_POW2, op);
	else if (mode == S_CLAMP_LAST_TEXEL)
		run(CLAMP, op);
	else
		run(WRAP_ANY, op);
}
