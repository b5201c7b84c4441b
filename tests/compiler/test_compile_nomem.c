/* SPDX-License-Identifier: MIT */
/* Compiles each module with the n-th allocation failing, for n = 0, 1, ... until
 * none is left to fail: COMPILER_NO_MEMORY with a message, no crash, no leak.
 * The linker's --wrap sends the compiler's allocations through this file.
 * Usage: test_compile_nomem FILE.spv... */
#include "spv_test.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
void __wrap_free(void *p);

/* Allocation number `fail` fails, and with `all` every later one; -1: none. */
static long fail = -1, number, live;
static bool all;

static bool fails(void)
{
	long n = number++;
	return fail >= 0 && (n == fail || (all && n > fail));
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

struct outcome { enum compiler_status status; uint32_t dwords; uint64_t hash; char message[512]; };

static struct outcome compile(const struct compiler_input *in, long failing)
{
	struct outcome o = { 0 };
	struct compiler_shader shader;
	fail = failing;
	number = 0;
	o.status = compiler_compile(in, &shader, o.message, sizeof o.message);
	fail = -1;
	o.dwords = shader.code_dwords;
	for (uint32_t i = 0; i < o.dwords; i++)
		o.hash = (o.hash ^ shader.code[i]) * 0x100000001b3u;
	compiler_shader_finish(&shader);
	return o;
}

/* What is only for checks and dumps may do without memory: the code is the same. */
static bool expected(const struct outcome *o, const struct outcome *good)
{
	if (o->status == COMPILER_OK)
		return o->dwords == good->dwords && o->hash == good->hash;
	return o->status == COMPILER_NO_MEMORY && *o->message && !o->dwords;
}

/* Steps grow with n: late allocations resemble each other. */
static bool starve(const char *path)
{
	struct module m;
	char entry[64];
	const char *name;
	if (!module_read(&m, path))
		return false;
	module_reflect(&m);
	enum compiler_stage stage = module_entry(&m, &name);
	snprintf(entry, sizeof entry, "%s", name);
	struct compiler_input in = { .stage = stage, .words = m.words, .word_count = m.count, .entry = entry,
		.bindings = m.bindings, .binding_count = m.binding_count };
	struct outcome good = compile(&in, -1);
	long total = number, before = live;
	bool ok = good.status == COMPILER_OK;
	for (long n = 0; n < 2 * total && ok; n += 1 + n / 256) {
		all = n & 1;
		struct outcome o = compile(&in, n / 2);
		ok = expected(&o, &good) && live == before;
		if (!ok)
			fprintf(stderr, "%s: allocation %ld of %ld fails: status %d, %ld blocks left: %s\n", path, n / 2, total,
				o.status, live - before, o.message);
	}
	free(m.words);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;
	for (int i = 1; i < argc; i++)
		ok &= starve(argv[i]);
	return ok ? 0 : 1;
}
