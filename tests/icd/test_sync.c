/* SPDX-License-Identifier: MIT */
/* Submission: order, fences, semaphores, events, timeouts. */
#include "harness.h"

static VkFence fence(struct vk *vk, VkFenceCreateFlags flags)
{
	VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = flags };
	VkFence f;
	OK(FN(vk, vkCreateFence)(vk->device, &info, NULL, &f));
	return f;
}

static void fences(struct vk *vk)
{
	VkFence f[2] = { fence(vk, VK_FENCE_CREATE_SIGNALED_BIT), fence(vk, 0) };
	OK(FN(vk, vkGetFenceStatus)(vk->device, f[0]));
	CHECK(FN(vk, vkGetFenceStatus)(vk->device, f[1]) == VK_NOT_READY);
	OK(FN(vk, vkWaitForFences)(vk->device, 2, f, VK_FALSE, UINT64_MAX));
	CHECK(FN(vk, vkWaitForFences)(vk->device, 2, f, VK_TRUE, 1000000) == VK_TIMEOUT);
	CHECK(FN(vk, vkWaitForFences)(vk->device, 1, &f[1], VK_TRUE, 0) == VK_TIMEOUT);
	OK(FN(vk, vkQueueSubmit)(vk->queue, 0, NULL, f[1]));
	OK(FN(vk, vkWaitForFences)(vk->device, 2, f, VK_TRUE, UINT64_MAX));
	OK(FN(vk, vkResetFences)(vk->device, 2, f));
	CHECK(FN(vk, vkGetFenceStatus)(vk->device, f[0]) == VK_NOT_READY);
	FN(vk, vkDestroyFence)(vk->device, f[0], NULL);
	FN(vk, vkDestroyFence)(vk->device, f[1], NULL);
}

/* Ten batches in a chain of semaphores: each copies the last one's word on. */
static void chain(struct vk *vk)
{
	enum { LINKS = 10 };
	struct vk_buffer b = vk_buffer(vk, 4 * (LINKS + 1),
		VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkCommandPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkSemaphoreCreateInfo sem_info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
	VkCommandPool pool;
	VkCommandBuffer cmd[LINKS];
	VkSemaphore sem[LINKS];
	VkSubmitInfo submit[LINKS];
	VkFence f = fence(vk, 0);
	uint32_t *words = b.map;

	OK(FN(vk, vkCreateCommandPool)(vk->device, &pool_info, NULL, &pool));
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool, .commandBufferCount = LINKS };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &alloc, cmd));
	for (uint32_t i = 0; i < LINKS; i++) {
		VkBufferCopy copy = { .srcOffset = 4 * i, .dstOffset = 4 * (i + 1), .size = 4 };
		OK(FN(vk, vkCreateSemaphore)(vk->device, &sem_info, NULL, &sem[i]));
		OK(FN(vk, vkBeginCommandBuffer)(cmd[i], &begin));
		FN(vk, vkCmdCopyBuffer)(cmd[i], b.buffer, b.buffer, 1, &copy);
		OK(FN(vk, vkEndCommandBuffer)(cmd[i]));
		submit[i] = (VkSubmitInfo){ .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.waitSemaphoreCount = i > 0, .pWaitSemaphores = &sem[i ? i - 1 : 0],
			.pWaitDstStageMask = &stage, .commandBufferCount = 1, .pCommandBuffers = &cmd[i],
			.signalSemaphoreCount = i + 1 < LINKS, .pSignalSemaphores = &sem[i] };
	}
	memset(words, 0, 4 * (LINKS + 1));
	words[0] = 0x51570001;
	OK(FN(vk, vkQueueSubmit)(vk->queue, LINKS, submit, f));
	OK(FN(vk, vkWaitForFences)(vk->device, 1, &f, VK_TRUE, UINT64_MAX));
	CHECK(words[LINKS] == 0x51570001);
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	for (uint32_t i = 0; i < LINKS; i++)
		FN(vk, vkDestroySemaphore)(vk->device, sem[i], NULL);
	FN(vk, vkDestroyCommandPool)(vk->device, pool, NULL);
	FN(vk, vkDestroyFence)(vk->device, f, NULL);
	vk_buffer_free(vk, &b);
}

static void events(struct vk *vk)
{
	VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkEvent e;
	OK(FN(vk, vkCreateEvent)(vk->device, &info, NULL, &e));
	CHECK(FN(vk, vkGetEventStatus)(vk->device, e) == VK_EVENT_RESET);
	OK(FN(vk, vkSetEvent)(vk->device, e));
	CHECK(FN(vk, vkGetEventStatus)(vk->device, e) == VK_EVENT_SET);
	OK(FN(vk, vkResetEvent)(vk->device, e));
	CHECK(FN(vk, vkGetEventStatus)(vk->device, e) == VK_EVENT_RESET);
	FN(vk, vkDestroyEvent)(vk->device, e, NULL);
}

/* More memory than there is, and exactly none left behind. */
static void memory(struct vk *vk)
{
	VkPhysicalDeviceMemoryProperties p;
	VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkDeviceMemory m;
	IFN(vk, vkGetPhysicalDeviceMemoryProperties)(vk->physical, &p);
	info.allocationSize = p.memoryHeaps[0].size + 1;
	CHECK(FN(vk, vkAllocateMemory)(vk->device, &info, NULL, &m) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
	info.allocationSize = UINT64_MAX - 100;
	CHECK(FN(vk, vkAllocateMemory)(vk->device, &info, NULL, &m) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
	for (int i = 0; i < 100; i++) {
		info.allocationSize = p.memoryHeaps[0].size / 2 + 1;
		OK(FN(vk, vkAllocateMemory)(vk->device, &info, NULL, &m));
		FN(vk, vkFreeMemory)(vk->device, m, NULL);
	}
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
	fences(&vk);
	chain(&vk);
	events(&vk);
	memory(&vk);
	vk_stop(&vk);
	return 0;
}
