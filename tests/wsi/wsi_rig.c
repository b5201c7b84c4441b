/* SPDX-License-Identifier: MIT */
#include "wsi_rig.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

double rig_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A thread that sleeps in short naps, and for how long nobody woke it: `lost` before the
 * present nap, which should end at `until`.  Seconds. */
static struct { pthread_once_t once; pthread_mutex_t mutex; double lost, until; } watch = {
	.once = PTHREAD_ONCE_INIT, .mutex = PTHREAD_MUTEX_INITIALIZER };

static double overslept(double now)
{
	return now > watch.until ? now - watch.until : 0;
}

static void *nap(void *data)
{
	for (;;) {
		pthread_mutex_lock(&watch.mutex);
		double now = rig_seconds();
		watch.lost += overslept(now);
		watch.until = now + 6e-3;
		pthread_mutex_unlock(&watch.mutex);
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
	return data;
}

static void watch_start(void)
{
	pthread_t thread;
	watch.until = rig_seconds();
	CHECK(pthread_create(&thread, NULL, nap, NULL) == 0 && pthread_detach(thread) == 0, "no thread");
}

double rig_idle_seconds(void)
{
	pthread_once(&watch.once, watch_start);
	pthread_mutex_lock(&watch.mutex);
	double now = rig_seconds(), seconds = now - watch.lost - overslept(now);
	pthread_mutex_unlock(&watch.mutex);
	return seconds;
}

static void open_device(struct rig *r)
{
	static const char *const extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1, .pQueuePriorities = &priority };
	const VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue, .enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension };
	MUST(vkCreateDevice(r->gpu, &info, NULL, &r->device));
	vkGetDeviceQueue(r->device, 0, 0, &r->queue);
}

void rig_open(struct rig *r, const char *surface_extension)
{
	const char *extensions[] = { VK_KHR_SURFACE_EXTENSION_NAME, surface_extension, VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.enabledExtensionCount = 3, .ppEnabledExtensionNames = extensions };
	uint32_t count = 1;
	memset(r, 0, sizeof(*r));
	MUST(vkCreateInstance(&info, NULL, &r->instance));
	VkResult result = vkEnumeratePhysicalDevices(r->instance, &count, &r->gpu);
	CHECK(count == 1 && result >= 0, "no device");
	open_device(r);
	const VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT };
	MUST(vkCreateCommandPool(r->device, &pool, NULL, &r->pool));
	const VkCommandBufferAllocateInfo buffer = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = r->pool, .commandBufferCount = 1 };
	MUST(vkAllocateCommandBuffers(r->device, &buffer, &r->commands));
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
		.flags = VK_FENCE_CREATE_SIGNALED_BIT };
	MUST(vkCreateFence(r->device, &fence, NULL, &r->fence));
	const VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	for (unsigned i = 0; i < 2; i++)
		MUST(vkCreateSemaphore(r->device, &semaphore, NULL, &r->ready[i]));
	for (unsigned i = 0; i < RIG_MAX_IMAGES; i++)
		MUST(vkCreateSemaphore(r->device, &semaphore, NULL, &r->done[i]));
}

void rig_close(struct rig *r)
{
	vkDeviceWaitIdle(r->device);
	vkDestroySwapchainKHR(r->device, r->chain, NULL);
	for (unsigned i = 0; i < 2; i++)
		vkDestroySemaphore(r->device, r->ready[i], NULL);
	for (unsigned i = 0; i < RIG_MAX_IMAGES; i++)
		vkDestroySemaphore(r->device, r->done[i], NULL);
	vkDestroyFence(r->device, r->fence, NULL);
	vkDestroyCommandPool(r->device, r->pool, NULL);
	vkDestroyDevice(r->device, NULL);
	vkDestroySurfaceKHR(r->instance, r->surface, NULL);
	vkDestroyInstance(r->instance, NULL);
}

VkResult rig_chain_over(struct rig *r, VkPresentModeKHR mode, uint32_t width, uint32_t height, VkSwapchainKHR *old)
{
	const VkSwapchainCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
		.surface = r->surface, .minImageCount = 3, .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
		.imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR, .imageExtent = { width, height },
		.imageArrayLayers = 1, .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, .presentMode = mode, .clipped = VK_TRUE,
		.oldSwapchain = r->chain };
	VkSwapchainKHR chain = VK_NULL_HANDLE;
	VkResult result = vkCreateSwapchainKHR(r->device, &info, NULL, &chain);
	*old = r->chain;
	r->chain = chain;
	r->images = RIG_MAX_IMAGES;
	if (result == VK_SUCCESS)
		MUST(vkGetSwapchainImagesKHR(r->device, chain, &r->images, r->image));
	return result;
}

VkResult rig_chain(struct rig *r, VkPresentModeKHR mode, uint32_t width, uint32_t height)
{
	VkSwapchainKHR old;
	vkDeviceWaitIdle(r->device);
	VkResult result = rig_chain_over(r, mode, width, height, &old);
	vkDestroySwapchainKHR(r->device, old, NULL);
	return result;
}

static void barrier(struct rig *r, uint32_t index, VkImageLayout before, VkImageLayout after)
{
	const VkImageMemoryBarrier b = { .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
		.oldLayout = before, .newLayout = after, .image = r->image[index],
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	vkCmdPipelineBarrier(r->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0,
		0, NULL, 0, NULL, 1, &b);
}

static void fill(struct rig *r, uint32_t index, uint32_t rgb, VkSemaphore ready)
{
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &ready, .pWaitDstStageMask = &stage, .commandBufferCount = 1,
		.pCommandBuffers = &r->commands, .signalSemaphoreCount = 1, .pSignalSemaphores = &r->done[index] };
	const VkImageSubresourceRange all = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
	VkClearColorValue color = { .float32 = { 0, 0, 0, 1 } };
	for (unsigned c = 0; c < 3; c++)
		color.float32[c] = (float)(rgb >> (16 - 8 * c) & 255) / 255.0f;
	MUST(vkBeginCommandBuffer(r->commands, &begin));
	barrier(r, index, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdClearColorImage(r->commands, r->image[index], VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &color, 1, &all);
	barrier(r, index, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
	MUST(vkEndCommandBuffer(r->commands));
	MUST(vkQueueSubmit(r->queue, 1, &submit, r->fence));
}

VkResult rig_acquire(struct rig *r, uint64_t timeout, uint32_t *index)
{
	return vkAcquireNextImageKHR(r->device, r->chain, timeout, r->ready[r->frame % 2], VK_NULL_HANDLE, index);
}

VkResult rig_show(struct rig *r, uint32_t index, uint32_t rgb)
{
	VkSemaphore ready = r->ready[r->frame++ % 2];
	MUST(vkWaitForFences(r->device, 1, &r->fence, VK_TRUE, UINT64_MAX));
	MUST(vkResetFences(r->device, 1, &r->fence));
	fill(r, index, rgb, ready);
	const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &r->done[index], .swapchainCount = 1, .pSwapchains = &r->chain, .pImageIndices = &index };
	return vkQueuePresentKHR(r->queue, &info);
}

VkResult rig_frame(struct rig *r, uint32_t rgb)
{
	uint32_t index;
	MUST(vkWaitForFences(r->device, 1, &r->fence, VK_TRUE, UINT64_MAX));
	VkResult result = rig_acquire(r, UINT64_MAX, &index);
	return result == VK_SUCCESS ? rig_show(r, index, rgb) : result;
}

VkResult rig_again(struct rig *r, uint64_t timeout)
{
	VkSemaphore ready = r->done[RIG_MAX_IMAGES - 1 - r->frame++ % 8];
	uint32_t index;
	VkResult result = vkAcquireNextImageKHR(r->device, r->chain, timeout, ready, VK_NULL_HANDLE, &index);
	const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &ready, .swapchainCount = 1, .pSwapchains = &r->chain, .pImageIndices = &index };
	return result == VK_SUCCESS ? vkQueuePresentKHR(r->queue, &info) : result;
}

VkResult rig_work(struct rig *r, uint64_t timeout)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO };
	VkFence fence;
	MUST(vkCreateFence(r->device, &info, NULL, &fence));
	MUST(vkQueueSubmit(r->queue, 1, &submit, fence));
	VkResult result = vkWaitForFences(r->device, 1, &fence, VK_TRUE, timeout);
	vkDestroyFence(r->device, fence, NULL);
	return result;
}

bool rig_has_mode(const struct rig *r, VkPresentModeKHR mode)
{
	VkPresentModeKHR modes[16];
	uint32_t count = 16;
	bool has = false;
	MUST(vkGetPhysicalDeviceSurfacePresentModesKHR(r->gpu, r->surface, &count, modes));
	for (uint32_t i = 0; i < count; i++)
		has = has || modes[i] == mode;
	return has;
}
