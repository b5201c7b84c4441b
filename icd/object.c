/* SPDX-License-Identifier: MIT */
#include "icd/object.h"

#include "icd/device.h"
#include "icd/private_data.h"

void icd_object_init(struct icd_object *base, struct icd_device *device, VkObjectType type)
{
	set_loader_magic_value(base);
	base->type = type;
	base->device = device;
	base->name = NULL;
	base->private_data = NULL;
}

void icd_object_finish(struct icd_object *base)
{
	if (base->name)
		icd_free(&base->device->alloc, base->name);
	base->name = NULL;
	if (base->private_data)
		icd_private_data_free(base->device, base->private_data);
	base->private_data = NULL;
}

void *icd_object_alloc(struct icd_device *device, const VkAllocationCallbacks *a, size_t size,
	VkObjectType type)
{
	struct icd_object *base = icd_zalloc(icd_alloc_pick(&device->alloc, a), size,
		VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (base)
		icd_object_init(base, device, type);
	return base;
}

void icd_object_free(struct icd_device *device, const VkAllocationCallbacks *a, void *object)
{
	if (!object)
		return;
	icd_object_finish(object);
	icd_free(icd_alloc_pick(&device->alloc, a), object);
}
