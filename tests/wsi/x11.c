/* Swapchains on X11: what is shown, in which pace, and what happens to an
 * application whose window changes its size or dies.
 *
 * wsi_x11 [present|no_present]: with `present` the server's own account of the
 * presents is looked at as well: FIFO shows each image.  No server does without the
 * extension any more, so `no_present` hides it on the way. */
#include "wsi_rig.h"
#include "x_proxy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/present.h>
#include <xcb/xcb.h>

static bool hide_present;

struct window {
	xcb_connection_t *connection;
	xcb_window_t id;
};

static void open_window(struct window *w, uint16_t width, uint16_t height)
{
	w->connection = hide_present ? xcb_connect_to_fd(x_proxy("Present"), NULL) : xcb_connect(NULL, NULL);
	CHECK(!xcb_connection_has_error(w->connection), "no X server");
	xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
	w->id = xcb_generate_id(w->connection);
	xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->id, screen->root, 0, 0, width, height, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_OVERRIDE_REDIRECT, (uint32_t[]){ 1 });
	xcb_map_window(w->connection, w->id);
	xcb_flush(w->connection);
}

static void open_rig(struct rig *r, const struct window *w)
{
	rig_open(r, VK_KHR_XCB_SURFACE_EXTENSION_NAME);
	const VkXcbSurfaceCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR,
		.connection = w->connection, .window = w->id };
	PFN_vkCreateXcbSurfaceKHR create =
		(PFN_vkCreateXcbSurfaceKHR)vkGetInstanceProcAddr(r->instance, "vkCreateXcbSurfaceKHR");
	CHECK(create(r->instance, &info, NULL, &r->surface) == VK_SUCCESS, "no surface");
}

/* The window's pixel at (x, y), 0xrrggbb. */
static uint32_t pixel(const struct window *w, int16_t x, int16_t y)
{
	xcb_get_image_reply_t *reply = xcb_get_image_reply(w->connection,
		xcb_get_image(w->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, w->id, x, y, 1, 1, ~0u), NULL);
	CHECK(reply, "no picture of the window");
	uint32_t value;
	memcpy(&value, xcb_get_image_data(reply), 4);
	free(reply);
	return value & 0xffffff;
}

/* Frames of different colours; the last one is to be seen all over the window. */
static void shows(struct rig *r, const struct window *w, VkPresentModeKHR mode, uint32_t width, uint32_t height)
{
	enum { FRAMES = 20 };
	CHECK(rig_chain(r, mode, width, height) == VK_SUCCESS, "mode %d: no swapchain", mode);
	for (unsigned i = 0; i < FRAMES; i++)
		CHECK(rig_frame(r, 0x102030 + i * 0x050403) == VK_SUCCESS, "mode %d: frame %u", mode, i);
	vkDeviceWaitIdle(r->device);
	uint32_t want = 0x102030 + (FRAMES - 1) * 0x050403, first = 0, last = 0;
	for (unsigned tries = 0; tries < 500; tries++) {
		first = pixel(w, 0, 0);
		last = pixel(w, (int16_t)(width - 1), (int16_t)(height - 1));
		if (first == want && last == want)
			return;
		usleep(10000);
	}
	CHECK(false, "mode %d shows %06x and %06x, not %06x", mode, first, last, want);
}

/* --- FIFO: in the pace of the screen, and nothing left out --- */

struct witness {
	xcb_connection_t *connection;
	xcb_special_event_t *events;
};

static void witness_open(struct witness *s, const struct window *w)
{
	s->connection = xcb_connect(NULL, NULL);
	CHECK(!xcb_connection_has_error(s->connection), "no second connection");
	xcb_get_extension_data(s->connection, &xcb_present_id);
	free(xcb_present_query_version_reply(s->connection, xcb_present_query_version(s->connection, 1, 0), NULL));
	uint32_t id = xcb_generate_id(s->connection);
	s->events = xcb_register_for_special_xge(s->connection, &xcb_present_id, id, NULL);
	CHECK(!xcb_request_check(s->connection, xcb_present_select_input_checked(s->connection, id, w->id,
		XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY)), "the server has no Present extension");
}

static void witness_count(struct witness *s, unsigned frames)
{
	unsigned shown = 0;
	uint64_t before = 0;
	for (unsigned tries = 0; shown < frames && tries < 500; tries++) {
		xcb_present_complete_notify_event_t *e;
		while ((e = (void *)xcb_poll_for_special_event(s->connection, s->events))) {
			if (e->event_type == XCB_PRESENT_COMPLETE_NOTIFY && e->kind == XCB_PRESENT_COMPLETE_KIND_PIXMAP) {
				CHECK(e->mode != XCB_PRESENT_COMPLETE_MODE_SKIP, "FIFO: image %u was skipped", shown);
				/* Equal where the server itself was late and caught up. */
				CHECK(e->msc >= before, "FIFO: image %u was shown too early", shown);
				before = e->msc;
				shown++;
			}
			free(e);
		}
		usleep(10000);
	}
	CHECK(shown == frames, "FIFO: %u images of %u were shown", shown, frames);
}

static void fifo(struct rig *r, const struct window *w, bool present)
{
	enum { FRAMES = 30 };
	struct witness s = { 0 };
	CHECK(rig_chain(r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS, "no swapchain");
	if (present)
		witness_open(&s, w);
	double start = rig_seconds();
	for (unsigned i = 0; i < FRAMES; i++) {
		CHECK(rig_frame(r, i) == VK_SUCCESS, "FIFO: frame %u", i);
		if (i == 10)
			usleep(100000); /* late for some refreshes, then in haste again */
	}
	vkDeviceWaitIdle(r->device);
	double seconds = rig_seconds() - start;
	/* All but those in flight have had their refresh at 60 Hz. */
	CHECK(seconds > (FRAMES - 4) / 60.0, "FIFO: %u frames in %.3f s", (unsigned)FRAMES, seconds);
	if (present) {
		witness_count(&s, FRAMES);
		xcb_unregister_for_special_event(s.connection, s.events);
		xcb_disconnect(s.connection);
	}
}

/* --- windows that change --- */

static void resized(struct rig *r, const struct window *w)
{
	VkResult result = VK_SUCCESS;
	CHECK(rig_chain(r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS, "no swapchain");
	CHECK(rig_frame(r, 1) == VK_SUCCESS, "before the resize");
	xcb_configure_window(w->connection, w->id, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT,
		(uint32_t[]){ 100, 80 });
	xcb_flush(w->connection);
	for (unsigned i = 0; i < 10 && result == VK_SUCCESS; i++)
		result = rig_frame(r, i);
	CHECK(result == VK_ERROR_OUT_OF_DATE_KHR, "a resized window gave %d", result);
	shows(r, w, VK_PRESENT_MODE_FIFO_KHR, 100, 80);
}

static VkResult last_result(struct rig *r)
{
	VkResult result = VK_SUCCESS;
	for (unsigned i = 0; i < 20 && result == VK_SUCCESS; i++)
		result = rig_frame(r, i);
	return result;
}

static void lost(struct rig *r, const char *how)
{
	VkSurfaceCapabilitiesKHR caps;
	VkResult result = last_result(r);
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR, "%s: %d", how, result);
	result = vkGetPhysicalDeviceSurfaceCapabilitiesKHR(r->gpu, r->surface, &caps);
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR, "%s, capabilities: %d", how, result);
	result = rig_chain(r, VK_PRESENT_MODE_FIFO_KHR, 64, 48);
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR || result == VK_ERROR_NATIVE_WINDOW_IN_USE_KHR,
		"%s, new swapchain: %d", how, result);
}

static void destroyed(VkPresentModeKHR mode)
{
	struct window w;
	struct rig r;
	open_window(&w, 64, 48);
	open_rig(&r, &w);
	CHECK(rig_chain(&r, mode, 64, 48) == VK_SUCCESS && rig_frame(&r, 1) == VK_SUCCESS, "no first frame");
	xcb_destroy_window(w.connection, w.id);
	xcb_flush(w.connection);
	lost(&r, "destroyed window");
	rig_close(&r);
	xcb_disconnect(w.connection);
}

static void disconnected(void)
{
	struct window w;
	struct rig r;
	open_window(&w, 64, 48);
	open_rig(&r, &w);
	CHECK(rig_chain(&r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS && rig_frame(&r, 1) == VK_SUCCESS,
		"no first frame");
	xcb_connection_t *killer = xcb_connect(NULL, NULL);
	free(xcb_request_check(killer, xcb_kill_client_checked(killer, w.id)));
	xcb_disconnect(killer);
	lost(&r, "lost connection");
	rig_close(&r);
	xcb_disconnect(w.connection);
}

int main(int argc, char **argv)
{
	static const VkPresentModeKHR modes[] = { VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
		VK_PRESENT_MODE_IMMEDIATE_KHR };
	struct window w;
	struct rig r;
	const char *how = argc > 1 ? argv[1] : "";
	hide_present = strcmp(how, "no_present") == 0;
	open_window(&w, 64, 48);
	open_rig(&r, &w);
	/* First, so that the account is of these images only. */
	fifo(&r, &w, strcmp(how, "present") == 0);
	for (unsigned m = 0; m < 3; m++)
		shows(&r, &w, modes[m], 64, 48);
	resized(&r, &w);
	rig_close(&r);
	xcb_disconnect(w.connection);
	for (unsigned m = 0; m < 3; m++)
		destroyed(modes[m]);
	disconnected();
	return 0;
}
