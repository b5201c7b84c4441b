/* SPDX-License-Identifier: MIT */
/* VK_KHR_synchronization2: the same barriers, events and submissions behind
 * its structures.  Stages and accesses only narrow what a full barrier covers. */
#include "icd/cmd.h"

VKAPI_ATTR void VKAPI_CALL icd_CmdPipelineBarrier2(VkCommandBuffer cmd, const VkDependencyInfo *info)
{
	icd_emit_barrier(icd_command_buffer_from_handle(cmd));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetEvent2(VkCommandBuffer cmd, VkEvent event, const VkDependencyInfo *info)
{
	icd_CmdSetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResetEvent2(VkCommandBuffer cmd, VkEvent event, VkPipelineStageFlags2 stages)
{
	icd_CmdResetEvent(cmd, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWaitEvents2(VkCommandBuffer cmd, uint32_t count, const VkEvent *events,
	const VkDependencyInfo *infos)
{
	icd_CmdWaitEvents(cmd, count, events, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
		0, NULL, 0, NULL, 0, NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdWriteTimestamp2(VkCommandBuffer cmd, VkPipelineStageFlags2 stage, VkQueryPool pool,
	uint32_t query)
{
	icd_CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, pool, query);
}

/* --- submission --- */

/* What the older structures need, in one allocation. */
struct submit_room { VkSubmitInfo *info; VkSemaphore *semaphore; VkPipelineStageFlags *stage; VkCommandBuffer *cmd; };

static void *submit_alloc(const struct icd_device *device, uint32_t count, const VkSubmitInfo2 *submits,
	struct submit_room *room)
{
	size_t semaphores = 0, waits = 0, commands = 0;
	for (uint32_t i = 0; i < count; i++) {
		semaphores += submits[i].waitSemaphoreInfoCount + (size_t)submits[i].signalSemaphoreInfoCount;
		waits += submits[i].waitSemaphoreInfoCount;
		commands += submits[i].commandBufferInfoCount;
	}
	uint8_t *p = icd_zalloc(&device->alloc, count * sizeof *room->info + semaphores * sizeof *room->semaphore +
		commands * sizeof *room->cmd + waits * sizeof *room->stage, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
	if (!p)
		return NULL;
	room->info = (VkSubmitInfo *)p;
	room->semaphore = (VkSemaphore *)(room->info + count);
	room->cmd = (VkCommandBuffer *)(room->semaphore + semaphores);
	room->stage = (VkPipelineStageFlags *)(room->cmd + commands);
	return p;
}

/* Fills *room->info from s and moves the room on. */
static void submit_convert(struct submit_room *room, const VkSubmitInfo2 *s)
{
	VkSubmitInfo *to = room->info++;
	*to = (VkSubmitInfo){ .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = s->waitSemaphoreInfoCount, .pWaitSemaphores = room->semaphore,
		.pWaitDstStageMask = room->stage, .commandBufferCount = s->commandBufferInfoCount,
		.pCommandBuffers = room->cmd, .signalSemaphoreCount = s->signalSemaphoreInfoCount };
	for (uint32_t i = 0; i < s->waitSemaphoreInfoCount; i++) {
		*room->semaphore++ = s->pWaitSemaphoreInfos[i].semaphore;
		*room->stage++ = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	}
	to->pSignalSemaphores = room->semaphore;
	for (uint32_t i = 0; i < s->signalSemaphoreInfoCount; i++)
		*room->semaphore++ = s->pSignalSemaphoreInfos[i].semaphore;
	for (uint32_t i = 0; i < s->commandBufferInfoCount; i++)
		*room->cmd++ = s->pCommandBufferInfos[i].commandBuffer;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit2(VkQueue _queue, uint32_t count, const VkSubmitInfo2 *submits,
	VkFence fence)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	const struct icd_device *device = queue->base.device;
	struct submit_room room;
	if (!count)
		return icd_QueueSubmit(_queue, 0, NULL, fence);
	void *memory = submit_alloc(device, count, submits, &room);
	if (!memory)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	const VkSubmitInfo *infos = room.info;
	for (uint32_t i = 0; i < count; i++)
		submit_convert(&room, &submits[i]);
	VkResult result = icd_QueueSubmit(_queue, count, infos, fence);
	icd_free(&device->alloc, memory);
	return result;
}
