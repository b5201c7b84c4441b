/* SPDX-License-Identifier: MIT */
#include "bench/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/vkhelp.h"

enum { MAPPINGS = 512, FILES = 128 };

struct function {
	uint64_t at, size;
	const char *name, *source; /* source: "" where the table does not say */
};

struct file {
	char path[256];
	const uint8_t *bytes; /* mapped whole; NULL: cannot be read */
	size_t size;
	struct function *function; /* by address */
	size_t functions;
	bool stripped;
};

struct mapping {
	uint64_t from, to, offset;
	int file;
};

struct symbols {
	struct file file[FILES];
	struct mapping mapping[MAPPINGS];
	int files, mappings;
	FILE *shaders; /* or NULL */
};

/* --- blocks --- */

/* By the beginning of a source file's name, or of a function's without its room. */
static const struct {
	const char *begin, *block;
} blocks[] = {
	{ "cp", "CP: packets and state" }, { "gpu", "CP: packets and state" }, { "build", "CP: packets and state" },
	{ "vgt", "VGT: vertices" }, { "front", "VGT: vertices" }, { "vdraw", "VGT: vertices" }, { "group.", "CU: waves" },
	{ "tess", "VGT: vertices" }, { "hs", "VGT: vertices" }, { "ds.", "VGT: vertices" }, { "gs", "VGT: vertices" },
	{ "mesh", "VGT: vertices" }, { "strmout", "VGT: vertices" },
	{ "pa", "PA: primitives" }, { "bin", "PA: primitives" },
	{ "sc", "SC: rasterization" }, { "fill", "SC: rasterization" }, { "tile", "SC: rasterization" },
	{ "spi", "SPI: inputs of fragments" }, { "ps_state", "SPI: inputs of fragments" },
	{ "db", "DB: depth and stencil" }, { "hiz", "DB: depth and stencil" },
	{ "cb", "CB: colours" },
	{ "dma", "DMA: copies" },
	{ "tex", "TA: textures" }, { "mimg", "TA: textures" },
	{ "bc.", "TA: textures" }, { "bptc", "TA: textures" }, { "astc", "TA: textures" }, { "etc", "TA: textures" },
	{ "format", "formats" },
	{ "buffer_", "CU: memory" }, { "flat", "CU: memory" }, { "lds", "CU: memory" }, { "smem", "CU: memory" },
	{ "memory", "CU: memory" }, { "atomics", "CU: memory" },
	{ "interp", "CU: interpreter" }, { "ops_", "CU: interpreter" }, { "program", "CU: interpreter" },
	{ "jit", "CU: translator" },
	{ "group", "CU: waves" }, { "launch", "CU: waves" }, { "scratch", "CU: waves" }, { "wave", "CU: waves" },
	{ "pool", "threads" }, { "worker", "threads" },
	{ "spv", "compiler" }, { "ir_", "compiler" }, { "sel_", "compiler" }, { "ra_", "compiler" }, { "gcn", "compiler" },
	{ "cmd_", "driver" }, { "icd", "driver" }, { "queue", "driver" }, { "descriptor", "driver" }, { "pipeline", "driver" },
};

static const char *find_block(const char *text)
{
	for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
		if (strncmp(text, blocks[i].begin, strlen(blocks[i].begin)) == 0)
			return blocks[i].block;
	return NULL;
}

static const char *block_of(const char *path, const char *name, const char *source)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *block = NULL;
	if (strstr(base, "vulkan_quadwave")) {
		const bool room = strncmp(name, "rs_", 3) == 0 || strncmp(name, "cu_", 3) == 0;
		block = *source ? find_block(source) : NULL;
		block = block ? block : find_block(room ? name + 3 : name);
		return block ? block : "driver";
	}
	if (strncmp(base, "libc.", 5) == 0 || strncmp(base, "libm.", 5) == 0 || strncmp(base, "ld-", 3) == 0)
		return "C library";
	if (strncmp(base, "libvulkan.", 10) == 0)
		return "Vulkan loader";
	return strcmp(base, "qwbench") == 0 ? "the scene itself" : "other";
}

/* --- symbol tables --- */

static int by_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	return (x->at > y->at) - (x->at < y->at);
}

static bool within(const struct file *f, uint64_t offset, uint64_t size)
{
	return offset <= f->size && size <= f->size - offset;
}

static const char *string_at(const struct file *f, const Elf64_Shdr *strings, uint32_t at)
{
	const char *text = (const char *)f->bytes + strings->sh_offset + at;
	return at < strings->sh_size && memchr(text, 0, strings->sh_size - at) ? text : "";
}

static void read_table(struct file *f, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
	const Elf64_Sym *symbol = (const Elf64_Sym *)(f->bytes + table->sh_offset);
	const size_t count = table->sh_size / sizeof *symbol;
	const char *source = "";
	f->function = malloc((count + 1) * sizeof *f->function);
	if (!f->function)
		vh_fail("out of memory");
	for (size_t i = 0; i < count; i++) {
		const unsigned type = ELF64_ST_TYPE(symbol[i].st_info);
		const char *name = string_at(f, strings, symbol[i].st_name);
		if (type == STT_FILE)
			source = name;
		if ((type == STT_FUNC || type == STT_GNU_IFUNC) && symbol[i].st_value)
			f->function[f->functions++] = (struct function){ symbol[i].st_value, symbol[i].st_size, name,
				ELF64_ST_BIND(symbol[i].st_info) == STB_LOCAL ? source : "" };
	}
	qsort(f->function, f->functions, sizeof *f->function, by_address);
}

/* The whole table, or else what the dynamic linker has. */
static void read_symbols(struct file *f)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)f->bytes;
	f->stripped = true;
	if (f->size < sizeof *head || memcmp(f->bytes, ELFMAG, SELFMAG) || head->e_ident[EI_CLASS] != ELFCLASS64 ||
		!within(f, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)))
		return;
	const Elf64_Shdr *section = (const Elf64_Shdr *)(f->bytes + head->e_shoff), *best = NULL;
	for (unsigned i = 0; i < head->e_shnum; i++)
		if (section[i].sh_type == SHT_SYMTAB || (section[i].sh_type == SHT_DYNSYM && !best))
			best = &section[i];
	if (!best || best->sh_link >= head->e_shnum || !within(f, best->sh_offset, best->sh_size) ||
		!within(f, section[best->sh_link].sh_offset, section[best->sh_link].sh_size))
		return;
	f->stripped = best->sh_type != SHT_SYMTAB;
	read_table(f, best, &section[best->sh_link]);
}

/* As the program headers place it; 0: nowhere. */
static uint64_t address_in_file(const struct file *f, uint64_t offset)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)f->bytes;
	if (f->size < sizeof *head || !within(f, head->e_phoff, (uint64_t)head->e_phnum * sizeof(Elf64_Phdr)))
		return 0;
	const Elf64_Phdr *segment = (const Elf64_Phdr *)(f->bytes + head->e_phoff);
	for (unsigned i = 0; i < head->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD && offset - segment[i].p_offset < segment[i].p_filesz)
			return offset - segment[i].p_offset + segment[i].p_vaddr;
	return 0;
}

static const struct function *find_function(const struct file *f, uint64_t at)
{
	size_t low = 0, high = f->functions;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (f->function[middle].at <= at)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	const struct function *found = &f->function[low - 1];
	return found->size == 0 || at - found->at < found->size ? found : NULL;
}

/* --- what is mapped --- */

static int file_of(struct symbols *s, const char *path)
{
	struct stat stat;
	for (int i = 0; i < s->files; i++)
		if (strcmp(s->file[i].path, path) == 0)
			return i;
	if (s->files == FILES)
		return -1;
	struct file *f = &s->file[s->files];
	snprintf(f->path, sizeof f->path, "%s", path);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0) {
		void *bytes = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			f->bytes = bytes;
			f->size = (size_t)stat.st_size;
			read_symbols(f);
		}
	}
	if (fd >= 0)
		close(fd);
	return s->files++;
}

struct symbols *symbols_open(void)
{
	struct symbols *s = calloc(1, sizeof *s);
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], path[256], name[64];
	if (!s || !maps)
		vh_fail(s ? "no /proc/self/maps" : "out of memory");
	while (s->mappings < MAPPINGS && fgets(line, sizeof line, maps)) {
		struct mapping *m = &s->mapping[s->mappings];
		char flags[8];
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %255s", &m->from, &m->to, flags, &m->offset, path) == 5 &&
			flags[2] == 'x' && *path == '/' && strncmp(path, "/memfd:", 7) != 0 && (m->file = file_of(s, path)) >= 0)
			s->mappings++;
	}
	fclose(maps);
	snprintf(name, sizeof name, "/tmp/perf-%ld.map", (long)getpid());
	s->shaders = fopen(name, "r");
	return s;
}

void symbols_close(struct symbols *s)
{
	for (int i = 0; i < s->files; i++) {
		if (s->file[i].bytes)
			munmap((void *)s->file[i].bytes, s->file[i].size);
		free(s->file[i].function);
	}
	if (s->shaders)
		fclose(s->shaders);
	free(s);
}

const char *symbols_stripped(const struct symbols *s)
{
	for (int i = 0; i < s->files; i++)
		if (s->file[i].stripped && strstr(s->file[i].path, "vulkan_quadwave"))
			return s->file[i].path;
	return NULL;
}

/* --- an address --- */

static bool find_shader(struct symbols *s, uint64_t address, struct symbol *found)
{
	char line[256];
	uint64_t from, size;
	if (!s->shaders)
		return false;
	rewind(s->shaders);
	while (fgets(line, sizeof line, s->shaders))
		if (sscanf(line, "%lx %lx %79[^\n]", &from, &size, found->name) == 3 && address - from < size)
			return true;
	return false;
}

struct symbol symbols_at(struct symbols *s, uint64_t address)
{
	struct symbol found = { .name = "?", .block = "other" };
	if (address >> 63) {
		found.block = "kernel";
		return found;
	}
	for (int i = 0; i < s->mappings; i++) {
		const struct mapping *m = &s->mapping[i];
		if (address < m->from || address >= m->to)
			continue;
		const struct file *f = &s->file[m->file];
		const struct function *function =
			f->bytes ? find_function(f, address_in_file(f, address - m->from + m->offset)) : NULL;
		const char *base = strrchr(f->path, '/') + 1;
		snprintf(found.name, sizeof found.name, "%s", function ? function->name : "?");
		snprintf(found.where, sizeof found.where, "%s", function && *function->source ? function->source : base);
		found.block = block_of(f->path, found.name, function ? function->source : "");
		return found;
	}
	found.shader = find_shader(s, address, &found);
	if (found.shader)
		found.block = "CU: translated shaders";
	else
		snprintf(found.name, sizeof found.name, "?");
	return found;
}
