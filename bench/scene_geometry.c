/* SPDX-License-Identifier: MIT */
/* Scenes bound by primitives and draws. */
#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

#include "cell_frag.h"
#include "cell_vert.h"
#include "mesh_frag.h"
#include "mesh_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* --- a million small triangles --- */

/* Two meshes of 500 x 500 cells over the picture: 1.84 pixels a triangle.
 * Their depths cross, so each hides half of the other. */
enum { MESH = 500, MESHES = 2, MESH_INDICES = 6 * MESH * MESH };

struct mesh_vertex {
	float x, y;
	uint8_t color[4];
};

static void make_vertices(struct bench *b)
{
	const size_t count = (MESH + 1) * (MESH + 1);
	struct mesh_vertex *v = malloc(count * sizeof *v);
	if (!v)
		vh_fail("out of memory");
	for (size_t i = 0; i < count; i++) {
		const float s = (float)(i % (MESH + 1)) / MESH, t = (float)(i / (MESH + 1)) / MESH;
		v[i] = (struct mesh_vertex){ 2 * s - 1, 2 * t - 1,
			{ (uint8_t)(255 * s + 0.5f), (uint8_t)(255 * t + 0.5f), 64, 255 } };
	}
	b->vertices = vh_make_buffer(&b->vh, count * sizeof *v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
	free(v);
}

static void make_indices(struct bench *b)
{
	uint32_t *out, *indices = malloc(MESH_INDICES * sizeof *indices);
	if (!indices)
		vh_fail("out of memory");
	out = indices;
	for (uint32_t y = 0; y < MESH; y++)
		for (uint32_t x = 0; x < MESH; x++) {
			const uint32_t a = y * (MESH + 1) + x, c = a + MESH + 1;
			const uint32_t cell[6] = { a, a + 1, c, c, a + 1, c + 1 };
			for (int i = 0; i < 6; i++)
				*out++ = cell[i];
		}
	b->indices = vh_make_buffer(&b->vh, MESH_INDICES * sizeof *indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
	free(indices);
}

static void triangles_setup(struct bench *b)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct mesh_vertex),
		VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[2] = {
		{ 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct mesh_vertex, x) },
		{ 1, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(struct mesh_vertex, color) },
	};
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	make_vertices(b);
	make_indices(b);
	const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, mesh_vert),
		.fragment = SHADER(&b->vh, mesh_frag), .layout = b->layout.pipeline, .pass = &b->pass,
		.bindings = &binding, .binding_count = 1, .attributes = attributes, .attribute_count = 2,
		.depth_test = true, .depth_write = true };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void triangles_record(struct bench *b, VkCommandBuffer commands)
{
	const VkDeviceSize offset = 0;
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindVertexBuffers(commands, 0, 1, &b->vertices.handle, &offset);
	vkCmdBindIndexBuffer(commands, b->indices.handle, 0, VK_INDEX_TYPE_UINT32);
	vkCmdDrawIndexed(commands, MESH_INDICES, MESHES, 0, 0, 0);
	vkCmdEndRenderPass(commands);
}

static bool triangles_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float s = ((float)x + 0.5f) / BENCH_WIDTH, t = ((float)y + 0.5f) / BENCH_HEIGHT;
	/* As mesh.vert: the second mesh is nearer where this is negative. */
	const float side = (2 * s - 1) * (2 * t - 1);
	rgb[0] = side < 0 ? t : s;
	rgb[1] = side < 0 ? 1 - s : t;
	rgb[2] = side < 0 ? 191.0f / 255 : 64.0f / 255;
	return fabsf(side) > 0.02f;
}

const struct bench_scene bench_triangles = { .name = "small_triangles", .unit = "Mtriangle/s",
	.what = "a million indexed triangles of 1.8 pixels, depth test, 1280x720",
	.setup = triangles_setup, .record = triangles_record, .work = 1e-6 * 2 * MESH * MESH * MESHES,
	.expect = triangles_expect, .tolerance = 3 };

/* --- 10,000 draws --- */

enum { DRAWS_X = 125, DRAWS_Y = 80, DRAWS = DRAWS_X * DRAWS_Y };

struct draw_constants {
	float rect[4]; /* corner and size in clip space */
	float color[4];
};

static void draw_color(int i, float rgb[3])
{
	rgb[0] = (float)(i % 251) / 255;
	rgb[1] = (float)(i % 241) / 255;
	rgb[2] = (float)(255 - i % 199) / 255;
}

static void draws_setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	b->layout = vh_make_layout(&b->vh, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct draw_constants));
	const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, cell_vert),
		.fragment = SHADER(&b->vh, cell_frag), .layout = b->layout.pipeline, .pass = &b->pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void draws_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	for (int i = 0; i < DRAWS; i++) {
		struct draw_constants c = { { 2.0f * (float)(i % DRAWS_X) / DRAWS_X - 1,
			2.0f * (float)(i / DRAWS_X) / DRAWS_Y - 1, 2.0f / DRAWS_X, 2.0f / DRAWS_Y }, { 0, 0, 0, 1 } };
		draw_color(i, c.color);
		vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof c, &c);
		vkCmdDraw(commands, 3, 1, 0, 0);
	}
	vkCmdEndRenderPass(commands);
}

/* Each cell is half filled by its triangle. */
static bool draws_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float cx = ((float)x + 0.5f) * DRAWS_X / BENCH_WIDTH, cy = ((float)y + 0.5f) * DRAWS_Y / BENCH_HEIGHT;
	const float fx = cx - floorf(cx), fy = cy - floorf(cy);
	rgb[0] = rgb[1] = rgb[2] = 0;
	if (fx + fy < 1)
		draw_color((int)cy * DRAWS_X + (int)cx, rgb);
	return fabsf(fx + fy - 1) > 0.05f && fx > 0.02f && fx < 0.98f && fy > 0.02f && fy < 0.98f;
}

const struct bench_scene bench_draws = { .name = "draws", .unit = "kdraw/s",
	.what = "10,000 draws of a triangle with push constants each, recorded and run",
	.setup = draws_setup, .record = draws_record, .record_each_time = true, .work = 1e-3 * DRAWS,
	.expect = draws_expect, .tolerance = 1 };
