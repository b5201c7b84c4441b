/* SPDX-License-Identifier: MIT */
/* Selection of arithmetic: a table for what is one instruction on either
 * unit, functions for the rest. */
#include "compiler/gcn/sel.h"

enum { ROW_FLOAT = 1 /* sources take neg and abs */, ROW_REV = 2 /* vector form: sources exchanged */,
	ROW_CMP = 4, ROW_FLOAT0 = 8 /* source 0 only */ };
struct alu_row { uint16_t salu, valu; uint8_t flags; };

static const struct alu_row rows[IR_OP_COUNT] = {
	[IR_FADD] = { 0, GCN_V_ADD_F32, ROW_FLOAT }, [IR_FSUB] = { 0, GCN_V_SUB_F32, ROW_FLOAT },
	[IR_FMUL] = { 0, GCN_V_MUL_F32, ROW_FLOAT }, [IR_FFMA] = { 0, GCN_V_FMA_F32, ROW_FLOAT },
	[IR_FMIN] = { 0, GCN_V_MIN_F32, ROW_FLOAT }, [IR_FMAX] = { 0, GCN_V_MAX_F32, ROW_FLOAT },
	[IR_FMED3] = { 0, GCN_V_MED3_F32, ROW_FLOAT },
	[IR_FFLOOR] = { 0, GCN_V_FLOOR_F32, ROW_FLOAT }, [IR_FCEIL] = { 0, GCN_V_CEIL_F32, ROW_FLOAT },
	[IR_FTRUNC] = { 0, GCN_V_TRUNC_F32, ROW_FLOAT }, [IR_FRNDNE] = { 0, GCN_V_RNDNE_F32, ROW_FLOAT },
	[IR_FFRACT] = { 0, GCN_V_FRACT_F32, ROW_FLOAT }, [IR_FRCP] = { 0, GCN_V_RCP_F32, ROW_FLOAT },
	[IR_FRSQ] = { 0, GCN_V_RSQ_F32, ROW_FLOAT }, [IR_FSQRT] = { 0, GCN_V_SQRT_F32, ROW_FLOAT },
	[IR_FEXP2] = { 0, GCN_V_EXP_F32, ROW_FLOAT }, [IR_FLOG2] = { 0, GCN_V_LOG_F32, ROW_FLOAT },
	[IR_FLDEXP] = { 0, GCN_V_LDEXP_F32, ROW_FLOAT0 },
	[IR_FREXP_MANT] = { 0, GCN_V_FREXP_MANT_F32, ROW_FLOAT },
	[IR_FREXP_EXP] = { 0, GCN_V_FREXP_EXP_I32_F32, ROW_FLOAT },
	[IR_FCMP_EQ] = { 0, GCN_V_CMP_EQ_F32, ROW_FLOAT }, [IR_FCMP_NE] = { 0, GCN_V_CMP_NEQ_F32, ROW_FLOAT },
	[IR_FCMP_LT] = { 0, GCN_V_CMP_LT_F32, ROW_FLOAT }, [IR_FCMP_LE] = { 0, GCN_V_CMP_LE_F32, ROW_FLOAT },
	[IR_FCMP_LTU] = { 0, GCN_V_CMP_NGE_F32, ROW_FLOAT }, [IR_FCMP_LEU] = { 0, GCN_V_CMP_NGT_F32, ROW_FLOAT },
	[IR_FCMP_EQU] = { 0, GCN_V_CMP_NLG_F32, ROW_FLOAT }, [IR_FCMP_NEO] = { 0, GCN_V_CMP_LG_F32, ROW_FLOAT },
	[IR_FCUBE_ID] = { 0, GCN_V_CUBEID_F32, ROW_FLOAT }, [IR_FCUBE_SC] = { 0, GCN_V_CUBESC_F32, ROW_FLOAT },
	[IR_FCUBE_TC] = { 0, GCN_V_CUBETC_F32, ROW_FLOAT }, [IR_FCUBE_MA] = { 0, GCN_V_CUBEMA_F32, ROW_FLOAT },
	[IR_IADD] = { GCN_S_ADD_I32, GCN_V_ADD_U32, 0 }, [IR_ISUB] = { GCN_S_SUB_I32, GCN_V_SUB_U32, 0 },
	[IR_IMUL] = { GCN_S_MUL_I32, GCN_V_MUL_LO_U32, 0 },
	[IR_IMULHI] = { GCN_S_MUL_HI_I32, GCN_V_MUL_HI_I32, 0 }, [IR_UMULHI] = { GCN_S_MUL_HI_U32, GCN_V_MUL_HI_U32, 0 },
	[IR_IAND] = { GCN_S_AND_B32, GCN_V_AND_B32, 0 }, [IR_IOR] = { GCN_S_OR_B32, GCN_V_OR_B32, 0 },
	[IR_IXOR] = { GCN_S_XOR_B32, GCN_V_XOR_B32, 0 }, [IR_INOT] = { GCN_S_NOT_B32, GCN_V_NOT_B32, 0 },
	[IR_ISHL] = { GCN_S_LSHL_B32, GCN_V_LSHLREV_B32, ROW_REV },
	[IR_USHR] = { GCN_S_LSHR_B32, GCN_V_LSHRREV_B32, ROW_REV },
	[IR_SSHR] = { GCN_S_ASHR_I32, GCN_V_ASHRREV_I32, ROW_REV },
	[IR_SMIN] = { GCN_S_MIN_I32, GCN_V_MIN_I32, 0 }, [IR_SMAX] = { GCN_S_MAX_I32, GCN_V_MAX_I32, 0 },
	[IR_UMIN] = { GCN_S_MIN_U32, GCN_V_MIN_U32, 0 }, [IR_UMAX] = { GCN_S_MAX_U32, GCN_V_MAX_U32, 0 },
	[IR_ICMP_EQ] = { GCN_S_CMP_EQ_U32, GCN_V_CMP_EQ_U32, ROW_CMP },
	[IR_ICMP_NE] = { GCN_S_CMP_LG_U32, GCN_V_CMP_NE_U32, ROW_CMP },
	[IR_SCMP_LT] = { GCN_S_CMP_LT_I32, GCN_V_CMP_LT_I32, ROW_CMP },
	[IR_SCMP_LE] = { GCN_S_CMP_LE_I32, GCN_V_CMP_LE_I32, ROW_CMP },
	[IR_UCMP_LT] = { GCN_S_CMP_LT_U32, GCN_V_CMP_LT_U32, ROW_CMP },
	[IR_UCMP_LE] = { GCN_S_CMP_LE_U32, GCN_V_CMP_LE_U32, ROW_CMP },
	[IR_BFM] = { GCN_S_BFM_B32, GCN_V_BFM_B32, 0 }, [IR_BITREV] = { GCN_S_BREV_B32, GCN_V_BFREV_B32, 0 },
	[IR_FIND_LSB] = { GCN_S_FF1_I32_B32, GCN_V_FFBL_B32, 0 },
	[IR_F2I] = { 0, GCN_V_CVT_I32_F32, ROW_FLOAT }, [IR_F2U] = { 0, GCN_V_CVT_U32_F32, ROW_FLOAT },
	[IR_I2F] = { 0, GCN_V_CVT_F32_I32, 0 }, [IR_U2F] = { 0, GCN_V_CVT_F32_U32, 0 },
	[IR_F32_TO_F16] = { 0, GCN_V_CVT_F16_F32, ROW_FLOAT }, [IR_F16_TO_F32] = { 0, GCN_V_CVT_F32_F16, 0 },
};

bool sel_is_alu(const struct ir_inst *in)
{
	if (rows[in->op].valu)
		return true;
	switch (in->op) {
	case IR_FNEG: case IR_FABS: case IR_FSAT: case IR_FSIN: case IR_FCOS: case IR_UBFE: case IR_SBFE: case IR_BFI:
	case IR_BITCOUNT: case IR_UFIND_MSB: case IR_SFIND_MSB: case IR_BAND: case IR_BOR: case IR_BXOR: case IR_BNOT:
	case IR_SELECT: case IR_B2I:
		return true;
	default:
		return false;
	}
}

unsigned sel_alu_salu(const struct ir_inst *in)
{
	switch (in->op) {
	case IR_UBFE: case IR_SBFE: case IR_BFI: case IR_BITCOUNT: case IR_UFIND_MSB: case IR_SFIND_MSB:
	case IR_SELECT: case IR_B2I:
		return 1;
	default:
		return rows[in->op].salu;
	}
}

void sel_set(struct sel *s, struct ir_inst *in, mir_opnd v)
{
	sel_value(in)->op[0] = v;
}

void sel_set_all(struct sel *s, struct ir_inst *in, mir_opnd v)
{
	for (unsigned c = 0; c < in->comps && c < 4; c++)
		sel_value(in)->op[c] = mir_at(v, c);
}

static bool scalar_sources(const struct ir_inst *in)
{
	for (unsigned k = 0; k < in->srcs; k++)
		if (in->src[k].inst->bits == 32 && sel_value(in->src[k].inst)->kind == SEL_VGPR)
			return false;
	return true;
}

/* A comparison that the scalar unit makes, into SCC. */
static bool is_scalar_compare(const struct ir_inst *in)
{
	return !in->divergent && rows[in->op].flags & ROW_CMP && scalar_sources(in);
}

void sel_scc(struct sel *s, struct ir_src v)
{
	const struct ir_inst *in = v.inst;
	if (is_scalar_compare(in)) {
		sel_scmp(s, rows[in->op].salu, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
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

static mir_opnd scalar_bfe(struct sel *s, struct ir_inst *in)
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
static mir_opnd scalar_msb(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd x = sel_src(s, in->src[0]);
	unsigned op = in->op == IR_UFIND_MSB ? GCN_S_FLBIT_I32_B32 : GCN_S_FLBIT_I32;
	struct sel_opnd lead = sel_s(sel_salu(s, op, 1, 1, &x));
	struct sel_opnd bit = sel_s(salu2(s, GCN_S_SUB_I32, sel_inline(s, 31), lead));
	sel_scmp(s, GCN_S_CMP_EQ_I32, lead, sel_inline(s, ~0u));
	return salu2(s, GCN_S_CSELECT_B32, lead, bit);
}

static mir_opnd scalar_bfi(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd mask = sel_src(s, in->src[0]);
	struct sel_opnd a = sel_s(salu2(s, GCN_S_AND_B32, mask, sel_src(s, in->src[1])));
	struct sel_opnd b = sel_s(salu2(s, GCN_S_ANDN2_B32, sel_src(s, in->src[2]), mask));
	return salu2(s, GCN_S_OR_B32, a, b);
}

static mir_opnd scalar_select(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd a = sel_src(s, in->src[1]), b = sel_src(s, in->src[2]);
	if (a.bank == SEL_B_LITERAL && b.bank == SEL_B_LITERAL)
		a = sel_s(sel_const_s(s, a.literal));
	sel_scc(s, in->src[0]);
	return salu2(s, GCN_S_CSELECT_B32, a, b);
}

static mir_opnd scalar(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o[3];
	switch (in->op) {
	case IR_UBFE: case IR_SBFE: return scalar_bfe(s, in);
	case IR_UFIND_MSB: case IR_SFIND_MSB: return scalar_msb(s, in);
	case IR_BFI: return scalar_bfi(s, in);
	case IR_SELECT: return scalar_select(s, in);
	case IR_BITCOUNT:
		o[0] = sel_src(s, in->src[0]);
		return sel_salu(s, GCN_S_BCNT1_I32_B32, 1, 1, o);
	case IR_B2I:
		sel_scc(s, in->src[0]);
		return salu2(s, GCN_S_CSELECT_B32, sel_inline(s, 1), sel_inline(s, 0));
	default:
		for (unsigned k = 0; k < in->srcs; k++)
			o[k] = sel_src(s, in->src[k]);
		return sel_salu(s, rows[in->op].salu, 1, in->srcs, o);
	}
}

/* --- bools --- */

static mir_opnd mask2(struct sel *s, unsigned op, mir_opnd a, mir_opnd b)
{
	mir_opnd r = sel_new_s(s, 2);
	sel_emit2(s, op, r, a, b);
	return r;
}

/* a & !b and a | !b are one instruction. */
static mir_opnd logic(struct sel *s, struct ir_inst *in, unsigned op, unsigned op_not)
{
	for (unsigned k = 0; op_not && k < 2; k++) {
		const struct ir_inst *b = in->src[k].inst;
		if (b->op == IR_BNOT)
			return mask2(s, op_not, sel_mask(s, in->src[!k]), sel_mask(s, b->src[0]));
	}
	return mask2(s, op, sel_mask(s, in->src[0]), sel_mask(s, in->src[1]));
}

static mir_opnd mask_select(struct sel *s, struct ir_inst *in)
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

static mir_opnd bool_result(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o[2];
	switch (in->op) {
	case IR_BAND: return logic(s, in, GCN_S_AND_B64, GCN_S_ANDN2_B64);
	case IR_BOR: return logic(s, in, GCN_S_OR_B64, GCN_S_ORN2_B64);
	case IR_BXOR: return logic(s, in, GCN_S_XOR_B64, 0);
	case IR_BNOT: return mask2(s, GCN_S_NOT_B64, sel_mask(s, in->src[0]), MIR_NONE);
	case IR_SELECT: return mask_select(s, in);
	default: break;
	}
	if (is_scalar_compare(in)) {
		sel_scmp(s, rows[in->op].salu, sel_src(s, in->src[0]), sel_src(s, in->src[1]));
		return mask2(s, GCN_S_CSELECT_B64, GCN_SRC_NEG1, GCN_SRC_0);
	}
	for (unsigned k = 0; k < 2; k++)
		o[k] = rows[in->op].flags & ROW_FLOAT ? sel_float(s, in->src[k]) : sel_src(s, in->src[k]);
	return sel_valu(s, rows[in->op].valu, MIR_NONE, 2, o);
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
static mir_opnd vector_bfe(struct sel *s, struct ir_inst *in)
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

static mir_opnd vector_msb(struct sel *s, struct ir_inst *in)
{
	unsigned op = in->op == IR_UFIND_MSB ? GCN_V_FFBH_U32 : GCN_V_FFBH_I32;
	struct sel_opnd lead = sel_v(valu1(s, op, sel_src(s, in->src[0])));
	struct sel_opnd bit = sel_v(valu2(s, GCN_V_SUB_U32, sel_inline(s, 31), lead));
	mir_opnd none = valu2(s, GCN_V_CMP_EQ_U32, sel_inline(s, ~0u), lead);
	return valu3(s, GCN_V_CNDMASK_B32, bit, lead, sel_s(none));
}

/* v_sin and v_cos are exact in range reduction only near zero. */
static mir_opnd vector_sin(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd turn = sel_v(valu1(s, GCN_V_FRACT_F32, sel_float(s, in->src[0])));
	return valu1(s, in->op == IR_FSIN ? GCN_V_SIN_F32 : GCN_V_COS_F32, turn);
}

static mir_opnd vector_select(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd a = sel_src(s, in->src[1]), b = sel_src(s, in->src[2]);
	return valu3(s, GCN_V_CNDMASK_B32, b, a, sel_s(sel_mask_s(s, in->src[0])));
}

static mir_opnd vector(struct sel *s, struct ir_inst *in)
{
	struct sel_opnd o[3];
	uint32_t shift;
	const struct alu_row *row = &rows[in->op];
	switch (in->op) {
	case IR_UBFE: case IR_SBFE: return vector_bfe(s, in);
	case IR_UFIND_MSB: case IR_SFIND_MSB: return vector_msb(s, in);
	case IR_FSIN: case IR_FCOS: return vector_sin(s, in);
	case IR_SELECT: return vector_select(s, in);
	case IR_FNEG: return valu2(s, GCN_V_XOR_B32, sel_inline(s, 0x80000000u), sel_src(s, in->src[0]));
	case IR_FABS: return valu2(s, GCN_V_AND_B32, sel_inline(s, 0x7fffffffu), sel_src(s, in->src[0]));
	case IR_FSAT:
		o[0] = o[1] = sel_float(s, in->src[0]);
		return sel_valu_clamp(s, GCN_V_MAX_F32, 2, o, true);
	case IR_BITCOUNT: return valu2(s, GCN_V_BCNT_U32_B32, sel_src(s, in->src[0]), sel_inline(s, 0));
	case IR_BFI: return valu3(s, GCN_V_BFI_B32, sel_src(s, in->src[0]), sel_src(s, in->src[1]), sel_src(s, in->src[2]));
	case IR_B2I: return valu3(s, GCN_V_CNDMASK_B32, sel_inline(s, 0), sel_inline(s, 1), sel_s(sel_mask_s(s, in->src[0])));
	default: break;
	}
	if (in->op == IR_IMUL && sel_shift_of(in, &shift))
		return valu2(s, GCN_V_LSHLREV_B32, sel_inline(s, shift), sel_src(s, in->src[0]));
	for (unsigned k = 0; k < in->srcs; k++) {
		bool f = row->flags & ROW_FLOAT || (row->flags & ROW_FLOAT0 && k == 0);
		unsigned at = row->flags & ROW_REV ? !k : k;
		o[at] = f ? sel_float(s, in->src[k]) : sel_src(s, in->src[k]);
	}
	/* The only reader saturates: clamp here (see IR_FSAT in sel_alu). */
	const struct sel_value *v = sel_value(in);
	bool clamp = v->uses == 1 && !v->open && v->user->op == IR_FSAT && row->flags & ROW_FLOAT &&
		in->op != IR_F2I && in->op != IR_F2U && in->op != IR_F32_TO_F16 && in->op != IR_FREXP_EXP;
	return sel_valu_clamp(s, row->valu, in->srcs, o, clamp);
}

static bool source_clamped(const struct ir_inst *in)
{
	const struct ir_inst *src = in->src[0].inst;
	const struct sel_value *v = sel_value(src);
	if (v->kind != SEL_VGPR || !mir_is_v(v->op[0]))
		return false;
	return v->uses == 1 && !v->open && rows[src->op].flags & ROW_FLOAT && src->op != IR_F2I && src->op != IR_F2U &&
		src->op != IR_F32_TO_F16 && src->op != IR_FREXP_EXP;
}

void sel_alu(struct sel *s, struct ir_inst *in)
{
	if (in->bits == 1)
		sel_set(s, in, bool_result(s, in));
	else if (sel_value(in)->kind == SEL_SGPR)
		sel_set(s, in, scalar(s, in));
	else if (in->op == IR_FSAT && source_clamped(in))
		sel_set(s, in, sel_value(in->src[0].inst)->op[0]);
	else if (!sel_fused(s, in))
		sel_set(s, in, vector(s, in));
}
