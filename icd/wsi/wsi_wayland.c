/* SPDX-License-Identifier: MIT */
/* Wayland: images are wl_shm buffers.  All events of a swapchain go to a queue
 * of its own, so the application's dispatching is left alone.  After creation only the
 * presenter's thread uses it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>
#include "icd/wsi/wsi.h"

struct wayland_chain {
	struct wl_display *display, *display_wrapper;
	struct wl_surface *surface_wrapper;
	struct wl_event_queue *queue;
	struct wl_registry *registry;
	struct wl_shm *shm;
	struct wl_callback *frame;   /* the compositor has not asked for a frame yet */
};

static VkResult wayland_get_extent(const VkIcdSurfaceBase *surface, VkExtent2D *out)
{
	*out = (VkExtent2D){ UINT32_MAX, UINT32_MAX };
	return VK_SUCCESS;
}

static void registry_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
	uint32_t version)
{
	struct wayland_chain *w = data;
	if (!strcmp(interface, wl_shm_interface.name) && !w->shm)
		w->shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
}

static void registry_remove(void *data, struct wl_registry *registry, uint32_t name)
{
}

static const struct wl_registry_listener registry_listener = { registry_global, registry_remove };

/* --- a connection that is never waited for inside libwayland --- */

/* Lets events in, waiting at most `ms` for the socket or until the presenter is woken;
 * false when the connection has failed. */
static bool dispatch(struct icd_presenter *p, int ms)
{
	struct wayland_chain *w = p->data;
	bool ok = true;
	if (wl_display_prepare_read_queue(w->display, w->queue) == 0) {
		wl_display_flush(w->display);
		if (icd_presenter_sleep(p, wl_display_get_fd(w->display), ms))
			ok = wl_display_read_events(w->display) >= 0;
		else
			wl_display_cancel_read(w->display);
		if (p->abandoned)
			return true;
	}
	ok = wl_display_dispatch_queue_pending(w->display, w->queue) >= 0 && ok;
	return ok && wl_display_get_error(w->display) == 0;
}

/* Waits until what is to be sent has room: libwayland takes a full socket for the end
 * of the connection.  False when the presenter's time is over. */
static bool ready(struct icd_presenter *p)
{
	const struct wayland_chain *w = p->data;
	for (unsigned turn = 0; wl_display_flush(w->display) < 0 && errno == EAGAIN; turn++)
		if (!icd_wsi_poll(wl_display_get_fd(w->display), POLLOUT, &p->until, turn))
			return false;
	return true;
}

static void sync_done(void *data, struct wl_callback *callback, uint32_t serial)
{
	*(bool *)data = true;
}

static const struct wl_callback_listener sync_listener = { sync_done };

/* The server has done what was asked of it so far. */
static bool roundtrip(struct icd_presenter *p)
{
	struct wayland_chain *w = p->data;
	bool done = false, ok = true;
	struct wl_callback *callback = wl_display_sync(w->display_wrapper);
	if (!callback)
		return false;
	wl_callback_add_listener(callback, &sync_listener, &done);
	while (ok && !done && icd_now() < p->until)
		ok = dispatch(p, 10);
	wl_callback_destroy(callback);
	return done;
}

/* --- swapchain --- */

static VkResult wayland_init(struct icd_presenter *p)
{
	const VkIcdSurfaceWayland *s = (const VkIcdSurfaceWayland *)p->surface;
	struct wayland_chain *w = calloc(1, sizeof *w);
	if (!w)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	p->data = w;
	w->display = s->display;
	w->queue = wl_display_create_queue(w->display);
	w->display_wrapper = wl_proxy_create_wrapper(w->display);
	w->surface_wrapper = wl_proxy_create_wrapper(s->surface);
	if (!w->queue || !w->display_wrapper || !w->surface_wrapper)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_proxy_set_queue((struct wl_proxy *)w->display_wrapper, w->queue);
	wl_proxy_set_queue((struct wl_proxy *)w->surface_wrapper, w->queue);
	if (!ready(p))
		return VK_ERROR_SURFACE_LOST_KHR;
	w->registry = wl_display_get_registry(w->display_wrapper);
	if (!w->registry)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_registry_add_listener(w->registry, &registry_listener, w);
	return roundtrip(p) && w->shm ? VK_SUCCESS : VK_ERROR_SURFACE_LOST_KHR;
}

static void wayland_finish(struct icd_presenter *p)
{
	struct wayland_chain *w = p->data;
	if (!w)
		return;
	if (!p->abandoned) {
		if (w->frame)
			wl_callback_destroy(w->frame);
		if (w->shm)
			wl_shm_destroy(w->shm);
		if (w->registry)
			wl_registry_destroy(w->registry);
		if (w->surface_wrapper)
			wl_proxy_wrapper_destroy(w->surface_wrapper);
		if (w->display_wrapper)
			wl_proxy_wrapper_destroy(w->display_wrapper);
		if (w->queue)
			wl_event_queue_destroy(w->queue);
		wl_display_flush(w->display);
	}
	free(w);
}

static void buffer_release(void *data, struct wl_buffer *buffer)
{
	icd_present_release(data);
}

static const struct wl_buffer_listener buffer_listener = { buffer_release };

/* A file of `bytes` bytes, or -1.  Sealed where that can be, since whoever has it could
 * cut it off under our writes, which is SIGBUS. */
static int create_file(size_t bytes)
{
	int fd = memfd_create("quadwave-swapchain", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool sealable = fd >= 0;
	const char *directory = getenv("XDG_RUNTIME_DIR");
	if (fd < 0 && directory)
		fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (ftruncate(fd, (off_t)bytes) != 0) {
		close(fd);
		return -1;
	}
	if (sealable)
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK);
	return fd;
}

static struct wl_buffer *create_buffer(struct icd_presenter *p, int fd, size_t bytes)
{
	struct wayland_chain *w = p->data;
	bool opaque = p->alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
	struct wl_shm_pool *pool = ready(p) ? wl_shm_create_pool(w->shm, fd, (int32_t)bytes) : NULL;
	if (!pool)
		return NULL;
	struct wl_buffer *buffer = wl_shm_pool_create_buffer(pool, 0, (int32_t)p->extent.width,
		(int32_t)p->extent.height, (int32_t)p->row_bytes, opaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888);
	wl_shm_pool_destroy(pool);
	return buffer;
}

static VkResult wayland_image_init(struct icd_presenter *p, struct icd_present_image *image, size_t bytes)
{
	const struct wayland_chain *w = p->data;
	int fd = create_file(bytes);
	if (fd < 0)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		close(fd);
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	}
	image->map = map;
	image->map_bytes = bytes;
	struct wl_buffer *buffer = create_buffer(p, fd, bytes);
	close(fd);
	if (!buffer)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_proxy_set_queue((struct wl_proxy *)buffer, w->queue);
	wl_buffer_add_listener(buffer, &buffer_listener, image);
	image->wsi = buffer;
	return VK_SUCCESS;
}

static void wayland_image_finish(struct icd_presenter *p, struct icd_present_image *image)
{
	if (image->wsi && !p->abandoned)
		wl_buffer_destroy(image->wsi);
	munmap(image->map, image->map_bytes);
}

static void wayland_pump(struct icd_presenter *p, int ms)
{
	if (!dispatch(p, ms))
		icd_presenter_fail(p, VK_ERROR_SURFACE_LOST_KHR);
}

/* --- present --- */

static void frame_done(void *data, struct wl_callback *callback, uint32_t time)
{
	struct wayland_chain *w = data;
	w->frame = NULL;
	wl_callback_destroy(callback);
}

static const struct wl_callback_listener frame_listener = { frame_done };

/* FIFO waits for the compositor's wish for a frame, but not for ever: a hidden
 * window gets none, and its application must go on. */
static bool wait_frame(struct icd_presenter *p)
{
	const struct wayland_chain *w = p->data;
	uint64_t give_up = icd_now() + 100000000;
	bool ok = true;
	for (uint64_t now = icd_now(); ok && w->frame && now < give_up && now < p->until; now = icd_now())
		ok = dispatch(p, 5);
	return ok;
}

static VkResult wayland_present(struct icd_presenter *p, struct icd_present_image *image)
{
	struct wayland_chain *w = p->data;
	bool fifo = p->mode == VK_PRESENT_MODE_FIFO_KHR;
	if (fifo && !wait_frame(p))
		return VK_ERROR_SURFACE_LOST_KHR;
	if (p->abandoned || !ready(p))
		return VK_SUCCESS;
	wl_surface_attach(w->surface_wrapper, image->wsi, 0, 0);
	wl_surface_damage(w->surface_wrapper, 0, 0, INT32_MAX, INT32_MAX);
	if (fifo && !w->frame) {
		w->frame = wl_surface_frame(w->surface_wrapper);
		if (w->frame)
			wl_callback_add_listener(w->frame, &frame_listener, w);
	}
	wl_surface_commit(w->surface_wrapper);
	ready(p);
	return wl_display_get_error(w->display) ? VK_ERROR_SURFACE_LOST_KHR : VK_SUCCESS;
}

/* No FIFO_RELAXED: a compositor shows what is late at its next refresh. */
const struct icd_wsi icd_wsi_wayland = {
	.get_extent = wayland_get_extent,
	.composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
	.server = true,
	.init = wayland_init,
	.finish = wayland_finish,
	.image_init = wayland_image_init,
	.image_finish = wayland_image_finish,
	.present = wayland_present,
	.pump = wayland_pump,
};
