/* SPDX-License-Identifier: MIT */
/* Scenes bound by arithmetic. */
#include "bench/bench.h"

#include <math.h>

#include "fma_comp.h"
#include "fma_frag.h"
#include "fma_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* Four chains that shrink towards a point, so rounding does not add up; as fma.glsl. */
static const float scale[4] = { 0.985f, -0.98f, 0.975f, -0.99f };
static const float add[4] = { 0.009f, 0.7f, 0.012f, 1.1f };

/* --- fragment --- */

enum { FRAGMENT_FMAS = 200 };

static void fragment_setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, fma_vert),
		.fragment = SHADER(&b->vh, fma_frag), .layout = b->layout.pipeline, .pass = &b->pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void fragment_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

static bool fragment_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float s = ((float)x + 0.5f) / BENCH_WIDTH, t = ((float)y + 0.5f) / BENCH_HEIGHT;
	float v[4] = { s, t, 1 - s, 1 - t };
	for (int i = 0; i < FRAGMENT_FMAS / 4; i++)
		for (int c = 0; c < 4; c++)
			v[c] = fmaf(v[c], scale[c], add[c]);
	rgb[0] = 0.5f * (v[0] + v[1]);
	rgb[1] = v[2];
	rgb[2] = v[3];
	return true;
}

const struct bench_scene bench_fragment_fma = { .name = "fragment_fma", .unit = "Gflop/s",
	.what = "a fragment shader of 200 FMA in four chains, 1280x720",
	.setup = fragment_setup, .record = fragment_record,
	.work = 2e-9 * FRAGMENT_FMAS * BENCH_WIDTH * BENCH_HEIGHT, .expect = fragment_expect, .tolerance = 2 };

/* --- compute --- */

enum { GROUP = 64, GROUPS = 2048, INVOCATIONS = GROUP * GROUPS, COMPUTE_ROUNDS = 16, ROUND_FMAS = 64 };

static void compute_setup(struct bench *b)
{
	b->result = vh_make_buffer(&b->vh, INVOCATIONS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	KERNEL(b, fma_comp, 0, sizeof(uint32_t));
}

static void compute_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t rounds = COMPUTE_ROUNDS;
	bench_run_kernel(b, commands, GROUPS, 1, &rounds, sizeof rounds);
}

/* Of `count` invocations every step-th one. */
static void check_chains(const struct bench *b, uint32_t count, uint32_t step, uint32_t rounds)
{
	const float *got = b->result.map;
	for (uint32_t i = 0; i < count; i += step) {
		const float s = (float)i / INVOCATIONS;
		float v[4] = { s, 0.5f + s, 1 - s, 2 * s }, sum;
		for (uint32_t k = 0; k < rounds * ROUND_FMAS / 4; k++)
			for (int c = 0; c < 4; c++)
				v[c] = fmaf(v[c], scale[c], add[c]);
		sum = v[0] + v[1] + v[2] + v[3];
		if (!(fabsf(got[i] - sum) < 1e-3f))
			vh_fail("wrong result: invocation %u gives %.6f, not %.6f", i, (double)got[i], (double)sum);
	}
}

static void compute_check(const struct bench *b)
{
	check_chains(b, INVOCATIONS, 37, COMPUTE_ROUNDS);
}

const struct bench_scene bench_compute_fma = { .name = "compute_fma", .unit = "Gflop/s",
	.what = "131,072 invocations of 1,024 FMA in four chains",
	.setup = compute_setup, .record = compute_record,
	.work = 2e-9 * INVOCATIONS * COMPUTE_ROUNDS * ROUND_FMAS, .check = compute_check };

/* --- both at once --- */

enum { LAYERS = 4, ASYNC_ROUNDS = 50000, REPEATS = 5 };

static const struct vh_wants async_wants = { .second = true };

struct work {
	VkQueue queue;
	VkCommandBuffer commands;
	VkFence fence;
};

static struct work begin_draw(struct bench *b)
{
	const struct work w = { b->vh.queue, vh_begin(&b->vh, 0), vh_make_fence(&b->vh) };
	fragment_setup(b);
	vh_begin_pass(w.commands, &b->pass);
	vkCmdBindPipeline(w.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(w.commands, 3, LAYERS, 0, 0);
	vkCmdEndRenderPass(w.commands);
	vh_check(vkEndCommandBuffer(w.commands), "vkEndCommandBuffer");
	return w;
}

/* One group: as much as one thread can do. */
static struct work begin_compute(struct bench *b)
{
	const uint32_t rounds = ASYNC_ROUNDS;
	const VkCommandPoolCreateInfo pool = { VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.queueFamilyIndex = b->vh.second_family };
	const VkCommandBufferBeginInfo begin = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkCommandBufferAllocateInfo allocate = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1 };
	struct work w = { b->vh.second, VK_NULL_HANDLE, vh_make_fence(&b->vh) };
	compute_setup(b);
	vh_check(vkCreateCommandPool(b->vh.device, &pool, NULL, &allocate.commandPool), "vkCreateCommandPool");
	vh_keep(&b->vh, VK_OBJECT_TYPE_COMMAND_POOL, (uint64_t)allocate.commandPool);
	vh_check(vkAllocateCommandBuffers(b->vh.device, &allocate, &w.commands), "vkAllocateCommandBuffers");
	vh_check(vkBeginCommandBuffer(w.commands, &begin), "vkBeginCommandBuffer");
	bench_run_kernel(b, w.commands, 1, 1, &rounds, sizeof rounds);
	vh_check(vkEndCommandBuffer(w.commands), "vkEndCommandBuffer");
	return w;
}

static void submit(const struct work *w)
{
	const VkSubmitInfo info = { VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &w->commands };
	vh_check(vkQueueSubmit(w->queue, 1, &info, w->fence), "vkQueueSubmit");
}

static void await(const struct bench *b, const struct work *w)
{
	vh_check(vkWaitForFences(b->vh.device, 1, &w->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	vh_check(vkResetFences(b->vh.device, 1, &w->fence), "vkResetFences");
}

static double async_once(struct bench *b)
{
	double alone = 0, together = 0;
	vh_open_wants(&b->vh, "qwbench", &async_wants);
	const struct work draw = begin_draw(b), compute = begin_compute(b);
	for (int i = 0; i <= REPEATS; i++) { /* the first one warms up */
		const double start = vh_now();
		submit(&draw);
		await(b, &draw);
		submit(&compute);
		await(b, &compute);
		const double middle = vh_now();
		submit(&draw);
		submit(&compute);
		await(b, &draw);
		await(b, &compute);
		alone += i ? middle - start : 0;
		together += i ? vh_now() - middle : 0;
	}
	return alone / together;
}

static void async_check(const struct bench *b)
{
	check_chains(b, 64, 7, ASYNC_ROUNDS);
}

const struct bench_scene bench_async_compute = { .name = "async_compute", .unit = "speed-up",
	.what = "a draw and a kernel of one group: time one after the other over time together",
	.once = async_once, .expect = fragment_expect, .tolerance = 2, .check = async_check };
