/* SPDX-License-Identifier: MIT */
/* Host memory through the application's callbacks.
 *
 * Instance and device keep a complete set (`alloc`: the application's or the
 * default); an object is allocated with its own pAllocator, else the parent's.
 * All memory comes back zeroed.  Whoever frees passes the same pAllocator. */
#ifndef ICD_ALLOC_H
#define ICD_ALLOC_H

#include <stddef.h>
#include "icd/vk.h"

/* malloc and free behind Vulkan's signatures. */
extern const VkAllocationCallbacks icd_default_alloc;

static inline const VkAllocationCallbacks *icd_alloc_pick(const VkAllocationCallbacks *parent,
	const VkAllocationCallbacks *own)
{
	return own ? own : parent;
}

/* Zeroed, aligned to 16 (or `align`); NULL when there is none. size 0 is 1. */
void *icd_zalloc(const VkAllocationCallbacks *a, size_t size, VkSystemAllocationScope scope);
void *icd_zalloc_aligned(const VkAllocationCallbacks *a, size_t size, size_t align,
	VkSystemAllocationScope scope);
void icd_free(const VkAllocationCallbacks *a, void *p);

/* The same for what may be huge: without callbacks of the application's, large
 * blocks stay untouched until they are used.  `align`: at least 8. */
void *icd_zalloc_big(const VkAllocationCallbacks *a, size_t size, size_t align,
	VkSystemAllocationScope scope);
void icd_free_big(const VkAllocationCallbacks *a, void *p);

#endif
