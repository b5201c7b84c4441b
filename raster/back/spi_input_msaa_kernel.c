/* SPDX-License-Identifier: MIT */
/* SPI: VGPRs of a wave some of whose inputs belong to samples: values at the
 * lane's sample or at a covered one (centroid), sample numbers, coverage.  The
 * arithmetic at pixel centres is that of spi_input_kernel.c. */
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/spi.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/prim.h"

#define VGPR(field) (w->state->vgpr[SPI_PS_INPUT_ENA__##field##__LO])

/* Where an input is evaluated. */
enum place { CENTER = POS_FLOAT_CENTER, CENTROID = POS_FLOAT_CENTROID, SAMPLE = POS_FLOAT_SAMPLE, PLACES };

/* Offsets from the pixel's centre by lane. */
struct offsets { _Alignas(64) float x[CU_LANES], y[CU_LANES]; };

enum which { PLANE_I, PLANE_J, PLANE_Z };
static const struct rs_plane *plane_of(const struct rs_prim *p, enum which which)
{
	return which == PLANE_Z ? &p->z : which == PLANE_I ? &p->b1 : &p->b2;
}

static void centroid_offsets(const struct rs_ps_state *s, const struct rs_open_wave *o, struct offsets *out)
{
	uint64_t all = ~0ull, taken = 0;
	memset(out, 0, sizeof *out);
	for (unsigned k = 0; k < s->samples; k++)
		all &= o->covered[k];
	for (unsigned k = 0; k < s->samples; k++) {
		uint64_t first = o->covered[k] & ~taken & ~all;
		for (uint64_t left = first; left; left &= left - 1) {
			unsigned l = (unsigned)__builtin_ctzll(left);
			out->x[l] = s->sample_x[k];
			out->y[l] = s->sample_y[k];
		}
		taken |= first;
	}
}

static void find_offsets(const struct rs_ps_state *s, const struct rs_open_wave *o, enum place place, struct offsets *out)
{
	if (s->iterate && place != CENTER) {
		for (unsigned l = 0; l < CU_LANES; l++) {
			out->x[l] = s->sample_x[o->quad_sample[l / 4]];
			out->y[l] = s->sample_y[o->quad_sample[l / 4]];
		}
	} else if (place == CENTROID) {
		centroid_offsets(s, o, out);
	} else {
		memset(out, 0, sizeof *out);
	}
}

static void evaluate(const struct rs_open_wave *o, enum which which, const struct offsets *at, float out[CU_LANES])
{
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	for (unsigned q = 0; q < o->quads; q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		const struct rs_plane *p = plane_of(prim, which);
		if (prim != last)
			rs_plane_lanes(p, lane);
		last = prim;
		vd4 l, x = (vd4)_mm256_cvtps_pd(_mm_load_ps(at->x + 4 * q)), y = (vd4)_mm256_cvtps_pd(_mm_load_ps(at->y + 4 * q));
		memcpy(&l, lane + (o->x[q] & 2) * 2, sizeof l);
		vd4 v = (vd4)_mm256_set1_pd(rs_plane_base(p, o->x[q] & ~3, o->y[q])) + l;
		v += (vd4)_mm256_set1_pd(p->dx) * x + (vd4)_mm256_set1_pd(p->dy) * y;
		_mm_store_ps(out + 4 * q, _mm256_cvtpd_ps((__m256d)v));
	}
}

/* 1/w of the three corners by lane; a line has two, a point one. */
static void corner_w(const struct rs_open_wave *o, float w[3][CU_LANES])
{
	for (unsigned q = 0; q < o->quads; q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		float w0 = prim->inv_w[0], w1 = prim->is_point ? w0 : prim->inv_w[1];
		float w2 = prim->is_point || !prim->attr[2] ? w0 : prim->inv_w[2];
		_mm_store_ps(w[0] + 4 * q, _mm_set1_ps(w0));
		_mm_store_ps(w[1] + 4 * q, _mm_set1_ps(w1));
		_mm_store_ps(w[2] + 4 * q, _mm_set1_ps(w2));
	}
}

static inline void put(struct rs_worker *w, unsigned vgpr, unsigned n, unsigned lane, vf v)
{
	if (vgpr != RS_VGPR_NONE)
		v_storef(&w->slot.wave->vgpr[vgpr + n][lane], v);
}

/* Weights at one place, and what else is there. */
static void put_place(struct rs_worker *w, const struct rs_open_wave *o, enum place place, const struct offsets *at)
{
	static const uint8_t persp_bit[PLACES] = { SPI_PS_INPUT_ENA__PERSP_CENTER_ENA__LO,
		SPI_PS_INPUT_ENA__PERSP_CENTROID_ENA__LO, SPI_PS_INPUT_ENA__PERSP_SAMPLE_ENA__LO };
	static const uint8_t linear_bit[PLACES] = { SPI_PS_INPUT_ENA__LINEAR_CENTER_ENA__LO,
		SPI_PS_INPUT_ENA__LINEAR_CENTROID_ENA__LO, SPI_PS_INPUT_ENA__LINEAR_SAMPLE_ENA__LO };
	const struct rs_ps_state *s = w->state;
	unsigned persp = s->vgpr[persp_bit[place]], linear = s->vgpr[linear_bit[place]];
	unsigned pull = place == CENTER ? VGPR(PERSP_PULL_MODEL_ENA) : RS_VGPR_NONE;
	unsigned pos_w = place == s->position ? VGPR(POS_W_FLOAT_ENA) : RS_VGPR_NONE;
	_Alignas(64) float b1[CU_LANES] = { 0 }, b2[CU_LANES] = { 0 }, cw[3][CU_LANES] = { { 0 } };
	if ((persp & linear & pull & pos_w) == RS_VGPR_NONE)
		return;
	evaluate(o, PLANE_I, at, b1);
	evaluate(o, PLANE_J, at, b2);
	corner_w(o, cw);
	for (unsigned l = 0; l < 4 * o->quads; l += VL) {
		vf i = v_loadf(b1 + l), j = v_loadf(b2 + l);
		vf w0 = v_loadf(cw[0] + l), w1 = v_loadf(cw[1] + l), w2 = v_loadf(cw[2] + l);
		vi same = (vi)(w0 == w1) & (vi)(w0 == w2);
		vf b0 = (v_setf(1) - i) - j, n1 = i * w1, n2 = j * w2;
		vf sum = v_self(same, w0, (b0 * w0 + n1) + n2), r = v_setf(1) / sum;
		put(w, linear, 0, l, i);
		put(w, linear, 1, l, j);
		put(w, persp, 0, l, v_self(same, i, n1 * r));
		put(w, persp, 1, l, v_self(same, j, n2 * r));
		put(w, pos_w, 0, l, sum);
		put(w, pull, 0, l, n1);
		put(w, pull, 1, l, n2);
		put(w, pull, 2, l, sum);
	}
}

static void put_position(struct rs_worker *w, const struct rs_open_wave *o, const struct offsets *at)
{
	_Alignas(64) float x[CU_LANES], y[CU_LANES], z[CU_LANES];
	for (unsigned l = 0; l < 4 * o->quads; l++) {
		x[l] = (float)(o->x[l / 4] + (l & 1)) + (0.5f + at->x[l]);
		y[l] = (float)(o->y[l / 4] + (l >> 1 & 1)) + (0.5f + at->y[l]);
	}
	if (VGPR(POS_X_FLOAT_ENA) != RS_VGPR_NONE)
		memcpy(w->slot.wave->vgpr[VGPR(POS_X_FLOAT_ENA)], x, 16 * o->quads);
	if (VGPR(POS_Y_FLOAT_ENA) != RS_VGPR_NONE)
		memcpy(w->slot.wave->vgpr[VGPR(POS_Y_FLOAT_ENA)], y, 16 * o->quads);
	if (VGPR(POS_Z_FLOAT_ENA) == RS_VGPR_NONE)
		return;
	evaluate(o, PLANE_Z, at, z);
	memcpy(w->slot.wave->vgpr[VGPR(POS_Z_FLOAT_ENA)], z, 16 * o->quads);
}

/* One word for each lane of each quad. */
static void put_words(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_ps_state *s = w->state;
	uint32_t (*vgpr)[CU_LANES] = w->slot.wave->vgpr;
	for (unsigned l = 0; l < 4 * o->quads; l++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[l / 4]];
		uint32_t x = o->x[l / 4] + (l & 1), y = o->y[l / 4] + (l >> 1 & 1), covered = 0;
		for (unsigned k = 0; k < s->samples; k++)
			covered |= (uint32_t)(o->covered[k] >> l & 1) << k;
		if (VGPR(LINE_STIPPLE_TEX_ENA) != RS_VGPR_NONE)
			vgpr[VGPR(LINE_STIPPLE_TEX_ENA)][l] = 0;
		if (VGPR(FRONT_FACE_ENA) != RS_VGPR_NONE)
			vgpr[VGPR(FRONT_FACE_ENA)][l] = prim->front_facing ? ~0u : 0;
		if (VGPR(ANCILLARY_ENA) != RS_VGPR_NONE)
			vgpr[VGPR(ANCILLARY_ENA)][l] = (s->iterate ? (uint32_t)o->quad_sample[l / 4] << 8 : 0) |
				(uint32_t)prim->layer << 16 | (uint32_t)prim->viewport << 28;
		if (VGPR(SAMPLE_COVERAGE_ENA) != RS_VGPR_NONE)
			vgpr[VGPR(SAMPLE_COVERAGE_ENA)][l] = covered;
		if (VGPR(POS_FIXED_PT_ENA) != RS_VGPR_NONE)
			vgpr[VGPR(POS_FIXED_PT_ENA)][l] = x | y << 16;
	}
}

void CU_FN(rs_spi_inputs_msaa)(struct rs_worker *w, const struct rs_open_wave *o)
{
	for (enum place place = CENTER; place < PLACES; place++) {
		struct offsets at;
		find_offsets(w->state, o, place, &at);
		put_place(w, o, place, &at);
		if (place == w->state->position)
			put_position(w, o, &at);
	}
	put_words(w, o);
}
