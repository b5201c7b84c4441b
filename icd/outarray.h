/* SPDX-License-Identifier: MIT */
/* The count-then-fill arrays of Vulkan queries. */
#ifndef ICD_OUTARRAY_H
#define ICD_OUTARRAY_H

#include <stdbool.h>
#include <string.h>
#include "icd_entrypoints.h"

struct icd_outarray {
	bool fill;
	uint32_t *count;       /* in: room, when filling; out: written or available */
	uint32_t room, wanted, written;
};

static inline struct icd_outarray icd_outarray(const void *array, uint32_t *count)
{
	return (struct icd_outarray){ .fill = array != NULL, .count = count,
		.room = array ? *count : 0 };
}

/* One more element exists: true if it is to be stored, at [written - 1]. */
static inline bool icd_outarray_next(struct icd_outarray *out)
{
	out->wanted++;
	if (!out->fill || out->written == out->room)
		return false;
	out->written++;
	return true;
}

static inline VkResult icd_outarray_finish(struct icd_outarray *out)
{
	*out->count = out->fill ? out->written : out->wanted;
	return out->fill && out->written < out->wanted ? VK_INCOMPLETE : VK_SUCCESS;
}

static inline void icd_out_extension(struct icd_outarray *out, VkExtensionProperties *array,
	unsigned extension)
{
	VkExtensionProperties *p;
	if (!icd_outarray_next(out))
		return;
	p = &array[out->written - 1];
	memset(p, 0, sizeof *p);
	strncpy(p->extensionName, icd_extension_infos[extension].name, sizeof p->extensionName - 1);
	p->specVersion = icd_extension_infos[extension].version;
}

#endif
