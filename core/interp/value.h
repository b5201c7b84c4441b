/* SPDX-License-Identifier: MIT */
/* What a VGPR's dwords, which travel as bits (vu), mean to vector opcodes: the one NaN that
 * arithmetic makes, half floats in the low 16 bits, signed integers. */
#ifndef CORE_INTERP_VALUE_H
#define CORE_INTERP_VALUE_H

#include "core/vec.h"

#define QNAN32 0x7fc00000u
#define QNAN16 0x7e00u

static inline vu canon(vf x)
{
	return m_sel(m_nan(x), v_setu(QNAN32), (vu)x);
}

static inline vf h2f(vu a)
{
	return v_half_to_float((vi)a);
}
/* Rounds as MXCSR says; a NaN stays what it is. */
static inline vu f2h_raw(vf a)
{
	return (vu)V_HALF(a, _MM_FROUND_CUR_DIRECTION);
}
static inline vu f2h(vf a)
{
	return m_sel(m_nan(a), v_setu(QNAN16), f2h_raw(a));
}
static inline vu f2h_rtz(vf a)
{
	return m_sel(m_nan(a), v_setu(QNAN16), (vu)V_HALF(a, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC));
}

static inline vu min_i(vu a, vu b)
{
	return (vu)v_min((vi)a, (vi)b);
}
static inline vu max_i(vu a, vu b)
{
	return (vu)v_max((vi)a, (vi)b);
}

#endif
