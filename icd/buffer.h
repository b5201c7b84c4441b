/* SPDX-License-Identifier: MIT */
#ifndef ICD_BUFFER_H
#define ICD_BUFFER_H

#include "icd/object.h"

struct icd_buffer {
	struct icd_object base;
	uint64_t size;
	VkBufferUsageFlags usage;
	uint64_t address;          /* of byte 0 once bound; 0 before */
};
ICD_OBJECT(icd_buffer, VkBuffer, VK_OBJECT_TYPE_BUFFER)

/* VK_WHOLE_SIZE resolved. */
static inline uint64_t icd_buffer_range(const struct icd_buffer *b, uint64_t offset, uint64_t range)
{
	return range == VK_WHOLE_SIZE ? b->size - offset : range;
}

/* In a chain of memory requirements: nothing wants memory of its own. */
void icd_no_dedication(void *chain);

#endif
