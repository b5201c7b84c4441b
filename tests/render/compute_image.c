/* SPDX-License-Identifier: MIT */
/* A storage image that a compute shader writes and then rewrites in place
 * (shared memory, barriers, atomics into a buffer and an image), sampled with
 * four kinds of addressing; a histogram from the atomics along the bottom. */
#include "tests/render/scene.h"

#include "tiles_comp.h"
#include "tiles_frag.h"
#include "tiles_vert.h"

enum { IMAGE = 64, GROUP = 8, BINS = 32, SAMPLERS = 4 };

static const VkDescriptorSetLayoutBinding bindings[] = {
	{ 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
	{ 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
	{ 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, NULL },
	{ 3, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
	{ 4, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
	{ 5, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
	{ 6, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
};

static void set_samplers(struct vh *h, VkDescriptorSet set, VkImageView view)
{
	static const struct vh_sampler_info infos[SAMPLERS] = {
		{ .filter = VK_FILTER_NEAREST, .address = VK_SAMPLER_ADDRESS_MODE_REPEAT },
		{ .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT },
		{ .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE },
		{ .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
			.border = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE },
	};
	for (uint32_t i = 0; i < SAMPLERS; i++)
		vh_set_image(h, set, 3 + i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, view,
			vh_make_sampler(h, &infos[i]), VK_IMAGE_LAYOUT_GENERAL);
}

static void dispatch_rounds(VkCommandBuffer commands, VkPipelineLayout layout)
{
	for (uint32_t round = 0; round < 3; round++) {
		vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof round, &round);
		vkCmdDispatch(commands, IMAGE / GROUP, IMAGE / GROUP, 1);
		vh_barrier(commands);
	}
}

static void draw(struct vh *h, struct output *out)
{
	const struct vh_image_info image_info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = IMAGE, .height = IMAGE,
		.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT };
	const struct vh_image_info count_info = { .format = VK_FORMAT_R32_UINT, .width = GROUP, .height = GROUP,
		.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct vh_layout layout = vh_make_layout(h, bindings, sizeof bindings / sizeof *bindings,
		VK_SHADER_STAGE_COMPUTE_BIT, sizeof(uint32_t));
	const struct vh_image image = vh_make_image(h, &image_info), counts = vh_make_image(h, &count_info);
	const struct vh_buffer bins = vh_make_buffer(h, BINS * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	const VkDescriptorSet set = vh_make_set(h, &layout);
	vh_set_image(h, set, 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, image.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
	vh_set_image(h, set, 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, counts.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
	vh_set_buffer(h, set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &bins);
	set_samplers(h, set, image.view);
	const VkPipeline tiles = vh_make_compute(h, layout.pipeline, SHADER(h, tiles_comp));
	const struct vh_pipeline_info info = { .vertex = SHADER(h, tiles_vert), .fragment = SHADER(h, tiles_frag),
		.layout = layout.pipeline, .pass = &stage.pass };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	const VkClearColorValue zero = { .uint32 = { 0 } };
	const VkImageSubresourceRange whole = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_transition(commands, &image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	vh_transition(commands, &counts, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
	vkCmdClearColorImage(commands, counts.handle, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &whole);
	vh_barrier(commands);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, tiles);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout.pipeline, 0, 1, &set, 0, NULL);
	dispatch_rounds(commands, layout.pipeline);
	vh_begin_pass(commands, &stage.pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &set, 0, NULL);
	vkCmdDraw(commands, 6, SAMPLERS + BINS, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_transition(commands, &counts, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
	output_hash(h, &counts, VK_IMAGE_ASPECT_COLOR_BIT, 4, out);
}

const struct scene scene_compute_image = { .name = "compute_image", .draw = draw, .max_rmse = 0.4,
	.max_pixels = 0.05 };
