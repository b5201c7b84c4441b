/* SPDX-License-Identifier: MIT */
/* Sample counts: which images may have which, how much memory their samples
 * take, and that everything with another count is refused. */
#include "harness.h"

static VkResult properties(struct vk *vk, VkFormat format, VkImageType type, VkImageTiling tiling,
	VkImageUsageFlags usage, VkImageCreateFlags flags, VkSampleCountFlags *counts)
{
	VkImageFormatProperties p;
	VkResult result = IFN(vk, vkGetPhysicalDeviceImageFormatProperties)(vk->physical, format, type, tiling,
		usage, flags, &p);
	*counts = p.sampleCounts;
	return result;
}

static VkSampleCountFlags counts(struct vk *vk, VkFormat format, VkImageType type, VkImageTiling tiling,
	VkImageUsageFlags usage, VkImageCreateFlags flags)
{
	VkSampleCountFlags c;
	OK(properties(vk, format, type, tiling, usage, flags, &c));
	return c;
}

static VkPhysicalDeviceLimits limits(struct vk *vk)
{
	VkPhysicalDeviceProperties p;
	IFN(vk, vkGetPhysicalDeviceProperties)(vk->physical, &p);
	return p.limits;
}

/* Table "Required Limits": 1 and 4 for all but storage images. */
static void check_limits(struct vk *vk)
{
	const VkPhysicalDeviceLimits l = limits(vk);
	const VkSampleCountFlags least = VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_4_BIT, all[] = {
		l.framebufferColorSampleCounts, l.framebufferDepthSampleCounts, l.framebufferStencilSampleCounts,
		l.framebufferNoAttachmentsSampleCounts, l.sampledImageColorSampleCounts,
		l.sampledImageIntegerSampleCounts, l.sampledImageDepthSampleCounts, l.sampledImageStencilSampleCounts };
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		CHECK((all[i] & least) == least);
	CHECK(l.storageImageSampleCounts & VK_SAMPLE_COUNT_1_BIT);
	CHECK(l.standardSampleLocations && l.maxSampleMaskWords == 1);
}

/* Section "Supported Sample Counts". */
static void check_counts(struct vk *vk)
{
	const VkSampleCountFlags many = limits(vk).framebufferColorSampleCounts;
	const VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT, color = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
		depth = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
	const VkImageTiling optimal = VK_IMAGE_TILING_OPTIMAL, linear = VK_IMAGE_TILING_LINEAR;
	const VkFormat rgba = VK_FORMAT_R8G8B8A8_UNORM;
	VkSampleCountFlags storage = counts(vk, rgba, VK_IMAGE_TYPE_2D, optimal, VK_IMAGE_USAGE_STORAGE_BIT, 0);
	CHECK(counts(vk, rgba, VK_IMAGE_TYPE_2D, optimal, sampled | color, 0) == many);
	CHECK(counts(vk, VK_FORMAT_R32G32B32A32_UINT, VK_IMAGE_TYPE_2D, optimal, color, 0) == many);
	CHECK(counts(vk, VK_FORMAT_D16_UNORM, VK_IMAGE_TYPE_2D, optimal, sampled | depth, 0) == many);
	CHECK(counts(vk, VK_FORMAT_S8_UINT, VK_IMAGE_TYPE_2D, optimal, depth, 0) == many);
	CHECK(counts(vk, VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_TYPE_2D, optimal, depth, 0) == many);
	CHECK(storage == limits(vk).storageImageSampleCounts);
	CHECK(counts(vk, rgba, VK_IMAGE_TYPE_2D, linear, color, 0) == 1);
	CHECK(counts(vk, rgba, VK_IMAGE_TYPE_1D, optimal, color, 0) == 1);
	CHECK(counts(vk, rgba, VK_IMAGE_TYPE_3D, optimal, color, 0) == 1);
	CHECK(counts(vk, rgba, VK_IMAGE_TYPE_2D, optimal, color, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) == 1);
	CHECK(counts(vk, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, VK_IMAGE_TYPE_2D, optimal, sampled, 0) == 1);
}

static VkResult create(struct vk *vk, VkFormat format, uint32_t samples, uint32_t levels, VkMemoryRequirements *req)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = format, .extent = { 61, 37, 1 }, .mipLevels = levels, .arrayLayers = 3, .samples = samples,
		.tiling = VK_IMAGE_TILING_OPTIMAL, .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	VkImage image;
	VkResult result = FN(vk, vkCreateImage)(vk->device, &info, NULL, &image);
	if (result != VK_SUCCESS)
		return result;
	FN(vk, vkGetImageMemoryRequirements)(vk->device, image, req);
	FN(vk, vkDestroyImage)(vk->device, image, NULL);
	return VK_SUCCESS;
}

static void check_images(struct vk *vk)
{
	static const struct { VkFormat format; uint32_t bytes; } formats[] = { { VK_FORMAT_R8_UNORM, 1 },
		{ VK_FORMAT_R8G8B8A8_UNORM, 4 }, { VK_FORMAT_R32G32B32A32_SFLOAT, 16 }, { VK_FORMAT_D32_SFLOAT_S8_UINT, 5 } };
	VkMemoryRequirements req;
	for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
		for (uint32_t samples = 2; samples <= 64; samples *= 2) {
			VkResult result = create(vk, formats[i].format, samples, 1, &req);
			bool known = limits(vk).framebufferColorSampleCounts & samples;
			CHECK(result == (known ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED));
			CHECK(!known || req.size >= 61u * 37 * 3 * samples * formats[i].bytes);
			CHECK(create(vk, formats[i].format, samples, 2, &req) == VK_ERROR_FORMAT_NOT_SUPPORTED);
		}
}

static void check_render_passes(struct vk *vk)
{
	for (uint32_t samples = 1; samples <= 64; samples *= 2) {
		const VkAttachmentDescription color = { .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = samples,
			.finalLayout = VK_IMAGE_LAYOUT_GENERAL };
		const VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS };
		const VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
			.attachmentCount = 1, .pAttachments = &color, .subpassCount = 1, .pSubpasses = &subpass };
		bool known = limits(vk).framebufferColorSampleCounts & samples;
		VkRenderPass pass;
		VkResult result = FN(vk, vkCreateRenderPass)(vk->device, &info, NULL, &pass);
		CHECK(result == (known ? VK_SUCCESS : VK_ERROR_FORMAT_NOT_SUPPORTED));
		if (result == VK_SUCCESS)
			FN(vk, vkDestroyRenderPass)(vk->device, pass, NULL);
	}
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
	check_limits(&vk);
	check_counts(&vk);
	check_images(&vk);
	check_render_passes(&vk);
	vk_stop(&vk);
	return 0;
}
