/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "window.h"

static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
	struct wl_compositor **compositor = data;
	if (strcmp(interface, "wl_compositor") == 0)
		*compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}
static void on_global_gone(void *data, struct wl_registry *registry, uint32_t name)
{
}

void wl_window_open(struct wl_window *w)
{
	static const struct wl_registry_listener listener = { on_global, on_global_gone };
	*w = (struct wl_window){ .display = wl_display_connect(NULL) };
	CHECK(w->display, "no display");
	w->registry = wl_display_get_registry(w->display);
	wl_registry_add_listener(w->registry, &listener, &w->compositor);
	wl_display_roundtrip(w->display);
	CHECK(w->compositor, "no compositor");
	w->surface = wl_compositor_create_surface(w->compositor);
}

void wl_window_close(struct wl_window *w)
{
	wl_surface_destroy(w->surface);
	wl_compositor_destroy(w->compositor);
	wl_registry_destroy(w->registry);
	wl_display_disconnect(w->display);
}

void wl_window_rig(struct rig *r, const struct wl_window *w)
{
	rig_open(r, VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME);
	const VkWaylandSurfaceCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
		.display = w->display, .surface = w->surface };
	PFN_vkCreateWaylandSurfaceKHR create =
		(PFN_vkCreateWaylandSurfaceKHR)vkGetInstanceProcAddr(r->instance, "vkCreateWaylandSurfaceKHR");
	CHECK(create(r->instance, &info, NULL, &r->surface) == VK_SUCCESS, "no surface");
}
