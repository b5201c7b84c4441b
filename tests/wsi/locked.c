/* SPDX-License-Identifier: MIT */
/* An application that locks its Xlib display and destroys its swapchain: the thread that
 * presents waits for the lock within Xlib, where it cannot be called back.  It is left
 * there, and finds the driver's code and its own memory when it returns. */
#define VK_USE_PLATFORM_XLIB_KHR
#include <X11/Xlib.h>
#include "wsi_rig.h"

#include <unistd.h>

static void open_rig(struct rig *r, Display *display, Window window)
{
	rig_open(r, VK_KHR_XLIB_SURFACE_EXTENSION_NAME);
	const VkXlibSurfaceCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_XLIB_SURFACE_CREATE_INFO_KHR,
		.dpy = display, .window = window };
	PFN_vkCreateXlibSurfaceKHR create =
		(PFN_vkCreateXlibSurfaceKHR)vkGetInstanceProcAddr(r->instance, "vkCreateXlibSurfaceKHR");
	CHECK(create(r->instance, &info, NULL, &r->surface) == VK_SUCCESS, "no surface");
}

int main(void)
{
	struct rig r;
	uint32_t index;
	XInitThreads();
	Display *display = XOpenDisplay(NULL);
	CHECK(display, "no X server");
	Window window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 64, 48, 0, 0, 0);
	XMapWindow(display, window);
	XSync(display, False);
	open_rig(&r, display, window);
	CHECK(rig_chain(&r, VK_PRESENT_MODE_FIFO_KHR, 64, 48) == VK_SUCCESS && rig_frame(&r, 1) == VK_SUCCESS,
		"no first frame");
	CHECK(rig_acquire(&r, UINT64_MAX, &index) == VK_SUCCESS, "no second image");
	XLockDisplay(display);
	XNoOp(display); /* the connection is Xlib's until somebody takes the lock */
	CHECK(rig_show(&r, index, 2) == VK_SUCCESS, "no second frame");
	double idle = rig_idle_seconds();
	CHECK(rig_work(&r, 10000000000) == VK_SUCCESS, "no work behind the present");
	idle = rig_idle_seconds() - idle;
	CHECK(idle < 1, "the queue waits for the display, %.2f s", idle);
	idle = rig_idle_seconds();
	double start = rig_seconds();
	rig_close(&r);
	double seconds = rig_seconds() - start;
	idle = rig_idle_seconds() - idle;
	CHECK(idle <= 1, "leaving took %.2f s", idle);
	CHECK(seconds > 0.5, "nobody was waiting: %.2f s", seconds);
	XUnlockDisplay(display);
	usleep(200000); /* for the thread to find out */
	XCloseDisplay(display);
	return 0;
}
