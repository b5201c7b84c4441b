/* SPDX-License-Identifier: MIT */
/* Vector opcodes on 16-bit operands, single (low half of a lane; the high half
 * of the result is 0, or kept by the opcodes new in gfx9) and packed.
 * A half operation is the float one rounded again: 24 bits are more than
 * 2 * 11 + 1, so both roundings together are one. */
#include "core/interp/math.h"
#include "core/interp/valu.h"

#define H(x) h2f(x)
#define LOW16(x) ((x) & v_setu(0xffff))
#define SEXT16(x) (vu)((vi)((x) << 16) >> 16)
#define KEEP CU_OP_KEEP_HIGH

/* --- half floats --- */

/* a * b + c rounded once.  The product is exact in single precision; where the
 * sum is not, it is made odd in the direction of what was lost, so that the
 * conversion to half is the one rounding. */
static inline vu fma16(vu a, vu b, vu c)
{
	vf p = H(a) * H(b), z = H(c), s = p + z;
	/* In one direction all roundings together are one. */
	if (__builtin_ia32_stmxcsr() & 0x6000)
		return f2h(s);
	vf t = s - p, lost = (p - (s - t)) + (z - t);
	vm inexact = f_lg(lost, v_setf(0.0f)); /* not where NaN */
	vm even = i_eq((vu)s & v_setu(1), v_setu(0));
	vu step = (vu)((vi)((vu)lost ^ (vu)s) >> 31) | v_setu(1); /* away from zero or towards it */
	return f2h((vf)m_sel(m_and(inexact, even), (vu)s + step, (vu)s));
}
/* Multiply-add in halves: flushes denormals and rounds twice, as v_mad_f32. */
static inline vf flush16(vf a)
{
	return (vf)m_sel(f_lt(v_absf(a), v_setf(0x1p-14f)), (vu)a & v_setu(0x80000000u), (vu)a);
}
static inline vf half_(vf a)
{
	return flush16(H(f2h(a)));
}
static inline vu mad16(vu a, vu b, vu c)
{
	vf p = half_(flush16(H(a)) * flush16(H(b)));
	return f2h(half_(p + flush16(H(c))));
}
static inline vf one(void)
{
	return v_setf(1.0f);
}

SLOW2(V_ADD_F16, F16, F16, F16, 0, f2h(H(a) + H(b)));
SLOW2(V_SUB_F16, F16, F16, F16, 0, f2h(H(a) - H(b)));
SLOW2(V_SUBREV_F16, F16, F16, F16, 0, f2h(H(b) - H(a)));
SLOW2(V_MUL_F16, F16, F16, F16, 0, f2h(H(a) * H(b)));
SLOW2(V_MIN_F16, F16, F16, F16, CU_OP_MINMAX, f2h((vf)fmin_(H(a), H(b))));
SLOW2(V_MAX_F16, F16, F16, F16, CU_OP_MINMAX, f2h((vf)fmax_(H(a), H(b))));
SLOW3(V_MAC_F16, F16, F16, F16, F16, CU_OP_DST_READ, mad16(a, b, c));
SLOW3(V_MADMK_F16, F16, F16, F16, F16, 0, mad16(a, b, c));
SLOW3(V_MADAK_F16, F16, F16, F16, F16, 0, mad16(a, b, c));
SLOW3(V_MAD_LEGACY_F16, F16, F16, F16, F16, 0, mad16(a, b, c));
SLOW3(V_MAD_F16, F16, F16, F16, F16, KEEP, mad16(a, b, c));
SLOW3(V_FMA_LEGACY_F16, F16, F16, F16, F16, 0, fma16(a, b, c));
SLOW3(V_FMA_F16, F16, F16, F16, F16, KEEP, fma16(a, b, c));
SLOW3(V_MIN3_F16, F16, F16, F16, F16, KEEP | CU_OP_MINMAX, f2h((vf)fmin_((vf)fmin_(H(a), H(b)), H(c))));
SLOW3(V_MAX3_F16, F16, F16, F16, F16, KEEP | CU_OP_MINMAX, f2h((vf)fmax_((vf)fmax_(H(a), H(b)), H(c))));
SLOW3(V_MED3_F16, F16, F16, F16, F16, KEEP | CU_OP_MINMAX, f2h((vf)fmed3_(H(a), H(b), H(c))));

SLOW1(V_RCP_F16, F16, F16, CU_OP_NEAREST, f2h(one() / H(a)));
SLOW1(V_SQRT_F16, F16, F16, CU_OP_NEAREST, f2h(v_sqrtf(H(a))));
SLOW1(V_RSQ_F16, F16, F16, CU_OP_NEAREST, f2h(one() / v_sqrtf(H(a))));
SLOW1(V_LOG_F16, F16, F16, CU_OP_NEAREST, f2h((vf)log2_(H(a))));
SLOW1(V_EXP_F16, F16, F16, CU_OP_NEAREST, f2h((vf)exp2_(H(a))));
SLOW1(V_SIN_F16, F16, F16, CU_OP_NEAREST, f2h((vf)sin_(H(a))));
SLOW1(V_COS_F16, F16, F16, CU_OP_NEAREST, f2h((vf)cos_(H(a))));
SLOW1(V_FLOOR_F16, F16, F16, 0, f2h(v_floor(H(a))));
SLOW1(V_CEIL_F16, F16, F16, 0, f2h(v_ceil(H(a))));
SLOW1(V_TRUNC_F16, F16, F16, 0, f2h(v_truncf(H(a))));
SLOW1(V_RNDNE_F16, F16, F16, 0, f2h(v_rint(H(a))));
SLOW1(V_FRACT_F16, F16, F16, 0, f2h(v_minf(v_setf(0x1.ffcp-1f), H(a) - v_floor(H(a)))));
SLOW1(V_FREXP_MANT_F16, F16, F16, 0, f2h((vf)frexp_mant(H(a))));
SLOW1(V_FREXP_EXP_I16_F16, B16, F16, 0, LOW16(frexp_exp(H(a))));
static inline vu ldexp16(vu a, vu n)
{
	vu k = max_i(min_i(SEXT16(n), v_setu(60)), v_setu((uint32_t)-60));
	return f2h(H(a) * pow2i(k)); /* the product is exact */
}
SLOW2(V_LDEXP_F16, F16, F16, B16, 0, ldexp16(a, b));

/* Quotient fixed up; s1 denominator, s2 numerator. */
static inline vu div_fixup16(vu q, vu d, vu n)
{
	vf x = H(n), y = H(d), inf = (vf)v_setu(0x7f800000u), zero = v_setf(0.0f);
	vu sign = ((vu)x ^ (vu)y) & v_setu(0x80000000u);
	vf a = v_absf(H(q));
	vu r = (vu)m_self(m_nan(a), inf, a);
	vm n_inf = f_eq(v_absf(x), inf), d_inf = f_eq(v_absf(y), inf);
	vm n_zero = f_eq(x, zero), d_zero = f_eq(y, zero);
	r = m_sel(m_or(d_inf, n_zero), v_setu(0), r);
	r = m_sel(m_or(d_zero, n_inf), (vu)inf, r);
	vm bad = m_or(f_uno(x, y), m_or(m_and(n_inf, d_inf), m_and(n_zero, d_zero)));
	return f2h((vf)m_sel(bad, v_setu(QNAN32), r | sign));
}
SLOW3(V_DIV_FIXUP_LEGACY_F16, F16, F16, F16, F16, 0, div_fixup16(a, b, c));
SLOW3(V_DIV_FIXUP_F16, F16, F16, F16, F16, KEEP, div_fixup16(a, b, c));

/* --- 16-bit integers --- */
static inline vu clamp_i(vu a)
{
	return LOW16(max_i(min_i(a, v_setu(32767)), v_setu((uint32_t)-32768)));
}
static inline vu clamp_u(vu a) /* of a value seen as signed */
{
	return max_i(min_i(a, v_setu(65535)), v_setu(0));
}
#define UW(x) LOW16(x)
#define SW(x) SEXT16(x)
#define CLAMPED(NAME) .saturating = &CU_FN(cu_op_##NAME##_CLAMP)
SLOW2(V_ADD_U16_CLAMP, B16, B16, B16, 0, clamp_u(UW(a) + UW(b)));
SLOW2(V_SUB_U16_CLAMP, B16, B16, B16, 0, clamp_u(UW(a) - UW(b)));
SLOW2(V_SUBREV_U16_CLAMP, B16, B16, B16, 0, clamp_u(UW(b) - UW(a)));
SLOW2(V_ADD_I16_CLAMP, B16, B16, B16, KEEP, clamp_i(SW(a) + SW(b)));
SLOW2(V_SUB_I16_CLAMP, B16, B16, B16, KEEP, clamp_i(SW(a) - SW(b)));
SLOW2_(V_ADD_U16, B16, B16, B16, 0, LOW16(a + b), CLAMPED(V_ADD_U16));
SLOW2_(V_SUB_U16, B16, B16, B16, 0, LOW16(a - b), CLAMPED(V_SUB_U16));
SLOW2_(V_SUBREV_U16, B16, B16, B16, 0, LOW16(b - a), CLAMPED(V_SUBREV_U16));
SLOW2_(V_ADD_I16, B16, B16, B16, KEEP, LOW16(a + b), CLAMPED(V_ADD_I16));
SLOW2_(V_SUB_I16, B16, B16, B16, KEEP, LOW16(a - b), CLAMPED(V_SUB_I16));
#define COUNT(x) ((x) & v_setu(15))
SLOW2(V_MUL_LO_U16, B16, B16, B16, 0, LOW16(a * b));
SLOW2(V_LSHLREV_B16, B16, B16, B16, 0, LOW16(v_lshl(b, COUNT(a))));
SLOW2(V_LSHRREV_B16, B16, B16, B16, 0, v_lshr(UW(b), COUNT(a)));
SLOW2(V_ASHRREV_I16, B16, B16, B16, 0, LOW16(v_ashr(SW(b), COUNT(a))));
SLOW2(V_MAX_U16, B16, B16, B16, 0, v_maxu(UW(a), UW(b)));
SLOW2(V_MIN_U16, B16, B16, B16, 0, v_minu(UW(a), UW(b)));
SLOW2(V_MAX_I16, B16, B16, B16, 0, LOW16(max_i(SW(a), SW(b))));
SLOW2(V_MIN_I16, B16, B16, B16, 0, LOW16(min_i(SW(a), SW(b))));
/* Sums of 16-bit products fit in 32 bits, unsigned and signed. */
static inline vu mad_sat_u16(vu a, vu b, vu c)
{
	return v_minu(UW(a) * UW(b) + UW(c), v_setu(0xffff));
}
static inline vu mad_sat_i16(vu a, vu b, vu c)
{
	return clamp_i(SW(a) * SW(b) + SW(c));
}
static inline vu mad_sat_u32(vu a, vu b, vu c)
{
	vu p = UW(a) * UW(b), s = p + c;
	return m_sel(u_gt(p, s), v_setu(~0u), s);
}
static inline vu mad_sat_i32(vu a, vu b, vu c)
{
	vu p = SW(a) * SW(b), s = p + c;
	return m_sel(m_sign((p ^ s) & (c ^ s)), (vu)((vi)c >> 31) ^ v_setu(0x7fffffff), s);
}
#define MAD16(NAME, D, C, FLAGS, SAT, EXPR) \
	SLOW3(NAME##_CLAMP, D, B16, B16, C, FLAGS, SAT(a, b, c)); \
	SLOW3_(NAME, D, B16, B16, C, FLAGS, EXPR, CLAMPED(NAME))
MAD16(V_MAD_LEGACY_U16, B16, B16, 0, mad_sat_u16, LOW16(a * b + c));
MAD16(V_MAD_LEGACY_I16, B16, B16, 0, mad_sat_i16, LOW16(a * b + c));
MAD16(V_MAD_U16, B16, B16, KEEP, mad_sat_u16, LOW16(a * b + c));
MAD16(V_MAD_I16, B16, B16, KEEP, mad_sat_i16, LOW16(a * b + c));
MAD16(V_MAD_U32_U16, B32, B32, 0, mad_sat_u32, UW(a) * UW(b) + c);
MAD16(V_MAD_I32_I16, B32, B32, 0, mad_sat_i32, SW(a) * SW(b) + c);
SLOW3(V_MIN3_U16, B16, B16, B16, B16, KEEP, v_minu(v_minu(UW(a), UW(b)), UW(c)));
SLOW3(V_MAX3_U16, B16, B16, B16, B16, KEEP, v_maxu(v_maxu(UW(a), UW(b)), UW(c)));
SLOW3(V_MED3_U16, B16, B16, B16, B16, KEEP,
	v_maxu(v_minu(UW(a), UW(b)), v_minu(v_maxu(UW(a), UW(b)), UW(c))));
SLOW3(V_MIN3_I16, B16, B16, B16, B16, KEEP, LOW16(min_i(min_i(SW(a), SW(b)), SW(c))));
SLOW3(V_MAX3_I16, B16, B16, B16, B16, KEEP, LOW16(max_i(max_i(SW(a), SW(b)), SW(c))));
SLOW3(V_MED3_I16, B16, B16, B16, B16, KEEP,
	LOW16(max_i(min_i(SW(a), SW(b)), min_i(max_i(SW(a), SW(b)), SW(c)))));

/* --- packed: the half operation on both halves --- */
#define PACKED2_(NAME, T, EXPR, ...) \
	static inline vu half_##NAME(vu a, vu b) { return (EXPR); } \
	SLOW2_(NAME, T, T, T, CU_OP_NO_MODS, half_##NAME(a, b) | half_##NAME(a >> 16, b >> 16) << 16, \
		__VA_ARGS__)
#define PACKED2(NAME, T, EXPR) PACKED2_(NAME, T, EXPR, )
#define PACKED_MINMAX(NAME, EXPR) \
	static inline vu half_##NAME(vu a, vu b) { return (EXPR); } \
	SLOW2(NAME, PKF16, PKF16, PKF16, CU_OP_NO_MODS | CU_OP_MINMAX, \
		half_##NAME(a, b) | half_##NAME(a >> 16, b >> 16) << 16)
#define PACKED3_(NAME, T, EXPR, ...) \
	static inline vu half_##NAME(vu a, vu b, vu c) { return (EXPR); } \
	SLOW3_(NAME, T, T, T, T, CU_OP_NO_MODS, \
		half_##NAME(a, b, c) | half_##NAME(a >> 16, b >> 16, c >> 16) << 16, __VA_ARGS__)
#define PACKED3(NAME, T, EXPR) PACKED3_(NAME, T, EXPR, )
PACKED2(V_PK_ADD_U16_CLAMP, PKB16, clamp_u(UW(a) + UW(b)));
PACKED2(V_PK_SUB_U16_CLAMP, PKB16, clamp_u(UW(a) - UW(b)));
PACKED2(V_PK_ADD_I16_CLAMP, PKB16, clamp_i(SW(a) + SW(b)));
PACKED2(V_PK_SUB_I16_CLAMP, PKB16, clamp_i(SW(a) - SW(b)));
PACKED2_(V_PK_ADD_U16, PKB16, LOW16(a + b), CLAMPED(V_PK_ADD_U16));
PACKED2_(V_PK_SUB_U16, PKB16, LOW16(a - b), CLAMPED(V_PK_SUB_U16));
PACKED2_(V_PK_ADD_I16, PKB16, LOW16(a + b), CLAMPED(V_PK_ADD_I16));
PACKED2_(V_PK_SUB_I16, PKB16, LOW16(a - b), CLAMPED(V_PK_SUB_I16));
PACKED2(V_PK_MUL_LO_U16_CLAMP, PKB16, v_minu(UW(a) * UW(b), v_setu(0xffff)));
PACKED2_(V_PK_MUL_LO_U16, PKB16, LOW16(a * b), CLAMPED(V_PK_MUL_LO_U16));
PACKED2(V_PK_LSHLREV_B16, PKB16, LOW16(v_lshl(b, COUNT(a))));
PACKED2(V_PK_LSHRREV_B16, PKB16, v_lshr(UW(b), COUNT(a)));
PACKED2(V_PK_ASHRREV_I16, PKB16, LOW16(v_ashr(SW(b), COUNT(a))));
PACKED2(V_PK_MAX_I16, PKB16, LOW16(max_i(SW(a), SW(b))));
PACKED2(V_PK_MIN_I16, PKB16, LOW16(min_i(SW(a), SW(b))));
PACKED2(V_PK_MAX_U16, PKB16, v_maxu(UW(a), UW(b)));
PACKED2(V_PK_MIN_U16, PKB16, v_minu(UW(a), UW(b)));
PACKED3(V_PK_MAD_I16_CLAMP, PKB16, mad_sat_i16(a, b, c));
PACKED3(V_PK_MAD_U16_CLAMP, PKB16, mad_sat_u16(a, b, c));
PACKED3_(V_PK_MAD_I16, PKB16, LOW16(a * b + c), CLAMPED(V_PK_MAD_I16));
PACKED3_(V_PK_MAD_U16, PKB16, LOW16(a * b + c), CLAMPED(V_PK_MAD_U16));
PACKED2(V_PK_ADD_F16, PKF16, f2h(H(a) + H(b)));
PACKED2(V_PK_MUL_F16, PKF16, f2h(H(a) * H(b)));
PACKED_MINMAX(V_PK_MIN_F16, f2h((vf)fmin_(H(a), H(b))));
PACKED_MINMAX(V_PK_MAX_F16, f2h((vf)fmax_(H(a), H(b))));
PACKED3(V_PK_FMA_F16, PKF16, fma16(a, b, c));

/* --- mixed: sources are float or half, already converted --- */
SLOW3(V_MAD_MIX_F32, F32, MIX, MIX, MIX, 0, mad_((vf)a, (vf)b, (vf)c));
SLOW3(V_MAD_MIXLO_F16, F16, MIX, MIX, MIX, KEEP, f2h((vf)mad_((vf)a, (vf)b, (vf)c)));
SLOW3(V_MAD_MIXHI_F16, F16, MIX, MIX, MIX, CU_OP_WRITE_HIGH, f2h((vf)mad_((vf)a, (vf)b, (vf)c)));
