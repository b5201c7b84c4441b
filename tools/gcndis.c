/* SPDX-License-Identifier: MIT */
/* gcndis: lists GCN machine code.  See docs/man/gcndis.1. */
#include <ctype.h>
#include <getopt.h>
#include <stdint.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_dis.h"
#include "quadwave_version.h"
#include "tools/stream.h"

enum { EXIT_REFUSED = 1, EXIT_USAGE = 2 };
enum filetype { FILETYPE_AUTO, FILETYPE_BIN, FILETYPE_HEX, FILETYPE_ELF };

struct options {
	enum gcn_gen gen;
	bool gen_given, strict;
	enum filetype filetype;
	const char *input, *output;
	struct gcn_dis_options listing;
};

static const char help[] =
	"usage: gcndis [-mcpu=CPU] [-o FILE] [--filetype=auto|bin|hex|elf] [FILE]\n"
	"\n"
	"Lists GCN machine code as text that gcnasm and llvm-mc assemble to the same bytes.\n"
	"FILE and - of -o: - is the standard stream, and the default.\n"
	"\n"
	"  -mcpu=CPU         tahiti, bonaire, fiji, gfx900 ...; else what the ELF header\n"
	"                    says, gfx900 for other files\n"
	"  -o FILE           where the text goes\n"
	"  --filetype=TYPE   bin: the code alone; hex: text, dwords of eight digits or bytes\n"
	"                    of two; elf: .text of an AMDGPU object; auto (default): a look\n"
	"                    at the file decides\n"
	"  --offsets         a comment with each instruction's offset in bytes\n"
	"  --encodings       a comment with its dwords\n"
	"  --strict          exit with 1 if there is a dword that does not decode\n"
	"  --help            this text\n"
	"  --version         the version\n"
	"\n"
	"Exit status: 0 listed, 1 the code was refused, 2 usage or a file failed.\n";

static bool parse_filetype(const char *name, enum filetype *type)
{
	static const char *const names[] = { "auto", "bin", "hex", "elf" };
	for (int i = 0; i < 4; i++)
		if (!strcmp(name, names[i])) {
			*type = (enum filetype)i;
			return true;
		}
	fprintf(stderr, "gcndis: no file type %s; there are auto, bin, hex and elf\n", name);
	return false;
}

/* -1: go on, else the exit status. */
static int parse(int argc, char **argv, struct options *o)
{
	static const struct option options[] = {
		{ "mcpu", required_argument, NULL, 'm' }, { "filetype", required_argument, NULL, 'f' },
		{ "output", required_argument, NULL, 'o' }, { "offsets", no_argument, NULL, 'a' },
		{ "encodings", no_argument, NULL, 'e' }, { "strict", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'v' }, { NULL, 0, NULL, 0 },
	};
	int c;
	while ((c = getopt_long_only(argc, argv, "o:h", options, NULL)) != -1) {
		switch (c) {
		case 'm':
			o->gen_given = gcn_find_cpu(optarg, &o->gen);
			if (o->gen_given)
				break;
			fprintf(stderr, "gcndis: no processor %s; there are gfx600 to gfx900 and LLVM's names of them\n", optarg);
			return EXIT_USAGE;
		case 'f':
			if (!parse_filetype(optarg, &o->filetype))
				return EXIT_USAGE;
			break;
		case 'o': o->output = optarg; break;
		case 'a': o->listing.offsets = true; break;
		case 'e': o->listing.encodings = true; break;
		case 's': o->strict = true; break;
		case 'h': fputs(help, stdout); return 0;
		case 'v': puts("gcndis (Quadwave) " QW_VERSION); return 0;
		default: fputs("gcndis --help says more\n", stderr); return EXIT_USAGE;
		}
	}
	if (optind < argc)
		o->input = argv[optind++];
	if (optind == argc)
		return -1;
	fputs("gcndis: one input only\n", stderr);
	return EXIT_USAGE;
}

/* --- hexadecimal text --- */

static bool is_separator(char c)
{
	return isspace((unsigned char)c) || (c && strchr(",[]", c));
}

/* Bytes of the text, written over it: a number of two digits is a byte, one of
 * eight a dword, 0x before either is read over, and so are comments after #,
 * ; and //.  -1 if it is something else; *bad is the place. */
static ptrdiff_t read_hex(char *text, const char **bad)
{
	uint8_t *out = (uint8_t *)text;
	for (const char *p = text; *p;) {
		if (is_separator(*p)) {
			p++;
			continue;
		}
		if (*p == '#' || *p == ';' || (*p == '/' && p[1] == '/')) {
			p += strcspn(p, "\n");
			continue;
		}
		*bad = p;
		if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
			p += 2;
		uint64_t value = 0;
		int digits = 0;
		for (; isxdigit((unsigned char)*p) && digits < 9; p++, digits++)
			value = value << 4 | (uint64_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10);
		if ((digits != 2 && digits != 8) || (*p && !is_separator(*p)))
			return -1;
		for (int i = 0; i < digits / 2; i++)
			*out++ = (uint8_t)(value >> 8 * i);
	}
	return (char *)out - text;
}

static bool looks_like_hex(const char *data, size_t size)
{
	bool any = false;
	for (size_t i = 0; i < size; i++) {
		unsigned char c = (unsigned char)data[i];
		if (c >= 127 || (c < 32 && !isspace(c)))
			return false;
		any |= isxdigit(c) != 0;
	}
	return any;
}

/* --- the whole --- */

static bool find_code(struct options *o, char *data, size_t size, struct gcn_elf_view *view)
{
	if (o->filetype == FILETYPE_AUTO)
		o->filetype = gcn_elf_is(data, size) ? FILETYPE_ELF : looks_like_hex(data, size) ? FILETYPE_HEX : FILETYPE_BIN;
	memset(view, 0, sizeof(*view));
	if (o->filetype == FILETYPE_ELF) {
		const char *why = gcn_elf_read(data, size, view);
		if (why)
			fprintf(stderr, "gcndis: %s: %s\n", o->input, why);
		if (o->gen_given)
			view->gen = o->gen;
		return !why;
	}
	view->gen = o->gen;
	view->code = (const uint8_t *)data;
	view->size = size;
	if (o->filetype == FILETYPE_HEX) {
		const char *bad = data;
		ptrdiff_t bytes = strlen(data) == size ? read_hex(data, &bad) : -1;
		if (bytes < 0) {
			fprintf(stderr, "gcndis: %s: found '%.12s'; expected numbers of two or eight hexadecimal digits\n",
				o->input, bad);
			return false;
		}
		view->size = (size_t)bytes;
	}
	return true;
}

static int list(struct options *o)
{
	size_t size;
	struct gcn_elf_view view;
	struct gcn_dis_counts counts;
	int status = EXIT_REFUSED;
	char *data = stream_read("gcndis", o->input, &size);
	if (!data)
		return EXIT_USAGE;
	if (find_code(o, data, size, &view)) {
		FILE *out = stream_create("gcndis", o->output);
		bool ok = out != NULL;
		if (ok && !gcn_dis(out, view.gen, view.code, view.size, view.symbols, view.symbol_count, &o->listing, &counts)) {
			fputs("gcndis: out of memory\n", stderr);
			ok = false;
		}
		if (out && !stream_finish("gcndis", o->output, out))
			ok = false;
		status = !ok ? EXIT_USAGE : o->strict && counts.data ? EXIT_REFUSED : 0;
	}
	free(view.symbols);
	free(data);
	return status;
}

int main(int argc, char **argv)
{
	struct options o = { .gen = GCN_GFX9, .input = "-", .output = "-" };
	int status = parse(argc, argv, &o);
	return status >= 0 ? status : list(&o);
}
