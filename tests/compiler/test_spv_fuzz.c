/* SPDX-License-Identifier: MIT */
/* Feeds damaged modules to the front end: it must refuse them or make IR that
 * stands the checks.  Best run with sanitizers.
 * Usage: test_spv_fuzz COUNT FILE.spv...   COUNT mutants of every file;
 *        test_spv_fuzz -1 SEED FILE.spv    one mutant, verbosely. */
#include "spv_mutate.h"
#include "spv_test.h"

static bool try_words(const struct module *m, const uint32_t *words, size_t count, const char *entry,
	enum compiler_stage stage, bool verbose, unsigned *accepted)
{
	char message[512];
	struct compiler_input in = { .stage = stage, .words = words, .word_count = count, .entry = entry,
		.bindings = m->bindings, .binding_count = m->binding_count };
	struct ir_pool *pool = ir_pool_create();
	struct ir_func *f;
	bool ok = true;
	enum compiler_status status = spv_to_ir(&in, pool, &f, message, sizeof message);
	if (verbose)
		printf("status %d: %s\n", status, message);
	if (status == COMPILER_OK) {
		++*accepted;
		ir_cfg(f);
		ok = ir_check(f, message, sizeof message);
		if (ok) {
			ir_pass_lower_vars(f);
			ir_pass_ssa(f);
			ir_cfg(f);
			ok = ir_check(f, message, sizeof message);
		}
		if (!ok)
			fprintf(stderr, "check: %s\n", message);
	}
	ir_pool_destroy(pool);
	return ok;
}

static bool fuzz(const char *path, unsigned first, unsigned count, bool verbose)
{
	struct module m;
	unsigned accepted = 0;
	bool ok = module_read(&m, path);
	if (!ok)
		return false;
	module_reflect(&m);
	const char *name;
	enum compiler_stage stage = module_entry(&m, &name);
	char entry[64];
	snprintf(entry, sizeof entry, "%s", name);
	uint32_t *words = malloc(m.count * 4);
	for (unsigned i = first; i < first + count && ok; i++) {
		size_t n = m.count;
		uint64_t rng = i * 0x9e3779b97f4a7c15ull + 1;
		memcpy(words, m.words, n * 4);
		if (i % 2)
			mutate(words, &n, &rng);
		else
			mutate_operands(words, n, &rng);
		uint32_t *exact = malloc(n * 4); /* so that a sanitizer sees its end */
		memcpy(exact, words, n * 4);
		ok = try_words(&m, exact, n, entry, stage, verbose, &accepted);
		free(exact);
		if (!ok)
			fprintf(stderr, "%s: mutant %u\n", path, i);
	}
	printf("%s: %u of %u mutants accepted\n", path, accepted, count);
	free(words);
	free(m.words);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;
	if (argc > 3 && strcmp(argv[1], "-1") == 0)
		return fuzz(argv[3], (unsigned)atoi(argv[2]), 1, true) ? 0 : 1;
	for (int i = 2; i < argc; i++)
		ok &= fuzz(argv[i], 0, (unsigned)atoi(argv[1]), false);
	return ok ? 0 : 1;
}
