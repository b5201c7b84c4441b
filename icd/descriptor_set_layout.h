/* SPDX-License-Identifier: MIT */
/* VkDescriptorSetLayout: where each descriptor lies in a set's memory. */
#ifndef ICD_DESCRIPTOR_SET_LAYOUT_H
#define ICD_DESCRIPTOR_SET_LAYOUT_H

#include <stdbool.h>
#include <stdatomic.h>
#include "compiler/compiler.h"
#include "icd/object.h"

enum {
	ICD_MAX_DESCRIPTORS = 1 << 20,         /* of a kind, in a stage or a set */
	ICD_MAX_SET_DESCRIPTORS = 1 << 23,     /* of all kinds */
	ICD_MAX_PUSH_DESCRIPTORS = 256,
	ICD_MAX_INLINE_BYTES = 1 << 16,        /* of an inline uniform block */
	ICD_MAX_INLINE_BLOCKS = 1 << 16,
	ICD_MAX_DESCRIPTOR_BUFFERS = 32,       /* bound at once */
	ICD_DESCRIPTOR_BUFFER_ALIGNMENT = 16,
	ICD_CAPTURE_BYTES = 8,                 /* what is captured of an object that descriptors name */
};

struct icd_immutable { uint32_t s[4], chroma_s[4]; };

struct icd_binding {
	uint32_t binding;              /* number in the shader */
	VkDescriptorType type;
	uint32_t count;                /* of inline uniform blocks: bytes */
	VkShaderStageFlags stages;
	uint32_t offset, stride;       /* bytes in the set's memory; not dynamic ones */
	uint32_t head;                 /* bytes from offset to the first element.  An inline uniform
	                                * block is elements of a byte, and before them its V#, unless
	                                * sets of this layout are in descriptor buffers */
	uint32_t dynamic;              /* dynamic ones: first index among the set's */
	const struct icd_immutable *immutable; /* of each element, or NULL */
	const struct compiler_ycbcr *ycbcr; /* of each element, or NULL: no immutable sampler converts */
};

/* Counted: sets and pipeline layouts keep it alive. */
struct icd_descriptor_set_layout {
	struct icd_object base;
	_Atomic uint32_t refs;
	uint32_t bytes;                /* memory of a set, with all that a variable count allows */
	uint32_t dynamic_count;
	bool variable;                 /* sets say how much of the last binding they have */
	bool in_buffers;               /* sets are in descriptor buffers, or pushed beside such */
	uint32_t binding_count;
	struct icd_binding binding[];  /* ascending by number, without gaps' fillers */
};
ICD_OBJECT(icd_descriptor_set_layout, VkDescriptorSetLayout, VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT)

/* Bytes of one descriptor in a set; 0 for dynamic buffers, which live in the root table.
 * Of a mutable one the largest of the types that `list` has; NULL or none: of all. */
uint32_t icd_descriptor_bytes(VkDescriptorType type, const VkMutableDescriptorTypeListEXT *list);

/* The list that goes with the i-th binding or pool size; `next` is a chain. */
const VkMutableDescriptorTypeListEXT *icd_mutable_list(const void *next, uint32_t i);

/* Bytes of the binding in a set that has `count` of it. */
uint64_t icd_binding_bytes(const struct icd_binding *b, uint32_t count);

/* NULL if there is no such binding. */
const struct icd_binding *icd_layout_binding(const struct icd_descriptor_set_layout *layout,
	uint32_t binding);
void icd_descriptor_set_layout_ref(struct icd_descriptor_set_layout *layout);
void icd_descriptor_set_layout_unref(struct icd_device *device,
	struct icd_descriptor_set_layout *layout);

static inline bool icd_is_dynamic(VkDescriptorType t)
{
	return t == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC ||
		t == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

#endif
