/* SPDX-License-Identifier: MIT */
/* Anisotropic filtering of whole waves: axes and levels are found once, then each probe is what the plan makes of a sample
 * at its place. */
#include "core/tex/tex_aniso.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_output.h"

struct probes {
	struct lods lods;
	alignas(64) float coord[2][CU_LANES], axis[2][CU_LANES];
	alignas(64) int32_t count[CU_LANES];
	alignas(64) uint32_t at[3][CU_LANES]; /* coordinates of the probe at hand, and its layer */
};

static void find_probes(const struct tex_op *op, uint32_t strips, struct probes *s)
{
	vi used[2] = { v_set(0), v_set(0) };
	struct tex_aniso axes;
	tex_aniso_quads(op, &axes);
	EACH_STRIP(strips, lane) {
		struct tex_strip st;
		tex_read_strip(op, lane, &st);
		tex_set_lambda(op, tex_aniso_axes_of(op, &axes, lane, &st), &st);
		set_lods(op, lane, st.lambda, &s->lods, used);
		for (unsigned d = 0; d < 2; d++) {
			v_storef(&s->coord[d][lane], st.coord[d]);
			v_storef(&s->axis[d][lane], st.axis[d]);
		}
		v_store(&s->count[lane], st.probes & v_mask_of(tex_live(op->w, lane)));
		v_storef((float *)&s->at[2][lane], v_float(st.slice));
	}
	end_lods(op->sampler, used, true, &s->lods);
}

/* Lanes that have probe p, whose places they get. */
static uint64_t place(struct probes *s, int p, uint32_t strips)
{
	uint64_t lanes = 0;
	EACH_STRIP(strips, lane) {
		const vi count = v_load(&s->count[lane]);
		const vf along = tex_aniso_along(p, v_setf(1) / (v_float(count) + v_setf(1)));
		for (unsigned d = 0; d < 2; d++)
			v_storef((float *)&s->at[d][lane], v_fma(along, v_loadf(&s->axis[d][lane]), v_loadf(&s->coord[d][lane])));
		lanes |= (uint64_t)v_bits(count >= p) << lane;
	}
	return lanes;
}

void tex_aniso_wave(const struct tex_op *op)
{
	const uint64_t exec = cu_exec(op->w);
	const uint32_t strips = live_strips(exec);
	struct probes s;
	struct tex_components sum, one;
	struct tex_outputs o;
	struct tex_op at = *op;
	find_probes(op, strips, &s);
	at.flags = TEX_SAMPLE;
	at.address = s.at;
	memset(&sum, 0, sizeof sum);
	uint64_t lanes = exec;
	for (int p = 1; (lanes = place(&s, p, live_strips(lanes))) != 0; p++) {
		tex_read_lods(&at, lanes, &s.lods, &one);
		EACH_STRIP(live_strips(lanes), lane) {
			const vi in = v_load(&s.count[lane]) >= p;
			for (unsigned c = 0; c < 4; c++) {
				const vf to = v_loadf(sum.c[c] + lane);
				v_storef(sum.c[c] + lane, v_self(in, to + v_loadf(one.c[c] + lane), to));
			}
		}
	}
	tex_find_outputs(op, &o);
	EACH_STRIP(strips, lane) {
		vi mem[4];
		for (unsigned c = 0; c < 4; c++) {
			/* Which of several NaNs a sum keeps is the compiler's choice. */
			const vf mean = v_loadf(sum.c[c] + lane) / v_float(v_load(&s.count[lane]));
			mem[c] = v_sel(mean == mean, (vi)mean, v_set(0x7fc00000));
		}
		tex_write_strip(&o, false, lane, tex_live(op->w, lane), mem);
	}
}
