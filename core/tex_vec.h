/* SPDX-License-Identifier: MIT */
/* Vectors of the kernel level: VL lanes of 32 bits, one register.  Every
 * operation acts on lanes alone (quad shuffles: on quads alone), so kernels
 * written in them give the same bits at VL 8 and VL 16.  Masks are all-ones or
 * zero lanes. */
#ifndef CORE_TEX_VEC_H
#define CORE_TEX_VEC_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "core/level.h"

#if CU_LEVEL == 4
#define VL 16
#else
#define VL 8
#endif

typedef float vf __attribute__((vector_size(VL * 4)));
typedef int32_t vi __attribute__((vector_size(VL * 4)));
typedef uint32_t vu __attribute__((vector_size(VL * 4)));

#define V_INLINE static inline __attribute__((always_inline))
/* Before a short loop over components or taps, so that its vectors stay in registers. */
#define V_UNROLL _Pragma("GCC unroll 8")

#if CU_LEVEL == 4
typedef __m512i v_int_reg;
#define V_OP(name) _mm512_##name
V_INLINE vf v_floor(vf a) { return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
V_INLINE vf v_rint(vf a) { return (vf)_mm512_roundscale_ps((__m512)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
V_INLINE uint32_t v_bits(vi m) { return _mm512_movepi32_mask((__m512i)m); }
V_INLINE vi v_mask_of(uint32_t bits) { return (vi)_mm512_movm_epi32((__mmask16)bits); }
V_INLINE vi v_sel(vi m, vi a, vi b) { return (vi)_mm512_ternarylogic_epi32((__m512i)m, (__m512i)a, (__m512i)b, 0xca); }
V_INLINE vi v_gather(const void *base, vi offset)
{
	return (vi)_mm512_i32gather_epi32((__m512i)offset, base, 1);
}
V_INLINE vi v_gather_mask(const void *base, vi offset, vi m)
{
	return (vi)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), _mm512_movepi32_mask((__m512i)m),
		(__m512i)offset, base, 1);
}
V_INLINE vf v_half_to_float(vi h) { return (vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)h)); }
V_INLINE vi v_float_to_half(vf f)
{
	return (vi)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
}
V_INLINE vi v_load_u8(const void *p) { return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128(p)); }
V_INLINE vi v_load_u16(const void *p) { return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256(p)); }
V_INLINE void v_store_u8(void *p, vi a) { _mm_storeu_si128(p, _mm512_cvtepi32_epi8((__m512i)a)); }
V_INLINE void v_store_u16(void *p, vi a) { _mm256_storeu_si256(p, _mm512_cvtepi32_epi16((__m512i)a)); }
#define V_QUAD(a, k) ((vf)_mm512_permute_ps((__m512)(a), (k) * 0x55))
#define V_EVEN_INDICES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define V_ODD_INDICES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define V_LOW_INDICES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define V_HIGH_INDICES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#else
typedef __m256i v_int_reg;
#define V_OP(name) _mm256_##name
V_INLINE vf v_floor(vf a) { return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
V_INLINE vf v_rint(vf a) { return (vf)_mm256_round_ps((__m256)a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
V_INLINE uint32_t v_bits(vi m) { return (uint32_t)_mm256_movemask_ps((__m256)m); }
V_INLINE vi v_mask_of(uint32_t bits)
{
	vi bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
	return ((vi)_mm256_set1_epi32((int)bits) & bit) == bit;
}
V_INLINE vi v_sel(vi m, vi a, vi b) { return (vi)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m); }
V_INLINE vi v_gather(const void *base, vi offset)
{
	return (vi)_mm256_i32gather_epi32(base, (__m256i)offset, 1);
}
V_INLINE vi v_gather_mask(const void *base, vi offset, vi m)
{
	return (vi)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), base, (__m256i)offset, (__m256i)m, 1);
}
V_INLINE __m128i v_narrow16(vi a) /* lanes below 2^16 */
{
	__m256i p = _mm256_packus_epi32((__m256i)a, (__m256i)a);
	return _mm256_castsi256_si128(_mm256_permute4x64_epi64(p, 0x08));
}
V_INLINE vf v_half_to_float(vi h) { return (vf)_mm256_cvtph_ps(v_narrow16(h)); }
V_INLINE vi v_float_to_half(vf f)
{
	return (vi)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)f, _MM_FROUND_TO_NEAREST_INT));
}
V_INLINE vi v_load_u8(const void *p) { return (vi)_mm256_cvtepu8_epi32(_mm_loadl_epi64(p)); }
V_INLINE vi v_load_u16(const void *p) { return (vi)_mm256_cvtepu16_epi32(_mm_loadu_si128(p)); }
V_INLINE void v_store_u8(void *p, vi a)
{
	__m128i h = v_narrow16(a);
	_mm_storel_epi64(p, _mm_packus_epi16(h, h));
}
V_INLINE void v_store_u16(void *p, vi a) { _mm_storeu_si128(p, v_narrow16(a)); }
#define V_QUAD(a, k) ((vf)_mm256_permute_ps((__m256)(a), (k) * 0x55))
#define V_EVEN_INDICES 0, 2, 4, 6, 8, 10, 12, 14
#define V_ODD_INDICES 1, 3, 5, 7, 9, 11, 13, 15
#define V_LOW_INDICES 0, 8, 1, 9, 2, 10, 3, 11
#define V_HIGH_INDICES 4, 12, 5, 13, 6, 14, 7, 15
#endif

V_INLINE vi v_set(int32_t a) { return (vi)V_OP(set1_epi32)(a); }
V_INLINE vf v_setf(float a) { return (vf)V_OP(set1_ps)(a); }
V_INLINE vf v_fma(vf a, vf b, vf c) { return (vf)V_OP(fmadd_ps)(a, b, c); }
/* a > b ? a : b, so the second when one is a NaN. */
V_INLINE vf v_maxf(vf a, vf b) { return (vf)V_OP(max_ps)(a, b); }
V_INLINE vf v_minf(vf a, vf b) { return (vf)V_OP(min_ps)(a, b); }
V_INLINE vi v_max(vi a, vi b) { return (vi)V_OP(max_epi32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_min(vi a, vi b) { return (vi)V_OP(min_epi32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_minu(vi a, vi b) { return (vi)V_OP(min_epu32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_trunc(vf a) { return (vi)V_OP(cvttps_epi32)(a); }
V_INLINE vf v_float(vi a) { return (vf)V_OP(cvtepi32_ps)((v_int_reg)a); }
V_INLINE vf v_self(vi m, vf a, vf b) { return (vf)v_sel(m, (vi)a, (vi)b); }
V_INLINE vi v_clamp(vi a, int32_t lo, int32_t hi) { return v_min(v_max(a, v_set(lo)), v_set(hi)); }
V_INLINE vi v_less_u(vi a, vi b) { return (vi)((vu)a < (vu)b); }
V_INLINE bool v_any(vi m) { return v_bits(m) != 0; }
V_INLINE vi v_shr(vi a, unsigned n) { return (vi)((vu)a >> n); }

V_INLINE vi v_load(const void *p) { vi a; memcpy(&a, p, sizeof(a)); return a; }
V_INLINE void v_store(void *p, vi a) { memcpy(p, &a, sizeof(a)); }

/* a, of which the compiler knows nothing: a constant that it keeps rather than makes anew. */
V_INLINE vi v_opaque(vi a)
{
	__asm__("" : "+v"(a));
	return a;
}

/* Of the dwords of a then b: every second one; and their inverse. */
V_INLINE vi v_even(vi a, vi b) { return __builtin_shufflevector(a, b, V_EVEN_INDICES); }
V_INLINE vi v_odd(vi a, vi b) { return __builtin_shufflevector(a, b, V_ODD_INDICES); }
V_INLINE vi v_zip_low(vi a, vi b) { return __builtin_shufflevector(a, b, V_LOW_INDICES); }
V_INLINE vi v_zip_high(vi a, vi b) { return __builtin_shufflevector(a, b, V_HIGH_INDICES); }

#endif
