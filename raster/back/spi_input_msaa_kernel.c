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

/* Offsets from the pixel's centre by lane; same: of a block, the first one's. */
struct offsets { _Alignas(64) float x[CU_LANES], y[CU_LANES]; bool same; };

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
		for (unsigned q = 0; q < o->quads; q++) {
			_mm_store_ps(out->x + 4 * q, _mm_set1_ps(s->sample_x[o->quad_sample[q]]));
			_mm_store_ps(out->y + 4 * q, _mm_set1_ps(s->sample_y[o->quad_sample[q]]));
		}
	} else if (place == CENTROID) {
		centroid_offsets(s, o, out);
	} else {
		memset(out, 0, sizeof *out);
	}
	out->same = o->block && (s->iterate || place != CENTROID);
}

/* Of a block whose lanes have one offset. */
static void evaluate_block(const struct rs_open_wave *o, enum which which, const struct offsets *at, float out[CU_LANES])
{
	const struct rs_plane *p = plane_of(o->prim[0], which);
	const vd moved = v_setd(p->dx) * v_setd((double)at->x[0]) + v_setd(p->dy) * v_setd((double)at->y[0]);
	_Alignas(64) double lane[8], base[8];
	rs_plane_lanes(p, lane);
	rs_plane_bases(p, o->x[0], o->y[0], base);
	__asm__("" : "+m"(base)); /* out of registers they come one by one */
	for (unsigned n = 0; n < 8; n++)
		for (unsigned i = 0; i < 8; i += VL / 2) {
			const vfh v = v_floatd((v_setd(base[n]) + v_loadd(lane + i)) + moved);
			memcpy(out + 8 * n + i, &v, sizeof v);
		}
}

static void evaluate(const struct rs_open_wave *o, enum which which, const struct offsets *at, float out[CU_LANES])
{
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	if (at->same) {
		evaluate_block(o, which, at, out);
		return;
	}
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

/* VGPRs of what comes from the weights at a place. */
struct place_vgprs { unsigned persp, linear, pull, pos_w; };

static struct place_vgprs vgprs_of(const struct rs_worker *w, enum place place)
{
	static const uint8_t persp_bit[PLACES] = { SPI_PS_INPUT_ENA__PERSP_CENTER_ENA__LO,
		SPI_PS_INPUT_ENA__PERSP_CENTROID_ENA__LO, SPI_PS_INPUT_ENA__PERSP_SAMPLE_ENA__LO };
	static const uint8_t linear_bit[PLACES] = { SPI_PS_INPUT_ENA__LINEAR_CENTER_ENA__LO,
		SPI_PS_INPUT_ENA__LINEAR_CENTROID_ENA__LO, SPI_PS_INPUT_ENA__LINEAR_SAMPLE_ENA__LO };
	const struct rs_ps_state *s = w->state;
	return (struct place_vgprs){ s->vgpr[persp_bit[place]], s->vgpr[linear_bit[place]],
		place == CENTER ? VGPR(PERSP_PULL_MODEL_ENA) : RS_VGPR_NONE, place == s->position ? VGPR(POS_W_FLOAT_ENA) : RS_VGPR_NONE };
}

static bool has_weights(struct place_vgprs v) { return (v.persp & v.linear & v.pull & v.pos_w) != RS_VGPR_NONE; }

static bool has_position(const struct rs_worker *w, enum place place)
{
	return place == w->state->position && (VGPR(POS_X_FLOAT_ENA) & VGPR(POS_Y_FLOAT_ENA) & VGPR(POS_Z_FLOAT_ENA)) != RS_VGPR_NONE;
}

static void put_weights(struct rs_worker *w, const struct rs_open_wave *o, struct place_vgprs to, const struct offsets *at)
{
	_Alignas(64) float b1[CU_LANES], b2[CU_LANES], cw[3][CU_LANES];
	const size_t used = 4 * (size_t)o->quads; /* the last vector may be of more */
	for (size_t l = used; l % VL; l++)
		b1[l] = b2[l] = cw[0][l] = cw[1][l] = cw[2][l] = 0;
	evaluate(o, PLANE_I, at, b1);
	evaluate(o, PLANE_J, at, b2);
	corner_w(o, cw);
	for (unsigned l = 0; l < used; l += VL) {
		vf i = v_loadf(b1 + l), j = v_loadf(b2 + l);
		vf w0 = v_loadf(cw[0] + l), w1 = v_loadf(cw[1] + l), w2 = v_loadf(cw[2] + l);
		vi same = (vi)(w0 == w1) & (vi)(w0 == w2);
		vf b0 = (v_setf(1) - i) - j, n1 = i * w1, n2 = j * w2;
		vf sum = v_self(same, w0, (b0 * w0 + n1) + n2), r = v_setf(1) / sum;
		put(w, to.linear, 0, l, i);
		put(w, to.linear, 1, l, j);
		put(w, to.persp, 0, l, v_self(same, i, n1 * r));
		put(w, to.persp, 1, l, v_self(same, j, n2 * r));
		put(w, to.pos_w, 0, l, sum);
		put(w, to.pull, 0, l, n1);
		put(w, to.pull, 1, l, n2);
		put(w, to.pull, 2, l, sum);
	}
}

static void put_position(struct rs_worker *w, const struct rs_open_wave *o, const struct offsets *at)
{
	const __m128i dx = _mm_setr_epi32(0, 1, 0, 1), dy = _mm_setr_epi32(0, 0, 1, 1);
	const __m128 half = _mm_set1_ps(0.5f);
	float *px = (float *)rs_input_row(w, VGPR(POS_X_FLOAT_ENA)), *py = (float *)rs_input_row(w, VGPR(POS_Y_FLOAT_ENA));
	uint32_t *pz = rs_input_row(w, VGPR(POS_Z_FLOAT_ENA));
	for (unsigned q = 0; q < o->quads; q++) {
		const __m128 x = _mm_cvtepi32_ps(_mm_add_epi32(_mm_set1_epi32(o->x[q]), dx));
		const __m128 y = _mm_cvtepi32_ps(_mm_add_epi32(_mm_set1_epi32(o->y[q]), dy));
		if (px)
			_mm_store_ps(px + 4 * q, _mm_add_ps(x, _mm_add_ps(half, _mm_load_ps(at->x + 4 * q))));
		if (py)
			_mm_store_ps(py + 4 * q, _mm_add_ps(y, _mm_add_ps(half, _mm_load_ps(at->y + 4 * q))));
	}
	if (pz) {
		_Alignas(64) float z[CU_LANES];
		evaluate(o, PLANE_Z, at, z);
		memcpy(pz, z, 16 * o->quads);
	}
}

static inline void put_quad(uint32_t *row, unsigned q, __m128i words)
{
	if (row)
		_mm_store_si128((__m128i *)(row + 4 * q), words);
}

/* Samples of each lane that are covered, a bit each. */
static void put_coverage(const struct rs_worker *w, const struct rs_open_wave *o, uint32_t *row)
{
	for (unsigned l = 0; l < 4 * o->quads; l += VL) {
		vi covered = v_set(0);
		for (unsigned k = 0; k < w->state->samples; k++)
			covered |= v_mask_of((uint32_t)(o->covered[k] >> l)) & (1 << k);
		v_store(row + l, covered);
	}
}

/* One word for each lane of each quad. */
static void put_words(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_ps_state *s = w->state;
	uint32_t *stipple = rs_input_row(w, VGPR(LINE_STIPPLE_TEX_ENA)), *front = rs_input_row(w, VGPR(FRONT_FACE_ENA));
	uint32_t *ancillary = rs_input_row(w, VGPR(ANCILLARY_ENA)), *coverage = rs_input_row(w, VGPR(SAMPLE_COVERAGE_ENA));
	uint32_t *fixed = rs_input_row(w, VGPR(POS_FIXED_PT_ENA));
	const __m128i pixel = _mm_setr_epi32(0, 1, 1 << 16, 1 << 16 | 1);
	for (unsigned q = 0; q < o->quads && (stipple || front || ancillary || fixed); q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		const uint32_t sample = s->iterate ? (uint32_t)o->quad_sample[q] << 8 : 0;
		put_quad(stipple, q, _mm_setzero_si128());
		put_quad(front, q, _mm_set1_epi32(prim->front_facing ? -1 : 0));
		put_quad(ancillary, q, _mm_set1_epi32((int32_t)(sample | (uint32_t)prim->layer << 16 | (uint32_t)prim->viewport << 28)));
		put_quad(fixed, q, _mm_add_epi32(_mm_set1_epi32((int32_t)(o->x[q] | (uint32_t)o->y[q] << 16)), pixel));
	}
	if (coverage)
		put_coverage(w, o, coverage);
}

void CU_FN(rs_spi_inputs_msaa)(struct rs_worker *w, const struct rs_open_wave *o)
{
	for (enum place place = CENTER; place < PLACES; place++) {
		const struct place_vgprs to = vgprs_of(w, place);
		const bool position = has_position(w, place);
		struct offsets at;
		if (!has_weights(to) && !position)
			continue;
		find_offsets(w->state, o, place, &at);
		if (has_weights(to))
			put_weights(w, o, to, &at);
		if (position)
			put_position(w, o, &at);
	}
	put_words(w, o);
}
