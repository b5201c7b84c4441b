/* X11, through xcb.  An image is shown by the Present extension; where the server
 * has none it is put into its window by MIT-SHM, or by plain PutImage if the
 * server cannot see our memory.  Requests are checked, so
 * their errors come here and not to the application, and a window that has
 * died or changed its size is noticed at the next present. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <xcb/shm.h>
#include "icd/wsi_x11.h"

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

VkResult x11_window_geometry(xcb_connection_t *c, xcb_get_geometry_cookie_t cookie, VkExtent2D *out, uint8_t *depth)
{
	xcb_generic_error_t *error = NULL;
	xcb_get_geometry_reply_t *reply = xcb_get_geometry_reply(c, cookie, &error);
	free(error);
	if (!reply)
		return VK_ERROR_SURFACE_LOST_KHR;
	*out = (VkExtent2D){ reply->width, reply->height };
	if (depth)
		*depth = reply->depth;
	free(reply);
	return VK_SUCCESS;
}

static VkResult x11_get_extent(const VkIcdSurfaceBase *surface, VkExtent2D *out)
{
	xcb_window_t window;
	void *library;
	xcb_connection_t *c = open_surface(surface, &window, &library);
	VkResult result = VK_ERROR_SURFACE_LOST_KHR;
	if (c && !xcb_connection_has_error(c))
		result = x11_window_geometry(c, xcb_get_geometry(c, window), out, NULL);
	close_library(library);
	return result;
}

static bool has_shm(xcb_connection_t *c)
{
	const xcb_query_extension_reply_t *ext = xcb_get_extension_data(c, &xcb_shm_id);
	if (!ext || !ext->present)
		return false;
	xcb_shm_query_version_reply_t *v = xcb_shm_query_version_reply(c, xcb_shm_query_version(c), NULL);
	free(v);
	return v != NULL;
}

static VkResult x11_init(struct icd_swapchain *chain)
{
	struct x11_chain *x = icd_zalloc(&chain->alloc, sizeof *x, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	VkExtent2D extent;
	if (!x)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain->wsi_data = x;
	x->connection = open_surface(chain->surface, &x->window, &x->x11_xcb);
	if (!x->connection || xcb_connection_has_error(x->connection))
		return VK_ERROR_SURFACE_LOST_KHR;
	VkResult result = x11_window_geometry(x->connection, xcb_get_geometry(x->connection, x->window), &extent, &x->depth);
	if (result != VK_SUCCESS)
		return result;
	x->shm = has_shm(x->connection);
	x->present = x->shm && x11_present_init(x);
	x->gc = xcb_generate_id(x->connection);
	xcb_generic_error_t *error = xcb_request_check(x->connection,
		xcb_create_gc_checked(x->connection, x->gc, x->window, XCB_GC_GRAPHICS_EXPOSURES, (uint32_t[]){ 0 }));
	if (!error)
		return VK_SUCCESS;
	free(error);
	x->gc = 0;
	return VK_ERROR_SURFACE_LOST_KHR;
}

static void x11_finish(struct icd_swapchain *chain)
{
	struct x11_chain *x = chain->wsi_data;
	if (!x)
		return;
	x11_present_finish(x);
	if (x->gc)
		xcb_discard_reply(x->connection, xcb_free_gc_checked(x->connection, x->gc).sequence);
	if (x->connection)
		xcb_flush(x->connection);
	close_library(x->x11_xcb);
	icd_free(&chain->alloc, x);
}

/* A System V segment that the server attaches; false if it cannot. */
static bool shm_image(struct x11_chain *x, struct icd_swapchain_image *image, size_t bytes)
{
	int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
	if (id < 0)
		return false;
	void *map = shmat(id, NULL, 0);
	xcb_generic_error_t *error = NULL;
	bool ok = map != (void *)-1;
	if (ok) {
		image->wsi_id = xcb_generate_id(x->connection);
		error = xcb_request_check(x->connection,
			/* Writable, as pixmaps ask for. */
			xcb_shm_attach_checked(x->connection, image->wsi_id, (uint32_t)id, false));
	}
	/* Gone with its last user from here on. */
	shmctl(id, IPC_RMID, NULL);
	if (ok && error)
		shmdt(map);
	ok = ok && !error;
	free(error);
	if (ok)
		image->memory.map = map;
	else
		image->wsi_id = 0;
	return ok;
}

static VkResult x11_image_init(struct icd_swapchain *chain, struct icd_swapchain_image *image, size_t bytes)
{
	struct x11_chain *x = chain->wsi_data;
	if (x->shm && shm_image(x, image, bytes)) {
		x->present = x->present && x11_present_image_init(chain, image);
		return VK_SUCCESS;
	}
	x->shm = false;
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (map == MAP_FAILED)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	image->memory.map = map;
	return VK_SUCCESS;
}

static void x11_image_finish(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	if (!image->wsi_id) {
		munmap(image->memory.map, image->memory.map_bytes);
		return;
	}
	x11_present_image_finish(chain, image);
	xcb_discard_reply(x->connection, xcb_shm_detach_checked(x->connection, image->wsi_id).sequence);
	shmdt(image->memory.map);
}

/* Rows in pieces that fit a request; the last one's cookie.  What is wrong with
 * one is wrong with all of them. */
static xcb_void_cookie_t put_rows(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	uint32_t max = xcb_get_maximum_request_length(x->connection) * 4 - 64;
	uint32_t rows = max / chain->row_bytes ? max / chain->row_bytes : 1;
	xcb_void_cookie_t put = { 0 };
	for (uint32_t y = 0; y < chain->extent.height; y += rows) {
		uint32_t n = chain->extent.height - y < rows ? chain->extent.height - y : rows;
		if (y)
			xcb_discard_reply(x->connection, put.sequence);
		put = xcb_put_image_checked(x->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, x->window, x->gc,
			(uint16_t)(chain->row_bytes / 4), (uint16_t)n, 0, (int16_t)y, 0, x->depth, n * chain->row_bytes,
			image->memory.map + (size_t)y * chain->row_bytes);
	}
	return put;
}

VkResult x11_shown(struct icd_swapchain *chain, xcb_void_cookie_t put, xcb_get_geometry_cookie_t geometry)
{
	struct x11_chain *x = chain->wsi_data;
	VkExtent2D now;
	/* Its answer also says that the server has done what came before. */
	VkResult result = x11_window_geometry(x->connection, geometry, &now, NULL);
	xcb_generic_error_t *error = xcb_request_check(x->connection, put);
	if (error || xcb_connection_has_error(x->connection))
		result = VK_ERROR_SURFACE_LOST_KHR;
	free(error);
	if (result == VK_SUCCESS && (now.width != chain->extent.width || now.height != chain->extent.height))
		result = VK_ERROR_OUT_OF_DATE_KHR;
	return result;
}

static VkResult x11_present(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct x11_chain *x = chain->wsi_data;
	xcb_void_cookie_t put;
	if (x->pixmap[image - chain->image])
		return x11_present_show(chain, image);
	icd_swapchain_pace(chain);
	if (image->wsi_id)
		put = xcb_shm_put_image_checked(x->connection, x->window, x->gc, (uint16_t)(chain->row_bytes / 4),
			(uint16_t)chain->extent.height, 0, 0, (uint16_t)chain->extent.width, (uint16_t)chain->extent.height,
			0, 0, x->depth, XCB_IMAGE_FORMAT_Z_PIXMAP, false, image->wsi_id, 0);
	else
		put = put_rows(chain, image);
	VkResult result = x11_shown(chain, put, xcb_get_geometry(x->connection, x->window));
	if (result == VK_SUCCESS)
		icd_swapchain_release(chain, image);
	return result;
}

const struct icd_wsi icd_wsi_x11 = {
	.get_extent = x11_get_extent,
	.composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
	.init = x11_init,
	.finish = x11_finish,
	.image_init = x11_image_init,
	.image_finish = x11_image_finish,
	.present = x11_present,
	.pump = x11_present_pump,
};
