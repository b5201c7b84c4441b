/* SPDX-License-Identifier: MIT */
#include "icd/descriptor_set_layout.h"

#include <string.h>
#include "icd/device.h"
#include "icd/sampler.h"
#include "icd/ycbcr.h"
#include "isa/abi.h"

const VkMutableDescriptorTypeListEXT *icd_mutable_list(const void *next, uint32_t i)
{
	const VkMutableDescriptorTypeCreateInfoEXT *lists =
		icd_find_struct(next, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
	return lists && i < lists->mutableDescriptorTypeListCount ? &lists->pMutableDescriptorTypeLists[i] : NULL;
}

uint32_t icd_descriptor_bytes(VkDescriptorType type, const VkMutableDescriptorTypeListEXT *list)
{
	uint32_t most = 0;
	switch (type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER: return ABI_DESC_SAMPLER_BYTES;
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return ABI_DESC_COMBINED_BYTES;
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: return ABI_DESC_IMAGE_BYTES;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: return 0;
	case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK: return 1;
	case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
		if (!list || !list->descriptorTypeCount)
			return ABI_DESC_COMBINED_BYTES;
		for (uint32_t i = 0; i < list->descriptorTypeCount; i++) {
			uint32_t bytes = icd_descriptor_bytes(list->pDescriptorTypes[i], NULL);
			most = bytes > most ? bytes : most;
		}
		return most;
	default: return ABI_DESC_BUFFER_BYTES;
	}
}

static uint32_t head_of(VkDescriptorType type, bool in_buffers)
{
	return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && !in_buffers ? ABI_DESC_BUFFER_BYTES : 0;
}

/* Those of an inline uniform block are up to where the next descriptor may stand. */
static uint64_t bytes_of(VkDescriptorType type, uint32_t head, uint32_t stride, uint32_t count)
{
	if (type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
		return count ? head + (((uint64_t)count + 15) & ~(uint64_t)15) : 0;
	return (uint64_t)count * stride;
}

uint64_t icd_binding_bytes(const struct icd_binding *b, uint32_t count)
{
	return bytes_of(b->type, b->head, b->stride, count);
}

static bool in_buffers(const VkDescriptorSetLayoutCreateInfo *info)
{
	return info->flags & (VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT |
		VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT);
}

const struct icd_binding *icd_layout_binding(const struct icd_descriptor_set_layout *layout,
	uint32_t binding)
{
	for (uint32_t i = 0; i < layout->binding_count; i++)
		if (layout->binding[i].binding == binding)
			return &layout->binding[i];
	return NULL;
}

void icd_descriptor_set_layout_ref(struct icd_descriptor_set_layout *layout)
{
	atomic_fetch_add_explicit(&layout->refs, 1, memory_order_relaxed);
}

/* The last user may come after vkDestroyDescriptorSetLayout and its callbacks:
 * the memory is the device's. */
void icd_descriptor_set_layout_unref(struct icd_device *device,
	struct icd_descriptor_set_layout *layout)
{
	if (layout && atomic_fetch_sub_explicit(&layout->refs, 1, memory_order_acq_rel) == 1)
		icd_object_free(device, NULL, layout);
}

static bool takes_samplers(VkDescriptorType type)
{
	return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

static uint32_t immutable_count(const VkDescriptorSetLayoutBinding *b)
{
	return takes_samplers(b->descriptorType) && b->pImmutableSamplers ? b->descriptorCount : 0;
}

/* Bytes of one descriptor of the i-th binding: more with a conversion of several planes. */
static uint32_t stride_of(const VkDescriptorSetLayoutCreateInfo *info, uint32_t i)
{
	const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
	uint32_t bytes = icd_descriptor_bytes(b->descriptorType, icd_mutable_list(info->pNext, i));
	if (b->descriptorType != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
		return bytes;
	for (uint32_t n = 0; n < immutable_count(b); n++) {
		uint32_t more = icd_sampler_bytes(icd_sampler_from_handle(b->pImmutableSamplers[n]));
		bytes = more > bytes ? more : bytes;
	}
	return bytes;
}

/* Puts one binding into its place by number. */
static struct icd_binding *insert(struct icd_descriptor_set_layout *layout, uint32_t number)
{
	uint32_t at = layout->binding_count++;
	while (at && layout->binding[at - 1].binding > number) {
		layout->binding[at] = layout->binding[at - 1];
		at--;
	}
	memset(&layout->binding[at], 0, sizeof layout->binding[at]);
	return &layout->binding[at];
}

static void place(struct icd_descriptor_set_layout *layout)
{
	for (uint32_t i = 0; i < layout->binding_count; i++) {
		struct icd_binding *b = &layout->binding[i];
		if (icd_is_dynamic(b->type)) {
			b->dynamic = layout->dynamic_count;
			layout->dynamic_count += b->count;
			continue;
		}
		b->offset = layout->bytes;
		layout->bytes += (uint32_t)icd_binding_bytes(b, b->count);
	}
}

/* Index of the binding whose count sets choose: of all the last by number; bindingCount:
 * there is none. */
static uint32_t variable_binding(const VkDescriptorSetLayoutCreateInfo *info)
{
	const VkDescriptorSetLayoutBindingFlagsCreateInfo *flags =
		icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
	uint32_t last = 0;
	for (uint32_t i = 1; i < info->bindingCount; i++)
		if (info->pBindings[i].binding > info->pBindings[last].binding)
			last = i;
	return flags && last < flags->bindingCount &&
		flags->pBindingFlags[last] & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT ? last : info->bindingCount;
}

/* What a mutable descriptor can be. */
static bool is_mutable_type(VkDescriptorType type)
{
	return type <= VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
}

static bool binding_supported(const VkDescriptorSetLayoutCreateInfo *info, uint32_t i)
{
	const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
	const VkMutableDescriptorTypeListEXT *list = icd_mutable_list(info->pNext, i);
	if (b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
		return b->descriptorCount <= ICD_MAX_INLINE_BYTES;
	if (b->descriptorType != VK_DESCRIPTOR_TYPE_MUTABLE_EXT)
		return b->descriptorType <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
	for (uint32_t k = 0; list && k < list->descriptorTypeCount; k++)
		if (!is_mutable_type(list->pDescriptorTypes[k]))
			return false;
	return list && list->descriptorTypeCount;
}

/* Offsets in a set have 32 bits, and the root table has room for so many dynamic buffers.
 * *left, if not NULL: the bytes that those of the variable binding may become. */
static bool is_supported(const VkDescriptorSetLayoutCreateInfo *info, uint64_t *left)
{
	const bool push = info->flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
	const uint32_t variable = variable_binding(info);
	uint64_t bytes = 0, dynamic = 0, count = 0, last = 0;
	for (uint32_t i = 0; i < info->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
		uint32_t one = stride_of(info, i);
		if (b->descriptorCount && !binding_supported(info, i))
			return false;
		last = bytes_of(b->descriptorType, head_of(b->descriptorType, in_buffers(info)), one, b->descriptorCount);
		bytes += last;
		if (left && i == variable)
			*left = last;
		dynamic += icd_is_dynamic(b->descriptorType) ? b->descriptorCount : 0;
		count += b->descriptorCount;
	}
	if (bytes > INT32_MAX || dynamic > ABI_MAX_DYNAMIC)
		return false;
	if (left)
		*left += INT32_MAX - bytes;
	return !(push && count > ICD_MAX_PUSH_DESCRIPTORS) && !((push || in_buffers(info)) && dynamic);
}

/* Descriptors that the variable binding could have. */
static uint32_t most_of_variable(const VkDescriptorSetLayoutCreateInfo *info)
{
	const uint32_t variable = variable_binding(info);
	uint64_t left = 0;
	if (variable == info->bindingCount || !is_supported(info, &left))
		return 0;
	const VkDescriptorSetLayoutBinding *b = &info->pBindings[variable];
	if (b->descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK)
		return ICD_MAX_INLINE_BYTES;
	if (icd_is_dynamic(b->descriptorType))
		return b->descriptorCount;
	left /= stride_of(info, variable);
	return left < ICD_MAX_SET_DESCRIPTORS ? (uint32_t)left : ICD_MAX_SET_DESCRIPTORS;
}

/* What immutable samplers leave behind; *s and *y have room for so many more. */
static void take_immutable(struct icd_binding *b, const VkDescriptorSetLayoutBinding *from, struct icd_immutable **s,
	struct compiler_ycbcr **y)
{
	const uint32_t count = immutable_count(from);
	if (!count)
		return;
	b->immutable = *s;
	for (uint32_t n = 0; n < count; n++, ++*s, ++*y) {
		const struct icd_sampler *sampler = icd_sampler_from_handle(from->pImmutableSamplers[n]);
		memcpy((*s)->s, sampler->s, sizeof sampler->s);
		memcpy((*s)->chroma_s, sampler->chroma_s, sizeof sampler->chroma_s);
		**y = sampler->ycbcr;
		if (sampler->ycbcr.planes)
			b->ycbcr = *y - n;
	}
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorSetLayout(VkDevice _device,
	const VkDescriptorSetLayoutCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDescriptorSetLayout *pSetLayout)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_descriptor_set_layout *layout;
	size_t samplers = 0, bytes;
	struct icd_immutable *s;
	struct compiler_ycbcr *y;

	if (!is_supported(info, NULL))
		return icd_error(device->instance, VK_ERROR_OUT_OF_HOST_MEMORY, NULL,
			"vkCreateDescriptorSetLayout: more than vkGetDescriptorSetLayoutSupport allows");
	for (uint32_t i = 0; i < info->bindingCount; i++)
		samplers += immutable_count(&info->pBindings[i]);
	bytes = sizeof *layout + info->bindingCount * sizeof layout->binding[0];
	layout = icd_object_alloc(device, NULL, bytes + samplers * (sizeof *s + sizeof *y),
		VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
	if (!layout)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	atomic_init(&layout->refs, 1);
	s = (void *)((uint8_t *)layout + bytes);
	y = (void *)(s + samplers);
	for (uint32_t i = 0; i < info->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
		struct icd_binding *b = insert(layout, from->binding);
		b->binding = from->binding;
		b->type = from->descriptorType;
		b->count = from->descriptorCount;
		b->stride = stride_of(info, i);
		b->head = head_of(b->type, in_buffers(info));
		b->stages = from->stageFlags;
		take_immutable(b, from, &s, &y);
	}
	layout->variable = variable_binding(info) < info->bindingCount;
	layout->in_buffers = in_buffers(info);
	place(layout);
	*pSetLayout = icd_descriptor_set_layout_to_handle(layout);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorSetLayout(VkDevice _device,
	VkDescriptorSetLayout layout, const VkAllocationCallbacks *pAllocator)
{
	icd_descriptor_set_layout_unref(icd_device_from_handle(_device),
		icd_descriptor_set_layout_from_handle(layout));
}

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutSupport(VkDevice _device,
	const VkDescriptorSetLayoutCreateInfo *info, VkDescriptorSetLayoutSupport *pSupport)
{
	pSupport->supported = is_supported(info, NULL);
	for (VkBaseOutStructure *s = pSupport->pNext; s; s = s->pNext)
		if (s->sType == VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_LAYOUT_SUPPORT)
			((VkDescriptorSetVariableDescriptorCountLayoutSupport *)s)->maxVariableDescriptorCount =
				most_of_variable(info);
}
