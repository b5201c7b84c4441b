/* SPDX-License-Identifier: MIT */
#include "tests/render/scene.h"

#include <stdlib.h>

const VkVertexInputBindingDescription flat_binding = { 0, sizeof(struct flat_vertex), VK_VERTEX_INPUT_RATE_VERTEX };
const VkVertexInputAttributeDescription flat_attributes[2] = {
	{ 0, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct flat_vertex, position) },
	{ 1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct flat_vertex, color) },
};

struct stage stage_make(struct vh *h, VkFormat depth)
{
	struct stage s = { 0 };
	const struct vh_image_info color_info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = SCENE_SIZE,
		.height = SCENE_SIZE, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	const struct vh_image_info depth_info = { .format = depth, .width = SCENE_SIZE, .height = SCENE_SIZE,
		.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	s.color = vh_make_image(h, &color_info);
	if (depth != VK_FORMAT_UNDEFINED)
		s.depth = vh_make_image(h, &depth_info);
	const struct vh_pass_info pass = { .colors = { &s.color }, .depth = s.depth.handle ? &s.depth : NULL };
	s.pass = vh_make_pass(h, &pass);
	return s;
}

static void hash(struct output *out, const uint8_t *bytes, size_t size)
{
	if (out->hash == 0)
		out->hash = 0xcbf29ce484222325u;
	for (size_t i = 0; i < size; i++)
		out->hash = (out->hash ^ bytes[i]) * 0x100000001b3u;
}

static uint8_t *read_texels(struct vh *h, const struct vh_image *image, VkImageAspectFlags aspect, size_t texel_size,
	struct output *out)
{
	const size_t size = texel_size * image->width * image->height;
	uint8_t *texels = malloc(size);
	if (!texels)
		vh_fail("out of memory");
	vh_download(h, image, aspect, texels, size);
	hash(out, texels, size);
	return texels;
}

void output_hash(struct vh *h, const struct vh_image *image, VkImageAspectFlags aspect, size_t texel_size,
	struct output *out)
{
	free(read_texels(h, image, aspect, texel_size, out));
}

void output_picture(struct vh *h, const struct vh_image *image, struct output *out)
{
	const size_t pixels = (size_t)image->width * image->height;
	const int first = image->format == VK_FORMAT_B8G8R8A8_UNORM ? 2 : 0;
	uint8_t *texels = read_texels(h, image, VK_IMAGE_ASPECT_COLOR_BIT, 4, out);
	out->picture = (struct picture){ image->width, image->height, malloc(3 * pixels) };
	if (!out->picture.rgb)
		vh_fail("out of memory");
	for (size_t i = 0; i < pixels; i++)
		for (int c = 0; c < 3; c++)
			out->picture.rgb[3 * i + (size_t)c] = texels[4 * i + (size_t)abs(first - c)];
	free(texels);
}

void stage_read(struct vh *h, const struct stage *stage, struct output *out)
{
	output_picture(h, &stage->color, out);
	if (!stage->depth.handle)
		return;
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_transition(commands, &stage->depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
		VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vh_finish(h, commands);
	output_hash(h, &stage->depth, VK_IMAGE_ASPECT_DEPTH_BIT, stage->depth.format == VK_FORMAT_D16_UNORM ? 2 : 4, out);
	if (stage->depth.aspect & VK_IMAGE_ASPECT_STENCIL_BIT)
		output_hash(h, &stage->depth, VK_IMAGE_ASPECT_STENCIL_BIT, 1, out);
}

/* --- matrices --- */

struct matrix matrix_multiply(struct matrix a, struct matrix b)
{
	struct matrix r;
	for (int column = 0; column < 4; column++)
		for (int row = 0; row < 4; row++) {
			float sum = 0;
			for (int k = 0; k < 4; k++)
				sum += a.m[4 * k + row] * b.m[4 * column + k];
			r.m[4 * column + row] = sum;
		}
	return r;
}

struct matrix matrix_move(float x, float y, float z)
{
	return (struct matrix){ { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1 } };
}

struct matrix matrix_turn(int axis, float cosine, float sine)
{
	const int a = (axis + 1) % 3, b = (axis + 2) % 3;
	struct matrix r = matrix_move(0, 0, 0);
	r.m[4 * a + a] = r.m[4 * b + b] = cosine;
	r.m[4 * a + b] = sine;
	r.m[4 * b + a] = -sine;
	return r;
}

struct matrix matrix_perspective(float focal, float near, float far)
{
	return (struct matrix){ { focal, 0, 0, 0, 0, -focal, 0, 0, 0, 0, far / (near - far), -1, 0, 0,
		near * far / (near - far), 0 } };
}
