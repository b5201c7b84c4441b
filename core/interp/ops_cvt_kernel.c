/* SPDX-License-Identifier: MIT */
/* Conversions.  To integers they saturate and NaN gives 0, as the manual says. */
#include "core/interp/valu.h"

static inline vu f2i_sat(vf a)
{
	vu r = (vu)v_trunc(a); /* 0x80000000 when it does not fit */
	r = m_sel(f_ge(a, v_setf(0x1p31f)), v_setu(0x7fffffff), r);
	return m_sel(m_nan(a), v_setu(0), r);
}
static inline vu f2u_sat(vf a)
{
	vf x = v_maxf(a, v_setf(0.0f)); /* NaN too gives 0 */
#if CU_LEVEL == 4
	return (vu)_mm512_cvttps_epu32((__m512)x); /* all ones when it does not fit */
#else
	vm big = f_ge(x, v_setf(0x1p31f));
	vu r = (vu)v_trunc(m_self(big, x - v_setf(0x1p31f), x)) ^ m_sel(big, v_setu(0x80000000u), v_setu(0));
	return m_sel(f_ge(x, v_setf(0x1p32f)), v_setu(~0u), r);
#endif
}

VALU1(V_CVT_F32_I32, F32, B32, (vu)v_float((vi)a));
VALU1(V_CVT_F32_U32, F32, B32, (vu)v_floatu(a));
VALU1(V_CVT_U32_F32, B32, F32, f2u_sat((vf)a));
VALU1(V_CVT_I32_F32, B32, F32, f2i_sat((vf)a));
SLOW1(V_CVT_RPI_I32_F32, B32, F32, 0, f2i_sat(v_floor((vf)a + v_setf(0.5f))));
SLOW1(V_CVT_FLR_I32_F32, B32, F32, 0, f2i_sat(v_floor((vf)a)));
VALU1(V_CVT_F16_F32, F16, F32, f2h((vf)a));
VALU1(V_CVT_F32_F16, F32, F16, canon(h2f(a)));
VALU1(V_CVT_F32_UBYTE0, F32, B32, (vu)v_float((vi)(a & v_setu(255))));
VALU1(V_CVT_F32_UBYTE1, F32, B32, (vu)v_float((vi)(a >> 8 & v_setu(255))));
VALU1(V_CVT_F32_UBYTE2, F32, B32, (vu)v_float((vi)(a >> 16 & v_setu(255))));
VALU1(V_CVT_F32_UBYTE3, F32, B32, (vu)v_float((vi)(a >> 24)));
/* A signed 4-bit offset in sixteenths. */
SLOW1(V_CVT_OFF_F32_I4, F32, B32, 0, (vu)(v_float((vi)(a << 28) >> 28) * v_setf(0.0625f)));

/* --- 16 bits --- */
SLOW1(V_CVT_F16_U16, F16, B16, 0, f2h(v_float((vi)(a & v_setu(0xffff)))));
SLOW1(V_CVT_F16_I16, F16, B16, 0, f2h(v_float((vi)(a << 16) >> 16)));
SLOW1(V_CVT_U16_F16, B16, F16, 0, v_minu(f2u_sat(h2f(a)), v_setu(0xffff)));
static inline vu clamp_i(vu a, int32_t lo, int32_t hi)
{
	return max_i(min_i(a, v_setu((uint32_t)hi)), v_setu((uint32_t)lo));
}
#define LOW16(x) ((x) & v_setu(0xffff))
SLOW1(V_CVT_I16_F16, B16, F16, 0, LOW16(clamp_i(f2i_sat(h2f(a)), -32768, 32767)));

/* Normalised: clamped, scaled, rounded to nearest even; NaN gives 0. */
static inline vu snorm16(vf a)
{
	vf x = v_minf(v_setf(1.0f), v_maxf(v_setf(-1.0f), a));
	vu r = (vu)v_trunc(v_rint(x * v_setf(32767.0f)));
	return LOW16(m_sel(m_nan(a), v_setu(0), r));
}
static inline vu unorm16(vf a)
{
	vf x = v_minf(v_maxf(a, v_setf(0.0f)), v_setf(1.0f));
	return (vu)v_trunc(v_rint(x * v_setf(65535.0f)));
}
#define PACK(lo, hi) ((lo) | (hi) << 16)
SLOW2(V_CVT_PKNORM_I16_F32, B32, F32, F32, 0, PACK(snorm16((vf)a), snorm16((vf)b)));
SLOW2(V_CVT_PKNORM_U16_F32, B32, F32, F32, 0, PACK(unorm16((vf)a), unorm16((vf)b)));
SLOW2(V_CVT_PKNORM_I16_F16, B32, F16, F16, 0, PACK(snorm16(h2f(a)), snorm16(h2f(b))));
SLOW2(V_CVT_PKNORM_U16_F16, B32, F16, F16, 0, PACK(unorm16(h2f(a)), unorm16(h2f(b))));
SLOW1(V_CVT_NORM_I16_F16, B16, F16, 0, snorm16(h2f(a)));
SLOW1(V_CVT_NORM_U16_F16, B16, F16, 0, unorm16(h2f(a)));
VALU2(V_CVT_PKRTZ_F16_F32, B32, F32, F32, PACK(f2h_rtz((vf)a), f2h_rtz((vf)b)));
SLOW2(V_CVT_PK_U16_U32, B32, B32, B32, 0,
	PACK(v_minu(a, v_setu(0xffff)), v_minu(b, v_setu(0xffff))));
SLOW2(V_CVT_PK_I16_I32, B32, B32, B32, 0,
	PACK(LOW16(clamp_i(a, -32768, 32767)), clamp_i(b, -32768, 32767)));
SLOW2(V_PACK_B32_F16, B32, F16, F16, CU_OP_EXACT, PACK(LOW16(a), b));
SLOW1(V_SAT_PK_U8_I16, B16, B32, 0,
	clamp_i((vu)((vi)(a << 16) >> 16), 0, 255) | clamp_i((vu)((vi)a >> 16), 0, 255) << 8);

/* Byte b & 3 of c becomes a, rounded to nearest even and saturated. */
static inline vu pk_u8(vf a, vu b, vu c)
{
	vf x = v_minf(v_maxf(a, v_setf(0.0f)), v_setf(255.0f));
	vu shift = (b & v_setu(3)) << 3;
	return (c & ~v_lshl(v_setu(255), shift)) | v_lshl((vu)v_trunc(v_rint(x)), shift);
}
SLOW3(V_CVT_PK_U8_F32, B32, F32, B32, B32, 0, pk_u8((vf)a, b, c));
SLOW3(V_CVT_PKACCUM_U8_F32, B32, F32, B32, B32, CU_OP_DST_READ, pk_u8((vf)a, b, c));
