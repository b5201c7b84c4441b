/* SPDX-License-Identifier: MIT */
/* Writing descriptors: vkUpdateDescriptorSets and update templates. */
#include "icd/descriptor_set.h"

#include <string.h>
#include "icd/buffer.h"
#include "icd/buffer_view.h"
#include "icd/descriptor_update_template.h"
#include "icd/device.h"
#include "icd/image_view.h"
#include "icd/sampler.h"
#include "isa/abi.h"

void icd_dynamic_v(const struct icd_dynamic_buffer *d, uint32_t offset, uint32_t v[4])
{
	uint64_t left = offset < d->limit ? d->limit - offset : 0;
	if (d->address)
		icd_raw_v(d->address + offset, d->range < left ? d->range : left, v);
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

/* The binding of the element to write now; NULL past the end. */
static const struct icd_binding *cursor_binding(struct cursor *c)
{
	const struct icd_descriptor_set_layout *layout = c->set->layout;
	while (c->binding < layout->binding_count && c->element >= layout->binding[c->binding].count) {
		c->element -= layout->binding[c->binding].count;
		c->binding++;
	}
	return c->binding < layout->binding_count ? &layout->binding[c->binding] : NULL;
}

static uint8_t *slot(const struct icd_descriptor_set *set, const struct icd_binding *b, uint32_t n)
{
	return set->memory + b->offset + n * b->stride;
}

static void write_image(uint8_t *dst, const struct icd_binding *b,
	const VkDescriptorImageInfo *info)
{
	const struct icd_image_view *view = NULL;
	const struct icd_sampler *sampler;
	uint32_t s_offset = b->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ?
		ABI_DESC_COMBINED_SAMPLER : 0;

	if (b->type != VK_DESCRIPTOR_TYPE_SAMPLER) {
		bool storage = b->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
			b->type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
		view = icd_image_view_from_handle(info->imageView);
		if (view)
			memcpy(dst, storage ? view->storage_t : view->sampled_t, ABI_DESC_IMAGE_BYTES);
		else
			memset(dst, 0, ABI_DESC_IMAGE_BYTES);
	}
	if ((b->type == VK_DESCRIPTOR_TYPE_SAMPLER || s_offset) && !b->immutable) {
		sampler = icd_sampler_from_handle(info->sampler);
		if (sampler)
			memcpy(dst + s_offset, sampler->s, ABI_DESC_SAMPLER_BYTES);
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

/* One descriptor from the structure that its type reads. */
static void write_one(struct icd_descriptor_set *set, const struct icd_binding *b, uint32_t n,
	const void *data)
{
	struct icd_dynamic_buffer d;
	const struct icd_buffer_view *view;
	uint32_t v[4] = { 0 };

	switch (b->type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		write_image(slot(set, b, n), b, data);
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
	default:
		d = dynamic_buffer(data);
		icd_dynamic_v(&d, 0, v);
		memcpy(slot(set, b, n), v, sizeof v);
		break;
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

/* Bytes of an inline block, from one of its bytes on; NULL if it has fewer. */
static uint8_t *inline_bytes(const struct icd_descriptor_set *set, uint32_t binding, uint32_t first, uint32_t count)
{
	const struct icd_binding *b = icd_layout_binding(set->layout, binding);
	if (!b || !icd_is_inline(b->type) || first > b->count || count > b->count - first)
		return NULL;
	return slot(set, b, 0) + ICD_INLINE_DATA + first;
}

static void write_inline(const struct icd_descriptor_set *set, uint32_t binding, uint32_t first, uint32_t count,
	const void *data)
{
	uint8_t *to = inline_bytes(set, binding, first, count);
	if (to)
		memcpy(to, data, count);
}

static void write_set(const VkWriteDescriptorSet *w)
{
	const VkWriteDescriptorSetInlineUniformBlock *block = icd_find_struct(w->pNext,
		VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
	if (icd_is_inline(w->descriptorType)) {
		if (block)
			write_inline(icd_descriptor_set_from_handle(w->dstSet), w->dstBinding, w->dstArrayElement,
				block->dataSize, block->pData);
		return;
	}
	struct cursor c = cursor_at(icd_descriptor_set_from_handle(w->dstSet), w->dstBinding,
		w->dstArrayElement);
	for (uint32_t n = 0; n < w->descriptorCount; n++, c.element++) {
		const struct icd_binding *b = cursor_binding(&c);
		if (!b)
			return;
		write_one(c.set, b, c.element, write_data(w, n));
	}
}

static void copy_one(struct icd_descriptor_set *dst, const struct icd_binding *to, uint32_t m,
	const struct icd_descriptor_set *src, const struct icd_binding *from, uint32_t n)
{
	uint32_t bytes = to->stride;
	if (icd_is_dynamic(to->type)) {
		dst->dynamic[to->dynamic + m] = src->dynamic[from->dynamic + n];
		return;
	}
	/* An immutable sampler stays what it is. */
	if (to->immutable)
		bytes = to->type == VK_DESCRIPTOR_TYPE_SAMPLER ? 0 : ABI_DESC_IMAGE_BYTES;
	memcpy(slot(dst, to, m), slot(src, from, n), bytes);
}

static void copy_set(const VkCopyDescriptorSet *copy)
{
	const uint8_t *block = inline_bytes(icd_descriptor_set_from_handle(copy->srcSet), copy->srcBinding,
		copy->srcArrayElement, copy->descriptorCount);
	if (block) {
		write_inline(icd_descriptor_set_from_handle(copy->dstSet), copy->dstBinding, copy->dstArrayElement,
			copy->descriptorCount, block);
		return;
	}
	struct cursor src = cursor_at(icd_descriptor_set_from_handle(copy->srcSet), copy->srcBinding,
		copy->srcArrayElement);
	struct cursor dst = cursor_at(icd_descriptor_set_from_handle(copy->dstSet), copy->dstBinding,
		copy->dstArrayElement);
	for (uint32_t n = 0; n < copy->descriptorCount; n++, src.element++, dst.element++) {
		const struct icd_binding *from = cursor_binding(&src), *to = cursor_binding(&dst);
		if (!from || !to || from->type != to->type)
			return;
		copy_one(dst.set, to, dst.element, src.set, from, src.element);
	}
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSets(VkDevice device, uint32_t writeCount,
	const VkWriteDescriptorSet *pWrites, uint32_t copyCount, const VkCopyDescriptorSet *pCopies)
{
	for (uint32_t i = 0; i < writeCount; i++)
		write_set(&pWrites[i]);
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

	if (info->templateType != VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET)
		return icd_error(device->instance, VK_ERROR_FEATURE_NOT_PRESENT, NULL,
			"vkCreateDescriptorUpdateTemplate: push descriptors are not supported");
	t = icd_object_alloc(device, pAllocator, sizeof *t + bytes,
		VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE);
	if (!t)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
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

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSetWithTemplate(VkDevice device,
	VkDescriptorSet descriptorSet, VkDescriptorUpdateTemplate _t, const void *pData)
{
	ICD_FROM_HANDLE(icd_descriptor_update_template, t, _t);
	ICD_FROM_HANDLE(icd_descriptor_set, set, descriptorSet);
	for (uint32_t i = 0; i < t->entry_count; i++) {
		const VkDescriptorUpdateTemplateEntry *e = &t->entry[i];
		struct cursor c = cursor_at(set, e->dstBinding, e->dstArrayElement);
		if (icd_is_inline(e->descriptorType)) {
			write_inline(set, e->dstBinding, e->dstArrayElement, e->descriptorCount, (const uint8_t *)pData + e->offset);
			continue;
		}
		for (uint32_t n = 0; n < e->descriptorCount; n++, c.element++) {
			const struct icd_binding *b = cursor_binding(&c);
			if (!b)
				break;
			write_one(set, b, c.element, (const uint8_t *)pData + e->offset + n * e->stride);
		}
	}
}
