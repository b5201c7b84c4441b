/* SPDX-License-Identifier: MIT */
/* Depths as they are compared: floats themselves, or integers as floats, which have those of 24 bits exactly. */
#ifndef RASTER_BACK_DEPTH_CODE_H
#define RASTER_BACK_DEPTH_CODE_H

#include "core/vec.h"

/* Of 0 to 1, to the nearest of 0..2^24 - 1, ties to even, rounded once: below 2^23 by adding
 * that, from there on products are integers. */
static inline vf rs_unit_24(vf z)
{
	const vf scale = v_setf(0xffffff), half = v_setf(0x1p23f);
	vf product = z * scale;
	return v_self((vi)(product < half), v_fma(z, scale, half) - half, product);
}
/* The same of what is known to be below 2^23, or above, by 2^23 or 0. */
static inline vf rs_unit_by(vf z, float scale, vf half) { return v_fma(z, v_setf(scale), half) - half; }
static inline vf rs_unit_16(vf z) { return v_float(v_scale_round(z, 65535)); }

static inline vf rs_code_24(vf z) { return rs_unit_24(v_clampf(z, v_setf(0), v_setf(1))); }
static inline vf rs_code_16(vf z) { return rs_unit_16(v_clampf(z, v_setf(0), v_setf(1))); }

/* Of a dword in memory, and back; integer: its low 24 bits, the others become 0. */
static inline vf rs_code_in_dword(bool integer, vf dword) { return integer ? v_float((vi)dword & 0xffffff) : dword; }
static inline vf rs_dword_of_code(bool integer, vf code) { return integer ? (vf)v_round(code) : code; }

#endif
