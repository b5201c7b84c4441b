/* SPDX-License-Identifier: MIT */
/* The format table: what the specification makes mandatory ("Required Format
 * Support") is there, for the formats that this driver has. */
#include "format_letters.h"
#include "harness.h"

static const struct { VkFormat format; VkFormatFeatureFlags optimal, buffer; } required[] = {
	{ VK_FORMAT_B4G4R4A4_UNORM_PACK16, S | Z | L, 0 },
	{ VK_FORMAT_A4R4G4B4_UNORM_PACK16, S | Z | L, 0 }, /* with formatA4R4G4B4 */
	{ VK_FORMAT_R5G6B5_UNORM_PACK16, S | Z | L | C | Y | B, 0 },
	{ VK_FORMAT_A1R5G5B5_UNORM_PACK16, S | Z | L | C | Y | B, 0 },
	{ VK_FORMAT_R8_UNORM, S | Z | L | C | Y | B | I, V | U },
	{ VK_FORMAT_R8_SNORM, S | Z | L, V | U },
	{ VK_FORMAT_R8_UINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R8_SINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R8G8_UNORM, S | Z | L | C | Y | B, V | U },
	{ VK_FORMAT_R8G8_SNORM, S | Z | L, V | U },
	{ VK_FORMAT_R8G8_UINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R8G8_SINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R8G8B8A8_UNORM, S | Z | L | C | Y | B | I, V | U | T },
	{ VK_FORMAT_R8G8B8A8_SNORM, S | Z | L | I, V | U | T },
	{ VK_FORMAT_R8G8B8A8_UINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R8G8B8A8_SINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R8G8B8A8_SRGB, S | Z | L | C | Y | B, 0 },
	{ VK_FORMAT_B8G8R8A8_UNORM, S | Z | L | C | Y | B, V | U },
	{ VK_FORMAT_B8G8R8A8_SRGB, S | Z | L | C | Y | B, 0 },
	{ VK_FORMAT_A8B8G8R8_UNORM_PACK32, S | Z | L | C | Y | B, V | U | T },
	{ VK_FORMAT_A8B8G8R8_SNORM_PACK32, S | Z | L, V | U | T },
	{ VK_FORMAT_A8B8G8R8_UINT_PACK32, S | Z | C | Y, V | U | T },
	{ VK_FORMAT_A8B8G8R8_SINT_PACK32, S | Z | C | Y, V | U | T },
	{ VK_FORMAT_A8B8G8R8_SRGB_PACK32, S | Z | L | C | Y | B, 0 },
	{ VK_FORMAT_A2B10G10R10_UNORM_PACK32, S | Z | L | C | Y | B, V | U },
	{ VK_FORMAT_A2B10G10R10_UINT_PACK32, S | Z | C | Y, U },
	{ VK_FORMAT_R16_UNORM, 0, V },
	{ VK_FORMAT_R16_SNORM, 0, V },
	{ VK_FORMAT_R16G16_UNORM, 0, V },
	{ VK_FORMAT_R16G16_SNORM, 0, V },
	{ VK_FORMAT_R16G16B16A16_SNORM, 0, V },
	{ VK_FORMAT_R16_UINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R16_SINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R16_SFLOAT, S | Z | L | C | Y | B, V | U },
	{ VK_FORMAT_R16G16_UINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R16G16_SINT, S | Z | C | Y, V | U },
	{ VK_FORMAT_R16G16_SFLOAT, S | Z | L | C | Y | B, V | U },
	{ VK_FORMAT_R16G16B16A16_UINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R16G16B16A16_SINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R16G16B16A16_SFLOAT, S | Z | L | C | Y | B | I, V | U | T },
	{ VK_FORMAT_R16G16B16A16_UNORM, 0, V },
	{ VK_FORMAT_R32_UINT, S | Z | C | Y | I | A, V | U | T | X },
	{ VK_FORMAT_R32_SINT, S | Z | C | Y | I | A, V | U | T | X },
	{ VK_FORMAT_R32_SFLOAT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32_UINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32_SINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32_SFLOAT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32B32_UINT, 0, V },
	{ VK_FORMAT_R32G32B32_SINT, 0, V },
	{ VK_FORMAT_R32G32B32_SFLOAT, 0, V },
	{ VK_FORMAT_R32G32B32A32_UINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32B32A32_SINT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_R32G32B32A32_SFLOAT, S | Z | C | Y | I, V | U | T },
	{ VK_FORMAT_B10G11R11_UFLOAT_PACK32, S | Z | L, U },
	{ VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, S | Z | L, 0 },
	{ VK_FORMAT_D16_UNORM, S | Z | D, 0 },
	{ VK_FORMAT_X8_D24_UNORM_PACK32, S | Z | D, 0 },
	{ VK_FORMAT_D24_UNORM_S8_UINT, S | Z | D, 0 },
	{ VK_FORMAT_D32_SFLOAT, S | Z | D, 0 },
	{ VK_FORMAT_D32_SFLOAT_S8_UINT, D, 0 },
	/* shaderStorageImageExtendedFormats */
	{ VK_FORMAT_R16G16_SFLOAT, I, 0 }, { VK_FORMAT_B10G11R11_UFLOAT_PACK32, I, 0 },
	{ VK_FORMAT_R16_SFLOAT, I, 0 }, { VK_FORMAT_R16G16B16A16_UNORM, I, 0 },
	{ VK_FORMAT_A2B10G10R10_UNORM_PACK32, I, 0 }, { VK_FORMAT_R16G16_UNORM, I, 0 },
	{ VK_FORMAT_R8G8_UNORM, I, 0 }, { VK_FORMAT_R16_UNORM, I, 0 }, { VK_FORMAT_R8_UNORM, I, 0 },
	{ VK_FORMAT_R16G16B16A16_SNORM, I, 0 }, { VK_FORMAT_R16G16_SNORM, I, 0 },
	{ VK_FORMAT_R8G8_SNORM, I, 0 }, { VK_FORMAT_R16_SNORM, I, 0 }, { VK_FORMAT_R8_SNORM, I, 0 },
	{ VK_FORMAT_R16G16_SINT, I, 0 }, { VK_FORMAT_R8G8_SINT, I, 0 }, { VK_FORMAT_R16_SINT, I, 0 },
	{ VK_FORMAT_R8_SINT, I, 0 }, { VK_FORMAT_A2B10G10R10_UINT_PACK32, I, 0 },
	{ VK_FORMAT_R16G16_UINT, I, 0 }, { VK_FORMAT_R8G8_UINT, I, 0 }, { VK_FORMAT_R16_UINT, I, 0 },
	{ VK_FORMAT_R8_UINT, I, 0 },
};

/* Of the formats that need a conversion these two are mandatory; ours can all do the same. */
static void check_ycbcr(struct vk *vk)
{
	const VkFormatFeatureFlags all = S | L | VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT |
		VK_FORMAT_FEATURE_COSITED_CHROMA_SAMPLES_BIT | VK_FORMAT_FEATURE_MIDPOINT_CHROMA_SAMPLES_BIT |
		VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |
		VK_FORMAT_FEATURE_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT;
	VkSamplerYcbcrConversionImageFormatProperties count = {
		.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES };
	VkImageFormatProperties2 two = { .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &count };
	for (VkFormat f = VK_FORMAT_G8B8G8R8_422_UNORM; f <= VK_FORMAT_G16_B16R16_2PLANE_444_UNORM; f++) {
		if (f > VK_FORMAT_G16_B16_R16_3PLANE_444_UNORM && f < VK_FORMAT_G8_B8R8_2PLANE_444_UNORM)
			f = VK_FORMAT_G8_B8R8_2PLANE_444_UNORM;
		VkPhysicalDeviceImageFormatInfo2 info = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
			.format = f, .type = VK_IMAGE_TYPE_2D, .usage = VK_IMAGE_USAGE_SAMPLED_BIT };
		VkFormatProperties p;
		IFN(vk, vkGetPhysicalDeviceFormatProperties)(vk->physical, f, &p);
		CHECK((p.optimalTilingFeatures & S) && p.optimalTilingFeatures == p.linearTilingFeatures, "format %d", f);
		CHECK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &info, &two) == VK_SUCCESS, "format %d", f);
		CHECK((p.optimalTilingFeatures & all) == all, "format %d: 0x%x", f, p.optimalTilingFeatures);
		if (f == VK_FORMAT_R10X6_UNORM_PACK16 || f == VK_FORMAT_R10X6G10X6_UNORM_2PACK16 ||
			f == VK_FORMAT_R12X4_UNORM_PACK16 || f == VK_FORMAT_R12X4G12X4_UNORM_2PACK16 ||
			f == VK_FORMAT_R10X6G10X6B10X6A10X6_UNORM_4PACK16)
			continue;
		CHECK(two.imageFormatProperties.maxMipLevels == 1 && two.imageFormatProperties.sampleCounts == 1);
		CHECK(count.combinedImageSamplerDescriptorCount >= 1 && count.combinedImageSamplerDescriptorCount <= 3);
		info.usage |= VK_IMAGE_USAGE_STORAGE_BIT;
		CHECK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &info, &two) ==
			VK_ERROR_FORMAT_NOT_SUPPORTED);
	}
}

/* What has a feature can be copied from and to ("Format Features", since 1.1). */
static void check_copies(struct vk *vk)
{
	const VkFormatFeatureFlags copies = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
	for (VkFormat f = VK_FORMAT_UNDEFINED; f <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; f++) {
		VkFormatProperties p;
		IFN(vk, vkGetPhysicalDeviceFormatProperties)(vk->physical, f, &p);
		CHECK(!p.optimalTilingFeatures || (p.optimalTilingFeatures & copies) == copies, "format %d", f);
		CHECK(!p.linearTilingFeatures || (p.linearTilingFeatures & copies) == copies, "format %d", f);
	}
}

static void check_required(struct vk *vk)
{
	for (unsigned i = 0; i < sizeof required / sizeof required[0]; i++) {
		VkFormatProperties p;
		IFN(vk, vkGetPhysicalDeviceFormatProperties)(vk->physical, required[i].format, &p);
		if ((p.optimalTilingFeatures & required[i].optimal) != required[i].optimal ||
			(p.bufferFeatures & required[i].buffer) != required[i].buffer) {
			fprintf(stderr, "format %d: optimal 0x%x, buffer 0x%x\n", required[i].format,
				p.optimalTilingFeatures, p.bufferFeatures);
			exit(1);
		}
	}
}

/* Formats that are not ours say so in every query. */
static void check_refused(struct vk *vk)
{
	const VkFormat none[] = { VK_FORMAT_PVRTC1_2BPP_UNORM_BLOCK_IMG, VK_FORMAT_PVRTC2_4BPP_SRGB_BLOCK_IMG,
		VK_FORMAT_UNDEFINED };
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
		VkFormatProperties p;
		VkImageFormatProperties ip;
		IFN(vk, vkGetPhysicalDeviceFormatProperties)(vk->physical, none[i], &p);
		CHECK(!p.optimalTilingFeatures && !p.linearTilingFeatures && !p.bufferFeatures);
		CHECK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties)(vk->physical, none[i],
			VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0, &ip) ==
			VK_ERROR_FORMAT_NOT_SUPPORTED);
	}
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
	check_required(&vk);
	check_copies(&vk);
	check_ycbcr(&vk);
	check_refused(&vk);
	vk_stop(&vk);
	return 0;
}
