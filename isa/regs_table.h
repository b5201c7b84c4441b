/* SPDX-License-Identifier: MIT */
/* regs.def and pm4.def as arrays, for dumps and checks. */
#ifndef ISA_REGS_TABLE_H
#define ISA_REGS_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct isa_reg {
	const char *name;
	uint32_t address;      /* bytes, as in regs.def */
	uint16_t count, stride; /* of an array; else 1, 4 */
	uint16_t first_field;  /* its fields end where the next register's begin */
};

struct isa_reg_bits {
	const char *reg, *name;
	uint8_t lo, width;
	const char *set;       /* of its values; NULL: a plain number */
};

struct isa_reg_value_row {
	const char *set, *name;
	uint32_t number;
};

extern const struct isa_reg isa_regs[];
extern const size_t isa_reg_count;
extern const struct isa_reg_bits isa_reg_bits[];
extern const size_t isa_reg_bits_count;
extern const struct isa_reg_value_row isa_reg_values[];
extern const size_t isa_reg_value_count;

/* One past the last field of *reg, which is in isa_regs. */
size_t isa_reg_fields_end(const struct isa_reg *reg);

/* The register at a byte address and, for an array, which element it is;
 * NULL if regs.def has none there. */
const struct isa_reg *isa_find_reg(uint32_t address, unsigned *element);

/* Name of a field's value; NULL if it has none. */
const char *isa_value_name(const struct isa_reg_bits *field, uint32_t value);
/* And of a number of any set. */
const char *isa_set_name(const char *set, uint32_t value);

/* VGPRs at the entry of a pixel wave by bit of SPI_PS_INPUT_ENA. */
enum { ISA_PS_INPUTS = 16 };
extern const uint8_t isa_ps_input_vgprs[ISA_PS_INPUTS];

struct isa_packet {
	const char *name;
	uint8_t op;
	uint16_t min, max; /* payload dwords, 0: any */
	/* Names of the payload's dwords, a blank before each; NAME=SET, one with the values of
	 * a set; NAME:PART, the dwords of a part; "...": the last name again, up to the end. */
	const char *names;
};

/* The last has no name. */
struct isa_packet_part {
	const char *name, *names;
};
extern const struct isa_packet_part isa_packet_parts[];

extern const struct isa_packet isa_packets[];
extern const size_t isa_packet_count;

/* NULL if pm4.def has no such opcode. */
const struct isa_packet *isa_find_packet(unsigned op);

#endif
