/* SPDX-License-Identifier: MIT */
/* A small picture with all that it takes: shaders, layouts, pipelines from a
 * cache, sets, a secondary command buffer.  work_make may stop anywhere;
 * work_destroy takes whatever was made. */
#ifndef TESTS_ICD_WORK_H
#define TESTS_ICD_WORK_H

#include "harness.h"
#include "triangle_vert.h"
#include "triangle_frag.h"
#include "twice_comp.h"

enum { WORK_SIZE = 16 };
#ifndef WORK_DRAWS
#define WORK_DRAWS 300
#endif

/* What the caller may ask for: bytes of a pipeline cache, flags of the pipelines. */
struct work {
	const void *cache_data;
	size_t cache_size;
	VkPipelineCreateFlags flags;
	VkShaderModule vs, ps, cs;
	VkSampler sampler;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkRenderPass pass;
	VkBuffer buffer;
	VkBufferView buffer_view;
	VkImage image;
	VkDeviceMemory memory, image_memory;
	VkImageView view;
	VkFramebuffer framebuffer;
	VkPipelineCache cache;
	VkPipeline pipelines[2], compute;
	VkDescriptorPool sets;
	VkDescriptorSet set;
	VkCommandPool commands;
	VkCommandBuffer primary, secondary;
};

static inline VkResult work_shaders(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	const struct { const uint32_t *words; size_t size; VkShaderModule *out; } code[] = {
		{ triangle_vert, sizeof triangle_vert, &w->vs }, { triangle_frag, sizeof triangle_frag, &w->ps },
		{ twice_comp, sizeof twice_comp, &w->cs } };
	for (int i = 0; i < 3; i++) {
		VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
			.codeSize = code[i].size, .pCode = code[i].words };
		TRY(FN(vk, vkCreateShaderModule)(vk->device, &info, a, code[i].out));
	}
	return VK_SUCCESS;
}

static inline VkResult work_layouts(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkSamplerCreateInfo sampler = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO };
	TRY(FN(vk, vkCreateSampler)(vk->device, &sampler, a, &w->sampler));
	VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, &w->sampler },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	VkDescriptorSetLayoutCreateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 2, .pBindings = bindings };
	TRY(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &set, a, &w->set_layout));
	VkPushConstantRange push = { VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4 };
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1, .pSetLayouts = &w->set_layout, .pushConstantRangeCount = 1,
		.pPushConstantRanges = &push };
	return FN(vk, vkCreatePipelineLayout)(vk->device, &layout, a, &w->layout);
}

static inline VkResult work_memory(struct vk *vk, const VkAllocationCallbacks *a, VkMemoryRequirements req, VkDeviceMemory *out)
{
	VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = req.size };
	return FN(vk, vkAllocateMemory)(vk->device, &info, a, out);
}

static inline VkResult work_buffer(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkMemoryRequirements req;
	VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 1024,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
			VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT };
	VkBufferViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.format = VK_FORMAT_R32_UINT, .range = VK_WHOLE_SIZE };
	TRY(FN(vk, vkCreateBuffer)(vk->device, &info, a, &w->buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, w->buffer, &req);
	TRY(work_memory(vk, a, req, &w->memory));
	TRY(FN(vk, vkBindBufferMemory)(vk->device, w->buffer, w->memory, 0));
	view.buffer = w->buffer;
	return FN(vk, vkCreateBufferView)(vk->device, &view, a, &w->buffer_view);
}

static inline VkResult work_targets(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkMemoryRequirements req;
	VkImageCreateInfo image = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { WORK_SIZE, WORK_SIZE, 1 }, .mipLevels = 1, .arrayLayers = 1,
		.samples = 1, .tiling = VK_IMAGE_TILING_LINEAR,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT };
	TRY(FN(vk, vkCreateImage)(vk->device, &image, a, &w->image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, w->image, &req);
	TRY(work_memory(vk, a, req, &w->image_memory));
	TRY(FN(vk, vkBindImageMemory)(vk->device, w->image, w->image_memory, 0));
	VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = w->image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image.format,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	TRY(FN(vk, vkCreateImageView)(vk->device, &view, a, &w->view));
	VkAttachmentDescription attachment = { .format = image.format, .samples = 1,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.finalLayout = VK_IMAGE_LAYOUT_GENERAL };
	VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_GENERAL };
	VkSubpassDescription subpass = { .colorAttachmentCount = 1, .pColorAttachments = &color };
	VkRenderPassCreateInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 1,
		.pAttachments = &attachment, .subpassCount = 1, .pSubpasses = &subpass };
	TRY(FN(vk, vkCreateRenderPass)(vk->device, &pass, a, &w->pass));
	VkFramebufferCreateInfo fb = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = w->pass,
		.attachmentCount = 1, .pAttachments = &w->view, .width = WORK_SIZE, .height = WORK_SIZE, .layers = 1 };
	return FN(vk, vkCreateFramebuffer)(vk->device, &fb, a, &w->framebuffer);
}

/* What a graphics pipeline's create info points to. */
struct work_states {
	VkVertexInputBindingDescription binding;
	VkVertexInputAttributeDescription attribute;
	VkPipelineVertexInputStateCreateInfo input;
	VkPipelineInputAssemblyStateCreateInfo assembly;
	VkViewport viewport;
	VkRect2D scissor;
	VkPipelineViewportStateCreateInfo viewports;
	VkPipelineRasterizationStateCreateInfo raster;
	VkPipelineMultisampleStateCreateInfo samples;
	VkPipelineColorBlendAttachmentState attachment;
	VkPipelineColorBlendStateCreateInfo blend;
};

/* Triangles of two floats a vertex to one colour attachment of size x size, which they
 * overwrite; layout and render pass are the caller's to add.  *s must outlive the call. */
static inline VkGraphicsPipelineCreateInfo work_graphics(struct work_states *s, uint32_t size,
	VkSampleCountFlagBits samples, const VkPipelineShaderStageCreateInfo stages[2])
{
	*s = (struct work_states){
		.binding = { 0, 8, VK_VERTEX_INPUT_RATE_VERTEX },
		.attribute = { 0, 0, VK_FORMAT_R32G32_SFLOAT, 0 },
		.input = { .vertexBindingDescriptionCount = 1, .pVertexBindingDescriptions = &s->binding,
			.vertexAttributeDescriptionCount = 1, .pVertexAttributeDescriptions = &s->attribute },
		.assembly = { .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST },
		.viewport = { 0, 0, (float)size, (float)size, 0, 1 },
		.scissor = { { 0, 0 }, { size, size } },
		.viewports = { .viewportCount = 1, .pViewports = &s->viewport, .scissorCount = 1, .pScissors = &s->scissor },
		.raster = { .lineWidth = 1 },
		.samples = { .rasterizationSamples = samples },
		.attachment = { .colorWriteMask = 15 },
		.blend = { .attachmentCount = 1, .pAttachments = &s->attachment },
	};
	return (VkGraphicsPipelineCreateInfo){ .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 2,
		.pStages = stages, .pVertexInputState = &s->input, .pInputAssemblyState = &s->assembly,
		.pViewportState = &s->viewports, .pRasterizationState = &s->raster, .pMultisampleState = &s->samples,
		.pColorBlendState = &s->blend };
}

static inline VkResult work_pipelines(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkPipelineCacheCreateInfo cache = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
		.initialDataSize = w->cache_size, .pInitialData = w->cache_data };
	TRY(FN(vk, vkCreatePipelineCache)(vk->device, &cache, a, &w->cache));
	VkPipelineShaderStageCreateInfo stages[3] = { { .stage = VK_SHADER_STAGE_VERTEX_BIT, .module = w->vs },
		{ .stage = VK_SHADER_STAGE_FRAGMENT_BIT, .module = w->ps },
		{ .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = w->cs } };
	for (int i = 0; i < 3; i++) {
		stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
		stages[i].pName = "main";
	}
	struct work_states states;
	VkGraphicsPipelineCreateInfo graphics = work_graphics(&states, WORK_SIZE, VK_SAMPLE_COUNT_1_BIT, stages);
	graphics.flags = w->flags;
	graphics.layout = w->layout;
	graphics.renderPass = w->pass;
	VkGraphicsPipelineCreateInfo two[2] = { graphics, graphics };
	TRY(FN(vk, vkCreateGraphicsPipelines)(vk->device, w->cache, 2, two, a, w->pipelines));
	VkComputePipelineCreateInfo compute = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = w->flags, .stage = stages[2], .layout = w->layout };
	return FN(vk, vkCreateComputePipelines)(vk->device, w->cache, 1, &compute, a, &w->compute);
}

static inline VkResult work_descriptors(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkDescriptorPoolSize sizes[2] = { { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1 },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 } };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 2, .pPoolSizes = sizes };
	TRY(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, a, &w->sets));
	VkDescriptorSetAllocateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = w->sets, .descriptorSetCount = 1, .pSetLayouts = &w->set_layout };
	TRY(FN(vk, vkAllocateDescriptorSets)(vk->device, &set, &w->set));
	VkDescriptorImageInfo image = { .imageView = w->view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
	VkDescriptorBufferInfo data = { w->buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet writes[2] = {
		{ .dstSet = w->set, .dstBinding = 0, .descriptorCount = 1, .pImageInfo = &image,
			.descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER },
		{ .dstSet = w->set, .dstBinding = 1, .descriptorCount = 1, .pBufferInfo = &data,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER } };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 2, writes, 0, NULL);
	return VK_SUCCESS;
}

static inline void work_draw(struct vk *vk, struct work *w, VkCommandBuffer cmd)
{
	VkDeviceSize zero = 0;
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->pipelines[1]);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->layout, 0, 1, &w->set, 0, NULL);
	FN(vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &w->buffer, &zero);
	for (int i = 0; i < WORK_DRAWS; i++) {
		float scale = (float)i / WORK_DRAWS;
		FN(vk, vkCmdPushConstants)(cmd, w->layout, VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &scale);
		FN(vk, vkCmdDraw)(cmd, 3, 1, 0, 0);
	}
}

static inline VkResult work_record(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	TRY(FN(vk, vkCreateCommandPool)(vk->device, &pool, a, &w->commands));
	VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = w->commands, .commandBufferCount = 1 };
	TRY(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &w->primary));
	one.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
	TRY(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &w->secondary));
	VkCommandBufferInheritanceInfo inherit = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.renderPass = w->pass, .framebuffer = w->framebuffer };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, .pInheritanceInfo = &inherit };
	TRY(FN(vk, vkBeginCommandBuffer)(w->secondary, &begin));
	work_draw(vk, w, w->secondary);
	TRY(FN(vk, vkEndCommandBuffer)(w->secondary));
	begin.flags = 0;
	TRY(FN(vk, vkBeginCommandBuffer)(w->primary, &begin));
	FN(vk, vkCmdBindPipeline)(w->primary, VK_PIPELINE_BIND_POINT_COMPUTE, w->compute);
	FN(vk, vkCmdBindDescriptorSets)(w->primary, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set, 0, NULL);
	FN(vk, vkCmdDispatch)(w->primary, 4, 1, 1);
	VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT };
	float vertices[256] = { -0.9f, -0.8f, 0.8f, -0.5f, 0.1f, 0.9f };
	for (int i = 0; i < 2; i++) {
		if (i)
			FN(vk, vkCmdUpdateBuffer)(w->primary, w->buffer, 0, sizeof vertices, vertices);
		FN(vk, vkCmdPipelineBarrier)(w->primary, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
	}
	VkClearValue clear = { 0 };
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = w->pass,
		.framebuffer = w->framebuffer, .renderArea = { { 0, 0 }, { WORK_SIZE, WORK_SIZE } }, .clearValueCount = 1,
		.pClearValues = &clear };
	FN(vk, vkCmdBeginRenderPass)(w->primary, &pass, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
	FN(vk, vkCmdExecuteCommands)(w->primary, 1, &w->secondary);
	FN(vk, vkCmdEndRenderPass)(w->primary);
	return FN(vk, vkEndCommandBuffer)(w->primary);
}

static inline VkResult work_submit(struct vk *vk, struct work *w)
{
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &w->primary };
	TRY(FN(vk, vkQueueSubmit)(vk->queue, 1, &info, VK_NULL_HANDLE));
	return FN(vk, vkQueueWaitIdle)(vk->queue);
}

static inline VkResult work_make(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
	TRY(work_shaders(vk, a, w));
	TRY(work_layouts(vk, a, w));
	TRY(work_buffer(vk, a, w));
	TRY(work_targets(vk, a, w));
	TRY(work_pipelines(vk, a, w));
	TRY(work_descriptors(vk, a, w));
	TRY(work_record(vk, a, w));
	return work_submit(vk, w);
}

static inline void work_destroy(struct vk *vk, const VkAllocationCallbacks *a, struct work *w)
{
#define DESTROY(Object, handle) FN(vk, vkDestroy##Object)(vk->device, w->handle, a)
	DESTROY(CommandPool, commands);
	DESTROY(DescriptorPool, sets);
	DESTROY(Pipeline, pipelines[0]);
	DESTROY(Pipeline, pipelines[1]);
	DESTROY(Pipeline, compute);
	DESTROY(PipelineCache, cache);
	DESTROY(Framebuffer, framebuffer);
	DESTROY(RenderPass, pass);
	DESTROY(ImageView, view);
	DESTROY(Image, image);
	DESTROY(BufferView, buffer_view);
	DESTROY(Buffer, buffer);
	FN(vk, vkFreeMemory)(vk->device, w->memory, a);
	FN(vk, vkFreeMemory)(vk->device, w->image_memory, a);
	DESTROY(PipelineLayout, layout);
	DESTROY(DescriptorSetLayout, set_layout);
	DESTROY(Sampler, sampler);
	DESTROY(ShaderModule, vs);
	DESTROY(ShaderModule, ps);
	DESTROY(ShaderModule, cs);
#undef DESTROY
}

#endif
