/* SPDX-License-Identifier: MIT */
/* Vertices to a buffer: transform feedback, nothing rasterized. */
#include "bench/bench.h"

#include "feedback_vert.h"

enum { TRIANGLES = 350000, VERTICES = 3 * TRIANGLES, FLOATS = 8 };

static void setup(struct bench *b)
{
	bench_make_target(b, 64, 64, false);
	b->result = vh_make_buffer(&b->vh, (VkDeviceSize)VERTICES * FLOATS * sizeof(float),
		VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, NULL);
	const struct vh_pipeline_info info = { .vertex = vh_make_shader(&b->vh, feedback_vert, sizeof feedback_vert),
		.layout = b->layout.pipeline, .pass = &b->pass, .discard = true };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

#define FN(b, name) ((PFN_##name)vkGetDeviceProcAddr((b)->vh.device, #name))

static void record(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceSize offset = 0, size = b->result.size;
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	FN(b, vkCmdBindTransformFeedbackBuffersEXT)(commands, 0, 1, &b->result.handle, &offset, &size);
	FN(b, vkCmdBeginTransformFeedbackEXT)(commands, 0, 0, NULL, NULL);
	vkCmdDraw(commands, VERTICES, 1, 0, 0);
	FN(b, vkCmdEndTransformFeedbackEXT)(commands, 0, 0, NULL, NULL);
	vkCmdEndRenderPass(commands);
}

static void check(const struct bench *b)
{
	const float *got = b->result.map;
	for (int i = 0; i < VERTICES; i++, got += FLOATS) {
		const float n = (float)i;
		const float want[FLOATS] = { n, 0.5f * n, -n, 1, n + 0.25f, n * n, 1 - n, (float)(i & 255) };
		for (int k = 0; k < FLOATS; k++)
			if (got[k] != want[k])
				vh_fail("value %d of vertex %d is %g instead of %g", k, i, (double)got[k], (double)want[k]);
	}
}

const struct bench_scene bench_feedback = { .name = "transform_feedback", .unit = "Mvertex/s",
	.what = "a million vertices of 32 bytes captured, a list of triangles, nothing rasterized",
	.wants = &(const struct vh_wants){ .feedback = true }, .setup = setup, .record = record,
	.work = 1e-6 * VERTICES, .check = check };
