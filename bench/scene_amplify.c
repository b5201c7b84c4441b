/* SPDX-License-Identifier: MIT */
/* Geometry shaders: points that become quads, triangles with adjacency that become volumes. */
#include "bench/bench.h"

#include <math.h>

#include "amplify_frag.h"
#include "box_vert.h"
#include "point_vert.h"
#include "quad_geom.h"
#include "volume_geom.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

static const struct vh_wants wants = { .core = { .geometryShader = VK_TRUE } };

static void make_pipeline(struct bench *b, VkShaderModule vertex, VkShaderModule geometry, VkPrimitiveTopology topology)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	const struct vh_pipeline_info info = { .vertex = vertex, .geometry = geometry,
		.fragment = SHADER(&b->vh, amplify_frag), .layout = b->layout.pipeline, .pass = &b->pass,
		.topology = topology, .points = topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

/* --- points to quads --- */

enum { COLUMNS = 500, ROWS = 400, POINTS = COLUMNS * ROWS };

static void points_setup(struct bench *b)
{
	make_pipeline(b, SHADER(&b->vh, point_vert), SHADER(&b->vh, quad_geom), VK_PRIMITIVE_TOPOLOGY_POINT_LIST);
}

static void points_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, POINTS, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

static bool points_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float s = ((float)x + 0.5f) * COLUMNS / BENCH_WIDTH, t = ((float)y + 0.5f) * ROWS / BENCH_HEIGHT;
	rgb[0] = floorf(s) / COLUMNS;
	rgb[1] = floorf(t) / ROWS;
	rgb[2] = 0.25f;
	return s - floorf(s) > 0.02f && s - floorf(s) < 0.98f && t - floorf(t) > 0.02f && t - floorf(t) < 0.98f;
}

const struct bench_scene bench_geometry_quads = { .name = "geometry_quads", .unit = "Mpoint/s",
	.what = "200,000 points that a geometry shader expands to quads of 4.6 pixels, 1280x720", .wants = &wants,
	.setup = points_setup, .record = points_record, .work = 1e-6 * POINTS, .expect = points_expect, .tolerance = 1 };

/* --- shadow volumes --- */

enum { BOXES_X = 160, BOXES_Y = 90, BOXES = BOXES_X * BOXES_Y, TRIANGLES = 12 };

/* The third vertex of the triangle on the other side of the edge from a to b. */
static uint16_t beyond(const uint16_t t[TRIANGLES][3], uint16_t a, uint16_t b)
{
	for (int i = 0; i < TRIANGLES; i++)
		for (int k = 0; k < 3; k++)
			if (t[i][k] == b && t[i][(k + 1) % 3] == a)
				return t[i][(k + 2) % 3];
	vh_fail("an edge has no other side");
}

static void volumes_setup(struct bench *b)
{
	static const uint16_t t[TRIANGLES][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
		{ 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
	uint16_t indices[TRIANGLES][6];
	for (int i = 0; i < TRIANGLES; i++)
		for (int k = 0; k < 3; k++) {
			indices[i][2 * k] = t[i][k];
			indices[i][2 * k + 1] = beyond(t, t[i][k], t[i][(k + 1) % 3]);
		}
	b->indices = vh_make_buffer(&b->vh, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
	make_pipeline(b, SHADER(&b->vh, box_vert), SHADER(&b->vh, volume_geom), VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY);
}

static void volumes_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindIndexBuffer(commands, b->indices.handle, 0, VK_INDEX_TYPE_UINT16);
	vkCmdDrawIndexed(commands, TRIANGLES * 6, BOXES, 0, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* How far p is inside a square that goes from 0.1 to 0.5 by 0.35 (1, 0.5), at its best place. */
static float inside(float x, float y)
{
	float best = -1;
	for (int i = 0; i <= 70; i++) {
		const float t = 0.005f * (float)i, dx = 0.2f - fabsf(x - t - 0.3f), dy = 0.2f - fabsf(y - 0.5f * t - 0.3f);
		best = fmaxf(best, fminf(dx, dy));
	}
	return best;
}

static bool volumes_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float s = ((float)x + 0.5f) * BOXES_X / BENCH_WIDTH, t = ((float)y + 0.5f) * BOXES_Y / BENCH_HEIGHT;
	const float in = inside(s - floorf(s), t - floorf(t));
	for (int c = 0; c < 3; c++)
		rgb[c] = in > 0 ? 0.25f * (float)(c + 1) : 0;
	return fabsf(in) > 0.02f;
}

const struct bench_scene bench_geometry_volumes = { .name = "geometry_volumes", .unit = "Mtriangle/s",
	.what = "172,800 triangles with adjacency whose shadow volumes a geometry shader makes, 1280x720", .wants = &wants,
	.setup = volumes_setup, .record = volumes_record, .work = 1e-6 * BOXES * TRIANGLES, .expect = volumes_expect,
	.tolerance = 1 };
