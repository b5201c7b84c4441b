/* SPDX-License-Identifier: MIT */
#include "window.h"

int window_open(struct window *w, struct rig *r)
{
	if (w->x11) {
		x_window_open(&w->x, WINDOW_WIDTH, WINDOW_HEIGHT);
		x_window_rig(r, &w->x);
		return xcb_get_file_descriptor(w->x.connection);
	}
	wl_window_open(&w->wl);
	wl_window_rig(r, &w->wl);
	return wl_display_get_fd(w->wl.display);
}

void window_close(struct window *w)
{
	if (w->x11)
		x_window_close(&w->x);
	else
		wl_window_close(&w->wl);
}
