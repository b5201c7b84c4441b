/* SPDX-License-Identifier: MIT */
/* A compute shader whose descriptors, one a binding, are pushed; and images in memory of their own. */
#ifndef TESTS_ICD_KERNEL_RIG_H
#define TESTS_ICD_KERNEL_RIG_H

#include "harness.h"

enum { KERNEL_BINDINGS = 16 }; /* at most */
struct kernel { VkDescriptorSetLayout sets; VkPipelineLayout layout; VkPipeline pipeline; VkCommandPool commands; };

static inline struct kernel kernel_make(struct vk *vk, const VkDescriptorType *types, uint32_t count, const uint32_t *words, size_t bytes)
{
	VkDescriptorSetLayoutBinding bindings[KERNEL_BINDINGS];
	for (uint32_t i = 0; i < count; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	const VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, .bindingCount = count, .pBindings = bindings };
	struct kernel k;
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1, .pSetLayouts = &k.sets };
	const VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = vk_module(vk, words, bytes), .pName = "main" } };
	CHECK(count <= KERNEL_BINDINGS);
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, &k.sets));
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &k.layout));
	info.layout = k.layout;
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &k.pipeline));
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &k.commands));
	FN(vk, vkDestroyShaderModule)(vk->device, info.stage.module, NULL);
	return k;
}

static inline void kernel_free(struct vk *vk, const struct kernel *k)
{
	FN(vk, vkDestroyCommandPool)(vk->device, k->commands, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, k->pipeline, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, k->layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, k->sets, NULL);
}

struct kernel_image { VkImage image; VkDeviceMemory memory; VkImageView view; };

static inline struct kernel_image kernel_image_make(struct vk *vk, const VkImageCreateInfo *info, VkImageViewType type, VkImageSubresourceRange range)
{
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	struct kernel_image i;
	OK(FN(vk, vkCreateImage)(vk->device, info, NULL, &i.image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
	memory.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &i.memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.image, .viewType = type,
		.format = info->format, .subresourceRange = range };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &i.view));
	return i;
}

static inline void kernel_image_free(struct vk *vk, const struct kernel_image *i)
{
	FN(vk, vkDestroyImageView)(vk->device, i->view, NULL);
	FN(vk, vkDestroyImage)(vk->device, i->image, NULL);
	FN(vk, vkFreeMemory)(vk->device, i->memory, NULL);
}

#endif
