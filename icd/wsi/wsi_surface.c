/* SPDX-License-Identifier: MIT */
/* What surfaces can do (VK_KHR_surface, VK_KHR_get_surface_capabilities2). */
#include <string.h>
#include "icd/outarray.h"
#include "icd/wsi/quiet.h"
#include "icd/wsi/wsi.h"

const struct icd_wsi *icd_wsi_of(const VkIcdSurfaceBase *surface)
{
	switch (surface->platform) {
	case VK_ICD_WSI_PLATFORM_XCB: case VK_ICD_WSI_PLATFORM_XLIB: return &icd_wsi_x11;
	case VK_ICD_WSI_PLATFORM_WAYLAND: return &icd_wsi_wayland;
	case VK_ICD_WSI_PLATFORM_HEADLESS: return &icd_wsi_headless;
	default: return NULL;
	}
}

static const VkIcdSurfaceBase *surface_from_handle(VkSurfaceKHR surface)
{
	return (const VkIcdSurfaceBase *)(uintptr_t)surface;
}

VkResult icd_GetPhysicalDeviceSurfaceSupportKHR(VkPhysicalDevice pd, uint32_t family, VkSurfaceKHR surface,
	VkBool32 *supported)
{
	*supported = icd_wsi_of(surface_from_handle(surface)) != NULL;
	return VK_SUCCESS;
}

VkBool32 icd_GetPhysicalDeviceXcbPresentationSupportKHR(VkPhysicalDevice pd, uint32_t family,
	xcb_connection_t *connection, xcb_visualid_t visual)
{
	return VK_TRUE;
}

VkBool32 icd_GetPhysicalDeviceXlibPresentationSupportKHR(VkPhysicalDevice pd, uint32_t family, Display *display,
	VisualID visual)
{
	return VK_TRUE;
}

VkBool32 icd_GetPhysicalDeviceWaylandPresentationSupportKHR(VkPhysicalDevice pd, uint32_t family,
	struct wl_display *display)
{
	return VK_TRUE;
}

static VkResult surface_extent(const struct icd_wsi *wsi, const VkIcdSurfaceBase *surface, VkExtent2D *out)
{
	struct icd_quiet quiet;
	icd_quiet_begin(&quiet);
	VkResult result = wsi->get_extent(surface, out);
	icd_quiet_end(&quiet);
	return result;
}

VkResult icd_GetPhysicalDeviceSurfaceCapabilitiesKHR(VkPhysicalDevice pd, VkSurfaceKHR _surface,
	VkSurfaceCapabilitiesKHR *out)
{
	const VkIcdSurfaceBase *surface = surface_from_handle(_surface);
	const struct icd_wsi *wsi = icd_wsi_of(surface);
	VkExtent2D extent;
	if (!wsi)
		return VK_ERROR_SURFACE_LOST_KHR;
	VkResult result = surface_extent(wsi, surface, &extent);
	if (result != VK_SUCCESS)
		return result;
	bool fixed = extent.width != UINT32_MAX;
	*out = (VkSurfaceCapabilitiesKHR){
		.minImageCount = ICD_MIN_SWAPCHAIN_IMAGES,
		.maxImageCount = ICD_MAX_SWAPCHAIN_IMAGES,
		.currentExtent = extent,
		.minImageExtent = fixed ? extent : (VkExtent2D){ 1, 1 },
		.maxImageExtent = fixed ? extent : (VkExtent2D){ ICD_MAX_IMAGE_SIZE, ICD_MAX_IMAGE_SIZE },
		.maxImageArrayLayers = 1,
		.supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.supportedCompositeAlpha = wsi->composite_alpha,
		.supportedUsageFlags = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
			VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
			VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
	};
	return VK_SUCCESS;
}

VkResult icd_GetPhysicalDeviceSurfaceCapabilities2KHR(VkPhysicalDevice pd,
	const VkPhysicalDeviceSurfaceInfo2KHR *info, VkSurfaceCapabilities2KHR *out)
{
	return icd_GetPhysicalDeviceSurfaceCapabilitiesKHR(pd, info->surface, &out->surfaceCapabilities);
}

static const VkSurfaceFormatKHR surface_formats[] = {
	{ VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR },
	{ VK_FORMAT_B8G8R8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR },
};
enum { FORMATS = sizeof surface_formats / sizeof surface_formats[0] };

VkResult icd_GetPhysicalDeviceSurfaceFormatsKHR(VkPhysicalDevice pd, VkSurfaceKHR surface, uint32_t *count,
	VkSurfaceFormatKHR *formats)
{
	struct icd_outarray out = icd_outarray(formats, count);
	for (int i = 0; i < FORMATS; i++)
		if (icd_outarray_next(&out))
			formats[out.written - 1] = surface_formats[i];
	return icd_outarray_finish(&out);
}

VkResult icd_GetPhysicalDeviceSurfaceFormats2KHR(VkPhysicalDevice pd, const VkPhysicalDeviceSurfaceInfo2KHR *info,
	uint32_t *count, VkSurfaceFormat2KHR *formats)
{
	struct icd_outarray out = icd_outarray(formats, count);
	for (int i = 0; i < FORMATS; i++)
		if (icd_outarray_next(&out))
			formats[out.written - 1].surfaceFormat = surface_formats[i];
	return icd_outarray_finish(&out);
}

VkResult icd_GetPhysicalDeviceSurfacePresentModesKHR(VkPhysicalDevice pd, VkSurfaceKHR surface, uint32_t *count,
	VkPresentModeKHR *modes)
{
	static const VkPresentModeKHR all[] = { VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
		VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR };
	const struct icd_wsi *wsi = icd_wsi_of(surface_from_handle(surface));
	struct icd_outarray out = icd_outarray(modes, count);
	for (int i = 0; i < (wsi && wsi->relaxed ? 4 : 3); i++)
		if (icd_outarray_next(&out))
			modes[out.written - 1] = all[i];
	return icd_outarray_finish(&out);
}

VkResult icd_GetPhysicalDevicePresentRectanglesKHR(VkPhysicalDevice pd, VkSurfaceKHR _surface, uint32_t *count,
	VkRect2D *rects)
{
	const VkIcdSurfaceBase *surface = surface_from_handle(_surface);
	struct icd_outarray out = icd_outarray(rects, count);
	VkExtent2D extent;
	VkResult result = surface_extent(icd_wsi_of(surface), surface, &extent);
	if (result != VK_SUCCESS)
		return result;
	if (icd_outarray_next(&out))
		rects[0] = (VkRect2D){ { 0, 0 }, extent };
	return icd_outarray_finish(&out);
}

VkResult icd_GetDeviceGroupPresentCapabilitiesKHR(VkDevice device, VkDeviceGroupPresentCapabilitiesKHR *out)
{
	memset(out->presentMask, 0, sizeof out->presentMask);
	out->presentMask[0] = 1;
	out->modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
	return VK_SUCCESS;
}

VkResult icd_GetDeviceGroupSurfacePresentModesKHR(VkDevice device, VkSurfaceKHR surface,
	VkDeviceGroupPresentModeFlagsKHR *modes)
{
	*modes = VK_DEVICE_GROUP_PRESENT_MODE_LOCAL_BIT_KHR;
	return VK_SUCCESS;
}
