/* SPDX-License-Identifier: MIT */
/* Vector opcodes on 32-bit floats.  Denormals are kept, except by v_mad and
 * v_mac, which flush them as the hardware does; every NaN that arithmetic
 * makes is 0x7fc00000, so that no result depends on operand order. */
#include "core/interp/math.h"
#include "core/interp/valu.h"

/* 0 times anything is +0. */
static inline vf mul_legacy(vf a, vf b)
{
	vm zero = m_or(f_eq(a, v_setf(0.0f)), f_eq(b, v_setf(0.0f)));
	return (vf)m_sel(zero, v_setu(0), (vu)(a * b));
}

FLOAT2(V_ADD_F32, 0, canon((vf)a + (vf)b))
FLOAT2(V_SUB_F32, 0, canon((vf)a - (vf)b))
FLOAT2(V_SUBREV_F32, 0, canon((vf)b - (vf)a))
FLOAT2(V_MUL_F32, 0, canon((vf)a * (vf)b))
SLOW2(V_MUL_LEGACY_F32, F32, F32, F32, 0, canon(mul_legacy((vf)a, (vf)b)));
FLOAT2(V_MIN_F32, CU_OP_MINMAX, fmin_((vf)a, (vf)b))
FLOAT2(V_MAX_F32, CU_OP_MINMAX, fmax_((vf)a, (vf)b))

FLOAT3(V_FMA_F32, 0, canon(v_fma((vf)a, (vf)b, (vf)c)))
SLOW3(V_MAD_F32, F32, F32, F32, F32, 0, mad_((vf)a, (vf)b, (vf)c));
SLOW3(V_MAC_F32, F32, F32, F32, F32, CU_OP_DST_READ, mad_((vf)a, (vf)b, (vf)c));
SLOW3(V_MADMK_F32, F32, F32, F32, F32, 0, mad_((vf)a, (vf)b, (vf)c));
SLOW3(V_MADAK_F32, F32, F32, F32, F32, 0, mad_((vf)a, (vf)b, (vf)c));
SLOW3(V_MAD_LEGACY_F32, F32, F32, F32, F32, 0,
	canon(flush(flush(mul_legacy(flush((vf)a), flush((vf)b))) + flush((vf)c))));
SLOW3(V_MAC_LEGACY_F32, F32, F32, F32, F32, CU_OP_DST_READ,
	canon(flush(flush(mul_legacy(flush((vf)a), flush((vf)b))) + flush((vf)c))));
FLOAT3(V_MIN3_F32, CU_OP_MINMAX, fmin_((vf)fmin_((vf)a, (vf)b), (vf)c))
FLOAT3(V_MAX3_F32, CU_OP_MINMAX, fmax_((vf)fmax_((vf)a, (vf)b), (vf)c))
FLOAT3(V_MED3_F32, CU_OP_MINMAX, fmed3_((vf)a, (vf)b, (vf)c))

VALU1(V_TRUNC_F32, F32, F32, canon(v_truncf((vf)a)));
VALU1(V_CEIL_F32, F32, F32, canon(v_ceil((vf)a)));
VALU1(V_RNDNE_F32, F32, F32, canon(v_rint((vf)a)));
VALU1(V_FLOOR_F32, F32, F32, canon(v_floor((vf)a)));
/* x - floor(x) may round up to 1: the hardware stays below. */
VALU1(V_FRACT_F32, F32, F32, canon(v_minf(v_setf(0x1.fffffep-1f), (vf)a - v_floor((vf)a))));
VALU1_(V_RCP_F32, F32, F32, CU_OP_NEAREST, canon(v_setf(1.0f) / (vf)a), );
SLOW1(V_RCP_IFLAG_F32, F32, F32, CU_OP_NEAREST, canon(v_setf(1.0f) / (vf)a));
VALU1_(V_SQRT_F32, F32, F32, CU_OP_NEAREST, canon(v_sqrtf((vf)a)), );
VALU1_(V_RSQ_F32, F32, F32, CU_OP_NEAREST, canon(v_setf(1.0f) / v_sqrtf((vf)a)), );
VALU1_(V_EXP_F32, F32, F32, CU_OP_NEAREST, exp2_((vf)a), );
VALU1_(V_LOG_F32, F32, F32, CU_OP_NEAREST, log2_((vf)a), );
SLOW1(V_EXP_LEGACY_F32, F32, F32, CU_OP_NEAREST, exp2_((vf)a));
SLOW1(V_LOG_LEGACY_F32, F32, F32, CU_OP_NEAREST, log2_((vf)a));
VALU1_(V_SIN_F32, F32, F32, CU_OP_NEAREST, sin_((vf)a), );
VALU1_(V_COS_F32, F32, F32, CU_OP_NEAREST, cos_((vf)a), );

/* --- before gfx9 --- */

/* Infinity becomes `inf` of the same sign. */
static inline vu no_infinity(vu x, uint32_t inf)
{
	vu sign = x & v_setu(0x80000000u);
	return m_sel(i_eq(x ^ sign, v_setu(0x7f800000)), v_setu(inf) | sign, x);
}
#define MAX_FLOAT 0x7f7fffffu
#define OLD1(NAME, EXPR) SLOW1(NAME, F32, F32, CU_OP_NEAREST, EXPR)
OLD1(V_LOG_CLAMP_F32, m_sel(f_eq((vf)a, v_setf(0.0f)), v_setu(MAX_FLOAT | 0x80000000u), log2_((vf)a)));
OLD1(V_RCP_CLAMP_F32, no_infinity(canon(v_setf(1.0f) / (vf)a), MAX_FLOAT));
OLD1(V_RCP_LEGACY_F32, no_infinity(canon(v_setf(1.0f) / (vf)a), 0));
/* The root of -0 has a reciprocal of minus infinity, which stays. */
static inline vu rsq_no_inf(vf a, uint32_t inf)
{
	vu r = canon(v_setf(1.0f) / v_sqrtf(a));
	return m_sel(i_eq(r, v_setu(0x7f800000)), v_setu(inf), r);
}
OLD1(V_RSQ_CLAMP_F32, rsq_no_inf((vf)a, MAX_FLOAT));
OLD1(V_RSQ_LEGACY_F32, rsq_no_inf((vf)a, 0));
/* The second source with a NaN. */
SLOW2(V_MIN_LEGACY_F32, F32, F32, F32, 0, canon(m_self(f_lt((vf)a, (vf)b), (vf)a, (vf)b)));
SLOW2(V_MAX_LEGACY_F32, F32, F32, F32, 0, canon(m_self(f_ge((vf)a, (vf)b), (vf)a, (vf)b)));
/* The power of a lit(): a times b, or least where b or c say "dark". */
static inline vu mullit(vf a, vf b, vf c)
{
	vm dark = m_or(f_nge(b, (vf)v_setu(0xff7fffffu)), f_eq(b, (vf)v_setu(0xff7fffffu)));
	dark = m_or(dark, f_ngt(c, v_setf(0.0f)));
	return m_sel(dark, v_setu(0xff7fffffu), canon(mul_legacy(a, b)));
}
SLOW3(V_MULLIT_F32, F32, F32, F32, F32, 0, mullit((vf)a, (vf)b, (vf)c));

/* --- exponent and mantissa --- */

SLOW1(V_FREXP_MANT_F32, F32, F32, 0, frexp_mant((vf)a));
SLOW1(V_FREXP_EXP_I32_F32, B32, F32, 0, frexp_exp((vf)a));

/* One rounding also for denormal results: through double, where the scaled
 * value is exact. */
static inline uint32_t ldexp_(uint32_t a, int32_t n)
{
	union { uint32_t u; float f; } x = { a };
	union { uint64_t u; double d; } s;
	n = n < -400 ? -400 : n > 400 ? 400 : n;
	s.u = (uint64_t)(1023 + n) << 52;
	if (x.f != x.f)
		return QNAN32;
	x.f = (float)((double)x.f * s.d);
	return x.u;
}
LANE2(V_LDEXP_F32, F32, F32, B32, 0, ldexp_(a, (int32_t)b));

/* --- cube maps (the manual's order: ties go to z, then y) --- */

static inline void cube_major(vf x, vf y, vf z, vm *mz, vm *my)
{
	vf ax = v_absf(x), ay = v_absf(y), az = v_absf(z);
	*mz = m_and(f_ge(az, ax), f_ge(az, ay));
	*my = m_and(m_not(*mz), f_ge(ay, ax));
}
static inline vf negated(vf a)
{
	return (vf)((vu)a ^ v_setu(0x80000000u));
}
static inline vu cube_id(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf zero = v_setf(0.0f);
	vf fz = m_self(f_lt(z, zero), v_setf(5.0f), v_setf(4.0f));
	vf fy = m_self(f_lt(y, zero), v_setf(3.0f), v_setf(2.0f));
	vf fx = m_self(f_lt(x, zero), v_setf(1.0f), zero);
	return (vu)m_self(mz, fz, m_self(my, fy, fx));
}
static inline vu cube_sc(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf zero = v_setf(0.0f);
	vf sz = m_self(f_lt(z, zero), negated(x), x);
	vf sx = m_self(f_lt(x, zero), z, negated(z));
	return canon(m_self(mz, sz, m_self(my, x, sx)));
}
static inline vu cube_tc(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf ty = m_self(f_lt(y, v_setf(0.0f)), negated(z), z);
	return canon(m_self(my, ty, negated(y)));
}
static inline vu cube_ma(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	return canon(v_setf(2.0f) * m_self(mz, z, m_self(my, y, x)));
}
SLOW3(V_CUBEID_F32, F32, F32, F32, F32, 0, cube_id((vf)a, (vf)b, (vf)c));
SLOW3(V_CUBESC_F32, F32, F32, F32, F32, 0, cube_sc((vf)a, (vf)b, (vf)c));
SLOW3(V_CUBETC_F32, F32, F32, F32, F32, 0, cube_tc((vf)a, (vf)b, (vf)c));
SLOW3(V_CUBEMA_F32, F32, F32, F32, F32, 0, cube_ma((vf)a, (vf)b, (vf)c));
