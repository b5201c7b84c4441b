/* The general form of every vector opcode: any operand kind, VOP3 modifiers,
 * SDWA, DPP, packed selection, any EXEC.  Sources are brought into buffers,
 * the opcode's kernel runs on all lanes, and the result is written for the
 * lanes that are on.  Fast handlers must give what this gives. */
#include <string.h>
#include "core/interp_internal.h"
#include "core/valu.h"

struct lanes { vu v[2 * NV]; }; /* a 64-bit operand, or 32 bits in the first half */

static inline vu shift_half(vu x, unsigned high)
{
	return high ? x >> 16 : x;
}

/* --- SDWA: BYTE_0..3 are 0..3, WORD_0 4, WORD_1 5, DWORD 6 --- */
enum { SDWA_WORD = 4, SDWA_DWORD = 6, SDWA_PAD = 0, SDWA_SEXT = 1, SDWA_PRESERVE = 2 };

static inline unsigned sdwa_shift(unsigned s)
{
	return s < SDWA_WORD ? 8 * s : s < SDWA_DWORD ? 16 * (s - SDWA_WORD) : 0;
}
static inline unsigned sdwa_bits(unsigned s)
{
	return s < SDWA_WORD ? 8 : s < SDWA_DWORD ? 16 : 32;
}
static void sdwa_select(vu v[NV], unsigned s, bool sext)
{
	if (s >= SDWA_DWORD)
		return;
	vu up = splat(32 - sdwa_bits(s) - sdwa_shift(s)), down = splat(32 - sdwa_bits(s));
	for (int i = 0; i < NV; i++) {
		vu x = shl(v[i], up);
		v[i] = sext ? sar(x, down) : shr(x, down);
	}
}
/* Result x placed in the old destination. */
static vu sdwa_place(vu x, vu old, unsigned s, unsigned unused)
{
	if (s >= SDWA_DWORD)
		return x;
	unsigned bits = sdwa_bits(s), lo = sdwa_shift(s);
	uint32_t field = ((1u << bits) - 1) << lo;
	vu y = shl(x, splat(lo)) & splat(field);
	if (unused == SDWA_PRESERVE)
		return y | (old & splat(~field));
	if (unused == SDWA_SEXT && lo + bits < 32)
		return sar(shl(y, splat(32 - lo - bits)), splat(32 - lo - bits));
	return y;
}

/* --- DPP --- */
/* Lane that lane l reads, -1 for none (out of its row or the wave). */
static int dpp_source(unsigned ctrl, int l)
{
	int row = l & 48, i = l & 15, n = ctrl & 15;
	if (ctrl < 0x100)
		return (l & ~3) | (int)(ctrl >> (2 * (l & 3)) & 3);
	switch (ctrl >> 4) {
	case 0x10: return i + n < 16 ? l + n : -1;     /* row_shl */
	case 0x11: return i - n >= 0 ? l - n : -1;     /* row_shr */
	case 0x12: return row | ((i - n) & 15);        /* row_ror */
	}
	switch (ctrl) {
	case 0x130: return l < 63 ? l + 1 : -1;        /* wave_shl:1 */
	case 0x134: return (l + 1) & 63;               /* wave_rol:1 */
	case 0x138: return l - 1;                      /* wave_shr:1 */
	case 0x13c: return (l - 1) & 63;               /* wave_ror:1 */
	case 0x140: return row | (15 - i);             /* row_mirror */
	case 0x141: return (l & 56) | (7 - (l & 7));   /* row_half_mirror */
	case 0x142: return row ? row - 1 : -1;         /* row_bcast:15 */
	case 0x143: return row >= 32 ? 31 : -1;        /* row_bcast:31 */
	default: return -1;
	}
}
/* quad_perm: each quad's lanes, or bits, in the given order. */
static void quad_lanes(unsigned ctrl, vu *v)
{
	union { vu v; uint32_t u[LV]; } from;
	for (unsigned i = 0; i < LV; i++)
		from.u[i] = (i & ~3u) | (ctrl >> (2 * (i & 3)) & 3);
	for (int i = 0; i < NV; i++)
#if CU_LEVEL == 4
		v[i] = (vu)_mm512_permutexvar_epi32((__m512i)from.v, (__m512i)v[i]);
#else
		v[i] = (vu)_mm256_permutevar8x32_epi32((__m256i)v[i], (__m256i)from.v);
#endif
}
static uint64_t quad_bits(unsigned ctrl, uint64_t m)
{
	uint64_t r = 0;
	for (unsigned i = 0; i < 4; i++)
		r |= (m >> (ctrl >> (2 * i) & 3) & 0x1111111111111111) << i;
	return r;
}
static uint64_t dpp_quad(const struct gcn_inst *in, uint64_t exec, vu *v)
{
	uint64_t valid = quad_bits(in->dpp_ctrl, exec);
	quad_lanes(in->dpp_ctrl, v);
	if (in->bound_ctrl && valid != ~0ull)
		for (int i = 0; i < NV; i++)
			v[i] = sel(mask_part(valid, i), v[i], splat(0));
	return in->bound_ctrl ? ~0ull : valid;
}
/* Moves source 0; returns the lanes that may be written.  A lane whose source
 * is absent or inactive reads 0 with bound_ctrl, else it is not written. */
static uint64_t dpp_apply(const struct gcn_inst *in, uint64_t exec, uint32_t *v)
{
	uint32_t old[64];
	uint64_t valid = 0, rows = 0;
	memcpy(old, v, sizeof(old));
	for (int l = 0; l < 64; l++) {
		int s = dpp_source(in->dpp_ctrl, l);
		bool ok = s >= 0 && exec >> s & 1;
		v[l] = ok ? old[s] : 0;
		valid |= (uint64_t)ok << l;
		bool on = in->row_mask >> (l / 16) & 1 && in->bank_mask >> (l / 4 & 3) & 1;
		rows |= (uint64_t)on << l;
	}
	return rows & (in->bound_ctrl ? ~0ull : valid);
}

/* --- modifiers --- */
static inline vu abs_neg(vu x, uint32_t sign, bool abs, bool neg)
{
	if (abs)
		x &= splat(~sign);
	return neg ? x ^ splat(sign) : x;
}
/* Halves picked by op_sel and op_sel_hi, negated by neg and neg_hi. */
static void packed_source(const struct gcn_inst *in, int n, bool is_float, vu v[NV])
{
	unsigned lo = in->op_sel >> n & 1, hi = in->op_sel_hi >> n & 1;
	uint32_t flip = 0;
	if (is_float)
		flip = (in->neg >> n & 1 ? 0x8000 : 0) | (in->neg_hi >> n & 1 ? 0x80000000u : 0);
	for (int i = 0; i < NV; i++) {
		vu a = shift_half(v[i], lo) & splat(0xffff), b = shift_half(v[i], hi) << 16;
		v[i] = (a | b) ^ splat(flip);
	}
}
static void mixed_source(const struct gcn_inst *in, int n, vu v[NV])
{
	for (int i = 0; i < NV; i++) {
		if (in->op_sel_hi >> n & 1)
			v[i] = U(h2f(shift_half(v[i], in->op_sel >> n & 1)));
		v[i] = abs_neg(v[i], 0x80000000u, in->neg_hi >> n & 1, in->neg >> n & 1);
	}
}
static void modify_source(const struct cu_op *op, const struct gcn_inst *in, int n, struct lanes *b)
{
	bool abs = in->abs >> n & 1, neg = in->neg >> n & 1;
	vu *v = b->v;
	switch (op->stype[n]) {
	case CU_T_F32:
		for (int i = 0; i < NV; i++)
			v[i] = abs_neg(v[i], 0x80000000u, abs, neg);
		break;
	case CU_T_F64:
		for (int i = NV; i < 2 * NV; i++)
			v[i] = abs_neg(v[i], 0x80000000u, abs, neg);
		break;
	case CU_T_F16:
	case CU_T_B16:
		for (int i = 0; i < NV; i++) {
			v[i] = shift_half(v[i], in->op_sel >> n & 1);
			if (op->stype[n] == CU_T_F16)
				v[i] = abs_neg(v[i], 0x8000, abs, neg);
		}
		break;
	case CU_T_PKB16:
	case CU_T_PKF16:
		packed_source(in, n, op->stype[n] == CU_T_PKF16, v);
		break;
	case CU_T_MIX:
		mixed_source(in, n, v);
		break;
	default:
		break;
	}
}
static bool is_modified(const struct cu_op *op, const struct gcn_inst *in, int n)
{
	enum cu_type t = op->stype[n];
	if (t == CU_T_PKB16 || t == CU_T_PKF16 || t == CU_T_MIX)
		return true;
	if (in->sub == GCN_SUB_SDWA && n < 2 && in->src_sel[n] != SDWA_DWORD)
		return true;
	return (in->sub == GCN_SUB_DPP && n == 0) || ((in->abs | in->neg | in->op_sel) >> n & 1);
}

/* Source n for all lanes, in place or in b; narrows *on by DPP. */
static const uint32_t *fetch(const struct cu_wave *w, const struct cu_rec *r, int n,
	struct lanes *b, uint64_t *on)
{
	const struct cu_op *op = r->op;
	const struct gcn_inst *in = r->in;
	bool wide = cu_type_is64(op->stype[n]), modified = is_modified(op, in, n);
	const uint32_t *s = cu_src(w, r, n);
	if (r->scalar >> n & 1) {
		for (int i = 0; i < NV; i++)
			b->v[i] = splat(s[0]);
		for (int i = NV; wide && i < 2 * NV; i++)
			b->v[i] = splat(s[1]);
	} else if (modified) {
		for (int i = 0; i < (wide ? 2 * NV : NV); i++)
			b->v[i] = ((const vu *)s)[i];
	} else {
		return s;
	}
	if (!modified)
		return (const uint32_t *)b->v;
	if (in->sub == GCN_SUB_SDWA && n < 2)
		sdwa_select(b->v, in->src_sel[n], in->src_sext >> n & 1);
	if (in->sub == GCN_SUB_DPP && n == 0)
		*on &= in->dpp_ctrl < 0x100 && (in->row_mask & in->bank_mask) == 15
			? dpp_quad(in, cu_exec(w), b->v) : dpp_apply(in, cu_exec(w), (uint32_t *)b->v);
	/* The old destination of v_mac is not an encoded operand. */
	if (!(n == 2 && op->flags & CU_OP_DST_READ))
		modify_source(op, in, n, b);
	return (const uint32_t *)b->v;
}

/* --- results --- */
static vf out_mods(vf x, const struct gcn_inst *in)
{
	static const float factor[4] = { 1, 2, 4, 0.5f };
	if (in->omod)
		x = F(canon(x * splatf(factor[in->omod & 3])));
	if (in->clamp)
		x = min86(max86(x, splatf(0.0f)), splatf(1.0f)); /* NaN to 0 */
	return x;
}
static void out_mods64(uint32_t *d, const struct gcn_inst *in)
{
	static const double factor[4] = { 1, 2, 4, 0.5 };
	for (int l = 0; l < 64; l++) {
		uint64_t bits = lane64(d, l);
		double x;
		memcpy(&x, &bits, 8);
		x *= factor[in->omod & 3];
		if (in->clamp)
			x = x > 0 ? x < 1 ? x : 1 : 0;
		memcpy(&bits, &x, 8);
		put64(d, l, x != x ? 0x7ff8000000000000 : bits);
	}
}
static void modify_result(const struct cu_op *op, const struct gcn_inst *in, struct lanes *b)
{
	vu *v = b->v;
	switch (op->dtype) {
	case CU_T_F32:
		for (int i = 0; i < NV; i++)
			v[i] = U(out_mods(F(v[i]), in));
		break;
	case CU_T_F16:
		for (int i = 0; i < NV; i++)
			v[i] = f2h(out_mods(h2f(v[i]), in));
		break;
	case CU_T_PKF16:
		for (int i = 0; i < NV; i++)
			v[i] = f2h(out_mods(h2f(v[i]), in)) | f2h(out_mods(h2f(v[i] >> 16), in)) << 16;
		break;
	case CU_T_F64:
		out_mods64((uint32_t *)v, in);
		break;
	default:
		break;
	}
}
static inline bool is_half(enum cu_type t)
{
	return t == CU_T_F16 || t == CU_T_B16;
}
static void write_back(struct cu_wave *w, const struct cu_rec *r, struct lanes *b, uint64_t on)
{
	const struct cu_op *op = r->op;
	const struct gcn_inst *in = r->in;
	vu *d = (vu *)cu_dst(w, r);
	if (in->omod || in->clamp)
		modify_result(op, in, b);
	bool high = op->flags & CU_OP_WRITE_HIGH || (is_half(op->dtype) && in->op_sel & 8);
	bool keep = op->flags & CU_OP_KEEP_HIGH && is_half(op->dtype);
	int n = cu_type_is64(op->dtype) ? 2 * NV : NV;
	for (int i = 0; i < n; i++) {
		vu x = b->v[i];
		if (high)
			x = (d[i] & splat(0xffff)) | x << 16;
		else if (in->sub == GCN_SUB_SDWA)
			x = sdwa_place(x, d[i], in->dst_sel, in->dst_unused);
		else if (keep)
			x = (d[i] & splat(0xffff0000u)) | x;
		d[i] = settled(sel(mask_part(on, i % NV), x, d[i]));
	}
}

const struct cu_rec *CU_FN(cu_valu_general)(struct cu_wave *w, const struct cu_rec *r)
{
	const struct cu_op *op = r->op;
	struct lanes src[3], dst;
	struct cu_vop o = { .d = (uint32_t *)dst.v };
	uint64_t exec = cu_exec(w), on = exec;
	for (int n = 0; n < op->nsrc; n++) {
		if (op->stype[n] == CU_T_MASK)
			o.in = cu_src64(w, r, n);
		else
			o.s[n] = fetch(w, r, n, &src[n], &on);
	}
	if (op->flags & CU_OP_READS_VCC)
		o.in = cu_load64(&w->sgpr[106]);
	op->kernel(&o);
	if (op->dtype != CU_T_NONE)
		write_back(w, r, &dst, on);
	if (op->mask_out)
		cu_store64(cu_mask_dst(w, r), o.out & on);
	if (!(op->flags & CU_OP_WRITES_EXEC))
		return r + 1;
	cu_store64(&w->sgpr[126], o.out & on);
	return cu_next_exec(w, r);
}

/* Between s_set_gpr_idx_on and _off: M0[7:0] is added to the VGPR numbers of
 * the operands that M0[15:12] names (sources 0, 1, 2, destination). */
const struct cu_rec *CU_FN(cu_valu_indexed)(struct cu_wave *w, const struct cu_rec *r)
{
	const uint32_t file = sizeof(w->vgpr), index = (w->sgpr[124] & 255) * 256;
	uint32_t which = w->sgpr[124] >> 12 & 15;
	struct cu_rec moved = *r;
	for (int n = 0; n < r->op->nsrc; n++) {
		bool wide = cu_type_is64(r->op->stype[n]);
		if (!(which >> n & 1) || r->scalar >> n & 1 || r->op->stype[n] == CU_T_MASK)
			continue;
		if ((uint32_t)r->s[n] + index + (wide ? 512 : 256) > file)
			return cu_fault(w, r, "VGPR index %u is beyond v255", w->sgpr[124] & 255);
		moved.s[n] += (int32_t)index;
	}
	if (which & 8 && r->op->dtype != CU_T_NONE) {
		if (r->d + index + (cu_type_is64(r->op->dtype) ? 512 : 256) > file)
			return cu_fault(w, r, "VGPR index %u is beyond v255", w->sgpr[124] & 255);
		moved.d += index;
	}
	CU_FN(cu_valu_general)(w, &moved);
	return r->op->flags & CU_OP_WRITES_EXEC ? cu_next_exec(w, r) : r + 1;
}
