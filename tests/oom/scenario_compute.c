/* SPDX-License-Identifier: MIT */
/* One dispatch, with everything made and destroyed. */
#include "scenario.h"
#include "../icd/storage.h"
#include "sums_comp.h"

enum { WORDS = 256 };

struct compute {
	struct storage storage;
	VkPipelineCache cache;
	VkBuffer buffer;
	VkDeviceMemory memory;
	void *map;
	VkFence fence;
	VkSemaphore semaphore;
};

static VkResult make_pipeline(struct vk *vk, struct compute *c)
{
	VkPipelineCacheCreateInfo cache = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	TRY(storage_layouts(vk, sums_comp, sizeof sums_comp, &c->storage));
	TRY(FN(vk, vkCreatePipelineCache)(vk->device, &cache, NULL, &c->cache));
	return storage_pipeline(vk, c->cache, &c->storage);
}

static VkResult make_buffer(struct vk *vk, struct compute *c)
{
	VkBufferCreateInfo buffer = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4 * WORDS,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT };
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements need;
	TRY(FN(vk, vkCreateBuffer)(vk->device, &buffer, NULL, &c->buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, c->buffer, &need);
	memory.allocationSize = need.size;
	TRY(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &c->memory));
	TRY(FN(vk, vkBindBufferMemory)(vk->device, c->buffer, c->memory, 0));
	return FN(vk, vkMapMemory)(vk->device, c->memory, 0, VK_WHOLE_SIZE, 0, &c->map);
}

static VkResult record(struct vk *vk, struct compute *c)
{
	TRY(storage_begin(vk, 0, &c->storage));
	FN(vk, vkCmdFillBuffer)(c->storage.cmd, c->buffer, 0, VK_WHOLE_SIZE, 0xaaaaaaaa);
	return storage_end(vk, WORDS / 64, &c->storage);
}

/* A submission that signals a semaphore, and one that waits for it. */
static VkResult submit(struct vk *vk, struct compute *c)
{
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	TRY(FN(vk, vkCreateFence)(vk->device, &fence, NULL, &c->fence));
	TRY(FN(vk, vkCreateSemaphore)(vk->device, &semaphore, NULL, &c->semaphore));
	VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSubmitInfo info[2] = { { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &c->semaphore }, { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &c->storage.cmd, .waitSemaphoreCount = 1, .pWaitSemaphores = &c->semaphore,
		.pWaitDstStageMask = &stage } };
	TRY(FN(vk, vkQueueSubmit)(vk->queue, 2, info, c->fence));
	return FN(vk, vkWaitForFences)(vk->device, 1, &c->fence, VK_TRUE, UINT64_MAX);
}

static VkResult use(struct vk *vk, struct compute *c, uint64_t *hash)
{
	TRY(make_pipeline(vk, c));
	TRY(make_buffer(vk, c));
	TRY(storage_set(vk, c->buffer, &c->storage));
	TRY(record(vk, c));
	TRY(submit(vk, c));
	*hash = scenario_hash(SCENARIO_SEED, c->map, 4 * WORDS);
	return VK_SUCCESS;
}

static VkResult run(struct vk *vk, uint64_t *hash)
{
	struct compute c = { .storage.binding = 1 };
	VkResult result = use(vk, &c, hash);
	const char *command = *scenario_at;
#define DESTROY(Object, handle) FN(vk, vkDestroy##Object)(vk->device, c.handle, NULL)
	DESTROY(Fence, fence);
	DESTROY(Semaphore, semaphore);
	storage_destroy(vk, &c.storage);
	DESTROY(Buffer, buffer);
	FN(vk, vkFreeMemory)(vk->device, c.memory, NULL);
	DESTROY(PipelineCache, cache);
	*scenario_at = command;
	return result;
}

const struct scenario scenario_compute = { .name = "compute", .run = run };
