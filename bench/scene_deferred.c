/* SPDX-License-Identifier: MIT */
/* Two subpasses: colours and normals, then lights on them, read as input attachments. */
#include "bench/steps.h"

#include <math.h>

#include "gbuffer_frag.h"
#include "lights_frag.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { GBUFFER = 2, LIGHTS = 16 };

static void make_images(struct bench *b, struct vh_image image[GBUFFER + 1])
{
	static const VkFormat format[GBUFFER] = { VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT };
	for (int i = 0; i < GBUFFER; i++) {
		const struct vh_image_info info = { .format = format[i], .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
			.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT };
		image[i] = vh_make_image(&b->vh, &info);
	}
	image[GBUFFER] = b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
}

static void make_pass(struct bench *b, const struct vh_image image[GBUFFER + 1])
{
	const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
	VkAttachmentDescription attachments[GBUFFER + 1];
	VkAttachmentReference color[GBUFFER + 1], input[GBUFFER];
	VkImageView views[GBUFFER + 1];
	for (uint32_t i = 0; i <= GBUFFER; i++) {
		const VkImageLayout left = i < GBUFFER ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL :
			VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
		attachments[i] = (VkAttachmentDescription){ .format = image[i].format, .samples = 1,
			.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .finalLayout = left,
			.storeOp = i < GBUFFER ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE };
		color[i] = (VkAttachmentReference){ i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
		if (i < GBUFFER)
			input[i] = (VkAttachmentReference){ i, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL };
		views[i] = image[i].view;
	}
	const VkSubpassDescription subpasses[2] = { { .colorAttachmentCount = GBUFFER, .pColorAttachments = color },
		{ .inputAttachmentCount = GBUFFER, .pInputAttachments = input, .colorAttachmentCount = 1,
			.pColorAttachments = color + GBUFFER } };
	const VkPipelineStageFlags graphics = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
	const VkSubpassDependency dependencies[3] = {
		{ VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, graphics, all, all },
		{ 0, 1, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
			VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT },
		{ 1, VK_SUBPASS_EXTERNAL, graphics, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, all } };
	const VkRenderPassCreateInfo info = { VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = GBUFFER + 1,
		.pAttachments = attachments, .subpassCount = 2, .pSubpasses = subpasses, .dependencyCount = 3,
		.pDependencies = dependencies };
	b->pass = (struct vh_pass){ .extent = { BENCH_WIDTH, BENCH_HEIGHT }, .colors = GBUFFER, .attachments = GBUFFER + 1,
		.samples = 1 };
	vh_check(vkCreateRenderPass(b->vh.device, &info, NULL, &b->pass.handle), "vkCreateRenderPass");
	vh_keep(&b->vh, VK_OBJECT_TYPE_RENDER_PASS, (uint64_t)b->pass.handle);
	vh_make_framebuffer(&b->vh, &b->pass, views);
}

static void setup(struct bench *b)
{
	const VkDescriptorType type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
	VkDescriptorSetLayoutBinding bindings[GBUFFER];
	struct vh_image image[GBUFFER + 1];
	make_images(b, image);
	make_pass(b, image);
	for (uint32_t i = 0; i < GBUFFER; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, type, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	b->layout = vh_make_layout(&b->vh, bindings, GBUFFER, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	for (uint32_t i = 0; i < GBUFFER; i++)
		vh_set_image(&b->vh, b->set, i, type, image[i].view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	struct vh_pass second = b->pass;
	second.colors = 1;
	const struct vh_pipeline_info geometry = { .vertex = bench_cover_shader(b), .fragment = SHADER(&b->vh, gbuffer_frag),
		.layout = b->layout.pipeline, .pass = &b->pass };
	struct vh_pipeline_info lights = geometry;
	lights.fragment = SHADER(&b->vh, lights_frag);
	lights.pass = &second;
	lights.subpass = 1;
	b->pipeline = vh_make_pipeline(&b->vh, &geometry);
	b->second = vh_make_pipeline(&b->vh, &lights);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->second);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdDraw(commands, 3, 1, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* As gbuffer.frag and lights.frag. */
static bool expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	const float u = ((float)px + 0.5f) / BENCH_WIDTH, v = ((float)py + 0.5f) / BENCH_HEIGHT;
	const float x = 2 * (fabsf(6 * u - floorf(6 * u) - 0.5f) - 0.25f), y = 2 * (fabsf(6 * v - floorf(6 * v) - 0.5f) - 0.25f);
	const float length = sqrtf(x * x + y * y + 1), albedo[3] = { 0.3f + 0.6f * u, 0.9f - 0.5f * v, 0.5f };
	float light = 0.1f;
	for (int i = 0; i < LIGHTS; i++) {
		const float tx = 0.25f * (float)(i % 4) + 0.125f - u, ty = 0.25f * (float)(i / 4) + 0.125f - v;
		const float tz = 0.1f + 0.01f * (float)i, square = tx * tx + ty * ty + tz * tz;
		light += 0.005f * fmaxf((x * tx + y * ty + tz) / length, 0) / (sqrtf(square) * square);
	}
	for (int c = 0; c < 3; c++)
		rgb[c] = fminf(albedo[c] * light, 1);
	return true;
}

const struct bench_scene bench_deferred = { .name = "deferred", .unit = "frame/s",
	.what = "colours and RGBA16F normals, then 16 lights from input attachments, 1280x720",
	.setup = setup, .record = record, .work = 1, .expect = expect, .tolerance = 3 };
