/* SPDX-License-Identifier: MIT */
/* Disassembler: one instruction as text. */
#ifndef ISA_TEXT_GCN_DISASM_H
#define ISA_TEXT_GCN_DISASM_H

#include <stddef.h>
#include <stdint.h>
#include "isa/gcn_operand.h"

struct gcn_inst;

/* LLVM syntax; pc is the instruction's byte offset, for branch targets.
 * Returns the length that was or would be written, as snprintf does. */
int gcn_disasm(enum gcn_gen gen, const struct gcn_inst *in, uint64_t pc, char *buf, size_t size);

#endif
