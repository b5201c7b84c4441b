/* SPDX-License-Identifier: MIT */
/* VkQueue: a thread that executes submissions in order. */
#ifndef ICD_QUEUE_H
#define ICD_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include "icd/object.h"
#include "icd/watchdog.h"

struct icd_fence;
struct icd_semaphore;
struct icd_command_buffer;

/* One step of the queue: waits, work, signals, in this order.  The arrays
 * follow the struct in one allocation (icd_submission_create). */
struct icd_submission {
	struct icd_submission *next;
	uint32_t wait_count, signal_count;
	struct icd_semaphore **wait, **signal;
	/* PM4: INDIRECT_BUFFER packets to the chunks of the command buffers. */
	uint32_t *ib;
	uint32_t dwords;
	/* Called on the queue's thread between work and signals (vkQueuePresentKHR);
	 * also called when the device is lost. */
	void (*callback)(struct icd_device *device, void *data);
	void *data;
	struct icd_fence *fence;           /* or NULL */
};

struct icd_queue {
	struct icd_object base;            /* .device: its device */
	pthread_t thread;
	bool started;                      /* the thread exists: from the first submission on */
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;
	struct icd_submission *first, *last;
	bool busy, stop;
	uint32_t dumped;                   /* submissions of QW_DUMP; the thread's */
	struct icd_watchdog watchdog;
};
ICD_OBJECT(icd_queue, VkQueue, VK_OBJECT_TYPE_QUEUE)

VkResult icd_queue_init(struct icd_queue *queue, struct icd_device *device);
void icd_queue_finish(struct icd_queue *queue);

/* After fork, in the child: see icd_device_abandon. */
void icd_queue_abandon(struct icd_queue *queue);

/* Zeroed, with room for the arrays; NULL without memory.  The queue frees it
 * after execution; icd_submission_destroy if it is never pushed. */
struct icd_submission *icd_submission_create(struct icd_device *device, uint32_t waits,
	uint32_t signals, uint32_t ib_dwords);
void icd_submission_destroy(struct icd_device *device, struct icd_submission *s);

/* Hands it to the thread; VK_ERROR_DEVICE_LOST (as icd_device_status) or a failure to start the thread
 * leaves ownership with the caller. */
VkResult icd_queue_push(struct icd_queue *queue, struct icd_submission *s);

/* Waits until everything pushed so far is done. */
VkResult icd_queue_wait_idle(struct icd_queue *queue);

#endif
