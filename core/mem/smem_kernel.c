/* SPDX-License-Identifier: MIT */
/* Scalar memory: loads and stores of 1 to 16 dwords, and atomics, between
 * memory and SGPRs.  Source 0 is the base (address pair or V#), source 1 the
 * offset (SGPR, unsigned, or immediate, signed); with both, the immediate is
 * in cu_rec.sd.  Addresses are rounded down to dwords.  Through a V#, each
 * dword that starts at or beyond the buffer's size reads 0 and is not
 * written. */
#include <string.h>
#include "core/interp/interp.h"
#include "core/journal.h"
#include "core/mem/atomics.h"
#include "core/memory.h"
#include "isa/resource.h"

static inline int64_t offset_of(const struct cu_wave *w, const struct cu_rec *r)
{
	if (r->konst & 2)
		return (int64_t)cu_src64(w, r, 1);
	return (int64_t)cu_src32(w, r, 1) + (int32_t)r->sd;
}
static inline uint64_t address_of(const struct cu_wave *w, const struct cu_rec *r)
{
	return (cu_src64(w, r, 0) + (uint64_t)offset_of(w, r)) & ~3ull;
}
static inline const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	uint64_t a = address_of(w, r);
	if (!cu_mapped_near(w, r->near, a, 4 * n))
		return cu_fault_access(w, r, a, 4);
	memcpy(cu_dst(w, r), (const void *)(uintptr_t)a, 4 * n);
	return r + 1;
}
static inline const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	uint64_t a = address_of(w, r);
	if (!cu_mapped(w, a, 4 * n))
		return cu_fault_access(w, r, a, 4);
	cu_note_store(w, r->pc, (void *)(uintptr_t)a, 4 * n);
	memcpy((void *)(uintptr_t)a, cu_dst(w, r), 4 * n);
	return r + 1;
}

/* Scratch: the offset is a lane's and counts 64 times, the base an address in
 * the wave's scratch. */
static inline const struct cu_rec *scratch(struct cu_wave *w, const struct cu_rec *r, unsigned n, bool write)
{
	uint64_t at = (cu_src64(w, r, 0) + 64 * (uint64_t)offset_of(w, r) - (uintptr_t)w->scratch) & ~3ull;
	if (at + 4 * n > w->scratch_bytes || at >= w->scratch_bytes)
		return cu_fault(w, r, "scratch offset %lld is outside %u bytes a wave", (long long)at,
			w->scratch_bytes);
	if (!write) {
		memcpy(cu_dst(w, r), w->scratch + at, 4 * n);
		return r + 1;
	}
	cu_note_store(w, r->pc, w->scratch + at, 4 * n);
	cu_scratch_written(w, at + 4 * n - 1);
	memcpy(w->scratch + at, cu_dst(w, r), 4 * n);
	return r + 1;
}

/* Address of the first dword; *avail gets how many dwords lie inside. */
static inline uint64_t buffer_range(const struct cu_wave *w, const struct cu_rec *r, unsigned n,
	unsigned *avail)
{
	const uint32_t *v = cu_src(w, r, 0);
	uint32_t offset = (uint32_t)offset_of(w, r) & ~3u;
	uint64_t stride = ISA_GET(v, V_STRIDE), size = ISA_GET(v, V_NUM_RECORDS);
	if (stride)
		size *= stride;
	uint64_t left = offset < size ? (size - offset + 3) / 4 : 0;
	*avail = left < n ? (unsigned)left : n;
	return (v_base(v) + offset) & ~3ull;
}
static inline const struct cu_rec *buffer_load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	unsigned avail;
	uint64_t a = buffer_range(w, r, n, &avail);
	uint32_t data[16] = { 0 };
	if (avail && !cu_mapped_near(w, r->near, a, 4 * avail))
		return cu_fault_access(w, r, a, 4);
	if (avail)
		memcpy(data, (const void *)(uintptr_t)a, 4 * avail);
	memcpy(cu_dst(w, r), data, 4 * n);
	return r + 1;
}
static inline const struct cu_rec *buffer_store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	unsigned avail;
	uint64_t a = buffer_range(w, r, n, &avail);
	if (avail && !cu_mapped(w, a, 4 * avail))
		return cu_fault_access(w, r, a, 4);
	if (!avail)
		return r + 1;
	cu_note_store(w, r->pc, (void *)(uintptr_t)a, 4 * avail);
	memcpy((void *)(uintptr_t)a, cu_dst(w, r), 4 * avail);
	return r + 1;
}

/* Data, then for CMPSWAP the compared value, in the SGPRs from dst on; with
 * glc the former value comes back there.  64-bit ones round to 8 bytes. */
static const struct cu_rec *atomic_at(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op,
	bool wide, uint64_t a)
{
	uint32_t *d = cu_dst(w, r);
	unsigned n = wide ? 2 : 1;
	uint64_t data = d[0], compare = 0, old;
	if (!cu_mapped(w, a, 4 * n))
		return cu_fault_access(w, r, a, 4);
	if (wide)
		data = cu_load64(d);
	if (op == CU_ATOMIC_CMPSWAP)
		compare = wide ? cu_load64(d + 2) : d[1];
	cu_note_store(w, r->pc, (void *)(uintptr_t)a, 4 * n);
	old = wide ? cu_atomic64((uint64_t *)(uintptr_t)a, op, data, compare)
		: cu_atomic32((uint32_t *)(uintptr_t)a, op, (uint32_t)data, (uint32_t)compare);
	if (r->in->glc)
		memcpy(d, &old, 4 * n);
	return r + 1;
}
static const struct cu_rec *atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op, bool wide)
{
	return atomic_at(w, r, op, wide, address_of(w, r) & ~(wide ? 7ull : 3ull));
}
static const struct cu_rec *buffer_atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op,
	bool wide)
{
	unsigned avail;
	uint64_t a = buffer_range(w, r, 1, &avail) & ~(wide ? 7ull : 3ull);
	if (avail)
		return atomic_at(w, r, op, wide, a);
	if (r->in->glc)
		memset(cu_dst(w, r), 0, wide ? 8 : 4);
	return r + 1;
}

CU_DIRECT_CALL(S_LOAD_DWORD, load(w, r, 1));
CU_DIRECT_CALL(S_LOAD_DWORDX2, load(w, r, 2));
CU_DIRECT_CALL(S_LOAD_DWORDX4, load(w, r, 4));
CU_DIRECT_CALL(S_LOAD_DWORDX8, load(w, r, 8));
CU_DIRECT_CALL(S_LOAD_DWORDX16, load(w, r, 16));
CU_DIRECT_CALL(S_STORE_DWORD, store(w, r, 1));
CU_DIRECT_CALL(S_STORE_DWORDX2, store(w, r, 2));
CU_DIRECT_CALL(S_STORE_DWORDX4, store(w, r, 4));
CU_DIRECT_CALL(S_SCRATCH_LOAD_DWORD, scratch(w, r, 1, false));
CU_DIRECT_CALL(S_SCRATCH_LOAD_DWORDX2, scratch(w, r, 2, false));
CU_DIRECT_CALL(S_SCRATCH_LOAD_DWORDX4, scratch(w, r, 4, false));
CU_DIRECT_CALL(S_SCRATCH_STORE_DWORD, scratch(w, r, 1, true));
CU_DIRECT_CALL(S_SCRATCH_STORE_DWORDX2, scratch(w, r, 2, true));
CU_DIRECT_CALL(S_SCRATCH_STORE_DWORDX4, scratch(w, r, 4, true));
CU_DIRECT_CALL(S_BUFFER_LOAD_DWORD, buffer_load(w, r, 1));
CU_DIRECT_CALL(S_BUFFER_LOAD_DWORDX2, buffer_load(w, r, 2));
CU_DIRECT_CALL(S_BUFFER_LOAD_DWORDX4, buffer_load(w, r, 4));
CU_DIRECT_CALL(S_BUFFER_LOAD_DWORDX8, buffer_load(w, r, 8));
CU_DIRECT_CALL(S_BUFFER_LOAD_DWORDX16, buffer_load(w, r, 16));
CU_DIRECT_CALL(S_BUFFER_STORE_DWORD, buffer_store(w, r, 1));
CU_DIRECT_CALL(S_BUFFER_STORE_DWORDX2, buffer_store(w, r, 2));
CU_DIRECT_CALL(S_BUFFER_STORE_DWORDX4, buffer_store(w, r, 4));
/* A discarded line may keep its data. */
CU_DIRECT_CALL(S_DCACHE_DISCARD, r + 1);
CU_DIRECT_CALL(S_DCACHE_DISCARD_X2, r + 1);

#define ATOMIC(OP) \
	CU_DIRECT_CALL(S_ATOMIC_##OP, atomic(w, r, CU_ATOMIC_##OP, false)); \
	CU_DIRECT_CALL(S_ATOMIC_##OP##_X2, atomic(w, r, CU_ATOMIC_##OP, true)); \
	CU_DIRECT_CALL(S_BUFFER_ATOMIC_##OP, buffer_atomic(w, r, CU_ATOMIC_##OP, false)); \
	CU_DIRECT_CALL(S_BUFFER_ATOMIC_##OP##_X2, buffer_atomic(w, r, CU_ATOMIC_##OP, true))
CU_ATOMICS(ATOMIC);
