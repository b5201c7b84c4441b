/* One dispatch, with everything made and destroyed. */
#include "scenario.h"
#include "sums_comp.h"

enum { WORDS = 256 };

struct compute {
	VkShaderModule module;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkPipelineCache cache;
	VkPipeline pipeline;
	VkBuffer buffer;
	VkDeviceMemory memory;
	void *map;
	VkDescriptorPool sets;
	VkDescriptorSet set;
	VkCommandPool commands;
	VkCommandBuffer cmd;
	VkFence fence;
	VkSemaphore semaphore;
};

#define TRY(call) do { VkResult try_ = (call); if (try_ != VK_SUCCESS) return try_; } while (0)

static VkResult make_pipeline(struct vk *vk, struct compute *c)
{
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof sums_comp, .pCode = sums_comp };
	VkDescriptorSetLayoutBinding binding = { 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &c->set_layout };
	VkPipelineCacheCreateInfo cache = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	TRY(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &c->module));
	TRY(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &set, NULL, &c->set_layout));
	TRY(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &c->layout));
	TRY(FN(vk, vkCreatePipelineCache)(vk->device, &cache, NULL, &c->cache));
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = c->layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = c->module, .pName = "main" } };
	c->pipeline = (VkPipeline)(uintptr_t)1;
	VkResult result = FN(vk, vkCreateComputePipelines)(vk->device, c->cache, 1, &info, NULL, &c->pipeline);
	CHECK(result == VK_SUCCESS || !c->pipeline); /* 10.1: VK_NULL_HANDLE where creation failed */
	return result;
}

static VkResult make_set(struct vk *vk, struct compute *c)
{
	VkBufferCreateInfo buffer = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4 * WORDS,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT };
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements need;
	TRY(FN(vk, vkCreateBuffer)(vk->device, &buffer, NULL, &c->buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, c->buffer, &need);
	memory.allocationSize = need.size;
	TRY(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &c->memory));
	TRY(FN(vk, vkBindBufferMemory)(vk->device, c->buffer, c->memory, 0));
	TRY(FN(vk, vkMapMemory)(vk->device, c->memory, 0, VK_WHOLE_SIZE, 0, &c->map));
	VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	TRY(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &c->sets));
	VkDescriptorSetAllocateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = c->sets,
		.descriptorSetCount = 1, .pSetLayouts = &c->set_layout };
	TRY(FN(vk, vkAllocateDescriptorSets)(vk->device, &set, &c->set));
	VkDescriptorBufferInfo data = { c->buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = c->set, .dstBinding = 1,
		.descriptorCount = 1, .pBufferInfo = &data, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	return VK_SUCCESS;
}

static VkResult record(struct vk *vk, struct compute *c)
{
	VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	TRY(FN(vk, vkCreateCommandPool)(vk->device, &pool, NULL, &c->commands));
	VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = c->commands, .commandBufferCount = 1 };
	TRY(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &c->cmd));
	TRY(FN(vk, vkBeginCommandBuffer)(c->cmd, &begin));
	FN(vk, vkCmdFillBuffer)(c->cmd, c->buffer, 0, VK_WHOLE_SIZE, 0xaaaaaaaa);
	FN(vk, vkCmdBindPipeline)(c->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->pipeline);
	FN(vk, vkCmdBindDescriptorSets)(c->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, c->layout, 0, 1, &c->set, 0, NULL);
	FN(vk, vkCmdDispatch)(c->cmd, WORDS / 64, 1, 1);
	return FN(vk, vkEndCommandBuffer)(c->cmd);
}

/* A submission that signals a semaphore, and one that waits for it. */
static VkResult submit(struct vk *vk, struct compute *c)
{
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	TRY(FN(vk, vkCreateFence)(vk->device, &fence, NULL, &c->fence));
	TRY(FN(vk, vkCreateSemaphore)(vk->device, &semaphore, NULL, &c->semaphore));
	VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkSubmitInfo info[2] = { { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .signalSemaphoreCount = 1,
		.pSignalSemaphores = &c->semaphore }, { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &c->cmd, .waitSemaphoreCount = 1, .pWaitSemaphores = &c->semaphore,
		.pWaitDstStageMask = &stage } };
	TRY(FN(vk, vkQueueSubmit)(vk->queue, 2, info, c->fence));
	return FN(vk, vkWaitForFences)(vk->device, 1, &c->fence, VK_TRUE, UINT64_MAX);
}

static VkResult use(struct vk *vk, struct compute *c, uint64_t *hash)
{
	TRY(make_pipeline(vk, c));
	TRY(make_set(vk, c));
	TRY(record(vk, c));
	TRY(submit(vk, c));
	*hash = scenario_hash(SCENARIO_SEED, c->map, 4 * WORDS);
	return VK_SUCCESS;
}

static VkResult run(struct vk *vk, uint64_t *hash)
{
	struct compute c = { 0 };
	VkResult result = use(vk, &c, hash);
	const char *command = *scenario_at;
#define DESTROY(Object, handle) FN(vk, vkDestroy##Object)(vk->device, c.handle, NULL)
	DESTROY(Fence, fence);
	DESTROY(Semaphore, semaphore);
	DESTROY(CommandPool, commands);
	DESTROY(DescriptorPool, sets);
	DESTROY(Buffer, buffer);
	FN(vk, vkFreeMemory)(vk->device, c.memory, NULL);
	DESTROY(Pipeline, pipeline);
	DESTROY(PipelineCache, cache);
	DESTROY(PipelineLayout, layout);
	DESTROY(DescriptorSetLayout, set_layout);
	DESTROY(ShaderModule, module);
	*scenario_at = command;
	return result;
}

const struct scenario scenario_compute = { .name = "compute", .run = run };
