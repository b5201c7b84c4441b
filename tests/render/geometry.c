/* SPDX-License-Identifier: MIT */
/* Geometry shaders: points that become squares, twice; a strip with adjacency, cut by
 * restarts, whose triangles become lines; lines that become points, each another number of
 * them; and a fan without one, whose fragments know their primitives all the same. */
#include "tests/render/scene.h"

#include "geo_dust_geom.h"
#include "geo_frag.h"
#include "geo_outline_geom.h"
#include "geo_plain_vert.h"
#include "geo_quads_geom.h"
#include "geo_vert.h"

enum { COLUMNS = 12, ROWS = 9, POINTS = COLUMNS * ROWS, STRIP = 31, LINES = 40, FAN = 11,
	FIRST_STRIP = POINTS, FIRST_LINE = FIRST_STRIP + STRIP, FIRST_FAN = FIRST_LINE + 2 * LINES, VERTICES = FIRST_FAN + FAN };

static void make_vertices(struct flat_vertex v[VERTICES])
{
	for (int i = 0; i < POINTS; i++)
		v[i] = (struct flat_vertex){ { -0.95f + 0.08f * (float)(i % COLUMNS), -0.95f + 0.1f * (float)(i / COLUMNS) },
			{ (float)(i % 3) / 2, (float)(i % 5) / 4, 0.8f } };
	for (int i = 0; i < STRIP; i++) /* the odd ones are adjacent: outside, in turn below and above */
		v[FIRST_STRIP + i] = (struct flat_vertex){ { 0.05f + 0.029f * (float)i,
			i % 4 == 0 ? -0.75f : i % 4 == 1 ? -0.95f : i % 4 == 2 ? -0.35f : -0.15f },
			{ (float)(i % 4) / 3, 1, (float)(i % 7) / 6 } };
	for (int i = 0; i < 2 * LINES; i++)
		v[FIRST_LINE + i] = (struct flat_vertex){ { 0.05f + 0.022f * (float)(i / 2) + 0.05f * (float)(i & 1), i & 1 ? 0.9f : 0.1f },
			{ 1, (float)(i % 9) / 8, (float)(i & 1) } };
	for (int i = 0; i < FAN; i++)
		v[FIRST_FAN + i] = (struct flat_vertex){ { i ? 0.95f * ((float)i - 6) / 5 : 0, i ? (i % 3 ? 0.9f : 0.6f) : -0.9f },
			{ (float)i / FAN, 0.5f, 1 - (float)i / FAN } };
}

static struct vh_buffer make_indices(struct vh *h)
{
	uint16_t indices[STRIP];
	for (int i = 0; i < STRIP; i++)
		indices[i] = i == 15 ? 0xffff : (uint16_t)(FIRST_STRIP + i);
	return vh_make_buffer(h, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

struct pipelines {
	VkPipeline quads, outline, dust, fan;
};

static struct pipelines make_pipelines(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	const VkShaderModule fragment = SHADER(h, geo_frag);
	struct vh_pipeline_info info = { .vertex = SHADER(h, geo_vert), .geometry = SHADER(h, geo_quads_geom),
		.fragment = fragment, .layout = layout, .pass = &stage->pass, .points = true,
		.bindings = &flat_binding, .binding_count = 1, .attributes = flat_attributes, .attribute_count = 2 };
	struct pipelines p;
	p.quads = vh_make_pipeline(h, &info);
	info.points = false;
	info.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
	info.geometry = SHADER(h, geo_dust_geom);
	p.dust = vh_make_pipeline(h, &info);
	info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
	info.restart = true;
	info.geometry = SHADER(h, geo_outline_geom);
	p.outline = vh_make_pipeline(h, &info);
	info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN;
	info.vertex = SHADER(h, geo_plain_vert);
	info.geometry = VK_NULL_HANDLE;
	p.fan = vh_make_pipeline(h, &info);
	return p;
}

static void draw(struct vh *h, struct output *out)
{
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const struct pipelines pipelines = make_pipelines(h, &stage, layout.pipeline);
	const VkDeviceSize offset = 0;
	struct flat_vertex v[VERTICES];
	make_vertices(v);
	const struct vh_buffer vertices = vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
	const struct vh_buffer indices = make_indices(h);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.quads);
	vkCmdDraw(commands, POINTS, 1, 0, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.outline);
	vkCmdBindIndexBuffer(commands, indices.handle, 0, VK_INDEX_TYPE_UINT16);
	vkCmdDrawIndexed(commands, STRIP, 1, 0, 0, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.dust);
	vkCmdDraw(commands, 2 * LINES, 1, FIRST_LINE, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.fan);
	vkCmdDraw(commands, FAN, 1, FIRST_FAN, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_geometry = { .name = "geometry",
	.features = { .geometryShader = VK_TRUE, .shaderTessellationAndGeometryPointSize = VK_TRUE }, .draw = draw,
	.max_rmse = 2, .max_pixels = 0.5 };
