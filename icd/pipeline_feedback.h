/* SPDX-License-Identifier: MIT */
/* VkPipelineCreationFeedbackCreateInfo: where programs came from, and how long it took. */
#ifndef ICD_PIPELINE_FEEDBACK_H
#define ICD_PIPELINE_FEEDBACK_H

#include <stdbool.h>
#include "icd/object.h"

struct icd_stage_feedback {
	VkShaderStageFlagBits stage;   /* 0 ends a list */
	bool hit;                      /* the application's cache had the program */
	uint64_t duration;             /* ns */
};

/* CLOCK_MONOTONIC, ns. */
uint64_t icd_feedback_now(void);

/* Tells who asks in the chain of a create info with these stages; `made` has an entry for each that
 * was made, and one with stage 0 behind.  begin: when creation did. */
void icd_feedback_fill(const void *chain, uint32_t count, const VkPipelineShaderStageCreateInfo *stages,
	const struct icd_stage_feedback *made, uint64_t begin);

#endif
