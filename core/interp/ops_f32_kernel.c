/* SPDX-License-Identifier: MIT */
/* Vector opcodes on 32-bit floats.  Denormals are kept, except by v_mad and
 * v_mac, which flush them as the hardware does; every NaN that arithmetic
 * makes is 0x7fc00000, so that no result depends on operand order. */
#include "core/interp/math.h"
#include "core/interp/valu.h"

/* 0 times anything is +0. */
static inline vf mul_legacy(vf a, vf b)
{
	vm zero = m_or(f_eq(a, splatf(0.0f)), f_eq(b, splatf(0.0f)));
	return F(sel(zero, splat(0), U(a * b)));
}

FLOAT2(V_ADD_F32, 0, canon(F(a) + F(b)))
FLOAT2(V_SUB_F32, 0, canon(F(a) - F(b)))
FLOAT2(V_SUBREV_F32, 0, canon(F(b) - F(a)))
FLOAT2(V_MUL_F32, 0, canon(F(a) * F(b)))
SLOW2(V_MUL_LEGACY_F32, F32, F32, F32, 0, canon(mul_legacy(F(a), F(b))));
FLOAT2(V_MIN_F32, CU_OP_MINMAX, fmin_(F(a), F(b)))
FLOAT2(V_MAX_F32, CU_OP_MINMAX, fmax_(F(a), F(b)))

FLOAT3(V_FMA_F32, 0, canon(fma_(F(a), F(b), F(c))))
SLOW3(V_MAD_F32, F32, F32, F32, F32, 0, mad_(F(a), F(b), F(c)));
SLOW3(V_MAC_F32, F32, F32, F32, F32, CU_OP_DST_READ, mad_(F(a), F(b), F(c)));
SLOW3(V_MADMK_F32, F32, F32, F32, F32, 0, mad_(F(a), F(b), F(c)));
SLOW3(V_MADAK_F32, F32, F32, F32, F32, 0, mad_(F(a), F(b), F(c)));
SLOW3(V_MAD_LEGACY_F32, F32, F32, F32, F32, 0,
	canon(flush(flush(mul_legacy(flush(F(a)), flush(F(b)))) + flush(F(c)))));
SLOW3(V_MAC_LEGACY_F32, F32, F32, F32, F32, CU_OP_DST_READ,
	canon(flush(flush(mul_legacy(flush(F(a)), flush(F(b)))) + flush(F(c)))));
FLOAT3(V_MIN3_F32, CU_OP_MINMAX, fmin_(F(fmin_(F(a), F(b))), F(c)))
FLOAT3(V_MAX3_F32, CU_OP_MINMAX, fmax_(F(fmax_(F(a), F(b))), F(c)))
FLOAT3(V_MED3_F32, CU_OP_MINMAX, fmed3_(F(a), F(b), F(c)))

VALU1(V_TRUNC_F32, F32, F32, canon(trunc_(F(a))));
VALU1(V_CEIL_F32, F32, F32, canon(ceil_(F(a))));
VALU1(V_RNDNE_F32, F32, F32, canon(rint_(F(a))));
VALU1(V_FLOOR_F32, F32, F32, canon(floor_(F(a))));
/* x - floor(x) may round up to 1: the hardware stays below. */
VALU1(V_FRACT_F32, F32, F32, canon(min86(splatf(0x1.fffffep-1f), F(a) - floor_(F(a)))));
VALU1_(V_RCP_F32, F32, F32, CU_OP_NEAREST, canon(splatf(1.0f) / F(a)), );
SLOW1(V_RCP_IFLAG_F32, F32, F32, CU_OP_NEAREST, canon(splatf(1.0f) / F(a)));
VALU1_(V_SQRT_F32, F32, F32, CU_OP_NEAREST, canon(sqrt_(F(a))), );
VALU1_(V_RSQ_F32, F32, F32, CU_OP_NEAREST, canon(splatf(1.0f) / sqrt_(F(a))), );
VALU1_(V_EXP_F32, F32, F32, CU_OP_NEAREST, exp2_(F(a)), );
VALU1_(V_LOG_F32, F32, F32, CU_OP_NEAREST, log2_(F(a)), );
SLOW1(V_EXP_LEGACY_F32, F32, F32, CU_OP_NEAREST, exp2_(F(a)));
SLOW1(V_LOG_LEGACY_F32, F32, F32, CU_OP_NEAREST, log2_(F(a)));
VALU1_(V_SIN_F32, F32, F32, CU_OP_NEAREST, sin_(F(a)), );
VALU1_(V_COS_F32, F32, F32, CU_OP_NEAREST, cos_(F(a)), );

/* --- before gfx9 --- */

/* Infinity becomes `inf` of the same sign. */
static inline vu no_infinity(vu x, uint32_t inf)
{
	vu sign = x & splat(0x80000000u);
	return sel(i_eq(x ^ sign, splat(0x7f800000)), splat(inf) | sign, x);
}
#define MAX_FLOAT 0x7f7fffffu
#define OLD1(NAME, EXPR) SLOW1(NAME, F32, F32, CU_OP_NEAREST, EXPR)
OLD1(V_LOG_CLAMP_F32, sel(f_eq(F(a), splatf(0.0f)), splat(MAX_FLOAT | 0x80000000u), log2_(F(a))));
OLD1(V_RCP_CLAMP_F32, no_infinity(canon(splatf(1.0f) / F(a)), MAX_FLOAT));
OLD1(V_RCP_LEGACY_F32, no_infinity(canon(splatf(1.0f) / F(a)), 0));
/* The root of -0 has a reciprocal of minus infinity, which stays. */
static inline vu rsq_no_inf(vf a, uint32_t inf)
{
	vu r = canon(splatf(1.0f) / sqrt_(a));
	return sel(i_eq(r, splat(0x7f800000)), splat(inf), r);
}
OLD1(V_RSQ_CLAMP_F32, rsq_no_inf(F(a), MAX_FLOAT));
OLD1(V_RSQ_LEGACY_F32, rsq_no_inf(F(a), 0));
/* The second source with a NaN. */
SLOW2(V_MIN_LEGACY_F32, F32, F32, F32, 0, canon(self(f_lt(F(a), F(b)), F(a), F(b))));
SLOW2(V_MAX_LEGACY_F32, F32, F32, F32, 0, canon(self(f_ge(F(a), F(b)), F(a), F(b))));
/* The power of a lit(): a times b, or least where b or c say "dark". */
static inline vu mullit(vf a, vf b, vf c)
{
	vm dark = m_or(f_nge(b, F(splat(0xff7fffffu))), f_eq(b, F(splat(0xff7fffffu))));
	dark = m_or(dark, f_ngt(c, splatf(0.0f)));
	return sel(dark, splat(0xff7fffffu), canon(mul_legacy(a, b)));
}
SLOW3(V_MULLIT_F32, F32, F32, F32, F32, 0, mullit(F(a), F(b), F(c)));

/* --- exponent and mantissa --- */

SLOW1(V_FREXP_MANT_F32, F32, F32, 0, frexp_mant(F(a)));
SLOW1(V_FREXP_EXP_I32_F32, B32, F32, 0, frexp_exp(F(a)));

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
	vf ax = abs_(x), ay = abs_(y), az = abs_(z);
	*mz = m_and(f_ge(az, ax), f_ge(az, ay));
	*my = m_and(m_not(*mz), f_ge(ay, ax));
}
static inline vf negated(vf a)
{
	return F(U(a) ^ splat(0x80000000u));
}
static inline vu cube_id(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf zero = splatf(0.0f);
	vf fz = self(f_lt(z, zero), splatf(5.0f), splatf(4.0f));
	vf fy = self(f_lt(y, zero), splatf(3.0f), splatf(2.0f));
	vf fx = self(f_lt(x, zero), splatf(1.0f), zero);
	return U(self(mz, fz, self(my, fy, fx)));
}
static inline vu cube_sc(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf zero = splatf(0.0f);
	vf sz = self(f_lt(z, zero), negated(x), x);
	vf sx = self(f_lt(x, zero), z, negated(z));
	return canon(self(mz, sz, self(my, x, sx)));
}
static inline vu cube_tc(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	vf ty = self(f_lt(y, splatf(0.0f)), negated(z), z);
	return canon(self(my, ty, negated(y)));
}
static inline vu cube_ma(vf x, vf y, vf z)
{
	vm mz, my;
	cube_major(x, y, z, &mz, &my);
	return canon(splatf(2.0f) * self(mz, z, self(my, y, x)));
}
SLOW3(V_CUBEID_F32, F32, F32, F32, F32, 0, cube_id(F(a), F(b), F(c)));
SLOW3(V_CUBESC_F32, F32, F32, F32, F32, 0, cube_sc(F(a), F(b), F(c)));
SLOW3(V_CUBETC_F32, F32, F32, F32, F32, 0, cube_tc(F(a), F(b), F(c)));
SLOW3(V_CUBEMA_F32, F32, F32, F32, F32, 0, cube_ma(F(a), F(b), F(c)));
