/* SPDX-License-Identifier: MIT */
/* VkQueryPool: slots of isa/query.h. */
#ifndef ICD_QUERY_POOL_H
#define ICD_QUERY_POOL_H

#include "icd/object.h"
#include "isa/query.h"

/* Begin and end: EVENT_WRITE of ZPASS_DONE (DB_COUNT_CONTROL on in between) or of
 * SAMPLE_PIPELINESTAT to the slot's begin and end; timestamp: RELEASE_MEM of the clock to its
 * end; then RELEASE_MEM of 64 bits 1 to its availability.  Reset: QW_FILL_BUFFER with 0. */
struct icd_query_pool {
	struct icd_object base;
	VkQueryType type;
	uint32_t kind;                 /* isa/query.h */
	uint32_t count;
	uint8_t *slot;                 /* GPU-visible */
	size_t stride;                 /* bytes of a slot */
};
ICD_OBJECT(icd_query_pool, VkQueryPool, VK_OBJECT_TYPE_QUERY_POOL)

#endif
