/* SPDX-License-Identifier: MIT */
/* Feeds damaged modules to the whole compiler: it must refuse them or make a
 * program, in bounded time, without an error of its own.  Best run with
 * sanitizers and asserts.
 * Usage: test_compile_fuzz SECONDS FILE.spv...   mutants of all files in turn;
 *        test_compile_fuzz -1 SEED FILE.spv      one mutant, verbosely. */
#include <sys/time.h>
#include <time.h>
#include "spv_mutate.h"
#include "spv_test.h"

enum { MUTANT_SECONDS = 20, MAX_FILES = 256 };

struct tally { unsigned mutants, accepted; double slowest; };

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ends the program, when it has worked so long: a hang. */
static void limit(unsigned cpu_seconds)
{
	setitimer(ITIMER_VIRTUAL, &(struct itimerval){ .it_value.tv_sec = cpu_seconds }, NULL);
}

static bool try_words(const struct module *m, const uint32_t *words, size_t count, bool verbose,
	struct tally *tally)
{
	char message[512], entry[64];
	const char *name;
	struct compiler_shader shader;
	enum compiler_stage stage = module_entry(m, &name);
	snprintf(entry, sizeof entry, "%s", name);
	struct compiler_input in = { .stage = stage, .words = words, .word_count = count, .entry = entry,
		.bindings = m->bindings, .binding_count = m->binding_count, .options.samples = 8, .dump_dir = verbose ? "." : NULL,
		.dump_name = "mutant" };
	limit(MUTANT_SECONDS);
	enum compiler_status status = compiler_compile(&in, &shader, message, sizeof message);
	limit(0);
	if (verbose)
		printf("status %d: %s\n", status, message);
	tally->mutants++;
	if (status != COMPILER_OK)
		return *message && !strstr(message, "internal");
	tally->accepted++;
	bool ok = shader.code && shader.code_dwords && shader.vgprs <= 256 && shader.sgprs <= 112;
	compiler_shader_finish(&shader);
	return ok;
}

static bool fuzz(const struct module *m, const char *path, unsigned seed, bool verbose, struct tally *tally)
{
	uint64_t rng = seed * 0x9e3779b97f4a7c15ull + 1;
	size_t n = m->count;
	uint32_t *words = malloc(n * 4), *exact;
	double start = seconds();
	/* Named beforehand: a crash or a hang says no more. */
	fprintf(stderr, "\r%s: mutant %u   ", path, seed);
	memcpy(words, m->words, n * 4);
	if (seed % 4 == 0)
		mutate(words, &n, &rng);
	else
		mutate_operands(words, n, &rng);
	exact = malloc(n * 4); /* so that a sanitizer sees its end */
	memcpy(exact, words, n * 4);
	bool ok = try_words(m, exact, n, verbose, tally);
	if (seconds() - start > tally->slowest)
		tally->slowest = seconds() - start;
	if (!ok)
		fprintf(stderr, "failed\n");
	free(exact);
	free(words);
	return ok;
}

int main(int argc, char **argv)
{
	bool single = argc == 4 && strcmp(argv[1], "-1") == 0, ok = true;
	int first = single ? 3 : 2;
	static struct module modules[MAX_FILES];
	struct tally tally = { 0 };
	double end = seconds() + (single ? 0 : atof(argv[1]));
	if (argc <= first || argc - first > MAX_FILES)
		return 2;
	for (int i = first; i < argc; i++) {
		if (!module_read(&modules[i - first], argv[i])) {
			fprintf(stderr, "cannot read %s\n", argv[i]);
			return 2;
		}
		module_reflect(&modules[i - first]);
	}
	unsigned seed = single ? (unsigned)atoi(argv[2]) : 0;
	do {
		for (int i = first; i < argc && (single || seconds() < end); i++)
			ok &= fuzz(&modules[i - first], argv[i], seed, single, &tally);
		seed++;
	} while (seconds() < end && !single);
	fprintf(stderr, "\n");
	printf("%u mutants, %u accepted, the slowest took %.2f s\n", tally.mutants, tally.accepted, tally.slowest);
	for (int i = 0; i < argc - first; i++)
		free(modules[i].words);
	return ok ? 0 : 1;
}
