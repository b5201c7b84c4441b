/* SPDX-License-Identifier: MIT */
/* Modifiers: one table row each, with what may carry them. */
#include "isa/text/gcn_asm_priv.h"

#include <string.h>

enum mod_kind {
	MOD_FLAG,     /* a bare name */
	MOD_OFFSET, MOD_OFFSET0, MOD_OFFSET1, MOD_FORMAT, MOD_DFMT, MOD_NFMT,
	MOD_NUMBER,   /* name:0..15 into the member */
	MOD_BOUND, MOD_OMOD_MUL, MOD_OMOD_DIV,
	MOD_BITS,     /* name:[0,1,..] */
	MOD_SEL, MOD_UNUSED,
	MOD_QUAD_PERM, MOD_ROW, MOD_WAVE, MOD_MIRROR, MOD_BCAST,
};

#define GENS(first, last) ((2u << (GCN_GFX##last)) - (1u << (GCN_GFX##first)))

struct mod {
	const char *name;
	uint8_t kind, value, gens, member;
	uint8_t set; /* enum gcn_modifier, for what may carry it */
};

#define M(field) offsetof(struct gcn_inst, field)
#define NONE 0xff

static const struct mod mods[] = {
	{ "offset", MOD_OFFSET, 0, GENS(6, 9), NONE, GCN_MOD_OFFSET },
	{ "offset0", MOD_OFFSET0, 0, GENS(6, 9), NONE, GCN_MOD_OFFSET0 },
	{ "offset1", MOD_OFFSET1, 0, GENS(6, 9), NONE, GCN_MOD_OFFSET1 },
	{ "gds", MOD_FLAG, 1, GENS(6, 9), M(gds), GCN_MOD_GDS },
	{ "idxen", MOD_FLAG, 1, GENS(6, 9), M(idxen), GCN_MOD_IDXEN },
	{ "offen", MOD_FLAG, 1, GENS(6, 9), M(offen), GCN_MOD_OFFEN },
	{ "addr64", MOD_FLAG, 1, GENS(6, 7), M(addr64), GCN_MOD_ADDR64 },
	{ "format", MOD_FORMAT, 0, GENS(6, 9), NONE, GCN_MOD_FORMAT },
	{ "dfmt", MOD_DFMT, 0, GENS(6, 9), NONE, GCN_MOD_DFMT },
	{ "nfmt", MOD_NFMT, 0, GENS(6, 9), NONE, GCN_MOD_NFMT },
	{ "glc", MOD_FLAG, 1, GENS(6, 9), M(glc), GCN_MOD_GLC },
	{ "slc", MOD_FLAG, 1, GENS(6, 9), M(slc), GCN_MOD_SLC },
	{ "tfe", MOD_FLAG, 1, GENS(6, 9), M(tfe), GCN_MOD_TFE },
	{ "lds", MOD_FLAG, 1, GENS(6, 9), M(lds), GCN_MOD_LDS },
	{ "dmask", MOD_NUMBER, 0, GENS(6, 9), M(dmask), GCN_MOD_DMASK },
	{ "unorm", MOD_FLAG, 1, GENS(6, 9), M(unorm), GCN_MOD_UNORM },
	{ "r128", MOD_FLAG, 1, GENS(6, 8), M(r128_a16), GCN_MOD_R128 },
	{ "a16", MOD_FLAG, 1, GENS(9, 9), M(r128_a16), GCN_MOD_A16 },
	{ "lwe", MOD_FLAG, 1, GENS(6, 9), M(lwe), GCN_MOD_LWE },
	{ "da", MOD_FLAG, 1, GENS(6, 9), M(da), GCN_MOD_DA },
	{ "d16", MOD_FLAG, 1, GENS(8, 9), M(d16), GCN_MOD_D16 },
	{ "done", MOD_FLAG, 1, GENS(6, 9), M(done), GCN_MOD_DONE },
	{ "compr", MOD_FLAG, 1, GENS(6, 9), M(compr), GCN_MOD_COMPR },
	{ "vm", MOD_FLAG, 1, GENS(6, 9), M(vm), GCN_MOD_VM },
	{ "clamp", MOD_FLAG, 1, GENS(6, 9), M(clamp), GCN_MOD_CLAMP },
	{ "mul", MOD_OMOD_MUL, 0, GENS(6, 9), M(omod), GCN_MOD_OMOD },
	{ "div", MOD_OMOD_DIV, 0, GENS(6, 9), M(omod), GCN_MOD_OMOD },
	{ "high", MOD_FLAG, 1, GENS(8, 9), M(op_sel), GCN_MOD_HIGH },
	{ "op_sel", MOD_BITS, 0, GENS(9, 9), M(op_sel), GCN_MOD_OP_SEL },
	{ "op_sel_hi", MOD_BITS, 0, GENS(9, 9), M(op_sel_hi), GCN_MOD_OP_SEL_HI },
	{ "neg_lo", MOD_BITS, 0, GENS(9, 9), M(neg), GCN_MOD_NEG_LO },
	{ "neg_hi", MOD_BITS, 0, GENS(9, 9), M(neg_hi), GCN_MOD_NEG_HI },
	{ "dst_sel", MOD_SEL, 0, GENS(8, 9), M(dst_sel), GCN_MOD_DST_SEL },
	{ "src0_sel", MOD_SEL, 0, GENS(8, 9), M(src_sel[0]), GCN_MOD_SRC0_SEL },
	{ "src1_sel", MOD_SEL, 0, GENS(8, 9), M(src_sel[1]), GCN_MOD_SRC1_SEL },
	{ "dst_unused", MOD_UNUSED, 0, GENS(8, 9), M(dst_unused), GCN_MOD_DST_UNUSED },
	{ "quad_perm", MOD_QUAD_PERM, 0, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_shl", MOD_ROW, 0x00, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_shr", MOD_ROW, 0x10, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_ror", MOD_ROW, 0x20, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "wave_shl", MOD_WAVE, 0x30, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "wave_rol", MOD_WAVE, 0x34, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "wave_shr", MOD_WAVE, 0x38, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "wave_ror", MOD_WAVE, 0x3c, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_mirror", MOD_MIRROR, 0x40, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_half_mirror", MOD_MIRROR, 0x41, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_bcast", MOD_BCAST, 0x42, GENS(8, 9), NONE, GCN_MOD_DPP_CTRL },
	{ "row_mask", MOD_NUMBER, 0, GENS(8, 9), M(row_mask), GCN_MOD_ROW_MASK },
	{ "bank_mask", MOD_NUMBER, 0, GENS(8, 9), M(bank_mask), GCN_MOD_BANK_MASK },
	{ "bound_ctrl", MOD_BOUND, 0, GENS(8, 9), M(bound_ctrl), GCN_MOD_BOUND_CTRL },
	/* Of other generations: known, to be refused by name. */
	{ "dlc", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT }, { "nv", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT },
	{ "sc0", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT }, { "sc1", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT },
	{ "nt", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT }, { "row_en", MOD_FLAG, 0, 0, NONE, GCN_MOD_COUNT },
	{ "dim", MOD_NUMBER, 0, 0, NONE, GCN_MOD_COUNT }, { "fi", MOD_NUMBER, 0, 0, NONE, GCN_MOD_COUNT },
	{ "dpp8", MOD_BITS, 0, 0, NONE, GCN_MOD_COUNT }, { "row_share", MOD_ROW, 0, 0, NONE, GCN_MOD_COUNT },
	{ "row_xmask", MOD_ROW, 0, 0, NONE, GCN_MOD_COUNT }, { "row_newbcast", MOD_ROW, 0, 0, NONE, GCN_MOD_COUNT },
	{ "wait_exp", MOD_NUMBER, 0, 0, NONE, GCN_MOD_COUNT },
};
enum { MOD_COUNT = sizeof(mods) / sizeof(mods[0]) };
_Static_assert(MOD_COUNT <= 64, "asm_inst.seen has a bit for each");

static int find_mod(const struct asm_token *t)
{
	for (int i = 0; i < MOD_COUNT; i++)
		if (t->kind == ASM_IDENT && strlen(mods[i].name) == t->length && !memcmp(mods[i].name, t->text, t->length))
			return i;
	return -1;
}

static bool bare(const struct mod *m)
{
	return m->kind == MOD_FLAG || m->kind == MOD_MIRROR;
}

/* --- values --- */

static bool read_offset(struct asm_ctx *ctx, struct asm_inst *inst)
{
	int32_t low, high;
	unsigned unit;
	int64_t value;
	if (inst->forms[0].op == GCN_DS_SWIZZLE_B32 && asm_is_name(&ctx->lx, "swizzle"))
		return asm_swizzle(ctx, &inst->fields.offset);
	if (!gcn_form_offset_range(ctx->gen, &inst->forms[0], &low, &high, &unit) ||
			!asm_in_range(ctx, "offset", low, high, &value))
		return false;
	inst->fields.offset = (int32_t)value;
	return true;
}

static bool read_bits(struct asm_ctx *ctx, uint8_t *member)
{
	unsigned count = 0;
	int64_t bit;
	*member = 0;
	if (!asm_want(ctx, '['))
		return false;
	do {
		if (count == 4)
			return asm_error(ctx, &ctx->lx.token, "]", "more than four values");
		if (!asm_in_range(ctx, "the value", 0, 1, &bit))
			return false;
		*member |= (uint8_t)(bit << count++);
	} while (asm_skip(&ctx->lx, ','));
	return asm_want(ctx, ']');
}

static bool read_name(struct asm_ctx *ctx, const char *const *names, unsigned count, const char *expected, uint8_t *member)
{
	for (unsigned i = 0; i < count; i++)
		if (asm_is_name(&ctx->lx, names[i])) {
			*member = (uint8_t)i;
			asm_next(&ctx->lx);
			return true;
		}
	return asm_expected(ctx, expected);
}

static bool read_quad_perm(struct asm_ctx *ctx, uint16_t *ctrl)
{
	int64_t lane;
	*ctrl = 0;
	if (!asm_want(ctx, '['))
		return false;
	for (int i = 0; i < 4; i++) {
		if ((i && !asm_want(ctx, ',')) || !asm_in_range(ctx, "the lane", 0, 3, &lane))
			return false;
		*ctrl |= (uint16_t)(lane << 2 * i);
	}
	return asm_want(ctx, ']');
}

static bool read_dpp(struct asm_ctx *ctx, const struct mod *m, uint16_t *ctrl)
{
	struct asm_token t = ctx->lx.token;
	int64_t v = 0;
	switch (m->kind) {
	case MOD_QUAD_PERM: return read_quad_perm(ctx, ctrl);
	case MOD_ROW:
		if (!asm_in_range(ctx, m->name, 1, 15, &v))
			return false;
		break;
	case MOD_WAVE:
		if (!asm_in_range(ctx, m->name, 1, 1, &v))
			return false;
		v = 0;
		break;
	case MOD_BCAST:
		if (!asm_absolute(ctx, &v))
			return false;
		if (v != 15 && v != 31)
			return asm_error(ctx, &t, "15 or 31", "row_bcast is out of range: %lld", (long long)v);
		v = v == 31;
		break;
	default: break;
	}
	*ctrl = (uint16_t)(0x100 + m->value + v);
	return true;
}

static bool read_omod(struct asm_ctx *ctx, bool divide, uint8_t *member)
{
	struct asm_token t = ctx->lx.token;
	int64_t v;
	if (!asm_absolute(ctx, &v))
		return false;
	*member = v == 1 ? 0 : divide ? 3 : v == 2 ? 1 : 2;
	if (v != 1 && v != 2 && (v != 4 || divide))
		return asm_error(ctx, &t, divide ? "1 or 2" : "1, 2 or 4", "%s is out of range: %lld",
			divide ? "div" : "mul", (long long)v);
	return true;
}

static bool read_number(struct asm_ctx *ctx, const char *name, int64_t high, uint8_t *member)
{
	int64_t value;
	if (!asm_in_range(ctx, name, 0, high, &value))
		return false;
	*member = (uint8_t)value;
	return true;
}

static bool read_value(struct asm_ctx *ctx, struct asm_inst *inst, const struct mod *m)
{
	static const char *const sels[] = { "BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD" };
	static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE" };
	struct gcn_inst *in = &inst->fields;
	uint8_t *member = m->member == NONE ? NULL : (uint8_t *)in + m->member, part = 0;
	switch ((enum mod_kind)m->kind) {
	case MOD_FLAG: *member = m->value; return true;
	case MOD_OFFSET: return read_offset(ctx, inst);
	case MOD_OFFSET0: case MOD_OFFSET1:
		if (!read_number(ctx, m->name, 255, &part))
			return false;
		in->offset |= part << (m->kind == MOD_OFFSET1 ? 8 : 0);
		return true;
	case MOD_FORMAT: return asm_format(ctx, in);
	case MOD_DFMT: return read_number(ctx, m->name, 15, &in->dfmt);
	case MOD_NFMT: return read_number(ctx, m->name, 7, &in->nfmt);
	case MOD_NUMBER: return read_number(ctx, m->name, 15, member);
	/* 0 and 1 mean the same before gfx11. */
	case MOD_BOUND: return read_number(ctx, m->name, 1, &part) && (*member = 1);
	case MOD_OMOD_MUL: case MOD_OMOD_DIV: return read_omod(ctx, m->kind == MOD_OMOD_DIV, member);
	case MOD_BITS: return read_bits(ctx, member);
	case MOD_SEL:
		return read_name(ctx, sels, 7, "BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD", member);
	case MOD_UNUSED:
		return read_name(ctx, unused, 3, "UNUSED_PAD, UNUSED_SEXT or UNUSED_PRESERVE", member);
	default: return read_dpp(ctx, m, &in->dpp_ctrl);
	}
}

static uint64_t set_of(struct asm_ctx *ctx, const struct asm_inst *inst)
{
	uint64_t set = 0;
	for (unsigned i = 0; i < inst->form_count; i++)
		set |= gcn_form_modifiers(ctx->gen, &inst->forms[i]);
	return set;
}

static bool not_taken(struct asm_ctx *ctx, const struct asm_inst *inst, const struct asm_token *at, const char *name)
{
	return asm_error(ctx, at, "", "%s takes no modifier %s on %s",
		gcn_op_name(ctx->gen, (enum gcn_op)inst->forms[0].op), name, asm_gen_name(ctx->gen));
}

/* Modifiers seen, as a set of enum gcn_modifier. */
static uint64_t seen_set(const struct asm_inst *inst)
{
	uint64_t set = 0;
	for (int i = 0; i < MOD_COUNT; i++)
		if (inst->seen >> i & 1)
			set |= (uint64_t)1 << mods[i].set;
	return set;
}

bool asm_modifier(struct asm_ctx *ctx, struct asm_inst *inst, bool *is_mod)
{
	struct asm_lexer after = ctx->lx;
	struct asm_token t = ctx->lx.token;
	int i = find_mod(&t);
	*is_mod = false;
	if (i < 0)
		return true;
	const struct mod *m = &mods[i];
	asm_next(&after);
	if (!bare(m) && !asm_is(&after, ':'))
		return true; /* a symbol of the same name */
	*is_mod = true;
	if (!(m->gens >> ctx->gen & 1))
		return asm_error(ctx, &t, "", "%s has no modifier %s", asm_gen_name(ctx->gen), m->name);
	if (inst->seen >> i & 1)
		return asm_error(ctx, &t, "", "the modifier %s is given twice", m->name);
	if (!(set_of(ctx, inst) >> m->set & 1))
		return not_taken(ctx, inst, &t, m->name);
	ctx->lx = after;
	if (!bare(m))
		asm_next(&ctx->lx); /* : */
	if (m->set == GCN_MOD_DPP_CTRL && seen_set(inst) >> GCN_MOD_DPP_CTRL & 1)
		return asm_error(ctx, &t, "", "a second control of DPP");
	inst->seen |= (uint64_t)1 << i;
	inst->mod_token[i] = t;
	return read_value(ctx, inst, m);
}

enum gcn_sub asm_seen_sub(const struct asm_inst *inst)
{
	const uint64_t one = 1;
	uint64_t seen = seen_set(inst);
	bool sext = false;
	for (unsigned i = 0; i < inst->count; i++)
		sext |= inst->operand[i].sext;
	if (sext || seen & (one << GCN_MOD_DST_SEL | one << GCN_MOD_DST_UNUSED | one << GCN_MOD_SRC0_SEL |
			one << GCN_MOD_SRC1_SEL))
		return GCN_SUB_SDWA;
	return seen & (one << GCN_MOD_DPP_CTRL | one << GCN_MOD_ROW_MASK | one << GCN_MOD_BANK_MASK |
		one << GCN_MOD_BOUND_CTRL) ? GCN_SUB_DPP : GCN_SUB_NONE;
}

bool asm_check_mods(struct asm_ctx *ctx, const struct asm_inst *inst, const struct gcn_form *form, bool report)
{
	uint64_t taken = gcn_form_modifiers(ctx->gen, form);
	for (int i = 0; i < MOD_COUNT; i++)
		if (inst->seen >> i & 1 && !(taken >> mods[i].set & 1))
			return report ? not_taken(ctx, inst, &inst->mod_token[i], mods[i].name) : false;
	if (form->sub == GCN_SUB_DPP && !(seen_set(inst) >> GCN_MOD_DPP_CTRL & 1))
		return report ? asm_error(ctx, &ctx->lx.token, "quad_perm:[..], row_shl:1 or another control",
			"a DPP instruction without its control") : false;
	return true;
}
