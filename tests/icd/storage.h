/* SPDX-License-Identifier: MIT */
/* A compute pipeline and the one storage buffer that it works on, for tests with
 * nothing else in mind.  Each step may fail and leave the rest NULL; storage_destroy
 * takes whatever was made.  The buffer is the caller's. */
#ifndef TESTS_ICD_STORAGE_H
#define TESTS_ICD_STORAGE_H

#include "harness.h"

struct storage {
	uint32_t binding;
	VkShaderModule module;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool sets;
	VkDescriptorSet set;
	VkCommandPool commands;
	VkCommandBuffer cmd;
};

static inline VkResult storage_layouts(struct vk *vk, const uint32_t *words, size_t bytes, struct storage *s)
{
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	VkDescriptorSetLayoutBinding binding = { s->binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
		VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_VERTEX_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &s->set_layout };
	TRY(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &s->module));
	TRY(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, &s->set_layout));
	return FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &s->layout);
}

static inline VkResult storage_pipeline(struct vk *vk, VkPipelineCache cache, struct storage *s)
{
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = s->layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = s->module, .pName = "main" } };
	s->pipeline = (VkPipeline)(uintptr_t)1;
	VkResult result = FN(vk, vkCreateComputePipelines)(vk->device, cache, 1, &info, NULL, &s->pipeline);
	CHECK(result == VK_SUCCESS || !s->pipeline); /* 10.1: VK_NULL_HANDLE where creation failed */
	return result;
}

static inline VkResult storage_set(struct vk *vk, VkBuffer buffer, struct storage *s)
{
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	TRY(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &s->sets));
	VkDescriptorSetAllocateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = s->sets,
		.descriptorSetCount = 1, .pSetLayouts = &s->set_layout };
	TRY(FN(vk, vkAllocateDescriptorSets)(vk->device, &set, &s->set));
	VkDescriptorBufferInfo data = { buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = s->set,
		.dstBinding = s->binding, .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &data };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	return VK_SUCCESS;
}

/* A command buffer that has begun. */
static inline VkResult storage_begin(struct vk *vk, VkCommandBufferUsageFlags flags, struct storage *s)
{
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .flags = flags };
	TRY(FN(vk, vkCreateCommandPool)(vk->device, &pool, NULL, &s->commands));
	VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = s->commands, .commandBufferCount = 1 };
	TRY(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &s->cmd));
	return FN(vk, vkBeginCommandBuffer)(s->cmd, &begin);
}

/* A dispatch of so many groups, and the end. */
static inline VkResult storage_end(struct vk *vk, uint32_t groups, struct storage *s)
{
	FN(vk, vkCmdBindPipeline)(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
	FN(vk, vkCmdBindDescriptorSets)(s->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
	FN(vk, vkCmdDispatch)(s->cmd, groups, 1, 1);
	return FN(vk, vkEndCommandBuffer)(s->cmd);
}

static inline void storage_destroy(struct vk *vk, struct storage *s)
{
	FN(vk, vkDestroyCommandPool)(vk->device, s->commands, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, s->sets, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, s->pipeline, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, s->layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, s->set_layout, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, s->module, NULL);
}

#endif
