/* SPDX-License-Identifier: MIT */
/* Host memory: every object is made with an allocator that fails at the n-th
 * call, for n = 0, 1, ... until creation succeeds; nothing may leak or crash,
 * and the only error is VK_ERROR_OUT_OF_HOST_MEMORY. */
#include "fail_each.h"

#define MAKE(Object, Info, ...) \
	static VkResult make_##Object(struct vk *vk, const VkAllocationCallbacks *a) \
	{ \
		Vk##Info##CreateInfo info = { __VA_ARGS__ }; \
		Vk##Object object; \
		VkResult r = FN(vk, vkCreate##Object)(vk->device, &info, a, &object); \
		if (r == VK_SUCCESS) \
			FN(vk, vkDestroy##Object)(vk->device, object, a); \
		return r; \
	}

static const VkDescriptorPoolSize pool_size = { VK_DESCRIPTOR_TYPE_SAMPLER, 4 };
static const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_SAMPLER, 1,
	VK_SHADER_STAGE_ALL, NULL };
static const VkSubpassDescription subpass = { 0 };
static const uint32_t words[5] = { 0x07230203, 0x00010000, 0, 1, 0 };

MAKE(Buffer, Buffer, .size = 64, .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT)
MAKE(Image, Image, .imageType = VK_IMAGE_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM,
	.extent = { 4, 4, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = 1,
	.usage = VK_IMAGE_USAGE_SAMPLED_BIT)
MAKE(Sampler, Sampler, .maxLod = 1.0f)
MAKE(Fence, Fence, 0)
MAKE(Semaphore, Semaphore, 0)
MAKE(Event, Event, 0)
MAKE(QueryPool, QueryPool, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 3)
MAKE(CommandPool, CommandPool, 0)
MAKE(DescriptorPool, DescriptorPool, .maxSets = 2, .poolSizeCount = 1, .pPoolSizes = &pool_size)
MAKE(DescriptorSetLayout, DescriptorSetLayout, .bindingCount = 1, .pBindings = &binding)
MAKE(PipelineLayout, PipelineLayout, 0)
MAKE(PipelineCache, PipelineCache, 0)
MAKE(ShaderModule, ShaderModule, .codeSize = sizeof words, .pCode = words)
MAKE(RenderPass, RenderPass, .subpassCount = 1, .pSubpasses = &subpass)

static VkResult make_memory(struct vk *vk, const VkAllocationCallbacks *a)
{
	VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = 4096 };
	VkDeviceMemory memory;
	VkResult r = FN(vk, vkAllocateMemory)(vk->device, &info, a, &memory);
	if (r == VK_SUCCESS)
		FN(vk, vkFreeMemory)(vk->device, memory, a);
	return r;
}

/* Instance and device through one allocator, with a few objects below them
 * that fall back to it. */
static VkResult make_device(struct vk *vk, const VkAllocationCallbacks *a)
{
	struct vk own = { .library = vk->library, .get = vk->get };
	VkResult r = vk_instance(&own, a);
	if (r != VK_SUCCESS)
		return r;
	r = vk_device(&own, a);
	if (r == VK_SUCCESS) {
		r = make_PipelineLayout(&own, NULL);
		if (r == VK_SUCCESS)
			r = make_DescriptorPool(&own, NULL);
		FN(&own, vkDestroyDevice)(own.device, a);
	}
	IFN(&own, vkDestroyInstance)(own.instance, a);
	return r;
}

/* Many packets. */
static VkResult record(struct vk *vk, VkCommandBuffer cmd)
{
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	CHECK(FN(vk, vkBeginCommandBuffer)(cmd, &begin) == VK_SUCCESS);
	for (int i = 0; i < 10000; i++)
		FN(vk, vkCmdPipelineBarrier)(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL,
			0, NULL);
	return FN(vk, vkEndCommandBuffer)(cmd);
}

/* What is recorded again needs no memory; trimming and a reset that releases give it back. */
static void test_command_pool(struct vk *vk)
{
	struct fail_counter c = { .left = -1 };
	const VkAllocationCallbacks a = fail_callbacks(&c);
	const VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT };
	VkCommandPool pool;
	VkCommandBuffer cmd;
	CHECK(FN(vk, vkCreateCommandPool)(vk->device, &info, &a, &pool) == VK_SUCCESS);
	const VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
		.commandBufferCount = 1 };
	CHECK(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &cmd) == VK_SUCCESS);
	const int empty = c.live;
	CHECK(record(vk, cmd) == VK_SUCCESS);
	const int full = c.live;
	CHECK(full > empty + 1);
	c.left = 0;
	CHECK(record(vk, cmd) == VK_SUCCESS && !c.hit && c.live == full);
	CHECK(FN(vk, vkResetCommandPool)(vk->device, pool, 0) == VK_SUCCESS && c.live == full);
	FN(vk, vkTrimCommandPool)(vk->device, pool, 0);
	CHECK(c.live == empty);
	CHECK(record(vk, cmd) == VK_ERROR_OUT_OF_HOST_MEMORY && c.hit);
	c.left = -1;
	CHECK(record(vk, cmd) == VK_SUCCESS && c.live == full);
	FN(vk, vkTrimCommandPool)(vk->device, pool, 0);
	CHECK(c.live == full);
	CHECK(FN(vk, vkResetCommandPool)(vk->device, pool, VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT) == VK_SUCCESS);
	CHECK(c.live == empty);
	FN(vk, vkDestroyCommandPool)(vk->device, pool, &a);
	CHECK(c.live == 0);
}

int main(void)
{
	struct vk vk;
	vk_start(&vk);
#define RUN(name) fail_each(&vk, #name, make_##name)
	RUN(device);
	RUN(memory);
	RUN(Buffer);
	RUN(Image);
	RUN(Sampler);
	RUN(Fence);
	RUN(Semaphore);
	RUN(Event);
	RUN(QueryPool);
	RUN(CommandPool);
	RUN(DescriptorPool);
	RUN(DescriptorSetLayout);
	RUN(PipelineLayout);
	RUN(PipelineCache);
	RUN(ShaderModule);
	RUN(RenderPass);
	test_command_pool(&vk);
	vk_stop(&vk);
	return 0;
}
