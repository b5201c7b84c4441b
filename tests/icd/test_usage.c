/* SPDX-License-Identifier: MIT */
/* Image usage and create flags that belong to no extension of this driver: queries
 * and vkCreateImage answer for the rest, and say so. */
#include "messages.h"

enum { INVOCATION_MASK = 0x40000, USED = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
	SUBSAMPLED = 0x4000 };

static VkResult query(struct vk *vk, VkFormat format, VkImageUsageFlags usage, VkImageCreateFlags flags,
	VkImageFormatProperties *p)
{
	return IFN(vk, vkGetPhysicalDeviceImageFormatProperties)(vk->physical, format, VK_IMAGE_TYPE_2D,
		VK_IMAGE_TILING_OPTIMAL, usage, flags, p);
}

static VkResult query2(struct vk *vk, VkImageUsageFlags usage, VkImageFormatProperties *p)
{
	VkPhysicalDeviceImageFormatInfo2 info = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .type = VK_IMAGE_TYPE_2D, .usage = usage };
	VkImageFormatProperties2 properties = { .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2 };
	VkResult result = IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &info, &properties);
	*p = properties.imageFormatProperties;
	return result;
}

static VkResult create(struct vk *vk, VkImageUsageFlags usage)
{
	VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { 16, 16, 1 }, .mipLevels = 1, .arrayLayers = 1,
		.samples = 1, .usage = usage };
	VkImage image = VK_NULL_HANDLE;
	VkResult result = FN(vk, vkCreateImage)(vk->device, &info, NULL, &image);
	if (result == VK_SUCCESS)
		FN(vk, vkDestroyImage)(vk->device, image, NULL);
	return result;
}

int main(void)
{
	struct vk vk;
	struct heard heard = { 0 };
	VkImageFormatProperties want, got;
	char text[4096];
	setenv("QW_DEBUG", "1", 1);
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	OK(vk_device(&vk, NULL));
	OK(query(&vk, VK_FORMAT_R8G8B8A8_UNORM, USED, 0, &want));
	CHECK(heard.count == 0);

	struct captured captured = capture_stderr();
	VkResult result = query(&vk, VK_FORMAT_R8G8B8A8_UNORM, USED | INVOCATION_MASK, 0, &got);
	end_capture(&captured, text, sizeof text);
	OK(result);
	CHECK(!memcmp(&want, &got, sizeof want));
	CHECK(heard.count == 1 && heard.warnings == 1 && strstr(heard.text, "usage 0x40000"));
	CHECK(strstr(text, "quadwave: ") && strstr(text, "usage 0x40000"));

	/* Told once; asked a thousand times by some. */
	OK(query2(&vk, USED | INVOCATION_MASK, &got));
	CHECK(!memcmp(&want, &got, sizeof want));
	OK(create(&vk, USED | INVOCATION_MASK));
	CHECK(heard.count == 1);
	OK(query(&vk, VK_FORMAT_R8G8B8A8_UNORM, USED, SUBSAMPLED, &got));
	CHECK(heard.count == 2 && heard.warnings == 2 && strstr(heard.text, "flags 0x4000"));

	/* What is known and cannot be is refused as before, with strange bits beside it too. */
	CHECK(query(&vk, VK_FORMAT_D16_UNORM, VK_IMAGE_USAGE_STORAGE_BIT | INVOCATION_MASK, 0, &got) ==
		VK_ERROR_FORMAT_NOT_SUPPORTED);
	CHECK(query(&vk, VK_FORMAT_R8G8B8A8_UNORM, USED, VK_IMAGE_CREATE_SPARSE_BINDING_BIT, &got) ==
		VK_ERROR_FORMAT_NOT_SUPPORTED);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}
