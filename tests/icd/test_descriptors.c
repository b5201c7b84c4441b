/* SPDX-License-Identifier: MIT */
/* Pools: exhaustion, reuse, reset; updates that run over into the next binding. */
#include "harness.h"

static VkDescriptorSetLayout layout(struct vk *vk, VkDescriptorType a, uint32_t na,
	VkDescriptorType b, uint32_t nb)
{
	VkDescriptorSetLayoutBinding bindings[2] = {
		{ .binding = 3, .descriptorType = a, .descriptorCount = na, .stageFlags = VK_SHADER_STAGE_ALL },
		{ .binding = 1, .descriptorType = b, .descriptorCount = nb, .stageFlags = VK_SHADER_STAGE_ALL } };
	VkDescriptorSetLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 2, .pBindings = bindings };
	VkDescriptorSetLayout l;
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &l));
	return l;
}

static VkResult allocate(struct vk *vk, VkDescriptorPool pool, VkDescriptorSetLayout l,
	VkDescriptorSet *set)
{
	VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = pool, .descriptorSetCount = 1, .pSetLayouts = &l };
	return FN(vk, vkAllocateDescriptorSets)(vk->device, &info, set);
}

int main(void)
{
	enum { SETS = 8 };
	struct vk vk;
	VkDescriptorPoolSize sizes[2] = { { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 5 * SETS },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2 * SETS } };
	VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT, .maxSets = SETS,
		.poolSizeCount = 2, .pPoolSizes = sizes };
	VkDescriptorSetLayout small, both;
	VkDescriptorSet set[SETS], extra;
	VkDescriptorPool pool;
	struct vk_buffer b;

	vk_start(&vk);
	b = vk_buffer(&vk, 4096, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	both = layout(&vk, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 3);
	small = layout(&vk, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2,
		VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 5);
	OK(FN(&vk, vkCreateDescriptorPool)(vk.device, &info, NULL, &pool));
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < SETS; i++)
			OK(allocate(&vk, pool, small, &set[i]));
		CHECK(allocate(&vk, pool, both, &extra) == VK_ERROR_OUT_OF_POOL_MEMORY);
		/* Any one may go and come back. */
		OK(FN(&vk, vkFreeDescriptorSets)(vk.device, pool, 1, &set[3]));
		OK(allocate(&vk, pool, small, &set[3]));
		OK(FN(&vk, vkResetDescriptorPool)(vk.device, pool, 0));
	}

	/* Five writes from binding 1 on fill its three elements and two of binding 3;
	 * a layout outlives its handle as long as sets use it. */
	VkDescriptorBufferInfo buffers[5];
	for (int i = 0; i < 5; i++)
		buffers[i] = (VkDescriptorBufferInfo){ b.buffer, 256u * (uint32_t)i, VK_WHOLE_SIZE };
	OK(allocate(&vk, pool, both, &set[0]));
	OK(allocate(&vk, pool, both, &set[1]));
	FN(&vk, vkDestroyDescriptorSetLayout)(vk.device, both, NULL);
	VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set[0],
		.dstBinding = 1, .descriptorCount = 5,
		.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = buffers };
	VkCopyDescriptorSet copy = { .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = set[0],
		.srcBinding = 1, .srcArrayElement = 1, .dstSet = set[1], .dstBinding = 1,
		.dstArrayElement = 1, .descriptorCount = 4 };
	FN(&vk, vkUpdateDescriptorSets)(vk.device, 1, &write, 1, &copy);

	FN(&vk, vkDestroyDescriptorPool)(vk.device, pool, NULL);
	FN(&vk, vkDestroyDescriptorSetLayout)(vk.device, small, NULL);
	vk_buffer_free(&vk, &b);
	vk_stop(&vk);
	return 0;
}
