/* SPDX-License-Identifier: MIT */
/* VkCommandPool and VkCommandBuffer: creation, reset, begin and end. */
#include "icd/cmd.h"

VkResult icd_CreateCommandPool(VkDevice _device, const VkCommandPoolCreateInfo *info,
	const VkAllocationCallbacks *alloc, VkCommandPool *out)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_command_pool *pool = icd_object_alloc(device, alloc, sizeof *pool, VK_OBJECT_TYPE_COMMAND_POOL);
	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	pool->flags = info->flags;
	pool->chunks = (struct icd_chunks){ .gpu = device->gpu, .alloc = *icd_alloc_pick(&device->alloc, alloc) };
	*out = icd_command_pool_to_handle(pool);
	return VK_SUCCESS;
}

static void command_buffer_reset(struct icd_command_buffer *cmd)
{
	icd_stream_finish(&cmd->stream);
	icd_command_state_reset(&cmd->state);
	cmd->status = ICD_CMD_INITIAL;
}

static void command_buffer_destroy(struct icd_command_buffer *cmd)
{
	struct icd_command_pool *pool = cmd->pool;
	*(cmd->prev ? &cmd->prev->next : &pool->buffers) = cmd->next;
	if (cmd->next)
		cmd->next->prev = cmd->prev;
	icd_stream_finish(&cmd->stream);
	icd_object_free(cmd->base.device, &pool->chunks.alloc, cmd);
}

void icd_DestroyCommandPool(VkDevice _device, VkCommandPool _pool, const VkAllocationCallbacks *alloc)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_command_pool, pool, _pool);
	if (!pool)
		return;
	while (pool->buffers)
		command_buffer_destroy(pool->buffers);
	icd_chunks_trim(&pool->chunks);
	icd_object_free(device, alloc, pool);
}

VkResult icd_ResetCommandPool(VkDevice _device, VkCommandPool _pool, VkCommandPoolResetFlags flags)
{
	ICD_FROM_HANDLE(icd_command_pool, pool, _pool);
	for (struct icd_command_buffer *cmd = pool->buffers; cmd; cmd = cmd->next)
		command_buffer_reset(cmd);
	if (flags & VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT)
		icd_chunks_trim(&pool->chunks);
	return VK_SUCCESS;
}

void icd_TrimCommandPool(VkDevice _device, VkCommandPool _pool, VkCommandPoolTrimFlags flags)
{
	ICD_FROM_HANDLE(icd_command_pool, pool, _pool);
	icd_chunks_trim(&pool->chunks);
}

static VkResult command_buffer_create(struct icd_command_pool *pool, VkCommandBufferLevel level,
	VkCommandBuffer *out)
{
	struct icd_command_buffer *cmd = icd_object_alloc(pool->base.device, &pool->chunks.alloc, sizeof *cmd,
		VK_OBJECT_TYPE_COMMAND_BUFFER);
	if (!cmd)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	cmd->pool = pool;
	cmd->level = level;
	icd_stream_init(&cmd->stream, &pool->chunks);
	icd_command_state_reset(&cmd->state);
	cmd->next = pool->buffers;
	if (cmd->next)
		cmd->next->prev = cmd;
	pool->buffers = cmd;
	*out = icd_command_buffer_to_handle(cmd);
	return VK_SUCCESS;
}

VkResult icd_AllocateCommandBuffers(VkDevice _device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out)
{
	ICD_FROM_HANDLE(icd_command_pool, pool, info->commandPool);
	for (uint32_t i = 0; i < info->commandBufferCount; i++) {
		VkResult result = command_buffer_create(pool, info->level, &out[i]);
		if (result == VK_SUCCESS)
			continue;
		while (i--)
			command_buffer_destroy(icd_command_buffer_from_handle(out[i]));
		for (i = 0; i < info->commandBufferCount; i++)
			out[i] = VK_NULL_HANDLE;
		return result;
	}
	return VK_SUCCESS;
}

void icd_FreeCommandBuffers(VkDevice _device, VkCommandPool _pool, uint32_t count, const VkCommandBuffer *buffers)
{
	for (uint32_t i = 0; i < count; i++)
		if (buffers[i])
			command_buffer_destroy(icd_command_buffer_from_handle(buffers[i]));
}

VkResult icd_ResetCommandBuffer(VkCommandBuffer _cmd, VkCommandBufferResetFlags flags)
{
	command_buffer_reset(icd_command_buffer_from_handle(_cmd));
	return VK_SUCCESS;
}

/* A secondary buffer that continues a render pass draws to targets that its
 * primary has bound: it knows their formats. */
static void inherit(struct icd_command_buffer *cmd, const VkCommandBufferInheritanceInfo *info)
{
	ICD_FROM_HANDLE(icd_render_pass, pass, info->renderPass);
	struct icd_rendering *r = &cmd->state.rendering;
	const VkCommandBufferInheritanceRenderingInfo *formats = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO);
	r->active = true;
	if (pass)
		r->formats = pass->subpass[info->subpass].formats;
	else if (formats)
		icd_target_formats_init(&r->formats, formats->viewMask, formats->colorAttachmentCount,
			formats->pColorAttachmentFormats, formats->depthAttachmentFormat, formats->stencilAttachmentFormat);
}

VkResult icd_BeginCommandBuffer(VkCommandBuffer _cmd, const VkCommandBufferBeginInfo *info)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	command_buffer_reset(cmd);
	cmd->usage = info->flags;
	cmd->status = ICD_CMD_RECORDING;
	if (cmd->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && info->pInheritanceInfo &&
		(info->flags & VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT))
		inherit(cmd, info->pInheritanceInfo);
	if (cmd->level == VK_COMMAND_BUFFER_LEVEL_SECONDARY && info->pInheritanceInfo) {
		const VkCommandBufferInheritanceConditionalRenderingInfoEXT *conditional = icd_find_struct(
			info->pInheritanceInfo->pNext, VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT);
		cmd->state.conditional = conditional && conditional->conditionalRenderingEnable;
	}
	return VK_SUCCESS;
}

VkResult icd_EndCommandBuffer(VkCommandBuffer _cmd)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	icd_flush_queries(cmd);
	if (cmd->stream.failed) {
		cmd->status = ICD_CMD_INVALID;
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	cmd->status = ICD_CMD_EXECUTABLE;
	return VK_SUCCESS;
}
