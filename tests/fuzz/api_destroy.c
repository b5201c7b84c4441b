/* SPDX-License-Identifier: MIT */
/* The end of the API fuzzer's objects, in any order. */
#include "tests/fuzz/api.h"

/* What was allocated from a pool goes with it, or by itself where the pool allows it. */
static bool destroy_member(struct session *s, int i)
{
	struct object *o = &s->object[i], *pool = &s->object[o->owner];
	if (o->kind == CMD) {
		CALL(s, vkFreeCommandBuffers)(s->vk.device, pool->handle, 1, (VkCommandBuffer *)&o->handle);
		return true;
	}
	if (!(pool->flags & VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT))
		return false;
	CALL(s, vkFreeDescriptorSets)(s->vk.device, pool->handle, 1, (VkDescriptorSet *)&o->handle);
	return true;
}

static void forget_members(struct session *s, int pool)
{
	for (int i = 0; i < s->objects; i++)
		if (s->object[i].owner == pool)
			s->object[i].handle = NULL;
}

static void destroy(struct session *s, int i)
{
	struct object *o = &s->object[i];
	VkDevice d = s->vk.device;
	switch (o->kind) {
	case MEMORY: CALL(s, vkFreeMemory)(d, o->handle, NULL); break;
	case BUFFER: CALL(s, vkDestroyBuffer)(d, o->handle, NULL); break;
	case BUFFER_VIEW: CALL(s, vkDestroyBufferView)(d, o->handle, NULL); break;
	case IMAGE: CALL(s, vkDestroyImage)(d, o->handle, NULL); break;
	case IMAGE_VIEW: CALL(s, vkDestroyImageView)(d, o->handle, NULL); break;
	case SAMPLER: CALL(s, vkDestroySampler)(d, o->handle, NULL); break;
	case SET_LAYOUT: CALL(s, vkDestroyDescriptorSetLayout)(d, o->handle, NULL); break;
	case LAYOUT: CALL(s, vkDestroyPipelineLayout)(d, o->handle, NULL); break;
	case SET_POOL: CALL(s, vkDestroyDescriptorPool)(d, o->handle, NULL); break;
	case MODULE: CALL(s, vkDestroyShaderModule)(d, o->handle, NULL); break;
	case CACHE: CALL(s, vkDestroyPipelineCache)(d, o->handle, NULL); break;
	case PIPELINE: CALL(s, vkDestroyPipeline)(d, o->handle, NULL); break;
	case PASS: CALL(s, vkDestroyRenderPass)(d, o->handle, NULL); break;
	case FRAMEBUFFER: CALL(s, vkDestroyFramebuffer)(d, o->handle, NULL); break;
	case CMD_POOL: CALL(s, vkDestroyCommandPool)(d, o->handle, NULL); break;
	case FENCE: CALL(s, vkDestroyFence)(d, o->handle, NULL); break;
	case SEMAPHORE: CALL(s, vkDestroySemaphore)(d, o->handle, NULL); break;
	case EVENT: CALL(s, vkDestroyEvent)(d, o->handle, NULL); break;
	case QUERIES: CALL(s, vkDestroyQueryPool)(d, o->handle, NULL); break;
	default:
		if (!destroy_member(s, i))
			return;
	}
	if (o->kind == SET_POOL || o->kind == CMD_POOL)
		forget_members(s, i);
	o->handle = NULL;
}

void destroy_something(struct session *s)
{
	if (!s->objects)
		return;
	uint32_t high = input_byte(s->in), low = input_byte(s->in);
	int i = (int)((high << 8 | low) % (uint32_t)s->objects);
	if (s->object[i].handle && !busy(s, i))
		destroy(s, i);
}

static void reset_fence(struct session *s)
{
	int i = choose(s, FENCE, -1);
	if (i == NO_OBJECT || busy(s, i))
		return;
	expect(s, CALL(s, vkResetFences)(s->vk.device, 1, &(VkFence){ HANDLE(s, i, VkFence) }), "vkResetFences");
	s->object[i].state = 0;
}

static void reset_cmd_pool(struct session *s)
{
	int pool = choose(s, CMD_POOL, -1);
	if (pool == NO_OBJECT || busy(s, pool))
		return;
	expect(s, CALL(s, vkResetCommandPool)(s->vk.device, HANDLE(s, pool, VkCommandPool), input_pick(s->in, 2) ?
		VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT : 0), "vkResetCommandPool");
	CALL(s, vkTrimCommandPool)(s->vk.device, HANDLE(s, pool, VkCommandPool), 0);
	for (int i = 0; i < s->objects; i++)
		if (s->object[i].owner == pool)
			s->object[i].state = INITIAL;
}

static void reset_cmd(struct session *s)
{
	for (int i = s->objects - 1; i >= 0; i--) {
		struct object *o = &s->object[i];
		if (o->kind != CMD || !o->handle || busy(s, i) ||
			!(s->object[o->owner].flags & VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT))
			continue;
		expect(s, CALL(s, vkResetCommandBuffer)(o->handle, 0), "vkResetCommandBuffer");
		o->state = INITIAL;
		return;
	}
}

static void reset_set_pool(struct session *s)
{
	int pool = choose(s, SET_POOL, -1);
	if (pool == NO_OBJECT || busy(s, pool))
		return;
	expect(s, CALL(s, vkResetDescriptorPool)(s->vk.device, HANDLE(s, pool, VkDescriptorPool), 0), "vkResetDescriptorPool");
	s->object[pool].size = 0;
	forget_members(s, pool);
}

void reset_something(struct session *s)
{
	static void (*const reset[])(struct session *) = { reset_fence, reset_fence, reset_cmd_pool, reset_cmd, reset_set_pool };
	reset[input_pick(s->in, 5)](s);
}

void destroy_all(struct session *s)
{
	bool backwards = input_pick(s->in, 2);
	for (int k = 0; k < s->objects; k++) {
		int i = backwards ? s->objects - 1 - k : k;
		if (s->object[i].handle)
			destroy(s, i);
	}
}
