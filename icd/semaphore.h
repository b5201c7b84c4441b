#ifndef ICD_SEMAPHORE_H
#define ICD_SEMAPHORE_H

#include <stdbool.h>
#include "icd/object.h"

/* Binary; guarded by device->sync_mutex. */
struct icd_semaphore {
	struct icd_object base;
	bool signaled;
};
ICD_OBJECT(icd_semaphore, VkSemaphore, VK_OBJECT_TYPE_SEMAPHORE)

/* From any thread (queue, vkAcquireNextImageKHR); may be NULL. */
void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s);

/* Waits for the signal and takes it back; false when the device was lost. */
bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore *s);

#endif
