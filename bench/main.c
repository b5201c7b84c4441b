/* SPDX-License-Identifier: MIT */
/* qwbench: the same scenes on several Vulkan drivers, one table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/bench.h"
#include "bench/hashes.h"
#include "bench/options.h"
#include "bench/profile.h"
#include "bench/report.h"

static const struct bench_scene *const single[] = { &bench_clear, &bench_quads, &bench_quads_nearest,
	&bench_quads_mips, &bench_blit_mips, &bench_blit_scale, &bench_overdraw_front,
	&bench_overdraw_blend, &bench_posts[0], &bench_posts[1], &bench_posts[2], &bench_posts[3], &bench_ambient, &bench_desktop, &bench_windows, &bench_particles, &bench_shadow_pcf,
	&bench_deferred, &bench_text, &bench_wire, &bench_pbr, &bench_skinned, &bench_around, &bench_present, &bench_objects, &bench_material, &bench_triangles,
	&bench_meshlets, &bench_feedback, &bench_geometry_quads,
	&bench_geometry_volumes, &bench_terrain, &bench_tess_model, &bench_fragment_fma, &bench_compute_fma,
	&bench_fp16_fma, &bench_int64, &bench_float64, &bench_ssbo_stream, &bench_bda_stream, &bench_submit, &bench_ssbo_chase,
	&bench_bda_chase, &bench_bindless, &bench_sgemm, &bench_matvec_q8, &bench_image_store, &bench_relax, &bench_histogram, &bench_atomic_max, &bench_texel_buffer, &bench_scan, &bench_sort, &bench_nbody, &bench_fft, &bench_sha256, &bench_upload, &bench_readback, &bench_async_compute, &bench_draws,
	&bench_pipelines, &bench_pipelines_2t, &bench_pipelines_4t, &bench_pipelines_shared, &bench_pipelines_warm,
	&bench_first_frame, &bench_first_lag, &bench_first_shader, &bench_first_cube, &bench_first_cube_warm,
	&bench_memory, &bench_memory_cube };
enum { SINGLE = sizeof single / sizeof *single, TEXTURES_END = SINGLE + BENCH_TEXTURES, TARGETS_END = TEXTURES_END + BENCH_TARGETS,
	DEPTHS_END = TARGETS_END + BENCH_DEPTHS, TOYS_END = DEPTHS_END + BENCH_TOYS,
	SCENES = TOYS_END + BENCH_SURFACES };
_Static_assert((int)SCENES <= (int)OPTIONS_SCENES && (int)SCENES <= (int)HASHES_MOST, "there is room for all scenes");

static const struct bench_scene *scene_at(int i)
{
	if (i < SINGLE)
		return single[i];
	if (i < TEXTURES_END)
		return &bench_textures[i - SINGLE];
	if (i < TARGETS_END)
		return &bench_targets[i - TEXTURES_END];
	if (i < DEPTHS_END)
		return &bench_depths[i - TARGETS_END];
	return i < TOYS_END ? &bench_toys[i - DEPTHS_END] : &bench_surfaces[i - TOYS_END];
}

static int find_scene(const char *name)
{
	for (int i = 0; i < SCENES; i++)
		if (strcmp(scene_at(i)->name, name) == 0)
			return i;
	fprintf(stderr, "qwbench: no scene \"%s\"; --list names them\n", name);
	exit(2);
}

static int list_scenes(void)
{
	for (int i = 0; i < SCENES; i++)
		printf("%-18s %-12s %s\n", scene_at(i)->name, scene_at(i)->unit, scene_at(i)->what);
	return 0;
}

/* --- in a child --- */

static int run_child(const struct options *o)
{
	if (*o->child && o->sampler)
		return profile_run(scene_at(find_scene(o->child)), o->seconds, strcmp(o->sampler, "perf") ? PROFILE_PTRACE :
			PROFILE_PERF);
	if (*o->child) {
		const struct bench_watch watch = { bench_nobody, bench_nobody, NULL, o->picture };
		const struct bench_result result = bench_measure(scene_at(find_scene(o->child)), o->seconds, &watch);
		printf("hash: %016" PRIx64 "\nresult: %.9g\n", result.hash, result.value);
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

static struct run start(const struct options *o, const struct peer *peer, int threads, const char *scene)
{
	char seconds[32];
	snprintf(seconds, sizeof seconds, "%g", o->seconds);
	const bool shows = o->picture && peer == &o->peers.peer[0];
	char *arguments[] = { "qwbench", "--child", (char *)scene, "--seconds", seconds, shows ? "--picture" : NULL,
		(char *)o->picture, NULL };
	return peers_run(peer, threads, arguments, 60 + 10 * o->seconds);
}

/* exact: each run has the same frame. */
static void add_run(struct report_cell *cell, const struct run *run, bool exact)
{
	if (!run->ok) {
		cell->failed = true;
		memcpy(cell->reason, run->reason, sizeof cell->reason);
	} else if (exact && cell->count > 0 && run->hash != cell->hash) {
		cell->failed = true;
		snprintf(cell->reason, sizeof cell->reason, "two runs, two frames: %016" PRIx64 " and %016" PRIx64, cell->hash,
			run->hash);
	} else {
		cell->value[cell->count++] = run->value;
		cell->has_hash = run->has_hash;
		cell->hash = run->hash;
	}
}

/* Runs are interleaved, driver by driver, so that a busy moment of the machine
 * hits all alike.  A driver that failed once is not asked again. */
static void measure_scene(const struct options *o, const struct bench_scene *scene, struct report_row *row)
{
	row->name = scene->name;
	row->unit = scene->unit;
	row->lower_wins = scene->lower_wins;
	row->absent = scene->absent ? scene->absent() : NULL;
	for (size_t p = 0; row->absent && p < o->peers.count; p++) {
		row->cell[p].failed = true;
		snprintf(row->cell[p].reason, sizeof row->cell[p].reason, "%s", row->absent);
	}
	for (int run = 0; run < o->runs; run++)
		for (size_t p = 0; p < o->peers.count; p++) {
			if (row->cell[p].failed)
				continue;
			const struct run result = start(o, &o->peers.peer[p], row->threads, scene->name);
			add_run(&row->cell[p], &result, p < o->peers.ours && (o->hash || o->record));
		}
}

/* Of ours: every frame of a scene is the one that is recorded; a wrong one is no value.  With
 * --record that of the first driver in the scene's first row is taken for it. */
static void check_hashes(const struct options *o, struct hashes *hashes, struct report_row *row, bool first)
{
	for (size_t p = 0; p < o->peers.ours; p++) {
		struct report_cell *cell = &row->cell[p];
		if (cell->failed)
			continue;
		if (o->record && first && p == 0)
			hashes_set(hashes, row->name, cell->hash);
		const uint64_t *recorded = hashes_find(hashes, row->name);
		if (recorded && *recorded == cell->hash)
			continue;
		cell->failed = true;
		if (recorded)
			snprintf(cell->reason, sizeof cell->reason, "wrong frame: %016" PRIx64 ", recorded is %016" PRIx64,
				cell->hash, *recorded);
		else
			snprintf(cell->reason, sizeof cell->reason, "frame %016" PRIx64 " is not recorded", cell->hash);
	}
}

/* A row for each count of threads; false when one of ours has no value. */
static bool run_scene(const struct options *o, const struct bench_scene *scene, struct report *report, struct hashes *hashes)
{
	const struct report_row *first = &report->row[report->rows];
	bool complete = true;
	for (size_t t = 0; t < o->thread_counts; t++) {
		struct report_row *row = &report->row[report->rows++];
		row->threads = o->threads[t];
		measure_scene(o, scene, row);
		if (o->hash || o->record)
			check_hashes(o, hashes, row, row == first);
		report_finish_row(row, &report->peers, first);
		report_row(stdout, report, row);
		for (size_t p = 0; p < o->peers.ours; p++)
			complete = complete && (row->absent || !row->cell[p].failed);
	}
	return complete;
}

static struct report begin_report(const struct options *o)
{
	struct report report = { .peers = o->peers, .runs = o->runs, .seconds = o->seconds, .threads = o->threads[0] > 0,
		.row = calloc(SCENES * o->thread_counts, sizeof *report.row) };
	if (!report.row)
		vh_fail("out of memory");
	for (size_t p = 0; p < o->peers.count; p++) {
		const struct run run = start(o, &o->peers.peer[p], 0, "");
		memcpy(report.peers.peer[p].device, run.reason, sizeof run.reason);
	}
	report_place(&report);
	report_head(stdout, &report);
	return report;
}

static bool written(bool done, const char *name)
{
	if (!done)
		fprintf(stderr, "qwbench: cannot write %s\n", name);
	return done;
}

/* What the options want of files; false when one of them cannot be written. */
static bool write_files(const struct options *o, const struct report *report, const struct hashes *hashes)
{
	bool good = true;
	if (o->record)
		good = written(hashes_write(hashes, o->hashes), o->hashes) && good;
	if (o->json)
		good = written(report_json(o->json, report), o->json) && good;
	if (o->svg)
		good = written(report_svg(o->svg, report), o->svg) && good;
	return good;
}

static int run_scenes(const struct options *o)
{
	static struct hashes hashes;
	bool chosen[SCENES] = { false }, complete = true;
	for (size_t i = 0; i < o->scenes; i++)
		chosen[find_scene(o->scene[i])] = true;
	if ((o->hash || o->record) && !hashes_read(&hashes, o->hashes))
		return 2;
	struct report report = begin_report(o);
	for (int i = 0; i < SCENES; i++)
		if (chosen[i] || o->scenes == 0)
			complete = run_scene(o, scene_at(i), &report, &hashes) && complete;
	report_reasons(stdout, &report);
	complete = write_files(o, &report, &hashes) && complete;
	free(report.row);
	return complete ? 0 : 1;
}

/* perf is asked first; where it is not there, or not allowed, ptrace. */
static int profile_scene(const struct options *o)
{
	static const char *const samplers[] = { "perf", "ptrace" };
	char seconds[32];
	int status = -1;
	find_scene(o->profile);
	snprintf(seconds, sizeof seconds, "%g", o->seconds);
	setenv("QW_PERF_MAP", "1", 1);
	for (int i = 0; i < 2; i++) {
		char *arguments[] = { "qwbench", "--child", (char *)o->profile, "--seconds", seconds, "--sampler",
			(char *)samplers[i], NULL };
		if (o->sampler && strcmp(o->sampler, samplers[i]))
			continue;
		status = peers_show(&o->peers.peer[0], o->threads[0], arguments);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			return 0;
		if (!WIFEXITED(status) || WEXITSTATUS(status) != PROFILE_NOTHING)
			break;
		fprintf(stderr, "qwbench: %s took no samples%s\n", samplers[i],
			i ? ": not allowed (kernel.yama.ptrace_scope), or the scene is too short (--seconds)" :
			     ": it is missing, or not allowed (kernel.perf_event_paranoid)");
	}
	return 1;
}

int main(int argc, char **argv)
{
	const struct options o = options_parse(argc, argv);
	if (o.list)
		return list_scenes();
	if (o.profile)
		return profile_scene(&o);
	return o.child ? run_child(&o) : run_scenes(&o);
}
