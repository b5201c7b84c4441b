/* SPDX-License-Identifier: MIT */
/* Binary semaphores as applications should not use them but do: signaled twice
 * before a wait, and waited for with no signal to come.  Nothing may hang, and
 * a message says what is wrong, once a semaphore. */
#include <unistd.h>
#include "harness.h"

enum { FRAMES = 4, SECONDS = 300 };

struct heard { unsigned again, never; };

static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
	VkDebugUtilsMessageTypeFlagsEXT types, const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
	struct heard *h = user;
	CHECK(data->objectCount == 1 && data->pObjects[0].objectType == VK_OBJECT_TYPE_SEMAPHORE);
	h->again += strstr(data->pMessage, "is signaled again") != NULL;
	h->never += strstr(data->pMessage, "no signal pending") != NULL;
	return VK_FALSE;
}

static VkDebugUtilsMessengerEXT open_device(struct vk *vk, struct heard *h)
{
	const char *extensions[] = { VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
		VK_EXT_DEBUG_UTILS_EXTENSION_NAME }, *swapchain = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = 3, .ppEnabledExtensionNames = extensions };
	VkDebugUtilsMessengerCreateInfoEXT messenger = { .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, .pfnUserCallback = hear, .pUserData = h };
	VkDebugUtilsMessengerEXT made;
	uint32_t one = 1;
	vk_open(vk);
	OK(IFN(vk, vkCreateInstance)(&info, NULL, &vk->instance));
	OK(IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical));
	OK(IFN(vk, vkCreateDebugUtilsMessengerEXT)(vk->instance, &messenger, NULL, &made));
	OK(vk_device_with(vk, NULL, &swapchain, 1));
	return made;
}

static VkSwapchainKHR make_chain(struct vk *vk, VkIcdSurfaceHeadless *surface)
{
	VkSwapchainCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = vk_headless(surface),
		.minImageCount = FRAMES, .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageExtent = { 16, 16 }, .imageArrayLayers = 1,
		.imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT, .preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
		.compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR, .presentMode = VK_PRESENT_MODE_FIFO_KHR };
	VkSwapchainKHR chain;
	OK(FN(vk, vkCreateSwapchainKHR)(vk->device, &info, NULL, &chain));
	return chain;
}

static VkSemaphore semaphore(struct vk *vk)
{
	VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkSemaphore s;
	OK(FN(vk, vkCreateSemaphore)(vk->device, &info, NULL, &s));
	return s;
}

static void submit(struct vk *vk, VkSemaphore wait, VkSemaphore signal)
{
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = wait != VK_NULL_HANDLE,
		.pWaitSemaphores = &wait, .pWaitDstStageMask = &stage, .signalSemaphoreCount = signal != VK_NULL_HANDLE,
		.pSignalSemaphores = &signal };
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &info, VK_NULL_HANDLE));
}

static void present(struct vk *vk, VkSwapchainKHR chain, uint32_t index, VkSemaphore wait)
{
	VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1,
		.pWaitSemaphores = &wait, .swapchainCount = 1, .pSwapchains = &chain, .pImageIndices = &index };
	OK(FN(vk, vkQueuePresentKHR)(vk->queue, &info));
}

/* One semaphore for all acquired images and one for all drawn, all frames ahead. */
static void frames(struct vk *vk, const struct heard *h)
{
	VkIcdSurfaceHeadless surface;
	VkSwapchainKHR chain = make_chain(vk, &surface);
	VkSemaphore acquired = semaphore(vk), drawn = semaphore(vk);
	uint32_t index[FRAMES];
	for (int i = 0; i < FRAMES; i++)
		OK(FN(vk, vkAcquireNextImageKHR)(vk->device, chain, UINT64_MAX, acquired, VK_NULL_HANDLE, &index[i]));
	CHECK(h->again == 1 && h->never == 0);
	for (int i = 0; i < FRAMES; i++)
		submit(vk, acquired, drawn);
	for (int i = 0; i < FRAMES; i++)
		present(vk, chain, index[i], drawn);
	OK(FN(vk, vkDeviceWaitIdle)(vk->device));
	CHECK(h->again == 2 && h->never == 0);
	FN(vk, vkDestroySwapchainKHR)(vk->device, chain, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, acquired, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, drawn, NULL);
}

/* Waits that nothing will end, then proper use of the same semaphore. */
static void never(struct vk *vk, const struct heard *h)
{
	VkSemaphore s = semaphore(vk);
	unsigned again = h->again, before = h->never;
	submit(vk, s, VK_NULL_HANDLE);
	submit(vk, s, VK_NULL_HANDLE);
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	CHECK(h->never == before + 1);
	for (int i = 0; i < 100; i++) {
		submit(vk, VK_NULL_HANDLE, s);
		submit(vk, s, VK_NULL_HANDLE);
	}
	OK(FN(vk, vkDeviceWaitIdle)(vk->device));
	CHECK(h->never == before + 1 && h->again == again);
	FN(vk, vkDestroySemaphore)(vk->device, s, NULL);
}

int main(void)
{
	struct vk vk;
	struct heard heard = { 0, 0 };
	alarm(SECONDS); /* what hangs, dies */
	VkDebugUtilsMessengerEXT messenger = open_device(&vk, &heard);
	frames(&vk, &heard);
	never(&vk, &heard);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}
