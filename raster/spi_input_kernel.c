/* SPI: the VGPRs that a pixel wave starts with (SPI_PS_INPUT_ENA).
 *
 * I and J are weights of vertices 1 and 2.  Linear: the planes b1 and b2.
 * Perspective (Vulkan, "Polygon Rasterization"): b / w over the sum of b / w of
 * the three vertices.  All w equal means linear, exactly.  Points have s and t
 * in place of both. */
#include "raster/back_vec.h"

#define BIT(field) (1u << SPI_PS_INPUT_ENA__##field##__LO)
#define VGPR(field) (w->state->vgpr[SPI_PS_INPUT_ENA__##field##__LO])
#define PERSPECTIVE (BIT(PERSP_SAMPLE_ENA) | BIT(PERSP_CENTER_ENA) | BIT(PERSP_CENTROID_ENA) | \
	BIT(PERSP_PULL_MODEL_ENA) | BIT(POS_W_FLOAT_ENA))
#define WEIGHTS (PERSPECTIVE | BIT(LINEAR_SAMPLE_ENA) | BIT(LINEAR_CENTER_ENA) | BIT(LINEAR_CENTROID_ENA))
#define PER_QUAD (0xff80u & ~BIT(POS_W_FLOAT_ENA))

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

static inline const struct rs_plane *plane_i(const struct rs_prim *p) { return p->is_point ? &p->s : &p->b1; }
static inline const struct rs_plane *plane_j(const struct rs_prim *p) { return p->is_point ? &p->t : &p->b2; }

/* Lines without a third vertex: no weight, whatever the plane says. */
static inline bool has_j(const struct rs_prim *p)
{
	return p->is_point || p->kind == RS_PRIM_EDGES;
}

static void block_weights(struct weights *k, const struct rs_open_wave *o)
{
	const struct rs_prim *prim = o->prim[0];
	const struct rs_plane none = { 0 };
	const struct rs_plane *pi = plane_i(prim), *pj = has_j(prim) ? plane_j(prim) : &none;
	_Alignas(64) double li[8], lj[8];
	rs_plane_lanes(pi, li);
	rs_plane_lanes(pj, lj);
	for (unsigned p = 0; p < 4; p++) {
		struct vf16 i = rs_plane_part(pi, li, o->x[4 * p], o->y[4 * p]);
		struct vf16 j = rs_plane_part(pj, lj, o->x[4 * p], o->y[4 * p]);
		for (unsigned v = 0; v < RS_VECS; v++) {
			vf_store(k->b1 + 16 * p + VW * v, i.v[v]);
			vf_store(k->b2 + 16 * p + VW * v, j.v[v]);
		}
	}
	float c[3];
	corner_w(prim, c);
	for (unsigned n = 0; n < 3; n++)
		for (unsigned l = 0; l < CU_LANES; l += VW)
			vf_store(k->w[n] + l, vf_set(c[n]));
}

static void quad_weights(struct weights *k, const struct rs_open_wave *o)
{
	const struct rs_plane none = { 0 };
	unsigned q = 0;
	for (unsigned p = 0; p < o->prims; p++) {
		const struct rs_prim *prim = o->prim[p];
		const struct rs_plane *pi = plane_i(prim), *pj = has_j(prim) ? plane_j(prim) : &none;
		_Alignas(64) double li[8], lj[8];
		rs_plane_lanes(pi, li);
		rs_plane_lanes(pj, lj);
		float c[3];
		corner_w(prim, c);
		for (; q < o->quads && o->quad_prim[q] == p; q++) {
			vf4 i = rs_plane_quad(pi, li, o->x[q], o->y[q]);
			vf4 j = rs_plane_quad(pj, lj, o->x[q], o->y[q]);
			memcpy(k->b1 + 4 * q, &i, sizeof i);
			memcpy(k->b2 + 4 * q, &j, sizeof j);
			for (unsigned n = 0; n < 3; n++)
				_mm_store_ps(k->w[n] + 4 * q, _mm_set1_ps(c[n]));
		}
	}
}

static inline void put(struct rs_worker *w, unsigned vgpr, unsigned lane, vf value)
{
	if (vgpr != RS_VGPR_NONE)
		vf_store(&w->wave->vgpr[vgpr][lane], value);
}
static inline void put_pair(struct rs_worker *w, unsigned vgpr, unsigned lane, vf i, vf j)
{
	if (vgpr != RS_VGPR_NONE) {
		vf_store(&w->wave->vgpr[vgpr][lane], i);
		vf_store(&w->wave->vgpr[vgpr + 1][lane], j);
	}
}

static void put_linear(struct rs_worker *w, const struct weights *k, unsigned lanes)
{
	for (unsigned l = 0; l < lanes; l += VW) {
		vf i = vf_load(k->b1 + l), j = vf_load(k->b2 + l);
		put_pair(w, VGPR(LINEAR_SAMPLE_ENA), l, i, j);
		put_pair(w, VGPR(LINEAR_CENTER_ENA), l, i, j);
		put_pair(w, VGPR(LINEAR_CENTROID_ENA), l, i, j);
	}
}

static void put_perspective(struct rs_worker *w, const struct weights *k, unsigned lanes)
{
	for (unsigned l = 0; l < lanes; l += VW) {
		vf b1 = vf_load(k->b1 + l), b2 = vf_load(k->b2 + l);
		vf w0 = vf_load(k->w[0] + l), w1 = vf_load(k->w[1] + l), w2 = vf_load(k->w[2] + l);
		vi same = (vi)(w0 == w1) & (vi)(w0 == w2);
		vf b0 = (vf_set(1) - b1) - b2;
		vf n1 = b1 * w1, n2 = b2 * w2;
		vf sum = vf_pick(same, w0, (b0 * w0 + n1) + n2);
		vf r = vf_set(1) / sum;
		vf i = vf_pick(same, b1, n1 * r), j = vf_pick(same, b2, n2 * r);
		put_pair(w, VGPR(PERSP_SAMPLE_ENA), l, i, j);
		put_pair(w, VGPR(PERSP_CENTER_ENA), l, i, j);
		put_pair(w, VGPR(PERSP_CENTROID_ENA), l, i, j);
		put(w, VGPR(POS_W_FLOAT_ENA), l, sum);
		if (VGPR(PERSP_PULL_MODEL_ENA) != RS_VGPR_NONE) {
			put_pair(w, VGPR(PERSP_PULL_MODEL_ENA), l, n1, n2);
			put(w, VGPR(PERSP_PULL_MODEL_ENA) + 2u, l, sum);
		}
	}
}

static inline void put_quad(struct rs_worker *w, unsigned vgpr, unsigned q, vi4 value)
{
	if (vgpr != RS_VGPR_NONE)
		memcpy(&w->wave->vgpr[vgpr][4 * q], &value, sizeof value);
}

static inline vi4 quad_set(uint32_t v)
{
	return (vi4)_mm_set1_epi32((int32_t)v);
}

/* The inputs that are not weights, quad by quad. */
static void put_others(struct rs_worker *w, const struct rs_open_wave *o)
{
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	for (unsigned q = 0; q < o->quads; q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		const vi4 dx = { 0, 1, 0, 1 }, dy = { 0, 0, 1, 1 };
		vi4 x = quad_set(o->x[q]) + dx, y = quad_set(o->y[q]) + dy;
		const __m128 half = _mm_set1_ps(0.5f);
		put_quad(w, VGPR(LINE_STIPPLE_TEX_ENA), q, quad_set(0));
		put_quad(w, VGPR(POS_X_FLOAT_ENA), q, (vi4)_mm_add_ps(_mm_cvtepi32_ps((__m128i)x), half));
		put_quad(w, VGPR(POS_Y_FLOAT_ENA), q, (vi4)_mm_add_ps(_mm_cvtepi32_ps((__m128i)y), half));
		if (VGPR(POS_Z_FLOAT_ENA) != RS_VGPR_NONE) {
			if (prim != last)
				rs_plane_lanes(&prim->z, lane);
			last = prim;
			put_quad(w, VGPR(POS_Z_FLOAT_ENA), q, (vi4)rs_plane_quad(&prim->z, lane, o->x[q], o->y[q]));
		}
		put_quad(w, VGPR(FRONT_FACE_ENA), q, quad_set(prim->front_facing ? ~0u : 0));
		put_quad(w, VGPR(ANCILLARY_ENA), q,
			quad_set((uint32_t)prim->layer << 16 | (uint32_t)prim->viewport << 28));
		vi4 bit = { 1, 2, 4, 8 };
		put_quad(w, VGPR(SAMPLE_COVERAGE_ENA), q,
			(vi4)((quad_set((uint32_t)(o->exec >> 4 * q)) & bit) == bit) & 1);
		put_quad(w, VGPR(POS_FIXED_PT_ENA), q, x | y << 16);
	}
}

void CU_FN(rs_spi_inputs)(struct rs_worker *w, const struct rs_open_wave *o)
{
	uint32_t ena = w->state->ena;
	if (ena & WEIGHTS) {
		struct weights k;
		unsigned lanes = (4 * o->quads + VW - 1) & ~(VW - 1u);
		if (o->block)
			block_weights(&k, o);
		else
			quad_weights(&k, o);
		/* the rest of the last vector: anything, but always the same */
		for (unsigned l = 4 * o->quads; l < lanes; l++)
			k.b1[l] = k.b2[l] = k.w[0][l] = k.w[1][l] = k.w[2][l] = 0;
		if (ena & WEIGHTS & ~PERSPECTIVE)
			put_linear(w, &k, lanes);
		if (ena & PERSPECTIVE)
			put_perspective(w, &k, lanes);
	}
	if (ena & PER_QUAD)
		put_others(w, o);
}
