/* SPDX-License-Identifier: MIT */
/* A swapchain on each window system: shown, replaced, shown, destroyed.  Surfaces are
 * the loader's objects, made here. */
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <wayland-client.h>
#include <xcb/xcb.h>
#include "scenario.h"
#include <vulkan/vk_icd.h>

enum { SIZE = 32, FRAMES = 3 };
static union {
	VkIcdSurfaceBase base;
	VkIcdSurfaceHeadless headless;
	VkIcdSurfaceXcb xcb;
	VkIcdSurfaceWayland wayland;
} icd_surface;

struct window {
	VkSwapchainKHR chain[2];
	VkFence fence;
	VkSemaphore semaphore;
};

static VkSurfaceKHR surface(void)
{
	return (VkSurfaceKHR)(uintptr_t)&icd_surface;
}

static VkResult ask(struct vk *vk)
{
	VkSurfaceCapabilitiesKHR caps;
	VkSurfaceFormatKHR formats[2];
	VkPresentModeKHR modes[4];
	VkBool32 supported;
	uint32_t format_count = 1, mode_count = 4;
	TRY(IFN(vk, vkGetPhysicalDeviceSurfaceSupportKHR)(vk->physical, 0, surface(), &supported));
	VkResult result = IFN(vk, vkGetPhysicalDeviceSurfaceFormatsKHR)(vk->physical, surface(), &format_count, formats);
	if (result != VK_SUCCESS && result != VK_INCOMPLETE)
		return result;
	TRY(IFN(vk, vkGetPhysicalDeviceSurfacePresentModesKHR)(vk->physical, surface(), &mode_count, modes));
	return IFN(vk, vkGetPhysicalDeviceSurfaceCapabilitiesKHR)(vk->physical, surface(), &caps);
}

static VkResult make_chain(struct vk *vk, struct window *w, int i, VkPresentModeKHR mode)
{
	VkSwapchainCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = surface(),
		.minImageCount = 3, .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageExtent = { SIZE, SIZE },
		.imageArrayLayers = 1, .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, .presentMode = mode,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR, .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
		.oldSwapchain = i ? w->chain[i - 1] : VK_NULL_HANDLE };
	VkImage images[16];
	uint32_t count = 16;
	TRY(FN(vk, vkCreateSwapchainKHR)(vk->device, &info, NULL, &w->chain[i]));
	return FN(vk, vkGetSwapchainImagesKHR)(vk->device, w->chain[i], &count, images);
}

static VkResult show(struct vk *vk, struct window *w, VkSwapchainKHR chain)
{
	uint32_t index;
	TRY(FN(vk, vkAcquireNextImageKHR)(vk->device, chain, UINT64_MAX, VK_NULL_HANDLE, w->fence, &index));
	TRY(FN(vk, vkWaitForFences)(vk->device, 1, &w->fence, VK_TRUE, UINT64_MAX));
	TRY(FN(vk, vkResetFences)(vk->device, 1, &w->fence));
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &w->semaphore };
	TRY(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	VkPresentInfoKHR present = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &w->semaphore, .swapchainCount = 1, .pSwapchains = &chain, .pImageIndices = &index };
	TRY(FN(vk, vkQueuePresentKHR)(vk->queue, &present));
	return FN(vk, vkQueueWaitIdle)(vk->queue);
}

static VkResult use(struct vk *vk, struct window *w)
{
	static const VkPresentModeKHR modes[2] = { VK_PRESENT_MODE_MAILBOX_KHR, VK_PRESENT_MODE_FIFO_KHR };
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	TRY(ask(vk));
	TRY(FN(vk, vkCreateFence)(vk->device, &fence, NULL, &w->fence));
	TRY(FN(vk, vkCreateSemaphore)(vk->device, &semaphore, NULL, &w->semaphore));
	for (int i = 0; i < 2; i++) {
		TRY(make_chain(vk, w, i, modes[i]));
		for (int n = 0; n < FRAMES; n++)
			TRY(show(vk, w, w->chain[i]));
	}
	return VK_SUCCESS;
}

static VkResult run(struct vk *vk, uint64_t *hash)
{
	struct window w = { 0 };
	VkResult result = use(vk, &w);
	const char *command = *scenario_at;
	FN(vk, vkDeviceWaitIdle)(vk->device);
	for (int i = 0; i < 2; i++)
		FN(vk, vkDestroySwapchainKHR)(vk->device, w.chain[i], NULL);
	FN(vk, vkDestroyFence)(vk->device, w.fence, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, w.semaphore, NULL);
	*hash = SCENARIO_SEED;
	*scenario_at = command;
	return result;
}

/* --- nowhere --- */

static void connect_headless(void)
{
	icd_surface.base.platform = VK_ICD_WSI_PLATFORM_HEADLESS;
}

/* --- X11 --- */

static void connect_x11(void)
{
	xcb_connection_t *c = xcb_connect(NULL, NULL);
	CHECK(!xcb_connection_has_error(c));
	xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(c)).data;
	xcb_window_t window = xcb_generate_id(c);
	xcb_create_window(c, screen->root_depth, window, screen->root, 0, 0, SIZE, SIZE, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
		screen->root_visual, 0, NULL);
	xcb_map_window(c, window);
	free(xcb_get_input_focus_reply(c, xcb_get_input_focus(c), NULL));
	icd_surface.xcb = (VkIcdSurfaceXcb){ { VK_ICD_WSI_PLATFORM_XCB }, c, window };
}

static void disconnect_x11(void)
{
	xcb_disconnect(icd_surface.xcb.connection);
}

/* --- Wayland --- */

static struct wl_registry *registry;
static struct wl_compositor *compositor;

static void on_global(void *data, struct wl_registry *r, uint32_t name, const char *interface, uint32_t version)
{
	if (!strcmp(interface, "wl_compositor"))
		compositor = wl_registry_bind(r, name, &wl_compositor_interface, 1);
}
static void on_global_gone(void *data, struct wl_registry *r, uint32_t name)
{
}

static void connect_wayland(void)
{
	static const struct wl_registry_listener listener = { on_global, on_global_gone };
	struct wl_display *display = wl_display_connect(NULL);
	CHECK(display);
	registry = wl_display_get_registry(display);
	wl_registry_add_listener(registry, &listener, NULL);
	wl_display_roundtrip(display);
	CHECK(compositor);
	icd_surface.wayland = (VkIcdSurfaceWayland){ { VK_ICD_WSI_PLATFORM_WAYLAND }, display,
		wl_compositor_create_surface(compositor) };
}

static void disconnect_wayland(void)
{
	wl_surface_destroy(icd_surface.wayland.surface);
	wl_compositor_destroy(compositor);
	wl_registry_destroy(registry);
	wl_display_disconnect(icd_surface.wayland.display);
}

#define WINDOW(system, extension) \
	.name = #system, .connect = connect_##system, .run = run, .device_extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME, \
	.instance_extensions = { VK_KHR_SURFACE_EXTENSION_NAME, extension }

const struct scenario scenario_headless = { WINDOW(headless, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME) };
const struct scenario scenario_x11 = { WINDOW(x11, "VK_KHR_xcb_surface"), .disconnect = disconnect_x11 };
const struct scenario scenario_wayland = { WINDOW(wayland, "VK_KHR_wayland_surface"),
	.disconnect = disconnect_wayland };
