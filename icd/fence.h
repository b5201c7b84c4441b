/* SPDX-License-Identifier: MIT */
#ifndef ICD_FENCE_H
#define ICD_FENCE_H

#include <stdbool.h>
#include "icd/object.h"

/* Guarded by device->sync_mutex. */
struct icd_fence {
	struct icd_object base;
	bool signaled;
};
ICD_OBJECT(icd_fence, VkFence, VK_OBJECT_TYPE_FENCE)

/* From any thread (queue, vkAcquireNextImageKHR); fence may be NULL. */
void icd_fence_signal(struct icd_device *device, struct icd_fence *fence);

#endif
