/* SPDX-License-Identifier: MIT */
/* The general form of every vector opcode: any operand kind, VOP3 modifiers,
 * SDWA, DPP, packed selection, any EXEC.  Sources are brought into buffers,
 * the opcode's kernel runs on all lanes, and the result is written for the
 * lanes that are on.  Fast handlers must give what this gives.  It exists
 * twice: for a plain MODE and for any. */
#include "core/interp/interp_forms_priv.h"

#define ALWAYS static inline __attribute__((always_inline))

/* Source n for all lanes, in place or in b; narrows *on by DPP. */
ALWAYS const uint32_t *fetch(const struct cu_wave *w, const struct cu_rec *r, int n,
	struct lanes *b, uint64_t *on, uint32_t mode)
{
	const struct cu_op *op = r->op;
	const struct gcn_inst *in = r->in;
	/* Most operands have one dword: their loops are of fixed length. */
	int vectors = (int)cu_type_dwords(op->stype[n]) * NV;
	/* The old destination of v_mac is not an encoded operand. */
	bool modified = is_modified(op, in, n) && !(n == 2 && op->flags & CU_OP_DST_READ);
	bool flush = flushes_source(op, n, mode);
	const uint32_t *s = cu_src(w, r, n);
	if (r->scalar >> n & 1) {
		for (int i = 0; i < NV; i++)
			b->v[i] = v_setu(s[0]);
		for (int i = NV; i < vectors; i++)
			b->v[i] = v_setu(s[i / NV]);
	} else if (modified || flush) {
		for (int i = 0; i < NV; i++)
			b->v[i] = ((const vu *)s)[i];
		for (int i = NV; i < vectors; i++)
			b->v[i] = ((const vu *)s)[i];
	} else {
		return s;
	}
	if (modified && in->sub == GCN_SUB_SDWA && n < 2)
		sdwa_select(b->v, in->src_sel[n], in->src_sext >> n & 1);
	if (modified && in->sub == GCN_SUB_DPP && n == 0)
		*on &= in->dpp_ctrl < 0x100 && (in->row_mask & in->bank_mask) == 15
			? dpp_quad(in, cu_exec(w), b->v) : dpp_apply(in, cu_exec(w), (uint32_t *)b->v);
	if (modified)
		modify_source(op, in, n, b);
	if (op->stype[n] == CU_T_MIX)
		flush_mix(in, n, mode, b->v);
	else if (flush)
		flush_operand(op->stype[n], b->v);
	return (const uint32_t *)b->v;
}
static const uint32_t *fetch_param(const struct cu_wave *w, const struct cu_rec *r, int n,
	struct lanes *b, uint32_t mode)
{
	CU_FN(cu_param_lanes)(w, r, r->op->stype[n], (uint32_t *)b->v);
	for (int i = 0; i < NV; i++)
		b->v[i] = shift_half(b->v[i], r->in->op_sel & 1);
	if (flushes_source(r->op, n, mode))
		flush_operand(r->op->stype[n], b->v);
	return (const uint32_t *)b->v;
}

/* --- the kernel as MODE says --- */
static bool rounds_as_double(const struct cu_op *op)
{
	if (op->dtype == CU_T_F32 && op->stype[0] == CU_T_F64)
		return false;
	return is_half_or_double(op->dtype) || is_half_or_double(op->stype[0]) ||
		(op->nsrc > 1 && cu_type_is_param(op->stype[1]));
}
static unsigned rounding(const struct cu_op *op, uint32_t mode)
{
	if (cu_op_has(op, CU_OP_NEAREST))
		return 0;
	return mode >> (rounds_as_double(op) ? CU_MODE_ROUND_F16_F64 : CU_MODE_ROUND_F32) & 3;
}
/* What rounding towards zero leaves finite has overflowed otherwise, unless the
 * source was infinite (exp starts from a bound). */
static void keep_halves_finite(const struct cu_op *op, const struct cu_vop *o)
{
	struct lanes other;
	struct cu_vop again = *o;
	vu *d = (vu *)o->d;
	again.d = (uint32_t *)other.v;
	__builtin_ia32_ldmxcsr(cu_mode_mxcsr(3));
	op->kernel(&again);
	bool halves = op->stype[0] == CU_T_F16 || op->stype[0] == CU_T_PKF16;
	const vu *s = (const vu *)o->s[0];
	for (int half = 0; half < 2; half++) {
		vu field = v_setu(0x7fffu << (16 * half)), inf = v_setu(0x7c00u << (16 * half));
		for (int i = 0; i < NV; i++) {
			vm over = m_and(i_eq(d[i] & field, inf), m_not(i_eq(other.v[i] & field, inf)));
			if (halves)
				over = m_and(over, m_not(i_eq(s[i] & field, inf)));
			d[i] = m_sel(over, (d[i] & ~field) | (other.v[i] & field), d[i]);
		}
	}
}
static bool signalling(enum cu_type t, const uint32_t *s, int l, int half)
{
	uint32_t x = s[l] >> (16 * half), high;
	switch (t) {
	case CU_T_F32:
		return (x & 0x7fc00000) == 0x7f800000 && x & 0x3fffff;
	case CU_T_F64:
		high = s[64 + l];
		return (high & 0x7ff80000) == 0x7ff00000 && (high & 0x7ffff || x);
	default:
		return (x & 0x7e00) == 0x7c00 && x & 0x1ff;
	}
}
static void put_lane(enum cu_type t, uint32_t *d, int l, int half, const uint32_t *from)
{
	static const uint64_t nan64 = 0x7ff8000000000000;
	if (t == CU_T_F64) {
		uint64_t x = from ? lane64(from, l) : nan64;
		put64(d, l, (x & ~(1ull << 63)) > 0x7ff0000000000000 ? nan64 : x);
	} else if (t == CU_T_F32) {
		uint32_t x = from ? from[l] : QNAN32;
		d[l] = (x & 0x7fffffff) > 0x7f800000 ? QNAN32 : x;
	} else {
		uint32_t x = from ? from[l] >> (16 * half) & 0xffff : QNAN16;
		x = (x & 0x7fff) > 0x7c00 ? QNAN16 : x;
		d[l] = (d[l] & (half ? 0xffffu : t == CU_T_F16 ? 0 : 0xffff0000u)) | x << (16 * half);
	}
}
/* IEEE: of two, a signalling NaN gives NaN; three are (a, b), then c. */
static void ieee_minmax(const struct cu_op *op, const struct cu_vop *o)
{
	enum cu_type t = op->dtype;
	for (int half = 0; half <= (t == CU_T_PKF16); half++)
		for (int l = 0; l < 64; l++) {
			bool ab = signalling(t, o->s[0], l, half) || signalling(t, o->s[1], l, half);
			bool c = op->nsrc > 2 && signalling(t, o->s[2], l, half);
			if (c || (ab && op->nsrc == 2))
				put_lane(t, o->d, l, half, NULL);
			else if (ab)
				put_lane(t, o->d, l, half, o->s[2]);
		}
}
static void moded_kernel(const struct cu_op *op, const struct gcn_inst *in, struct cu_vop *o, vu *d)
{
	bool half = op->dtype == CU_T_F16 || op->dtype == CU_T_PKF16;
	unsigned old = __builtin_ia32_stmxcsr(), mxcsr = cu_mode_mxcsr(rounding(op, o->mode));
	__builtin_ia32_ldmxcsr(mxcsr);
	op->kernel(o);
	if (half && o->mode & CU_MODE_FP16_OVFL)
		keep_halves_finite(op, o);
	__builtin_ia32_ldmxcsr(mxcsr);
	if (cu_op_has(op, CU_OP_MINMAX) && o->mode & CU_MODE_IEEE)
		ieee_minmax(op, o);
	modify_result(op, in, o->mode, d);
	__builtin_ia32_ldmxcsr(old);
}

/* Lanes l of x, where on, go to d; whole registers. */
ALWAYS void put_lanes(vu *d, const vu *x, uint64_t on, int first, int count)
{
	for (int i = first; i < count; i++)
		d[i] = settled(m_sel(m_part(on, i % NV), x[i], d[i]));
}
ALWAYS void write_back(struct cu_wave *w, const struct cu_rec *r, struct lanes *b, uint64_t on)
{
	const struct cu_op *op = r->op;
	const struct gcn_inst *in = r->in;
	vu *d = (vu *)cu_dst(w, r);
	bool high = op->flags & CU_OP_WRITE_HIGH || (is_half(op->dtype) && in->op_sel & 8);
	bool keep = op->flags & CU_OP_KEEP_HIGH && is_half(op->dtype);
	if (high || keep || in->sub == GCN_SUB_SDWA)
		for (int i = 0; i < NV; i++) {
			vu x = b->v[i];
			b->v[i] = high ? (d[i] & v_setu(0xffff)) | x << 16 : in->sub == GCN_SUB_SDWA ?
				sdwa_place(x, d[i], in->dst_sel, in->dst_unused) : (d[i] & v_setu(0xffff0000u)) | x;
		}
	put_lanes(d, b->v, on, 0, NV);
	int n = (int)cu_type_dwords(op->dtype) * NV;
	if (n > NV)
		put_lanes(d, b->v, on, NV, n);
}

ALWAYS const struct cu_rec *general(struct cu_wave *w, const struct cu_rec *r, bool moded)
{
	const struct cu_op *op = r->op;
	struct lanes src[3], dst;
	struct cu_vop o = { .d = (uint32_t *)dst.v, .mode = moded ? w->mode : CU_MODE_PLAIN };
	uint64_t exec = cu_exec(w), on = exec;
	for (int n = 0; n < op->nsrc; n++) {
		if (op->stype[n] == CU_T_MASK)
			o.in = cu_src64(w, r, n);
		else if (cu_type_is_param(op->stype[n]))
			o.s[n] = fetch_param(w, r, n, &src[n], o.mode);
		else
			o.s[n] = fetch(w, r, n, &src[n], &on, o.mode);
	}
	if (op->flags & CU_OP_READS_VCC)
		o.in = cu_load64(&w->sgpr[GCN_SRC_VCC]);
	if (moded)
		moded_kernel(op, r->in, &o, dst.v);
	else
		op->kernel(&o);
	if (!moded && r->in->clamp)
		clamp_result(op, CU_MODE_PLAIN, dst.v);
	if (op->dtype != CU_T_NONE)
		write_back(w, r, &dst, on);
	if (op->mask_out)
		cu_store64(cu_mask_dst(w, r), o.out & on);
	if (!(op->flags & CU_OP_WRITES_EXEC))
		return r + 1;
	cu_store64(&w->sgpr[GCN_SRC_EXEC], o.out & on);
	return cu_next_exec(w, r);
}
const struct cu_rec *CU_FN(cu_valu_general)(struct cu_wave *w, const struct cu_rec *r)
{
	return general(w, r, false);
}
const struct cu_rec *CU_FN(cu_valu_moded)(struct cu_wave *w, const struct cu_rec *r)
{
	return general(w, r, true);
}

/* Between s_set_gpr_idx_on and _off: M0[7:0] is added to the VGPR numbers of
 * the operands that M0[15:12] names (sources 0, 1, 2, destination). */
const struct cu_rec *CU_FN(cu_valu_indexed)(struct cu_wave *w, const struct cu_rec *r)
{
	const uint32_t file = sizeof(w->vgpr), index = (w->sgpr[GCN_SRC_M0] & 255) * 256;
	uint32_t which = w->sgpr[GCN_SRC_M0] >> 12 & 15;
	struct cu_rec moved = *r;
	for (int n = 0; n < r->op->nsrc; n++) {
		enum cu_type t = r->op->stype[n];
		bool is_dst = n == 2 && r->op->flags & CU_OP_DST_READ;
		if (!(which >> (is_dst ? 3 : n) & 1) || r->scalar >> n & 1 || t == CU_T_MASK ||
			cu_type_is_param(t))
			continue;
		if ((uint32_t)r->s[n] + index + 256 * cu_type_dwords(t) > file)
			return cu_fault(w, r, "VGPR index %u is beyond v255", w->sgpr[GCN_SRC_M0] & 255);
		moved.s[n] += (int32_t)index;
	}
	if (which & 8 && r->op->dtype != CU_T_NONE) {
		if (r->d + index + 256 * cu_type_dwords(r->op->dtype) > file)
			return cu_fault(w, r, "VGPR index %u is beyond v255", w->sgpr[GCN_SRC_M0] & 255);
		moved.d += index;
	}
	CU_FN(cu_valu_moded)(w, &moved);
	return r->op->flags & CU_OP_WRITES_EXEC ? cu_next_exec(w, r) : r + 1;
}
