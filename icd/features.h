/* SPDX-License-Identifier: MIT */
/* Features and device extensions: one list each, for queries and for vkCreateDevice. */
#ifndef ICD_FEATURES_H
#define ICD_FEATURES_H

#include "icd/physical_device.h"

/* Fills pd->features and pd->extensions. */
void icd_features_init(struct icd_physical_device *pd);

/* What the create info asks for, by whatever structure.  VK_ERROR_FEATURE_NOT_PRESENT if
 * that is more than there is, with a message for each feature; one that is asked for by a
 * structure of other devices' versions or extensions is ignored with a warning. */
VkResult icd_features_enable(const struct icd_physical_device *pd, const VkDeviceCreateInfo *info,
	struct icd_features *enabled);

#endif
