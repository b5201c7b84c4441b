/* SPDX-License-Identifier: MIT */
/* SPI: the VGPRs that a pixel wave starts with (SPI_PS_INPUT_ENA).
 *
 * I and J are weights of vertices 1 and 2.  Linear: the planes b1 and b2.
 * Perspective (Vulkan, "Polygon Rasterization"): b / w over the sum of b / w of
 * the three vertices.  All w equal means linear, exactly.  Points have s and t
 * in place of both. */
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "core/vec.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/spi.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/prim.h"

#define BIT(field) (1u << SPI_PS_INPUT_ENA__##field##__LO)
#define VGPR(field) (w->state->vgpr[SPI_PS_INPUT_ENA__##field##__LO])
#define PERSPECTIVE_PAIRS (BIT(PERSP_SAMPLE_ENA) | BIT(PERSP_CENTER_ENA) | BIT(PERSP_CENTROID_ENA))
#define PERSPECTIVE (PERSPECTIVE_PAIRS | BIT(PERSP_PULL_MODEL_ENA) | BIT(POS_W_FLOAT_ENA))
#define WEIGHTS (PERSPECTIVE | BIT(LINEAR_SAMPLE_ENA) | BIT(LINEAR_CENTER_ENA) | BIT(LINEAR_CENTROID_ENA))
#define PLACES (BIT(LINE_STIPPLE_TEX_ENA) | BIT(POS_X_FLOAT_ENA) | BIT(POS_Y_FLOAT_ENA) | BIT(SAMPLE_COVERAGE_ENA) | \
	BIT(POS_FIXED_PT_ENA))
#define PRIMITIVES (BIT(POS_Z_FLOAT_ENA) | BIT(FRONT_FACE_ENA) | BIT(ANCILLARY_ENA))

/* Linear weights and 1/w of the vertices by lane. */
struct weights {
	_Alignas(64) float b1[CU_LANES], b2[CU_LANES];
	_Alignas(64) float w[3][CU_LANES];
};

/* 1/w of the three corners; a line has two, a point one. */
static inline void corner_w(const struct rs_prim *prim, float out[3])
{
	out[0] = prim->inv_w[0];
	out[1] = prim->is_point ? out[0] : prim->inv_w[1];
	out[2] = prim->is_point || !prim->attr[2] ? out[0] : prim->inv_w[2];
}

static inline void put_pairs(struct rs_worker *w, const uint8_t *vgpr, unsigned count, unsigned lane, vf i, vf j)
{
	for (unsigned n = 0; n < count; n++) {
		v_storef(&w->slot.wave->vgpr[vgpr[n]][lane], i);
		v_storef(&w->slot.wave->vgpr[vgpr[n] + 1][lane], j);
	}
}

/* Everything that comes from the weights, for one vector of lanes. */
static inline void put_weights(struct rs_worker *w, unsigned lane, vf b1, vf b2, vf w0, vf w1, vf w2)
{
	const struct rs_ps_state *s = w->state;
	put_pairs(w, s->linear, s->linear_count, lane, b1, b2);
	if (!(s->ena & PERSPECTIVE))
		return;
	vi same = (vi)(w0 == w1) & (vi)(w0 == w2);
	vf b0 = (v_setf(1) - b1) - b2;
	vf n1 = b1 * w1, n2 = b2 * w2;
	vf sum = v_self(same, w0, (b0 * w0 + n1) + n2);
	vf r = v_setf(1) / sum;
	put_pairs(w, s->perspective, s->perspective_count, lane, v_self(same, b1, n1 * r), v_self(same, b2, n2 * r));
	if (VGPR(POS_W_FLOAT_ENA) != RS_VGPR_NONE)
		v_storef(&w->slot.wave->vgpr[VGPR(POS_W_FLOAT_ENA)][lane], sum);
	if (VGPR(PERSP_PULL_MODEL_ENA) != RS_VGPR_NONE) {
		v_storef(&w->slot.wave->vgpr[VGPR(PERSP_PULL_MODEL_ENA)][lane], n1);
		v_storef(&w->slot.wave->vgpr[VGPR(PERSP_PULL_MODEL_ENA) + 1][lane], n2);
		v_storef(&w->slot.wave->vgpr[VGPR(PERSP_PULL_MODEL_ENA) + 2][lane], sum);
	}
}

/* The linear weights of a block, 16 lanes a part. */
struct block_planes { const double (*lane)[8]; _Alignas(64) double base[2][8]; };

static inline void load_planes(struct rs_worker *w, const struct rs_open_wave *o, struct block_planes *b)
{
	struct rs_waves *v = &w->waves;
	const struct rs_prim *prim = o->prim[0];
	if (v->lane_prim != prim) {
		rs_plane_lanes(&prim->b1, v->lane[0]);
		rs_plane_lanes(&prim->b2, v->lane[1]);
		v->lane_prim = prim;
	}
	b->lane = (const double (*)[8])v->lane;
	rs_plane_bases(&prim->b1, o->x[0], o->y[0], b->base[0]);
	rs_plane_bases(&prim->b2, o->x[0], o->y[0], b->base[1]);
	__asm__("" : "+m"(b->base)); /* each base is an operand in memory: out of registers they come one by one */
}

/* The usual inputs: one pair that needs no division. */
static void one_pair(struct rs_worker *w, const struct block_planes *b, unsigned vgpr)
{
	for (unsigned n = 0; n < 2; n++) {
		uint32_t *out = w->slot.wave->vgpr[vgpr + n];
		V_UNROLL for (unsigned p = 0; p < 4; p++) {
			struct vf16 x = rs_plane_part_of(b->base[n], b->lane[n], p);
			for (unsigned v = 0; v < RS_VECS; v++)
				v_storef(&out[16 * p + VL * v], x.v[v]);
		}
	}
}

static void block_weights(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_prim *prim = o->prim[0];
	const struct rs_ps_state *s = w->state;
	struct block_planes b;
	float c[3];
	corner_w(prim, c);
	load_planes(w, o, &b);
	/* all w equal: the weights are the linear ones, no division */
	bool flat = c[0] == c[1] && c[0] == c[2] && !(s->ena & (PERSPECTIVE & ~PERSPECTIVE_PAIRS));
	if (flat && s->linear_count + s->perspective_count == 1) {
		one_pair(w, &b, s->linear_count ? s->linear[0] : s->perspective[0]);
		return;
	}
	V_UNROLL for (unsigned p = 0; p < 4; p++) {
		struct vf16 i = rs_plane_part_of(b.base[0], b.lane[0], p), j = rs_plane_part_of(b.base[1], b.lane[1], p);
		for (unsigned v = 0; v < RS_VECS; v++) {
			unsigned l = 16 * p + VL * v;
			if (flat) {
				put_pairs(w, s->linear, s->linear_count, l, i.v[v], j.v[v]);
				put_pairs(w, s->perspective, s->perspective_count, l, i.v[v], j.v[v]);
			} else {
				put_weights(w, l, i.v[v], j.v[v], v_setf(c[0]), v_setf(c[1]), v_setf(c[2]));
			}
		}
	}
}

/* Weights of quads `first` to `end`, which are one primitive's. */
static inline void prim_weights(const struct rs_open_wave *o, const struct rs_prim *prim, unsigned first, unsigned end,
	float *b1, float *b2)
{
	const struct rs_plane *const plane[2] = { &prim->b1, &prim->b2 };
	float *const out[2] = { b1, b2 };
	_Alignas(64) double lane[2][8], base[2][4];
	for (unsigned n = 0; n < 2; n++)
		rs_plane_lanes(plane[n], lane[n]);
	for (unsigned q = first; q < end; q += 4) {
		uint16_t x[4], y[4];
		memcpy(x, o->x + q, sizeof x);
		memcpy(y, o->y + q, sizeof y);
		for (unsigned n = 0; n < 2; n++)
			rs_plane_four_bases(plane[n], x, y, base[n]);
		for (unsigned k = 0; k < 4 && q + k < end; k++)
			for (unsigned n = 0; n < 2; n++)
				_mm_store_ps(out[n] + 4 * (q + k), (__m128)rs_plane_quad_of(base[n][k], lane[n], x[k]));
	}
}

/* Weights of all quads; of what is left of the last vector 0. */
static inline void pack_weights(const struct rs_open_wave *o, float *b1, float *b2)
{
	unsigned q = 0;
	for (unsigned p = 0; p < o->prims; p++) {
		const unsigned first = q;
		while (q < o->quads && o->quad_prim[q] == p)
			q++;
		prim_weights(o, o->prim[p], first, q, b1, b2);
	}
	for (; 4 * q % VL; q++) {
		_mm_store_ps(b1 + 4 * q, _mm_setzero_ps());
		_mm_store_ps(b2 + 4 * q, _mm_setzero_ps());
	}
}

/* 1/w of the vertices, by lane of each quad; of what is left of the last vector 1. */
static void pack_w(const struct rs_open_wave *o, struct weights *k)
{
	unsigned q = 0;
	for (; q < o->quads; q++) {
		float c[3];
		corner_w(o->prim[o->quad_prim[q]], c);
		for (unsigned n = 0; n < 3; n++)
			_mm_store_ps(k->w[n] + 4 * q, _mm_set1_ps(c[n]));
	}
	for (; 4 * q % VL; q++)
		for (unsigned n = 0; n < 3; n++)
			_mm_store_ps(k->w[n] + 4 * q, _mm_set1_ps(1));
}

/* Whether every primitive has one w, and w is not asked for: then the weights are what they are in perspective, too. */
static inline bool is_flat(const struct rs_worker *w, const struct rs_open_wave *o)
{
	bool flat = !(w->state->ena & (PERSPECTIVE & ~PERSPECTIVE_PAIRS));
	for (unsigned p = 0; p < o->prims && flat; p++) {
		float c[3];
		corner_w(o->prim[p], c);
		flat = c[0] == c[1] && c[0] == c[2];
	}
	return flat;
}

static void quad_weights(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_ps_state *s = w->state;
	const bool flat = is_flat(w, o);
	struct weights k;
	if (flat && s->linear_count + s->perspective_count == 1) {
		const unsigned vgpr = s->linear_count ? s->linear[0] : s->perspective[0];
		pack_weights(o, (float *)w->slot.wave->vgpr[vgpr], (float *)w->slot.wave->vgpr[vgpr + 1]);
		return;
	}
	pack_weights(o, k.b1, k.b2);
	if (!flat)
		pack_w(o, &k);
	for (unsigned l = 0; l < 4 * o->quads; l += VL) {
		vf i = v_loadf(k.b1 + l), j = v_loadf(k.b2 + l);
		if (flat) {
			put_pairs(w, s->linear, s->linear_count, l, i, j);
			put_pairs(w, s->perspective, s->perspective_count, l, i, j);
		} else {
			put_weights(w, l, i, j, v_loadf(k.w[0] + l), v_loadf(k.w[1] + l), v_loadf(k.w[2] + l));
		}
	}
}

/* One value a quad, by lane: VL / 4 quads. */
static inline vi quad_lanes(const uint16_t *quad)
{
#if VL == 16
	return (vi)_mm512_permutexvar_epi32(_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
		_mm512_castsi128_si512(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)quad))));
#else
	uint32_t both;
	memcpy(&both, quad, sizeof both);
	return (vi)_mm256_permutevar8x32_epi32(
		_mm256_castsi128_si256(_mm_cvtepu16_epi32(_mm_cvtsi32_si128((int)both))),
		_mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
#endif
}

/* Where the pixels of a whole block are: parts of 16 lanes, Morton order in them. */
static void put_block_places(const struct rs_open_wave *o, uint32_t *px, uint32_t *py)
{
#if VL == 16
	const vf dx = { 0, 1, 0, 1, 2, 3, 2, 3, 0, 1, 0, 1, 2, 3, 2, 3 }, dy = { 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3 };
#else
	const vf dx = { 0, 1, 0, 1, 2, 3, 2, 3 }, dy = { 0, 0, 1, 1, 0, 0, 1, 1 };
#endif
	const vf x = v_setf((float)o->x[0] + 0.5f) + dx, y = v_setf((float)o->y[0] + 0.5f) + dy;
	V_UNROLL for (unsigned l = 0; l < CU_LANES; l += VL) {
		const vf down = v_setf((l & 32 ? 4 : 0) + (VL == 8 && l & 8 ? 2 : 0));
		if (px)
			v_storef(px + l, x + v_setf(l & 16 ? 4 : 0));
		if (py)
			v_storef(py + l, y + down);
	}
}

/* Where the lanes are, and which are covered. */
static void put_places(struct rs_worker *w, const struct rs_open_wave *o)
{
#if VL == 16
	const vi dx = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 }, dy = { 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1 };
#else
	const vi dx = { 0, 1, 0, 1, 0, 1, 0, 1 }, dy = { 0, 0, 1, 1, 0, 0, 1, 1 };
#endif
	/* found once: for all that the compiler knows, the stores may change them */
	uint32_t *px = rs_input_row(w, VGPR(POS_X_FLOAT_ENA)), *py = rs_input_row(w, VGPR(POS_Y_FLOAT_ENA));
	uint32_t *stipple = rs_input_row(w, VGPR(LINE_STIPPLE_TEX_ENA)), *covered = rs_input_row(w, VGPR(SAMPLE_COVERAGE_ENA));
	uint32_t *fixed = rs_input_row(w, VGPR(POS_FIXED_PT_ENA));
	const unsigned quads = o->quads;
	if (o->block && !stipple && !covered && !fixed) {
		put_block_places(o, px, py);
		return;
	}
	for (unsigned q = 0; q < quads; q += VL / 4) {
		vi x = quad_lanes(o->x + q) + dx, y = quad_lanes(o->y + q) + dy;
		if (px)
			v_storef(px + 4 * q, v_float(x) + v_setf(0.5f));
		if (py)
			v_storef(py + 4 * q, v_float(y) + v_setf(0.5f));
		if (stipple)
			v_store(stipple + 4 * q, v_set(0));
		if (covered)
			v_store(covered + 4 * q, v_mask_of((uint32_t)(o->exec >> 4 * q)) & 1);
		if (fixed)
			v_store(fixed + 4 * q, x | y << 16);
	}
}

static inline void put_quad(struct rs_worker *w, unsigned vgpr, unsigned q, vi4 value)
{
	if (vgpr != RS_VGPR_NONE)
		memcpy(&w->slot.wave->vgpr[vgpr][4 * q], &value, sizeof value);
}

static inline vi4 quad_set(uint32_t v)
{
	return (vi4)_mm_set1_epi32((int32_t)v);
}

/* What comes from the primitive of a whole block. */
static void put_block_primitive(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_prim *prim = o->prim[0];
	uint32_t *z = rs_input_row(w, VGPR(POS_Z_FLOAT_ENA)), *front = rs_input_row(w, VGPR(FRONT_FACE_ENA)), *ancillary = rs_input_row(w, VGPR(ANCILLARY_ENA));
	if (z) {
		_Alignas(64) double lane[8], base[8];
		rs_plane_lanes(&prim->z, lane);
		rs_plane_bases(&prim->z, o->x[0], o->y[0], base);
		for (unsigned p = 0; p < 4; p++, z += RS_GROUP) {
			const struct vf16 part = rs_plane_part_of(base, lane, p);
			V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
				v_storef(z + VL * i, part.v[i]);
		}
	}
	for (unsigned l = 0; l < CU_LANES && front; l += VL)
		v_store(front + l, v_set(prim->front_facing ? -1 : 0));
	for (unsigned l = 0; l < CU_LANES && ancillary; l += VL)
		v_store(ancillary + l, v_set((int32_t)((uint32_t)prim->layer << 16 | (uint32_t)prim->viewport << 28)));
}

/* What comes from the primitive, quad by quad. */
static void put_primitives(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	for (unsigned q = 0; q < o->quads; q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		if (VGPR(POS_Z_FLOAT_ENA) != RS_VGPR_NONE) {
			if (prim != last)
				rs_plane_lanes(&prim->z, lane);
			last = prim;
			put_quad(w, VGPR(POS_Z_FLOAT_ENA), q, (vi4)rs_plane_quad(&prim->z, lane, o->x[q], o->y[q]));
		}
		put_quad(w, VGPR(FRONT_FACE_ENA), q, quad_set(prim->front_facing ? ~0u : 0));
		put_quad(w, VGPR(ANCILLARY_ENA), q,
			quad_set((uint32_t)prim->layer << 16 | (uint32_t)prim->viewport << 28));
	}
}

void CU_FN(rs_spi_inputs)(struct rs_worker *w, const struct rs_open_wave *o)
{
	uint32_t ena = w->state->ena;
	if (w->state->sample_inputs) {
		CU_FN(rs_spi_inputs_msaa)(w, o);
		return;
	}
	if (ena & WEIGHTS && o->block)
		block_weights(w, o);
	else if (ena & WEIGHTS)
		quad_weights(w, o);
	if (ena & PLACES)
		put_places(w, o);
	if (ena & PRIMITIVES && o->block)
		put_block_primitive(w, o);
	else if (ena & PRIMITIVES)
		put_primitives(w, o);
}
