/* SPDX-License-Identifier: MIT */
/* What draws write to: between vkCmdBeginRendering and vkCmdEndRendering, or in a subpass.
 * Who fills it in begins it, which loads, and ends it, which resolves (cmd_rendering.c). */
#ifndef ICD_RENDERING_H
#define ICD_RENDERING_H

#include "icd/image_view.h"
#include "icd/target_formats.h"

struct icd_target {
	const struct icd_image_view *view;     /* NULL: none, and nothing of this counts */
	const struct icd_image_view *resolve;  /* or NULL */
	VkResolveModeFlagBits resolve_mode;
	VkAttachmentLoadOp load;
	VkAttachmentStoreOp store;             /* DONT_CARE: nobody reads it afterwards */
	VkClearValue clear;
	uint32_t clear_views;                  /* that the load clears, with multiview */
	bool input;                            /* also an input attachment of the subpass */
};

struct icd_rendering {
	bool active;
	VkRenderingFlags flags;                /* suspended, resumed */
	VkRect2D area;
	uint32_t layers;
	struct icd_target_formats formats;     /* of the targets; a secondary buffer knows no more */
	struct icd_target color[ICD_MAX_COLOR];
	struct icd_target depth, stencil;      /* the same view, if both have one */
};

#endif
