/* SPDX-License-Identifier: MIT */
/* What vector instructions may do to their sources and results besides the
 * operation: SDWA, DPP, abs and neg, op_sel, omod, clamp, denormals.  Used by
 * the general form, interp_valu_kernel.c, only. */
#ifndef CORE_INTERP_INTERP_FORMS_PRIV_H
#define CORE_INTERP_INTERP_FORMS_PRIV_H

#include <string.h>
#include "core/interp/interp_priv.h"
#include "core/interp/valu.h"
#include "core/mode.h"

struct lanes { vu v[4 * NV]; }; /* an operand of 32, 64 or 128 bits */

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
	vu up = v_setu(32 - sdwa_bits(s) - sdwa_shift(s)), down = v_setu(32 - sdwa_bits(s));
	for (int i = 0; i < NV; i++) {
		vu x = v_lshl(v[i], up);
		v[i] = sext ? v_ashr(x, down) : v_lshr(x, down);
	}
}
/* Result x placed in the old destination. */
static vu sdwa_place(vu x, vu old, unsigned s, unsigned unused)
{
	if (s >= SDWA_DWORD)
		return x;
	unsigned bits = sdwa_bits(s), lo = sdwa_shift(s);
	uint32_t field = ((1u << bits) - 1) << lo;
	vu y = v_lshl(x, v_setu(lo)) & v_setu(field);
	if (unused == SDWA_PRESERVE)
		return y | (old & v_setu(~field));
	if (unused == SDWA_SEXT && lo + bits < 32)
		return v_ashr(v_lshl(y, v_setu(32 - lo - bits)), v_setu(32 - lo - bits));
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
	union { vu v; uint32_t u[VL]; } from;
	for (unsigned i = 0; i < VL; i++)
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
			v[i] = m_sel(m_part(valid, i), v[i], v_setu(0));
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
		x &= v_setu(~sign);
	return neg ? x ^ v_setu(sign) : x;
}
/* Halves picked by op_sel and op_sel_hi, negated by neg and neg_hi. */
static void packed_source(const struct gcn_inst *in, int n, bool is_float, vu v[NV])
{
	unsigned lo = in->op_sel >> n & 1, hi = in->op_sel_hi >> n & 1;
	uint32_t flip = 0;
	if (is_float)
		flip = (in->neg >> n & 1 ? 0x8000 : 0) | (in->neg_hi >> n & 1 ? 0x80000000u : 0);
	for (int i = 0; i < NV; i++) {
		vu a = shift_half(v[i], lo) & v_setu(0xffff), b = shift_half(v[i], hi) << 16;
		v[i] = (a | b) ^ v_setu(flip);
	}
}
static void mixed_source(const struct gcn_inst *in, int n, vu v[NV])
{
	for (int i = 0; i < NV; i++) {
		if (in->op_sel_hi >> n & 1)
			v[i] = (vu)h2f(shift_half(v[i], in->op_sel >> n & 1));
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
		for (int i = NV; i < 2 * NV; i++) /* the sign is above */
			v[i] = abs_neg(v[i], 0x80000000u, abs, neg);
		break;
	case CU_T_F16:
	case CU_T_B16:
	case CU_T_F16_ATTR:
		for (int i = 0; i < NV; i++) {
			v[i] = shift_half(v[i], in->op_sel >> (op->stype[n] == CU_T_F16_ATTR ? 0 : n) & 1);
			if (op->stype[n] != CU_T_B16)
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
	if (t == CU_T_PKB16 || t == CU_T_PKF16 || t == CU_T_MIX || t == CU_T_F16_ATTR)
		return true;
	if (in->sub == GCN_SUB_SDWA && n < 2 && in->src_sel[n] != SDWA_DWORD)
		return true;
	return (in->sub == GCN_SUB_DPP && n == 0) || ((in->abs | in->neg | in->op_sel) >> n & 1);
}

/* --- denormals, by MODE --- */
static inline vu flush32(vu x)
{
	vu sign = v_setu(0x80000000u);
	return m_sel(f_lt(v_absf((vf)x), v_setf(0x1p-126f)), x & sign, x);
}
/* Of the low half; the high half is cleared. */
static inline vu flush16_low(vu x)
{
	vu tiny = x & v_setu(0x7c00);
	return m_sel(i_eq(tiny, v_setu(0)), x & v_setu(0x8000), x & v_setu(0xffff));
}
static void flush64(vu v[2 * NV])
{
	for (int i = 0; i < NV; i++) {
		vm tiny = i_eq(v[NV + i] & v_setu(0x7ff00000), v_setu(0));
		v[i] = m_sel(tiny, v_setu(0), v[i]);
		v[NV + i] = m_sel(tiny, v[NV + i] & v_setu(0x80000000u), v[NV + i]);
	}
}
static bool is_f32(enum cu_type t)
{
	return t == CU_T_F32;
}
static bool is_half_or_double(enum cu_type t)
{
	return t == CU_T_F16 || t == CU_T_PKF16 || t == CU_T_F64 || t == CU_T_F16_ATTR ||
		cu_type_is_param(t);
}
/* Denormals of an operand of type t become zeros. */
static void flush_operand(enum cu_type t, vu *v)
{
	if (t == CU_T_F64) {
		flush64(v);
		return;
	}
	for (int i = 0; i < NV; i++)
		v[i] = is_f32(t) ? flush32(v[i]) : t == CU_T_PKF16 ?
			flush16_low(v[i]) | flush16_low(v[i] >> 16) << 16 : flush16_low(v[i]);
}
static bool flushes(enum cu_type t, uint32_t mode, uint32_t keep32, uint32_t keep16)
{
	return is_f32(t) ? !(mode & keep32) : is_half_or_double(t) && !(mode & keep16);
}
static bool flushes_source(const struct cu_op *op, int n, uint32_t mode)
{
	return !cu_op_has(op, CU_OP_EXACT) &&
		flushes(op->stype[n], mode, CU_MODE_IN_F32, CU_MODE_IN_F16_F64);
}
static bool flushes_result(const struct cu_op *op, uint32_t mode)
{
	return !cu_op_has(op, CU_OP_EXACT) &&
		flushes(op->dtype, mode, CU_MODE_OUT_F32, CU_MODE_OUT_F16_F64);
}
/* v_mad_mix: what was half, or is float, by its own denormals. */
static void flush_mix(const struct gcn_inst *in, int n, uint32_t mode, vu v[NV])
{
	bool half = in->op_sel_hi >> n & 1;
	if (mode & (half ? CU_MODE_IN_F16_F64 : CU_MODE_IN_F32))
		return;
	vf least = v_setf(half ? 0x1p-14f : 0x1p-126f);
	for (int i = 0; i < NV; i++)
		v[i] = m_sel(f_lt(v_absf((vf)v[i]), least), v[i] & v_setu(0x80000000u), v[i]);
}

/* --- results: omod, then denormals, then clamp --- */
static inline bool is_half(enum cu_type t)
{
	return t == CU_T_F16 || t == CU_T_B16;
}
static inline vf out_clamp(vf x, uint32_t mode)
{
	vf y = v_minf(v_maxf(x, v_setf(0.0f)), v_setf(1.0f)); /* NaN to 0 */
	return mode & CU_MODE_DX10_CLAMP ? y : m_self(m_nan(x), x, y);
}
static inline vu scale32(vu x, float factor)
{
	return canon((vf)x * v_setf(factor));
}
/* Half results that overflow stay finite with FP16_OVFL; infinity stays. */
static inline vu scale16(vu x, float factor, uint32_t mode)
{
	vu y = f2h(h2f(x) * v_setf(factor));
	vm grew = m_and(i_eq(y & v_setu(0x7fff), v_setu(0x7c00)),
		m_not(i_eq(x & v_setu(0x7fff), v_setu(0x7c00))));
	return mode & CU_MODE_FP16_OVFL ? m_sel(grew, y - v_setu(1), y) : y;
}
static void scale64(uint32_t *d, double factor)
{
	for (int l = 0; l < 64; l++) {
		uint64_t bits = lane64(d, l);
		double x;
		memcpy(&x, &bits, 8);
		x *= factor;
		memcpy(&bits, &x, 8);
		put64(d, l, x != x ? 0x7ff8000000000000 : bits);
	}
}
static void clamp64(uint32_t *d, uint32_t mode)
{
	for (int l = 0; l < 64; l++) {
		uint64_t bits = lane64(d, l);
		double x;
		memcpy(&x, &bits, 8);
		if (x != x && !(mode & CU_MODE_DX10_CLAMP))
			continue;
		x = x > 0 ? x < 1 ? x : 1 : 0;
		memcpy(&bits, &x, 8);
		put64(d, l, bits);
	}
}
static inline vu no_minus_zero(vu x, uint32_t sign)
{
	return m_sel(i_eq(x, v_setu(sign)), v_setu(0), x);
}
/* omod, which only exists where denormal results are flushed: -0 is +0 after it. */
static void omod_result(const struct cu_op *op, unsigned omod, uint32_t mode, vu *v)
{
	static const float factors[4] = { 1, 2, 4, 0.5f };
	float factor = factors[omod & 3];
	if (op->dtype == CU_T_F64)
		scale64((uint32_t *)v, factor);
	for (int i = 0; i < NV && op->dtype != CU_T_F64; i++)
		v[i] = op->dtype == CU_T_F32 ? scale32(v[i], factor) : scale16(v[i], factor, mode);
	flush_operand(op->dtype, v);
	for (int i = 0; i < NV; i++) {
		if (op->dtype == CU_T_F64)
			v[NV + i] = m_sel(i_eq(v[i], v_setu(0)), no_minus_zero(v[NV + i], 0x80000000u), v[NV + i]);
		else
			v[i] = no_minus_zero(v[i], op->dtype == CU_T_F32 ? 0x80000000u : 0x8000);
	}
}
static void clamp_result(const struct cu_op *op, uint32_t mode, vu *v)
{
	if (op->dtype == CU_T_F64)
		clamp64((uint32_t *)v, mode);
	for (int i = 0; i < NV; i++) {
		if (op->dtype == CU_T_F32)
			v[i] = (vu)out_clamp((vf)v[i], mode);
		else if (op->dtype == CU_T_F16)
			v[i] = f2h(out_clamp(h2f(v[i]), mode));
		else if (op->dtype == CU_T_PKF16)
			v[i] = f2h(out_clamp(h2f(v[i]), mode)) | f2h(out_clamp(h2f(v[i] >> 16), mode)) << 16;
	}
}
static bool has_omod(const struct cu_op *op, const struct gcn_inst *in, uint32_t mode)
{
	enum cu_type t = op->dtype;
	return in->omod && (t == CU_T_F32 || t == CU_T_F16 || t == CU_T_F64) &&
		!(mode & (CU_MODE_IEEE | (t == CU_T_F32 ? CU_MODE_OUT_F32 : CU_MODE_OUT_F16_F64)));
}
static void modify_result(const struct cu_op *op, const struct gcn_inst *in, uint32_t mode, vu *v)
{
	if (has_omod(op, in, mode))
		omod_result(op, in->omod, mode, v);
	else if (flushes_result(op, mode))
		flush_operand(op->dtype, v);
	if (in->clamp)
		clamp_result(op, mode, v);
}

#endif
