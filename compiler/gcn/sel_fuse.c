/* SPDX-License-Identifier: MIT */
/* Two IR operations that gfx9 does in one instruction.  The source's own
 * instruction, selected before, is then read by nobody and goes in mir_dce. */
#include "compiler/gcn/sel.h"

/* The source is a vector operation that only this instruction reads. */
static const struct ir_inst *only_use(struct ir_src v, unsigned op)
{
	const struct ir_inst *in = v.inst;
	const struct sel_value *at = sel_value(in);
	return in->op == op && at->kind == SEL_VGPR && at->uses == 1 ? in : NULL;
}

/* The sign changes around an only use; NULL if there is an absolute value or
 * another reader on the way. */
static const struct ir_inst *negated_use(struct ir_src v, unsigned op, bool *neg)
{
	*neg = false;
	while (v.inst->op == IR_FNEG && sel_value(v.inst)->uses == 1) {
		*neg = !*neg;
		v = v.inst->src[0];
	}
	return only_use(v, op);
}

static bool set3(struct sel *s, struct ir_inst *in, unsigned op, struct sel_opnd a, struct sel_opnd b, struct sel_opnd c)
{
	const struct sel_value *v = sel_value(in);
	bool clamp = op == GCN_V_FMA_F32 && v->uses == 1 && !v->open && v->user->op == IR_FSAT;
	sel_set(s, in, sel_valu_clamp(s, op, 3, (struct sel_opnd[]){ a, b, c }, clamp));
	return true;
}

/* a * b + c in one rounding, where the shader does not forbid contraction. */
static bool fuse_fma(struct sel *s, struct ir_inst *in)
{
	if (in->precise || in->bits != 32)
		return false;
	for (unsigned k = 2; k-- > 0;) {
		bool neg;
		const struct ir_inst *mul = negated_use(in->src[k], IR_FMUL, &neg);
		if (!mul || mul->precise)
			continue;
		struct sel_opnd a = sel_float(s, mul->src[0]), b = sel_float(s, mul->src[1]);
		struct sel_opnd c = sel_float(s, in->src[!k]);
		if (in->op == IR_FSUB) {
			if (k == 1)
				neg = !neg;
			else
				c.neg = !c.neg;
		}
		a.neg ^= neg;
		return set3(s, in, GCN_V_FMA_F32, a, b, c);
	}
	return false;
}

struct pair { uint16_t outer, inner, op; };
/* outer(inner(a, b), c) */
static const struct pair pairs[] = {
	{ IR_IADD, IR_ISHL, GCN_V_LSHL_ADD_U32 },
	{ IR_IADD, IR_IADD, GCN_V_ADD3_U32 },
	{ IR_IOR, IR_ISHL, GCN_V_LSHL_OR_B32 },
	{ IR_IOR, IR_IAND, GCN_V_AND_OR_B32 },
	{ IR_IOR, IR_IOR, GCN_V_OR3_B32 },
	{ IR_ISHL, IR_IADD, GCN_V_ADD_LSHL_U32 },
	{ IR_IADD, IR_IXOR, GCN_V_XAD_U32 },
};

bool sel_shift_of(const struct ir_inst *mul, uint32_t *shift)
{
	uint32_t c;
	if (!sel_const(mul->src[1], &c) || !c || (c & (c - 1)))
		return false;
	*shift = (uint32_t)__builtin_ctz(c);
	return true;
}

/* The multiplication by a power of two that only this instruction reads. */
static const struct ir_inst *shift_like(struct ir_src v, uint32_t *shift)
{
	const struct ir_inst *mul = only_use(v, IR_IMUL);
	return mul && sel_shift_of(mul, shift) ? mul : NULL;
}

/* Two scalars need a copy each: no gain then. */
static bool too_scalar(const struct sel_opnd *o)
{
	unsigned n = 0;
	for (unsigned i = 0; i < 3; i++)
		n += o[i].bank == SEL_B_S || o[i].bank == SEL_B_LITERAL;
	return n > 1;
}

static bool fuse_integer(struct sel *s, struct ir_inst *in)
{
	bool commutes = ir_info(in)->flags & IR_F_COMM;
	for (unsigned k = 0; in->op == IR_IADD && k < 2; k++) {
		uint32_t shift;
		const struct ir_inst *mul = shift_like(in->src[k], &shift);
		if (!mul)
			continue;
		struct sel_opnd o[3] = { sel_src(s, mul->src[0]), sel_inline(s, shift), sel_src(s, in->src[!k]) };
		if (!too_scalar(o))
			return set3(s, in, GCN_V_LSHL_ADD_U32, o[0], o[1], o[2]);
	}
	for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		for (unsigned k = 0; pairs[i].outer == in->op && k < (commutes ? 2u : 1u); k++) {
			const struct ir_inst *inner = only_use(in->src[k], pairs[i].inner);
			if (!inner)
				continue;
			struct sel_opnd o[3] = { sel_src(s, inner->src[0]), sel_src(s, inner->src[1]), sel_src(s, in->src[!k]) };
			if (!too_scalar(o))
				return set3(s, in, pairs[i].op, o[0], o[1], o[2]);
		}
	return false;
}

bool sel_fused(struct sel *s, struct ir_inst *in)
{
	if (in->op == IR_FADD || in->op == IR_FSUB)
		return fuse_fma(s, in);
	if (in->op == IR_IADD || in->op == IR_IOR || in->op == IR_ISHL)
		return fuse_integer(s, in);
	return false;
}
