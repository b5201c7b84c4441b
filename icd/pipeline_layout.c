/* SPDX-License-Identifier: MIT */
#include "icd/pipeline_layout.h"

#include "icd/device.h"

void icd_pipeline_layout_ref(struct icd_pipeline_layout *layout)
{
	atomic_fetch_add_explicit(&layout->refs, 1, memory_order_relaxed);
}

void icd_pipeline_layout_unref(struct icd_device *device, struct icd_pipeline_layout *layout)
{
	if (!layout || atomic_fetch_sub_explicit(&layout->refs, 1, memory_order_acq_rel) != 1)
		return;
	for (uint32_t i = 0; i < layout->set_count; i++)
		icd_descriptor_set_layout_unref(device, layout->set[i]);
	icd_object_free(device, NULL, layout);
}

static void hash_set(struct icd_hash *h, const struct icd_descriptor_set_layout *set)
{
	icd_hash_u32(h, set->binding_count);
	icd_hash_u32(h, set->variable);
	for (uint32_t i = 0; i < set->binding_count; i++) {
		const struct icd_binding *b = &set->binding[i];
		icd_hash_u32(h, b->binding);
		icd_hash_u32(h, b->type);
		icd_hash_u32(h, b->count);
		icd_hash_u32(h, b->offset);
		icd_hash_u32(h, b->head);
		icd_hash_u32(h, b->dynamic);
		icd_hash_u32(h, b->stride);
		icd_hash_u32(h, b->ycbcr != NULL);
		if (b->ycbcr)
			icd_hash_add(h, b->ycbcr, b->count * sizeof *b->ycbcr);
	}
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineLayout(VkDevice _device,
	const VkPipelineLayoutCreateInfo *info, const VkAllocationCallbacks *pAllocator,
	VkPipelineLayout *pPipelineLayout)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_pipeline_layout *layout;
	struct icd_hash hash;
	uint64_t dynamic = 0, push = 0;

	if (info->setLayoutCount > ABI_MAX_SETS)
		return icd_error(device->instance, VK_ERROR_UNKNOWN, NULL,
			"vkCreatePipelineLayout: %u sets, maxBoundDescriptorSets is %d",
			info->setLayoutCount, ABI_MAX_SETS);
	layout = icd_object_alloc(device, NULL, sizeof *layout, VK_OBJECT_TYPE_PIPELINE_LAYOUT);
	if (!layout)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	atomic_init(&layout->refs, 1);
	icd_hash_init(&hash, "quadwave pipeline layout");
	icd_hash_u32(&hash, info->setLayoutCount);
	layout->set_count = info->setLayoutCount;
	for (uint32_t i = 0; i < info->setLayoutCount; i++) {
		struct icd_descriptor_set_layout *set =
			icd_descriptor_set_layout_from_handle(info->pSetLayouts[i]);
		layout->set[i] = set;
		icd_descriptor_set_layout_ref(set);
		layout->dynamic_base[i] = (uint32_t)dynamic;
		dynamic += set->dynamic_count;
		hash_set(&hash, set);
	}
	for (uint32_t i = 0; i < info->pushConstantRangeCount; i++) {
		const VkPushConstantRange *r = &info->pPushConstantRanges[i];
		if ((uint64_t)r->offset + r->size > push)
			push = (uint64_t)r->offset + r->size;
	}
	icd_hash_finish(&hash, layout->hash);
	layout->dynamic_count = (uint32_t)dynamic;
	layout->push_bytes = (uint32_t)push;
	if (dynamic > ABI_MAX_DYNAMIC || push > ABI_PUSH_BYTES) {
		icd_pipeline_layout_unref(device, layout);
		return icd_error(device->instance, VK_ERROR_UNKNOWN, NULL,
			"vkCreatePipelineLayout: more dynamic buffers or push constants than the limits");
	}
	*pPipelineLayout = icd_pipeline_layout_to_handle(layout);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipelineLayout(VkDevice _device, VkPipelineLayout layout,
	const VkAllocationCallbacks *pAllocator)
{
	icd_pipeline_layout_unref(icd_device_from_handle(_device),
		icd_pipeline_layout_from_handle(layout));
}
