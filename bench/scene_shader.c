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
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
		VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	b->layout = vh_make_layout(&b->vh, &binding, 1, VK_SHADER_STAGE_COMPUTE_BIT, sizeof(uint32_t));
	b->set = vh_make_set(&b->vh, &b->layout);
	b->result = vh_make_buffer(&b->vh, INVOCATIONS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	vh_set_buffer(&b->vh, b->set, 0, binding.descriptorType, &b->result);
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, SHADER(&b->vh, fma_comp));
}

static void compute_record(struct bench *b, VkCommandBuffer commands)
{
	const uint32_t rounds = COMPUTE_ROUNDS;
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof rounds, &rounds);
	vkCmdDispatch(commands, GROUPS, 1, 1);
	vh_barrier(commands);
}

static void compute_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i += 37) {
		const float s = (float)i / INVOCATIONS;
		float v[4] = { s, 0.5f + s, 1 - s, 2 * s }, sum;
		for (int k = 0; k < COMPUTE_ROUNDS * ROUND_FMAS / 4; k++)
			for (int c = 0; c < 4; c++)
				v[c] = fmaf(v[c], scale[c], add[c]);
		sum = v[0] + v[1] + v[2] + v[3];
		if (!(fabsf(got[i] - sum) < 1e-3f))
			vh_fail("wrong result: invocation %u gives %.6f, not %.6f", i, (double)got[i], (double)sum);
	}
}

const struct bench_scene bench_compute_fma = { .name = "compute_fma", .unit = "Gflop/s",
	.what = "131,072 invocations of 1,024 FMA in four chains",
	.setup = compute_setup, .record = compute_record,
	.work = 2e-9 * INVOCATIONS * COMPUTE_ROUNDS * ROUND_FMAS, .check = compute_check };
