/* SPDX-License-Identifier: MIT */
#include "icd/pipeline_feedback.h"

#include <time.h>

uint64_t icd_feedback_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static VkPipelineCreationFeedback feedback(bool hit, uint64_t duration)
{
	return (VkPipelineCreationFeedback){ .duration = duration, .flags = VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT |
		(hit ? VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT : 0u) };
}

void icd_feedback_fill(const void *chain, uint32_t count, const VkPipelineShaderStageCreateInfo *stages,
	const struct icd_stage_feedback *made, uint64_t begin)
{
	const VkPipelineCreationFeedbackCreateInfo *f = icd_find_struct(chain,
		VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO);
	bool all = true;
	if (!f)
		return;
	for (uint32_t i = 0; i < count; i++) {
		const struct icd_stage_feedback *m = made;
		while (m->stage && m->stage != stages[i].stage)
			m++;
		all &= m->hit;
		if (i < f->pipelineStageCreationFeedbackCount)
			f->pPipelineStageCreationFeedbacks[i] = feedback(m->hit, m->duration);
	}
	*f->pPipelineCreationFeedback = feedback(all, icd_feedback_now() - begin);
}
