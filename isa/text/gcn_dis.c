/* SPDX-License-Identifier: MIT */
/* Listing of machine code; see gcn_dis.h.  One walk finds where instructions
 * begin and where branches go, a second one writes. */
#include "isa/text/gcn_dis.h"

#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_disasm.h"

enum { MAX_TEXT = 512 };

/* What is known of each dword. */
enum { BEGINS = 1, TARGET = 2, FAITHFUL = 4 };

struct listing {
	FILE *out;
	enum gcn_gen gen;
	const uint32_t *code;
	size_t dwords;
	const struct gcn_elf_symbol **symbols; /* that can be labels, by value */
	size_t symbol_count;
	char prefix[32]; /* of the labels that have no symbol */
	const struct gcn_dis_options *options;
	struct gcn_dis_counts *counts;
	uint8_t *marks; /* one of each dword, and one of the end */
};

/* --- symbols --- */

static bool is_identifier(const char *name)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$";
	static const char all[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.$@0123456789";
	return *name && strchr(first, *name) && strcmp(name, ".") && !name[strspn(name, all)];
}

static int by_name(const void *a, const void *b)
{
	const struct gcn_elf_symbol *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);
	return order ? order : (*x > *y) - (*x < *y);
}

static int by_place(const void *a, const void *b)
{
	const struct gcn_elf_symbol *const *x = a, *const *y = b;
	if ((*x)->value != (*y)->value)
		return (*x)->value > (*y)->value ? 1 : -1;
	return (*x > *y) - (*x < *y);
}

/* Keeps what can be written as a label: an identifier, once, at a dword. */
static bool take_symbols(struct listing *l, const struct gcn_elf_symbol *symbols, size_t count)
{
	size_t underlines = 1;
	l->symbols = malloc((count + 1) * sizeof(*l->symbols));
	if (!l->symbols)
		return false;
	for (size_t i = 0; i < count; i++)
		if (is_identifier(symbols[i].name) && symbols[i].value % 4 == 0 && symbols[i].value / 4 <= l->dwords)
			l->symbols[l->symbol_count++] = &symbols[i];
	qsort(l->symbols, l->symbol_count, sizeof(*l->symbols), by_name);
	size_t kept = 0;
	for (size_t i = 0; i < l->symbol_count; i++) {
		const char *name = l->symbols[i]->name;
		if (kept && !strcmp(l->symbols[kept - 1]->name, name))
			continue;
		l->symbols[kept++] = l->symbols[i];
		if (*name == 'L' && strspn(name + 1, "_") >= underlines)
			underlines = strspn(name + 1, "_") + 1;
	}
	l->symbol_count = kept;
	qsort(l->symbols, kept, sizeof(*l->symbols), by_place);
	snprintf(l->prefix, sizeof(l->prefix), "L%.*s", underlines < 30 ? (int)underlines : 30,
		"______________________________");
	return true;
}

/* Index of the first symbol at the offset or after it. */
static size_t find_symbol(const struct listing *l, uint64_t offset)
{
	size_t low = 0, high = l->symbol_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (l->symbols[middle]->value < offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *symbol_at(const struct listing *l, uint64_t offset)
{
	size_t i = find_symbol(l, offset);
	return i < l->symbol_count && l->symbols[i]->value == offset ? l->symbols[i]->name : NULL;
}

/* --- the first walk --- */

/* True and the byte offset of the target, of a branch with an immediate. */
static bool branch_target(const struct gcn_inst *in, size_t at, int64_t *target)
{
	bool immediate = in->fmt == GCN_SOPP || in->fmt == GCN_SOPK;
	if (!immediate || !(gcn_op_info((enum gcn_op)in->op)->flags & GCN_F_BRANCH))
		return false;
	*target = 4 * ((int64_t)at + 1 + in->offset);
	return true;
}

/* The text without the comment that names a branch's target. */
static void text_of(const struct listing *l, const struct gcn_inst *in, char text[MAX_TEXT])
{
	gcn_disasm(l->gen, in, 0, text, MAX_TEXT);
	char *comment = strstr(text, " //");
	if (comment)
		*comment = 0;
}

static bool same_again(const struct listing *l, const struct gcn_inst *in, const uint32_t *words, unsigned count)
{
	char text[MAX_TEXT];
	struct gcn_asm_result r;
	text_of(l, in, text);
	bool same = gcn_asm(l->gen, text, &r) && r.size == 4 * count && !memcmp(r.code, words, r.size);
	gcn_asm_free(&r);
	return same;
}

static void scan(struct listing *l)
{
	for (size_t at = 0; at < l->dwords;) {
		struct gcn_inst in;
		int64_t target;
		unsigned count = gcn_decode(l->gen, l->code + at, l->dwords - at, &in);
		l->marks[at] |= BEGINS;
		if (count && same_again(l, &in, l->code + at, count))
			l->marks[at] |= FAITHFUL;
		if (l->marks[at] & FAITHFUL && branch_target(&in, at, &target) && target >= 0 &&
				target <= (int64_t)(4 * l->dwords))
			l->marks[target / 4] |= TARGET;
		at += count ? count : 1;
	}
	l->marks[l->dwords] |= BEGINS;
}

/* --- writing --- */

static void write_labels(struct listing *l, size_t at)
{
	bool named = false;
	for (size_t i = find_symbol(l, 4 * at); i < l->symbol_count && l->symbols[i]->value == 4 * at; i++) {
		if (l->symbols[i]->global)
			fprintf(l->out, "\t.globl %s\n", l->symbols[i]->name);
		fprintf(l->out, "%s:\n", l->symbols[i]->name);
		named = true;
	}
	if (l->marks[at] & TARGET && !named)
		fprintf(l->out, "%s%04zx:\n", l->prefix, 4 * at);
}

static void write_comment(struct listing *l, size_t at, unsigned count, const char *meaning)
{
	const char *separator = " // ";
	if (l->options->offsets) {
		fprintf(l->out, "%s%06zx", separator, 4 * at);
		separator = ": ";
	}
	for (unsigned i = 0; l->options->encodings && i < count; i++) {
		fprintf(l->out, "%s%08x", separator, l->code[at + i]);
		separator = " ";
	}
	if (*meaning)
		fprintf(l->out, "%s%s", *separator == ' ' && separator[1] ? separator : "; ", meaning);
	fputc('\n', l->out);
}

/* The text with its last operand, the branch offset, replaced by a label. */
static void write_branch(struct listing *l, char *text, int64_t target)
{
	char *last = strrchr(text, ' ');
	const char *name = symbol_at(l, (uint64_t)target);
	*last = 0;
	if (name)
		fprintf(l->out, "\t%s %s", text, name);
	else
		fprintf(l->out, "\t%s %s%04llx", text, l->prefix, (unsigned long long)target);
}

static void write_data(struct listing *l, size_t at, unsigned count, const char *meaning)
{
	fputs("\t.long ", l->out);
	for (unsigned i = 0; i < count; i++)
		fprintf(l->out, "%s0x%08x", i ? ", " : "", l->code[at + i]);
	write_comment(l, at, count, meaning);
	l->counts->data += count;
}

/* Labels fall on dwords where something begins; a branch into the middle of an
 * instruction keeps its number. */
static unsigned write_one(struct listing *l, size_t at)
{
	struct gcn_inst in;
	char text[MAX_TEXT] = "";
	int64_t target;
	unsigned count = gcn_decode(l->gen, l->code + at, l->dwords - at, &in);
	if (!count) {
		write_data(l, at, 1, "does not decode");
		return 1;
	}
	text_of(l, &in, text);
	if (!(l->marks[at] & FAITHFUL)) {
		write_data(l, at, count, text);
		return count;
	}
	if (branch_target(&in, at, &target) && target >= 0 && target <= (int64_t)(4 * l->dwords) &&
			l->marks[target / 4] & BEGINS)
		write_branch(l, text, target);
	else
		fprintf(l->out, "\t%s", text);
	write_comment(l, at, count, "");
	l->counts->instructions++;
	return count;
}

bool gcn_dis(FILE *out, enum gcn_gen gen, const void *code, size_t size,
	const struct gcn_elf_symbol *symbols, size_t count, const struct gcn_dis_options *options,
	struct gcn_dis_counts *counts)
{
	struct gcn_dis_counts unused = { 0, 0 };
	size_t dwords = size / 4;
	uint32_t *copy = malloc(4 * dwords + 4); /* the bytes may lie at any address */
	struct listing l = { .out = out, .gen = gen, .code = copy, .dwords = dwords,
		.options = options, .counts = counts ? counts : &unused,
		.marks = calloc(dwords + 1, 1) };
	bool ok = copy && l.marks && take_symbols(&l, symbols, count);
	if (ok && size)
		memcpy(copy, code, 4 * dwords);
	*l.counts = unused;
	if (ok)
		scan(&l);
	for (size_t at = 0; ok && at < dwords;) {
		write_labels(&l, at);
		at += write_one(&l, at);
	}
	if (ok)
		write_labels(&l, dwords);
	for (size_t i = 4 * dwords; ok && i < size; i++)
		fprintf(out, "\t.byte 0x%02x\n", ((const uint8_t *)code)[i]);
	free(copy);
	free(l.marks);
	free(l.symbols);
	return ok;
}
