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
#ifndef CORE_BUFFER_H
#define CORE_BUFFER_H

#include "core/interp.h"
#include "core/simd.h"
#include "isa/resource.h"

struct buf_address {
	uintptr_t base;        /* BASE + SGPR offset */
	uint32_t offset[64];   /* BUFOFFSET of a lane's first dword */
	uint32_t aoffset[64];  /* what the range rule compares */
	uint64_t limit;        /* dword i is inside when aoffset + 4 i < limit */
	uint64_t index_ok;     /* lanes whose index is inside */
	const uint32_t *v;     /* V# */
};

/* Addresses of all lanes of a MUBUF or MTBUF instruction. */
void CU_FN(cu_buf_address)(const struct cu_wave *w, const struct gcn_inst *in,
	uint32_t soffset, struct buf_address *a);

/* Active lanes whose element (first byte) is in range. */
static inline uint64_t buf_live(const struct cu_wave *w, const struct buf_address *a)
{
	uint64_t in = 0;
	for (int l = 0; l < 64; l++)
		in |= (uint64_t)(a->aoffset[l] < a->limit) << l;
	return in & a->index_ok & cu_exec(w);
}

#endif
