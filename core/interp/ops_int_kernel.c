/* SPDX-License-Identifier: MIT */
/* Vector opcodes on 32-bit integers and bits, moves and selects. */
#include "core/interp/valu.h"

VALU1(V_MOV_B32, B32, B32, a);
VALU1(V_NOT_B32, B32, B32, ~a);

/* Saturating forms: VOP3 clamp. */
static inline vu add_sat_u(vu a, vu b)
{
	vu s = a + b;
	return m_sel(u_gt(a, s), v_setu(~0u), s);
}
static inline vu sub_sat_u(vu a, vu b)
{
	return m_sel(u_gt(b, a), v_setu(0), a - b);
}
/* Overflow of a result: the bound on a's side. */
static inline vu saturate(vu a, vu overflow, vu r)
{
	return m_sel(m_sign(overflow), (vu)((vi)a >> 31) ^ v_setu(0x7fffffff), r);
}
static inline vu add_sat_i(vu a, vu b)
{
	vu s = a + b;
	return saturate(a, (a ^ s) & (b ^ s), s);
}
static inline vu sub_sat_i(vu a, vu b)
{
	vu s = a - b;
	return saturate(a, (a ^ b) & (a ^ s), s);
}
SLOW2(V_ADD_U32_CLAMP, B32, B32, B32, 0, add_sat_u(a, b));
SLOW2(V_SUB_U32_CLAMP, B32, B32, B32, 0, sub_sat_u(a, b));
SLOW2(V_SUBREV_U32_CLAMP, B32, B32, B32, 0, sub_sat_u(b, a));
SLOW2(V_ADD_I32_CLAMP, B32, B32, B32, 0, add_sat_i(a, b));
SLOW2(V_SUB_I32_CLAMP, B32, B32, B32, 0, sub_sat_i(a, b));

#define CLAMPED(NAME) .saturating = &CU_FN(cu_op_##NAME##_CLAMP)
VALU2_(V_ADD_U32, B32, B32, B32, 0, a + b, CLAMPED(V_ADD_U32));
VALU2_(V_SUB_U32, B32, B32, B32, 0, a - b, CLAMPED(V_SUB_U32));
VALU2_(V_SUBREV_U32, B32, B32, B32, 0, b - a, CLAMPED(V_SUBREV_U32));
SLOW2_(V_ADD_I32, B32, B32, B32, 0, a + b, CLAMPED(V_ADD_I32));
SLOW2_(V_SUB_I32, B32, B32, B32, 0, a - b, CLAMPED(V_SUB_I32));

VALU2(V_AND_B32, B32, B32, B32, a & b);
VALU2(V_OR_B32, B32, B32, B32, a | b);
VALU2(V_XOR_B32, B32, B32, B32, a ^ b);
VALU2(V_LSHLREV_B32, B32, B32, B32, v_lshl(b, a));
VALU2(V_LSHRREV_B32, B32, B32, B32, v_lshr(b, a));
VALU2(V_ASHRREV_I32, B32, B32, B32, v_ashr(b, a));
/* Before gfx9: the value first. */
SLOW2(V_LSHL_B32, B32, B32, B32, 0, v_lshl(a, b));
SLOW2(V_LSHR_B32, B32, B32, B32, 0, v_lshr(a, b));
SLOW2(V_ASHR_I32, B32, B32, B32, 0, v_ashr(a, b));
VALU2(V_MIN_I32, B32, B32, B32, min_i(a, b));
VALU2(V_MAX_I32, B32, B32, B32, max_i(a, b));
VALU2(V_MIN_U32, B32, B32, B32, v_minu(a, b));
VALU2(V_MAX_U32, B32, B32, B32, v_maxu(a, b));

/* --- products --- */

/* High halves of the 64-bit products of even and odd lanes, joined. */
static inline vu mulhi_u(vu a, vu b)
{
	v_int_reg x = (v_int_reg)a, y = (v_int_reg)b;
	v_int_reg even = V_OP(srli_epi64)(V_OP(mul_epu32)(x, y), 32);
	v_int_reg odd = V_OP(mul_epu32)(V_OP(srli_epi64)(x, 32), V_OP(srli_epi64)(y, 32));
	return (vu)even | ((vu)odd & v_setu64(0xffffffff00000000));
}
static inline vu mulhi_i(vu a, vu b)
{
	return mulhi_u(a, b) - ((vu)((vi)a >> 31) & b) - ((vu)((vi)b >> 31) & a);
}
static inline vu sext24(vu a)
{
	return (vu)((vi)(a << 8) >> 8);
}
#define U24(x) ((x) & v_setu(0xffffff))
VALU2(V_MUL_LO_U32, B32, B32, B32, a * b);
SLOW2(V_MUL_LO_I32, B32, B32, B32, 0, a * b);
VALU2(V_MUL_HI_U32, B32, B32, B32, mulhi_u(a, b));
VALU2(V_MUL_HI_I32, B32, B32, B32, mulhi_i(a, b));
/* With clamp: the exact result at the nearest bound. */
static inline uint32_t bound_u(uint64_t x)
{
	return x > 0xffffffff ? ~0u : (uint32_t)x;
}
static inline uint32_t bound_i(int64_t x)
{
	return (uint32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : x);
}
static inline uint64_t u24(uint32_t x)
{
	return x & 0xffffff;
}
static inline int64_t i24(uint32_t x)
{
	return (int32_t)(x << 8) >> 8;
}
LANE2(V_MUL_U32_U24_CLAMP, B32, B32, B32, 0, bound_u(u24(a) * u24(b)));
LANE2(V_MUL_I32_I24_CLAMP, B32, B32, B32, 0, bound_i(i24(a) * i24(b)));
LANE3(V_MAD_U32_U24_CLAMP, B32, B32, B32, B32, 0, bound_u(u24(a) * u24(b) + c));
LANE3(V_MAD_I32_I24_CLAMP, B32, B32, B32, B32, 0, bound_i(i24(a) * i24(b) + (int32_t)c));
VALU2_(V_MUL_U32_U24, B32, B32, B32, 0, U24(a) * U24(b), CLAMPED(V_MUL_U32_U24));
VALU2_(V_MUL_I32_I24, B32, B32, B32, 0, sext24(a) * sext24(b), CLAMPED(V_MUL_I32_I24));
SLOW2(V_MUL_HI_U32_U24, B32, B32, B32, 0, mulhi_u(U24(a), U24(b)));
SLOW2(V_MUL_HI_I32_I24, B32, B32, B32, 0, mulhi_i(sext24(a), sext24(b)));
VALU3_(V_MAD_U32_U24, B32, B32, B32, B32, 0, U24(a) * U24(b) + c, CLAMPED(V_MAD_U32_U24));
VALU3_(V_MAD_I32_I24, B32, B32, B32, B32, 0, sext24(a) * sext24(b) + c, CLAMPED(V_MAD_I32_I24));

/* --- three sources --- */
VALU3(V_LSHL_ADD_U32, B32, B32, B32, B32, v_lshl(a, b) + c);
VALU3(V_ADD_LSHL_U32, B32, B32, B32, B32, v_lshl(a + b, c));
VALU3(V_ADD3_U32, B32, B32, B32, B32, a + b + c);
VALU3(V_LSHL_OR_B32, B32, B32, B32, B32, v_lshl(a, b) | c);
VALU3(V_AND_OR_B32, B32, B32, B32, B32, (a & b) | c);
VALU3(V_OR3_B32, B32, B32, B32, B32, a | b | c);
SLOW3(V_XAD_U32, B32, B32, B32, B32, 0, (a ^ b) + c);
VALU3(V_BFI_B32, B32, B32, B32, B32, (a & b) | (~a & c));
SLOW3(V_MIN3_I32, B32, B32, B32, B32, 0, min_i(min_i(a, b), c));
SLOW3(V_MAX3_I32, B32, B32, B32, B32, 0, max_i(max_i(a, b), c));
SLOW3(V_MED3_I32, B32, B32, B32, B32, 0, max_i(min_i(a, b), min_i(max_i(a, b), c)));
SLOW3(V_MIN3_U32, B32, B32, B32, B32, 0, v_minu(v_minu(a, b), c));
SLOW3(V_MAX3_U32, B32, B32, B32, B32, 0, v_maxu(v_maxu(a, b), c));
SLOW3(V_MED3_U32, B32, B32, B32, B32, 0, v_maxu(v_minu(a, b), v_minu(v_maxu(a, b), c)));

/* --- bit fields --- */
static inline vu low_bits(vu n) /* n in 0..31 */
{
	return v_lshl(v_setu(1), n) - v_setu(1);
}
static inline vu bfe_u(vu a, vu offset, vu width)
{
	return v_lshr(a, offset) & low_bits(width & v_setu(31));
}
static inline vu bfe_i(vu a, vu offset, vu width)
{
	vu w = width & v_setu(31);
	vu field = bfe_u(a, offset, width);
	vu sign = v_lshr(v_lshl(v_setu(1), w), v_setu(1)); /* 0 for width 0 */
	return (field ^ sign) - sign;
}
VALU3(V_BFE_U32, B32, B32, B32, B32, bfe_u(a, b, c));
VALU3(V_BFE_I32, B32, B32, B32, B32, bfe_i(a, b, c));
SLOW2(V_BFM_B32, B32, B32, B32, 0, v_lshl(low_bits(a & v_setu(31)), b));

static inline vu popcount(vu a)
{
	a = a - (a >> 1 & v_setu(0x55555555));
	a = (a & v_setu(0x33333333)) + (a >> 2 & v_setu(0x33333333));
	a = (a + (a >> 4)) & v_setu(0x0f0f0f0f);
	return (a * v_setu(0x01010101)) >> 24;
}
static inline vu reversed(vu a)
{
	a = (a >> 1 & v_setu(0x55555555)) | (a & v_setu(0x55555555)) << 1;
	a = (a >> 2 & v_setu(0x33333333)) | (a & v_setu(0x33333333)) << 2;
	a = (a >> 4 & v_setu(0x0f0f0f0f)) | (a & v_setu(0x0f0f0f0f)) << 4;
	a = (a >> 8 & v_setu(0x00ff00ff)) | (a & v_setu(0x00ff00ff)) << 8;
	return a >> 16 | a << 16;
}
SLOW2(V_BCNT_U32_B32, B32, B32, B32, 0, popcount(a) + b);
SLOW1(V_BFREV_B32, B32, B32, 0, reversed(a));

static inline uint32_t bit_align(uint32_t a, uint32_t b, uint32_t n)
{
	return (uint32_t)(((uint64_t)a << 32 | b) >> n);
}
LANE1(V_FFBH_U32, B32, B32, 0, a ? (uint32_t)__builtin_clz(a) : ~0u);
LANE1(V_FFBL_B32, B32, B32, 0, a ? (uint32_t)__builtin_ctz(a) : ~0u);
/* Leading bits equal to the sign; -1 when all are. */
LANE1(V_FFBH_I32, B32, B32, 0,
	a + 1 > 1 ? (uint32_t)__builtin_clz((int32_t)a < 0 ? ~a : a) : ~0u);
LANE3(V_ALIGNBIT_B32, B32, B32, B32, B32, 0, bit_align(a, b, c & 31));
LANE3(V_ALIGNBYTE_B32, B32, B32, B32, B32, 0, bit_align(a, b, (c & 3) * 8));

/* --- bytes --- */
static inline uint32_t byte_of(uint32_t x, int i)
{
	return x >> (8 * i) & 255;
}
static uint32_t perm(uint32_t a, uint32_t b, uint32_t select)
{
	uint64_t bytes = (uint64_t)a << 32 | b;
	uint32_t r = 0;
	for (int i = 0; i < 4; i++) {
		uint32_t s = byte_of(select, i), x;
		if (s <= 7)
			x = (uint32_t)(bytes >> (8 * s)) & 255;
		else if (s <= 11) /* sign of byte 1, 3, 5, 7 */
			x = bytes >> (16 * (s - 8) + 15) & 1 ? 255 : 0;
		else
			x = s == 12 ? 0 : 255;
		r |= x << (8 * i);
	}
	return r;
}
static inline uint32_t sad_u8(uint32_t a, uint32_t b, bool masked)
{
	uint32_t sum = 0;
	for (int i = 0; i < 4; i++) {
		int x = (int)byte_of(a, i), y = (int)byte_of(b, i);
		if (!masked || y)
			sum += (uint32_t)(x > y ? x - y : y - x);
	}
	return sum;
}
static inline uint32_t sad_u16(uint32_t a, uint32_t b)
{
	int lo = (int)(a & 0xffff) - (int)(b & 0xffff), hi = (int)(a >> 16) - (int)(b >> 16);
	return (uint32_t)(lo < 0 ? -lo : lo) + (uint32_t)(hi < 0 ? -hi : hi);
}
static inline uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t round)
{
	uint32_t r = 0;
	for (int i = 0; i < 4; i++)
		r |= (byte_of(a, i) + byte_of(b, i) + (round >> (8 * i) & 1)) >> 1 << (8 * i);
	return r;
}
LANE3(V_PERM_B32, B32, B32, B32, B32, 0, perm(a, b, c));
LANE3(V_LERP_U8, B32, B32, B32, B32, 0, lerp_u8(a, b, c));
#define SAD(NAME, EXPR) \
	LANE3(NAME##_CLAMP, B32, B32, B32, B32, 0, bound_u((uint64_t)(EXPR) + c)); \
	LANE3_(NAME, B32, B32, B32, B32, 0, (EXPR) + c, CLAMPED(NAME))
SAD(V_SAD_U8, sad_u8(a, b, false));
SAD(V_SAD_HI_U8, sad_u8(a, b, false) << 16);
SAD(V_SAD_U16, sad_u16(a, b));
SAD(V_SAD_U32, a > b ? a - b : b - a);
SAD(V_MSAD_U8, sad_u8(a, b, true));

/* --- carries --- */
#define CARRY(NAME, N, C, EXPR, CARRY_EXPR, BOUND) \
	CARRY_KERNEL(NAME##_CLAMP, EXPR, CARRY_EXPR, m_sel(carry, v_setu(BOUND), r)) \
	VALU_DESC(NAME##_CLAMP, N, B32, B32, B32, C, 0, .mask_out = 1); \
	CARRY_KERNEL(NAME, EXPR, CARRY_EXPR, r) \
	VALU_DESC(NAME, N, B32, B32, B32, C, 0, .mask_out = 1, CLAMPED(NAME))
#define CARRY_KERNEL(NAME, EXPR, CARRY_EXPR, RESULT) \
	static void k_##NAME(struct cu_vop *o) \
	{ \
		const vu *s0 = (const vu *)o->s[0], *s1 = (const vu *)o->s[1]; \
		vu *d = (vu *)o->d; \
		o->out = 0; \
		for (int i = 0; i < NV; i++) { \
			vu a = s0[i], b = s1[i]; \
			vm in = m_part(o->in, i); \
			vu one = m_sel(in, v_setu(1), v_setu(0)); \
			vu r = (EXPR); \
			vm carry = (CARRY_EXPR); \
			(void)one; \
			o->out |= (uint64_t)m_bits(carry) << (i * VL); \
			d[i] = (RESULT); \
		} \
	}
/* Borrow with carry-in: a < b, or equal and something was borrowed. */
#define BORROW(x, y) m_or(u_gt(y, x), m_and(i_eq(x, y), in))
CARRY(V_ADD_CO_U32, 2, NONE, a + b, u_gt(a, r), ~0u);
CARRY(V_SUB_CO_U32, 2, NONE, a - b, u_gt(b, a), 0);
CARRY(V_SUBREV_CO_U32, 2, NONE, b - a, u_gt(a, b), 0);
CARRY(V_ADDC_CO_U32, 3, MASK, a + b + one, m_or(u_gt(a, r), m_and(i_eq(a, r), in)), ~0u);
CARRY(V_SUBB_CO_U32, 3, MASK, a - b - one, BORROW(a, b), 0);
CARRY(V_SUBBREV_CO_U32, 3, MASK, b - a - one, BORROW(b, a), 0);

/* --- select --- */
static void k_V_CNDMASK_B32(struct cu_vop *o)
{
	const vu *s0 = (const vu *)o->s[0], *s1 = (const vu *)o->s[1];
	vu *d = (vu *)o->d;
	for (int i = 0; i < NV; i++)
		d[i] = m_sel(m_part(o->in, i), s1[i], s0[i]);
}
#define CNDMASK(P, X, Y) \
	CU_HANDLER(h##P##X##Y##_V_CNDMASK_B32) \
	{ \
		SRC_##X(0) SRC_##Y(1) \
		uint64_t m = cu_src64(w, r, 2); \
		vu *d = (vu *)cu_dst(w, r); \
		for (int i = 0; i < NV; i++) \
			PUT_##P(m_sel(m_part(m, i), GET_##Y(1), GET_##X(0))) \
		return r + 1; \
	}
CNDMASK(F, V, V) CNDMASK(F, S, V) CNDMASK(F, V, S) CNDMASK(F, S, S)
CNDMASK(M, V, V) CNDMASK(M, S, V) CNDMASK(M, V, S) CNDMASK(M, S, S)
VALU_DESC(V_CNDMASK_B32, 3, F32, F32, F32, MASK, CU_OP_EXACT, .fast = {
	CU_FAST(8, hMVV_V_CNDMASK_B32, hMSV_V_CNDMASK_B32, hMVS_V_CNDMASK_B32, hMSS_V_CNDMASK_B32),
	CU_FAST(8, hFVV_V_CNDMASK_B32, hFSV_V_CNDMASK_B32, hFVS_V_CNDMASK_B32, hFSS_V_CNDMASK_B32) });
