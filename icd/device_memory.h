/* SPDX-License-Identifier: MIT */
#ifndef ICD_DEVICE_MEMORY_H
#define ICD_DEVICE_MEMORY_H

#include "icd/object.h"

/* Page-aligned anonymous memory, always mapped: vkMapMemory gives map + offset,
 * and the same address is the GPU's.  At least 64 readable bytes follow `size`. */
struct icd_device_memory {
	struct icd_object base;
	uint8_t *map;
	uint64_t size;
	size_t map_bytes;
};
ICD_OBJECT(icd_device_memory, VkDeviceMemory, VK_OBJECT_TYPE_DEVICE_MEMORY)

#endif
