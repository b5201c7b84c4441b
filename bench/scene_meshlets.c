/* SPDX-License-Identifier: MIT */
/* Two million triangles by mesh shaders. */
#include "bench/bench.h"

#include <stdlib.h>

#include "meshlets_frag.h"
#include "meshlets_mesh.h"

/* As meshlets.mesh has them. */
enum { MESHLETS = 143, CELLS = 7, ROW = MESHLETS * CELLS + 1, TRIANGLES = 2 * MESHLETS * CELLS * MESHLETS * CELLS };

static struct vh_buffer make_heights(struct bench *b)
{
	float *height = malloc((size_t)ROW * ROW * sizeof *height);
	if (!height)
		vh_fail("out of memory");
	for (int i = 0; i < ROW * ROW; i++)
		height[i] = 0.5f + 0.001f * (float)(i % 100);
	const struct vh_buffer buffer = vh_make_buffer(&b->vh, (VkDeviceSize)ROW * ROW * sizeof *height,
		VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, height);
	free(height);
	return buffer;
}

static void setup(struct bench *b)
{
	static const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
		VK_SHADER_STAGE_MESH_BIT_EXT, NULL };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	b->layout = vh_make_layout(&b->vh, &binding, 1, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	b->vertices = make_heights(b);
	vh_set_buffer(&b->vh, b->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &b->vertices);
	const struct vh_pipeline_info info = { .mesh = vh_make_shader(&b->vh, meshlets_mesh, sizeof meshlets_mesh),
		.fragment = vh_make_shader(&b->vh, meshlets_frag, sizeof meshlets_frag), .layout = b->layout.pipeline,
		.pass = &b->pass, .depth_test = true, .depth_write = true };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vh_draw_mesh(&b->vh, commands, MESHLETS, MESHLETS, 1);
	vkCmdEndRenderPass(commands);
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = ((float)x + 0.5f) / BENCH_WIDTH;
	rgb[1] = ((float)y + 0.5f) / BENCH_HEIGHT;
	rgb[2] = 0.25f;
	return true;
}

const struct bench_scene bench_meshlets = { .name = "meshlets", .unit = "Mtriangle/s",
	.what = "two million triangles of meshlets of 64 vertices, depth test, 1280x720",
	.wants = &(const struct vh_wants){ .version = VK_API_VERSION_1_3, .mesh = true, .v13.maintenance4 = VK_TRUE, .names = "mesh shaders" },
	.setup = setup, .record = record, .work = 1e-6 * TRIANGLES, .expect = expect, .tolerance = 3 };
