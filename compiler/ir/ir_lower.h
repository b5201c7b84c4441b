/* SPDX-License-Identifier: MIT */
/* What the files of ir_pass_lower_alu share.  The lowering functions give what takes the
 * instruction's place, built before it; inst NULL: it stays. */
#ifndef COMPILER_IR_IR_LOWER_H
#define COMPILER_IR_IR_LOWER_H

#include "compiler/ir/ir.h"

struct ir_src ir_lower_narrow(struct ir_builder *b, const struct ir_inst *in); /* operands of 8 and 16 bits */
struct ir_src ir_lower_wide(struct ir_builder *b, const struct ir_inst *in);   /* of 64 bits */
struct ir_src ir_lower_conversion(struct ir_builder *b, const struct ir_inst *in);
/* From 64 bits to single precision with the last bit odd where something was lost: what
 * rounds that to 16 bits, in whatever direction, has rounded once. */
struct ir_src ir_lower_double_to_odd(struct ir_builder *b, struct ir_src v);
/* UDIV, UMOD, SDIV, SREM of 32 bits. */
struct ir_src ir_lower_divide(struct ir_builder *b, enum ir_op op, struct ir_src n, struct ir_src d);

/* --- integers of any width --- */
static inline struct ir_src ir_build_negate(struct ir_builder *b, struct ir_src v)
{
	return ir_op2(b, IR_ISUB, ir_const_of(b, v.inst->bits, 0), v);
}

/* v negated where sign is -1, unchanged where it is 0. */
static inline struct ir_src ir_build_apply_sign(struct ir_builder *b, struct ir_src v, struct ir_src sign)
{
	return ir_op2(b, IR_ISUB, ir_op2(b, IR_IXOR, v, sign), sign);
}

static inline struct ir_src ir_build_abs(struct ir_builder *b, struct ir_src v)
{
	return ir_op2(b, IR_SMAX, v, ir_build_negate(b, v));
}

static inline bool ir_power_of_two(struct ir_src s, uint32_t *shift)
{
	if (s.inst->op != IR_CONST || !s.inst->u.imm || (s.inst->u.imm & (s.inst->u.imm - 1)))
		return false;
	*shift = (uint32_t)__builtin_ctzll(s.inst->u.imm);
	return true;
}

#endif
