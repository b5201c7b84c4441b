/* SPDX-License-Identifier: MIT */
/* Vectors of a kernel level: 16 lanes (x86-64-v4) or 8 (v3) of 32 bits, so a
 * VGPR is NV vectors.  Values travel as bits (vu) and are looked at as floats
 * with F() or signed integers with I(); masks (vm) are k registers or lanes
 * of all ones.  Only what gives the same bits at both levels is here. */
#ifndef CORE_SIMD_H
#define CORE_SIMD_H

#include <immintrin.h>
#include <stdint.h>
#include "core/level.h"

#if CU_LEVEL == 4
#define VBYTES 64
typedef __m512i cu_ireg;
typedef __m512 cu_freg;
#define MM_I(op) _mm512_##op
#else
#define VBYTES 32
typedef __m256i cu_ireg;
typedef __m256 cu_freg;
#define MM_I(op) _mm256_##op
#endif
#define LV (VBYTES / 4) /* lanes of a vector */
#define NV (64 / LV)    /* vectors of a VGPR */

typedef uint32_t vu __attribute__((vector_size(VBYTES)));
typedef int32_t vi __attribute__((vector_size(VBYTES)));
typedef float vf __attribute__((vector_size(VBYTES)));

#define F(x) ((vf)(x))
#define I(x) ((vi)(x))
#define U(x) ((vu)(x))

static inline vu splat(uint32_t x)
{
	return (vu)MM_I(set1_epi32)((int)x);
}
static inline vu splat64(uint64_t x)
{
#if CU_LEVEL == 4
	return (vu)_mm512_set1_epi64((long long)x);
#else
	return (vu)_mm256_set1_epi64x((long long)x);
#endif
}
static inline vf splatf(float x)
{
	return (vf)MM_I(set1_ps)(x);
}

/* --- masks --- */
#if CU_LEVEL == 4
typedef __mmask16 vm;
#define CMP_F(name, pred) static inline vm name(vf a, vf b) \
	{ return _mm512_cmp_ps_mask((__m512)a, (__m512)b, pred); }
static inline vm i_eq(vu a, vu b) { return _mm512_cmpeq_epu32_mask((__m512i)a, (__m512i)b); }
static inline vm i_gt(vu a, vu b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
static inline vm u_gt(vu a, vu b) { return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b); }
static inline vm m_not(vm a) { return (vm)~a; }
static inline vm m_and(vm a, vm b) { return (vm)(a & b); }
static inline vm m_or(vm a, vm b) { return (vm)(a | b); }
static inline uint32_t m_bits(vm a) { return a; }
static inline vm m_from(uint32_t bits) { return (vm)bits; }
static inline vm m_all(void) { return 0xffff; }
static inline vm m_none(void) { return 0; }
/* m ? a : b */
static inline vu sel(vm m, vu a, vu b) { return (vu)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a); }
/* Lanes whose sign bit is set. */
static inline vm m_sign(vu a) { return _mm512_movepi32_mask((__m512i)a); }
#else
typedef vi vm;
#define CMP_F(name, pred) static inline vm name(vf a, vf b) \
	{ return (vm)_mm256_cmp_ps((__m256)a, (__m256)b, pred); }
static inline vm i_eq(vu a, vu b) { return (vm)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b); }
static inline vm i_gt(vu a, vu b) { return (vm)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b); }
static inline vm u_gt(vu a, vu b)
{
	vu top = splat(0x80000000u);
	return i_gt(a ^ top, b ^ top);
}
static inline vm m_not(vm a) { return ~a; }
static inline vm m_and(vm a, vm b) { return a & b; }
static inline vm m_or(vm a, vm b) { return a | b; }
static inline uint32_t m_bits(vm a) { return (uint32_t)_mm256_movemask_ps((__m256)a); }
/* Bytes of all ones for the bits of the index (interp_kernel.c). */
extern const uint64_t cu_mask_bytes_v3[256];
static inline vm m_from(uint32_t bits)
{
	return (vm)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)&cu_mask_bytes_v3[bits & 255]));
}
static inline vm m_all(void) { return (vm)_mm256_set1_epi32(-1); }
static inline vm m_none(void) { return (vm)_mm256_setzero_si256(); }
static inline vu sel(vm m, vu a, vu b)
{
	return (vu)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
static inline vm m_sign(vu a) { return (vm)_mm256_srai_epi32((__m256i)a, 31); }
#endif

CMP_F(f_lt, _CMP_LT_OQ)
CMP_F(f_le, _CMP_LE_OQ)
CMP_F(f_gt, _CMP_GT_OQ)
CMP_F(f_ge, _CMP_GE_OQ)
CMP_F(f_eq, _CMP_EQ_OQ)
CMP_F(f_lg, _CMP_NEQ_OQ)
CMP_F(f_nlt, _CMP_NLT_UQ)
CMP_F(f_nle, _CMP_NLE_UQ)
CMP_F(f_ngt, _CMP_NGT_UQ)
CMP_F(f_nge, _CMP_NGE_UQ)
CMP_F(f_neq, _CMP_NEQ_UQ)
CMP_F(f_nlg, _CMP_EQ_UQ)
CMP_F(f_ord, _CMP_ORD_Q)
CMP_F(f_uno, _CMP_UNORD_Q)
static inline vm m_nan(vf a) { return f_uno(a, a); }
static inline vf self(vm m, vf a, vf b) { return F(sel(m, U(a), U(b))); }

/* --- floats --- */
#define QNAN32 0x7fc00000u

/* The one NaN that arithmetic makes. */
static inline vu canon(vf x)
{
	return sel(m_nan(x), splat(QNAN32), U(x));
}
static inline vf fma_(vf a, vf b, vf c) { return (vf)MM_I(fmadd_ps)((cu_freg)a, (cu_freg)b, (cu_freg)c); }
static inline vf sqrt_(vf a) { return (vf)MM_I(sqrt_ps)((cu_freg)a); }
/* x86 order: the second operand when either is NaN or both are zero. */
static inline vf min86(vf a, vf b) { return (vf)MM_I(min_ps)((cu_freg)a, (cu_freg)b); }
static inline vf max86(vf a, vf b) { return (vf)MM_I(max_ps)((cu_freg)a, (cu_freg)b); }
#if CU_LEVEL == 4
#define ROUND_(a, mode) ((vf)_mm512_roundscale_ps((__m512)(a), (mode) | _MM_FROUND_NO_EXC))
#else
#define ROUND_(a, mode) ((vf)_mm256_round_ps((__m256)(a), (mode) | _MM_FROUND_NO_EXC))
#endif
static inline vf rint_(vf a) { return ROUND_(a, _MM_FROUND_TO_NEAREST_INT); }
static inline vf floor_(vf a) { return ROUND_(a, _MM_FROUND_TO_NEG_INF); }
static inline vf ceil_(vf a) { return ROUND_(a, _MM_FROUND_TO_POS_INF); }
static inline vf trunc_(vf a) { return ROUND_(a, _MM_FROUND_TO_ZERO); }
static inline vf abs_(vf a) { return F(U(a) & splat(0x7fffffffu)); }

static inline vf i2f(vu a) { return (vf)MM_I(cvtepi32_ps)((cu_ireg)a); }
/* In range only. */
static inline vu f2i(vf a) { return (vu)MM_I(cvttps_epi32)((cu_freg)a); }

static inline vf u2f(vu a)
{
#if CU_LEVEL == 4
	return (vf)_mm512_cvtepu32_ps((__m512i)a);
#else
	/* Halve large values, keeping the lost bit sticky: one rounding. */
	vm big = m_sign(a);
	vu half = (a >> 1) | (a & splat(1));
	vf x = i2f(sel(big, half, a));
	return self(big, x + x, x);
#endif
}

/* --- integers --- */
static inline vu imin(vu a, vu b) { return (vu)MM_I(min_epi32)((cu_ireg)a, (cu_ireg)b); }
static inline vu imax(vu a, vu b) { return (vu)MM_I(max_epi32)((cu_ireg)a, (cu_ireg)b); }
static inline vu umin(vu a, vu b) { return (vu)MM_I(min_epu32)((cu_ireg)a, (cu_ireg)b); }
static inline vu umax(vu a, vu b) { return (vu)MM_I(max_epu32)((cu_ireg)a, (cu_ireg)b); }
/* Shifts by 0..31; the count's upper bits are ignored, as on GCN. */
static inline vu shl(vu a, vu n) { return (vu)MM_I(sllv_epi32)((cu_ireg)a, (cu_ireg)(n & splat(31))); }
static inline vu shr(vu a, vu n) { return (vu)MM_I(srlv_epi32)((cu_ireg)a, (cu_ireg)(n & splat(31))); }
static inline vu sar(vu a, vu n) { return (vu)MM_I(srav_epi32)((cu_ireg)a, (cu_ireg)(n & splat(31))); }
/* Counts over 31 give 0. */
static inline vu shl_any(vu a, vu n) { return (vu)MM_I(sllv_epi32)((cu_ireg)a, (cu_ireg)n); }
static inline vu shr_any(vu a, vu n) { return (vu)MM_I(srlv_epi32)((cu_ireg)a, (cu_ireg)n); }
static inline vu mul_(vu a, vu b) { return (vu)MM_I(mullo_epi32)((cu_ireg)a, (cu_ireg)b); }
static inline vu iabs(vu a) { return (vu)MM_I(abs_epi32)((cu_ireg)a); }
static inline vu sext24(vu a) { return U(I(a << 8) >> 8); }

/* --- half floats, in the low 16 bits of each lane --- */
#if CU_LEVEL == 4
static inline vf h2f(vu a)
{
	return (vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)a));
}
static inline vu f2h_raw(vf a)
{
	return (vu)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)a, _MM_FROUND_CUR_DIRECTION));
}
static inline vu f2h_rtz_raw(vf a)
{
	return (vu)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)a,
		_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
}
#else
static inline vf h2f(vu a)
{
	__m256i x = (__m256i)(a & splat(0xffff));
	x = _mm256_permute4x64_epi64(_mm256_packus_epi32(x, x), 0xd8);
	return (vf)_mm256_cvtph_ps(_mm256_castsi256_si128(x));
}
static inline vu f2h_raw(vf a)
{
	return (vu)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a, _MM_FROUND_CUR_DIRECTION));
}
static inline vu f2h_rtz_raw(vf a)
{
	return (vu)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)a,
		_MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
}
#endif
#define QNAN16 0x7e00u
/* Rounds as MXCSR says. */
static inline vu f2h(vf a)
{
	return sel(m_nan(a), splat(QNAN16), f2h_raw(a));
}
static inline vu f2h_rtz(vf a)
{
	return sel(m_nan(a), splat(QNAN16), f2h_rtz_raw(a));
}

#endif
