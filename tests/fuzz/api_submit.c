/* SPDX-License-Identifier: MIT */
/* Submissions of the API fuzzer, and all ways to learn that they are done.  A result of
 * VK_ERROR_DEVICE_LOST counts as success for what is in use ("Lost Device"), so what was
 * waited for may be destroyed at once. */
#include "tests/fuzz/api.h"

enum { MAX_CMDS = 3, MAX_SEMAPHORES = 2 };

static void done(struct session *s, uint64_t submission)
{
	if (s->completed < submission)
		s->completed = submission;
}

void wait_idle(struct session *s)
{
	if (input_pick(s->in, 2))
		expect(s, CALL(s, vkQueueWaitIdle)(s->vk.queue), "vkQueueWaitIdle");
	else
		expect(s, CALL(s, vkDeviceWaitIdle)(s->vk.device), "vkDeviceWaitIdle");
	done(s, s->submitted);
}

/* Command buffers that may be submitted now. */
static uint32_t choose_cmds(struct session *s, int *cmds)
{
	uint32_t count = 0, want = input_pick(s->in, MAX_CMDS + 1);
	for (uint32_t k = 0; k < want; k++) {
		int i = choose(s, CMD, -1);
		if (i == NO_OBJECT || s->object[i].state != EXECUTABLE)
			continue;
		bool again = s->object[i].flags & VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, used = busy(s, i);
		for (uint32_t j = 0; j < count; j++)
			used |= cmds[j] == i;
		if (!used || again)
			cmds[count++] = i;
	}
	return count;
}

/* Semaphores with a signal that nobody waits for, or those without; each once. */
static uint32_t choose_semaphores(struct session *s, unsigned state, int *semaphores)
{
	uint32_t count = 0, want = s->may_be_lost ? 0 : input_pick(s->in, MAX_SEMAPHORES + 1);
	for (uint32_t k = 0; k < want; k++) {
		int i = choose(s, SEMAPHORE, -1);
		if (i != NO_OBJECT && s->object[i].state == state && (!count || semaphores[0] != i))
			semaphores[count++] = i;
	}
	return count;
}

static int choose_fence(struct session *s, unsigned state)
{
	int i = choose(s, FENCE, -1);
	return i != NO_OBJECT && s->object[i].state == state ? i : NO_OBJECT;
}

void submit(struct session *s)
{
	int cmds[MAX_CMDS], waits[MAX_SEMAPHORES], signals[MAX_SEMAPHORES];
	uint32_t cmd_count = choose_cmds(s, cmds), wait_count = choose_semaphores(s, 1, waits);
	uint32_t signal_count = choose_semaphores(s, 0, signals);
	int fence = input_pick(s->in, 2) ? choose_fence(s, 0) : NO_OBJECT;
	VkCommandBuffer cmd[MAX_CMDS];
	VkSemaphore wait[MAX_SEMAPHORES], signal[MAX_SEMAPHORES];
	const VkPipelineStageFlags stages[] = { VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT };
	uint64_t number = ++s->submitted;
	s->reached[SUBMISSIONS]++;
	for (uint32_t i = 0; i < cmd_count; i++) {
		struct object *o = &s->object[cmds[i]];
		cmd[i] = o->handle;
		s->may_be_lost |= o->size != 0;
		s->reached[ENDLESS] += o->size != 0;
		if (o->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT)
			o->state = INVALID;
		mark_busy(s, cmds[i], number);
	}
	for (uint32_t i = 0; i < wait_count; i++) {
		wait[i] = HANDLE(s, waits[i], VkSemaphore);
		s->object[waits[i]].state = 0;
		mark_busy(s, waits[i], number);
	}
	for (uint32_t i = 0; i < signal_count; i++) {
		signal[i] = HANDLE(s, signals[i], VkSemaphore);
		s->object[signals[i]].state = 1;
		mark_busy(s, signals[i], number);
	}
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = cmd_count, .pCommandBuffers = cmd,
		.waitSemaphoreCount = wait_count, .pWaitSemaphores = wait, .pWaitDstStageMask = stages,
		.signalSemaphoreCount = signal_count, .pSignalSemaphores = signal };
	if (fence != NO_OBJECT) {
		s->object[fence].state = 1;
		mark_busy(s, fence, number);
	}
	expect(s, CALL(s, vkQueueSubmit)(s->vk.queue, 1, &info,
		fence == NO_OBJECT ? VK_NULL_HANDLE : HANDLE(s, fence, VkFence)), "vkQueueSubmit");
}

static void poll_fence(struct session *s)
{
	int i = choose(s, FENCE, -1);
	if (i == NO_OBJECT)
		return;
	VkFence fence = HANDLE(s, i, VkFence);
	VkResult result = input_pick(s->in, 2) ? CALL(s, vkGetFenceStatus)(s->vk.device, fence) :
		CALL(s, vkWaitForFences)(s->vk.device, 1, &fence, VK_TRUE, input_byte(s->in) * 1000ull);
	if (result == VK_NOT_READY || result == VK_TIMEOUT)
		return;
	expect(s, result, "vkGetFenceStatus");
	if (s->object[i].state)
		done(s, s->object[i].busy);
	else if (result == VK_SUCCESS)
		expect(s, VK_ERROR_UNKNOWN, "signalled by nobody: vkGetFenceStatus");
}

static void wait_for_fences(struct session *s)
{
	int both[] = { choose_fence(s, 1), choose_fence(s, 1) };
	VkBool32 all = input_pick(s->in, 2);
	if (both[0] == NO_OBJECT || both[1] == NO_OBJECT)
		return;
	const VkFence fences[] = { HANDLE(s, both[0], VkFence), HANDLE(s, both[1], VkFence) };
	expect(s, CALL(s, vkWaitForFences)(s->vk.device, 2, fences, all, UINT64_MAX), "vkWaitForFences");
	for (int i = 0; i < 2; i++) {
		VkResult result = all ? VK_SUCCESS : CALL(s, vkGetFenceStatus)(s->vk.device, fences[i]);
		if (result == VK_NOT_READY)
			continue;
		expect(s, result, "vkGetFenceStatus");
		done(s, s->object[both[i]].busy);
	}
}

static void read_queries(struct session *s)
{
	int i = choose(s, QUERIES, -1);
	uint64_t results[QUERY_COUNT][2];
	if (i == NO_OBJECT || !s->object[i].busy || busy(s, i))
		return; /* never reset, or being reset */
	VkResult result = CALL(s, vkGetQueryPoolResults)(s->vk.device, HANDLE(s, i, VkQueryPool), 0, QUERY_COUNT,
		sizeof results, results, sizeof results[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
	if (result != VK_NOT_READY)
		expect(s, result, "vkGetQueryPoolResults");
}

void wait_somehow(struct session *s)
{
	switch (input_pick(s->in, 6)) {
	case 0: wait_idle(s); break;
	case 1: case 2: wait_for_fences(s); break;
	case 3: read_queries(s); break;
	default: poll_fence(s); break;
	}
}

static void write_memory(struct session *s)
{
	int i = choose(s, MEMORY, -1);
	void *map;
	if (i == NO_OBJECT || busy(s, i))
		return;
	expect(s, CALL(s, vkMapMemory)(s->vk.device, HANDLE(s, i, VkDeviceMemory), 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
	memset(map, input_byte(s->in), s->object[i].size);
	CALL(s, vkUnmapMemory)(s->vk.device, HANDLE(s, i, VkDeviceMemory));
}

static void touch_event(struct session *s)
{
	int i = choose(s, EVENT, -1);
	if (i == NO_OBJECT || busy(s, i))
		return;
	VkEvent event = HANDLE(s, i, VkEvent);
	if (input_pick(s->in, 2))
		expect(s, CALL(s, vkSetEvent)(s->vk.device, event), "vkSetEvent");
	else
		expect(s, CALL(s, vkResetEvent)(s->vk.device, event), "vkResetEvent");
	VkResult result = CALL(s, vkGetEventStatus)(s->vk.device, event);
	if (result != VK_EVENT_SET && result != VK_EVENT_RESET)
		expect(s, result, "vkGetEventStatus");
}

void touch_from_host(struct session *s)
{
	if (input_pick(s->in, 3))
		write_memory(s);
	else
		touch_event(s);
}
