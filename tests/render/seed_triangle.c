/* SPDX-License-Identifier: MIT */
/* The triangle of the HD 7350 demonstration: equilateral on 1280 x 720, y up. */
#include "tests/render/scene.h"

#include "seed_frag.h"
#include "seed_vert.h"

enum { WIDTH = 1280, HEIGHT = 720 };

static const float vertices[3][6] = {
	{ 0.5846f, -0.9f, 0, 1, 0, 0 },
	{ -0.5846f, -0.9f, 0, 0, 0, 1 },
	{ 0.0f, 0.9f, 0, 0, 1, 0 },
};

static void draw(struct vh *h, struct output *out)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof vertices[0], VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[2] = {
		{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0 },
		{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, 3 * sizeof(float) },
	};
	const struct vh_image_info target_info = { .format = VK_FORMAT_B8G8R8A8_UNORM, .width = WIDTH,
		.height = HEIGHT, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	const struct vh_image target = vh_make_image(h, &target_info);
	const struct vh_pass_info pass_info = { .colors = { &target } };
	const struct vh_pass pass = vh_make_pass(h, &pass_info);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const struct vh_buffer buffer = vh_make_buffer(h, sizeof vertices, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, vertices);
	const struct vh_pipeline_info info = { .vertex = SHADER(h, seed_vert), .fragment = SHADER(h, seed_frag),
		.layout = layout.pipeline, .pass = &pass, .bindings = &binding, .binding_count = 1,
		.attributes = attributes, .attribute_count = 2 };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	/* A negative height turns y up, as the demonstration's YSCALE of -360 does. */
	const VkViewport viewport = { 0, HEIGHT, WIDTH, -HEIGHT, 0, 1 };
	const VkDeviceSize offset = 0;
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdSetViewport(commands, 0, 1, &viewport);
	vkCmdBindVertexBuffers(commands, 0, 1, &buffer.handle, &offset);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	output_picture(h, &target, out);
}

/* Channel c is strong at the pixel and the others are weak. */
static bool pure(const struct picture *p, uint32_t x, uint32_t y, int c)
{
	const uint8_t *rgb = picture_at(p, x, y);
	return rgb[c] > 230 && rgb[(c + 1) % 3] < 25 && rgb[(c + 2) % 3] < 25;
}

static bool black(const struct picture *p, uint32_t x, uint32_t y)
{
	const uint8_t *rgb = picture_at(p, x, y);
	return rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0;
}

static const char *check(const struct picture *p)
{
	const uint8_t *middle = picture_at(p, WIDTH / 2, 468); /* a third up from the base */
	if (!pure(p, 1000, 680, 0))
		return "no red at the bottom right";
	if (!pure(p, 279, 680, 2))
		return "no blue at the bottom left";
	if (!pure(p, 640, 55, 1))
		return "no green at the top";
	for (int c = 0; c < 3; c++)
		if (middle[c] < 83 || middle[c] > 87)
			return "the middle is no even mix";
	if (!black(p, 640, 34) || !black(p, 640, 686) || !black(p, 262, 680) || !black(p, 1018, 680))
		return "the triangle is too large";
	return NULL;
}

const struct scene scene_seed_triangle = { .name = "seed_triangle", .draw = draw, .max_rmse = 0.3, .max_pixels = 0.05,
	.check = check };
