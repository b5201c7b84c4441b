/* SPDX-License-Identifier: MIT */
/* sRGB to linear, as it is filtered. */
#ifndef CORE_TEX_TEX_SRGB_H
#define CORE_TEX_TEX_SRGB_H

#include "core/format/format_layout.h"
#include "core/level.h"
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

/* Whether the same is quicker by a table: by gathers of 8 lanes on CPUs that are good at them; those of 16 are not. */
V_INLINE bool tex_srgb_by_table(void) { return VL == 8 && cu_quick_gathers; }

V_INLINE vf tex_srgb_linear_by(bool table, vi code)
{
	return table ? (vf)v_gather_index(cu_srgb_filter_bits, code) : tex_srgb_linear(code);
}

#endif
