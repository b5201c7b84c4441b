/* SPDX-License-Identifier: MIT */
/* The table and the JSON file of qwbench. */
#ifndef QW_BENCH_REPORT_H
#define QW_BENCH_REPORT_H

#include <stdio.h>

#include "bench/peers.h"

enum { REPORT_SCENES = 80, REPORT_RUNS = 99 };

struct report_cell {
	double value[REPORT_RUNS]; /* in the order of the runs */
	int count;
	bool failed;
	char reason[REASON_MAX];
	double median;
};

struct report_row {
	const char *name, *unit;
	bool lower_wins;
	struct report_cell cell[PEERS_MAX];
	double ratio; /* of the first driver to the best other; 0: one of them has no value */
};

struct report {
	struct peers peers;
	int runs;
	double seconds;
	struct report_row row[REPORT_SCENES];
	size_t rows;
};

/* Fills in medians and ratio. */
void report_finish_row(struct report_row *row, size_t peers);
void report_head(FILE *f, const struct report *r);
void report_row(FILE *f, const struct report *r, const struct report_row *row);
/* Why cells are empty. */
void report_reasons(FILE *f, const struct report *r);
bool report_json(const char *name, const struct report *r);

#endif
