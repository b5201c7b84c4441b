#include "icd/semaphore.h"

#include "icd/device.h"

void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&device->sync_mutex);
	s->signaled = true;
	pthread_cond_broadcast(&device->sync_cond);
	pthread_mutex_unlock(&device->sync_mutex);
}

bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore *s)
{
	pthread_mutex_lock(&device->sync_mutex);
	while (!s->signaled && !icd_device_is_lost(device))
		pthread_cond_wait(&device->sync_cond, &device->sync_mutex);
	s->signaled = false;
	pthread_mutex_unlock(&device->sync_mutex);
	return !icd_device_is_lost(device);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSemaphore(VkDevice _device,
	const VkSemaphoreCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkSemaphore *pSemaphore)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_semaphore *s = icd_object_alloc(device, pAllocator, sizeof *s,
		VK_OBJECT_TYPE_SEMAPHORE);
	if (!s)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	*pSemaphore = icd_semaphore_to_handle(s);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySemaphore(VkDevice _device, VkSemaphore semaphore,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_semaphore_from_handle(semaphore));
}
