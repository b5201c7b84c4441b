/* SPDX-License-Identifier: MIT */
/* Writing descriptors: vkUpdateDescriptorSets and update templates.  Nothing is written
 * beyond a set's memory, whatever is asked. */
#include "icd/descriptor_set.h"

#include <string.h>
#include "icd/buffer.h"
#include "icd/buffer_view.h"
#include "icd/device.h"
#include "icd/image_view.h"
#include "icd/sampler.h"
#include "isa/abi.h"
#include "isa/resource.h"

void icd_dynamic_v(const struct icd_dynamic_buffer *d, uint32_t offset, uint32_t v[4])
{
	uint64_t left = offset < d->limit ? d->limit - offset : 0;
	if (d->address)
		isa_raw_v(d->address + offset, d->range < left ? d->range : left, v);
	else
		memset(v, 0, 16);
}

/* A place in a set; moves on to the next binding when one is full. */
struct cursor {
	struct icd_descriptor_set *set;
	uint32_t binding;      /* index into the layout */
	uint32_t element;
};

static struct cursor cursor_at(struct icd_descriptor_set *set, uint32_t binding, uint32_t element)
{
	struct cursor c = { set, 0, element };
	while (c.binding < set->layout->binding_count &&
		set->layout->binding[c.binding].binding < binding)
		c.binding++;
	return c;
}

/* Elements that the set has of its i-th binding. */
static uint32_t count_of(const struct icd_descriptor_set *set, uint32_t i)
{
	const struct icd_descriptor_set_layout *layout = set->layout;
	return layout->variable && i + 1 == layout->binding_count ? set->variable_count : layout->binding[i].count;
}

/* The binding of the element to write now; NULL past the end. */
static const struct icd_binding *cursor_binding(struct cursor *c)
{
	const struct icd_descriptor_set_layout *layout = c->set->layout;
	for (; c->binding < layout->binding_count && c->element >= count_of(c->set, c->binding); c->binding++)
		c->element -= count_of(c->set, c->binding);
	return c->binding < layout->binding_count ? &layout->binding[c->binding] : NULL;
}

static bool is_inline(const struct icd_binding *b)
{
	return b->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
}

static uint8_t *slot(const struct icd_descriptor_set *set, const struct icd_binding *b, uint32_t n)
{
	return set->memory + b->offset + b->head + (size_t)n * b->stride;
}

void icd_descriptor_set_write_fixed(struct icd_descriptor_set *set)
{
	for (uint32_t i = 0; i < set->layout->binding_count; i++) {
		const struct icd_binding *b = &set->layout->binding[i];
		const uint32_t count = count_of(set, i);
		uint32_t v[4];
		if (b->head && count) {
			isa_raw_v(icd_address(slot(set, b, 0)), count, v);
			memcpy(set->memory + b->offset, v, sizeof v);
		}
		for (uint32_t n = 0; b->immutable && n < count; n++)
			if (b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
				memcpy(slot(set, b, n) + ABI_DESC_COMBINED_SAMPLER, &b->immutable[n], sizeof b->immutable[n]);
			else
				memcpy(slot(set, b, n), b->immutable[n].s, sizeof b->immutable[n].s);
	}
}

static_assert(ABI_DESC_CHROMA_SAMPLER == ABI_DESC_COMBINED_SAMPLER + ABI_DESC_SAMPLER_BYTES, "S# follow one another");
static_assert(ABI_DESC_YCBCR_BYTES == ABI_DESC_CHROMA_IMAGES + 2 * ABI_DESC_IMAGE_BYTES, "T# follow one another");

void icd_image_descriptor(VkDescriptorType type, const VkDescriptorImageInfo *info, bool immutable, uint8_t *dst,
	size_t room)
{
	const struct icd_image_view *view = NULL;
	const struct icd_sampler *sampler;
	uint32_t s_offset = type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? ABI_DESC_COMBINED_SAMPLER : 0;

	if (type != VK_DESCRIPTOR_TYPE_SAMPLER) {
		bool storage = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE || type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
		view = icd_image_view_from_handle(info->imageView);
		if (view)
			memcpy(dst, storage ? view->storage_t : view->sampled_t, ABI_DESC_IMAGE_BYTES);
		else
			memset(dst, 0, ABI_DESC_IMAGE_BYTES);
		if (s_offset && room >= ABI_DESC_YCBCR_BYTES)
			memset(dst + ABI_DESC_CHROMA_IMAGES, 0, 2 * ABI_DESC_IMAGE_BYTES);
		if (s_offset && room >= ABI_DESC_YCBCR_BYTES && view)
			memcpy(dst + ABI_DESC_CHROMA_IMAGES, view->chroma_t, sizeof view->chroma_t);
	}
	if ((type == VK_DESCRIPTOR_TYPE_SAMPLER || s_offset) && !immutable) {
		sampler = icd_sampler_from_handle(info->sampler);
		if (sampler)
			memcpy(dst + s_offset, sampler->s, ABI_DESC_SAMPLER_BYTES);
		if (sampler && s_offset)
			memcpy(dst + ABI_DESC_CHROMA_SAMPLER, sampler->chroma_s, ABI_DESC_SAMPLER_BYTES);
	}
}

static struct icd_dynamic_buffer dynamic_buffer(const VkDescriptorBufferInfo *info)
{
	const struct icd_buffer *buffer = icd_buffer_from_handle(info->buffer);
	if (!buffer)
		return (struct icd_dynamic_buffer){ 0 };
	return (struct icd_dynamic_buffer){
		.address = buffer->address + info->offset,
		.range = icd_buffer_range(buffer, info->offset, info->range),
		.limit = buffer->size - info->offset,
	};
}

/* A mutable descriptor takes what has room in it. */
static bool takes(const struct icd_binding *b, VkDescriptorType type)
{
	return b->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ?
		!icd_is_dynamic(type) && icd_descriptor_bytes(type, NULL) <= b->stride : b->type == type;
}

/* One descriptor of the binding from the structure that its type reads. */
static void write_one(struct icd_descriptor_set *set, const struct icd_binding *b, uint32_t n,
	VkDescriptorType type, const void *data)
{
	struct icd_dynamic_buffer d;
	const struct icd_buffer_view *view;
	uint32_t v[4] = { 0 };

	if (!takes(b, type))
		return;
	switch (type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		icd_image_descriptor(type, data, b->immutable, slot(set, b, n), b->stride);
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		view = icd_buffer_view_from_handle(*(const VkBufferView *)data);
		memcpy(slot(set, b, n), view ? view->v : v, sizeof v);
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
		d = dynamic_buffer(data);
		memcpy(&set->dynamic[b->dynamic + n], &d, sizeof d);
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		d = dynamic_buffer(data);
		icd_dynamic_v(&d, 0, v);
		memcpy(slot(set, b, n), v, sizeof v);
		break;
	default:
		break;
	}
}

/* Of `left` elements those that one piece has: 1, or bytes of an inline uniform block. */
static uint32_t piece(const struct cursor *c, uint32_t left)
{
	if (!is_inline(&c->set->layout->binding[c->binding]))
		return 1;
	const uint32_t rest = count_of(c->set, c->binding) - c->element;
	return left < rest ? left : rest;
}

static void write_inline(struct cursor c, const uint8_t *data, uint32_t bytes)
{
	for (uint32_t n; bytes; bytes -= n, data += n, c.element += n) {
		const struct icd_binding *b = cursor_binding(&c);
		if (!b || !is_inline(b))
			return;
		n = piece(&c, bytes);
		memcpy(slot(c.set, b, c.element), data, n);
	}
}

/* Where the n-th structure of a VkWriteDescriptorSet lies. */
static const void *write_data(const VkWriteDescriptorSet *w, uint32_t n)
{
	switch (w->descriptorType) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		return &w->pImageInfo[n];
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
		return &w->pTexelBufferView[n];
	default:
		return &w->pBufferInfo[n];
	}
}

void icd_descriptor_set_write(struct icd_descriptor_set *set, const VkWriteDescriptorSet *w)
{
	struct cursor c = cursor_at(set, w->dstBinding, w->dstArrayElement);
	if (w->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
		const VkWriteDescriptorSetInlineUniformBlock *block =
			icd_find_struct(w->pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
		if (block)
			write_inline(c, block->pData, block->dataSize);
		return;
	}
	for (uint32_t n = 0; n < w->descriptorCount; n++, c.element++) {
		const struct icd_binding *b = cursor_binding(&c);
		if (!b)
			return;
		write_one(c.set, b, c.element, w->descriptorType, write_data(w, n));
	}
}

static void copy_one(struct icd_descriptor_set *dst, const struct icd_binding *to, uint32_t m,
	const struct icd_descriptor_set *src, const struct icd_binding *from, uint32_t n)
{
	uint32_t bytes = to->stride < from->stride ? to->stride : from->stride; /* one may be mutable */
	if (icd_is_dynamic(to->type)) {
		dst->dynamic[to->dynamic + m] = src->dynamic[from->dynamic + n];
		return;
	}
	/* An immutable sampler stays what it is, between T#s. */
	if (to->immutable && bytes >= ABI_DESC_YCBCR_BYTES)
		memcpy(slot(dst, to, m) + ABI_DESC_CHROMA_IMAGES, slot(src, from, n) + ABI_DESC_CHROMA_IMAGES,
			2 * ABI_DESC_IMAGE_BYTES);
	if (to->immutable)
		bytes = to->type == VK_DESCRIPTOR_TYPE_SAMPLER ? 0 : ABI_DESC_IMAGE_BYTES;
	memcpy(slot(dst, to, m), slot(src, from, n), bytes);
}

/* What a mutable descriptor is depends on what was written last. */
static bool can_copy(const struct icd_binding *from, const struct icd_binding *to)
{
	const bool any = from->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT || to->type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
	return from->type == to->type || (any && !icd_is_dynamic(from->type) && !icd_is_dynamic(to->type));
}

static void copy_set(const VkCopyDescriptorSet *copy)
{
	struct cursor src = cursor_at(icd_descriptor_set_from_handle(copy->srcSet), copy->srcBinding,
		copy->srcArrayElement);
	struct cursor dst = cursor_at(icd_descriptor_set_from_handle(copy->dstSet), copy->dstBinding,
		copy->dstArrayElement);
	for (uint32_t left = copy->descriptorCount, n; left; left -= n, src.element += n, dst.element += n) {
		const struct icd_binding *from = cursor_binding(&src), *to = cursor_binding(&dst);
		if (!from || !to || !can_copy(from, to) || is_inline(from) != is_inline(to))
			return;
		n = piece(&src, piece(&dst, left));
		if (is_inline(to))
			memmove(slot(dst.set, to, dst.element), slot(src.set, from, src.element), n);
		else
			copy_one(dst.set, to, dst.element, src.set, from, src.element);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSets(VkDevice device, uint32_t writeCount,
	const VkWriteDescriptorSet *pWrites, uint32_t copyCount, const VkCopyDescriptorSet *pCopies)
{
	for (uint32_t i = 0; i < writeCount; i++)
		icd_descriptor_set_write(icd_descriptor_set_from_handle(pWrites[i].dstSet), &pWrites[i]);
	for (uint32_t i = 0; i < copyCount; i++)
		copy_set(&pCopies[i]);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorUpdateTemplate(VkDevice _device,
	const VkDescriptorUpdateTemplateCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDescriptorUpdateTemplate *pTemplate)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	size_t bytes = info->descriptorUpdateEntryCount * sizeof info->pDescriptorUpdateEntries[0];
	struct icd_descriptor_update_template *t;

	t = icd_object_alloc(device, pAllocator, sizeof *t + bytes,
		VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE);
	if (!t)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	t->bind_point = info->pipelineBindPoint;
	t->entry_count = info->descriptorUpdateEntryCount;
	if (bytes)
		memcpy(t->entry, info->pDescriptorUpdateEntries, bytes);
	*pTemplate = icd_descriptor_update_template_to_handle(t);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorUpdateTemplate(VkDevice _device,
	VkDescriptorUpdateTemplate t, const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_descriptor_update_template_from_handle(t));
}

void icd_descriptor_set_write_template(struct icd_descriptor_set *set,
	const struct icd_descriptor_update_template *t, const void *data)
{
	for (uint32_t i = 0; i < t->entry_count; i++) {
		const VkDescriptorUpdateTemplateEntry *e = &t->entry[i];
		const uint8_t *at = (const uint8_t *)data + e->offset;
		struct cursor c = cursor_at(set, e->dstBinding, e->dstArrayElement);
		if (e->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
			write_inline(c, at, e->descriptorCount);
			continue;
		}
		for (uint32_t n = 0; n < e->descriptorCount; n++, c.element++) {
			const struct icd_binding *b = cursor_binding(&c);
			if (!b)
				break;
			write_one(set, b, c.element, e->descriptorType, at + n * e->stride);
		}
	}
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSetWithTemplate(VkDevice device,
	VkDescriptorSet descriptorSet, VkDescriptorUpdateTemplate t, const void *pData)
{
	icd_descriptor_set_write_template(icd_descriptor_set_from_handle(descriptorSet),
		icd_descriptor_update_template_from_handle(t), pData);
}
