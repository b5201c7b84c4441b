/* SPDX-License-Identifier: MIT */
/* Frames to a window of X11, as fast as they can be shown. */
#include "bench/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xcb/xcb.h>

#include <vulkan/vulkan_xcb.h>

enum { IMAGES = 8, FLIGHT = 2, QUADS = 6, SIZE = 64 };
static const float inner = 0.8f, margin = 0.1f; /* object.vert's part of the texture */

struct frame {
	VkSemaphore ready, done;
	VkFence fence;
	VkCommandBuffer commands;
};
struct window {
	xcb_connection_t *connection;
	xcb_window_t id;
	VkSurfaceKHR surface;
	VkSwapchainKHR chain;
	VkFormat format;
	VkImage image[IMAGES];
	struct vh_pass pass[IMAGES];
	uint32_t images;
	struct frame frame[FLIGHT];
};

static const char *no_display(void)
{
	int screen;
	if (!getenv("DISPLAY"))
		return "no DISPLAY to show a window on";
	xcb_connection_t *c = xcb_connect(NULL, &screen);
	const bool there = !xcb_connection_has_error(c);
	xcb_disconnect(c);
	return there ? NULL : "no X server at DISPLAY";
}

/* --- the window --- */

/* Nobody else sizes or decorates it. */
static void open_window(struct window *w)
{
	const uint32_t override = 1;
	w->connection = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(w->connection))
		vh_lacks("an X server");
	const xcb_screen_t *screen = xcb_setup_roots_iterator(xcb_get_setup(w->connection)).data;
	w->id = xcb_generate_id(w->connection);
	xcb_create_window(w->connection, XCB_COPY_FROM_PARENT, w->id, screen->root, 0, 0, BENCH_WIDTH, BENCH_HEIGHT, 0,
		XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, XCB_CW_OVERRIDE_REDIRECT, &override);
	xcb_map_window(w->connection, w->id);
}

/* The server has done what it was asked for. */
static void sync_window(const struct window *w)
{
	free(xcb_get_geometry_reply(w->connection, xcb_get_geometry(w->connection, w->id), NULL));
}

static void open_surface(struct bench *b, struct window *w)
{
	const PFN_vkCreateXcbSurfaceKHR create =
		(PFN_vkCreateXcbSurfaceKHR)vkGetInstanceProcAddr(b->vh.instance, "vkCreateXcbSurfaceKHR");
	const VkXcbSurfaceCreateInfoKHR info = { VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, .connection = w->connection,
		.window = w->id };
	VkBool32 can = VK_FALSE;
	vh_check(create(b->vh.instance, &info, NULL, &w->surface), "vkCreateXcbSurfaceKHR");
	vh_check(vkGetPhysicalDeviceSurfaceSupportKHR(b->vh.gpu, b->vh.family, w->surface, &can),
		"vkGetPhysicalDeviceSurfaceSupportKHR");
	if (!can)
		vh_lacks("a queue that presents");
}

/* The first mode that does not wait for the screen. */
static VkPresentModeKHR find_mode(struct bench *b, const struct window *w)
{
	static const VkPresentModeKHR wanted[2] = { VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_MAILBOX_KHR };
	VkPresentModeKHR modes[16];
	uint32_t count = 16;
	vkGetPhysicalDeviceSurfacePresentModesKHR(b->vh.gpu, w->surface, &count, modes);
	for (int i = 0; i < 2; i++)
		for (uint32_t m = 0; m < count; m++)
			if (modes[m] == wanted[i])
				return wanted[i];
	vh_lacks("a mode of presentation that does not wait");
}

static VkFormat find_format(struct bench *b, const struct window *w)
{
	VkSurfaceFormatKHR formats[32];
	uint32_t count = 32;
	vkGetPhysicalDeviceSurfaceFormatsKHR(b->vh.gpu, w->surface, &count, formats);
	for (uint32_t i = 0; i < count; i++)
		if (formats[i].format == VK_FORMAT_B8G8R8A8_UNORM || formats[i].format == VK_FORMAT_R8G8B8A8_UNORM)
			return formats[i].format;
	vh_lacks("a window of 8 bits a channel");
}

static void open_chain(struct bench *b, struct window *w)
{
	VkSurfaceCapabilitiesKHR can;
	vh_check(vkGetPhysicalDeviceSurfaceCapabilitiesKHR(b->vh.gpu, w->surface, &can),
		"vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
	const VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
	if ((can.supportedUsageFlags & usage) != usage)
		vh_lacks("images of a window that are copied from");
	w->format = find_format(b, w);
	const VkSwapchainCreateInfoKHR info = { VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR, .surface = w->surface,
		.minImageCount = can.minImageCount > 3 ? can.minImageCount : 3, .imageFormat = w->format,
		.imageExtent = { BENCH_WIDTH, BENCH_HEIGHT }, .imageArrayLayers = 1, .imageUsage = usage,
		.preTransform = can.currentTransform, .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
		.presentMode = find_mode(b, w), .clipped = VK_TRUE };
	vh_check(vkCreateSwapchainKHR(b->vh.device, &info, NULL, &w->chain), "vkCreateSwapchainKHR");
	w->images = IMAGES;
	vh_check(vkGetSwapchainImagesKHR(b->vh.device, w->chain, &w->images, w->image), "vkGetSwapchainImagesKHR");
	for (uint32_t i = 0; i < w->images; i++) {
		struct vh_image image = { .handle = w->image[i], .format = w->format, .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
			.width = BENCH_WIDTH, .height = BENCH_HEIGHT, .depth = 1, .levels = 1, .layers = 1, .samples = 1 };
		const VkImageSubresourceRange all = { image.aspect, 0, 1, 0, 1 };
		image.view = vh_make_view(&b->vh, &image, VK_IMAGE_VIEW_TYPE_2D, &all);
		const struct vh_pass_info pass = { .colors = { &image } }; /* it leaves TRANSFER_SRC */
		w->pass[i] = vh_make_pass(&b->vh, &pass);
	}
}

static void make_frames(struct bench *b, struct window *w)
{
	const VkSemaphoreCreateInfo info = { VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	for (int i = 0; i < FLIGHT; i++) {
		struct frame *f = &w->frame[i];
		vh_check(vkCreateSemaphore(b->vh.device, &info, NULL, &f->ready), "vkCreateSemaphore");
		vh_check(vkCreateSemaphore(b->vh.device, &info, NULL, &f->done), "vkCreateSemaphore");
		f->fence = vh_make_fence(&b->vh);
		f->commands = vh_begin(&b->vh, 0);
		vh_check(vkEndCommandBuffer(f->commands), "vkEndCommandBuffer"); /* show() begins it anew */
	}
}

static void close_window(struct bench *b, struct window *w)
{
	for (int i = 0; i < FLIGHT; i++) {
		vkDestroySemaphore(b->vh.device, w->frame[i].ready, NULL);
		vkDestroySemaphore(b->vh.device, w->frame[i].done, NULL);
	}
	vkDestroySwapchainKHR(b->vh.device, w->chain, NULL);
	vkDestroySurfaceKHR(b->vh.instance, w->surface, NULL);
	xcb_destroy_window(w->connection, w->id);
	xcb_disconnect(w->connection);
}

/* --- what is shown --- */

static void make_program(struct bench *b, const struct vh_pass *pass)
{
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR };
	const size_t size = 4 * SIZE * SIZE;
	b->texels = malloc(size);
	if (!b->texels)
		vh_fail("out of memory");
	for (int i = 0; i < SIZE * SIZE; i++) {
		const uint8_t texel[4] = { (uint8_t)(4 * (i % SIZE)), (uint8_t)(255 - 4 * (i / SIZE)),
			(uint8_t)(2 * (i % SIZE) + i / SIZE), 255 };
		for (int c = 0; c < 4; c++)
			b->texels[4 * i + c] = texel[c];
	}
	b->texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, b->texels, size);
	b->layout = vh_make_layout(&b->vh, &binding, 1, VK_SHADER_STAGE_VERTEX_BIT, 4 * sizeof(float));
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, binding.descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	const struct vh_pipeline_info info = { .vertex = bench_object_shader(b),
		.fragment = bench_texture_shader(b), .layout = b->layout.pipeline, .pass = pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

/* Quad i as x, y, width, height of clip space; the first is all. */
static void place(int i, float rect[4])
{
	rect[0] = i ? -0.9f + 0.35f * (float)(i - 1) : -1;
	rect[1] = i ? -0.8f + 0.2f * (float)(i - 1) : -1;
	rect[2] = i ? 0.5f : 2;
	rect[3] = i ? 0.6f : 2;
}

static void record(struct bench *b, const struct window *w, VkCommandBuffer commands, uint32_t image, bool keep)
{
	const VkCommandBufferBeginInfo begin = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const struct vh_image shown = { .handle = w->image[image], .aspect = VK_IMAGE_ASPECT_COLOR_BIT, .levels = 1, .layers = 1 };
	vh_check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
	vh_begin_pass(commands, &w->pass[image]);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	for (int i = 0; i < QUADS; i++) {
		float rect[4];
		place(i, rect);
		vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof rect, rect);
		vkCmdDraw(commands, 6, 1, 0, 0);
	}
	vkCmdEndRenderPass(commands);
	if (keep)
		bench_show(b, commands, &shown, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
	vh_transition(commands, &shown, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
	vh_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
}

/* keep: into the target, too. */
static void show(struct bench *b, struct window *w, uint32_t number, bool keep)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
	const struct frame *f = &w->frame[number % FLIGHT];
	uint32_t image;
	if (number >= FLIGHT) {
		vh_check(vkWaitForFences(b->vh.device, 1, &f->fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
		vh_check(vkResetFences(b->vh.device, 1, &f->fence), "vkResetFences");
	}
	const VkResult got = vkAcquireNextImageKHR(b->vh.device, w->chain, UINT64_MAX, f->ready, VK_NULL_HANDLE, &image);
	if (got != VK_SUBOPTIMAL_KHR)
		vh_check(got, "vkAcquireNextImageKHR");
	record(b, w, f->commands, image, keep);
	const VkSubmitInfo submit = { VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = 1, .pWaitSemaphores = &f->ready,
		.pWaitDstStageMask = &stage, .commandBufferCount = 1, .pCommandBuffers = &f->commands, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &f->done };
	vh_check(vkQueueSubmit(b->vh.queue, 1, &submit, f->fence), "vkQueueSubmit");
	const VkPresentInfoKHR present = { VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, .waitSemaphoreCount = 1, .pWaitSemaphores = &f->done,
		.swapchainCount = 1, .pSwapchains = &w->chain, .pImageIndices = &image };
	const VkResult shown = vkQueuePresentKHR(b->vh.queue, &present);
	if (shown != VK_SUBOPTIMAL_KHR)
		vh_check(shown, "vkQueuePresentKHR");
}

static double once(struct bench *b)
{
	static const struct vh_wants wants = { .window = true };
	struct window w = { 0 };
	uint32_t number = 0, first;
	vh_open_wants(&b->vh, "qwbench", &wants);
	open_window(&w);
	open_surface(b, &w);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
	const size_t mark = b->vh.object_count;
	open_chain(b, &w);
	make_frames(b, &w);
	make_program(b, &w.pass[0]);
	for (const double until = vh_now() + 0.2 * b->seconds; number < 2 * IMAGES || vh_now() < until; number++)
		show(b, &w, number, false);
	vkDeviceWaitIdle(b->vh.device);
	sync_window(&w);
	const double start = vh_now();
	for (first = number; vh_now() - start < b->seconds || number == first; number++)
		show(b, &w, number, false);
	vkDeviceWaitIdle(b->vh.device);
	sync_window(&w);
	const double seconds = vh_now() - start;
	show(b, &w, number, true);
	vkDeviceWaitIdle(b->vh.device);
	vh_release(&b->vh, mark);
	close_window(b, &w);
	return (number - first) / seconds;
}

/* Of edges nothing is said. */
static bool expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	const float x = ((float)px + 0.5f) * 2 / BENCH_WIDTH - 1, y = ((float)py + 0.5f) * 2 / BENCH_HEIGHT - 1;
	for (int i = 0; i < QUADS; i++) {
		float rect[4];
		place(i, rect);
		const float u = (x - rect[0]) / rect[2], v = (y - rect[1]) / rect[3];
		if (i && (fabsf(u) < 0.01f || fabsf(u - 1) < 0.01f || fabsf(v) < 0.01f || fabsf(v - 1) < 0.01f))
			return false;
		if (u > 0 && u < 1 && v > 0 && v < 1)
			for (int c = 0; c < 3; c++)
				rgb[c] = bench_bilinear(b->texels, SIZE, margin + inner * u, margin + inner * v, c, false);
	}
	return true;
}

const struct bench_scene bench_present = { .name = "present", .unit = "frame/s",
	.what = "a background and five textured quads, shown in a window of X11 without waiting, 1280x720",
	.absent = no_display, .once = once, .expect = expect, .tolerance = 3 };
