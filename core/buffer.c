/* MUBUF without formats: loads and stores of bytes, shorts and 1 to 4 dwords,
 * atomics, loads to LDS. */
#include "core/buffer.h"
#include "core/atomics.h"
#include <string.h>

static uint32_t swizzled(uint32_t index, uint32_t offset, uint32_t stride, uint32_t elem_log2,
	uint32_t index_log2)
{
	uint32_t index_lo = index & ((1u << index_log2) - 1), index_hi = index >> index_log2;
	uint32_t off_lo = offset & ((1u << elem_log2) - 1), off_hi = offset >> elem_log2;
	return off_lo + (index_lo << elem_log2)
		+ ((index_hi * stride + (off_hi << elem_log2)) << index_log2);
}

void CU_FN(cu_buf_address)(const struct cu_wave *w, const struct gcn_inst *in,
	uint32_t soffset, struct buf_address *a)
{
	const uint32_t *v = &w->sgpr[in->src[1]];
	unsigned vaddr = in->src[0] & 255; /* unused when absent */
	const uint32_t *vindex = in->idxen ? w->vgpr[vaddr] : NULL;
	const uint32_t *voffset = in->offen ? w->vgpr[(vaddr + (in->idxen ? 1 : 0)) & 255] : NULL;
	uint32_t stride = ISA_GET(v, V_STRIDE), records = ISA_GET(v, V_NUM_RECORDS);
	bool tid = ISA_GET(v, V_TID_ENABLE), swizzle = ISA_GET(v, V_SWIZZLE_EN);
	uint32_t elem = 1 + ISA_GET(v, V_ELEM_SIZE), indices = 3 + ISA_GET(v, V_INDEX_STRIDE);

	a->v = v;
	a->base = (uintptr_t)(v_base(v) + soffset);
	a->index_ok = ~0ull;
	for (int l = 0; l < 64; l++)
		a->aoffset[l] = (uint32_t)in->offset + (voffset ? voffset[l] : 0);
	if (!vindex && !tid) {
		memcpy(a->offset, a->aoffset, sizeof(a->offset));
		a->limit = (stride ? (uint64_t)records * stride : records);
		a->limit = a->limit > soffset ? a->limit - soffset : 0;
		if (swizzle && stride)
			for (int l = 0; l < 64; l++)
				a->offset[l] = swizzled(0, a->aoffset[l], stride, elem, indices);
		return;
	}
	for (int l = 0; l < 64; l++) {
		uint32_t index = (vindex ? vindex[l] : 0) + (tid ? (uint32_t)l : 0);
		a->offset[l] = swizzle ? swizzled(index, a->aoffset[l], stride, elem, indices)
			: index * stride + a->aoffset[l];
		if (stride && index >= records)
			a->index_ok &= ~(1ull << l);
	}
	if (stride) {
		a->limit = stride;
		return;
	}
	a->limit = records > soffset ? records - soffset : 0;
	memcpy(a->aoffset, a->offset, sizeof(a->aoffset));
}

static inline uint32_t *vdata(struct cu_wave *w, const struct cu_rec *r, int i)
{
	return cu_dst(w, r) + 64 * i;
}
static inline void *at(const struct buf_address *a, int l, uint32_t offset, uintptr_t align)
{
	return (void *)((a->base + a->offset[l] + offset) & ~(align - 1));
}

/* Lanes of exec get 0 where they are out of range. */
static void load_dwords(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	uint64_t exec = cu_exec(w) & a.index_ok, out = cu_exec(w) & ~a.index_ok;
	for (unsigned i = 0; i < n; i++) {
		uint32_t *d = vdata(w, r, (int)i);
		CU_EACH(l, exec) {
			uint64_t o = (uint64_t)a.aoffset[l] + 4 * i;
			d[l] = o < a.limit ? *(const uint32_t *)at(&a, l, 4 * i, 4) : 0;
		}
		CU_EACH(l, out)
			d[l] = 0;
	}
}
static void store_dwords(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	uint64_t live = buf_live(w, &a);
	for (unsigned i = 0; i < n; i++) {
		const uint32_t *d = vdata(w, r, (int)i);
		CU_EACH(l, live) {
			if ((uint64_t)a.aoffset[l] + 4 * i < a.limit)
				*(uint32_t *)at(&a, l, 4 * i, 4) = d[l];
		}
	}
}

/* To LDS: dword l at M0[15:0] + 4 l; a narrower element is zero-extended. */
static const struct cu_rec *to_lds(struct cu_wave *w, const struct cu_rec *r,
	const uint32_t value[64])
{
	uint32_t base = (w->sgpr[124] & 0xffff) & ~3u;
	CU_EACH(l, cu_exec(w)) {
		uint32_t o = base + 4 * (uint32_t)l;
		if (o + 4 <= w->lds_bytes)
			memcpy(w->lds + o, &value[l], 4);
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
/* Value of every active lane, 0 out of range. */
static void gather_narrow(struct cu_wave *w, const struct cu_rec *r, enum narrow kind,
	uint32_t value[64])
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	memset(value, 0, 256);
	CU_EACH(l, buf_live(w, &a))
		value[l] = read_narrow(at(&a, l, 0, narrow_align(kind)), kind);
}
static const struct cu_rec *load_narrow(struct cu_wave *w, const struct cu_rec *r, enum narrow kind)
{
	uint32_t value[64], *d = vdata(w, r, 0);
	gather_narrow(w, r, kind, value);
	if (r->in->lds)
		return to_lds(w, r, value);
	CU_EACH(l, cu_exec(w))
		d[l] = value[l];
	return r + 1;
}
/* Into one half of the VGPR, the other is kept. */
static const struct cu_rec *load_d16(struct cu_wave *w, const struct cu_rec *r, enum narrow kind,
	unsigned shift)
{
	uint32_t value[64], *d = vdata(w, r, 0);
	gather_narrow(w, r, kind, value);
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
	CU_EACH(l, buf_live(w, &a)) {
		uint32_t x = d[l] >> shift;
		memcpy(at(&a, l, 0, bytes), &x, bytes);
	}
	return r + 1;
}

/* Data in vdata, for CMPSWAP followed by the compared value. */
static void atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op, bool wide)
{
	struct buf_address a;
	CU_FN(cu_buf_address)(w, r->in, cu_src32(w, r, 2), &a);
	uint32_t *d = vdata(w, r, 0);
	uint64_t live = buf_live(w, &a);
	CU_EACH(l, cu_exec(w)) {
		uint64_t old = 0;
		if (live >> l & 1 && wide)
			old = cu_atomic64(at(&a, l, 0, 8), op, (uint64_t)d[64 + l] << 32 | d[l],
				op == CU_ATOMIC_CMPSWAP ? (uint64_t)d[192 + l] << 32 | d[128 + l] : 0);
		else if (live >> l & 1)
			old = cu_atomic32(at(&a, l, 0, 4), op, d[l],
				op == CU_ATOMIC_CMPSWAP ? d[64 + l] : 0);
		if (!r->in->glc)
			continue;
		d[l] = (uint32_t)old;
		if (wide)
			d[64 + l] = (uint32_t)(old >> 32);
	}
}

#define MUBUF(NAME, STMT) \
	CU_HANDLER(h_##NAME) \
	{ \
		STMT; \
	} \
	CU_DIRECT(NAME)
#define LOAD(NAME, N) MUBUF(NAME, load_dwords(w, r, N); return r + 1)
#define STORE(NAME, N) MUBUF(NAME, store_dwords(w, r, N); return r + 1)
MUBUF(BUFFER_LOAD_DWORD,
	if (r->in->lds)
		return load_narrow(w, r, DWORD);
	load_dwords(w, r, 1);
	return r + 1);
LOAD(BUFFER_LOAD_DWORDX2, 2);
LOAD(BUFFER_LOAD_DWORDX3, 3);
LOAD(BUFFER_LOAD_DWORDX4, 4);
STORE(BUFFER_STORE_DWORD, 1);
STORE(BUFFER_STORE_DWORDX2, 2);
STORE(BUFFER_STORE_DWORDX3, 3);
STORE(BUFFER_STORE_DWORDX4, 4);
MUBUF(BUFFER_LOAD_UBYTE, return load_narrow(w, r, UBYTE));
MUBUF(BUFFER_LOAD_SBYTE, return load_narrow(w, r, SBYTE));
MUBUF(BUFFER_LOAD_USHORT, return load_narrow(w, r, USHORT));
MUBUF(BUFFER_LOAD_SSHORT, return load_narrow(w, r, SSHORT));
MUBUF(BUFFER_LOAD_UBYTE_D16, return load_d16(w, r, UBYTE, 0));
MUBUF(BUFFER_LOAD_UBYTE_D16_HI, return load_d16(w, r, UBYTE, 16));
MUBUF(BUFFER_LOAD_SBYTE_D16, return load_d16(w, r, SBYTE, 0));
MUBUF(BUFFER_LOAD_SBYTE_D16_HI, return load_d16(w, r, SBYTE, 16));
MUBUF(BUFFER_LOAD_SHORT_D16, return load_d16(w, r, USHORT, 0));
MUBUF(BUFFER_LOAD_SHORT_D16_HI, return load_d16(w, r, USHORT, 16));
MUBUF(BUFFER_STORE_BYTE, return store_narrow(w, r, 1, 0));
MUBUF(BUFFER_STORE_BYTE_D16_HI, return store_narrow(w, r, 1, 16));
MUBUF(BUFFER_STORE_SHORT, return store_narrow(w, r, 2, 0));
MUBUF(BUFFER_STORE_SHORT_D16_HI, return store_narrow(w, r, 2, 16));

#define ATOMIC(NAME) \
	MUBUF(BUFFER_ATOMIC_##NAME, atomic(w, r, CU_ATOMIC_##NAME, false); return r + 1); \
	MUBUF(BUFFER_ATOMIC_##NAME##_X2, atomic(w, r, CU_ATOMIC_##NAME, true); return r + 1)
ATOMIC(SWAP);
ATOMIC(CMPSWAP);
ATOMIC(ADD);
ATOMIC(SUB);
ATOMIC(SMIN);
ATOMIC(UMIN);
ATOMIC(SMAX);
ATOMIC(UMAX);
ATOMIC(AND);
ATOMIC(OR);
ATOMIC(XOR);
ATOMIC(INC);
ATOMIC(DEC);
