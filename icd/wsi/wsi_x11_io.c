/* SPDX-License-Identifier: MIT */
/* Talking to an X server that may be stopped.  xcb waits for ever in two places: for
 * a reply, and to write into a full socket.  So replies are polled for, and nothing is
 * sent before the socket takes it: a local socket counts as writable while three
 * quarters of its buffer are free, which is many times what is sent at once here. */
#include <poll.h>
#include <stdlib.h>
#include <xcb/xcbext.h>
#include "icd/wsi/wsi_x11.h"

bool x11_ready(xcb_connection_t *c, const _Atomic uint64_t *until)
{
	int fd = xcb_get_file_descriptor(c);
	for (unsigned turn = 0; !xcb_connection_has_error(c); turn++) {
		struct pollfd p = { fd, POLLOUT, 0 };
		if (poll(&p, 1, 0) > 0)
			return true;
		if (!icd_wsi_poll(fd, POLLOUT, until, turn))
			return false;
	}
	return true; /* to be told so by what follows */
}

void *x11_reply(xcb_connection_t *c, const _Atomic uint64_t *until, unsigned sequence)
{
	xcb_generic_error_t *error = NULL;
	void *reply = NULL;
	for (unsigned turn = 0; !xcb_poll_for_reply(c, sequence, &reply, &error); turn++) {
		if (icd_wsi_poll(xcb_get_file_descriptor(c), POLLIN, until, turn))
			continue;
		xcb_discard_reply(c, sequence);
		return NULL;
	}
	free(error);
	return reply;
}

/* The answer to anything that came behind the request is there. */
static bool failed(xcb_connection_t *c, xcb_void_cookie_t request)
{
	xcb_generic_error_t *error = NULL;
	void *reply = NULL;
	if (!xcb_poll_for_reply(c, request.sequence, &reply, &error))
		xcb_discard_reply(c, request.sequence);
	bool is = error != NULL;
	free(error);
	free(reply);
	return is;
}

bool x11_done(xcb_connection_t *c, const _Atomic uint64_t *until, xcb_void_cookie_t request)
{
	unsigned behind = xcb_get_input_focus(c).sequence;
	xcb_flush(c);
	void *reply = x11_reply(c, until, behind);
	bool ok = !failed(c, request) && reply;
	free(reply);
	return ok;
}

VkResult x11_window_geometry(xcb_connection_t *c, const _Atomic uint64_t *until, xcb_window_t window,
	VkExtent2D *out, uint8_t *depth)
{
	if (!x11_ready(c, until))
		return VK_ERROR_SURFACE_LOST_KHR;
	unsigned sequence = xcb_get_geometry(c, window).sequence;
	xcb_flush(c);
	xcb_get_geometry_reply_t *reply = x11_reply(c, until, sequence);
	if (!reply)
		return VK_ERROR_SURFACE_LOST_KHR;
	*out = (VkExtent2D){ reply->width, reply->height };
	if (depth)
		*depth = reply->depth;
	free(reply);
	return VK_SUCCESS;
}

bool x11_may_finish(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	return !p->abandoned && x->connection && x11_ready(x->connection, &p->until);
}

VkResult x11_shown(struct icd_presenter *p, xcb_void_cookie_t put)
{
	struct x11_chain *x = p->data;
	VkExtent2D now;
	if (p->abandoned)
		return VK_SUCCESS;
	/* Its answer also says that the server has done what came before. */
	VkResult result = x11_window_geometry(x->connection, &p->until, x->window, &now, NULL);
	if (p->abandoned)
		return VK_SUCCESS;
	if (failed(x->connection, put) || xcb_connection_has_error(x->connection))
		return VK_ERROR_SURFACE_LOST_KHR;
	if (icd_now() >= p->until)
		return VK_SUCCESS;
	if (result == VK_SUCCESS && (now.width != p->extent.width || now.height != p->extent.height))
		return VK_ERROR_OUT_OF_DATE_KHR;
	return result;
}
