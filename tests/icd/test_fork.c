/* SPDX-License-Identifier: MIT */
/* fork with work in flight: the child finds its devices lost at once and can
 * destroy them, and make others; the parent notices nothing. */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include "child.h"
#include "work.h"

enum { FORKS = 8, FILL_BYTES = 1 << 24, FILLS = ASAN || TSAN ? 8 : 40, LIMIT_MS = 1000, SECONDS = 300 };

static uint64_t milliseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static VkCommandBuffer record(struct vk *vk, VkCommandPool pool, VkBuffer buffer)
{
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool, .commandBufferCount = 1 };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkCommandBuffer cmd;
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &alloc, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	for (uint32_t i = 0; i <= FILLS; i++)
		FN(vk, vkCmdFillBuffer)(cmd, buffer, 0, VK_WHOLE_SIZE, i);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	return cmd;
}

/* Everything that waits or tells says so; then all is destroyed: how long it took. */
static uint64_t in_child(struct vk *vk, struct work *w, struct vk_buffer *b, VkFence fence)
{
	alarm(SECONDS); /* not inherited */
	struct vk other = *vk;
	struct work again;
	uint64_t start = milliseconds();
	CHECK(FN(vk, vkDeviceWaitIdle)(vk->device) == VK_ERROR_DEVICE_LOST);
	CHECK(FN(vk, vkQueueWaitIdle)(vk->queue) == VK_ERROR_DEVICE_LOST);
	CHECK(FN(vk, vkWaitForFences)(vk->device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
	CHECK(FN(vk, vkGetFenceStatus)(vk->device, fence) == VK_ERROR_DEVICE_LOST);
	CHECK(FN(vk, vkQueueSubmit)(vk->queue, 0, NULL, fence) == VK_ERROR_DEVICE_LOST);
	FN(vk, vkDestroyFence)(vk->device, fence, NULL);
	vk_buffer_free(vk, b);
	work_destroy(vk, NULL, w);
	FN(vk, vkDestroyDevice)(vk->device, NULL);
	uint64_t took = milliseconds() - start;
	OK(vk_device(&other, NULL));
	memset(&again, 0, sizeof again);
	OK(work_make(&other, NULL, &again));
	work_destroy(&other, NULL, &again);
	vk_stop(&other);
	return took;
}

int main(void)
{
	struct vk vk;
	struct work w;
	VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;
	/* The children's.  Whoever waits does so in each of them; a busy machine does not. */
	uint64_t *least = mmap(NULL, sizeof *least, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(least != MAP_FAILED);
	*least = UINT64_MAX;
	memset(&w, 0, sizeof w);
	alarm(SECONDS);
	vk_start(&vk);
	OK(work_make(&vk, NULL, &w));
	OK(FN(&vk, vkCreateFence)(vk.device, &info, NULL, &fence));
	struct vk_buffer b = vk_buffer(&vk, FILL_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkCommandBuffer cmd = record(&vk, w.commands, b.buffer);
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	for (int i = 0; i < FORKS; i++) {
		memset(b.map, 0xff, FILL_BYTES);
		OK(FN(&vk, vkResetFences)(vk.device, 1, &fence));
		OK(FN(&vk, vkQueueSubmit)(vk.queue, 1, &submit, fence));
		pid_t pid = child_start();
		if (pid == 0) {
			uint64_t took = in_child(&vk, &w, &b, fence);
			*least = took < *least ? took : *least;
			_exit(0);
		}
		OK(FN(&vk, vkWaitForFences)(vk.device, 1, &fence, VK_TRUE, UINT64_MAX));
		for (int n = 0; n < FILL_BYTES / 4; n += 1021)
			CHECK(((const uint32_t *)b.map)[n] == FILLS);
		child_ends_well(pid);
	}
	CHECK(*least < LIMIT_MS);
	munmap(least, sizeof *least);
	FN(&vk, vkDestroyFence)(vk.device, fence, NULL);
	vk_buffer_free(&vk, &b);
	work_destroy(&vk, NULL, &w);
	vk_stop(&vk);
	return 0;
}
