/* SPDX-License-Identifier: MIT */
/* Assembles and lists with the n-th allocation failing, for n = 0, 1, ... until
 * none is left to fail: refused, no crash, no leak.  The linker's --wrap sends
 * the library's allocations through this file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/text/gcn_asm.h"
#include "isa/text/gcn_dis.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

static long fail = -1, number, live;

static bool fails(void)
{
	return number++ == fail;
}

static void *count(void *p)
{
	live += p != NULL;
	return p;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : count(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (fails())
		return NULL;
	return p ? __real_realloc(p, size) : count(__real_realloc(p, size));
}

void __wrap_free(void *p)
{
	live -= p != NULL;
	__real_free(p);
}

static const struct gcn_elf_symbol symbols[] = {
	{ .name = "start", .value = 0, .global = true }, { .name = "end", .value = 16 },
};

/* Whether everything went well with allocation n failing. */
static bool assemble(const char *text, long n, bool expected)
{
	struct gcn_asm_result r;
	fail = n;
	number = 0;
	bool ok = gcn_asm(GCN_GFX9, text, &r);
	bool bad = ok && (r.error_count || !r.code);
	bad |= ok && !expected;
	fail = -1;
	gcn_asm_free(&r);
	if (live || bad) {
		fprintf(stderr, "allocation %ld: %ld blocks left, bad %d\n", n, live, bad);
		exit(1);
	}
	return ok;
}

static bool list(FILE *out, const uint32_t *code, size_t size, long n)
{
	const struct gcn_dis_options options = { false, false };
	fail = n;
	number = 0;
	bool ok = gcn_dis(out, GCN_GFX9, code, size, symbols, 2, &options, NULL);
	fail = -1;
	if (live) {
		fprintf(stderr, "listing, allocation %ld: %ld blocks left\n", n, live);
		exit(1);
	}
	return ok;
}

int main(void)
{
	static const uint32_t code[] = { 0x7e000281, 0xbf82fffe, 0x7e0002ff, 0x12345678, 0xbf810000 };
	static char text[8192];
	unsigned length = 0, refused = 0;
	for (int i = 0; i < 40; i++) /* enough to grow every array */
		length += (unsigned)snprintf(text + length, sizeof(text) - length,
			"x%d = %d\nl%d: s_branch l%d\n%d: s_cbranch_scc0 %db\nv_mov_b32 v%d, x%d\n", i, i, i, 39 - i, i, i, i, i);
	long n = 0;
	for (; !assemble(text, n, true); n++)
		refused++;
	for (int i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "s_nop %d\ns_frobnicate\nx: s_nop\ns_branch y\n", i);
		assemble(text, i, false);
	}
	FILE *out = fopen("/dev/null", "w");
	if (!out)
		return 2;
	long m = 0; /* an instruction that cannot be checked is data: no failure */
	while (m < 1000 && !list(out, code, sizeof(code), m))
		m++;
	for (long i = 0; i < 100; i++)
		list(out, code, sizeof(code), i);
	fclose(out);
	printf("%u allocations of the assembler fail in turn, %ld of the listing\n", refused, m);
	return refused < 15 || m < 3 ? 1 : 0;
}
