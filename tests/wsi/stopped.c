/* SPDX-License-Identifier: MIT */
/* A display server that is stopped for a while (SIGSTOP): what waits for it has a limit,
 * what does not need it goes on.
 *
 * wsi_stopped x11_present|x11_no_present|x11_no_shm|wayland PID [CASE]: the server's. */
#include "window.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_AT_MOST = 15 };

static pid_t server;

/* A driver that waits for the server shall be seen to, not wait for ever. */
static void on_alarm(int signal)
{
	kill(server, SIGCONT);
}

static void stop(void)
{
	CHECK(kill(server, SIGSTOP) == 0, "no server to stop");
	alarm(SECONDS_AT_MOST);
}

static void go_on(void)
{
	alarm(0);
	CHECK(kill(server, SIGCONT) == 0, "no server to wake");
}

/* Shows images until there are no more. */
static void use_up(struct rig *r)
{
	for (unsigned shown = 0;; shown++) {
		double start = rig_idle_seconds();
		VkResult result = rig_again(r, 200000000);
		double took = rig_idle_seconds() - start;
		CHECK(took < 2, "acquire with 0.2 s took %.1f s", took);
		if (result == VK_TIMEOUT)
			return;
		CHECK(result == VK_SUCCESS, "image %u while the server is stopped: %d", shown, result);
		CHECK(shown < r->images, "more images than there are while nobody takes them");
	}
}

/* Within 50 ms of the timeout, not before it; an interrupt gets three tries. */
static void keeps_timeout(struct rig *r, double seconds)
{
	double late = 0;
	for (unsigned tries = 0; tries < 3; tries++) {
		uint32_t index;
		double idle = rig_idle_seconds(), start = rig_seconds();
		VkResult result = rig_acquire(r, (uint64_t)(seconds * 1e9), &index);
		double early = seconds - (rig_seconds() - start);
		late = rig_idle_seconds() - idle - seconds;
		VkResult want = seconds > 0 ? VK_TIMEOUT : VK_NOT_READY;
		CHECK(result == want, "acquire with %.1f s gave %d after %.3f s", seconds, result, late + seconds);
		CHECK(early <= 0, "acquire with %.1f s came back %.3f s too early", seconds, early);
		if (late <= 0.05)
			return;
	}
	CHECK(false, "acquire with %.1f s came back %.3f s late", seconds, late);
}

/* A chain that has shown something, and a server that is stopped. */
static void stopped_chain(struct rig *r, VkPresentModeKHR mode)
{
	CHECK(rig_chain(r, mode, WINDOW_WIDTH, WINDOW_HEIGHT) == VK_SUCCESS, "no swapchain");
	for (unsigned i = 0; i < 2 * r->images; i++)
		CHECK(rig_frame(r, i) == VK_SUCCESS, "frame %u", i);
	stop();
}

static void acquire_returns(struct rig *r, VkPresentModeKHR mode)
{
	stopped_chain(r, mode);
	use_up(r);
	keeps_timeout(r, 0);
	keeps_timeout(r, 0.1);
	keeps_timeout(r, 2);
	go_on();
	for (unsigned i = 0; i < 10; i++)
		CHECK(rig_frame(r, i) == VK_SUCCESS, "frame %u after the server woke", i);
	rig_close(r);
}

/* A present that nobody takes. */
static void present_to_nobody(struct rig *r, VkPresentModeKHR mode)
{
	uint32_t index;
	CHECK(rig_chain(r, mode, WINDOW_WIDTH, WINDOW_HEIGHT) == VK_SUCCESS && rig_frame(r, 1) == VK_SUCCESS, "no first frame");
	CHECK(rig_acquire(r, UINT64_MAX, &index) == VK_SUCCESS, "no second image");
	stop();
	CHECK(rig_show(r, index, 2) == VK_SUCCESS, "no second frame");
}

static void queue_goes_on(struct rig *r, VkPresentModeKHR mode)
{
	present_to_nobody(r, mode);
	double start = rig_idle_seconds();
	CHECK(rig_work(r, UINT64_MAX) == VK_SUCCESS, "work behind a present failed");
	double took = rig_idle_seconds() - start;
	CHECK(took < 2, "work behind a present was done after %.1f s", took);
	start = rig_idle_seconds();
	CHECK(vkQueueWaitIdle(r->queue) == VK_SUCCESS, "the queue failed");
	took = rig_idle_seconds() - start;
	CHECK(took < 1, "the queue was idle after %.1f s", took);
	go_on();
	CHECK(rig_frame(r, 3) == VK_SUCCESS, "no frame after the server woke");
	rig_close(r);
}

/* The swapchain, then the device. */
static void destroy_returns(struct rig *r, VkPresentModeKHR mode)
{
	present_to_nobody(r, mode);
	double start = rig_idle_seconds();
	vkDestroySwapchainKHR(r->device, r->chain, NULL);
	double took = rig_idle_seconds() - start;
	CHECK(took <= 1, "vkDestroySwapchainKHR took %.1f s", took);
	r->chain = VK_NULL_HANDLE;
	start = rig_idle_seconds();
	rig_close(r);
	took = rig_idle_seconds() - start;
	CHECK(took <= 1, "vkDestroyDevice and the rest took %.1f s", took);
}

static void server_dies(struct rig *r, VkPresentModeKHR mode)
{
	uint32_t index;
	stopped_chain(r, mode);
	use_up(r);
	CHECK(kill(server, SIGKILL) == 0, "no server to kill");
	alarm(0);
	double start = rig_idle_seconds();
	VkResult result = rig_acquire(r, UINT64_MAX, &index);
	double took = rig_idle_seconds() - start;
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR, "acquire after the server's death: %d", result);
	CHECK(took < 1, "noticed after %.1f s", took);
	rig_close(r);
}

/* --- */

static const struct {
	const char *name;
	void (*run)(struct rig *r, VkPresentModeKHR mode);
} cases[] = {
	{ "acquire", acquire_returns },
	{ "queue", queue_goes_on },
	{ "destroy", destroy_returns },
	{ "death", server_dies }, /* nothing can come behind */
};

int main(int argc, char **argv)
{
	CHECK(argc >= 3, "no way or no server's PID");
	struct window w = { .x11 = strncmp(argv[1], "x11", 3) == 0 };
	const VkPresentModeKHR modes[] = { w.x11 ? VK_PRESENT_MODE_IMMEDIATE_KHR : VK_PRESENT_MODE_MAILBOX_KHR,
		VK_PRESENT_MODE_FIFO_KHR };
	x_window_hide_present = strcmp(argv[1], "x11_no_present") == 0;
	server = (pid_t)atoi(argv[2]);
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = on_alarm, .sa_flags = SA_RESTART }, NULL);
	for (unsigned c = 0; c < sizeof(cases) / sizeof(cases[0]); c++) {
		if (argc > 3 && strcmp(cases[c].name, argv[3]) != 0)
			continue;
		for (unsigned m = cases[c].run == server_dies; m < 2; m++) {
			struct rig r;
			window_open(&w, &r);
			printf("%s, present mode %d\n", cases[c].name, modes[m]);
			fflush(stdout);
			cases[c].run(&r, modes[m]);
			window_close(&w);
			if (cases[c].run != server_dies)
				go_on();
		}
	}
	return 0;
}
