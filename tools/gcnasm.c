/* SPDX-License-Identifier: MIT */
/* gcnasm: assembles GCN text.  See docs/man/gcnasm.1. */
#include <getopt.h>
#include <stdint.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_elf.h"
#include "quadwave_version.h"
#include "tools/stream.h"

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2 };
enum filetype { FILETYPE_BIN, FILETYPE_ELF, FILETYPE_HEX };

struct options {
	enum gcn_gen gen;
	enum filetype filetype;
	const char *input, *output;
	bool show_lines;
};

static const char help[] =
	"usage: gcnasm -mcpu=CPU [-o FILE] [--filetype=bin|elf|hex] [FILE]\n"
	"\n"
	"Assembles GCN text in LLVM's syntax. FILE and - of -o: - is the standard stream,\n"
	"and the default.\n"
	"\n"
	"  -mcpu=CPU         tahiti, bonaire, fiji, gfx900 ...; gfx900 if not given\n"
	"  -o FILE           where the code goes\n"
	"  --filetype=TYPE   bin: the code alone (default); elf: an AMDGPU object;\n"
	"                    hex: one dword in hexadecimal a line\n"
	"  --lines           with hex: after each dword its source line\n"
	"  --help            this text\n"
	"  --version         the version\n"
	"\n"
	"Exit status: 0 assembled, 1 the text was refused, 2 usage or a file failed.\n";

static bool parse_filetype(const char *name, enum filetype *type)
{
	static const char *const names[] = { "bin", "elf", "hex" };
	for (int i = 0; i < 3; i++)
		if (!strcmp(name, names[i])) {
			*type = (enum filetype)i;
			return true;
		}
	fprintf(stderr, "gcnasm: no file type %s; there are bin, elf and hex\n", name);
	return false;
}

/* -1: go on, else the exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	static const struct option options[] = {
		{ "mcpu", required_argument, NULL, 'm' }, { "filetype", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' }, { "lines", no_argument, NULL, 'l' },
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'v' }, { NULL, 0, NULL, 0 },
	};
	int c;
	while ((c = getopt_long_only(argc, argv, "o:h", options, NULL)) != -1) {
		switch (c) {
		case 'm':
			if (gcn_find_cpu(optarg, &o->gen))
				break;
			fprintf(stderr, "gcnasm: no processor %s; there are gfx600 to gfx900 and LLVM's names of them\n", optarg);
			return EXIT_USAGE;
		case 'f':
			if (!parse_filetype(optarg, &o->filetype))
				return EXIT_USAGE;
			break;
		case 'o': o->output = optarg; break;
		case 'l': o->show_lines = true; break;
		case 'h': fputs(help, stdout); return 0;
		case 'v': puts("gcnasm (Quadwave) " QW_VERSION); return 0;
		default: fputs("gcnasm --help says more\n", stderr); return EXIT_USAGE;
		}
	}
	if (optind < argc)
		o->input = argv[optind++];
	if (optind == argc)
		return -1;
	fputs("gcnasm: one input only\n", stderr);
	return EXIT_USAGE;
}

static bool write_elf(FILE *out, const struct options *o, const struct gcn_asm_result *r)
{
	struct gcn_elf_symbol *symbols = calloc(r->symbol_count + 1, sizeof(*symbols));
	if (!symbols)
		return false;
	for (size_t i = 0; i < r->symbol_count; i++)
		symbols[i] = (struct gcn_elf_symbol){ .name = r->symbols[i].name, .value = (uint64_t)r->symbols[i].value,
			.absolute = !r->symbols[i].label, .global = r->symbols[i].global };
	bool ok = gcn_elf_write_object(out, o->gen, r->code, r->size, symbols, r->symbol_count);
	free(symbols);
	return ok;
}

static bool write_result(FILE *out, const struct options *o, const struct gcn_asm_result *r)
{
	if (o->filetype == FILETYPE_ELF)
		return write_elf(out, o, r);
	if (o->filetype == FILETYPE_BIN)
		return fwrite(r->code, 1, r->size, out) == r->size;
	for (size_t i = 0; i < r->dwords; i++)
		if (o->show_lines ? fprintf(out, "%08x %u\n", r->code[i], r->lines[i]) < 0 : fprintf(out, "%08x\n", r->code[i]) < 0)
			return false;
	return true;
}

static void print_errors(const struct options *o, const struct gcn_asm_result *r)
{
	char text[512];
	for (size_t i = 0; i < r->error_count; i++) {
		gcn_asm_format_error(&r->errors[i], strcmp(o->input, "-") ? o->input : "<stdin>", text, sizeof(text));
		fprintf(stderr, "%s\n", text);
	}
	if (!r->error_count)
		fputs("gcnasm: out of memory\n", stderr);
}

static int assemble(const struct options *o)
{
	size_t size;
	struct gcn_asm_result r;
	char *text = stream_read("gcnasm", o->input, &size);
	if (!text)
		return EXIT_USAGE;
	if (strlen(text) != size) {
		fprintf(stderr, "gcnasm: %s: this is no text\n", o->input);
		free(text);
		return EXIT_REFUSED;
	}
	int status = EXIT_REFUSED;
	if (!gcn_asm(o->gen, text, &r)) {
		print_errors(o, &r);
	} else {
		FILE *out = stream_create("gcnasm", o->output);
		bool ok = out && write_result(out, o, &r);
		ok = out && stream_finish("gcnasm", o->output, out) && ok;
		status = ok ? 0 : EXIT_USAGE;
	}
	gcn_asm_free(&r);
	free(text);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = { .gen = GCN_GFX9, .input = "-", .output = "-" };
	int status = parse(argc, argv, &o);
	return status >= 0 ? status : assemble(&o);
}
