/* SPDX-License-Identifier: MIT */
/* Instructions: encode, decode and disassemble every case of cases.c.
 *
 *   isa_gcn check DIR    against the checked-in text, fixpoints, random words
 *   isa_gcn rebase DIR   writes that text; only after isa_llvm has passed
 *   isa_gcn print GEN    bytes<TAB>assembly of every case, for check_llvm.py
 *   isa_gcn decode GEN   lines of words in hexadecimal from stdin; prints the
 *                        number of dwords, the words after encoding again ("-"
 *                        if they do not) and the text, or 0 if undecodable
 *   isa_gcn elf FILE     writes two shaders and prints their lines
 *
 * GEN is gfx600, gfx700, gfx803 or gfx900.  DIR/GEN holds one file a format.
 * A part of the cases only is checked in: of gfx900 the first three of each
 * opcode and then every eighth, of the others the first and every 12th. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_disasm.h"
#include "isa/text/gcn_elf.h"
#include "tests/isa/cases.h"

struct run {
	enum gcn_gen gen;
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

static const char *const gen_names[GCN_GEN_COUNT] = { "gfx600", "gfx700", "gfx803", "gfx900" };

static int line_of(enum gcn_gen gen, char *line, size_t size, const uint32_t *words, unsigned count, const struct gcn_inst *in)
{
	int n = 0;
	for (unsigned i = 0; i < count; i++)
		n += snprintf(line + n, size - (size_t)n, "%s%08x", i ? "," : "", words[i]);
	n += snprintf(line + n, size - (size_t)n, "\t");
	n += gcn_disasm(gen, in, 0, line + n, size - (size_t)n);
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
	unsigned count = gcn_encode(r->gen, &in, words, &why);
	if (!count) {
		gcn_disasm(r->gen, &in, 0, line, sizeof(line));
		fail(r, why, line);
		return;
	}
	for (unsigned cut = 0; cut < count; cut++)
		if (gcn_decode(r->gen, words, cut, &decoded))
			fail(r, "decodes although it is truncated", line);
	if (gcn_decode(r->gen, words, count, &decoded) != count) {
		fail(r, "does not decode", gcn_op_info((enum gcn_op)in.op)->name);
		return;
	}
	line_of(r->gen, line, sizeof(line), words, count, &decoded);
	if (gcn_encode(r->gen, &decoded, back, &why) != count || memcmp(words, back, 4 * count))
		fail(r, "does not encode to the same words again", line);
	gcn_decode(r->gen, back, count, &again);
	if (memcmp(&decoded, &again, sizeof(again)))
		fail(r, "decode and encode are no inverses", line);
	if (r->print) {
		printf("%s\n", line);
		for (unsigned i = 0; r->words && i < count && r->word_count < r->word_limit; i++)
			r->words[r->word_count++] = words[i];
	} else if (r->gen == GCN_GFX9 ? r->index < 3 || r->index % 8 == 0 : r->index % 12 == 0) {
		golden_line(r, &in, line);
	}
	r->index++;
}

static void all_cases(struct run *r)
{
	for (int op = 0; op < GCN_OP_COUNT; op++) {
		r->index = 0;
		if (gcn_op_info((enum gcn_op)op)->opcode[r->gen] < 0)
			continue;
		isa_cases(r->gen, (enum gcn_op)op, one_case, r);
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

static bool has_format(enum gcn_gen gen, int format)
{
	for (int op = 0; op < GCN_OP_COUNT; op++)
		if (gcn_op_info((enum gcn_op)op)->fmt == format && gcn_op_info((enum gcn_op)op)->opcode[gen] >= 0)
			return true;
	return false;
}

static int with_golden(enum gcn_gen gen, const char *dir, bool rebase)
{
	struct run r = { .gen = gen, .rebase = rebase };
	char path[4096], rest[8];
	for (int f = 0; f < GCN_FORMAT_COUNT; f++) {
		if (!has_format(gen, f))
			continue;
		snprintf(path, sizeof(path), "%s/%s/%s.txt", dir, gen_names[gen], format_name(f));
		r.golden[f] = fopen(path, rebase ? "w" : "r");
		if (!r.golden[f]) {
			perror(path);
			return 1;
		}
	}
	all_cases(&r);
	for (int f = 0; f < GCN_FORMAT_COUNT; f++) {
		if (!r.golden[f])
			continue;
		if (!rebase && fgets(rest, sizeof(rest), r.golden[f]))
			fail(&r, "lines left over", format_name(f));
		if (fclose(r.golden[f]))
			fail(&r, "cannot write", format_name(f));
	}
	printf("%s: %lu cases, %lu failures\n", gen_names[gen], r.cases, r.failures);
	return r.failures ? 1 : 0;
}

/* Random words: what decodes and encodes again must mean the same, and text
 * never overruns its buffer. */
static int random_words(enum gcn_gen gen)
{
	struct run r = { .gen = gen };
	uint64_t seed = 0x9e3779b97f4a7c15u + gen;
	unsigned long decoded = 0;
	for (int i = 0; i < 500000; i++) {
		uint32_t words[4], back[4];
		for (int k = 0; k < 4; k++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			words[k] = (uint32_t)(seed >> 32);
		}
		struct gcn_inst in, again;
		unsigned count = gcn_decode(gen, words, 4, &in);
		if (!count)
			continue;
		decoded++;
		char text[64], full[512];
		int length = gcn_disasm(gen, &in, 0x1000, full, sizeof(full));
		if (length != gcn_disasm(gen, &in, 0x1000, text, sizeof(text)) ||
				(int)strlen(full) != length || strncmp(full, text, 63))
			fail(&r, "text depends on the buffer", full);
		if (count * 4 != in.size)
			fail(&r, "size", full);
		struct gcn_inst copy = in;
		if (!gcn_encode(gen, &copy, back, NULL))
			continue; /* well formed, but nothing that a compiler may write */
		if (!gcn_decode(gen, back, 4, &again) || memcmp(&in, &again, sizeof(in)))
			fail(&r, "random word changes its meaning", full);
	}
	printf("%s: %lu of 500000 random words decode, %lu failures\n", gen_names[gen], decoded, r.failures);
	return r.failures || decoded < 50000 ? 1 : 0;
}

static int decode_lines(enum gcn_gen gen)
{
	char line[256], text[512];
	while (fgets(line, sizeof(line), stdin)) {
		uint32_t words[8], back[4];
		unsigned have = 0;
		char *at = line, *end;
		for (; have < 8; have++, at = end) {
			words[have] = (uint32_t)strtoul(at, &end, 16);
			if (end == at)
				break;
		}
		struct gcn_inst in;
		unsigned count = gcn_decode(gen, words, have, &in);
		if (!count) {
			printf("0\n");
			continue;
		}
		gcn_disasm(gen, &in, 0, text, sizeof(text));
		printf("%u\t", count);
		unsigned again = gcn_encode(gen, &in, back, NULL);
		for (unsigned i = 0; i < again; i++)
			printf("%s%08x", i ? "," : "", back[i]);
		printf("%s\t%s\n", again ? "" : "-", text);
	}
	return 0;
}

static int write_elf(const char *path)
{
	uint32_t code[1024];
	struct run r = { .gen = GCN_GFX9, .print = true, .words = code, .word_limit = 1000 };
	for (int op = GCN_S_ADD_U32; r.word_count < 900; op += 7)
		isa_cases(GCN_GFX9, (enum gcn_op)op, one_case, &r);
	uint32_t end = 0xbf810000; /* s_endpgm */
	struct gcn_elf_shader shaders[] = { { "first", code, r.word_count }, { "second", &end, 1 } };
	FILE *file = fopen(path, "wb");
	if (!file || !gcn_elf_write(file, shaders, 2)) {
		perror(path);
		return 1;
	}
	return fclose(file) ? 1 : 0;
}

static int find_gen(const char *name)
{
	int gen = 0;
	while (gen < GCN_GEN_COUNT && strcmp(name, gen_names[gen]))
		gen++;
	return gen;
}

static int check(const char *dir, bool rebase)
{
	int result = 0;
	for (int gen = 0; gen < GCN_GEN_COUNT; gen++) {
		result |= with_golden((enum gcn_gen)gen, dir, rebase);
		if (!rebase)
			result |= random_words((enum gcn_gen)gen);
	}
	return result;
}

int main(int argc, char **argv)
{
	const char *what = argc == 3 ? argv[1] : "";
	if (!strcmp(what, "check") || !strcmp(what, "rebase"))
		return check(argv[2], *what == 'r');
	if (!strcmp(what, "elf"))
		return write_elf(argv[2]);
	int gen = argc == 3 ? find_gen(argv[2]) : GCN_GEN_COUNT;
	if (gen < GCN_GEN_COUNT && !strcmp(what, "decode"))
		return decode_lines((enum gcn_gen)gen);
	if (gen < GCN_GEN_COUNT && !strcmp(what, "print")) {
		struct run r = { .gen = (enum gcn_gen)gen, .print = true };
		all_cases(&r);
		return r.failures ? 1 : 0;
	}
	fprintf(stderr, "usage: isa_gcn check|rebase DIR | print|decode GEN | elf FILE\n");
	return 2;
}
