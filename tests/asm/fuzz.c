/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
/* asm_fuzz ROUNDS FILE...: lines of the files with tokens exchanged, removed
 * and repeated, characters changed, lines joined, through the assembler of
 * every generation; random bytes through the listing and the ELF reader.
 *
 * Nothing may crash, an error lies within the text and has a line and a
 * column, and what assembles must list and assemble to the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_dis.h"
#include "isa/text/gcn_disasm.h"

enum { MAX_LINES = 4096, MAX_TEXT = 4096 };

static char *lines[MAX_LINES];
static unsigned line_count;

struct random { uint64_t state; };

static unsigned draw(struct random *r, unsigned below)
{
	r->state = r->state * 6364136223846793005u + 1442695040888963407u;
	return below ? (unsigned)(r->state >> 33) % below : 0;
}

static void read_lines(const char *path)
{
	static char line[65536];
	FILE *f = fopen(path, "r");
	if (!f) {
		perror(path);
		exit(2);
	}
	while (line_count < MAX_LINES && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\t\n")] = 0;
		if (*line && *line != '%' && !(lines[line_count++] = strdup(line)))
			exit(2);
	}
	fclose(f);
}

/* Start and length of a random token of the text: a run of letters and digits,
 * or one other character. */
static size_t token(struct random *r, const char *text, size_t *length)
{
	size_t n = strlen(text), at = draw(r, (unsigned)n);
	static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
	*length = n ? 1 : 0;
	while (at && strchr(word, text[at]) && strchr(word, text[at - 1]))
		at--;
	if (n && strchr(word, text[at]))
		*length = strspn(text + at, word);
	return at;
}

/* Replaces a token of the text by `with`. */
static void replace(struct random *r, char text[MAX_TEXT], const char *with, size_t with_length, bool keep)
{
	size_t length, at = token(r, text, &length), n = strlen(text);
	with_length = strnlen(with, with_length);
	if (n + with_length >= MAX_TEXT - 2)
		return;
	if (keep)
		length = 0;
	memmove(text + at + with_length, text + at + length, n + 1 - at - length);
	memcpy(text + at, with, with_length);
}

static const char *const extra[] = {
	"0", "-1", "0x7fffffffffffffff", "0xffffffffffffffffff", "1e999", "0x1p-1074", "1.0", "(((((((((", "v[0:1]",
	"v[", "s[4:7]", "[v0,v1", "|", "||", "-", "neg(", "abs(", "sext(", ")", "off", "vcc", ":", ",", "=", "\"", "'",
	"/*", "*/", "//", "#", "\n", ".", "1b", "2f", "quad_perm:[", "offset:", "swizzle(", "format:[", "op_sel:[1,1,1,1,1]",
	"dmask:0xf", "clamp", ".long", ".fill 16777216", ".p2align 16", ".set a, a", "a = b", "b = a", "\x80\xff", "\\",
};

static void mutate(struct random *r, char text[MAX_TEXT])
{
	const char *other = lines[draw(r, line_count)];
	size_t length, at;
	switch (draw(r, 7)) {
	case 0: case 1: /* a token of another line */
		at = token(r, other, &length);
		replace(r, text, other + at, length, draw(r, 3) == 0);
		break;
	case 2: replace(r, text, extra[draw(r, sizeof(extra) / sizeof(extra[0]))], 32, draw(r, 2)); break;
	case 3: replace(r, text, "", 0, false); break;
	case 4:
		if (*text)
			text[draw(r, (unsigned)strlen(text))] = (char)(1 + draw(r, 255));
		break;
	case 5: replace(r, text, other, strlen(other), true); break;
	default:
		if (strlen(text) + strlen(other) < MAX_TEXT - 2)
			strcat(strcat(text, "\n"), other);
	}
}

static int failure(const char *what, const char *text)
{
	fprintf(stderr, "%s:\n%s\n", what, text);
	return 1;
}

/* The listing of the code must assemble to the code. */
static int list_again(enum gcn_gen gen, const struct gcn_asm_result *code, const char *text)
{
	const struct gcn_dis_options options = { true, true };
	struct gcn_asm_result again;
	char *listing = NULL;
	size_t size = 0;
	if (!code->size || code->size > 4096)
		return 0;
	FILE *out = open_memstream(&listing, &size);
	if (!out || !gcn_dis(out, gen, code->code, code->size, NULL, 0, &options, NULL) || fclose(out))
		return failure("no listing", text);
	bool ok = gcn_asm(gen, listing, &again) && again.size == code->size && !memcmp(again.code, code->code, code->size);
	int bad = ok ? 0 : failure("the listing is other code", listing) + failure("from", text);
	gcn_asm_free(&again);
	free(listing);
	return bad;
}

static int try_text(enum gcn_gen gen, const char *text)
{
	struct gcn_asm_result r;
	char buf[600];
	int bad = 0;
	unsigned count = 1;
	for (const char *p = text; *p; p++)
		count += *p == '\n';
	bool ok = gcn_asm(gen, text, &r);
	if (ok != !r.error_count || (ok ? !r.code && r.size : r.code || r.size))
		bad += failure("result and errors disagree", text);
	for (size_t i = 0; i < r.error_count; i++) {
		const struct gcn_asm_error *e = &r.errors[i];
		if (!e->line || e->line > count || !e->column || !*e->what ||
				gcn_asm_format_error(e, "fuzz", buf, sizeof(buf)) >= (int)sizeof(buf))
			bad += failure("an error without its place", text);
	}
	if (ok)
		bad += list_again(gen, &r, text);
	gcn_asm_free(&r);
	return bad;
}

/* An instruction of random bits: its text gives the same bits, except the upper
 * half of 16-bit literals, and what encodes otherwise. */
static int try_words(struct random *r, enum gcn_gen gen)
{
	static const uint32_t begins[] = { 0x7e000000, 0x7c000000, 0xd0000000, 0xd3800000, 0xd8000000, 0xe0000000,
		0xe8000000, 0xf0000000, 0xdc000000, 0xc0000000, 0xb0000000, 0xbe800000, 0xbf000000, 0xc4000000,
		0xf8000000, 0xc8000000, 0xd4000000, 0 };
	uint32_t words[4], again[4];
	struct gcn_inst in, copy;
	char text[512];
	for (int i = 0; i < 4; i++)
		words[i] = (uint32_t)draw(r, 0) + (uint32_t)(r->state >> 32);
	words[0] = (words[0] & 0x01ffffff) | begins[draw(r, 18)];
	if (draw(r, 4) == 0) /* SDWA or DPP follows */
		words[0] = (words[0] & ~0x1ffu) | (249 + draw(r, 2));
	unsigned count = gcn_decode(gen, words, 4, &in);
	copy = in;
	if (!count || gcn_encode(gen, &copy, again, NULL) != count || memcmp(words, again, 4 * count))
		return 0;
	struct gcn_asm_result out;
	gcn_disasm(gen, &in, 0, text, sizeof(text));
	if (strstr(text, "16") && count == 2 && words[1] >> 16)
		return 0;
	bool ok = gcn_asm(gen, text, &out) && out.size == 4 * count && !memcmp(out.code, words, out.size);
	gcn_asm_free(&out);
	return ok ? 0 : failure("the text is other code", text);
}

static int try_bytes(struct random *r, enum gcn_gen gen)
{
	uint32_t words[64];
	struct gcn_elf_view view;
	struct gcn_asm_result code = { .code = words, .size = 4 * draw(r, 65) };
	for (int i = 0; i < 64; i++)
		words[i] = (uint32_t)draw(r, 0) + (uint32_t)(r->state >> 32);
	int bad = list_again(gen, &code, "(random words)");
	static const uint32_t header[] = { 0x464c457f, 0x00010102, 0, 0, 0x00e00001, 1 };
	memcpy(words, header, sizeof(header));
	for (int i = 6; i < 64; i++)
		words[i] = draw(r, 3) ? draw(r, 300) : words[i];
	words[12] = 0x2c;
	if (!gcn_elf_read(words, sizeof(words), &view) && view.size > sizeof(words))
		bad += failure("ELF sections outside of the file", "");
	free(view.symbols);
	return bad;
}

int main(int argc, char **argv)
{
	struct random r = { 12345 };
	char text[MAX_TEXT];
	int bad = 0;
	if (argc < 3)
		return 2;
	for (int i = 2; i < argc; i++)
		read_lines(argv[i]);
	long rounds = strtol(argv[1], NULL, 10), assembled = 0;
	for (long i = 0; i < rounds && bad < 10; i++) {
		enum gcn_gen gen = (enum gcn_gen)draw(&r, GCN_GEN_COUNT);
		snprintf(text, sizeof(text), "%s", lines[draw(&r, line_count)]);
		for (unsigned n = 1 + draw(&r, 4); n; n--)
			mutate(&r, text);
		bad += try_text(gen, text);
		for (int k = 0; k < 8; k++)
			bad += try_words(&r, gen);
		if (i % 8 == 0)
			bad += try_bytes(&r, gen);
		assembled++;
	}
	printf("%ld texts of %u lines, %d failures\n", assembled, line_count, bad);
	for (unsigned i = 0; i < line_count; i++)
		free(lines[i]);
	return bad || assembled < 1000 ? 1 : 0;
}
