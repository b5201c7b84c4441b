/* SPDX-License-Identifier: MIT */
/* Depths as they are compared: floats themselves, or integers as floats, which have those of 24 bits exactly. */
#ifndef RASTER_BACK_DEPTH_CODE_H
#define RASTER_BACK_DEPTH_CODE_H

#include "core/vec.h"

/* What integers are made of. */
static inline float rs_unit(float z) { return z > 0 ? z < 1 ? z : 1 : 0; }

/* Of 0 to 1, to the nearest of 0..2^24 - 1, ties to even, rounded once: up to 0.5 by adding
 * 2^23, from there on products are integers. */
static inline vf rs_unit_24(vf z)
{
	const vf half = (vf)((vi)(z <= v_setf(0.5f)) & (vi)v_setf(0x1p23f));
	return v_fma(z, v_setf(0xffffff), half) - half;
}
static inline vf rs_unit_16(vf z) { return v_float(v_scale_round(z, 65535)); }

static inline vf rs_code_24(vf z) { return rs_unit_24(v_clampf(z, v_setf(0), v_setf(1))); }
static inline vf rs_code_16(vf z) { return rs_unit_16(v_clampf(z, v_setf(0), v_setf(1))); }

/* Of a dword in memory, and back; integer: its low 24 bits, the others become 0. */
static inline vf rs_code_in_dword(bool integer, vf dword) { return integer ? v_float((vi)dword & 0xffffff) : dword; }
static inline vf rs_dword_of_code(bool integer, vf code) { return integer ? (vf)v_round(code) : code; }

#endif
