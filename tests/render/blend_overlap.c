/* SPDX-License-Identifier: MIT */
/* Pairs of rectangles that overlap, one pair a blend state: 16 states over a
 * background of four colours with different alpha. */
#include "tests/render/scene.h"

#include "rect_frag.h"
#include "rect_vert.h"

enum { STATES = 16 };

struct constants {
	float rect[4]; /* corner and size in clip space */
	float color[4];
};

#define ADD VK_BLEND_OP_ADD
#define F(name) VK_BLEND_FACTOR_##name
#define SAME(source, destination, op) { VK_TRUE, source, destination, op, source, destination, op, 15 }

static const VkPipelineColorBlendAttachmentState states[STATES] = {
	{ .colorWriteMask = 15 },
	SAME(F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), ADD),
	SAME(F(ONE), F(ONE_MINUS_SRC_ALPHA), ADD),
	SAME(F(ONE), F(ONE), ADD),
	SAME(F(ONE), F(ONE), VK_BLEND_OP_SUBTRACT),
	SAME(F(ONE), F(ONE), VK_BLEND_OP_REVERSE_SUBTRACT),
	SAME(F(ONE), F(ONE), VK_BLEND_OP_MIN),
	SAME(F(ONE), F(ONE), VK_BLEND_OP_MAX),
	SAME(F(DST_COLOR), F(ZERO), ADD),
	SAME(F(ONE_MINUS_DST_COLOR), F(ONE_MINUS_SRC_COLOR), ADD),
	SAME(F(DST_ALPHA), F(ONE_MINUS_DST_ALPHA), ADD),
	SAME(F(CONSTANT_COLOR), F(ONE_MINUS_CONSTANT_COLOR), ADD),
	SAME(F(CONSTANT_ALPHA), F(SRC_COLOR), ADD),
	{ VK_TRUE, F(SRC_ALPHA_SATURATE), F(ONE), ADD, F(ZERO), F(ONE), ADD, 15 },
	{ VK_TRUE, F(SRC_ALPHA), F(ONE_MINUS_SRC_ALPHA), ADD, F(ONE), F(ZERO), ADD,
		VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_B_BIT },
	{ .colorWriteMask = VK_COLOR_COMPONENT_G_BIT },
};

static void draw_rect(VkCommandBuffer commands, VkPipelineLayout layout, const struct constants *c)
{
	vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof *c, c);
	vkCmdDraw(commands, 4, 1, 0, 0);
}

static void draw_background(VkCommandBuffer commands, VkPipelineLayout layout)
{
	static const struct constants parts[4] = {
		{ { -1, -1, 1, 1 }, { 0.9f, 0.2f, 0.1f, 1 } },
		{ { 0, -1, 1, 1 }, { 0.1f, 0.7f, 0.3f, 0.75f } },
		{ { -1, 0, 1, 1 }, { 0.2f, 0.3f, 0.9f, 0.5f } },
		{ { 0, 0, 1, 1 }, { 0.8f, 0.8f, 0.7f, 0.25f } },
	};
	for (int i = 0; i < 4; i++)
		draw_rect(commands, layout, &parts[i]);
}

static void draw_pair(VkCommandBuffer commands, VkPipelineLayout layout, int i)
{
	const float x = 0.5f * (float)(i % 4) - 1, y = 0.5f * (float)(i / 4) - 1;
	const struct constants first = { { x + 0.05f, y + 0.05f, 0.27f, 0.27f }, { 0.7f, 0.5f, 0.2f, 0.6f } };
	const struct constants second = { { x + 0.18f, y + 0.18f, 0.27f, 0.27f }, { 0.2f, 0.4f, 0.8f, 0.4f } };
	draw_rect(commands, layout, &first);
	draw_rect(commands, layout, &second);
}

static void draw(struct vh *h, struct output *out)
{
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT,
		sizeof(struct constants));
	const VkDynamicState dynamic = VK_DYNAMIC_STATE_BLEND_CONSTANTS;
	const float constants[4] = { 0.9f, 0.5f, 0.25f, 0.35f };
	struct vh_pipeline_info info = { .vertex = SHADER(h, rect_vert), .fragment = SHADER(h, rect_frag),
		.layout = layout.pipeline, .pass = &stage.pass, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
		.dynamic = &dynamic, .dynamic_count = 1 };
	VkPipeline pipelines[STATES];
	for (int i = 0; i < STATES; i++) {
		info.blend = &states[i];
		pipelines[i] = vh_make_pipeline(h, &info);
	}
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdSetBlendConstants(commands, constants);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
	draw_background(commands, layout.pipeline);
	for (int i = 0; i < STATES; i++) {
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
		draw_pair(commands, layout.pipeline, i);
	}
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_blend_overlap = { .name = "blend_overlap", .draw = draw, .max_rmse = 0.4,
	.max_pixels = 0.05 };
