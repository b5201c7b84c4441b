/* SPDX-License-Identifier: MIT */
/* regs.def and pm4.def as constant arrays. */
#include "isa/regs_table.h"

#include <string.h>

#include "isa/formats.def"
#include "isa/regs.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct isa_reg_bits isa_reg_bits[] = {
#define FIELD(reg, field, low, bits) { #reg, #field, low, bits, NULL },
#define FIELD_OF(reg, field, low, bits, set) { #reg, #field, low, bits, #set },
#include "isa/regs.def"
};
const size_t isa_reg_bits_count = COUNT(isa_reg_bits);

/* Numbers the FIELD rows, with marks where each register begins. */
enum {
#define REG(reg, ...) FIRST_##reg, FIRST_BACK_##reg = FIRST_##reg - 1,
#define REGS(reg, ...) FIRST_##reg, FIRST_BACK_##reg = FIRST_##reg - 1,
#define FIELD(reg, field, ...) BITS_##reg##_##field,
#include "isa/regs.def"
	BITS_COUNT
};
_Static_assert(COUNT(isa_reg_bits) == BITS_COUNT, "one row, one field");

const struct isa_reg isa_regs[] = {
#define REG(reg, addr) { #reg, addr, 1, 4, FIRST_##reg },
#define REGS(reg, addr, number, step) { #reg, addr, number, step, FIRST_##reg },
#include "isa/regs.def"
};
const size_t isa_reg_count = COUNT(isa_regs);

const struct isa_reg_value_row isa_reg_values[] = {
#define VALUE(set, name, number) { #set, #name, number },
#include "isa/regs.def"
#define DATA_FORMAT(name, number, ...) { "DFMT", #name, number },
	ISA_DATA_FORMATS(DATA_FORMAT)
#define NUMBER_FORMAT(name, number) { "NFMT", #name, number },
	ISA_NUMBER_FORMATS(NUMBER_FORMAT)
};
const size_t isa_reg_value_count = COUNT(isa_reg_values);

#define DW(field) " " #field
#define DW_OF(field, set) " " #field "=" #set
#define SDW(field) " " #field
#define LOHI(field) " " #field "_lo " #field "_hi"
#define DW4(field) " " #field "[0] " #field "[1] " #field "[2] " #field "[3]"
#define SURFACE(field) " " #field ":surface"
#define BUFFER_IMAGE(field) " " #field ":buffer_image"
#define REST(field) " " #field " ..."
const struct isa_packet_part isa_packet_parts[] = {
#define PART(part, payload) { #part, payload },
#include "isa/pm4.def"
	{ NULL, NULL },
};

const struct isa_packet isa_packets[] = {
#define PM4(name, packet, opcode, low, high, payload) { #name, opcode, low, high, payload },
#include "isa/pm4.def"
};
const size_t isa_packet_count = COUNT(isa_packets);

#define ENA(input) [SPI_PS_INPUT_ENA__##input##_ENA__LO]
const uint8_t isa_ps_input_vgprs[ISA_PS_INPUTS] = {
	ENA(PERSP_SAMPLE) = 2, ENA(PERSP_CENTER) = 2, ENA(PERSP_CENTROID) = 2,   /* I, J */
	ENA(PERSP_PULL_MODEL) = 3,                                               /* I/W, J/W, 1/W */
	ENA(LINEAR_SAMPLE) = 2, ENA(LINEAR_CENTER) = 2, ENA(LINEAR_CENTROID) = 2,
	ENA(LINE_STIPPLE_TEX) = 1,
	ENA(POS_X_FLOAT) = 1, ENA(POS_Y_FLOAT) = 1, ENA(POS_Z_FLOAT) = 1, ENA(POS_W_FLOAT) = 1,
	ENA(FRONT_FACE) = 1, ENA(ANCILLARY) = 1, ENA(SAMPLE_COVERAGE) = 1, ENA(POS_FIXED_PT) = 1,
};

size_t isa_reg_fields_end(const struct isa_reg *reg)
{
	size_t next = (size_t)(reg - isa_regs) + 1;
	return next < isa_reg_count ? isa_regs[next].first_field : isa_reg_bits_count;
}

const struct isa_reg *isa_find_reg(uint32_t address, unsigned *element)
{
	for (size_t i = 0; i < isa_reg_count; i++) {
		const struct isa_reg *r = &isa_regs[i];
		uint32_t distance = address - r->address;
		if (address < r->address || distance % r->stride || distance / r->stride >= r->count)
			continue;
		*element = distance / r->stride;
		return r;
	}
	return NULL;
}

const char *isa_set_name(const char *set, uint32_t value)
{
	for (size_t i = 0; i < isa_reg_value_count; i++)
		if (isa_reg_values[i].number == value && !strcmp(isa_reg_values[i].set, set))
			return isa_reg_values[i].name;
	return NULL;
}

const char *isa_value_name(const struct isa_reg_bits *field, uint32_t value)
{
	return field->set ? isa_set_name(field->set, value) : NULL;
}

const struct isa_packet *isa_find_packet(unsigned op)
{
	for (size_t i = 0; i < isa_packet_count; i++)
		if (isa_packets[i].op == op)
			return &isa_packets[i];
	return NULL;
}
