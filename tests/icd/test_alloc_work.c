/* SPDX-License-Identifier: MIT */
/* Host memory that runs out below a device: pipelines, descriptor sets, command
 * buffers and a swapchain, with every allocation of theirs failing in turn. */
#include "fail_each.h"
#include <vulkan/vk_icd.h>
#include "work.h"

static VkResult make_work(struct vk *vk, const VkAllocationCallbacks *a)
{
	struct work w = { 0 };
	VkResult result = work_make(vk, a, &w);
	work_destroy(vk, a, &w);
	return result;
}

/* A swapchain to nowhere, presented once. */
static VkResult make_swapchain(struct vk *vk, const VkAllocationCallbacks *a)
{
	VkIcdSurfaceHeadless headless = { { VK_ICD_WSI_PLATFORM_HEADLESS } }; /* surfaces are the loader's */
	VkSurfaceKHR surface = (VkSurfaceKHR)(uintptr_t)&headless;
	VkSwapchainKHR chain;
	VkSwapchainCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = surface,
		.minImageCount = 3, .imageFormat = VK_FORMAT_B8G8R8A8_UNORM, .imageExtent = { WORK_SIZE, WORK_SIZE },
		.imageArrayLayers = 1, .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, .presentMode = VK_PRESENT_MODE_FIFO_KHR,
		.preTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR, .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR };
	VkResult result = FN(vk, vkCreateSwapchainKHR)(vk->device, &info, a, &chain);
	if (result == VK_SUCCESS) {
		uint32_t index;
		VkFenceCreateInfo fence_info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
		VkFence fence = VK_NULL_HANDLE;
		result = FN(vk, vkCreateFence)(vk->device, &fence_info, a, &fence);
		if (result == VK_SUCCESS)
			result = FN(vk, vkAcquireNextImageKHR)(vk->device, chain, UINT64_MAX, VK_NULL_HANDLE, fence, &index);
		if (result == VK_SUCCESS)
			result = FN(vk, vkWaitForFences)(vk->device, 1, &fence, VK_TRUE, UINT64_MAX);
		VkPresentInfoKHR present = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .swapchainCount = 1,
			.pSwapchains = &chain, .pImageIndices = &index };
		if (result == VK_SUCCESS)
			result = FN(vk, vkQueuePresentKHR)(vk->queue, &present);
		FN(vk, vkQueueWaitIdle)(vk->queue);
		FN(vk, vkDestroyFence)(vk->device, fence, a);
		FN(vk, vkDestroySwapchainKHR)(vk->device, chain, a);
	}
	return result;
}

/* The harness's instance and device enable no extension. */
static void start(struct vk *vk, const VkAllocationCallbacks *a)
{
	const char *instance_names[] = { VK_KHR_SURFACE_EXTENSION_NAME, VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME };
	const char *device_names[] = { VK_KHR_SWAPCHAIN_EXTENSION_NAME };
	VkInstanceCreateInfo instance = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.enabledExtensionCount = 2, .ppEnabledExtensionNames = instance_names };
	float priority = 1.0f;
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1, .pQueuePriorities = &priority };
	VkDeviceCreateInfo device = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue, .enabledExtensionCount = 1,
		.ppEnabledExtensionNames = device_names };
	uint32_t one = 1;
	vk_open(vk);
	OK(IFN(vk, vkCreateInstance)(&instance, a, &vk->instance));
	OK(IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical));
	OK(IFN(vk, vkCreateDevice)(vk->physical, &device, a, &vk->device));
	vk->get_device = IFN(vk, vkGetDeviceProcAddr);
	FN(vk, vkGetDeviceQueue)(vk->device, 0, 0, &vk->queue);
}

int main(void)
{
	struct vk vk;
	struct fail_counter c = { .left = -1 };
	VkAllocationCallbacks a = fail_callbacks(&c);
	start(&vk, &a);
	fail_sweep(&vk, "work", make_work, &a);
	fail_sweep(&vk, "swapchain", make_swapchain, &a);
	FN(&vk, vkDestroyDevice)(vk.device, &a);
	IFN(&vk, vkDestroyInstance)(vk.instance, &a);
	CHECK(c.live == 0);
	dlclose(vk.library);
	return 0;
}
