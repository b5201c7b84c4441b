/* SPDX-License-Identifier: MIT */
/* Graphics state of a create info -> registers, one function a hardware block. */
#ifndef ICD_PIPELINE_STATE_H
#define ICD_PIPELINE_STATE_H

#include "icd/pipeline.h"
#include "icd/pm4_build.h"
#include "icd/render_pass.h"

/* ICD_DYN_* bits of the create info. */
uint32_t icd_state_dynamic(const VkPipelineDynamicStateCreateInfo *info);

/* Everything that is not dynamic. */
void icd_state_fixed(const VkGraphicsPipelineCreateInfo *info, bool discard, uint32_t dynamic,
	struct icd_dynamic_state *out);

/* pipeline->attr; returns the locations that step per instance. */
uint32_t icd_state_vertex(const VkPipelineVertexInputStateCreateInfo *info,
	struct icd_pipeline *pipeline);

void icd_bake_input(struct icd_pm4 *pm4, const VkPipelineInputAssemblyStateCreateInfo *info);
void icd_bake_setup(struct icd_pm4 *pm4, const VkGraphicsPipelineCreateInfo *info);
/* Where samples lie, which of them are masked, whether the shader runs once a sample.
 * ms: NULL for pipelines that rasterise nothing. */
void icd_bake_samples(struct icd_pm4 *pm4, const VkPipelineMultisampleStateCreateInfo *ms, uint32_t samples,
	bool once_a_sample);
void icd_bake_depth(struct icd_pm4 *pm4, const VkPipelineDepthStencilStateCreateInfo *info,
	const struct icd_format *format);
/* Targets that the subpass leaves unused, and those without a shader output, are masked. */
void icd_bake_blend(struct icd_pm4 *pm4, const VkPipelineColorBlendStateCreateInfo *info,
	const struct icd_render_pass *pass, const struct icd_subpass *subpass);

#endif
