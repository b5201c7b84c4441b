/* SPDX-License-Identifier: MIT */
/* One statement against one encoding: puts the operands into the record,
 * checks what kind of operand each place takes, encodes. */
#include "isa/text/gcn_asm_match_priv.h"

#include <stdio.h>
#include <string.h>

static bool wrong_kind(struct asm_match *m, const struct asm_operand *o, unsigned takes, unsigned dw, const char *what)
{
	char expected[128];
	const char *registers = takes & TAKES_VGPR ? takes & TAKES_SGPR ? "VGPR or SGPR" : "VGPR" : "SGPR";
	int n = 0;
	if (takes & (TAKES_VGPR | TAKES_SGPR))
		n = dw > 1 ? snprintf(expected, sizeof(expected), "%u consecutive %ss", dw, registers) :
			snprintf(expected, sizeof(expected), "one %s", registers);
	snprintf(expected + n, sizeof(expected) - (size_t)n, "%s%s%s",
		takes & TAKES_CONST ? n ? " or an inline constant" : "an inline constant" : "",
		takes & TAKES_LITERAL ? n ? " or a literal" : "a literal" : "",
		takes & TAKES_OFF ? n ? " or off" : "off" : "");
	return REFUSE(m, &o->token, expected, "%s", what);
}

static bool set_register(struct asm_match *m, const struct asm_operand *o, unsigned takes, unsigned dw, uint16_t *member)
{
	unsigned kind = o->code >= 256 ? TAKES_VGPR : o->code < 128 ? TAKES_SGPR : TAKES_CONST;
	if (o->code == GCN_SRC_LDS_DIRECT && (m->out->op == GCN_V_READLANE_B32 || m->out->op == GCN_V_READFIRSTLANE_B32))
		kind = TAKES_VGPR; /* which it stands for */
	if (o->code == GCN_SRC_LDS_DIRECT && (member != &m->out->src[0] || m->info->name[0] == 's' ||
			(strstr(m->info->name, "rev_") && m->out->op != GCN_V_BFREV_B32)))
		return REFUSE(m, &o->token, "", "lds_direct is for the first source of vector instructions that are not reversed");
	if (!(takes & kind))
		return wrong_kind(m, o, takes, dw, "the operand cannot be this register");
	if (o->dw ? o->dw != dw : dw > 2)
		return wrong_kind(m, o, takes, dw, "the register has another width than the operand");
	*member = o->code;
	return true;
}

bool asm_set_literal(struct asm_match *m, const struct asm_operand *o, uint32_t value, uint16_t *member)
{
	if (m->has_literal && (m->later || m->out->literal != value))
		return REFUSE(m, &o->token, "", "only one literal fits in an instruction");
	m->has_literal = true;
	m->out->literal = value;
	*member = GCN_SRC_LITERAL;
	return true;
}

static bool is_vop32(const struct gcn_inst *in)
{
	return in->fmt == GCN_VOP1 || in->fmt == GCN_VOP2 || in->fmt == GCN_VOPC;
}

/* Whether the encoding has bits for the signs; without, a constant takes them
 * upon itself. */
static bool signs_allowed(const struct asm_match *m, unsigned source, const struct asm_operand *o)
{
	if (source > 2 || !(m->info->mods >> source & 1))
		return false;
	if (is_vop32(m->out) && !m->out->sub)
		return o->kind != ASM_OP_REG;
	return !(o->neg && !(m->modifiers >> GCN_MOD_NEG & 1)) && !(o->abs && !(m->modifiers >> GCN_MOD_ABS & 1));
}

static void set_signs(struct asm_match *m, const struct asm_operand *o, unsigned source)
{
	struct gcn_inst *out = m->out;
	out->neg |= (uint8_t)(o->neg << source);
	if (m->info->flags & GCN_F_MIX)
		out->neg_hi |= (uint8_t)(o->abs << source);
	else
		out->abs |= (uint8_t)(o->abs << source);
	out->src_sext |= (uint8_t)(o->sext << source);
}

static bool set_constant(struct asm_match *m, const struct asm_operand *o, unsigned takes, unsigned dw,
	unsigned source, uint16_t *member)
{
	bool fold = !m->out->sub && is_vop32(m->out);
	enum asm_type type = source < 4 ? asm_operand_type(m->info, source) : ASM_I32;
	uint16_t code;
	uint32_t literal = 0;
	const char *why = asm_constant(m->ctx->gen, o, type, fold, &code, &literal);
	if (why)
		return REFUSE(m, &o->token, "", "%s", why);
	if (fold && source < 3) /* the constant has taken them */
		m->out->neg &= (uint8_t)~(1u << source), m->out->abs &= (uint8_t)~(1u << source);
	if (code != GCN_SRC_LITERAL && takes & TAKES_CONST) {
		*member = code;
		return true;
	}
	if (!(takes & TAKES_LITERAL))
		return wrong_kind(m, o, takes, dw, takes & TAKES_CONST ?
			"the constant is not one of the inline constants" : "the operand cannot be a constant");
	return asm_set_literal(m, o, literal, member);
}

bool asm_take(struct asm_match *m, unsigned takes, unsigned dw, unsigned source, uint16_t *member)
{
	const struct asm_inst *inst = m->inst;
	if (m->next >= inst->count)
		return REFUSE(m, &m->ctx->lx.token, "", "an operand is missing");
	const struct asm_operand *o = &inst->operand[m->next++];
	if ((o->neg || o->abs) && !signs_allowed(m, source, o))
		return REFUSE(m, &o->token, "", "the operand takes no neg or abs in this encoding");
	if (o->sext && (source > 1 || m->out->sub != GCN_SUB_SDWA || m->info->mods >> source & 1))
		return REFUSE(m, &o->token, "", "sext is for integer sources of SDWA instructions");
	if (source < 4)
		set_signs(m, o, source);
	switch ((enum asm_operand_kind)o->kind) {
	case ASM_OP_REG: return set_register(m, o, takes, dw, member);
	case ASM_OP_OFF:
		*member = GCN_SRC_NONE;
		return takes & TAKES_OFF ? true : wrong_kind(m, o, takes, dw, "off is not an operand here");
	case ASM_OP_LATER:
		if (!(takes & TAKES_LITERAL))
			return wrong_kind(m, o, takes, dw, "the expression is not absolute");
		if (m->has_literal)
			return REFUSE(m, &o->token, "", "only one literal fits in an instruction");
		m->later = o;
		return asm_set_literal(m, o, 0, member);
	default: return set_constant(m, o, takes, dw, source, member);
	}
}

/* --- scalar formats --- */

static unsigned scalar_takes(unsigned op)
{
	switch (op) {
	case GCN_S_MOVRELS_B32: case GCN_S_MOVRELS_B64: case GCN_S_SETPC_B64: case GCN_S_RFE_B64:
	case GCN_S_CBRANCH_JOIN: return TAKES_SGPR;
	case GCN_S_CBRANCH_G_FORK: return TAKES_SGPR | TAKES_CONST;
	default: return TAKES_SCALAR;
	}
}

static bool fill_sop(struct asm_match *m)
{
	unsigned takes = scalar_takes(m->out->op);
	if (m->info->dst_dw && !asm_take(m, TAKES_SGPR, m->info->dst_dw, 9, &m->out->dst))
		return false;
	for (unsigned i = 0; i < 2; i++)
		if (m->info->src_dw[i] && !asm_take(m, takes, m->info->src_dw[i], i, &m->out->src[i]))
			return false;
	return true;
}

static bool fill_sopk(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	if (info->flags & GCN_F_FIXED_LITERAL) {
		if (m->next < m->inst->count && m->inst->operand[m->next].kind == ASM_OP_FLOAT)
			return wrong_kind(m, &m->inst->operand[m->next], TAKES_LITERAL, 1, "the operand is an integer");
		return asm_take(m, TAKES_LITERAL, 1, 0, &m->out->src[0]);
	}
	if (info->dst_dw)
		return asm_take(m, TAKES_SGPR, info->dst_dw, 9, &m->out->dst);
	return !info->src_dw[0] || asm_take(m, TAKES_SGPR, info->src_dw[0], 9, &m->out->src[0]);
}

/* --- vector formats --- */

/* What source i takes. */
static unsigned source_takes(const struct asm_match *m, unsigned i)
{
	const struct gcn_op_info *info = m->info;
	unsigned all = TAKES_VGPR | TAKES_SGPR | TAKES_CONST;
	if (info->flags & GCN_F_FIXED_LITERAL && i == (info->flags & GCN_F_LITERAL_SRC1 ? 1u : 2u))
		return TAKES_LITERAL;
	switch (m->out->op) {
	case GCN_V_READFIRSTLANE_B32: case GCN_V_MOVRELS_B32: case GCN_V_MOVRELSD_B32: return TAKES_VGPR;
	case GCN_V_READLANE_B32: return i ? TAKES_SGPR | TAKES_CONST : TAKES_VGPR;
	case GCN_V_WRITELANE_B32:
		return TAKES_SGPR | TAKES_CONST | (!i && m->out->fmt == GCN_VOP2 ? TAKES_LITERAL : 0);
	default: break;
	}
	if (info->src_dw[i] == 4) /* v_mqsad_u32_u8 */
		return TAKES_VGPR;
	if (m->out->sub == GCN_SUB_DPP || (m->out->sub == GCN_SUB_SDWA && m->ctx->gen < GCN_GFX9))
		return TAKES_VGPR;
	if (m->out->sub || !is_vop32(m->out))
		return all;
	return i ? TAKES_VGPR : all | TAKES_LITERAL;
}

static bool fill_vop(struct asm_match *m)
{
	const struct gcn_op_info *info = m->info;
	struct gcn_inst *out = m->out;
	bool mask_source = info->fmt == GCN_VOP2 && info->src_dw[2] == 2;
	unsigned dst = info->flags & GCN_F_DST_SGPR ? TAKES_SGPR : TAKES_VGPR;
	if (info->dst_dw && !asm_take(m, dst, info->dst_dw, 9, &out->dst))
		return false;
	if (out->fmt == GCN_VOPC && !out->sub && m->inst->count == 2)
		out->sdst = GCN_SRC_VCC; /* which is understood */
	else if (info->sdst_dw && !asm_take(m, TAKES_SGPR, info->sdst_dw, 9, &out->sdst))
		return false;
	for (unsigned i = 0; i < 3; i++) {
		if (!info->src_dw[i])
			continue;
		if (i == 2 && mask_source) {
			if (out->op == GCN_V_CNDMASK_B32 && out->fmt == GCN_VOP2 && !out->sub && m->next == m->inst->count)
				continue; /* VCC is understood */
			if (!asm_take(m, TAKES_SGPR, 2, 9, &out->src[2]))
				return false;
		} else if (!asm_take(m, source_takes(m, i), info->src_dw[i], i, &out->src[i])) {
			return false;
		}
	}
	return true;
}

/* The parameter of v_interp_mov and the attribute were read beforehand. */
static bool fill_interp(struct asm_match *m)
{
	struct gcn_inst *out = m->out;
	if (!asm_take(m, TAKES_VGPR, 1, 9, &out->dst))
		return false;
	if (m->info->flags & GCN_F_RAW_OPERAND)
		out->src[0] = m->inst->fields.src[0];
	else if (!asm_take(m, TAKES_VGPR, 1, 0, &out->src[0]))
		return false;
	return !m->info->src_dw[2] || asm_take(m, TAKES_VGPR, m->info->src_dw[2], 2, &out->src[2]);
}

/* The bits that were listed, as the record has them: the destination's is 3,
 * and a source that is not there counts as usual. */
static bool place_selects(struct asm_match *m)
{
	unsigned sources = 0;
	struct gcn_inst *out = m->out;
	while (sources < 3 && m->info->src_dw[sources])
		sources++;
	if (out->fmt == GCN_VOP3 && out->op_sel && !(m->info->flags & GCN_F_VOP3_INTERP) && m->info->fmt != GCN_VINTRP) {
		unsigned bits = out->op_sel;
		if (bits >> (sources + 1))
			return REFUSE(m, &m->inst->mnemonic, "", "op_sel has more values than the instruction operands");
		out->op_sel = (uint8_t)((bits & ((1u << sources) - 1)) | (bits >> sources & 1) << 3);
	}
	unsigned none = out->fmt == GCN_VOP3P ? ~((1u << sources) - 1) : 0;
	if ((out->op_sel | (m->info->flags & GCN_F_MIX ? out->op_sel_hi : out->neg | out->neg_hi)) & none)
		return REFUSE(m, &m->inst->mnemonic, "", "a modifier has more values than the instruction sources");
	if (out->fmt == GCN_VOP3P && !(m->info->flags & GCN_F_MIX))
		out->op_sel_hi |= (uint8_t)(7u & ~((1u << sources) - 1));
	return true;
}

/* --- all --- */

static bool fill(struct asm_match *m)
{
	if (m->info->fmt == GCN_VINTRP || m->info->flags & GCN_F_VOP3_INTERP)
		return fill_interp(m);
	switch ((enum gcn_format)m->out->fmt) {
	case GCN_SOP2: case GCN_SOP1: return fill_sop(m);
	case GCN_SOPC:
		if (m->info->flags & GCN_F_RAW_OPERAND)
			m->out->src[1] = (uint16_t)m->inst->fields.offset, m->out->offset = 0;
		return m->info->flags & GCN_F_RAW_OPERAND ? asm_take(m, TAKES_SCALAR, 1, 0, &m->out->src[0]) : fill_sop(m);
	case GCN_SOPK: return fill_sopk(m);
	case GCN_SOPP: return true;
	case GCN_SMEM: return asm_fill_smem(m);
	case GCN_DS: return asm_fill_ds(m);
	case GCN_MUBUF: case GCN_MTBUF: return asm_fill_buffer(m);
	case GCN_MIMG: return asm_fill_mimg(m);
	case GCN_EXP: return asm_fill_exp(m);
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH: return asm_fill_flat(m);
	default: return fill_vop(m);
	}
}

/* The record with the modifiers of the text, and none of other forms. */
static void start(const struct asm_inst *inst, const struct gcn_form *form, struct gcn_inst *out)
{
	struct gcn_inst empty;
	gcn_inst_init(&empty, (enum gcn_op)form->op);
	*out = inst->fields;
	out->op = form->op;
	out->fmt = form->fmt;
	out->sub = form->sub;
	out->dst = out->sdst = GCN_SRC_NONE;
	memcpy(out->src, empty.src, sizeof(out->src));
	if (form->sub != GCN_SUB_SDWA)
		out->dst_sel = out->dst_unused = out->src_sel[0] = out->src_sel[1] = 0;
	if (form->sub != GCN_SUB_DPP)
		out->row_mask = out->bank_mask = 0;
	if (form->fmt != GCN_MTBUF)
		out->dfmt = out->nfmt = 0;
	if (form->fmt != GCN_VOP3P)
		out->op_sel_hi = 0;
}

bool asm_match(struct asm_ctx *ctx, const struct asm_inst *inst, const struct gcn_form *form, bool report,
	struct gcn_inst *out, uint32_t words[4], unsigned *count, const struct asm_operand **later)
{
	struct asm_match m = { .ctx = ctx, .inst = inst, .info = gcn_op_info((enum gcn_op)form->op),
		.modifiers = gcn_form_modifiers(ctx->gen, form), .out = out, .report = report };
	const char *why = NULL;
	start(inst, form, out);
	if (!asm_check_mods(ctx, inst, form, report) || !fill(&m) || !place_selects(&m))
		return false;
	if (m.next < inst->count)
		return REFUSE(&m, &inst->operand[m.next].token, "the end of the statement", "an operand too many");
	*count = gcn_encode(ctx->gen, out, words, &why);
	*later = m.later;
	if (!*count)
		return REFUSE(&m, &inst->mnemonic, "", "%s", why);
	return true;
}
