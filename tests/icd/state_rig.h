/* SPDX-License-Identifier: MIT */
/* Random primitives, drawn with given state to a colour image and one of depth and stencil,
 * for tests of state and of ways to render. */
#ifndef TESTS_ICD_STATE_RIG_H
#define TESTS_ICD_STATE_RIG_H

#include "harness.h"
#include "state_vert.h"
#include "state_frag.h"

enum { RIG_SIZE = 48, RIG_TEXELS = RIG_SIZE * RIG_SIZE, RIG_VERTICES = 90, RIG_INDICES = 120, RIG_STRIDE = 32 };
#define RIG_COLOR VK_FORMAT_R8G8B8A8_UNORM
#define RIG_DEPTH VK_FORMAT_D32_SFLOAT_S8_UINT

struct rig_image { VkImage image; VkDeviceMemory memory; VkImageView view; };
/* What was drawn. */
struct rig_picture { uint8_t color[RIG_TEXELS][4]; float depth[RIG_TEXELS]; uint8_t stencil[RIG_TEXELS]; };

struct rig {
	struct vk vk;
	VkShaderModule vs, ps, gs, tcs, tes, ts, ms; /* but for the first two: none at first */
	VkPipelineLayout layout;
	struct rig_image color, depth;
	struct vk_buffer vertices, indices, out;
	VkCommandPool pool;
	uint64_t seed;
};

static inline uint32_t rig_below(struct rig *r, uint32_t n)
{
	r->seed ^= r->seed << 13;
	r->seed ^= r->seed >> 7;
	r->seed ^= r->seed << 17;
	return (uint32_t)(r->seed >> 32) % n;
}

static inline float rig_unit(struct rig *r)
{
	return (float)rig_below(r, 4097) / 4096;
}

static inline struct rig_image rig_image(struct vk *vk, VkFormat format, VkSampleCountFlagBits samples,
	VkImageUsageFlags usage, VkImageAspectFlags aspects)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = format, .extent = { RIG_SIZE, RIG_SIZE, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = samples,
		.tiling = VK_IMAGE_TILING_OPTIMAL, .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	VkMemoryAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	struct rig_image i;
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &i.image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
	alloc.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &alloc, NULL, &i.memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format, .subresourceRange = { aspects, 0, 1, 0, 1 } };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &i.view));
	return i;
}

static inline void rig_image_free(struct vk *vk, const struct rig_image *i)
{
	FN(vk, vkDestroyImageView)(vk->device, i->view, NULL);
	FN(vk, vkDestroyImage)(vk->device, i->image, NULL);
	FN(vk, vkFreeMemory)(vk->device, i->memory, NULL);
}

/* Positions of both windings, some outside the view volume; a tenth of the indices restarts. */
static inline void rig_buffers(struct rig *r)
{
	float (*vertex)[8];
	uint16_t *index;
	r->vertices = vk_buffer(&r->vk, RIG_VERTICES * RIG_STRIDE, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
	r->indices = vk_buffer(&r->vk, 2 * RIG_INDICES, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
	r->out = vk_buffer(&r->vk, sizeof(struct rig_picture), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	vertex = r->vertices.map;
	index = r->indices.map;
	for (int i = 0; i < RIG_VERTICES; i++)
		for (int c = 0; c < 8; c++)
			vertex[i][c] = c < 2 ? 2.4f * rig_unit(r) - 1.2f : c == 3 ? 1 : rig_unit(r);
	for (int i = 0; i < RIG_INDICES; i++)
		index[i] = (uint16_t)(rig_below(r, 10) ? rig_below(r, RIG_VERTICES) : 0xffff);
}

/* `features` is what pNext of the create info begins with. */
static inline void rig_make(struct rig *r, const char *const *extensions, uint32_t count, const void *features)
{
	struct vk *vk = &r->vk;
	const float priority = 1.0f;
	const VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
		.pQueuePriorities = &priority };
	const VkPhysicalDeviceFeatures core = { .depthBounds = VK_TRUE, .logicOp = VK_TRUE,
		.depthClamp = VK_TRUE, .fillModeNonSolid = VK_TRUE, .multiViewport = VK_TRUE, .geometryShader = VK_TRUE,
		.tessellationShader = VK_TRUE };
	const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = features,
		.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue, .enabledExtensionCount = count,
		.ppEnabledExtensionNames = extensions, .pEnabledFeatures = &core };
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO };
	const VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	vk_open(vk);
	OK(vk_instance(vk, NULL));
	OK(IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &vk->device));
	vk->get_device = IFN(vk, vkGetDeviceProcAddr);
	FN(vk, vkGetDeviceQueue)(vk->device, 0, 0, &vk->queue);
	r->vs = vk_module(vk, state_vert, sizeof state_vert);
	r->ps = vk_module(vk, state_frag, sizeof state_frag);
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &r->layout));
	OK(FN(vk, vkCreateCommandPool)(vk->device, &pool, NULL, &r->pool));
	r->seed = 88172645463325252u;
	r->color = rig_image(vk, RIG_COLOR, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
		VK_IMAGE_ASPECT_COLOR_BIT);
	r->depth = rig_image(vk, RIG_DEPTH, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
		VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
	rig_buffers(r);
}

static inline void rig_destroy(struct rig *r)
{
	struct vk *vk = &r->vk;
	rig_image_free(vk, &r->color);
	rig_image_free(vk, &r->depth);
	vk_buffer_free(vk, &r->vertices);
	vk_buffer_free(vk, &r->indices);
	vk_buffer_free(vk, &r->out);
	FN(vk, vkDestroyCommandPool)(vk->device, r->pool, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, r->layout, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r->vs, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r->ps, NULL);
	vk_stop(vk);
}

/* --- pipelines --- */

/* What a create info points to, for the caller to change before rig_pipeline. */
struct rig_states {
	VkVertexInputBindingDescription binding;
	VkPipelineInputAssemblyStateCreateInfo assembly;
	VkViewport viewport;
	VkRect2D scissor;
	VkPipelineRasterizationStateCreateInfo raster;
	VkPipelineMultisampleStateCreateInfo samples;
	VkPipelineDepthStencilStateCreateInfo depth;
	VkPipelineColorBlendAttachmentState attachment;
	VkPipelineColorBlendStateCreateInfo blend;
	VkPipelineDynamicStateCreateInfo dynamic;
	uint32_t patch_points;
	uint32_t viewports; /* 0 where the count is dynamic */
	VkSampleMask sample_mask;
	const void *viewport_next; /* pNext of the viewports' create info */
	VkPipelineCache cache;
	VkPipelineCreateFlags flags;
	bool no_raster; /* all of it is dynamic, and the pipeline says nothing of it */
};

static inline struct rig_states rig_states(void)
{
	return (struct rig_states){
		.binding = { 0, RIG_STRIDE, VK_VERTEX_INPUT_RATE_VERTEX },
		.assembly = { .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST },
		.viewport = { 0, 0, RIG_SIZE, RIG_SIZE, 0, 1 },
		.scissor = { { 0, 0 }, { RIG_SIZE, RIG_SIZE } },
		.raster = { .lineWidth = 1 },
		.samples = { .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT },
		.attachment = { .colorWriteMask = 15 },
		.viewports = 1,
		.sample_mask = 1,
	};
}

/* For a render pass, or, if there is none, for what `next` (pNext) says. */
static inline VkResult rig_create_pipeline(struct rig *r, const struct rig_states *s, VkRenderPass pass, const void *next,
	VkPipeline *out)
{
	const struct { VkShaderStageFlagBits stage; VkShaderModule module; } all[7] = { { VK_SHADER_STAGE_VERTEX_BIT, r->vs },
		{ VK_SHADER_STAGE_FRAGMENT_BIT, r->ps }, { VK_SHADER_STAGE_GEOMETRY_BIT, r->gs },
		{ VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, r->tcs }, { VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, r->tes },
		{ VK_SHADER_STAGE_TASK_BIT_EXT, r->ts }, { VK_SHADER_STAGE_MESH_BIT_EXT, r->ms } };
	VkPipelineShaderStageCreateInfo stages[7];
	uint32_t count = 0;
	for (int i = 0; i < 7; i++)
		if (all[i].module)
			stages[count++] = (VkPipelineShaderStageCreateInfo){ .pName = "main", .stage = all[i].stage,
				.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .module = all[i].module };
	const VkPipelineTessellationStateCreateInfo patches = { .patchControlPoints = s->patch_points,
		.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO };
	const VkVertexInputAttributeDescription attributes[2] = { { 0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0 },
		{ 1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16 } };
	const VkPipelineVertexInputStateCreateInfo input = { .vertexBindingDescriptionCount = 1,
		.pVertexBindingDescriptions = &s->binding, .vertexAttributeDescriptionCount = 2,
		.pVertexAttributeDescriptions = attributes };
	const VkPipelineViewportStateCreateInfo viewports = { .pNext = s->viewport_next, .viewportCount = s->viewports,
		.pViewports = &s->viewport,
		.scissorCount = s->viewports, .pScissors = &s->scissor };
	VkPipelineColorBlendStateCreateInfo blend = s->blend;
	VkPipelineMultisampleStateCreateInfo samples = s->samples;
	samples.pSampleMask = &s->sample_mask;
	blend.attachmentCount = 1;
	blend.pAttachments = &s->attachment;
	const VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = next,
		.flags = s->flags, .stageCount = count, .pStages = stages, .pTessellationState = &patches, .pVertexInputState = &input, .pInputAssemblyState = &s->assembly,
		.pViewportState = &viewports, .pRasterizationState = s->no_raster ? NULL : &s->raster, .pMultisampleState = &samples,
		.pDepthStencilState = &s->depth, .pColorBlendState = &blend, .pDynamicState = &s->dynamic,
		.layout = r->layout, .renderPass = pass };
	return FN(&r->vk, vkCreateGraphicsPipelines)(r->vk.device, s->cache, 1, &info, NULL, out);
}

static inline VkPipeline rig_pipeline(struct rig *r, const struct rig_states *s, VkRenderPass pass, const void *next)
{
	VkPipeline pipeline;
	OK(rig_create_pipeline(r, s, pass, next, &pipeline));
	return pipeline;
}

/* --- commands --- */

static inline VkCommandBuffer rig_begin(struct rig *r, VkCommandBufferLevel level, const VkCommandBufferBeginInfo *begin)
{
	const VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = r->pool, .level = level, .commandBufferCount = 1 };
	VkCommandBuffer cmd;
	OK(FN(&r->vk, vkAllocateCommandBuffers)(r->vk.device, &info, &cmd));
	OK(FN(&r->vk, vkBeginCommandBuffer)(cmd, begin));
	return cmd;
}

static inline VkCommandBuffer rig_begin_primary(struct rig *r)
{
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	return rig_begin(r, VK_COMMAND_BUFFER_LEVEL_PRIMARY, &begin);
}

/* All primitives, with the pipeline that is bound. */
static inline void rig_draw(struct rig *r, VkCommandBuffer cmd)
{
	FN(&r->vk, vkCmdBindIndexBuffer)(cmd, r->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
	FN(&r->vk, vkCmdDrawIndexed)(cmd, RIG_INDICES, 1, 0, 0, 0);
}

static inline void rig_copy(struct rig *r, VkCommandBuffer cmd, VkImage image, VkImageAspectFlags aspect, size_t offset)
{
	const VkBufferImageCopy all = { .bufferOffset = offset, .imageSubresource = { aspect, 0, 0, 1 },
		.imageExtent = { RIG_SIZE, RIG_SIZE, 1 } };
	FN(&r->vk, vkCmdCopyImageToBuffer)(cmd, image, VK_IMAGE_LAYOUT_GENERAL, r->out.buffer, 1, &all);
}

/* Ends and runs the buffers in turn, the last of which reads both images, and takes the picture. */
static inline void rig_finish(struct rig *r, VkCommandBuffer *cmd, uint32_t count, struct rig_picture *out)
{
	struct vk *vk = &r->vk;
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = count,
		.pCommandBuffers = cmd };
	rig_copy(r, cmd[count - 1], r->color.image, VK_IMAGE_ASPECT_COLOR_BIT, offsetof(struct rig_picture, color));
	rig_copy(r, cmd[count - 1], r->depth.image, VK_IMAGE_ASPECT_DEPTH_BIT, offsetof(struct rig_picture, depth));
	rig_copy(r, cmd[count - 1], r->depth.image, VK_IMAGE_ASPECT_STENCIL_BIT, offsetof(struct rig_picture, stencil));
	for (uint32_t i = 0; i < count; i++)
		OK(FN(vk, vkEndCommandBuffer)(cmd[i]));
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	memcpy(out, r->out.map, sizeof *out);
	FN(vk, vkFreeCommandBuffers)(vk->device, r->pool, count, cmd);
}

/* --- render passes --- */

static const VkClearValue rig_clear[2] = { { .color = { .float32 = { 0.25f, 0.5f, 0.75f, 1 } } },
	{ .depthStencil = { 0.5f, 100 } } };

/* Clears and keeps both targets. */
static inline VkRenderPass rig_pass(struct rig *r)
{
	const VkAttachmentDescription attachments[2] = {
		{ .format = RIG_COLOR, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR },
		{ .format = RIG_DEPTH, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
			.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR } };
	const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_GENERAL }, depth = { 1, VK_IMAGE_LAYOUT_GENERAL };
	const VkSubpassDescription subpass = { .colorAttachmentCount = 1, .pColorAttachments = &color,
		.pDepthStencilAttachment = &depth };
	const VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 2,
		.pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass };
	VkRenderPass pass;
	OK(FN(&r->vk, vkCreateRenderPass)(r->vk.device, &info, NULL, &pass));
	return pass;
}

static inline VkFramebuffer rig_framebuffer(struct rig *r, VkRenderPass pass)
{
	const VkImageView views[2] = { r->color.view, r->depth.view };
	const VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass,
		.attachmentCount = 2, .pAttachments = views, .width = RIG_SIZE, .height = RIG_SIZE, .layers = 1 };
	VkFramebuffer framebuffer;
	OK(FN(&r->vk, vkCreateFramebuffer)(r->vk.device, &info, NULL, &framebuffer));
	return framebuffer;
}

static inline void rig_begin_pass(struct rig *r, VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer)
{
	const VkRenderPassBeginInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass,
		.framebuffer = framebuffer, .renderArea = { { 0, 0 }, { RIG_SIZE, RIG_SIZE } }, .clearValueCount = 2,
		.pClearValues = rig_clear };
	FN(&r->vk, vkCmdBeginRenderPass)(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

#endif
