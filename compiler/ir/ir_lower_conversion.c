/* SPDX-License-Identifier: MIT */
/* Conversions between numbers that gfx9 has no instruction for, by way of those that it has. */
#include "compiler/ir/ir_lower.h"

/* Of 64 bits to single precision, rounded once: the highest 32 significant bits, the last
 * one made odd by what is below them. */
static struct ir_src wide_to_single(struct ir_builder *b, struct ir_src v)
{
	struct ir_src thirty_one = ir_const(b, 31), top = ir_op1(b, IR_UFIND_MSB, ir_op1(b, IR_HIGH, v)); /* -1: none */
	struct ir_src left = ir_op2(b, IR_ISUB, thirty_one, top); /* 0 .. 32 */
	v = ir_op2(b, IR_ISHL, v, left);
	struct ir_src low = ir_convert(b, IR_UCONV, 32, v), high = ir_op1(b, IR_HIGH, v);
	struct ir_src lost = ir_op1(b, IR_B2I, ir_op2(b, IR_ICMP_NE, low, ir_const(b, 0)));
	struct ir_src f = ir_convert(b, IR_U2F, 32, ir_op2(b, IR_IOR, high, lost));
	return ir_op2(b, IR_FLDEXP, f, ir_op2(b, IR_ISUB, ir_const(b, 32), left));
}

static struct ir_src wide_to_float(struct ir_builder *b, struct ir_src v, bool is_signed, unsigned bits)
{
	struct ir_src sign;
	if (bits == 64) { /* both words are exact, and so is the higher one times 2^32 */
		struct ir_src high = ir_convert(b, is_signed ? IR_I2F : IR_U2F, 64, ir_op1(b, IR_HIGH, v));
		struct ir_src low = ir_convert(b, IR_U2F, 64, ir_convert(b, IR_UCONV, 32, v));
		return ir_op2(b, IR_FADD, ir_op2(b, IR_FLDEXP, high, ir_const(b, 32)), low);
	}
	if (!is_signed)
		return wide_to_single(b, v);
	sign = ir_op2(b, IR_SSHR, v, ir_const(b, 63));
	struct ir_src f = wide_to_single(b, ir_build_apply_sign(b, v, sign));
	return ir_op2(b, IR_IOR, f, ir_op2(b, IR_IAND, ir_op1(b, IR_HIGH, sign), ir_const(b, 0x80000000u)));
}

/* To halves by way of single precision: what that has no bits for is infinite. */
static struct ir_src integer_to_float(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v = in->src[0];
	unsigned from = v.inst->bits;
	enum ir_op op = (enum ir_op)in->op;
	if (from == 64 && in->bits >= 32)
		return wide_to_float(b, v, op == IR_I2F, in->bits);
	if (from == 32 && in->bits >= 32)
		return (struct ir_src){ 0 };
	if (from == 64)
		return ir_convert(b, IR_FCONV, 16, wide_to_float(b, v, op == IR_I2F, 32));
	if (from < 32)
		v = ir_convert(b, op == IR_I2F ? IR_SCONV : IR_UCONV, 32, v);
	if (in->bits >= 32)
		return ir_convert(b, op, in->bits, v);
	return ir_convert(b, IR_FCONV, 16, ir_convert(b, op, 32, v));
}

/* Truncated, and of a signed one the magnitude: words are split off exactly. */
static struct ir_src float_to_wide(struct ir_builder *b, struct ir_src v, bool is_signed)
{
	unsigned bits = v.inst->bits;
	bool wide = bits == 64;
	struct ir_src up = ir_const_of(b, bits, wide ? 0x41f0000000000000u : 0x4f800000u); /* 2^32 */
	struct ir_src down = ir_const_of(b, bits, wide ? 0x3df0000000000000u : 0x2f800000u), whole, sign;
	struct ir_src t = ir_op1(b, IR_FTRUNC, v);
	struct ir_src magnitude = is_signed ? ir_op1(b, IR_FABS, t) : t;
	whole = ir_op1(b, IR_FFLOOR, ir_op2(b, IR_FMUL, magnitude, down));
	struct ir_src low = ir_op3(b, IR_FFMA, ir_op1(b, IR_FNEG, whole), up, magnitude);
	struct ir_src r = ir_op2(b, IR_PACK, ir_convert(b, IR_F2U, 32, low), ir_convert(b, IR_F2U, 32, whole));
	if (!is_signed)
		return r;
	sign = ir_op2(b, IR_SSHR, wide ? ir_op1(b, IR_HIGH, v) : v, ir_const(b, 31));
	return ir_build_apply_sign(b, r, ir_convert(b, IR_SCONV, 64, sign));
}

static struct ir_src float_to_integer(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v = in->src[0];
	enum ir_op op = (enum ir_op)in->op;
	if (v.inst->bits >= 32 && in->bits == 32)
		return (struct ir_src){ 0 };
	if (v.inst->bits == 16)
		v = ir_convert(b, IR_FCONV, 32, v);
	if (in->bits == 64)
		return float_to_wide(b, v, op == IR_F2I);
	struct ir_src word = ir_convert(b, op, 32, v);
	return in->bits < 32 ? ir_convert(b, IR_UCONV, in->bits, word) : word;
}

struct ir_src ir_lower_double_to_odd(struct ir_builder *b, struct ir_src v)
{
	struct ir_src f = ir_convert(b, IR_FCONV, 32, v), back = ir_convert(b, IR_FCONV, 64, f);
	struct ir_src inexact = ir_op2(b, IR_FCMP_NEO, back, v);
	struct ir_src away = ir_op2(b, IR_FCMP_LT, ir_op1(b, IR_FABS, v), ir_op1(b, IR_FABS, back));
	struct ir_src odd = ir_op2(b, IR_ISUB, f, ir_op1(b, IR_B2I, away));
	return ir_op2(b, IR_IOR, odd, ir_op1(b, IR_B2I, inexact));
}

struct ir_src ir_lower_conversion(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src none = { 0 };
	switch (in->op) {
	case IR_I2F: case IR_U2F: return integer_to_float(b, in);
	case IR_F2I: case IR_F2U: return float_to_integer(b, in);
	case IR_FCONV:
		if (in->src[0].inst->bits == 64 && in->bits == 16)
			return ir_convert(b, IR_FCONV, 16, ir_lower_double_to_odd(b, in->src[0]));
		if (in->src[0].inst->bits == 16 && in->bits == 64)
			return ir_convert(b, IR_FCONV, 64, ir_convert(b, IR_FCONV, 32, in->src[0]));
		return none;
	default: return none;
	}
}
