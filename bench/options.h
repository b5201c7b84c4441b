/* SPDX-License-Identifier: MIT */
/* What the user of qwbench wants. */
#ifndef QW_BENCH_OPTIONS_H
#define QW_BENCH_OPTIONS_H

#include "bench/peers.h"

enum { OPTIONS_SCENES = 192, OPTIONS_THREADS = 8 };

struct options {
	struct peers peers; /* without --icd those that were found, with --cpu a level each of the first */
	const char *json, *svg, *hashes, *profile, *picture;
	const char *child;   /* the scene to measure in this process, or "" to name the device */
	const char *sampler; /* the child tells where its time goes, by "perf" or "ptrace" */
	const char *scene[OPTIONS_SCENES];
	size_t scenes;                 /* 0: all */
	int threads[OPTIONS_THREADS];  /* 0: as many as the driver likes */
	size_t thread_counts;          /* at least 1 */
	int runs;
	double seconds;
	bool list, hash, record;
};

/* Ends the process with 0 after --help and with 2, and a message, where the arguments make no sense. */
struct options options_parse(int argc, char **argv);

#endif
