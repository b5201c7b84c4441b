/* SPDX-License-Identifier: MIT */
/* Who is refused an instance or a device learns why: the feature, extension or layer
 * by its name, on stderr with QW_DEBUG=1 and through every messenger. */
#include "messages.h"

/* vkCreateDevice with `info` must give `want` and say `name`, both ways. */
static void refused(struct vk *vk, struct heard *heard, VkDeviceCreateInfo info, VkResult want,
	const char *name)
{
	VkDevice device;
	char text[4096];
	memset(heard, 0, sizeof *heard);
	info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
	struct captured captured = capture_stderr();
	VkResult result = IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &device);
	end_capture(&captured, text, sizeof text);
	printf("%s", heard->text);
	CHECK(result == want);
	CHECK(heard->errors > 0 && strstr(heard->text, "vkCreateDevice") && strstr(heard->text, name));
	CHECK(strstr(text, "quadwave: vkCreateDevice") && strstr(text, name));
}

static void core_features(struct vk *vk, struct heard *heard)
{
	VkPhysicalDeviceFeatures features = { .sparseResidencyBuffer = VK_TRUE, .wideLines = VK_TRUE };
	VkPhysicalDeviceFeatures2 features2 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.features = { .shaderResourceMinLod = VK_TRUE, .sparseBinding = VK_TRUE } };
	refused(vk, heard, (VkDeviceCreateInfo){ .pEnabledFeatures = &features }, VK_ERROR_FEATURE_NOT_PRESENT,
		"VkPhysicalDeviceFeatures.sparseResidencyBuffer");
	CHECK(heard->count == 1);
	refused(vk, heard, (VkDeviceCreateInfo){ .pNext = &features2 }, VK_ERROR_FEATURE_NOT_PRESENT,
		"VkPhysicalDeviceFeatures.shaderResourceMinLod");
	CHECK(heard->count == 2 && strstr(heard->text, "VkPhysicalDeviceFeatures.sparseBinding"));
}

/* The first and the last member of core structures, which names off by one would miss. */
static void chained_features(struct vk *vk, struct heard *heard)
{
	VkPhysicalDeviceBufferDeviceAddressFeatures addresses = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES, .bufferDeviceAddressMultiDevice = VK_TRUE };
	VkPhysicalDeviceLineRasterizationFeaturesEXT line = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT, .pNext = &addresses,
		.rectangularLines = VK_TRUE, .smoothLines = VK_TRUE };
	VkPhysicalDeviceProtectedMemoryFeatures memory = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROTECTED_MEMORY_FEATURES, .protectedMemory = VK_TRUE };
	refused(vk, heard, (VkDeviceCreateInfo){ .pNext = &line }, VK_ERROR_FEATURE_NOT_PRESENT,
		"VkPhysicalDeviceLineRasterizationFeaturesEXT.smoothLines");
	CHECK(strstr(heard->text, "VkPhysicalDeviceBufferDeviceAddressFeatures.bufferDeviceAddressMultiDevice"));
	refused(vk, heard, (VkDeviceCreateInfo){ .pNext = &memory }, VK_ERROR_FEATURE_NOT_PRESENT,
		"VkPhysicalDeviceProtectedMemoryFeatures.protectedMemory");
}

static void extension_and_queue(struct vk *vk, struct heard *heard)
{
	const char *names[] = { "VK_KHR_multiview", "VK_KHR_ray_query" };
	float priorities[2] = { 1, 1 };
	VkDeviceQueueCreateInfo queue = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 2,
		.pQueuePriorities = priorities };
	refused(vk, heard, (VkDeviceCreateInfo){ .enabledExtensionCount = 2, .ppEnabledExtensionNames = names },
		VK_ERROR_EXTENSION_NOT_PRESENT, "VK_KHR_ray_query");
	refused(vk, heard, (VkDeviceCreateInfo){ .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue },
		VK_ERROR_INITIALIZATION_FAILED, "2 queues");
}

/* A structure of an extension that is not ours is ignored, as the specification wants it, but not
 * silently. */
static void ignored_feature(struct vk *vk, struct heard *heard)
{
	VkPhysicalDeviceRayQueryFeaturesKHR features = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR,
		.rayQuery = VK_TRUE };
	VkDeviceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features };
	VkDevice device;
	memset(heard, 0, sizeof *heard);
	OK(IFN(vk, vkCreateDevice)(vk->physical, &info, NULL, &device));
	printf("%s", heard->text);
	CHECK(heard->count == 1 && heard->warnings == 1 &&
		strstr(heard->text, "VkPhysicalDeviceRayQueryFeaturesKHR.rayQuery"));
	((PFN_vkDestroyDevice)IFN(vk, vkGetDeviceProcAddr)(device, "vkDestroyDevice"))(device, NULL);
}

/* Messengers chained into the create info hear of the instance that does not come to be. */
static void instances(struct vk *vk)
{
	const char *names[] = { "VK_EXT_debug_utils", "VK_KHR_no_such_thing" }, *layer = "VK_LAYER_nobody";
	struct heard heard[2] = { 0 };
	VkDebugUtilsMessengerCreateInfoEXT second = hearing(&heard[1]), first = hearing(&heard[0]);
	VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pNext = &first,
		.enabledExtensionCount = 2, .ppEnabledExtensionNames = names };
	PFN_vkCreateInstance create = (PFN_vkCreateInstance)vk->get(NULL, "vkCreateInstance");
	VkInstance instance;
	char text[4096];
	first.pNext = &second;
	struct captured captured = capture_stderr();
	VkResult result = create(&info, NULL, &instance);
	end_capture(&captured, text, sizeof text);
	CHECK(result == VK_ERROR_EXTENSION_NOT_PRESENT);
	CHECK(strstr(text, "quadwave: vkCreateInstance: no extension VK_KHR_no_such_thing"));
	for (int i = 0; i < 2; i++)
		CHECK(heard[i].errors == 1 && strstr(heard[i].text, "VK_KHR_no_such_thing"));
	info.enabledExtensionCount = 1;
	info.enabledLayerCount = 1;
	info.ppEnabledLayerNames = &layer;
	CHECK(create(&info, NULL, &instance) == VK_ERROR_LAYER_NOT_PRESENT);
	for (int i = 0; i < 2; i++)
		CHECK(heard[i].errors == 2 && strstr(heard[i].text, "VK_LAYER_nobody"));
	/* And not of what comes after vkCreateInstance. */
	info.enabledLayerCount = 0;
	OK(create(&info, NULL, &instance));
	CHECK(heard[0].count == 2);
	((PFN_vkDestroyInstance)vk->get(instance, "vkDestroyInstance"))(instance, NULL);
}

int main(void)
{
	struct vk vk;
	struct heard heard = { 0 };
	setenv("QW_DEBUG", "1", 1);
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	core_features(&vk, &heard);
	chained_features(&vk, &heard);
	extension_and_queue(&vk, &heard);
	ignored_feature(&vk, &heard);
	instances(&vk);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	IFN(&vk, vkDestroyInstance)(vk.instance, NULL);
	dlclose(vk.library);
	return 0;
}
