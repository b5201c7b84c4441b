/* SPDX-License-Identifier: MIT */
#ifndef ICD_SEMAPHORE_H
#define ICD_SEMAPHORE_H

#include <stdbool.h>
#include "icd/object.h"

/* Binary; guarded by device->sync_mutex.  Applications that signal one twice
 * before they wait (vkAcquireNextImageKHR with one semaphore for all frames) are
 * wrong but common: signals are counted, so that each wait has its own, and a
 * wait to which no signal can come any more does not wait.  Messages
 * say so, one a semaphore. */
struct icd_semaphore {
	struct icd_object base;
	uint32_t signals;          /* done, and not taken by a wait */
	uint32_t pending;          /* submitted to the queue, and not done */
	bool told;
};
ICD_OBJECT(icd_semaphore, VkSemaphore, VK_OBJECT_TYPE_SEMAPHORE)

/* A signal that the queue is going to do: icd_semaphore_signal_pending. */
void icd_semaphore_submit(struct icd_device *device, struct icd_semaphore *s);
void icd_semaphore_signal_pending(struct icd_device *device, struct icd_semaphore *s);

/* Without submission, from any thread (vkAcquireNextImageKHR); may be NULL. */
void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s);

/* Waits for a signal and takes it back; false when the device was lost. */
bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore *s);

#endif
