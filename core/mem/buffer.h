/* SPDX-License-Identifier: MIT */
/* The buffer unit's addressing, as the memory handling document gives it.
 *
 *   AOFFSET = inst offset + (OFFEN ? VGPR : 0)
 *   AINDEX  = (IDXEN ? VGPR : 0) + (TID_ENABLE ? lane : 0)
 *   BUFOFFSET = (uint32)(AINDEX * STRIDE) + AOFFSET, or the swizzled form
 *   address = BASE + SGPR offset + BUFOFFSET
 * Out of range, reading 0 and not written:
 *   STRIDE == 0: each dword with BUFOFFSET >= NUM_RECORDS - SGPR offset
 *   else: AINDEX >= NUM_RECORDS; with IDXEN or TID_ENABLE also
 *   AOFFSET >= STRIDE (each dword's).  Without either the document leaves the
 *   offset unbounded; here it ends with the records, so that no descriptor
 *   reaches beyond its buffer. */
#ifndef CORE_MEM_BUFFER_H
#define CORE_MEM_BUFFER_H

#include "core/interp/interp.h"
#include "core/mem/lanes.h"
#include "core/memory.h"
#include "isa/resource.h"

struct buf_address {
	uintptr_t base;     /* BASE + SGPR offset, rounded down to a dword */
	uint32_t odd;       /* what that rounding took off; in offset[] */
	vu offset[NV];      /* BUFOFFSET of a lane's first byte */
	vu aoffset[NV];     /* what the range rule compares */
	uint64_t limit;     /* dword i is inside when aoffset + 4 i < limit */
	uint64_t live;      /* active lanes whose index is inside */
	uint64_t span;      /* dwords in range lie in [base, base + span) */
	const uint32_t *v;  /* V# */
	bool records;       /* a lane's element lies in its record: stride and index */
	bool alike;         /* aoffset is the same in all lanes */
};

/* Addresses of all lanes of a MUBUF or MTBUF instruction.
 *
 * Before it accesses memory, a handler asks buf_mapped; false: buf_unmapped's
 * result is its own. */
void CU_FN(cu_buf_address)(const struct cu_wave *w, const struct gcn_inst *in,
	uint32_t soffset, struct buf_address *a);

/* Active lanes whose dword i is in range. */
static inline uint64_t buf_inside(const struct buf_address *a, unsigned i)
{
	uint64_t limit = a->limit > 4 * i ? a->limit - 4 * i : 0, in;
	if (limit > 0xffffffff)
		return a->live;
	if (a->alike)
		return limit > *(const uint32_t *)a->aoffset ? a->live : 0;
	LANE_BITS(in, j, u_gt(v_setu((uint32_t)limit), a->aoffset[j]));
	return in & a->live;
}
/* Whether `bytes` at each lane in range are memory that the wave may access:
 * the whole buffer as a rule, else lane by lane.  With `dwords` each dword is
 * in range or not by itself, else the first decides. */
bool CU_FN(cu_buf_mapped)(struct cu_wave *w, const struct buf_address *a, unsigned bytes, bool dwords,
	uint64_t *bad);
static inline bool buf_mapped(struct cu_wave *w, const struct buf_address *a, unsigned bytes, bool dwords)
{
	uint64_t bad, more = !dwords && bytes > 4 ? bytes - 4 : 0;
	return cu_mapped(w, a->base, a->span + more) || CU_FN(cu_buf_mapped)(w, a, bytes, dwords, &bad);
}
const struct cu_rec *CU_FN(cu_buf_unmapped)(struct cu_wave *w, const struct cu_rec *r,
	const struct buf_address *a, unsigned bytes, bool dwords);

/* To LDS: dword l of the active lanes at M0[15:0] + 4 l. */
static inline uint8_t *buf_lds(const struct cu_wave *w, const struct cu_rec *r, unsigned l)
{
	uint32_t o = ((w->sgpr[GCN_SRC_M0] & 0xffff) & ~3u) + 4 * l;
	return o + 4 <= w->lds_bytes ? w->lds + o : NULL;
}

/* Active lanes whose element of `bytes` is in range, where elements do not come
 * apart into dwords: one of a record is when its first dword is, another one
 * when all are. */
static inline uint64_t buf_inside_whole(const struct buf_address *a, unsigned bytes)
{
	uint64_t live = buf_inside(a, 0);
	return a->records || bytes <= 4 ? live : live & buf_inside(a, (bytes - 1) / 4);
}
/* Offsets rounded down to dwords, for lanes_load and lanes_store. */
static inline enum lane_shape buf_dwords(struct buf_address *a, vu offset[NV])
{
	for (int i = 0; i < NV; i++)
		offset[i] = a->offset[i] & v_setu(~3u);
	return lane_shape(offset, a->live);
}

#endif
