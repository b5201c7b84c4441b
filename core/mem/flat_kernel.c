/* SPDX-License-Identifier: MIT */
/* FLAT, GLOBAL and SCRATCH.  FLAT addresses are global ones but for the two
 * apertures of isa/abi.h: LDS (out of range as there: 0, not written) and
 * scratch.  Scratch begins at FLAT_SCRATCH, is laid out as isa/abi.h says and
 * ends with the wave's share.  Global addresses are checked (core/memory.h). */
#include "core/interp/interp.h"
#include "core/interp/value.h"
#include "core/journal.h"
#include "core/mem/atomic_lanes.h"
#include "core/mem/buffer.h"
#include "core/mem/lanes.h"
#include "core/memory.h"
#include "isa/abi.h"

/* Where lane l's dword or narrower element is; NULL with *bad set beyond. */
struct flat {
	const uint32_t *lo, *hi; /* address VGPRs; NULL: none */
	uint64_t base;
	bool scratch;
	bool apertures;
	struct cu_wave *w;
	uint64_t skip; /* scratch bytes before FLAT_SCRATCH */
	uint64_t bad; /* the first address that is none; bit 63 keeps it from being 0 */
};

static struct flat addresses(struct cu_wave *w, const struct cu_rec *r)
{
	const struct gcn_inst *in = r->in;
	struct flat f = { .w = w, .scratch = in->fmt == GCN_SCRATCH, .apertures = in->fmt == GCN_FLAT };
	bool saddr = in->src[2] < 128;
	f.skip = cu_load64(&w->sgpr[GCN_SRC_FLAT_SCRATCH]) - (uintptr_t)w->scratch;
	f.base = (uint64_t)(int64_t)in->offset;
	if (in->src[0] >= 256 && in->src[0] < 512) {
		f.lo = w->vgpr[in->src[0] - 256];
		if (!saddr && !f.scratch)
			f.hi = f.lo + 64;
	}
	if (saddr)
		f.base += f.scratch ? w->sgpr[in->src[2]] : cu_load64(&w->sgpr[in->src[2]]);
	if (saddr && f.scratch)
		f.lo = NULL;
	return f;
}
static void *bad_address(struct flat *f, uint64_t a)
{
	if (!f->bad)
		f->bad = a | 1ull << 63;
	return NULL;
}
static void *scratch_at(struct flat *f, int l, uint32_t o, unsigned bytes)
{
	uint64_t size = f->w->scratch_bytes, at = (uint64_t)(o / 4) * 256 + 4 * (uint64_t)l + o % 4;
	if (f->skip <= size && at + bytes <= size - f->skip) {
		cu_scratch_written(f->w, f->skip + at + bytes - 1);
		return f->w->scratch + f->skip + at;
	}
	return bad_address(f, ABI_PRIVATE_BASE | o);
}
/* Dword i of the element, `bytes` of it used. */
static inline void *flat_at(struct flat *f, int l, unsigned i, unsigned bytes)
{
	uint64_t a = f->base + (f->lo ? f->lo[l] : 0) + (f->hi ? (uint64_t)f->hi[l] << 32 : 0) + 4 * i;
	a &= ~(uint64_t)(bytes - 1);
	if (f->scratch)
		return scratch_at(f, l, (uint32_t)a, bytes);
	if (f->apertures && a >> 32 == ABI_PRIVATE_BASE >> 32)
		return scratch_at(f, l, (uint32_t)a, bytes);
	if (f->apertures && a >> 32 == ABI_SHARED_BASE >> 32) {
		uint64_t o = (uint32_t)a;
		return o + bytes <= f->w->lds_bytes ? f->w->lds + o : NULL;
	}
	return cu_mapped(f->w, a, bytes) ? (void *)(uintptr_t)a : bad_address(f, a);
}
static const struct cu_rec *done(struct cu_wave *w, const struct cu_rec *r, const struct flat *f)
{
	uint64_t a = f->bad & ~(1ull << 63);
	if (!f->bad)
		return r + 1;
	if (a >> 32 == ABI_PRIVATE_BASE >> 32)
		return cu_fault(w, r, "scratch offset %u is outside %u bytes a wave", (uint32_t)a,
			w->scratch_bytes);
	return cu_fault_access(w, r, a, 4);
}

/* Whole vectors move when every active lane is within 31 bits of `base`: */
struct flat_near {
	char *base;
	vu offset[NV];
	uint32_t step; /* bytes from a lane's dword to its next */
	enum lane_shape shape;
};

/* Scratch: all active lanes inside. */
static inline bool near_scratch(const struct flat *f, uint64_t exec, unsigned n, struct flat_near *p)
{
	uint64_t size = f->w->scratch_bytes;
	uint32_t rows, base = (uint32_t)f->base;
	uint64_t in;
	if (f->skip > size || size >> 31)
		return false;
	rows = (uint32_t)(size - f->skip) / 256;
	if (rows < n)
		return false;
	vu limit = v_setu(rows - n + 1);
	for (int i = 0; i < NV; i++)
		p->offset[i] = (f->lo ? ((const vu *)f->lo)[i] : v_setu(0)) + v_setu(base);
	LANE_BITS(in, i, u_gt(limit, p->offset[i] >> 2));
	for (int i = 0; i < NV; i++)
		p->offset[i] = (p->offset[i] >> 2 << 8) + lane_times4(i);
	p->base = (char *)f->w->scratch + f->skip;
	p->step = 256;
	p->shape = lane_shape(p->offset, exec);
	return (exec & ~in) == 0;
}
/* Notes n rows of those that near_scratch found. */
static inline void note_rows(const struct flat *f, uint64_t exec, unsigned n, const struct flat_near *p)
{
	vi most = v_set(0);
	for (int i = 0; i < NV; i++)
		most = v_max(most, (vi)m_sel(m_part(exec, i), p->offset[i], v_setu(0)));
	most += v_set((int32_t)f->skip + CU_SCRATCH_ROW * ((int32_t)n - 1));
	v_store(f->w->scratch_high, v_max(most, v_load(f->w->scratch_high)));
}
/* Lowest and highest offset of the lanes in exec; the first one's is 0. */
static inline void extent(const vu offset[NV], uint64_t exec, int64_t *lo, int64_t *hi)
{
	vu a = v_setu(0), b = v_setu(0);
	for (int i = 0; i < NV; i++) {
		vu x = exec == ~0ull ? offset[i] : m_sel(m_part(exec, i), offset[i], v_setu(0));
		a = min_i(a, x);
		b = max_i(b, x);
	}
	*lo = v_least((vi)a);
	*hi = ~(int64_t)v_least((vi)~b);
}
/* Distances from the first active lane's address. */
static inline bool near_global(struct flat *f, uint64_t exec, unsigned n, struct flat_near *p)
{
	int first = __builtin_ctzll(exec);
	uint32_t lo0 = f->lo ? f->lo[first] : 0, hi0 = f->hi ? f->hi[first] : 0;
	uint64_t a = f->base + lo0 + ((uint64_t)hi0 << 32), ok = ~0ull;
	int64_t lo = 0, hi = 0;
	/* Rounding to dwords commutes when the first address is a dword's. */
	if (a % 4 || a < CU_LOWEST + (1ull << 31) || a >= (1ull << 47) - (1ull << 31))
		return false;
	for (int i = 0; i < NV; i++)
		p->offset[i] = f->lo ? (((const vu *)f->lo)[i] - v_setu(lo0)) & v_setu(~3u) : v_setu(0);
	if (f->hi) /* the high halves differ by the borrow and the sign only */
		LANE_BITS(ok, i, i_eq(((const vu *)f->hi)[i] - v_setu(hi0)
			- m_sel(u_gt(v_setu(lo0), ((const vu *)f->lo)[i]), v_setu(1), v_setu(0)),
			(vu)((vi)p->offset[i] >> 31)));
	else if (f->lo)
		LANE_BITS(ok, i, m_not(m_sign(((const vu *)f->lo)[i] | v_setu(lo0))));
	if (exec & ~ok)
		return false;
	p->shape = lane_shape(p->offset, exec);
	if (p->shape == LANES_ROW)
		hi = 252;
	else if (p->shape != LANES_ONE)
		extent(p->offset, exec, &lo, &hi);
	p->base = (char *)(uintptr_t)a;
	p->step = 4;
	return cu_mapped(f->w, a + (uint64_t)lo, (uint64_t)(hi - lo) + 4 * n);
}
static inline bool near(struct flat *f, uint64_t exec, unsigned n, struct flat_near *p)
{
	if (!exec)
		return false;
	return f->scratch ? near_scratch(f, exec, n, p) : near_global(f, exec, n, p);
}
static inline const struct cu_rec *load(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct flat f = addresses(w, r);
	struct flat_near p;
	vu value[4][NV];
	uint64_t exec = cu_exec(w);
	if (near(&f, exec, n, &p)) {
		/* Gathers sign-extend: what is far for others is near here. */
		for (unsigned i = 0; i < n; i++)
			lanes_load(p.base, p.offset, p.step * i, exec,
				p.shape == LANES_FAR ? LANES_ANY : p.shape, value[i]);
	} else {
		memset(value, 0, sizeof(value));
		CU_EACH(l, exec) {
			for (unsigned i = 0; i < n; i++) {
				const void *q = flat_at(&f, l, i, 4);
				((uint32_t *)value[i])[l] = q ? *(const uint32_t *)q : 0;
			}
		}
	}
	for (unsigned i = 0; i < n; i++) /* the result may overlap the address */
		lanes_put(cu_dst(w, r) + 64 * i, value[i], exec);
	return done(w, r, &f);
}
static inline const struct cu_rec *store(struct cu_wave *w, const struct cu_rec *r, unsigned n)
{
	struct flat f = addresses(w, r);
	struct flat_near p;
	const uint32_t *s = w->vgpr[r->in->src[1] - 256];
	uint64_t exec = cu_exec(w);
	enum lane_shape shape = near(&f, exec, n, &p) ? p.shape : LANES_FAR;
	if (shape != LANES_FAR) {
		const uint64_t all[4] = { exec, exec, exec, exec };
		if (f.scratch)
			note_rows(&f, exec, n, &p);
		for (unsigned i = 0; i < n; i++)
			cu_note_lanes(w, r->pc, p.base, p.offset, p.step * i, exec);
		for (unsigned i = 0; i < n && (n == 1 || f.scratch); i++) /* lanes do not meet in scratch */
			lanes_store(p.base, p.offset, p.step * i, exec, shape, s + 64 * i);
		if (n > 1 && !f.scratch)
			lanes_store_wide(p.base, p.offset, p.step, n, all, s);
		return r + 1;
	}
	CU_EACH(l, exec) {
		for (unsigned i = 0; i < n; i++) {
			void *q = flat_at(&f, l, i, 4);
			if (!q)
				continue;
			cu_note_store(w, r->pc, q, 4);
			*(uint32_t *)q = s[64 * i + l];
		}
	}
	return done(w, r, &f);
}
/* To LDS, where buffer loads write it (core/mem/buffer.h); 8 and 16 bits are zero-extended. */
static const struct cu_rec *load_to_lds(struct cu_wave *w, const struct cu_rec *r, unsigned bytes)
{
	struct flat f = addresses(w, r);
	CU_EACH(l, cu_exec(w)) {
		const void *p = flat_at(&f, l, 0, bytes);
		uint8_t *to = buf_lds(w, r, (unsigned)l);
		uint32_t x = 0;
		if (p)
			memcpy(&x, p, bytes);
		if (to)
			memcpy(to, &x, 4);
	}
	return done(w, r, &f);
}
/* 8 or 16 bits into bits [shift, shift + 16) or, with shift 32, the whole. */
static const struct cu_rec *load_narrow(struct cu_wave *w, const struct cu_rec *r, unsigned bytes,
	bool is_signed, unsigned shift)
{
	if (r->in->lds)
		return load_to_lds(w, r, bytes);
	struct flat f = addresses(w, r);
	uint32_t *d = cu_dst(w, r);
	CU_EACH(l, cu_exec(w)) {
		const void *p = flat_at(&f, l, 0, bytes);
		uint32_t x = 0;
		if (p)
			memcpy(&x, p, bytes);
		if (is_signed)
			x = bytes == 1 ? (uint32_t)(int8_t)x : (uint32_t)(int16_t)x;
		d[l] = shift == 32 ? x : (d[l] & ~(0xffffu << shift)) | (x & 0xffff) << shift;
	}
	return done(w, r, &f);
}
static const struct cu_rec *store_narrow(struct cu_wave *w, const struct cu_rec *r, unsigned bytes,
	unsigned shift)
{
	struct flat f = addresses(w, r);
	const uint32_t *s = w->vgpr[r->in->src[1] - 256];
	CU_EACH(l, cu_exec(w)) {
		void *p = flat_at(&f, l, 0, bytes);
		uint32_t x = s[l] >> shift;
		if (!p)
			continue;
		cu_note_store(w, r->pc, p, bytes);
		memcpy(p, &x, bytes);
	}
	return done(w, r, &f);
}
static const struct cu_rec *atomic(struct cu_wave *w, const struct cu_rec *r, enum cu_atomic op, bool wide)
{
	struct flat f = addresses(w, r);
	struct cu_atomic_lanes lanes = { .op = op, .wide = wide, .data = w->vgpr[r->in->src[1] - 256],
		.old = r->in->glc ? cu_dst(w, r) : NULL, .exec = cu_exec(w) };
	CU_EACH(l, cu_exec(w)) {
		lanes.at[l] = flat_at(&f, l, 0, wide ? 8 : 4);
		lanes.live |= lanes.at[l] ? 1ull << l : 0;
	}
	cu_atomic_wave(w, r->pc, &lanes);
	return done(w, r, &f);
}

#define ALL(SUFFIX, CALL) \
	CU_DIRECT_CALL(FLAT_##SUFFIX, CALL); \
	CU_DIRECT_CALL(GLOBAL_##SUFFIX, CALL); \
	CU_DIRECT_CALL(SCRATCH_##SUFFIX, CALL)
ALL(LOAD_DWORD, r->in->lds ? load_to_lds(w, r, 4) : load(w, r, 1));
ALL(LOAD_DWORDX2, load(w, r, 2));
ALL(LOAD_DWORDX3, load(w, r, 3));
ALL(LOAD_DWORDX4, load(w, r, 4));
ALL(STORE_DWORD, store(w, r, 1));
ALL(STORE_DWORDX2, store(w, r, 2));
ALL(STORE_DWORDX3, store(w, r, 3));
ALL(STORE_DWORDX4, store(w, r, 4));
ALL(LOAD_UBYTE, load_narrow(w, r, 1, false, 32));
ALL(LOAD_SBYTE, load_narrow(w, r, 1, true, 32));
ALL(LOAD_USHORT, load_narrow(w, r, 2, false, 32));
ALL(LOAD_SSHORT, load_narrow(w, r, 2, true, 32));
ALL(LOAD_UBYTE_D16, load_narrow(w, r, 1, false, 0));
ALL(LOAD_UBYTE_D16_HI, load_narrow(w, r, 1, false, 16));
ALL(LOAD_SBYTE_D16, load_narrow(w, r, 1, true, 0));
ALL(LOAD_SBYTE_D16_HI, load_narrow(w, r, 1, true, 16));
ALL(LOAD_SHORT_D16, load_narrow(w, r, 2, false, 0));
ALL(LOAD_SHORT_D16_HI, load_narrow(w, r, 2, false, 16));
ALL(STORE_BYTE, store_narrow(w, r, 1, 0));
ALL(STORE_BYTE_D16_HI, store_narrow(w, r, 1, 16));
ALL(STORE_SHORT, store_narrow(w, r, 2, 0));
ALL(STORE_SHORT_D16_HI, store_narrow(w, r, 2, 16));

#define FLAT_ATOMIC(OP) \
	CU_DIRECT_CALL(FLAT_ATOMIC_##OP, atomic(w, r, CU_ATOMIC_##OP, false)); \
	CU_DIRECT_CALL(FLAT_ATOMIC_##OP##_X2, atomic(w, r, CU_ATOMIC_##OP, true))
#define ATOMIC(OP) \
	FLAT_ATOMIC(OP); \
	CU_DIRECT_CALL(GLOBAL_ATOMIC_##OP, atomic(w, r, CU_ATOMIC_##OP, false)); \
	CU_DIRECT_CALL(GLOBAL_ATOMIC_##OP##_X2, atomic(w, r, CU_ATOMIC_##OP, true))
CU_ATOMICS(ATOMIC);
/* gfx7. */
FLAT_ATOMIC(FCMPSWAP);
FLAT_ATOMIC(FMIN);
FLAT_ATOMIC(FMAX);
