/* SPDX-License-Identifier: MIT */
/* Scenes of pipeline creation: one thread, several, with caches. */
#include "bench/cells.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "fold_frag.h"
#include "fold_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { MAX_THREADS = 4 };

/* --- cells --- */

struct cells cells_begin(struct bench *b)
{
	return (struct cells){ b, SHADER(&b->vh, fold_vert), SHADER(&b->vh, fold_frag) };
}

VkPipeline cells_make(const struct cells *c, int32_t cell, uint32_t salt, VkPipelineCache cache)
{
	struct { int32_t kind; float salt; } values = { cell, 1e-4f * (float)salt };
	const VkSpecializationMapEntry entries[2] = { { 0, 0, 4 }, { 1, 4, 4 } };
	const VkSpecializationInfo constants = { 2, entries, sizeof values, &values };
	const struct vh_pipeline_info info = { .vertex = c->vertex, .fragment = c->fragment, .constants = &constants,
		.layout = c->b->layout.pipeline, .pass = &c->b->pass, .cache = cache };
	return vh_create_pipeline(&c->b->vh, &info);
}

void cells_draw(struct bench *b, const VkPipeline *pipelines, int32_t count)
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

bool cells_expect(uint32_t x, uint32_t y, int count, float rgb[3])
{
	const int cell = (int)(y * CELLS_Y / BENCH_HEIGHT * CELLS_X + x * CELLS_X / BENCH_WIDTH);
	rgb[0] = rgb[1] = rgb[2] = 0;
	if (cell < count)
		fold(((float)x + 0.5f) / 360 - 16.0f / 9, ((float)y + 0.5f) / 360 - 1, cell, rgb);
	return true;
}

static bool pipelines_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	return cells_expect(x, y, CELLS, rgb);
}

/* --- threads --- */

struct maker {
	pthread_t thread;
	const struct cells *cells;
	uint32_t salt;
	VkPipelineCache cache;
	pthread_barrier_t *start;
	VkPipeline pipelines[CELLS];
};

static void *make_all(void *argument)
{
	struct maker *m = argument;
	pthread_barrier_wait(m->start);
	for (int32_t i = 0; i < CELLS; i++)
		m->pipelines[i] = cells_make(m->cells, i, m->salt, m->cache);
	return NULL;
}

/* Milliseconds a pipeline while each of `threads` makes CELLS others. */
static double make_in_threads(struct bench *b, unsigned threads, bool cached)
{
	const VkPipelineCacheCreateInfo empty = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipelineCache cache = VK_NULL_HANDLE;
	struct maker makers[MAX_THREADS];
	pthread_barrier_t start;
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	const struct cells cells = cells_begin(b);
	if (cached)
		vh_check(vkCreatePipelineCache(b->vh.device, &empty, NULL, &cache), "vkCreatePipelineCache");
	pthread_barrier_init(&start, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++) {
		makers[i] = (struct maker){ .cells = &cells, .salt = i, .cache = cache, .start = &start };
		if (pthread_create(&makers[i].thread, NULL, make_all, &makers[i]))
			vh_fail("no thread");
	}
	const double begin = vh_now(); /* before the barrier: behind it the others may run first */
	pthread_barrier_wait(&start);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(makers[i].thread, NULL);
	const double seconds = vh_now() - begin;
	for (unsigned i = 0; i < threads; i++) {
		cells_draw(b, makers[i].pipelines, CELLS);
		for (int k = 0; k < CELLS; k++)
			vh_keep(&b->vh, VK_OBJECT_TYPE_PIPELINE, (uint64_t)makers[i].pipelines[k]);
	}
	vkDestroyPipelineCache(b->vh.device, cache, NULL);
	pthread_barrier_destroy(&start);
	return 1e3 * seconds / (CELLS * threads);
}

static double pipelines_once(struct bench *b)
{
	return make_in_threads(b, 1, false);
}
static double pipelines_2t_once(struct bench *b)
{
	return make_in_threads(b, 2, false);
}
static double pipelines_4t_once(struct bench *b)
{
	return make_in_threads(b, 4, false);
}
static double pipelines_shared_once(struct bench *b)
{
	return make_in_threads(b, 4, true);
}

/* --- a warm cache --- */

static VkPipelineCache reload(struct vh *h, VkPipelineCache cache)
{
	VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipelineCache again;
	void *data = vh_cache_data(h, cache, &info.initialDataSize);
	info.pInitialData = data;
	vh_check(vkCreatePipelineCache(h->device, &info, NULL, &again), "vkCreatePipelineCache");
	vkDestroyPipelineCache(h->device, cache, NULL);
	free(data);
	return again;
}

/* Pipelines are made, destroyed, and made of what the cache wrote. */
static double pipelines_warm_once(struct bench *b)
{
	const VkPipelineCacheCreateInfo empty = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipeline pipelines[CELLS];
	VkPipelineCache cache;
	vh_open(&b->vh, "qwbench", NULL);
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	const struct cells cells = cells_begin(b);
	vh_check(vkCreatePipelineCache(b->vh.device, &empty, NULL, &cache), "vkCreatePipelineCache");
	for (int32_t i = 0; i < CELLS; i++)
		vkDestroyPipeline(b->vh.device, cells_make(&cells, i, 0, cache), NULL);
	cache = reload(&b->vh, cache);
	const double start = vh_now();
	for (int32_t i = 0; i < CELLS; i++)
		pipelines[i] = cells_make(&cells, i, 0, cache);
	const double seconds = vh_now() - start;
	cells_draw(b, pipelines, CELLS);
	for (int32_t i = 0; i < CELLS; i++)
		vh_keep(&b->vh, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipelines[i]);
	vkDestroyPipelineCache(b->vh.device, cache, NULL);
	return 1e3 * seconds / CELLS;
}

#define PIPELINES_SCENE(NAME, WHAT) \
	const struct bench_scene bench_##NAME = { .name = #NAME, .unit = "ms/pipeline", .lower_wins = true, \
		.what = WHAT, .once = NAME##_once, .expect = pipelines_expect, .tolerance = 2 }

PIPELINES_SCENE(pipelines, "creation of 32 distinct graphics pipelines, nothing cached");
PIPELINES_SCENE(pipelines_2t, "the same in each of two threads at once, all distinct; wall time over pipelines");
PIPELINES_SCENE(pipelines_4t, "in four threads");
PIPELINES_SCENE(pipelines_shared, "in four threads with one VkPipelineCache, empty at first");
PIPELINES_SCENE(pipelines_warm, "32 pipelines again, one thread, of a VkPipelineCache that was saved and loaded");
