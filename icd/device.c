/* SPDX-License-Identifier: MIT */
#include "icd/device.h"

#include <stdio.h>
#include <string.h>
#include "icd/cond.h"
#include "icd/features.h"
#include "icd/process.h"
#include "icd/user_key.h"

void icd_device_lose(struct icd_device *device, const char *why, const struct rs_gpu *gpu)
{
	icd_queues_lock(device); /* see icd_queue_push */
	bool known = icd_device_is_lost(device);
	if (!known) {
		snprintf(device->fault.why, sizeof device->fault.why, "%s", why);
		device->fault.wave = gpu ? rs_gpu_fault(gpu) : (struct rs_fault){ .access = RS_ACCESS_NONE };
	}
	atomic_store(&device->lost, true);
	icd_queues_unlock(device);
	rs_gpu_abort(device->gpu);
	if (!known)
		icd_error(device->instance, VK_ERROR_DEVICE_LOST, &device->base, "device lost: %s", why);
	pthread_mutex_lock(&device->sync_mutex);
	pthread_cond_broadcast(&device->sync_cond);
	pthread_mutex_unlock(&device->sync_mutex);
}

VkResult icd_device_status(struct icd_device *device)
{
	if (!icd_device_is_lost(device))
		return VK_SUCCESS;
	if (device->forked && !atomic_exchange(&device->fork_told, true))
		icd_error(device->instance, VK_ERROR_DEVICE_LOST, &device->base,
			"device lost: the process forked, and the device's threads stayed with the parent");
	icd_queues_wait_idle(device);
	return VK_ERROR_DEVICE_LOST;
}

static bool sync_init(struct icd_device *device)
{
	icd_bell_init(&device->sync_bell);
	if (pthread_mutex_init(&device->sync_mutex, NULL))
		return false;
	if (pthread_mutex_init(&device->private_mutex, NULL))
		goto destroy_sync;
	if (!icd_cond_init(&device->sync_cond))
		return true;
	pthread_mutex_destroy(&device->private_mutex);
destroy_sync:
	pthread_mutex_destroy(&device->sync_mutex);
	return false;
}

static void sync_finish(struct icd_device *device)
{
	pthread_cond_destroy(&device->sync_cond);
	pthread_mutex_destroy(&device->private_mutex);
	pthread_mutex_destroy(&device->sync_mutex);
}

/* Whoever held the messengers' lock or waited for a condition is not here. */
void icd_device_abandon(struct icd_device *device)
{
	pthread_mutex_init(&device->instance->messenger_mutex, NULL);
	pthread_mutex_init(&device->private_mutex, NULL);
	icd_cond_init(&device->sync_cond);
	icd_queues_abandon(device);
	rs_gpu_orphan(device->gpu);
	device->forked = true;
	snprintf(device->fault.why, sizeof device->fault.why, "the process forked");
	atomic_store(&device->fork_told, atomic_exchange(&device->lost, true));
}

static VkResult enable_extensions(struct icd_device *device, const VkDeviceCreateInfo *info)
{
	const struct icd_physical_device *pd = device->physical_device;
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		unsigned e = 0;
		while (e < ICD_EXTENSION_COUNT &&
			strcmp(icd_extension_infos[e].name, info->ppEnabledExtensionNames[i]))
			e++;
		if (e == ICD_EXTENSION_COUNT || !pd->extensions.has[e])
			return icd_error(device->instance, VK_ERROR_EXTENSION_NOT_PRESENT, NULL,
				"vkCreateDevice: no extension %s", info->ppEnabledExtensionNames[i]);
		device->extensions.has[e] = true;
	}
	return VK_SUCCESS;
}

static VkResult check_queues(struct icd_instance *instance, const VkDeviceCreateInfo *info)
{
	uint32_t asked[ICD_QUEUE_FAMILIES] = { 0 };
	for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
		uint32_t family = info->pQueueCreateInfos[i].queueFamilyIndex, count = info->pQueueCreateInfos[i].queueCount;
		uint32_t there = family < ICD_QUEUE_FAMILIES ? icd_queue_families[family].queueCount : 0;
		if (count > there || asked[family])
			return icd_error(instance, VK_ERROR_INITIALIZATION_FAILED, NULL,
				"vkCreateDevice: no %u queues of family %u%s; there are %u", count, family,
				there && asked[family] ? " once more" : "", there);
		asked[family] = count;
	}
	return VK_SUCCESS;
}

/* Without the user's key caches are as they are without QW_CACHE. */
static void get_cache_key(struct icd_device *device)
{
	struct icd_instance *instance = device->instance;
	const char *cache = instance->env.cache;
	char why[ICD_USER_KEY_WHY];
	if (!cache || !*cache || !strcmp(cache, "gcn"))
		return;
	if (strcmp(cache, "native"))
		icd_log(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
			"QW_CACHE is neither gcn nor native: pipeline caches hold GCN code");
	else if (icd_user_key(instance->env.cache_key, device->cache_key, why))
		device->cache_native = true;
	else
		icd_log(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
			"QW_CACHE=native without a key, pipeline caches hold GCN code: %s", why);
}

void *icd_gpu_alloc(struct icd_device *device, const VkAllocationCallbacks *a, size_t size, size_t align)
{
	a = icd_alloc_pick(&device->alloc, a);
	void *p = icd_zalloc_big(a, size ? size : 1, align, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (p && !rs_gpu_add_memory(device->gpu, p, size ? size : 1)) {
		icd_free_big(a, p);
		return NULL;
	}
	return p;
}

void icd_gpu_free(struct icd_device *device, const VkAllocationCallbacks *a, void *p)
{
	if (p)
		rs_gpu_remove_memory(device->gpu, p);
	icd_free_big(icd_alloc_pick(&device->alloc, a), p);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDevice(VkPhysicalDevice physicalDevice,
	const VkDeviceCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkDevice *pDevice)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	struct icd_instance *instance = pd->instance;
	const VkAllocationCallbacks *alloc = icd_alloc_pick(&instance->alloc, pAllocator);
	struct rs_gpu_info gpu_info = { .threads = instance->env.threads, .level = instance->env.cpu,
		.core = instance->env.core, .jit_faults = instance->env.jit_faults,
		.perf_map = instance->env.perf_map, .dump_dir = instance->env.dump_dir,
		.budget = instance->env.budget, .poison = instance->env.poison,
		.checked = true };
	struct icd_features enabled;
	struct icd_device *device;
	const char *why = "";
	VkResult result;

	result = icd_features_enable(pd, pCreateInfo, &enabled);
	if (result == VK_SUCCESS)
		result = check_queues(instance, pCreateInfo);
	if (result != VK_SUCCESS)
		return result;
	device = icd_zalloc(alloc, sizeof *device, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
	if (!device)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	icd_object_init(&device->base, device, VK_OBJECT_TYPE_DEVICE);
	device->instance = instance;
	device->physical_device = pd;
	device->alloc = *alloc;
	device->enabled = enabled;
	result = enable_extensions(device, pCreateInfo);
	if (result != VK_SUCCESS)
		goto free_device;
	if (!sync_init(device)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto free_device;
	}
	device->gpu = rs_gpu_create(&gpu_info, &why);
	if (!device->gpu) {
		result = why ? icd_error(instance, VK_ERROR_INITIALIZATION_FAILED, NULL, "vkCreateDevice: %s", why) :
			VK_ERROR_OUT_OF_HOST_MEMORY;
		goto finish_sync;
	}
	if (rs_gpu_problem(device->gpu))
		icd_log(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, NULL,
			"no executable memory (%s): shaders are interpreted, which is slower",
			rs_gpu_problem(device->gpu));
	if (!icd_translations_init(&device->translations)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto destroy_gpu;
	}
	get_cache_key(device);
	if (!icd_borders_init(device)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto finish_translations;
	}
	result = icd_queues_init(device, pCreateInfo);
	if (result != VK_SUCCESS)
		goto finish_borders;
	if (!icd_process_add(device)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto finish_queues;
	}
	*pDevice = icd_device_to_handle(device);
	return VK_SUCCESS;

finish_queues:
	icd_queues_finish(device);
finish_borders:
	icd_borders_finish(device);
finish_translations:
	icd_translations_finish(&device->translations);
destroy_gpu:
	rs_gpu_destroy(device->gpu);
finish_sync:
	sync_finish(device);
free_device:
	icd_free(alloc, device);
	return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDevice(VkDevice _device,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	if (!device)
		return;
	icd_process_remove(device);
	icd_queues_finish(device);
	icd_borders_finish(device);
	icd_translations_finish(&device->translations);
	rs_gpu_destroy(device->gpu);
	sync_finish(device);
	icd_object_finish(&device->base);
	icd_free(icd_alloc_pick(&device->instance->alloc, pAllocator), device);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceQueue(VkDevice _device, uint32_t queueFamilyIndex,
	uint32_t queueIndex, VkQueue *pQueue)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	*pQueue = VK_NULL_HANDLE;
	for (uint32_t i = 0; i < device->queue_count; i++)
		if (device->queue[i].family == queueFamilyIndex && device->queue[i].index == queueIndex)
			*pQueue = icd_queue_to_handle(&device->queue[i]);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *pInfo,
	VkQueue *pQueue)
{
	if (pInfo->flags)
		*pQueue = VK_NULL_HANDLE;
	else
		icd_GetDeviceQueue(device, pInfo->queueFamilyIndex, pInfo->queueIndex, pQueue);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_DeviceWaitIdle(VkDevice _device)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_queues_wait_idle(device);
	return icd_device_status(device);
}

/* A group has one device: what it shares with itself is everything local. */
VKAPI_ATTR void VKAPI_CALL icd_GetDeviceGroupPeerMemoryFeatures(VkDevice device,
	uint32_t heapIndex, uint32_t localDeviceIndex, uint32_t remoteDeviceIndex,
	VkPeerMemoryFeatureFlags *pPeerMemoryFeatures)
{
	*pPeerMemoryFeatures = VK_PEER_MEMORY_FEATURE_COPY_SRC_BIT |
		VK_PEER_MEMORY_FEATURE_COPY_DST_BIT | VK_PEER_MEMORY_FEATURE_GENERIC_SRC_BIT |
		VK_PEER_MEMORY_FEATURE_GENERIC_DST_BIT;
}
