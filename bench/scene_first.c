/* SPDX-License-Identifier: MIT */
/* What a small compute program pays: its first use of a long shader, memory. */
#include "bench/bench.h"

#include "mix_comp.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { GROUP = 64, GROUPS = 4, INVOCATIONS = GROUP * GROUPS, STEPS = 168 };

static void make_results(struct bench *b)
{
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
		VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	b->layout = vh_make_layout(&b->vh, &binding, 1, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	b->result = vh_make_buffer(&b->vh, INVOCATIONS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	vh_set_buffer(&b->vh, b->set, 0, binding.descriptorType, &b->result);
}

static void dispatch(struct bench *b)
{
	VkCommandBuffer commands = vh_begin(&b->vh, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdDispatch(commands, GROUPS, 1, 1);
	vh_barrier(commands);
	vh_finish(&b->vh, commands);
}

/* As mix.comp. */
static void check_results(const struct bench *b)
{
	const uint32_t *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i++) {
		uint32_t x = i, y = ~i;
		for (uint32_t k = 0; k < STEPS; k++) {
			x = (x ^ x >> 15) * (0x2c1b3c6du + 2 * k) + y;
			y = y << 3 ^ x;
		}
		if (got[i] != x)
			vh_fail("wrong result: invocation %u gives 0x%08x, not 0x%08x", i, got[i], x);
	}
}

static double first_shader_once(struct bench *b)
{
	vh_open(&b->vh, "qwbench", NULL);
	make_results(b);
	VkShaderModule module = SHADER(&b->vh, mix_comp);
	const double start = vh_now();
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, module);
	dispatch(b);
	return 1e3 * (vh_now() - start);
}

static double memory_once(struct bench *b)
{
	const double before = bench_resident();
	vh_open(&b->vh, "qwbench", NULL);
	make_results(b);
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, SHADER(&b->vh, mix_comp));
	dispatch(b);
	return bench_resident() - before;
}

const struct bench_scene bench_first_shader = { .name = "first_shader", .unit = "ms", .lower_wins = true,
	.what = "a compute shader of 1,000 instructions: creation and first dispatch, nothing cached",
	.once = first_shader_once, .check = check_results };

const struct bench_scene bench_memory = { .name = "memory", .unit = "MiB", .lower_wins = true,
	.what = "resident memory that a small compute program gains from Vulkan",
	.once = memory_once, .check = check_results };
