/* SPDX-License-Identifier: MIT */
/* Points of many sizes with gl_PointCoord, a star of lines, wide lines, strips
 * cut by primitive restart, and points at the border of the picture. */
#include "tests/render/scene.h"

#include "line_frag.h"
#include "line_vert.h"
#include "point_frag.h"
#include "point_vert.h"

enum { POINTS = 48, RAYS = 32, STRIP_INDICES = 23 };

/* Directions on a circle without libm: the rational points of the circle. */
static void direction(int i, float *x, float *y)
{
	const int quarter = i / (RAYS / 4);
	const float t = (float)(i % (RAYS / 4)) / (RAYS / 4);
	const float c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);
	const float turned[4][2] = { { c, s }, { -s, c }, { -c, -s }, { s, -c } };
	*x = turned[quarter][0];
	*y = turned[quarter][1];
}

static struct vh_buffer make_star(struct vh *h)
{
	struct flat_vertex v[2 * RAYS];
	for (int i = 0; i < RAYS; i++) {
		float x, y;
		direction(i, &x, &y);
		v[2 * i] = (struct flat_vertex){ { -0.5f + 0.1f * x, -0.5f + 0.1f * y }, { 1, 1, 0.2f } };
		v[2 * i + 1] = (struct flat_vertex){ { -0.5f + 0.45f * x, -0.5f + 0.45f * y }, { 0.2f, 0.5f + 0.5f * x, 1 } };
	}
	return vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
}

/* Zigzags in the upper right quarter, two by two. */
static struct vh_buffer make_zigzag(struct vh *h)
{
	struct flat_vertex v[STRIP_INDICES];
	for (int i = 0; i < STRIP_INDICES; i++)
		v[i] = (struct flat_vertex){ { 0.06f + 0.04f * (float)i, i & 1 ? -0.15f : -0.9f + 0.02f * (float)i },
			{ (float)(i % 3) / 2, (float)(i % 5) / 4, 1 } };
	return vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
}

static struct vh_buffer make_strip(struct vh *h)
{
	uint16_t indices[STRIP_INDICES];
	for (int i = 0; i < STRIP_INDICES; i++)
		indices[i] = i % 8 == 7 ? 0xffff : (uint16_t)i;
	return vh_make_buffer(h, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
}

struct pipelines {
	VkPipeline points, lines, strip;
};

static struct pipelines make_pipelines(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	static const VkDynamicState width = VK_DYNAMIC_STATE_LINE_WIDTH;
	struct vh_pipeline_info info = { .vertex = SHADER(h, point_vert), .fragment = SHADER(h, point_frag),
		.layout = layout, .pass = &stage->pass, .points = true };
	struct pipelines p;
	p.points = vh_make_pipeline(h, &info);
	info = (struct vh_pipeline_info){ .vertex = SHADER(h, line_vert), .fragment = SHADER(h, line_frag),
		.layout = layout, .pass = &stage->pass, .topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST,
		.bindings = &flat_binding, .binding_count = 1, .attributes = flat_attributes, .attribute_count = 2,
		.dynamic = &width, .dynamic_count = 1 };
	p.lines = vh_make_pipeline(h, &info);
	info.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
	info.restart = true;
	p.strip = vh_make_pipeline(h, &info);
	return p;
}

static void draw(struct vh *h, struct output *out)
{
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const struct pipelines pipelines = make_pipelines(h, &stage, layout.pipeline);
	const struct vh_buffer star = make_star(h), zigzag = make_zigzag(h), strip = make_strip(h);
	const VkDeviceSize offset = 0;
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.points);
	vkCmdDraw(commands, POINTS, 1, 0, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.lines);
	vkCmdBindVertexBuffers(commands, 0, 1, &star.handle, &offset);
	vkCmdSetLineWidth(commands, 1);
	vkCmdDraw(commands, 2 * RAYS, 1, 0, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.strip);
	vkCmdBindVertexBuffers(commands, 0, 1, &zigzag.handle, &offset);
	vkCmdBindIndexBuffer(commands, strip.handle, 0, VK_INDEX_TYPE_UINT16);
	vkCmdSetLineWidth(commands, 4);
	vkCmdDrawIndexed(commands, STRIP_INDICES, 1, 0, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_points_lines = { .name = "points_lines",
	.features = { .largePoints = VK_TRUE, .wideLines = VK_TRUE }, .draw = draw, .max_rmse = 2, .max_pixels = 0.2 };
