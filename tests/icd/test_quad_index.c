/* SPDX-License-Identifier: MIT */
/* Pixels of a quad that sample different images: the level is that of the quad's
 * coordinates (quadDivergentImplicitLod). */
#include "harness.h"
#include "quads_frag.h"
#include "quads_vert.h"

enum { SIZE = 16, IMAGES = 3, LEVELS = 4 };

struct rig {
	struct vk vk;
	struct vk_buffer out;
	VkImage images[IMAGES];
	VkDeviceMemory memory[IMAGES];
	VkImageView views[IMAGES];
	VkSampler sampler;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkCommandPool commands;
	VkCommandBuffer cmd;
};

static void make_images(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R32G32_SFLOAT, .extent = { SIZE, SIZE, 1 }, .mipLevels = LEVELS, .arrayLayers = 1,
		.samples = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	const VkSamplerCreateInfo sampler = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = LEVELS };
	OK(FN(vk, vkCreateSampler)(vk->device, &sampler, NULL, &r->sampler));
	for (uint32_t i = 0; i < IMAGES; i++) {
		VkMemoryRequirements req;
		OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &r->images[i]));
		FN(vk, vkGetImageMemoryRequirements)(vk->device, r->images[i], &req);
		const VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = req.size };
		OK(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &r->memory[i]));
		OK(FN(vk, vkBindImageMemory)(vk->device, r->images[i], r->memory[i], 0));
		const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = r->images[i],
			.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = info.format,
			.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, 1 } };
		OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &r->views[i]));
	}
}

static void make_set(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, IMAGES, VK_SHADER_STAGE_FRAGMENT_BIT, NULL } };
	const VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 2, .pBindings = bindings };
	const VkDescriptorPoolSize sizes[2] = { { bindings[0].descriptorType, 1 }, { bindings[1].descriptorType, IMAGES } };
	const VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 2, .pPoolSizes = sizes };
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, &r->set_layout));
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &r->pool));
	const VkDescriptorSetAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = r->pool, .descriptorSetCount = 1, .pSetLayouts = &r->set_layout };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &one, &r->set));
	VkDescriptorImageInfo images[IMAGES];
	for (uint32_t i = 0; i < IMAGES; i++)
		images[i] = (VkDescriptorImageInfo){ r->sampler, r->views[i], VK_IMAGE_LAYOUT_GENERAL };
	const VkDescriptorBufferInfo out = { r->out.buffer, 0, VK_WHOLE_SIZE };
	const VkWriteDescriptorSet writes[2] = {
		{ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = r->set, .dstBinding = 0, .descriptorCount = 1,
			.descriptorType = bindings[0].descriptorType, .pBufferInfo = &out },
		{ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = r->set, .dstBinding = 1, .descriptorCount = IMAGES,
			.descriptorType = bindings[1].descriptorType, .pImageInfo = images } };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 2, writes, 0, NULL);
}

static VkPipelineShaderStageCreateInfo stage(struct vk *vk, VkShaderStageFlagBits bit, const uint32_t *words, size_t bytes)
{
	const VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	VkPipelineShaderStageCreateInfo s = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bit,
		.pName = "main" };
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &s.module));
	return s;
}

static void make_pipeline(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkPipelineShaderStageCreateInfo stages[2] = {
		stage(vk, VK_SHADER_STAGE_VERTEX_BIT, quads_vert, sizeof quads_vert),
		stage(vk, VK_SHADER_STAGE_FRAGMENT_BIT, quads_frag, sizeof quads_frag) };
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1, .pSetLayouts = &r->set_layout };
	const VkSubpassDescription subpass = { 0 };
	const VkRenderPassCreateInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1,
		.pSubpasses = &subpass };
	const VkPipelineVertexInputStateCreateInfo input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO };
	const VkPipelineInputAssemblyStateCreateInfo assembly = { .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST };
	const VkViewport viewport = { 0, 0, SIZE, SIZE, 0, 1 };
	const VkRect2D scissor = { { 0, 0 }, { SIZE, SIZE } };
	const VkPipelineViewportStateCreateInfo viewports = { .viewportCount = 1, .pViewports = &viewport, .scissorCount = 1,
		.pScissors = &scissor };
	const VkPipelineRasterizationStateCreateInfo raster = { .lineWidth = 1 };
	const VkPipelineMultisampleStateCreateInfo samples = { .rasterizationSamples = 1 };
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &r->layout));
	OK(FN(vk, vkCreateRenderPass)(vk->device, &pass, NULL, &r->pass));
	const VkFramebufferCreateInfo framebuffer = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.renderPass = r->pass, .width = SIZE, .height = SIZE, .layers = 1 };
	OK(FN(vk, vkCreateFramebuffer)(vk->device, &framebuffer, NULL, &r->framebuffer));
	const VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 2,
		.pStages = stages, .pVertexInputState = &input, .pInputAssemblyState = &assembly, .pViewportState = &viewports,
		.pRasterizationState = &raster, .pMultisampleState = &samples, .layout = r->layout, .renderPass = r->pass };
	OK(FN(vk, vkCreateGraphicsPipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &r->pipeline));
	for (int i = 0; i < 2; i++)
		FN(vk, vkDestroyShaderModule)(vk->device, stages[i].module, NULL);
}

static void run(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkCommandPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const VkMemoryBarrier barrier = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT };
	const VkRenderPassBeginInfo pass = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = r->pass,
		.framebuffer = r->framebuffer, .renderArea = { { 0, 0 }, { SIZE, SIZE } } };
	OK(FN(vk, vkCreateCommandPool)(vk->device, &pool, NULL, &r->commands));
	const VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = r->commands, .commandBufferCount = 1 };
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &r->cmd));
	OK(FN(vk, vkBeginCommandBuffer)(r->cmd, &begin));
	for (uint32_t i = 0; i < IMAGES * LEVELS; i++) {
		const VkImageSubresourceRange level = { VK_IMAGE_ASPECT_COLOR_BIT, i % LEVELS, 1, 0, 1 };
		const VkClearColorValue value = { { (float)(i / LEVELS), (float)(i % LEVELS) } };
		FN(vk, vkCmdClearColorImage)(r->cmd, r->images[i / LEVELS], VK_IMAGE_LAYOUT_GENERAL, &value, 1, &level);
	}
	FN(vk, vkCmdPipelineBarrier)(r->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
		&barrier, 0, NULL, 0, NULL);
	FN(vk, vkCmdBindPipeline)(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->pipeline);
	FN(vk, vkCmdBindDescriptorSets)(r->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, r->layout, 0, 1, &r->set, 0, NULL);
	FN(vk, vkCmdBeginRenderPass)(r->cmd, &pass, VK_SUBPASS_CONTENTS_INLINE);
	FN(vk, vkCmdDraw)(r->cmd, 3, 1, 0, 0);
	FN(vk, vkCmdEndRenderPass)(r->cmd);
	vk_run(vk, r->cmd);
}

static uint32_t judge(const struct rig *r)
{
	uint32_t wrong = 0;
	for (uint32_t y = 0; y < SIZE; y++)
		for (uint32_t x = 0; x < SIZE; x++) {
			const float *t = (const float *)r->out.map + 4 * (SIZE * y + x), level = y / 2 % 2 ? 2 : 1;
			if (t[0] == (float)((x + y) % 3) && t[1] == level && t[2] == level && t[3] == level + 1)
				continue;
			if (!wrong++)
				fprintf(stderr, "pixel %u %u: image %g level %g lod %g biased %g, not %u %g %g %g\n", x, y, t[0], t[1],
					t[2], t[3], (x + y) % 3, level, level, level + 1);
		}
	return wrong;
}

int main(void)
{
	static const char *const names[] = { VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME };
	struct rig r;
	struct vk *vk = &r.vk;
	vk_open(vk);
	OK(vk_instance(vk, NULL));
	OK(vk_device_with(vk, NULL, names, 1));
	r.out = vk_buffer(vk, SIZE * SIZE * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	make_images(&r);
	make_set(&r);
	make_pipeline(&r);
	run(&r);
	uint32_t wrong = judge(&r);
	printf("%u of %d pixels are wrong\n", wrong, SIZE * SIZE);
	CHECK(wrong == 0);
	FN(vk, vkDestroyCommandPool)(vk->device, r.commands, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, r.pool, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, r.pipeline, NULL);
	FN(vk, vkDestroyFramebuffer)(vk->device, r.framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, r.pass, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, r.layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, r.set_layout, NULL);
	FN(vk, vkDestroySampler)(vk->device, r.sampler, NULL);
	for (uint32_t i = 0; i < IMAGES; i++) {
		FN(vk, vkDestroyImageView)(vk->device, r.views[i], NULL);
		FN(vk, vkDestroyImage)(vk->device, r.images[i], NULL);
		FN(vk, vkFreeMemory)(vk->device, r.memory[i], NULL);
	}
	vk_buffer_free(vk, &r.out);
	vk_stop(vk);
	return 0;
}
