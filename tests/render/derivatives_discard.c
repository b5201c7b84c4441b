/* SPDX-License-Identifier: MIT */
/* Derivatives of what neighbours compute: a texture whose levels have one
 * colour each shows the level that was chosen, next to holes that discard cut
 * and on triangles smaller than a quad, where helper lanes must live on. */
#include "tests/render/scene.h"

#include "holes_frag.h"
#include "holes_vert.h"

enum { TEXTURE = 64, LEVELS = 7, TRIANGLES = 2 + 2 + 450 };

static struct vh_image make_texture(struct vh *h)
{
	static const uint8_t colors[LEVELS][4] = { { 255, 60, 60, 255 }, { 255, 170, 40, 255 }, { 240, 240, 60, 255 },
		{ 80, 220, 80, 255 }, { 60, 200, 230, 255 }, { 70, 90, 240, 255 }, { 200, 80, 220, 255 } };
	static uint8_t texels[TEXTURE * TEXTURE][4];
	const struct vh_image_info info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXTURE, .height = TEXTURE,
		.levels = LEVELS, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const struct vh_image image = vh_make_image(h, &info);
	for (uint32_t level = 0; level < LEVELS; level++) {
		const int size = TEXTURE >> level;
		for (int i = 0; i < size * size; i++)
			for (int c = 0; c < 4; c++)
				texels[i][c] = colors[level][c];
		vh_upload(h, &image, level, 0, texels, 4 * (size_t)(size * size),
			level ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
			VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
	return image;
}

static void draw(struct vh *h, struct output *out)
{
	static const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler_info = { VK_FILTER_LINEAR, VK_SAMPLER_MIPMAP_MODE_NEAREST,
		VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK, LEVELS };
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, &binding, 1, 0, 0);
	const struct vh_image texture = make_texture(h);
	const VkDescriptorSet set = vh_make_set(h, &layout);
	vh_set_image(h, set, 0, binding.descriptorType, texture.view, vh_make_sampler(h, &sampler_info),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	const struct vh_pipeline_info info = { .vertex = SHADER(h, holes_vert), .fragment = SHADER(h, holes_frag),
		.layout = layout.pipeline, .pass = &stage.pass };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &set, 0, NULL);
	vkCmdDraw(commands, 3 * TRIANGLES, 1, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
}

const struct scene scene_derivatives_discard = { .name = "derivatives_discard", .draw = draw, .max_rmse = 1,
	.max_pixels = 0.2 };
