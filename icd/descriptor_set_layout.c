/* SPDX-License-Identifier: MIT */
#include "icd/descriptor_set_layout.h"

#include <string.h>
#include "icd/device.h"
#include "icd/sampler.h"
#include "isa/abi.h"

uint32_t icd_descriptor_bytes(VkDescriptorType type)
{
	switch (type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER: return ABI_DESC_SAMPLER_BYTES;
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return ABI_DESC_COMBINED_BYTES;
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT: return ABI_DESC_IMAGE_BYTES;
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC: return 0;
	default: return ABI_DESC_BUFFER_BYTES;
	}
}

uint64_t icd_binding_bytes(VkDescriptorType type, uint32_t count)
{
	if (icd_is_inline(type))
		return ICD_INLINE_DATA + (((uint64_t)count + 15) & ~15ull);
	return (uint64_t)count * icd_descriptor_bytes(type);
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
		b->stride = icd_descriptor_bytes(b->type);
		b->offset = layout->bytes;
		layout->bytes += (uint32_t)icd_binding_bytes(b->type, b->count);
	}
}

/* Offsets in a set have 32 bits, and the root table has room for so many
 * dynamic buffers. */
static bool is_supported(const VkDescriptorSetLayoutCreateInfo *info)
{
	uint64_t bytes = 0, dynamic = 0;
	for (uint32_t i = 0; i < info->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *b = &info->pBindings[i];
		bytes += icd_binding_bytes(b->descriptorType, b->descriptorCount);
		dynamic += icd_is_dynamic(b->descriptorType) ? b->descriptorCount : 0;
	}
	return bytes <= INT32_MAX && dynamic <= ABI_MAX_DYNAMIC;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorSetLayout(VkDevice _device,
	const VkDescriptorSetLayoutCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkDescriptorSetLayout *pSetLayout)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_descriptor_set_layout *layout;
	size_t samplers = 0, bytes;
	uint32_t (*s)[4];

	if (!is_supported(info))
		return icd_error(device->instance, VK_ERROR_OUT_OF_HOST_MEMORY, NULL,
			"vkCreateDescriptorSetLayout: more than vkGetDescriptorSetLayoutSupport allows");
	for (uint32_t i = 0; i < info->bindingCount; i++)
		samplers += immutable_count(&info->pBindings[i]);
	bytes = sizeof *layout + info->bindingCount * sizeof layout->binding[0];
	layout = icd_object_alloc(device, NULL, bytes + samplers * sizeof *s,
		VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT);
	if (!layout)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	atomic_init(&layout->refs, 1);
	s = (void *)((uint8_t *)layout + bytes);
	for (uint32_t i = 0; i < info->bindingCount; i++) {
		const VkDescriptorSetLayoutBinding *from = &info->pBindings[i];
		struct icd_binding *b = insert(layout, from->binding);
		b->binding = from->binding;
		b->type = from->descriptorType;
		b->count = from->descriptorCount;
		b->stages = from->stageFlags;
		if (!immutable_count(from))
			continue;
		b->immutable = (const uint32_t (*)[4])s;
		for (uint32_t n = 0; n < from->descriptorCount; n++)
			memcpy(*s++, icd_sampler_from_handle(from->pImmutableSamplers[n])->s, sizeof *s);
	}
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
	pSupport->supported = is_supported(info);
}
