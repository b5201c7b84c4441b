/* SPDX-License-Identifier: MIT */
/* Machine code as an AMDGPU ELF file, for llvm-objdump and other tools. */
#ifndef ISA_TEXT_GCN_ELF_H
#define ISA_TEXT_GCN_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "isa/gcn.h"

struct gcn_elf_shader {
	const char *name;     /* of the symbol, not empty */
	const uint32_t *code; /* gfx900 */
	size_t dwords;
};

/* Writes a relocatable ELF64 (EM_AMDGPU, OSABI AMDGPU_PAL, gfx900) whose .text
 * holds the shaders, each at a multiple of 256 bytes with a function symbol.
 * False when memory is short or writing fails. */
bool gcn_elf_write(FILE *out, const struct gcn_elf_shader *shaders, size_t count);

struct gcn_elf_symbol {
	const char *name;
	uint64_t value;
	uint64_t size;
	bool absolute; /* a number; else an offset in .text */
	bool global, function;
};

/* The same file with one piece of code of any generation and these symbols. */
bool gcn_elf_write_object(FILE *out, enum gcn_gen gen, const void *code, size_t size,
	const struct gcn_elf_symbol *symbols, size_t count);

/* What a disassembler needs of an ELF file; it points into the file. */
struct gcn_elf_view {
	enum gcn_gen gen;
	const uint8_t *code; /* .text */
	size_t size;
	struct gcn_elf_symbol *symbols; /* named ones of .text, sorted by value; free() them */
	size_t symbol_count;
};

/* True if the bytes begin as an ELF file does. */
bool gcn_elf_is(const void *file, size_t size);
/* Reads an ELF64 of AMDGPU, ours or LLVM's; NULL or why it cannot be read. */
const char *gcn_elf_read(const void *file, size_t size, struct gcn_elf_view *view);

#endif
