/* SPDX-License-Identifier: MIT */
/* DB: the ranges of hierarchical Z.  Those of a primitive are found for a row of a tile's blocks at a time, and with them
 * which of these are hidden for certain. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/db.h"
#include "raster/back/db_priv.h"
#include "raster/back/depth_code.h"
#include "raster/back/group.h"
#include "raster/back/hiz.h"
#include "raster/back/lanes.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

void CU_FN(rs_db_hiz_begin)(struct rs_worker *w, const struct rs_prim *prim)
{
	struct rs_depth *d = &w->depth;
	const struct rs_plane *p = &prim->z;
	const double slope = __builtin_fabs(p->dx) + __builtin_fabs(p->dy);
	/* samples lie up to half a pixel off the centre */
	const double reach = w->state->samples > 1 ? 0.5 + 1.0 / 256 : 1.0 / 256;
	const double margin = slope * reach + (__builtin_fabs(p->c) + slope * 32768) * 0x1p-46; /* and roundings */
	const double dx = 7 * p->dx, dy = 7 * p->dy;
	const float lo = w->state->clamp_min[prim->viewport], hi = w->state->clamp_max[prim->viewport];
	const float first = (float)(prim->z_min - margin), last = (float)(prim->z_max + margin);
	d->range.down = (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0) - margin;
	d->range.up = (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0) + margin;
	d->range.first = first == first ? first : -__builtin_inff();
	d->range.last = last == last ? last : __builtin_inff();
	d->range.min = w->targets->depth.code_max ? rs_unit(lo) : lo;
	d->range.max = w->targets->depth.code_max ? rs_unit(hi) : hi;
}

/* Codes of depths within what they are clamped to: rs_depth_code. */
static inline __m256 codes_of(const struct rs_target *t, __m256 z)
{
	if (!t->code_max)
		return z;
	const __m256 below = _mm256_cmp_ps(z, _mm256_set1_ps(0.5f), _CMP_LE_OQ);
	const __m256 half = _mm256_and_ps(t->code_max > 0xffff ? below : _mm256_castsi256_ps(_mm256_set1_epi32(-1)), _mm256_set1_ps(0x1p23f));
	return _mm256_sub_ps(_mm256_fmadd_ps(z, _mm256_set1_ps((float)t->code_max), half), half);
}

/* Where the plane is at the first pixels of four blocks. */
static inline __m256d plane_at(const struct rs_plane *p, int x, int y)
{
	const __m256d at = _mm256_cvtepi32_pd(_mm_add_epi32(_mm_set1_epi32(x), _mm_setr_epi32(0, 8, 16, 24)));
	const __m256d c = _mm256_add_pd(_mm256_set1_pd(p->c), _mm256_mul_pd(_mm256_set1_pd(p->dx), at));
	return _mm256_add_pd(c, _mm256_set1_pd(p->dy * y));
}

/* Of eight blocks, from the plane at each. */
static inline __m256 moved(const __m256d z[2], double by)
{
	const __m256d d = _mm256_set1_pd(by);
	return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_add_pd(z[1], d)), _mm256_cvtpd_ps(_mm256_add_pd(z[0], d)));
}

/* Ranges of the primitive's codes in the blocks of a row: where the plane is at their corners, and between the vertices. */
static inline void find_row(struct rs_worker *w, const struct rs_prim *prim, unsigned by)
{
	struct rs_depth *d = &w->depth;
	const struct rs_target *t = &w->targets->depth;
	const __m256d z[2] = { plane_at(&prim->z, w->x, w->y + 8 * (int)by), plane_at(&prim->z, w->x + 32, w->y + 8 * (int)by) };
	const __m256 min = _mm256_set1_ps(d->range.min), max = _mm256_set1_ps(d->range.max);
	/* NaN gives the second operand */
	__m256 lo = _mm256_max_ps(moved(z, d->range.down), _mm256_set1_ps(d->range.first));
	__m256 hi = _mm256_min_ps(moved(z, d->range.up), _mm256_set1_ps(d->range.last));
	const __m256 plain = _mm256_and_ps(_mm256_cmp_ps(lo, min, _CMP_GT_OQ), _mm256_cmp_ps(hi, max, _CMP_LT_OQ));
	lo = codes_of(t, _mm256_min_ps(_mm256_max_ps(lo, min), max));
	hi = codes_of(t, _mm256_min_ps(_mm256_max_ps(hi, min), max));
	_mm256_store_ps(d->row.lo, lo);
	_mm256_store_ps(d->row.hi, hi);
	d->row.plain = (uint32_t)_mm256_movemask_ps(plain);
}

/* Blocks of the row where no depth of the primitive can pass. */
static inline uint32_t out_of_range(const struct rs_worker *w, unsigned by)
{
	const struct rs_hiz *h = &w->depth.hiz;
	const __m256 first = _mm256_loadu_ps(h->lo + 8 * by), last = _mm256_loadu_ps(h->hi + 8 * by);
	const __m256 lo = _mm256_load_ps(w->depth.row.lo), hi = _mm256_load_ps(w->depth.row.hi);
	switch (w->state->z_func) {
	case COMPARE_LESS: return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(lo, last, _CMP_GE_OQ));
	case COMPARE_LEQUAL: return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(lo, last, _CMP_GT_OQ));
	case COMPARE_GREATER: return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(hi, first, _CMP_LE_OQ));
	case COMPARE_GEQUAL: return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(hi, first, _CMP_LT_OQ));
	case COMPARE_EQUAL:
		return (uint32_t)_mm256_movemask_ps(_mm256_or_ps(_mm256_cmp_ps(lo, last, _CMP_GT_OQ), _mm256_cmp_ps(hi, first, _CMP_LT_OQ)));
	default: return 0;
	}
}

uint32_t CU_FN(rs_db_hiz_row)(struct rs_worker *w, const struct rs_prim *prim, unsigned by)
{
	find_row(w, prim, by);
	return out_of_range(w, by) & (uint32_t)(w->depth.hiz.valid >> 8 * by);
}

/* What has been found of a block's codes so far. */
struct found { vf lo, hi; vi nan; };

V_INLINE void add(struct found *f, vf code)
{
	f->nan |= (vi)(code != code);
	f->lo = v_minf(f->lo, code);
	f->hi = v_maxf(f->hi, code);
}

/* A block that is wholly inside, in 4x4 parts: one after the other, each with all samples. */
static void measure_whole(const struct rs_worker *w, unsigned block, struct found *f)
{
	const struct rs_target *t = &w->targets->depth;
	const struct surf_plane *p = &t->plane;
	const size_t row = 2 * p->samples * surf_sample_stride(p);
	const uint8_t *first = rs_address(t, w->depth.hiz.layer, (uint32_t)w->x + 8 * (block & 7), (uint32_t)w->y + 8 * (block >> 3));
	for (unsigned half = 0; half < 2; half++, first += p->pitch)
		for (size_t at = 0; at < row; at += (size_t)VL * p->bpe)
			add(f, p->bpe == 2 ? v_float(v_load_u16(first + at)) : rs_code_in_dword(t->code_max, v_loadf(first + at)));
}

static void measure_lanes(const struct rs_worker *w, unsigned block, uint64_t inside, struct found *f)
{
	const struct rs_target *t = &w->targets->depth;
	const int bx = block & 7, by = block >> 3;
	for (unsigned p = 0; p < 4; p++) {
		uint32_t lanes = (uint32_t)(inside >> 16 * p) & 0xffff;
		if (!lanes)
			continue;
		struct rs_group g = rs_group_part(t, w->depth.hiz.layer, (uint32_t)(w->x + 8 * bx + (int)(p & 1) * 4),
			(uint32_t)(w->y + 8 * by + (int)(p >> 1) * 4));
		for (unsigned k = 0; k < t->plane.samples; k++, rs_group_sample(&g, t, 1)) {
			struct vf16 z = CU_FN(rs_db_codes)(t, &g, lanes);
			for (unsigned i = 0; i < RS_VECS; i++) {
				const vi in = v_mask_of(lanes >> VL * i);
				struct found one = *f;
				add(&one, z.v[i]);
				f->lo = v_self(in, one.lo, f->lo);
				f->hi = v_self(in, one.hi, f->hi);
				f->nan |= one.nan & in;
			}
		}
	}
}

/* Range of the codes in memory of one block; anything when there is a NaN. */
static void measure(struct rs_worker *w, unsigned block)
{
	const uint64_t inside = rs_lanes_within((int)(block & 7), (int)(block >> 3), 0, 0, w->width, w->height);
	struct found f = { v_setf(__builtin_inff()), v_setf(-__builtin_inff()), v_set(0) };
	if (inside == ~0ull && w->targets->depth.plane.tiling == TILING_4X4)
		measure_whole(w, block, &f);
	else
		measure_lanes(w, block, inside, &f);
	float l = f.lo[0], h = f.hi[0];
	for (unsigned i = 1; i < VL; i++) {
		l = f.lo[i] < l ? f.lo[i] : l;
		h = f.hi[i] > h ? f.hi[i] : h;
	}
	const bool any = v_bits(f.nan) != 0;
	w->depth.hiz.lo[block] = any ? -__builtin_inff() : l;
	w->depth.hiz.hi[block] = any ? __builtin_inff() : h;
	w->depth.hiz.stale[block] = 0;
	w->depth.hiz.valid |= 1ull << block;
}

/* Looking at depths that decide nothing is done less and less often. */
bool CU_FN(rs_db_hiz_look)(struct rs_worker *w, unsigned block)
{
	struct rs_hiz *h = &w->depth.hiz;
	const bool again = h->valid >> block & 1;
	measure(w, block);
	const bool decides = out_of_range(w, block / 8) >> block % 8 & 1;
	if (!again)
		return decides;
	const unsigned twice = 2u * h->patience[block];
	h->patience[block] = decides ? RS_HIZ_PATIENCE : twice < RS_HIZ_MOST_PATIENCE ? (uint8_t)twice : RS_HIZ_MOST_PATIENCE;
	return decides;
}

/* After depths of `wrote` in the block were written with codes in [z_lo, z_hi];
 * all: nothing of the block is older. */
void CU_FN(rs_db_wrote)(struct rs_worker *w, unsigned block, uint64_t wrote, bool all)
{
	struct rs_hiz *h = &w->depth.hiz;
	if (!wrote)
		return;
	if (!w->depth.use_hiz) {
		h->valid &= ~(1ull << block);
		return;
	}
	if (all) {
		h->lo[block] = w->depth.z_lo;
		h->hi[block] = w->depth.z_hi;
		h->stale[block] = 0;
		return;
	}
	h->lo[block] = w->depth.z_lo < h->lo[block] ? w->depth.z_lo : h->lo[block];
	h->hi[block] = w->depth.z_hi > h->hi[block] ? w->depth.z_hi : h->hi[block];
	unsigned stale = h->stale[block] + (unsigned)__builtin_popcountll(wrote);
	h->stale[block] = (uint8_t)(stale < 255 ? stale : 255);
}
