/* A swapchain on Wayland whose compositor dies: wsi_wayland PID, the compositor. */
#include "wsi_rig.h"

#include <signal.h>
#include <string.h>
#include <wayland-client.h>

static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version)
{
	struct wl_compositor **compositor = data;
	if (strcmp(interface, "wl_compositor") == 0)
		*compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
}
static void on_global_gone(void *data, struct wl_registry *registry, uint32_t name)
{
}

struct client {
	struct wl_registry *registry;
	struct wl_compositor *compositor;
	struct wl_surface *surface;
};

static void make_surface(struct client *c, struct wl_display *display)
{
	static const struct wl_registry_listener listener = { on_global, on_global_gone };
	*c = (struct client){ .registry = wl_display_get_registry(display) };
	wl_registry_add_listener(c->registry, &listener, &c->compositor);
	wl_display_roundtrip(display);
	CHECK(c->compositor, "no compositor");
	c->surface = wl_compositor_create_surface(c->compositor);
}

int main(int argc, char **argv)
{
	struct rig r;
	struct client c;
	struct wl_display *display = wl_display_connect(NULL);
	CHECK(argc == 2 && display, "no compositor's PID or no display");
	make_surface(&c, display);
	rig_open(&r, VK_KHR_WAYLAND_SURFACE_EXTENSION_NAME);
	const VkWaylandSurfaceCreateInfoKHR info = { .sType = VK_STRUCTURE_TYPE_WAYLAND_SURFACE_CREATE_INFO_KHR,
		.display = display, .surface = c.surface };
	PFN_vkCreateWaylandSurfaceKHR create =
		(PFN_vkCreateWaylandSurfaceKHR)vkGetInstanceProcAddr(r.instance, "vkCreateWaylandSurfaceKHR");
	CHECK(create(r.instance, &info, NULL, &r.surface) == VK_SUCCESS, "no surface");
	CHECK(rig_chain(&r, VK_PRESENT_MODE_MAILBOX_KHR, 64, 48) == VK_SUCCESS, "no swapchain");
	for (unsigned i = 0; i < 20; i++)
		CHECK(rig_frame(&r, i) == VK_SUCCESS, "frame %u", i);
	CHECK(kill((pid_t)atoi(argv[1]), SIGKILL) == 0, "the compositor lives");
	VkResult result = VK_SUCCESS;
	for (unsigned i = 0; i < 100 && result == VK_SUCCESS; i++)
		result = rig_frame(&r, i);
	CHECK(result == VK_ERROR_SURFACE_LOST_KHR, "after the compositor's death: %d", result);
	rig_close(&r);
	wl_surface_destroy(c.surface);
	wl_compositor_destroy(c.compositor);
	wl_registry_destroy(c.registry);
	wl_display_disconnect(display);
	return 0;
}
