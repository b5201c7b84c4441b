/* SPDX-License-Identifier: MIT */
#include "window.h"
#include "x_proxy.h"

bool x_window_hide_present;

void x_window_open(struct x_window *w, uint16_t width, uint16_t height)
{
	w->connection = x_window_hide_present ? xcb_connect_to_fd(x_proxy("Present"), NULL) : xcb_connect(NULL, NULL);
	CHECK(!xcb_connection_has_error(w->connection), "no X server");
	xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
	w->id = xcb_generate_id(w->connection);
	xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->id, screen->root, 0, 0, width, height, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_OVERRIDE_REDIRECT, (uint32_t[]){ 1 });
	xcb_map_window(w->connection, w->id);
	xcb_flush(w->connection);
}

void x_window_close(struct x_window *w)
{
	xcb_disconnect(w->connection);
}

void x_window_rig(struct rig *r, const struct x_window *w)
{
	rig_open(r, VK_KHR_XCB_SURFACE_EXTENSION_NAME);
	const VkXcbSurfaceCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR,
		.connection = w->connection, .window = w->id };
	PFN_vkCreateXcbSurfaceKHR create =
		(PFN_vkCreateXcbSurfaceKHR)vkGetInstanceProcAddr(r->instance, "vkCreateXcbSurfaceKHR");
	CHECK(create(r->instance, &info, NULL, &r->surface) == VK_SUCCESS, "no surface");
}
