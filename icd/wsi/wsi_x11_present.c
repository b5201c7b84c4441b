/* SPDX-License-Identifier: MIT */
/* X11 with the Present extension: the server shows a pixmap at a refresh of its
 * own choice or ours and says when it has done with it.  FIFO gives each image a
 * refresh of its own, so nobody sleeps here: an application that is too fast
 * waits for an image in acquire.  FIFO_RELAXED shows an image that has missed its refresh
 * at once.  MAILBOX leaves it to the server to skip an image
 * whose refresh is taken by a newer one; IMMEDIATE does not wait for a refresh.
 *
 * Events come through a queue of their own (xcb's special events), never through
 * the application's. */
#include <stdlib.h>
#include <xcb/shm.h>
#include "icd/wsi/wsi_x11.h"

static bool has_present(xcb_connection_t *c, const _Atomic uint64_t *until)
{
	const xcb_query_extension_reply_t *ext = xcb_get_extension_data(c, &xcb_present_id);
	if (!ext || !ext->present)
		return false;
	unsigned sequence = xcb_present_query_version(c, 1, 0).sequence;
	xcb_flush(c);
	xcb_present_query_version_reply_t *v = x11_reply(c, until, sequence);
	free(v);
	return v != NULL;
}

static bool has_shared_pixmaps(xcb_connection_t *c, const _Atomic uint64_t *until)
{
	unsigned sequence = xcb_shm_query_version(c).sequence;
	xcb_flush(c);
	xcb_shm_query_version_reply_t *v = x11_reply(c, until, sequence);
	bool ok = v && v->shared_pixmaps && v->pixmap_format == XCB_IMAGE_FORMAT_Z_PIXMAP;
	free(v);
	return ok;
}

bool x11_present_init(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	if (!has_present(x->connection, &p->until) || !has_shared_pixmaps(x->connection, &p->until))
		return false;
	x->event_id = xcb_generate_id(x->connection);
	/* Before the request, so that no event can come earlier. */
	x->events = xcb_register_for_special_xge(x->connection, &xcb_present_id, x->event_id, NULL);
	if (!x->events)
		return false;
	if (x11_done(x->connection, &p->until, xcb_present_select_input_checked(x->connection, x->event_id, x->window,
		XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY)))
		return true;
	xcb_unregister_for_special_event(x->connection, x->events);
	x->events = NULL;
	return false;
}

void x11_present_finish(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	if (!x->events || p->abandoned)
		return;
	if (x11_may_finish(p))
		xcb_discard_reply(x->connection,
			xcb_present_select_input_checked(x->connection, x->event_id, x->window, 0).sequence);
	xcb_unregister_for_special_event(x->connection, x->events);
}

bool x11_present_image_init(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	xcb_pixmap_t pixmap = xcb_generate_id(x->connection);
	bool ok = x11_done(x->connection, &p->until, xcb_shm_create_pixmap_checked(x->connection, pixmap, x->window,
		(uint16_t)(p->row_bytes / 4), (uint16_t)p->extent.height, x->depth, image->wsi_id, 0));
	if (ok)
		x->pixmap[image - p->image] = pixmap;
	return ok;
}

void x11_present_image_finish(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	xcb_pixmap_t pixmap = x->pixmap[image - p->image];
	if (pixmap && x11_may_finish(p))
		xcb_discard_reply(x->connection, xcb_free_pixmap_checked(x->connection, pixmap).sequence);
}

/* --- events --- */

static void on_idle(struct icd_presenter *p, const xcb_present_idle_notify_event_t *e)
{
	struct x11_chain *x = p->data;
	for (uint32_t i = 0; i < p->image_count; i++)
		if (x->pixmap[i] == e->pixmap)
			icd_present_release(&p->image[i]);
}

/* Whether there was any. */
static bool take_events(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	xcb_generic_event_t *event;
	bool any = false;
	while (!p->abandoned && (event = xcb_poll_for_special_event(x->connection, x->events))) {
		const xcb_present_generic_event_t *e = (const void *)event;
		const xcb_present_complete_notify_event_t *complete = (const void *)event;
		if (e->evtype == XCB_PRESENT_COMPLETE_NOTIFY && complete->msc > x->msc)
			x->msc = complete->msc;
		else if (e->evtype == XCB_PRESENT_IDLE_NOTIFY)
			on_idle(p, (const void *)event);
		free(event);
		any = true;
	}
	if (any)
		x->heard = icd_now();
	return any;
}

/* A window that is gone sends no event: asked after when nothing has come for long. */
static void check_window(struct icd_presenter *p)
{
	enum { LONG = 50000000 };
	struct x11_chain *x = p->data;
	VkExtent2D size;
	if (!xcb_connection_has_error(x->connection) && icd_now() < x->heard + LONG)
		return;
	VkResult result = x11_window_geometry(x->connection, &p->until, x->window, &size, NULL);
	if (result != VK_SUCCESS)
		icd_presenter_fail(p, result);
	x->heard = icd_now();
}

void x11_present_pump(struct icd_presenter *p, int ms)
{
	struct x11_chain *x = p->data;
	if (!x->events) {
		icd_presenter_sleep(p, -1, ms ? -1 : 0);
		return;
	}
	/* Another thread may read the socket and leave our events in the queue: no
	 * wait is long enough for that to matter. */
	if (!take_events(p) && !(icd_presenter_sleep(p, xcb_get_file_descriptor(x->connection), ms) && take_events(p)))
		check_window(p);
}

/* --- present --- */

/* As x11_shown, and lets in what the server has sent until then. */
static VkResult shown(struct icd_presenter *p, xcb_void_cookie_t put)
{
	VkResult result = x11_shown(p, put);
	take_events(p);
	return result;
}

/* Asks which refresh is now, x->msc. */
static VkResult ask_refresh(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	return shown(p, xcb_present_notify_msc_checked(x->connection, x->window, 0, 0, 0, 0));
}

static xcb_void_cookie_t put_pixmap(struct icd_presenter *p, uint32_t serial, uint32_t options, uint64_t target)
{
	struct x11_chain *x = p->data;
	return xcb_present_pixmap_checked(x->connection, x->window, x->pixmap[serial], serial,
		0, 0, 0, 0, 0, 0, 0, options, target, 0, 0, 0, NULL);
}

/* FIFO: the refresh after the last one that has an image.  Of two images for one
 * refresh the server skips the older, and an image whose refresh is over gets the next one:
 * so it is asked before, what is over, and behind, whether we were late. */
static VkResult show_in_order(struct icd_presenter *p, uint32_t serial)
{
	struct x11_chain *x = p->data;
	bool relaxed = p->mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR;
	VkResult result = ask_refresh(p);
	if (result != VK_SUCCESS || icd_now() >= p->until)
		return result;
	if (relaxed && x->target && x->target < x->msc) {
		/* Its refresh has begun without it. */
		x->target = x->msc;
		return shown(p, put_pixmap(p, serial, XCB_PRESENT_OPTION_ASYNC, 0));
	}
	if (x->target < x->msc || x->target > x->msc + 2 * ICD_MAX_SWAPCHAIN_IMAGES)
		x->target = x->msc;
	x->target++;
	xcb_void_cookie_t put = put_pixmap(p, serial, XCB_PRESENT_OPTION_NONE, x->target);
	xcb_void_cookie_t ask = xcb_present_notify_msc_checked(x->connection, x->window, 0, 0, 0, 0);
	xcb_discard_reply(x->connection, ask.sequence);
	result = shown(p, put);
	if (x->msc >= x->target)
		x->target = x->msc + 1;
	return result;
}

VkResult x11_present_show(struct icd_presenter *p, struct icd_present_image *image)
{
	uint32_t serial = (uint32_t)(image - p->image);
	if (p->mode == VK_PRESENT_MODE_FIFO_KHR || p->mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR)
		return show_in_order(p, serial);
	bool at_once = p->mode == VK_PRESENT_MODE_IMMEDIATE_KHR;
	return shown(p, put_pixmap(p, serial, at_once ? XCB_PRESENT_OPTION_ASYNC : XCB_PRESENT_OPTION_NONE, 0));
}
