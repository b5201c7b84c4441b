/* SPDX-License-Identifier: MIT */
#include "icd/image.h"

#include <string.h>
#include "icd/buffer.h"
#include "icd/decoded.h"
#include "icd/device.h"
#include "icd/device_memory.h"

enum { PLANE_ALIGNMENT = 256 };

const struct icd_image_plane *icd_image_plane(const struct icd_image *image,
	VkImageAspectFlags aspect)
{
	for (uint32_t i = 0; i < image->plane_count; i++)
		if (image->plane[i].aspect & aspect)
			return &image->plane[i];
	return NULL;
}

/* Level 0 of a plane.  Of chroma there may be half as much. */
static struct surf_plane lay_plane(const struct icd_image *image, const struct icd_image_plane *plane)
{
	const struct icd_ycbcr_format *ycbcr = image->format->ycbcr;
	unsigned half = ycbcr && plane != image->plane ? ycbcr->half : 0;
	struct surf_plane p = { .base = (uint8_t *)(uintptr_t)plane->address,
		.width = (image->extent.width + (half & 1)) >> (half & 1),
		.height = (image->extent.height + (half >> 1)) >> (half >> 1),
		.slices = icd_image_slices(image),
		.is_3d = image->type == VK_IMAGE_TYPE_3D, .tiling = image->tiling, .samples = (uint8_t)image->samples,
		.dfmt = plane->format.dfmt, .nfmt = plane->format.nfmt };
	surf_init(&p);
	return p;
}

struct surf_plane icd_image_level(const struct icd_image *image, VkImageAspectFlags aspect,
	uint32_t level)
{
	return surf_level(lay_plane(image, icd_image_plane(image, aspect)), level);
}

void icd_image_surface(const struct icd_image *image, VkImageAspectFlags aspect, uint32_t level,
	struct pm4_surface *out)
{
	const struct icd_image_plane *plane = icd_image_plane(image, aspect);
	const struct surf_plane p = lay_plane(image, plane);
	uint64_t base = (uintptr_t)p.base;
	*out = (struct pm4_surface){
		.base_lo = (uint32_t)base, .base_hi = (uint32_t)(base >> 32),
		.width = p.width, .height = p.height, .slices = p.slices, .is_3d = p.is_3d, .level = level,
		.tiling = p.tiling, .dfmt = p.dfmt, .nfmt = p.nfmt, .samples = p.samples,
	};
	for (int c = 0; c < 4; c++)
		out->sel |= (uint32_t)plane->format.sel[c] << 3 * c;
}

/* Colours that shaders may filter: a row's neighbours are one load there. */
static bool is_filtered(const struct icd_format *f, VkImageUsageFlags usage)
{
	return usage & VK_IMAGE_USAGE_SAMPLED_BIT && f->aspects & VK_IMAGE_ASPECT_COLOR_BIT &&
		f->optimal & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
}

/* Targets and multisampled images are stored in blocks; everything else, what has one row, and what a window system
 * reads, in rows, and so are targets that shaders filter. */
static uint8_t choose_tiling(const VkImageCreateInfo *info, VkImageUsageFlags usage, const struct icd_format *f)
{
	const VkImageSwapchainCreateInfoKHR *swapchain = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_IMAGE_SWAPCHAIN_CREATE_INFO_KHR);
	const VkImageUsageFlags target = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
		VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
	if (swapchain && swapchain->swapchain)
		return TILING_LINEAR;
	if (info->tiling == VK_IMAGE_TILING_LINEAR || info->imageType == VK_IMAGE_TYPE_1D)
		return TILING_LINEAR;
	if (info->samples > 1)
		return TILING_4X4;
	return usage & target && !is_filtered(f, usage) ? TILING_4X4 : TILING_LINEAR;
}

static bool is_disjoint(const struct icd_image *image)
{
	return image->flags & VK_IMAGE_CREATE_DISJOINT_BIT && icd_format_planes(image->format) > 1;
}

static void add_plane(struct icd_image *image, VkImageAspectFlags aspect)
{
	struct icd_image_plane *plane = &image->plane[image->plane_count++];
	plane->aspect = aspect;
	plane->format = *icd_format_plane(image->format, aspect);
	plane->offset = is_disjoint(image) ? 0 : image->bytes;
	const struct surf_plane p = lay_plane(image, plane);
	plane->bytes = surf_plane_bytes(&p, image->levels);
	image->bytes += (plane->bytes + PLANE_ALIGNMENT - 1) & ~(uint64_t)(PLANE_ALIGNMENT - 1);
}

static VkResult check(struct icd_device *device, const VkImageCreateInfo *info)
{
	VkImageFormatProperties p;
	VkResult result = icd_GetPhysicalDeviceImageFormatProperties(
		icd_physical_device_to_handle(device->physical_device), info->format, info->imageType,
		info->tiling, info->usage, info->flags, &p);
	if (result == VK_SUCCESS && (info->extent.width > p.maxExtent.width ||
		info->extent.height > p.maxExtent.height || info->extent.depth > p.maxExtent.depth ||
		info->mipLevels > p.maxMipLevels || info->arrayLayers > p.maxArrayLayers ||
		!(info->samples & p.sampleCounts) || (info->samples > 1 && info->mipLevels > 1)))
		result = VK_ERROR_FORMAT_NOT_SUPPORTED;
	if (result != VK_SUCCESS)
		icd_error(device->instance, result, NULL, "vkCreateImage: format %d, type %d, tiling %d, "
			"usage 0x%x, flags 0x%x, %ux%ux%u, %u levels, %u layers, %u samples is not supported",
			info->format, info->imageType, info->tiling, info->usage, info->flags,
			info->extent.width, info->extent.height, info->extent.depth, info->mipLevels,
			info->arrayLayers, info->samples);
	return result;
}

/* Everything that the create info says; the base is there. */
static void fill(struct icd_image *image, struct icd_device *device, const VkImageCreateInfo *info)
{
	const VkImageStencilUsageCreateInfo *stencil = icd_find_struct(info->pNext,
		VK_STRUCTURE_TYPE_IMAGE_STENCIL_USAGE_CREATE_INFO);
	VkImageUsageFlags usage = info->usage | (stencil ? stencil->stencilUsage : 0);
	image->type = info->imageType;
	image->flags = icd_known_image_flags(device->instance, info->flags);
	image->usage = icd_known_image_usage(device->instance, usage);
	image->vk_tiling = info->tiling;
	image->format = icd_format_get(info->format);
	image->tiling = choose_tiling(info, usage, image->format);
	image->extent = info->extent;
	image->levels = info->mipLevels;
	image->layers = info->arrayLayers;
	image->samples = info->samples;
	if (icd_format_planes(image->format) > 1)
		for (uint32_t i = 0; i < icd_format_planes(image->format); i++)
			add_plane(image, VK_IMAGE_ASPECT_PLANE_0_BIT << i | (i ? 0 : VK_IMAGE_ASPECT_COLOR_BIT));
	else
		for (VkImageAspectFlags a = VK_IMAGE_ASPECT_COLOR_BIT; a <= VK_IMAGE_ASPECT_STENCIL_BIT; a <<= 1)
			if (image->format->aspects & a)
				add_plane(image, a);
}

VkResult icd_image_create(struct icd_device *device, const VkImageCreateInfo *info,
	const VkAllocationCallbacks *alloc, struct icd_image **out)
{
	struct icd_image *image;
	VkResult result = check(device, info);
	if (result != VK_SUCCESS)
		return result;
	image = icd_object_alloc(device, alloc, sizeof *image, VK_OBJECT_TYPE_IMAGE);
	if (!image)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	fill(image, device, info);
	*out = image;
	return VK_SUCCESS;
}

void icd_image_destroy(struct icd_device *device, struct icd_image *image,
	const VkAllocationCallbacks *alloc)
{
	for (uint32_t i = 0; image && i < (is_disjoint(image) ? image->plane_count : 1); i++)
		icd_report_binding(&image->base, VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, image->plane[i].address,
			is_disjoint(image) ? image->plane[i].bytes : image->bytes);
	if (image)
		icd_decoded_destroy(image);
	icd_object_free(device, alloc, image);
}

static void bind(struct icd_image *image, uint64_t address)
{
	image->address = address;
	for (uint32_t i = 0; i < image->plane_count; i++)
		image->plane[i].address = address + image->plane[i].offset;
	icd_report_binding(&image->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, address, image->bytes);
	icd_decoded_create(image);
}

static void bind_plane(struct icd_image *image, VkImageAspectFlags aspect, uint64_t address)
{
	for (uint32_t i = 0; i < image->plane_count; i++) {
		struct icd_image_plane *plane = &image->plane[i];
		if (!(plane->aspect & aspect))
			continue;
		plane->address = address;
		icd_report_binding(&image->base, VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, address, plane->bytes);
	}
	image->address = image->plane[0].address;
}

void icd_image_bind(struct icd_image *image, struct icd_device_memory *memory, uint64_t offset)
{
	bind(image, icd_address(memory->map) + offset);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateImage(VkDevice _device,
	const VkImageCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
	struct icd_image *image;
	VkResult result = icd_image_create(icd_device_from_handle(_device), pCreateInfo, pAllocator, &image);
	if (result == VK_SUCCESS)
		*pImage = icd_image_to_handle(image);
	return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyImage(VkDevice _device, VkImage image,
	const VkAllocationCallbacks *pAllocator)
{
	icd_image_destroy(icd_device_from_handle(_device), icd_image_from_handle(image), pAllocator);
}

/* Of one plane, if the aspect says so and the image is disjoint. */
static void requirements(const struct icd_image *image, VkImageAspectFlags aspect, VkMemoryRequirements *p)
{
	const struct icd_image_plane *plane = is_disjoint(image) ? icd_image_plane(image, aspect) : NULL;
	p->size = plane ? plane->bytes : image->bytes;
	p->alignment = PLANE_ALIGNMENT;
	p->memoryTypeBits = (1u << ICD_MEMORY_TYPES) - 1;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageMemoryRequirements(VkDevice device, VkImage _image,
	VkMemoryRequirements *p)
{
	ICD_FROM_HANDLE(icd_image, image, _image);
	requirements(image, 0, p);
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageMemoryRequirements2(VkDevice device,
	const VkImageMemoryRequirementsInfo2 *pInfo, VkMemoryRequirements2 *p)
{
	const VkImagePlaneMemoryRequirementsInfo *plane = icd_find_struct(pInfo->pNext,
		VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
	requirements(icd_image_from_handle(pInfo->image), plane ? plane->planeAspect : 0, &p->memoryRequirements);
	icd_no_dedication(p->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceImageMemoryRequirements(VkDevice _device,
	const VkDeviceImageMemoryRequirements *pInfo, VkMemoryRequirements2 *p)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	struct icd_image image = { .base = { .type = VK_OBJECT_TYPE_IMAGE } };
	if (icd_format_get(pInfo->pCreateInfo->format))
		fill(&image, device, pInfo->pCreateInfo);
	requirements(&image, pInfo->planeAspect, &p->memoryRequirements);
	icd_no_dedication(p->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceImageSparseMemoryRequirements(VkDevice device,
	const VkDeviceImageMemoryRequirements *pInfo, uint32_t *pCount, VkSparseImageMemoryRequirements2 *pRequirements)
{
	*pCount = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSparseMemoryRequirements(VkDevice device, VkImage image,
	uint32_t *pCount, VkSparseImageMemoryRequirements *pRequirements)
{
	*pCount = 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSparseMemoryRequirements2(VkDevice device,
	const VkImageSparseMemoryRequirementsInfo2 *pInfo, uint32_t *pCount,
	VkSparseImageMemoryRequirements2 *pRequirements)
{
	*pCount = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindImageMemory(VkDevice device, VkImage image,
	VkDeviceMemory memory, VkDeviceSize offset)
{
	icd_image_bind(icd_image_from_handle(image), icd_device_memory_from_handle(memory), offset);
	return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
	const VkBindImageMemoryInfo *pBindInfos)
{
	for (uint32_t i = 0; i < bindInfoCount; i++) {
		const VkBindImageMemorySwapchainInfoKHR *swapchain = icd_find_struct(pBindInfos[i].pNext,
			VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
		const VkBindImagePlaneMemoryInfo *plane = icd_find_struct(pBindInfos[i].pNext,
			VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO);
		ICD_FROM_HANDLE(icd_image, image, pBindInfos[i].image);
		if (swapchain && swapchain->swapchain)
			bind(image, icd_swapchain_image(swapchain->swapchain, swapchain->imageIndex)->address);
		else if (plane && is_disjoint(image))
			bind_plane(image, plane->planeAspect, icd_address(icd_device_memory_from_handle(pBindInfos[i].memory)->map) +
				pBindInfos[i].memoryOffset);
		else
			icd_BindImageMemory(device, pBindInfos[i].image, pBindInfos[i].memory,
				pBindInfos[i].memoryOffset);
	}
	return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSubresourceLayout(VkDevice device, VkImage _image,
	const VkImageSubresource *s, VkSubresourceLayout *layout)
{
	ICD_FROM_HANDLE(icd_image, image, _image);
	const struct surf_plane l = icd_image_level(image, s->aspectMask, s->mipLevel);
	const uint64_t start = icd_image_plane(image, s->aspectMask)->address;
	layout->offset = (uintptr_t)l.base - start + icd_image_plane(image, s->aspectMask)->offset + s->arrayLayer * l.slice_stride;
	layout->size = image->type == VK_IMAGE_TYPE_3D ? surf_layers(&l) * l.slice_stride : l.slice_stride;
	layout->rowPitch = l.pitch;
	layout->arrayPitch = l.slice_stride;
	layout->depthPitch = l.slice_stride;
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSubresourceLayout2EXT(VkDevice device, VkImage image,
	const VkImageSubresource2EXT *s, VkSubresourceLayout2EXT *layout)
{
	icd_GetImageSubresourceLayout(device, image, &s->imageSubresource, &layout->subresourceLayout);
	icd_no_compression(layout->pNext);
}
