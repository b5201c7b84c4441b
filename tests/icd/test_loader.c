/* SPDX-License-Identifier: MIT */
/* The loader's doors: negotiation, lookup by name and level, nothing else exported. */
#include <vulkan/vk_icd.h>
#include "harness.h"

typedef VkResult (VKAPI_PTR *negotiate_fn)(uint32_t *);

static void negotiation(struct vk *vk)
{
	negotiate_fn negotiate = (negotiate_fn)dlsym(vk->library,
		"vk_icdNegotiateLoaderICDInterfaceVersion");
	uint32_t version = 2;
	CHECK(negotiate);
	CHECK(negotiate(&version) == VK_ERROR_INCOMPATIBLE_DRIVER);
	for (uint32_t v = 3; v <= 7; v++) {
		version = v;
		OK(negotiate(&version));
		CHECK(version == v);
	}
	version = 99;
	OK(negotiate(&version));
	CHECK(version == 7);
	/* Interface 7 asks for the doors by name. */
	CHECK(vk->get(NULL, "vk_icdNegotiateLoaderICDInterfaceVersion") == (PFN_vkVoidFunction)negotiate);
	CHECK(vk->get(NULL, "vk_icdGetPhysicalDeviceProcAddr"));
	CHECK(!dlsym(vk->library, "vkCreateInstance"));
	CHECK(!dlsym(vk->library, "icd_CreateInstance"));
}

static void instance_level(struct vk *vk)
{
	PFN_vk_icdGetPhysicalDeviceProcAddr physical =
		(PFN_vk_icdGetPhysicalDeviceProcAddr)vk->get(NULL, "vk_icdGetPhysicalDeviceProcAddr");
	CHECK(vk->get(NULL, "vkEnumerateInstanceVersion"));
	CHECK(!vk->get(NULL, "vkCreateDevice"));
	CHECK(!vk->get(NULL, "vkNoSuchFunction"));
	CHECK(vk->get(vk->instance, "vkCreateDevice"));
	CHECK(vk->get(vk->instance, "vkCmdDraw"));
	CHECK(vk->get(vk->instance, "vkGetPhysicalDeviceFeatures2"));
	/* Its extension is not enabled, and version 1.2 is not ours. */
	CHECK(!vk->get(vk->instance, "vkCreateDebugUtilsMessengerEXT"));
	CHECK(!vk->get(vk->instance, "vkCmdDrawIndirectCount"));
	CHECK(physical(vk->instance, "vkGetPhysicalDeviceProperties"));
	CHECK(!physical(vk->instance, "vkCmdDraw"));
	CHECK(!physical(vk->instance, "vkDestroyInstance"));
}

static void device_level(struct vk *vk)
{
	CHECK(vk->get_device(vk->device, "vkCmdDraw"));
	CHECK(vk->get_device(vk->device, "vkTrimCommandPool"));
	CHECK(!vk->get_device(vk->device, "vkGetPhysicalDeviceProperties"));
	CHECK(!vk->get_device(vk->device, "vkCreateSwapchainKHR"));
	CHECK(!vk->get_device(vk->device, "vkCreateRenderPass2KHR"));
	CHECK(!vk->get_device(vk->device, "vkCmdTraceRaysKHR"));
}

static void refusals(struct vk *vk)
{
	const char *name = "VK_KHR_no_such_extension";
	VkInstanceCreateInfo instance = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.enabledExtensionCount = 1, .ppEnabledExtensionNames = &name };
	VkDeviceCreateInfo device = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.enabledExtensionCount = 1, .ppEnabledExtensionNames = &name };
	VkPhysicalDeviceFeatures features = { .sparseBinding = VK_TRUE };
	VkInstance i;
	VkDevice d;
	CHECK(IFN(vk, vkCreateInstance)(&instance, NULL, &i) == VK_ERROR_EXTENSION_NOT_PRESENT);
	CHECK(IFN(vk, vkCreateDevice)(vk->physical, &device, NULL, &d) == VK_ERROR_EXTENSION_NOT_PRESENT);
	device.enabledExtensionCount = 0;
	device.pEnabledFeatures = &features;
	CHECK(IFN(vk, vkCreateDevice)(vk->physical, &device, NULL, &d) == VK_ERROR_FEATURE_NOT_PRESENT);
}

int main(void)
{
	struct vk vk;
	vk_open(&vk);
	negotiation(&vk);
	OK(vk_instance(&vk, NULL));
	CHECK(((VK_LOADER_DATA *)vk.instance)->loaderMagic == ICD_LOADER_MAGIC);
	CHECK(((VK_LOADER_DATA *)vk.physical)->loaderMagic == ICD_LOADER_MAGIC);
	OK(vk_device(&vk, NULL));
	CHECK(((VK_LOADER_DATA *)vk.device)->loaderMagic == ICD_LOADER_MAGIC);
	CHECK(((VK_LOADER_DATA *)vk.queue)->loaderMagic == ICD_LOADER_MAGIC);
	instance_level(&vk);
	device_level(&vk);
	refusals(&vk);
	vk_stop(&vk);
	return 0;
}
