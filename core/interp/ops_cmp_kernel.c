/* SPDX-License-Identifier: MIT */
/* Vector compares: a lane mask to VCC or an SGPR pair, clear for inactive
 * lanes; v_cmpx writes it to EXEC as well. */
#include "core/interp/valu.h"

#define CMP_HANDLER(S, X, Y) \
	CU_HANDLER(h##X##Y##_CMP_##S) \
	{ \
		SRC_##X(0) SRC_##Y(1) \
		uint64_t m = 0; \
		for (int i = 0; i < NV; i++) \
			m |= (uint64_t)m_bits(c_##S(GET_##X(0), GET_##Y(1))) << (i * VL); \
		cu_store64(cu_mask_dst(w, r), m & cu_load64(&w->sgpr[GCN_SRC_EXEC])); \
		return r + 1; \
	} \
	CU_HANDLER(h##X##Y##_CMPX_##S) \
	{ \
		h##X##Y##_CMP_##S(w, r); \
		cu_store64(&w->sgpr[GCN_SRC_EXEC], cu_load64(cu_mask_dst(w, r))); \
		return cu_next_exec(w, r); \
	}
#define CMP_MODIFIED(S) \
	CU_HANDLER(hX_CMP_##S) \
	{ \
		struct mod_source a, b; \
		mod_source(&a, w, r, 0), mod_source(&b, w, r, 1); \
		uint64_t m = 0; \
		for (int i = 0; i < NV; i++) \
			m |= (uint64_t)m_bits(c_##S(mod_get(&a, i), mod_get(&b, i))) << (i * VL); \
		cu_store64(cu_mask_dst(w, r), m & cu_load64(&w->sgpr[GCN_SRC_EXEC])); \
		return r + 1; \
	}
#define CMP_DESC(OP, S, A, B, FLAGS, ...) \
	CU_OPDESC(OP) = { .cls = CU_CLASS_VALU, .flags = (FLAGS) & 255, .traits = (FLAGS) >> 8, .nsrc = 2, \
		.stype = { CU_T_##A, CU_T_##B }, .mask_out = 1, .kernel = k_CMP_##S, __VA_ARGS__ }
#define CMP_BOTH(S, A, B) \
	static const cu_fn fast_CMP_##S[4] = { hVV_CMP_##S, hSV_CMP_##S, hVS_CMP_##S }; \
	static const cu_fn fast_CMPX_##S[4] = { hVV_CMPX_##S, hSV_CMPX_##S, hVS_CMPX_##S }; \
	CMP_DESC(V_CMP_##S, S, A, B, 0, .fast = { fast_CMP_##S, fast_CMP_##S }, \
		.modified = hX_CMP_##S); \
	CMP_DESC(V_CMPX_##S, S, A, B, CU_OP_WRITES_EXEC, .fast = { fast_CMPX_##S, fast_CMPX_##S })

/* Vectors of 32-bit lanes. */
#define VCMP_KERNEL(S, EXPR) \
	static inline vm c_##S(vu a, vu b) { (void)a, (void)b; return (EXPR); } \
	static void k_CMP_##S(struct cu_vop *o) \
	{ \
		const vu *s0 = (const vu *)o->s[0], *s1 = (const vu *)o->s[1]; \
		o->out = 0; \
		for (int i = 0; i < NV; i++) \
			o->out |= (uint64_t)m_bits(c_##S(s0[i], s1[i])) << (i * VL); \
	}
#define VCMP(REL, A, B, EXPR) \
	VCMP_KERNEL(REL, EXPR) \
	CMP_HANDLER(REL, V, V) CMP_HANDLER(REL, S, V) CMP_HANDLER(REL, V, S) CMP_MODIFIED(REL) \
	CMP_BOTH(REL, A, B)
#define VCMP_SLOW(S, A, B, EXPR) \
	VCMP_KERNEL(S, EXPR) \
	CMP_DESC(V_CMP_##S, S, A, B, 0, ); \
	CMP_DESC(V_CMPX_##S, S, A, B, CU_OP_WRITES_EXEC, )

/* Lane by lane, in the C type T. */
#define LCMP(S, A, B, T, LOAD, EXPR) \
	static void k_CMP_##S(struct cu_vop *o) \
	{ \
		o->out = 0; \
		for (int l = 0; l < 64; l++) { \
			T a = LOAD(o->s[0], l), b = LOAD(o->s[1], l); \
			(void)a, (void)b; \
			o->out |= (uint64_t)(EXPR) << l; \
		} \
	} \
	CMP_DESC(V_CMP_##S, S, A, B, 0, ); \
	CMP_DESC(V_CMPX_##S, S, A, B, CU_OP_WRITES_EXEC, )

/* The sixteen float relations; N.. are their complements, true on NaN. */
#define FLOAT_CMPS(CMP, T, CONV) \
	CMP(F_##T, T, T, m_none()); \
	CMP(LT_##T, T, T, f_lt(CONV(a), CONV(b))); \
	CMP(EQ_##T, T, T, f_eq(CONV(a), CONV(b))); \
	CMP(LE_##T, T, T, f_le(CONV(a), CONV(b))); \
	CMP(GT_##T, T, T, f_gt(CONV(a), CONV(b))); \
	CMP(LG_##T, T, T, f_lg(CONV(a), CONV(b))); \
	CMP(GE_##T, T, T, f_ge(CONV(a), CONV(b))); \
	CMP(O_##T, T, T, f_ord(CONV(a), CONV(b))); \
	CMP(U_##T, T, T, f_uno(CONV(a), CONV(b))); \
	CMP(NGE_##T, T, T, f_nge(CONV(a), CONV(b))); \
	CMP(NLG_##T, T, T, f_nlg(CONV(a), CONV(b))); \
	CMP(NGT_##T, T, T, f_ngt(CONV(a), CONV(b))); \
	CMP(NLE_##T, T, T, f_nle(CONV(a), CONV(b))); \
	CMP(NEQ_##T, T, T, f_neq(CONV(a), CONV(b))); \
	CMP(NLT_##T, T, T, f_nlt(CONV(a), CONV(b))); \
	CMP(TRU_##T, T, T, m_all())
FLOAT_CMPS(VCMP, F32, (vf));
FLOAT_CMPS(VCMP_SLOW, F16, h2f);

#define DOUBLE_(s, l) as_double(lane64(s, l))
static inline double as_double(uint64_t x)
{
	double d;
	__builtin_memcpy(&d, &x, 8);
	return d;
}
#define DCMP(S, EXPR) LCMP(S, F64, F64, double, DOUBLE_, EXPR)
DCMP(F_F64, 0);
DCMP(LT_F64, a < b);
DCMP(EQ_F64, a == b);
DCMP(LE_F64, a <= b);
DCMP(GT_F64, a > b);
DCMP(LG_F64, a < b || a > b);
DCMP(GE_F64, a >= b);
DCMP(O_F64, a == a && b == b);
DCMP(U_F64, a != a || b != b);
DCMP(NGE_F64, !(a >= b));
DCMP(NLG_F64, !(a < b || a > b));
DCMP(NGT_F64, !(a > b));
DCMP(NLE_F64, !(a <= b));
DCMP(NEQ_F64, !(a == b));
DCMP(NLT_F64, !(a < b));
DCMP(TRU_F64, 1);

/* Compares that signal on any NaN (gfx6, gfx7): nobody listens. */
#define SIGNALLING_(REL, T) \
	CMP_DESC(V_CMPS_##REL##_##T, REL##_##T, T, T, 0, ); \
	CMP_DESC(V_CMPSX_##REL##_##T, REL##_##T, T, T, CU_OP_WRITES_EXEC, )
#define SIGNALLING(REL) SIGNALLING_(REL, F32); SIGNALLING_(REL, F64)
SIGNALLING(F); SIGNALLING(LT); SIGNALLING(EQ); SIGNALLING(LE);
SIGNALLING(GT); SIGNALLING(LG); SIGNALLING(GE); SIGNALLING(O);
SIGNALLING(U); SIGNALLING(NGE); SIGNALLING(NLG); SIGNALLING(NGT);
SIGNALLING(NLE); SIGNALLING(NEQ); SIGNALLING(NLT); SIGNALLING(TRU);

/* The eight integer relations. */
#define INT_CMPS(CMP, T, W, GT, LO, HI) \
	CMP(F_##T, W, W, m_none()); \
	CMP(LT_##T, W, W, GT(HI(b), HI(a))); \
	CMP(EQ_##T, W, W, i_eq(LO(a), LO(b))); \
	CMP(LE_##T, W, W, m_not(GT(HI(a), HI(b)))); \
	CMP(GT_##T, W, W, GT(HI(a), HI(b))); \
	CMP(NE_##T, W, W, m_not(i_eq(LO(a), LO(b)))); \
	CMP(GE_##T, W, W, m_not(GT(HI(b), HI(a)))); \
	CMP(T_##T, W, W, m_all())
#define SAME(x) (x)
#define HIGH16(x) ((x) << 16) /* halves compare at the top of the lane */
INT_CMPS(VCMP, I32, B32, i_gt, SAME, SAME);
INT_CMPS(VCMP, U32, B32, u_gt, SAME, SAME);
INT_CMPS(VCMP_SLOW, I16, B16, i_gt, HIGH16, HIGH16);
INT_CMPS(VCMP_SLOW, U16, B16, u_gt, HIGH16, HIGH16);

#define SIGNED_(s, l) ((int64_t)lane64(s, l))
#define LONG_CMPS(T, W, C, LOAD) \
	LCMP(F_##T, W, W, C, LOAD, 0); \
	LCMP(LT_##T, W, W, C, LOAD, a < b); \
	LCMP(EQ_##T, W, W, C, LOAD, a == b); \
	LCMP(LE_##T, W, W, C, LOAD, a <= b); \
	LCMP(GT_##T, W, W, C, LOAD, a > b); \
	LCMP(NE_##T, W, W, C, LOAD, a != b); \
	LCMP(GE_##T, W, W, C, LOAD, a >= b); \
	LCMP(T_##T, W, W, C, LOAD, 1)
LONG_CMPS(I64, I64, int64_t, SIGNED_);
LONG_CMPS(U64, B64, uint64_t, lane64);

/* --- v_cmp_class: bit of b for the class of a --- */
enum { SNAN, QNAN, NINF, NNORMAL, NDENORM, NZERO, PZERO, PDENORM, PNORMAL, PINF };

static unsigned float_class(bool negative, bool top_exponent, bool no_exponent, uint64_t mant, bool quiet)
{
	if (top_exponent)
		return mant ? (quiet ? QNAN : SNAN) : negative ? NINF : PINF;
	if (!no_exponent)
		return negative ? NNORMAL : PNORMAL;
	if (mant)
		return negative ? NDENORM : PDENORM;
	return negative ? NZERO : PZERO;
}
static unsigned class32(uint32_t a)
{
	uint32_t e = a >> 23 & 255, m = a & 0x7fffff;
	return float_class(a >> 31, e == 255, e == 0, m, m >> 22);
}
static unsigned class16(uint32_t a)
{
	uint32_t e = a >> 10 & 31, m = a & 0x3ff;
	return float_class(a >> 15 & 1, e == 31, e == 0, m, m >> 9);
}
static unsigned class64(uint64_t a)
{
	uint64_t e = a >> 52 & 2047, m = a & 0xfffffffffffff;
	return float_class(a >> 63, e == 2047, e == 0, m, m >> 51);
}
#define CLASS(T, LOAD) \
	static void k_CMP_CLASS_##T(struct cu_vop *o) \
	{ \
		o->out = 0; \
		for (int l = 0; l < 64; l++) \
			o->out |= (uint64_t)(o->s[1][l] >> LOAD & 1) << l; \
	} \
	CMP_DESC(V_CMP_CLASS_##T, CLASS_##T, T, B32, CU_OP_EXACT, ); \
	CMP_DESC(V_CMPX_CLASS_##T, CLASS_##T, T, B32, CU_OP_EXACT | CU_OP_WRITES_EXEC, )
CLASS(F32, class32(o->s[0][l]));
CLASS(F16, class16(o->s[0][l]));
CLASS(F64, class64(lane64(o->s[0], l)));
