/* SPDX-License-Identifier: MIT */
#ifndef ICD_BUFFER_VIEW_H
#define ICD_BUFFER_VIEW_H

#include "icd/object.h"

struct icd_buffer_view {
	struct icd_object base;
	uint32_t v[4];             /* V#: stride of a texel, records in texels */
};
struct icd_format;

ICD_OBJECT(icd_buffer_view, VkBufferView, VK_OBJECT_TYPE_BUFFER_VIEW)

/* V# of a texel buffer: whole texels of the format in `bytes`. */
void icd_texel_v(uint64_t address, uint64_t bytes, const struct icd_format *format, uint32_t v[4]);

#endif
