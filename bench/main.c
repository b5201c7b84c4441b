/* SPDX-License-Identifier: MIT */
/* qwbench: the same scenes on several Vulkan drivers, one table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/report.h"

static const struct bench_scene *const single[] = { &bench_clear, &bench_quads, &bench_quads_nearest,
	&bench_quads_mips, &bench_overdraw_front,
	&bench_overdraw_blend, &bench_triangles, &bench_meshlets, &bench_feedback, &bench_geometry_quads,
	&bench_geometry_volumes, &bench_terrain, &bench_tess_model, &bench_fragment_fma, &bench_compute_fma,
	&bench_fp16_fma, &bench_int64, &bench_float64, &bench_ssbo_stream, &bench_bda_stream, &bench_ssbo_chase,
	&bench_bda_chase, &bench_bindless, &bench_sgemm, &bench_matvec_q8, &bench_async_compute, &bench_draws,
	&bench_pipelines, &bench_pipelines_2t, &bench_pipelines_4t, &bench_pipelines_shared, &bench_pipelines_warm,
	&bench_first_frame, &bench_first_lag, &bench_first_shader, &bench_first_cube, &bench_first_cube_warm,
	&bench_memory, &bench_memory_cube };
enum { SINGLE = sizeof single / sizeof *single, SCENES = SINGLE + BENCH_TEXTURES };
_Static_assert((int)SCENES <= (int)REPORT_SCENES, "the report has room for all scenes");

static const struct bench_scene *scene_at(int i)
{
	return i < SINGLE ? single[i] : &bench_textures[i - SINGLE];
}

static const char help[] =
	"usage: qwbench [options]\n"
	"Runs the same scenes on several Vulkan drivers in turn and prints one table.\n"
	"\n"
	"  --icd FILE     manifest of a driver; repeatable, the first is ours.  Without it:\n"
	"                 ours from the build tree, lavapipe and SwiftShader if installed\n"
	"  --scene NAME   only this scene; repeatable\n"
	"  --runs N       processes for each scene and driver, of which the median counts (5)\n"
	"  --seconds S    time measured in each process (0.4)\n"
	"  --json FILE    every value, as JSON\n"
	"  --list         the scenes\n"
	"  --help         this\n"
	"\n"
	"A scene whose picture is wrong has no value.  The ratio is ours over the best\n"
	"peer, or the best peer's time over ours: above 1 we win.\n"
	"Exit status: 0; 1 when a scene has no value on the first driver; 2: bad usage.\n";

struct options {
	struct peers peers;
	const char *json;
	bool chosen[SCENES], any_chosen;
	const char *child; /* the scene to measure in this process, or "" to name the device */
	int runs;
	double seconds;
};

static int find_scene(const char *name)
{
	for (int i = 0; i < SCENES; i++)
		if (strcmp(scene_at(i)->name, name) == 0)
			return i;
	fprintf(stderr, "qwbench: no scene \"%s\"; --list names them\n", name);
	exit(2);
}

static void list_scenes(void)
{
	for (int i = 0; i < SCENES; i++)
		printf("%-18s %-12s %s\n", scene_at(i)->name, scene_at(i)->unit, scene_at(i)->what);
	exit(0);
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

static void take_option(struct options *o, const char *option, const char *value)
{
	if (strcmp(option, "--icd") == 0) {
		if (!peers_add(&o->peers, value)) {
			fprintf(stderr, "qwbench: cannot use driver manifest %s\n", value);
			exit(2);
		}
	} else if (strcmp(option, "--scene") == 0) {
		o->chosen[find_scene(value)] = o->any_chosen = true;
	} else if (strcmp(option, "--runs") == 0) {
		o->runs = (int)number(option, value, 1, REPORT_RUNS);
	} else if (strcmp(option, "--seconds") == 0) {
		o->seconds = number(option, value, 0.001, 60);
	} else if (strcmp(option, "--json") == 0) {
		o->json = value;
	} else if (strcmp(option, "--child") == 0) {
		o->child = value;
	} else {
		fprintf(stderr, "qwbench: unknown option %s\n%s", option, help);
		exit(2);
	}
}

static struct options parse(int argc, char **argv)
{
	struct options o = { .runs = 5, .seconds = 0.4 };
	for (int i = 1; i < argc; i += 2) {
		if (strcmp(argv[i], "--help") == 0) {
			fputs(help, stdout);
			exit(0);
		}
		if (strcmp(argv[i], "--list") == 0)
			list_scenes();
		if (i + 1 == argc) {
			fprintf(stderr, "qwbench: %s: unknown, or its value is missing\n%s", argv[i], help);
			exit(2);
		}
		take_option(&o, argv[i], argv[i + 1]);
	}
	return o;
}

/* --- in a child --- */

static int run_child(const struct options *o)
{
	if (*o->child) {
		printf("result: %.9g\n", bench_measure(scene_at(find_scene(o->child)), o->seconds));
		return 0;
	}
	struct vh h;
	vh_open(&h, "qwbench", NULL);
	printf("device: %s, driver %u.%u.%u, Vulkan %u.%u\n", h.properties.deviceName,
		VK_VERSION_MAJOR(h.properties.driverVersion), VK_VERSION_MINOR(h.properties.driverVersion),
		VK_VERSION_PATCH(h.properties.driverVersion), VK_VERSION_MAJOR(h.properties.apiVersion),
		VK_VERSION_MINOR(h.properties.apiVersion));
	vh_close(&h);
	return 0;
}

/* --- in the parent --- */

static struct run start(const struct options *o, const struct peer *peer, const char *scene)
{
	char seconds[32];
	snprintf(seconds, sizeof seconds, "%g", o->seconds);
	char *arguments[] = { "qwbench", "--child", (char *)scene, "--seconds", seconds, NULL };
	return peers_run(peer, arguments, 60 + 10 * o->seconds);
}

/* Runs are interleaved, driver by driver, so that a busy moment of the machine
 * hits all alike.  A driver that failed once is not asked again. */
static void measure_scene(const struct options *o, const struct bench_scene *scene, struct report_row *row)
{
	*row = (struct report_row){ .name = scene->name, .unit = scene->unit, .lower_wins = scene->lower_wins };
	for (int run = 0; run < o->runs; run++)
		for (size_t p = 0; p < o->peers.count; p++) {
			struct report_cell *cell = &row->cell[p];
			if (cell->failed)
				continue;
			const struct run result = start(o, &o->peers.peer[p], scene->name);
			if (result.ok) {
				cell->value[cell->count++] = result.value;
			} else {
				cell->failed = true;
				memcpy(cell->reason, result.reason, sizeof cell->reason);
			}
		}
	report_finish_row(row, o->peers.count);
}

int main(int argc, char **argv)
{
	static struct report report; /* too large for a stack */
	struct options o = parse(argc, argv);
	bool complete = true;
	if (o.child)
		return run_child(&o);
	if (o.peers.count == 0)
		peers_find(&o.peers);
	if (o.peers.count == 0) {
		fputs("qwbench: no driver found; name one with --icd\n", stderr);
		return 2;
	}
	for (size_t p = 0; p < o.peers.count; p++) {
		const struct run run = start(&o, &o.peers.peer[p], "");
		memcpy(o.peers.peer[p].device, run.reason, sizeof run.reason);
	}
	report.peers = o.peers;
	report.runs = o.runs;
	report.seconds = o.seconds;
	report_head(stdout, &report);
	for (int i = 0; i < SCENES; i++) {
		if (o.any_chosen && !o.chosen[i])
			continue;
		struct report_row *row = &report.row[report.rows++];
		measure_scene(&o, scene_at(i), row);
		report_row(stdout, &report, row);
		complete = complete && !row->cell[0].failed;
	}
	report_reasons(stdout, &report);
	if (o.json && !report_json(o.json, &report)) {
		fprintf(stderr, "qwbench: cannot write %s\n", o.json);
		return 1;
	}
	return complete ? 0 : 1;
}
