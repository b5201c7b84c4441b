/* SPDX-License-Identifier: MIT */
/* The table, the JSON file and the chart of qwbench. */
#ifndef QW_BENCH_REPORT_H
#define QW_BENCH_REPORT_H

#include <stdio.h>

#include "bench/peers.h"

enum { REPORT_RUNS = 99 };

struct report_cell {
	double value[REPORT_RUNS]; /* in the order of the runs */
	int count;
	bool failed;
	char reason[REASON_MAX];
	double median, spread; /* spread: largest less smallest, over the median */
	double scaling;        /* better by so many times than with the first count of threads; 0: unknown */
	bool has_hash;
	uint64_t hash;
};

struct report_row {
	const char *name, *unit, *absent; /* absent: why it has no value on this machine, or NULL */
	int threads; /* 0: as many as the driver likes */
	bool lower_wins;
	struct report_cell cell[PEERS_MAX];
	double ratio[PEERS_MAX]; /* of each of ours to the best peer; 0: one of them has no value */
};

struct report {
	struct peers peers;
	int runs;
	double seconds;
	bool threads; /* rows have a number of threads */
	struct report_row *row;
	size_t rows;
	char machine[160], date[16]; /* the CPU and how many of it; 2026-01-31 */
};

/* Fills in machine and date. */
void report_place(struct report *r);
/* Fills in medians, ratios and, against the row of the first count of threads, scalings. */
void report_finish_row(struct report_row *row, const struct peers *peers, const struct report_row *first);
void report_head(FILE *f, const struct report *r);
void report_row(FILE *f, const struct report *r, const struct report_row *row);
/* Why cells are empty. */
void report_reasons(FILE *f, const struct report *r);
bool report_json(const char *name, const struct report *r);
bool report_svg(const char *name, const struct report *r);

/* Four significant digits, without an exponent. */
void report_number(char text[16], double value);

#endif
