/* SPDX-License-Identifier: MIT */
/* Dwords of many lanes at once: memory at base + offset[lane], whole wave.
 * Offsets are 32-bit, rounded to dwords; lanes outside the mask are not
 * touched.  Neighbouring lanes that lie next to each other in memory, and one
 * address for all, are told apart: they cost a few loads. */
#ifndef CORE_MEM_LANES_H
#define CORE_MEM_LANES_H

#include <stdbool.h>
#include <string.h>
#include "core/vec.h"

/* 64 lanes, as bits l of m set where the vectors' comparison holds. */
#define LANE_BITS(result, i, expr) \
	do { \
		(result) = 0; \
		for (int i = 0; i < NV; i++) \
			(result) |= (uint64_t)m_bits(expr) << (i * VL); \
	} while (0)

/* 0, 4, 8 .. for the lanes of vector i. */
static inline vu lane_times4(int i)
{
#if CU_LEVEL == 4
	const vu four = (vu)_mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
#else
	const vu four = (vu)_mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
#endif
	return four + v_setu((uint32_t)(4 * VL * i));
}

enum lane_shape { LANES_ANY, LANES_ROW, LANES_ONE, LANES_FAR };

/* How offset[] lies over the lanes of `mask`.  ROW: offset[0] + 4 l in all 64
 * lanes.  ONE: all as offset[0].  FAR: an offset beyond what gathers reach. */
static inline enum lane_shape lane_shape(const vu offset[NV], uint64_t mask)
{
	uint64_t row, one, far;
	uint32_t first = ((const uint32_t *)offset)[0];
	LANE_BITS(far, i, m_sign(offset[i]));
	if (far & mask)
		return LANES_FAR;
	if (mask != ~0ull)
		return LANES_ANY;
	LANE_BITS(row, i, i_eq(offset[i], v_setu(first) + lane_times4(i)));
	if (row == ~0ull)
		return LANES_ROW;
	LANE_BITS(one, i, i_eq(offset[i], v_setu(first)));
	return one == ~0ull ? LANES_ONE : LANES_ANY;
}

/* Dwords at base + offset + add of the lanes in mask; other lanes give 0. */
static inline void lanes_load(const char *base, const vu offset[NV], uint32_t add, uint64_t mask,
	enum lane_shape shape, vu out[NV])
{
	const uint32_t *o = (const uint32_t *)offset;
	uint32_t *u = (uint32_t *)out, x;
	if (mask != ~0ull && shape != LANES_FAR)
		shape = LANES_ANY;
	switch (shape) {
	case LANES_ROW:
		memcpy(out, base + o[0] + add, 256);
		break;
	case LANES_ONE:
		memcpy(&x, base + o[0] + add, 4);
		for (int i = 0; i < NV; i++)
			out[i] = v_setu(x);
		break;
	case LANES_ANY:
		for (int i = 0; i < NV; i++)
			out[i] = m_gather(base + add, offset[i], m_part(mask, i));
		break;
	default:
		memset(out, 0, 256);
		for (uint64_t m = mask; m; m &= m - 1) {
			int l = __builtin_ctzll(m);
			memcpy(&u[l], base + (uint64_t)o[l] + add, 4);
		}
	}
}

/* The same for stores, in lane order where lanes meet. */
static inline void lanes_store(char *base, const vu offset[NV], uint32_t add, uint64_t mask,
	enum lane_shape shape, const uint32_t *data)
{
	const uint32_t *o = (const uint32_t *)offset;
	if (shape == LANES_ROW && mask == ~0ull) {
		memcpy(base + o[0] + add, data, 256);
		return;
	}
#if CU_LEVEL == 4
	if (shape != LANES_FAR) {
		for (int i = 0; i < NV; i++)
			_mm512_mask_i32scatter_epi32(base + add, m_part(mask, i), (__m512i)offset[i],
				((const __m512i *)data)[i], 1);
		return;
	}
#endif
	for (uint64_t m = mask; m; m &= m - 1) {
		int l = __builtin_ctzll(m);
		memcpy(base + (uint64_t)o[l] + add, &data[l], 4);
	}
}

/* n dwords, `step` bytes apart, of each lane, of which data has a row each: lane by lane, so that the last lane has what it
 * stored where lanes meet.  mask[i]: lanes that store dword i, of those that store the one before. */
static inline void lanes_store_wide(char *base, const vu offset[NV], uint32_t step, unsigned n, const uint64_t mask[4],
	const uint32_t *data)
{
	const uint32_t *o = (const uint32_t *)offset;
	for (uint64_t m = mask[0]; m; m &= m - 1) {
		const int l = __builtin_ctzll(m);
		for (unsigned i = 0; i < n && mask[i] >> l & 1; i++)
			memcpy(base + (uint64_t)o[l] + step * i, &data[64 * i + l], 4);
	}
}

/* d = exec ? x : d */
static inline void lanes_put(uint32_t *d, const vu x[NV], uint64_t exec)
{
	vu *dv = (vu *)d;
	for (int i = 0; i < NV; i++) {
		vu y = exec == ~0ull ? x[i] : m_sel(m_part(exec, i), x[i], dv[i]);
#if CU_LEVEL == 4
		__asm__("" : "+v"(y)); /* not a masked store, see valu.h */
#endif
		dv[i] = y;
	}
}

#endif
