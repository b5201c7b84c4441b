/* SPDX-License-Identifier: MIT */
/* Vectors of a kernel level: VW lanes of 32 bits, the widest the level has.
 * Arithmetic is written with the compiler's vector operators; what they lack is here,
 * with its NaN rules. */
#ifndef RASTER_VEC_H
#define RASTER_VEC_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>
#include "core/level.h"

#if CU_LEVEL >= 4
#define VW 16
#else
#define VW 8
#endif

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

#endif
