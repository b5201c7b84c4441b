/* SPDX-License-Identifier: MIT */
#include "icd/semaphore.h"

#include <errno.h>
#include "icd/cond.h"
#include "icd/device.h"
#include "icd/fence.h"

void icd_semaphore_submit(struct icd_device *device, struct icd_semaphore *s)
{
	pthread_mutex_lock(&device->sync_mutex);
	s->pending += !s->timeline;
	pthread_mutex_unlock(&device->sync_mutex);
}

static void tell(struct icd_device *device, struct icd_semaphore *s, const char *what)
{
	icd_log(device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, &s->base,
		"binary semaphore %p%s%s %s", (void *)s, s->base.name ? " " : "", s->base.name ? s->base.name : "",
		what);
}

/* Under the mutex.  False: to be told about, once. */
static bool signal_one(struct icd_semaphore_op op, uint32_t submitted)
{
	struct icd_semaphore *s = op.semaphore;
	if (s->timeline) { /* a value that is not beyond the last is the application's mistake: nothing goes back */
		s->value = s->value < op.value ? op.value : s->value;
		return true;
	}
	s->pending -= submitted;
	const bool twice = s->signals++ && !s->told;
	s->told |= twice;
	return !twice;
}

/* Waiters wake up when nobody holds the mutex, and once for all that happens at a time: each time would be two switches more. */
static void signal_some(struct icd_device *device, const struct icd_semaphore_op *op, uint32_t count, uint32_t submitted,
	struct icd_fence *fence)
{
	pthread_mutex_lock(&device->sync_mutex);
	for (uint32_t i = 0; i < count; i++)
		if (!signal_one(op[i], submitted)) { /* told before the fence, behind which it may be destroyed */
			pthread_mutex_unlock(&device->sync_mutex);
			tell(device, op[i].semaphore, "is signaled again before a wait took the signal back");
			pthread_mutex_lock(&device->sync_mutex);
		}
	if (fence)
		fence->signaled = true;
	pthread_mutex_unlock(&device->sync_mutex);
	icd_bell_ring(&device->sync_bell);
	pthread_cond_broadcast(&device->sync_cond);
}

void icd_semaphores_signal(struct icd_device *device, const struct icd_semaphore_op *op, uint32_t count, struct icd_fence *fence)
{
	if (count || fence)
		signal_some(device, op, count, 1, fence);
}

void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s)
{
	if (s)
		signal_some(device, &(struct icd_semaphore_op){ .semaphore = s }, 1, 0, NULL);
}

static bool wait_value(struct icd_device *device, struct icd_semaphore_op op)
{
	pthread_mutex_lock(&device->sync_mutex);
	while (op.semaphore->value < op.value && !icd_device_is_lost(device))
		pthread_cond_wait(&device->sync_cond, &device->sync_mutex);
	pthread_mutex_unlock(&device->sync_mutex);
	return !icd_device_is_lost(device);
}

/* A signal is submitted before its wait, and acquiring signals at once: only what is
 * pending can still come. */
bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore_op op)
{
	struct icd_semaphore *s = op.semaphore;
	if (s->timeline)
		return wait_value(device, op);
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
	const VkSemaphoreTypeCreateInfo *type = icd_find_struct(pCreateInfo->pNext,
		VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
	if (type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE) {
		s->timeline = true;
		s->value = type->initialValue;
	}
	*pSemaphore = icd_semaphore_to_handle(s);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySemaphore(VkDevice _device, VkSemaphore semaphore,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_semaphore_from_handle(semaphore));
}

/* --- from the host --- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSemaphoreCounterValue(VkDevice _device, VkSemaphore _semaphore, uint64_t *pValue)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_semaphore, semaphore, _semaphore);
	pthread_mutex_lock(&device->sync_mutex);
	*pValue = semaphore->value;
	pthread_mutex_unlock(&device->sync_mutex);
	return icd_device_status(device);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SignalSemaphore(VkDevice _device, const VkSemaphoreSignalInfo *pSignalInfo)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const struct icd_semaphore_op op = { icd_semaphore_from_handle(pSignalInfo->semaphore), pSignalInfo->value };
	signal_some(device, &op, 1, 0, NULL);
	return VK_SUCCESS;
}

static bool reached(const VkSemaphoreWaitInfo *info)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < info->semaphoreCount; i++)
		count += icd_semaphore_from_handle(info->pSemaphores[i])->value >= info->pValues[i];
	return info->flags & VK_SEMAPHORE_WAIT_ANY_BIT ? count > 0 : count == info->semaphoreCount;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WaitSemaphores(VkDevice _device, const VkSemaphoreWaitInfo *pWaitInfo,
	uint64_t timeout)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct timespec until = icd_deadline(timeout);
	bool late = !timeout;

	pthread_mutex_lock(&device->sync_mutex);
	if (timeout && !reached(pWaitInfo))
		icd_bell_listen(&device->sync_bell, &device->sync_mutex);
	while (!reached(pWaitInfo) && !icd_device_is_lost(device) && !late)
		late = pthread_cond_timedwait(&device->sync_cond, &device->sync_mutex, &until) == ETIMEDOUT;
	late = !reached(pWaitInfo);
	pthread_mutex_unlock(&device->sync_mutex);
	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	return late ? VK_TIMEOUT : VK_SUCCESS;
}
