/* ELF writer; the layout is the System V ABI's, the numbers of the header are
 * those of LLVM's "User Guide for AMDGPU Backend". */
#include "isa/gcn_elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { MACHINE_AMDGPU = 224, OSABI_AMDGPU_PAL = 65, FLAGS_MACH_GFX900 = 0x2c };
enum { SHADER_ALIGN = 256 };
enum { SECTION_NULL, SECTION_TEXT, SECTION_SYMTAB, SECTION_STRTAB, SECTION_SHSTRTAB, SECTION_COUNT };

static const char section_names[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
enum { NAME_TEXT = 1, NAME_SYMTAB = 7, NAME_STRTAB = 15, NAME_SHSTRTAB = 23 };

static size_t align_up(size_t value, size_t to)
{
	return (value + to - 1) & ~(to - 1);
}

static void fill_header(Elf64_Ehdr *h, size_t section_offset)
{
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
	h->e_flags = FLAGS_MACH_GFX900;
	h->e_ehsize = sizeof(Elf64_Ehdr);
	h->e_shentsize = sizeof(Elf64_Shdr);
	h->e_shnum = SECTION_COUNT;
	h->e_shstrndx = SECTION_SHSTRTAB;
}

struct layout {
	size_t text, text_size, symtab, symtab_size, strtab, strtab_size, shstrtab, sections, end;
};

static struct layout make_layout(const struct gcn_elf_shader *shaders, size_t count)
{
	struct layout l = { .text = align_up(sizeof(Elf64_Ehdr), SHADER_ALIGN), .strtab_size = 1 };
	for (size_t i = 0; i < count; i++) {
		l.text_size = align_up(l.text_size, SHADER_ALIGN) + 4 * shaders[i].dwords;
		l.strtab_size += strlen(shaders[i].name) + 1;
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
	/* sh_info: one past the last local symbol, which is the null symbol. */
	s[SECTION_SYMTAB] = (Elf64_Shdr){ .sh_name = NAME_SYMTAB, .sh_type = SHT_SYMTAB,
		.sh_offset = l->symtab, .sh_size = l->symtab_size, .sh_link = SECTION_STRTAB,
		.sh_info = 1, .sh_addralign = 8, .sh_entsize = sizeof(Elf64_Sym) };
	s[SECTION_STRTAB] = (Elf64_Shdr){ .sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB,
		.sh_offset = l->strtab, .sh_size = l->strtab_size, .sh_addralign = 1 };
	s[SECTION_SHSTRTAB] = (Elf64_Shdr){ .sh_name = NAME_SHSTRTAB, .sh_type = SHT_STRTAB,
		.sh_offset = l->shstrtab, .sh_size = sizeof(section_names), .sh_addralign = 1 };
}

bool gcn_elf_write(FILE *out, const struct gcn_elf_shader *shaders, size_t count)
{
	struct layout l = make_layout(shaders, count);
	uint8_t *file = calloc(1, l.end);
	if (!file)
		return false;
	fill_header((Elf64_Ehdr *)file, l.sections);
	Elf64_Sym *symbols = (Elf64_Sym *)(file + l.symtab);
	size_t text = 0, name = 1;
	for (size_t i = 0; i < count; i++) {
		size_t bytes = 4 * shaders[i].dwords, length = strlen(shaders[i].name) + 1;
		text = align_up(text, SHADER_ALIGN);
		if (bytes)
			memcpy(file + l.text + text, shaders[i].code, bytes);
		memcpy(file + l.strtab + name, shaders[i].name, length);
		symbols[i + 1] = (Elf64_Sym){ .st_name = (Elf64_Word)name,
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = SECTION_TEXT,
			.st_value = text, .st_size = bytes };
		text += bytes;
		name += length;
	}
	memcpy(file + l.shstrtab, section_names, sizeof(section_names));
	fill_sections((Elf64_Shdr *)(file + l.sections), &l);
	bool ok = fwrite(file, 1, l.end, out) == l.end && !fflush(out);
	free(file);
	return ok;
}
