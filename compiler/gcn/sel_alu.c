/* SPDX-License-Identifier: MIT */
/* Selection of arithmetic: a table for what is one instruction on either
 * unit, functions for the rest. */
#include "compiler/gcn/sel.h"

#include <assert.h>

enum { ROW_REV = 1 /* vector form: sources exchanged */, ROW_FLOAT0 = 2 /* source 0 takes neg and abs */,
	ROW_LOW = 4 /* the low bits of the result need no others of the sources: good for 8 and 16 bits too */ };
/* One instruction of either unit, or functions for what takes more (or is decided by what
 * the sources are).  The scalar unit's one is asked for when the table says S. */
struct alu_row {
	uint16_t salu, valu;
	uint8_t flags;
	mir_opnd (*scalar)(struct sel *s, const struct ir_inst *in), (*vector)(struct sel *s, const struct ir_inst *in);
};
enum { ROW_WORD, ROW_WIDE /* 64 bits */, ROW_HALF /* floats of 16 bits */, ROWS };
static const struct alu_row rows[IR_OP_COUNT][ROWS];

static const struct alu_row *row_of(const struct ir_inst *in)
{
	const struct ir_op_info *info = ir_info(in);
	unsigned bits = ir_operand_bits(in);
	return &rows[in->op][bits > 32 ? ROW_WIDE : bits == 16 && info->operands == IR_IN_FLOAT ? ROW_HALF : ROW_WORD];
}

void sel_set(struct sel *s, struct ir_inst *in, mir_opnd v)
{
	sel_value(in)->op[0] = v;
}

void sel_set_all(struct sel *s, struct ir_inst *in, mir_opnd v)
{
	for (unsigned c = 0; c < in->comps && c < 4; c++)
		sel_value(in)->op[c] = mir_at(v, c * sel_dwords(in));
}

static bool scalar_sources(const struct ir_inst *in)
{
	for (unsigned k = 0; k < in->srcs; k++)
		if (in->src[k].inst->bits != 1 && sel_value(in->src[k].inst)->kind == SEL_VGPR)
			return false;
	return true;
}

/* A comparison that the scalar unit makes, into SCC. */
static bool is_scalar_compare(const struct ir_inst *in)
{
	return !in->divergent && in->bits == 1 && row_of(in)->salu && scalar_sources(in);
}

static void scalar_compare(struct sel *s, const struct ir_inst *in)
{
	if (ir_operand_bits(in) > 32)
		sel_wide_scmp(s, in, row_of(in)->salu);
	else
		sel_scmp(s, row_of(in)->salu, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
}

void sel_scc(struct sel *s, struct ir_src v)
{
	const struct ir_inst *in = v.inst;
	if (is_scalar_compare(in)) {
		scalar_compare(s, in);
		return;
	}
	/* Bits outside EXEC mean nothing. */
	sel_emit2(s, GCN_S_AND_B64, GCN_SRC_VCC, sel_mask(s, v), GCN_SRC_EXEC);
}

/* --- scalar unit --- */

static mir_opnd salu2(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b)
{
	return sel_salu(s, op, 1, 2, (struct sel_opnd[]){ a, b });
}

static mir_opnd scalar_bfe(struct sel *s, const struct ir_inst *in)
{
	uint32_t offset, count;
	unsigned op = in->op == IR_UBFE ? GCN_S_BFE_U32 : GCN_S_BFE_I32;
	struct sel_opnd field;
	if (sel_const(in->src[1], &offset) && sel_const(in->src[2], &count)) {
		field = sel_inline(s, (offset & 31) | (count & 127) << 16);
	} else {
		struct sel_opnd high = sel_s(salu2(s, GCN_S_LSHL_B32, sel_src(s, in->src[2]), sel_inline(s, 16)));
		field = sel_s(salu2(s, GCN_S_OR_B32, high, sel_src(s, in->src[1])));
	}
	return salu2(s, op, sel_src(s, in->src[0]), field);
}

/* Both count leading bits from the top and give -1 for none. */
static mir_opnd scalar_msb(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd x = sel_src(s, in->src[0]);
	unsigned op = in->op == IR_UFIND_MSB ? GCN_S_FLBIT_I32_B32 : GCN_S_FLBIT_I32;
	struct sel_opnd lead = sel_s(sel_salu(s, op, 1, 1, &x));
	struct sel_opnd bit = sel_s(salu2(s, GCN_S_SUB_I32, sel_inline(s, 31), lead));
	sel_scmp(s, GCN_S_CMP_EQ_I32, lead, sel_inline(s, ~0u));
	return salu2(s, GCN_S_CSELECT_B32, lead, bit);
}

static mir_opnd scalar_bfi(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd mask = sel_src(s, in->src[0]);
	struct sel_opnd a = sel_s(salu2(s, GCN_S_AND_B32, mask, sel_src(s, in->src[1])));
	struct sel_opnd b = sel_s(salu2(s, GCN_S_ANDN2_B32, sel_src(s, in->src[2]), mask));
	return salu2(s, GCN_S_OR_B32, a, b);
}

static mir_opnd scalar_select(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd a = sel_src(s, in->src[1]), b = sel_src(s, in->src[2]);
	if (a.bank == SEL_B_LITERAL && b.bank == SEL_B_LITERAL)
		a = sel_s(sel_const_s(s, a.literal));
	sel_scc(s, in->src[0]);
	return salu2(s, GCN_S_CSELECT_B32, a, b);
}

static mir_opnd scalar_bitcount(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd x = sel_src(s, in->src[0]);
	return sel_salu(s, GCN_S_BCNT1_I32_B32, 1, 1, &x);
}

static mir_opnd scalar_b2i(struct sel *s, const struct ir_inst *in)
{
	sel_scc(s, in->src[0]);
	return salu2(s, GCN_S_CSELECT_B32, sel_inline(s, 1), sel_inline(s, 0));
}

static mir_opnd scalar(struct sel *s, const struct ir_inst *in, const struct alu_row *row)
{
	struct sel_opnd o[3];
	if (row->scalar)
		return row->scalar(s, in);
	if (ir_operand_bits(in) > 32)
		return sel_wide_scalar(s, in, row->salu);
	for (unsigned k = 0; k < in->srcs; k++)
		o[k] = sel_src(s, in->src[k]);
	return sel_salu(s, row->salu, 1, in->srcs, o);
}

/* --- bools --- */

static mir_opnd mask2(struct sel *s, unsigned op, mir_opnd a, mir_opnd b)
{
	mir_opnd r = sel_new_s(s, 2);
	sel_emit2(s, op, r, a, b);
	return r;
}

/* a & !b and a | !b are one instruction. */
static mir_opnd logic(struct sel *s, const struct ir_inst *in, unsigned op, unsigned op_not)
{
	for (unsigned k = 0; op_not && k < 2; k++) {
		const struct ir_inst *b = in->src[k].inst;
		if (b->op == IR_BNOT)
			return mask2(s, op_not, sel_mask(s, in->src[!k]), sel_mask(s, b->src[0]));
	}
	return mask2(s, op, sel_mask(s, in->src[0]), sel_mask(s, in->src[1]));
}

static mir_opnd mask_select(struct sel *s, const struct ir_inst *in)
{
	mir_opnd c = sel_mask(s, in->src[0]), a = sel_mask(s, in->src[1]), b = sel_mask(s, in->src[2]);
	if (!in->src[0].inst->divergent) {
		sel_scc(s, in->src[0]);
		return mask2(s, GCN_S_CSELECT_B64, a, b);
	}
	if (a == GCN_SRC_NEG1)
		return mask2(s, GCN_S_OR_B64, c, b);
	if (b == GCN_SRC_0)
		return mask2(s, GCN_S_AND_B64, c, a);
	if (a == GCN_SRC_0)
		return mask2(s, GCN_S_ANDN2_B64, b, c);
	if (b == GCN_SRC_NEG1)
		return mask2(s, GCN_S_ORN2_B64, a, c);
	return mask2(s, GCN_S_OR_B64, mask2(s, GCN_S_AND_B64, c, a), mask2(s, GCN_S_ANDN2_B64, b, c));
}

static mir_opnd bool_and(struct sel *s, const struct ir_inst *in)
{
	return logic(s, in, GCN_S_AND_B64, GCN_S_ANDN2_B64);
}

static mir_opnd bool_or(struct sel *s, const struct ir_inst *in)
{
	return logic(s, in, GCN_S_OR_B64, GCN_S_ORN2_B64);
}

static mir_opnd bool_xor(struct sel *s, const struct ir_inst *in)
{
	return logic(s, in, GCN_S_XOR_B64, 0);
}

static mir_opnd bool_not(struct sel *s, const struct ir_inst *in)
{
	return mask2(s, GCN_S_NOT_B64, sel_mask(s, in->src[0]), MIR_NONE);
}

static mir_opnd bool_result(struct sel *s, const struct ir_inst *in, const struct alu_row *row)
{
	struct sel_opnd o[2];
	if (row->vector)
		return row->vector(s, in);
	if (is_scalar_compare(in)) {
		scalar_compare(s, in);
		return mask2(s, GCN_S_CSELECT_B64, GCN_SRC_NEG1, GCN_SRC_0);
	}
	if (ir_operand_bits(in) > 32)
		return sel_wide_vector(s, in, row->valu, false);
	for (unsigned k = 0; k < 2; k++)
		o[k] = ir_info(in)->operands == IR_IN_FLOAT ? sel_float(s, in->src[k]) : sel_src(s, in->src[k]);
	return sel_valu(s, row->valu, MIR_NONE, 2, o);
}

/* --- vector unit --- */

static mir_opnd valu1(struct sel *s, unsigned op, struct sel_opnd a)
{
	return sel_valu(s, op, MIR_NONE, 1, &a);
}

static mir_opnd valu2(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b)
{
	return sel_valu(s, op, MIR_NONE, 2, (struct sel_opnd[]){ a, b });
}

static mir_opnd valu3(struct sel *s, unsigned op, struct sel_opnd a, struct sel_opnd b, struct sel_opnd c)
{
	return sel_valu(s, op, MIR_NONE, 3, (struct sel_opnd[]){ a, b, c });
}

/* v_bfe takes the count modulo 32: a count of 32 means the whole value. */
static mir_opnd vector_bfe(struct sel *s, const struct ir_inst *in)
{
	uint32_t count;
	unsigned op = in->op == IR_UBFE ? GCN_V_BFE_U32 : GCN_V_BFE_I32;
	struct sel_opnd v = sel_src(s, in->src[0]), n = sel_src(s, in->src[2]);
	bool known = sel_const(in->src[2], &count);
	if (known && count >= 32)
		return valu1(s, GCN_V_MOV_B32, v);
	mir_opnd field = valu3(s, op, v, sel_src(s, in->src[1]), n);
	if (known)
		return field;
	mir_opnd whole = valu2(s, GCN_V_CMP_LE_U32, sel_inline(s, 32), n);
	return valu3(s, GCN_V_CNDMASK_B32, sel_v(field), sel_v(sel_to_v(s, v)), sel_s(whole));
}

static mir_opnd vector_msb(struct sel *s, const struct ir_inst *in)
{
	unsigned op = in->op == IR_UFIND_MSB ? GCN_V_FFBH_U32 : GCN_V_FFBH_I32;
	struct sel_opnd lead = sel_v(valu1(s, op, sel_src(s, in->src[0])));
	struct sel_opnd bit = sel_v(valu2(s, GCN_V_SUB_U32, sel_inline(s, 31), lead));
	mir_opnd none = valu2(s, GCN_V_CMP_EQ_U32, sel_inline(s, ~0u), lead);
	return valu3(s, GCN_V_CNDMASK_B32, bit, lead, sel_s(none));
}

/* v_sin and v_cos are exact in range reduction only near zero. */
static mir_opnd vector_sin(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd turn = sel_float(s, in->src[0]);
	if (in->src[0].inst->op != IR_FFRACT || in->src[0].inst->bits != 32) /* which is one already */
		turn = sel_v(valu1(s, GCN_V_FRACT_F32, turn));
	return valu1(s, in->op == IR_FSIN ? GCN_V_SIN_F32 : GCN_V_COS_F32, turn);
}

static mir_opnd vector_select(struct sel *s, const struct ir_inst *in)
{
	if (in->bits == 1)
		return mask_select(s, in);
	struct sel_opnd a = sel_src(s, in->src[1]), b = sel_src(s, in->src[2]);
	return valu3(s, GCN_V_CNDMASK_B32, b, a, sel_s(sel_mask_s(s, in->src[0])));
}

/* Signs are bits of integers, but where denormals become zeros: there v_max does both. */
static bool flushed_sign(struct sel *s, struct ir_inst *in, mir_opnd *r)
{
	if (isa_mode_denorm(s->f->float_mode, in->bits) == ISA_DENORM_KEEP)
		return false;
	struct sel_opnd x = sel_float(s, in->src[0]);
	x.neg = in->op == IR_FNEG && !x.neg;
	x.abs |= in->op == IR_FABS;
	*r = valu2(s, in->bits == 64 ? GCN_V_MAX_F64 : in->bits == 16 ? GCN_V_MAX_F16 : GCN_V_MAX_F32, x, x);
	return true;
}

static mir_opnd vector_neg(struct sel *s, const struct ir_inst *in)
{
	return valu2(s, GCN_V_XOR_B32, sel_inline(s, in->bits == 16 ? 0x8000 : 0x80000000u), sel_src(s, in->src[0]));
}

static mir_opnd vector_abs(struct sel *s, const struct ir_inst *in)
{
	return valu2(s, GCN_V_AND_B32, sel_inline(s, in->bits == 16 ? 0x7fff : 0x7fffffffu), sel_src(s, in->src[0]));
}

/* An instruction whose float result its only reader saturates: clamped there (see vector). */
static bool clamps(const struct ir_inst *in)
{
	const struct ir_op_info *info = ir_info(in);
	const struct sel_value *v = sel_value(in);
	return info->operands == IR_IN_FLOAT && info->result == IR_OUT_SAME && row_of(in)->valu &&
		v->uses == 1 && !v->open;
}

static mir_opnd vector_sat(struct sel *s, const struct ir_inst *in)
{
	const struct ir_inst *src = in->src[0].inst;
	const struct sel_value *v = sel_value(src);
	if (v->kind == SEL_VGPR && mir_is_v(v->op[0]) && ir_info(src)->family == IR_ALU_OP && clamps(src))
		return v->op[0];
	struct sel_opnd x = sel_float(s, in->src[0]);
	unsigned op = in->bits == 64 ? GCN_V_MAX_F64 : in->bits == 16 ? GCN_V_MAX_F16 : GCN_V_MAX_F32;
	return sel_valu_clamp(s, op, 2, (struct sel_opnd[]){ x, x }, true);
}

static mir_opnd vector_bitcount(struct sel *s, const struct ir_inst *in)
{
	return valu2(s, GCN_V_BCNT_U32_B32, sel_src(s, in->src[0]), sel_inline(s, 0));
}

static mir_opnd vector_bfi(struct sel *s, const struct ir_inst *in)
{
	return valu3(s, GCN_V_BFI_B32, sel_src(s, in->src[0]), sel_src(s, in->src[1]), sel_src(s, in->src[2]));
}

static mir_opnd vector_b2i(struct sel *s, const struct ir_inst *in)
{
	return valu3(s, GCN_V_CNDMASK_B32, sel_inline(s, 0), sel_inline(s, 1), sel_s(sel_mask_s(s, in->src[0])));
}

static mir_opnd vector_mul(struct sel *s, const struct ir_inst *in)
{
	uint32_t shift;
	if (sel_shift_of(in, &shift))
		return valu2(s, GCN_V_LSHLREV_B32, sel_inline(s, shift), sel_src(s, in->src[0]));
	return valu2(s, GCN_V_MUL_LO_U32, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
}

/* What is no NaN whatever its operands are. */
static bool is_number(struct ir_src v, unsigned depth)
{
	const struct ir_inst *in = v.inst;
	uint32_t value;
	if (sel_const(v, &value))
		return (value & 0x7fffffff) <= 0x7f800000;
	switch (in->op) {
	case IR_FSAT: case IR_I2F: case IR_U2F:
	case IR_UBYTE0_TO_F32: case IR_UBYTE1_TO_F32: case IR_UBYTE2_TO_F32: case IR_UBYTE3_TO_F32: return true;
	case IR_FABS: case IR_FNEG: return depth && is_number(in->src[0], depth - 1);
	case IR_FMIN: case IR_FMAX: return depth && (is_number(in->src[0], depth - 1) || is_number(in->src[1], depth - 1));
	default: return false;
	}
}

/* Where signs of zeros do not count, the lesser of two is a choice: the core makes one x86 instruction of it, and two more where
 * the second may be a NaN, for which the other one is given; of v_min_f32 six.  Not against constants where that is one, too. */
static bool is_choice(struct sel *s, const struct ir_inst *in)
{
	if ((in->op != IR_FMIN && in->op != IR_FMAX) || in->bits != 32 || in->precise || s->f->exact_floats & 32 ||
		isa_mode_denorm(s->f->float_mode, 32) != ISA_DENORM_KEEP)
		return false;
	uint32_t value;
	for (unsigned k = 0; k < 2; k++)
		if (sel_const(in->src[k], &value))
			return in->op == IR_FMIN && value == 0;
	return true;
}

static mir_opnd vector_choice(struct sel *s, const struct ir_inst *in)
{
	enum { DEPTH = 3 };
	const bool first = is_number(in->src[0], DEPTH), number = first || is_number(in->src[1], DEPTH);
	struct sel_opnd o[2] = { sel_float(s, in->src[first]), sel_float(s, in->src[!first]) };
	for (unsigned k = 0; k < 2; k++)
		if (o[k].bank == SEL_B_S) {
			o[k].op = sel_to_v(s, sel_s(o[k].op));
			o[k].bank = SEL_B_V;
		}
	mir_opnd mask = valu2(s, in->op == IR_FMIN ? GCN_V_CMP_LT_F32 : GCN_V_CMP_GT_F32, o[0], o[1]);
	mir_opnd chosen = valu3(s, GCN_V_CNDMASK_B32, o[1], o[0], sel_s(mask));
	if (number)
		return chosen;
	return valu3(s, GCN_V_CNDMASK_B32, sel_v(chosen), o[0], sel_s(valu2(s, GCN_V_CMP_U_F32, o[1], o[1])));
}

static mir_opnd vector(struct sel *s, const struct ir_inst *in, const struct alu_row *row)
{
	struct sel_opnd o[3];
	if (row->vector)
		return row->vector(s, in);
	bool is_float = ir_info(in)->operands == IR_IN_FLOAT;
	bool clamp = is_float && clamps(in) && sel_value(in)->user->op == IR_FSAT;
	if (ir_operand_bits(in) > 32)
		return sel_wide_vector(s, in, row->valu, clamp);
	if (!clamp && is_choice(s, in))
		return vector_choice(s, in);
	for (unsigned k = 0; k < in->srcs; k++) {
		unsigned at = row->flags & ROW_REV ? !k : k;
		bool modified = is_float || (row->flags & ROW_FLOAT0 && k == 0);
		o[at] = modified ? sel_float(s, in->src[k]) : sel_src(s, in->src[k]);
	}
	return sel_valu_clamp(s, row->valu, in->srcs, o, clamp);
}

/* Of up to 32 bits a value is in one register, and its copy is the register. */
void sel_copy(struct sel *s, struct ir_inst *in)
{
	struct ir_src v = in->src[0];
	if (in->bits == 1) {
		sel_set(s, in, sel_mask(s, v));
	} else if (in->bits > 32) {
		sel_set(s, in, sel_value(in)->kind == SEL_VGPR ? sel_convert_vector(s, in) : sel_convert_scalar(s, in));
	} else {
		struct sel_opnd o = sel_src(s, v);
		bool imm = o.bank != SEL_B_S && o.bank != SEL_B_V;
		sel_set(s, in, sel_value(in)->kind == SEL_VGPR ? sel_to_v(s, o) : imm ? sel_sgpr(s, v) : o.op);
	}
}

void sel_alu(struct sel *s, struct ir_inst *in)
{
	unsigned bits = ir_operand_bits(in);
	const struct alu_row *row = row_of(in);
	mir_opnd sign;
	if (!(row->valu || row->vector) || (bits < 32 && bits > 1 && !(row->flags & ROW_LOW)))
		sel_fail(s, COMPILER_UNSUPPORTED, "the back end has no %s of %u bits", ir_info(in)->name, bits);
	else if ((in->op == IR_FNEG || in->op == IR_FABS) && flushed_sign(s, in, &sign))
		sel_set(s, in, sign);
	else if (in->bits == 1)
		sel_set(s, in, bool_result(s, in, row));
	else if (sel_value(in)->kind == SEL_SGPR)
		sel_set(s, in, scalar(s, in, row));
	else if (bits > 32 || !sel_fused(s, in))
		sel_set(s, in, vector(s, in, row));
}

static mir_opnd to_half_rtz(struct sel *s, const struct ir_inst *in)
{
	return valu2(s, GCN_V_CVT_PKRTZ_F16_F32, sel_float(s, in->src[0]), sel_inline(s, 0));
}

static mir_opnd float_to_float(struct sel *s, const struct ir_inst *in)
{
	unsigned from = in->src[0].inst->bits, op = from == 64 ? GCN_V_CVT_F32_F64 : from == 16 ? GCN_V_CVT_F32_F16 :
		in->bits == 64 ? GCN_V_CVT_F64_F32 : GCN_V_CVT_F16_F32;
	return from == 64 ? sel_wide_vector(s, in, op, false) : valu1(s, op, sel_float(s, in->src[0]));
}

/* Whether a word is below 2^31 for all that its last operation may be given. */
static bool is_small(struct ir_src a)
{
	const struct ir_inst *in = a.inst;
	const struct ir_inst *by = in->srcs > 1 ? in->src[1].inst : NULL;
	switch (in->op) {
	case IR_CONST: return in->u.imm < 1u << 31;
	case IR_USHR: return by->op == IR_CONST && (by->u.imm & 31);
	case IR_IAND: return by->op == IR_CONST && by->u.imm < 1u << 31;
	case IR_UCONV: return in->src[0].inst->bits < 32;
	default: return false;
	}
}

/* Unsigned words where they are small as signed ones, which AVX2 has an instruction for. */
static mir_opnd integer_to_float(struct sel *s, const struct ir_inst *in)
{
	bool is_signed = in->op == IR_I2F || (in->src[0].inst->bits == 32 && is_small(in->src[0]));
	unsigned op = in->bits == 64 ? (is_signed ? GCN_V_CVT_F64_I32 : GCN_V_CVT_F64_U32) :
		is_signed ? GCN_V_CVT_F32_I32 : GCN_V_CVT_F32_U32;
	return valu1(s, op, sel_src(s, in->src[0]));
}

static mir_opnd wide_sub(struct sel *s, const struct ir_inst *in)
{
	struct sel_opnd a = sel_float(s, in->src[0]), b = sel_float(s, in->src[1]);
	b.neg = !b.neg;
	return valu2(s, GCN_V_ADD_F64, a, b);
}

static mir_opnd wide_and(struct sel *s, const struct ir_inst *in) { return sel_wide_halves(s, in, GCN_V_AND_B32); }
static mir_opnd wide_or(struct sel *s, const struct ir_inst *in) { return sel_wide_halves(s, in, GCN_V_OR_B32); }
static mir_opnd wide_xor(struct sel *s, const struct ir_inst *in) { return sel_wide_halves(s, in, GCN_V_XOR_B32); }
static mir_opnd wide_not(struct sel *s, const struct ir_inst *in) { return sel_wide_halves(s, in, GCN_V_NOT_B32); }

/* Constants in registers: what inline ones give to the upper half is theirs to say. */
static mir_opnd vector_packed(struct sel *s, const struct ir_inst *in)
{
	static const uint16_t ops[] = { GCN_V_PK_ADD_F16, GCN_V_PK_MUL_F16, GCN_V_PK_FMA_F16, GCN_V_PK_MIN_F16, GCN_V_PK_MAX_F16,
		GCN_V_PK_ADD_U16, GCN_V_PK_SUB_I16, GCN_V_PK_MUL_LO_U16, GCN_V_PK_MIN_I16, GCN_V_PK_MAX_I16, GCN_V_PK_MIN_U16,
		GCN_V_PK_MAX_U16 };
	static_assert(sizeof ops / sizeof ops[0] == IR_PK_UMAX - IR_PK_FADD + 1, "the order of ir_ops.def");
	struct sel_opnd o[3];
	uint32_t value;
	unsigned swizzles[2] = { 0, 0 }, signs[2] = { 0, 0 };
	bool scalar = false;
	for (unsigned k = 0; k < in->srcs; k++) {
		const struct ir_halves *h = &in->u.halves[k];
		o[k] = sel_const(in->src[k], &value) ? sel_s(sel_const_s(s, value)) : sel_src(s, in->src[k]);
		if (o[k].bank == SEL_B_S && scalar)
			o[k] = sel_v(sel_to_v(s, o[k]));
		scalar |= o[k].bank == SEL_B_S;
		swizzles[0] |= (unsigned)h->sel << k;
		swizzles[1] |= (unsigned)h->sel_high << k;
		signs[0] |= (unsigned)h->neg << k;
		signs[1] |= (unsigned)h->neg_high << k;
	}
	struct mir_inst *packed = sel_emit(s, ops[in->op - IR_PK_FADD]);
	packed->opnd[MIR_DST] = sel_new_v(s, 1);
	for (unsigned k = 0; k < in->srcs; k++)
		packed->opnd[MIR_SRC0 + k] = o[k].op;
	packed->g.op_sel = (uint8_t)swizzles[0];
	packed->g.op_sel_hi = (uint8_t)(swizzles[1] | (in->srcs < 3 ? 4 : 0));
	packed->g.neg = (uint8_t)signs[0];
	packed->g.neg_hi = (uint8_t)signs[1];
	return packed->opnd[MIR_DST];
}
/* --- the table --- */

#define N(op, salu, valu, flags) [IR_##op][ROW_WORD] = { salu, valu, flags, NULL, NULL }
#define V(op, valu) [IR_##op][ROW_WORD] = { 0, GCN_V_##valu, 0, NULL, NULL }
#define FN(op, flags, scalar, vector) [IR_##op][ROW_WORD] = { 0, 0, flags, scalar, vector }
#define WIDE(op, salu, valu, scalar, vector) [IR_##op][ROW_WIDE] = { salu, valu, 0, scalar, vector }
#define D(op, valu) [IR_##op][ROW_WIDE] = { 0, GCN_V_##valu, 0, NULL, NULL }
#define H(op, valu) [IR_##op][ROW_HALF] = { 0, GCN_V_##valu, ROW_LOW, NULL, NULL }
#define H_FN(op, vector) [IR_##op][ROW_HALF] = { 0, 0, ROW_LOW, NULL, vector }
static const struct alu_row rows[IR_OP_COUNT][ROWS] = {
	V(FADD, ADD_F32), V(FSUB, SUB_F32), V(FMUL, MUL_F32), V(FFMA, FMA_F32), V(FMIN, MIN_F32), V(FMAX, MAX_F32),
	V(FMED3, MED3_F32), V(FFLOOR, FLOOR_F32), V(FCEIL, CEIL_F32), V(FTRUNC, TRUNC_F32), V(FRNDNE, RNDNE_F32),
	V(FFRACT, FRACT_F32), V(FRCP, RCP_F32), V(FRSQ, RSQ_F32), V(FSQRT, SQRT_F32), V(FEXP2, EXP_F32),
	V(FLOG2, LOG_F32), V(FREXP_MANT, FREXP_MANT_F32), V(FREXP_EXP, FREXP_EXP_I32_F32), V(FCMP_EQ, CMP_EQ_F32),
	V(FCMP_NE, CMP_NEQ_F32), V(FCMP_LT, CMP_LT_F32), V(FCMP_LE, CMP_LE_F32), V(FCMP_LTU, CMP_NGE_F32),
	V(FCMP_LEU, CMP_NGT_F32), V(FCMP_EQU, CMP_NLG_F32), V(FCMP_NEO, CMP_LG_F32), V(FCUBE_ID, CUBEID_F32),
	V(FCUBE_SC, CUBESC_F32), V(FCUBE_TC, CUBETC_F32), V(FCUBE_MA, CUBEMA_F32), V(F2I, CVT_I32_F32),
	V(F2U, CVT_U32_F32), V(F32_TO_F16, CVT_F16_F32),
	V(F16_TO_F32, CVT_F32_F16), V(UBYTE0_TO_F32, CVT_F32_UBYTE0), V(UBYTE1_TO_F32, CVT_F32_UBYTE1),
	V(UBYTE2_TO_F32, CVT_F32_UBYTE2), V(UBYTE3_TO_F32, CVT_F32_UBYTE3),
	N(FLDEXP, 0, GCN_V_LDEXP_F32, ROW_FLOAT0), N(IADD, GCN_S_ADD_I32, GCN_V_ADD_U32, ROW_LOW),
	N(ISUB, GCN_S_SUB_I32, GCN_V_SUB_U32, ROW_LOW),
	[IR_IMUL][ROW_WORD] = { GCN_S_MUL_I32, 0, ROW_LOW, NULL, vector_mul },
	N(IMULHI, GCN_S_MUL_HI_I32, GCN_V_MUL_HI_I32, 0), N(UMULHI, GCN_S_MUL_HI_U32, GCN_V_MUL_HI_U32, 0),
	N(IAND, GCN_S_AND_B32, GCN_V_AND_B32, ROW_LOW), N(IOR, GCN_S_OR_B32, GCN_V_OR_B32, ROW_LOW),
	N(IXOR, GCN_S_XOR_B32, GCN_V_XOR_B32, ROW_LOW), N(INOT, GCN_S_NOT_B32, GCN_V_NOT_B32, ROW_LOW),
	N(ISHL, GCN_S_LSHL_B32, GCN_V_LSHLREV_B32, ROW_REV | ROW_LOW),
	N(USHR, GCN_S_LSHR_B32, GCN_V_LSHRREV_B32, ROW_REV), N(SSHR, GCN_S_ASHR_I32, GCN_V_ASHRREV_I32, ROW_REV),
	N(SMIN, GCN_S_MIN_I32, GCN_V_MIN_I32, 0), N(SMAX, GCN_S_MAX_I32, GCN_V_MAX_I32, 0),
	N(UMIN, GCN_S_MIN_U32, GCN_V_MIN_U32, 0), N(UMAX, GCN_S_MAX_U32, GCN_V_MAX_U32, 0),
	N(ICMP_EQ, GCN_S_CMP_EQ_U32, GCN_V_CMP_EQ_U32, 0), N(ICMP_NE, GCN_S_CMP_LG_U32, GCN_V_CMP_NE_U32, 0),
	N(SCMP_LT, GCN_S_CMP_LT_I32, GCN_V_CMP_LT_I32, 0), N(SCMP_LE, GCN_S_CMP_LE_I32, GCN_V_CMP_LE_I32, 0),
	N(UCMP_LT, GCN_S_CMP_LT_U32, GCN_V_CMP_LT_U32, 0), N(UCMP_LE, GCN_S_CMP_LE_U32, GCN_V_CMP_LE_U32, 0),
	N(BFM, GCN_S_BFM_B32, GCN_V_BFM_B32, 0), N(BITREV, GCN_S_BREV_B32, GCN_V_BFREV_B32, 0),
	N(FIND_LSB, GCN_S_FF1_I32_B32, GCN_V_FFBL_B32, 0),
	FN(FNEG, 0, NULL, vector_neg), FN(FABS, 0, NULL, vector_abs), FN(FSAT, 0, NULL, vector_sat),
	FN(FSIN, 0, NULL, vector_sin), FN(FCOS, 0, NULL, vector_sin), FN(UBFE, 0, scalar_bfe, vector_bfe),
	FN(SBFE, 0, scalar_bfe, vector_bfe), FN(BFI, ROW_LOW, scalar_bfi, vector_bfi),
	FN(BITCOUNT, 0, scalar_bitcount, vector_bitcount), FN(UFIND_MSB, 0, scalar_msb, vector_msb),
	FN(SFIND_MSB, 0, scalar_msb, vector_msb), FN(BAND, 0, NULL, bool_and), FN(BOR, 0, NULL, bool_or),
	FN(BXOR, 0, NULL, bool_xor), FN(BNOT, 0, NULL, bool_not), FN(SELECT, ROW_LOW, scalar_select, vector_select),
	FN(B2I, 0, scalar_b2i, vector_b2i), FN(UCONV, ROW_LOW, sel_convert_scalar, sel_convert_vector),
	FN(SCONV, ROW_LOW, sel_convert_scalar, sel_convert_vector), FN(I2F, 0, NULL, integer_to_float),
	FN(U2F, 0, NULL, integer_to_float), FN(FCONV, 0, NULL, float_to_float), FN(F32_TO_F16_RTZ, 0, NULL, to_half_rtz),
	FN(PACK, 0, sel_pack_scalar, sel_pack_vector),
	/* two halves in a word */
	FN(PK_FADD, 0, NULL, vector_packed), FN(PK_FMUL, 0, NULL, vector_packed), FN(PK_FFMA, 0, NULL, vector_packed),
	FN(PK_FMIN, 0, NULL, vector_packed), FN(PK_FMAX, 0, NULL, vector_packed), FN(PK_IADD, 0, NULL, vector_packed),
	FN(PK_ISUB, 0, NULL, vector_packed), FN(PK_IMUL, 0, NULL, vector_packed), FN(PK_SMIN, 0, NULL, vector_packed),
	FN(PK_SMAX, 0, NULL, vector_packed), FN(PK_UMIN, 0, NULL, vector_packed), FN(PK_UMAX, 0, NULL, vector_packed),
	/* floats of 16 bits */
	H(FADD, ADD_F16), H(FSUB, SUB_F16), H(FMUL, MUL_F16), H(FFMA, FMA_LEGACY_F16), H(FMIN, MIN_F16), H(FMAX, MAX_F16),
	H(FFLOOR, FLOOR_F16), H(FCEIL, CEIL_F16), H(FTRUNC, TRUNC_F16), H(FRNDNE, RNDNE_F16), H(FFRACT, FRACT_F16),
	H(FCMP_EQ, CMP_EQ_F16), H(FCMP_NE, CMP_NEQ_F16), H(FCMP_LT, CMP_LT_F16), H(FCMP_LE, CMP_LE_F16),
	H(FCMP_LTU, CMP_NGE_F16), H(FCMP_LEU, CMP_NGT_F16), H(FCMP_EQU, CMP_NLG_F16), H(FCMP_NEO, CMP_LG_F16),
	H_FN(FNEG, vector_neg), H_FN(FABS, vector_abs), H_FN(FSAT, vector_sat), H_FN(FCONV, float_to_float),
	/* floats of 64 bits */
	D(FADD, ADD_F64), D(FMUL, MUL_F64), D(FFMA, FMA_F64), D(FMIN, MIN_F64), D(FMAX, MAX_F64), D(FFLOOR, FLOOR_F64),
	D(FCEIL, CEIL_F64), D(FTRUNC, TRUNC_F64), D(FRNDNE, RNDNE_F64), D(FFRACT, FRACT_F64), D(FRCP, RCP_F64),
	D(FRSQ, RSQ_F64), D(FSQRT, SQRT_F64), D(FREXP_MANT, FREXP_MANT_F64), D(FREXP_EXP, FREXP_EXP_I32_F64),
	D(FLDEXP, LDEXP_F64), D(F2I, CVT_I32_F64), D(F2U, CVT_U32_F64),
	D(FCMP_EQ, CMP_EQ_F64), D(FCMP_NE, CMP_NEQ_F64), D(FCMP_LT, CMP_LT_F64), D(FCMP_LE, CMP_LE_F64),
	D(FCMP_LTU, CMP_NGE_F64), D(FCMP_LEU, CMP_NGT_F64), D(FCMP_EQU, CMP_NLG_F64), D(FCMP_NEO, CMP_LG_F64),
	WIDE(FSUB, 0, 0, NULL, wide_sub), WIDE(FNEG, 0, 0, NULL, sel_wide_sign), WIDE(FABS, 0, 0, NULL, sel_wide_sign),
	WIDE(FSAT, 0, 0, NULL, vector_sat), WIDE(FCONV, 0, 0, NULL, float_to_float),
	/* 64 bits */
	WIDE(HIGH, 0, 0, sel_high_half, sel_high_half),
	WIDE(IADD, 0, 0, sel_wide_scalar_add, sel_wide_vector_add),
	WIDE(ISUB, 0, 0, sel_wide_scalar_add, sel_wide_vector_add), WIDE(IAND, GCN_S_AND_B64, 0, NULL, wide_and),
	WIDE(IOR, GCN_S_OR_B64, 0, NULL, wide_or), WIDE(IXOR, GCN_S_XOR_B64, 0, NULL, wide_xor),
	WIDE(INOT, GCN_S_NOT_B64, 0, NULL, wide_not), WIDE(ISHL, GCN_S_LSHL_B64, GCN_V_LSHLREV_B64, NULL, NULL),
	WIDE(USHR, GCN_S_LSHR_B64, GCN_V_LSHRREV_B64, NULL, NULL),
	WIDE(SSHR, GCN_S_ASHR_I64, GCN_V_ASHRREV_I64, NULL, NULL),
	WIDE(ICMP_EQ, GCN_S_CMP_EQ_U64, GCN_V_CMP_EQ_U64, NULL, NULL),
	WIDE(ICMP_NE, GCN_S_CMP_LG_U64, GCN_V_CMP_NE_U64, NULL, NULL),
	WIDE(SCMP_LT, 0, GCN_V_CMP_LT_I64, NULL, NULL), WIDE(SCMP_LE, 0, GCN_V_CMP_LE_I64, NULL, NULL),
	WIDE(UCMP_LT, 0, GCN_V_CMP_LT_U64, NULL, NULL), WIDE(UCMP_LE, 0, GCN_V_CMP_LE_U64, NULL, NULL),
	WIDE(SELECT, 0, 0, sel_wide_scalar_select, sel_wide_vector_select),
	WIDE(UCONV, 0, 0, sel_convert_scalar, sel_convert_vector),
	WIDE(SCONV, 0, 0, sel_convert_scalar, sel_convert_vector),
};
#undef N
#undef V
#undef FN
#undef WIDE
#undef D
#undef H
#undef H_FN
