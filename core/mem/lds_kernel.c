/* SPDX-License-Identifier: MIT */
/* LDS: loads, stores, atomics.  A workgroup's waves run on one thread, so
 * atomics are plain.  gfx9 does not look at M0. */
#include <string.h>
#include "core/interp/interp.h"
#include "core/mem/atomics.h"
#include "core/mem/lanes.h"
#include "core/mem/lds.h"

/* n dwords at the address plus `offset`, to or from consecutive VGPRs. */
static inline uint64_t lds_inside(const struct cu_wave *w, const vu at[NV], uint32_t offset)
{
	uint64_t in;
	uint32_t limit = w->lds_bytes >= offset + 4 ? w->lds_bytes - offset - 3 : 0;
	LANE_BITS(in, i, u_gt(v_setu(limit), at[i]));
	return in & cu_exec(w);
}
static inline enum lane_shape lds_offsets(const struct cu_wave *w, const uint32_t *addr, uint32_t odd,
	vu at[NV])
{
	/* An address near 2^32 would wrap: it stays outside. */
	for (int i = 0; i < NV; i++)
		at[i] = (v_minu(((const vu *)addr)[i], v_setu(0xfffffff0)) + v_setu(odd)) & v_setu(~3u);
	return lane_shape(at, lds_inside(w, at, 0));
}
static inline void read_dwords(struct cu_wave *w, const uint32_t *addr, uint32_t offset,
	unsigned n, vu value[][NV])
{
	vu at[NV];
	memset(value, 0, n * sizeof(value[0]));
	enum lane_shape shape = lds_offsets(w, addr, offset & 3, at);
	for (unsigned i = 0; i < n; i++) {
		uint32_t add = (offset & ~3u) + 4 * i;
		lanes_load((const char *)w->lds, at, add, lds_inside(w, at, add), shape, value[i]);
	}
}
static inline void put_dwords(struct cu_wave *w, uint32_t *d, unsigned n, vu value[][NV])
{
	for (unsigned i = 0; i < n; i++)
		lanes_put(d + 64 * i, value[i], cu_exec(w));
}
static inline void write_dwords(struct cu_wave *w, const uint32_t *addr, uint32_t offset,
	unsigned n, const uint32_t *s)
{
	vu at[NV];
	enum lane_shape shape = lds_offsets(w, addr, offset & 3, at);
	uint64_t inside[4];
	for (unsigned i = 0; i < n; i++)
		inside[i] = lds_inside(w, at, (offset & ~3u) + 4 * i);
	if (n == 1)
		lanes_store((char *)w->lds, at, offset & ~3u, inside[0], shape, s);
	else
		lanes_store_wide((char *)w->lds + (offset & ~3u), at, 4, n, inside, s);
}
static const struct cu_rec *read1(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	vu value[4][NV]; /* the result may overlap the address */
	read_dwords(w, lds_vgpr(w, r->in, 0), (uint32_t)r->in->offset, n, value);
	put_dwords(w, cu_dst(w, r), n, value);
	return r + 1;
}
static const struct cu_rec *write1(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	write_dwords(w, lds_vgpr(w, r->in, 0), (uint32_t)r->in->offset, n, lds_vgpr(w, r->in, 1));
	return r + 1;
}
/* Two offsets in elements of n dwords, times 64 in the ST64 forms. */
static inline uint32_t pair_offset(const struct cu_rec *r, int which, unsigned n, unsigned scale)
{
	return ((uint32_t)r->in->offset >> (8 * which) & 255) * 4 * n * scale;
}
static const struct cu_rec *read2(struct cu_wave *w, const struct cu_rec *r, unsigned n, unsigned scale)
{
	vu value[4][NV];
	const uint32_t *addr = lds_vgpr(w, r->in, 0);
	read_dwords(w, addr, pair_offset(r, 0, n, scale), n, value);
	read_dwords(w, addr, pair_offset(r, 1, n, scale), n, value + n);
	put_dwords(w, cu_dst(w, r), 2 * n, value);
	return r + 1;
}
static const struct cu_rec *write2(struct cu_wave *w, const struct cu_rec *r, unsigned n, unsigned scale)
{
	const uint32_t *addr = lds_vgpr(w, r->in, 0);
	write_dwords(w, addr, pair_offset(r, 0, n, scale), n, lds_vgpr(w, r->in, 1));
	write_dwords(w, addr, pair_offset(r, 1, n, scale), n, lds_vgpr(w, r->in, 2));
	return r + 1;
}
static const struct cu_rec *exchange2(struct cu_wave *w, const struct cu_rec *r, unsigned n,
	unsigned scale)
{
	/* Lane by lane: an exchange sees those of the lanes before. */
	const uint32_t *addr = lds_vgpr(w, r->in, 0);
	vu value[4][NV];
	memset(value, 0, sizeof(value));
	CU_EACH(l, cu_exec(w)) {
		for (unsigned i = 0; i < 2 * n; i++) {
			int which = i >= n;
			unsigned c = i - (which ? n : 0);
			uint8_t *p = lds_at(w, (uint64_t)addr[l] + pair_offset(r, which, n, scale) + 4 * c, 4);
			if (!p)
				continue;
			memcpy((uint32_t *)value[i] + l, p, 4);
			memcpy(p, &lds_vgpr(w, r->in, 1 + which)[64 * c + l], 4);
		}
	}
	put_dwords(w, cu_dst(w, r), 2 * n, value);
	return r + 1;
}

/* Bytes and shorts; shift 32: the whole VGPR, else one half of it. */
static const struct cu_rec *read_narrow(struct cu_wave *w, const struct cu_rec *r, unsigned bytes,
	bool is_signed, unsigned shift)
{
	const uint32_t *addr = lds_vgpr(w, r->in, 0);
	uint32_t *d = cu_dst(w, r);
	CU_EACH(l, cu_exec(w)) {
		const uint8_t *p = lds_at(w, (uint64_t)addr[l] + (uint32_t)r->in->offset, bytes);
		uint32_t x = 0;
		if (p)
			memcpy(&x, p, bytes);
		if (is_signed)
			x = bytes == 1 ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x;
		d[l] = shift == 32 ? x : (d[l] & ~(0xffffu << shift)) | (x & 0xffff) << shift;
	}
	return r + 1;
}
static const struct cu_rec *write_narrow(struct cu_wave *w, const struct cu_rec *r, unsigned bytes,
	unsigned shift)
{
	const uint32_t *addr = lds_vgpr(w, r->in, 0), *s = lds_vgpr(w, r->in, 1);
	CU_EACH(l, cu_exec(w)) {
		uint8_t *p = lds_at(w, (uint64_t)addr[l] + (uint32_t)r->in->offset, bytes);
		uint32_t x = s[l] >> shift;
		if (p)
			memcpy(p, &x, bytes);
	}
	return r + 1;
}
/* By lane: M0[15:0] plus offset plus 4 times the lane. */
static inline uint64_t lane_offset(const struct cu_wave *w, const struct cu_rec *r, int l)
{
	return (w->sgpr[GCN_SRC_M0] & 0xffff) + (uint32_t)r->in->offset + 4 * (uint64_t)l;
}
static const struct cu_rec *by_lane(struct cu_wave *w, const struct cu_rec *r, bool write)
{
	const uint32_t *s = lds_vgpr(w, r->in, 1);
	CU_EACH(l, cu_exec(w)) {
		uint8_t *p = lds_at(w, lane_offset(w, r, l), 4);
		uint32_t x = 0;
		if (write) {
			if (p)
				memcpy(p, &s[l], 4);
			continue;
		}
		if (p)
			memcpy(&x, p, 4);
		cu_dst(w, r)[l] = x;
	}
	return r + 1;
}

/* DS_CMPST has the compared value first, DS_MSKOR the mask first. */
static inline const struct cu_rec *atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op,
	bool wide, bool returns)
{
	const uint32_t *addr = lds_vgpr(w, r->in, 0), *s = lds_vgpr(w, r->in, 1);
	const uint32_t *s2 = lds_vgpr(w, r->in, 2);
	bool swapped = op == CU_ATOMIC_CMPSWAP || op == CU_ATOMIC_FCMPSWAP;
	vu value[2][NV];
	memset(value, 0, sizeof(value));
	CU_EACH(l, cu_exec(w)) {
		uint8_t *p = lds_at(w, (uint64_t)addr[l] + (uint32_t)r->in->offset, wide ? 8 : 4);
		uint64_t a = s[l], b = s2[l], old = 0, now;
		if (wide) {
			a |= (uint64_t)s[64 + l] << 32;
			b |= (uint64_t)s2[64 + l] << 32;
		}
		if (p) {
			memcpy(&old, p, wide ? 8 : 4);
			now = wide ? cu_atomic_next64(op, old, swapped ? b : a, swapped ? a : b)
				: cu_atomic_next32(op, (uint32_t)old, (uint32_t)(swapped ? b : a),
					(uint32_t)(swapped ? a : b));
			memcpy(p, &now, wide ? 8 : 4);
		}
		((uint32_t *)value[0])[l] = (uint32_t)old;
		((uint32_t *)value[1])[l] = (uint32_t)(old >> 32);
	}
	if (returns)
		put_dwords(w, cu_dst(w, r), wide ? 2 : 1, value);
	return r + 1;
}

CU_DIRECT_CALL(DS_READ_B32, read1(w, r, 1));
CU_DIRECT_CALL(DS_READ_B64, read1(w, r, 2));
CU_DIRECT_CALL(DS_READ_B96, read1(w, r, 3));
CU_DIRECT_CALL(DS_READ_B128, read1(w, r, 4));
CU_DIRECT_CALL(DS_WRITE_B32, write1(w, r, 1));
CU_DIRECT_CALL(DS_WRITE_B64, write1(w, r, 2));
CU_DIRECT_CALL(DS_WRITE_B96, write1(w, r, 3));
CU_DIRECT_CALL(DS_WRITE_B128, write1(w, r, 4));
CU_DIRECT_CALL(DS_READ2_B32, read2(w, r, 1, 1));
CU_DIRECT_CALL(DS_READ2ST64_B32, read2(w, r, 1, 64));
CU_DIRECT_CALL(DS_READ2_B64, read2(w, r, 2, 1));
CU_DIRECT_CALL(DS_READ2ST64_B64, read2(w, r, 2, 64));
CU_DIRECT_CALL(DS_WRITE2_B32, write2(w, r, 1, 1));
CU_DIRECT_CALL(DS_WRITE2ST64_B32, write2(w, r, 1, 64));
CU_DIRECT_CALL(DS_WRITE2_B64, write2(w, r, 2, 1));
CU_DIRECT_CALL(DS_WRITE2ST64_B64, write2(w, r, 2, 64));
CU_DIRECT_CALL(DS_WRXCHG2_RTN_B32, exchange2(w, r, 1, 1));
CU_DIRECT_CALL(DS_WRXCHG2ST64_RTN_B32, exchange2(w, r, 1, 64));
CU_DIRECT_CALL(DS_WRXCHG2_RTN_B64, exchange2(w, r, 2, 1));
CU_DIRECT_CALL(DS_WRXCHG2ST64_RTN_B64, exchange2(w, r, 2, 64));
CU_DIRECT_CALL(DS_READ_I8, read_narrow(w, r, 1, true, 32));
CU_DIRECT_CALL(DS_READ_U8, read_narrow(w, r, 1, false, 32));
CU_DIRECT_CALL(DS_READ_I16, read_narrow(w, r, 2, true, 32));
CU_DIRECT_CALL(DS_READ_U16, read_narrow(w, r, 2, false, 32));
CU_DIRECT_CALL(DS_READ_U8_D16, read_narrow(w, r, 1, false, 0));
CU_DIRECT_CALL(DS_READ_U8_D16_HI, read_narrow(w, r, 1, false, 16));
CU_DIRECT_CALL(DS_READ_I8_D16, read_narrow(w, r, 1, true, 0));
CU_DIRECT_CALL(DS_READ_I8_D16_HI, read_narrow(w, r, 1, true, 16));
CU_DIRECT_CALL(DS_READ_U16_D16, read_narrow(w, r, 2, false, 0));
CU_DIRECT_CALL(DS_READ_U16_D16_HI, read_narrow(w, r, 2, false, 16));
CU_DIRECT_CALL(DS_WRITE_B8, write_narrow(w, r, 1, 0));
CU_DIRECT_CALL(DS_WRITE_B16, write_narrow(w, r, 2, 0));
CU_DIRECT_CALL(DS_WRITE_B8_D16_HI, write_narrow(w, r, 1, 16));
CU_DIRECT_CALL(DS_WRITE_B16_D16_HI, write_narrow(w, r, 2, 16));
CU_DIRECT_CALL(DS_READ_ADDTID_B32, by_lane(w, r, false));
CU_DIRECT_CALL(DS_WRITE_ADDTID_B32, by_lane(w, r, true));

#define DS_ATOMIC(NAME, T, OP, WIDE) \
	CU_DIRECT_CALL(DS_##NAME##_##T, atomic(w, r, CU_ATOMIC_##OP, WIDE, false)); \
	CU_DIRECT_CALL(DS_##NAME##_RTN_##T, atomic(w, r, CU_ATOMIC_##OP, WIDE, true))
#define DS_ATOMICS(BITS, WIDE) \
	DS_ATOMIC(ADD, U##BITS, ADD, WIDE); \
	DS_ATOMIC(SUB, U##BITS, SUB, WIDE); \
	DS_ATOMIC(RSUB, U##BITS, RSUB, WIDE); \
	DS_ATOMIC(INC, U##BITS, INC, WIDE); \
	DS_ATOMIC(DEC, U##BITS, DEC, WIDE); \
	DS_ATOMIC(MIN, I##BITS, SMIN, WIDE); \
	DS_ATOMIC(MAX, I##BITS, SMAX, WIDE); \
	DS_ATOMIC(MIN, U##BITS, UMIN, WIDE); \
	DS_ATOMIC(MAX, U##BITS, UMAX, WIDE); \
	DS_ATOMIC(AND, B##BITS, AND, WIDE); \
	DS_ATOMIC(OR, B##BITS, OR, WIDE); \
	DS_ATOMIC(XOR, B##BITS, XOR, WIDE); \
	DS_ATOMIC(MSKOR, B##BITS, MSKOR, WIDE); \
	DS_ATOMIC(CMPST, B##BITS, CMPSWAP, WIDE); \
	DS_ATOMIC(CMPST, F##BITS, FCMPSWAP, WIDE); \
	DS_ATOMIC(MIN, F##BITS, FMIN, WIDE); \
	DS_ATOMIC(MAX, F##BITS, FMAX, WIDE); \
	CU_DIRECT_CALL(DS_WRXCHG_RTN_B##BITS, atomic(w, r, CU_ATOMIC_SWAP, WIDE, true))
DS_ATOMICS(32, false);
DS_ATOMICS(64, true);
DS_ATOMIC(ADD, F32, FADD, false);
