/* Scenes that pay for everything the first time: pipelines, the first frame. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "fold_frag.h"
#include "fold_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* Each pipeline fills one cell of 8 x 4 and differs from the others in
 * constants that its code holds, so none can be shared. */
enum { CELLS_X = 8, CELLS_Y = 4, PIPELINES = CELLS_X * CELLS_Y, FIRST_FRAME_PIPELINES = 8 };

static void make_pipelines(struct bench *b, VkPipeline *pipelines, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		const VkSpecializationMapEntry entry = { 0, 0, sizeof i };
		const VkSpecializationInfo constants = { 1, &entry, sizeof i, &i };
		const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, fold_vert),
			.fragment = SHADER(&b->vh, fold_frag), .constants = &constants, .layout = b->layout.pipeline,
			.pass = &b->pass };
		pipelines[i] = vh_make_pipeline(&b->vh, &info);
	}
}

static void draw_cells(struct bench *b, const VkPipeline *pipelines, int32_t count)
{
	VkCommandBuffer commands = vh_begin(&b->vh, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &b->pass);
	for (int32_t i = 0; i < count; i++) {
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
		vkCmdDraw(commands, 6, 1, 0, 0);
	}
	vkCmdEndRenderPass(commands);
	vh_finish(&b->vh, commands);
}

static double pipelines_once(struct bench *b)
{
	VkPipeline pipelines[PIPELINES];
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	const double start = vh_now();
	make_pipelines(b, pipelines, PIPELINES);
	const double seconds = vh_now() - start;
	draw_cells(b, pipelines, PIPELINES);
	return 1e3 * seconds / PIPELINES;
}

static double first_frame_once(struct bench *b)
{
	VkPipeline pipelines[FIRST_FRAME_PIPELINES];
	const double start = vh_now();
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	make_pipelines(b, pipelines, FIRST_FRAME_PIPELINES);
	draw_cells(b, pipelines, FIRST_FRAME_PIPELINES);
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
		draw_cells(b, pipelines, FIRST_FRAME_PIPELINES);
		frame[i] = 1e3 * (vh_now() - start);
	}
	qsort(frame + 1, LATER, sizeof *frame, by_value);
	return fmax(frame[0] - frame[1 + LATER / 2], 0.1);
}

/* As fold.frag. */
static void fold(float x, float y, int kind, float rgb[3])
{
	const float k = (float)kind;
	float sum[3] = { 0, 0, 0 };
	for (int i = 0; i < 6; i++) {
		const float ax = fabsf(x) * (1 + 0.01f * k) - (0.2f + 0.01f * k), ay = fabsf(y) - 0.3f;
		x = 0.8f * ax - 0.6f * ay;
		y = 0.6f * ax + 0.8f * ay;
		const float r = sqrtf(x * x + y * y);
		sum[0] += 1 / (1 + 4 * r);
		sum[1] += fminf(fabsf(x), 1);
		sum[2] += r / (1 + r);
	}
	for (int c = 0; c < 3; c++)
		rgb[c] = fminf(sum[c] / 6, 1);
}

static bool cells_expect(uint32_t x, uint32_t y, int count, float rgb[3])
{
	const int cell = (int)(y * CELLS_Y / BENCH_HEIGHT * CELLS_X + x * CELLS_X / BENCH_WIDTH);
	rgb[0] = rgb[1] = rgb[2] = 0;
	if (cell < count)
		fold(((float)x + 0.5f) / 360 - 16.0f / 9, ((float)y + 0.5f) / 360 - 1, cell, rgb);
	return true;
}

static bool pipelines_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	return cells_expect(x, y, PIPELINES, rgb);
}

static bool first_frame_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	return cells_expect(x, y, FIRST_FRAME_PIPELINES, rgb);
}

const struct bench_scene bench_pipelines = { .name = "pipelines", .unit = "ms/pipeline", .lower_wins = true,
	.what = "creation of 32 distinct graphics pipelines, nothing cached",
	.once = pipelines_once, .expect = pipelines_expect, .tolerance = 2 };

const struct bench_scene bench_first_frame = { .name = "first_frame", .unit = "ms", .lower_wins = true,
	.what = "from vkCreateInstance to the first picture, drawn with 8 pipelines",
	.once = first_frame_once, .expect = first_frame_expect, .tolerance = 2 };

const struct bench_scene bench_first_lag = { .name = "first_lag", .unit = "ms", .lower_wins = true,
	.what = "how much longer the first frame takes than later ones, 8 pipelines made before",
	.once = first_lag_once, .expect = first_frame_expect, .tolerance = 2 };
