/* SPDX-License-Identifier: MIT */
/* Windows for the rig.  Everything ends the process if it cannot. */
#ifndef QW_TESTS_WSI_WINDOW_H
#define QW_TESTS_WSI_WINDOW_H

#include <wayland-client.h>
#include <xcb/xcb.h>
#include "wsi_rig.h"

/* Connections of windows opened from now on do not know the Present extension. */
extern bool x_window_hide_present;

struct x_window {
	xcb_connection_t *connection;
	xcb_window_t id;
};
void x_window_open(struct x_window *w, uint16_t width, uint16_t height);
void x_window_close(struct x_window *w);
void x_window_rig(struct rig *r, const struct x_window *w);

struct wl_window {
	struct wl_display *display;
	struct wl_registry *registry;
	struct wl_compositor *compositor;
	struct wl_surface *surface;
};
void wl_window_open(struct wl_window *w);
void wl_window_close(struct wl_window *w);
void wl_window_rig(struct rig *r, const struct wl_window *w);

/* Either of them, and a rig that shows in it. */
enum { WINDOW_WIDTH = 400, WINDOW_HEIGHT = 300 };
struct window {
	bool x11;
	struct x_window x;
	struct wl_window wl;
};
/* The descriptor of the connection. */
int window_open(struct window *w, struct rig *r);
void window_close(struct window *w);

#endif
