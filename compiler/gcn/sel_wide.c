/* SPDX-License-Identifier: MIT */
/* Selection of 64-bit numbers, which are register pairs, and of conversions
 * between widths. */
#include "compiler/gcn/sel.h"

/* A pair of SGPRs with these dwords. */
static mir_opnd pair_s(struct sel *s, struct sel_opnd low, struct sel_opnd high)
{
	struct mir_inst *in = sel_emit(s, MIR_COPY);
	mir_opnd r = sel_new_s(s, 2);
	in->copies = ir_alloc(s->m->pool, 2 * sizeof *in->copies);
	in->copy_count = 2;
	in->copies[0] = (struct mir_copy){ r, low.op, low.literal, 1 };
	in->copies[1] = (struct mir_copy){ mir_at(r, 1), high.op, high.literal, 1 };
	return r;
}

static mir_opnd pair_v(struct sel *s, struct sel_opnd low, struct sel_opnd high)
{
	return sel_tuple(s, 2, (struct sel_opnd[]){ low, high }, false);
}

/* An integer from -16 to 64 as an operand of 64 bits, MIR_NONE: it is none. */
static mir_opnd inline_integer(struct ir_src v)
{
	int64_t value = (int64_t)v.inst->u.imm;
	if (v.inst->op == IR_UNDEF)
		return GCN_SRC_0;
	if (v.inst->op != IR_CONST || value < -16 || value > 64)
		return MIR_NONE;
	return gcn_inline_int((int32_t)value);
}

/* An operand of 64 bits of the scalar unit: a pair or an inline constant. */
static struct sel_opnd scalar_source(struct sel *s, struct ir_src v)
{
	mir_opnd constant = inline_integer(v);
	if (constant != MIR_NONE)
		return sel_reg(SEL_B_INLINE, constant);
	struct sel_opnd low = sel_dword(s, v, 0);
	return low.bank == SEL_B_S ? low : sel_s(pair_s(s, low, sel_dword(s, v, 1)));
}

/* Of the vector unit: in VGPRs, so that the constant bus is free. */
struct sel_opnd sel_wide_source(struct sel *s, struct ir_src v)
{
	mir_opnd constant = inline_integer(v);
	if (constant != MIR_NONE)
		return sel_reg(SEL_B_INLINE, constant);
	return sel_v(pair_v(s, sel_dword(s, v, 0), sel_dword(s, v, 1)));
}

/* The count of a shift is a dword. */
static struct sel_opnd source(struct sel *s, const struct ir_inst *in, unsigned k,
	struct sel_opnd (*wide)(struct sel *s, struct ir_src v))
{
	return in->src[k].inst->bits > 32 ? wide(s, in->src[k]) : sel_src(s, in->src[k]);
}

/* --- scalar unit --- */

mir_opnd sel_wide_scalar(struct sel *s, const struct ir_inst *in, unsigned op)
{
	struct sel_opnd o[2];
	for (unsigned k = 0; k < in->srcs; k++)
		o[k] = source(s, in, k, scalar_source);
	return sel_salu(s, op, sel_dwords(in), in->srcs, o);
}

void sel_wide_scmp(struct sel *s, const struct ir_inst *in, unsigned op)
{
	struct sel_opnd a = scalar_source(s, in->src[0]), b = scalar_source(s, in->src[1]);
	sel_scmp(s, op, a, b);
}

mir_opnd sel_wide_scalar_add(struct sel *s, const struct ir_inst *in)
{
	static const uint16_t ops[2][2] = { { GCN_S_ADD_U32, GCN_S_ADDC_U32 }, { GCN_S_SUB_U32, GCN_S_SUBB_U32 } };
	mir_opnd r = sel_new_s(s, 2);
	for (unsigned d = 0; d < 2; d++) { /* SCC carries */
		struct sel_opnd o[2] = { sel_dword(s, in->src[0], d), sel_dword(s, in->src[1], d) };
		sel_salu_to(s, ops[in->op == IR_ISUB][d], mir_at(r, d), 2, o);
	}
	return r;
}

mir_opnd sel_wide_scalar_select(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd o[2] = { scalar_source(s, in->src[1]), scalar_source(s, in->src[2]) };
	sel_scc(s, in->src[0]);
	return sel_salu(s, GCN_S_CSELECT_B64, 2, 2, o);
}

/* --- vector unit --- */

mir_opnd sel_wide_halves(struct sel *s, const struct ir_inst *in, unsigned op)
{
	mir_opnd r = sel_new_v(s, 2);
	for (unsigned d = 0; d < 2; d++) {
		struct sel_opnd o[2];
		for (unsigned k = 0; k < in->srcs; k++)
			o[k] = sel_dword(s, in->src[k], d);
		sel_valu(s, op, mir_at(r, d), in->srcs, o);
	}
	return r;
}

/* Shifts of integers have the count first. */
mir_opnd sel_wide_vector(struct sel *s, const struct ir_inst *in, unsigned op, bool clamp)
{
	struct sel_opnd o[3];
	bool shift = ir_info(in)->operands == IR_IN_SHIFT && in->op != IR_FLDEXP;
	bool is_float = ir_info(in)->operands == IR_IN_FLOAT || in->op == IR_FLDEXP;
	for (unsigned k = 0; k < in->srcs; k++)
		o[shift ? !k : k] = is_float && in->src[k].inst->bits > 32 ? sel_float(s, in->src[k]) :
			source(s, in, k, sel_wide_source);
	return sel_valu_clamp(s, op, in->srcs, o, clamp);
}

/* FNEG and FABS: the sign is in the higher word. */
mir_opnd sel_wide_sign(struct sel *s, const struct ir_inst *in)
{
	bool neg = in->op == IR_FNEG;
	struct sel_opnd o[2] = { sel_inline(s, neg ? 0x80000000u : 0x7fffffffu), sel_dword(s, in->src[0], 1) };
	mir_opnd high = sel_valu(s, neg ? GCN_V_XOR_B32 : GCN_V_AND_B32, MIR_NONE, 2, o);
	return pair_v(s, sel_dword(s, in->src[0], 0), sel_v(high));
}

/* The words of two numbers, the lower first.  The carry comes of a comparison: the translator
 * knows that, and not v_add_co_u32, which would take lanes out of its vector registers. */
static mir_opnd vector_add(struct sel *s, const struct sel_opnd a[2], const struct sel_opnd b[2], bool sub)
{
	mir_opnd r = sel_new_v(s, 2), high = mir_at(r, 1);
	unsigned op = sub ? GCN_V_SUB_U32 : GCN_V_ADD_U32;
	struct sel_opnd second = b[0].bank == SEL_B_LITERAL ? sel_s(sel_to_s(s, b[0])) : b[0]; /* comparisons have none */
	mir_opnd low = sel_valu(s, op, r, 2, (struct sel_opnd[]){ a[0], second });
	mir_opnd carry = sel_valu(s, GCN_V_CMP_LT_U32, MIR_NONE, 2, (struct sel_opnd[]){ sub ? a[0] : sel_v(low), second });
	struct sel_opnd one = sel_v(sel_valu(s, GCN_V_CNDMASK_B32, MIR_NONE, 3,
		(struct sel_opnd[]){ sel_inline(s, 0), sel_inline(s, 1), sel_s(carry) }));
	if (b[1].bank == SEL_B_INLINE && b[1].op == GCN_SRC_0) {
		sel_valu(s, op, high, 2, (struct sel_opnd[]){ a[1], one });
	} else if (sub) {
		struct sel_opnd rest = sel_v(sel_valu(s, op, MIR_NONE, 2, (struct sel_opnd[]){ a[1], b[1] }));
		sel_valu(s, op, high, 2, (struct sel_opnd[]){ rest, one });
	} else {
		sel_valu(s, GCN_V_ADD3_U32, high, 3, (struct sel_opnd[]){ a[1], b[1], one });
	}
	return r;
}

mir_opnd sel_wide_vector_add(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd a[2] = { sel_dword(s, in->src[0], 0), sel_dword(s, in->src[0], 1) };
	struct sel_opnd b[2] = { sel_dword(s, in->src[1], 0), sel_dword(s, in->src[1], 1) };
	return vector_add(s, a, b, in->op == IR_ISUB);
}

mir_opnd sel_wide_vector_offset(struct sel *s, struct ir_src address, struct ir_src offset)
{
	struct sel_opnd a[2] = { sel_dword(s, address, 0), sel_dword(s, address, 1) };
	struct sel_opnd b[2] = { sel_src(s, offset), sel_inline(s, 0) };
	return vector_add(s, a, b, false);
}

mir_opnd sel_wide_pair(struct sel *s, struct ir_src v)
{
	return pair_v(s, sel_dword(s, v, 0), sel_dword(s, v, 1));
}

mir_opnd sel_wide_vector_select(struct sel *s, const struct ir_inst *in)
{
	mir_opnd mask = sel_mask_s(s, in->src[0]), r = sel_new_v(s, 2);
	for (unsigned d = 0; d < 2; d++) {
		struct sel_opnd o[3] = { sel_dword(s, in->src[2], d), sel_dword(s, in->src[1], d), sel_s(mask) };
		sel_valu(s, GCN_V_CNDMASK_B32, mir_at(r, d), 3, o);
	}
	return r;
}

/* --- halves --- */

/* A register that is there already, if it is of the result's kind. */
mir_opnd sel_high_half(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd high = sel_dword(s, in->src[0], 1);
	return sel_value(in)->kind == SEL_VGPR ? sel_to_v(s, high) : sel_to_s(s, high);
}

mir_opnd sel_pack_scalar(struct sel *s, const struct ir_inst *in)
{
	return pair_s(s, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
}

mir_opnd sel_pack_vector(struct sel *s, const struct ir_inst *in)
{
	return pair_v(s, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
}

/* --- conversions --- */

/* What is narrower than a dword has anything above: zeros or signs take its place. */
static struct sel_opnd extended_s(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd x = sel_dword(s, in->src[0], 0), o[2] = { x, x };
	unsigned from = in->src[0].inst->bits;
	if (from >= 32)
		return x;
	if (in->op == IR_SCONV)
		return sel_s(sel_salu(s, from == 8 ? GCN_S_SEXT_I32_I8 : GCN_S_SEXT_I32_I16, 1, 1, o));
	o[1] = sel_inline(s, (uint32_t)ir_ones(from));
	return sel_s(sel_salu(s, GCN_S_AND_B32, 1, 2, o));
}

static struct sel_opnd extended_v(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd x = sel_dword(s, in->src[0], 0), o[3] = { sel_v(sel_to_v(s, x)), sel_inline(s, 0) };
	unsigned from = in->src[0].inst->bits;
	if (from >= 32)
		return x;
	o[2] = sel_inline(s, from);
	return sel_v(sel_valu(s, in->op == IR_SCONV ? GCN_V_BFE_I32 : GCN_V_BFE_U32, MIR_NONE, 3, o));
}

mir_opnd sel_convert_scalar(struct sel *s, const struct ir_inst *in)
{
	unsigned from = in->src[0].inst->bits;
	bool wider = in->bits > from;
	struct sel_opnd low = wider ? extended_s(s, in) : sel_dword(s, in->src[0], 0), high = sel_inline(s, 0);
	if (in->bits <= 32)
		return sel_to_s(s, low);
	if (from > 32) {
		high = sel_dword(s, in->src[0], 1);
	} else if (in->op == IR_SCONV) {
		struct sel_opnd o[2] = { low, sel_inline(s, 31) };
		high = sel_s(sel_salu(s, GCN_S_ASHR_I32, 1, 2, o));
	}
	return pair_s(s, low, high);
}

mir_opnd sel_convert_vector(struct sel *s, const struct ir_inst *in)
{
	unsigned from = in->src[0].inst->bits;
	bool wider = in->bits > from;
	struct sel_opnd low = wider ? extended_v(s, in) : sel_dword(s, in->src[0], 0), high = sel_inline(s, 0);
	if (in->bits <= 32)
		return sel_to_v(s, low);
	if (from > 32) {
		high = sel_dword(s, in->src[0], 1);
	} else if (in->op == IR_SCONV) {
		struct sel_opnd o[2] = { sel_inline(s, 31), sel_v(sel_to_v(s, low)) };
		high = sel_v(sel_valu(s, GCN_V_ASHRREV_I32, MIR_NONE, 2, o));
	}
	return pair_v(s, low, high);
}
