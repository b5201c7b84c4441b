/* Scalar memory: loads and stores of 1 to 16 dwords between memory and SGPRs.
 * Source 0 is the base (address pair or V#), source 1 the offset (SGPR or
 * immediate).  Addresses are rounded down to dwords.  Through a V#, each dword
 * that starts at or beyond the buffer's size reads 0 and is not written. */
#include <string.h>
#include "core/interp.h"
#include "core/journal.h"
#include "isa/resource.h"

/* The first page never holds data: a null descriptor pointer, most likely. */
#define LOWEST 4096

static inline uint64_t address_of(const struct cu_wave *w, const struct cu_rec *r)
{
	return (cu_src64(w, r, 0) + cu_src32(w, r, 1)) & ~3ull;
}

static inline const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	uint64_t a = address_of(w, r);
	if (a < LOWEST)
		return cu_fault(w, r, "load from address 0x%llx", (unsigned long long)a);
	memcpy(cu_dst(w, r), (const void *)(uintptr_t)a, 4 * n);
	return r + 1;
}
static inline const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	uint64_t a = address_of(w, r);
	if (a < LOWEST)
		return cu_fault(w, r, "store to address 0x%llx", (unsigned long long)a);
	cu_note_store(w, r->pc, (void *)(uintptr_t)a, 4 * n);
	memcpy((void *)(uintptr_t)a, cu_dst(w, r), 4 * n);
	return r + 1;
}

/* Address of the first dword; *avail gets how many dwords lie inside. */
static inline uint64_t buffer_range(const struct cu_wave *w, const struct cu_rec *r, unsigned n,
	unsigned *avail)
{
	const uint32_t *v = cu_src(w, r, 0);
	uint32_t offset = cu_src32(w, r, 1) & ~3u;
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
	memcpy(data, (const void *)(uintptr_t)a, 4 * avail);
	memcpy(cu_dst(w, r), data, 4 * n);
	return r + 1;
}
static inline const struct cu_rec *buffer_store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	unsigned avail;
	uint64_t a = buffer_range(w, r, n, &avail);
	cu_note_store(w, r->pc, (void *)(uintptr_t)a, 4 * avail);
	memcpy((void *)(uintptr_t)a, cu_dst(w, r), 4 * avail);
	return r + 1;
}

#define SMEM(NAME, CALL) \
	CU_HANDLER(h_##NAME) \
	{ \
		return CALL; \
	} \
	CU_DIRECT(NAME)
SMEM(S_LOAD_DWORD, load(w, r, 1));
SMEM(S_LOAD_DWORDX2, load(w, r, 2));
SMEM(S_LOAD_DWORDX4, load(w, r, 4));
SMEM(S_LOAD_DWORDX8, load(w, r, 8));
SMEM(S_LOAD_DWORDX16, load(w, r, 16));
SMEM(S_STORE_DWORD, store(w, r, 1));
SMEM(S_STORE_DWORDX2, store(w, r, 2));
SMEM(S_STORE_DWORDX4, store(w, r, 4));
SMEM(S_BUFFER_LOAD_DWORD, buffer_load(w, r, 1));
SMEM(S_BUFFER_LOAD_DWORDX2, buffer_load(w, r, 2));
SMEM(S_BUFFER_LOAD_DWORDX4, buffer_load(w, r, 4));
SMEM(S_BUFFER_LOAD_DWORDX8, buffer_load(w, r, 8));
SMEM(S_BUFFER_LOAD_DWORDX16, buffer_load(w, r, 16));
SMEM(S_BUFFER_STORE_DWORD, buffer_store(w, r, 1));
SMEM(S_BUFFER_STORE_DWORDX2, buffer_store(w, r, 2));
SMEM(S_BUFFER_STORE_DWORDX4, buffer_store(w, r, 4));
