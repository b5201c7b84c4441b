/* SPDX-License-Identifier: MIT */
#include "icd/fence.h"

#include <errno.h>
#include "icd/cond.h"
#include "icd/device.h"

void icd_fence_signal(struct icd_device *device, struct icd_fence *fence)
{
	if (!fence)
		return;
	pthread_mutex_lock(&device->sync_mutex);
	fence->signaled = true;
	pthread_mutex_unlock(&device->sync_mutex);
	icd_bell_ring(&device->sync_bell);
	pthread_cond_broadcast(&device->sync_cond);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateFence(VkDevice _device,
	const VkFenceCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator, VkFence *pFence)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_fence *fence = icd_object_alloc(device, pAllocator, sizeof *fence,
		VK_OBJECT_TYPE_FENCE);
	if (!fence)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	fence->signaled = pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT;
	*pFence = icd_fence_to_handle(fence);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyFence(VkDevice _device, VkFence fence,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_fence_from_handle(fence));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetFences(VkDevice _device, uint32_t fenceCount,
	const VkFence *pFences)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	pthread_mutex_lock(&device->sync_mutex);
	for (uint32_t i = 0; i < fenceCount; i++)
		icd_fence_from_handle(pFences[i])->signaled = false;
	pthread_mutex_unlock(&device->sync_mutex);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetFenceStatus(VkDevice _device, VkFence _fence)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_fence, fence, _fence);
	bool signaled;
	pthread_mutex_lock(&device->sync_mutex);
	signaled = fence->signaled;
	pthread_mutex_unlock(&device->sync_mutex);
	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	return signaled ? VK_SUCCESS : VK_NOT_READY;
}

static bool satisfied(uint32_t count, const VkFence *fences, bool all)
{
	uint32_t signaled = 0;
	for (uint32_t i = 0; i < count; i++)
		signaled += icd_fence_from_handle(fences[i])->signaled;
	return all ? signaled == count : signaled > 0;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WaitForFences(VkDevice _device, uint32_t fenceCount,
	const VkFence *pFences, VkBool32 waitAll, uint64_t timeout)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct timespec until = icd_deadline(timeout);
	VkResult result = VK_SUCCESS;

	pthread_mutex_lock(&device->sync_mutex);
	if (timeout && !satisfied(fenceCount, pFences, waitAll))
		icd_bell_listen(&device->sync_bell, &device->sync_mutex);
	while (!satisfied(fenceCount, pFences, waitAll)) {
		if (icd_device_is_lost(device))
			break;
		if (!timeout || pthread_cond_timedwait(&device->sync_cond, &device->sync_mutex,
			&until) == ETIMEDOUT) {
			if (!satisfied(fenceCount, pFences, waitAll))
				result = VK_TIMEOUT;
			break;
		}
	}
	pthread_mutex_unlock(&device->sync_mutex);
	return icd_device_status(device) != VK_SUCCESS ? VK_ERROR_DEVICE_LOST : result;
}
