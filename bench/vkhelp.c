/* SPDX-License-Identifier: MIT */
#include "bench/vkhelp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Noreturn void vh_fail(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fputs("error: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	exit(VH_FAILED);
}

_Noreturn void vh_lacks(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fputs("lacks: ", stderr);
	vfprintf(stderr, format, list);
	fputc('\n', stderr);
	exit(VH_LACKS);
}

void vh_check(VkResult result, const char *what)
{
	if (result != VK_SUCCESS)
		vh_fail("%s: VkResult %d", what, (int)result);
}

double vh_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- objects --- */

void vh_keep(struct vh *h, VkObjectType type, uint64_t handle)
{
	if (h->object_count == h->object_capacity) {
		size_t capacity = h->object_capacity ? 2 * h->object_capacity : 64;
		struct vh_object *objects = realloc(h->objects, capacity * sizeof *objects);
		if (!objects)
			vh_fail("out of memory");
		h->objects = objects;
		h->object_capacity = capacity;
	}
	h->objects[h->object_count++] = (struct vh_object){ type, handle };
}

static void destroy(struct vh *h, struct vh_object o)
{
#define CASE(TYPE, Name) \
	case VK_OBJECT_TYPE_##TYPE: \
		vkDestroy##Name(h->device, (Vk##Name)o.handle, NULL); \
		break
	switch (o.type) {
	CASE(BUFFER, Buffer);
	CASE(IMAGE, Image);
	CASE(IMAGE_VIEW, ImageView);
	CASE(BUFFER_VIEW, BufferView);
	CASE(SHADER_MODULE, ShaderModule);
	CASE(DESCRIPTOR_SET_LAYOUT, DescriptorSetLayout);
	CASE(DESCRIPTOR_POOL, DescriptorPool);
	CASE(PIPELINE_LAYOUT, PipelineLayout);
	CASE(PIPELINE, Pipeline);
	CASE(RENDER_PASS, RenderPass);
	CASE(FRAMEBUFFER, Framebuffer);
	CASE(SAMPLER, Sampler);
	CASE(FENCE, Fence);
	CASE(COMMAND_POOL, CommandPool);
	case VK_OBJECT_TYPE_DEVICE_MEMORY:
		vkFreeMemory(h->device, (VkDeviceMemory)o.handle, NULL);
		break;
	default:
		vh_fail("an object of type %d that cannot be destroyed", (int)o.type);
	}
#undef CASE
}

void vh_release(struct vh *h, size_t mark)
{
	while (h->object_count > mark)
		destroy(h, h->objects[--h->object_count]);
}

/* --- device --- */

static void choose_gpu(struct vh *h, const char *application, uint32_t version, bool window)
{
	static const char *const surfaces[2] = { VK_KHR_SURFACE_EXTENSION_NAME, "VK_KHR_xcb_surface" };
	const VkApplicationInfo app = { VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = application,
		.apiVersion = version };
	const VkInstanceCreateInfo info = { VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app,
		.enabledExtensionCount = window ? 2 : 0, .ppEnabledExtensionNames = surfaces };
	uint32_t count = 1;
	VkResult result = vkCreateInstance(&info, NULL, &h->instance);
	if (window && result == VK_ERROR_EXTENSION_NOT_PRESENT)
		vh_lacks("VK_KHR_xcb_surface");
	vh_check(result, "vkCreateInstance");
	result = vkEnumeratePhysicalDevices(h->instance, &count, &h->gpu);
	if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0)
		vh_fail("no Vulkan device: VkResult %d", (int)result);
	vkGetPhysicalDeviceProperties(h->gpu, &h->properties);
	vkGetPhysicalDeviceMemoryProperties(h->gpu, &h->memory);
}

/* A family that has all of these flags and none of those. */
static uint32_t find_family(VkPhysicalDevice gpu, VkQueueFlags needed, VkQueueFlags without, const char *what)
{
	VkQueueFamilyProperties families[16];
	uint32_t count = 16;
	vkGetPhysicalDeviceQueueFamilyProperties(gpu, &count, families);
	for (uint32_t i = 0; i < count; i++)
		if ((families[i].queueFlags & needed) == needed && !(families[i].queueFlags & without))
			return i;
	vh_lacks("%s", what);
}

/* The VkBool32 from byte `first` of two structs of features. */
static void check_bools(const void *wanted, const void *has, size_t first, size_t size, const char *where,
	const char *names)
{
	const VkBool32 *w = (const VkBool32 *)((const char *)wanted + first);
	const VkBool32 *g = (const VkBool32 *)((const char *)has + first);
	for (size_t i = 0; i < (size - first) / sizeof *g; i++)
		if (w[i] && !g[i] && names)
			vh_lacks("one of %s", names);
		else if (w[i] && !g[i])
			vh_lacks("the feature at position %zu of %s", i, where);
}

static void check_features(VkPhysicalDevice gpu, const struct vh_wants *wants)
{
	VkPhysicalDeviceVulkan13Features v13 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES };
	VkPhysicalDeviceVulkan12Features v12 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13 };
	VkPhysicalDeviceVulkan11Features v11 = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12 };
	VkPhysicalDeviceFeatures2 has = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11 };
	if (wants->version < VK_API_VERSION_1_3)
		v12.pNext = NULL;
	if (wants->version < VK_API_VERSION_1_2)
		has.pNext = NULL;
	vkGetPhysicalDeviceFeatures2(gpu, &has);
#define FIRST(member, type) offsetof(VkPhysicalDevice##type, member)
	check_bools(&wants->core, &has.features, 0, sizeof has.features, "VkPhysicalDeviceFeatures", wants->names);
	check_bools(&wants->v11, &v11, FIRST(storageBuffer16BitAccess, Vulkan11Features), FIRST(shaderDrawParameters,
		Vulkan11Features) + sizeof(VkBool32), "VkPhysicalDeviceVulkan11Features", wants->names);
	check_bools(&wants->v12, &v12, FIRST(samplerMirrorClampToEdge, Vulkan12Features), FIRST(subgroupBroadcastDynamicId,
		Vulkan12Features) + sizeof(VkBool32), "VkPhysicalDeviceVulkan12Features", wants->names);
	check_bools(&wants->v13, &v13, FIRST(robustImageAccess, Vulkan13Features), FIRST(maintenance4, Vulkan13Features) +
		sizeof(VkBool32), "VkPhysicalDeviceVulkan13Features", wants->names);
#undef FIRST
}

static void check_extension(VkPhysicalDevice gpu, const char *name)
{
	enum { MOST = 512 };
	static VkExtensionProperties has[MOST];
	uint32_t count = MOST;
	const VkResult result = vkEnumerateDeviceExtensionProperties(gpu, NULL, &count, has);
	if (result != VK_INCOMPLETE)
		vh_check(result, "vkEnumerateDeviceExtensionProperties");
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(has[i].extensionName, name))
			return;
	vh_lacks("%s", name);
}

static void make_pools(struct vh *h)
{
	static const VkDescriptorType types[] = { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
		VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT };
	enum { SETS = 32, PER_TYPE = 128, TYPES = sizeof types / sizeof *types };
	VkDescriptorPoolSize sizes[TYPES];
	for (size_t i = 0; i < TYPES; i++)
		sizes[i] = (VkDescriptorPoolSize){ types[i], PER_TYPE };
	const VkDescriptorPoolCreateInfo descriptors = { VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = SETS, .poolSizeCount = TYPES, .pPoolSizes = sizes };
	const VkCommandPoolCreateInfo commands = { VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, .queueFamilyIndex = h->family };
	vh_check(vkCreateDescriptorPool(h->device, &descriptors, NULL, &h->descriptors), "vkCreateDescriptorPool");
	vh_keep(h, VK_OBJECT_TYPE_DESCRIPTOR_POOL, (uint64_t)h->descriptors);
	vh_check(vkCreateCommandPool(h->device, &commands, NULL, &h->commands), "vkCreateCommandPool");
	vh_keep(h, VK_OBJECT_TYPE_COMMAND_POOL, (uint64_t)h->commands);
}

void vh_open(struct vh *h, const char *application, const VkPhysicalDeviceFeatures *wanted)
{
	struct vh_wants wants = { .version = VK_API_VERSION_1_1 };
	if (wanted)
		wants.core = *wanted;
	vh_open_wants(h, application, &wants);
}

static void make_device(struct vh *h, const struct vh_wants *wants)
{
	const float priority = 1;
	struct vh_wants on = *wants;
	const VkDeviceQueueCreateInfo queues[2] = {
		{ VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = h->family, .queueCount = 1,
			.pQueuePriorities = &priority },
		{ VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = h->second_family, .queueCount = 1,
			.pQueuePriorities = &priority } };
	VkDeviceCreateInfo info = { VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = wants->second ? 2 : 1, .pQueueCreateInfos = queues,
		.pEnabledFeatures = &h->features };
	on.v11.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
	on.v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
	on.v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
	VkPhysicalDeviceMeshShaderFeaturesEXT mesh = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
		.taskShader = VK_TRUE, .meshShader = VK_TRUE };
	const char *extensions[3];
	info.ppEnabledExtensionNames = extensions;
	if (wants->mesh) {
		on.v13.pNext = &mesh;
		extensions[info.enabledExtensionCount++] = VK_EXT_MESH_SHADER_EXTENSION_NAME;
	}
	if (wants->window)
		extensions[info.enabledExtensionCount++] = VK_KHR_SWAPCHAIN_EXTENSION_NAME;
	on.v11.pNext = &on.v12;
	on.v12.pNext = wants->version >= VK_API_VERSION_1_3 ? &on.v13 : NULL;
	if (wants->version >= VK_API_VERSION_1_2)
		info.pNext = &on.v11;
	VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback_on = {
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .pNext = (void *)info.pNext,
		.transformFeedback = VK_TRUE };
	if (wants->feedback) {
		check_extension(h->gpu, VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME);
		info.pNext = &feedback_on;
		extensions[info.enabledExtensionCount++] = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
	}
	vh_check(vkCreateDevice(h->gpu, &info, NULL, &h->device), "vkCreateDevice");
}

static bool gpu_has_mesh(VkPhysicalDevice gpu)
{
	static VkExtensionProperties all[512];
	uint32_t count = 512;
	vkEnumerateDeviceExtensionProperties(gpu, NULL, &count, all);
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(all[i].extensionName, VK_EXT_MESH_SHADER_EXTENSION_NAME))
			return true;
	return false;
}

bool vh_has_mesh(void)
{
	struct vh h = { 0 };
	choose_gpu(&h, "vkhelp", VK_API_VERSION_1_1, false);
	bool has = gpu_has_mesh(h.gpu);
	vkDestroyInstance(h.instance, NULL);
	return has;
}

void vh_draw_mesh(const struct vh *h, VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
	PFN_vkCmdDrawMeshTasksEXT draw =
		(PFN_vkCmdDrawMeshTasksEXT)(void *)vkGetDeviceProcAddr(h->device, "vkCmdDrawMeshTasksEXT");
	draw(commands, x, y, z);
}

void vh_open_wants(struct vh *h, const char *application, const struct vh_wants *wants)
{
	const uint32_t version = wants->version ? wants->version : VK_API_VERSION_1_1;
	*h = (struct vh){ 0 };
	choose_gpu(h, application, version, wants->window);
	if (h->properties.apiVersion < version)
		vh_lacks("Vulkan %u.%u", VK_VERSION_MAJOR(version), VK_VERSION_MINOR(version));
	h->family = find_family(h->gpu, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 0, "a queue for graphics and compute");
	if (wants->second)
		h->second_family = find_family(h->gpu, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT,
			"a second family of queues, for compute");
	check_features(h->gpu, wants);
	if (wants->mesh && !gpu_has_mesh(h->gpu))
		vh_lacks("VK_EXT_mesh_shader");
	h->features = wants->core;
	h->mesh = wants->mesh;
	make_device(h, wants);
	vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
	if (wants->second)
		vkGetDeviceQueue(h->device, h->second_family, 0, &h->second);
	make_pools(h);
}

void vh_close(struct vh *h)
{
	vkDeviceWaitIdle(h->device);
	vh_release(h, 0);
	free(h->objects);
	vkDestroyDevice(h->device, NULL);
	vkDestroyInstance(h->instance, NULL);
	*h = (struct vh){ 0 };
}

/* --- commands --- */

VkCommandBuffer vh_begin(struct vh *h, VkCommandBufferUsageFlags usage)
{
	const VkCommandBufferAllocateInfo allocate = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = h->commands, .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1 };
	const VkCommandBufferBeginInfo begin = { VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = usage };
	VkCommandBuffer commands;
	vh_check(vkAllocateCommandBuffers(h->device, &allocate, &commands), "vkAllocateCommandBuffers");
	vh_check(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
	return commands;
}

VkFence vh_make_fence(struct vh *h)
{
	const VkFenceCreateInfo info = { VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;
	vh_check(vkCreateFence(h->device, &info, NULL, &fence), "vkCreateFence");
	vh_keep(h, VK_OBJECT_TYPE_FENCE, (uint64_t)fence);
	return fence;
}

void vh_run(struct vh *h, VkCommandBuffer commands, VkFence fence)
{
	const VkSubmitInfo submit = { VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &commands };
	vh_check(vkQueueSubmit(h->queue, 1, &submit, fence), "vkQueueSubmit");
	vh_check(vkWaitForFences(h->device, 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
	vh_check(vkResetFences(h->device, 1, &fence), "vkResetFences");
}

void vh_finish(struct vh *h, VkCommandBuffer commands)
{
	size_t mark = h->object_count;
	vh_check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
	vh_run(h, commands, vh_make_fence(h));
	vkFreeCommandBuffers(h->device, h->commands, 1, &commands);
	vh_release(h, mark);
}

void vh_barrier(VkCommandBuffer commands)
{
	const VkMemoryBarrier all = { VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };
	vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0,
		1, &all, 0, NULL, 0, NULL);
}
