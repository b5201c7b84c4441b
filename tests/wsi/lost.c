/* SPDX-License-Identifier: MIT */
/* The device is lost while presents wait, on the queue behind the loss and with the
 * presenter: everything is destroyed at once then, in several orders, the connection to
 * the server included.  For the sanitizers; and nothing may be sent on a connection
 * that the application has closed.
 *
 * wsi_lost x11_present|x11_no_present|wayland PID [ROUNDS]: the server's, which is
 * stopped now and then. */
#include "window.h"
#include "../icd/linger.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "spin_comp.h"

enum { WAIT_FENCE, FENCE_STATUS, QUEUE_IDLE, DEVICE_IDLE, SUBMIT, ACQUIRER, WAYS };
enum { SYNC_FIRST, CHAIN_FIRST, SURFACE_FIRST, CONNECTION_FIRST, ORDERS };
enum { SHOWN = 2, SEMAPHORES = 4, FENCES = 2, ROUNDS_USUALLY = 56, STOPPED_EVERY = 7 };

struct app {
	struct window window;
	struct rig rig;
	int fd, spare[2];            /* of the connection; what is in its place afterwards */
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkCommandBuffer endless;
	VkSemaphore semaphore[SEMAPHORES];
	VkFence fence[FENCES], acquired;
	pthread_t acquirer;
	bool acquiring;
	VkDebugUtilsMessengerEXT messenger;
};

static void make_messenger(struct app *a)
{
	PFN_vkCreateDebugUtilsMessengerEXT create =
		(PFN_vkCreateDebugUtilsMessengerEXT)vkGetInstanceProcAddr(a->rig.instance, "vkCreateDebugUtilsMessengerEXT");
	MUST(create(a->rig.instance, &lingering, NULL, &a->messenger));
}

static void destroy_messenger(struct app *a)
{
	PFN_vkDestroyDebugUtilsMessengerEXT destroy =
		(PFN_vkDestroyDebugUtilsMessengerEXT)vkGetInstanceProcAddr(a->rig.instance, "vkDestroyDebugUtilsMessengerEXT");
	destroy(a->rig.instance, a->messenger, NULL);
}

static void make_work(struct app *a)
{
	struct rig *r = &a->rig;
	const VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof spin_comp, .pCode = spin_comp };
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO };
	VkComputePipelineCreateInfo pipeline = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main" } };
	const VkCommandBufferAllocateInfo buffer = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = r->pool, .commandBufferCount = 1 };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	MUST(vkCreateShaderModule(r->device, &code, NULL, &pipeline.stage.module));
	MUST(vkCreatePipelineLayout(r->device, &layout, NULL, &a->layout));
	pipeline.layout = a->layout;
	MUST(vkCreateComputePipelines(r->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &a->pipeline));
	vkDestroyShaderModule(r->device, pipeline.stage.module, NULL);
	MUST(vkAllocateCommandBuffers(r->device, &buffer, &a->endless));
	MUST(vkBeginCommandBuffer(a->endless, &begin));
	vkCmdBindPipeline(a->endless, VK_PIPELINE_BIND_POINT_COMPUTE, a->pipeline);
	vkCmdDispatch(a->endless, 1, 1, 1);
	MUST(vkEndCommandBuffer(a->endless));
}

static void make_sync(struct app *a)
{
	const VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	for (int i = 0; i < SEMAPHORES; i++)
		MUST(vkCreateSemaphore(a->rig.device, &semaphore, NULL, &a->semaphore[i]));
	for (int i = 0; i < FENCES; i++)
		MUST(vkCreateFence(a->rig.device, &fence, NULL, &a->fence[i]));
	MUST(vkCreateFence(a->rig.device, &fence, NULL, &a->acquired));
}

/* --- the loss --- */

static bool was_lost(VkResult result)
{
	CHECK(result >= 0 || result == VK_ERROR_DEVICE_LOST, "something else than a lost device: %d", result);
	return result == VK_ERROR_DEVICE_LOST;
}

static void submit(struct app *a, VkSemaphore wait, VkCommandBuffer commands, VkSemaphore signal, VkFence fence)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .waitSemaphoreCount = wait != VK_NULL_HANDLE,
		.pWaitSemaphores = &wait, .pWaitDstStageMask = &stage, .commandBufferCount = commands != NULL,
		.pCommandBuffers = &commands, .signalSemaphoreCount = signal != VK_NULL_HANDLE, .pSignalSemaphores = &signal };
	was_lost(vkQueueSubmit(a->rig.queue, 1, &info, fence));
}

static VkResult present(struct app *a, VkSemaphore wait, uint32_t index)
{
	const VkPresentInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
		.waitSemaphoreCount = wait != VK_NULL_HANDLE, .pWaitSemaphores = &wait, .swapchainCount = 1,
		.pSwapchains = &a->rig.chain, .pImageIndices = &index };
	return vkQueuePresentKHR(a->rig.queue, &info);
}

/* All images that are to be had without waiting for the server. */
static unsigned take_images(struct app *a, uint32_t index[SHOWN])
{
	const VkSemaphore ready[SHOWN] = { a->semaphore[0], a->semaphore[1] };
	unsigned n = 0;
	while (n < SHOWN && vkAcquireNextImageKHR(a->rig.device, a->rig.chain, 50000000, ready[n], VK_NULL_HANDLE,
		&index[n]) == VK_SUCCESS)
		n++;
	return n;
}

/* One image to the presenter, the endless work, an image that waits for it, and work that
 * waits for both. */
static void lose(struct app *a)
{
	uint32_t index[SHOWN];
	unsigned images = take_images(a, index);
	if (images > 0)
		was_lost(present(a, a->semaphore[0], index[0]));
	submit(a, images > 1 ? a->semaphore[1] : VK_NULL_HANDLE, a->endless, a->semaphore[2], a->fence[0]);
	if (images > 1)
		was_lost(present(a, a->semaphore[2], index[1]));
	else
		submit(a, a->semaphore[2], NULL, VK_NULL_HANDLE, VK_NULL_HANDLE);
	submit(a, VK_NULL_HANDLE, a->endless, a->semaphore[3], VK_NULL_HANDLE);
	submit(a, a->semaphore[3], a->endless, VK_NULL_HANDLE, a->fence[1]);
}

/* Takes images until the device is lost. */
static void *acquire(void *data)
{
	struct app *a = data;
	VkResult result = VK_SUCCESS;
	uint32_t index;
	while (result == VK_SUCCESS) {
		result = vkAcquireNextImageKHR(a->rig.device, a->rig.chain, UINT64_MAX, VK_NULL_HANDLE, a->acquired, &index);
		if (result == VK_SUCCESS)
			result = vkWaitForFences(a->rig.device, 1, &a->acquired, VK_TRUE, UINT64_MAX);
		if (result == VK_SUCCESS)
			result = vkResetFences(a->rig.device, 1, &a->acquired);
	}
	CHECK(result == VK_ERROR_DEVICE_LOST, "acquire of a lost device: %d", result);
	return NULL;
}

static void join(struct app *a)
{
	if (a->acquiring)
		pthread_join(a->acquirer, NULL);
	a->acquiring = false;
}

static bool learn(struct app *a, int way)
{
	struct rig *r = &a->rig;
	switch (way) {
	case WAIT_FENCE: return was_lost(vkWaitForFences(r->device, 1, a->fence, VK_TRUE, UINT64_MAX));
	case FENCE_STATUS: return was_lost(vkGetFenceStatus(r->device, a->fence[1]));
	case QUEUE_IDLE: return was_lost(vkQueueWaitIdle(r->queue));
	case SUBMIT: return was_lost(vkQueueSubmit(r->queue, 0, NULL, VK_NULL_HANDLE));
	case DEVICE_IDLE: return was_lost(vkDeviceWaitIdle(r->device));
	default: join(a); return true;
	}
}

/* --- the end --- */

static void destroy_sync(struct app *a)
{
	for (int i = 0; i < SEMAPHORES; i++)
		vkDestroySemaphore(a->rig.device, a->semaphore[i], NULL);
	for (int i = 0; i < FENCES; i++)
		vkDestroyFence(a->rig.device, a->fence[i], NULL);
}

static void destroy_chain(struct app *a)
{
	join(a); /* the swapchain is the acquiring thread's as long as that runs */
	double start = rig_idle_seconds();
	vkDestroySwapchainKHR(a->rig.device, a->rig.chain, NULL);
	double took = rig_idle_seconds() - start;
	CHECK(took < 2, "vkDestroySwapchainKHR took %.1f s", took);
	a->rig.chain = VK_NULL_HANDLE;
}

/* From here on whatever is sent to its socket comes to a->spare. */
static void close_connection(struct app *a)
{
	window_close(&a->window);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, a->spare) == 0, "no sockets");
	if (a->spare[1] == a->fd) {
		a->spare[1] = a->spare[0];
		a->spare[0] = a->fd;
	}
	if (a->spare[0] != a->fd) {
		CHECK(dup2(a->spare[0], a->fd) == a->fd, "no place for a socket");
		close(a->spare[0]);
	}
}

static void close_surface(struct app *a)
{
	vkDestroySurfaceKHR(a->rig.instance, a->rig.surface, NULL);
	a->rig.surface = VK_NULL_HANDLE;
}

static void check_silence(struct app *a)
{
	struct pollfd p = { a->spare[1], POLLIN, 0 };
	CHECK(poll(&p, 1, 0) == 0, "something was sent on a closed connection");
	close(a->fd);
	close(a->spare[1]);
}

static void destroy(struct app *a, int order)
{
	if (order == SYNC_FIRST)
		destroy_sync(a);
	destroy_chain(a);
	if (order == SURFACE_FIRST || order == CONNECTION_FIRST)
		close_surface(a);
	if (order == CONNECTION_FIRST)
		close_connection(a);
	if (order != SYNC_FIRST)
		destroy_sync(a);
	vkDestroyFence(a->rig.device, a->acquired, NULL);
	vkDestroyPipeline(a->rig.device, a->pipeline, NULL);
	vkDestroyPipelineLayout(a->rig.device, a->layout, NULL);
	destroy_messenger(a);
	rig_close(&a->rig);
	if (order != CONNECTION_FIRST)
		close_connection(a);
}

static void round_of(struct app *a, unsigned i, pid_t server)
{
	static const VkPresentModeKHR modes[] = { VK_PRESENT_MODE_FIFO_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
		VK_PRESENT_MODE_IMMEDIATE_KHR };
	int way = (int)(i % WAYS), order = (int)(i / 2 % ORDERS);
	bool stop = i % STOPPED_EVERY == STOPPED_EVERY / 2;
	setenv("QW_BUDGET", i % 3 ? "20000" : "3000000", 1);
	a->fd = window_open(&a->window, &a->rig);
	CHECK(rig_chain(&a->rig, modes[i % 3], WINDOW_WIDTH, WINDOW_HEIGHT) == VK_SUCCESS, "no swapchain");
	for (unsigned frame = 0; frame < 2; frame++)
		CHECK(rig_frame(&a->rig, frame) == VK_SUCCESS, "frame %u", frame);
	make_messenger(a);
	make_work(a);
	make_sync(a);
	if (stop)
		CHECK(kill(server, SIGSTOP) == 0, "no server to stop");
	lose(a);
	a->acquiring = pthread_create(&a->acquirer, NULL, acquire, a) == 0;
	CHECK(a->acquiring, "no thread");
	while (!learn(a, way))
		usleep(100);
	destroy(a, order);
	if (stop)
		CHECK(kill(server, SIGCONT) == 0, "no server to wake");
	check_silence(a);
}

int main(int argc, char **argv)
{
	struct app a;
	CHECK(argc >= 3, "no way or no server's PID");
	pid_t server = (pid_t)atoi(argv[2]);
	unsigned rounds = argc > 3 ? (unsigned)atoi(argv[3]) : ROUNDS_USUALLY;
	memset(&a, 0, sizeof a);
	a.window.x11 = strncmp(argv[1], "x11", 3) == 0;
	x_window_hide_present = strcmp(argv[1], "x11_no_present") == 0;
	for (unsigned i = 0; i < rounds; i++) {
		printf("round %u\n", i);
		fflush(stdout);
		round_of(&a, i, server);
	}
	return 0;
}
