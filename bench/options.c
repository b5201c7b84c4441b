/* SPDX-License-Identifier: MIT */
#include "bench/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/report.h"
#include "core/level.h"

static const char help[] =
	"usage: qwbench [options]\n"
	"Runs the same scenes on several Vulkan drivers in turn and prints one table.\n"
	"\n"
	"  --icd FILE       manifest of a driver; repeatable, the first is ours.  Without it:\n"
	"                   ours from the build tree, lavapipe and SwiftShader if installed\n"
	"  --scene NAME     only this scene; repeatable\n"
	"  --runs N         processes for each scene and driver, of which the median counts (5)\n"
	"  --seconds S      time measured in each process (0.4)\n"
	"  --cpu LEVEL      ours with the kernels for v3 (AVX2), v4 (AVX-512), or both;\n"
	"                   lavapipe likewise without or with AVX-512, and each against its like\n"
	"  --threads LIST   with so many threads each, as 1,2,4; the table has the ratio to\n"
	"                   the first of them.  QW_THREADS, LP_NUM_THREADS; SwiftShader gets\n"
	"                   as many CPUs\n"
	"  --hash           the first driver's frames must be those recorded, to the bit\n"
	"  --record         record them\n"
	"  --hashes FILE    the record (the tree's bench/hashes.txt)\n"
	"  --json FILE      every value, medians and spreads, as JSON\n"
	"  --svg FILE       the table as bars\n"
	"  --profile SCENE  where our time goes in that scene: by block of the hardware, by\n"
	"                   function, by shader.  perf samples, or else a process of our own\n"
	"  --sampler WHICH  of these, perf or ptrace\n"
	"  --picture FILE   the frame of the one --scene on the first driver, as PPM\n"
	"  --list           the scenes\n"
	"  --help           this\n"
	"\n"
	"A scene whose picture is wrong has no value.  The ratio is ours over the best\n"
	"peer, or the best peer's time over ours: above 1 we win.  The spread is that of\n"
	"our runs, the largest less the smallest, over the median.\n"
	"Exit status: 0; 1 when a scene has no value on the first driver or, with --hash,\n"
	"another frame than the record; 2: bad usage.\n";

static _Noreturn void refuse(const char *what, const char *value)
{
	fprintf(stderr, "qwbench: ");
	fprintf(stderr, what, value);
	fputc('\n', stderr);
	exit(2);
}

static double number(const char *option, const char *text, double least, double most)
{
	char *end;
	const double value = strtod(text, &end);
	if (*end || end == text || !(value >= least && value <= most)) {
		fprintf(stderr, "qwbench: %s wants a number from %g to %g, not \"%s\"\n", option, least, most, text);
		exit(2);
	}
	return value;
}

static void take_threads(struct options *o, const char *list)
{
	enum { MOST = 64 };
	char part[16];
	for (const char *at = list; o->thread_counts < OPTIONS_THREADS; at++) {
		const size_t length = strcspn(at, ",");
		snprintf(part, sizeof part, "%.*s", (int)length, at);
		const double count = number("--threads", part, 1, MOST);
		if (count > (int)count)
			refuse("--threads wants whole numbers, not \"%s\"", part);
		o->threads[o->thread_counts++] = (int)count;
		at += length;
		if (!*at)
			return;
	}
	refuse("--threads: \"%s\" has too many counts", list);
}

/* Options without a value; false if it is none of them. */
static bool take_flag(struct options *o, const char *option)
{
	if (strcmp(option, "--help") == 0) {
		fputs(help, stdout);
		exit(0);
	} else if (strcmp(option, "--list") == 0) {
		o->list = true;
	} else if (strcmp(option, "--hash") == 0) {
		o->hash = true;
	} else if (strcmp(option, "--record") == 0) {
		o->record = true;
	} else {
		return false;
	}
	return true;
}

/* Those with a text that is only kept. */
static const char **text_option(struct options *o, const char **cpu, const char *option)
{
	const struct {
		const char *name;
		const char **text;
	} texts[] = { { "--json", &o->json }, { "--svg", &o->svg }, { "--profile", &o->profile },
		{ "--sampler", &o->sampler }, { "--picture", &o->picture }, { "--hashes", &o->hashes }, { "--child", &o->child }, { "--cpu", cpu } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strcmp(option, texts[i].name) == 0)
			return texts[i].text;
	if (strcmp(option, "--scene") != 0)
		return NULL;
	if (o->scenes == OPTIONS_SCENES)
		refuse("more scenes than there are: %s", option);
	return &o->scene[o->scenes++];
}

static void take_option(struct options *o, const char **cpu, const char *option, const char *value)
{
	const bool numeric = !strcmp(option, "--runs") || !strcmp(option, "--seconds") || !strcmp(option, "--threads");
	const char **text = text_option(o, cpu, option);
	if (!text && !numeric && strcmp(option, "--icd") != 0) {
		fprintf(stderr, "qwbench: unknown option %s\n%s", option, help);
		exit(2);
	}
	if (!value) {
		fprintf(stderr, "qwbench: %s: its value is missing\n%s", option, help);
		exit(2);
	}
	if (text)
		*text = value;
	else if (strcmp(option, "--threads") == 0)
		take_threads(o, value);
	else if (strcmp(option, "--runs") == 0)
		o->runs = (int)number(option, value, 1, REPORT_RUNS);
	else if (strcmp(option, "--seconds") == 0)
		o->seconds = number(option, value, 0.001, 60);
	else if (!peers_add(&o->peers, value))
		refuse("cannot use driver manifest %s", value);
}

/* A machine's best level is no reason to believe that it was measured: a level that it lacks ends here. */
static void take_levels(struct options *o, const char *cpu)
{
	static const char *const both[] = { "v3", "v4" };
	const bool all = strcmp(cpu, "both") == 0;
	const char *const *level = all ? both : &cpu;
	for (int i = 0; i < 1 + all; i++) {
		enum cu_level got;
		const char *why;
		if (!cu_level_detect(level[i], &got, &why)) {
			fprintf(stderr, "qwbench: --cpu %s: %s\n", cpu, why);
			exit(2);
		}
	}
	if (!peers_split(&o->peers, level, 1 + all))
		refuse("--cpu %s: too many drivers", cpu);
}

struct options options_parse(int argc, char **argv)
{
	struct options o = { .runs = 5, .seconds = 0.4, .hashes = QW_BENCH_HASHES };
	const char *cpu = NULL;
	for (int i = 1; i < argc; i++)
		if (!take_flag(&o, argv[i])) {
			take_option(&o, &cpu, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
			i++;
		}
	if (o.thread_counts == 0)
		o.thread_counts = 1;
	if (o.sampler && strcmp(o.sampler, "perf") && strcmp(o.sampler, "ptrace"))
		refuse("--sampler is perf or ptrace, not %s", o.sampler);
	if (o.picture && !o.child && o.scenes != 1)
		refuse("--picture %s wants one --scene", o.picture);
	if (o.child || o.list)
		return o;
	if (o.peers.count == 0)
		peers_find(&o.peers);
	if (o.peers.count == 0)
		refuse("no driver found; name one with %s", "--icd");
	if (cpu)
		take_levels(&o, cpu);
	return o;
}
