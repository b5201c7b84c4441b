/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering of 8_8_8_8 UNORM in rows: levels and their sizes are found once a wave, each lane its own, then each
 * probe is a bilinear sample of one or two of them by the plan's kernel of bytes, with 8 bits of position. */
#include "core/tex/tex_aniso.h"
#include "core/tex/tex_footprint.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_output.h"

enum { STRIPS = CU_LANES / VL };

/* How both axes wrap. */
enum wrap { WRAP_POW2, WRAP_ANY };

/* A level, by lane. */
struct level { vf scale[2]; vi size[2], pitch, base; };

/* A wave. */
struct wave {
	struct { struct level level[2]; vf coord[2], axis[2], delta, step; vi count; } strip[STRIPS]; /* count: 0 where off */
	vf sum[4][STRIPS];
	alignas(64) uint32_t value[4][CU_LANES];
	struct tex_footprint p;
};

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

/* Returns the most probes that a lane has. */
static int find_probes(const struct tex_op *op, uint32_t strips, struct wave *w)
{
	vi most = v_set(0);
	struct tex_aniso axes;
	tex_aniso_quads(op, &axes);
	EACH_STRIP(strips, lane) {
		struct tex_strip st;
		vi first, second;
		const int i = lane / VL;
		tex_read_strip(op, lane, &st);
		tex_set_lambda(op, tex_aniso_axes_of(op, &axes, lane, &st), &st);
		tex_select_levels(op, st.lambda, &first, &second, &w->strip[i].delta);
		w->strip[i].level[0] = level_of(op, &st, first);
		w->strip[i].level[1] = level_of(op, &st, second);
		for (unsigned d = 0; d < 2; d++) {
			w->strip[i].coord[d] = st.coord[d];
			w->strip[i].axis[d] = st.axis[d];
		}
		w->strip[i].step = v_setf(1) / (v_float(st.probes) + v_setf(1));
		w->strip[i].count = st.probes & v_mask_of(tex_live(op->w, lane));
		most = v_max(most, w->strip[i].count);
		for (unsigned c = 0; c < 4; c++)
			w->sum[c][i] = v_setf(0);
	}
	return ~v_least(~most);
}

/* Two texels along an axis and the weight of the second, in 256ths: the lowest byte.  NaN and what is far off give some
 * texel. */
V_INLINE vi find(enum wrap wrap, const struct tex_op *op, const struct level *l, unsigned d, vf coord, vi i[2])
{
	vf far = v_setf(0x1p30f);
	vi at = v_round(v_minf(v_maxf(v_fma(coord, l->scale[d], v_setf(-128)), v_setf(0) - far), far)), border = v_set(0);
	for (int k = 0; k < 2; k++) {
		vi texel = (at >> 8) + k;
		i[k] = wrap == WRAP_POW2 ? texel & (l->size[d] - 1) :
			tex_wrap(texel, l->size[d], op->sampler->clamp[d], op->image->pow2[d], &border);
	}
	return at;
}

/* Lanes of a strip that have probe p, and read their second level in it. */
V_INLINE vi lanes_of(const struct wave *w, int i, int p, int k)
{
	const vi in = w->strip[i].count >= p;
	return k ? in & (w->strip[i].delta > v_setf(0)) : in;
}

/* Where the texels of probe p are, of the first or the second levels. */
V_INLINE void place(enum wrap wrap, const struct tex_op *op, struct wave *w, int p, int k)
{
	uint32_t strips = 0, pairs = 0;
	for (int i = 0; i < STRIPS; i++) {
		const struct level *l = &w->strip[i].level[k];
		const int lane = i * VL;
		vi x[2], y[2];
		if (!v_any(lanes_of(w, i, p, k)))
			continue;
		const vf along = tex_aniso_along(p, w->strip[i].step);
		v_store(&w->p.weight[0][lane], find(wrap, op, l, 0, v_fma(along, w->strip[i].axis[0], w->strip[i].coord[0]), x));
		v_store(&w->p.weight[1][lane], find(wrap, op, l, 1, v_fma(along, w->strip[i].axis[1], w->strip[i].coord[1]), y));
		const vi apart = (x[1] - x[0]) << 2, first = l->base + (x[0] << 2);
		for (int n = 0; n < 2; n++) {
			const vi at = first + y[n] * l->pitch;
			v_store(&w->p.at[2 * n][lane], at);
			v_store(&w->p.at[2 * n + 1][lane], at + apart);
		}
		pairs |= (uint32_t)!v_any(apart != 4) << i;
		strips |= 1u << i;
	}
	w->p.strips = strips;
	w->p.pairs = pairs;
}

V_INLINE void add(struct wave *w, int p, int k)
{
	for (int i = 0; i < STRIPS; i++) {
		if (!(w->p.strips >> i & 1))
			continue;
		const vf delta = w->strip[i].delta, weight = (vf)((vi)(k ? delta : v_setf(1) - delta) & (w->strip[i].count >= p));
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			w->sum[c][i] = v_fma(v_loadf(&w->value[c][i * VL]), weight, w->sum[c][i]);
	}
}

V_INLINE void run(enum wrap wrap, const struct tex_op *op)
{
	struct wave w;
	struct tex_outputs out;
	const uint32_t strips = live_strips(cu_exec(op->w));
	for (int i = 0; i < STRIPS; i++)
		w.strip[i].count = v_set(0);
	const int most = find_probes(op, strips, &w);
	w.p.base = op->image->base;
	w.p.pitch = op->plan->level->pitch;
	w.p.first_alone = false;
	for (unsigned c = 0; c < 4; c++)
		w.p.row[c] = w.value[c];
	for (int p = 1; p <= most; p++)
		for (int k = 0; k < 2; k++) {
			place(wrap, op, &w, p, k);
			if (!w.p.strips)
				continue;
			op->plan->filter[0][1](op, &w.p);
			add(&w, p, k);
		}
	tex_find_outputs(op, &out);
	EACH_STRIP(strips, lane) {
		vi mem[4];
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			mem[c] = (vi)(w.sum[c][lane / VL] / v_float(w.strip[lane / VL].count));
		tex_write_strip(&out, false, lane, tex_live(op->w, lane), mem);
	}
}

void tex_aniso_bytes(const struct tex_op *op)
{
	const uint8_t *clamp = op->sampler->clamp;
	const bool *pow2 = op->image->pow2;
	if (clamp[0] == S_WRAP && clamp[1] == S_WRAP && pow2[0] && pow2[1])
		run(WRAP_POW2, op);
	else
		run(WRAP_ANY, op);
}
