/* SPDX-License-Identifier: MIT */
/* Scenes that pay for everything the first time: the first frame. */
#include "bench/cells.h"

#include <math.h>
#include <stdlib.h>

enum { FIRST_FRAME_PIPELINES = 8 };

static void make_pipelines(struct bench *b, VkPipeline *pipelines, int32_t count)
{
	const struct cells cells = cells_begin(b);
	for (int32_t i = 0; i < count; i++) {
		pipelines[i] = cells_make(&cells, i, 0, VK_NULL_HANDLE);
		vh_keep(&b->vh, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipelines[i]);
	}
}

static double first_frame_once(struct bench *b)
{
	VkPipeline pipelines[FIRST_FRAME_PIPELINES];
	const double start = vh_now();
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	make_pipelines(b, pipelines, FIRST_FRAME_PIPELINES);
	cells_draw(b, pipelines, FIRST_FRAME_PIPELINES);
	return 1e3 * (vh_now() - start);
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Beyond the median of the next ones; never below a tenth of a millisecond,
 * which is what such a difference can be off by. */
static double first_lag_once(struct bench *b)
{
	enum { LATER = 15 };
	VkPipeline pipelines[FIRST_FRAME_PIPELINES];
	double frame[1 + LATER];
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	make_pipelines(b, pipelines, FIRST_FRAME_PIPELINES);
	for (int i = 0; i < 1 + LATER; i++) {
		const double start = vh_now();
		cells_draw(b, pipelines, FIRST_FRAME_PIPELINES);
		frame[i] = 1e3 * (vh_now() - start);
	}
	qsort(frame + 1, LATER, sizeof *frame, by_value);
	return fmax(frame[0] - frame[1 + LATER / 2], 0.1);
}

static bool first_frame_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	return cells_expect(x, y, FIRST_FRAME_PIPELINES, rgb);
}

const struct bench_scene bench_first_frame = { .name = "first_frame", .unit = "ms", .lower_wins = true,
	.what = "from vkCreateInstance to the first picture, drawn with 8 pipelines",
	.once = first_frame_once, .expect = first_frame_expect, .tolerance = 2 };

const struct bench_scene bench_first_lag = { .name = "first_lag", .unit = "ms", .lower_wins = true,
	.what = "how much longer the first frame takes than later ones, 8 pipelines made before",
	.once = first_lag_once, .expect = first_frame_expect, .tolerance = 2 };
