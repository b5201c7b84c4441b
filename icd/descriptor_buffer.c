/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_buffer: sets in memory that applications fill.  What is in it is what
 * pools have (isa/abi.h), and the root table names it as it names theirs. */
#include <assert.h>
#include <string.h>
#include "icd/buffer.h"
#include "icd/buffer_view.h"
#include "icd/cmd.h"
#include "icd/descriptor_set.h"
#include "icd/format.h"
#include "icd/image.h"
#include "icd/sampler.h"
#include "isa/resource.h"

/* --- layouts --- */

VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutSizeEXT(VkDevice device, VkDescriptorSetLayout layout,
	VkDeviceSize *pLayoutSizeInBytes)
{
	*pLayoutSizeInBytes = icd_descriptor_set_layout_from_handle(layout)->bytes;
}

/* Of a binding that the layout does not have: 0. */
VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorSetLayoutBindingOffsetEXT(VkDevice device, VkDescriptorSetLayout layout,
	uint32_t binding, VkDeviceSize *pOffset)
{
	const struct icd_binding *b = icd_layout_binding(icd_descriptor_set_layout_from_handle(layout), binding);
	*pOffset = b ? b->offset + b->head : 0;
}

/* --- descriptors --- */

/* NULL, or address 0: the null descriptor. */
static void buffer_descriptor(VkDescriptorType type, const VkDescriptorAddressInfoEXT *info, uint32_t v[4])
{
	const bool texels = type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER || type == VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER;
	const struct icd_format *f = info && texels ? icd_format_get(info->format) : NULL;
	if (!info || !info->address || (texels && (!f || !f->buffer)))
		return;
	if (texels)
		icd_texel_v(info->address, info->range, f, v);
	else
		isa_raw_v(info->address, info->range, v);
}

/* No more than `size` bytes are written; types that no descriptor has are null. */
VKAPI_ATTR void VKAPI_CALL icd_GetDescriptorEXT(VkDevice device, const VkDescriptorGetInfoEXT *info, size_t size,
	void *pDescriptor)
{
	uint8_t d[ABI_DESC_YCBCR_BYTES] = { 0 };
	uint32_t v[4] = { 0 };
	VkDescriptorImageInfo sampler = { 0 };
	switch (info->type) {
	case VK_DESCRIPTOR_TYPE_SAMPLER:
		if (info->data.pSampler)
			sampler.sampler = *info->data.pSampler;
		icd_image_descriptor(info->type, &sampler, false, d, sizeof d);
		break;
	case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
	case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
	case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
	case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
		if (info->data.pSampledImage) /* all of them pointers to the same */
			icd_image_descriptor(info->type, info->data.pSampledImage, false, d, sizeof d);
		break;
	case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
	case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
	case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
		buffer_descriptor(info->type, info->data.pUniformBuffer, v);
		memcpy(d, v, sizeof v);
		break;
	default:
		break;
	}
	memcpy(pDescriptor, d, size < sizeof d ? size : sizeof d);
}

/* --- commands --- */

/* Those beyond the limit are left out. */
VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorBuffersEXT(VkCommandBuffer _cmd, uint32_t count,
	const VkDescriptorBufferBindingInfoEXT *infos)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < ICD_MAX_DESCRIPTOR_BUFFERS; i++)
		cmd->state.descriptor_buffer[i] = i < count ? infos[i].address : 0;
}

/* Sets that the layout does not have are left out, and those in buffers that are not bound. */
VKAPI_ATTR void VKAPI_CALL icd_CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer _cmd, VkPipelineBindPoint point,
	VkPipelineLayout _layout, uint32_t first, uint32_t count, const uint32_t *buffers, const VkDeviceSize *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline_layout, layout, _layout);
	struct icd_bind_state *bind = icd_bind_state(cmd, point);
	bind->dirty_root = ~0u;
	for (uint32_t i = 0; i < count && first < layout->set_count && i < layout->set_count - first; i++)
		if (buffers[i] < ICD_MAX_DESCRIPTOR_BUFFERS && cmd->state.descriptor_buffer[buffers[i]])
			bind->set[first + i] = cmd->state.descriptor_buffer[buffers[i]] + offsets[i];
}

/* A set beside the stream, with what its layout knows. */
VKAPI_ATTR void VKAPI_CALL icd_CmdBindDescriptorBufferEmbeddedSamplersEXT(VkCommandBuffer _cmd,
	VkPipelineBindPoint point, VkPipelineLayout _layout, uint32_t number)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline_layout, layout, _layout);
	struct icd_bind_state *bind = icd_bind_state(cmd, point);
	if (number >= layout->set_count)
		return;
	struct icd_descriptor_set set = { .layout = layout->set[number], .bytes = layout->set[number]->bytes };
	set.memory = icd_stream_data(&cmd->stream, set.bytes + 1, 64);
	if (!set.memory)
		return;
	icd_descriptor_set_write_fixed(&set);
	bind->set[number] = icd_address(set.memory);
	bind->dirty_root = ~0u;
}

/* --- capture --- */

/* What a descriptor says of an object follows from its address, which is captured with the
 * memory (vkGetDeviceMemoryOpaqueCaptureAddress), and from how it was created. */
static VkResult capture(uint64_t address, void *data)
{
	static_assert(sizeof address == ICD_CAPTURE_BYTES, "capture data is an address");
	memcpy(data, &address, sizeof address);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetBufferOpaqueCaptureDescriptorDataEXT(VkDevice device,
	const VkBufferCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
	return capture(icd_buffer_from_handle(pInfo->buffer)->address, pData);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetImageOpaqueCaptureDescriptorDataEXT(VkDevice device,
	const VkImageCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
	return capture(icd_image_from_handle(pInfo->image)->address, pData);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetImageViewOpaqueCaptureDescriptorDataEXT(VkDevice device,
	const VkImageViewCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
	return capture(0, pData);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSamplerOpaqueCaptureDescriptorDataEXT(VkDevice device,
	const VkSamplerCaptureDescriptorDataInfoEXT *pInfo, void *pData)
{
	return capture(icd_sampler_from_handle(pInfo->sampler)->border, pData);
}
