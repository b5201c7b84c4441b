/* SPDX-License-Identifier: MIT */
/* The table as horizontal bars: a group a row, a bar a driver, the best of a row as
 * long as all other bests, since units differ. */
#include "bench/report.h"

enum { LEFT = 190, BAR = 460, VALUES = 150, RIGHT = 110, WIDTH = LEFT + BAR + VALUES + RIGHT };
enum { TOP = 70, THICK = 11, GAP = 9, LEGEND = 16 };

/* Dark enough for white paper, apart for those who tell no colours apart, too. */
static const char *const colors[] = { "#1f4e9c", "#c8641e", "#2f8a57", "#7a3f98", "#8a7a1c", "#555555" };

static const char *color_of(size_t peer)
{
	return colors[peer % (sizeof colors / sizeof *colors)];
}

static void text(FILE *f, double x, double y, const char *attributes, const char *words)
{
	fprintf(f, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, attributes);
	for (; *words; words++)
		switch (*words) {
		case '<': fputs("&lt;", f); break;
		case '>': fputs("&gt;", f); break;
		case '&': fputs("&amp;", f); break;
		default: fputc((unsigned char)*words < 0x20 ? ' ' : *words, f);
		}
	fputs("</text>\n", f);
}

/* The share of the best that a cell has; 0: no value. */
static double share_of(const struct report_row *row, size_t peers, size_t p)
{
	double best = 0;
	for (size_t i = 0; i < peers; i++) {
		const double value = row->cell[i].failed ? 0 : row->cell[i].median;
		const bool better = row->lower_wins ? value < best : value > best;
		if (value > 0 && (best == 0 || better))
			best = value;
	}
	const double value = row->cell[p].failed ? 0 : row->cell[p].median;
	if (!(value > 0))
		return 0;
	return row->lower_wins ? best / value : value / best;
}

/* " thread" or " threads" behind their number. */
static const char *threads_of(int count) { return count == 1 ? " thread" : " threads"; }

/* Of all rows; 0: they differ, or nobody asked for a number. */
static int common_threads(const struct report *r)
{
	const int threads = r->rows ? r->row[0].threads : 0;
	for (size_t i = 0; i < r->rows; i++)
		if (r->row[i].threads != threads)
			return 0;
	return threads;
}

static void draw_row(FILE *f, const struct report *r, const struct report_row *row, double y)
{
	char label[80];
	const int threads = common_threads(r) ? 0 : row->threads;
	const size_t peers = r->peers.count;
	const double middle = y + 0.5 * THICK * (double)peers + 4;
	if (threads)
		snprintf(label, sizeof label, "%s, %d%s", row->name, threads, threads_of(threads));
	else
		snprintf(label, sizeof label, "%s", row->name);
	text(f, LEFT - 8, middle, " text-anchor=\"end\"", label);
	for (size_t p = 0; p < peers; p++, y += THICK) {
		const double length = BAR * share_of(row, peers, p);
		char number[16], value[64];
		report_number(number, row->cell[p].median);
		snprintf(value, sizeof value, "%s %s", number, row->unit);
		if (length > 0)
			fprintf(f, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", LEFT, y, length,
				THICK - 1, color_of(p));
		text(f, LEFT + length + 5, y + THICK - 2, " font-size=\"10\"", length > 0 ? value : "no value");
	}
	for (size_t p = 0; p < r->peers.ours; p++) {
		const char *level = r->peers.peer[p].cpu;
		snprintf(label, sizeof label, "%s %.2f", level ? level : "ratio", row->ratio[p]);
		if (row->ratio[p] > 0)
			text(f, WIDTH - 8, middle + 13 * ((double)p - 0.5 * (double)(r->peers.ours - 1)),
				" text-anchor=\"end\" font-weight=\"bold\"", label);
	}
}

static void draw_head(FILE *f, const struct report *r)
{
	char line[256];
	double x = LEFT;
	const int threads = common_threads(r);
	if (threads)
		snprintf(line, sizeof line, "%s, %s, %d%s", r->machine, r->date, threads, threads_of(threads));
	else
		snprintf(line, sizeof line, "%s, %s", r->machine, r->date);
	text(f, LEFT, 22, " font-size=\"15\" font-weight=\"bold\"", line);
	snprintf(line, sizeof line, "median of %d run%s of %g s; longer is better; ratio: to the best peer%s", r->runs,
		r->runs == 1 ? "" : "s", r->seconds, r->peers.ours > 1 ? " of its level" : "");
	text(f, LEFT, 40, "", line);
	for (size_t p = 0; p < r->peers.count; p++) {
		const char *name = r->peers.peer[p].name;
		fprintf(f, "<rect x=\"%.1f\" y=\"%d\" width=\"%d\" height=\"11\" fill=\"%s\"/>\n", x, TOP - 20, LEGEND,
			color_of(p));
		text(f, x + LEGEND + 4, TOP - 10, "", name);
		for (x += LEGEND + 20; *name; name++)
			x += 7;
	}
}

bool report_svg(const char *name, const struct report *r)
{
	const double step = THICK * (double)r->peers.count + GAP, height = TOP + step * (double)r->rows + GAP;
	FILE *f = fopen(name, "w");
	if (!f)
		return false;
	fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\" "
		   "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#1a1a1a\">\n", WIDTH, height,
		WIDTH, height);
	fprintf(f, "<rect width=\"%d\" height=\"%.0f\" fill=\"#ffffff\"/>\n", WIDTH, height);
	draw_head(f, r);
	for (size_t i = 0; i < r->rows; i++)
		draw_row(f, r, &r->row[i], TOP + step * (double)i);
	fputs("</svg>\n", f);
	return fclose(f) == 0;
}
