/* What the ways of showing an image on X11 share. */
#ifndef ICD_WSI_X11_H
#define ICD_WSI_X11_H

#include <xcb/present.h>
#include <xcb/xcb.h>
#include "icd/wsi.h"

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
	uint64_t msc;                          /* the last refresh we heard of; under the chain's mutex */
	uint64_t target;                       /* FIFO: the last refresh that has an image; likewise */
	uint32_t empty_pumps;
};

/* Size of the chain's window now; VK_ERROR_SURFACE_LOST_KHR without one. */
VkResult x11_window_geometry(xcb_connection_t *c, xcb_get_geometry_cookie_t cookie, VkExtent2D *out, uint8_t *depth);
/* VK_SUCCESS when the cookies' answers say that the image was taken and the window
 * has the chain's size, OUT_OF_DATE or SURFACE_LOST otherwise. */
VkResult x11_shown(struct icd_swapchain *chain, xcb_void_cookie_t put, xcb_get_geometry_cookie_t geometry);

/* The Present extension (presentproto 1.0) with pixmaps in MIT-SHM segments.
 * init: false if the server lacks something, and nothing is left behind. */
bool x11_present_init(struct x11_chain *x);
void x11_present_finish(struct x11_chain *x);
/* A pixmap over the image's segment, image->wsi_id; false if the server refuses. */
bool x11_present_image_init(struct icd_swapchain *chain, struct icd_swapchain_image *image);
void x11_present_image_finish(struct icd_swapchain *chain, struct icd_swapchain_image *image);
VkResult x11_present_show(struct icd_swapchain *chain, struct icd_swapchain_image *image);
/* icd_wsi.pump. */
bool x11_present_pump(struct icd_swapchain *chain, int ms);

#endif
