/* SPDX-License-Identifier: MIT */
/* VkDescriptorSet: V#, T# and S# in memory, as isa/abi.h lays them out. */
#ifndef ICD_DESCRIPTOR_SET_H
#define ICD_DESCRIPTOR_SET_H

#include "icd/descriptor_set_layout.h"
#include "icd/descriptor_update_template.h"

struct icd_descriptor_pool;

/* A dynamic uniform or storage buffer.  Binding writes icd_dynamic_v(d, offset)
 * to the root table at ABI_ROOT_DYNAMIC + 16 * (layout->dynamic_base[set] + i). */
struct icd_dynamic_buffer {
	uint64_t address;              /* of the descriptor's offset; 0: null */
	uint64_t range;                /* bytes visible from address + dynamic offset */
	uint64_t limit;                /* bytes from address to the buffer's end */
};

struct icd_descriptor_set {
	struct icd_object base;
	struct icd_descriptor_set_layout *layout; /* referenced */
	struct icd_descriptor_pool *pool;
	uint8_t *memory;               /* goes to the root table at ABI_ROOT_SETS + 8 * set */
	uint32_t bytes;                /* with the dynamic buffers behind the descriptors */
	uint32_t variable_count;       /* of the last binding, if the layout has it variable */
	struct icd_dynamic_buffer *dynamic;  /* layout->dynamic_count of them */
	struct icd_descriptor_set *next, *prev;
};
ICD_OBJECT(icd_descriptor_set, VkDescriptorSet, VK_OBJECT_TYPE_DESCRIPTOR_SET)

/* What updates do not touch: immutable samplers, the V# of inline uniform blocks. */
void icd_descriptor_set_write_fixed(struct icd_descriptor_set *set);
/* One VkWriteDescriptorSet, whose dstSet does not matter. */
void icd_descriptor_set_write(struct icd_descriptor_set *set, const VkWriteDescriptorSet *write);
void icd_descriptor_set_write_template(struct icd_descriptor_set *set,
	const struct icd_descriptor_update_template *t, const void *data);

/* An image descriptor of `type`, which has a place for each part; view or sampler NULL: that
 * part is zeros, or stays what it is.  `room`: bytes of the place; chroma needs more of it. */
void icd_image_descriptor(VkDescriptorType type, const VkDescriptorImageInfo *info, bool immutable, uint8_t *dst,
	size_t room);

/* The V# for a dynamic offset, clamped to the buffer. */
void icd_dynamic_v(const struct icd_dynamic_buffer *d, uint32_t offset, uint32_t v[4]);

#endif
