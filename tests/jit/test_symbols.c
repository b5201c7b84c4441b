/* SPDX-License-Identifier: MIT */
/* Names of translated code: the debugger's list holds each piece as an ELF
 * file whose one function has the right name, address and size; the perf map
 * has its line; removed names leave the list.  With an argument: stops (for a
 * debugger) inside a named piece, see check_gdb.py. */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core/jit/jit_exec_mem.h"
#include "core/jit/jit_symbols.h"

struct entry { struct entry *next, *prev; const char *file; uint64_t bytes; };
extern struct { uint32_t version, action; struct entry *relevant, *first; } __jit_debug_descriptor;

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "failed: %s\n", what);
		exit(1);
	}
}

static void check_entry(const struct entry *e, const char *name, uintptr_t at, size_t bytes)
{
	Elf64_Ehdr file;
	Elf64_Shdr section;
	Elf64_Sym symbol;
	check(e && e->bytes >= sizeof(file), "an entry");
	memcpy(&file, e->file, sizeof(file));
	check(!memcmp(file.e_ident, ELFMAG, SELFMAG), "it is an ELF file");
	for (unsigned i = 0; i < file.e_shnum; i++) {
		memcpy(&section, e->file + file.e_shoff + i * sizeof(section), sizeof(section));
		if (section.sh_type != SHT_SYMTAB)
			continue;
		memcpy(&symbol, e->file + section.sh_offset + sizeof(symbol), sizeof(symbol));
		memcpy(&section, e->file + file.e_shoff + section.sh_link * sizeof(section), sizeof(section));
		check(!strcmp(e->file + section.sh_offset + symbol.st_name, name), "name");
		check(symbol.st_value == at && symbol.st_size == bytes, "address and size");
		return;
	}
	check(0, "a symbol table");
}

static void check_map(const char *name, uintptr_t at, size_t bytes)
{
	char path[64], line[256], want[256];
	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
	snprintf(want, sizeof(want), "%lx %zx %s\n", (unsigned long)at, bytes, name);
	FILE *f = fopen(path, "r");
	check(f != NULL, "a perf map");
	int found = 0;
	while (fgets(line, sizeof(line), f))
		found |= !strcmp(line, want);
	fclose(f);
	unlink(path);
	check(found, "its line in the perf map");
}

int main(int argc, char **argv)
{
	/* [int3,] mov eax, 7; ret */
	static const uint8_t code[] = { 0xcc, 0xb8, 7, 0, 0, 0, 0xc3 };
	int stop = argc > 1 && !strcmp(argv[1], "stop");
	struct cu_exec_heap *heap = cu_exec_heap_create(0);
	struct cu_symbols *symbols = cu_symbols_create(!stop);
	check(heap && symbols, "memory");
	void *a = cu_exec_publish(heap, code + !stop, sizeof(code) - !stop);
	void *b = cu_exec_publish(heap, code + 1, sizeof(code) - 1);
	if (!a || !b)
		return puts("skipped: no executable memory here"), 0;
	struct cu_symbol *sa = cu_symbol_add(symbols, "quadwave_test_a", a, sizeof(code) - !stop);
	struct cu_symbol *sb = cu_symbol_add(symbols, "quadwave_test_b", b, sizeof(code) - 1);
	check(sa && sb, "symbols");
	int (*fn)(void);
	memcpy(&fn, &a, sizeof(fn));
	check(fn() == 7, "the code runs");
	check(__jit_debug_descriptor.version == 1, "version");
	check_entry(__jit_debug_descriptor.first, "quadwave_test_b", (uintptr_t)b, sizeof(code) - 1);
	check_entry(__jit_debug_descriptor.first->next, "quadwave_test_a", (uintptr_t)a, sizeof(code) - !stop);
	if (!stop) {
		check_map("quadwave_test_a", (uintptr_t)a, sizeof(code) - 1);
	}
	cu_symbol_remove(sb);
	check_entry(__jit_debug_descriptor.first, "quadwave_test_a", (uintptr_t)a, sizeof(code) - !stop);
	cu_symbol_remove(sa);
	check(!__jit_debug_descriptor.first, "an empty list");
	cu_exec_release(heap, a);
	cu_exec_release(heap, b);
	cu_symbols_destroy(symbols);
	cu_exec_heap_destroy(heap);
	return 0;
}
