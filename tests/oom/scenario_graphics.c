/* SPDX-License-Identifier: MIT */
/* The picture of ../icd/work.h, and beside it what else a frame may need: scratch in
 * vertex and fragment shaders, several samples, depth, copies, blits, queries. */
#include "scenario.h"
#include "../icd/work.h"
#include "scratch_vert.h"
#include "scratch_frag.h"

enum { SIZE = 80, TEXTURE = 16, VERTICES = 3 * 300, BYTES = SIZE * SIZE * 4 };

struct frame {
	VkShaderModule vs, ps;
	VkPipelineLayout layout;
	VkImage color, resolved, depth, texture;
	VkDeviceMemory memory[4], buffer_memory;
	VkImageView view[3];
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline pipeline;
	VkBuffer buffer; /* vertices in the front, the picture behind */
	float *map;
	VkQueryPool queries;
	VkEvent event;
	VkCommandPool commands;
	VkCommandBuffer cmd;
};

static VkResult make_image(struct vk *vk, VkFormat format, VkSampleCountFlagBits samples, uint32_t size,
	VkImageUsageFlags usage, VkImage *image, VkDeviceMemory *memory)
{
	VkMemoryRequirements need;
	VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = format, .extent = { size, size, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = samples,
		.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	TRY(FN(vk, vkCreateImage)(vk->device, &info, NULL, image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, *image, &need);
	TRY(work_memory(vk, NULL, need, memory));
	return FN(vk, vkBindImageMemory)(vk->device, *image, *memory, 0);
}

static VkResult make_view(struct vk *vk, VkImage image, VkFormat format, VkImageAspectFlags aspect, VkImageView *view)
{
	VkImageViewCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format, .subresourceRange = { aspect, 0, 1, 0, 1 } };
	return FN(vk, vkCreateImageView)(vk->device, &info, NULL, view);
}

static VkResult make_images(struct vk *vk, struct frame *f)
{
	const VkFormat rgba = VK_FORMAT_R8G8B8A8_UNORM, d32 = VK_FORMAT_D32_SFLOAT;
	const VkImageUsageFlags target = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
	TRY(make_image(vk, rgba, 4, SIZE, target, &f->color, &f->memory[0]));
	TRY(make_image(vk, rgba, 1, SIZE, target, &f->resolved, &f->memory[1]));
	TRY(make_image(vk, d32, 4, SIZE, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, &f->depth, &f->memory[2]));
	TRY(make_image(vk, rgba, 1, TEXTURE, VK_IMAGE_USAGE_SAMPLED_BIT, &f->texture, &f->memory[3]));
	TRY(make_view(vk, f->color, rgba, VK_IMAGE_ASPECT_COLOR_BIT, &f->view[0]));
	TRY(make_view(vk, f->resolved, rgba, VK_IMAGE_ASPECT_COLOR_BIT, &f->view[1]));
	return make_view(vk, f->depth, d32, VK_IMAGE_ASPECT_DEPTH_BIT, &f->view[2]);
}

static VkResult make_pass(struct vk *vk, struct frame *f)
{
	const VkAttachmentDescription color = { .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = 4,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.finalLayout = VK_IMAGE_LAYOUT_GENERAL };
	VkAttachmentDescription attachments[3] = { color, color, color };
	attachments[1].samples = 1;
	attachments[2].format = VK_FORMAT_D32_SFLOAT;
	VkAttachmentReference refs[3] = { { 0, VK_IMAGE_LAYOUT_GENERAL }, { 1, VK_IMAGE_LAYOUT_GENERAL },
		{ 2, VK_IMAGE_LAYOUT_GENERAL } };
	VkSubpassDescription subpass = { .colorAttachmentCount = 1, .pColorAttachments = &refs[0],
		.pResolveAttachments = &refs[1], .pDepthStencilAttachment = &refs[2] };
	VkRenderPassCreateInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .attachmentCount = 3,
		.pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass };
	TRY(FN(vk, vkCreateRenderPass)(vk->device, &pass, NULL, &f->pass));
	VkFramebufferCreateInfo fb = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = f->pass,
		.attachmentCount = 3, .pAttachments = f->view, .width = SIZE, .height = SIZE, .layers = 1 };
	return FN(vk, vkCreateFramebuffer)(vk->device, &fb, NULL, &f->framebuffer);
}

static VkResult make_stages(struct vk *vk, struct frame *f, VkPipelineShaderStageCreateInfo stages[2])
{
	VkShaderModuleCreateInfo vs = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof scratch_vert, .pCode = scratch_vert }, ps = vs;
	ps.codeSize = sizeof scratch_frag;
	ps.pCode = scratch_frag;
	TRY(FN(vk, vkCreateShaderModule)(vk->device, &vs, NULL, &f->vs));
	TRY(FN(vk, vkCreateShaderModule)(vk->device, &ps, NULL, &f->ps));
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO };
	TRY(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &f->layout));
	for (int i = 0; i < 2; i++)
		stages[i] = (VkPipelineShaderStageCreateInfo){ .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = i ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT, .module = i ? f->ps : f->vs,
			.pName = "main" };
	return VK_SUCCESS;
}

static VkResult make_pipeline(struct vk *vk, struct frame *f)
{
	VkPipelineShaderStageCreateInfo stages[2];
	TRY(make_stages(vk, f, stages));
	struct work_states states;
	VkPipelineDepthStencilStateCreateInfo depth = { .depthTestEnable = VK_TRUE, .depthWriteEnable = VK_TRUE,
		.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL };
	VkGraphicsPipelineCreateInfo info = work_graphics(&states, SIZE, VK_SAMPLE_COUNT_4_BIT, stages);
	info.pDepthStencilState = &depth;
	info.layout = f->layout;
	info.renderPass = f->pass;
	f->pipeline = (VkPipeline)(uintptr_t)1;
	VkResult result = FN(vk, vkCreateGraphicsPipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &f->pipeline);
	CHECK(result == VK_SUCCESS || !f->pipeline); /* 10.2: VK_NULL_HANDLE where creation failed */
	return result;
}

/* Small triangles all over the target. */
static VkResult make_buffer(struct vk *vk, struct frame *f)
{
	VkMemoryRequirements need;
	VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = VERTICES * 8 + BYTES + 16,
		.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT };
	TRY(FN(vk, vkCreateBuffer)(vk->device, &info, NULL, &f->buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, f->buffer, &need);
	TRY(work_memory(vk, NULL, need, &f->buffer_memory));
	TRY(FN(vk, vkBindBufferMemory)(vk->device, f->buffer, f->buffer_memory, 0));
	TRY(FN(vk, vkMapMemory)(vk->device, f->buffer_memory, 0, VK_WHOLE_SIZE, 0, (void **)&f->map));
	for (int i = 0; i < VERTICES; i++) {
		int triangle = i / 3;
		f->map[2 * i] = (float)(triangle % 20) / 10 - 1 + (i % 3 == 1 ? 0.3f : 0);
		f->map[2 * i + 1] = (float)(triangle / 20) / 8 - 1 + (i % 3 == 2 ? 0.3f : 0);
	}
	return VK_SUCCESS;
}

static void record_copies(struct vk *vk, struct frame *f)
{
	const VkImageSubresourceLayers layer = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 };
	VkBufferImageCopy in = { .imageSubresource = layer, .imageExtent = { TEXTURE, TEXTURE, 1 } };
	VkBufferImageCopy out = { .bufferOffset = VERTICES * 8, .imageSubresource = layer, .imageExtent = { SIZE, SIZE, 1 } };
	VkImageBlit blit = { layer, { { 0, 0, 0 }, { TEXTURE, TEXTURE, 1 } }, layer, { { 10, 10, 0 }, { 37, 29, 1 } } };
	VkImageResolve resolve = { layer, { 0 }, layer, { 0 }, { 8, 8, 1 } };
	FN(vk, vkCmdCopyBufferToImage)(f->cmd, f->buffer, f->texture, VK_IMAGE_LAYOUT_GENERAL, 1, &in);
	FN(vk, vkCmdResolveImage)(f->cmd, f->color, VK_IMAGE_LAYOUT_GENERAL, f->texture, VK_IMAGE_LAYOUT_GENERAL, 1, &resolve);
	FN(vk, vkCmdBlitImage)(f->cmd, f->texture, VK_IMAGE_LAYOUT_GENERAL, f->resolved, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
		VK_FILTER_LINEAR);
	FN(vk, vkCmdCopyImageToBuffer)(f->cmd, f->resolved, VK_IMAGE_LAYOUT_GENERAL, f->buffer, 1, &out);
	FN(vk, vkCmdCopyQueryPoolResults)(f->cmd, f->queries, 0, 1, f->buffer, VERTICES * 8 + BYTES, 8,
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
}

static void record_pass(struct vk *vk, struct frame *f)
{
	VkDeviceSize zero = 0;
	VkClearValue clear[3] = { { .color = { { 0.25f, 0.5f, 0.75f, 1 } } }, { { { 0 } } }, { .depthStencil = { 1, 0 } } };
	VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = f->pass,
		.framebuffer = f->framebuffer, .renderArea = { { 0, 0 }, { SIZE, SIZE } }, .clearValueCount = 3,
		.pClearValues = clear };
	FN(vk, vkCmdResetQueryPool)(f->cmd, f->queries, 0, 1);
	FN(vk, vkCmdBeginRenderPass)(f->cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
	FN(vk, vkCmdBindPipeline)(f->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, f->pipeline);
	FN(vk, vkCmdBindVertexBuffers)(f->cmd, 0, 1, &f->buffer, &zero);
	FN(vk, vkCmdBeginQuery)(f->cmd, f->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
	FN(vk, vkCmdDraw)(f->cmd, VERTICES, 1, 0, 0);
	FN(vk, vkCmdEndQuery)(f->cmd, f->queries, 0);
	VkClearAttachment attachment = { VK_IMAGE_ASPECT_COLOR_BIT, 0, clear[1] };
	VkClearRect rect = { { { 3, 5 }, { 9, 11 } }, 0, 1 };
	FN(vk, vkCmdClearAttachments)(f->cmd, 1, &attachment, 1, &rect);
	FN(vk, vkCmdEndRenderPass)(f->cmd);
}

static VkResult record(struct vk *vk, struct frame *f)
{
	VkQueryPoolCreateInfo queries = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1 };
	VkEventCreateInfo event = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	TRY(FN(vk, vkCreateQueryPool)(vk->device, &queries, NULL, &f->queries));
	TRY(FN(vk, vkCreateEvent)(vk->device, &event, NULL, &f->event));
	TRY(FN(vk, vkCreateCommandPool)(vk->device, &pool, NULL, &f->commands));
	VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = f->commands, .commandBufferCount = 1 };
	TRY(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &f->cmd));
	TRY(FN(vk, vkBeginCommandBuffer)(f->cmd, &begin));
	record_pass(vk, f);
	FN(vk, vkCmdSetEvent)(f->cmd, f->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
	record_copies(vk, f);
	return FN(vk, vkEndCommandBuffer)(f->cmd);
}

static VkResult use(struct vk *vk, struct frame *f, uint64_t *hash)
{
	TRY(make_images(vk, f));
	TRY(make_pass(vk, f));
	TRY(make_pipeline(vk, f));
	TRY(make_buffer(vk, f));
	TRY(record(vk, f));
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &f->cmd };
	TRY(FN(vk, vkQueueSubmit)(vk->queue, 1, &info, VK_NULL_HANDLE));
	TRY(FN(vk, vkQueueWaitIdle)(vk->queue));
	uint64_t seen = 0;
	TRY(FN(vk, vkGetQueryPoolResults)(vk->device, f->queries, 0, 1, sizeof seen, &seen, sizeof seen,
		VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
	*hash = scenario_hash(*hash, &seen, sizeof seen);
	*hash = scenario_hash(*hash, f->map + 2 * VERTICES, BYTES + 8);
	return VK_SUCCESS;
}

static void destroy(struct vk *vk, struct frame *f)
{
#define DESTROY(Object, handle) FN(vk, vkDestroy##Object)(vk->device, f->handle, NULL)
	DESTROY(CommandPool, commands);
	DESTROY(Event, event);
	DESTROY(QueryPool, queries);
	DESTROY(Pipeline, pipeline);
	DESTROY(PipelineLayout, layout);
	DESTROY(Framebuffer, framebuffer);
	DESTROY(RenderPass, pass);
	for (int i = 0; i < 3; i++)
		DESTROY(ImageView, view[i]);
	DESTROY(Image, color);
	DESTROY(Image, resolved);
	DESTROY(Image, depth);
	DESTROY(Image, texture);
	DESTROY(Buffer, buffer);
	for (int i = 0; i < 4; i++)
		FN(vk, vkFreeMemory)(vk->device, f->memory[i], NULL);
	FN(vk, vkFreeMemory)(vk->device, f->buffer_memory, NULL);
	DESTROY(ShaderModule, vs);
	DESTROY(ShaderModule, ps);
#undef DESTROY
}

/* What work.h's image holds. */
static VkResult hash_work(struct vk *vk, struct work *w, uint64_t *hash)
{
	VkImageSubresource color = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
	VkSubresourceLayout rows;
	unsigned char *map;
	FN(vk, vkGetImageSubresourceLayout)(vk->device, w->image, &color, &rows);
	TRY(FN(vk, vkMapMemory)(vk->device, w->image_memory, 0, VK_WHOLE_SIZE, 0, (void **)&map));
	for (int y = 0; y < WORK_SIZE; y++)
		*hash = scenario_hash(*hash, map + rows.offset + (size_t)y * rows.rowPitch, WORK_SIZE * 4);
	return VK_SUCCESS;
}

static VkResult run(struct vk *vk, uint64_t *hash)
{
	struct work w = { 0 };
	struct frame f = { 0 };
	*hash = SCENARIO_SEED;
	VkResult result = work_make(vk, NULL, &w);
	if (result == VK_SUCCESS)
		result = hash_work(vk, &w, hash);
	if (result == VK_SUCCESS)
		result = use(vk, &f, hash);
	const char *command = *scenario_at;
	destroy(vk, &f);
	work_destroy(vk, NULL, &w);
	*scenario_at = command;
	return result;
}

const struct scenario scenario_graphics = { .name = "graphics", .run = run };
