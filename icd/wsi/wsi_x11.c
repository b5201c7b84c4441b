/* SPDX-License-Identifier: MIT */
/* X11, through xcb.  An image is shown by the Present extension; where the server
 * has none it is put into its window by MIT-SHM, or by plain PutImage if the
 * server cannot see our memory.  Requests are checked, so
 * their errors come here and not to the application, and a window that has
 * died or changed its size is noticed at the next present.
 *
 * Only creation asks the server on the application's thread, and gives up after
 * ICD_WSI_PATIENCE; what follows is the presenter's. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <xcb/shm.h>
#include "icd/wsi/wsi_x11.h"

/* Xlib applications have libX11; the one function that leads from its
 * connection to xcb's is looked up when it is first needed. */
static xcb_connection_t *xlib_connection(Display *display, void **library)
{
	*library = dlopen("libX11-xcb.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!*library)
		return NULL;
	xcb_connection_t *(*get)(Display *);
	*(void **)&get = dlsym(*library, "XGetXCBConnection");
	return get ? get(display) : NULL;
}

static xcb_connection_t *open_surface(const VkIcdSurfaceBase *base, xcb_window_t *window, void **library)
{
	*library = NULL;
	if (base->platform == VK_ICD_WSI_PLATFORM_XCB) {
		const VkIcdSurfaceXcb *s = (const VkIcdSurfaceXcb *)base;
		*window = s->window;
		return s->connection;
	}
	const VkIcdSurfaceXlib *s = (const VkIcdSurfaceXlib *)base;
	*window = (xcb_window_t)s->window;
	return xlib_connection(s->dpy, library);
}

static void close_library(void *library)
{
	if (library)
		dlclose(library);
}

static VkResult x11_get_extent(const VkIcdSurfaceBase *surface, VkExtent2D *out)
{
	xcb_window_t window;
	void *library;
	xcb_connection_t *c = open_surface(surface, &window, &library);
	const _Atomic uint64_t until = icd_now() + ICD_WSI_PATIENCE;
	VkResult result = VK_ERROR_SURFACE_LOST_KHR;
	if (c && !xcb_connection_has_error(c))
		result = x11_window_geometry(c, &until, window, out, NULL);
	close_library(library);
	return result;
}

static bool has_shm(xcb_connection_t *c, const _Atomic uint64_t *until)
{
	const xcb_query_extension_reply_t *ext = xcb_get_extension_data(c, &xcb_shm_id);
	if (!ext || !ext->present)
		return false;
	unsigned sequence = xcb_shm_query_version(c).sequence;
	xcb_flush(c);
	xcb_shm_query_version_reply_t *v = x11_reply(c, until, sequence);
	free(v);
	return v != NULL;
}

static VkResult x11_init(struct icd_presenter *p)
{
	struct x11_chain *x = calloc(1, sizeof *x);
	VkExtent2D extent;
	if (!x)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	p->data = x;
	x->connection = open_surface(p->surface, &x->window, &x->x11_xcb);
	if (!x->connection || xcb_connection_has_error(x->connection))
		return VK_ERROR_SURFACE_LOST_KHR;
	VkResult result = x11_window_geometry(x->connection, &p->until, x->window, &extent, &x->depth);
	if (result != VK_SUCCESS)
		return result;
	x->shm = has_shm(x->connection, &p->until);
	x->present = x->shm && x11_present_init(p);
	x->gc = xcb_generate_id(x->connection);
	if (x11_done(x->connection, &p->until, xcb_create_gc_checked(x->connection, x->gc, x->window,
		XCB_GC_GRAPHICS_EXPOSURES, (uint32_t[]){ 0 })))
		return VK_SUCCESS;
	x->gc = 0;
	return VK_ERROR_SURFACE_LOST_KHR;
}

static void x11_finish(struct icd_presenter *p)
{
	struct x11_chain *x = p->data;
	if (!x)
		return;
	x11_present_finish(p);
	if (x->gc && x11_may_finish(p))
		xcb_discard_reply(x->connection, xcb_free_gc_checked(x->connection, x->gc).sequence);
	if (x11_may_finish(p))
		xcb_flush(x->connection);
	close_library(x->x11_xcb);
	free(x);
}

/* A System V segment that the server attaches; false if it cannot. */
static bool shm_image(struct icd_presenter *p, struct icd_present_image *image, size_t bytes)
{
	struct x11_chain *x = p->data;
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	if (id < 0)
		return false;
	void *map = shmat(id, NULL, 0);
	bool ok = map != (void *)-1;
	if (ok) {
		image->wsi_id = xcb_generate_id(x->connection);
		/* Writable, as pixmaps ask for. */
		ok = x11_done(x->connection, &p->until,
			xcb_shm_attach_checked(x->connection, image->wsi_id, (uint32_t)id, false));
		if (!ok)
			shmdt(map);
	}
	/* Gone with its last user from here on. */
	shmctl(id, IPC_RMID, NULL);
	if (ok)
		image->map = map;
	else
		image->wsi_id = 0;
	return ok;
}

static VkResult x11_image_init(struct icd_presenter *p, struct icd_present_image *image, size_t bytes)
{
	struct x11_chain *x = p->data;
	if (x->shm && shm_image(p, image, bytes)) {
		x->present = x->present && x11_present_image_init(p, image);
		return VK_SUCCESS;
	}
	x->shm = false;
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	image->map = map;
	return VK_SUCCESS;
}

static void x11_image_finish(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	if (!image->wsi_id) {
		munmap(image->map, image->map_bytes);
		return;
	}
	x11_present_image_finish(p, image);
	if (x11_may_finish(p))
		xcb_discard_reply(x->connection, xcb_shm_detach_checked(x->connection, image->wsi_id).sequence);
	shmdt(image->map);
}

/* Rows in pieces that fit a request and the socket.  What is wrong with one is wrong with
 * all of them: the last one tells. */
static VkResult put_rows(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	uint32_t rows = X11_REQUEST_BYTES / p->row_bytes ? X11_REQUEST_BYTES / p->row_bytes : 1;
	for (uint32_t y = 0; y < p->extent.height; y += rows) {
		uint32_t n = p->extent.height - y < rows ? p->extent.height - y : rows;
		if (!x11_ready(x->connection, &p->until))
			return VK_SUCCESS;
		xcb_void_cookie_t put = xcb_put_image_checked(x->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, x->window, x->gc,
			(uint16_t)(p->row_bytes / 4), (uint16_t)n, 0, (int16_t)y, 0, x->depth, n * p->row_bytes,
			(const uint8_t *)image->map + (size_t)y * p->row_bytes);
		if (p->abandoned)
			return VK_SUCCESS;
		if (y + n == p->extent.height)
			return x11_shown(p, put);
		xcb_discard_reply(x->connection, put.sequence);
	}
	return VK_SUCCESS;
}

static VkResult put_segment(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	return x11_shown(p, xcb_shm_put_image_checked(x->connection, x->window, x->gc, (uint16_t)(p->row_bytes / 4),
		(uint16_t)p->extent.height, 0, 0, (uint16_t)p->extent.width, (uint16_t)p->extent.height,
		0, 0, x->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, false, image->wsi_id, 0));
}

static VkResult x11_present(struct icd_presenter *p, struct icd_present_image *image)
{
	struct x11_chain *x = p->data;
	if (!x->pixmap[image - p->image])
		icd_presenter_pace(p);
	if (!x11_ready(x->connection, &p->until))
		return VK_SUCCESS;
	if (x->pixmap[image - p->image])
		return x11_present_show(p, image);
	VkResult result = image->wsi_id ? put_segment(p, image) : put_rows(p, image);
	if (result == VK_SUCCESS)
		icd_present_release(image);
	return result;
}

const struct icd_wsi icd_wsi_x11 = {
	.get_extent = x11_get_extent,
	.composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
	.relaxed = true,
	.server = true,
	.init = x11_init,
	.finish = x11_finish,
	.image_init = x11_image_init,
	.image_finish = x11_image_finish,
	.present = x11_present,
	.pump = x11_present_pump,
};
