/* SPDX-License-Identifier: MIT */
#include "icd/sampler.h"

#include <string.h>
#include "icd/device.h"
#include "icd/ycbcr.h"
#include "isa/resource.h"

/* To fixed point with 8 fractional bits, clamped to what the field holds. */
static int32_t fixed8(float v, float lo, float hi)
{
	v = v < lo ? lo : v > hi ? hi : v;
	return (int32_t)(v * 256.0f + (v < 0.0f ? -0.5f : 0.5f));
}

static uint32_t clamp_mode(VkSamplerAddressMode mode)
{
	switch (mode) {
	case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT: return S_MIRROR;
	case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return S_CLAMP_LAST_TEXEL;
	case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: return S_CLAMP_BORDER;
	case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE: return S_MIRROR_ONCE_LAST_TEXEL;
	default: return S_WRAP;
	}
}

static uint32_t border(VkBorderColor color)
{
	switch (color) {
	case VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK:
	case VK_BORDER_COLOR_INT_OPAQUE_BLACK: return S_BORDER_OPAQUE_BLACK;
	case VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE:
	case VK_BORDER_COLOR_INT_OPAQUE_WHITE: return S_BORDER_OPAQUE_WHITE;
	default: return S_BORDER_TRANS_BLACK;
	}
}

static bool is_custom(VkBorderColor color)
{
	return color == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || color == VK_BORDER_COLOR_INT_CUSTOM_EXT;
}

/* Cubic filters are bilinear ones whose CUBIC bit is set. */
static uint32_t filter(VkFilter f, bool aniso)
{
	return (f == VK_FILTER_NEAREST ? S_FILTER_POINT : S_FILTER_BILINEAR) | (aniso ? S_FILTER_ANISO_POINT : 0);
}

/* log2, rounded down: no more probes than asked for. */
static uint32_t aniso_ratio(float max)
{
	return max >= 16.0f ? 4 : max >= 8.0f ? 3 : max >= 4.0f ? 2 : max >= 2.0f ? 1 : 0;
}

static void fill_filters(const VkSamplerCreateInfo *info, uint32_t s[4])
{
	const VkSamplerReductionModeCreateInfo *reduction = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
	const uint32_t ratio = info->anisotropyEnable ? aniso_ratio(info->maxAnisotropy) : 0;
	ISA_SET(s, S_MAX_ANISO_RATIO, ratio);
	ISA_SET(s, S_XY_MAG_FILTER, filter(info->magFilter, ratio));
	ISA_SET(s, S_XY_MIN_FILTER, filter(info->minFilter, ratio));
	ISA_SET(s, S_CUBIC_MAG, info->magFilter == VK_FILTER_CUBIC_EXT);
	ISA_SET(s, S_CUBIC_MIN, info->minFilter == VK_FILTER_CUBIC_EXT);
	/* z follows x and y in each direction: the minifying filter stands for both. */
	ISA_SET(s, S_Z_FILTER, filter(info->minFilter, false));
	ISA_SET(s, S_MIP_FILTER, info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ?
		S_MIP_LINEAR : S_MIP_POINT);
	if (reduction && reduction->reductionMode != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE)
		ISA_SET(s, S_FILTER_MODE, reduction->reductionMode == VK_SAMPLER_REDUCTION_MODE_MIN ? S_MODE_MIN : S_MODE_MAX);
}

static void fill_s(const VkSamplerCreateInfo *info, uint32_t s[4])
{
	const float max = 15.99609375f; /* u4.8 */
	ISA_SET(s, S_CLAMP_X, clamp_mode(info->addressModeU));
	ISA_SET(s, S_CLAMP_Y, clamp_mode(info->addressModeV));
	ISA_SET(s, S_CLAMP_Z, clamp_mode(info->addressModeW));
	if (info->compareEnable)
		ISA_SET(s, S_DEPTH_COMPARE_FUNC, info->compareOp);
	ISA_SET(s, S_FORCE_UNNORMALIZED, info->unnormalizedCoordinates);
	ISA_SET(s, S_MIN_LOD, (uint32_t)fixed8(info->minLod, 0.0f, max));
	ISA_SET(s, S_MAX_LOD, (uint32_t)fixed8(info->maxLod, 0.0f, max));
	ISA_SET(s, S_LOD_BIAS, (uint32_t)fixed8(info->mipLodBias, -31.0f, 31.0f) & 0x3fff);
	ISA_SET(s, S_DISABLE_CUBE_WRAP, !!(info->flags & VK_SAMPLER_CREATE_NON_SEAMLESS_CUBE_MAP_BIT_EXT));
	fill_filters(info, s);
	ISA_SET(s, S_BORDER_COLOR_TYPE, border(info->borderColor));
}

/* An entry of the table; that of a sampler which was captured has to be the same. */
static bool take_border(struct icd_device *device, const VkSamplerCreateInfo *info, struct icd_sampler *sampler)
{
	const VkSamplerCustomBorderColorCreateInfoEXT *custom = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
	const VkOpaqueCaptureDescriptorDataCreateInfoEXT *captured = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_OPAQUE_CAPTURE_DESCRIPTOR_DATA_CREATE_INFO_EXT);
	uint64_t wanted = ICD_BORDER_NONE;
	sampler->border = ICD_BORDER_NONE;
	if (!is_custom(info->borderColor) || !custom)
		return true;
	if (captured && captured->opaqueCaptureDescriptorData)
		memcpy(&wanted, captured->opaqueCaptureDescriptorData, sizeof wanted);
	sampler->border = icd_border_take(device, custom->customBorderColor.uint32, (uint32_t)wanted);
	if (sampler->border == ICD_BORDER_NONE)
		return false;
	ISA_SET(sampler->s, S_BORDER_COLOR_TYPE, S_BORDER_TABLE);
	ISA_SET(sampler->s, S_BORDER_COLOR_PTR, sampler->border);
	return true;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSampler(VkDevice _device,
	const VkSamplerCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkSampler *pSampler)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_sampler *sampler = icd_object_alloc(device, pAllocator, sizeof *sampler,
		VK_OBJECT_TYPE_SAMPLER);
	if (!sampler)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	fill_s(pCreateInfo, sampler->s);
	if (!take_border(device, pCreateInfo, sampler)) {
		icd_object_free(device, pAllocator, sampler);
		return icd_error(device->instance, VK_ERROR_OUT_OF_DEVICE_MEMORY, NULL,
			"vkCreateSampler: no entry for a custom border color; there are %d", S_BORDER_ENTRIES);
	}
	icd_sampler_convert(sampler, pCreateInfo);
	*pSampler = icd_sampler_to_handle(sampler);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySampler(VkDevice _device, VkSampler sampler,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	if (!sampler)
		return;
	icd_border_give(device, icd_sampler_from_handle(sampler)->border);
	icd_object_free(device, pAllocator, icd_sampler_from_handle(sampler));
}
