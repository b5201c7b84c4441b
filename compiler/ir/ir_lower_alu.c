/* SPDX-License-Identifier: MIT */
/* Operations that gfx9 lacks, in terms of those it has: integer division,
 * carries, half-float quantisation; what is narrower or wider than a word in words, see
 * ir_lower_width.c and ir_lower_conversion.c.  Needs cfg; keeps SSA. */
#include "compiler/ir/ir_lower.h"
#include "compiler/ir/ir_replace.h"

/* Unsigned quotient and remainder through a float reciprocal: the estimate is
 * improved once in integers and is then at most two too small. */
static void build_udivmod(struct ir_builder *b, struct ir_src n, struct ir_src d, struct ir_src *q, struct ir_src *r)
{
	struct ir_src rcp = ir_op1(b, IR_FRCP, ir_op1(b, IR_U2F, d));
	/* 2^32 (1 - 2^-23); less where d may have been rounded down */
	struct ir_src scale = ir_const(b, isa_mode_round(b->func->float_mode, 32) == ISA_ROUND_EVEN ? 0x4f7ffffeu : 0x4f7ffffau);
	struct ir_src est = ir_op1(b, IR_F2U, ir_op2(b, IR_FMUL, rcp, scale));
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

/* n / d by a product with 2^k / d, rounded up, of the fewest bits for which that is right for every n (Granlund and
 * Montgomery, "Division by Invariant Integers using Multiplication", 1994). */
static struct ir_src build_quotient(struct ir_builder *b, struct ir_src n, uint32_t d)
{
	if (!(d & (d - 1)))
		return ir_op2(b, IR_USHR, n, ir_const(b, (uint32_t)__builtin_ctz(d)));
	uint32_t shift = 32 - (uint32_t)__builtin_clz(d);
	__extension__ typedef unsigned __int128 wide;
	const wide one = (wide)1 << (32 + shift);
	uint64_t low = (uint64_t)(one / d), high = (uint64_t)((one + ((wide)1 << shift)) / d);
	for (; shift && low / 2 < high / 2; shift--) {
		low /= 2;
		high /= 2;
	}
	const struct ir_src part = ir_op2(b, IR_UMULHI, n, ir_const(b, (uint32_t)high));
	if (high < 1ull << 32)
		return ir_op2(b, IR_USHR, part, ir_const(b, shift));
	/* (n + part) >> shift, of 33 bits */
	const struct ir_src half = ir_op2(b, IR_USHR, ir_op2(b, IR_ISUB, n, part), ir_const(b, 1));
	return ir_op2(b, IR_USHR, ir_op2(b, IR_IADD, half, part), ir_const(b, shift - 1));
}

static void build_division(struct ir_builder *b, struct ir_src n, struct ir_src d, struct ir_src *q, struct ir_src *r)
{
	if (d.inst->op != IR_CONST || !(uint32_t)d.inst->u.imm) {
		build_udivmod(b, n, d, q, r);
		return;
	}
	*q = build_quotient(b, n, (uint32_t)d.inst->u.imm);
	*r = ir_op2(b, IR_ISUB, n, ir_op2(b, IR_IMUL, *q, d));
}

static struct ir_src divide_unsigned(struct ir_builder *b, enum ir_op op, struct ir_src n, struct ir_src d)
{
	struct ir_src q, r;
	uint32_t shift;
	if (op == IR_UMOD && ir_power_of_two(d, &shift))
		return ir_op2(b, IR_IAND, n, ir_const(b, (uint32_t)d.inst->u.imm - 1));
	build_division(b, n, d, &q, &r);
	return op == IR_UDIV ? q : r;
}

/* Of 32 bits. */
struct ir_src ir_lower_divide(struct ir_builder *b, enum ir_op op, struct ir_src n, struct ir_src d)
{
	struct ir_src q, r, thirty_one;
	if (op == IR_UDIV || op == IR_UMOD)
		return divide_unsigned(b, op, n, d);
	thirty_one = ir_const(b, 31);
	const bool constant = d.inst->op == IR_CONST;
	const uint32_t value = constant ? (uint32_t)d.inst->u.imm : 0;
	struct ir_src n_sign = ir_op2(b, IR_SSHR, n, thirty_one);
	struct ir_src d_sign = constant ? ir_const(b, value >> 31 ? ~0u : 0) : ir_op2(b, IR_SSHR, d, thirty_one);
	build_division(b, ir_build_abs(b, n), constant ? ir_const(b, value >> 31 ? 0 - value : value) : ir_build_abs(b, d), &q, &r);
	if (op == IR_SREM)
		return ir_build_apply_sign(b, r, n_sign);
	return ir_build_apply_sign(b, q, ir_op2(b, IR_IXOR, n_sign, d_sign));
}

static struct ir_src lower_quantize(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v = ir_op1(b, IR_F16_TO_F32, ir_op1(b, IR_F32_TO_F16, in->src[0]));
	struct ir_src tiny = ir_op2(b, IR_FCMP_LT, ir_op1(b, IR_FABS, v), ir_const(b, 0x38800000u)); /* 2^-14 */
	struct ir_src zero = ir_op2(b, IR_IAND, v, ir_const(b, 0x80000000u));
	return ir_op3(b, IR_SELECT, tiny, zero, v);
}

static struct ir_src lower_word(struct ir_builder *b, const struct ir_inst *in)
{
	switch (in->op) {
	case IR_UDIV: case IR_UMOD: case IR_SDIV: case IR_SREM:
		return ir_lower_divide(b, (enum ir_op)in->op, in->src[0], in->src[1]);
	case IR_UADD_CARRY:
		return ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, ir_op2(b, IR_IADD, in->src[0], in->src[1]), in->src[0]));
	case IR_USUB_BORROW:
		return ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, in->src[0], in->src[1]));
	case IR_QUANTIZE_F16: return lower_quantize(b, in);
	case IR_HIGH: return ir_convert(b, IR_UCONV, 16, ir_op2(b, IR_USHR, in->src[0], ir_const(b, 16)));
	default: return (struct ir_src){ 0 };
	}
}

static struct ir_src lower_inst(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src to = ir_lower_conversion(b, in);
	if (to.inst || ir_info(in)->family != IR_ALU_OP)
		return to;
	switch (ir_operand_bits(in)) {
	case 8: case 16: return ir_lower_narrow(b, in);
	case 32: return lower_word(b, in);
	case 64: return ir_lower_wide(b, in);
	default: return to;
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
