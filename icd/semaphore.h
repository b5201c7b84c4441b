/* SPDX-License-Identifier: MIT */
#ifndef ICD_SEMAPHORE_H
#define ICD_SEMAPHORE_H

#include <stdbool.h>
#include "icd/object.h"
#include "icd/queue.h"

/* Guarded by device->sync_mutex.  Binary: applications that signal one twice
 * before they wait (vkAcquireNextImageKHR with one semaphore for all frames) are
 * wrong but common: signals are counted, so that each wait has its own, and a
 * wait to which no signal can come any more does not wait.  Messages
 * say so, one a semaphore. */
struct icd_semaphore {
	struct icd_object base;
	bool timeline;
	uint64_t value;            /* timeline: of the last signal */
	uint32_t signals;          /* binary: done, and not taken by a wait */
	uint32_t pending;          /* binary: submitted to a queue, and not done */
	bool told;
};
ICD_OBJECT(icd_semaphore, VkSemaphore, VK_OBJECT_TYPE_SEMAPHORE)

/* A signal that a queue is going to do: icd_semaphores_signal. */
void icd_semaphore_submit(struct icd_device *device, struct icd_semaphore *s);
/* Those of a submission, and its fence, or NULL, at once. */
void icd_semaphores_signal(struct icd_device *device, const struct icd_semaphore_op *op, uint32_t count, struct icd_fence *fence);

/* A binary one without submission, from any thread (vkAcquireNextImageKHR); may be NULL. */
void icd_semaphore_signal(struct icd_device *device, struct icd_semaphore *s);

/* Binary: waits for a signal and takes it back.  Timeline: waits for the value, whose signal
 * may come later, from any queue or the host.  False when the device was lost. */
bool icd_semaphore_wait(struct icd_device *device, struct icd_semaphore_op op);

#endif
