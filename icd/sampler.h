/* SPDX-License-Identifier: MIT */
#ifndef ICD_SAMPLER_H
#define ICD_SAMPLER_H

#include "compiler/compiler.h"
#include "icd/object.h"

struct icd_sampler {
	struct icd_object base;
	uint32_t s[4];             /* S# */
	uint32_t chroma_s[4];      /* with a conversion: for the later planes */
	struct compiler_ycbcr ycbcr; /* planes 0: none */
	uint32_t border;           /* its entry of the border colours; ICD_BORDER_NONE: it has none */
};
ICD_OBJECT(icd_sampler, VkSampler, VK_OBJECT_TYPE_SAMPLER)

#endif
