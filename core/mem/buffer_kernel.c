/* SPDX-License-Identifier: MIT */
/* MUBUF without formats: loads and stores of bytes, shorts and 1 to 4 dwords,
 * atomics, loads to LDS. */
#include "core/mem/buffer.h"
#include "core/interp/access.h"
#include "core/journal.h"
#include "core/mem/atomic_lanes.h"
#include <string.h>

static vu swizzled(vu index, vu offset, uint32_t stride, uint32_t elem_log2, uint32_t index_log2)
{
	vu elem = v_setu(elem_log2), indices = v_setu(index_log2);
	vu index_lo = index & v_setu((1u << index_log2) - 1), index_hi = v_lshr(index, indices);
	vu off_lo = offset & v_setu((1u << elem_log2) - 1), off_hi = v_lshr(offset, elem);
	return off_lo + v_lshl(index_lo, elem)
		+ v_lshl(index_hi * v_setu(stride) + v_lshl(off_hi, elem), indices);
}

/* BASE + VGPR pair + inst offset + SGPR offset, without a range check: of the
 * one active lane. */
static void address64(const struct cu_wave *w, const struct gcn_inst *in, uint32_t soffset,
	struct buf_address *a)
{
	uint64_t exec = cu_exec(w);
	int l = exec ? __builtin_ctzll(exec) : 0; /* else nothing is live */
	const uint32_t *vaddr = w->vgpr[in->src[0] & 255];
	memset(a->offset, 0, sizeof(a->offset));
	memset(a->aoffset, 0, sizeof(a->aoffset));
	a->records = false;
	a->live = exec;
	a->base = (uintptr_t)(v_base(a->v) + soffset + (uint32_t)in->offset + ((uint64_t)vaddr[64 + l] << 32 | vaddr[l]));
	a->odd = a->base & 3;
	a->base -= a->odd;
	for (int i = 0; i < NV; i++)
		a->offset[i] = v_setu(a->odd);
	a->limit = 1ull << 48;
	a->span = 1ull << 48;
}
/* addr64, lane by lane. */
const struct cu_rec *CU_FN(cu_addr64_access)(struct cu_wave *w, const struct cu_rec *r)
{
	uint64_t exec = cu_exec(w);
	const struct cu_rec *next = r + 1;
	CU_EACH(l, exec) {
		cu_set_exec(w, 1ull << l);
		if (next == r + 1)
			next = r->in->tfe ? CU_FN(cu_tfe_access)(w, r) : r->op->direct(w, r);
	}
	cu_set_exec(w, exec);
	return next;
}

void CU_FN(cu_buf_address)(const struct cu_wave *w, const struct gcn_inst *in,
	uint32_t soffset, struct buf_address *a)
{
	const uint32_t *v = &w->sgpr[in->src[1]];
	unsigned vaddr = in->src[0] & 255; /* unused when absent */
	const vu *vindex = in->idxen ? (const vu *)w->vgpr[vaddr] : NULL;
	const vu *voffset = in->offen ? (const vu *)w->vgpr[(vaddr + (in->idxen ? 1 : 0)) & 255] : NULL;
	uint32_t stride = ISA_GET(v, V_STRIDE), records = ISA_GET(v, V_NUM_RECORDS);
	bool tid = ISA_GET(v, V_TID_ENABLE), swizzle = ISA_GET(v, V_SWIZZLE_EN);
	uint32_t elem = 1 + ISA_GET(v, V_ELEM_SIZE), indices = 3 + ISA_GET(v, V_INDEX_STRIDE);
	bool indexed = vindex || tid;
	uint64_t index_ok = ~0ull, size = stride ? (uint64_t)records * stride : records;

	a->v = v;
	a->alike = false;
	if (in->addr64) {
		address64(w, in, soffset, a);
		return;
	}
	a->records = indexed && stride;
	a->live = cu_exec(w);
	a->base = (uintptr_t)(v_base(v) + soffset);
	a->odd = a->base & 3;
	a->base -= a->odd;
	const bool plain = vindex && stride && !voffset && !tid && !swizzle;
	if (plain) { /* records by their index: texels and vertices */
		a->alike = true;
		vm out = m_none();
		for (int i = 0; i < NV; i++) {
			out = m_or(out, m_not(u_gt(v_setu(records), vindex[i])));
			a->aoffset[i] = v_setu((uint32_t)in->offset);
			a->offset[i] = vindex[i] * v_setu(stride) + v_setu((uint32_t)in->offset + a->odd);
		}
		for (int i = 0; i < NV && m_bits(out); i++)
			index_ok &= ~((uint64_t)m_bits(m_not(u_gt(v_setu(records), vindex[i]))) << (i * VL));
	}
	for (int i = 0; i < NV && !plain; i++) {
		vu offset = v_setu((uint32_t)in->offset) + (voffset ? voffset[i] : v_setu(0));
		vu index = vindex ? vindex[i] : v_setu(0);
		if (tid)
			index += lane_times4(i) >> 2;
		vu at = swizzle ? swizzled(index, offset, stride, elem, indices)
			: indexed ? index * v_setu(stride) + offset : offset;
		if (indexed && stride)
			index_ok &= ~((uint64_t)m_bits(m_not(u_gt(v_setu(records), index))) << (i * VL));
		a->aoffset[i] = stride ? offset : at;
		a->offset[i] = at + v_setu(a->odd);
	}
	a->live &= index_ok;
	a->limit = indexed && stride ? stride : size > soffset ? size - soffset : 0;
	a->span = swizzle ? 1ull << 48 : ((indexed && stride ? size : a->limit) + a->odd + 3) & ~3ull;
}

bool CU_FN(cu_buf_mapped)(struct cu_wave *w, const struct buf_address *a, unsigned bytes, bool dwords,
	uint64_t *bad)
{
	for (unsigned i = 0; i < (dwords ? (bytes + 3) / 4 : 1); i++) {
		CU_EACH(l, dwords ? buf_inside(a, i) : buf_inside_whole(a, bytes)) {
			uint64_t at = a->base + ((const uint32_t *)a->offset)[l] + 4 * i;
			uint64_t first = at & ~(bytes >= 8 && !dwords ? 7ull : 3ull);
			uint64_t n = (at + (dwords ? 1 : bytes) - first + 3) & ~3ull;
			*bad = at;
			if (!cu_mapped(w, first, n))
				return false;
		}
	}
	return true;
}
const struct cu_rec *CU_FN(cu_buf_unmapped)(struct cu_wave *w, const struct cu_rec *r,
	const struct buf_address *a, unsigned bytes, bool dwords)
{
	uint64_t bad = 0;
	CU_FN(cu_buf_mapped)(w, a, bytes, dwords, &bad);
	return cu_fault_access(w, r, bad, dwords ? 4 : bytes);
}

static inline uint32_t *vdata(struct cu_wave *w, const struct cu_rec *r, int i)
{
	return cu_dst(w, r) + 64 * i;
}
static inline void *at(const struct buf_address *a, int l, uintptr_t align)
{
	return (void *)((a->base + ((const uint32_t *)a->offset)[l]) & ~(align - 1));
}

/* Active lanes get 0 where they are out of range. */
static inline const struct cu_rec *load_dwords(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	vu offset[NV], x[NV];
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (!buf_mapped(w, &a, 4 * n, true))
		return CU_FN(cu_buf_unmapped)(w, r, &a, 4 * n, true);
	enum lane_shape shape = buf_dwords(&a, offset);
	uint64_t exec = cu_exec(w);
	for (unsigned i = 0; i < n; i++) {
		lanes_load((const char *)a.base, offset, 4 * i, buf_inside(&a, i), shape, x);
		lanes_put(vdata(w, r, (int)i), x, exec);
	}
	return r + 1;
}
static inline const struct cu_rec *store_dwords(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	vu offset[NV];
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (!buf_mapped(w, &a, 4 * n, true))
		return CU_FN(cu_buf_unmapped)(w, r, &a, 4 * n, true);
	enum lane_shape shape = buf_dwords(&a, offset);
	uint64_t inside[4];
	for (unsigned i = 0; i < n; i++) {
		inside[i] = buf_inside(&a, i);
		cu_note_lanes(w, r->pc, (char *)a.base, offset, 4 * i, inside[i]);
	}
	if (n == 1)
		lanes_store((char *)a.base, offset, 0, inside[0], shape, vdata(w, r, 0));
	else
		lanes_store_wide((char *)a.base, offset, 4, n, inside, vdata(w, r, 0));
	return r + 1;
}

/* A narrower element is zero-extended, whatever the opcode says of VGPRs. */
static const struct cu_rec *to_lds(struct cu_wave *w, const struct cu_rec *r,
	const uint32_t value[64], uint32_t mask)
{
	CU_EACH(l, cu_exec(w)) {
		uint8_t *p = buf_lds(w, r, (unsigned)l);
		uint32_t x = value[l] & mask;
		if (p)
			memcpy(p, &x, 4);
	}
	return r + 1;
}
/* The way back: LDS where a load would write it, 0 beyond the LDS. */
static const struct cu_rec *from_lds(struct cu_wave *w, const struct cu_rec *r)
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (!buf_mapped(w, &a, 4, true))
		return CU_FN(cu_buf_unmapped)(w, r, &a, 4, true);
	CU_EACH(l, buf_inside(&a, 0)) {
		const uint8_t *p = buf_lds(w, r, (unsigned)l);
		uint32_t x = 0;
		if (p)
			memcpy(&x, p, 4);
		cu_note_store(w, r->pc, at(&a, l, 4), 4);
		memcpy(at(&a, l, 4), &x, 4);
	}
	return r + 1;
}

enum narrow { UBYTE, SBYTE, USHORT, SSHORT, DWORD };
static inline uint32_t read_narrow(const void *p, enum narrow kind)
{
	switch (kind) {
	case UBYTE: return *(const uint8_t *)p;
	case SBYTE: return (uint32_t)*(const int8_t *)p;
	case USHORT: return *(const uint16_t *)p;
	case SSHORT: return (uint32_t)*(const int16_t *)p;
	default: return *(const uint32_t *)p;
	}
}
static inline uintptr_t narrow_align(enum narrow kind)
{
	return kind == DWORD ? 4 : kind >= USHORT ? 2 : 1;
}
/* Value of every active lane, 0 out of range; r + 1, or a fault. */
static const struct cu_rec *gather_narrow(struct cu_wave *w, const struct cu_rec *r, enum narrow kind,
	uint32_t value[64])
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	if (!buf_mapped(w, &a, 4, true))
		return CU_FN(cu_buf_unmapped)(w, r, &a, 4, true);
	memset(value, 0, 256);
	CU_EACH(l, buf_inside(&a, 0))
		value[l] = read_narrow(at(&a, l, narrow_align(kind)), kind);
	return r + 1;
}
static const struct cu_rec *load_narrow(struct cu_wave *w, const struct cu_rec *r, enum narrow kind)
{
	uint32_t value[64], *d = vdata(w, r, 0);
	const struct cu_rec *next = gather_narrow(w, r, kind, value);
	if (next != r + 1)
		return next;
	if (r->in->lds)
		return to_lds(w, r, value, kind == DWORD ? ~0u : kind >= USHORT ? 0xffff : 0xff);
	CU_EACH(l, cu_exec(w))
		d[l] = value[l];
	return next;
}
/* Into one half of the VGPR, the other is kept. */
static const struct cu_rec *load_d16(struct cu_wave *w, const struct cu_rec *r, enum narrow kind,
	unsigned shift)
{
	uint32_t value[64], *d = vdata(w, r, 0);
	const struct cu_rec *next = gather_narrow(w, r, kind, value);
	if (next != r + 1)
		return next;
	CU_EACH(l, cu_exec(w))
		d[l] = (d[l] & ~(0xffffu << shift)) | (value[l] & 0xffff) << shift;
	return r + 1;
}
static const struct cu_rec *store_narrow(struct cu_wave *w, const struct cu_rec *r, unsigned bytes,
	unsigned shift)
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	const uint32_t *d = vdata(w, r, 0);
	if (!buf_mapped(w, &a, 4, true))
		return CU_FN(cu_buf_unmapped)(w, r, &a, 4, true);
	CU_EACH(l, buf_inside(&a, 0)) {
		uint32_t x = d[l] >> shift;
		cu_note_store(w, r->pc, at(&a, l, bytes), bytes);
		memcpy(at(&a, l, bytes), &x, bytes);
	}
	return r + 1;
}

/* Data in vdata, for CMPSWAP followed by the compared value. */
static const struct cu_rec *atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op, bool wide)
{
	const unsigned bytes = wide ? 8 : 4;
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	uint32_t *d = vdata(w, r, 0);
	struct cu_atomic_lanes lanes = { .op = op, .wide = wide, .data = d, .old = r->in->glc ? d : NULL, .exec = cu_exec(w) };
	lanes.live = buf_inside_whole(&a, bytes);
	if (!buf_mapped(w, &a, bytes, false))
		return CU_FN(cu_buf_unmapped)(w, r, &a, bytes, false);
	CU_EACH(l, lanes.live)
		lanes.at[l] = at(&a, l, bytes);
	cu_atomic_wave(w, r->pc, &lanes);
	return r + 1;
}

/* Around a load with tfe: all memory is resident, so the status is 0. */
const struct cu_rec *CU_FN(cu_tfe_access)(struct cu_wave *w, const struct cu_rec *r)
{
	const struct cu_rec *next = r->op->direct(w, r);
	uint32_t *d = vdata(w, r, gcn_op_info((enum gcn_op)r->in->op)->dst_dw);
	if (next == r + 1)
		CU_EACH(l, cu_exec(w))
			d[l] = 0;
	return next;
}

CU_DIRECT_CALL(BUFFER_LOAD_DWORD, r->in->lds ? load_narrow(w, r, DWORD) : load_dwords(w, r, 1));
CU_DIRECT_CALL(BUFFER_STORE_LDS_DWORD, from_lds(w, r));
CU_DIRECT_CALL(BUFFER_LOAD_DWORDX2, load_dwords(w, r, 2));
CU_DIRECT_CALL(BUFFER_LOAD_DWORDX3, load_dwords(w, r, 3));
CU_DIRECT_CALL(BUFFER_LOAD_DWORDX4, load_dwords(w, r, 4));
CU_DIRECT_CALL(BUFFER_STORE_DWORD, store_dwords(w, r, 1));
CU_DIRECT_CALL(BUFFER_STORE_DWORDX2, store_dwords(w, r, 2));
CU_DIRECT_CALL(BUFFER_STORE_DWORDX3, store_dwords(w, r, 3));
CU_DIRECT_CALL(BUFFER_STORE_DWORDX4, store_dwords(w, r, 4));
CU_DIRECT_CALL(BUFFER_LOAD_UBYTE, load_narrow(w, r, UBYTE));
CU_DIRECT_CALL(BUFFER_LOAD_SBYTE, load_narrow(w, r, SBYTE));
CU_DIRECT_CALL(BUFFER_LOAD_USHORT, load_narrow(w, r, USHORT));
CU_DIRECT_CALL(BUFFER_LOAD_SSHORT, load_narrow(w, r, SSHORT));
CU_DIRECT_CALL(BUFFER_LOAD_UBYTE_D16, load_d16(w, r, UBYTE, 0));
CU_DIRECT_CALL(BUFFER_LOAD_UBYTE_D16_HI, load_d16(w, r, UBYTE, 16));
CU_DIRECT_CALL(BUFFER_LOAD_SBYTE_D16, load_d16(w, r, SBYTE, 0));
CU_DIRECT_CALL(BUFFER_LOAD_SBYTE_D16_HI, load_d16(w, r, SBYTE, 16));
CU_DIRECT_CALL(BUFFER_LOAD_SHORT_D16, load_d16(w, r, USHORT, 0));
CU_DIRECT_CALL(BUFFER_LOAD_SHORT_D16_HI, load_d16(w, r, USHORT, 16));
CU_DIRECT_CALL(BUFFER_STORE_BYTE, store_narrow(w, r, 1, 0));
CU_DIRECT_CALL(BUFFER_STORE_BYTE_D16_HI, store_narrow(w, r, 1, 16));
CU_DIRECT_CALL(BUFFER_STORE_SHORT, store_narrow(w, r, 2, 0));
CU_DIRECT_CALL(BUFFER_STORE_SHORT_D16_HI, store_narrow(w, r, 2, 16));

#define ATOMIC(NAME) \
	CU_DIRECT_CALL(BUFFER_ATOMIC_##NAME, atomic(w, r, CU_ATOMIC_##NAME, false)); \
	CU_DIRECT_CALL(BUFFER_ATOMIC_##NAME##_X2, atomic(w, r, CU_ATOMIC_##NAME, true))
CU_ATOMICS(ATOMIC);
/* gfx6 and gfx7. */
ATOMIC(FCMPSWAP);
ATOMIC(FMIN);
ATOMIC(FMAX);
