/* SPDX-License-Identifier: MIT */
/* A device lost at each point of its work, learned of in each way there is:
 * everything may be destroyed at once then, since nothing of the application's
 * is used after it may know.  For the sanitizers. */
#include <sched.h>
#include "linger.h"
#include "storage.h"
#include "endless_comp.h"

enum { FIRST, MIDDLE, LATER, LATER_WAITS, PRESENTS, POINTS };
enum { WAIT_FENCES, FENCE_STATUS, QUEUE_IDLE, DEVICE_IDLE, SUBMIT, EVENT, QUERY, ACQUIRE, WAYS };
enum { ROUNDS = 3, FENCES = 3, SEMAPHORES = 4, IMAGES = 3 };

struct work {
	struct vk vk;
	VkDebugUtilsMessengerEXT messenger;
	VkIcdSurfaceHeadless surface;
	struct storage storage;
	struct vk_buffer data;
	VkFence fence[FENCES];
	VkSemaphore semaphore[SEMAPHORES];
	VkEvent event;
	VkQueryPool queries;
	VkSwapchainKHR chain;
};

static void open_instance(struct work *w)
{
	const char *extensions[] = { VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
		VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = 3, .ppEnabledExtensionNames = extensions };
	uint32_t one = 1;
	vk_open(&w->vk);
	OK(IFN(&w->vk, vkCreateInstance)(&info, NULL, &w->vk.instance));
	OK(IFN(&w->vk, vkEnumeratePhysicalDevices)(w->vk.instance, &one, &w->vk.physical));
	OK(IFN(&w->vk, vkCreateDebugUtilsMessengerEXT)(w->vk.instance, &lingering, NULL, &w->messenger));
}

static void make_sync(struct work *w)
{
	struct vk *vk = &w->vk;
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkEventCreateInfo event = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkQueryPoolCreateInfo queries = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 1 };
	VkSwapchainCreateInfoKHR chain = { .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = vk_headless(&w->surface),
		.minImageCount = IMAGES, .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageExtent = { 16, 16 }, .imageArrayLayers = 1,
		.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT, .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, .presentMode = VK_PRESENT_MODE_FIFO_KHR };
	for (int i = 0; i < FENCES; i++)
		OK(FN(vk, vkCreateFence)(vk->device, &fence, NULL, &w->fence[i]));
	for (int i = 0; i < SEMAPHORES; i++)
		OK(FN(vk, vkCreateSemaphore)(vk->device, &semaphore, NULL, &w->semaphore[i]));
	OK(FN(vk, vkCreateEvent)(vk->device, &event, NULL, &w->event));
	OK(FN(vk, vkCreateQueryPool)(vk->device, &queries, NULL, &w->queries));
	OK(FN(vk, vkCreateSwapchainKHR)(vk->device, &chain, NULL, &w->chain));
}

static void make_device(struct work *w)
{
	const char *extension = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
	struct vk *vk = &w->vk;
	OK(vk_device_with(vk, NULL, &extension, 1));
	w->data = vk_buffer(vk, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(&w->storage, 0, sizeof w->storage);
	OK(storage_layouts(vk, endless_comp, sizeof endless_comp, &w->storage));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &w->storage));
	OK(storage_set(vk, w->data.buffer, &w->storage));
	OK(storage_begin(vk, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, &w->storage));
	OK(storage_end(vk, 1, &w->storage));
	make_sync(w);
}

static void destroy_all(struct work *w)
{
	struct vk *vk = &w->vk;
	for (int i = 0; i < FENCES; i++)
		FN(vk, vkDestroyFence)(vk->device, w->fence[i], NULL);
	for (int i = 0; i < SEMAPHORES; i++)
		FN(vk, vkDestroySemaphore)(vk->device, w->semaphore[i], NULL);
	storage_destroy(vk, &w->storage);
	vk_buffer_free(vk, &w->data);
	FN(vk, vkDestroySwapchainKHR)(vk->device, w->chain, NULL);
	FN(vk, vkDestroyEvent)(vk->device, w->event, NULL);
	FN(vk, vkDestroyQueryPool)(vk->device, w->queries, NULL);
	FN(vk, vkDestroyDevice)(vk->device, NULL);
}

/* Once the device is lost, which may be before the caller is through, nothing
 * is pushed any more. */
static void submit(struct work *w, uint32_t count, const VkSubmitInfo *infos, VkFence fence)
{
	VkResult result = FN(&w->vk, vkQueueSubmit)(w->vk.queue, count, infos, fence);
	CHECK(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
}

static void present(struct work *w, int first)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &w->storage.cmd,
		.waitSemaphoreCount = 1, .pWaitSemaphores = &w->semaphore[first], .pWaitDstStageMask = &stage,
		.signalSemaphoreCount = 1, .pSignalSemaphores = &w->semaphore[first + 1] };
	uint32_t index;
	if (FN(&w->vk, vkAcquireNextImageKHR)(w->vk.device, w->chain, UINT64_MAX, w->semaphore[first], VK_NULL_HANDLE,
		&index) != VK_SUCCESS)
		return;
	VkPresentInfoKHR show = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &w->semaphore[first + 1], .swapchainCount = 1, .pSwapchains = &w->chain,
		.pImageIndices = &index };
	submit(w, 1, &info, w->fence[first / 2]);
	VkResult result = FN(&w->vk, vkQueuePresentKHR)(w->vk.queue, &show);
	CHECK(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
}

static void lose(struct work *w, int point)
{
	static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo bad = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &w->storage.cmd, .signalSemaphoreCount = 1, .pSignalSemaphores = &w->semaphore[0] };
	const VkSubmitInfo before = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &w->semaphore[1] };
	const VkSubmitInfo after = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &w->semaphore[0], .pWaitDstStageMask = &stage, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &w->semaphore[2] };
	const VkSubmitInfo batch[] = { before, bad, after };
	/* Nothing signals this one: its wait ends with the device. */
	const VkSubmitInfo stuck = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &w->semaphore[3], .pWaitDstStageMask = &stage, .commandBufferCount = 1,
		.pCommandBuffers = &w->storage.cmd, .signalSemaphoreCount = 1, .pSignalSemaphores = &w->semaphore[2] };
	if (point == MIDDLE)
		submit(w, 3, batch, w->fence[0]);
	else if (point == PRESENTS)
		present(w, 0);
	else
		submit(w, 1, &bad, w->fence[0]);
	if (point == LATER || point == LATER_WAITS) {
		submit(w, 1, &after, w->fence[1]);
		submit(w, 1, point == LATER ? &before : &stuck, w->fence[2]);
	} else if (point == PRESENTS) {
		present(w, 2);
	}
}

static VkResult learn(struct work *w, int way)
{
	struct vk *vk = &w->vk;
	uint32_t value, image;
	switch (way) {
	case WAIT_FENCES: return FN(vk, vkWaitForFences)(vk->device, 1, w->fence, VK_TRUE, UINT64_MAX);
	case FENCE_STATUS: return FN(vk, vkGetFenceStatus)(vk->device, w->fence[0]);
	case QUEUE_IDLE: return FN(vk, vkQueueWaitIdle)(vk->queue);
	case DEVICE_IDLE: return FN(vk, vkDeviceWaitIdle)(vk->device);
	case SUBMIT: return FN(vk, vkQueueSubmit)(vk->queue, 0, NULL, VK_NULL_HANDLE);
	case EVENT: return FN(vk, vkGetEventStatus)(vk->device, w->event);
	case QUERY: return FN(vk, vkGetQueryPoolResults)(vk->device, w->queries, 0, 1, 4, &value, 4, VK_QUERY_RESULT_WAIT_BIT);
	default: return FN(vk, vkAcquireNextImageKHR)(vk->device, w->chain, 0, VK_NULL_HANDLE, w->fence[2], &image);
	}
}

int main(void)
{
	struct work w;
	memset(&w, 0, sizeof w);
	setenv("QW_BUDGET", "20000", 1);
	setenv("QW_THREADS", "2", 1);
	open_instance(&w);
	for (int i = 0; i < POINTS * WAYS * ROUNDS; i++) {
		int point = i % POINTS, way = i / POINTS % WAYS;
		make_device(&w);
		lose(&w, point);
		while (learn(&w, way) != VK_ERROR_DEVICE_LOST)
			sched_yield();
		destroy_all(&w);
	}
	IFN(&w.vk, vkDestroyDebugUtilsMessengerEXT)(w.vk.instance, w.messenger, NULL);
	IFN(&w.vk, vkDestroyInstance)(w.vk.instance, NULL);
	dlclose(w.vk.library);
	return 0;
}
