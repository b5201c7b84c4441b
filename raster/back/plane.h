/* SPDX-License-Identifier: MIT */
/* Groups of 16 lanes as vectors, and planes at their pixels. */
#ifndef RASTER_BACK_PLANE_H
#define RASTER_BACK_PLANE_H

#include "core/vec.h"
#include "raster/back/group.h"
#include "raster/prim.h"

#define RS_VECS (RS_GROUP / VL) /* vectors in a group of 16 lanes */

/* 16 lanes. */
struct vf16 { vf v[RS_VECS]; };
struct vi16 { vi v[RS_VECS]; };

/* Of four quads of 16 bytes. */
static inline struct vf16 rs_load_quads(uint8_t *const quad[4])
{
	struct vf16 out;
	__m256 upper = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps((const float *)quad[0])),
		_mm_load_ps((const float *)quad[1]), 1);
	__m256 lower = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps((const float *)quad[2])),
		_mm_load_ps((const float *)quad[3]), 1);
#if VL == 16
	out.v[0] = v_join((vfh)upper, (vfh)lower);
#else
	out.v[0] = (vf)upper;
	out.v[1] = (vf)lower;
#endif
	return out;
}

static inline uint32_t vi16_signs(const struct vi16 *a)
{
	uint32_t m = 0;
	for (unsigned i = 0; i < RS_VECS; i++)
		m |= v_bits(a->v[i]) << (VL * i);
	return m;
}

/* Planes.  The value at pixel (x, y) is
 *   (float)((c + dx X + dy Y) + (dx (x - X) + dy (y - Y))), X = x & ~3, Y = y & ~1,
 * in double, one rounding an operation, whatever path computes it: the first
 * term is rs_plane_base, the second one of the 8 lane offsets of the upper
 * half of a 4x4 part. */
static inline double rs_plane_base(const struct rs_plane *p, int x, int y)
{
	return (p->c + p->dx * x) + p->dy * y;
}
static inline void rs_plane_lanes(const struct rs_plane *p, double lane[8])
{
	static const double lx[8] = { 0, 1, 0, 1, 2, 3, 2, 3 }, ly[8] = { 0, 0, 1, 1, 0, 0, 1, 1 };
	for (unsigned i = 0; i < 8; i += VL / 2) {
		vd x, y;
		memcpy(&x, lx + i, sizeof x);
		memcpy(&y, ly + i, sizeof y);
		vd v = v_setd(p->dx) * x + v_setd(p->dy) * y;
		memcpy(lane + i, &v, sizeof v);
	}
}
/* The 16 values of the 4x4 part at (x, y). */
static inline struct vf16 rs_plane_part(const struct rs_plane *p, const double lane[8], int x, int y)
{
	struct vf16 out;
	vd base[2] = { v_setd(rs_plane_base(p, x, y)), v_setd(rs_plane_base(p, x, y + 2)) };
#if VL == 16
	vd l = v_loadd(lane);
	out.v[0] = v_join(v_floatd(base[0] + l), v_floatd(base[1] + l));
#else
	/* one load a vector: a copy of both would go through memory in halves */
	vd l[2] = { v_loadd(lane), v_loadd(lane + 4) };
	for (unsigned h = 0; h < 2; h++)
		out.v[h] = v_join(v_floatd(base[h] + l[0]), v_floatd(base[h] + l[1]));
#endif
	return out;
}
/* The bases of a whole 8x8 block at (x, y): element 2 p + h for the upper (h = 0)
 * or lower half of part p. */
static inline void rs_plane_bases(const struct rs_plane *p, int x, int y, double base[8])
{
	static const double px[8] = { 0, 0, 4, 4, 0, 0, 4, 4 }, py[8] = { 0, 2, 0, 2, 4, 6, 4, 6 };
	for (unsigned i = 0; i < 8; i += VL / 2) {
		vd bx, by;
		memcpy(&bx, px + i, sizeof bx);
		memcpy(&by, py + i, sizeof by);
		vd v = (v_setd(p->c) + v_setd(p->dx) * (v_setd(x) + bx)) + v_setd(p->dy) * (v_setd(y) + by);
		memcpy(base + i, &v, sizeof v);
	}
}
/* The 16 values of part n from these. */
static inline struct vf16 rs_plane_part_of(const double base[8], const double lane[8], unsigned n)
{
	struct vf16 out;
	vd b[2] = { v_setd(base[2 * n]), v_setd(base[2 * n + 1]) };
#if VL == 16
	vd l = v_loadd(lane);
	out.v[0] = v_join(v_floatd(b[0] + l), v_floatd(b[1] + l));
#else
	vd l[2] = { v_loadd(lane), v_loadd(lane + 4) };
	for (unsigned h = 0; h < 2; h++)
		out.v[h] = v_join(v_floatd(b[h] + l[0]), v_floatd(b[h] + l[1]));
#endif
	return out;
}
/* The bases of four quads. */
static inline void rs_plane_four_bases(const struct rs_plane *p, const uint16_t x[4], const uint16_t y[4], double base[4])
{
	const __m128i left = _mm_and_si128(_mm_loadl_epi64((const __m128i *)x), _mm_set1_epi16(~3));
	const vd4 bx = (vd4)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(left));
	const vd4 by = (vd4)_mm256_cvtepi32_pd(_mm_cvtepu16_epi32(_mm_loadl_epi64((const __m128i *)y)));
	const vd4 v = ((vd4)_mm256_set1_pd(p->c) + (vd4)_mm256_set1_pd(p->dx) * bx) + (vd4)_mm256_set1_pd(p->dy) * by;
	memcpy(base, &v, sizeof v);
}
/* The 4 values of the quad at (x, y). */
static inline vf4 rs_plane_quad_of(double base, const double lane[8], int x)
{
	vd4 l;
	memcpy(&l, lane + (x & 2) * 2, sizeof l);
	return (vf4)_mm256_cvtpd_ps((__m256d)((vd4)_mm256_set1_pd(base) + l));
}
static inline vf4 rs_plane_quad(const struct rs_plane *p, const double lane[8], int x, int y)
{
	return rs_plane_quad_of(rs_plane_base(p, x & ~3, y), lane, x);
}

#endif
