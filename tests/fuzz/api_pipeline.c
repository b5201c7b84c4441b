/* SPDX-License-Identifier: MIT */
/* Modules, render passes, framebuffers and pipelines of the API fuzzer. */
#include "tests/fuzz/api.h"
#include "work_comp.h"
#include "endless_comp.h"
#include "scene_vert.h"
#include "scene_frag.h"

void create_module(struct session *s)
{
	static const struct { const uint32_t *words; size_t size; } code[] = { { work_comp, sizeof work_comp },
		{ endless_comp, sizeof endless_comp }, { scene_vert, sizeof scene_vert }, { scene_frag, sizeof scene_frag } };
	unsigned variant = input_pick(s->in, 4);
	VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = code[variant].size, .pCode = code[variant].words };
	VkShaderModule module;
	expect(s, CALL(s, vkCreateShaderModule)(s->vk.device, &info, NULL, &module), "vkCreateShaderModule");
	s->object[add_object(s, MODULE, module)].variant = variant;
}

/* One subpass with a colour target; with a depth target if variant is 1. */
void create_pass(struct session *s)
{
	unsigned depth = input_pick(s->in, 2), samples = input_pick(s->in, 4) ? 1 : 4;
	VkAttachmentLoadOp load = (VkAttachmentLoadOp)input_pick(s->in, 3);
	const VkAttachmentDescription attachments[] = {
		{ .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = samples, .loadOp = load,
			.initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL },
		{ .format = VK_FORMAT_D32_SFLOAT_S8_UINT, .samples = samples, .loadOp = load, .stencilLoadOp = load,
			.initialLayout = VK_IMAGE_LAYOUT_GENERAL, .finalLayout = VK_IMAGE_LAYOUT_GENERAL } };
	const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_GENERAL }, stencil = { 1, VK_IMAGE_LAYOUT_GENERAL };
	VkSubpassDescription subpass = { .colorAttachmentCount = 1, .pColorAttachments = &color,
		.pDepthStencilAttachment = depth ? &stencil : NULL };
	VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1 + depth,
		.pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass };
	VkRenderPass pass;
	expect(s, CALL(s, vkCreateRenderPass)(s->vk.device, &info, NULL, &pass), "vkCreateRenderPass");
	int i = add_object(s, PASS, pass);
	s->object[i].variant = depth;
	s->object[i].samples = samples;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

void create_framebuffer(struct session *s)
{
	int pass = choose(s, PASS, -1), color = choose(s, IMAGE_VIEW, COLOR_IMAGE), depth = choose(s, IMAGE_VIEW, DEPTH_IMAGE);
	VkFramebuffer framebuffer;
	if (pass == NO_OBJECT || color == NO_OBJECT || s->object[color].samples != s->object[pass].samples)
		return;
	if (!s->object[pass].variant)
		depth = color;
	else if (depth == NO_OBJECT || s->object[depth].samples != s->object[pass].samples)
		return;
	const struct object *c = &s->object[color], *d = &s->object[depth];
	VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.renderPass = HANDLE(s, pass, VkRenderPass), .attachmentCount = 1 + s->object[pass].variant,
		.pAttachments = (const VkImageView[]){ HANDLE(s, color, VkImageView), HANDLE(s, depth, VkImageView) },
		.width = least(c->width, d->width), .height = least(c->height, d->height), .layers = 1 };
	expect(s, CALL(s, vkCreateFramebuffer)(s->vk.device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
	int i = add_object(s, FRAMEBUFFER, framebuffer);
	s->object[i].variant = s->object[pass].variant;
	s->object[i].samples = s->object[pass].samples;
	s->object[i].width = info.width;
	s->object[i].height = info.height;
	add_dep(s, i, color); /* first: its image must not be sampled meanwhile */
	add_dep(s, i, depth);
}

static VkPipelineShaderStageCreateInfo stage(struct session *s, VkShaderStageFlagBits bit, int module)
{
	return (VkPipelineShaderStageCreateInfo){ .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = bit, .module = HANDLE(s, module, VkShaderModule), .pName = "main" };
}

static VkPipeline graphics(struct session *s, int vertex, int fragment, int layout, int pass, VkPipelineCache cache)
{
	const VkPipelineShaderStageCreateInfo stages[] = { stage(s, VK_SHADER_STAGE_VERTEX_BIT, vertex),
		stage(s, VK_SHADER_STAGE_FRAGMENT_BIT, fragment) };
	VkVertexInputBindingDescription binding = { 0, 8, (VkVertexInputRate)input_pick(s->in, 2) };
	VkVertexInputAttributeDescription attribute = { 0, 0, VK_FORMAT_R32G32_SFLOAT, 0 };
	VkPipelineVertexInputStateCreateInfo input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = 1, .pVertexBindingDescriptions = &binding,
		.vertexAttributeDescriptionCount = 1, .pVertexAttributeDescriptions = &attribute };
	VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = (VkPrimitiveTopology)input_pick(s->in, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN + 1) };
	VkPipelineViewportStateCreateInfo viewports = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1, .scissorCount = 1 };
	VkPipelineRasterizationStateCreateInfo raster = { .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.lineWidth = 1 };
	VkPipelineMultisampleStateCreateInfo samples = { .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = s->object[pass].samples };
	VkPipelineDepthStencilStateCreateInfo depth = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
		.depthTestEnable = input_pick(s->in, 2), .depthWriteEnable = VK_TRUE, .depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL };
	VkPipelineColorBlendAttachmentState target = { .colorWriteMask = 15, .blendEnable = input_pick(s->in, 2),
		.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA, .dstColorBlendFactor = VK_BLEND_FACTOR_ONE };
	VkPipelineColorBlendStateCreateInfo blend = { .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1, .pAttachments = &target };
	const VkDynamicState states[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
	VkPipelineDynamicStateCreateInfo dynamic = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
		.dynamicStateCount = 2, .pDynamicStates = states };
	VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 2,
		.pStages = stages, .pVertexInputState = &input, .pInputAssemblyState = &assembly, .pViewportState = &viewports,
		.pRasterizationState = &raster, .pMultisampleState = &samples, .pDepthStencilState = &depth,
		.pColorBlendState = &blend, .pDynamicState = &dynamic, .layout = HANDLE(s, layout, VkPipelineLayout),
		.renderPass = HANDLE(s, pass, VkRenderPass) };
	VkPipeline pipeline;
	expect(s, CALL(s, vkCreateGraphicsPipelines)(s->vk.device, cache, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
	return pipeline;
}

/* Variants: WORK_SHADER, ENDLESS_SHADER, GRAPHICS.  Relies on nothing afterwards but,
 * for its layout to be bound, on that. */
void create_pipeline(struct session *s)
{
	int layout = choose(s, LAYOUT, -1), cache = input_pick(s->in, 2) ? choose(s, CACHE, -1) : NO_OBJECT, i;
	unsigned variant = input_pick(s->in, 8);
	VkPipelineCache with = cache == NO_OBJECT ? VK_NULL_HANDLE : HANDLE(s, cache, VkPipelineCache);
	VkPipeline pipeline;
	variant = variant == 0 ? ENDLESS_SHADER : variant < 4 ? WORK_SHADER : GRAPHICS;
	int module = choose(s, MODULE, (int)variant);
	if (layout == NO_OBJECT || module == NO_OBJECT)
		return;
	if (variant == GRAPHICS) {
		int fragment = choose(s, MODULE, FRAGMENT_SHADER), pass = choose(s, PASS, -1);
		if (fragment == NO_OBJECT || pass == NO_OBJECT)
			return;
		pipeline = graphics(s, module, fragment, layout, pass, with);
		i = add_object(s, PIPELINE, pipeline);
		s->object[i].samples = s->object[pass].samples;
		s->object[i].state = s->object[pass].variant;
	} else {
		VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
			.stage = stage(s, VK_SHADER_STAGE_COMPUTE_BIT, module), .layout = HANDLE(s, layout, VkPipelineLayout) };
		expect(s, CALL(s, vkCreateComputePipelines)(s->vk.device, with, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
		i = add_object(s, PIPELINE, pipeline);
	}
	s->object[i].variant = variant;
	add_dep(s, i, layout);
}
