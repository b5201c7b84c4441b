/* SPDX-License-Identifier: MIT */
#ifndef ICD_COMMAND_POOL_H
#define ICD_COMMAND_POOL_H

#include "icd/object.h"
#include "icd/stream.h"

struct icd_command_buffer;

struct icd_command_pool {
	struct icd_object base;
	VkCommandPoolCreateFlags flags;
	struct icd_chunks chunks;              /* their allocator is that of buffers, too */
	struct icd_command_buffer *buffers;    /* list */
};
ICD_OBJECT(icd_command_pool, VkCommandPool, VK_OBJECT_TYPE_COMMAND_POOL)

#endif
