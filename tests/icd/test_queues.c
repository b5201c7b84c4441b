/* SPDX-License-Identifier: MIT */
/* Queues of all families beside one another: each goes on by itself, semaphores order them,
 * and a loss is a loss for all. */
#include <pthread.h>
#include <time.h>
#include "messages.h"
#include "storage.h"
#include "endless_comp.h"
#include "twice_comp.h"

enum { QUEUES = 4, LINKS = 40, ROUNDS = 60, WORDS = 64 };

static const struct { uint32_t family, index; } places[QUEUES] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 2, 0 } };
static const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;

static void families(struct vk *vk)
{
	static const VkQueueFlags flags[] = { VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
		VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, VK_QUEUE_TRANSFER_BIT };
	VkQueueFamilyProperties p[4], two[2];
	uint32_t count = 4, fewer = 2;
	IFN(vk, vkGetPhysicalDeviceQueueFamilyProperties)(vk->physical, &count, p);
	CHECK(count == 3);
	for (uint32_t i = 0; i < count; i++)
		CHECK(p[i].queueFlags == flags[i] && p[i].queueCount == (i == 1 ? 2 : 1) && p[i].timestampValidBits == 64);
	IFN(vk, vkGetPhysicalDeviceQueueFamilyProperties)(vk->physical, &fewer, two);
	CHECK(fewer == 2 && two[1].queueFlags == flags[1]);
}

static void open_device(struct vk *vk, VkQueue queue[QUEUES])
{
	const char *extension = VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME;
	float priority[2] = { 1.0f, 0.5f };
	VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, .timelineSemaphore = VK_TRUE };
	VkDeviceQueueCreateInfo queues[3];
	for (uint32_t i = 0; i < 3; i++)
		queues[i] = (VkDeviceQueueCreateInfo){ .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueFamilyIndex = 2 - i, .queueCount = i == 1 ? 2 : 1, .pQueuePriorities = priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &timeline,
		.queueCreateInfoCount = 3, .pQueueCreateInfos = queues, .enabledExtensionCount = 1,
		.ppEnabledExtensionNames = &extension };
	OK(IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &vk->device));
	vk->get_device = IFN(vk, vkGetDeviceProcAddr);
	for (int i = 0; i < QUEUES; i++) {
		FN(vk, vkGetDeviceQueue)(vk->device, places[i].family, places[i].index, &queue[i]);
		CHECK(queue[i]);
		for (int k = 0; k < i; k++)
			CHECK(queue[k] != queue[i]);
	}
}

static VkSemaphore timeline(struct vk *vk, uint64_t value)
{
	VkSemaphoreTypeCreateInfo type = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE, .initialValue = value };
	VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type };
	VkSemaphore s;
	OK(FN(vk, vkCreateSemaphore)(vk->device, &info, NULL, &s));
	return s;
}

/* Waits for `wait`, then signals `signal` with one more. */
static VkResult submit(struct vk *vk, VkQueue queue, VkCommandBuffer cmd, VkSemaphore s, uint64_t wait, uint64_t signal)
{
	VkTimelineSemaphoreSubmitInfo values = { .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = wait > 0, .pWaitSemaphoreValues = &wait, .signalSemaphoreValueCount = signal > 0,
		.pSignalSemaphoreValues = &signal };
	VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &values, .waitSemaphoreCount = wait > 0,
		.pWaitSemaphores = &s, .pWaitDstStageMask = &stage, .commandBufferCount = cmd != VK_NULL_HANDLE,
		.pCommandBuffers = &cmd, .signalSemaphoreCount = signal > 0, .pSignalSemaphores = &s };
	return FN(vk, vkQueueSubmit)(queue, 1, &info, VK_NULL_HANDLE);
}

static VkResult wait_for(struct vk *vk, VkSemaphore s, uint64_t value, uint64_t timeout)
{
	VkSemaphoreWaitInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1, .pSemaphores = &s,
		.pValues = &value };
	return FN(vk, vkWaitSemaphoresKHR)(vk->device, &info, timeout);
}

static void signal_host(struct vk *vk, VkSemaphore s, uint64_t value)
{
	VkSemaphoreSignalInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = s, .value = value };
	OK(FN(vk, vkSignalSemaphoreKHR)(vk->device, &info));
}

static uint64_t value_of(struct vk *vk, VkSemaphore s)
{
	uint64_t value;
	OK(FN(vk, vkGetSemaphoreCounterValueKHR)(vk->device, s, &value));
	return value;
}

/* The host's doors: any, all, timeouts, values that jump. */
static void host(struct vk *vk, VkQueue queue)
{
	VkSemaphore s[2] = { timeline(vk, 5), timeline(vk, 0) };
	uint64_t values[2] = { 5, 3 };
	VkSemaphoreWaitInfo both = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 2, .pSemaphores = s,
		.pValues = values };
	CHECK(value_of(vk, s[0]) == 5 && value_of(vk, s[1]) == 0);
	CHECK(FN(vk, vkWaitSemaphoresKHR)(vk->device, &both, 0) == VK_TIMEOUT);
	CHECK(FN(vk, vkWaitSemaphoresKHR)(vk->device, &both, 1000000) == VK_TIMEOUT);
	both.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
	OK(FN(vk, vkWaitSemaphoresKHR)(vk->device, &both, 0));
	both.flags = 0;
	signal_host(vk, s[1], 1000000000000);
	OK(FN(vk, vkWaitSemaphoresKHR)(vk->device, &both, 0));
	CHECK(value_of(vk, s[1]) == 1000000000000);
	OK(submit(vk, queue, VK_NULL_HANDLE, s[0], 5, UINT64_MAX - 1));
	OK(wait_for(vk, s[0], UINT64_MAX - 1, UINT64_MAX));
	FN(vk, vkDestroySemaphore)(vk->device, s[0], NULL);
	FN(vk, vkDestroySemaphore)(vk->device, s[1], NULL);
}

static VkCommandPool command_pool(struct vk *vk, uint32_t family, VkCommandBuffer *cmd, uint32_t count)
{
	VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family };
	VkCommandPool pool;
	OK(FN(vk, vkCreateCommandPool)(vk->device, &info, NULL, &pool));
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
		.commandBufferCount = count };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &alloc, cmd));
	return pool;
}

static void begin(struct vk *vk, VkCommandBuffer cmd)
{
	VkCommandBufferBeginInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &info));
}

/* Copies of a word from one place to the next, each by the next queue: all are submitted, the last
 * queue's first, before the host lets the first one go. */
static void chain(struct vk *vk, const VkQueue queue[QUEUES])
{
	struct vk_buffer b = vk_buffer(vk, 4 * (LINKS + 1), VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkCommandPool pool[QUEUES];
	VkCommandBuffer cmd[LINKS];
	VkSemaphore s = timeline(vk, 0);
	uint32_t *words = b.map;

	memset(words, 0, 4 * (LINKS + 1));
	words[0] = 0x51570002;
	for (uint32_t q = QUEUES; q--;) {
		pool[q] = command_pool(vk, places[q].family, cmd + q * (LINKS / QUEUES), LINKS / QUEUES);
		for (uint32_t k = 0; k < LINKS / QUEUES; k++) {
			VkCommandBuffer c = cmd[q * (LINKS / QUEUES) + k];
			uint32_t link = k * QUEUES + q;
			VkBufferCopy copy = { .srcOffset = 4 * link, .dstOffset = 4 * (link + 1), .size = 4 };
			begin(vk, c);
			FN(vk, vkCmdCopyBuffer)(c, b.buffer, b.buffer, 1, &copy);
			OK(FN(vk, vkEndCommandBuffer)(c));
			OK(submit(vk, queue[q], c, s, link + 1, link + 2));
		}
	}
	CHECK(wait_for(vk, s, 2, 2000000) == VK_TIMEOUT && words[1] == 0);
	signal_host(vk, s, 1);
	OK(wait_for(vk, s, LINKS + 1, UINT64_MAX));
	CHECK(words[LINKS] == 0x51570002 && value_of(vk, s) == LINKS + 1);
	OK(FN(vk, vkDeviceWaitIdle)(vk->device));
	for (int q = 0; q < QUEUES; q++)
		FN(vk, vkDestroyCommandPool)(vk->device, pool[q], NULL);
	FN(vk, vkDestroySemaphore)(vk->device, s, NULL);
	vk_buffer_free(vk, &b);
}

/* A command buffer that waits for an event does not keep the other queues waiting. */
static void overlap(struct vk *vk, const VkQueue queue[QUEUES], int waits, int goes)
{
	VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	struct vk_buffer b = vk_buffer(vk, 8, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	VkCommandBuffer cmd[2];
	VkCommandPool pool[2] = { command_pool(vk, places[waits].family, &cmd[0], 1),
		command_pool(vk, places[goes].family, &cmd[1], 1) };
	VkSemaphore s = timeline(vk, 0), first = timeline(vk, 0);
	volatile uint32_t *words = b.map;
	VkEvent event;

	words[0] = words[1] = 0;
	OK(FN(vk, vkCreateEvent)(vk->device, &info, NULL, &event));
	begin(vk, cmd[0]);
	FN(vk, vkCmdWaitEvents)(cmd[0], 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL,
		0, NULL);
	FN(vk, vkCmdFillBuffer)(cmd[0], b.buffer, 0, 4, 1);
	OK(FN(vk, vkEndCommandBuffer)(cmd[0]));
	begin(vk, cmd[1]);
	FN(vk, vkCmdFillBuffer)(cmd[1], b.buffer, 4, 4, 2);
	OK(FN(vk, vkEndCommandBuffer)(cmd[1]));
	OK(submit(vk, queue[waits], cmd[0], first, 0, 1));
	OK(submit(vk, queue[goes], cmd[1], s, 0, 1));
	OK(wait_for(vk, s, 1, UINT64_MAX));
	OK(FN(vk, vkQueueWaitIdle)(queue[goes]));
	CHECK(words[1] == 2 && words[0] == 0 && value_of(vk, first) == 0);
	OK(FN(vk, vkSetEvent)(vk->device, event));
	OK(FN(vk, vkQueueWaitIdle)(queue[waits]));
	CHECK(words[0] == 1 && value_of(vk, first) == 1);
	FN(vk, vkDestroyEvent)(vk->device, event, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, s, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, first, NULL);
	for (int i = 0; i < 2; i++)
		FN(vk, vkDestroyCommandPool)(vk->device, pool[i], NULL);
	vk_buffer_free(vk, &b);
}

/* --- at once, for the sanitizers --- */

struct worker { struct vk *vk; VkQueue queue; int place; };

/* Pipelines come and go while other queues execute: their programs share one cache. */
static void *work(void *data)
{
	const struct worker *w = data;
	struct vk *vk = w->vk;
	struct vk_buffer b = vk_buffer(vk, 4 * WORDS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	uint32_t *words = b.map;
	for (uint32_t round = 0; round < (TSAN ? ROUNDS / 4 : ROUNDS); round++) {
		struct storage s = { .binding = 1 };
		OK(storage_layouts(vk, twice_comp, sizeof twice_comp, &s));
		OK(storage_pipeline(vk, VK_NULL_HANDLE, &s));
		OK(storage_set(vk, b.buffer, &s));
		VkCommandPool pool = s.commands = command_pool(vk, places[w->place].family, &s.cmd, 1);
		begin(vk, s.cmd);
		FN(vk, vkCmdFillBuffer)(s.cmd, b.buffer, 0, VK_WHOLE_SIZE, round + 1);
		VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER };
		FN(vk, vkCmdPipelineBarrier)(s.cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier,
			0, NULL, 0, NULL);
		if (places[w->place].family == 2) /* copies only */
			OK(FN(vk, vkEndCommandBuffer)(s.cmd));
		else
			OK(storage_end(vk, 1, &s));
		VkSemaphore t = timeline(vk, 0);
		OK(submit(vk, w->queue, s.cmd, t, 0, 1));
		OK(wait_for(vk, t, 1, UINT64_MAX));
		CHECK(words[WORDS - 1] == (places[w->place].family == 2 ? round + 1 : 2 * (round + 1)));
		OK(FN(vk, vkQueueWaitIdle)(w->queue));
		FN(vk, vkDestroySemaphore)(vk->device, t, NULL);
		CHECK(pool == s.commands);
		storage_destroy(vk, &s);
	}
	vk_buffer_free(vk, &b);
	return NULL;
}

static void at_once(struct vk *vk, const VkQueue queue[QUEUES])
{
	struct worker w[QUEUES];
	pthread_t thread[QUEUES];
	for (int i = 0; i < QUEUES; i++) {
		w[i] = (struct worker){ vk, queue[i], i };
		CHECK(!pthread_create(&thread[i], NULL, work, &w[i]));
	}
	for (int i = 0; i < QUEUES; i++)
		pthread_join(thread[i], NULL);
}

/* --- loss --- */

/* One queue fails, while one waits for a value and one for an event that never come: all are lost. */
static void loss(struct vk *vk, const VkQueue queue[QUEUES], int fails)
{
	VkEventCreateInfo info = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	struct vk_buffer b = vk_buffer(vk, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	struct storage s = { 0 };
	VkCommandBuffer cmd;
	VkCommandPool pool = command_pool(vk, places[3].family, &cmd, 1);
	VkSemaphore never = timeline(vk, 0), after = timeline(vk, 0);
	VkEvent event;

	OK(FN(vk, vkCreateEvent)(vk->device, &info, NULL, &event));
	begin(vk, cmd);
	FN(vk, vkCmdWaitEvents)(cmd, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL,
		0, NULL);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	OK(storage_layouts(vk, endless_comp, sizeof endless_comp, &s));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &s));
	OK(storage_set(vk, b.buffer, &s));
	s.commands = command_pool(vk, places[fails].family, &s.cmd, 1);
	begin(vk, s.cmd);
	OK(storage_end(vk, 1, &s));
	OK(submit(vk, queue[3], cmd, after, 0, 1));
	OK(submit(vk, queue[fails ? 0 : 1], VK_NULL_HANDLE, never, 1, 2));
	VkResult result = submit(vk, queue[fails], s.cmd, after, 0, 2);
	CHECK(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST);
	CHECK(wait_for(vk, never, 2, UINT64_MAX) == VK_ERROR_DEVICE_LOST);
	for (int i = 0; i < QUEUES; i++) {
		CHECK(FN(vk, vkQueueWaitIdle)(queue[i]) == VK_ERROR_DEVICE_LOST);
		CHECK(submit(vk, queue[i], VK_NULL_HANDLE, never, 0, 9) == VK_ERROR_DEVICE_LOST);
	}
	FN(vk, vkDestroyEvent)(vk->device, event, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, never, NULL);
	FN(vk, vkDestroySemaphore)(vk->device, after, NULL);
	FN(vk, vkDestroyCommandPool)(vk->device, pool, NULL);
	storage_destroy(vk, &s);
	vk_buffer_free(vk, &b);
}

static void refuse(struct vk *vk, uint32_t family, uint32_t count)
{
	float priority[3] = { 1.0f, 1.0f, 1.0f };
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = family,
		.queueCount = count, .pQueuePriorities = priority };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue };
	VkDevice device;
	CHECK(IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &device) == VK_ERROR_INITIALIZATION_FAILED);
}

int main(void)
{
	struct heard heard = { 0 };
	struct vk vk;
	VkQueue queue[QUEUES];
	setenv("QW_BUDGET", "200000", 1);
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	families(&vk);
	refuse(&vk, 0, 2);
	refuse(&vk, 1, 3);
	refuse(&vk, 3, 1);
	open_device(&vk, queue);
	host(&vk, queue[3]);
	chain(&vk, queue);
	overlap(&vk, queue, 0, 1);
	overlap(&vk, queue, 1, 2);
	overlap(&vk, queue, 3, 0);
	at_once(&vk, queue);
	for (int fails = 0; fails < 3; fails++) {
		unsigned errors = heard.errors;
		loss(&vk, queue, fails);
		CHECK(heard.errors == errors + 1 && strstr(heard.text, "instructions"));
		heard.text[0] = 0;
		FN(&vk, vkDestroyDevice)(vk.device, NULL);
		open_device(&vk, queue);
	}
	FN(&vk, vkDestroyDevice)(vk.device, NULL);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	IFN(&vk, vkDestroyInstance)(vk.instance, NULL);
	dlclose(vk.library);
	return 0;
}
