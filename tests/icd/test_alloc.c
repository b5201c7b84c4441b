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
	vk_stop(&vk);
	return 0;
}
