/* SPDX-License-Identifier: MIT */
/* VkQueue: a thread that executes submissions in order, on registers and threads of its own.
 * Between queues there is no order but that of semaphores, fences and events. */
#ifndef ICD_QUEUE_H
#define ICD_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include "icd/bell.h"
#include "icd/object.h"
#include "icd/watchdog.h"

struct icd_fence;
struct icd_semaphore;
struct icd_command_buffer;
struct rs_gpu;

enum { ICD_QUEUE_FAMILIES = 3, ICD_MAX_QUEUES = 4 };
extern const VkQueueFamilyProperties icd_queue_families[ICD_QUEUE_FAMILIES];

/* What is waited for or signaled; the value is that of a timeline semaphore. */
struct icd_semaphore_op {
	struct icd_semaphore *semaphore;
	uint64_t value;
};

/* One step of the queue: waits, work, signals, in this order.  The arrays
 * follow the struct in one allocation (icd_submission_create). */
struct icd_submission {
	struct icd_submission *next;
	uint32_t wait_count, signal_count;
	struct icd_semaphore_op *wait, *signal;
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
	uint32_t family, index;            /* index: within the family */
	struct rs_gpu *gpu;                /* the thread's; from the first submission on */
	pthread_t thread;
	bool started;                      /* the thread exists: from the first submission on */
	pthread_mutex_t mutex;
	pthread_cond_t wake, idle;
	struct icd_bell pushed, ended;     /* what wake and idle tell those who sleep */
	struct icd_submission *first, *last;
	bool busy, stop;
	struct icd_watchdog watchdog;
};
ICD_OBJECT(icd_queue, VkQueue, VK_OBJECT_TYPE_QUEUE)

/* All queues of a device, as info asks for them. */
VkResult icd_queues_init(struct icd_device *device, const VkDeviceCreateInfo *info);
/* Ends their work first, within two seconds if it is only late. */
void icd_queues_finish(struct icd_device *device);

/* With all of them locked nothing becomes busy, and nobody is in the middle of something. */
void icd_queues_lock(struct icd_device *device);
void icd_queues_unlock(struct icd_device *device);
/* After fork, in the child, locked: see icd_device_abandon. */
void icd_queues_abandon(struct icd_device *device);
/* Waits until everything pushed so far to any of them is done. */
void icd_queues_wait_idle(struct icd_device *device);

/* Zeroed, with room for the arrays; NULL without memory.  The queue frees it
 * after execution; icd_submission_destroy if it is never pushed. */
struct icd_submission *icd_submission_create(struct icd_device *device, uint32_t waits,
	uint32_t signals, uint32_t ib_dwords);
void icd_submission_destroy(struct icd_device *device, struct icd_submission *s);

/* Hands it to the thread; VK_ERROR_DEVICE_LOST (as icd_device_status) or a failure to start the thread
 * leaves ownership with the caller. */
VkResult icd_queue_push(struct icd_queue *queue, struct icd_submission *s);

#endif
