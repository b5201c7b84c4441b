/* SPDX-License-Identifier: MIT */
/* Stencil values, sixteen at a time. */
#ifndef RASTER_BACK_STENCIL_BYTES_H
#define RASTER_BACK_STENCIL_BYTES_H

#include <immintrin.h>
#include <stdint.h>
#include "core/vec.h"
#include "isa/regs.h"

typedef uint8_t vu8 __attribute__((vector_size(16)));

V_INLINE uint32_t u8_bits(vu8 mask) { return (uint32_t)_mm_movemask_epi8((__m128i)mask); }
V_INLINE vu8 u8_set(uint8_t x) { return (vu8)_mm_set1_epi8((char)x); }
V_INLINE vu8 u8_min(vu8 a, vu8 b) { return (vu8)_mm_min_epu8((__m128i)a, (__m128i)b); }

/* 0xff in bytes whose bit is set. */
V_INLINE vu8 u8_from_bits(uint32_t bits)
{
	const vu8 bit = { 1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128 };
	const __m128i halves = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
	vu8 v = (vu8)_mm_shuffle_epi8(_mm_cvtsi32_si128((int)bits), halves);
	return (vu8)((v & bit) == bit);
}

/* Bits of the bytes of which `a func b` holds. */
V_INLINE uint32_t rs_stencil_compare(unsigned func, vu8 a, vu8 b)
{
	switch (func) {
	case COMPARE_LESS: return ~u8_bits((vu8)(u8_min(a, b) == b)) & 0xffff;
	case COMPARE_EQUAL: return u8_bits((vu8)(a == b));
	case COMPARE_LEQUAL: return u8_bits((vu8)(u8_min(a, b) == a));
	case COMPARE_GREATER: return ~u8_bits((vu8)(u8_min(a, b) == a)) & 0xffff;
	case COMPARE_NOTEQUAL: return ~u8_bits((vu8)(a == b)) & 0xffff;
	case COMPARE_GEQUAL: return u8_bits((vu8)(u8_min(a, b) == b));
	case COMPARE_ALWAYS: return 0xffff;
	default: return 0;
	}
}

/* What STENCIL_* makes of old values. */
V_INLINE vu8 rs_stencil_op(unsigned op, vu8 old, vu8 ref)
{
	vu8 one = u8_set(1);
	switch (op) {
	case STENCIL_ZERO: return u8_set(0);
	case STENCIL_ONES: return u8_set(0xff);
	case STENCIL_REPLACE_TEST: return ref;
	case STENCIL_ADD_CLAMP: return (vu8)_mm_adds_epu8((__m128i)old, (__m128i)one);
	case STENCIL_SUB_CLAMP: return (vu8)_mm_subs_epu8((__m128i)old, (__m128i)one);
	case STENCIL_INVERT: return ~old;
	case STENCIL_ADD_WRAP: return old + one;
	case STENCIL_SUB_WRAP: return old - one;
	default: return old;
	}
}

#endif
