/* SPDX-License-Identifier: MIT */
/* VkPhysicalDevice: properties, features, limits, memory. */
#ifndef ICD_PHYSICAL_DEVICE_H
#define ICD_PHYSICAL_DEVICE_H

#include "core/level.h"
#include "icd/build_id.h"
#include "icd/object.h"
#include "icd_entrypoints.h"
#include "icd_structs.h"

struct icd_instance;

#define ICD_API_VERSION ICD_MAKE_VERSION(0, QW_API_NUMBERS)

/* Limits that more than one file needs. */
enum {
	ICD_MAX_IMAGE_SIZE = 16384,
	ICD_MAX_IMAGE_3D = 2048,
	ICD_MAX_LAYERS = 2048,
	ICD_MAX_COLOR = 8,
	ICD_SAMPLE_COUNTS = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT |
		VK_SAMPLE_COUNT_8_BIT,
	ICD_MAX_VIEWPORTS = 16,
	ICD_MAX_VERTEX_ATTRS = 32,
	ICD_MAX_VERTEX_BINDINGS = 32,
	ICD_MAX_VERTEX_STRIDE = 2048,
	ICD_MAX_VIEWS = 8,         /* multiview */
	ICD_MAX_POINT_SIZE = 1024,
	ICD_MAX_TEXEL_ELEMENTS = 1 << 27,
	ICD_MEMORY_TYPE = 0,       /* the cached, coherent, device-local type */
	ICD_MEMORY_TYPES = 1,
};

struct icd_physical_device {
	struct icd_object base;
	struct icd_instance *instance;
	struct icd_extension_set extensions; /* supported device extensions */
	struct icd_properties properties;
	struct icd_features features;
	uint64_t heap_size;
	enum cu_level level; /* of the CPU, or of QW_CPU */
};
ICD_OBJECT(icd_physical_device, VkPhysicalDevice, VK_OBJECT_TYPE_PHYSICAL_DEVICE)

/* Fills everything but the loader word; no allocation. */
void icd_physical_device_init(struct icd_physical_device *pd, struct icd_instance *instance);
void icd_physical_device_finish(struct icd_physical_device *pd);

#endif
