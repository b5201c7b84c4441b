/* X11 with the Present extension: the server shows a pixmap at a refresh of its
 * own choice or ours and says when it has done with it.  FIFO gives each image a
 * refresh of its own, so nobody sleeps here: an application that is too fast
 * waits for an image in acquire.  MAILBOX leaves it to the server to skip an image
 * whose refresh is taken by a newer one; IMMEDIATE does not wait for a refresh.
 *
 * Events come through a queue of their own (xcb's special events), never through
 * the application's. */
#include <poll.h>
#include <stdlib.h>
#include <xcb/shm.h>
#include "icd/wsi_x11.h"

static bool has_present(xcb_connection_t *c)
{
	const xcb_query_extension_reply_t *ext = xcb_get_extension_data(c, &xcb_present_id);
	if (!ext || !ext->present)
		return false;
	xcb_present_query_version_reply_t *v =
		xcb_present_query_version_reply(c, xcb_present_query_version(c, 1, 0), NULL);
	free(v);
	return v != NULL;
}

static bool has_shared_pixmaps(xcb_connection_t *c)
{
	xcb_shm_query_version_reply_t *v = xcb_shm_query_version_reply(c, xcb_shm_query_version(c), NULL);
	bool ok = v && v->shared_pixmaps && v->pixmap_format == XCB_IMAGE_FORMAT_Z_PIXMAP;
	free(v);
	return ok;
}

bool x11_present_init(struct x11_chain *x)
{
	if (!has_present(x->connection) || !has_shared_pixmaps(x->connection))
		return false;
	x->event_id = xcb_generate_id(x->connection);
	/* Before the request, so that no event can come earlier. */
	x->events = xcb_register_for_special_xge(x->connection, &xcb_present_id, x->event_id, NULL);
	if (!x->events)
		return false;
	xcb_generic_error_t *error = xcb_request_check(x->connection,
		xcb_present_select_input_checked(x->connection, x->event_id, x->window,
			XCB_PRESENT_EVENT_MASK_COMPLETE_NOTIFY | XCB_PRESENT_EVENT_MASK_IDLE_NOTIFY));
	if (!error)
		return true;
	free(error);
	xcb_unregister_for_special_event(x->connection, x->events);
	x->events = NULL;
	return false;
}

void x11_present_finish(struct x11_chain *x)
{
	if (!x->events)
		return;
	xcb_discard_reply(x->connection,
		xcb_present_select_input_checked(x->connection, x->event_id, x->window, 0).sequence);
	xcb_unregister_for_special_event(x->connection, x->events);
}

bool x11_present_image_init(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	uint32_t pitch = icd_image_level(image->image, VK_IMAGE_ASPECT_COLOR_BIT, 0).pitch;
	xcb_pixmap_t pixmap = xcb_generate_id(x->connection);
	xcb_generic_error_t *error = xcb_request_check(x->connection,
		xcb_shm_create_pixmap_checked(x->connection, pixmap, x->window, (uint16_t)(pitch / 4),
			(uint16_t)chain->extent.height, x->depth, image->wsi_id, 0));
	if (!error)
		x->pixmap[image - chain->image] = pixmap;
	free(error);
	return !error;
}

void x11_present_image_finish(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	xcb_pixmap_t pixmap = x->pixmap[image - chain->image];
	if (pixmap)
		xcb_discard_reply(x->connection, xcb_free_pixmap_checked(x->connection, pixmap).sequence);
}

/* --- events --- */

static void on_complete(struct icd_swapchain *chain, const xcb_present_complete_notify_event_t *e)
{
	struct x11_chain *x = chain->wsi_data;
	pthread_mutex_lock(&chain->mutex);
	if (e->msc > x->msc)
		x->msc = e->msc;
	pthread_mutex_unlock(&chain->mutex);
}

static void on_idle(struct icd_swapchain *chain, const xcb_present_idle_notify_event_t *e)
{
	struct x11_chain *x = chain->wsi_data;
	for (uint32_t i = 0; i < chain->image_count; i++)
		if (x->pixmap[i] == e->pixmap)
			icd_swapchain_release(chain, &chain->image[i]);
}

/* Whether there was any. */
static bool take_events(struct icd_swapchain *chain)
{
	struct x11_chain *x = chain->wsi_data;
	xcb_generic_event_t *event;
	bool any = false;
	while ((event = xcb_poll_for_special_event(x->connection, x->events))) {
		const xcb_present_generic_event_t *e = (const void *)event;
		if (e->evtype == XCB_PRESENT_COMPLETE_NOTIFY)
			on_complete(chain, (const void *)event);
		else if (e->evtype == XCB_PRESENT_IDLE_NOTIFY)
			on_idle(chain, (const void *)event);
		free(event);
		any = true;
	}
	return any;
}

/* A window that is gone sends no event: asked after when nothing has come for long. */
static void check_window(struct icd_swapchain *chain)
{
	struct x11_chain *x = chain->wsi_data;
	VkExtent2D now;
	VkResult result = x11_window_geometry(x->connection, xcb_get_geometry(x->connection, x->window), &now, NULL);
	if (result == VK_SUCCESS)
		return;
	pthread_mutex_lock(&chain->mutex);
	chain->status = result;
	pthread_mutex_unlock(&chain->mutex);
}

bool x11_present_pump(struct icd_swapchain *chain, int ms)
{
	struct x11_chain *x = chain->wsi_data;
	enum { PATIENCE = 50 };
	if (!x->events)
		return false;
	/* Another thread may read the socket and leave our events in the queue: no
	 * wait is long enough for that to matter. */
	struct pollfd fd = { xcb_get_file_descriptor(x->connection), POLLIN, 0 };
	if (take_events(chain) || (ms && poll(&fd, 1, ms) > 0 && take_events(chain)))
		x->empty_pumps = 0;
	else if (ms && ++x->empty_pumps % PATIENCE == 0)
		check_window(chain);
	return true;
}

/* --- present --- */

/* Asks which refresh is now, x->msc; `before` is a request whose answer is wanted as well. */
static VkResult ask_refresh(struct icd_swapchain *chain, xcb_void_cookie_t *before)
{
	struct x11_chain *x = chain->wsi_data;
	xcb_void_cookie_t ask = xcb_present_notify_msc_checked(x->connection, x->window, 0, 0, 0, 0);
	VkResult result = x11_shown(chain, ask, xcb_get_geometry(x->connection, x->window));
	xcb_generic_error_t *error = before ? xcb_request_check(x->connection, *before) : NULL;
	free(error);
	take_events(chain); /* the answer is there: it was sent before the geometry */
	return error ? VK_ERROR_SURFACE_LOST_KHR : result;
}

/* FIFO: the refresh after the last one that has an image.  Of two images for one
 * refresh the server skips the older, and an image whose refresh is over gets the next one:
 * so it is asked before, what is over, and behind, whether we were late. */
static VkResult show_in_order(struct icd_swapchain *chain, xcb_pixmap_t pixmap, uint32_t serial)
{
	struct x11_chain *x = chain->wsi_data;
	VkResult result = ask_refresh(chain, NULL);
	if (result != VK_SUCCESS)
		return result;
	pthread_mutex_lock(&chain->mutex);
	if (x->target < x->msc || x->target > x->msc + 2 * ICD_MAX_SWAPCHAIN_IMAGES)
		x->target = x->msc;
	uint64_t target = ++x->target;
	pthread_mutex_unlock(&chain->mutex);
	xcb_void_cookie_t put = xcb_present_pixmap_checked(x->connection, x->window, pixmap, serial,
		0, 0, 0, 0, 0, 0, 0, XCB_PRESENT_OPTION_NONE, target, 0, 0, 0, NULL);
	result = ask_refresh(chain, &put);
	pthread_mutex_lock(&chain->mutex);
	if (x->msc >= target)
		x->target = x->msc + 1;
	pthread_mutex_unlock(&chain->mutex);
	return result;
}

VkResult x11_present_show(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	uint32_t serial = (uint32_t)(image - chain->image);
	uint32_t options = chain->mode == VK_PRESENT_MODE_IMMEDIATE_KHR ? XCB_PRESENT_OPTION_ASYNC : XCB_PRESENT_OPTION_NONE;
	if (chain->mode == VK_PRESENT_MODE_FIFO_KHR)
		return show_in_order(chain, x->pixmap[serial], serial);
	xcb_void_cookie_t put = xcb_present_pixmap_checked(x->connection, x->window, x->pixmap[serial], serial,
		0, 0, 0, 0, 0, 0, 0, options, 0, 0, 0, 0, NULL);
	return x11_shown(chain, put, xcb_get_geometry(x->connection, x->window));
}
