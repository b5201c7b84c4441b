/* VkSwapchainKHR, whatever the window system. */
#include <errno.h>
#include <time.h>
#include "icd/fence.h"
#include "icd/outarray.h"
#include "icd/quiet.h"
#include "icd/semaphore.h"
#include "icd/wsi.h"

uint64_t icd_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* --- creation --- */

static VkResult image_create(struct icd_swapchain *chain, const VkSwapchainCreateInfoKHR *info,
	struct icd_swapchain_image *image)
{
	const VkImageCreateInfo image_info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.flags = info->flags & VK_SWAPCHAIN_CREATE_MUTABLE_FORMAT_BIT_KHR ? VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT : 0,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = info->imageFormat,
		.extent = { info->imageExtent.width, info->imageExtent.height, 1 },
		.mipLevels = 1,
		.arrayLayers = info->imageArrayLayers,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.tiling = VK_IMAGE_TILING_LINEAR,
		.usage = info->imageUsage,
	};
	VkResult result = icd_image_create(chain->base.device, &image_info, &chain->alloc, &image->image);
	if (result != VK_SUCCESS)
		return result;
	image->chain = chain;
	/* The room behind the last row is what fast paths may read over. */
	size_t bytes = image->image->bytes + 4096;
	result = chain->wsi->image_init(chain, image, bytes);
	if (result != VK_SUCCESS)
		return result;
	icd_object_init(&image->memory.base, chain->base.device, VK_OBJECT_TYPE_DEVICE_MEMORY);
	image->memory.size = image->image->bytes;
	image->memory.map_bytes = bytes;
	if (!rs_gpu_add_memory(chain->base.device->gpu, image->memory.map, bytes))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	image->image->swapchain_memory = &image->memory;
	icd_image_bind(image->image, &image->memory, 0);
	chain->row_bytes = icd_image_level(image->image, VK_IMAGE_ASPECT_COLOR_BIT, 0).pitch;
	return VK_SUCCESS;
}

static void swapchain_free(struct icd_swapchain *chain, const VkAllocationCallbacks *alloc)
{
	struct icd_device *device = chain->base.device;
	for (uint32_t i = 0; i < chain->image_count; i++) {
		struct icd_swapchain_image *image = &chain->image[i];
		if (image->memory.map) {
			rs_gpu_remove_memory(device->gpu, image->memory.map);
			chain->wsi->image_finish(chain, image);
		}
		if (image->image)
			icd_image_destroy(device, image->image, &chain->alloc);
	}
	chain->wsi->finish(chain);
	pthread_cond_destroy(&chain->cond);
	pthread_mutex_destroy(&chain->mutex);
	icd_object_free(device, alloc, chain);
}

static void retire(struct icd_swapchain *old)
{
	if (!old)
		return;
	pthread_mutex_lock(&old->mutex);
	if (old->status == VK_SUCCESS)
		old->status = VK_ERROR_OUT_OF_DATE_KHR;
	pthread_mutex_unlock(&old->mutex);
}

VkResult icd_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *info,
	const VkAllocationCallbacks *alloc, VkSwapchainKHR *out)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	const VkIcdSurfaceBase *surface = (const VkIcdSurfaceBase *)(uintptr_t)info->surface;
	retire(icd_swapchain_from_handle(info->oldSwapchain));
	struct icd_swapchain *chain = icd_object_alloc(device, alloc, sizeof *chain, VK_OBJECT_TYPE_SWAPCHAIN_KHR);
	if (!chain)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain->wsi = icd_wsi_of(surface);
	chain->surface = surface;
	chain->extent = info->imageExtent;
	chain->mode = info->presentMode;
	chain->alpha = info->compositeAlpha;
	chain->alloc = *icd_alloc_pick(&device->alloc, alloc);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&chain->cond, &attr);
	pthread_condattr_destroy(&attr);
	pthread_mutex_init(&chain->mutex, NULL);

	struct icd_quiet quiet;
	icd_quiet_begin(&quiet);
	VkResult result = chain->wsi->init(chain);
	uint32_t count = info->minImageCount < ICD_MIN_SWAPCHAIN_IMAGES ? ICD_MIN_SWAPCHAIN_IMAGES : info->minImageCount;
	if (count > ICD_MAX_SWAPCHAIN_IMAGES)
		count = ICD_MAX_SWAPCHAIN_IMAGES;
	while (result == VK_SUCCESS && chain->image_count < count)
		result = image_create(chain, info, &chain->image[chain->image_count++]);
	if (result == VK_SUCCESS)
		*out = icd_swapchain_to_handle(chain);
	else
		swapchain_free(chain, alloc);
	icd_quiet_end(&quiet);
	return result;
}

void icd_DestroySwapchainKHR(VkDevice _device, VkSwapchainKHR _chain, const VkAllocationCallbacks *alloc)
{
	ICD_FROM_HANDLE(icd_swapchain, chain, _chain);
	if (!chain)
		return;
	pthread_mutex_lock(&chain->mutex);
	while (chain->pending)
		pthread_cond_wait(&chain->cond, &chain->mutex);
	pthread_mutex_unlock(&chain->mutex);
	struct icd_quiet quiet;
	icd_quiet_begin(&quiet);
	swapchain_free(chain, alloc);
	icd_quiet_end(&quiet);
}

VkResult icd_GetSwapchainImagesKHR(VkDevice device, VkSwapchainKHR _chain, uint32_t *count, VkImage *images)
{
	ICD_FROM_HANDLE(icd_swapchain, chain, _chain);
	struct icd_outarray out = icd_outarray(images, count);
	for (uint32_t i = 0; i < chain->image_count; i++)
		if (icd_outarray_next(&out))
			images[out.written - 1] = icd_image_to_handle(chain->image[i].image);
	return icd_outarray_finish(&out);
}

/* --- acquire --- */

/* Oldest free image, or NULL. */
static struct icd_swapchain_image *free_image(struct icd_swapchain *chain)
{
	struct icd_swapchain_image *best = NULL;
	for (uint32_t i = 0; i < chain->image_count; i++) {
		struct icd_swapchain_image *image = &chain->image[i];
		if (image->state == ICD_IMAGE_FREE && (!best || image->freed < best->freed))
			best = image;
	}
	return best;
}

/* Under the mutex: waits for a release, a while but not beyond `deadline`. */
static void wait_release(struct icd_swapchain *chain, uint64_t deadline)
{
	uint64_t until = icd_now() + 100000000;
	if (until > deadline)
		until = deadline;
	struct timespec t = { (time_t)(until / 1000000000), (long)(until % 1000000000) };
	bool pumped = false;
	if (chain->wsi->pump) {
		pthread_mutex_unlock(&chain->mutex);
		pumped = chain->wsi->pump(chain, 1);
		pthread_mutex_lock(&chain->mutex);
	}
	if (pumped)
		return;
	if (!free_image(chain) && chain->status == VK_SUCCESS)
		pthread_cond_timedwait(&chain->cond, &chain->mutex, &t);
}

static VkResult acquire(struct icd_swapchain *chain, uint64_t timeout, uint32_t *index)
{
	uint64_t now = icd_now(), deadline = timeout > UINT64_MAX / 2 - now ? UINT64_MAX / 2 : now + timeout;
	struct icd_swapchain_image *image;
	VkResult result = VK_SUCCESS;
	if (chain->wsi->pump)
		chain->wsi->pump(chain, 0);
	pthread_mutex_lock(&chain->mutex);
	while (!(image = free_image(chain)) && chain->status == VK_SUCCESS && !icd_device_is_lost(chain->base.device)) {
		if (icd_now() >= deadline) {
			result = timeout ? VK_TIMEOUT : VK_NOT_READY;
			break;
		}
		wait_release(chain, deadline);
	}
	if (chain->status != VK_SUCCESS)
		result = chain->status;
	else if (icd_device_is_lost(chain->base.device))
		result = VK_ERROR_DEVICE_LOST;
	else if (image) {
		image->state = ICD_IMAGE_ACQUIRED;
		*index = (uint32_t)(image - chain->image);
	}
	pthread_mutex_unlock(&chain->mutex);
	return result;
}

VkResult icd_AcquireNextImage2KHR(VkDevice _device, const VkAcquireNextImageInfoKHR *info, uint32_t *index)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_swapchain, chain, info->swapchain);
	struct icd_quiet quiet;
	icd_quiet_begin(&quiet);
	VkResult result = acquire(chain, info->timeout, index);
	icd_quiet_end(&quiet);
	if (result == VK_ERROR_DEVICE_LOST)
		return icd_device_status(device);
	if (result != VK_SUCCESS)
		return result;
	icd_semaphore_signal(device, icd_semaphore_from_handle(info->semaphore));
	icd_fence_signal(device, icd_fence_from_handle(info->fence));
	return VK_SUCCESS;
}

VkResult icd_AcquireNextImageKHR(VkDevice device, VkSwapchainKHR chain, uint64_t timeout, VkSemaphore semaphore,
	VkFence fence, uint32_t *index)
{
	const VkAcquireNextImageInfoKHR info = { .sType = VK_STRUCTURE_TYPE_ACQUIRE_NEXT_IMAGE_INFO_KHR,
		.swapchain = chain, .timeout = timeout, .semaphore = semaphore, .fence = fence, .deviceMask = 1 };
	return icd_AcquireNextImage2KHR(device, &info, index);
}

/* --- present --- */

void icd_swapchain_release(struct icd_swapchain *chain, struct icd_swapchain_image *image)
{
	pthread_mutex_lock(&chain->mutex);
	image->state = ICD_IMAGE_FREE;
	image->freed = ++chain->free_count;
	pthread_cond_broadcast(&chain->cond);
	pthread_mutex_unlock(&chain->mutex);
}

void icd_swapchain_pace(struct icd_swapchain *chain)
{
	if (chain->mode != VK_PRESENT_MODE_FIFO_KHR && chain->mode != VK_PRESENT_MODE_FIFO_RELAXED_KHR)
		return;
	uint64_t now = icd_now();
	if (chain->next_present > now) {
		struct timespec t = { (time_t)(chain->next_present / 1000000000), (long)(chain->next_present % 1000000000) };
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
			;
		chain->next_present += ICD_FIFO_NANOSECONDS;
	} else {
		chain->next_present = now + ICD_FIFO_NANOSECONDS;
	}
}

/* On the queue's thread. */
static void show(struct icd_device *device, void *data)
{
	struct icd_swapchain_image *image = data;
	struct icd_swapchain *chain = image->chain;
	VkResult result = icd_device_is_lost(device) ? VK_ERROR_DEVICE_LOST : chain->wsi->present(chain, image);
	if (result != VK_SUCCESS)
		icd_swapchain_release(chain, image);
	pthread_mutex_lock(&chain->mutex);
	if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST && chain->status != VK_ERROR_SURFACE_LOST_KHR)
		chain->status = result;
	chain->pending--;
	pthread_cond_broadcast(&chain->cond);
	pthread_mutex_unlock(&chain->mutex);
}

static VkResult present_one(struct icd_queue *queue, struct icd_swapchain *chain, uint32_t index,
	const VkPresentInfoKHR *info, uint32_t waits)
{
	struct icd_device *device = queue->base.device;
	struct icd_submission *s = icd_submission_create(device, waits, 0, 0);
	if (!s)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < waits; i++)
		s->wait[i] = icd_semaphore_from_handle(info->pWaitSemaphores[i]);
	pthread_mutex_lock(&chain->mutex);
	VkResult result = chain->status;
	chain->image[index].state = ICD_IMAGE_QUEUED;
	chain->pending++;
	pthread_mutex_unlock(&chain->mutex);
	s->callback = show;
	s->data = &chain->image[index];
	VkResult pushed = icd_queue_push(queue, s);
	if (pushed != VK_SUCCESS) {
		icd_submission_destroy(device, s);
		pthread_mutex_lock(&chain->mutex);
		chain->pending--;
		pthread_mutex_unlock(&chain->mutex);
		icd_swapchain_release(chain, &chain->image[index]);
		return pushed;
	}
	return result;
}

VkResult icd_QueuePresentKHR(VkQueue _queue, const VkPresentInfoKHR *info)
{
	ICD_FROM_HANDLE(icd_queue, queue, _queue);
	VkResult all = VK_SUCCESS;
	for (uint32_t i = 0; i < info->swapchainCount; i++) {
		ICD_FROM_HANDLE(icd_swapchain, chain, info->pSwapchains[i]);
		VkResult result = present_one(queue, chain, info->pImageIndices[i], info, i ? 0 : info->waitSemaphoreCount);
		if (info->pResults)
			info->pResults[i] = result;
		if (result != VK_SUCCESS && all == VK_SUCCESS)
			all = result;
	}
	return all;
}
