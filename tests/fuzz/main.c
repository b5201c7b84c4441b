/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without libFuzzer: on bytes of a generator, or on files.
 * A failure is repeated by the seed of its case, which is said beforehand. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "tests/fuzz/input.h"

enum { MAX_BYTES = 4096, CASE_SECONDS = 120 };

static const char help[] =
	"usage: TARGET [--seconds N] [--seed S] [--cases N] [FILE...]\n"
	"Runs the target on random bytes, case after case, or on the files' bytes.\n"
	"\n"
	"  --seconds N   stops after N seconds (5)\n"
	"  --cases N     stops after N cases\n"
	"  --seed S      of the first case (1); the cases that follow have S+1, S+2 ...\n"
	"\n"
	"Exit status: 0 all is well, 2 usage; a failure ends the program in its own way,\n"
	"its seed being the last one on stderr.\n";

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* SplitMix64: any seed will do. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static void run_case(uint64_t seed)
{
	uint64_t state = seed;
	size_t size = 16 + next(&state) % (MAX_BYTES - 16);
	uint8_t *bytes = malloc(size); /* so that a sanitizer sees its end */
	if (!bytes)
		abort();
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)next(&state);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
}

static bool run_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	uint8_t *bytes = malloc(1 << 20);
	size_t size = f && bytes ? fread(bytes, 1, 1 << 20, f) : 0;
	bool ok = f != NULL && bytes;
	if (ok)
		LLVMFuzzerTestOneInput(bytes, size);
	else
		fprintf(stderr, "cannot read %s\n", name);
	free(bytes);
	if (f)
		fclose(f);
	return ok;
}

int main(int argc, char **argv)
{
	double limit = 5, end;
	uint64_t seed = 1, cases = UINT64_MAX, done = 0;
	int i = 1;
	for (; i < argc && argv[i][0] == '-'; i += 2) {
		if (!strcmp(argv[i], "--help")) {
			fputs(help, stdout);
			return 0;
		}
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		char *rest = NULL;
		if (!strcmp(argv[i], "--seconds"))
			limit = strtod(value, &rest);
		else if (!strcmp(argv[i], "--seed"))
			seed = strtoull(value, &rest, 0);
		else if (!strcmp(argv[i], "--cases"))
			cases = strtoull(value, &rest, 0), limit = 1e9;
		if (!rest || *rest || rest == value) {
			fprintf(stderr, "%s: unknown, or its value is missing\n%s", argv[i], help);
			return 2;
		}
	}
	for (; i < argc; i++, cases = 0)
		if (!run_file(argv[i]))
			return 2;
	for (end = seconds() + limit; done < cases && seconds() < end; done++) {
		fprintf(stderr, "\rseed %llu   ", (unsigned long long)(seed + done));
		alarm(CASE_SECONDS); /* ends the program: a hang */
		run_case(seed + done);
	}
	fprintf(stderr, "\n");
	printf("%llu cases\n", (unsigned long long)done);
	if (input_report)
		input_report();
	return 0;
}
