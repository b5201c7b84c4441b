/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering of 8_8_8_8 UNORM in rows: levels and their sizes are found once a strip, then each probe is a
 * bilinear sample of one or two levels by bytes (tex_bytes.h), with 8 bits of position. */
#include "core/tex/tex_aniso.h"
#include "core/tex/tex_bytes.h"
#include "core/tex/tex_fetch_taps.h"
#include "core/tex/tex_output.h"

/* How both axes wrap. */
enum wrap { WRAP_POW2, WRAP_ANY };

/* A level, by lane. */
struct level { vf scale[2]; vi size[2], pitch, base; };

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

/* Two texels along an axis and the weight of the second, in 256ths.  NaN and what is far off give some texel. */
V_INLINE vi find(enum wrap wrap, const struct tex_op *op, const struct level *l, unsigned d, vf coord, vi i[2])
{
	vf far = v_setf(0x1p30f);
	vi at = v_round(v_minf(v_maxf(v_fma(coord, l->scale[d], v_setf(-128)), v_setf(0) - far), far)), border = v_set(0);
	for (int k = 0; k < 2; k++) {
		vi texel = (at >> 8) + k;
		i[k] = wrap == WRAP_POW2 ? texel & (l->size[d] - 1) :
			tex_wrap(texel, l->size[d], op->sampler->clamp[d], op->image->pow2[d], &border);
	}
	return at & 255;
}

V_INLINE void read(enum wrap wrap, const struct tex_bytes_constants *k, const struct tex_op *op, const struct level *l,
	const vf coord[2], vf out[4])
{
	const uint8_t *memory = op->image->base;
	vi x[2], y[2], wx = find(wrap, op, l, 0, coord[0], x), wy = find(wrap, op, l, 1, coord[1], y);
	struct tex_row row[2];
	vi apart = x[1] - x[0], first = l->base + (x[0] << 2);
	const vi at[2] = { first + y[0] * l->pitch, first + y[1] * l->pitch };
	if (__builtin_expect(!v_any(apart != 1), 1)) {
		alignas(64) int32_t places[2][VL];
		v_store(places[0], at[0]);
		v_store(places[1], at[1]);
		row[0] = tex_gather_row(memory, v_load(places[0]));
		row[1] = tex_load_row(memory, places[1]);
	} else {
		for (int j = 0; j < 2; j++) {
			vi a = v_gather(memory, at[j]), b = v_gather(memory, at[j] + (apart << 2));
			row[j] = (struct tex_row){ { V_TWO(unpacklo_epi32, a, b), V_TWO(unpackhi_epi32, a, b) } };
		}
	}
	tex_weigh_bytes(k, row, wx, wy, out);
}

V_INLINE void add(vf weight, const vf value[4], vf sum[4])
{
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		sum[c] = v_fma(value[c], weight, sum[c]);
}

/* The mean of a strip's probes. */
V_INLINE void probe(enum wrap wrap, const struct tex_bytes_constants *k, const struct tex_op *op, const struct tex_strip *st,
	vi mem[4])
{
	vi first, second;
	vf delta, all = v_float(st->probes), step = v_setf(1) / (all + v_setf(1));
	vf sum[4] = { v_setf(0), v_setf(0), v_setf(0), v_setf(0) };
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	const struct level near = level_of(op, st, first), far = level_of(op, st, second);
	const vi between = delta > v_setf(0);
	vi live;
	for (int p = 1; live = st->live & (st->probes >= p), v_any(live); p++) {
		vf along = tex_aniso_along(p, step), value[4];
		const vf coord[2] = { v_fma(along, st->axis[0], st->coord[0]), v_fma(along, st->axis[1], st->coord[1]) };
		read(wrap, k, op, &near, coord, value);
		add((vf)((vi)(v_setf(1) - delta) & live), value, sum);
		if (v_any(between & live)) {
			read(wrap, k, op, &far, coord, value);
			add((vf)((vi)delta & live), value, sum);
		}
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		mem[c] = (vi)(sum[c] / all);
}

V_INLINE void run(enum wrap wrap, const struct tex_op *op)
{
	const struct tex_bytes_constants k = tex_bytes_constants();
	struct tex_outputs out;
	tex_find_outputs(op, &out);
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		struct tex_strip st;
		vi mem[4];
		if (!tex_live(op->w, lane))
			continue;
		tex_read_strip(op, lane, &st);
		tex_set_lambda(op, tex_aniso_axes(op, &st), &st);
		probe(wrap, &k, op, &st, mem);
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
