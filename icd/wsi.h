/* Window systems.  Surfaces are the loader's objects (VkIcdSurface*); each
 * window system is one icd_wsi that knows how to ask a surface for its size and
 * how to show an image on it.
 *
 * Swapchain images are LINEAR and lie in memory that the window system can
 * read (MIT-SHM segment, wl_shm pool), so showing one copies nothing here. */
#ifndef ICD_WSI_H
#define ICD_WSI_H

#include <pthread.h>
#include <stdbool.h>
#include "icd/device.h"
#include "icd/device_memory.h"
#include "icd/image.h"

struct icd_swapchain;
struct icd_swapchain_image;

struct icd_wsi {
	/* The surface's size, UINT32_MAX x UINT32_MAX where the swapchain decides it;
	 * VK_ERROR_SURFACE_LOST_KHR when the window is gone. */
	VkResult (*get_extent)(const VkIcdSurfaceBase *surface, VkExtent2D *out);
	VkCompositeAlphaFlagsKHR composite_alpha;
	/* The window system's side of a swapchain and of each of its images; memory of
	 * `bytes` bytes goes to image->memory.map.  finish accepts what init left half done. */
	VkResult (*init)(struct icd_swapchain *chain);
	void (*finish)(struct icd_swapchain *chain);
	VkResult (*image_init)(struct icd_swapchain *chain, struct icd_swapchain_image *image, size_t bytes);
	void (*image_finish)(struct icd_swapchain *chain, struct icd_swapchain_image *image);
	/* On the queue's thread, work complete: shows the image; the result becomes
	 * the swapchain's status if it is not VK_SUCCESS. An image that the window system
	 * still reads afterwards stays busy until icd_swapchain_release. */
	VkResult (*present)(struct icd_swapchain *chain, struct icd_swapchain_image *image);
	/* Lets the window system's answers in, waiting for the first up to `ms` milliseconds.
	 * false: there is nothing to wait for, images come free without it.  May be NULL. */
	bool (*pump)(struct icd_swapchain *chain, int ms);
};
extern const struct icd_wsi icd_wsi_x11, icd_wsi_wayland, icd_wsi_headless;

/* NULL for a platform that we do not know. */
const struct icd_wsi *icd_wsi_of(const VkIcdSurfaceBase *surface);

enum { ICD_MIN_SWAPCHAIN_IMAGES = 2, ICD_MAX_SWAPCHAIN_IMAGES = 16 };
/* Refresh that FIFO keeps where the window system gives no signal of its own. */
enum { ICD_FIFO_NANOSECONDS = 16666667 };

struct icd_swapchain_image {
	struct icd_swapchain *chain;
	struct icd_image *image;
	struct icd_device_memory memory; /* .map by the window system */
	enum { ICD_IMAGE_FREE, ICD_IMAGE_ACQUIRED, ICD_IMAGE_QUEUED } state;
	uint64_t freed;                  /* order in which images came free */
	void *wsi;                       /* window system's data */
	uint32_t wsi_id;
	int wsi_fd;
};

struct icd_swapchain {
	struct icd_object base;
	const struct icd_wsi *wsi;
	const VkIcdSurfaceBase *surface;
	VkExtent2D extent;
	uint32_t row_bytes;
	VkPresentModeKHR mode;
	VkCompositeAlphaFlagBitsKHR alpha;
	uint32_t image_count;
	struct icd_swapchain_image image[ICD_MAX_SWAPCHAIN_IMAGES];
	pthread_mutex_t mutex;           /* state of images and chain */
	pthread_cond_t cond;             /* an image came free; CLOCK_MONOTONIC */
	VkResult status;                 /* VK_SUCCESS, OUT_OF_DATE or SURFACE_LOST */
	uint64_t free_count;
	uint64_t next_present;           /* CLOCK_MONOTONIC, FIFO pacing */
	uint32_t pending;                /* presents on their way to the queue's thread */
	void *wsi_data;
	VkAllocationCallbacks alloc;
};
ICD_OBJECT(icd_swapchain, VkSwapchainKHR, VK_OBJECT_TYPE_SWAPCHAIN_KHR)

/* The window system has done with the image. */
void icd_swapchain_release(struct icd_swapchain *chain, struct icd_swapchain_image *image);
/* Sleeps until the next refresh when the mode is FIFO. */
void icd_swapchain_pace(struct icd_swapchain *chain);

uint64_t icd_now(void); /* nanoseconds of CLOCK_MONOTONIC */

#endif
