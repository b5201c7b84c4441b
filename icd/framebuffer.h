/* SPDX-License-Identifier: MIT */
#ifndef ICD_FRAMEBUFFER_H
#define ICD_FRAMEBUFFER_H

#include "icd/image_view.h"

struct icd_framebuffer {
	struct icd_object base;
	uint32_t width, height, layers;
	uint32_t attachment_count;         /* 0: imageless, or there are none */
	struct icd_image_view *attachment[];
};
ICD_OBJECT(icd_framebuffer, VkFramebuffer, VK_OBJECT_TYPE_FRAMEBUFFER)

#endif
