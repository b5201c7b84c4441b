/* SPDX-License-Identifier: MIT */
/* VkQueryPool: slots in the layout of PM4 QW_COPY_QUERY. */
#ifndef ICD_QUERY_POOL_H
#define ICD_QUERY_POOL_H

#include "icd/object.h"

struct icd_query_slot { uint64_t begin, end, available, unused; };

/* Begin and end: EVENT_WRITE ZPASS_DONE to &begin and &end (DB_COUNT_CONTROL on
 * in between); timestamp: RELEASE_MEM of the clock to &end; then RELEASE_MEM of
 * 64 bits 1 to &available.  Reset: QW_FILL_BUFFER with 0. */
struct icd_query_pool {
	struct icd_object base;
	VkQueryType type;
	uint32_t kind;                 /* PM4_QUERY_OCCLUSION or PM4_QUERY_TIMESTAMP */
	uint32_t count;
	struct icd_query_slot *slot;   /* GPU-visible */
};
ICD_OBJECT(icd_query_pool, VkQueryPool, VK_OBJECT_TYPE_QUERY_POOL)

#endif
