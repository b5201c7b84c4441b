/* SPDX-License-Identifier: MIT */
/* Private to the assembler: matching a statement against one encoding.
 *
 * A place of an encoding takes some kinds of operands of one width; which
 * places a format has, in the order of the text, is in the asm_fill_*
 * functions. */
#ifndef ISA_TEXT_GCN_ASM_MATCH_PRIV_H
#define ISA_TEXT_GCN_ASM_MATCH_PRIV_H

#include "isa/text/gcn_asm_priv.h"

/* Kinds of operands. */
enum {
	TAKES_VGPR = 1, TAKES_SGPR = 2, TAKES_CONST = 4, TAKES_LITERAL = 8, TAKES_OFF = 16,
	TAKES_SCALAR = TAKES_SGPR | TAKES_CONST | TAKES_LITERAL,
};

struct asm_match {
	struct asm_ctx *ctx;
	const struct asm_inst *inst;
	const struct gcn_op_info *info;
	uint64_t modifiers; /* that the form takes */
	struct gcn_inst *out;
	unsigned next; /* operand */
	bool report, has_literal;
	const struct asm_operand *later; /* whose value the literal is to get */
};

#define REFUSE(m, at, expected, ...) \
	((m)->report ? asm_error((m)->ctx, at, expected, __VA_ARGS__) : false)

/* Takes the next operand.  source: its number among the sources, 9 of a
 * destination and of what has no type. */
bool asm_take(struct asm_match *m, unsigned takes, unsigned dw, unsigned source, uint16_t *member);

/* Makes `value` the literal of the instruction; only one fits. */
bool asm_set_literal(struct asm_match *m, const struct asm_operand *o, uint32_t value, uint16_t *member);

/* gcn_asm_memory.c */
bool asm_fill_smem(struct asm_match *m);
bool asm_fill_ds(struct asm_match *m);
bool asm_fill_buffer(struct asm_match *m);
bool asm_fill_mimg(struct asm_match *m);
bool asm_fill_exp(struct asm_match *m);
bool asm_fill_flat(struct asm_match *m);

#endif
