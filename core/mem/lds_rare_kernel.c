/* SPDX-License-Identifier: MIT */
/* LDS operations beyond load, store and atomic: wrap, conditional exchange,
 * counters by wave, and the SRC2 forms, whose second operand is in LDS too.
 * Also the way to the GDS, which has the same opcodes. */
#include <string.h>
#include "core/interp/access.h"
#include "core/mem/atomics.h"
#include "core/mem/lds.h"

static inline uint64_t address_of(const struct cu_wave *w, const struct cu_rec *r, int l)
{
	return (uint64_t)lds_vgpr(w, r->in, 0)[l] + (uint32_t)r->in->offset;
}

/* old >= data ? old - data : old + data2 */
CU_HANDLER(h_DS_WRAP_RTN_B32)
{
	const uint32_t *data = lds_vgpr(w, r->in, 1), *data2 = lds_vgpr(w, r->in, 2);
	uint32_t result[64] = { 0 };
	CU_EACH(l, cu_exec(w)) {
		uint8_t *p = lds_at(w, address_of(w, r, l), 4);
		uint32_t old, now;
		if (!p)
			continue;
		memcpy(&old, p, 4);
		now = old >= data[l] ? old - data[l] : old + data2[l];
		memcpy(p, &now, 4);
		result[l] = old;
	}
	CU_EACH(l, cu_exec(w))
		cu_dst(w, r)[l] = result[l];
	return r + 1;
}
CU_DIRECT(DS_WRAP_RTN_B32);

/* Two dwords, each exchanged if its data has bit 31, which is not stored. */
CU_HANDLER(h_DS_CONDXCHG32_RTN_B64)
{
	uint32_t result[2][64] = { { 0 } };
	CU_EACH(l, cu_exec(w)) {
		for (int i = 0; i < 2; i++) {
			uint32_t data = lds_vgpr(w, r->in, 1)[64 * i + l], now = data & 0x7fffffff;
			uint8_t *p = lds_at(w, address_of(w, r, l) + 4 * (unsigned)i, 4);
			if (!p)
				continue;
			memcpy(&result[i][l], p, 4);
			if (data >> 31)
				memcpy(p, &now, 4);
		}
	}
	for (int i = 0; i < 2; i++)
		CU_EACH(l, cu_exec(w))
			cu_dst(w, r)[64 * i + l] = result[i][l];
	return r + 1;
}
CU_DIRECT(DS_CONDXCHG32_RTN_B64);

/* The dword at M0[15:0] plus offset changes by the number of active lanes;
 * each of them gets its former value. */
static const struct cu_rec *count_lanes(struct cu_wave *w, const struct cu_rec *r, uint32_t sign)
{
	uint64_t exec = cu_exec(w);
	uint8_t *p = lds_at(w, (w->sgpr[GCN_SRC_M0] & 0xffff) + (uint64_t)(uint32_t)r->in->offset, 4);
	uint32_t old = 0, now;
	if (p) {
		memcpy(&old, p, 4);
		now = old + sign * (uint32_t)__builtin_popcountll(exec);
		memcpy(p, &now, 4);
	}
	CU_EACH(l, exec)
		cu_dst(w, r)[l] = old;
	return r + 1;
}

/* A: the address; B: A plus 4 times a signed number, in the offset's bits 14:0
 * or, if its bit 15 is set, in the address' bits 31:17.  A becomes A op B. */
static inline const struct cu_rec *src2(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op,
	unsigned bytes)
{
	uint32_t offset = (uint32_t)r->in->offset & 0xffff;
	CU_EACH(l, cu_exec(w)) {
		uint32_t addr = lds_vgpr(w, r->in, 0)[l], a = offset & 0x8000 ? addr & 0x1ffff : addr;
		int32_t step = offset & 0x8000 ? (int32_t)addr >> 17 : (int32_t)(offset << 17) >> 17;
		uint8_t *pa = lds_at(w, a, bytes), *pb = lds_at(w, (uint16_t)(a + 4 * (uint32_t)step), bytes);
		uint64_t x = 0, y = 0;
		if (!pa)
			continue;
		memcpy(&x, pa, bytes);
		if (pb)
			memcpy(&y, pb, bytes);
		x = bytes == 8 ? cu_atomic_next64(op, x, y, 0)
			: cu_atomic_next32(op, (uint32_t)x, (uint32_t)y, 0);
		memcpy(pa, &x, bytes);
	}
	return r + 1;
}

CU_DIRECT_CALL(DS_APPEND, count_lanes(w, r, 1));
CU_DIRECT_CALL(DS_CONSUME, count_lanes(w, r, ~0u));

#define SRC2(NAME, T, OP) \
	CU_DIRECT_CALL(DS_##NAME##_SRC2_##T##32, src2(w, r, CU_ATOMIC_##OP, 4)); \
	CU_DIRECT_CALL(DS_##NAME##_SRC2_##T##64, src2(w, r, CU_ATOMIC_##OP, 8))
SRC2(ADD, U, ADD);
SRC2(SUB, U, SUB);
SRC2(RSUB, U, RSUB);
SRC2(INC, U, INC);
SRC2(DEC, U, DEC);
SRC2(MIN, I, SMIN);
SRC2(MAX, I, SMAX);
SRC2(MIN, U, UMIN);
SRC2(MAX, U, UMAX);
SRC2(AND, B, AND);
SRC2(OR, B, OR);
SRC2(XOR, B, XOR);
SRC2(WRITE, B, SWAP);
SRC2(MIN, F, FMIN);
SRC2(MAX, F, FMAX);
CU_DIRECT_CALL(DS_ADD_SRC2_F32, src2(w, r, CU_ATOMIC_FADD, 4));

/* The same on the GDS: M0[31:16] is the base, M0[15:0] the size, in bytes. */
const struct cu_rec *CU_FN(cu_gds_access)(struct cu_wave *w, const struct cu_rec *r)
{
	uint32_t m0 = w->sgpr[GCN_SRC_M0], base = m0 >> 16, size = m0 & 0xffff;
	uint32_t lds_bytes = w->lds_bytes;
	uint8_t *lds = w->lds;
	const struct cu_rec *next;
	if (!w->gds)
		return cu_fault(w, r, "this wave has no global data share");
	uint32_t left = base < w->gds_bytes ? w->gds_bytes - base : 0;
	w->lds_bytes = size < left ? size : left;
	w->lds = w->gds + (left ? base : 0);
	if (r->in->op == GCN_DS_APPEND || r->in->op == GCN_DS_CONSUME)
		w->sgpr[GCN_SRC_M0] = 0; /* the base is in already */
	next = r->op->direct(w, r);
	w->sgpr[GCN_SRC_M0] = m0;
	w->lds = lds;
	w->lds_bytes = lds_bytes;
	return next;
}

/* Before gfx9 M0 is a limit as well; APPEND and CONSUME use it otherwise. */
const struct cu_rec *CU_FN(cu_m0_access)(struct cu_wave *w, const struct cu_rec *r)
{
	uint32_t lds_bytes = w->lds_bytes, m0 = w->sgpr[GCN_SRC_M0];
	if (m0 < lds_bytes && r->in->op != GCN_DS_APPEND && r->in->op != GCN_DS_CONSUME)
		w->lds_bytes = m0;
	const struct cu_rec *next = r->op->direct(w, r);
	w->lds_bytes = lds_bytes;
	return next;
}
