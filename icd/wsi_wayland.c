/* Wayland: images are wl_shm buffers.  All events of a swapchain go to a queue
 * of its own, so the application's dispatching is left alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>
#include "icd/wsi.h"

struct wayland_chain {
	struct wl_display *display, *display_wrapper;
	struct wl_surface *surface_wrapper;
	struct wl_event_queue *queue;
	struct wl_registry *registry;
	struct wl_shm *shm;
	struct wl_callback *frame;   /* the compositor has not asked for a frame yet */
	pthread_mutex_t mutex;       /* one thread dispatches at a time */
	bool has_mutex;
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

static VkResult wayland_init(struct icd_swapchain *chain)
{
	const VkIcdSurfaceWayland *s = (const VkIcdSurfaceWayland *)chain->surface;
	struct wayland_chain *w = icd_zalloc(&chain->alloc, sizeof *w, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!w)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain->wsi_data = w;
	pthread_mutex_init(&w->mutex, NULL);
	w->has_mutex = true;
	w->display = s->display;
	w->queue = wl_display_create_queue(w->display);
	w->display_wrapper = wl_proxy_create_wrapper(w->display);
	w->surface_wrapper = wl_proxy_create_wrapper(s->surface);
	if (!w->queue || !w->display_wrapper || !w->surface_wrapper)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_proxy_set_queue((struct wl_proxy *)w->display_wrapper, w->queue);
	wl_proxy_set_queue((struct wl_proxy *)w->surface_wrapper, w->queue);
	w->registry = wl_display_get_registry(w->display_wrapper);
	if (!w->registry)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_registry_add_listener(w->registry, &registry_listener, w);
	if (wl_display_roundtrip_queue(w->display, w->queue) < 0 || !w->shm)
		return VK_ERROR_SURFACE_LOST_KHR;
	return VK_SUCCESS;
}

static void wayland_finish(struct icd_swapchain *chain)
{
	struct wayland_chain *w = chain->wsi_data;
	if (!w)
		return;
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
	if (w->has_mutex)
		pthread_mutex_destroy(&w->mutex);
	icd_free(&chain->alloc, w);
}

static void buffer_release(void *data, struct wl_buffer *buffer)
{
	struct icd_swapchain_image *image = data;
	icd_swapchain_release(image->chain, image);
}

static const struct wl_buffer_listener buffer_listener = { buffer_release };

static VkResult wayland_image_init(struct icd_swapchain *chain, struct icd_swapchain_image *image, size_t bytes)
{
	struct wayland_chain *w = chain->wsi_data;
	int fd = memfd_create("quadwave-swapchain", MFD_CLOEXEC);
	if (fd < 0)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	void *map = MAP_FAILED;
	if (ftruncate(fd, (off_t)bytes) == 0)
		map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED) {
		close(fd);
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	}
	image->memory.map = map;
	image->memory.map_bytes = bytes;
	bool opaque = chain->alpha == VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
	uint32_t pitch = icd_image_level(image->image, VK_IMAGE_ASPECT_COLOR_BIT, 0).pitch;
	struct wl_shm_pool *pool = wl_shm_create_pool(w->shm, fd, (int32_t)bytes);
	struct wl_buffer *buffer = pool ? wl_shm_pool_create_buffer(pool, 0, (int32_t)chain->extent.width,
		(int32_t)chain->extent.height, (int32_t)pitch, opaque ? WL_SHM_FORMAT_XRGB8888 : WL_SHM_FORMAT_ARGB8888) : NULL;
	if (pool)
		wl_shm_pool_destroy(pool);
	close(fd);
	if (!buffer)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	wl_proxy_set_queue((struct wl_proxy *)buffer, w->queue);
	wl_buffer_add_listener(buffer, &buffer_listener, image);
	image->wsi = buffer;
	return VK_SUCCESS;
}

static void wayland_image_finish(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	if (image->wsi)
		wl_buffer_destroy(image->wsi);
	munmap(image->memory.map, image->memory.map_bytes);
}

/* Lets events in, waiting at most `ms` for the socket; false when the
 * connection has failed. */
static bool dispatch(struct wayland_chain *w, int ms)
{
	bool ok = true;
	pthread_mutex_lock(&w->mutex);
	if (wl_display_prepare_read_queue(w->display, w->queue) != 0) {
		ok = wl_display_dispatch_queue_pending(w->display, w->queue) >= 0;
	} else {
		struct pollfd fd = { wl_display_get_fd(w->display), POLLIN, 0 };
		wl_display_flush(w->display);
		if (poll(&fd, 1, ms) > 0)
			ok = wl_display_read_events(w->display) >= 0;
		else
			wl_display_cancel_read(w->display);
		ok = wl_display_dispatch_queue_pending(w->display, w->queue) >= 0 && ok;
	}
	pthread_mutex_unlock(&w->mutex);
	return ok && wl_display_get_error(w->display) == 0;
}

static bool wayland_pump(struct icd_swapchain *chain, int ms)
{
	if (dispatch(chain->wsi_data, ms))
		return true;
	pthread_mutex_lock(&chain->mutex);
	chain->status = VK_ERROR_SURFACE_LOST_KHR;
	pthread_mutex_unlock(&chain->mutex);
	return true;
}

static void frame_done(void *data, struct wl_callback *callback, uint32_t time)
{
	struct wayland_chain *w = data;
	w->frame = NULL;
	wl_callback_destroy(callback);
}

static const struct wl_callback_listener frame_listener = { frame_done };

/* FIFO waits for the compositor's wish for a frame, but not for ever: a hidden
 * window gets none, and the queue's thread must go on. */
static bool wait_frame(struct icd_swapchain *chain)
{
	struct wayland_chain *w = chain->wsi_data;
	uint64_t give_up = icd_now() + 100000000;
	bool pending = true, ok = true;
	while (ok && pending && icd_now() < give_up && !icd_device_is_lost(chain->base.device)) {
		pthread_mutex_lock(&w->mutex);
		pending = w->frame != NULL;
		pthread_mutex_unlock(&w->mutex);
		if (pending)
			ok = dispatch(w, 5);
	}
	return ok;
}

static VkResult wayland_present(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	struct wayland_chain *w = chain->wsi_data;
	bool fifo = chain->mode == VK_PRESENT_MODE_FIFO_KHR || chain->mode == VK_PRESENT_MODE_FIFO_RELAXED_KHR;
	if (fifo && !wait_frame(chain))
		return VK_ERROR_SURFACE_LOST_KHR;
	wl_surface_attach(w->surface_wrapper, image->wsi, 0, 0);
	wl_surface_damage(w->surface_wrapper, 0, 0, INT32_MAX, INT32_MAX);
	pthread_mutex_lock(&w->mutex);
	if (fifo && !w->frame) {
		w->frame = wl_surface_frame(w->surface_wrapper);
		if (w->frame)
			wl_callback_add_listener(w->frame, &frame_listener, w);
	}
	pthread_mutex_unlock(&w->mutex);
	wl_surface_commit(w->surface_wrapper);
	if (wl_display_flush(w->display) < 0 && errno != EAGAIN)
		return VK_ERROR_SURFACE_LOST_KHR;
	return VK_SUCCESS;
}

const struct icd_wsi icd_wsi_wayland = {
	.get_extent = wayland_get_extent,
	.composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR | VK_COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
	.init = wayland_init,
	.finish = wayland_finish,
	.image_init = wayland_image_init,
	.image_finish = wayland_image_finish,
	.present = wayland_present,
	.pump = wayland_pump,
};
