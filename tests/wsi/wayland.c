/* SPDX-License-Identifier: MIT */
/* Swapchains on Wayland: wsi_wayland PID, the compositor's. */
#include "window.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The driver's, as whoever else has the file of an image holds it. */
static int held = -1;

/* In place of the C library's. */
__attribute__((visibility("default"))) int memfd_create(const char *name, unsigned flags);
int memfd_create(const char *name, unsigned flags)
{
	int fd = (int)syscall(SYS_memfd_create, name, flags);
	if (held < 0 && strcmp(name, "quadwave-swapchain") == 0)
		held = dup(fd);
	return fd;
}

/* Else the next write to the image would be SIGBUS. */
static void sealed(void)
{
	CHECK(held >= 0, "no file of an image was seen");
	CHECK(ftruncate(held, 0) < 0 && errno == EPERM, "an image's file can be cut off");
	close(held);
}

static void no_relaxed(const struct rig *r)
{
	CHECK(!rig_has_mode(r, VK_PRESENT_MODE_FIFO_RELAXED_KHR), "FIFO_RELAXED without tearing");
}

int main(int argc, char **argv)
{
	struct rig r;
	struct wl_window w;
	CHECK(argc == 2, "no compositor's PID");
	wl_window_open(&w);
	wl_window_rig(&r, &w);
	no_relaxed(&r);
	CHECK(rig_chain(&r, VK_PRESENT_MODE_MAILBOX_KHR, 64, 48) == VK_SUCCESS, "no swapchain");
	sealed();
	for (unsigned i = 0; i < 20; i++)
		CHECK(rig_frame(&r, i) == VK_SUCCESS, "frame %u", i);
	CHECK(kill((pid_t)atoi(argv[1]), SIGKILL) == 0, "the compositor lives");
	VkResult result = VK_SUCCESS;
	for (unsigned i = 0; i < 100 && result == VK_SUCCESS; i++)
		result = rig_frame(&r, i);
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR, "after the compositor's death: %d", result);
	rig_close(&r);
	wl_window_close(&w);
	return 0;
}
