/* SPDX-License-Identifier: MIT */
/* From names to functions: the loader's doors and vkGet*ProcAddr. */
#include "icd/entrypoint.h"

#include <string.h>
#include "icd/device.h"

const struct icd_entrypoint *icd_entrypoint_find(const char *name)
{
	uint32_t lo = 0, hi = icd_entrypoint_count;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		int order = strcmp(name, icd_entrypoints[mid].name);
		if (!order)
			return &icd_entrypoints[mid];
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

bool icd_entrypoint_enabled(const struct icd_entrypoint *e, uint32_t api_version,
	const struct icd_extension_set *a, const struct icd_extension_set *b)
{
	if (e->core && e->core <= api_version)
		return true;
	for (uint32_t i = 0; i < e->extension_count; i++)
		if (a->has[e->extensions[i]] || (b && b->has[e->extensions[i]]))
			return true;
	return false;
}

/* No application may get more than the physical device has. */
static uint32_t effective_version(const struct icd_instance *instance)
{
	return instance->api_version < ICD_API_VERSION ? instance->api_version : ICD_API_VERSION;
}

static PFN_vkVoidFunction instance_proc(struct icd_instance *instance, const char *name)
{
	const struct icd_entrypoint *e = icd_entrypoint_find(name);
	const struct icd_extension_set *device;
	if (!e)
		return NULL;
	if (e->level == ICD_LEVEL_GLOBAL || !strcmp(name, "vkGetInstanceProcAddr"))
		return e->function;
	if (!instance)
		return NULL;
	device = e->level == ICD_LEVEL_INSTANCE ? NULL : &instance->physical_device.extensions;
	return icd_entrypoint_enabled(e, effective_version(instance), &instance->extensions, device) ?
		e->function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL icd_GetInstanceProcAddr(VkInstance instance,
	const char *pName)
{
	return instance_proc(icd_instance_from_handle(instance), pName);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL icd_GetDeviceProcAddr(VkDevice _device, const char *pName)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const struct icd_entrypoint *e = icd_entrypoint_find(pName);
	if (!e || e->level != ICD_LEVEL_DEVICE)
		return NULL;
	return icd_entrypoint_enabled(e, effective_version(device->instance), &device->extensions,
		&device->instance->extensions) ? e->function : NULL;
}

/* Loader interface 3 is the first where surfaces are the loader's objects. */
VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion)
{
	if (*pVersion < 3)
		return VK_ERROR_INCOMPATIBLE_DRIVER;
	if (*pVersion > 7)
		*pVersion = 7;
	return VK_SUCCESS;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance _instance,
	const char *pName)
{
	ICD_FROM_HANDLE(icd_instance, instance, _instance);
	const struct icd_entrypoint *e = icd_entrypoint_find(pName);
	if (!instance || !e || e->level != ICD_LEVEL_PHYSICAL_DEVICE)
		return NULL;
	return instance_proc(instance, pName);
}

/* Interface 7: the other doors can be asked for by name. */
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance,
	const char *pName)
{
	if (!strcmp(pName, "vk_icdNegotiateLoaderICDInterfaceVersion"))
		return (PFN_vkVoidFunction)vk_icdNegotiateLoaderICDInterfaceVersion;
	if (!strcmp(pName, "vk_icdGetPhysicalDeviceProcAddr"))
		return (PFN_vkVoidFunction)vk_icdGetPhysicalDeviceProcAddr;
	return icd_GetInstanceProcAddr(instance, pName);
}
