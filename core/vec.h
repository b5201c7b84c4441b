/* SPDX-License-Identifier: MIT */
/* Vectors of a kernel level: VL lanes of 32 bits, 16 (x86-64-v4) or 8 (v3), one register; a
 * VGPR is NV of them.  Arithmetic is written with the compiler's operators, views of the same
 * bits with casts; what those lack is here.  Every operation acts on lanes alone (V_QUAD: on
 * quads alone), so that kernels give the same bits at every level.
 *
 * A name ends with what it takes: none for vi, f for vf, u for vu, d for vd.  A condition is a
 * vi of all ones or zeros, as comparisons give it (v_), or a vm, a k register where there are
 * such (m_). */
#ifndef CORE_VEC_H
#define CORE_VEC_H

#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "core/level.h"

#if CU_LEVEL >= 4
#define VL 16
#else
#define VL 8
#endif
#define NV (64 / VL)

typedef float vf __attribute__((vector_size(VL * 4)));
typedef int32_t vi __attribute__((vector_size(VL * 4)));
typedef uint32_t vu __attribute__((vector_size(VL * 4)));
typedef double vd __attribute__((vector_size(VL * 4)));  /* VL / 2 lanes */
typedef float vfh __attribute__((vector_size(VL * 2)));  /* VL / 2 lanes */
typedef double vd4 __attribute__((vector_size(32)));
typedef float vf4 __attribute__((vector_size(16)));
typedef int32_t vi4 __attribute__((vector_size(16)));

#define V_INLINE static inline __attribute__((always_inline))
/* Before a short loop over components or taps, so that its vectors stay in registers; clang
 * unrolls those by itself. */
#ifdef __clang__
#define V_UNROLL
#else
#define V_UNROLL _Pragma("GCC unroll 8")
#endif

/* The dwords at base + at[0], at[1], ... */
typedef int32_t v_line __attribute__((vector_size(16)));
V_INLINE __m128i v_four_dwords(const void *base, const int32_t at[4])
{
	const char *p = base;
	__m128i v = _mm_loadu_si32(p + at[0]);
	v = _mm_insert_epi32(v, _mm_cvtsi128_si32(_mm_loadu_si32(p + at[1])), 1);
	v = _mm_insert_epi32(v, _mm_cvtsi128_si32(_mm_loadu_si32(p + at[2])), 2);
	return _mm_insert_epi32(v, _mm_cvtsi128_si32(_mm_loadu_si32(p + at[3])), 3);
}

#if CU_LEVEL >= 4
typedef __m512i v_int_reg;
typedef __m512 v_float_reg;
typedef __m256i v_half_reg; /* VL halves */
typedef __mmask16 vm;
#define V_OP(name) _mm512_##name
#define V_ROUND(a, mode) ((vf)_mm512_roundscale_ps((__m512)(a), (mode) | _MM_FROUND_NO_EXC))
V_INLINE vu v_setu64(uint64_t a) { return (vu)_mm512_set1_epi64((long long)a); }
V_INLINE uint32_t v_bits(vi m) { return _mm512_movepi32_mask((__m512i)m); }
/* Whether no bit of v is set. */
V_INLINE bool v_is_zero(vi v) { return !_mm512_test_epi32_mask((__m512i)v, (__m512i)v); }
V_INLINE vi v_mask_of(uint32_t bits) { return (vi)_mm512_movm_epi32((__mmask16)bits); }
/* gcc makes one instruction of it, and sees through it. */
V_INLINE vi v_sel(vi m, vi a, vi b) { return (m & a) | (~m & b); }
V_INLINE vi v_gather(const void *base, vi offset)
{
	return (vi)_mm512_i32gather_epi32((__m512i)offset, base, 1);
}
V_INLINE vi v_gather_index(const void *base, vi index)
{
	return (vi)_mm512_i32gather_epi32((__m512i)index, base, 4);
}
/* table[index], index below 16. */
V_INLINE vi v_table16(const int32_t table[16], vi index)
{
	return (vi)_mm512_permutexvar_epi32((__m512i)index, _mm512_loadu_si512(table));
}
V_INLINE vi v_of_lines(const __m128i line[VL / 4]) /* four lanes each */
{
	__m512i v = _mm512_castsi128_si512(line[0]);
	v = _mm512_inserti32x4(v, line[1], 1);
	v = _mm512_inserti32x4(v, line[2], 2);
	return (vi)_mm512_inserti32x4(v, line[3], 3);
}
V_INLINE void v_to_lines(vi a, __m128i line[VL / 4])
{
	line[0] = _mm512_castsi512_si128((__m512i)a);
	line[1] = _mm512_extracti32x4_epi32((__m512i)a, 1);
	line[2] = _mm512_extracti32x4_epi32((__m512i)a, 2);
	line[3] = _mm512_extracti32x4_epi32((__m512i)a, 3);
}
V_INLINE vi v_gather_mask(const void *base, vi offset, vi m)
{
	return (vi)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), _mm512_movepi32_mask((__m512i)m),
		(__m512i)offset, base, 1);
}
V_INLINE vf v_half_to_float(vi h) { return (vf)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)h)); }
#define V_HALF(f, mode) ((vi)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)(f), mode)))
V_INLINE vf v_floatu(vu a) { return (vf)_mm512_cvtepu32_ps((__m512i)a); }
V_INLINE vi v_load_u8(const void *p) { return (vi)_mm512_cvtepu8_epi32(_mm_loadu_si128(p)); }
V_INLINE vi v_load_u16(const void *p) { return (vi)_mm512_cvtepu16_epi32(_mm256_loadu_si256(p)); }
V_INLINE void v_store_u8(void *p, vi a) { _mm_storeu_si128(p, _mm512_cvtepi32_epi8((__m512i)a)); }
V_INLINE void v_store_u16(void *p, vi a) { _mm256_storeu_si256(p, _mm512_cvtepi32_epi16((__m512i)a)); }
#define V_QUAD(a, k) ((vf)_mm512_permute_ps((__m512)(a), (k) * 0x55))
#define V_EVEN_INDICES 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define V_ODD_INDICES 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define V_LOW_INDICES 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define V_HIGH_INDICES 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define V_LINES_INDICES 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
V_INLINE vf v_join(vfh a, vfh b) { return (vf)_mm512_insertf32x8(_mm512_castps256_ps512((__m256)a), (__m256)b, 1); }
V_INLINE vfh v_floatd(vd a) { return (vfh)_mm512_cvtpd_ps((__m512d)a); }
/* Half a vector. */
V_INLINE vd v_double(vi a, int half)
{
	return (vd)_mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64((__m512i)a, 1) :
		_mm512_castsi512_si256((__m512i)a));
}
V_INLINE vd v_doublef(vf a, int half)
{
	return (vd)_mm512_cvtps_pd(half ? _mm512_extractf32x8_ps((__m512)a, 1) :
		_mm512_castps512_ps256((__m512)a));
}

/* --- conditions in k registers --- */
#define V_COMPARE(name, pred) V_INLINE vm name(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, pred); }
V_INLINE vm i_eq(vu a, vu b) { return _mm512_cmpeq_epu32_mask((__m512i)a, (__m512i)b); }
V_INLINE vm i_gt(vu a, vu b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
V_INLINE vm u_gt(vu a, vu b) { return _mm512_cmpgt_epu32_mask((__m512i)a, (__m512i)b); }
V_INLINE vm m_not(vm a) { return (vm)~a; }
V_INLINE vm m_and(vm a, vm b) { return (vm)(a & b); }
V_INLINE vm m_or(vm a, vm b) { return (vm)(a | b); }
V_INLINE uint32_t m_bits(vm a) { return a; }
V_INLINE vm m_from(uint32_t bits) { return (vm)bits; }
V_INLINE vm m_all(void) { return 0xffff; }
V_INLINE vm m_none(void) { return 0; }
V_INLINE vu m_sel(vm m, vu a, vu b) { return (vu)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a); }
V_INLINE vm m_sign(vu a) { return _mm512_movepi32_mask((__m512i)a); }
V_INLINE vu m_gather(const void *base, vu offset, vm m)
{
	return (vu)_mm512_mask_i32gather_epi32(_mm512_setzero_si512(), m, (__m512i)offset, base, 1);
}
#else
typedef __m256i v_int_reg;
typedef __m256 v_float_reg;
typedef __m128i v_half_reg;
typedef vi vm;
#define V_OP(name) _mm256_##name
#define V_ROUND(a, mode) ((vf)_mm256_round_ps((__m256)(a), (mode) | _MM_FROUND_NO_EXC))
V_INLINE vu v_setu64(uint64_t a) { return (vu)_mm256_set1_epi64x((long long)a); }
/* A bit a lane: its top bit. */
V_INLINE uint32_t v_bits(vi m) { return (uint32_t)_mm256_movemask_ps((__m256)m); }
V_INLINE bool v_is_zero(vi v) { return _mm256_testz_si256((__m256i)v, (__m256i)v); }
V_INLINE vi v_mask_of(uint32_t bits)
{
	vi bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
	return ((vi)_mm256_set1_epi32((int)bits) & bit) == bit;
}
/* m ? a : b */
V_INLINE vi v_sel(vi m, vi a, vi b) { return (vi)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m); }
/* Dwords at base + offset, base + 4 index; lanes outside a mask give 0. */
V_INLINE vi v_gather(const void *base, vi offset)
{
	return (vi)_mm256_i32gather_epi32(base, (__m256i)offset, 1);
}
V_INLINE vi v_gather_index(const void *base, vi index)
{
	return (vi)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}
V_INLINE vi v_gather_mask(const void *base, vi offset, vi m)
{
	return (vi)_mm256_mask_i32gather_epi32(_mm256_setzero_si256(), base, (__m256i)offset, (__m256i)m, 1);
}
V_INLINE vi v_table16(const int32_t table[16], vi index)
{
	const __m256i low = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)table), (__m256i)index);
	const __m256i high = _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(table + 8)), (__m256i)index);
	return (vi)_mm256_blendv_ps((__m256)low, (__m256)high, (__m256)_mm256_slli_epi32((__m256i)index, 28));
}
V_INLINE vi v_of_lines(const __m128i line[VL / 4]) { return (vi)_mm256_set_m128i(line[1], line[0]); }
V_INLINE void v_to_lines(vi a, __m128i line[VL / 4])
{
	line[0] = _mm256_castsi256_si128((__m256i)a);
	line[1] = _mm256_extracti128_si256((__m256i)a, 1);
}
V_INLINE __m128i v_narrow16(vi a) /* lanes below 2^16 */
{
	__m256i p = _mm256_packus_epi32((__m256i)a, (__m256i)a);
	return _mm256_castsi256_si128(_mm256_permute4x64_epi64(p, 0x08));
}
/* Of the low 16 bits. */
V_INLINE vf v_half_to_float(vi h) { return (vf)_mm256_cvtph_ps(v_narrow16(h & 0xffff)); }
#define V_HALF(f, mode) ((vi)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)(f), mode)))
V_INLINE vf v_floatu(vu a)
{
	/* Halve large values, keeping the lost bit sticky: one rounding. */
	vi big = (vi)a >> 31;
	vf x = (vf)_mm256_cvtepi32_ps((__m256i)v_sel(big, (vi)((a >> 1) | (a & 1)), (vi)a));
	return (vf)v_sel(big, (vi)(x + x), (vi)x);
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
#define V_LINES_INDICES 0, 4, 1, 5, 2, 6, 3, 7
V_INLINE vf v_join(vfh a, vfh b) { return (vf)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)a), (__m128)b, 1); }
V_INLINE vfh v_floatd(vd a) { return (vfh)_mm256_cvtpd_ps((__m256d)a); }
V_INLINE vd v_double(vi a, int half)
{
	return (vd)_mm256_cvtepi32_pd(half ? _mm256_extracti128_si256((__m256i)a, 1) :
		_mm256_castsi256_si128((__m256i)a));
}
V_INLINE vd v_doublef(vf a, int half)
{
	return (vd)_mm256_cvtps_pd(half ? _mm256_extractf128_ps((__m256)a, 1) :
		_mm256_castps256_ps128((__m256)a));
}

#define V_COMPARE(name, pred) V_INLINE vm name(vf a, vf b) { return (vm)_mm256_cmp_ps((__m256)a, (__m256)b, pred); }
V_INLINE vm i_eq(vu a, vu b) { return (vm)_mm256_cmpeq_epi32((__m256i)a, (__m256i)b); }
V_INLINE vm i_gt(vu a, vu b) { return (vm)_mm256_cmpgt_epi32((__m256i)a, (__m256i)b); }
V_INLINE vm u_gt(vu a, vu b)
{
	vu top = (vu)_mm256_set1_epi32(INT32_MIN);
	return i_gt(a ^ top, b ^ top);
}
V_INLINE vm m_not(vm a) { return ~a; }
V_INLINE vm m_and(vm a, vm b) { return a & b; }
V_INLINE vm m_or(vm a, vm b) { return a | b; }
V_INLINE uint32_t m_bits(vm a) { return v_bits(a); }
/* Bytes of all ones for the bits of the index (interp_kernel.c). */
extern const uint64_t CU_FN(cu_mask_bytes)[256];
V_INLINE vm m_from(uint32_t bits)
{
	return (vm)_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)&CU_FN(cu_mask_bytes)[bits & 255]));
}
V_INLINE vm m_all(void) { return (vm)_mm256_set1_epi32(-1); }
V_INLINE vm m_none(void) { return (vm)_mm256_setzero_si256(); }
V_INLINE vu m_sel(vm m, vu a, vu b) { return (vu)v_sel(m, (vi)a, (vi)b); }
/* Lanes whose sign bit is set. */
V_INLINE vm m_sign(vu a) { return (vm)_mm256_srai_epi32((__m256i)a, 31); }
V_INLINE vu m_gather(const void *base, vu offset, vm m) { return (vu)v_gather_mask(base, (vi)offset, m); }
#endif

V_COMPARE(f_lt, _CMP_LT_OQ)
V_COMPARE(f_le, _CMP_LE_OQ)
V_COMPARE(f_gt, _CMP_GT_OQ)
V_COMPARE(f_ge, _CMP_GE_OQ)
V_COMPARE(f_eq, _CMP_EQ_OQ)
V_COMPARE(f_lg, _CMP_NEQ_OQ)
V_COMPARE(f_nlt, _CMP_NLT_UQ)
V_COMPARE(f_nle, _CMP_NLE_UQ)
V_COMPARE(f_ngt, _CMP_NGT_UQ)
V_COMPARE(f_nge, _CMP_NGE_UQ)
V_COMPARE(f_neq, _CMP_NEQ_UQ)
V_COMPARE(f_nlg, _CMP_EQ_UQ)
V_COMPARE(f_ord, _CMP_ORD_Q)
V_COMPARE(f_uno, _CMP_UNORD_Q)
V_INLINE vm m_nan(vf a) { return f_uno(a, a); }
V_INLINE vf m_self(vm m, vf a, vf b) { return (vf)m_sel(m, (vu)a, (vu)b); }
/* Vector i's part of a wave's mask. */
V_INLINE vm m_part(uint64_t m, int i) { return m_from((uint32_t)(m >> (i * VL)) & (uint32_t)((1ull << VL) - 1)); }

/* --- making, moving --- */
V_INLINE vi v_set(int32_t a) { return (vi)V_OP(set1_epi32)(a); }
V_INLINE vu v_setu(uint32_t a) { return (vu)V_OP(set1_epi32)((int)a); }
V_INLINE vf v_setf(float a) { return (vf)V_OP(set1_ps)(a); }
V_INLINE vd v_setd(double a) { return (vd)V_OP(set1_pd)(a); }
V_INLINE vi v_load(const void *p) { vi a; memcpy(&a, p, sizeof(a)); return a; }
/* By the load of floats: gcc makes one of integers, and a way through the stack, of the other where what is there was integers. */
V_INLINE vf v_loadf(const void *p) { return (vf)V_OP(loadu_ps)(p); }
V_INLINE vd v_loadd(const void *p) { vd a; memcpy(&a, p, sizeof(a)); return a; }
V_INLINE void v_store(void *p, vi a) { memcpy(p, &a, sizeof(a)); }
V_INLINE void v_storef(void *p, vf a) { memcpy(p, &a, sizeof(a)); }
/* Lanes of `bits`.  AVX2 writes the others again as they are (VMASKMOVPS to memory is twelve cycles and more on many CPUs),
 * so nobody else may write there meanwhile. */
V_INLINE void v_store_lanes(void *p, vi a, uint32_t bits)
{
#if CU_LEVEL >= 4
	_mm512_mask_storeu_epi32(p, (__mmask16)bits, (__m512i)a);
#else
	v_store(p, v_sel(v_mask_of(bits), a, v_load(p)));
#endif
}
/* v_gather by single loads: faster where the offsets have been in memory for a while. */
V_INLINE vi v_load_at(const void *base, const int32_t at[VL])
{
	__m128i line[VL / 4];
	V_UNROLL
	for (int i = 0; i < VL / 4; i++)
		line[i] = v_four_dwords(base, at + 4 * i);
	return v_of_lines(line);
}
/* The same of 1 or 2 bytes, the rest 0. */
V_INLINE vi v_load_narrow_at(unsigned bytes, const void *base, const int32_t at[VL])
{
	__m128i line[VL / 4];
	V_UNROLL
	for (int k = 0; k < VL / 4; k++) {
		int32_t one[4];
		V_UNROLL
		for (int i = 0; i < 4; i++) { /* widened as it is loaded, not in memory */
			const uint8_t *p = (const uint8_t *)base + at[4 * k + i];
			uint16_t word;
			memcpy(&word, p, bytes == 2 ? 2 : 1);
			one[i] = bytes == 2 ? word : *p;
		}
		line[k] = _mm_setr_epi32(one[0], one[1], one[2], one[3]);
	}
	return v_of_lines(line);
}
/* Rows of four dwords, those of lanes 4 k + i in r[i], to dwords by lane. */
V_INLINE void v_transpose(const v_int_reg r[4], vi out[4])
{
	const v_int_reg a = V_OP(unpacklo_epi32)(r[0], r[1]), b = V_OP(unpackhi_epi32)(r[0], r[1]);
	const v_int_reg c = V_OP(unpacklo_epi32)(r[2], r[3]), d = V_OP(unpackhi_epi32)(r[2], r[3]);
	out[0] = (vi)V_OP(unpacklo_epi64)(a, c);
	out[1] = (vi)V_OP(unpackhi_epi64)(a, c);
	out[2] = (vi)V_OP(unpacklo_epi64)(b, d);
	out[3] = (vi)V_OP(unpackhi_epi64)(b, d);
}
/* 8, 12 or 16 bytes of lanes 4 k + i, a line each: no others are read; dwords beyond them are 0. */
V_INLINE v_int_reg v_load_lines_at(unsigned bytes, const void *base, const int32_t at[VL], int i)
{
	__m128i line[VL / 4];
	V_UNROLL
	for (int k = 0; k < VL / 4; k++) {
		const char *p = (const char *)base + at[4 * k + i];
		line[k] = bytes == 16 ? _mm_loadu_si128((const __m128i *)p) : _mm_loadl_epi64((const __m128i *)p);
		if (bytes == 12)
			line[k] = _mm_insert_epi32(line[k], _mm_cvtsi128_si32(_mm_loadu_si32(p + 8)), 2);
	}
	return (v_int_reg)v_of_lines(line);
}
/* v_load_at of as many bytes. */
V_INLINE void v_load_rows_at(unsigned bytes, const void *base, const int32_t at[VL], vi out[4])
{
	v_int_reg r[4];
	V_UNROLL
	for (int i = 0; i < 4; i++)
		r[i] = v_load_lines_at(bytes, base, at, i);
	v_transpose(r, out);
}
/* The inverse, of 1, 2, 4, 8 or 16 bytes a lane, in the lanes' order. */
V_INLINE void v_store_rows_at(unsigned bytes, void *base, const int32_t at[VL], const vi in[4])
{
	__m128i line[4][VL / 4]; /* lane 4 k + i */
	if (bytes == 16) {
		const v_int_reg r[4] = { (v_int_reg)in[0], (v_int_reg)in[1], (v_int_reg)in[2], (v_int_reg)in[3] };
		vi rows[4];
		v_transpose(r, rows);
		V_UNROLL
		for (int i = 0; i < 4; i++)
			v_to_lines(rows[i], line[i]);
	} else if (bytes == 8) { /* lanes 4 k and 4 k + 1, then the others */
		v_to_lines((vi)V_OP(unpacklo_epi32)((v_int_reg)in[0], (v_int_reg)in[1]), line[0]);
		v_to_lines((vi)V_OP(unpackhi_epi32)((v_int_reg)in[0], (v_int_reg)in[1]), line[1]);
	} else {
		v_to_lines(in[0], line[0]);
	}
	V_UNROLL
	for (int k = 0; k < VL / 4; k++)
		V_UNROLL
		for (int i = 0; i < 4; i++) {
		char *const p = (char *)base + at[4 * k + i];
		const __m128i from = line[bytes == 16 ? i : bytes == 8 ? i / 2 : 0][k];
		if (bytes == 16) {
			_mm_storeu_si128((__m128i *)p, from);
		} else if (bytes == 8 && i & 1) {
			_mm_storeh_pd((double *)p, (__m128d)from);
		} else if (bytes == 8) {
			_mm_storel_epi64((__m128i *)p, from);
		} else {
			const int32_t one = ((v_line)from)[i];
			memcpy(p, &one, bytes);
		}
	}
}
/* Of the dwords of a then b: every second one; and their inverse. */
V_INLINE vi v_even(vi a, vi b) { return __builtin_shufflevector(a, b, V_EVEN_INDICES); }
V_INLINE vi v_odd(vi a, vi b) { return __builtin_shufflevector(a, b, V_ODD_INDICES); }
V_INLINE vi v_zip_low(vi a, vi b) { return __builtin_shufflevector(a, b, V_LOW_INDICES); }
V_INLINE vi v_zip_high(vi a, vi b) { return __builtin_shufflevector(a, b, V_HIGH_INDICES); }
/* Of four vectors' quads lanes 0, 1 and 2, a vector each, for v_quads_in_order. */
V_INLINE void v_quads_of(const vi strip[4], vi quads[3])
{
	const v_int_reg a = (v_int_reg)V_OP(unpacklo_epi32)((v_int_reg)strip[0], (v_int_reg)strip[1]);
	const v_int_reg b = (v_int_reg)V_OP(unpacklo_epi32)((v_int_reg)strip[2], (v_int_reg)strip[3]);
	const v_int_reg c = (v_int_reg)V_OP(unpackhi_epi32)((v_int_reg)strip[0], (v_int_reg)strip[1]);
	const v_int_reg d = (v_int_reg)V_OP(unpackhi_epi32)((v_int_reg)strip[2], (v_int_reg)strip[3]);
	quads[0] = (vi)V_OP(unpacklo_epi64)(a, b);
	quads[1] = (vi)V_OP(unpackhi_epi64)(a, b);
	quads[2] = (vi)V_OP(unpacklo_epi64)(c, d);
}
/* What v_quads_of has brought together into the quads' order. */
V_INLINE vi v_quads_in_order(vi a) { return __builtin_shufflevector(a, a, V_LINES_INDICES); }
/* Where each lane of a is a quad's, those of strip n of the four that these quads make. */
V_INLINE vi v_lanes_of_quads(vi a, int n)
{
	vi quad;
	for (int i = 0; i < VL; i++)
		quad[i] = i / 4;
	quad += n * (VL / 4);
#if CU_LEVEL >= 4
	return (vi)_mm512_permutexvar_epi32((__m512i)quad, (__m512i)a);
#else
	return (vi)_mm256_permutevar8x32_epi32((__m256i)a, (__m256i)quad);
#endif
}
/* Of each four lanes table[i & 3]; the table as v_repeat4 has it. */
V_INLINE vi v_pick4(vi table, vi i) { return (vi)V_OP(permutevar_ps)((vf)table, (v_int_reg)i); }
#if CU_LEVEL >= 4
V_INLINE vi v_per_line(__m128i a) { return (vi)_mm512_broadcast_i32x4(a); }
#else
V_INLINE vi v_per_line(__m128i a) { return (vi)_mm256_broadcastsi128_si256(a); }
#endif
V_INLINE vi v_repeat4(const int32_t table[4]) { return v_per_line(_mm_loadu_si128((const __m128i *)table)); }
/* a, of which the compiler knows nothing: a constant that it keeps rather than makes anew. */
V_INLINE vi v_opaque(vi a)
{
	__asm__("" : "+v"(a));
	return a;
}

/* --- conditions of all ones --- */
V_INLINE vf v_self(vi m, vf a, vf b) { return (vf)v_sel(m, (vi)a, (vi)b); }
/* m < 0 ? a : b, by the sign alone. */
#if CU_LEVEL >= 4
V_INLINE vi v_sel_sign(vi m, vi a, vi b) { return v_sel(m < 0, a, b); }
#else
V_INLINE vi v_sel_sign(vi m, vi a, vi b) { return v_sel(m, a, b); }
#endif
V_INLINE bool v_any(vi m) { return v_bits(m) != 0; }
V_INLINE vi v_less_u(vi a, vi b) { return (vi)((vu)a < (vu)b); }

/* --- floats --- */
V_INLINE vf v_fma(vf a, vf b, vf c) { return (vf)V_OP(fmadd_ps)(a, b, c); }
V_INLINE vf v_sqrtf(vf a) { return (vf)V_OP(sqrt_ps)(a); }
/* x86 order: b when either is NaN or both are zero. */
V_INLINE vf v_minf(vf a, vf b) { return (vf)V_OP(min_ps)(a, b); }
V_INLINE vf v_maxf(vf a, vf b) { return (vf)V_OP(max_ps)(a, b); }
V_INLINE vf v_clampf(vf a, vf lo, vf hi) { return v_minf(v_maxf(a, lo), hi); } /* NaN gives lo */
V_INLINE vf v_absf(vf a) { return (vf)((vi)a & 0x7fffffff); }
V_INLINE vf v_floor(vf a) { return V_ROUND(a, _MM_FROUND_TO_NEG_INF); }
V_INLINE vf v_ceil(vf a) { return V_ROUND(a, _MM_FROUND_TO_POS_INF); }
V_INLINE vf v_rint(vf a) { return V_ROUND(a, _MM_FROUND_TO_NEAREST_INT); }
V_INLINE vf v_truncf(vf a) { return V_ROUND(a, _MM_FROUND_TO_ZERO); }
/* To integers, in range only; v_round as MXCSR says. */
V_INLINE vi v_trunc(vf a) { return (vi)V_OP(cvttps_epi32)(a); }
V_INLINE vi v_round(vf a) { return (vi)V_OP(cvtps_epi32)(a); }
V_INLINE vf v_float(vi a) { return (vf)V_OP(cvtepi32_ps)((v_int_reg)a); }
V_INLINE vi v_float_to_half(vf f) { return V_HALF(f, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC); }
/* a * scale rounded once to the nearest even integer, for results of 0 to 2^22: the sum with
 * 2^23 has integer precision, and the fma keeps the product exact. */
V_INLINE vi v_scale_round(vf a, float scale) { return (vi)v_fma(a, v_setf(scale), v_setf(0x1p23f)) & 0x7fffff; }

/* --- integers --- */
V_INLINE vi v_min(vi a, vi b) { return (vi)V_OP(min_epi32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_max(vi a, vi b) { return (vi)V_OP(max_epi32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vu v_minu(vu a, vu b) { return (vu)V_OP(min_epu32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vu v_maxu(vu a, vu b) { return (vu)V_OP(max_epu32)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_clamp(vi a, int32_t lo, int32_t hi) { return v_min(v_max(a, v_set(lo)), v_set(hi)); }
/* Of the unsigned halves of lanes; and sums of signed halves times those of b. */
V_INLINE vi v_min_halves(vi a, vi b) { return (vi)V_OP(min_epu16)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_max_halves(vi a, vi b) { return (vi)V_OP(max_epu16)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_madd_halves(vi a, vi b) { return (vi)V_OP(madd_epi16)((v_int_reg)a, (v_int_reg)b); }
V_INLINE vi v_shr(vi a, unsigned n) { return (vi)((vu)a >> n); }
/* Each lane by its own count, whose upper bits are ignored, as on GCN. */
V_INLINE vu v_lshl(vu a, vu n) { return (vu)V_OP(sllv_epi32)((v_int_reg)a, (v_int_reg)(n & v_setu(31))); }
V_INLINE vu v_lshr(vu a, vu n) { return (vu)V_OP(srlv_epi32)((v_int_reg)a, (v_int_reg)(n & v_setu(31))); }
V_INLINE vu v_ashr(vu a, vu n) { return (vu)V_OP(srav_epi32)((v_int_reg)a, (v_int_reg)(n & v_setu(31))); }
/* All by n; 32 and more give 0. */
V_INLINE vi v_shift_left(vi a, unsigned n) { return (vi)V_OP(sll_epi32)((v_int_reg)a, _mm_cvtsi32_si128((int)n)); }
V_INLINE vi v_shift_right(vi a, unsigned n) { return (vi)V_OP(srl_epi32)((v_int_reg)a, _mm_cvtsi32_si128((int)n)); }

/* The least of what lanes hold, and the bits that any has. */
#if VL == 16
V_INLINE int32_t v_least(vi a) { return _mm512_reduce_min_epi32((__m512i)a); }
V_INLINE uint32_t v_union(vi a) { return (uint32_t)_mm512_reduce_or_epi32((__m512i)a); }
#else
#define V_REDUCE(a, op) \
	__m128i m = op(_mm256_castsi256_si128((__m256i)(a)), _mm256_extracti128_si256((__m256i)(a), 1)); \
	m = op(m, _mm_shuffle_epi32(m, 0x4e)); \
	return _mm_cvtsi128_si32(op(m, _mm_shuffle_epi32(m, 0xb1)))
V_INLINE int32_t v_least(vi a) { V_REDUCE(a, _mm_min_epi32); }
V_INLINE uint32_t v_union(vi a) { V_REDUCE(a, _mm_or_si128); }
#undef V_REDUCE
#endif

#endif
