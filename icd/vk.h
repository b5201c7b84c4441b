/* SPDX-License-Identifier: MIT */
/* Vulkan's headers for this room, with the window systems that we support.
 * Their types are declared here, not included, so that no X11 macro leaks and
 * only the files of icd/wsi/ need the window systems' headers. */
#ifndef ICD_VK_H
#define ICD_VK_H

#include <stdint.h>

typedef struct _XDisplay Display;
typedef unsigned long Window;
typedef unsigned long VisualID;
typedef struct xcb_connection_t xcb_connection_t;
typedef uint32_t xcb_window_t;
typedef uint32_t xcb_visualid_t;
struct wl_display;
struct wl_surface;

#define VK_NO_PROTOTYPES 1 /* nothing here may call into the loader */
#include <vulkan/vulkan.h>
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_wayland.h>
#include "icd_newer.h" /* generated: what these headers do not have yet */
/* The loader's surface structures are guarded; vulkan.h is in already, so the
 * guards bring nothing else. */
#define VK_USE_PLATFORM_XCB_KHR 1
#define VK_USE_PLATFORM_XLIB_KHR 1
#define VK_USE_PLATFORM_WAYLAND_KHR 1
#include <vulkan/vk_icd.h>
#undef VK_USE_PLATFORM_XCB_KHR
#undef VK_USE_PLATFORM_XLIB_KHR
#undef VK_USE_PLATFORM_WAYLAND_KHR

/* vk_icd.h has these only with prototypes on. */
__attribute__((visibility("default"))) VKAPI_ATTR VkResult VKAPI_CALL
vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion);
__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetInstanceProcAddr(VkInstance instance, const char *pName);
__attribute__((visibility("default"))) VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL
vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *pName);

#endif
