/* SPDX-License-Identifier: MIT */
/* ELF reader for the disassembler: .text and its symbols.  The file is not
 * trusted: every offset is checked against its size, and headers are copied,
 * for they may lie at any address. */
#include "isa/text/gcn_elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_AMDGPU = 224, MACH_MASK = 0xff };

struct reader {
	const uint8_t *file;
	size_t size;
	Elf64_Ehdr header;
};

static bool inside(const struct reader *r, uint64_t offset, uint64_t size)
{
	return offset <= r->size && size <= r->size - offset;
}

static bool section(const struct reader *r, unsigned index, Elf64_Shdr *s)
{
	uint64_t offset = r->header.e_shoff + (uint64_t)index * sizeof(*s);
	if (index >= r->header.e_shnum || r->header.e_shoff > r->size || !inside(r, offset, sizeof(*s)))
		return false;
	memcpy(s, r->file + offset, sizeof(*s));
	return s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL || inside(r, s->sh_offset, s->sh_size);
}

/* A string of a table; "" if it does not end within it. */
static const char *string(const struct reader *r, const Elf64_Shdr *table, uint64_t at)
{
	if (at >= table->sh_size || !memchr(r->file + table->sh_offset + at, 0, table->sh_size - at))
		return "";
	return (const char *)r->file + table->sh_offset + at;
}

/* LLVM's EF_AMDGPU_MACH: those of the processors that gcn_find_cpu knows. */
static bool generation(uint32_t flags, enum gcn_gen *gen)
{
	switch (flags & MACH_MASK) {
	case 0x20: case 0x21: case 0x3a: *gen = GCN_GFX6; return true;
	case 0x22: case 0x23: case 0x24: case 0x25: case 0x26: *gen = GCN_GFX7; return true;
	case 0x29: case 0x2a: *gen = GCN_GFX8; return true;
	case 0x2c: *gen = GCN_GFX9; return true;
	default: return false;
	}
}

static int by_value(const void *a, const void *b)
{
	const struct gcn_elf_symbol *x = a, *y = b;
	return (x->value > y->value) - (x->value < y->value);
}

static const char *read_symbols(const struct reader *r, const Elf64_Shdr *table, unsigned text, struct gcn_elf_view *view)
{
	Elf64_Shdr names;
	size_t count = table->sh_size / sizeof(Elf64_Sym);
	if (!section(r, table->sh_link, &names) || names.sh_type != SHT_STRTAB)
		return "the symbols have no names";
	view->symbols = calloc(count + 1, sizeof(*view->symbols));
	if (!view->symbols)
		return "out of memory";
	for (size_t i = 0; i < count; i++) {
		Elf64_Sym s;
		memcpy(&s, r->file + table->sh_offset + i * sizeof(s), sizeof(s));
		const char *name = string(r, &names, s.st_name);
		unsigned type = ELF64_ST_TYPE(s.st_info);
		if (s.st_shndx != text || !*name || type == STT_SECTION || type == STT_FILE)
			continue;
		view->symbols[view->symbol_count++] = (struct gcn_elf_symbol){ .name = name, .value = s.st_value,
			.size = s.st_size, .global = ELF64_ST_BIND(s.st_info) == STB_GLOBAL, .function = type == STT_FUNC };
	}
	qsort(view->symbols, view->symbol_count, sizeof(*view->symbols), by_value);
	return NULL;
}

bool gcn_elf_is(const void *file, size_t size)
{
	return size >= SELFMAG && !memcmp(file, ELFMAG, SELFMAG);
}

const char *gcn_elf_read(const void *file, size_t size, struct gcn_elf_view *view)
{
	struct reader r = { .file = file, .size = size };
	Elf64_Shdr names, s, symbols = { 0 };
	unsigned text = 0;
	memset(view, 0, sizeof(*view));
	if (size < sizeof(r.header))
		return "the header is cut off";
	memcpy(&r.header, file, sizeof(r.header));
	if (r.header.e_ident[EI_CLASS] != ELFCLASS64 || r.header.e_ident[EI_DATA] != ELFDATA2LSB ||
			r.header.e_machine != MACHINE_AMDGPU)
		return "no 64-bit file of AMDGPU";
	if (!generation(r.header.e_flags, &view->gen))
		return "the code is for a processor that is not known";
	if (!section(&r, r.header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
		return "the sections have no names";
	for (unsigned i = 1; i < r.header.e_shnum; i++) {
		if (!section(&r, i, &s))
			return "a section lies outside of the file";
		if (s.sh_type == SHT_SYMTAB)
			symbols = s;
		if (!text && s.sh_type == SHT_PROGBITS && !strcmp(string(&r, &names, s.sh_name), ".text")) {
			text = i;
			view->code = r.file + s.sh_offset;
			view->size = s.sh_size;
		}
	}
	if (!text)
		return "there is no .text";
	return symbols.sh_type ? read_symbols(&r, &symbols, text, view) : NULL;
}
