/* SPDX-License-Identifier: MIT */
/* VkPrivateDataSlot: a number beside each object of the device, 0 until it is set. */
#ifndef ICD_PRIVATE_DATA_H
#define ICD_PRIVATE_DATA_H

#include "icd/object.h"

/* Numbers are never used again, so an object need not know of a slot's end. */
struct icd_private_data_slot {
	struct icd_object base;
	uint64_t number;
};
ICD_OBJECT(icd_private_data_slot, VkPrivateDataSlot, VK_OBJECT_TYPE_PRIVATE_DATA_SLOT)

/* What one slot says of one object: a list of the object's, under device->private_mutex. */
struct icd_private_data {
	struct icd_private_data *next;
	uint64_t slot, value;
};

/* Of an object that ends. */
void icd_private_data_free(struct icd_device *device, struct icd_private_data *list);

#endif
