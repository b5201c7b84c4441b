/* SPDX-License-Identifier: MIT */
#include "bench/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static void machine_name(char *name, size_t size)
{
	char line[256] = "";
	FILE *f = fopen("/proc/cpuinfo", "r");
	snprintf(name, size, "unknown CPU");
	while (f && fgets(line, sizeof line, f))
		if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
			snprintf(name, size, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"), strchr(line, ':') + 2);
			break;
		}
	if (f)
		fclose(f);
}

void report_place(struct report *r)
{
	char name[120];
	const time_t now = time(NULL);
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct tm day;
	machine_name(name, sizeof name);
	snprintf(r->machine, sizeof r->machine, "%s, %ld CPU%s", name, cpus, cpus == 1 ? "" : "s");
	strftime(r->date, sizeof r->date, "%Y-%m-%d", gmtime_r(&now, &day));
}

static void finish_cell(struct report_cell *cell)
{
	double least = cell->value[0], most = least;
	for (int i = 1; i < cell->count; i++) {
		least = cell->value[i] < least ? cell->value[i] : least;
		most = cell->value[i] > most ? cell->value[i] : most;
	}
	cell->median = median(cell->value, cell->count);
	cell->spread = cell->median > 0 ? (most - least) / cell->median : 0;
}

static double times_better(const struct report_row *row, double value, double than)
{
	if (!(value > 0 && than > 0))
		return 0;
	return row->lower_wins ? than / value : value / than;
}

/* The best value among the peers that one of ours is held against: those of its level and those that
 * have none.  0: there is none. */
static double best_peer(const struct report_row *row, const struct peers *peers, const char *cpu)
{
	double best = 0;
	for (size_t p = peers->ours; p < peers->count; p++) {
		const char *level = peers->peer[p].cpu;
		const double value = row->cell[p].median;
		if (row->cell[p].failed || (cpu && level && strcmp(cpu, level) != 0))
			continue;
		if (best == 0 || times_better(row, value, best) > 1)
			best = value;
	}
	return best;
}

void report_finish_row(struct report_row *row, const struct peers *peers, const struct report_row *first)
{
	for (size_t p = 0; p < peers->count; p++) {
		struct report_cell *cell = &row->cell[p];
		if (cell->failed || cell->count == 0)
			continue;
		finish_cell(cell);
		if (!first->cell[p].failed)
			cell->scaling = times_better(row, cell->median, first->cell[p].median);
	}
	for (size_t p = 0; p < peers->ours; p++)
		row->ratio[p] = times_better(row, row->cell[p].median, best_peer(row, peers, peers->peer[p].cpu));
}

/* --- the table --- */

void report_head(FILE *f, const struct report *r)
{
	for (size_t p = 0; p < r->peers.count; p++)
		fprintf(f, "%-14s %s\n", r->peers.peer[p].name, r->peers.peer[p].device);
	fprintf(f, "%s, %s\n", r->machine, r->date);
	fprintf(f, "median of %d runs of %g s; ratio: above 1 %s wins\n\n", r->runs, r->seconds,
		r->peers.peer[0].name);
	fprintf(f, "%-18s %-12s", "scene", "unit");
	if (r->threads)
		fprintf(f, " %7s", "threads");
	for (size_t p = 0; p < r->peers.count; p++)
		fprintf(f, " %12s", r->peers.peer[p].name);
	fprintf(f, " %7s", "spread");
	for (size_t p = 0; p < r->peers.ours; p++)
		fprintf(f, " %8s", r->peers.ours > 1 && r->peers.peer[p].cpu ? r->peers.peer[p].cpu : "ratio");
	for (size_t p = 0; r->threads && p < r->peers.count; p++)
		fprintf(f, " %11.10s/1", r->peers.peer[p].name);
	fputc('\n', f);
}

void report_number(char text[16], double value)
{
	const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3;
	snprintf(text, 16, "%.*f", digits, value);
}

static void print_times(FILE *f, double value, int width)
{
	if (value > 0)
		fprintf(f, " %*.2f", width, value);
	else
		fprintf(f, " %*s", width, "-");
}

void report_row(FILE *f, const struct report *r, const struct report_row *row)
{
	fprintf(f, "%-18s %-12s", row->name, row->unit);
	if (r->threads)
		fprintf(f, " %7d", row->threads);
	for (size_t p = 0; p < r->peers.count; p++) {
		char text[16] = "-";
		if (!row->cell[p].failed)
			report_number(text, row->cell[p].median);
		fprintf(f, " %12s", text);
	}
	fprintf(f, " %6.1f%%", 100 * row->cell[0].spread);
	for (size_t p = 0; p < r->peers.ours; p++)
		print_times(f, row->ratio[p], 8);
	for (size_t p = 0; r->threads && p < r->peers.count; p++)
		print_times(f, row->cell[p].scaling, 13);
	fputc('\n', f);
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

static void json_times(FILE *f, double value)
{
	if (value > 0)
		fprintf(f, "%.6g", value);
	else
		fputs("null", f);
}

static void json_cell(FILE *f, const struct report_cell *cell)
{
	if (cell->failed) {
		fputs("{ \"failed\": ", f);
		json_string(f, cell->reason);
		fputs(" }", f);
		return;
	}
	fprintf(f, "{ \"median\": %.9g, \"spread\": %.6g, \"scaling\": ", cell->median, cell->spread);
	json_times(f, cell->scaling);
	fputs(", \"runs\": [", f);
	for (int i = 0; i < cell->count; i++)
		fprintf(f, "%s%.9g", i ? ", " : "", cell->value[i]);
	fputc(']', f);
	if (cell->has_hash)
		fprintf(f, ", \"hash\": \"%016" PRIx64 "\"", cell->hash);
	fputs(" }", f);
}

static void json_row(FILE *f, const struct report *r, const struct report_row *row)
{
	fprintf(f, "    { \"scene\": \"%s\", \"unit\": \"%s\", \"lower_wins\": %s, ", row->name, row->unit,
		row->lower_wins ? "true" : "false");
	if (r->threads)
		fprintf(f, "\"threads\": %d, ", row->threads);
	fputs("\"ratio\": ", f);
	json_times(f, row->ratio[0]);
	fputs(",\n      \"ratios\": [", f);
	for (size_t p = 0; p < r->peers.ours; p++) {
		fputs(p ? ", " : " ", f);
		json_times(f, row->ratio[p]);
	}
	fputs(" ]", f);
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
	fputs("{\n  \"machine\": ", f);
	json_string(f, r->machine);
	fprintf(f, ",\n  \"date\": \"%s\",\n  \"drivers\": [\n", r->date);
	for (size_t p = 0; p < r->peers.count; p++) {
		fputs("    { \"name\": ", f);
		json_string(f, r->peers.peer[p].name);
		fputs(", \"manifest\": ", f);
		json_string(f, r->peers.peer[p].manifest);
		fputs(", \"device\": ", f);
		json_string(f, r->peers.peer[p].device);
		if (r->peers.peer[p].cpu)
			fprintf(f, ", \"cpu\": \"%s\"", r->peers.peer[p].cpu);
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
