/* SPDX-License-Identifier: MIT */
/* Private to the assembler: what its files share.
 *
 * The text is read statement by statement.  A place in it is a struct
 * asm_lexer, which may be copied: an expression whose symbols are not known
 * yet is kept as the place where it begins and read again at the end. */
#ifndef ISA_TEXT_GCN_ASM_PRIV_H
#define ISA_TEXT_GCN_ASM_PRIV_H

#include "isa/gcn_forms.h"
#include "isa/text/gcn_asm.h"

/* --- tokens (gcn_asm_lex.c) --- */

enum asm_token_kind {
	ASM_EOF, ASM_END, /* end of the text, of a statement */
	ASM_IDENT, ASM_INT, ASM_FLOAT, ASM_STRING,
	ASM_LOCAL, /* 1f, 1b: value is the number, forward tells which */
	ASM_PUNCT, /* punct: the character, or two of them: '<' << 8 | '<' */
	ASM_BAD,   /* why says what is wrong */
};

struct asm_token {
	uint8_t kind;
	bool forward, overflow; /* overflow: an integer above 64 bits */
	uint16_t punct;
	const char *text, *why;
	unsigned length, line, column;
	uint64_t value;
	double number;
};

struct asm_lexer {
	const char *at, *line_start;
	unsigned line;
	bool statement_start; /* where '#' begins a comment */
	struct asm_token token; /* the current one */
};

#define ASM_PAIR(a, b) ((uint16_t)((a) << 8 | (b)))

void asm_lexer_init(struct asm_lexer *lexer, const char *text);
void asm_next(struct asm_lexer *lexer);
bool asm_is(const struct asm_lexer *lexer, unsigned punct);
bool asm_is_name(const struct asm_lexer *lexer, const char *name);
bool asm_skip(struct asm_lexer *lexer, unsigned punct); /* true: it was there */
bool asm_at_end(const struct asm_lexer *lexer);         /* of the statement */

/* --- symbols and expressions (gcn_asm_expr.c) --- */

/* v + base * (address of .text), or not known yet. */
struct asm_value {
	int64_t v;
	int base;
	bool unknown, label; /* label: there is one in it */
	bool pcrel; /* as a literal, relative to its own place */
};

struct asm_symbol {
	const char *name;
	unsigned length;
	bool defined, label, global, busy, kept; /* busy: being evaluated */
	struct asm_value value;
	struct asm_lexer later; /* where the expression of an unknown value is */
};

struct asm_local_label { uint64_t number, offset; unsigned statement; };

enum asm_fixup_kind { ASM_FIX_BRANCH, ASM_FIX_LITERAL, ASM_FIX_DATA };

struct asm_fixup {
	uint8_t kind, size;
	uint64_t offset, here; /* of the bytes to write; the value of "." */
	unsigned statement;
	struct asm_lexer where; /* at the expression */
};

struct asm_ctx {
	enum gcn_gen gen;
	struct asm_lexer lx;
	struct gcn_asm_result *out;
	size_t code_limit, line_limit, error_limit; /* allocated, in elements */
	struct asm_symbol *symbols;
	size_t symbol_count, symbol_limit;
	uint32_t *hash; /* of symbols: index + 1 */
	size_t hash_size;
	struct asm_local_label *locals;
	size_t local_count, local_limit;
	struct asm_fixup *fixups;
	size_t fixup_count, fixup_limit;
	uint64_t here;      /* the value of "." */
	unsigned statement; /* number of the current one */
	unsigned depth;     /* of nested expressions */
	bool failed, no_memory, final; /* final: labels all have their place */
};

/* Grows *array to hold one more element; false: no memory, ctx says so. */
bool asm_grow(struct asm_ctx *ctx, void *array, size_t *limit, size_t count, size_t element);

/* Reports at a token, once for a statement.  Always returns false. */
__attribute__((format(printf, 4, 5)))
bool asm_error(struct asm_ctx *ctx, const struct asm_token *at, const char *expected, const char *format, ...);
/* "unexpected ..." at the current token. */
bool asm_expected(struct asm_ctx *ctx, const char *what);
bool asm_want(struct asm_ctx *ctx, unsigned punct); /* skips it or reports */

struct asm_symbol *asm_find_symbol(struct asm_ctx *ctx, const char *name, unsigned length, bool create);
bool asm_define_label(struct asm_ctx *ctx, const struct asm_token *name);
bool asm_define_local(struct asm_ctx *ctx, const struct asm_token *number);
/* The statement's expression becomes the symbol's value. */
bool asm_define_value(struct asm_ctx *ctx, const struct asm_token *name);

bool asm_expression(struct asm_ctx *ctx, struct asm_value *value);
bool asm_primary(struct asm_ctx *ctx, struct asm_value *value); /* what |..| may hold */
/* An expression that is known now and no address. */
bool asm_absolute(struct asm_ctx *ctx, int64_t *value);
/* The same within low..high; what names it in the error. */
bool asm_in_range(struct asm_ctx *ctx, const char *what, int64_t low, int64_t high, int64_t *value);

/* --- operands (gcn_asm_operand.c) --- */

enum asm_operand_kind { ASM_OP_REG, ASM_OP_INT, ASM_OP_FLOAT, ASM_OP_LATER, ASM_OP_OFF };

struct asm_operand {
	uint8_t kind;
	bool neg, abs, sext;
	uint16_t code;  /* of a register, in the source space */
	uint16_t dw;    /* its width; aperture and flag registers fit both widths: 0 */
	int64_t value;
	double number;
	struct asm_token token; /* where it begins */
	struct asm_lexer where; /* of the expression */
};

bool asm_operand(struct asm_ctx *ctx, struct asm_operand *operand);
/* True and the register if one begins here, else nothing is read.  An error
 * in it is reported and sets *bad. */
bool asm_register(struct asm_ctx *ctx, struct asm_operand *operand, bool *bad);

/* --- constants (gcn_asm_const.c) --- */

enum asm_type { ASM_I16, ASM_F16, ASM_V2I16, ASM_V2F16, ASM_I32, ASM_F32, ASM_I64, ASM_F64 };

enum asm_type asm_operand_type(const struct gcn_op_info *info, unsigned source);
/* A number as the source space's code (GCN_SRC_LITERAL: with *literal).  fold:
 * abs and neg become part of it.  NULL or why it has none. */
const char *asm_constant(enum gcn_gen gen, const struct asm_operand *operand, enum asm_type type,
	bool fold, uint16_t *code, uint32_t *literal);

/* --- instructions --- */

enum { ASM_MAX_OPERANDS = 6 };

/* A statement as read, before an encoding is chosen. */
struct asm_inst {
	struct gcn_form forms[GCN_MAX_FORMS]; /* that the mnemonic means */
	unsigned form_count;
	struct asm_token mnemonic;
	struct asm_operand operand[ASM_MAX_OPERANDS];
	unsigned count;
	struct gcn_inst fields; /* modifiers, attributes, targets: straight into the record */
	uint64_t seen;          /* modifiers that were there, by row of gcn_asm_mods.c */
	struct asm_token mod_token[64];
	struct asm_lexer branch; /* the target's expression, if it is to be resolved */
	bool has_branch;
};

/* gcn_asm_mods.c: reads one modifier.  *is_mod false: there is none here. */
bool asm_modifier(struct asm_ctx *ctx, struct asm_inst *inst, bool *is_mod);
/* Whether the form takes all modifiers that were there. */
bool asm_check_mods(struct asm_ctx *ctx, const struct asm_inst *inst, const struct gcn_form *form, bool report);
/* The form that the modifiers ask for. */
enum gcn_sub asm_seen_sub(const struct asm_inst *inst);

/* gcn_asm_func.c, gcn_asm_name.c: operands that are written as functions and names. */
bool asm_waitcnt(struct asm_ctx *ctx, int32_t *imm);
bool asm_hwreg(struct asm_ctx *ctx, int32_t *imm);
bool asm_sendmsg(struct asm_ctx *ctx, int32_t *imm);
bool asm_gpr_idx(struct asm_ctx *ctx, int32_t *imm);
bool asm_swizzle(struct asm_ctx *ctx, int32_t *offset);
bool asm_format(struct asm_ctx *ctx, struct gcn_inst *fields);
bool asm_exp_target(struct asm_ctx *ctx, struct gcn_inst *fields);
bool asm_attribute(struct asm_ctx *ctx, struct gcn_inst *fields);
bool asm_interp_slot(struct asm_ctx *ctx, uint16_t *code);

/* gcn_asm_match.c: fills and encodes one form.  report: errors are reported,
 * else they only make it false.  *later: the operand whose value the last
 * dword, a literal, is to get; NULL if it is complete. */
bool asm_match(struct asm_ctx *ctx, const struct asm_inst *inst, const struct gcn_form *form, bool report,
	struct gcn_inst *out, uint32_t words[4], unsigned *count, const struct asm_operand **later);

/* gcn_asm_inst.c, gcn_asm_directive.c: one statement each. */
bool asm_instruction(struct asm_ctx *ctx);
bool asm_directive(struct asm_ctx *ctx);

/* gcn_asm.c */
bool asm_emit(struct asm_ctx *ctx, const void *bytes, size_t size);
bool asm_add_fixup(struct asm_ctx *ctx, enum asm_fixup_kind kind, unsigned size, uint64_t offset,
	const struct asm_lexer *where);
const char *asm_gen_name(enum gcn_gen gen);

#endif
