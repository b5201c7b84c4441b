/* SPDX-License-Identifier: MIT */
#include "icd/private_data.h"

#include "icd/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePrivateDataSlot(VkDevice _device,
	const VkPrivateDataSlotCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkPrivateDataSlot *pPrivateDataSlot)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_private_data_slot *slot = icd_object_alloc(device, pAllocator, sizeof *slot,
		VK_OBJECT_TYPE_PRIVATE_DATA_SLOT);
	if (!slot)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	slot->number = atomic_fetch_add(&device->private_slots, 1);
	*pPrivateDataSlot = icd_private_data_slot_to_handle(slot);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPrivateDataSlot(VkDevice _device, VkPrivateDataSlot slot,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_private_data_slot_from_handle(slot));
}

void icd_private_data_free(struct icd_device *device, struct icd_private_data *list)
{
	while (list) {
		struct icd_private_data *next = list->next;
		icd_free(&device->alloc, list);
		list = next;
	}
}

static struct icd_private_data *find(const struct icd_object *object, uint64_t slot)
{
	struct icd_private_data *d = object->private_data;
	while (d && d->slot != slot)
		d = d->next;
	return d;
}

/* Under the lock; the object's data for the slot, made if it has none.  NULL without memory. */
static struct icd_private_data *get(struct icd_device *device, struct icd_object *object, uint64_t slot)
{
	struct icd_private_data *d = find(object, slot);
	if (d)
		return d;
	d = icd_zalloc(&device->alloc, sizeof *d, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!d)
		return NULL;
	d->slot = slot;
	d->next = object->private_data;
	object->private_data = d;
	return d;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetPrivateData(VkDevice _device, VkObjectType objectType,
	uint64_t objectHandle, VkPrivateDataSlot slot, uint64_t data)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_object *object = (struct icd_object *)(uintptr_t)objectHandle;
	pthread_mutex_lock(&device->private_mutex);
	struct icd_private_data *d = get(device, object, icd_private_data_slot_from_handle(slot)->number);
	if (d)
		d->value = data;
	pthread_mutex_unlock(&device->private_mutex);
	return d ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPrivateData(VkDevice _device, VkObjectType objectType,
	uint64_t objectHandle, VkPrivateDataSlot slot, uint64_t *pData)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	pthread_mutex_lock(&device->private_mutex);
	const struct icd_private_data *d = find((struct icd_object *)(uintptr_t)objectHandle,
		icd_private_data_slot_from_handle(slot)->number);
	*pData = d ? d->value : 0;
	pthread_mutex_unlock(&device->private_mutex);
}
