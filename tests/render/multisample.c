/* SPDX-License-Identifier: MIT */
/* Four samples: edges and intersections of depth, a shader that runs once a
 * sample, sample masks of pipeline and shader; resolved by the render pass,
 * and the samples themselves fetched one by one.  Alpha to coverage, whose
 * pattern is the driver's own, goes into the hash alone, as do other counts. */
#include "tests/render/scene.h"

#include "samples_frag.h"
#include "samples_vert.h"
#include "spokes_frag.h"
#include "spokes_mask_frag.h"
#include "spokes_sample_frag.h"
#include "spokes_vert.h"

enum { SPOKES = 19 };

struct targets {
	struct vh_image color, depth, resolved;
	struct vh_pass pass;
};

static struct targets make_targets(struct vh *h, uint32_t samples)
{
	struct targets t;
	const VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT;
	const struct vh_image_info color = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = SCENE_SIZE,
		.height = SCENE_SIZE, .samples = samples, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | sampled };
	const struct vh_image_info depth = { .format = VK_FORMAT_D32_SFLOAT, .width = SCENE_SIZE, .height = SCENE_SIZE,
		.samples = samples, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | sampled };
	const struct vh_image_info resolved = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = SCENE_SIZE,
		.height = SCENE_SIZE, .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | sampled };
	t.color = vh_make_image(h, &color);
	t.depth = vh_make_image(h, &depth);
	t.resolved = vh_make_image(h, &resolved);
	const struct vh_pass_info pass = { .colors = { &t.color }, .depth = &t.depth, .resolve = &t.resolved,
		.color_layout = VK_IMAGE_LAYOUT_GENERAL };
	t.pass = vh_make_pass(h, &pass);
	return t;
}

/* What a draw is: kind is that of spokes.vert. */
struct part {
	int32_t kind;
	VkShaderModule fragment;
	VkPipelineMultisampleStateCreateInfo multisample;
};

static void draw_part(struct vh *h, VkCommandBuffer commands, const struct targets *t, VkPipelineLayout layout,
	const struct part *part)
{
	const VkSpecializationMapEntry entry = { 0, 0, sizeof part->kind };
	const VkSpecializationInfo constants = { 1, &entry, sizeof part->kind, &part->kind };
	VkPipelineMultisampleStateCreateInfo multisample = part->multisample;
	multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
	multisample.rasterizationSamples = t->color.samples;
	const struct vh_pipeline_info info = { .vertex = SHADER(h, spokes_vert), .fragment = part->fragment,
		.constants = &constants, .layout = layout, .pass = &t->pass, .multisample = &multisample,
		.depth_test = true, .depth_write = true,
		.topology = part->kind ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST };
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, vh_make_pipeline(h, &info));
	vkCmdDraw(commands, part->kind ? 4 : 3 * SPOKES, 1, 0, 0);
}

static void draw_parts(struct vh *h, const struct targets *t, const struct part *parts, int count)
{
	const struct vh_layout layout = vh_make_layout(h, NULL, 0, 0, 0);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_begin_pass(commands, &t->pass);
	for (int i = 0; i < count; i++)
		draw_part(h, commands, t, layout.pipeline, &parts[i]);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
}

static void draw_samples(struct vh *h, const struct targets *t, const struct stage *stage)
{
	const struct vh_image *images[] = { &t->resolved, &t->color, &t->depth };
	const struct vh_sampler_info sampler_info = { .filter = VK_FILTER_NEAREST };
	const VkSampler sampler = vh_make_sampler(h, &sampler_info);
	VkDescriptorSetLayoutBinding bindings[3];
	for (uint32_t i = 0; i < 3; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
			VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_layout layout = vh_make_layout(h, bindings, 3, 0, 0);
	const VkDescriptorSet set = vh_make_set(h, &layout);
	for (uint32_t i = 0; i < 3; i++)
		vh_set_image(h, set, i, bindings[i].descriptorType, images[i]->view, sampler,
			i == 2 ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL);
	const struct vh_pipeline_info info = { .vertex = SHADER(h, samples_vert), .fragment = SHADER(h, samples_frag),
		.layout = layout.pipeline, .pass = &stage->pass };
	const VkPipeline pipeline = vh_make_pipeline(h, &info);
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_transition(commands, &t->depth, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
		VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
	vh_begin_pass(commands, &stage->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout.pipeline, 0, 1, &set, 0, NULL);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
	vh_finish(h, commands);
}

/* Every count that the device has, with alpha to coverage: for the hash. */
static void hash_counts(struct vh *h, struct output *out)
{
	const VkSampleCountFlags counts = h->properties.limits.framebufferColorSampleCounts &
		h->properties.limits.framebufferDepthSampleCounts & h->properties.limits.sampledImageColorSampleCounts &
		h->properties.limits.sampledImageDepthSampleCounts;
	const struct part parts[] = {
		{ .kind = 0, .fragment = SHADER(h, spokes_frag) },
		{ .kind = 1, .fragment = SHADER(h, spokes_sample_frag) },
		{ .kind = 3, .fragment = SHADER(h, spokes_frag), .multisample = { .alphaToCoverageEnable = VK_TRUE } },
	};
	for (uint32_t samples = 2; samples <= 8; samples *= 2) {
		if (!(counts & samples))
			continue;
		const struct targets t = make_targets(h, samples);
		draw_parts(h, &t, parts, 3);
		VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
		vh_transition(commands, &t.resolved, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
		vh_finish(h, commands);
		output_hash(h, &t.resolved, VK_IMAGE_ASPECT_COLOR_BIT, 4, out);
	}
}

static void draw(struct vh *h, struct output *out)
{
	static const VkSampleMask mask = 0x5;
	const struct stage stage = stage_make(h, VK_FORMAT_UNDEFINED);
	const struct targets t = make_targets(h, 4);
	const struct part parts[] = {
		{ .kind = 0, .fragment = SHADER(h, spokes_frag) },
		{ .kind = 1, .fragment = SHADER(h, spokes_sample_frag) },
		{ .kind = 2, .fragment = SHADER(h, spokes_mask_frag) },
		{ .kind = 3, .fragment = SHADER(h, spokes_frag), .multisample = { .pSampleMask = &mask } },
	};
	draw_parts(h, &t, parts, 4);
	draw_samples(h, &t, &stage);
	stage_read(h, &stage, out);
	hash_counts(h, out);
}

const struct scene scene_multisample = { .name = "multisample", .features = { .sampleRateShading = VK_TRUE },
	.draw = draw, .max_rmse = 1, .max_pixels = 0.5 };
