/* SPDX-License-Identifier: MIT */
/* VkSwapchainKHR, whatever the window system. */
#include <time.h>
#include "icd/fence.h"
#include "icd/outarray.h"
#include "icd/semaphore.h"
#include "icd/wsi/quiet.h"
#include "icd/wsi/wsi.h"

/* --- creation --- */

static VkResult image_create(struct icd_swapchain *chain, const VkSwapchainCreateInfoKHR *info, uint32_t i)
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
	struct icd_presenter *p = chain->presenter;
	struct icd_present_image *shown = &p->image[i];
	struct icd_device_memory *memory = &chain->image[i].memory;
	VkResult result = icd_image_create(chain->base.device, &image_info, &chain->alloc, &chain->image[i].image);
	if (result != VK_SUCCESS)
		return result;
	struct icd_image *image = chain->image[i].image;
	p->row_bytes = icd_image_level(image, VK_IMAGE_ASPECT_COLOR_BIT, 0).pitch;
	p->image_count = i + 1;
	shown->presenter = p;
	/* The room behind the last row is what fast paths may read over. */
	size_t bytes = image->bytes + 4096;
	result = p->wsi->image_init(p, shown, bytes);
	if (result != VK_SUCCESS)
		return result;
	shown->map_bytes = bytes;
	icd_object_init(&memory->base, chain->base.device, VK_OBJECT_TYPE_DEVICE_MEMORY);
	memory->size = image->bytes;
	memory->map_bytes = bytes;
	if (!rs_gpu_add_memory(chain->base.device->gpu, shown->map, bytes))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	memory->map = shown->map;
	image->swapchain_memory = memory;
	icd_image_bind(image, memory, 0);
	return VK_SUCCESS;
}

static void swapchain_free(struct icd_swapchain *chain, const VkAllocationCallbacks *alloc)
{
	struct icd_device *device = chain->base.device;
	for (uint32_t i = 0; i < chain->image_count; i++) {
		if (chain->image[i].memory.map)
			rs_gpu_remove_memory(device->gpu, chain->image[i].memory.map);
		if (chain->image[i].image)
			icd_image_destroy(device, chain->image[i].image, &chain->alloc);
	}
	if (chain->presenter)
		icd_presenter_destroy(chain->presenter);
	icd_object_free(device, alloc, chain);
}

static void retire(struct icd_swapchain *old)
{
	if (!old)
		return;
	pthread_mutex_lock(&old->presenter->mutex);
	if (old->presenter->status == VK_SUCCESS)
		old->presenter->status = VK_ERROR_OUT_OF_DATE_KHR;
	pthread_mutex_unlock(&old->presenter->mutex);
}

struct icd_image *icd_swapchain_image(VkSwapchainKHR swapchain, uint32_t index)
{
	return icd_swapchain_from_handle(swapchain)->image[index].image;
}

static VkResult swapchain_init(struct icd_swapchain *chain, const VkSwapchainCreateInfoKHR *info)
{
	const struct icd_swapchain *old = icd_swapchain_from_handle(info->oldSwapchain);
	uint32_t count = info->minImageCount < ICD_MIN_SWAPCHAIN_IMAGES ? ICD_MIN_SWAPCHAIN_IMAGES : info->minImageCount;
	if (count > ICD_MAX_SWAPCHAIN_IMAGES)
		count = ICD_MAX_SWAPCHAIN_IMAGES;
	chain->presenter = icd_presenter_create((const VkIcdSurfaceBase *)(uintptr_t)info->surface, info);
	if (!chain->presenter)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	VkResult result = chain->presenter->wsi->init(chain->presenter);
	while (result == VK_SUCCESS && chain->image_count < count)
		result = image_create(chain, info, chain->image_count++);
	if (result == VK_SUCCESS)
		result = icd_presenter_start(chain->presenter, old ? old->presenter : NULL);
	return result;
}

VkResult icd_CreateSwapchainKHR(VkDevice _device, const VkSwapchainCreateInfoKHR *info,
	const VkAllocationCallbacks *alloc, VkSwapchainKHR *out)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	retire(icd_swapchain_from_handle(info->oldSwapchain));
	struct icd_swapchain *chain = icd_object_alloc(device, alloc, sizeof *chain, VK_OBJECT_TYPE_SWAPCHAIN_KHR);
	if (!chain)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain->alloc = *icd_alloc_pick(&device->alloc, alloc);
	struct icd_quiet quiet;
	icd_quiet_begin(&quiet);
	VkResult result = swapchain_init(chain, info);
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
	if (!chain || chain->base.device->forked) /* its connection and locks are the parent's */
		return;
	struct icd_presenter *p = chain->presenter;
	pthread_mutex_lock(&p->mutex);
	p->drained = true;
	while (p->on_queue)
		pthread_cond_wait(&p->cond, &p->mutex);
	pthread_mutex_unlock(&p->mutex);
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
static struct icd_present_image *free_image(struct icd_presenter *p)
{
	struct icd_present_image *best = NULL;
	for (uint32_t i = 0; i < p->image_count; i++) {
		struct icd_present_image *image = &p->image[i];
		if (image->state == ICD_IMAGE_FREE && (!best || image->freed < best->freed))
			best = image;
	}
	return best;
}

/* Under the mutex: whether there is something to tell before `deadline` (icd_now()). */
static bool wait_image(struct icd_device *device, struct icd_presenter *p, uint64_t deadline)
{
	enum { LOOK = 100000000 }; /* a lost device does not wake us */
	while (!free_image(p) && p->status == VK_SUCCESS && !icd_device_is_lost(device)) {
		uint64_t now = icd_now();
		struct timespec t = icd_timespec(deadline > now + LOOK ? now + LOOK : deadline);
		if (now >= deadline)
			return false;
		pthread_cond_timedwait(&p->cond, &p->mutex, &t);
	}
	return true;
}

/* Likewise, of an application that does not wait: what the server has sent already is let
 * in, which takes no longer than for the presenter's thread to have its turn. */
static bool look_image(struct icd_presenter *p)
{
	enum { TURN = 1000000 };
	struct timespec t = icd_timespec(icd_now() + TURN);
	if (!p->started || p->busy)
		return false;
	p->look = true;
	icd_presenter_wake(p);
	while (p->look && !free_image(p) && p->status == VK_SUCCESS &&
		pthread_cond_timedwait(&p->cond, &p->mutex, &t) == 0)
		;
	return free_image(p) || p->status != VK_SUCCESS;
}

static VkResult acquire(struct icd_device *device, struct icd_presenter *p, uint64_t timeout, uint32_t *index)
{
	uint64_t now = icd_now(), deadline = timeout > UINT64_MAX / 2 - now ? UINT64_MAX / 2 : now + timeout;
	VkResult result = VK_SUCCESS;
	pthread_mutex_lock(&p->mutex);
	if (!free_image(p) && timeout) {
		p->waiters++;
		if (p->idle)
			icd_presenter_wake(p);
		if (!wait_image(device, p, deadline))
			result = VK_TIMEOUT;
		p->waiters--;
	} else if (!free_image(p) && !look_image(p)) {
		result = VK_NOT_READY;
	}
	struct icd_present_image *image = free_image(p);
	if (p->status != VK_SUCCESS) {
		result = p->status;
	} else if (icd_device_is_lost(device)) {
		result = VK_ERROR_DEVICE_LOST;
	} else if (image && result == VK_SUCCESS) {
		image->state = ICD_IMAGE_ACQUIRED;
		*index = (uint32_t)(image - p->image);
	}
	pthread_mutex_unlock(&p->mutex);
	return result;
}

VkResult icd_AcquireNextImage2KHR(VkDevice _device, const VkAcquireNextImageInfoKHR *info, uint32_t *index)
{
	ICD_FROM_HANDLE(icd_device, device, _device);
	ICD_FROM_HANDLE(icd_swapchain, chain, info->swapchain);
	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	VkResult result = acquire(device, chain->presenter, info->timeout, index);
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

/* On the queue's thread: from here on the image is the presenter's, and the queue goes on. */
static void hand_over(struct icd_device *device, void *data)
{
	struct icd_present_image *image = data;
	struct icd_presenter *p = image->presenter;
	if (icd_device_is_lost(device))
		icd_present_release(image);
	else
		icd_presenter_show(p, image);
	pthread_mutex_lock(&p->mutex);
	p->on_queue--;
	if (p->drained)
		pthread_cond_broadcast(&p->cond);
	pthread_mutex_unlock(&p->mutex);
}

static VkResult present_one(struct icd_queue *queue, struct icd_presenter *p, uint32_t index,
	const VkPresentInfoKHR *info, uint32_t waits)
{
	struct icd_device *device = queue->base.device;
	if (icd_device_status(device) != VK_SUCCESS)
		return VK_ERROR_DEVICE_LOST;
	struct icd_submission *s = icd_submission_create(device, waits, 0, 0);
	if (!s)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	for (uint32_t i = 0; i < waits; i++)
		s->wait[i].semaphore = icd_semaphore_from_handle(info->pWaitSemaphores[i]);
	pthread_mutex_lock(&p->mutex);
	VkResult result = p->status;
	p->image[index].state = ICD_IMAGE_QUEUED;
	p->on_queue++;
	pthread_mutex_unlock(&p->mutex);
	s->callback = hand_over;
	s->data = &p->image[index];
	VkResult pushed = icd_queue_push(queue, s);
	if (pushed != VK_SUCCESS) {
		icd_submission_destroy(device, s);
		pthread_mutex_lock(&p->mutex);
		p->on_queue--;
		pthread_mutex_unlock(&p->mutex);
		icd_present_release(&p->image[index]);
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
		VkResult result = present_one(queue, chain->presenter, info->pImageIndices[i], info,
			i ? 0 : info->waitSemaphoreCount);
		if (info->pResults)
			info->pResults[i] = result;
		if (result != VK_SUCCESS && all == VK_SUCCESS)
			all = result;
	}
	return all;
}
