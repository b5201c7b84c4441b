/* SPDX-License-Identifier: MIT */
/* Small extensions, each by what it does: map_memory2, zero_initialize_device_memory, KHR names of what was EXT,
 * image_compression_control, the usage of attachment_feedback_loop_layout. */
#include "harness.h"
#include "icd_newer.h"

enum { BYTES = 1 << 16 };

static VkDeviceMemory allocate(struct vk *vk, VkMemoryAllocateFlags flags)
{
	VkMemoryAllocateFlagsInfo chain = { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, NULL, flags, 0 };
	VkMemoryAllocateInfo info = { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &chain, BYTES, 0 };
	VkDeviceMemory memory;
	OK(FN(vk, vkAllocateMemory)(vk->device, &info, NULL, &memory));
	return memory;
}

/* The words of BYTES / 2 from the middle that are not 0. */
static unsigned dirty(struct vk *vk, VkDeviceMemory memory)
{
	VkMemoryMapInfoKHR info = { VK_STRUCTURE_TYPE_MEMORY_MAP_INFO_KHR, NULL, 0, memory, BYTES / 2, BYTES / 2 };
	VkMemoryUnmapInfoKHR done = { VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO_KHR, NULL, 0, memory };
	unsigned count = 0;
	void *half, *whole;
	OK(FN(vk, vkMapMemory2KHR)(vk->device, &info, &half));
	for (unsigned i = 0; i < BYTES / 8; i++)
		count += ((const uint32_t *)half)[i] != 0;
	OK(FN(vk, vkUnmapMemory2KHR)(vk->device, &done));
	OK(FN(vk, vkMapMemory)(vk->device, memory, 0, VK_WHOLE_SIZE, 0, &whole));
	CHECK((char *)half == (char *)whole + BYTES / 2);
	FN(vk, vkUnmapMemory)(vk->device, memory);
	FN(vk, vkFreeMemory)(vk->device, memory, NULL);
	return count;
}

/* Under QW_POISON, which fills what nobody asked to be zero. */
static void memory(struct vk *vk)
{
	CHECK(dirty(vk, allocate(vk, 0)) == BYTES / 8);
	CHECK(dirty(vk, allocate(vk, VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT)) == 0);
}

static void clocks(struct vk *vk)
{
	VkTimeDomainKHR domains[8];
	uint32_t count = 8;
	uint64_t value[2], deviation;
	OK(IFN(vk, vkGetPhysicalDeviceCalibrateableTimeDomainsKHR)(vk->physical, &count, domains));
	CHECK(count >= 2);
	VkCalibratedTimestampInfoKHR info = { VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_KHR, NULL, domains[0] };
	for (int i = 0; i < 2; i++)
		OK(FN(vk, vkGetCalibratedTimestampsKHR)(vk->device, 1, &info, &value[i], &deviation));
	CHECK(value[1] >= value[0] && value[0]);
}

static void divisors(struct vk *vk)
{
	VkPhysicalDeviceVertexAttributeDivisorPropertiesEXT old = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_EXT };
	VkPhysicalDeviceVertexAttributeDivisorPropertiesKHR is = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_ATTRIBUTE_DIVISOR_PROPERTIES_KHR, &old };
	VkPhysicalDeviceProperties2 p = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &is };
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &p);
	CHECK(is.maxVertexAttribDivisor == UINT32_MAX && old.maxVertexAttribDivisor == UINT32_MAX);
	CHECK(is.supportsNonZeroFirstInstance);
}

/* A target that is sampled while it is drawn to; like every image it is not compressed. */
static void images(struct vk *vk)
{
	VkPhysicalDeviceImageFormatInfo2 ask = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .type = VK_IMAGE_TYPE_2D, .tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
			VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT };
	VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = ask.type, .format = ask.format,
		.extent = { 16, 8, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT, .usage = ask.usage };
	VkImageCompressionPropertiesEXT compressed[2] = { { VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT, NULL, 9, 9 },
		{ VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT, NULL, 9, 9 } };
	VkImageFormatProperties2 told = { .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &compressed[0] };
	VkSubresourceLayout2EXT layout = { VK_STRUCTURE_TYPE_SUBRESOURCE_LAYOUT_2_EXT, &compressed[1], { 0 } };
	VkImageSubresource2EXT which = { VK_STRUCTURE_TYPE_IMAGE_SUBRESOURCE_2_EXT, NULL, { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 } };
	VkImage image;
	OK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &ask, &told));
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &image));
	FN(vk, vkGetImageSubresourceLayout2EXT)(vk->device, image, &which, &layout);
	CHECK(layout.subresourceLayout.size == 16 * 8 * 4);
	for (int i = 0; i < 2; i++)
		CHECK(compressed[i].imageCompressionFlags == VK_IMAGE_COMPRESSION_DISABLED_EXT &&
			!compressed[i].imageCompressionFixedRateFlags);
	FN(vk, vkDestroyImage)(vk->device, image, NULL);
	ask.format = info.format = VK_FORMAT_R8G8B8A8_SSCALED; /* which cannot be a target */
	ask.usage = VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT;
	CHECK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &ask, &told) == VK_ERROR_FORMAT_NOT_SUPPORTED);
}

/* "vkGetDeviceProcAddr": a command of an extension that is enabled has an address, whatever its features are. */
static void addresses(struct vk *vk)
{
	static const char *const names[] = { "vkCmdSetRasterizationSamplesEXT", "vkCmdSetAlphaToOneEnableEXT",
		"vkCmdSetTessellationDomainOriginEXT", "vkCmdSetLineStippleEnableEXT", "vkCmdSetLineStippleEXT",
		"vkCmdSetLineStippleKHR", "vkCmdSetAttachmentFeedbackLoopEnableEXT", "vkGetDeviceFaultInfoEXT" };
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		EXPECT(vk->get_device(vk->device, names[i]), "%s", names[i]);
}

int main(void)
{
	static const char *const names[] = { "VK_EXT_extended_dynamic_state3", "VK_EXT_line_rasterization",
		"VK_KHR_line_rasterization", "VK_EXT_attachment_feedback_loop_dynamic_state", "VK_EXT_device_fault",
		"VK_KHR_map_memory2", "VK_EXT_zero_initialize_device_memory", "VK_KHR_calibrated_timestamps",
		"VK_KHR_vertex_attribute_divisor", "VK_EXT_image_compression_control",
		"VK_EXT_attachment_feedback_loop_layout" };
	struct vk vk;
	setenv("QW_POISON", "1", 1);
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, names, sizeof names / sizeof names[0]));
	memory(&vk);
	clocks(&vk);
	divisors(&vk);
	images(&vk);
	addresses(&vk);
	vk_stop(&vk);
	return failures != 0;
}
