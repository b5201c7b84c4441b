#ifndef ICD_SHADER_MODULE_H
#define ICD_SHADER_MODULE_H

#include "icd/object.h"

struct icd_shader_module {
	struct icd_object base;
	uint8_t hash[16];              /* of the words */
	size_t word_count;
	uint32_t words[];
};
ICD_OBJECT(icd_shader_module, VkShaderModule, VK_OBJECT_TYPE_SHADER_MODULE)

#endif
