/* SPDX-License-Identifier: MIT */
/* Memory atomics, by kind, on 32 and 64 bits: the value before is returned.
 * The memory is shared with other threads of the GPU.  Also used for LDS and
 * image atomics, so that all agree. */
#ifndef CORE_MEM_ATOMICS_H
#define CORE_MEM_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum cu_atomic {
	CU_ATOMIC_SWAP, CU_ATOMIC_CMPSWAP, CU_ATOMIC_ADD, CU_ATOMIC_SUB, CU_ATOMIC_RSUB,
	CU_ATOMIC_SMIN, CU_ATOMIC_UMIN, CU_ATOMIC_SMAX, CU_ATOMIC_UMAX,
	CU_ATOMIC_AND, CU_ATOMIC_OR, CU_ATOMIC_XOR, CU_ATOMIC_INC, CU_ATOMIC_DEC,
	CU_ATOMIC_MSKOR,
	CU_ATOMIC_FADD, CU_ATOMIC_FMIN, CU_ATOMIC_FMAX, CU_ATOMIC_FCMPSWAP,
};
/* Those that memory instructions of all kinds have. */
#define CU_ATOMICS(X) \
	X(SWAP); X(CMPSWAP); X(ADD); X(SUB); X(SMIN); X(UMIN); X(SMAX); X(UMAX); X(AND); X(OR); X(XOR); X(INC); X(DEC)

static inline uint32_t cu_atomic_float(enum cu_atomic op, uint32_t old, uint32_t data, uint32_t cmp)
{
	float x, y, z, r;
	memcpy(&x, &old, 4);
	memcpy(&y, &data, 4);
	memcpy(&z, &cmp, 4);
	if (op == CU_ATOMIC_FCMPSWAP)
		return x == z ? data : old;
	if (op == CU_ATOMIC_FMIN)
		return y < x || x != x ? data : old;
	if (op == CU_ATOMIC_FMAX)
		return y > x || x != x ? data : old;
	r = x + y;
	memcpy(&data, &r, 4);
	return r != r ? 0x7fc00000 : data;
}
static inline uint64_t cu_atomic_double(enum cu_atomic op, uint64_t old, uint64_t data, uint64_t cmp)
{
	double x, y, z, r;
	memcpy(&x, &old, 8);
	memcpy(&y, &data, 8);
	memcpy(&z, &cmp, 8);
	if (op == CU_ATOMIC_FCMPSWAP)
		return x == z ? data : old;
	if (op == CU_ATOMIC_FMIN)
		return y < x || x != x ? data : old;
	if (op == CU_ATOMIC_FMAX)
		return y > x || x != x ? data : old;
	r = x + y;
	memcpy(&data, &r, 8);
	return r != r ? 0x7ff8000000000000 : data;
}

/* The new value; cmp is the compared value, or the mask of MSKOR's bits. */
#define CU_ATOMIC_NEXT(BITS, FLOATS) \
static inline uint##BITS##_t cu_atomic_next##BITS(enum cu_atomic op, uint##BITS##_t old, \
	uint##BITS##_t data, uint##BITS##_t cmp) \
{ \
	int##BITS##_t a = (int##BITS##_t)old, b = (int##BITS##_t)data; \
	switch (op) { \
	case CU_ATOMIC_SWAP: return data; \
	case CU_ATOMIC_CMPSWAP: return old == cmp ? data : old; \
	case CU_ATOMIC_ADD: return old + data; \
	case CU_ATOMIC_SUB: return old - data; \
	case CU_ATOMIC_RSUB: return data - old; \
	case CU_ATOMIC_SMIN: return a < b ? old : data; \
	case CU_ATOMIC_UMIN: return old < data ? old : data; \
	case CU_ATOMIC_SMAX: return a > b ? old : data; \
	case CU_ATOMIC_UMAX: return old > data ? old : data; \
	case CU_ATOMIC_AND: return old & data; \
	case CU_ATOMIC_OR: return old | data; \
	case CU_ATOMIC_XOR: return old ^ data; \
	case CU_ATOMIC_INC: return old >= data ? 0 : old + 1; \
	case CU_ATOMIC_DEC: return old == 0 || old > data ? data : old - 1; \
	case CU_ATOMIC_MSKOR: return (old & ~data) | cmp; \
	default: return FLOATS(op, old, data, cmp); \
	} \
} \
/* p is aligned to the access.  Of those that compare, what stays as it is is not written. */ \
static inline uint##BITS##_t cu_atomic##BITS(uint##BITS##_t *p, enum cu_atomic op, \
	uint##BITS##_t data, uint##BITS##_t cmp) \
{ \
	if (op == CU_ATOMIC_ADD) \
		return __atomic_fetch_add(p, data, __ATOMIC_RELAXED); \
	if (op == CU_ATOMIC_SWAP) \
		return __atomic_exchange_n(p, data, __ATOMIC_RELAXED); \
	uint##BITS##_t old = __atomic_load_n(p, __ATOMIC_RELAXED), now; \
	do { \
		now = cu_atomic_next##BITS(op, old, data, cmp); \
	} while (now != old && !__atomic_compare_exchange_n(p, &old, now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)); \
	return old; \
}
CU_ATOMIC_NEXT(32, cu_atomic_float)
CU_ATOMIC_NEXT(64, cu_atomic_double)

#endif
