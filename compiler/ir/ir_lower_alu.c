/* SPDX-License-Identifier: MIT */
/* Operations that gfx9 lacks, in terms of those it has: integer division,
 * carries, half-float quantisation.  Needs cfg; keeps SSA. */
#include "compiler/ir/ir_replace.h"

/* Unsigned quotient and remainder through a float reciprocal: the estimate is
 * improved once in integers and is then at most two too small. */
static void build_udivmod(struct ir_builder *b, struct ir_src n, struct ir_src d, struct ir_src *q, struct ir_src *r)
{
	struct ir_src rcp = ir_op1(b, IR_FRCP, ir_op1(b, IR_U2F, d));
	struct ir_src est = ir_op1(b, IR_F2U, ir_op2(b, IR_FMUL, rcp, ir_const(b, 0x4f7ffffeu)));
	struct ir_src error = ir_op2(b, IR_IMUL, ir_op2(b, IR_ISUB, ir_const(b, 0), d), est);
	est = ir_op2(b, IR_IADD, est, ir_op2(b, IR_UMULHI, est, error));
	*q = ir_op2(b, IR_UMULHI, n, est);
	*r = ir_op2(b, IR_ISUB, n, ir_op2(b, IR_IMUL, *q, d));
	for (int i = 0; i < 2; i++) {
		struct ir_src more = ir_op2(b, IR_UCMP_LE, d, *r);
		*q = ir_op3(b, IR_SELECT, more, ir_op2(b, IR_IADD, *q, ir_const(b, 1)), *q);
		*r = ir_op3(b, IR_SELECT, more, ir_op2(b, IR_ISUB, *r, d), *r);
	}
}

static struct ir_src build_abs(struct ir_builder *b, struct ir_src v)
{
	return ir_op2(b, IR_SMAX, v, ir_op2(b, IR_ISUB, ir_const(b, 0), v));
}

/* v negated where sign is -1, unchanged where it is 0. */
static struct ir_src build_apply_sign(struct ir_builder *b, struct ir_src v, struct ir_src sign)
{
	return ir_op2(b, IR_ISUB, ir_op2(b, IR_IXOR, v, sign), sign);
}

static bool power_of_two(struct ir_src s, uint32_t *shift)
{
	if (s.inst->op != IR_CONST || !s.inst->u.imm || (s.inst->u.imm & (s.inst->u.imm - 1)))
		return false;
	*shift = (uint32_t)__builtin_ctz((uint32_t)s.inst->u.imm);
	return true;
}

static struct ir_src lower_unsigned(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src q, r;
	uint32_t shift;
	if (power_of_two(in->src[1], &shift))
		return in->op == IR_UDIV ? ir_op2(b, IR_USHR, in->src[0], ir_const(b, shift))
			: ir_op2(b, IR_IAND, in->src[0], ir_const(b, (uint32_t)in->src[1].inst->u.imm - 1));
	build_udivmod(b, in->src[0], in->src[1], &q, &r);
	return in->op == IR_UDIV ? q : r;
}

static struct ir_src lower_signed(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src q, r, n = in->src[0], d = in->src[1], thirty_one = ir_const(b, 31);
	struct ir_src n_sign = ir_op2(b, IR_SSHR, n, thirty_one), d_sign = ir_op2(b, IR_SSHR, d, thirty_one);
	build_udivmod(b, build_abs(b, n), build_abs(b, d), &q, &r);
	if (in->op == IR_SREM)
		return build_apply_sign(b, r, n_sign);
	return build_apply_sign(b, q, ir_op2(b, IR_IXOR, n_sign, d_sign));
}

static struct ir_src lower_quantize(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v = ir_op1(b, IR_F16_TO_F32, ir_op1(b, IR_F32_TO_F16, in->src[0]));
	struct ir_src tiny = ir_op2(b, IR_FCMP_LT, ir_op1(b, IR_FABS, v), ir_const(b, 0x38800000u)); /* 2^-14 */
	struct ir_src zero = ir_op2(b, IR_IAND, v, ir_const(b, 0x80000000u));
	return ir_op3(b, IR_SELECT, tiny, zero, v);
}

/* Of 32 bits. */
static struct ir_src lower_inst(struct ir_builder *b, const struct ir_inst *in)
{
	if (in->bits != 32)
		return (struct ir_src){ 0 };
	switch (in->op) {
	case IR_UDIV: case IR_UMOD: return lower_unsigned(b, in);
	case IR_SDIV: case IR_SREM: return lower_signed(b, in);
	case IR_UADD_CARRY:
		return ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, ir_op2(b, IR_IADD, in->src[0], in->src[1]), in->src[0]));
	case IR_USUB_BORROW:
		return ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, in->src[0], in->src[1]));
	case IR_QUANTIZE_F16: return lower_quantize(b, in);
	default: return (struct ir_src){ 0 };
	}
}

void ir_pass_lower_alu(struct ir_func *f)
{
	bool changed = false;
	for (uint32_t i = 0; i < f->block_count; i++)
		for (struct ir_inst *in = f->blocks[i]->first, *next; in && ir_charge_at(f->pool, 1, in->word); in = next) {
			next = in->next;
			ir_replace_sources(in);
			struct ir_builder b = { f, in->block, in, in->word };
			struct ir_src to = lower_inst(&b, in);
			if (!to.inst)
				continue;
			ir_replace(in, to);
			changed = true;
		}
	if (changed)
		ir_replace_apply_rest(f);
}
