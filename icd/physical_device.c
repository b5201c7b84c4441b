/* SPDX-License-Identifier: MIT */
/* That there is a device, its queues and its memory. */
#include "icd/physical_device.h"

#include <string.h>
#include <sys/sysinfo.h>
#include "core/level.h"
#include "icd/features.h"
#include "icd/instance.h"
#include "icd/outarray.h"
#include "icd/properties.h"

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
	if (icd_outarray_next(&out))
		pProperties[0] = (VkQueueFamilyProperties){
			.queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
			.queueCount = 1,
			.timestampValidBits = 64,
			.minImageTransferGranularity = { 1, 1, 1 },
		};
	icd_outarray_finish(&out);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties2(
	VkPhysicalDevice physicalDevice, uint32_t *pCount, VkQueueFamilyProperties2 *pProperties)
{
	uint32_t one = 1;
	struct icd_outarray out = icd_outarray(pProperties, pCount);
	if (icd_outarray_next(&out))
		icd_GetPhysicalDeviceQueueFamilyProperties(physicalDevice, &one,
			&pProperties[0].queueFamilyProperties);
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
	icd_GetPhysicalDeviceMemoryProperties(physicalDevice, &p->memoryProperties);
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
