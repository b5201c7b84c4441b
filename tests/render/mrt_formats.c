/* SPDX-License-Identifier: MIT */
/* Eight colour formats, four a pass, each with its own blend state and write
 * mask; read back raw, and sampled together as a mosaic of 4 x 2 tiles. */
#include "tests/render/scene.h"

#include "mosaic_frag.h"
#include "mosaic_vert.h"
#include "mrt_frag.h"
#include "mrt_uint_frag.h"
#include "mrt_vert.h"

enum { FORMATS = 8, PER_PASS = 4, SIZE = 64 };

static const struct {
	VkFormat format;
	size_t texel_size;
} formats[FORMATS] = {
	{ VK_FORMAT_R8G8B8A8_UNORM, 4 },
	{ VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4 },
	{ VK_FORMAT_R16G16B16A16_SFLOAT, 8 },
	{ VK_FORMAT_R8G8B8A8_SRGB, 4 },
	{ VK_FORMAT_R32_UINT, 4 },
	{ VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4 },
	{ VK_FORMAT_R5G6B5_UNORM_PACK16, 2 },
	{ VK_FORMAT_R16G16_SFLOAT, 4 },
};

#define MIX { VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, \
	VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MAX, 15 }
#define WRITE(mask) { .colorWriteMask = mask }

static const VkPipelineColorBlendAttachmentState blends[FORMATS] = { MIX, MIX, MIX, MIX, WRITE(15), WRITE(15),
	WRITE(VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT), MIX };

static void draw_group(struct vh *h, VkCommandBuffer commands, const struct vh_image *images, int group)
{
	const struct vh_pass_info pass_info = { .colors = { images, images + 1, images + 2, images + 3 },
		.color_layout = VK_IMAGE_LAYOUT_GENERAL };
	struct vh_pass pass = vh_make_pass(h, &pass_info);
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	const struct vh_pipeline_info info = { .vertex = SHADER(h, mrt_vert),
		.fragment = group ? SHADER(h, mrt_uint_frag) : SHADER(h, mrt_frag), .layout = layout.pipeline,
		.pass = &pass, .blend = blends + PER_PASS * group };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	for (int i = 0; i < PER_PASS; i++)
		pass.clear[i] = (VkClearValue){ .color.float32 = { 0.25f, 0.5f, 0.125f * (float)(i + 1), 1 } };
	if (group)
		pass.clear[0] = (VkClearValue){ .color.uint32 = { 0x00204060 } };
	vh_begin_pass(commands, &pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdDraw(commands, 3, 2, 0, 0);
	vkCmdEndRenderPass(commands);
}

static void draw_mosaic(struct vh *h, VkCommandBuffer commands, const struct vh_image *images,
	const struct stage *stage)
{
	VkDescriptorSetLayoutBinding bindings[FORMATS];
	const struct vh_sampler_info sampler_info = { .filter = VK_FILTER_NEAREST };
	const VkSampler sampler = vh_make_sampler(h, &sampler_info);
	for (uint32_t i = 0; i < FORMATS; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
			VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_layout layout = vh_make_layout(h, bindings, FORMATS, 0, 0);
	const VkDescriptorSet set = vh_make_set(h, &layout);
	for (uint32_t i = 0; i < FORMATS; i++)
		vh_set_image(h, set, i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, images[i].view, sampler,
			VK_IMAGE_LAYOUT_GENERAL);
	const struct vh_pipeline_info info = { .vertex = SHADER(h, mosaic_vert), .fragment = SHADER(h, mosaic_frag),
		.layout = layout.pipeline, .pass = &stage->pass };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	vh_begin_pass(commands, &stage->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &set, 0, NULL);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

static void draw(struct vh *h, struct output *out)
{
	const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
		VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	struct vh_image images[FORMATS];
	for (int i = 0; i < FORMATS; i++) {
		const struct vh_image_info info = { .format = formats[i].format, .width = SIZE, .height = SIZE,
			.usage = usage };
		if (!vh_format_can(h, info.format,
			    VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
			vh_lacks("format %d as a sampled colour attachment", (int)info.format);
		images[i] = vh_make_image(h, &info);
	}
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	draw_group(h, commands, images, 0);
	draw_group(h, commands, images + PER_PASS, 1);
	draw_mosaic(h, commands, images, &stage);
	for (int i = 0; i < FORMATS; i++)
		vh_transition(commands, &images[i], VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vh_finish(h, commands);
	stage_read(h, &stage, out);
	for (int i = 0; i < FORMATS; i++)
		output_hash(h, &images[i], VK_IMAGE_ASPECT_COLOR_BIT, formats[i].texel_size, out);
}

const struct scene scene_mrt_formats = { .name = "mrt_formats", .features = { .independentBlend = VK_TRUE },
	.draw = draw, .max_rmse = 0.4, .max_pixels = 0.05 };
