/* SPDX-License-Identifier: MIT */
#include "icd/ycbcr.h"

#include <string.h>
#include "icd/device.h"
#include "icd/format.h"
#include "isa/resource.h"

/* Where a channel of the image comes from: plane and component as icd_ycbcr_format has its views, which give
 * constants where a format lacks a component. */
static uint8_t channel_of(const struct icd_ycbcr_format *f, unsigned c)
{
	static const uint8_t of_planes[4][4] = { [2] = { 4 + 1, 0, 4, COMPILER_YCBCR_ONE }, [3] = { 8, 0, 4, COMPILER_YCBCR_ONE } };
	return !f || f->views < 2 ? (uint8_t)c : of_planes[f->views][c];
}

static uint8_t bits_of(const struct icd_format *f, unsigned c)
{
	if (f->ycbcr)
		return f->ycbcr->bits;
	switch (f->color.dfmt) {
	case DFMT_8: case DFMT_8_8: case DFMT_8_8_8: case DFMT_8_8_8_8: return 8;
	case DFMT_2_10_10_10: return c == 3 ? 2 : 10;
	case DFMT_5_6_5: return c == 1 ? 6 : 5;
	case DFMT_1_5_5_5: case DFMT_5_5_5_1: return c == 3 ? 1 : 5;
	case DFMT_4_4_4_4: return 4;
	default: return f->color.nfmt == NFMT_UNORM_10 ? 10 : f->color.nfmt == NFMT_UNORM_12 ? 12 : 16;
	}
}

/* The component that a mapping takes for channel c, or 4: 0, 5: 1. */
static unsigned mapped(VkComponentSwizzle s, unsigned c)
{
	switch (s) {
	case VK_COMPONENT_SWIZZLE_ZERO: return 4;
	case VK_COMPONENT_SWIZZLE_ONE: return 5;
	case VK_COMPONENT_SWIZZLE_IDENTITY: return c;
	default: return (unsigned)s - VK_COMPONENT_SWIZZLE_R;
	}
}

static struct compiler_ycbcr convert(const VkSamplerYcbcrConversionCreateInfo *info, const struct icd_format *f)
{
	const VkComponentSwizzle map[4] = { info->components.r, info->components.g, info->components.b, info->components.a };
	struct compiler_ycbcr y = { .planes = f->ycbcr ? f->ycbcr->views : 1, .model = (uint8_t)info->ycbcrModel,
		.narrow = info->ycbcrRange == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW, .half = f->ycbcr ? f->ycbcr->half : 0,
		.cosited = (info->xChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN) |
			(info->yChromaOffset == VK_CHROMA_LOCATION_COSITED_EVEN) << 1,
		.expl = (uint8_t)info->forceExplicitReconstruction, .chroma_linear = info->chromaFilter == VK_FILTER_LINEAR };
	for (unsigned c = 0; c < 4; c++) {
		unsigned from = mapped(map[c], c);
		y.source[c] = from < 4 ? channel_of(f->ycbcr, from) : from == 4 ? COMPILER_YCBCR_ZERO : COMPILER_YCBCR_ONE;
		y.bits[c] = bits_of(f, from < 4 ? from : c);
	}
	y.cosited &= y.half; /* equal conversions are equal bytes */
	y.expl &= y.half != 0;
	y.chroma_linear &= y.expl;
	return y;
}

void icd_sampler_convert(struct icd_sampler *sampler, const VkSamplerCreateInfo *info)
{
	const VkSamplerYcbcrConversionInfo *with =
		icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
	const struct icd_ycbcr_conversion *conversion = with ? icd_ycbcr_conversion_from_handle(with->conversion) : NULL;
	if (!conversion)
		return;
	sampler->ycbcr = conversion->ycbcr;
	sampler->ycbcr.linear = sampler->ycbcr.expl && info->magFilter == VK_FILTER_LINEAR;
	memcpy(sampler->chroma_s, sampler->s, sizeof sampler->s);
	if (!sampler->ycbcr.half)
		return;
	uint32_t filter = conversion->chroma_filter == VK_FILTER_LINEAR ? S_FILTER_BILINEAR : S_FILTER_POINT;
	ISA_SET(sampler->chroma_s, S_XY_MAG_FILTER, filter);
	ISA_SET(sampler->chroma_s, S_XY_MIN_FILTER, filter);
}

uint32_t icd_sampler_bytes(const struct icd_sampler *sampler)
{
	return sampler->ycbcr.planes > 1 ? ABI_DESC_YCBCR_BYTES : ABI_DESC_COMBINED_BYTES;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateSamplerYcbcrConversion(VkDevice _device,
	const VkSamplerYcbcrConversionCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
	VkSamplerYcbcrConversion *pConversion)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const struct icd_format *f = icd_format_get(pCreateInfo->format);
	struct icd_ycbcr_conversion *conversion;
	*pConversion = VK_NULL_HANDLE;
	if (!f || !f->optimal || pCreateInfo->ycbcrModel > VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020)
		return icd_error(device->instance, VK_ERROR_UNKNOWN, NULL,
			"vkCreateSamplerYcbcrConversion: no conversion of format %d with model %d", pCreateInfo->format,
			pCreateInfo->ycbcrModel);
	conversion = icd_object_alloc(device, pAllocator, sizeof *conversion, VK_OBJECT_TYPE_SAMPLER_YCBCR_CONVERSION);
	if (!conversion)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	conversion->ycbcr = convert(pCreateInfo, f);
	conversion->chroma_filter = pCreateInfo->chromaFilter;
	*pConversion = icd_ycbcr_conversion_to_handle(conversion);
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroySamplerYcbcrConversion(VkDevice _device,
	VkSamplerYcbcrConversion conversion, const VkAllocationCallbacks *pAllocator)
{
	icd_object_free(icd_device_from_handle(_device), pAllocator, icd_ycbcr_conversion_from_handle(conversion));
}
