/* SPDX-License-Identifier: MIT */
/* Private to isa/: names of what immediates hold, for assembler and
 * disassembler: hardware registers, messages, swizzle patterns, formats. */
#ifndef ISA_TEXT_GCN_NAMES_H
#define ISA_TEXT_GCN_NAMES_H

#include "isa/gcn.h"

/* A table ends with a row without a name. */
struct isa_name { const char *name; uint8_t value, gens; /* GCN_IN_* */ };

extern const struct isa_name isa_hwregs[], isa_messages[], isa_gs_operations[], isa_system_operations[],
	isa_gpr_idx_modes[], isa_data_formats[], isa_num_formats[];

/* NULL where the generation has no name for the value. */
const char *isa_name_of(const struct isa_name *table, enum gcn_gen gen, unsigned value);

/* Why a message does not have this operation or stream; NULL if it has. */
const char *isa_check_message(unsigned message, unsigned operation, bool has_operation, bool has_stream);

/* The operand's text, without a blank before it: names where the immediate is
 * exactly what they mean, else its number. */
enum { ISA_IMM_TEXT = 96 };
void isa_hwreg_text(enum gcn_gen gen, uint16_t imm, char text[ISA_IMM_TEXT]);
void isa_message_text(enum gcn_gen gen, uint16_t imm, char text[ISA_IMM_TEXT]);
void isa_gpr_idx_text(uint16_t imm, char text[ISA_IMM_TEXT]);
void isa_swizzle_text(uint16_t offset, char text[ISA_IMM_TEXT]);
void isa_format_text(enum gcn_gen gen, unsigned dfmt, unsigned nfmt, char text[ISA_IMM_TEXT]);

/* A bit-mode swizzle: lane = ((lane & and) | or) ^ xor in groups of 32. */
static inline uint16_t isa_swizzle_bits(unsigned and_mask, unsigned or_mask, unsigned xor_mask)
{
	return (uint16_t)(and_mask | or_mask << 5 | xor_mask << 10);
}

#endif
