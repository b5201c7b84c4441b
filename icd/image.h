/* SPDX-License-Identifier: MIT */
/* VkImage: one plane of color or depth, depth and stencil planes, or those of Y'CbCr. */
#ifndef ICD_IMAGE_H
#define ICD_IMAGE_H

#include "icd/format.h"
#include "icd/object.h"
#include "isa/pm4.h"
#include "isa/surface.h"

struct icd_image_plane {
	VkImageAspectFlags aspect;
	struct icd_plane_format format;
	uint64_t offset, bytes;    /* in the image's memory, 0 if it is disjoint; 256-byte aligned */
	uint64_t address;          /* once bound; 0 before */
};

struct icd_image {
	struct icd_object base;
	VkImageType type;
	VkImageCreateFlags flags;
	VkImageUsageFlags usage;
	VkImageTiling vk_tiling;
	uint8_t tiling;            /* TILING_* */
	const struct icd_format *format;
	VkExtent3D extent;         /* of level 0 */
	uint32_t levels, layers;
	uint32_t samples;          /* 1, 2, 4, 8 */
	uint32_t plane_count;      /* 1, 2 or 3 */
	struct icd_image_plane plane[3];
	uint64_t bytes;
	uint64_t address;          /* of the first plane */
	uint64_t decoded;          /* address of its texels (icd/decoded.h); 0: none */
	struct icd_device_memory *swapchain_memory; /* set by the WSI for its own images, else NULL */
};
ICD_OBJECT(icd_image, VkImage, VK_OBJECT_TYPE_IMAGE)

/* The plane of one aspect bit; NULL if the image does not have it. */
const struct icd_image_plane *icd_image_plane(const struct icd_image *image,
	VkImageAspectFlags aspect);

/* Slices of level 0 as the hardware counts them: layers, or the depth of 3D. */
static inline uint32_t icd_image_slices(const struct icd_image *image)
{
	return image->type == VK_IMAGE_TYPE_3D ? image->extent.depth : image->layers;
}

/* Slices of one level: layers, or the minified depth. */
static inline uint32_t icd_image_level_slices(const struct icd_image *image, uint32_t level)
{
	return image->type == VK_IMAGE_TYPE_3D ? surf_minify(image->extent.depth, level) :
		image->layers;
}

/* VK_REMAINING_* resolved. */
static inline uint32_t icd_image_levels(const struct icd_image *image, const VkImageSubresourceRange *r)
{
	return r->levelCount == VK_REMAINING_MIP_LEVELS ? image->levels - r->baseMipLevel : r->levelCount;
}
static inline uint32_t icd_image_layers(const struct icd_image *image, const VkImageSubresourceRange *r)
{
	return r->layerCount == VK_REMAINING_ARRAY_LAYERS ? image->layers - r->baseArrayLayer :
		r->layerCount;
}

/* One plane and level for the copy engine, with the image's own format. */
void icd_image_surface(const struct icd_image *image, VkImageAspectFlags aspect, uint32_t level,
	struct pm4_surface *out);

/* One level of a plane; an image that is not bound yet lies at 0. */
struct surf_plane icd_image_level(const struct icd_image *image, VkImageAspectFlags aspect,
	uint32_t level);

/* VkImageCreateInfo -> image, checked; shared with the swapchain.  Destroy with
 * icd_image_destroy (memory stays its owner's). */
VkResult icd_image_create(struct icd_device *device, const VkImageCreateInfo *info,
	const VkAllocationCallbacks *alloc, struct icd_image **out);
void icd_image_destroy(struct icd_device *device, struct icd_image *image,
	const VkAllocationCallbacks *alloc);
void icd_image_bind(struct icd_image *image, struct icd_device_memory *memory, uint64_t offset);

/* An image of a swapchain, which icd/wsi/swapchain.c owns. */
struct icd_image *icd_swapchain_image(VkSwapchainKHR swapchain, uint32_t index);

#endif
