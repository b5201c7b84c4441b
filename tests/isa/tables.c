/* SPDX-License-Identifier: MIT */
/* The tables themselves: fields that overlap, numbers used twice.  Each check
 * is first shown tables that it must fail. */
#include <stdio.h>
#include <string.h>

#include "isa/formats.def"
#include "isa/gcn_forms.h"
#include "isa/gcn_tables.h"
#include "isa/regs.h"
#include "isa/regs_table.h"
#include "isa/text/gcn_disasm.h"

static int failures;

static void complain(const char *what, const char *a, const char *b)
{
	fprintf(stderr, "%s: %s %s\n", what, a, b);
	failures++;
}

/* --- checks: return what is wrong, NULL if nothing --- */

/* Fields of one encoding with the bits that its fixed mask takes. */
static const char *check_fields(const struct isa_field *f, size_t count, uint64_t fixed, unsigned bits,
	const char **where)
{
	uint64_t used = fixed;
	for (size_t i = 0; i < count; i++) {
		uint64_t mask = (((uint64_t)1 << f[i].width) - 1) << f[i].lo;
		*where = f[i].name;
		if (!f[i].width || f[i].lo + f[i].width > bits)
			return "field outside its word";
		if (f[i].kind == ISA_OP)
			continue; /* checked against the others below */
		if (used & mask)
			return "field overlaps";
		used |= mask;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t mask = (((uint64_t)1 << f[i].width) - 1) << f[i].lo;
		*where = f[i].name;
		if (f[i].kind == ISA_OP && used & mask)
			return "field overlaps";
	}
	return NULL;
}

static const char *check_ops(const struct gcn_op_info *const *ops, size_t count, const char **where)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			bool same_name = !strcmp(ops[i]->name, ops[k]->name);
			*where = ops[i]->name;
			for (int g = 0; g < GCN_GEN_COUNT; g++)
				if (same_name && ops[i]->opcode[g] >= 0 && ops[k]->opcode[g] >= 0)
					return "mnemonic used twice";
			for (int g = 0; g < GCN_GEN_COUNT; g++)
				if (ops[i]->fmt == ops[k]->fmt && ops[i]->opcode[g] >= 0 &&
						ops[i]->opcode[g] == ops[k]->opcode[g])
					return "opcode used twice";
		}
	return NULL;
}

static uint32_t last_byte(const struct isa_reg *r)
{
	return r->address + (uint32_t)(r->count - 1) * r->stride;
}

static bool share_a_dword(const struct isa_reg *a, const struct isa_reg *b)
{
	if (last_byte(a) < b->address || last_byte(b) < a->address)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		for (unsigned k = 0; k < b->count; k++)
			if (a->address + i * a->stride == b->address + k * b->stride)
				return true;
	return false;
}

static bool in_a_space(const struct isa_reg *r)
{
	static const struct { uint32_t base, dwords; } spaces[] = {
		{ REG_SH_BASE, REG_SH_DWORDS }, { REG_CONTEXT_BASE, REG_CONTEXT_DWORDS },
		{ REG_UCONFIG_BASE, REG_UCONFIG_DWORDS },
	};
	for (int i = 0; i < 3; i++)
		if (r->address >= spaces[i].base && last_byte(r) < spaces[i].base + 4 * spaces[i].dwords)
			return true;
	return false;
}

static const char *check_regs(const struct isa_reg *regs, size_t count, const char **where)
{
	for (size_t i = 0; i < count; i++) {
		*where = regs[i].name;
		if (regs[i].address % 4 || regs[i].stride % 4 || !regs[i].stride || !regs[i].count)
			return "register is not dword aligned";
		if (!in_a_space(&regs[i]))
			return "register outside its space";
		for (size_t k = 0; k < i; k++) {
			if (!strcmp(regs[i].name, regs[k].name))
				return "register name used twice";
			if (share_a_dword(&regs[i], &regs[k]))
				return "registers overlap";
		}
	}
	return NULL;
}

static const char *check_reg_bits(const struct isa_reg_bits *bits, size_t count, const char *reg,
	const char **where)
{
	uint64_t used = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t mask = (((uint64_t)1 << bits[i].width) - 1) << bits[i].lo;
		*where = bits[i].name;
		if (strcmp(bits[i].reg, reg))
			return "field stands under another register";
		if (!bits[i].width || bits[i].lo + bits[i].width > 32)
			return "field outside its word";
		if (used & mask)
			return "field overlaps";
		used |= mask;
	}
	return NULL;
}

static bool set_is_used(const char *set)
{
	for (size_t i = 0; i < isa_reg_bits_count; i++)
		if (isa_reg_bits[i].set && !strcmp(isa_reg_bits[i].set, set))
			return true;
	return false;
}

/* A texel's components lie in its bytes, none across a dword; a number is used once. */
struct format_row { const char *name; unsigned number, bytes, width, height, count, bits[4]; };
static const char *check_formats(const struct format_row *row, size_t count, const char **where)
{
	for (size_t i = 0; i < count; i++) {
		const struct format_row *f = &row[i];
		unsigned at = 0, some = 0;
		*where = f->name;
		for (unsigned c = 0; c < 4; at += f->bits[c++]) {
			some += f->bits[c] != 0;
			if (f->bits[c] && at / 32 != (at + f->bits[c] - 1) / 32)
				return "component crosses a dword";
		}
		if (f->width * f->height == 1 && (at != 8 * f->bytes || some < f->count))
			return "components do not fill the texel";
		if (!f->width || !f->height)
			return "no such block";
		for (size_t k = 0; k < i; k++)
			if (row[k].number == f->number)
				return "format number used twice";
	}
	return NULL;
}

/* Values of one set differ, and fit each field of these that has the set. */
static const char *check_values(const struct isa_reg_value_row *v, size_t count, const struct isa_reg_bits *bits,
	size_t fields, const char **where)
{
	for (size_t f = 0; f < fields; f++) {
		size_t known = 0;
		*where = bits[f].name;
		for (size_t i = 0; bits[f].set && i < count; i++) {
			if (strcmp(v[i].set, bits[f].set))
				continue;
			known++;
			if (v[i].number >> bits[f].width)
				return "value does not fit its field";
		}
		if (bits[f].set && !known)
			return "field with a set of no values";
	}
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			*where = v[i].name;
			if (!strcmp(v[i].set, v[k].set) && v[i].number == v[k].number)
				return "number used twice";
		}
	return NULL;
}

static const char *check_packets(const struct isa_packet *p, size_t count, const char **where)
{
	for (size_t i = 0; i < count; i++) {
		*where = p[i].name;
		if (p[i].max && p[i].max < p[i].min)
			return "payload range is empty";
		for (size_t k = 0; k < i; k++)
			if (p[i].op == p[k].op)
				return "packet opcode used twice";
	}
	return NULL;
}

/* --- the tables --- */

static void expect_good(const char *what, const char *where)
{
	if (what)
		complain("table", what, where);
}

static void check_encodings(void)
{
	const char *where = "";
	for (int e = 0; e < ISA_ENC_COUNT; e++) {
		const struct isa_encoding *enc = &isa_encodings[e];
		size_t first = isa_field_first[e], count = isa_field_first[e + 1] - first;
		if (enc->match & ~enc->mask)
			complain("table", "match outside mask", enc->name);
		expect_good(check_fields(&isa_fields[first], count, enc->mask, 32u * enc->dwords, &where), where);
		for (size_t i = first; i < first + count; i++)
			if (isa_fields[i].enc != e)
				complain("table", "field stands under another encoding", isa_fields[i].name);
	}
}

static void check_op_lookup(void)
{
	for (int op = 0; op < GCN_OP_COUNT; op++)
		for (int g = 0; g < GCN_GEN_COUNT; g++) {
			enum gcn_format formats[] = { gcn_native_format((enum gcn_gen)g, (enum gcn_op)op), GCN_VOP3 };
			for (int i = 0; i < 2; i++) {
				int number = isa_op_number((enum gcn_gen)g, (enum gcn_op)op, formats[i]);
				if (number >= 0 && isa_find_op((enum gcn_gen)g, formats[i], (unsigned)number) != (enum gcn_op)op)
					complain("lookup", "does not find", gcn_op_info((enum gcn_op)op)->name);
				if (i == 0 && (number < 0) != (gcn_op_info((enum gcn_op)op)->opcode[g] < 0))
					complain("lookup", "has no native number", gcn_op_info((enum gcn_op)op)->name);
			}
		}
}

/* Each opcode is found by its generation's mnemonic, and only there. */
static void check_mnemonics(void)
{
	struct gcn_form forms[GCN_MAX_FORMS];
	for (int op = 0; op < GCN_OP_COUNT; op++)
		for (int g = 0; g < GCN_GEN_COUNT; g++) {
			const char *name = gcn_op_name((enum gcn_gen)g, (enum gcn_op)op);
			const char *own = gcn_op_info((enum gcn_op)op)->name;
			if (!name != (gcn_op_info((enum gcn_op)op)->opcode[g] < 0))
				complain("mnemonic", "of a generation that lacks it", own);
			if (!name) /* perhaps another opcode's name here, never this one's */
				continue;
			unsigned n = gcn_find_mnemonic((enum gcn_gen)g, name, strlen(name), forms);
			if (!n || forms[0].op != op)
				complain("mnemonic", "does not find its opcode", name);
			for (unsigned i = 0; i < n; i++)
				if (forms[i].sub == GCN_SUB_NONE &&
						isa_op_number((enum gcn_gen)g, (enum gcn_op)op, forms[i].fmt) < 0)
					complain("mnemonic", "has a form without a number", name);
		}
}

static void check_names(void)
{
	static const struct { enum gcn_gen gen; const char *name; unsigned forms; uint16_t op; } rows[] = {
		{ GCN_GFX6, "v_add_i32", 2, GCN_V_ADD_CO_U32 }, { GCN_GFX8, "v_add_u32", 4, GCN_V_ADD_CO_U32 },
		{ GCN_GFX9, "v_add_u32", 4, GCN_V_ADD_U32 }, { GCN_GFX9, "v_add_i32", 1, GCN_V_ADD_I32 },
		{ GCN_GFX9, "v_add_u32_e64", 1, GCN_V_ADD_U32 }, { GCN_GFX7, "v_add_i32_sdwa", 0, 0 },
		{ GCN_GFX8, "v_mul_lo_i32", 1, GCN_V_MUL_LO_U32 }, { GCN_GFX7, "v_mul_lo_i32", 1, GCN_V_MUL_LO_I32 },
		{ GCN_GFX6, "v_bfm_b32_e32", 1, GCN_V_BFM_B32 }, { GCN_GFX8, "v_bfm_b32_e32", 0, 0 },
		{ GCN_GFX8, "tbuffer_load_format_d16_xy", 1, GCN_TBUFFER_LOAD_FORMAT_D16_XY_UNPACKED },
		{ GCN_GFX6, "flat_load_dword", 0, 0 }, { GCN_GFX9, "v_add", 0, 0 }, { GCN_GFX9, "_e32", 0, 0 },
	};
	struct gcn_form forms[GCN_MAX_FORMS];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned n = gcn_find_mnemonic(rows[i].gen, rows[i].name, strlen(rows[i].name), forms);
		if (n != rows[i].forms || (n && forms[0].op != rows[i].op))
			complain("mnemonic", rows[i].name, "has other forms");
	}
}

static void check_tables(void)
{
	static const struct gcn_op_info *ops[GCN_OP_COUNT];
	const char *where = "";
	for (int op = 0; op < GCN_OP_COUNT; op++)
		ops[op] = gcn_op_info((enum gcn_op)op);
	check_encodings();
	check_op_lookup();
	check_mnemonics();
	check_names();
	expect_good(check_ops(ops, GCN_OP_COUNT, &where), where);
	expect_good(check_regs(isa_regs, isa_reg_count, &where), where);
	expect_good(check_packets(isa_packets, isa_packet_count, &where), where);
	static const struct format_row formats[] = {
#define DATA_FORMAT(name, number, bytes, width, height, count, b0, b1, b2, b3) \
		{ #name, number, bytes, width, height, count, { b0, b1, b2, b3 } },
		ISA_DATA_FORMATS(DATA_FORMAT)
	};
	expect_good(check_formats(formats, sizeof(formats) / sizeof(formats[0]), &where), where);
	expect_good(check_values(isa_reg_values, isa_reg_value_count, isa_reg_bits, isa_reg_bits_count, &where), where);
	for (size_t i = 0; i < isa_reg_value_count; i++)
		if (!set_is_used(isa_reg_values[i].set))
			complain("table", "values of no field", isa_reg_values[i].set);
	for (size_t i = 0; i < isa_reg_count; i++) {
		size_t first = isa_regs[i].first_field;
		expect_good(check_reg_bits(&isa_reg_bits[first], isa_reg_fields_end(&isa_regs[i]) - first,
			isa_regs[i].name, &where), where);
	}
}

/* --- tables that the checks must refuse --- */

static void must_fail(const char *got, const char *expected)
{
	if (!got || strcmp(got, expected))
		complain("a broken table passes", expected, got ? got : "(nothing)");
}

static void check_the_checks(void)
{
	const char *w;
	static const struct isa_field overlap[] = {
		{ "a", 0, 0, 8, ISA_RAW, 0, 1 }, { "b", 0, 7, 2, ISA_RAW, 0, 1 } };
	static const struct isa_field op_overlap[] = {
		{ "op", 0, 8, 8, ISA_OP, 0, 2 }, { "b", 0, 15, 2, ISA_RAW, 0, 1 } };
	static const struct isa_field fixed[] = { { "a", 0, 25, 7, ISA_RAW, 0, 1 } };
	static const struct isa_field outside[] = { { "a", 0, 30, 3, ISA_RAW, 0, 1 } };
	static const struct isa_field empty[] = { { "a", 0, 3, 0, ISA_RAW, 0, 1 } };
	must_fail(check_fields(overlap, 2, 0, 32, &w), "field overlaps");
	must_fail(check_fields(op_overlap, 2, 0, 32, &w), "field overlaps");
	must_fail(check_fields(fixed, 1, 0xfc000000, 32, &w), "field overlaps");
	must_fail(check_fields(outside, 1, 0, 32, &w), "field outside its word");
	must_fail(check_fields(empty, 1, 0, 32, &w), "field outside its word");

	static const struct gcn_op_info a = { .name = "a", .fmt = GCN_SOP2, .opcode = { -1, -1, 3, 4 } };
	static const struct gcn_op_info b = { .name = "b", .fmt = GCN_SOP2, .opcode = { -1, -1, 3, 5 } };
	const struct gcn_op_info *twice[] = { &a, &b }, *same[] = { &a, &a };
	must_fail(check_ops(twice, 2, &w), "opcode used twice");
	must_fail(check_ops(same, 2, &w), "mnemonic used twice");

	static const struct isa_reg array_overlap[] = {
		{ "A", 0x28100, 4, 8, 0 }, { "B", 0x28108, 1, 4, 0 } };
	static const struct isa_reg odd[] = { { "A", 0x28102, 1, 4, 0 } };
	static const struct isa_reg nowhere[] = { { "A", 0x29000, 1, 4, 0 } };
	static const struct isa_reg name_twice[] = { { "A", 0x28100, 1, 4, 0 }, { "A", 0x28104, 1, 4, 0 } };
	must_fail(check_regs(array_overlap, 2, &w), "registers overlap");
	must_fail(check_regs(odd, 1, &w), "register is not dword aligned");
	must_fail(check_regs(nowhere, 1, &w), "register outside its space");
	must_fail(check_regs(name_twice, 2, &w), "register name used twice");

	static const struct isa_reg_bits bits[] = { { "R", "A", 0, 4, NULL }, { "R", "B", 3, 1, NULL } };
	static const struct isa_reg_bits wide[] = { { "R", "A", 20, 13, NULL } };
	must_fail(check_reg_bits(bits, 2, "R", &w), "field overlaps");
	must_fail(check_reg_bits(wide, 1, "R", &w), "field outside its word");
	must_fail(check_reg_bits(bits, 1, "S", &w), "field stands under another register");

	static const struct isa_reg_bits named[] = { { "R", "A", 0, 1, "S" } };
	static const struct isa_reg_value_row large[] = { { "S", "A", 2 } }, other[] = { { "T", "A", 0 } };
	static const struct isa_reg_value_row number_twice[] = { { "S", "A", 1 }, { "S", "B", 1 } };
	must_fail(check_values(large, 1, named, 1, &w), "value does not fit its field");
	must_fail(check_values(other, 1, named, 1, &w), "field with a set of no values");
	must_fail(check_values(number_twice, 2, named, 1, &w), "number used twice");

	static const struct format_row short_texel[] = { { "A", 1, 4, 1, 1, 2, { 8, 8 } } };
	static const struct format_row crossing[] = { { "A", 1, 8, 1, 1, 3, { 24, 16, 24 } } };
	static const struct format_row formats[] = { { "A", 1, 1, 1, 1, 1, { 8 } }, { "B", 1, 1, 1, 1, 1, { 8 } } };
	must_fail(check_formats(short_texel, 1, &w), "components do not fill the texel");
	must_fail(check_formats(crossing, 1, &w), "component crosses a dword");
	must_fail(check_formats(formats, 2, &w), "format number used twice");

	static const struct isa_packet packets[] = { { "A", 1, 0, 0, "" }, { "B", 1, 0, 0, "" } };
	static const struct isa_packet range[] = { { "A", 1, 4, 2, "" } };
	must_fail(check_packets(packets, 2, &w), "packet opcode used twice");
	must_fail(check_packets(range, 1, &w), "payload range is empty");
}

/* --- the VINTRP page: fields, opcodes, parameter codes --- */

static void check_vintrp(void)
{
	static const struct { const char *name; unsigned lo, width; } page[] = {
		{ "VINTRP.VSRC", 0, 8 }, { "VINTRP.ATTRCHAN", 8, 2 }, { "VINTRP.ATTR", 10, 6 },
		{ "VINTRP.OP", 16, 2 }, { "VINTRP.VDST", 18, 8 },
	};
	size_t first = isa_field_first[ISA_ENC_VINTRP];
	if (isa_field_first[ISA_ENC_VINTRP + 1] - first != 5)
		complain("VINTRP", "number of fields", "");
	for (size_t i = 0; i < 5; i++) {
		const struct isa_field *f = &isa_fields[first + i];
		if (strcmp(f->name, page[i].name) || f->lo != page[i].lo || f->width != page[i].width)
			complain("VINTRP", "field differs from the page", f->name);
	}
	if (isa_encodings[ISA_ENC_VINTRP].match != 0x35u << 26) /* 0b110101 */
		complain("VINTRP", "encoding", "");
	static const struct { enum gcn_op op; int number; } ops[] = {
		{ GCN_V_INTERP_P1_F32, 0 }, { GCN_V_INTERP_P2_F32, 1 }, { GCN_V_INTERP_MOV_F32, 2 } };
	for (int i = 0; i < 3; i++)
		if (gcn_op_info(ops[i].op)->opcode[GCN_GFX9] != ops[i].number)
			complain("VINTRP", "opcode", gcn_op_info(ops[i].op)->name);
	static const char *const params[] = { "p10", "p20", "p0" };
	for (unsigned i = 0; i < 3; i++) {
		uint32_t word = 0x35u << 26 | 7u << 18 | 2u << 16 | 33u << 10 | 3u << 8 | i;
		struct gcn_inst in;
		char text[64], expected[64];
		snprintf(expected, sizeof(expected), "v_interp_mov_f32_e32 v7, %s, attr33.w", params[i]);
		if (gcn_decode(GCN_GFX9, &word, 1, &in) != 1 || in.src[0] != i || in.attr != 33 || in.attrchan != 3)
			complain("VINTRP", "does not decode", params[i]);
		gcn_disasm(GCN_GFX9, &in, 0, text, sizeof(text));
		if (strcmp(text, expected))
			complain("VINTRP", text, expected);
	}
}

int main(void)
{
	check_the_checks();
	check_tables();
	check_vintrp();
	return failures ? 1 : 0;
}
