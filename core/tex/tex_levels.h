/* SPDX-License-Identifier: MIT */
/* The levels that a wave reads: all lanes the same, or each lane its own. */
#ifndef CORE_TEX_TEX_LEVELS_H
#define CORE_TEX_TEX_LEVELS_H

#include "core/tex/tex_lod.h"
#include "core/tex/tex_ops.h"

#define EACH_STRIP(strips, lane) \
	for (int lane = 0; lane < CU_LANES; lane += VL) \
		if ((strips) >> lane / VL & 1)

/* Strips that have one of the lanes, a bit each. */
static inline uint32_t live_strips(uint64_t lanes)
{
	const __m128i all = _mm_cvtsi64_si128((long long)lanes), none = _mm_setzero_si128();
#if VL == 16
	return ~(uint32_t)_mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(all, none), none)) & 15;
#else
	return ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, none)) & 255;
#endif
}

struct lods {
	alignas(64) int32_t level[2][CU_LANES], linear[CU_LANES];
	alignas(64) float delta[CU_LANES];
	uint32_t used[2]; /* a bit for each level that a live lane reads first, second */
	bool mixed;       /* linear is not all lanes */
	bool part;        /* lanes that are not read have level -1, and keep what they have */
	bool again;       /* the wave reads the same levels several times */
	uint32_t far;     /* a bit for each level that has been found to need more than a tile */
};

/* Memory components of a wave. */
struct tex_components { alignas(64) uint32_t c[4][CU_LANES]; };

/* tex_wave_kernel.c: image_sample of coordinates alone, in lanes of exec, which have the levels `lods`, by the plan. */
#define tex_read_lods CU_FN(cu_tex_read_lods)
void tex_read_lods(const struct tex_op *op, uint64_t exec, struct lods *lods, struct tex_components *out);

/* A value a quad. */
struct quads { alignas(64) float base[CU_LANES / 4 + 4], delta[CU_LANES / 4 + 4]; };

/* Where lambdas are those of quads: before bias and clamps. */
static inline void find_bases(const struct tex_op *op, struct quads *q)
{
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	if (op->sampler->unnormalized || op->flags & TEX_LZ)
		memset(q->base, 0, sizeof q->base);
	else if (op->image->dims == 3)
		tex_quad_lambdas(op->image, 3, coord, q->base);
	else if (op->image->dims == 1)
		tex_quad_lambdas(op->image, 1, coord, q->base);
	else
		tex_quad_lambdas(op->image, 2, coord, q->base);
}

V_INLINE vf lambda_of(const struct tex_op *op, vf base, vf bias)
{
	struct tex_strip st;
	if (op->sampler->unnormalized)
		return v_setf(0);
	st.bias = bias;
	st.lod = v_setf(0);
	tex_set_lambda(op, base, &st);
	return st.lambda;
}

/* Of an instruction that says its level. */
static inline const uint32_t *lod_operand(const struct tex_op *op)
{
	return op->address[!!(op->flags & TEX_O) + !!(op->flags & TEX_C) + op->image->dims + op->image->arrayed];
}

/* Whether the live lanes of each quad have what its first one has, live or not. */
static inline bool is_of_quads(const uint32_t row[CU_LANES], uint64_t exec)
{
	vi differ = v_set(0);
	V_UNROLL
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		const vi v = v_load(row + lane), other = v ^ (vi)V_QUAD(v, 0);
		differ |= __builtin_expect(exec == ~0ull, 1) ? other : other & v_mask_of((uint32_t)(exec >> lane) & ((1u << VL) - 1));
	}
	return !v_any(differ != 0);
}

/* Of a row, the first lanes of quads q to q + VL - 1, in the order that v_quads_in_order undoes. */
static inline vi first_of_quads(const uint32_t row[CU_LANES], int q)
{
	vi strip[4], lanes[3];
	V_UNROLL
	for (int k = 0; k < 4; k++)
		strip[k] = v_load(&row[4 * q + k * VL]);
	v_quads_of(strip, lanes);
	return lanes[0];
}

/* As find_bases, of instructions that say a level or derivatives; false where these are not those of quads. */
static inline bool find_given(const struct tex_op *op, uint64_t exec, struct quads *q)
{
	const unsigned dims = op->image->dims;
	if (op->flags & TEX_L) {
		const uint32_t *const lod = lod_operand(op);
		if (!is_of_quads(lod, exec))
			return false;
		for (int i = 0; i < CU_LANES / 4; i += VL)
			v_store(q->base + i, v_quads_in_order(first_of_quads(lod, i)));
		return true;
	}
	uint32_t (*const row)[CU_LANES] = tex_coords(op) - 2 * dims;
	for (unsigned n = 0; n < 2 * dims; n++)
		if (!is_of_quads(row[n], exec))
			return false;
	for (int i = 0; i < CU_LANES / 4; i += VL) {
		struct tex_strip st;
		for (unsigned d = 0; d < dims; d++) {
			st.ddx[d] = (vf)first_of_quads(row[d], i);
			st.ddy[d] = (vf)first_of_quads(row[dims + d], i);
		}
		v_store(q->base + i, v_quads_in_order((vi)tex_lambda_of_squared(tex_longer_squared(op->image, dims, &st))));
	}
	return true;
}

/* One or the other; false where lambdas are the lanes' own. */
static inline bool find_quads(const struct tex_op *op, uint64_t exec, struct quads *q)
{
	if (op->flags & (TEX_L | TEX_D))
		return !op->sampler->unnormalized && find_given(op, exec, q);
	find_bases(op, q);
	return true;
}

/* The levels of a wave whose live quads agree on them. */
struct common {
	int32_t level[2];
	bool between;             /* the second counts somewhere */
	bool magnified, minified; /* somewhere */
};

/* One bit a quad. */
static inline uint32_t live_quads(uint64_t exec)
{
	exec |= exec >> 1;
	return (uint32_t)_pext_u64(exec | exec >> 2, 0x1111111111111111);
}

/* Deltas, and levels; false where lanes have a bias of their own, quads do not agree, or levels are not mixed. */
static inline bool find_common(const struct tex_op *op, uint64_t exec, struct quads *q, struct common *l)
{
	const uint32_t quads = live_quads(exec);
	const int some = __builtin_ctz(quads);
	alignas(64) int32_t level[2][CU_LANES / 4];
	if (op->flags & TEX_B || op->image->integer)
		return false;
	vi differ = v_set(0), between = v_set(0), magnified = v_set(0), minified = v_set(0);
	V_UNROLL
	for (int i = 0; i < CU_LANES / 4; i += VL) {
		const vf lambda = lambda_of(op, v_loadf(q->base + i), v_setf(0));
		const vi live = v_mask_of(quads >> i & ((1u << VL) - 1));
		vi first, second;
		vf delta;
		tex_select_levels(op, lambda, &first, &second, &delta);
		magnified |= (lambda <= v_setf(0)) & live;
		minified |= ~(lambda <= v_setf(0)) & live;
		v_store(level[0] + i, first);
		v_store(level[1] + i, second);
		v_storef(q->delta + i, delta);
	}
	l->level[0] = level[0][some];
	l->level[1] = level[1][some];
	V_UNROLL
	for (int i = 0; i < CU_LANES / 4; i += VL) {
		const vi live = v_mask_of(quads >> i & ((1u << VL) - 1));
		differ |= ((v_load(level[0] + i) ^ l->level[0]) | (v_load(level[1] + i) ^ l->level[1])) & live;
		between |= (v_loadf(q->delta + i) > v_setf(0)) & live;
	}
	l->between = v_any(between);
	l->magnified = v_any(magnified);
	l->minified = v_any(minified);
	return !v_any(differ != 0);
}

/* What texels are compared with; a copy as they are compared. */
static inline uint32_t (*tex_compared(const struct tex_op *op))[CU_LANES]
{
	return op->address + !!(op->flags & TEX_O) + !!(op->flags & TEX_B);
}

static inline void tex_copy_compared(const struct tex_op *op, float own[CU_LANES])
{
	for (int lane = 0; lane < CU_LANES; lane += VL)
		v_storef(own + lane, tex_clamp_compared(op->image, v_loadf(*tex_compared(op) + lane)));
}

/* What a strip of that lambda reads; used: levels of live lanes, to become l->used. */
V_INLINE void set_lods(const struct tex_op *op, int lane, vf lambda, struct lods *l, vi used[2])
{
	const vi live = v_mask_of(tex_live(op->w, lane)), one = v_set(1);
	const vi mag = v_set(op->sampler->mag_linear ? -1 : 0), min = v_set(op->sampler->min_linear ? -1 : 0);
	vi first, second;
	vf delta;
	tex_select_levels(op, lambda, &first, &second, &delta);
	if (op->image->integer)
		delta = v_setf(0);
	v_store(&l->level[0][lane], first);
	v_store(&l->level[1][lane], second);
	v_storef(&l->delta[lane], delta);
	v_store(&l->linear[lane], v_sel(lambda <= v_setf(0), mag, min));
	used[0] |= (vi)v_lshl((vu)one, (vu)first) & live;
	used[1] |= (vi)v_lshl((vu)one, (vu)second) & live & (delta > v_setf(0));
}

static inline void end_lods(const struct tex_sampler *smp, const vi used[2], bool again, struct lods *l)
{
	l->used[0] = v_union(used[0]);
	l->used[1] = v_union(used[1]);
	l->mixed = smp->mag_linear != smp->min_linear;
	l->part = false;
	l->far = 0;
	l->again = again;
}

/* bases: of quads, NULL: lambdas are not theirs. */
static inline void find_lods(const struct tex_op *op, const float *bases, uint64_t exec, struct lods *l)
{
	vi used[2] = { v_set(0), v_set(0) };
	EACH_STRIP(live_strips(exec), lane) {
		struct tex_strip st;
		if (op->sampler->unnormalized) {
			st.lambda = v_setf(0);
		} else if (bases) {
			const vf bias = op->flags & TEX_B ? v_loadf(&op->address[!!(op->flags & TEX_O)][lane]) : v_setf(0);
			st.lambda = lambda_of(op, tex_of_quads(bases, lane), bias);
		} else if (op->flags & TEX_L) {
			st.lambda = lambda_of(op, v_loadf(&lod_operand(op)[lane]), v_setf(0));
		} else {
			tex_read_strip(op, lane, &st);
			tex_lambda(op, &st);
		}
		set_lods(op, lane, st.lambda, l, used);
	}
	end_lods(op->sampler, used, false, l);
}

#endif
