/* SPDX-License-Identifier: MIT */
#include "bench/report.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double *values, int count)
{
	double sorted[REPORT_RUNS];
	memcpy(sorted, values, (size_t)count * sizeof *values);
	qsort(sorted, (size_t)count, sizeof *sorted, compare);
	return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

void report_finish_row(struct report_row *row, size_t peers)
{
	double best = 0;
	for (size_t p = 0; p < peers; p++) {
		struct report_cell *cell = &row->cell[p];
		if (cell->failed || cell->count == 0)
			continue;
		cell->median = median(cell->value, cell->count);
		if (p > 0 && (best == 0 || (row->lower_wins ? cell->median < best : cell->median > best)))
			best = cell->median;
	}
	if (best > 0 && row->cell[0].median > 0)
		row->ratio = row->lower_wins ? best / row->cell[0].median : row->cell[0].median / best;
}

void report_head(FILE *f, const struct report *r)
{
	for (size_t p = 0; p < r->peers.count; p++)
		fprintf(f, "%-12s %s\n", r->peers.peer[p].name, r->peers.peer[p].device);
	fprintf(f, "median of %d runs of %g s; ratio: above 1 %s wins\n\n", r->runs, r->seconds,
		r->peers.peer[0].name);
	fprintf(f, "%-18s %-12s", "scene", "unit");
	for (size_t p = 0; p < r->peers.count; p++)
		fprintf(f, " %12s", r->peers.peer[p].name);
	fprintf(f, " %8s\n", "ratio");
}

/* Four significant digits, without an exponent. */
static void print_value(FILE *f, double value)
{
	const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
	fprintf(f, " %12.*f", digits, value);
}

void report_row(FILE *f, const struct report *r, const struct report_row *row)
{
	fprintf(f, "%-18s %-12s", row->name, row->unit);
	for (size_t p = 0; p < r->peers.count; p++) {
		if (row->cell[p].failed)
			fprintf(f, " %12s", "-");
		else
			print_value(f, row->cell[p].median);
	}
	if (row->ratio > 0)
		fprintf(f, " %8.2f\n", row->ratio);
	else
		fprintf(f, " %8s\n", "-");
	fflush(f);
}

void report_reasons(FILE *f, const struct report *r)
{
	for (size_t i = 0; i < r->rows; i++)
		for (size_t p = 0; p < r->peers.count; p++)
			if (r->row[i].cell[p].failed)
				fprintf(f, "%s on %s: %s\n", r->row[i].name, r->peers.peer[p].name,
					r->row[i].cell[p].reason);
}

/* --- JSON --- */

static void json_string(FILE *f, const char *text)
{
	fputc('"', f);
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < 0x20)
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}

static void json_cell(FILE *f, const struct report_cell *cell)
{
	if (cell->failed) {
		fputs("{ \"failed\": ", f);
		json_string(f, cell->reason);
		fputs(" }", f);
		return;
	}
	fprintf(f, "{ \"median\": %.9g, \"runs\": [", cell->median);
	for (int i = 0; i < cell->count; i++)
		fprintf(f, "%s%.9g", i ? ", " : "", cell->value[i]);
	fputs("] }", f);
}

static void json_row(FILE *f, const struct report *r, const struct report_row *row)
{
	fprintf(f, "    { \"scene\": \"%s\", \"unit\": \"%s\", \"lower_wins\": %s, \"ratio\": ", row->name, row->unit,
		row->lower_wins ? "true" : "false");
	if (row->ratio > 0)
		fprintf(f, "%.6g", row->ratio);
	else
		fputs("null", f);
	for (size_t p = 0; p < r->peers.count; p++) {
		fputs(p ? ",\n        " : ",\n      \"results\": [ ", f);
		json_cell(f, &row->cell[p]);
	}
	fputs(" ] }", f);
}

bool report_json(const char *name, const struct report *r)
{
	FILE *f = fopen(name, "w");
	if (!f)
		return false;
	fputs("{\n  \"drivers\": [\n", f);
	for (size_t p = 0; p < r->peers.count; p++) {
		fputs("    { \"name\": ", f);
		json_string(f, r->peers.peer[p].name);
		fputs(", \"manifest\": ", f);
		json_string(f, r->peers.peer[p].manifest);
		fputs(", \"device\": ", f);
		json_string(f, r->peers.peer[p].device);
		fputs(p + 1 < r->peers.count ? " },\n" : " }\n", f);
	}
	fprintf(f, "  ],\n  \"seconds\": %g,\n  \"scenes\": [\n", r->seconds);
	for (size_t i = 0; i < r->rows; i++) {
		json_row(f, r, &r->row[i]);
		fputs(i + 1 < r->rows ? ",\n" : "\n", f);
	}
	fputs("  ]\n}\n", f);
	return fclose(f) == 0;
}
