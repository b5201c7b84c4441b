/* SPDX-License-Identifier: MIT */
/* vkQueueSubmit and vkQueueSubmit2: submissions out of batches. */
#include <string.h>
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "icd/fence.h"
#include "icd/semaphore.h"
#include "isa/pm4.h"
#include "isa/regs.h"

enum { CHUNK_DWORDS = 1 + PM4_DWORDS(pm4_indirect_buffer), ICACHE_DWORDS = 1 + PM4_DWORDS(pm4_acquire_mem),
	BORDER_DWORDS = 4, BEGIN_DWORDS = ICACHE_DWORDS + BORDER_DWORDS };

static uint32_t *put(uint32_t *p, enum pm4_op op, const void *payload, uint32_t n)
{
	*p = pm4_header(op, n, 0);
	memcpy(p + 1, payload, n * 4);
	return p + 1 + n;
}

static uint32_t *put_icache(uint32_t *p)
{
	static const struct pm4_acquire_mem acquire = { .coher = PM4_ACQUIRE_ICACHE };
	return put(p, PM4_ACQUIRE_MEM, &acquire, PM4_DWORDS(pm4_acquire_mem));
}

static uint32_t *put_border_colors(uint32_t *p, const struct icd_device *device)
{
	const uint64_t table = icd_address(device->borders.table) >> 8;
	const uint32_t values[3] = { R_TA_CS_BC_BASE_ADDR, (uint32_t)table, (uint32_t)(table >> 32) };
	return put(p, PM4_SET_UCONFIG_REG, values, 3);
}

static uint32_t *put_command_buffer(uint32_t *p, VkCommandBuffer cmd)
{
	const struct icd_command_buffer *cb = icd_command_buffer_from_handle(cmd);
	for (const struct icd_chunk *c = cb->stream.first; c; c = c->next) {
		if (!c->used)
			continue;
		const struct pm4_indirect_buffer ib = { .address_lo = (uint32_t)icd_address(c->dw),
			.address_hi = (uint32_t)(icd_address(c->dw) >> 32), .dwords = c->used };
		p = put(p, PM4_INDIRECT_BUFFER, &ib, PM4_DWORDS(pm4_indirect_buffer));
	}
	return p;
}

static uint32_t command_buffer_dwords(VkCommandBuffer cmd)
{
	uint32_t dwords = 0;
	for (const struct icd_chunk *c = icd_command_buffer_from_handle(cmd)->stream.first; c; c = c->next)
		dwords += CHUNK_DWORDS;
	return dwords;
}

static uint32_t *begin(struct icd_device *device, struct icd_submission *s)
{
	uint32_t *p = atomic_exchange(&device->programs_changed, false) ? put_icache(s->ib) : s->ib;
	return device->borders.table ? put_border_colors(p, device) : p;
}

static struct icd_semaphore_op semaphore_op(VkSemaphore semaphore, uint64_t value)
{
	return (struct icd_semaphore_op){ icd_semaphore_from_handle(semaphore), value };
}

/* Binary semaphores have no value, and need none in the arrays. */
static uint64_t value_of(uint32_t count, const uint64_t *values, uint32_t i)
{
	return i < count && values ? values[i] : 0;
}

static struct icd_submission *from_submit(struct icd_device *device, const void *infos, uint32_t at)
{
	const VkSubmitInfo *info = (const VkSubmitInfo *)infos + at;
	static const VkTimelineSemaphoreSubmitInfo none;
	const VkTimelineSemaphoreSubmitInfo *t = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
	struct icd_submission *s;
	uint32_t dwords = BEGIN_DWORDS, *p;

	t = t ? t : &none;
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		dwords += command_buffer_dwords(info->pCommandBuffers[i]);
	s = icd_submission_create(device, info->waitSemaphoreCount, info->signalSemaphoreCount, dwords);
	if (!s)
		return NULL;
	for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
		s->wait[i] = semaphore_op(info->pWaitSemaphores[i],
			value_of(t->waitSemaphoreValueCount, t->pWaitSemaphoreValues, i));
	for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
		s->signal[i] = semaphore_op(info->pSignalSemaphores[i],
			value_of(t->signalSemaphoreValueCount, t->pSignalSemaphoreValues, i));
	p = begin(device, s);
	for (uint32_t i = 0; i < info->commandBufferCount; i++)
		p = put_command_buffer(p, info->pCommandBuffers[i]);
	s->dwords = (uint32_t)(p - s->ib);
	return s;
}

static struct icd_submission *from_submit2(struct icd_device *device, const void *infos, uint32_t at)
{
	const VkSubmitInfo2 *info = (const VkSubmitInfo2 *)infos + at;
	struct icd_submission *s;
	uint32_t dwords = BEGIN_DWORDS, *p;

	for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
		dwords += command_buffer_dwords(info->pCommandBufferInfos[i].commandBuffer);
	s = icd_submission_create(device, info->waitSemaphoreInfoCount, info->signalSemaphoreInfoCount, dwords);
	if (!s)
		return NULL;
	for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
		s->wait[i] = semaphore_op(info->pWaitSemaphoreInfos[i].semaphore, info->pWaitSemaphoreInfos[i].value);
	for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
		s->signal[i] = semaphore_op(info->pSignalSemaphoreInfos[i].semaphore, info->pSignalSemaphoreInfos[i].value);
	p = begin(device, s);
	for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
		p = put_command_buffer(p, info->pCommandBufferInfos[i].commandBuffer);
	s->dwords = (uint32_t)(p - s->ib);
	return s;
}

/* Pushes a list that is complete, or nothing of it. */
static VkResult push_list(struct icd_queue *queue, struct icd_submission *list)
{
	VkResult result = VK_SUCCESS;
	while (list) {
		struct icd_submission *s = list;
		list = s->next;
		if (result == VK_SUCCESS)
			result = icd_queue_push(queue, s);
		if (result != VK_SUCCESS)
			icd_submission_destroy(queue->base.device, s);
	}
	return result;
}

/* A submission a batch, made by `make`; without batches an empty one, for the fence. */
static VkResult submit(struct icd_queue *queue, uint32_t count, const void *infos,
	struct icd_submission *(*make)(struct icd_device *device, const void *infos, uint32_t at), VkFence fence)
{
	struct icd_device *device = queue->base.device;
	struct icd_submission *list = NULL, **end = &list, *last = NULL;
	uint32_t steps = count ? count : fence != VK_NULL_HANDLE;

	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	for (uint32_t i = 0; i < steps; i++) {
		last = count ? make(device, infos, i) : icd_submission_create(device, 0, 0, 0);
		if (!last)
			goto no_memory;
		*end = last;
		end = &last->next;
	}
	if (last)
		last->fence = icd_fence_from_handle(fence);
	return push_list(queue, list);

no_memory:
	while (list) {
		struct icd_submission *s = list;
		list = s->next;
		icd_submission_destroy(device, s);
	}
	return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit(VkQueue queue, uint32_t submitCount,
	const VkSubmitInfo *pSubmits, VkFence fence)
{
	return submit(icd_queue_from_handle(queue), submitCount, pSubmits, from_submit, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit2(VkQueue queue, uint32_t submitCount,
	const VkSubmitInfo2 *pSubmits, VkFence fence)
{
	return submit(icd_queue_from_handle(queue), submitCount, pSubmits, from_submit2, fence);
}
