/* SPDX-License-Identifier: MIT */
/* Names of what immediates hold; see gcn_names.h. */
#include "isa/text/gcn_names.h"

#include <stdio.h>
#include <string.h>

enum { ALL = 15, OLD = 3, FROM8 = 12, UPTO8 = 7, ONLY9 = 8 };

const struct isa_name isa_hwregs[] = {
	{ "HW_REG_MODE", 1, ALL }, { "HW_REG_STATUS", 2, ALL }, { "HW_REG_TRAPSTS", 3, ALL },
	{ "HW_REG_HW_ID", 4, ALL }, { "HW_REG_GPR_ALLOC", 5, ALL }, { "HW_REG_LDS_ALLOC", 6, ALL },
	{ "HW_REG_IB_STS", 7, ALL }, { "HW_REG_SH_MEM_BASES", 15, ONLY9 },
	{ "HW_REG_TBA_LO", 16, ONLY9 }, { "HW_REG_TBA_HI", 17, ONLY9 },
	{ "HW_REG_TMA_LO", 18, ONLY9 }, { "HW_REG_TMA_HI", 19, ONLY9 },
	{ NULL, 0, 0 },
};
const struct isa_name isa_messages[] = {
	{ "MSG_INTERRUPT", 1, ALL }, { "MSG_GS", 2, ALL }, { "MSG_GS_DONE", 3, ALL },
	{ "MSG_SAVEWAVE", 4, FROM8 }, { "MSG_STALL_WAVE_GEN", 5, ONLY9 },
	{ "MSG_HALT_WAVES", 6, ONLY9 }, { "MSG_ORDERED_PS_DONE", 7, ONLY9 },
	{ "MSG_EARLY_PRIM_DEALLOC", 8, ONLY9 }, { "MSG_GS_ALLOC_REQ", 9, ONLY9 },
	{ "MSG_GET_DOORBELL", 10, ONLY9 }, { "MSG_SYSMSG", 15, ALL },
	{ NULL, 0, 0 },
};
const struct isa_name isa_gs_operations[] = {
	{ "GS_OP_NOP", 0, ALL }, { "GS_OP_CUT", 1, ALL }, { "GS_OP_EMIT", 2, ALL }, { "GS_OP_EMIT_CUT", 3, ALL },
	{ NULL, 0, 0 },
};
const struct isa_name isa_system_operations[] = {
	{ "SYSMSG_OP_ECC_ERR_INTERRUPT", 1, ALL }, { "SYSMSG_OP_REG_RD", 2, ALL },
	{ "SYSMSG_OP_HOST_TRAP_ACK", 3, UPTO8 }, { "SYSMSG_OP_TTRACE_PC", 4, ALL },
	{ NULL, 0, 0 },
};
const struct isa_name isa_gpr_idx_modes[] = {
	{ "SRC0", 0, ALL }, { "SRC1", 1, ALL }, { "SRC2", 2, ALL }, { "DST", 3, ALL }, { NULL, 0, 0 },
};
const struct isa_name isa_data_formats[] = {
#define D(value, name) { "BUF_DATA_FORMAT_" name, value, ALL }
	D(0, "INVALID"), D(1, "8"), D(2, "16"), D(3, "8_8"), D(4, "32"), D(5, "16_16"), D(6, "10_11_11"),
	D(7, "11_11_10"), D(8, "10_10_10_2"), D(9, "2_10_10_10"), D(10, "8_8_8_8"), D(11, "32_32"),
	D(12, "16_16_16_16"), D(13, "32_32_32"), D(14, "32_32_32_32"), D(15, "RESERVED_15"), { NULL, 0, 0 },
#undef D
};
const struct isa_name isa_num_formats[] = {
#define N(value, name, gens) { "BUF_NUM_FORMAT_" name, value, gens }
	N(0, "UNORM", ALL), N(1, "SNORM", ALL), N(2, "USCALED", ALL), N(3, "SSCALED", ALL), N(4, "UINT", ALL),
	N(5, "SINT", ALL), N(6, "SNORM_OGL", OLD), N(6, "RESERVED_6", FROM8), N(7, "FLOAT", ALL), { NULL, 0, 0 },
#undef N
};

const char *isa_name_of(const struct isa_name *table, enum gcn_gen gen, unsigned value)
{
	for (; table->name; table++)
		if (table->value == value && table->gens >> gen & 1)
			return table->name;
	return NULL;
}

const char *isa_check_message(unsigned message, unsigned operation, bool has_operation, bool has_stream)
{
	bool gs = message == 2 || message == 3;
	if ((gs || message == 15) && !has_operation)
		return "the message needs an operation";
	if (!gs && message != 15 && has_operation)
		return "the message has no operations";
	if (gs && (operation > 3 || (message == 2 && !operation)))
		return "the message has no such operation";
	if (message == 15 && (!operation || operation > 4))
		return "the message has no such operation";
	return has_stream && (!gs || !operation) ? "the operation has no stream" : NULL;
}

void isa_hwreg_text(enum gcn_gen gen, uint16_t imm, char text[ISA_IMM_TEXT])
{
	unsigned id = imm & 63, first = imm >> 6 & 31, count = (imm >> 11) + 1u;
	const char *name = isa_name_of(isa_hwregs, gen, id);
	int n = name ? snprintf(text, ISA_IMM_TEXT, "hwreg(%s", name) : snprintf(text, ISA_IMM_TEXT, "hwreg(%u", id);
	if (first || count != 32)
		n += snprintf(text + n, (size_t)(ISA_IMM_TEXT - n), ", %u, %u", first, count);
	snprintf(text + n, (size_t)(ISA_IMM_TEXT - n), ")");
}

void isa_message_text(enum gcn_gen gen, uint16_t imm, char text[ISA_IMM_TEXT])
{
	unsigned message = imm & 15, operation = imm >> 4 & 7, stream = imm >> 8 & 3;
	bool gs = message == 2 || message == 3, has_operation = gs || message == 15;
	const char *name = isa_name_of(isa_messages, gen, message);
	const char *what = isa_name_of(gs ? isa_gs_operations : isa_system_operations, gen, operation);
	bool exact = imm == (message | operation << 4 | stream << 8) &&
		!isa_check_message(message, operation, has_operation || operation, stream != 0);
	if (!exact || !name || (has_operation && !what))
		snprintf(text, ISA_IMM_TEXT, "0x%x", imm);
	else if (gs && operation)
		snprintf(text, ISA_IMM_TEXT, "sendmsg(%s, %s, %u)", name, what, stream);
	else if (has_operation)
		snprintf(text, ISA_IMM_TEXT, "sendmsg(%s, %s)", name, what);
	else
		snprintf(text, ISA_IMM_TEXT, "sendmsg(%s)", name);
}

void isa_gpr_idx_text(uint16_t imm, char text[ISA_IMM_TEXT])
{
	int n = snprintf(text, ISA_IMM_TEXT, imm < 16 ? "gpr_idx(" : "0x%x", imm);
	const char *comma = "";
	for (const struct isa_name *m = isa_gpr_idx_modes; imm < 16 && m->name; m++)
		if (imm >> m->value & 1) {
			n += snprintf(text + n, (size_t)(ISA_IMM_TEXT - n), "%s%s", comma, m->name);
			comma = ",";
		}
	if (imm < 16)
		snprintf(text + n, (size_t)(ISA_IMM_TEXT - n), ")");
}

static bool power_of_two(unsigned x)
{
	return x && !(x & (x - 1));
}

/* The text of a bit-mode pattern; false if no text means these masks. */
static bool bit_mode_text(unsigned and_mask, unsigned or_mask, unsigned xor_mask, char text[ISA_IMM_TEXT])
{
	unsigned group = 32 - and_mask;
	if (and_mask == 31 && !or_mask && power_of_two(xor_mask)) {
		snprintf(text, ISA_IMM_TEXT, "swizzle(SWAP,%u)", xor_mask);
	} else if (and_mask == 31 && !or_mask && power_of_two(xor_mask + 1) && xor_mask) {
		snprintf(text, ISA_IMM_TEXT, "swizzle(REVERSE,%u)", xor_mask + 1);
	} else if (power_of_two(group) && group > 1 && or_mask < group && !xor_mask) {
		snprintf(text, ISA_IMM_TEXT, "swizzle(BROADCAST,%u,%u)", group, or_mask);
	} else {
		char mask[6] = "00000";
		if (and_mask & or_mask || xor_mask & ~and_mask)
			return false;
		for (int i = 0; i < 5; i++) {
			unsigned bit = 16u >> i;
			if (or_mask & bit)
				mask[i] = '1';
			else if (and_mask & bit)
				mask[i] = xor_mask & bit ? 'i' : 'p';
		}
		snprintf(text, ISA_IMM_TEXT, "swizzle(BITMASK_PERM,\"%s\")", mask);
	}
	return true;
}

void isa_swizzle_text(uint16_t offset, char text[ISA_IMM_TEXT])
{
	if (offset >> 8 == 0x80)
		snprintf(text, ISA_IMM_TEXT, "swizzle(QUAD_PERM,%u,%u,%u,%u)", offset & 3, offset >> 2 & 3,
			offset >> 4 & 3, offset >> 6 & 3);
	else if (offset & 0x8000 || !bit_mode_text(offset & 31, offset >> 5 & 31, offset >> 10 & 31, text))
		snprintf(text, ISA_IMM_TEXT, "0x%x", offset);
}

void isa_format_text(enum gcn_gen gen, unsigned dfmt, unsigned nfmt, char text[ISA_IMM_TEXT])
{
	snprintf(text, ISA_IMM_TEXT, "[%s,%s]", isa_name_of(isa_data_formats, gen, dfmt & 15),
		isa_name_of(isa_num_formats, gen, nfmt & 7));
}
