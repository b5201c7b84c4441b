/* SPDX-License-Identifier: MIT */
/* Clip distances, scissors, viewports of both orientations, culling, depth bias
 * between planes that coincide, depth clamp, and a floor that passes the eye. */
#include "tests/render/scene.h"

#include "clip_frag.h"
#include "clip_vert.h"

enum { CELL = SCENE_SIZE / 2 };

/* What the vertex shader makes; see clip.vert. */
enum shape { CLIPPED_GRID, PLANE, FLOOR, SPIKES };
enum { GRID_VERTICES = 6 * 16, PLANE_VERTICES = 6, FLOOR_VERTICES = 6, SPIKE_VERTICES = 36 };

struct constants {
	float color[4];
	int32_t shape;
	float tilt; /* of a plane, from -1 to 1 */
};

struct pipelines {
	VkPipeline plain, culled, biased, clamped;
};

static struct pipelines make_pipelines(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	static const VkDynamicState bias = VK_DYNAMIC_STATE_DEPTH_BIAS;
	struct vh_pipeline_info info = { .vertex = SHADER(h, clip_vert), .fragment = SHADER(h, clip_frag),
		.layout = layout, .pass = &stage->pass, .depth_test = true, .depth_write = true,
		.depth_compare = VK_COMPARE_OP_LESS };
	struct pipelines p;
	p.plain = vh_make_pipeline(h, &info);
	info.depth_clamp = true;
	p.clamped = vh_make_pipeline(h, &info);
	info.depth_clamp = false;
	info.cull = VK_CULL_MODE_BACK_BIT;
	info.front_face = VK_FRONT_FACE_CLOCKWISE;
	p.culled = vh_make_pipeline(h, &info);
	info.cull = VK_CULL_MODE_NONE;
	info.depth_bias = true;
	info.dynamic = &bias;
	info.dynamic_count = 1;
	p.biased = vh_make_pipeline(h, &info);
	return p;
}

static void draw_shape(VkCommandBuffer commands, VkPipelineLayout layout, VkPipeline pipeline, uint32_t vertices,
	const struct constants *c)
{
	const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdPushConstants(commands, layout, stages, 0, sizeof *c, c);
	vkCmdDraw(commands, vertices, 1, 0, 0);
}

/* A cell of the picture, 2 x 2, shrunk by a border and moved by a fraction of a pixel. */
static void set_cell(VkCommandBuffer commands, int x, int y, float shift, bool flipped)
{
	const float left = (float)(x * CELL + 4) + shift, top = (float)(y * CELL + 4) + shift, size = CELL - 8;
	const VkViewport viewport = { left, flipped ? top + size : top, size, flipped ? -size : size, 0.1f, 0.9f };
	const VkRect2D scissor = { { x * CELL, y * CELL }, { CELL, CELL } };
	vkCmdSetViewport(commands, 0, 1, &viewport);
	vkCmdSetScissor(commands, 0, 1, &scissor);
}

static void draw_clip(VkCommandBuffer commands, VkPipelineLayout layout, const struct pipelines *p)
{
	static const struct constants grid = { { 0.9f, 0.6f, 0.2f, 1 }, CLIPPED_GRID, 0 };
	static const struct constants spikes = { { 0.3f, 0.8f, 0.9f, 1 }, SPIKES, 0 };
	set_cell(commands, 0, 0, 0.25f, false);
	draw_shape(commands, layout, p->plain, GRID_VERTICES, &grid);
	/* The spikes turn both ways: half is culled; flipped, the other half. */
	set_cell(commands, 1, 0, 0, false);
	draw_shape(commands, layout, p->culled, SPIKE_VERTICES, &spikes);
	const VkRect2D scissor = { { CELL + 77, 51 }, { 40, 70 } };
	const struct constants other = { { 0.9f, 0.3f, 0.6f, 1 }, SPIKES, 0.5f };
	set_cell(commands, 1, 0, 0, true);
	vkCmdSetScissor(commands, 0, 1, &scissor);
	draw_shape(commands, layout, p->culled, SPIKE_VERTICES, &other);
}

static void draw_depth(VkCommandBuffer commands, VkPipelineLayout layout, const struct pipelines *p)
{
	static const struct constants first = { { 0.8f, 0.2f, 0.2f, 1 }, PLANE, 0.8f };
	static const struct constants nearer = { { 0.2f, 0.8f, 0.2f, 1 }, PLANE, 0.8f };
	static const struct constants farther = { { 0.2f, 0.2f, 0.9f, 1 }, PLANE, 0.8f };
	static const struct constants through = { { 0.9f, 0.9f, 0.3f, 1 }, PLANE, 2.5f };
	static const struct constants floor = { { 0.7f, 0.7f, 0.8f, 1 }, FLOOR, 0 };
	const VkRect2D left = { { 0, CELL }, { CELL / 3, CELL } };
	const VkRect2D middle = { { CELL / 3, CELL + 40 }, { CELL / 3, 60 } };
	set_cell(commands, 0, 1, 0, false);
	draw_shape(commands, layout, p->plain, PLANE_VERTICES, &first);
	vkCmdSetScissor(commands, 0, 1, &left);
	vkCmdSetDepthBias(commands, -8, 0, -1);
	draw_shape(commands, layout, p->biased, PLANE_VERTICES, &nearer);
	vkCmdSetDepthBias(commands, 0, 0, 1);
	draw_shape(commands, layout, p->biased, PLANE_VERTICES, &farther);
	vkCmdSetScissor(commands, 0, 1, &middle);
	draw_shape(commands, layout, p->clamped, PLANE_VERTICES, &through);
	set_cell(commands, 1, 1, 0.125f, false);
	draw_shape(commands, layout, p->plain, FLOOR_VERTICES, &floor);
	draw_shape(commands, layout, p->plain, PLANE_VERTICES, &through);
}

static void draw(struct vh *h, struct output *out)
{
	const struct stage stage = stage_make(h, VK_FORMAT_D32_SFLOAT);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0,
		VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, sizeof(struct constants));
	const struct pipelines pipelines = make_pipelines(h, &stage, layout.pipeline);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	draw_clip(commands, layout.pipeline, &pipelines);
	draw_depth(commands, layout.pipeline, &pipelines);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_clip_scissor_bias = { .name = "clip_scissor_bias",
	.features = { .shaderClipDistance = VK_TRUE, .depthClamp = VK_TRUE, .depthBiasClamp = VK_TRUE }, .draw = draw,
	.max_rmse = 0.5, .max_pixels = 0.1 };
