/* SPDX-License-Identifier: MIT */
/* sRGB to linear, as it is filtered. */
#ifndef CORE_TEX_TEX_SRGB_H
#define CORE_TEX_TEX_SRGB_H

#include "core/vec.h"

/* Of codes: above the straight part a polynomial, within 0.004 of the distance to the next code; 255 gives 1. */
V_INLINE vf tex_srgb_linear(vi code)
{
	vf x = v_float(code), p = v_setf(-0x1.55606ep-52f);
	p = v_fma(p, x, v_setf(0x1.406f00p-42f));
	p = v_fma(p, x, v_setf(-0x1.10f09cp-33f));
	p = v_fma(p, x, v_setf(0x1.8bfa22p-25f));
	p = v_fma(p, x, v_setf(0x1.01e478p-17f));
	p = v_fma(p, x, v_setf(0x1.1a7536p-13f));
	p = v_fma(p, x, v_setf(0x1.cb8f80p-11f));
	return v_self(code <= 10, x * v_setf(0x1.3e4568p-12f), p);
}

#endif
