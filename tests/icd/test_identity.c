/* SPDX-License-Identifier: MIT */
/* What the device calls itself: names that survive in file names, options and
 * comma-separated lists, and VK_KHR_driver_properties that claim nothing untrue. */
#include "harness.h"

static void device_name(const char *name)
{
	CHECK(!strcmp(name, "Quadwave (gfx900)"));
	CHECK(!strpbrk(name, ",;:/\\'\"=[]{}"));
	CHECK(strchr(name, '(') == strrchr(name, '('));
}

static void driver(struct vk *vk)
{
	VkPhysicalDeviceDriverProperties d = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES };
	VkPhysicalDeviceProperties2 p = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &d };
	const VkConformanceVersion none = { 0 };
	unsigned major, minor, patch, level;
	char build[64];
	memset(&d.driverID, 0xcc, sizeof d - offsetof(VkPhysicalDeviceDriverProperties, driverID));
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &p);
	printf("%s: %s\n", d.driverName, d.driverInfo);
	CHECK(!strcmp(d.driverName, "Quadwave"));
	CHECK(d.driverID == 0); /* nobody's */
	CHECK(!memcmp(&d.conformanceVersion, &none, sizeof none));
	CHECK(memchr(d.driverInfo, 0, sizeof d.driverInfo));
	CHECK(sscanf(d.driverInfo, "%u.%u.%u, build %63[0-9a-f], x86-64-v%u", &major, &minor, &patch, build, &level) == 5);
	CHECK(p.properties.driverVersion == VK_MAKE_API_VERSION(0, major, minor, patch));
	CHECK(strlen(build) == 16 && (level == 3 || level == 4));
}

static void print_version(const char *what, uint32_t v)
{
	printf("%s %u.%u.%u", what, VK_API_VERSION_MAJOR(v), VK_API_VERSION_MINOR(v), VK_API_VERSION_PATCH(v));
}

/* For check_version.py. */
static void versions(struct vk *vk, const VkPhysicalDeviceProperties *p)
{
	uint32_t instance = 0;
	OK(((PFN_vkEnumerateInstanceVersion)vk->get(NULL, "vkEnumerateInstanceVersion"))(&instance));
	print_version("instance: Vulkan", instance);
	print_version("\ndevice: Vulkan", p->apiVersion);
	print_version(", driver", p->driverVersion);
	printf("\n");
}

/* The extension is listed and can be enabled. */
static void extension(struct vk *vk)
{
	const char *name = VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME;
	OK(vk_device_with(vk, NULL, &name, 1));
}

/* QW_DEVICE_TYPE changes what the device is called, and nothing else. */
static void device_types(void)
{
	static const struct { const char *name; VkPhysicalDeviceType type; } types[] = {
		{ "cpu", VK_PHYSICAL_DEVICE_TYPE_CPU }, { "virtual", VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU },
		{ "integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU }, { "discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU },
		{ "Discrete", VK_PHYSICAL_DEVICE_TYPE_CPU },
	};
	VkPhysicalDeviceProperties first, p;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct vk vk;
		vk_open(&vk);
		setenv("QW_DEVICE_TYPE", types[i].name, 1);
		OK(vk_instance(&vk, NULL));
		unsetenv("QW_DEVICE_TYPE");
		memset(&p, 0, sizeof p);
		IFN(&vk, vkGetPhysicalDeviceProperties)(vk.physical, &p);
		CHECK(p.deviceType == types[i].type, "%s: %d", types[i].name, (int)p.deviceType);
		p.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
		first = i ? first : p;
		CHECK(!memcmp(&first, &p, sizeof p), "%s", types[i].name);
		IFN(&vk, vkDestroyInstance)(vk.instance, NULL);
		dlclose(vk.library);
	}
}

int main(void)
{
	struct vk vk;
	VkPhysicalDeviceProperties p;
	device_types();
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	IFN(&vk, vkGetPhysicalDeviceProperties)(vk.physical, &p);
	device_name(p.deviceName);
	versions(&vk, &p);
	driver(&vk);
	extension(&vk);
	vk_stop(&vk);
	return 0;
}
