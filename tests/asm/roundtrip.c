/* SPDX-License-Identifier: MIT */
/* Every case of tests/isa/cases.c on every generation: its disassembly must
 * assemble to the same words.  isa_llvm compares that text with llvm-mc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_disasm.h"
#include "tests/isa/cases.h"

struct run {
	enum gcn_gen gen;
	unsigned long cases, failures;
	char *text; /* one line an instruction */
	size_t size, limit;
	uint32_t *words;
	size_t count, word_limit;
};

static void *grow(void *array, size_t *limit, size_t element)
{
	*limit = *limit ? *limit * 2 : 1 << 16;
	array = realloc(array, *limit * element);
	if (!array)
		exit(1);
	return array;
}

static void one_case(void *context, const struct gcn_inst *given)
{
	struct run *r = context;
	struct gcn_inst in = *given, decoded;
	uint32_t words[4];
	unsigned count = gcn_encode(r->gen, &in, words, NULL);
	if (!count || gcn_decode(r->gen, words, count, &decoded) != count)
		return; /* isa_gcn reports it */
	while (r->limit - r->size < 512)
		r->text = grow(r->text, &r->limit, 1);
	while (r->word_limit - r->count < 4)
		r->words = grow(r->words, &r->word_limit, sizeof(*r->words));
	r->size += (size_t)gcn_disasm(r->gen, &decoded, 0, r->text + r->size, 500);
	r->text[r->size++] = '\n';
	r->text[r->size] = 0;
	memcpy(r->words + r->count, words, 4 * count);
	r->count += count;
	r->cases++;
}

/* Immediates that are written with names: all values of them. */
static void all_immediates(struct run *r)
{
	static const uint16_t ops[] = { GCN_S_GETREG_B32, GCN_S_SENDMSG, GCN_DS_SWIZZLE_B32 };
	for (int i = 0; i < 3; i++)
		for (int32_t imm = 0; imm < 0x10000; imm++) {
			struct gcn_inst in;
			gcn_inst_init(&in, (enum gcn_op)ops[i]);
			in.offset = ops[i] == GCN_DS_SWIZZLE_B32 ? imm : (int16_t)imm;
			in.dst = ops[i] == GCN_DS_SWIZZLE_B32 ? GCN_SRC_VGPR0 : ops[i] == GCN_S_GETREG_B32 ? 0 : GCN_SRC_NONE;
			in.src[0] = ops[i] == GCN_DS_SWIZZLE_B32 ? GCN_SRC_VGPR0 : GCN_SRC_NONE;
			one_case(r, &in);
		}
}

static void show_line(const struct run *r, unsigned line)
{
	const char *p = r->text;
	while (--line && p)
		p = strchr(p, '\n') + 1;
	fprintf(stderr, "  %.*s\n", (int)strcspn(p, "\n"), p);
}

static void compare(struct run *r, const struct gcn_asm_result *out)
{
	if (out->dwords != r->count) {
		fprintf(stderr, "%zu dwords, not %zu\n", out->dwords, r->count);
		r->failures++;
	}
	for (size_t i = 0; i < out->dwords && i < r->count; i++)
		if (out->code[i] != r->words[i]) {
			fprintf(stderr, "dword %zu is %08x, not %08x\n", i, out->code[i], r->words[i]);
			show_line(r, out->lines[i]);
			r->failures++;
			return;
		}
}

int main(void)
{
	unsigned long failures = 0;
	for (int gen = 0; gen < GCN_GEN_COUNT; gen++) {
		struct run r = { .gen = (enum gcn_gen)gen };
		struct gcn_asm_result out;
		char text[512];
		for (int op = 0; op < GCN_OP_COUNT; op++)
			isa_cases(r.gen, (enum gcn_op)op, one_case, &r);
		if (r.gen == GCN_GFX9)
			all_immediates(&r);
		if (!gcn_asm(r.gen, r.text, &out)) {
			for (size_t i = 0; i < out.error_count && i < 20; i++) {
				gcn_asm_format_error(&out.errors[i], "cases", text, sizeof(text));
				fprintf(stderr, "%s\n", text);
				show_line(&r, out.errors[i].line);
			}
			r.failures++;
		} else {
			compare(&r, &out);
		}
		printf("generation %d: %lu instructions, %lu failures\n", gen, r.cases, r.failures);
		failures += r.failures + (r.cases < 10000);
		gcn_asm_free(&out);
		free(r.text);
		free(r.words);
	}
	return failures ? 1 : 0;
}
