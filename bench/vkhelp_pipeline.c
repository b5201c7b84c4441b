/* SPDX-License-Identifier: MIT */
/* Shaders, layouts, descriptor sets, passes and pipelines. */
#include "bench/vkhelp.h"

#include <stdlib.h>

VkShaderModule vh_make_shader(struct vh *h, const uint32_t *words, size_t size)
{
	const VkShaderModuleCreateInfo info = { VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size,
		.pCode = words };
	VkShaderModule shader;
	vh_check(vkCreateShaderModule(h->device, &info, NULL, &shader), "vkCreateShaderModule");
	vh_keep(h, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)shader);
	return shader;
}

struct vh_layout vh_make_layout(struct vh *h, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
	VkShaderStageFlags push_stages, uint32_t push_size)
{
	const VkDescriptorSetLayoutCreateInfo set = { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = count, .pBindings = bindings };
	const VkPushConstantRange push = { push_stages, 0, push_size };
	struct vh_layout layout;
	vh_check(vkCreateDescriptorSetLayout(h->device, &set, NULL, &layout.set), "vkCreateDescriptorSetLayout");
	vh_keep(h, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, (uint64_t)layout.set);
	const VkPipelineLayoutCreateInfo info = { VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &layout.set, .pushConstantRangeCount = push_size ? 1 : 0, .pPushConstantRanges = &push };
	vh_check(vkCreatePipelineLayout(h->device, &info, NULL, &layout.pipeline), "vkCreatePipelineLayout");
	vh_keep(h, VK_OBJECT_TYPE_PIPELINE_LAYOUT, (uint64_t)layout.pipeline);
	return layout;
}

VkDescriptorSet vh_make_set(struct vh *h, const struct vh_layout *layout)
{
	const VkDescriptorSetAllocateInfo info = { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = h->descriptors, .descriptorSetCount = 1, .pSetLayouts = &layout->set };
	VkDescriptorSet set;
	vh_check(vkAllocateDescriptorSets(h->device, &info, &set), "vkAllocateDescriptorSets");
	return set;
}

void vh_set_buffer(struct vh *h, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
	const struct vh_buffer *buffer)
{
	const VkDescriptorBufferInfo info = { buffer->handle, 0, VK_WHOLE_SIZE };
	const VkWriteDescriptorSet write = { VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set,
		.dstBinding = binding, .descriptorCount = 1, .descriptorType = type, .pBufferInfo = &info };
	vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
}

void vh_set_image(struct vh *h, VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkImageView view,
	VkSampler sampler, VkImageLayout layout)
{
	const VkDescriptorImageInfo info = { sampler, view, layout };
	const VkWriteDescriptorSet write = { VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set,
		.dstBinding = binding, .descriptorCount = 1, .descriptorType = type, .pImageInfo = &info };
	vkUpdateDescriptorSets(h->device, 1, &write, 0, NULL);
}

/* --- passes --- */

static void make_render_pass(struct vh *h, struct vh_pass *pass, const struct vh_pass_info *want)
{
	VkAttachmentDescription attachments[VH_MAX_TARGETS + 2];
	VkAttachmentReference colors[VH_MAX_TARGETS];
	const VkAttachmentReference depth = { pass->colors, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
	VkAttachmentReference resolves[VH_MAX_TARGETS];
	const VkAttachmentLoadOp load = want->load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
	for (uint32_t i = 0; i < pass->attachments; i++) {
		const bool is_depth = i == pass->colors && want->depth;
		const struct vh_image *image = i < pass->colors ? want->colors[i] : is_depth ? want->depth : want->resolve;
		VkImageLayout outside = want->color_layout ? want->color_layout : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
		if (is_depth)
			outside = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
		attachments[i] = (VkAttachmentDescription){ .format = image->format, .samples = image->samples,
			.loadOp = load, .storeOp = VK_ATTACHMENT_STORE_OP_STORE, .stencilLoadOp = load,
			.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE,
			.initialLayout = want->load ? outside : VK_IMAGE_LAYOUT_UNDEFINED, .finalLayout = outside };
		if (i < pass->colors) {
			colors[i] = (VkAttachmentReference){ i, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
			resolves[i] = (VkAttachmentReference){ i || !want->resolve ? VK_ATTACHMENT_UNUSED : pass->attachments - 1,
				VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
		}
	}
	const VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
		.colorAttachmentCount = pass->colors, .pColorAttachments = colors, .pResolveAttachments = want->resolve ? resolves : NULL,
		.pDepthStencilAttachment = want->depth ? &depth : NULL };
	const VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
	const VkSubpassDependency dependencies[2] = {
		{ VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, all, all },
		{ 0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, all, all },
	};
	const VkRenderPassCreateInfo info = { VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = pass->attachments, .pAttachments = attachments, .subpassCount = 1,
		.pSubpasses = &subpass, .dependencyCount = 2, .pDependencies = dependencies };
	vh_check(vkCreateRenderPass(h->device, &info, NULL, &pass->handle), "vkCreateRenderPass");
	vh_keep(h, VK_OBJECT_TYPE_RENDER_PASS, (uint64_t)pass->handle);
}

void vh_make_framebuffer(struct vh *h, struct vh_pass *pass, const VkImageView *views)
{
	const VkFramebufferCreateInfo info = { VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass->handle,
		.attachmentCount = pass->attachments, .pAttachments = views, .width = pass->extent.width,
		.height = pass->extent.height, .layers = 1 };
	vh_check(vkCreateFramebuffer(h->device, &info, NULL, &pass->framebuffer), "vkCreateFramebuffer");
	vh_keep(h, VK_OBJECT_TYPE_FRAMEBUFFER, (uint64_t)pass->framebuffer);
}

struct vh_pass vh_make_pass(struct vh *h, const struct vh_pass_info *want)
{
	struct vh_pass pass = { 0 };
	VkImageView views[VH_MAX_TARGETS + 2];
	while (pass.colors < VH_MAX_TARGETS && want->colors[pass.colors]) {
		views[pass.colors] = want->colors[pass.colors]->view;
		pass.colors++;
	}
	pass.attachments = pass.colors;
	if (want->depth) {
		views[pass.attachments] = want->depth->view;
		pass.clear[pass.attachments++].depthStencil.depth = 1;
	}
	if (want->resolve)
		views[pass.attachments++] = want->resolve->view;
	const struct vh_image *first = want->colors[0] ? want->colors[0] : want->depth;
	pass.extent = (VkExtent2D){ first->width, first->height };
	pass.samples = first->samples;
	make_render_pass(h, &pass, want);
	vh_make_framebuffer(h, &pass, views);
	return pass;
}

void vh_begin_pass(VkCommandBuffer commands, const struct vh_pass *pass)
{
	const VkRect2D area = { { 0, 0 }, pass->extent };
	const VkViewport viewport = { 0, 0, (float)pass->extent.width, (float)pass->extent.height, 0, 1 };
	const VkRenderPassBeginInfo info = { VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass->handle,
		.framebuffer = pass->framebuffer, .renderArea = area, .clearValueCount = pass->attachments,
		.pClearValues = pass->clear };
	vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
	vkCmdSetViewport(commands, 0, 1, &viewport);
	vkCmdSetScissor(commands, 0, 1, &area);
}

/* --- pipelines --- */

static VkPipelineDepthStencilStateCreateInfo depth_state(const struct vh_pipeline_info *want)
{
	return (VkPipelineDepthStencilStateCreateInfo){ VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
		.depthTestEnable = want->depth_test, .depthWriteEnable = want->depth_write,
		.depthCompareOp = want->depth_compare ? want->depth_compare : VK_COMPARE_OP_LESS,
		.stencilTestEnable = want->stencil_front != NULL,
		.front = want->stencil_front ? *want->stencil_front : (VkStencilOpState){ 0 },
		.back = want->stencil_back ? *want->stencil_back : (VkStencilOpState){ 0 } };
}

static VkPipelineRasterizationStateCreateInfo raster_state(const struct vh_pipeline_info *want)
{
	return (VkPipelineRasterizationStateCreateInfo){ VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.depthClampEnable = want->depth_clamp, .rasterizerDiscardEnable = want->discard, .cullMode = want->cull, .frontFace = want->front_face,
		.depthBiasEnable = want->depth_bias, .depthBiasConstantFactor = want->bias_constant,
		.depthBiasSlopeFactor = want->bias_slope, .lineWidth = 1 };
}

static VkPipelineInputAssemblyStateCreateInfo assembly_state(const struct vh_pipeline_info *want)
{
	VkPrimitiveTopology topology = want->topology;
	if (topology == VK_PRIMITIVE_TOPOLOGY_POINT_LIST && !want->points)
		topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
	return (VkPipelineInputAssemblyStateCreateInfo){ VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = topology, .primitiveRestartEnable = want->restart };
}

static VkPipelineColorBlendStateCreateInfo blend_state(const struct vh_pipeline_info *want,
	VkPipelineColorBlendAttachmentState *space)
{
	VkPipelineColorBlendStateCreateInfo info = { VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = want->pass->colors, .pAttachments = want->blend ? want->blend : space };
	for (uint32_t i = 0; i < want->pass->colors; i++)
		space[i] = (VkPipelineColorBlendAttachmentState){ .colorWriteMask = 15 };
	for (int i = 0; i < 4; i++)
		info.blendConstants[i] = want->blend_constants[i];
	return info;
}

static VkPipelineShaderStageCreateInfo stage_state(VkShaderStageFlagBits stage, VkShaderModule shader,
	const VkSpecializationInfo *constants)
{
	return (VkPipelineShaderStageCreateInfo){ VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage,
		.module = shader, .pName = "main", .pSpecializationInfo = constants };
}

/* Of all stages that there are. */
static uint32_t stage_states(const struct vh_pipeline_info *want, VkPipelineShaderStageCreateInfo stages[5])
{
	uint32_t n = 0;
	if (want->task)
		stages[n++] = stage_state(VK_SHADER_STAGE_TASK_BIT_EXT, want->task, want->constants);
	stages[n++] = want->mesh ? stage_state(VK_SHADER_STAGE_MESH_BIT_EXT, want->mesh, want->constants) :
		stage_state(VK_SHADER_STAGE_VERTEX_BIT, want->vertex, want->constants);
	if (want->control)
		stages[n++] = stage_state(VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, want->control, want->constants);
	if (want->evaluation)
		stages[n++] = stage_state(VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, want->evaluation, want->constants);
	if (want->geometry)
		stages[n++] = stage_state(VK_SHADER_STAGE_GEOMETRY_BIT, want->geometry, want->constants);
	if (want->fragment)
		stages[n++] = stage_state(VK_SHADER_STAGE_FRAGMENT_BIT, want->fragment, want->constants);
	return n;
}

VkPipeline vh_create_pipeline(const struct vh *h, const struct vh_pipeline_info *want)
{
	enum { MAX_DYNAMIC = 8 };
	VkPipelineColorBlendAttachmentState space[VH_MAX_TARGETS];
	VkDynamicState states[MAX_DYNAMIC] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
	const VkPipelineDepthStencilStateCreateInfo depth = depth_state(want);
	const VkPipelineRasterizationStateCreateInfo raster = raster_state(want);
	const VkPipelineInputAssemblyStateCreateInfo assembly = assembly_state(want);
	const VkPipelineColorBlendStateCreateInfo blend = blend_state(want, space);
	VkPipelineShaderStageCreateInfo stages[5];
	const uint32_t stage_count = stage_states(want, stages);
	const VkPipelineVertexInputStateCreateInfo input = { VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.vertexBindingDescriptionCount = want->binding_count, .pVertexBindingDescriptions = want->bindings,
		.vertexAttributeDescriptionCount = want->attribute_count,
		.pVertexAttributeDescriptions = want->attributes };
	const VkPipelineTessellationStateCreateInfo tessellation = {
		VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = want->patch_points };
	const VkPipelineViewportStateCreateInfo viewport = { VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1, .scissorCount = 1 };
	const VkPipelineMultisampleStateCreateInfo samples = {
		VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = want->pass->samples };
	for (uint32_t i = 0; i < want->dynamic_count && i + 2 < MAX_DYNAMIC; i++)
		states[2 + i] = want->dynamic[i];
	const VkPipelineDynamicStateCreateInfo dynamic = { VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
		.dynamicStateCount = 2 + want->dynamic_count, .pDynamicStates = states };
	const VkGraphicsPipelineCreateInfo info = { VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.stageCount = stage_count, .pStages = stages, .pVertexInputState = &input,
		.pInputAssemblyState = &assembly, .pTessellationState = &tessellation, .pViewportState = &viewport, .pRasterizationState = &raster,
		.pMultisampleState = want->multisample ? want->multisample : &samples, .pDepthStencilState = &depth, .pColorBlendState = &blend,
		.pDynamicState = &dynamic, .layout = want->layout, .renderPass = want->pass->handle, .subpass = want->subpass };
	VkPipeline pipeline;
	vh_check(vkCreateGraphicsPipelines(h->device, want->cache, 1, &info, NULL, &pipeline),
		"vkCreateGraphicsPipelines");
	return pipeline;
}

VkPipeline vh_make_pipeline(struct vh *h, const struct vh_pipeline_info *want)
{
	const VkPipeline pipeline = vh_create_pipeline(h, want);
	vh_keep(h, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline);
	return pipeline;
}

VkPipeline vh_make_compute(struct vh *h, VkPipelineLayout layout, VkShaderModule shader)
{
	const VkComputePipelineCreateInfo info = { VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = stage_state(VK_SHADER_STAGE_COMPUTE_BIT, shader, NULL), .layout = layout };
	VkPipeline pipeline;
	vh_check(vkCreateComputePipelines(h->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
		"vkCreateComputePipelines");
	vh_keep(h, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline);
	return pipeline;
}

void *vh_cache_data(struct vh *h, VkPipelineCache cache, size_t *bytes)
{
	vh_check(vkGetPipelineCacheData(h->device, cache, bytes, NULL), "vkGetPipelineCacheData");
	void *data = malloc(*bytes);
	if (!data)
		vh_fail("out of memory");
	vh_check(vkGetPipelineCacheData(h->device, cache, bytes, data), "vkGetPipelineCacheData");
	return data;
}
