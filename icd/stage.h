/* SPDX-License-Identifier: MIT */
/* Stages as Vulkan has them: rows of isa/stages.def. */
#ifndef ICD_STAGE_H
#define ICD_STAGE_H

#include "icd/vk.h"
#include "isa/stages.h"

/* By enum compiler_stage. */
static const VkShaderStageFlagBits icd_stage_bits[] = {
#define S(name, text, model, api, ...) VK_SHADER_STAGE_##api,
	ISA_STAGES(S)
#undef S
};

/* All, and those of graphics pipelines. */
enum {
#define S(name, text, model, api, ...) | VK_SHADER_STAGE_##api
	ICD_STAGES = 0 ISA_STAGES(S),
#undef S
#define S(name, text, model, api, hw, traits, ...) | ((traits) & ISA_GRAPHICS ? VK_SHADER_STAGE_##api : 0)
	ICD_GRAPHICS_STAGES = 0 ISA_STAGES(S)
#undef S
};

#endif
