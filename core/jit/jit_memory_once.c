/* SPDX-License-Identifier: MIT */
/* What translated code asks about memory once a region, see jit_memory.c. */
#include "core/jit/jit.h"

#include "core/memory.h"
#include "isa/abi.h"
#include "isa/resource.h"

/* Plain buffers: at a multiple of 4, no swizzle, not by lane, below 2 GiB. */
static int buffer(struct cu_wave *w, const struct cu_rec *r, struct cu_jit_slot *s)
{
	const struct gcn_inst *in = r->in;
	const uint32_t *v = &w->sgpr[in->src[1]];
	uint32_t soffset, stride = ISA_GET(v, V_STRIDE), records = ISA_GET(v, V_NUM_RECORDS);
	const char *from = r->konst >> 2 & 1 ? (const char *)r->pool : (const char *)w;
	uint64_t base = ISA_GET(v, V_BASE_LO) | (uint64_t)ISA_GET(v, V_BASE_HI) << 32;
	uint64_t size = stride ? (uint64_t)records * stride : records;
	__builtin_memcpy(&soffset, from + r->s[2], 4);
	bool indexed = in->idxen && stride;
	uint64_t limit = indexed ? stride : size > soffset ? size - soffset : 0;
	base += soffset;
	if (ISA_GET(v, V_TID_ENABLE) || ISA_GET(v, V_SWIZZLE_EN) || base & 3 || size > 0x7ffffff0 || base >> 47)
		return 0;
	uint64_t span = ((indexed ? size : limit) + 3) & ~3ull;
	if (span && !cu_mapped(w, base, span))
		return 0;
	s->base = base;
	for (unsigned i = 0; i < 4; i++)
		s->limit[i] = limit > 4 * i && span ? (uint32_t)limit - 4 * i : 0;
	s->stride = indexed ? stride : 0;
	s->last = indexed ? records - 1 : ~0u;
	return 1;
}

/* limit[n - 1]: rows where n dwords may begin. */
static int scratch(struct cu_wave *w, const struct cu_rec *r, struct cu_jit_slot *s)
{
	uint64_t at, size = w->scratch_bytes, skip;
	(void)r;
	__builtin_memcpy(&at, &w->sgpr[GCN_SRC_FLAT_SCRATCH], 8);
	skip = at - (uintptr_t)w->scratch;
	if (skip > size || size >> 31)
		return 0;
	uint32_t rows = (uint32_t)((size - skip) / 256);
	for (uint32_t n = 1; n <= 4; n++)
		s->limit[n - 1] = rows >= n ? rows - n + 1 : 0;
	s->base = (uintptr_t)w->scratch + skip - (uintptr_t)w;
	return 1;
}

static int scratch_fault(struct cu_wave *w, const struct cu_rec *r, uint32_t mask, const uint32_t *offset)
{
	uint64_t at;
	__builtin_memcpy(&at, &w->sgpr[GCN_SRC_FLAT_SCRATCH], 8);
	uint64_t bytes = w->scratch_bytes - (at - (uintptr_t)w->scratch);
	for (; mask; mask &= mask - 1)
		for (unsigned i = 0; i < 4; i++) {
			uint32_t o = (offset[__builtin_ctz(mask)] & ~3u) + 4 * i;
			if (((uint64_t)o / 4 + 1) * 256 > bytes) {
				cu_fault(w, r, "scratch offset %u is outside %u bytes a wave", o, w->scratch_bytes);
				return CU_FAULT;
			}
		}
	cu_fault(w, r, "an access outside of scratch");
	return CU_FAULT;
}

static int handlers(struct cu_wave *w, const struct cu_rec *first, uint32_t count, const uint64_t *skip,
	const uint64_t *quiet)
{
	uint32_t at = cu_rec_index(first), i = 0;
	while (i < count) {
		if (skip[i / 64 % 8] >> i % 64 & 1) {
			i++;
			continue;
		}
		uint32_t scc = w->scc;
		const struct cu_rec *next = first[i].fn(w, &first[i]);
		if (quiet[i / 64 % 8] >> i % 64 & 1)
			w->scc = scc;
		if ((uintptr_t)next < CU_STATUS_END)
			return (int)(uintptr_t)next;
		i = cu_rec_index(next) - at;
	}
	return CU_STATUS_END;
}

const struct cu_jit_helpers cu_jit_helpers = { buffer, scratch, scratch_fault, handlers };
