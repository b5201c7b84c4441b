/* SPDX-License-Identifier: MIT */
/* What a pipeline has to know of the targets that it will draw to: of a subpass, or of
 * what vkCmdBeginRendering will name. */
#ifndef ICD_TARGET_FORMATS_H
#define ICD_TARGET_FORMATS_H

#include <stdbool.h>
#include "icd/format.h"
#include "icd/physical_device.h"

struct icd_target_formats {
	uint32_t view_mask;            /* multiview; 0: off */
	uint32_t samples;              /* of the targets; 0: whatever they have */
	uint32_t color_count;
	const struct icd_format *color[ICD_MAX_COLOR]; /* NULL: no target */
	const struct icd_format *depth, *stencil;      /* that has the aspect, or NULL */
	bool depth_is_input;           /* a shader may read the depth or stencil that it is tested against */
};

static inline VkImageAspectFlags icd_target_aspects(const struct icd_target_formats *f)
{
	return (f->depth ? VK_IMAGE_ASPECT_DEPTH_BIT : 0u) | (f->stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
}

/* depth and stencil of a format that may be NULL. */
static inline void icd_target_depth(struct icd_target_formats *f, const struct icd_format *depth,
	const struct icd_format *stencil)
{
	f->depth = depth && depth->aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? depth : NULL;
	f->stencil = stencil && stencil->aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? stencil : NULL;
}

/* As VkPipelineRenderingCreateInfo and VkCommandBufferInheritanceRenderingInfo list them;
 * `count` formats of colour. */
void icd_target_formats_init(struct icd_target_formats *f, uint32_t view_mask, uint32_t count, const VkFormat *color,
	VkFormat depth, VkFormat stencil);

#endif
