/* SPDX-License-Identifier: MIT */
/* One instruction: its mnemonic, its operands as the format writes them, and
 * the first of its encodings that takes them. */
#include "isa/text/gcn_asm_priv.h"

#include <string.h>

enum { MAX_MNEMONIC = 64 };

static void lower(const struct asm_token *t, char name[MAX_MNEMONIC])
{
	for (unsigned i = 0; i < t->length; i++)
		name[i] = t->text[i] >= 'A' && t->text[i] <= 'Z' ? (char)(t->text[i] + 32) : t->text[i];
}

static bool find_forms(struct asm_ctx *ctx, struct asm_inst *inst)
{
	const struct asm_token *t = &inst->mnemonic;
	char name[MAX_MNEMONIC];
	if (t->length >= MAX_MNEMONIC)
		return asm_error(ctx, t, "", "no such instruction");
	lower(t, name);
	inst->form_count = gcn_find_mnemonic(ctx->gen, name, t->length, inst->forms);
	if (inst->form_count)
		return true;
	if (gcn_mnemonic_exists(name, t->length))
		return asm_error(ctx, t, "", "%s has no instruction %.*s", asm_gen_name(ctx->gen), (int)t->length, t->text);
	return asm_error(ctx, t, "", "no such instruction");
}

/* What the modifiers are when the text does not say. */
static void set_defaults(struct asm_inst *inst)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)inst->forms[0].op);
	struct gcn_inst *in = &inst->fields;
	enum { DWORD = 6, UNUSED_PRESERVE = 2 };
	gcn_inst_init(in, (enum gcn_op)inst->forms[0].op);
	in->dst_sel = info->dst_dw ? DWORD : 0;
	in->dst_unused = info->dst_dw ? UNUSED_PRESERVE : 0;
	for (int i = 0; i < 2; i++)
		in->src_sel[i] = info->src_dw[i] ? DWORD : 0;
	in->row_mask = in->bank_mask = 15;
	in->dfmt = 1;
}

/* --- operands that are no registers --- */

static bool branch_target(struct asm_ctx *ctx, struct asm_inst *inst)
{
	struct asm_token start = ctx->lx.token;
	struct asm_value value;
	inst->branch = ctx->lx;
	if (!asm_expression(ctx, &value))
		return false;
	inst->has_branch = value.unknown || value.label;
	if (inst->has_branch)
		return true;
	if (value.v < -0x8000 || value.v > 0xffff)
		return asm_error(ctx, &start, "-32768 to 65535, or a label", "the branch offset is out of range: %lld",
			(long long)value.v);
	inst->fields.offset = (int16_t)value.v;
	return true;
}

static bool immediate(struct asm_ctx *ctx, struct asm_inst *inst, int64_t low)
{
	int64_t value;
	if (!asm_in_range(ctx, "the immediate", low, 0xffff, &value))
		return false;
	inst->fields.offset = (int16_t)value;
	return true;
}

static bool sopp(struct asm_ctx *ctx, struct asm_inst *inst, const struct gcn_op_info *info)
{
	int32_t *imm = &inst->fields.offset;
	switch (inst->forms[0].op) {
	case GCN_S_WAITCNT: return asm_waitcnt(ctx, imm);
	case GCN_S_SENDMSG: case GCN_S_SENDMSGHALT: return asm_sendmsg(ctx, imm);
	case GCN_S_SET_GPR_IDX_MODE: return asm_gpr_idx(ctx, imm);
	case GCN_S_ENDPGM: return asm_at_end(&ctx->lx) || immediate(ctx, inst, 0);
	default: break;
	}
	if (info->flags & GCN_F_BRANCH)
		return branch_target(ctx, inst);
	return info->flags & GCN_F_NO_IMM ? true : immediate(ctx, inst, -0x8000);
}

static bool one_operand(struct asm_ctx *ctx, struct asm_inst *inst)
{
	if (inst->count == ASM_MAX_OPERANDS)
		return asm_error(ctx, &ctx->lx.token, "the end of the statement", "too many operands");
	return asm_operand(ctx, &inst->operand[inst->count++]);
}

static bool sopk(struct asm_ctx *ctx, struct asm_inst *inst, const struct gcn_op_info *info)
{
	bool set = inst->forms[0].op == GCN_S_SETREG_B32 || inst->forms[0].op == GCN_S_SETREG_IMM32_B32;
	if (set) {
		if (!asm_hwreg(ctx, &inst->fields.offset))
			return false;
		asm_skip(&ctx->lx, ',');
		return one_operand(ctx, inst);
	}
	if (!one_operand(ctx, inst))
		return false;
	asm_skip(&ctx->lx, ',');
	if (info->flags & GCN_F_BRANCH)
		return branch_target(ctx, inst);
	if (inst->forms[0].op == GCN_S_GETREG_B32)
		return asm_hwreg(ctx, &inst->fields.offset);
	return immediate(ctx, inst, strstr(info->name, "_u32") ? 0 : -0x8000);
}

static bool interp(struct asm_ctx *ctx, struct asm_inst *inst, const struct gcn_op_info *info)
{
	if (!one_operand(ctx, inst))
		return false;
	asm_skip(&ctx->lx, ',');
	if (info->flags & GCN_F_RAW_OPERAND ? !asm_interp_slot(ctx, &inst->fields.src[0]) : !one_operand(ctx, inst))
		return false;
	asm_skip(&ctx->lx, ',');
	if (!asm_attribute(ctx, &inst->fields))
		return false;
	asm_skip(&ctx->lx, ',');
	return !info->src_dw[2] || one_operand(ctx, inst);
}

/* The operands up to the first modifier; dfmt and nfmt may stand between the
 * operands of a typed buffer access. */
static bool operands(struct asm_ctx *ctx, struct asm_inst *inst, bool one)
{
	while (!asm_at_end(&ctx->lx)) {
		bool is_mod;
		if (!asm_modifier(ctx, inst, &is_mod))
			return false;
		if (is_mod && inst->forms[0].fmt != GCN_MTBUF) {
			asm_skip(&ctx->lx, ',');
			return true;
		}
		if (!is_mod && !one_operand(ctx, inst))
			return false;
		asm_skip(&ctx->lx, ',');
		if (one)
			return true;
	}
	return true;
}

static bool by_format(struct asm_ctx *ctx, struct asm_inst *inst)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)inst->forms[0].op);
	if (info->fmt == GCN_VINTRP || info->flags & GCN_F_VOP3_INTERP)
		return interp(ctx, inst, info);
	switch (info->fmt) {
	case GCN_SOPP: return sopp(ctx, inst, info);
	case GCN_SOPK: return sopk(ctx, inst, info);
	case GCN_EXP:
		if (!asm_exp_target(ctx, &inst->fields))
			return false;
		asm_skip(&ctx->lx, ',');
		return operands(ctx, inst, false);
	case GCN_SOPC:
		if (!(info->flags & GCN_F_RAW_OPERAND))
			return operands(ctx, inst, false);
		return operands(ctx, inst, true) && asm_gpr_idx(ctx, &inst->fields.offset);
	default: return operands(ctx, inst, false);
	}
}

static bool modifiers(struct asm_ctx *ctx, struct asm_inst *inst)
{
	asm_skip(&ctx->lx, ',');
	while (!asm_at_end(&ctx->lx)) {
		bool is_mod;
		if (!asm_modifier(ctx, inst, &is_mod))
			return false;
		if (!is_mod)
			return asm_expected(ctx, inst->forms[0].fmt <= GCN_SOPP ? "the end of the statement" :
				"a modifier or the end of the statement");
		asm_skip(&ctx->lx, ',');
	}
	return true;
}

/* --- choice and output --- */

static bool emit(struct asm_ctx *ctx, const struct asm_inst *inst, const uint32_t *words, unsigned count,
	const struct asm_operand *later)
{
	uint64_t at = ctx->out->size;
	if (!asm_emit(ctx, words, 4 * count))
		return false;
	if (inst->has_branch && !asm_add_fixup(ctx, ASM_FIX_BRANCH, 2, at, &inst->branch))
		return false;
	return !later || asm_add_fixup(ctx, ASM_FIX_LITERAL, 4, at + 4 * (count - 1), &later->where);
}

bool asm_instruction(struct asm_ctx *ctx)
{
	struct asm_inst inst = { .mnemonic = ctx->lx.token };
	struct gcn_inst record;
	const struct asm_operand *later;
	uint32_t words[4];
	unsigned count, last = 0;
	if (!find_forms(ctx, &inst))
		return false;
	set_defaults(&inst);
	asm_next(&ctx->lx);
	if (!by_format(ctx, &inst) || !modifiers(ctx, &inst))
		return false;
	for (unsigned i = 0; i < inst.form_count; i++)
		if (asm_match(ctx, &inst, &inst.forms[i], false, &record, words, &count, &later))
			return emit(ctx, &inst, words, count, later);
	/* The last of the forms that the modifiers ask for says what is wrong. */
	enum gcn_sub sub = asm_seen_sub(&inst);
	for (unsigned i = 0; i < inst.form_count; i++)
		if (inst.forms[i].sub == sub)
			last = i;
	return asm_match(ctx, &inst, &inst.forms[last], true, &record, words, &count, &later);
}
