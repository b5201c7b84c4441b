/* SPDX-License-Identifier: MIT */
/* A device that can do nothing but show colours in a window. */
#ifndef QW_TESTS_WSI_RIG_H
#define QW_TESTS_WSI_RIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define VK_USE_PLATFORM_XCB_KHR
#define VK_USE_PLATFORM_WAYLAND_KHR
#include <vulkan/vulkan.h>
#include "tests/check.h"

#define MUST(call) CHECK((call) == VK_SUCCESS, "%s failed", #call)

enum { RIG_MAX_IMAGES = 16 };

struct rig {
	VkInstance instance;
	VkPhysicalDevice gpu;
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	VkCommandBuffer commands;
	VkFence fence;              /* of commands */
	VkSemaphore ready[2], done[RIG_MAX_IMAGES];
	VkSurfaceKHR surface;       /* the caller's to create, rig_close destroys it */
	VkSwapchainKHR chain;
	VkImage image[RIG_MAX_IMAGES];
	uint32_t images, frame;
};

/* An instance and a device for windows of one kind of surface. */
void rig_open(struct rig *r, const char *surface_extension);
void rig_close(struct rig *r);
/* Replaces the swapchain, B8G8R8A8_UNORM, three images or what there must be. */
VkResult rig_chain(struct rig *r, VkPresentModeKHR mode, uint32_t width, uint32_t height);
/* The same while the old one is in use, which is the caller's to destroy. */
VkResult rig_chain_over(struct rig *r, VkPresentModeKHR mode, uint32_t width, uint32_t height, VkSwapchainKHR *old);
/* Shows 0xrrggbb; what acquire or present answered. */
VkResult rig_frame(struct rig *r, uint32_t rgb);
/* Its two halves. */
VkResult rig_acquire(struct rig *r, uint64_t timeout, uint32_t *index);
VkResult rig_show(struct rig *r, uint32_t index, uint32_t rgb);
/* Shows an image as it is: nothing but acquire and present, by semaphores that chains of up
 * to eight images do not use otherwise. */
VkResult rig_again(struct rig *r, uint64_t timeout);
/* Work on the queue behind everything else; VK_TIMEOUT, or as vkWaitForFences. */
VkResult rig_work(struct rig *r, uint64_t timeout);
bool rig_has_mode(const struct rig *r, VkPresentModeKHR mode);
double rig_seconds(void);
/* The same but for the time in which the machine was too busy to wake a thread that wanted
 * to: for upper bounds, which an idle machine meets. */
double rig_idle_seconds(void);

#endif
