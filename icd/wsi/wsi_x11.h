/* SPDX-License-Identifier: MIT */
/* What the ways of showing an image on X11 share. */
#ifndef ICD_WSI_WSI_X11_H
#define ICD_WSI_WSI_X11_H

#include <xcb/present.h>
#include <xcb/xcb.h>
#include "icd/wsi/wsi.h"

struct x11_chain {
	xcb_connection_t *connection;
	xcb_window_t window;
	xcb_gcontext_t gc;
	uint8_t depth;
	bool shm;
	bool present;                          /* by the Present extension */
	void *x11_xcb;                         /* libX11-xcb, for Xlib surfaces */
	/* Present only. */
	uint32_t event_id;
	xcb_special_event_t *events;
	xcb_pixmap_t pixmap[ICD_MAX_SWAPCHAIN_IMAGES];
	uint64_t msc;                          /* the last refresh we heard of */
	uint64_t target;                       /* FIFO: the last refresh that has an image */
	uint64_t heard;                        /* icd_now() of the last event, or of asking after the window */
};

/* --- a connection that is never waited for inside xcb --- */

/* Waits until the socket takes what xcb may write at once: requests of up to
 * X11_REQUEST_BYTES may follow.  False when *until is over. */
enum { X11_REQUEST_BYTES = 16384 };
bool x11_ready(xcb_connection_t *c, const _Atomic uint64_t *until);
/* The reply to a request that has been flushed, from malloc; NULL on error or when *until
 * is over. */
void *x11_reply(xcb_connection_t *c, const _Atomic uint64_t *until, unsigned sequence);
/* Whether the server has carried out a checked request. */
bool x11_done(xcb_connection_t *c, const _Atomic uint64_t *until, xcb_void_cookie_t request);
/* Size of a window now; VK_ERROR_SURFACE_LOST_KHR without one.  depth may be NULL. */
VkResult x11_window_geometry(xcb_connection_t *c, const _Atomic uint64_t *until, xcb_window_t window,
	VkExtent2D *out, uint8_t *depth);
/* Whether requests may be made that finish what init began. */
bool x11_may_finish(struct icd_presenter *p);

/* --- */

/* Flushes, waits for the server to come as far as `put`: VK_SUCCESS when it took the image
 * and the window has the chain's size (or nobody wants to know any more),
 * OUT_OF_DATE or SURFACE_LOST otherwise. */
VkResult x11_shown(struct icd_presenter *p, xcb_void_cookie_t put);

/* The Present extension (presentproto 1.0) with pixmaps in MIT-SHM segments.
 * init: false if the server lacks something, and nothing is left behind. */
bool x11_present_init(struct icd_presenter *p);
void x11_present_finish(struct icd_presenter *p);
/* A pixmap over the image's segment, image->wsi_id; false if the server refuses. */
bool x11_present_image_init(struct icd_presenter *p, struct icd_present_image *image);
void x11_present_image_finish(struct icd_presenter *p, struct icd_present_image *image);
VkResult x11_present_show(struct icd_presenter *p, struct icd_present_image *image);
/* icd_wsi.pump. */
void x11_present_pump(struct icd_presenter *p, int ms);

#endif
