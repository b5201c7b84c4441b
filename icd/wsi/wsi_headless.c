/* SPDX-License-Identifier: MIT */
/* VK_EXT_headless_surface: images go nowhere. */
#include <sys/mman.h>
#include "icd/wsi/wsi.h"

static VkResult headless_get_extent(const VkIcdSurfaceBase *surface, VkExtent2D *out)
{
	*out = (VkExtent2D){ UINT32_MAX, UINT32_MAX };
	return VK_SUCCESS;
}

static VkResult headless_init(struct icd_presenter *p)
{
	return VK_SUCCESS;
}

static void headless_finish(struct icd_presenter *p)
{
}

static VkResult headless_image_init(struct icd_presenter *p, struct icd_present_image *image, size_t bytes)
{
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	image->map = map;
	image->map_bytes = bytes;
	return VK_SUCCESS;
}

static void headless_image_finish(struct icd_presenter *p, struct icd_present_image *image)
{
	munmap(image->map, image->map_bytes);
}

/* Nobody watches, so nobody waits for a refresh. */
static VkResult headless_present(struct icd_presenter *p, struct icd_present_image *image)
{
	icd_present_release(image);
	return VK_SUCCESS;
}

const struct icd_wsi icd_wsi_headless = {
	.get_extent = headless_get_extent,
	.composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
	.init = headless_init,
	.finish = headless_finish,
	.image_init = headless_image_init,
	.image_finish = headless_image_finish,
	.present = headless_present,
};
