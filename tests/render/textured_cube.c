/* SPDX-License-Identifier: MIT */
/* A turned cube on a floor: depth test, uniform matrix, 16-bit indices,
 * trilinear texture whose levels vkCmdBlitImage made. */
#include "tests/render/scene.h"

#include "cube_frag.h"
#include "cube_vert.h"

enum { TEXTURE = 128, LEVELS = 8, FACES = 6, VERTICES = 4 * FACES + 4, INDICES = 6 * FACES + 6 };

struct vertex {
	float position[3], uv[2], light;
};

static void make_cube(struct vertex *v, uint16_t *indices)
{
	static const float light[FACES] = { 0.55f, 0.9f, 0.5f, 1.0f, 0.75f, 0.6f };
	static const int order[6] = { 0, 1, 2, 2, 1, 3 };
	for (int face = 0; face < FACES; face++)
		for (int k = 0; k < 4; k++) {
			const int axis = face / 2;
			struct vertex *at = &v[4 * face + k];
			*at = (struct vertex){ .uv = { (float)(k & 1), (float)(k >> 1) }, .light = light[face] };
			at->position[axis] = face & 1 ? 1 : -1;
			at->position[(axis + 1) % 3] = k & 1 ? 1 : -1;
			at->position[(axis + 2) % 3] = k >> 1 ? 1 : -1;
		}
	for (int i = 0; i < 6 * FACES; i++)
		indices[i] = (uint16_t)(4 * (i / 6) + order[i % 6]);
}

/* The floor reaches far, so all mip levels are seen. */
static void make_floor(struct vertex *v, uint16_t *indices)
{
	static const int order[6] = { 0, 1, 2, 2, 1, 3 };
	for (int k = 0; k < 4; k++) {
		const float x = k & 1 ? 30 : -30, z = k >> 1 ? 40 : -2;
		v[4 * FACES + k] = (struct vertex){ { x, -1.8f, z }, { 0.5f * x, 0.5f * z }, 0.8f };
	}
	for (int i = 0; i < 6; i++)
		indices[6 * FACES + i] = (uint16_t)(4 * FACES + order[i]);
}

static struct vh_image make_texture(struct vh *h)
{
	static uint8_t texels[TEXTURE * TEXTURE][4];
	const struct vh_image_info info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXTURE, .height = TEXTURE,
		.levels = LEVELS, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
			VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	for (int i = 0; i < TEXTURE * TEXTURE; i++) {
		const int x = i % TEXTURE, y = i / TEXTURE, dark = (x / 16 + y / 16) & 1;
		texels[i][0] = (uint8_t)(dark ? 40 + x : 255 - y / 2);
		texels[i][1] = (uint8_t)(dark ? 60 : 230);
		texels[i][2] = (uint8_t)(dark ? 120 + y : 100 + x / 2);
		texels[i][3] = 255;
	}
	const struct vh_image image = vh_make_image(h, &info);
	vh_upload(h, &image, 0, 0, texels, sizeof texels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	for (uint32_t level = 1; level < LEVELS; level++) {
		const int32_t from = TEXTURE >> (level - 1), to = TEXTURE >> level;
		const VkImageBlit blit = { { image.aspect, level - 1, 0, 1 }, { { 0, 0, 0 }, { from, from, 1 } },
			{ image.aspect, level, 0, 1 }, { { 0, 0, 0 }, { to, to, 1 } } };
		vkCmdBlitImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
			&blit, VK_FILTER_LINEAR);
		vh_barrier(commands);
	}
	vh_transition(commands, &image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	vh_finish(h, commands);
	return image;
}

static struct matrix camera(void)
{
	struct matrix m = matrix_multiply(matrix_turn(0, 0.8f, 0.6f), matrix_turn(1, 0.6f, 0.8f));
	m = matrix_multiply(matrix_move(0, 0, -5), m);
	return matrix_multiply(matrix_perspective(1.6f, 0.5f, 60), m);
}

/* The floor is not turned with the cube: its own matrix. */
static struct matrix floor_camera(void)
{
	const struct matrix m = matrix_multiply(matrix_turn(0, 0.96f, 0.28f), matrix_turn(1, -1, 0));
	return matrix_multiply(matrix_perspective(1.6f, 0.5f, 60), matrix_multiply(matrix_move(0, 0, -5), m));
}

static VkDescriptorSet make_set(struct vh *h, const struct vh_layout *layout, VkImageView texture, VkSampler sampler,
	struct matrix m)
{
	const VkDescriptorSet set = vh_make_set(h, layout);
	const struct vh_buffer uniform = vh_make_buffer(h, sizeof m, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &m);
	vh_set_buffer(h, set, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &uniform);
	vh_set_image(h, set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, texture, sampler,
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	return set;
}

static VkPipeline make_pipeline(struct vh *h, const struct vh_layout *layout, const struct stage *stage)
{
	static const VkVertexInputBindingDescription binding = { 0, sizeof(struct vertex), VK_VERTEX_INPUT_RATE_VERTEX };
	static const VkVertexInputAttributeDescription attributes[3] = {
		{ 0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, position) },
		{ 1, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(struct vertex, uv) },
		{ 2, 0, VK_FORMAT_R32_SFLOAT, offsetof(struct vertex, light) },
	};
	const struct vh_pipeline_info info = { .vertex = SHADER(h, cube_vert), .fragment = SHADER(h, cube_frag),
		.layout = layout->pipeline, .pass = &stage->pass, .bindings = &binding, .binding_count = 1,
		.attributes = attributes, .attribute_count = 3, .depth_test = true, .depth_write = true };
	return vh_make_pipeline(h, &info);
}

static void draw(struct vh *h, struct output *out)
{
	static const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_VERTEX_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
	};
	const struct vh_sampler_info sampler_info = { VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_LINEAR,
		VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK, LEVELS };
	struct vertex v[VERTICES];
	uint16_t indices[INDICES];
	make_cube(v, indices);
	make_floor(v, indices);
	struct stage stage = stage_make(h, VK_FORMAT_D16_UNORM);
	stage.pass.clear[0] = (VkClearValue){ .color.float32 = { 0.3f, 0.5f, 0.8f, 1 } };
	const struct vh_layout layout = vh_make_layout(h, bindings, 2, 0, 0);
	const struct vh_image texture = make_texture(h);
	const VkSampler sampler = vh_make_sampler(h, &sampler_info);
	const VkDescriptorSet cube = make_set(h, &layout, texture.view, sampler, camera());
	const VkDescriptorSet floor = make_set(h, &layout, texture.view, sampler, floor_camera());
	const struct vh_buffer vb = vh_make_buffer(h, sizeof v, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, v);
	const struct vh_buffer ib = vh_make_buffer(h, sizeof indices, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, indices);
	const VkPipeline pipeline = make_pipeline(h, &layout, &stage);
	const VkDeviceSize offset = 0;
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindVertexBuffers(commands, 0, 1, &vb.handle, &offset);
	vkCmdBindIndexBuffer(commands, ib.handle, 0, VK_INDEX_TYPE_UINT16);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &cube, 0, NULL);
	vkCmdDrawIndexed(commands, 6 * FACES, 1, 0, 0, 0);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &floor, 0, NULL);
	vkCmdDrawIndexed(commands, 6, 1, 6 * FACES, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_textured_cube = { .name = "textured_cube", .draw = draw, .max_rmse = 0.7, .max_pixels = 0.1 };
