/* SPDX-License-Identifier: MIT */
#include "icd/semaphore.h"

#include "icd/device.h"

void icd_semaphore_submit(struct icd_device *device, struct icd_semaphore *s)
{
	pthread_mutex_lock(&device->sync_mutex);
	s->pending++;
	pthread_mutex_unlock(&device->sync_mutex);
}

static void tell(struct icd_device *device, struct icd_semaphore *s, const char *what)
{
	icd_log(device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, &s->base,
		"binary semaphore %p%s%s %s", (void *)s, s->base.name ? " " : "", s->base.name ? s->base.name : "",
		what);
}

static void signal_one(struct icd_device *device, struct icd_semaphore *s, uint32_t submitted)
{
	bool twice;
	pthread_mutex_lock(&device->sync_mutex);
	s->pending -= submitted;
	twice = s->signals++ && !s->told;
	s->told |= twice;
	pthread_cond_broadcast(&device->sync_cond);
	pthread_mutex_unlock(&device->sync_mutex);
	if (twice)
		tell(device, s, "is signaled again before a wait took the signal back");
}

void icd_semaphore_signal_pending(struct icd_device *device, struct icd_semaphore *s)
{
	signal_one(device, s, 1);
}

void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s)
{
	if (s)
		signal_one(device, s, 0);
}

/* The queue executes in order and acquiring signals at once, so only what is
 * pending can still come. */
bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore *s)
{
	bool never;
	pthread_mutex_lock(&device->sync_mutex);
	while (!s->signals && s->pending && !icd_device_is_lost(device))
		pthread_cond_wait(&device->sync_cond, &device->sync_mutex);
	never = !s->signals && !icd_device_is_lost(device) && !s->told;
	s->told |= never;
	s->signals -= s->signals > 0;
	pthread_mutex_unlock(&device->sync_mutex);
	if (never)
		tell(device, s, "is waited for with no signal pending: the wait is dropped");
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
