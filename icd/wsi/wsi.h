/* SPDX-License-Identifier: MIT */
/* Window systems.  Surfaces are the loader's objects (VkIcdSurface*); each
 * window system is one icd_wsi that knows how to ask a surface for its size and
 * how to show an image on it.
 *
 * Swapchain images are LINEAR and lie in memory that the window system can
 * read (MIT-SHM segment, wl_shm pool), so showing one copies nothing here.
 *
 * A swapchain has two halves.  icd_swapchain is the application's object: the
 * VkImages, in the application's allocator.  icd_presenter is what talks to the
 * server: one thread, so that neither the queue nor vkAcquireNextImageKHR ever waits
 * for a server that is slow, stopped or dead. */
#ifndef ICD_WSI_WSI_H
#define ICD_WSI_WSI_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "icd/device.h"
#include "icd/device_memory.h"
#include "icd/image.h"

struct icd_presenter;
struct icd_present_image;

struct icd_wsi {
	/* The surface's size, UINT32_MAX x UINT32_MAX where the swapchain decides it;
	 * VK_ERROR_SURFACE_LOST_KHR when the window is gone. */
	VkResult (*get_extent)(const VkIcdSurfaceBase *surface, VkExtent2D *out);
	VkCompositeAlphaFlagsKHR composite_alpha;
	/* VK_PRESENT_MODE_FIFO_RELAXED_KHR: an image that is late is shown at once. */
	bool relaxed;
	/* There is somebody to wait for, so presents are made on a thread.  Without, on the
	 * queue's. */
	bool server;
	/* The window system's side of a swapchain and of each of its images; memory of
	 * `bytes` bytes goes to image->map.  finish accepts what init left half done.  All
	 * of them leave the server alone once icd_presenter.until is over; the
	 * finishing ones also when the presenter is abandoned. */
	VkResult (*init)(struct icd_presenter *p);
	void (*finish)(struct icd_presenter *p);
	VkResult (*image_init)(struct icd_presenter *p, struct icd_present_image *image, size_t bytes);
	void (*image_finish)(struct icd_presenter *p, struct icd_present_image *image);
	/* Shows the image, whose work is complete; the result becomes the swapchain's
	 * status if it is not VK_SUCCESS.  An image that the window system still reads
	 * afterwards stays busy until icd_present_release. */
	VkResult (*present)(struct icd_presenter *p, struct icd_present_image *image);
	/* Lets the window system's answers in, waiting for the first up to `ms` milliseconds
	 * or until the presenter is woken.  May be NULL without a server. */
	void (*pump)(struct icd_presenter *p, int ms);
};
extern const struct icd_wsi icd_wsi_x11, icd_wsi_wayland, icd_wsi_headless;

/* NULL for a platform that we do not know. */
const struct icd_wsi *icd_wsi_of(const VkIcdSurfaceBase *surface);

enum { ICD_MIN_SWAPCHAIN_IMAGES = 2, ICD_MAX_SWAPCHAIN_IMAGES = 16 };
/* Refresh that FIFO keeps where the window system gives no signal of its own. */
enum { ICD_FIFO_NANOSECONDS = 16666667 };
/* How long creation and queries wait for a server that does not answer. */
#define ICD_WSI_PATIENCE UINT64_C(10000000000)

/* An image as the window system sees it. */
struct icd_present_image {
	struct icd_presenter *presenter;
	struct icd_present_image *next;  /* in icd_presenter.first */
	void *map;                       /* by the window system */
	size_t map_bytes;
	enum { ICD_IMAGE_FREE, ICD_IMAGE_ACQUIRED, ICD_IMAGE_QUEUED } state;
	uint64_t freed;                  /* order in which images came free */
	void *wsi;                       /* window system's data */
	uint32_t wsi_id;
};

struct icd_presenter {
	const struct icd_wsi *wsi;
	const VkIcdSurfaceBase *surface; /* read by init alone */
	VkExtent2D extent;
	uint32_t row_bytes;
	VkPresentModeKHR mode;
	VkCompositeAlphaFlagBitsKHR alpha;
	uint32_t image_count;
	struct icd_present_image image[ICD_MAX_SWAPCHAIN_IMAGES];
	void *data;                      /* window system's, from malloc */
	uint64_t next_present;           /* CLOCK_MONOTONIC, FIFO pacing */

	pthread_mutex_t mutex;           /* of everything up to `users` */
	pthread_cond_t cond;             /* any of it changed; CLOCK_MONOTONIC */
	VkResult status;                 /* VK_SUCCESS, OUT_OF_DATE or SURFACE_LOST */
	uint64_t free_count;
	uint32_t on_queue;               /* presents that the queue's thread has not handed over */
	struct icd_present_image *first, *last; /* handed over, in order */
	uint32_t waiters;                /* threads in vkAcquireNextImageKHR that want an image */
	bool look;                       /* one that does not wait wants to know what has come */
	bool busy, idle, stop, done;     /* the thread presents; wants to be woken; shall end; has ended */
	bool followed, drained;          /* another swapchain's wants to know when it does not; who destroys it, when `on_queue` is 0 */
	struct icd_presenter *ahead;     /* of the old swapchain: its presents come first */
	uint32_t users;

	int wake;                        /* eventfd: there is something new for the thread */
	bool started;
	pthread_t thread;
	_Atomic uint64_t until;          /* icd_now() after which nobody waits for the server */
	_Atomic bool abandoned;          /* the swapchain is gone, and perhaps the connection */
};

struct icd_swapchain {
	struct icd_object base;
	struct icd_presenter *presenter;
	uint32_t image_count;
	struct {
		struct icd_image *image;
		struct icd_device_memory memory; /* .map is the presenter's */
	} image[ICD_MAX_SWAPCHAIN_IMAGES];
	VkAllocationCallbacks alloc;
};
ICD_OBJECT(icd_swapchain, VkSwapchainKHR, VK_OBJECT_TYPE_SWAPCHAIN_KHR)

/* --- presenter, for the swapchain --- */

/* From malloc; NULL without memory.  wsi->init and the images are the caller's. */
struct icd_presenter *icd_presenter_create(const VkIcdSurfaceBase *surface, const VkSwapchainCreateInfoKHR *info);
/* Starts the thread, whose first present comes after all that `old` has got (or NULL). */
VkResult icd_presenter_start(struct icd_presenter *p, struct icd_presenter *old);
/* Hands over an image whose work is complete; from the queue's thread. */
void icd_presenter_show(struct icd_presenter *p, struct icd_present_image *image);
/* Shows what was handed over, as far as the server takes it within half a second, and
 * frees the presenter.  A thread that does not come back within a second is left to
 * itself, with the memory of the images; it does not touch the connection again. */
void icd_presenter_destroy(struct icd_presenter *p);
/* Under the mutex: there is something new for the thread. */
void icd_presenter_wake(struct icd_presenter *p);

/* --- presenter, for window systems --- */

/* The window system has done with the image. */
void icd_present_release(struct icd_present_image *image);
/* The swapchain's status from now on; a lost surface stays lost. */
void icd_presenter_fail(struct icd_presenter *p, VkResult status);
/* Sleeps until the next refresh when the mode is FIFO. */
void icd_presenter_pace(struct icd_presenter *p);
/* Waits up to `ms` milliseconds (-1: for ever) until fd (-1: none) can be read, which
 * is true, or the presenter is woken. */
bool icd_presenter_sleep(struct icd_presenter *p, int fd, int ms);

/* One turn of waiting for `events` (POLLIN, POLLOUT) at fd, the `turn`th in a row: short,
 * since another thread of the application may take what comes.  False when *until is over. */
bool icd_wsi_poll(int fd, short events, const _Atomic uint64_t *until, unsigned turn);
uint64_t icd_now(void); /* nanoseconds of CLOCK_MONOTONIC */
struct timespec icd_timespec(uint64_t now);

#endif
