/* SPDX-License-Identifier: MIT */
#include "icd/sampler.h"

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

static uint32_t filter(VkFilter f)
{
	return f == VK_FILTER_LINEAR ? S_FILTER_BILINEAR : S_FILTER_POINT;
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
	ISA_SET(s, S_XY_MAG_FILTER, filter(info->magFilter));
	ISA_SET(s, S_XY_MIN_FILTER, filter(info->minFilter));
	/* z follows x and y in each direction: the minifying filter stands for both. */
	ISA_SET(s, S_Z_FILTER, filter(info->minFilter));
	ISA_SET(s, S_MIP_FILTER, info->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR ?
		S_MIP_LINEAR : S_MIP_POINT);
	ISA_SET(s, S_BORDER_COLOR_TYPE, border(info->borderColor));
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
	icd_sampler_convert(sampler, pCreateInfo);
	*pSampler = icd_sampler_to_handle(sampler);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySampler(VkDevice _device, VkSampler sampler,
	const VkAllocationCallbacks *pAllocator)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	icd_object_free(device, pAllocator, icd_sampler_from_handle(sampler));
}
