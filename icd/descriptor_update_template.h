/* SPDX-License-Identifier: MIT */
#ifndef ICD_DESCRIPTOR_UPDATE_TEMPLATE_H
#define ICD_DESCRIPTOR_UPDATE_TEMPLATE_H

#include "icd/object.h"

struct icd_descriptor_update_template {
	struct icd_object base;
	VkPipelineBindPoint bind_point; /* of one that pushes */
	uint32_t entry_count;
	VkDescriptorUpdateTemplateEntry entry[];
};
ICD_OBJECT(icd_descriptor_update_template, VkDescriptorUpdateTemplate,
	VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE)

#endif
