/* SPDX-License-Identifier: MIT */
/* VkSamplerYcbcrConversion: what the compiler makes of samples (compiler/spv/spv_ycbcr.c). */
#ifndef ICD_YCBCR_H
#define ICD_YCBCR_H

#include "icd/sampler.h"

struct icd_ycbcr_conversion {
	struct icd_object base;
	struct compiler_ycbcr ycbcr;
	VkFilter chroma_filter;
};
ICD_OBJECT(icd_ycbcr_conversion, VkSamplerYcbcrConversion, VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION)

/* Takes over the conversion that the create info names, if it does; s[] is there. */
void icd_sampler_convert(struct icd_sampler *sampler, const VkSamplerCreateInfo *info);

/* Bytes of a combined image sampler with this immutable sampler. */
uint32_t icd_sampler_bytes(const struct icd_sampler *sampler);

#endif
