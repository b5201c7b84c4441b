/* SPDX-License-Identifier: MIT */
/* The instruction table by generation; see gcn_forms.h. */
#include "isa/gcn_forms.h"

#include <string.h>

#include "isa/gcn_tables.h"

/* --- mnemonics --- */

/* Names that differ from gcn_op_info()->name. */
struct name_row {
	const char *name;
	uint16_t op;
	uint8_t gens; /* GCN_IN_* */
	bool alias;
};
static const struct name_row name_rows[] = {
#define GCN(...)
#define GCN_NAME(NAME, gens, name) { name, GCN_##NAME, gens, false },
#define GCN_ALIAS(NAME, gens, name) { name, GCN_##NAME, gens, true },
#include "isa/gcn.def"
#undef GCN
#undef GCN_NAME
#undef GCN_ALIAS
};
enum { NAME_ROWS = sizeof(name_rows) / sizeof(name_rows[0]) };

const char *gcn_op_name(enum gcn_gen gen, enum gcn_op op)
{
	const struct gcn_op_info *info = gcn_op_info(op);
	if (info->opcode[gen] < 0)
		return NULL;
	for (size_t i = 0; i < NAME_ROWS; i++)
		if (name_rows[i].op == op && !name_rows[i].alias && name_rows[i].gens >> gen & 1)
			return name_rows[i].name;
	return info->name;
}

/* Most rows differ in their first characters: a call of strncmp would cost more. */
static bool is_name(const char *row, const char *name, size_t length)
{
	size_t i = 0;
	while (i < length && row[i] && row[i] == name[i])
		i++;
	return i == length && !row[i];
}

/* GCN_OP_COUNT if the generation has no such name. */
static enum gcn_op find_op(enum gcn_gen gen, const char *name, size_t length)
{
	for (size_t i = 0; i < NAME_ROWS; i++)
		if (name_rows[i].gens >> gen & 1 && is_name(name_rows[i].name, name, length))
			return (enum gcn_op)name_rows[i].op;
	for (int op = 0; op < GCN_OP_COUNT; op++)
		if (is_name(gcn_op_info((enum gcn_op)op)->name, name, length)) {
			const char *here = gcn_op_name(gen, (enum gcn_op)op);
			if (here && is_name(here, name, length))
				return (enum gcn_op)op;
		}
	return GCN_OP_COUNT;
}

bool gcn_mnemonic_exists(const char *name, size_t length)
{
	struct gcn_form forms[GCN_MAX_FORMS];
	for (int gen = 0; gen < GCN_GEN_COUNT; gen++)
		if (gcn_find_mnemonic((enum gcn_gen)gen, name, length, forms))
			return true;
	return false;
}

static bool has_short_form(unsigned format)
{
	return format == GCN_VOP1 || format == GCN_VOP2 || format == GCN_VOPC || format == GCN_VINTRP;
}

/* All forms, the smallest first. */
static unsigned forms_of(enum gcn_gen gen, enum gcn_op op, struct gcn_form forms[GCN_MAX_FORMS])
{
	const uint16_t code = (uint16_t)op;
	unsigned native = gcn_native_format(gen, op), mods = gcn_op_mods(gen, op), count = 0;
	forms[count++] = (struct gcn_form){ code, (uint8_t)native, GCN_SUB_NONE };
	if (has_short_form(native) && isa_op_number(gen, op, GCN_VOP3) >= 0)
		forms[count++] = (struct gcn_form){ code, GCN_VOP3, GCN_SUB_NONE };
	if (mods & GCN_M_SDWA)
		forms[count++] = (struct gcn_form){ code, (uint8_t)native, GCN_SUB_SDWA };
	if (mods & GCN_M_DPP)
		forms[count++] = (struct gcn_form){ code, (uint8_t)native, GCN_SUB_DPP };
	return count;
}

/* Keeps the forms that a suffix means. */
static unsigned keep(struct gcn_form *forms, unsigned count, const char *suffix)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < count; i++) {
		const char *own = forms[i].sub == GCN_SUB_SDWA ? "_sdwa" : forms[i].sub == GCN_SUB_DPP ? "_dpp" :
			forms[i].fmt == GCN_VOP3 || forms[i].fmt == GCN_VOP3P ? "_e64" : has_short_form(forms[i].fmt) ? "_e32" : "";
		if (!strcmp(own, suffix))
			forms[kept++] = forms[i];
	}
	return kept;
}

unsigned gcn_find_mnemonic(enum gcn_gen gen, const char *name, size_t length,
	struct gcn_form forms[GCN_MAX_FORMS])
{
	static const char *const suffixes[] = { "_e32", "_e64", "_sdwa", "_dpp" };
	enum gcn_op op = find_op(gen, name, length);
	if (op != GCN_OP_COUNT)
		return forms_of(gen, op, forms);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t n = strlen(suffixes[i]);
		if (length <= n || memcmp(name + length - n, suffixes[i], n))
			continue;
		op = find_op(gen, name, length - n);
		return op == GCN_OP_COUNT ? 0 : keep(forms, forms_of(gen, op, forms), suffixes[i]);
	}
	return 0;
}

/* --- modifiers --- */

const char *gcn_modifier_name(enum gcn_modifier modifier)
{
	static const char *const names[GCN_MOD_COUNT] = {
#define X(name, text) text,
		GCN_MODIFIERS(X)
#undef X
	};
	return modifier < GCN_MOD_COUNT ? names[modifier] : "?";
}

#define M(name) ((uint64_t)1 << GCN_MOD_##name)

static uint64_t vop3_modifiers(const struct gcn_op_info *info, unsigned mods)
{
	uint64_t set = 0;
	if (mods & (GCN_M_SRC0 | GCN_M_SRC1 | GCN_M_SRC2))
		set |= info->sdst_dw && info->fmt == GCN_VOP3 ? M(NEG) : M(NEG) | M(ABS);
	set |= mods & GCN_M_CLAMP ? M(CLAMP) : 0;
	set |= mods & GCN_M_OMOD ? M(OMOD) : 0;
	set |= mods & GCN_M_OP_SEL ? M(OP_SEL) : 0;
	if (info->fmt == GCN_VINTRP || info->flags & GCN_F_VOP3_INTERP)
		set |= info->flags & GCN_F_VOP3_INTERP ? M(HIGH) : 0;
	return set;
}

static uint64_t vop3p_modifiers(const struct gcn_op_info *info)
{
	uint64_t set = M(OP_SEL) | M(OP_SEL_HI) | M(CLAMP);
	return set | (info->flags & GCN_F_MIX ? M(NEG) | M(ABS) : M(NEG_LO) | M(NEG_HI));
}

static uint64_t sub_modifiers(enum gcn_gen gen, const struct gcn_form *form,
	const struct gcn_op_info *info, unsigned mods)
{
	bool floats = mods & (GCN_M_SRC0 | GCN_M_SRC1);
	uint64_t set = floats ? M(NEG) | M(ABS) : 0;
	if (form->sub == GCN_SUB_DPP)
		return set | M(DPP_CTRL) | M(ROW_MASK) | M(BANK_MASK) | M(BOUND_CTRL);
	set |= floats ? 0 : M(SEXT);
	set |= info->src_dw[0] ? M(SRC0_SEL) : 0;
	set |= info->src_dw[1] ? M(SRC1_SEL) : 0;
	if (info->fmt != GCN_VOPC)
		set |= (info->dst_dw ? M(DST_SEL) | M(DST_UNUSED) : 0) | M(CLAMP) |
			(gen == GCN_GFX9 && mods & GCN_M_OMOD ? M(OMOD) : 0);
	else if (gen == GCN_GFX8)
		set |= M(CLAMP);
	return set;
}

static uint64_t memory_modifiers(enum gcn_gen gen, unsigned format, const struct gcn_op_info *info)
{
	switch (format) {
	case GCN_SMEM:
		if (!info->src_dw[1])
			return 0;
		if (gen < GCN_GFX8)
			return 0;
		return (info->flags & (GCN_F_LOAD | GCN_F_STORE | GCN_F_ATOMIC) ? M(GLC) : 0) | (gen == GCN_GFX9 ? M(OFFSET) : 0);
	case GCN_DS:
		return (info->flags & GCN_F_SRC0_LANES && info->src_dw[1] ? 0 : M(GDS)) | (info->flags & GCN_F_PAIR_OFFSET ? M(OFFSET0) | M(OFFSET1) : M(OFFSET));
	case GCN_MUBUF: case GCN_MTBUF:
		if (!info->src_dw[1])
			return 0;
		return M(OFFSET) | M(IDXEN) | M(OFFEN) | M(GLC) | M(SLC) | M(TFE) |
			(gen < GCN_GFX8 ? M(ADDR64) : 0) |
			(info->flags & GCN_F_MAY_LDS ? M(LDS) : 0) | (format == GCN_MUBUF ? 0 : M(FORMAT) | M(DFMT) | M(NFMT));
	case GCN_MIMG:
		return M(DMASK) | M(UNORM) | M(GLC) | M(SLC) | M(TFE) | M(LWE) | M(DA) |
			(gen == GCN_GFX9 ? M(A16) : M(R128)) |
			(gen >= GCN_GFX8 && info->flags & GCN_F_MAY_D16 ? M(D16) : 0);
	case GCN_EXP: return M(DONE) | M(COMPR) | M(VM);
	case GCN_FLAT: case GCN_GLOBAL: case GCN_SCRATCH:
		return M(GLC) | M(SLC) | (gen == GCN_GFX9 ? M(OFFSET) : 0) |
			(info->flags & GCN_F_MAY_LDS ? M(LDS) : 0);
	default: return 0;
	}
}

uint64_t gcn_form_modifiers(enum gcn_gen gen, const struct gcn_form *form)
{
	const struct gcn_op_info *info = gcn_op_info((enum gcn_op)form->op);
	unsigned mods = gcn_op_mods(gen, (enum gcn_op)form->op);
	if (form->sub != GCN_SUB_NONE)
		return sub_modifiers(gen, form, info, mods);
	if (form->fmt == GCN_VOP3)
		return vop3_modifiers(info, mods);
	if (form->fmt == GCN_VOP3P)
		return vop3p_modifiers(info);
	return memory_modifiers(gen, form->fmt, info);
}
#undef M

struct range { int32_t low, high; unsigned unit; };

static struct range offset_range(enum gcn_gen gen, unsigned format, const struct gcn_op_info *info)
{
	const struct range none = { 0, 0, 0 };
	switch (format) {
	case GCN_SOPK: case GCN_SOPP: return (struct range){ -0x8000, 0xffff, 1 };
	case GCN_SMEM:
		if (!info->src_dw[1])
			return none;
		if (gen < GCN_GFX8)
			return (struct range){ 0, 255 * 4, 4 };
		if (gen == GCN_GFX8 || info->src_dw[0] == 4)
			return (struct range){ 0, 0xfffff, 1 };
		return (struct range){ -0x100000, 0xfffff, 1 };
	case GCN_DS: return (struct range){ 0, 0xffff, 1 };
	case GCN_MUBUF: case GCN_MTBUF:
		return info->src_dw[1] ? (struct range){ 0, 4095, 1 } : none;
	case GCN_FLAT: return gen == GCN_GFX9 ? (struct range){ 0, 4095, 1 } : none;
	case GCN_GLOBAL: case GCN_SCRATCH: return (struct range){ -4096, 4095, 1 };
	default: return none;
	}
}

bool gcn_form_offset_range(enum gcn_gen gen, const struct gcn_form *form, int32_t *low,
	int32_t *high, unsigned *unit)
{
	struct range r = offset_range(gen, form->fmt, gcn_op_info((enum gcn_op)form->op));
	*low = r.low;
	*high = r.high;
	*unit = r.unit;
	return r.unit;
}

/* --- registers --- */

enum { G6 = GCN_IN_GFX6, G7 = GCN_IN_GFX7, G8 = GCN_IN_GFX8, G9 = GCN_IN_GFX9, ALL = 15 };

/* Names by code; the first that fits is the one that is printed. */
static const struct { const char *name; uint8_t code, dwords, gens; } registers[] = {
#define PAIR(name, code, gens) { name, code, 2, gens }, { name "_lo", code, 1, gens }, \
	{ name "_hi", code + 1, 1, gens }
	PAIR("flat_scratch", GCN_SRC_FLAT_SCRATCH_GFX7, G7), PAIR("flat_scratch", GCN_SRC_FLAT_SCRATCH, G8 | G9),
	PAIR("xnack_mask", GCN_SRC_XNACK_MASK, G9), PAIR("vcc", GCN_SRC_VCC, ALL),
	PAIR("tba", GCN_SRC_TBA, G6 | G7 | G8), PAIR("tma", GCN_SRC_TMA, G6 | G7 | G8), PAIR("exec", GCN_SRC_EXEC, ALL),
#undef PAIR
	{ "m0", GCN_SRC_M0, 1, ALL },
	{ "src_shared_base", GCN_SRC_SHARED_BASE, 1, G9 }, { "src_shared_limit", GCN_SRC_SHARED_LIMIT, 1, G9 },
	{ "src_private_base", GCN_SRC_PRIVATE_BASE, 1, G9 }, { "src_private_limit", GCN_SRC_PRIVATE_LIMIT, 1, G9 },
	{ "src_pops_exiting_wave_id", GCN_SRC_POPS_EXITING_WAVE_ID, 1, G9 },
	{ "src_vccz", GCN_SRC_VCCZ, 1, ALL }, { "src_execz", GCN_SRC_EXECZ, 1, ALL }, { "src_scc", GCN_SRC_SCC, 1, ALL },
	{ "src_lds_direct", GCN_SRC_LDS_DIRECT, 1, ALL },
	{ "shared_base", GCN_SRC_SHARED_BASE, 1, G9 }, { "shared_limit", GCN_SRC_SHARED_LIMIT, 1, G9 },
	{ "private_base", GCN_SRC_PRIVATE_BASE, 1, G9 }, { "private_limit", GCN_SRC_PRIVATE_LIMIT, 1, G9 },
	{ "pops_exiting_wave_id", GCN_SRC_POPS_EXITING_WAVE_ID, 1, G9 },
	{ "vccz", GCN_SRC_VCCZ, 1, ALL }, { "execz", GCN_SRC_EXECZ, 1, ALL }, { "scc", GCN_SRC_SCC, 1, ALL },
	{ "lds_direct", GCN_SRC_LDS_DIRECT, 1, ALL },
};

bool gcn_find_register(enum gcn_gen gen, const char *name, size_t length, unsigned *code,
	unsigned *dwords)
{
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (registers[i].gens >> gen & 1 && is_name(registers[i].name, name, length)) {
			*code = registers[i].code;
			*dwords = registers[i].dwords;
			return true;
		}
	return false;
}

const char *gcn_register_name(enum gcn_gen gen, unsigned code, unsigned dwords)
{
	bool constant = code >= GCN_SRC_0 || code == GCN_SRC_M0; /* wide enough for any operand */
	for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (registers[i].code == code && registers[i].gens >> gen & 1 &&
				(registers[i].dwords == dwords || constant))
			return registers[i].name;
	return NULL;
}

unsigned gcn_sgpr_count(enum gcn_gen gen)
{
	return gen < GCN_GFX8 ? GCN_SRC_FLAT_SCRATCH_GFX7 : GCN_SRC_FLAT_SCRATCH;
}

unsigned gcn_ttmp_first(enum gcn_gen gen)
{
	return gen == GCN_GFX9 ? GCN_SRC_TTMP0 : GCN_SRC_TTMP0_GFX6;
}

unsigned gcn_ttmp_count(enum gcn_gen gen)
{
	return GCN_SRC_M0 - gcn_ttmp_first(gen);
}

const struct gcn_waitcnt_field *gcn_waitcnt_layout(enum gcn_gen gen, enum gcn_wait_counter counter)
{
	static const struct gcn_waitcnt_field old[] = { { 0, 4, 0, 0 }, { 4, 3, 0, 0 }, { 8, 4, 0, 0 } };
	static const struct gcn_waitcnt_field gfx9[] = { { 0, 4, 14, 2 }, { 4, 3, 0, 0 }, { 8, 4, 0, 0 } };
	return gen == GCN_GFX9 ? &gfx9[counter] : &old[counter];
}
