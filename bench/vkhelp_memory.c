/* SPDX-License-Identifier: MIT */
/* Buffers, images and the copies between them. */
#include "bench/vkhelp.h"

#include <stdlib.h>
#include <string.h>

static VkDeviceMemory allocate(struct vh *h, const VkMemoryRequirements *needs, VkMemoryPropertyFlags flags,
	bool addressed)
{
	const VkMemoryAllocateFlagsInfo by_address = { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT };
	for (uint32_t i = 0; i < h->memory.memoryTypeCount; i++) {
		const VkMemoryAllocateInfo info = { VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
			.pNext = addressed ? &by_address : NULL, .allocationSize = needs->size, .memoryTypeIndex = i };
		VkDeviceMemory memory;
		if (!(needs->memoryTypeBits >> i & 1) || (h->memory.memoryTypes[i].propertyFlags & flags) != flags)
			continue;
		vh_check(vkAllocateMemory(h->device, &info, NULL, &memory), "vkAllocateMemory");
		vh_keep(h, VK_OBJECT_TYPE_DEVICE_MEMORY, (uint64_t)memory);
		return memory;
	}
	vh_lacks("a memory type with flags 0x%x", (unsigned)flags);
}

struct vh_buffer vh_make_buffer(struct vh *h, VkDeviceSize size, VkBufferUsageFlags usage, const void *data)
{
	const VkBufferCreateInfo info = { VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size, .usage = usage };
	struct vh_buffer b = { .size = size };
	VkMemoryRequirements needs;
	vh_check(vkCreateBuffer(h->device, &info, NULL, &b.handle), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(h->device, b.handle, &needs);
	/* Memory is remembered before the buffer, so it is freed after it. */
	VkDeviceMemory memory = allocate(h, &needs,
		VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
		usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
	vh_keep(h, VK_OBJECT_TYPE_BUFFER, (uint64_t)b.handle);
	vh_check(vkBindBufferMemory(h->device, b.handle, memory, 0), "vkBindBufferMemory");
	vh_check(vkMapMemory(h->device, memory, 0, VK_WHOLE_SIZE, 0, &b.map), "vkMapMemory");
	if (data)
		memcpy(b.map, data, size);
	else
		memset(b.map, 0, size);
	return b;
}

struct vh_buffer vh_make_addressed(struct vh *h, VkDeviceSize size, VkBufferUsageFlags usage, const void *data,
	VkDeviceAddress *address)
{
	/* The loader of an older Vulkan does not export it. */
	const PFN_vkGetBufferDeviceAddress get =
		(PFN_vkGetBufferDeviceAddress)vkGetDeviceProcAddr(h->device, "vkGetBufferDeviceAddress");
	const struct vh_buffer b = vh_make_buffer(h, size, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, data);
	const VkBufferDeviceAddressInfo info = { VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = b.handle };
	if (!get)
		vh_fail("no vkGetBufferDeviceAddress");
	*address = get(h->device, &info);
	return b;
}

static VkImageAspectFlags aspect_of(VkFormat format)
{
	switch (format) {
	case VK_FORMAT_D16_UNORM:
	case VK_FORMAT_D32_SFLOAT:
	case VK_FORMAT_X8_D24_UNORM_PACK32:
		return VK_IMAGE_ASPECT_DEPTH_BIT;
	case VK_FORMAT_D16_UNORM_S8_UINT:
	case VK_FORMAT_D24_UNORM_S8_UINT:
	case VK_FORMAT_D32_SFLOAT_S8_UINT:
		return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
	case VK_FORMAT_S8_UINT:
		return VK_IMAGE_ASPECT_STENCIL_BIT;
	default:
		return VK_IMAGE_ASPECT_COLOR_BIT;
	}
}

VkImageView vh_make_view(struct vh *h, const struct vh_image *image, VkImageViewType type,
	const VkImageSubresourceRange *range)
{
	const VkImageViewCreateInfo info = { VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image->handle,
		.viewType = type, .format = image->format, .subresourceRange = *range };
	VkImageView view;
	vh_check(vkCreateImageView(h->device, &info, NULL, &view), "vkCreateImageView");
	vh_keep(h, VK_OBJECT_TYPE_IMAGE_VIEW, (uint64_t)view);
	return view;
}

struct vh_image vh_make_image(struct vh *h, const struct vh_image_info *want)
{
	struct vh_image image = { .format = want->format, .aspect = aspect_of(want->format), .width = want->width,
		.height = want->height, .depth = want->depth ? want->depth : 1, .levels = want->levels ? want->levels : 1,
		.layers = want->layers ? want->layers : 1, .samples = want->samples ? want->samples : 1 };
	const VkImageCreateInfo info = { VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .flags = want->flags,
		.imageType = want->depth ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D, .format = want->format, .extent = { want->width, want->height, image.depth },
		.mipLevels = image.levels, .arrayLayers = image.layers, .samples = image.samples,
		.tiling = VK_IMAGE_TILING_OPTIMAL, .usage = want->usage };
	const VkImageUsageFlags viewed = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
		VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
		VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
	VkMemoryRequirements needs;
	vh_check(vkCreateImage(h->device, &info, NULL, &image.handle), "vkCreateImage");
	vkGetImageMemoryRequirements(h->device, image.handle, &needs);
	VkDeviceMemory memory = allocate(h, &needs, 0, false);
	vh_keep(h, VK_OBJECT_TYPE_IMAGE, (uint64_t)image.handle);
	vh_check(vkBindImageMemory(h->device, image.handle, memory, 0), "vkBindImageMemory");
	if (want->usage & viewed) {
		const VkImageSubresourceRange all = { image.aspect, 0, image.levels, 0, image.layers };
		image.view = vh_make_view(h, &image, want->view_type ? want->view_type : VK_IMAGE_VIEW_TYPE_2D, &all);
	}
	return image;
}

bool vh_format_can(const struct vh *h, VkFormat format, VkFormatFeatureFlags features)
{
	VkFormatProperties has;
	vkGetPhysicalDeviceFormatProperties(h->gpu, format, &has);
	return (has.optimalTilingFeatures & features) == features;
}

void vh_transition(VkCommandBuffer commands, const struct vh_image *image, VkImageLayout before, VkImageLayout after)
{
	const VkImageMemoryBarrier barrier = { VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.oldLayout = before, .newLayout = after,
		.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
		.image = image->handle, .subresourceRange = { image->aspect, 0, image->levels, 0, image->layers } };
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
		0, NULL, 0, NULL, 1, &barrier);
}

void vh_upload(struct vh *h, const struct vh_image *image, uint32_t level, uint32_t layer, const void *texels,
	size_t size, VkImageLayout before, VkImageLayout after)
{
	size_t mark = h->object_count;
	struct vh_buffer staging = vh_make_buffer(h, size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texels);
	const VkBufferImageCopy region = { .imageSubresource = { image->aspect, level, layer, 1 },
		.imageExtent = { image->width >> level, image->height >> level, image->depth } };
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_transition(commands, image, before, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdCopyBufferToImage(commands, staging.handle, image->handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
		&region);
	vh_transition(commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, after);
	vh_finish(h, commands);
	vh_release(h, mark);
}

void vh_download(struct vh *h, const struct vh_image *image, VkImageAspectFlags aspect, void *texels, size_t size)
{
	size_t mark = h->object_count;
	struct vh_buffer staging = vh_make_buffer(h, size, VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL);
	const VkBufferImageCopy region = { .imageSubresource = { aspect, 0, 0, 1 },
		.imageExtent = { image->width, image->height, 1 } };
	VkCommandBuffer commands = vh_begin(h, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
	vh_barrier(commands);
	vkCmdCopyImageToBuffer(commands, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, staging.handle, 1,
		&region);
	vh_barrier(commands);
	vh_finish(h, commands);
	memcpy(texels, staging.map, size);
	vh_release(h, mark);
}

VkSampler vh_make_sampler(struct vh *h, const struct vh_sampler_info *want)
{
	const VkSamplerCreateInfo info = { VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = want->filter,
		.minFilter = want->filter, .mipmapMode = want->mipmap, .addressModeU = want->address,
		.addressModeV = want->address, .addressModeW = want->address, .maxLod = want->max_lod,
		.borderColor = want->border, .compareEnable = want->compare != VK_COMPARE_OP_NEVER, .compareOp = want->compare,
		.anisotropyEnable = want->max_aniso > 0, .maxAnisotropy = want->max_aniso };
	VkSampler sampler;
	vh_check(vkCreateSampler(h->device, &info, NULL, &sampler), "vkCreateSampler");
	vh_keep(h, VK_OBJECT_TYPE_SAMPLER, (uint64_t)sampler);
	return sampler;
}
