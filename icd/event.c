/* SPDX-License-Identifier: MIT */
#include "icd/event.h"

#include <stdatomic.h>
#include "icd/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateEvent(VkDevice _device,
	const VkEventCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator, VkEvent *pEvent)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_event *event = icd_object_alloc(device, pAllocator, sizeof *event,
		VK_OBJECT_TYPE_EVENT);
	if (!event)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	*pEvent = icd_event_to_handle(event);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyEvent(VkDevice _device, VkEvent event,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_event_from_handle(event));
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetEventStatus(VkDevice _device, VkEvent event)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	return atomic_load_explicit(&icd_event_from_handle(event)->dword, memory_order_acquire) ?
		VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetEvent(VkDevice device, VkEvent event)
{
	atomic_store_explicit(&icd_event_from_handle(event)->dword, 1, memory_order_release);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetEvent(VkDevice device, VkEvent event)
{
	atomic_store_explicit(&icd_event_from_handle(event)->dword, 0, memory_order_release);
	return VK_SUCCESS;
}
