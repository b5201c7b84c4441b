/* SPDX-License-Identifier: MIT */
/* What translated code asks about memory once a region, see jit_memory.c. */
#include "core/jit/jit.h"

#include "core/memory.h"
#include "core/tex/mimg.h"
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
	if (skip)
		cu_scratch_written(w, size - 1); /* translated code knows nothing of what it has skipped */
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

/* --- FLAT and GLOBAL --- */

/* The code keeps values in vector registers around the call. */
#if defined(__clang__)
#define SCALAR_CODE __attribute__((target("general-regs-only"), disable_sanitizer_instrumentation))
#else
#define SCALAR_CODE __attribute__((target("general-regs-only"), no_sanitize("thread", "address", "undefined")))
#endif

/* A window of whole addresses stays in 4 GiB that have one high half, and PAGE from
 * their ends: an instruction's offset, added to the low halves, does not come round. */
SCALAR_CODE
static int window(struct cu_wave *w, const struct cu_jit_access *a, struct cu_jit_window *s)
{
	enum { PAGE = 4096, HALF = 1 << 30 };
	const int64_t widest = 0x7ffffffc;
	const struct gcn_inst *in = a->record->in;
	bool pair = in->src[2] < 128;
	int lane = __builtin_ctz(a->mask);
	uint64_t at = (uint64_t)(int64_t)in->offset + a->lo[lane];
	at += pair ? w->sgpr[in->src[2]] | (uint64_t)w->sgpr[in->src[2] + 1] << 32 : (uint64_t)a->hi[lane] << 32;
	at &= ~3ull;
	int64_t lo = CU_LOWEST, hi = 1ll << 47, block = (int64_t)(at >> 32 << 32);
	if (w->memory) {
		/* No call of what may have vector registers. */
		const struct cu_span *span = &w->span[CU_SPAN_PLACE(at)], *end = w->span + CU_SPANS;
		if (at - span->lo >= span->bytes)
			for (span = w->span; span < end && at - span->lo >= span->bytes;)
				span++;
		if (span == end)
			return 0;
		lo = (int64_t)((span->lo + 3) & ~3ull);
		hi = lo + (int64_t)span->bytes - (int64_t)((uint64_t)lo - span->lo);
	}
	if ((int64_t)at < lo || (int64_t)at + 4 > hi)
		return 0;
	if ((int64_t)at - lo > (pair ? widest - PAGE : HALF)) /* a pair should be before the window's end */
		lo = (int64_t)at - HALF;
	if (!pair) {
		lo = lo < block + PAGE ? block + PAGE : lo;
		hi = hi > block + 0x100000000 - PAGE ? block + 0x100000000 - PAGE : hi;
	}
	int64_t bytes = (hi - lo > widest ? widest : hi - lo) & ~3ll;
	if ((int64_t)at < lo || (int64_t)at - lo + 4 > bytes)
		return 0;
	s->base = (uint64_t)lo;
	for (unsigned k = 0; k < 4; k++)
		s->limit[k] = bytes > 4 * k ? (uint32_t)(bytes - 4 * k) : 0;
	return 1;
}

struct lane_row { uint32_t *v; uint32_t saved[16]; };

/* The wave's registers of the strip are those of the code for as long as it takes. */
static int lanes(struct cu_wave *w, struct cu_jit_access *a)
{
	const struct gcn_inst *in = a->record->in;
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)in->op);
	bool pair = in->src[2] < 128, store = info->flags & GCN_F_STORE;
	unsigned first = a->strip / 4, dwords = store ? info->src_dw[1] : info->dst_dw, rows = 0;
	unsigned data = (store ? in->src[1] : in->dst) - GCN_SRC_VGPR0, address = in->src[0] - GCN_SRC_VGPR0;
	struct lane_row row[6];
	for (unsigned k = 0; k < dwords; k++)
		row[rows++].v = w->vgpr[data + k] + first;
	row[rows++].v = w->vgpr[address] + first;
	if (!pair)
		row[rows++].v = w->vgpr[address + 1] + first;
	for (unsigned k = 0; k < rows; k++) {
		const uint32_t *from = k < dwords ? a->data[k] : k == dwords ? a->lo : a->hi;
		for (uint32_t m = a->mask; m; m &= m - 1) {
			int l = __builtin_ctz(m);
			row[k].saved[l] = row[k].v[l];
			row[k].v[l] = from[l];
		}
	}
	uint64_t exec = cu_exec(w);
	cu_set_exec(w, (uint64_t)a->mask << first);
	const struct cu_rec *next = a->record->fn(w, a->record);
	cu_set_exec(w, exec);
	if ((uintptr_t)next < CU_STATUS_END)
		return (int)(uintptr_t)next;
	for (uint32_t m = a->mask; m; m &= m - 1) {
		int l = __builtin_ctz(m);
		for (unsigned k = 0; k < dwords; k++)
			a->data[k][l] = row[k].v[l];
		for (unsigned k = rows; k-- > 0;) /* one may be there twice */
			row[k].v[l] = row[k].saved[l];
	}
	return CU_STATUS_END;
}

/* --- images --- */

static const struct cu_rec *images(struct cu_wave *w, const struct cu_rec *r, uint32_t count, uint32_t loose)
{
	return CU_TABLE(cu_mimg_ops, r->pool->program->level)->run(w, r, count, loose);
}

static int image(struct cu_wave *w, const struct cu_rec *r, struct cu_mimg_slot *slots, uint32_t n)
{
	return CU_TABLE(cu_mimg_ops, r->pool->program->level)->slot(w, r, slots, n);
}

static void tile(struct cu_wave *w, struct cu_mimg_slot *slot, uint32_t (*rows)[CU_LANES], const struct cu_mimg_taps *taps)
{
	CU_TABLE(cu_mimg_ops, slot->record->pool->program->level)->tile(w, slot, rows, taps);
}

const struct cu_jit_helpers cu_jit_helpers = { buffer, scratch, scratch_fault, handlers, window, lanes, images, image, tile };
