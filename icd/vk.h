/* Vulkan's headers for this room, with the window systems that we support.
 * Their types are declared here, not included, so that no X11 macro leaks and
 * only the wsi_*.c files need the window systems' headers. */
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

#define VK_NO_PROTOTYPES 1
#include <vulkan/vulkan.h>
#include <vulkan/vulkan_xcb.h>
#include <vulkan/vulkan_xlib.h>
#include <vulkan/vulkan_wayland.h>
#include <vulkan/vk_icd.h>

#endif
