/* SPDX-License-Identifier: MIT */
/* VkDescriptorSetLayout: where each descriptor lies in a set's memory. */
#ifndef ICD_DESCRIPTOR_SET_LAYOUT_H
#define ICD_DESCRIPTOR_SET_LAYOUT_H

#include <stdbool.h>
#include <stdatomic.h>
#include "icd/object.h"

struct icd_binding {
	uint32_t binding;              /* number in the shader */
	VkDescriptorType type;
	uint32_t count;                /* of an inline uniform block: bytes */
	VkShaderStageFlags stages;
	uint32_t offset, stride;       /* bytes in the set's memory; not dynamic ones */
	uint32_t dynamic;              /* dynamic ones: first index among the set's */
	const uint32_t (*immutable)[4];/* S# of each element, or NULL */
};

/* Counted: sets and pipeline layouts keep it alive. */
struct icd_descriptor_set_layout {
	struct icd_object base;
	_Atomic uint32_t refs;
	uint32_t bytes;                /* memory of a set */
	uint32_t dynamic_count;
	uint32_t binding_count;
	struct icd_binding binding[];  /* ascending by number, without gaps' fillers */
};
ICD_OBJECT(icd_descriptor_set_layout, VkDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT)

/* Bytes of one descriptor in a set; 0 for dynamic buffers, which live in the root table. */
uint32_t icd_descriptor_bytes(VkDescriptorType type);

/* NULL if there is no such binding. */
const struct icd_binding *icd_layout_binding(const struct icd_descriptor_set_layout *layout,
	uint32_t binding);
void icd_descriptor_set_layout_ref(struct icd_descriptor_set_layout *layout);
void icd_descriptor_set_layout_unref(struct icd_device *device,
	struct icd_descriptor_set_layout *layout);

/* An inline uniform block is a V# and the bytes that it tells of, ICD_INLINE_DATA behind it. */
enum { ICD_INLINE_DATA = 16, ICD_MAX_INLINE_BYTES = 4096, ICD_MAX_INLINE_BLOCKS = 64 };
static inline bool icd_is_inline(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

/* Bytes of all descriptors of a binding in a set. */
uint64_t icd_binding_bytes(VkDescriptorType type, uint32_t count);

static inline bool icd_is_dynamic(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
		t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

#endif
