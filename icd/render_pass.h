/* SPDX-License-Identifier: MIT */
/* VkRenderPass, from either version of its create info. */
#ifndef ICD_RENDER_PASS_H
#define ICD_RENDER_PASS_H

#include "icd/object.h"
#include "icd/target_formats.h"

struct icd_attachment {
	const struct icd_format *format;
	VkSampleCountFlagBits samples;
	VkAttachmentLoadOp load, stencil_load;
	VkAttachmentStoreOp store, stencil_store;
	uint32_t first_subpass;        /* that uses it: load ops go before it; UINT32_MAX: none */
	uint32_t view_mask;            /* or of the view masks of the subpasses that use it */
};

struct icd_subpass {
	VkPipelineBindPoint bind_point;
	struct icd_target_formats formats;
	uint32_t color_count;
	uint32_t color[ICD_MAX_COLOR]; /* attachment, or VK_ATTACHMENT_UNUSED */
	uint32_t depth;                /* attachment, or VK_ATTACHMENT_UNUSED */
	uint32_t color_resolve[ICD_MAX_COLOR], depth_resolve; /* likewise: where the samples go at the end */
	VkResolveModeFlagBits depth_mode, stencil_mode; /* of depth_resolve; 0: the aspect is not resolved */
	uint32_t input_count;
	uint32_t *input;               /* inside the render pass's allocation */
};

struct icd_render_pass {
	struct icd_object base;
	uint32_t attachment_count, subpass_count;
	struct icd_attachment *attachment;
	struct icd_subpass *subpass;
};
ICD_OBJECT(icd_render_pass, VkRenderPass, VK_OBJECT_TYPE_RENDER_PASS)

#endif
