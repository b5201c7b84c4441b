/* SPDX-License-Identifier: MIT */
/* Swapchains on X11: what is shown, in which pace, and what happens to an
 * application whose window changes its size or dies.
 *
 * wsi_x11 [present|no_present]: with `present` the server's own account of the
 * presents is looked at as well: FIFO shows each image.  No server does without the
 * extension any more, so `no_present` hides it on the way. */
#include "window.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/present.h>
#include <xcb/xcb.h>

/* The window's pixel at (x, y), 0xrrggbb. */
static uint32_t pixel(const struct x_window *w, int16_t x, int16_t y)
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
static void shows(struct rig *r, const struct x_window *w, VkPresentModeKHR mode, uint32_t width, uint32_t height)
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

static void witness_open(struct witness *s, const struct x_window *w)
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

static void witness_close(struct witness *s)
{
	xcb_unregister_for_special_event(s->connection, s->events);
	xcb_disconnect(s->connection);
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

static void fifo(struct rig *r, const struct x_window *w, bool present)
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
		witness_close(&s);
	}
}

/* --- FIFO_RELAXED: in the same pace, but what is late is shown at once --- */

/* The refresh at which the next image is shown. */
static uint64_t witness_next(struct witness *s, uint8_t kind)
{
	for (unsigned tries = 0; tries < 2000; tries++) {
		xcb_present_complete_notify_event_t *e = (void *)xcb_poll_for_special_event(s->connection, s->events);
		if (!e) {
			usleep(1000);
			continue;
		}
		bool is = e->event_type == XCB_PRESENT_COMPLETE_NOTIFY && e->kind == kind;
		uint64_t msc = e->msc;
		free(e);
		if (is)
			return msc;
	}
	CHECK(false, "no event of kind %u", kind);
}

struct late { unsigned at_once, quick, quick_at_once; };

/* Of images that come long after the one before: how many were shown in the refresh in
 * which they came; and of those that were shown after less than half a refresh.  Ends after
 * `most` images, or `enough` quick ones: a busy machine is quick now and then. */
static struct late shown_at_once(struct rig *r, const struct x_window *w, VkPresentModeKHR mode, unsigned most,
	unsigned enough)
{
	struct witness s;
	struct late late = { 0, 0, 0 };
	CHECK(rig_chain(r, mode, 64, 48) == VK_SUCCESS, "no swapchain");
	for (unsigned i = 0; i < 3; i++)
		CHECK(rig_frame(r, i) == VK_SUCCESS, "mode %d: frame %u", mode, i);
	usleep(100000);
	witness_open(&s, w);
	for (unsigned i = 0; i < most && late.quick < enough; i++) {
		usleep(40000 + 1700 * (i % 20));
		double start = rig_seconds();
		xcb_present_notify_msc(s.connection, w->id, 0, 0, 0, 0);
		xcb_flush(s.connection);
		uint64_t now = witness_next(&s, XCB_PRESENT_COMPLETE_KIND_NOTIFY_MSC);
		CHECK(rig_frame(r, i) == VK_SUCCESS, "mode %d: late frame %u", mode, i);
		uint64_t shown = witness_next(&s, XCB_PRESENT_COMPLETE_KIND_PIXMAP);
		CHECK(shown >= now, "mode %d: shown before it came", mode);
		bool quick = rig_seconds() - start < 0.5 / 60;
		late.at_once += shown == now;
		late.quick += quick;
		late.quick_at_once += quick && shown == now;
	}
	witness_close(&s);
	return late;
}

static void relaxed(struct rig *r, const struct x_window *w)
{
	enum { IMAGES = 20 };
	struct late late = shown_at_once(r, w, VK_PRESENT_MODE_FIFO_KHR, IMAGES, IMAGES);
	CHECK(late.at_once == 0, "FIFO tears: %u late images were shown at once", late.at_once);
	CHECK(rig_has_mode(r, VK_PRESENT_MODE_FIFO_RELAXED_KHR), "no FIFO_RELAXED");
	late = shown_at_once(r, w, VK_PRESENT_MODE_FIFO_RELAXED_KHR, 5 * IMAGES, IMAGES);
	printf("FIFO_RELAXED: %u of %u late images were shown at once\n", late.quick_at_once, late.quick);
	CHECK(4 * late.quick_at_once >= late.quick, "FIFO_RELAXED: that is too few");
	double start = rig_seconds();
	for (unsigned i = 0; i < 30; i++)
		CHECK(rig_frame(r, i) == VK_SUCCESS, "FIFO_RELAXED: frame %u", i);
	double seconds = rig_seconds() - start;
	CHECK(seconds > 26 / 60.0, "FIFO_RELAXED: 30 frames in %.3f s", seconds);
}

/* --- windows that change --- */

static void resized(struct rig *r, const struct x_window *w)
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

/* What the old swapchain shows comes before what the new one shows. */
static void replaced(struct rig *r, const struct x_window *w)
{
	VkSwapchainKHR old;
	for (uint32_t i = 0; i < 10; i++) {
		uint32_t color = 0x800000 + i;
		CHECK(rig_chain(r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS, "no swapchain");
		for (unsigned j = 0; j < 3; j++)
			CHECK(rig_frame(r, 0x000080 + j) == VK_SUCCESS, "old frame %u", j);
		CHECK(rig_chain_over(r, VK_PRESENT_MODE_IMMEDIATE_KHR, 64, 48, &old) == VK_SUCCESS, "no new swapchain");
		CHECK(rig_frame(r, color) == VK_SUCCESS, "no new frame");
		vkDeviceWaitIdle(r->device);
		vkDestroySwapchainKHR(r->device, old, NULL);
		for (unsigned tries = 0; tries < 500 && pixel(w, 0, 0) != color; tries++)
			usleep(1000);
		usleep(60000);
		CHECK(pixel(w, 0, 0) == color, "an old frame, %06x, over a new one", pixel(w, 0, 0));
	}
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
	struct x_window w;
	struct rig r;
	x_window_open(&w, 64, 48);
	x_window_rig(&r, &w);
	CHECK(rig_chain(&r, mode, 64, 48) == VK_SUCCESS && rig_frame(&r, 1) == VK_SUCCESS, "no first frame");
	xcb_destroy_window(w.connection, w.id);
	xcb_flush(w.connection);
	lost(&r, "destroyed window");
	rig_close(&r);
	x_window_close(&w);
}

static void disconnected(void)
{
	struct x_window w;
	struct rig r;
	x_window_open(&w, 64, 48);
	x_window_rig(&r, &w);
	CHECK(rig_chain(&r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS && rig_frame(&r, 1) == VK_SUCCESS,
		"no first frame");
	xcb_connection_t *killer = xcb_connect(NULL, NULL);
	free(xcb_request_check(killer, xcb_kill_client_checked(killer, w.id)));
	xcb_disconnect(killer);
	lost(&r, "lost connection");
	rig_close(&r);
	x_window_close(&w);
}

int main(int argc, char **argv)
{
	static const VkPresentModeKHR modes[] = { VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
		VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_FIFO_RELAXED_KHR };
	struct x_window w;
	struct rig r;
	const char *how = argc > 1 ? argv[1] : "";
	x_window_hide_present = strcmp(how, "no_present") == 0;
	x_window_open(&w, 64, 48);
	x_window_rig(&r, &w);
	/* First, so that the account is of these images only. */
	fifo(&r, &w, strcmp(how, "present") == 0);
	for (unsigned m = 0; m < 4; m++)
		shows(&r, &w, modes[m], 64, 48);
	if (strcmp(how, "present") == 0)
		relaxed(&r, &w);
	/* With the extension the server has its own mind about FIFO beside IMMEDIATE. */
	if (strcmp(how, "present") != 0)
		replaced(&r, &w);
	resized(&r, &w);
	rig_close(&r);
	x_window_close(&w);
	for (unsigned m = 0; m < 4; m++)
		destroyed(modes[m]);
	disconnected();
	return 0;
}
