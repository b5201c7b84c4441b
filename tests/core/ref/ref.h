/* SPDX-License-Identifier: MIT */
/* An independent model of the compute unit's arithmetic, for tests: one wave,
 * lane by lane, from the wording of the Vega and GCN3 manuals, in integer
 * arithmetic.  It shares nothing with core/; only instruction records of
 * isa/gcn.h go in.  Scalar and vector ALU, interpolation; no memory.
 *
 * Where the manuals leave a choice, the project's is stated here:
 *  NaN      A NaN that arithmetic makes is the canonical one: 0x7e00,
 *           0x7fc00000, 0x7ff8000000000000.  Moves, abs and neg keep bits.
 *  min, max The number where one operand is NaN; -0 is below +0.  With MODE.IEEE
 *           a signalling operand gives NaN.  Three operands: (a, b), then c.
 *           v_med3 is max(min(a, b), min(max(a, b), c)), where of equal values
 *           (zeros of both signs, too) the second is taken; of NaN, min3.
 *  mad, mac Round the product, then the sum; operands, product and result flush
 *           denormals whatever MODE says.  v_interp rounds twice as well.
 *  rounding By MODE: the half and double field where the result or source 0 is
 *           a half or a double, but for v_cvt_f32_f64.  Reciprocals, roots, exp, log, sin and cos
 *           round to nearest even; they are the polynomials of ref_math.c.
 *  denormal A source or result is flushed after rounding, keeping its sign.
 *  omod     Only where denormal results are flushed and IEEE is off; -0 is +0
 *           then.  clamp of NaN is 0 with DX10_CLAMP, else NaN.
 *  integer  clamp gives the bound nearest to the exact result of arithmetic.
 *  halves   A 16-bit result clears the high half, except opcodes that are new
 *           in gfx9 (KEEP in ref_valu.def).
 *  DPP      A lane whose source lane is inactive counts as out of bounds. */
#ifndef TESTS_CORE_REF_H
#define TESTS_CORE_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "isa/gcn.h"

struct ref_wave {
	uint32_t vgpr[256][64];
	uint32_t sgpr[128]; /* by operand number: 106 VCC, 124 M0, 126 EXEC */
	uint32_t scc, mode;
	uint32_t pc;        /* in dwords */
	const uint8_t *lds;
	uint32_t lds_bytes;
};
enum ref_result { REF_GO, REF_END, REF_UNKNOWN };

/* Executes one instruction; pc is after it, or where it jumps. */
enum ref_result ref_step(struct ref_wave *w, const struct gcn_inst *in);
enum ref_result ref_salu(struct ref_wave *w, const struct gcn_inst *in);
enum ref_result ref_valu(struct ref_wave *w, const struct gcn_inst *in);
/* Whether ref_valu or ref_salu knows the opcode. */
bool ref_knows_valu(enum gcn_op op);
bool ref_knows_salu(enum gcn_op op);

static inline uint64_t ref_pair(const struct ref_wave *w, unsigned sgpr)
{
	return (uint64_t)w->sgpr[sgpr + 1] << 32 | w->sgpr[sgpr];
}
static inline void ref_set_pair(struct ref_wave *w, unsigned sgpr, uint64_t x)
{
	w->sgpr[sgpr] = (uint32_t)x;
	w->sgpr[sgpr + 1] = (uint32_t)(x >> 32);
}
/* An inline constant, seen by an operand of `bits` bits, float or not. */
bool ref_constant(unsigned src, unsigned bits, bool is_float, uint32_t literal, uint64_t *out);

#endif
