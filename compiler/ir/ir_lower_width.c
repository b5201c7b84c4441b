/* SPDX-License-Identifier: MIT */
/* Integers of 8 and 16 bits in words: what looks at more than the low bits gets zeros or
 * signs above.  Integers of 64 bits: products, quotients and the like in words. */
#include "compiler/ir/ir_lower.h"

/* --- 8 and 16 bits --- */

/* Which extension of the sources gives the operation's result in its low bits; IR_OP_COUNT: none. */
static enum ir_op extension_of(unsigned op)
{
	switch (op) {
	case IR_SSHR: case IR_SMIN: case IR_SMAX: case IR_SCMP_LT: case IR_SCMP_LE: case IR_SDIV: case IR_SREM:
	case IR_SBFE: case IR_SFIND_MSB: case IR_IMULHI:
		return IR_SCONV;
	case IR_USHR: case IR_UMIN: case IR_UMAX: case IR_UCMP_LT: case IR_UCMP_LE: case IR_UDIV: case IR_UMOD:
	case IR_UBFE: case IR_ICMP_EQ: case IR_ICMP_NE: case IR_BITREV: case IR_BITCOUNT: case IR_FIND_LSB:
	case IR_UFIND_MSB: case IR_UMULHI: case IR_UADD_CARRY: case IR_USUB_BORROW: case IR_PACK: case IR_HIGH:
		return IR_UCONV;
	default:
		return IR_OP_COUNT;
	}
}

static struct ir_src in_words(struct ir_builder *b, const struct ir_inst *in, const struct ir_src *v)
{
	unsigned bits = in->src[0].inst->bits;
	enum ir_op op = (enum ir_op)in->op;
	struct ir_src by = ir_const(b, bits);
	switch (op) {
	case IR_UDIV: case IR_UMOD: case IR_SDIV: case IR_SREM: return ir_lower_divide(b, op, v[0], v[1]);
	case IR_UMULHI: return ir_op2(b, IR_USHR, ir_op2(b, IR_IMUL, v[0], v[1]), by);
	case IR_IMULHI: return ir_op2(b, IR_SSHR, ir_op2(b, IR_IMUL, v[0], v[1]), by);
	case IR_UADD_CARRY: return ir_op2(b, IR_USHR, ir_op2(b, IR_IADD, v[0], v[1]), by);
	case IR_USUB_BORROW: return ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, v[0], v[1]));
	case IR_BITREV: return ir_op2(b, IR_USHR, ir_op1(b, IR_BITREV, v[0]), ir_const(b, 32 - bits));
	case IR_PACK: return ir_op2(b, IR_IOR, v[0], ir_op2(b, IR_ISHL, v[1], by));
	case IR_HIGH: return ir_op2(b, IR_USHR, v[0], ir_const(b, bits / 2));
	default: break;
	}
	return in->srcs == 1 ? ir_op1(b, op, v[0]) : in->srcs == 2 ? ir_op2(b, op, v[0], v[1]) : ir_op3(b, op, v[0], v[1], v[2]);
}

/* Of halves in single precision, rounded again: one rounding, as 24 bits are more than 2 * 11 + 1. */
static struct ir_src in_single(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v = ir_convert(b, IR_FCONV, 32, in->src[0]);
	v = in->op == IR_FLDEXP ? ir_op2(b, IR_FLDEXP, v, in->src[1]) : ir_op1(b, (enum ir_op)in->op, v);
	return in->op == IR_FREXP_EXP ? v : ir_convert(b, IR_FCONV, 16, v);
}

struct ir_src ir_lower_narrow(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src v[3] = { { 0 } };
	switch (in->op) {
	case IR_FRCP: case IR_FRSQ: case IR_FSQRT: case IR_FEXP2: case IR_FLOG2: case IR_FSIN: case IR_FCOS: case IR_FLDEXP:
	case IR_FREXP_MANT: case IR_FREXP_EXP:
		return in_single(b, in);
	default: break;
	}
	enum ir_op extension = extension_of(in->op);
	if (extension == IR_OP_COUNT)
		return (struct ir_src){ 0 };
	for (unsigned i = 0; i < in->srcs; i++) /* counts of shifts are words */
		v[i] = in->src[i].inst->bits < 32 ? ir_convert(b, extension, 32, in->src[i]) : in->src[i];
	struct ir_src r = in_words(b, in, v);
	return in->bits > 1 && in->bits < 32 ? ir_convert(b, IR_UCONV, in->bits, r) : r;
}

/* --- 64 bits --- */

struct halves { struct ir_src low, high; };

static struct halves split(struct ir_builder *b, struct ir_src v)
{
	return (struct halves){ ir_convert(b, IR_UCONV, 32, v), ir_op1(b, IR_HIGH, v) };
}

static struct ir_src zero_extended(struct ir_builder *b, struct ir_src word)
{
	return ir_convert(b, IR_UCONV, 64, word);
}

static struct ir_src multiply(struct ir_builder *b, struct ir_src x, struct ir_src y)
{
	struct halves m = split(b, x), n = split(b, y);
	struct ir_src high = ir_op2(b, IR_UMULHI, m.low, n.low), low = ir_op2(b, IR_IMUL, m.low, n.low);
	high = ir_op2(b, IR_IADD, high, ir_op2(b, IR_IMUL, m.low, n.high));
	high = ir_op2(b, IR_IADD, high, ir_op2(b, IR_IMUL, m.high, n.low));
	return ir_op2(b, IR_PACK, low, high);
}

/* The upper half of a product of 128 bits: of the middle words' sum the carry. */
static struct ir_src multiply_high(struct ir_builder *b, struct ir_src x, struct ir_src y)
{
	struct halves m = split(b, x), n = split(b, y);
	struct ir_src middle = zero_extended(b, ir_op2(b, IR_UMULHI, m.low, n.low));
	middle = ir_op2(b, IR_IADD, middle, zero_extended(b, ir_op2(b, IR_IMUL, m.low, n.high)));
	middle = ir_op2(b, IR_IADD, middle, zero_extended(b, ir_op2(b, IR_IMUL, m.high, n.low)));
	struct ir_src top = ir_op2(b, IR_PACK, ir_op2(b, IR_IMUL, m.high, n.high), ir_op2(b, IR_UMULHI, m.high, n.high));
	top = ir_op2(b, IR_IADD, top, zero_extended(b, ir_op2(b, IR_UMULHI, m.low, n.high)));
	top = ir_op2(b, IR_IADD, top, zero_extended(b, ir_op2(b, IR_UMULHI, m.high, n.low)));
	return ir_op2(b, IR_IADD, top, zero_extended(b, ir_op1(b, IR_HIGH, middle)));
}

static struct ir_src sign_of(struct ir_builder *b, struct ir_src v)
{
	return ir_op2(b, IR_SSHR, v, ir_const(b, 63));
}

/* A negative factor counts as 2^64 more than it is. */
static struct ir_src multiply_high_signed(struct ir_builder *b, struct ir_src x, struct ir_src y)
{
	struct ir_src r = multiply_high(b, x, y);
	r = ir_op2(b, IR_ISUB, r, ir_op2(b, IR_IAND, sign_of(b, x), y));
	return ir_op2(b, IR_ISUB, r, ir_op2(b, IR_IAND, sign_of(b, y), x));
}

/* 2^64 / d from below, to 22 bits: a float reciprocal, a little too small, in two words. */
static struct ir_src reciprocal(struct ir_builder *b, struct ir_src d)
{
	struct halves h = split(b, d);
	struct ir_src two_32 = ir_constf(b, 0x1p32f);
	struct ir_src f = ir_op3(b, IR_FFMA, ir_convert(b, IR_U2F, 32, h.high), two_32, ir_convert(b, IR_U2F, 32, h.low));
	/* 2^64 (1 - 2^-22); less where the divisor may have been rounded down */
	struct ir_src scale = ir_const(b, isa_mode_round(b->func->float_mode, 32) == ISA_ROUND_EVEN ? 0x5f7ffffcu : 0x5f7ffff8u);
	struct ir_src r = ir_op2(b, IR_FMUL, ir_op1(b, IR_FRCP, f), scale);
	struct ir_src high = ir_op1(b, IR_FTRUNC, ir_op2(b, IR_FMUL, r, ir_constf(b, 0x1p-32f)));
	struct ir_src low = ir_op3(b, IR_FFMA, high, ir_constf(b, -0x1p32f), r);
	return ir_op2(b, IR_PACK, ir_convert(b, IR_F2U, 32, low), ir_convert(b, IR_F2U, 32, high));
}

/* As of 32 bits, but two improvements: each doubles the bits. */
static void divide(struct ir_builder *b, struct ir_src n, struct ir_src d, struct ir_src *q, struct ir_src *r)
{
	struct ir_src est = reciprocal(b, d), minus = ir_build_negate(b, d), one = ir_const_of(b, 64, 1);
	for (int i = 0; i < 2; i++)
		est = ir_op2(b, IR_IADD, est, multiply_high(b, est, multiply(b, minus, est)));
	*q = multiply_high(b, n, est);
	*r = ir_op2(b, IR_ISUB, n, multiply(b, d, *q));
	for (int i = 0; i < 2; i++) {
		struct ir_src more = ir_op2(b, IR_UCMP_LE, d, *r);
		*q = ir_op3(b, IR_SELECT, more, ir_op2(b, IR_IADD, *q, one), *q);
		*r = ir_op3(b, IR_SELECT, more, ir_op2(b, IR_ISUB, *r, d), *r);
	}
}

static struct ir_src quotient(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src q, r, n = in->src[0], d = in->src[1];
	bool is_signed = in->op == IR_SDIV || in->op == IR_SREM;
	uint32_t shift;
	if (!is_signed && ir_power_of_two(d, &shift))
		return in->op == IR_UDIV ? ir_op2(b, IR_USHR, n, ir_const(b, shift)) :
			ir_op2(b, IR_IAND, n, ir_const_of(b, 64, d.inst->u.imm - 1));
	if (!is_signed) {
		divide(b, n, d, &q, &r);
		return in->op == IR_UDIV ? q : r;
	}
	struct ir_src n_sign = sign_of(b, n), d_sign = sign_of(b, d);
	divide(b, ir_build_apply_sign(b, n, n_sign), ir_build_apply_sign(b, d, d_sign), &q, &r);
	return in->op == IR_SREM ? ir_build_apply_sign(b, r, n_sign) :
		ir_build_apply_sign(b, q, ir_op2(b, IR_IXOR, n_sign, d_sign));
}

static struct ir_src choose(struct ir_builder *b, enum ir_op less, struct ir_src x, struct ir_src y, bool max)
{
	struct ir_src first = ir_op2(b, less, x, y);
	return ir_op3(b, IR_SELECT, first, max ? y : x, max ? x : y);
}

/* The lowest or highest bit: in one word, if it is not 0, or else in the other. */
static struct ir_src find_bit(struct ir_builder *b, enum ir_op op, struct ir_src v)
{
	struct halves h = split(b, v);
	struct ir_src zero = ir_const(b, 0), by = ir_const(b, 32), low, high;
	if (op == IR_SFIND_MSB) {
		struct ir_src sign = ir_op2(b, IR_SSHR, h.high, ir_const(b, 31));
		h.low = ir_op2(b, IR_IXOR, h.low, sign);
		h.high = ir_op2(b, IR_IXOR, h.high, sign);
		op = IR_UFIND_MSB;
	}
	low = ir_op1(b, op, h.low);
	high = ir_op1(b, op, h.high);
	if (op == IR_FIND_LSB) { /* -1, none, stays what it is when 32 is or-ed in */
		struct ir_src has = ir_op2(b, IR_ICMP_NE, h.low, zero);
		return ir_op3(b, IR_SELECT, has, low, ir_op2(b, IR_IOR, high, by));
	}
	struct ir_src has = ir_op2(b, IR_ICMP_NE, h.high, zero);
	return ir_op3(b, IR_SELECT, has, ir_op2(b, IR_IOR, high, by), low);
}

struct ir_src ir_lower_wide(struct ir_builder *b, const struct ir_inst *in)
{
	struct ir_src x = in->src[0], y = in->srcs > 1 ? in->src[1] : x;
	struct halves h;
	switch (in->op) {
	case IR_IMUL: return multiply(b, x, y);
	case IR_UMULHI: return multiply_high(b, x, y);
	case IR_IMULHI: return multiply_high_signed(b, x, y);
	case IR_UDIV: case IR_UMOD: case IR_SDIV: case IR_SREM: return quotient(b, in);
	case IR_SMIN: case IR_SMAX: return choose(b, IR_SCMP_LT, x, y, in->op == IR_SMAX);
	case IR_UMIN: case IR_UMAX: return choose(b, IR_UCMP_LT, x, y, in->op == IR_UMAX);
	case IR_UADD_CARRY:
		return zero_extended(b, ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, ir_op2(b, IR_IADD, x, y), x)));
	case IR_USUB_BORROW: return zero_extended(b, ir_op1(b, IR_B2I, ir_op2(b, IR_UCMP_LT, x, y)));
	case IR_BITCOUNT:
		h = split(b, x);
		return ir_op2(b, IR_IADD, ir_op1(b, IR_BITCOUNT, h.low), ir_op1(b, IR_BITCOUNT, h.high));
	case IR_BITREV:
		h = split(b, x);
		return ir_op2(b, IR_PACK, ir_op1(b, IR_BITREV, h.high), ir_op1(b, IR_BITREV, h.low));
	case IR_FIND_LSB: case IR_UFIND_MSB: case IR_SFIND_MSB: return find_bit(b, (enum ir_op)in->op, x);
	case IR_BFI:
		return ir_op2(b, IR_IOR, ir_op2(b, IR_IAND, x, y), ir_op2(b, IR_IAND, ir_op1(b, IR_INOT, x), in->src[2]));
	default: return (struct ir_src){ 0 };
	}
}
