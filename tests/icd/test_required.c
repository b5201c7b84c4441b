/* SPDX-License-Identifier: MIT */
/* What Vulkan 1.1, 1.2 and 1.3 require of every device: sections "Feature Requirements" and
 * "Required Limits"; and of extensions that a version took in, the feature bits. */
#include "harness.h"

static int missing;

static void need(bool there, const char *what)
{
	if (!there) {
		fprintf(stderr, "missing: %s\n", what);
		missing++;
	}
}

static bool has(const VkExtensionProperties *list, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(list[i].extensionName, name))
			return true;
	return false;
}

static void features(struct vk *vk, const VkExtensionProperties *list, uint32_t count)
{
	VkPhysicalDeviceVulkan13Features v13 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES };
	VkPhysicalDeviceVulkan12Features v12 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &v13 };
	VkPhysicalDeviceVulkan11Features v11 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &v12 };
	VkPhysicalDeviceFeatures2 core = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11 };
	IFN(vk, vkGetPhysicalDeviceFeatures2)(vk->physical, &core);
#define NEED(from, name) need(from.name, #name)
	NEED(core.features, robustBufferAccess);
	NEED(v11, multiview);
	NEED(v11, shaderDrawParameters);
	NEED(v12, uniformBufferStandardLayout);
	NEED(v12, subgroupBroadcastDynamicId);
	NEED(v12, imagelessFramebuffer);
	NEED(v12, separateDepthStencilLayouts);
	NEED(v12, hostQueryReset);
	NEED(v12, timelineSemaphore);
	NEED(v12, shaderSubgroupExtendedTypes);
	NEED(v12, vulkanMemoryModel);
	NEED(v12, vulkanMemoryModelDeviceScope);
	NEED(v12, bufferDeviceAddress);
	NEED(v13, robustImageAccess);
	NEED(v13, shaderTerminateInvocation);
	NEED(v13, shaderZeroInitializeWorkgroupMemory);
	NEED(v13, synchronization2);
	NEED(v13, shaderIntegerDotProduct);
	NEED(v13, maintenance4);
	NEED(v13, pipelineCreationCacheControl);
	NEED(v13, subgroupSizeControl);
	NEED(v13, computeFullSubgroups);
	NEED(v13, shaderDemoteToHelperInvocation);
	NEED(v13, inlineUniformBlock);
	NEED(v13, dynamicRendering);
	NEED(v13, privateData);
	/* An extension without a feature structure is a bit of the version's. */
#define SAME(extension, from, name) need(has(list, count, extension) == (from.name != 0), extension " and " #name)
	SAME("VK_KHR_draw_indirect_count", v12, drawIndirectCount);
	SAME("VK_KHR_sampler_mirror_clamp_to_edge", v12, samplerMirrorClampToEdge);
	SAME("VK_EXT_shader_viewport_index_layer", v12, shaderOutputViewportIndex);
	SAME("VK_EXT_shader_viewport_index_layer", v12, shaderOutputLayer);
	SAME("VK_EXT_sampler_filter_minmax", v12, samplerFilterMinmax);
	SAME("VK_EXT_descriptor_indexing", v12, descriptorIndexing);
}

static void limits(struct vk *vk)
{
	VkPhysicalDeviceVulkan13Properties v13 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES };
	VkPhysicalDeviceVulkan12Properties v12 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES, .pNext = &v13 };
	VkPhysicalDeviceVulkan11Properties v11 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, .pNext = &v12 };
	VkPhysicalDeviceProperties2 core = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &v11 };
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &core);
#define LEAST(from, name, least) need(from.name >= (least), #name)
	LEAST(core.properties, apiVersion, VK_API_VERSION_1_3);
	LEAST(v11, maxMultiviewViewCount, 6);
	LEAST(v11, maxMultiviewInstanceIndex, (1u << 27) - 1);
	LEAST(v11, maxPerSetDescriptors, 1024);
	LEAST(v11, maxMemoryAllocationSize, 1ull << 30);
	LEAST(v12, maxTimelineSemaphoreValueDifference, (1ull << 31) - 1);
	LEAST(v13, maxInlineUniformBlockSize, 256);
	LEAST(v13, maxPerStageDescriptorInlineUniformBlocks, 4);
	LEAST(v13, maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks, 4);
	LEAST(v13, maxDescriptorSetInlineUniformBlocks, 4);
	LEAST(v13, maxDescriptorSetUpdateAfterBindInlineUniformBlocks, 4);
	LEAST(v13, maxInlineUniformTotalSize, 256);
	LEAST(v13, maxBufferSize, 1ull << 30);
	LEAST(v13, minSubgroupSize, 1);
	LEAST(v13, maxComputeWorkgroupSubgroups, 1);
}

int main(void)
{
	static VkExtensionProperties list[256];
	uint32_t count = 256;
	struct vk vk;
	vk_start(&vk);
	OK(IFN(&vk, vkEnumerateDeviceExtensionProperties)(vk.physical, NULL, &count, list));
	features(&vk, list, count);
	limits(&vk);
	vk_stop(&vk);
	return missing != 0;
}
