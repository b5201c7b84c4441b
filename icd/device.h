/* SPDX-License-Identifier: MIT */
/* VkDevice: owns the emulated GPU and the queues. */
#ifndef ICD_DEVICE_H
#define ICD_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "icd/bell.h"
#include "icd/border.h"
#include "icd/instance.h"
#include "icd/queue.h"
#include "icd/translations.h"
#include "raster/rs.h"

/* Why a device was lost, for VK_EXT_device_fault. */
enum { ICD_FAULT_TEXT = 512 };
struct icd_fault {
	char why[ICD_FAULT_TEXT];
	struct rs_fault wave; /* zeros: it was no wave's fault */
};

struct icd_device {
	struct icd_object base;
	struct icd_instance *instance;
	struct icd_physical_device *physical_device;
	VkAllocationCallbacks alloc;
	struct icd_extension_set extensions;   /* enabled */
	struct icd_features enabled;           /* features, by all structures */
	struct rs_gpu *gpu;                    /* executes for the first queue; the others have their own */
	struct icd_queue queue[ICD_MAX_QUEUES]; /* what the application asked for */
	uint32_t queue_count;
	struct icd_borders borders;            /* custom border colours */
	struct icd_translations translations;  /* of pipelines that were made with a cache */
	bool cache_native;                     /* QW_CACHE=native: caches give and take translations, */
	uint8_t cache_key[ICD_HASH_KEY_BYTES]; /* with a MAC by the user's key */

	/* Fences and semaphores of the device: one lock and one condition, since
	 * everything they wait for comes from queues, the host or the WSI. */
	pthread_mutex_t sync_mutex;
	pthread_cond_t sync_cond;              /* CLOCK_MONOTONIC */
	struct icd_bell sync_bell;             /* the same for those who do not sleep yet */

	struct icd_fault fault;                /* why it was lost; written before `lost` is */
	_Atomic bool lost;                     /* nothing is executed any more; see icd_device_status */
	struct icd_device *next;               /* of the process: icd/process.h */
	bool forked;                           /* this is a child, and the threads are not here */
	_Atomic bool fork_told;
	_Atomic uint32_t memory_count;
	_Atomic uint32_t program_number, dumped; /* names the dumps of QW_DUMP: programs, submissions */
	pthread_mutex_t private_mutex;         /* of all objects' private data */
	_Atomic uint64_t private_slots;        /* so far */
	_Atomic bool programs_changed;         /* the next submission invalidates the GPU's programs */

	/* vkGetDeviceProcAddr of loaders up to 1.3.239 at least walks the devices
	 * without its lock, and follows the first word of one that another thread is
	 * destroying.  The C library puts a scrambled pointer into small blocks when
	 * they are freed, and a valid or no pointer into ones beyond 1 KiB: be one. */
	uint8_t beyond_small[1024];
};
ICD_OBJECT(icd_device, VkDevice, VK_OBJECT_TYPE_DEVICE)

/* Marks the device lost, stops what other queues do, wakes all waiters, reports `why`;
 * `gpu`: the queue's whose wave it was, or NULL. */
void icd_device_lose(struct icd_device *device, const char *why, const struct rs_gpu *gpu);

static inline bool icd_device_is_lost(struct icd_device *device)
{
	return atomic_load_explicit(&device->lost, memory_order_acquire);
}

/* For everything that tells the application of the loss: VK_SUCCESS, or
 * VK_ERROR_DEVICE_LOST after the queues have let go of the last object, since the
 * application may destroy them all then.  Not from a queue's thread. */
VkResult icd_device_status(struct icd_device *device);

/* After fork, in the child, with the locks of device and queues held: lost, and
 * nothing waits for a thread. */
void icd_device_abandon(struct icd_device *device);

/* Memory that the GPU may address, outside VkDeviceMemory (programs, queries,
 * events): zeroed, `align` bytes aligned (at least 64), via the callbacks. */
void *icd_gpu_alloc(struct icd_device *device, const VkAllocationCallbacks *a, size_t size, size_t align);
void icd_gpu_free(struct icd_device *device, const VkAllocationCallbacks *a, void *p);

/* Host addresses are GPU addresses. */
static inline uint64_t icd_address(const void *p) { return (uint64_t)(uintptr_t)p; }

#endif
