/* SPDX-License-Identifier: MIT */
/* From a create info to graphics state. */
#ifndef ICD_PIPELINE_STATE_H
#define ICD_PIPELINE_STATE_H

#include "icd/graphics_state.h"
#include "icd/target_formats.h"

/* What the create info says of pieces that count: the others may be anything, also
 * pointers to nowhere, and are not looked at. */
struct icd_state_source {
	const VkGraphicsPipelineCreateInfo *info;
	uint64_t dynamic;              /* states that it leaves to the command buffer */
	bool mesh;                 /* there is no vertex input */
	bool discard;                  /* nothing is ever rasterised */
	const struct icd_target_formats *formats;
	uint8_t samples;               /* 0: those of the targets, whatever they have */
	bool depth_unrestricted;       /* VK_EXT_depth_range_unrestricted is enabled */
};

/* All states that are static; what is dynamic may be anything.  once_a_sample is left to
 * the caller, who knows the program. */
void icd_graphics_state_fill(const struct icd_state_source *from, struct icd_graphics_state *out);

#endif
