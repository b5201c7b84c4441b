/* SPDX-License-Identifier: MIT */
/* Conversions.  To integers they saturate and NaN gives 0, as the manual says. */
#include "core/interp/valu.h"

static inline vu f2i_sat(vf a)
{
	vu r = f2i(a); /* 0x80000000 when it does not fit */
	r = sel(f_ge(a, splatf(0x1p31f)), splat(0x7fffffff), r);
	return sel(m_nan(a), splat(0), r);
}
static inline vu f2u_sat(vf a)
{
	vf x = max86(a, splatf(0.0f)); /* NaN too gives 0 */
#if CU_LEVEL == 4
	return (vu)_mm512_cvttps_epu32((__m512)x); /* all ones when it does not fit */
#else
	vm big = f_ge(x, splatf(0x1p31f));
	vu r = f2i(self(big, x - splatf(0x1p31f), x)) ^ sel(big, splat(0x80000000u), splat(0));
	return sel(f_ge(x, splatf(0x1p32f)), splat(~0u), r);
#endif
}

VALU1(V_CVT_F32_I32, F32, B32, U(i2f(a)));
VALU1(V_CVT_F32_U32, F32, B32, U(u2f(a)));
VALU1(V_CVT_U32_F32, B32, F32, f2u_sat(F(a)));
VALU1(V_CVT_I32_F32, B32, F32, f2i_sat(F(a)));
SLOW1(V_CVT_RPI_I32_F32, B32, F32, 0, f2i_sat(floor_(F(a) + splatf(0.5f))));
SLOW1(V_CVT_FLR_I32_F32, B32, F32, 0, f2i_sat(floor_(F(a))));
VALU1(V_CVT_F16_F32, F16, F32, f2h(F(a)));
VALU1(V_CVT_F32_F16, F32, F16, canon(h2f(a)));
VALU1(V_CVT_F32_UBYTE0, F32, B32, U(i2f(a & splat(255))));
VALU1(V_CVT_F32_UBYTE1, F32, B32, U(i2f(a >> 8 & splat(255))));
VALU1(V_CVT_F32_UBYTE2, F32, B32, U(i2f(a >> 16 & splat(255))));
VALU1(V_CVT_F32_UBYTE3, F32, B32, U(i2f(a >> 24)));
/* A signed 4-bit offset in sixteenths. */
SLOW1(V_CVT_OFF_F32_I4, F32, B32, 0, U(i2f(U(I(a << 28) >> 28)) * splatf(0.0625f)));

/* --- 16 bits --- */
SLOW1(V_CVT_F16_U16, F16, B16, 0, f2h(i2f(a & splat(0xffff))));
SLOW1(V_CVT_F16_I16, F16, B16, 0, f2h(i2f(U(I(a << 16) >> 16))));
SLOW1(V_CVT_U16_F16, B16, F16, 0, umin(f2u_sat(h2f(a)), splat(0xffff)));
static inline vu clamp_i(vu a, int32_t lo, int32_t hi)
{
	return imax(imin(a, splat((uint32_t)hi)), splat((uint32_t)lo));
}
#define LOW16(x) ((x) & splat(0xffff))
SLOW1(V_CVT_I16_F16, B16, F16, 0, LOW16(clamp_i(f2i_sat(h2f(a)), -32768, 32767)));

/* Normalised: clamped, scaled, rounded to nearest even; NaN gives 0. */
static inline vu snorm16(vf a)
{
	vf x = min86(splatf(1.0f), max86(splatf(-1.0f), a));
	vu r = f2i(rint_(x * splatf(32767.0f)));
	return LOW16(sel(m_nan(a), splat(0), r));
}
static inline vu unorm16(vf a)
{
	vf x = min86(max86(a, splatf(0.0f)), splatf(1.0f));
	return f2i(rint_(x * splatf(65535.0f)));
}
#define PACK(lo, hi) ((lo) | (hi) << 16)
SLOW2(V_CVT_PKNORM_I16_F32, B32, F32, F32, 0, PACK(snorm16(F(a)), snorm16(F(b))));
SLOW2(V_CVT_PKNORM_U16_F32, B32, F32, F32, 0, PACK(unorm16(F(a)), unorm16(F(b))));
SLOW2(V_CVT_PKNORM_I16_F16, B32, F16, F16, 0, PACK(snorm16(h2f(a)), snorm16(h2f(b))));
SLOW2(V_CVT_PKNORM_U16_F16, B32, F16, F16, 0, PACK(unorm16(h2f(a)), unorm16(h2f(b))));
SLOW1(V_CVT_NORM_I16_F16, B16, F16, 0, snorm16(h2f(a)));
SLOW1(V_CVT_NORM_U16_F16, B16, F16, 0, unorm16(h2f(a)));
VALU2(V_CVT_PKRTZ_F16_F32, B32, F32, F32, PACK(f2h_rtz(F(a)), f2h_rtz(F(b))));
SLOW2(V_CVT_PK_U16_U32, B32, B32, B32, 0,
	PACK(umin(a, splat(0xffff)), umin(b, splat(0xffff))));
SLOW2(V_CVT_PK_I16_I32, B32, B32, B32, 0,
	PACK(LOW16(clamp_i(a, -32768, 32767)), clamp_i(b, -32768, 32767)));
SLOW2(V_PACK_B32_F16, B32, F16, F16, CU_OP_EXACT, PACK(LOW16(a), b));
SLOW1(V_SAT_PK_U8_I16, B16, B32, 0,
	clamp_i(U(I(a << 16) >> 16), 0, 255) | clamp_i(U(I(a) >> 16), 0, 255) << 8);

/* Byte b & 3 of c becomes a, rounded to nearest even and saturated. */
static inline vu pk_u8(vf a, vu b, vu c)
{
	vf x = min86(max86(a, splatf(0.0f)), splatf(255.0f));
	vu shift = (b & splat(3)) << 3;
	return (c & ~shl(splat(255), shift)) | shl(f2i(rint_(x)), shift);
}
SLOW3(V_CVT_PK_U8_F32, B32, F32, B32, B32, 0, pk_u8(F(a), b, c));
SLOW3(V_CVT_PKACCUM_U8_F32, B32, F32, B32, B32, CU_OP_DST_READ, pk_u8(F(a), b, c));
