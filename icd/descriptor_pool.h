/* SPDX-License-Identifier: MIT */
/* VkDescriptorPool: sets and their memory, allocated once. */
#ifndef ICD_DESCRIPTOR_POOL_H
#define ICD_DESCRIPTOR_POOL_H

#include "icd/descriptor_set.h"

/* Set memory is cut from one block: behind the last live set while there is
 * room, then first fit over the list of live sets, which is in address order. */
struct icd_descriptor_pool {
	struct icd_object base;
	VkDescriptorPoolCreateFlags flags;
	uint8_t *memory;               /* 64-byte aligned */
	uint32_t bytes;
	struct icd_descriptor_set *sets; /* max_sets of them */
	uint32_t max_sets, live;
	uint32_t fresh;                /* sets[fresh...] were never used, nor touched */
	struct icd_descriptor_set *free; /* list of used ones that are free again */
	struct icd_descriptor_set *first, *last; /* live sets by address */
	uint32_t used;                 /* bytes of the live sets */
};
ICD_OBJECT(icd_descriptor_pool, VkDescriptorPool, VK_OBJECT_TYPE_DESCRIPTOR_POOL)

#endif
