/* SPDX-License-Identifier: MIT */
/* The pipeline cache: a round trip through bytes gives the same program without
 * compiling; foreign, truncated and corrupt blobs are taken for empty ones. */
#include "harness.h"

/* layout(local_size_x = 1) in;
 * layout(set = 0, binding = 0) buffer B { uint x; };
 * void main() { x = x * 3u + 1u; } */
static const uint32_t shader[] = {
	0x07230203, 0x00010000, 0x0008000b, 0x00000016, 0x00000000, 0x00020011, 0x00000001, 0x0006000b,
	0x00000001, 0x4c534c47, 0x6474732e, 0x3035342e, 0x00000000, 0x0003000e, 0x00000000, 0x00000001,
	0x0005000f, 0x00000005, 0x00000004, 0x6e69616d, 0x00000000, 0x00060010, 0x00000004, 0x00000011,
	0x00000001, 0x00000001, 0x00000001, 0x00050048, 0x00000007, 0x00000000, 0x00000023, 0x00000000,
	0x00030047, 0x00000007, 0x00000003, 0x00040047, 0x00000009, 0x00000022, 0x00000000, 0x00040047,
	0x00000009, 0x00000021, 0x00000000, 0x00040047, 0x00000015, 0x0000000b, 0x00000019, 0x00020013,
	0x00000002, 0x00030021, 0x00000003, 0x00000002, 0x00040015, 0x00000006, 0x00000020, 0x00000000,
	0x0003001e, 0x00000007, 0x00000006, 0x00040020, 0x00000008, 0x00000002, 0x00000007, 0x0004003b,
	0x00000008, 0x00000009, 0x00000002, 0x00040015, 0x0000000a, 0x00000020, 0x00000001, 0x0004002b,
	0x0000000a, 0x0000000b, 0x00000000, 0x00040020, 0x0000000c, 0x00000002, 0x00000006, 0x0004002b,
	0x00000006, 0x0000000f, 0x00000003, 0x0004002b, 0x00000006, 0x00000011, 0x00000001, 0x00040017,
	0x00000014, 0x00000006, 0x00000003, 0x0006002c, 0x00000014, 0x00000015, 0x00000011, 0x00000011,
	0x00000011, 0x00050036, 0x00000002, 0x00000004, 0x00000000, 0x00000003, 0x000200f8, 0x00000005,
	0x00050041, 0x0000000c, 0x0000000d, 0x00000009, 0x0000000b, 0x0004003d, 0x00000006, 0x0000000e,
	0x0000000d, 0x00050084, 0x00000006, 0x00000010, 0x0000000e, 0x0000000f, 0x00050080, 0x00000006,
	0x00000012, 0x00000010, 0x00000011, 0x0003003e, 0x0000000d, 0x00000012, 0x000100fd, 0x00010038,
};

struct scene {
	struct vk *vk;
	VkShaderModule module;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
};

static struct scene scene(struct vk *vk)
{
	struct scene s = { .vk = vk };
	VkShaderModuleCreateInfo module = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof shader, .pCode = shader };
	VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
		VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	VkDescriptorSetLayoutCreateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1,
		.pBindings = &binding };
	VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1, .pSetLayouts = &s.set_layout };
	OK(FN(vk, vkCreateShaderModule)(vk->device, &module, NULL, &s.module));
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &set, NULL, &s.set_layout));
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &s.layout));
	return s;
}

static void scene_free(struct scene *s)
{
	FN(s->vk, vkDestroyPipelineLayout)(s->vk->device, s->layout, NULL);
	FN(s->vk, vkDestroyDescriptorSetLayout)(s->vk->device, s->set_layout, NULL);
	FN(s->vk, vkDestroyShaderModule)(s->vk->device, s->module, NULL);
}

static VkResult pipeline(struct scene *s, VkPipelineCache cache, VkPipelineCreateFlags flags,
	VkPipeline *out)
{
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = flags, .layout = s->layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = s->module, .pName = "main" } };
	return FN(s->vk, vkCreateComputePipelines)(s->vk->device, cache, 1, &info, NULL, out);
}

static VkPipelineCache cache_from(struct vk *vk, const void *data, size_t size)
{
	VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
		.initialDataSize = size, .pInitialData = data };
	VkPipelineCache cache;
	OK(FN(vk, vkCreatePipelineCache)(vk->device, &info, NULL, &cache));
	return cache;
}

/* Does a cache made of these bytes hold the program? */
static bool holds(struct scene *s, const void *data, size_t size)
{
	VkPipelineCache cache = cache_from(s->vk, data, size);
	VkPipeline p = VK_NULL_HANDLE;
	VkResult r = pipeline(s, cache, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &p);
	CHECK(r == VK_SUCCESS || r == VK_PIPELINE_COMPILE_REQUIRED);
	FN(s->vk, vkDestroyPipeline)(s->vk->device, p, NULL);
	FN(s->vk, vkDestroyPipelineCache)(s->vk->device, cache, NULL);
	return r == VK_SUCCESS;
}

static uint8_t *save(struct vk *vk, VkPipelineCache cache, size_t *size)
{
	size_t less;
	uint8_t *data;
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, size, NULL));
	data = malloc(*size);
	less = *size - 1;
	CHECK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, &less, data) == VK_INCOMPLETE);
	CHECK(less < *size);
	OK(FN(vk, vkGetPipelineCacheData)(vk->device, cache, size, data));
	return data;
}

/* The cached program does what the compiled one did. */
static void run(struct scene *s, const void *data, size_t size)
{
	struct vk *vk = s->vk;
	struct vk_buffer b = vk_buffer(vk, 64, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	VkPipelineCache cache = cache_from(vk, data, size);
	VkDescriptorPoolSize pool_size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	VkDescriptorPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1, .poolSizeCount = 1, .pPoolSizes = &pool_size };
	VkDescriptorBufferInfo buffer = { b.buffer, 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &buffer };
	VkCommandPoolCreateInfo cmd_pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	VkDescriptorPool pool;
	VkCommandPool commands;
	VkCommandBuffer cmd;
	VkPipeline p;
	uint32_t *x = b.map;

	OK(pipeline(s, cache, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &p));
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool_info, NULL, &pool));
	VkDescriptorSetAllocateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &s->set_layout };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &sets, &write.dstSet));
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	OK(FN(vk, vkCreateCommandPool)(vk->device, &cmd_pool, NULL, &commands));
	VkCommandBufferAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = commands, .commandBufferCount = 1 };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &alloc, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1,
		&write.dstSet, 0, NULL);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	x[0] = 7;
	VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1,
		.pCommandBuffers = &cmd };
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	CHECK(x[0] == 22);
	FN(vk, vkDestroyCommandPool)(vk->device, commands, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, pool, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, p, NULL);
	FN(vk, vkDestroyPipelineCache)(vk->device, cache, NULL);
	vk_buffer_free(vk, &b);
}

int main(void)
{
	struct vk vk;
	struct scene s;
	VkPipelineCache cache, merged;
	VkPipeline p;
	uint8_t *data, *copy;
	size_t size, merged_size;

	vk_start(&vk);
	s = scene(&vk);
	cache = cache_from(&vk, NULL, 0);
	CHECK(pipeline(&s, cache, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &p) ==
		VK_PIPELINE_COMPILE_REQUIRED && !p);
	OK(pipeline(&s, cache, 0, &p));
	FN(&vk, vkDestroyPipeline)(vk.device, p, NULL);
	data = save(&vk, cache, &size);
	CHECK(holds(&s, data, size));
	run(&s, data, size);

	/* Any cut and any flipped bit is seen. */
	copy = malloc(size);
	for (size_t n = 0; n < size; n++)
		CHECK(!holds(&s, data, n));
	for (size_t n = 0; n < size; n++) {
		memcpy(copy, data, size);
		copy[n] ^= (uint8_t)(1u << n % 8);
		CHECK(!holds(&s, copy, size));
	}

	merged = cache_from(&vk, NULL, 0);
	OK(FN(&vk, vkMergePipelineCaches)(vk.device, merged, 1, &cache));
	OK(FN(&vk, vkGetPipelineCacheData)(vk.device, merged, &merged_size, NULL));
	CHECK(merged_size == size);

	free(copy);
	free(data);
	FN(&vk, vkDestroyPipelineCache)(vk.device, merged, NULL);
	FN(&vk, vkDestroyPipelineCache)(vk.device, cache, NULL);
	scene_free(&s);
	vk_stop(&vk);
	return 0;
}
