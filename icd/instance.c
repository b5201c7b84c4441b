/* SPDX-License-Identifier: MIT */
#include "icd/instance.h"

#include <stdlib.h>
#include <string.h>
#include "icd/outarray.h"

/* What the driver itself implements; the loader adds its own. */
static const uint16_t instance_extensions[] = {
	ICD_EXT_EXT_debug_utils,
	ICD_EXT_EXT_headless_surface,
	ICD_EXT_KHR_device_group_creation,
	ICD_EXT_KHR_external_fence_capabilities,
	ICD_EXT_KHR_external_memory_capabilities,
	ICD_EXT_KHR_external_semaphore_capabilities,
	ICD_EXT_KHR_get_physical_device_properties2,
	ICD_EXT_KHR_get_surface_capabilities2,
	ICD_EXT_KHR_surface,
	ICD_EXT_KHR_wayland_surface,
	ICD_EXT_KHR_xcb_surface,
	ICD_EXT_KHR_xlib_surface,
};
enum { INSTANCE_EXTENSIONS = sizeof instance_extensions / sizeof instance_extensions[0] };

static bool enable_extension(struct icd_extension_set *set, const char *name)
{
	for (uint32_t i = 0; i < INSTANCE_EXTENSIONS; i++) {
		if (!strcmp(icd_extension_infos[instance_extensions[i]].name, name)) {
			set->has[instance_extensions[i]] = true;
			return true;
		}
	}
	return false;
}

/* Layers are the loader's; extensions must be ours. */
static VkResult enable(struct icd_instance *instance, const VkInstanceCreateInfo *info)
{
	if (info->enabledLayerCount)
		return icd_error(instance, VK_ERROR_LAYER_NOT_PRESENT, NULL, "vkCreateInstance: no layer %s",
			info->ppEnabledLayerNames[0]);
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++)
		if (!enable_extension(&instance->extensions, info->ppEnabledExtensionNames[i]))
			return icd_error(instance, VK_ERROR_EXTENSION_NOT_PRESENT, NULL,
				"vkCreateInstance: no extension %s", info->ppEnabledExtensionNames[i]);
	return VK_SUCCESS;
}

static bool is_on(const char *variable)
{
	const char *value = getenv(variable);
	return value && *value && strcmp(value, "0");
}

static void read_env(struct icd_env *env)
{
	const char *threads = getenv("QW_THREADS");
	env->threads = threads ? (unsigned)strtoul(threads, NULL, 10) : 0;
	env->cpu = getenv("QW_CPU");
	env->dump_dir = getenv("QW_DUMP");
	env->device_type = getenv("QW_DEVICE_TYPE");
	env->core = getenv("QW_CORE");
	env->cache = getenv("QW_CACHE");
	env->cache_key = getenv("QW_CACHE_KEY");
	env->jit_faults = getenv("QW_JIT_FAULTS");
	const char *budget = getenv("QW_BUDGET");
	env->budget = budget ? strtoull(budget, NULL, 0) : 0;
	const char *timeout = getenv("QW_TIMEOUT_MS");
	env->timeout_ms = timeout ? (unsigned)strtoul(timeout, NULL, 10) : 0;
	env->poison = is_on("QW_POISON") ? ICD_POISON : 0;
	env->perf_map = is_on("QW_PERF_MAP");
	env->debug = is_on("QW_DEBUG");
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
	const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
	const VkAllocationCallbacks *alloc = icd_alloc_pick(&icd_default_alloc, pAllocator);
	struct icd_instance *instance;
	VkResult result;

	instance = icd_zalloc(alloc, sizeof *instance, VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
	if (!instance)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	icd_object_init(&instance->base, NULL, VK_OBJECT_TYPE_INSTANCE);
	instance->alloc = *alloc;
	instance->api_version = VK_API_VERSION_1_0;
	if (pCreateInfo->pApplicationInfo && pCreateInfo->pApplicationInfo->apiVersion)
		instance->api_version = pCreateInfo->pApplicationInfo->apiVersion;
	read_env(&instance->env);
	if (pthread_mutex_init(&instance->messenger_mutex, NULL)) {
		result = VK_ERROR_OUT_OF_HOST_MEMORY;
		goto free_instance;
	}
	instance->create_chain = pCreateInfo->pNext;
	result = enable(instance, pCreateInfo);
	if (result != VK_SUCCESS)
		goto destroy_mutex;
	icd_physical_device_init(&instance->physical_device, instance);
	instance->create_chain = NULL;
	*pInstance = icd_instance_to_handle(instance);
	return VK_SUCCESS;

destroy_mutex:
	pthread_mutex_destroy(&instance->messenger_mutex);
free_instance:
	icd_free(alloc, instance);
	return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyInstance(VkInstance _instance,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	if (!instance)
		return;
	icd_physical_device_finish(&instance->physical_device);
	pthread_mutex_destroy(&instance->messenger_mutex);
	icd_free(icd_alloc_pick(&instance->alloc, pAllocator), instance);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
	*pApiVersion = ICD_API_VERSION;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceExtensionProperties(const char *pLayerName,
	uint32_t *pPropertyCount, VkExtensionProperties *pProperties)
{
	struct icd_outarray out = icd_outarray(pProperties, pPropertyCount);
	if (pLayerName)
		return VK_ERROR_LAYER_NOT_PRESENT;
	for (uint32_t i = 0; i < INSTANCE_EXTENSIONS; i++)
		icd_out_extension(&out, pProperties, instance_extensions[i]);
	return icd_outarray_finish(&out);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
	VkLayerProperties *pProperties)
{
	*pPropertyCount = 0;
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumeratePhysicalDevices(VkInstance _instance,
	uint32_t *pPhysicalDeviceCount, VkPhysicalDevice *pPhysicalDevices)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	struct icd_outarray out = icd_outarray(pPhysicalDevices, pPhysicalDeviceCount);
	if (instance->has_physical_device && icd_outarray_next(&out))
		pPhysicalDevices[0] = icd_physical_device_to_handle(&instance->physical_device);
	return icd_outarray_finish(&out);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumeratePhysicalDeviceGroups(VkInstance _instance,
	uint32_t *pPhysicalDeviceGroupCount, VkPhysicalDeviceGroupProperties *pGroups)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	struct icd_outarray out = icd_outarray(pGroups, pPhysicalDeviceGroupCount);
	if (instance->has_physical_device && icd_outarray_next(&out)) {
		pGroups[0].physicalDeviceCount = 1;
		memset(pGroups[0].physicalDevices, 0, sizeof pGroups[0].physicalDevices);
		pGroups[0].physicalDevices[0] = icd_physical_device_to_handle(&instance->physical_device);
		pGroups[0].subsetAllocation = VK_FALSE;
	}
	return icd_outarray_finish(&out);
}
