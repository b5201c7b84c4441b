/* Instructions: encode, decode and disassemble every case of cases.c.
 *
 *   isa_gcn check DIR   against the checked-in text, fixpoints, random words
 *   isa_gcn rebase DIR  writes that text; only after isa_llvm has passed
 *   isa_gcn print       bytes<TAB>assembly of every case, for check_llvm.py
 *   isa_gcn elf FILE    writes two shaders and prints their lines
 *
 * DIR holds one file a format.  A part of the cases only is checked in: the
 * first three of each opcode and then every eighth. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/gcn_elf.h"
#include "tests/isa/cases.h"

struct run {
	FILE *golden[GCN_FORMAT_COUNT];
	bool rebase, print;
	unsigned index; /* of the case within its opcode */
	unsigned long cases, failures;
	uint32_t *words; /* of printed cases, if wanted */
	size_t word_count, word_limit;
};

static void fail(struct run *r, const char *what, const char *text)
{
	if (r->failures++ < 20)
		fprintf(stderr, "%s: %s\n", what, text);
}

static int line_of(char *line, size_t size, const uint32_t *words, unsigned count, const struct gcn_inst *in)
{
	int n = 0;
	for (unsigned i = 0; i < count; i++)
		n += snprintf(line + n, size - (size_t)n, "%s%08x", i ? "," : "", words[i]);
	n += snprintf(line + n, size - (size_t)n, "\t");
	n += gcn_disasm(GCN_GFX9, in, 0, line + n, size - (size_t)n);
	return n;
}

static void golden_line(struct run *r, const struct gcn_inst *in, const char *line)
{
	FILE *file = r->golden[gcn_op_info((enum gcn_op)in->op)->fmt];
	if (r->rebase) {
		fprintf(file, "%s\n", line);
		return;
	}
	char expected[512];
	if (!fgets(expected, sizeof(expected), file))
		expected[0] = 0;
	expected[strcspn(expected, "\n")] = 0;
	if (strcmp(expected, line)) {
		fail(r, "expected", expected);
		fail(r, "     got", line);
	}
}

static void one_case(void *context, const struct gcn_inst *given)
{
	struct run *r = context;
	struct gcn_inst in = *given, decoded, again;
	uint32_t words[4], back[4];
	char line[512];
	const char *why = "";
	r->cases++;
	unsigned count = gcn_encode(GCN_GFX9, &in, words, &why);
	if (!count) {
		gcn_disasm(GCN_GFX9, &in, 0, line, sizeof(line));
		fail(r, why, line);
		return;
	}
	for (unsigned cut = 0; cut < count; cut++)
		if (gcn_decode(GCN_GFX9, words, cut, &decoded))
			fail(r, "decodes although it is truncated", line);
	if (gcn_decode(GCN_GFX9, words, count, &decoded) != count) {
		fail(r, "does not decode", gcn_op_info((enum gcn_op)in.op)->name);
		return;
	}
	line_of(line, sizeof(line), words, count, &decoded);
	if (gcn_encode(GCN_GFX9, &decoded, back, &why) != count || memcmp(words, back, 4 * count))
		fail(r, "does not encode to the same words again", line);
	gcn_decode(GCN_GFX9, back, count, &again);
	if (memcmp(&decoded, &again, sizeof(again)))
		fail(r, "decode and encode are no inverses", line);
	if (r->print) {
		printf("%s\n", line);
		for (unsigned i = 0; r->words && i < count && r->word_count < r->word_limit; i++)
			r->words[r->word_count++] = words[i];
	} else if (r->index < 3 || r->index % 8 == 0) {
		golden_line(r, &in, line);
	}
	r->index++;
}

static void all_cases(struct run *r)
{
	for (int op = 0; op < GCN_OP_COUNT; op++) {
		r->index = 0;
		if (gcn_op_info((enum gcn_op)op)->opcode[GCN_GFX9] < 0)
			continue;
		isa_cases((enum gcn_op)op, one_case, r);
		if (!r->index)
			fail(r, "has no case", gcn_op_info((enum gcn_op)op)->name);
	}
}

static const char *format_name(int format)
{
	static const char *const names[GCN_FORMAT_COUNT] = {
		"sop2", "sopk", "sop1", "sopc", "sopp", "smem", "vop2", "vop1", "vopc", "vop3", "vop3p",
		"vintrp", "ds", "mubuf", "mtbuf", "mimg", "exp", "flat", "global", "scratch",
	};
	return names[format];
}

static int with_golden(const char *dir, bool rebase)
{
	struct run r = { .rebase = rebase };
	char path[4096], rest[8];
	for (int f = 0; f < GCN_FORMAT_COUNT; f++) {
		snprintf(path, sizeof(path), "%s/%s.txt", dir, format_name(f));
		r.golden[f] = fopen(path, rebase ? "w" : "r");
		if (!r.golden[f]) {
			perror(path);
			return 1;
		}
	}
	all_cases(&r);
	for (int f = 0; f < GCN_FORMAT_COUNT; f++) {
		if (!rebase && fgets(rest, sizeof(rest), r.golden[f]))
			fail(&r, "lines left over", format_name(f));
		if (fclose(r.golden[f]))
			fail(&r, "cannot write", format_name(f));
	}
	printf("%lu cases, %lu failures\n", r.cases, r.failures);
	return r.failures ? 1 : 0;
}

/* Random words: what decodes and encodes again must mean the same, and text
 * never overruns its buffer. */
static int random_words(void)
{
	struct run r = { 0 };
	uint64_t seed = 0x9e3779b97f4a7c15u;
	unsigned long decoded = 0;
	for (int i = 0; i < 1000000; i++) {
		uint32_t words[4], back[4];
		for (int k = 0; k < 4; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			words[k] = (uint32_t)(seed >> 32);
		}
		struct gcn_inst in, again;
		unsigned count = gcn_decode(GCN_GFX9, words, 4, &in);
		if (!count)
			continue;
		decoded++;
		char text[64], full[512];
		int length = gcn_disasm(GCN_GFX9, &in, 0x1000, full, sizeof(full));
		if (length != gcn_disasm(GCN_GFX9, &in, 0x1000, text, sizeof(text)) ||
				(int)strlen(full) != length || strncmp(full, text, 63))
			fail(&r, "text depends on the buffer", full);
		if (count * 4 != in.size)
			fail(&r, "size", full);
		struct gcn_inst copy = in;
		if (!gcn_encode(GCN_GFX9, &copy, back, NULL))
			continue; /* well formed, but nothing that a compiler may write */
		if (!gcn_decode(GCN_GFX9, back, 4, &again) || memcmp(&in, &again, sizeof(in)))
			fail(&r, "random word changes its meaning", full);
	}
	printf("%lu of 1000000 random words decode, %lu failures\n", decoded, r.failures);
	return r.failures || decoded < 100000 ? 1 : 0;
}

static int write_elf(const char *path)
{
	uint32_t code[1024];
	struct run r = { .print = true, .words = code, .word_limit = 1000 };
	for (int op = GCN_S_ADD_U32; r.word_count < 900; op += 7)
		isa_cases((enum gcn_op)op, one_case, &r);
	uint32_t end = 0xbf810000; /* s_endpgm */
	struct gcn_elf_shader shaders[] = { { "first", code, r.word_count }, { "second", &end, 1 } };
	FILE *file = fopen(path, "wb");
	if (!file || !gcn_elf_write(file, shaders, 2)) {
		perror(path);
		return 1;
	}
	return fclose(file) ? 1 : 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "check"))
		return with_golden(argv[2], false) | random_words();
	if (argc == 3 && !strcmp(argv[1], "rebase"))
		return with_golden(argv[2], true);
	if (argc == 3 && !strcmp(argv[1], "elf"))
		return write_elf(argv[2]);
	if (argc == 2 && !strcmp(argv[1], "print")) {
		struct run r = { .print = true };
		all_cases(&r);
		return r.failures ? 1 : 0;
	}
	fprintf(stderr, "usage: isa_gcn check|rebase DIR | print | elf FILE\n");
	return 2;
}
