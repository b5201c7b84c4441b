/* Machine code as an AMDGPU ELF file, for llvm-objdump and other tools. */
#ifndef ISA_GCN_ELF_H
#define ISA_GCN_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct gcn_elf_shader {
	const char *name;     /* of the symbol, not empty */
	const uint32_t *code; /* gfx900 */
	size_t dwords;
};

/* Writes a relocatable ELF64 (EM_AMDGPU, OSABI AMDGPU_PAL, gfx900) whose .text
 * holds the shaders, each at a multiple of 256 bytes with a function symbol.
 * False when memory is short or writing fails. */
bool gcn_elf_write(FILE *out, const struct gcn_elf_shader *shaders, size_t count);

#endif
