/* SPDX-License-Identifier: MIT */
/* Vectors of the back end's kernels: VW lanes of 32 bits, the widest the level
 * has.  Arithmetic is written with the compiler's vector operators; what they
 * lack is here, with its NaN rules. */
#ifndef RASTER_BACK_VEC_H
#define RASTER_BACK_VEC_H

#include <immintrin.h>
#include "raster/back/back.h"

#if CU_LEVEL >= 4
#define VW 16
#else
#define VW 8
#endif
#define RS_VECS (RS_GROUP / VW) /* vectors in a group of 16 lanes */

typedef int32_t vi __attribute__((vector_size(4 * VW)));
typedef uint32_t vu __attribute__((vector_size(4 * VW)));
typedef float vf __attribute__((vector_size(4 * VW)));
typedef double vd __attribute__((vector_size(4 * VW)));      /* VW / 2 lanes */
typedef float vfh __attribute__((vector_size(2 * VW)));      /* VW / 2 lanes */
typedef double vd4 __attribute__((vector_size(32)));
typedef float vf4 __attribute__((vector_size(16)));
typedef int32_t vi4 __attribute__((vector_size(16)));

/* Before a loop of at most 4 rounds: clang unrolls those by itself. */
#ifdef __clang__
#define RS_UNROLL
#else
#define RS_UNROLL _Pragma("GCC unroll 4")
#endif

/* 16 lanes. */
struct vf16 { vf v[RS_VECS]; };
struct vi16 { vi v[RS_VECS]; };

static inline vi vi_load(const void *p) { vi v; memcpy(&v, p, sizeof v); return v; }
static inline void vi_store(void *p, vi v) { memcpy(p, &v, sizeof v); }
static inline vf vf_load(const void *p) { vf v; memcpy(&v, p, sizeof v); return v; }
static inline void vf_store(void *p, vf v) { memcpy(p, &v, sizeof v); }
static inline vd vd_load(const double *p) { vd v; memcpy(&v, p, sizeof v); return v; }
static inline vi vf_bits(vf v) { return (vi)v; }

#if CU_LEVEL >= 4
static inline vf vf_set(float x) { return (vf)_mm512_set1_ps(x); }
static inline vi vi_set(int32_t x) { return (vi)_mm512_set1_epi32(x); }
static inline vd vd_set(double x) { return (vd)_mm512_set1_pd(x); }
/* b where either is NaN. */
static inline vf vf_min(vf a, vf b) { return (vf)_mm512_min_ps((__m512)a, (__m512)b); }
static inline vf vf_max(vf a, vf b) { return (vf)_mm512_max_ps((__m512)a, (__m512)b); }
static inline vf vf_fma(vf a, vf b, vf c) { return (vf)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c); }
static inline vi vf_to_int(vf a) { return (vi)_mm512_cvtps_epi32((__m512)a); }
static inline vf vi_to_float(vi a) { return (vf)_mm512_cvtepi32_ps((__m512i)a); }
/* Bit per lane: the lane's top bit. */
static inline uint32_t vi_signs(vi a) { return _mm512_movepi32_mask((__m512i)a); }
/* All ones in lanes whose bit is set. */
static inline vi vi_from_bits(uint32_t bits) { return (vi)_mm512_movm_epi32((__mmask16)bits); }
static inline void vi_store_lanes(void *p, vi v, uint32_t bits)
{
	_mm512_mask_storeu_epi32(p, (__mmask16)bits, (__m512i)v);
}
/* Low 16 bits of each lane, unsigned. */
static inline vi vi_load_u16(const void *p)
{
	return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256(p));
}
static inline void vi_store_u16(void *p, vi v)
{
	_mm256_storeu_si256(p, _mm512_cvtepi32_epi16((__m512i)v));
}
static inline vf vfh_join(vfh a, vfh b)
{
	return (vf)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)a), (__m256)b, 1);
}
static inline vfh vd_to_float(vd a) { return (vfh)_mm512_cvtpd_ps((__m512d)a); }
/* By n bits, 32 gives 0. */
static inline vi vi_shift_left(vi a, unsigned n) { return (vi)_mm512_sll_epi32((__m512i)a, _mm_cvtsi32_si128((int)n)); }
static inline vi vi_shift_right(vi a, unsigned n) { return (vi)_mm512_srl_epi32((__m512i)a, _mm_cvtsi32_si128((int)n)); }
#else
static inline vi vi_shift_left(vi a, unsigned n) { return (vi)_mm256_sll_epi32((__m256i)a, _mm_cvtsi32_si128((int)n)); }
static inline vi vi_shift_right(vi a, unsigned n) { return (vi)_mm256_srl_epi32((__m256i)a, _mm_cvtsi32_si128((int)n)); }
static inline vf vf_set(float x) { return (vf)_mm256_set1_ps(x); }
static inline vi vi_set(int32_t x) { return (vi)_mm256_set1_epi32(x); }
static inline vd vd_set(double x) { return (vd)_mm256_set1_pd(x); }
static inline vf vf_min(vf a, vf b) { return (vf)_mm256_min_ps((__m256)a, (__m256)b); }
static inline vf vf_max(vf a, vf b) { return (vf)_mm256_max_ps((__m256)a, (__m256)b); }
static inline vf vf_fma(vf a, vf b, vf c) { return (vf)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c); }
static inline vi vf_to_int(vf a) { return (vi)_mm256_cvtps_epi32((__m256)a); }
static inline vf vi_to_float(vi a) { return (vf)_mm256_cvtepi32_ps((__m256i)a); }
static inline uint32_t vi_signs(vi a) { return (uint32_t)_mm256_movemask_ps((__m256)a); }
static inline vi vi_from_bits(uint32_t bits)
{
	const vi bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
	return (vi_set((int32_t)bits) & bit) == bit;
}
static inline void vi_store_lanes(void *p, vi v, uint32_t bits)
{
	_mm256_maskstore_epi32(p, (__m256i)vi_from_bits(bits), (__m256i)v);
}
static inline vi vi_load_u16(const void *p)
{
	return (vi)_mm256_cvtepu16_epi32(_mm_loadu_si128(p));
}
static inline void vi_store_u16(void *p, vi v)
{
	__m256i x = _mm256_packus_epi32((__m256i)v, (__m256i)v);
	x = _mm256_permute4x64_epi64(x, 0x08);
	_mm_storeu_si128(p, _mm256_castsi256_si128(x));
}
static inline vf vfh_join(vfh a, vfh b)
{
	return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)a), (__m128)b, 1);
}
static inline vfh vd_to_float(vd a) { return (vfh)_mm256_cvtpd_ps((__m256d)a); }
#endif

/* a where the mask is all ones, else b. */
static inline vi vi_pick(vi mask, vi a, vi b) { return (mask & a) | (~mask & b); }
static inline vf vf_pick(vi mask, vf a, vf b) { return (vf)vi_pick(mask, (vi)a, (vi)b); }
/* NaN gives lo. */
static inline vf vf_clamp(vf a, vf lo, vf hi) { return vf_min(vf_max(a, lo), hi); }

/* a * scale rounded once to the nearest even integer, for results below 2^22: the sum
 * with 2^23 has integer precision, and the fma keeps the product exact. */
static inline vi vf_scale_round(vf a, float scale)
{
	return (vi)vf_fma(a, vf_set(scale), vf_set(0x1p23f)) & 0x7fffff;
}

static inline uint32_t vi16_signs(const struct vi16 *a)
{
	uint32_t m = 0;
	for (unsigned i = 0; i < RS_VECS; i++)
		m |= vi_signs(a->v[i]) << (VW * i);
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
	for (unsigned i = 0; i < 8; i += VW / 2) {
		vd x, y;
		memcpy(&x, lx + i, sizeof x);
		memcpy(&y, ly + i, sizeof y);
		vd v = vd_set(p->dx) * x + vd_set(p->dy) * y;
		memcpy(lane + i, &v, sizeof v);
	}
}
/* The 16 values of the 4x4 part at (x, y). */
static inline struct vf16 rs_plane_part(const struct rs_plane *p, const double lane[8], int x, int y)
{
	struct vf16 out;
	vd base[2] = { vd_set(rs_plane_base(p, x, y)), vd_set(rs_plane_base(p, x, y + 2)) };
#if VW == 16
	vd l = vd_load(lane);
	out.v[0] = vfh_join(vd_to_float(base[0] + l), vd_to_float(base[1] + l));
#else
	/* one load a vector: a copy of both would go through memory in halves */
	vd l[2] = { vd_load(lane), vd_load(lane + 4) };
	for (unsigned h = 0; h < 2; h++)
		out.v[h] = vfh_join(vd_to_float(base[h] + l[0]), vd_to_float(base[h] + l[1]));
#endif
	return out;
}
/* The bases of a whole 8x8 block at (x, y): element 2 p + h for the upper (h = 0)
 * or lower half of part p. */
static inline void rs_plane_bases(const struct rs_plane *p, int x, int y, double base[8])
{
	static const double px[8] = { 0, 0, 4, 4, 0, 0, 4, 4 }, py[8] = { 0, 2, 0, 2, 4, 6, 4, 6 };
	for (unsigned i = 0; i < 8; i += VW / 2) {
		vd bx, by;
		memcpy(&bx, px + i, sizeof bx);
		memcpy(&by, py + i, sizeof by);
		vd v = (vd_set(p->c) + vd_set(p->dx) * (vd_set(x) + bx)) + vd_set(p->dy) * (vd_set(y) + by);
		memcpy(base + i, &v, sizeof v);
	}
}
/* The 16 values of part n from these. */
static inline struct vf16 rs_plane_part_of(const double base[8], const double lane[8], unsigned n)
{
	struct vf16 out;
	vd b[2] = { vd_set(base[2 * n]), vd_set(base[2 * n + 1]) };
#if VW == 16
	vd l = vd_load(lane);
	out.v[0] = vfh_join(vd_to_float(b[0] + l), vd_to_float(b[1] + l));
#else
	vd l[2] = { vd_load(lane), vd_load(lane + 4) };
	for (unsigned h = 0; h < 2; h++)
		out.v[h] = vfh_join(vd_to_float(b[h] + l[0]), vd_to_float(b[h] + l[1]));
#endif
	return out;
}
/* The 4 values of the quad at (x, y). */
static inline vf4 rs_plane_quad(const struct rs_plane *p, const double lane[8], int x, int y)
{
	vd4 l;
	memcpy(&l, lane + (x & 2) * 2, sizeof l);
	vd4 v = (vd4)_mm256_set1_pd(rs_plane_base(p, x & ~3, y)) + l;
	return (vf4)_mm256_cvtpd_ps((__m256d)v);
}

#endif
