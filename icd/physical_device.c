/* SPDX-License-Identifier: MIT */
/* That there is a device, its queues and its memory. */
#include "icd/physical_device.h"

#include <string.h>
#include <sys/sysinfo.h>
#include "core/level.h"
#include "icd/features.h"
#include "icd/instance.h"
#include "icd/outarray.h"
#include "icd/process.h"
#include "icd/properties.h"
#include "icd/queue.h"

/* Three quarters of the machine's memory, so that the machine survives. */
static uint64_t heap_size(void)
{
	struct sysinfo info;
	if (sysinfo(&info))
		return 1ull << 30;
	return (uint64_t)info.totalram * info.mem_unit / 4 * 3 & ~4095ull;
}

void icd_physical_device_init(struct icd_physical_device *pd, struct icd_instance *instance)
{
	enum cu_level level;
	const char *why = "";

	icd_object_init(&pd->base, NULL, VK_OBJECT_TYPE_PHYSICAL_DEVICE);
	pd->instance = instance;
	instance->has_physical_device = cu_level_detect(instance->env.cpu, &level, &why);
	if (!instance->has_physical_device) {
		icd_error(instance, VK_ERROR_INCOMPATIBLE_DRIVER, &pd->base, "no device: %s", why);
		return;
	}
	pd->level = level;
	pd->heap_size = heap_size();
	icd_features_init(pd);
	icd_properties_init(pd);
}

void icd_physical_device_finish(struct icd_physical_device *pd)
{
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties(
	VkPhysicalDevice physicalDevice, uint32_t *pCount, VkQueueFamilyProperties *pProperties)
{
	struct icd_outarray out = icd_outarray(pProperties, pCount);
	for (int i = 0; i < ICD_QUEUE_FAMILIES; i++)
		if (icd_outarray_next(&out))
			pProperties[i] = icd_queue_families[i];
	icd_outarray_finish(&out);
}

/* Any priority may be asked for: the system has one scheduler for all threads. */
static void fill_priorities(VkQueueFamilyGlobalPriorityPropertiesKHR *p)
{
	p->priorityCount = 4;
	p->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR;
	p->priorities[1] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR;
	p->priorities[2] = VK_QUEUE_GLOBAL_PRIORITY_HIGH_KHR;
	p->priorities[3] = VK_QUEUE_GLOBAL_PRIORITY_REALTIME_KHR;
}

static void fill_family(VkQueueFamilyProperties2 *p, int family)
{
	p->queueFamilyProperties = icd_queue_families[family];
	for (VkBaseOutStructure *s = p->pNext; s; s = s->pNext)
		if (s->sType == VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES_KHR)
			fill_priorities((VkQueueFamilyGlobalPriorityPropertiesKHR *)s);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties2(
	VkPhysicalDevice physicalDevice, uint32_t *pCount, VkQueueFamilyProperties2 *pProperties)
{
	struct icd_outarray out = icd_outarray(pProperties, pCount);
	for (int i = 0; i < ICD_QUEUE_FAMILIES; i++)
		if (icd_outarray_next(&out))
			fill_family(&pProperties[i], i);
	icd_outarray_finish(&out);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceMemoryProperties *p)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	memset(p, 0, sizeof *p);
	p->memoryTypeCount = ICD_MEMORY_TYPES;
	p->memoryTypes[ICD_MEMORY_TYPE] = (VkMemoryType){
		.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
			VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
		.heapIndex = 0,
	};
	p->memoryHeapCount = 1;
	p->memoryHeaps[0] = (VkMemoryHeap){ pd->heap_size, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT };
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
	VkPhysicalDeviceMemoryProperties2 *p)
{
	ICD_FROM_HANDLE(icd_physical_device, pd, physicalDevice);
	icd_GetPhysicalDeviceMemoryProperties(physicalDevice, &p->memoryProperties);
	for (VkBaseOutStructure *s = p->pNext; s; s = s->pNext) {
		VkPhysicalDeviceMemoryBudgetPropertiesEXT *b = (VkPhysicalDeviceMemoryBudgetPropertiesEXT *)s;
		if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)
			continue;
		memset(b->heapBudget, 0, sizeof b->heapBudget);
		memset(b->heapUsage, 0, sizeof b->heapUsage);
		b->heapBudget[0] = pd->heap_size;
		b->heapUsage[0] = icd_process_memory();
	}
}

/* Debuggers and the like are layers, which speak for themselves. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceToolProperties(VkPhysicalDevice physicalDevice,
	uint32_t *pToolCount, VkPhysicalDeviceToolProperties *pToolProperties)
{
	*pToolCount = 0;
	return VK_SUCCESS;
}

/* Nothing can be shared with other devices or processes yet. */
VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalBufferProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalBufferInfo *pInfo,
	VkExternalBufferProperties *p)
{
	memset(&p->externalMemoryProperties, 0, sizeof p->externalMemoryProperties);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalFenceProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalFenceInfo *pInfo,
	VkExternalFenceProperties *p)
{
	p->exportFromImportedHandleTypes = 0;
	p->compatibleHandleTypes = 0;
	p->externalFenceFeatures = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceExternalSemaphoreProperties(
	VkPhysicalDevice physicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo *pInfo,
	VkExternalSemaphoreProperties *p)
{
	p->exportFromImportedHandleTypes = 0;
	p->compatibleHandleTypes = 0;
	p->externalSemaphoreFeatures = 0;
}
