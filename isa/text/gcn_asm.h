/* SPDX-License-Identifier: MIT */
/* Assembler: text in LLVM's syntax into GCN machine code of one generation.
 *
 *   struct gcn_asm_result r;
 *   if (!gcn_asm(GCN_GFX9, text, &r))
 *       for (size_t i = 0; i < r.error_count; i++) ... r.errors[i] ...
 *   gcn_asm_free(&r);
 *
 * One section, .text at address 0; labels are byte offsets in it.  A symbol
 * that is not defined anywhere in the text is an error: there is no linker. */
#ifndef ISA_TEXT_GCN_ASM_H
#define ISA_TEXT_GCN_ASM_H

#include "isa/gcn.h"

/* Line and column count from 1; columns are bytes. */
struct gcn_asm_error {
	unsigned line, column;
	char what[160];     /* one sentence without a full stop */
	char found[48];     /* the text at that place, "" where it says nothing */
	char expected[160]; /* what would have been accepted, "" where unknown */
};

struct gcn_asm_symbol {
	char *name;
	int64_t value; /* of a label: its byte offset */
	bool label;    /* else from .set or = */
	bool global;   /* named by .globl */
};

struct gcn_asm_result {
	uint32_t *code;  /* `dwords` long, zero beyond `size` */
	size_t size;     /* in bytes; a multiple of 4 unless data directives say otherwise */
	size_t dwords;
	uint32_t *lines; /* of each dword: the source line that it comes from */
	struct gcn_asm_symbol *symbols; /* in order of definition; no numeric labels */
	size_t symbol_count;
	struct gcn_asm_error *errors; /* at most 100, in order of their lines */
	size_t error_count;
};

/* Assembles the NUL-terminated text.  True if there was no error; after an
 * error the code is absent (NULL, 0).  *out is always to be freed.  When
 * memory runs out, false with one error, or with none if even that failed. */
bool gcn_asm(enum gcn_gen gen, const char *text, struct gcn_asm_result *out);
void gcn_asm_free(struct gcn_asm_result *result);

/* The symbol of that name, NULL if there is none. */
const struct gcn_asm_symbol *gcn_asm_find_symbol(const struct gcn_asm_result *result, const char *name);

/* "FILE:LINE:COLUMN: error: WHAT; found FOUND; expected EXPECTED", as snprintf. */
int gcn_asm_format_error(const struct gcn_asm_error *error, const char *file, char *buf, size_t size);

/* The generation of a processor's name as LLVM knows it: gfx600, tahiti,
 * bonaire, gfx803, fiji, gfx900 ...; false if it is none of gfx6 to gfx9's
 * Vega 10, whose code this project has. */
bool gcn_find_cpu(const char *name, enum gcn_gen *gen);

#endif
