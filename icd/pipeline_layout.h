/* SPDX-License-Identifier: MIT */
#ifndef ICD_PIPELINE_LAYOUT_H
#define ICD_PIPELINE_LAYOUT_H

#include "icd/descriptor_set_layout.h"
#include "icd/hash.h"
#include "isa/abi.h"

/* Counted: pipelines and command buffers may outlive the handle. */
struct icd_pipeline_layout {
	struct icd_object base;
	_Atomic uint32_t refs;
	uint32_t set_count;
	struct icd_descriptor_set_layout *set[ABI_MAX_SETS];
	uint32_t dynamic_base[ABI_MAX_SETS]; /* index in the root table of a set's first dynamic V# */
	uint32_t dynamic_count;
	uint32_t push_bytes;                 /* end of the last push constant range */
	uint8_t hash[ICD_HASH_BYTES];        /* of everything a program depends on */
};
ICD_OBJECT(icd_pipeline_layout, VkPipelineLayout, VK_OBJECT_TYPE_PIPELINE_LAYOUT)

void icd_pipeline_layout_ref(struct icd_pipeline_layout *layout);
void icd_pipeline_layout_unref(struct icd_device *device, struct icd_pipeline_layout *layout);

#endif
