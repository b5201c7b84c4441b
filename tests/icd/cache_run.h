/* SPDX-License-Identifier: MIT */
/* The picture of work.h with a pipeline cache of given bytes. */
#ifndef TESTS_ICD_CACHE_RUN_H
#define TESTS_ICD_CACHE_RUN_H

#include "cache_blob.h"
#include "work.h"

/* Draws and gives the result; a lost device is made anew.  saved, if not NULL: what the
 * cache has afterwards, the caller's to free. */
static inline VkResult cache_run(struct vk *vk, struct blob b, VkPipelineCreateFlags flags, struct blob *saved)
{
	struct work w = { .cache_data = b.p, .cache_size = b.size, .flags = flags };
	VkResult result = work_make(vk, NULL, &w);
	if (saved) {
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &saved->size, NULL));
		CHECK((saved->p = malloc(saved->size)));
		OK(FN(vk, vkGetPipelineCacheData)(vk->device, w.cache, &saved->size, saved->p));
	}
	work_destroy(vk, NULL, &w);
	if (result == VK_ERROR_DEVICE_LOST) {
		FN(vk, vkDestroyDevice)(vk->device, NULL);
		OK(vk_device(vk, NULL));
	}
	return result;
}

#endif
