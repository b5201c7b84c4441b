/* SPDX-License-Identifier: MIT */
#ifndef ICD_SHADER_MODULE_H
#define ICD_SHADER_MODULE_H

#include "icd/hash.h"
#include "icd/object.h"

struct icd_shader_module {
	struct icd_object base;
	uint8_t identity[ICD_HASH_BYTES]; /* icd_module_identity of the words */
	size_t word_count;
	uint32_t words[];
};
ICD_OBJECT(icd_shader_module, VkShaderModule, VK_OBJECT_TYPE_SHADER_MODULE)

/* Of nothing but the SPIR-V words and the algorithm: the same in every process and
 * build.  It fits VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT. */
void icd_module_identity(const uint32_t *words, size_t count, uint8_t out[ICD_HASH_BYTES]);

#endif
