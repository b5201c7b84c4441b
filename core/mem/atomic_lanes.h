/* SPDX-License-Identifier: MIT */
/* A memory atomic of a wave, in the order of its lanes.
 *
 * Whoever locks waits until its line is there, and nothing goes on meanwhile: all lines are asked for before the first one is
 * locked.  Lanes that all have one place take it once, and two next to one another (pixels of an image) theirs together. */
#ifndef CORE_MEM_ATOMIC_LANES_H
#define CORE_MEM_ATOMIC_LANES_H

#include "core/cu.h"
#include "core/journal.h"
#include "core/level.h"
#include "core/mem/atomics.h"

#define CU_ATOMIC_INLINE static inline __attribute__((always_inline))

/* `live`: those of exec that have a place; the others read 0.  Rows of CU_LANES dwords: data, low dwords first, those of what is
 * compared behind; old: where the values before go, or NULL.  They may be the same rows. */
struct cu_atomic_lanes {
	enum cu_atomic op;
	bool wide; /* 64 bits */
	const uint32_t *data;
	uint32_t *old;
	uint64_t exec, live;
	void *at[CU_LANES];
};

CU_ATOMIC_INLINE bool cu_atomic_compares(enum cu_atomic op) { return op == CU_ATOMIC_CMPSWAP || op == CU_ATOMIC_FCMPSWAP; }

CU_ATOMIC_INLINE uint64_t cu_atomic_operand(const struct cu_atomic_lanes *a, bool wide, unsigned n, int l)
{
	const uint32_t *row = a->data + (size_t)n * (wide ? 2 : 1) * CU_LANES + l;
	return wide ? (uint64_t)row[CU_LANES] << 32 | row[0] : row[0];
}

CU_ATOMIC_INLINE void cu_atomic_result(const struct cu_atomic_lanes *a, bool wide, int l, uint64_t old)
{
	if (!a->old)
		return;
	a->old[l] = (uint32_t)old;
	if (wide)
		a->old[CU_LANES + l] = (uint32_t)(old >> 32);
}

/* All at one place: worked out lane by lane, then put there if it is as it was.  Operands are read again when it is not, so
 * results wait. */
static inline void cu_atomic_together(const struct cu_atomic_lanes *a, void *p)
{
	const bool compares = cu_atomic_compares(a->op);
	uint64_t before[CU_LANES];
	bool done;
	do {
		const uint64_t first = a->wide ? __atomic_load_n((uint64_t *)p, __ATOMIC_RELAXED) : __atomic_load_n((uint32_t *)p, __ATOMIC_RELAXED);
		uint64_t now = first;
		for (uint64_t left = a->live; left; left &= left - 1) {
			const int l = __builtin_ctzll(left);
			const uint64_t data = cu_atomic_operand(a, a->wide, 0, l), compared = compares ? cu_atomic_operand(a, a->wide, 1, l) : 0;
			before[l] = now;
			now = a->wide ? cu_atomic_next64(a->op, now, data, compared) : cu_atomic_next32(a->op, (uint32_t)now, (uint32_t)data, (uint32_t)compared);
		}
		uint64_t was = first;
		uint32_t was32 = (uint32_t)first;
		done = now == first ? true : a->wide ? __atomic_compare_exchange_n((uint64_t *)p, &was, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
			: __atomic_compare_exchange_n((uint32_t *)p, &was32, (uint32_t)now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	} while (!done);
	for (uint64_t left = a->exec; left; left &= left - 1) {
		const int l = __builtin_ctzll(left);
		cu_atomic_result(a, a->wide, l, a->live >> l & 1 ? before[l] : 0);
	}
}

/* Whether lanes l and l + 1 have the halves of 8 bytes that can be locked at once. */
CU_ATOMIC_INLINE bool cu_atomic_is_pair(const struct cu_atomic_lanes *a, bool wide, int l)
{
	return !wide && (a->live >> l & 3) == 3 && (char *)a->at[l + 1] - (char *)a->at[l] == 4 && !((uintptr_t)a->at[l] & 7);
}

CU_ATOMIC_INLINE void cu_atomic_pair(const struct cu_atomic_lanes *a, enum cu_atomic op, int l)
{
	const bool compares = cu_atomic_compares(op);
	uint64_t *const p = a->at[l];
	uint64_t now[2], old = __atomic_load_n(p, __ATOMIC_RELAXED);
	do {
		for (int k = 0; k < 2; k++)
			now[k] = cu_atomic_next32(op, (uint32_t)(old >> 32 * k), (uint32_t)cu_atomic_operand(a, false, 0, l + k),
				compares ? (uint32_t)cu_atomic_operand(a, false, 1, l + k) : 0);
	} while (!__atomic_compare_exchange_n(p, &old, now[1] << 32 | now[0], true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	cu_atomic_result(a, false, l, (uint32_t)old);
	cu_atomic_result(a, false, l + 1, old >> 32);
}

CU_ATOMIC_INLINE void cu_atomic_apart(const struct cu_atomic_lanes *a, enum cu_atomic op, bool wide)
{
	const bool compares = cu_atomic_compares(op);
	for (uint64_t left = a->exec; left; left &= left - 1) {
		const int l = __builtin_ctzll(left);
		uint64_t old = 0;
		if (cu_atomic_is_pair(a, wide, l)) {
			cu_atomic_pair(a, op, l);
			left &= left - 1;
			continue;
		}
		if (a->live >> l & 1) {
			const uint64_t data = cu_atomic_operand(a, wide, 0, l), compared = compares ? cu_atomic_operand(a, wide, 1, l) : 0;
			old = wide ? cu_atomic64(a->at[l], op, data, compared)
				: cu_atomic32(a->at[l], op, (uint32_t)data, (uint32_t)compared);
		}
		cu_atomic_result(a, wide, l, old);
	}
}

static inline void cu_atomic_wave(struct cu_wave *w, uint32_t pc, const struct cu_atomic_lanes *a)
{
	void *const first = a->live ? a->at[__builtin_ctzll(a->live)] : NULL;
	uintptr_t apart = 0;
	for (uint64_t left = a->live; left; left &= left - 1) {
		void *const p = a->at[__builtin_ctzll(left)];
		apart |= (uintptr_t)p ^ (uintptr_t)first;
		cu_fetch_to_write(p);
		cu_note_store(w, pc, p, a->wide ? 8 : 4);
	}
	if ((apart || !a->live) && a->op == CU_ATOMIC_ADD && !a->wide)
		cu_atomic_apart(a, CU_ATOMIC_ADD, false);
	else if (apart || !a->live)
		cu_atomic_apart(a, a->op, a->wide);
	else
		cu_atomic_together(a, first);
}

#endif
