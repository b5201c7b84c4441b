/* SPDX-License-Identifier: MIT */
/* ELF writer; the layout is the System V ABI's, the numbers of the header are
 * those of LLVM's "User Guide for AMDGPU Backend". */
#include "isa/text/gcn_elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_AMDGPU = 224, OSABI_AMDGPU_PAL = 65 };
enum { SHADER_ALIGN = 256 };
enum { SECTION_NULL, SECTION_TEXT, SECTION_SYMTAB, SECTION_STRTAB, SECTION_SHSTRTAB, SECTION_COUNT };

static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
enum { NAME_TEXT = 1, NAME_SYMTAB = 7, NAME_STRTAB = 15, NAME_SHSTRTAB = 23 };

static size_t align_up(size_t value, size_t to)
{
	return (value + to - 1) & ~(to - 1);
}

static void fill_header(Elf64_Ehdr *h, enum gcn_gen gen, size_t section_offset)
{
	static const uint8_t mach[GCN_GEN_COUNT] = { 0x20, 0x22, 0x2a, 0x2c };
	memset(h, 0, sizeof(*h));
	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_ident[EI_VERSION] = EV_CURRENT;
	h->e_ident[EI_OSABI] = OSABI_AMDGPU_PAL;
	h->e_type = ET_REL;
	h->e_machine = MACHINE_AMDGPU;
	h->e_version = EV_CURRENT;
	h->e_shoff = section_offset;
	h->e_flags = mach[gen];
	h->e_ehsize = sizeof(Elf64_Ehdr);
	h->e_shentsize = sizeof(Elf64_Shdr);
	h->e_shnum = SECTION_COUNT;
	h->e_shstrndx = SECTION_SHSTRTAB;
}

struct layout {
	size_t text, text_size, symtab, symtab_size, locals, strtab, strtab_size, shstrtab, sections, end;
};

static struct layout make_layout(size_t text_size, const struct gcn_elf_symbol *symbols, size_t count)
{
	struct layout l = { .text = align_up(sizeof(Elf64_Ehdr), SHADER_ALIGN), .text_size = text_size,
		.strtab_size = 1 };
	for (size_t i = 0; i < count; i++) {
		l.strtab_size += strlen(symbols[i].name) + 1;
		l.locals += !symbols[i].global;
	}
	l.symtab = align_up(l.text + l.text_size, 8);
	l.symtab_size = (count + 1) * sizeof(Elf64_Sym);
	l.strtab = l.symtab + l.symtab_size;
	l.shstrtab = l.strtab + l.strtab_size;
	l.sections = align_up(l.shstrtab + sizeof(section_names), 8);
	l.end = l.sections + SECTION_COUNT * sizeof(Elf64_Shdr);
	return l;
}

static void fill_sections(Elf64_Shdr *s, const struct layout *l)
{
	s[SECTION_TEXT] = (Elf64_Shdr){ .sh_name = NAME_TEXT, .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_offset = l->text, .sh_size = l->text_size,
		.sh_addralign = SHADER_ALIGN };
	/* sh_info: one past the last local symbol; the null symbol is one. */
	s[SECTION_SYMTAB] = (Elf64_Shdr){ .sh_name = NAME_SYMTAB, .sh_type = SHT_SYMTAB,
		.sh_offset = l->symtab, .sh_size = l->symtab_size, .sh_link = SECTION_STRTAB,
		.sh_info = (Elf64_Word)l->locals + 1, .sh_addralign = 8, .sh_entsize = sizeof(Elf64_Sym) };
	s[SECTION_STRTAB] = (Elf64_Shdr){ .sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB,
		.sh_offset = l->strtab, .sh_size = l->strtab_size, .sh_addralign = 1 };
	s[SECTION_SHSTRTAB] = (Elf64_Shdr){ .sh_name = NAME_SHSTRTAB, .sh_type = SHT_STRTAB,
		.sh_offset = l->shstrtab, .sh_size = sizeof(section_names), .sh_addralign = 1 };
}

/* Local symbols come first, as the ABI wants them. */
static void fill_symbols(uint8_t *file, const struct layout *l, const struct gcn_elf_symbol *symbols, size_t count)
{
	Elf64_Sym *local = (Elf64_Sym *)(file + l->symtab) + 1, *global = local + l->locals;
	size_t name = 1;
	for (size_t i = 0; i < count; i++) {
		const struct gcn_elf_symbol *s = &symbols[i];
		size_t length = strlen(s->name) + 1;
		memcpy(file + l->strtab + name, s->name, length);
		*(s->global ? global++ : local++) = (Elf64_Sym){ .st_name = (Elf64_Word)name,
			.st_info = ELF64_ST_INFO(s->global ? STB_GLOBAL : STB_LOCAL, s->function ? STT_FUNC : STT_NOTYPE),
			.st_shndx = s->absolute ? SHN_ABS : SECTION_TEXT, .st_value = s->value, .st_size = s->size };
		name += length;
	}
}

bool gcn_elf_write_object(FILE *out, enum gcn_gen gen, const void *code, size_t size,
	const struct gcn_elf_symbol *symbols, size_t count)
{
	struct layout l = make_layout(size, symbols, count);
	uint8_t *file = calloc(1, l.end);
	if (!file)
		return false;
	fill_header((Elf64_Ehdr *)file, gen, l.sections);
	if (size)
		memcpy(file + l.text, code, size);
	fill_symbols(file, &l, symbols, count);
	memcpy(file + l.shstrtab, section_names, sizeof(section_names));
	fill_sections((Elf64_Shdr *)(file + l.sections), &l);
	bool ok = fwrite(file, 1, l.end, out) == l.end && !fflush(out);
	free(file);
	return ok;
}

bool gcn_elf_write(FILE *out, const struct gcn_elf_shader *shaders, size_t count)
{
	size_t size = 0;
	for (size_t i = 0; i < count; i++)
		size = align_up(size, SHADER_ALIGN) + 4 * shaders[i].dwords;
	uint8_t *text = calloc(1, size + 1);
	struct gcn_elf_symbol *symbols = calloc(count + 1, sizeof(*symbols));
	bool ok = text && symbols;
	for (size_t i = 0, at = 0; ok && i < count; i++) {
		size_t bytes = 4 * shaders[i].dwords;
		at = align_up(at, SHADER_ALIGN);
		if (bytes)
			memcpy(text + at, shaders[i].code, bytes);
		symbols[i] = (struct gcn_elf_symbol){ .name = shaders[i].name, .value = at, .size = bytes,
			.global = true, .function = true };
		at += bytes;
	}
	ok = ok && gcn_elf_write_object(out, GCN_GFX9, text, size, symbols, count);
	free(text);
	free(symbols);
	return ok;
}
