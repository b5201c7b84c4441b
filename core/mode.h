/* SPDX-License-Identifier: MIT */
/* The MODE register: what arithmetic sees of it, by the Vega manual's section
 * on MODE.  s_setreg writes it; a wave begins with what its RSRC1 says.
 *
 * Handlers of the usual kind are for CU_MODE_PLAIN: rounding to nearest even,
 * denormals kept, NaN clamped to 0, no IEEE mode.  Under any other mode waves
 * run the program's second set of records, see cu_program.moded.  What a mode
 * means here:
 *   rounding    of results; by F16_F64 where the result or source 0 has 16 or
 *               64 bits, but for a double made single.  Reciprocals, roots, exp, log, sin and cos ignore it.
 *   denormals   a source or result that is denormal after rounding becomes a
 *               zero of its sign.  v_mad and v_mac always flush.
 *   omod        has an effect only where denormal results are flushed and IEEE
 *               is off; -0 then becomes +0.
 *   DX10_CLAMP  clamp gives 0 for NaN; without it NaN passes.
 *   IEEE        a signalling NaN makes min and max NaN.
 *   FP16_OVFL   half results that overflow are the largest finite half. */
#ifndef CORE_MODE_H
#define CORE_MODE_H

#include <stdbool.h>
#include <stdint.h>
#include "isa/mode.h"

enum {
	CU_MODE_ROUND_F32 = ISA_MODE_ROUND_F32, CU_MODE_ROUND_F16_F64 = ISA_MODE_ROUND_F16_F64,
	CU_MODE_IN_F32 = 1 << ISA_MODE_DENORM_F32, CU_MODE_OUT_F32 = 2 << ISA_MODE_DENORM_F32, /* denormals kept */
	CU_MODE_IN_F16_F64 = 1 << ISA_MODE_DENORM_F16_F64, CU_MODE_OUT_F16_F64 = 2 << ISA_MODE_DENORM_F16_F64,
	CU_MODE_DX10_CLAMP = 1 << 8, CU_MODE_IEEE = 1 << 9,
	CU_MODE_FP16_OVFL = 1 << 23,
	CU_MODE_GPR_IDX = 1 << 27, CU_MODE_VSKIP = 1 << 28,
	CU_MODE_CSP = 29, /* low bit of the branch stack's depth */

	CU_MODE_PLAIN = ISA_FLOAT_PLAIN | CU_MODE_DX10_CLAMP,
	CU_MODE_FLOAT = 0x3ff | CU_MODE_FP16_OVFL, /* what arithmetic sees */
};
static inline bool cu_mode_is_plain(uint32_t mode)
{
	return (mode & CU_MODE_FLOAT) == CU_MODE_PLAIN;
}

/* MODE of a new wave from its RSRC1, which has the fields elsewhere. */
static inline uint32_t cu_mode_of_rsrc1(uint32_t rsrc1)
{
	return (rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9;
}

/* The MXCSR that rounds as field `round` of MODE says, denormals kept. */
static inline unsigned cu_mode_mxcsr(unsigned round)
{
	static const uint8_t x86[4] = { 0, 2, 1, 3 };
	return 0x1f80u | (unsigned)x86[round & 3] << 13;
}

#endif
