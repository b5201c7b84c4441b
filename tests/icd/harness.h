/* SPDX-License-Identifier: MIT */
/* A Vulkan device straight from the library, for tests: the loader's part is
 * played here, so entry points are the driver's own. */
#ifndef TESTS_ICD_HARNESS_H
#define TESTS_ICD_HARNESS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>
#include <vulkan/vk_icd.h>
#include "tests/check.h"

#define OK(x) CHECK((x) == VK_SUCCESS)
#define TRY(call) do { VkResult try_ = (call); if (try_ != VK_SUCCESS) return try_; } while (0)

/* Where memory has shadows, huge blocks cost time. */
#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#elif __has_feature(thread_sanitizer)
#define TSAN 1
#endif
#endif
#ifndef ASAN
#define ASAN 0
#endif
#ifndef TSAN
#define TSAN 0
#endif

struct vk {
	void *library;
	PFN_vkGetInstanceProcAddr get;
	PFN_vkGetDeviceProcAddr get_device;
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	VkQueue queue;
};

/* Functions by name, with their type: FN(vk, vkCreateBuffer)(device, ...). */
#define FN(vk, name) ((PFN_##name)(vk)->get_device((vk)->device, #name))
#define IFN(vk, name) ((PFN_##name)(vk)->get((vk)->instance, #name))

static inline void vk_open(struct vk *vk)
{
	memset(vk, 0, sizeof *vk);
	vk->library = dlopen(QW_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!vk->library)
		fprintf(stderr, "%s\n", dlerror());
	CHECK(vk->library);
	vk->get = (PFN_vkGetInstanceProcAddr)dlsym(vk->library, "vk_icdGetInstanceProcAddr");
	CHECK(vk->get);
}

static inline VkResult vk_instance(struct vk *vk, const VkAllocationCallbacks *alloc)
{
	VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1 };
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app };
	uint32_t one = 1;
	VkResult result = IFN(vk, vkCreateInstance)(&info, alloc, &vk->instance);
	if (result != VK_SUCCESS)
		return result;
	return IFN(vk, vkEnumeratePhysicalDevices)(vk->instance, &one, &vk->physical);
}

static inline VkResult vk_device_with(struct vk *vk, const VkAllocationCallbacks *alloc,
	const char *const *extensions, uint32_t count)
{
	float priority = 1.0f;
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1, .pQueuePriorities = &priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue, .enabledExtensionCount = count,
		.ppEnabledExtensionNames = extensions };
	VkResult result = IFN(vk, vkCreateDevice)(vk->physical, &info, alloc, &vk->device);
	if (result != VK_SUCCESS)
		return result;
	vk->get_device = IFN(vk, vkGetDeviceProcAddr);
	FN(vk, vkGetDeviceQueue)(vk->device, 0, 0, &vk->queue);
	return VK_SUCCESS;
}

static inline VkResult vk_device(struct vk *vk, const VkAllocationCallbacks *alloc)
{
	return vk_device_with(vk, alloc, NULL, 0);
}

static inline void vk_start(struct vk *vk)
{
	vk_open(vk);
	OK(vk_instance(vk, NULL));
	OK(vk_device(vk, NULL));
}

static inline void vk_stop(struct vk *vk)
{
	FN(vk, vkDestroyDevice)(vk->device, NULL);
	IFN(vk, vkDestroyInstance)(vk->instance, NULL);
	dlclose(vk->library);
}

/* A surface as the loader makes them, without a window; *s must outlive it. */
static inline VkSurfaceKHR vk_headless(VkIcdSurfaceHeadless *s)
{
	memset(s, 0, sizeof *s);
	s->base.platform = VK_ICD_WSI_PLATFORM_HEADLESS;
	return (VkSurfaceKHR)(uintptr_t)s;
}

/* A buffer with memory of its own, mapped. */
struct vk_buffer { VkBuffer buffer; VkDeviceMemory memory; void *map; };

static inline struct vk_buffer vk_buffer(struct vk *vk, VkDeviceSize size, VkBufferUsageFlags usage)
{
	struct vk_buffer b;
	VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size,
		.usage = usage };
	VkMemoryAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	OK(FN(vk, vkCreateBuffer)(vk->device, &info, NULL, &b.buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, b.buffer, &req);
	alloc.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &alloc, NULL, &b.memory));
	OK(FN(vk, vkBindBufferMemory)(vk->device, b.buffer, b.memory, 0));
	OK(FN(vk, vkMapMemory)(vk->device, b.memory, 0, VK_WHOLE_SIZE, 0, &b.map));
	return b;
}

/* Of SPIR-V of so many bytes. */
static inline VkShaderModule vk_module(struct vk *vk, const uint32_t *words, size_t bytes)
{
	const VkShaderModuleCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	VkShaderModule module;
	OK(FN(vk, vkCreateShaderModule)(vk->device, &info, NULL, &module));
	return module;
}

/* A primary command buffer of the pool that is being recorded. */
static inline VkCommandBuffer vk_begin(struct vk *vk, VkCommandPool pool)
{
	VkCommandBuffer cmd;
	const VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool, .commandBufferCount = 1 };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &info, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	return cmd;
}

/* Ends it, and waits until it is done. */
static inline void vk_run(struct vk *vk, VkCommandBuffer cmd)
{
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
}

static inline void vk_buffer_free(struct vk *vk, struct vk_buffer *b)
{
	FN(vk, vkDestroyBuffer)(vk->device, b->buffer, NULL);
	FN(vk, vkFreeMemory)(vk->device, b->memory, NULL);
}

#endif
