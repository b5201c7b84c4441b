/* SPDX-License-Identifier: MIT */
/* Names for translated code, see jit_symbols.h.
 *
 * The debugger's interface is a list with one head in the process, found by
 * its name, and a function that the debugger stops in when the list changes.
 * Both are the only mutable globals of this library; the interface leaves no
 * choice.  Each entry points at an ELF file in memory: here one with a .text
 * section that has an address but no content, and one function symbol. */
#define _GNU_SOURCE
#include "core/jit/jit_symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct jit_code_entry {
	struct jit_code_entry *next_entry, *prev_entry;
	const char *symfile_addr;
	uint64_t symfile_size;
};
struct jit_descriptor {
	uint32_t version, action_flag;
	struct jit_code_entry *relevant_entry, *first_entry;
};
enum { JIT_NOACTION, JIT_REGISTER_FN, JIT_UNREGISTER_FN };

/* Names and layout are the debugger's. */
extern struct jit_descriptor __jit_debug_descriptor;
extern void __jit_debug_register_code(void);
struct jit_descriptor __jit_debug_descriptor = { .version = 1 };
__attribute__((noinline, used)) void __jit_debug_register_code(void)
{
	__asm__ volatile("" ::: "memory");
}
static pthread_mutex_t descriptor_lock = PTHREAD_MUTEX_INITIALIZER;

struct cu_symbols {
	int map; /* file descriptor of the perf map, -1 without */
};

enum { SEC_NULL, SEC_TEXT, SEC_SYMTAB, SEC_STRTAB, SECTIONS };
static const char section_names[] = "\0.text\0.symtab\0.strtab";
enum { NAME_TEXT = 1, NAME_SYMTAB = 7, NAME_STRTAB = 15 };

struct elf_image {
	Elf64_Ehdr file;
	Elf64_Shdr section[SECTIONS];
	Elf64_Sym symbol[2];
	char strings[sizeof(section_names) + 64]; /* of sections, then the symbol's */
};

struct cu_symbol {
	struct jit_code_entry entry;
	struct elf_image image;
};

static void fill_image(struct elf_image *e, const char *name, const void *code, size_t bytes)
{
	*e = (struct elf_image){
		.file = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			.e_entry = (uintptr_t)code, .e_shoff = offsetof(struct elf_image, section),
			.e_ehsize = sizeof(Elf64_Ehdr), .e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = SECTIONS, .e_shstrndx = SEC_STRTAB,
		},
		.section = {
			[SEC_TEXT] = { .sh_name = NAME_TEXT, .sh_type = SHT_NOBITS,
				.sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = (uintptr_t)code,
				.sh_offset = sizeof(Elf64_Ehdr), .sh_size = bytes, .sh_addralign = 64 },
			[SEC_SYMTAB] = { .sh_name = NAME_SYMTAB, .sh_type = SHT_SYMTAB,
				.sh_offset = offsetof(struct elf_image, symbol), .sh_size = sizeof(e->symbol),
				.sh_link = SEC_STRTAB, .sh_info = 1, .sh_addralign = 8,
				.sh_entsize = sizeof(Elf64_Sym) },
			[SEC_STRTAB] = { .sh_name = NAME_STRTAB, .sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct elf_image, strings), .sh_size = sizeof(e->strings),
				.sh_addralign = 1 },
		},
		.symbol[1] = { .st_name = sizeof(section_names),
			.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = SEC_TEXT,
			.st_value = (uintptr_t)code, .st_size = bytes },
	};
	memcpy(e->strings, section_names, sizeof(section_names));
	snprintf(e->strings + sizeof(section_names), sizeof(e->strings) - sizeof(section_names), "%s", name);
}

struct cu_symbols *cu_symbols_create(bool perf_map)
{
	struct cu_symbols *s = malloc(sizeof(*s));
	if (!s)
		return NULL;
	s->map = -1;
	if (perf_map) {
		char path[64];
		snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
		/* O_NOFOLLOW: the directory is everybody's. */
		s->map = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	}
	return s;
}

void cu_symbols_destroy(struct cu_symbols *s)
{
	if (!s)
		return;
	if (s->map >= 0)
		close(s->map);
	free(s);
}

/* One line, one write: lines of several threads and devices do not mix. */
static void append_to_map(int fd, const char *name, const void *code, size_t bytes)
{
	char line[160];
	int n = snprintf(line, sizeof(line), "%lx %zx %.90s\n", (unsigned long)(uintptr_t)code, bytes, name);
	if (n > 0 && write(fd, line, (size_t)n) != n)
		return; /* a profile without this name */
}

struct cu_symbol *cu_symbol_add(struct cu_symbols *s, const char *name, const void *entry,
	size_t bytes)
{
	struct cu_symbol *symbol = malloc(sizeof(*symbol));
	if (!symbol)
		return NULL;
	fill_image(&symbol->image, name, entry, bytes);
	struct jit_code_entry *e = &symbol->entry;
	e->symfile_addr = (const char *)&symbol->image;
	e->symfile_size = sizeof(symbol->image);
	e->prev_entry = NULL;
	struct jit_descriptor *d = &__jit_debug_descriptor;
	pthread_mutex_lock(&descriptor_lock);
	e->next_entry = d->first_entry;
	if (d->first_entry)
		d->first_entry->prev_entry = e;
	d->first_entry = e;
	d->relevant_entry = e;
	d->action_flag = JIT_REGISTER_FN;
	__jit_debug_register_code();
	pthread_mutex_unlock(&descriptor_lock);
	if (s->map >= 0)
		append_to_map(s->map, name, entry, bytes);
	return symbol;
}

void cu_symbol_remove(struct cu_symbol *symbol)
{
	if (!symbol)
		return;
	struct jit_code_entry *e = &symbol->entry;
	struct jit_descriptor *d = &__jit_debug_descriptor;
	pthread_mutex_lock(&descriptor_lock);
	if (e->prev_entry)
		e->prev_entry->next_entry = e->next_entry;
	else
		d->first_entry = e->next_entry;
	if (e->next_entry)
		e->next_entry->prev_entry = e->prev_entry;
	d->relevant_entry = e;
	d->action_flag = JIT_UNREGISTER_FN;
	__jit_debug_register_code();
	pthread_mutex_unlock(&descriptor_lock);
	free(symbol);
}
