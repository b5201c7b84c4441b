/* SPDX-License-Identifier: MIT */
/* A box above a floor, and its shadow volume counted in the stencil buffer
 * (depth fail, two-sided, wrapping); then a dark rectangle where it is not zero. */
#include "tests/render/scene.h"

#include "solid_frag.h"
#include "solid_vert.h"

enum { FLOOR = 6, BOX = 36, VOLUME = 36, DARK = 6, VERTICES = FLOOR + BOX + VOLUME + DARK };
enum { BOX_AT = FLOOR, VOLUME_AT = FLOOR + BOX, DARK_AT = FLOOR + BOX + VOLUME };

struct vertex {
	float position[3], color[3];
};

/* Corner k of a box: bits 0, 1, 2 are x, y, z. */
static void make_box(struct vertex *v, float corners[8][3], const float color[3])
{
	/* Counter-clockwise from outside. */
	static const int faces[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 },
		{ 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
	static const int order[6] = { 0, 1, 2, 0, 2, 3 };
	static const float light[6] = { 0.6f, 0.8f, 0.4f, 1.0f, 0.5f, 0.9f };
	for (int i = 0; i < 36; i++) {
		const float *from = corners[faces[i / 6][order[i % 6]]];
		for (int c = 0; c < 3; c++) {
			v[i].position[c] = from[c];
			v[i].color[c] = color[c] * light[i / 6];
		}
	}
}

static void make_scene(struct vertex *v)
{
	static const int order[6] = { 0, 1, 2, 2, 1, 3 };
	static const float red[3] = { 0.9f, 0.3f, 0.2f }, black[3] = { 0, 0, 0 };
	float box[8][3], volume[8][3];
	for (int i = 0; i < 6; i++) {
		const float x = order[i] & 1 ? 4 : -4, z = order[i] >> 1 ? -4 : 4;
		v[i] = (struct vertex){ { x, -1, z }, { 0.5f + 0.1f * x, 0.8f, 0.5f - 0.1f * z } };
		v[DARK_AT + i] = (struct vertex){ { order[i] & 1 ? 1 : -1, order[i] >> 1 ? 1 : -1, 0 }, { 0 } };
	}
	for (int k = 0; k < 8; k++) {
		const float unit[3] = { k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1 };
		for (int c = 0; c < 3; c++)
			box[k][c] = volume[k][c] = 0.6f * unit[c] + (c == 1 ? 0.5f : 0);
		/* Light falls along (0.5, -1, -0.3): the volume is the box's top, moved down past the floor. */
		if (!(k & 2)) {
			volume[k][0] += 1.5f;
			volume[k][1] -= 3;
			volume[k][2] -= 0.9f;
		}
	}
	make_box(v + BOX_AT, box, red);
	make_box(v + VOLUME_AT, volume, black);
}

static struct matrix camera(void)
{
	struct matrix m = matrix_multiply(matrix_turn(0, 0.8f, 0.6f), matrix_turn(1, 0.96f, 0.28f));
	m = matrix_multiply(matrix_move(0, 0, -7), m);
	return matrix_multiply(matrix_perspective(1.7f, 1, 30), m);
}

static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
static const VkVertexInputAttributeDescription attributes[2] = {
	{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position) },
	{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, color) },
};

struct pipelines {
	VkPipeline solid, volume, dark;
};

static struct pipelines make_pipelines(struct vh *h, const struct stage *stage, VkPipelineLayout layout)
{
	static const VkStencilOpState count_front = { VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
		VK_STENCIL_OP_DECREMENT_AND_WRAP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 0 };
	static const VkStencilOpState count_back = { VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
		VK_STENCIL_OP_INCREMENT_AND_WRAP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 0 };
	static const VkStencilOpState shadowed = { VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP, VK_STENCIL_OP_KEEP,
		VK_COMPARE_OP_NOT_EQUAL, 0xff, 0, 0 };
	static const VkPipelineColorBlendAttachmentState none = { .colorWriteMask = 0 };
	static const VkPipelineColorBlendAttachmentState halve = { VK_TRUE, VK_BLEND_FACTOR_ZERO,
		VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE,
		VK_BLEND_OP_ADD, 15 };
	struct vh_pipeline_info info = { .vertex = SHADER(h, solid_vert), .fragment = SHADER(h, solid_frag),
		.layout = layout, .pass = &stage->pass, .bindings = &binding, .binding_count = 1,
		.attributes = attributes, .attribute_count = 2, .depth_test = true, .depth_write = true,
		.front_face = VK_FRONT_FACE_COUNTER_CLOCKWISE };
	struct pipelines p;
	p.solid = vh_make_pipeline(h, &info);
	info.depth_write = false;
	info.stencil_front = &count_front;
	info.stencil_back = &count_back;
	info.blend = &none;
	p.volume = vh_make_pipeline(h, &info);
	info.depth_test = false;
	info.stencil_front = info.stencil_back = &shadowed;
	info.blend = &halve;
	for (int i = 0; i < 4; i++)
		info.blend_constants[i] = 0.4f;
	p.dark = vh_make_pipeline(h, &info);
	return p;
}

static VkFormat find_format(const struct vh *h)
{
	if (vh_format_can(h, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
		return VK_FORMAT_D32_SFLOAT_S8_UINT;
	return VK_FORMAT_D24_UNORM_S8_UINT; /* the specification promises one of the two */
}

static void draw(struct vh *h, struct output *out)
{
	struct vertex v[VERTICES];
	make_scene(v);
	struct stage stage = stage_make(h, find_format(h));
	stage.pass.clear[0] = (VkClearValue){ .color.float32 = { 0.2f, 0.25f, 0.4f, 1 } };
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, VK_SHADER_STAGE_VERTEX_BIT, sizeof(struct matrix));
	const struct pipelines pipelines = make_pipelines(h, &stage, layout.pipeline);
	const struct vh_buffer buffer = vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
	const struct matrix view = camera(), none = matrix_move(0, 0, 0);
	const VkDeviceSize offset = 0;
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindVertexBuffers(commands, 0, 1, &buffer.handle, &offset);
	vkCmdPushConstants(commands, layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof view, &view);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.solid);
	vkCmdDraw(commands, FLOOR + BOX, 1, 0, 0);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.volume);
	vkCmdDraw(commands, VOLUME, 1, VOLUME_AT, 0);
	vkCmdPushConstants(commands, layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof none, &none);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines.dark);
	vkCmdDraw(commands, DARK, 1, DARK_AT, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_stencil_shadow = { .name = "stencil_shadow", .draw = draw, .max_rmse = 0.5,
	.max_pixels = 0.1 };
