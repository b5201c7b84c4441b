/* SPDX-License-Identifier: MIT */
/* Small things of 1.2, 1.3 and extensions, each by what it does: private data, requirements
 * without objects, format features, calibrated clocks, creation feedback, inline uniform blocks,
 * attribute divisors, conditional rendering. */
#include "storage.h"
#include "inline_comp.h"
#include "steps_vert.h"
#include "twice_comp.h"

enum { INSTANCES = 700, BASE = 3, WORDS = 64 };

static const char *const names[] = { "VK_EXT_private_data", "VK_KHR_maintenance4", "VK_KHR_copy_commands2",
	"VK_KHR_format_feature_flags2", "VK_EXT_calibrated_timestamps", "VK_EXT_pipeline_creation_feedback",
	"VK_EXT_inline_uniform_block", "VK_EXT_vertex_attribute_divisor", "VK_EXT_conditional_rendering",
	"VK_EXT_shader_module_identifier" };

static void private_data(struct vk *vk)
{
	const VkPrivateDataSlotCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO };
	const VkFenceCreateInfo fence_info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const uint64_t device = (uint64_t)(uintptr_t)vk->device;
	VkPrivateDataSlot slot[2];
	uint64_t value;
	for (int i = 0; i < 2; i++)
		OK(FN(vk, vkCreatePrivateDataSlotEXT)(vk->device, &info, NULL, &slot[i]));
	for (int round = 0; round < 20; round++) {
		VkFence fence; /* likely at the same address each time */
		OK(FN(vk, vkCreateFence)(vk->device, &fence_info, NULL, &fence));
		for (uint64_t i = 0; i < 2; i++) {
			FN(vk, vkGetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slot[i], &value);
			CHECK(value == 0);
			OK(FN(vk, vkSetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slot[i], 1));
			OK(FN(vk, vkSetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slot[i], 7 + i));
		}
		for (uint64_t i = 0; i < 2; i++) {
			FN(vk, vkGetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_FENCE, (uint64_t)fence, slot[i], &value);
			CHECK(value == 7 + i);
		}
		FN(vk, vkDestroyFence)(vk->device, fence, NULL);
	}
	OK(FN(vk, vkSetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_DEVICE, device, slot[0], 5));
	FN(vk, vkDestroyPrivateDataSlotEXT)(vk->device, slot[0], NULL);
	OK(FN(vk, vkCreatePrivateDataSlotEXT)(vk->device, &info, NULL, &slot[0]));
	FN(vk, vkGetPrivateDataEXT)(vk->device, VK_OBJECT_TYPE_DEVICE, device, slot[0], &value);
	CHECK(value == 0);
	for (int i = 0; i < 2; i++)
		FN(vk, vkDestroyPrivateDataSlotEXT)(vk->device, slot[i], NULL);
}

static bool same_requirements(const VkMemoryRequirements *a, const VkMemoryRequirements *b)
{
	return a->size == b->size && a->alignment == b->alignment && a->memoryTypeBits == b->memoryTypeBits;
}

static void requirements(struct vk *vk)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_D32_SFLOAT_S8_UINT, .extent = { 77, 33, 1 }, .mipLevels = 3, .arrayLayers = 2,
		.samples = VK_SAMPLE_COUNT_1_BIT, .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT };
	const VkBufferCreateInfo buffer_info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 1001,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT };
	const VkDeviceImageMemoryRequirements ask = { .sType = VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS,
		.pCreateInfo = &info };
	const VkDeviceBufferMemoryRequirements ask_buffer = { .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS,
		.pCreateInfo = &buffer_info };
	VkMemoryRequirements2 told = { .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2 };
	VkMemoryRequirements want;
	VkImage image;
	VkBuffer buffer;
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, image, &want);
	FN(vk, vkGetDeviceImageMemoryRequirementsKHR)(vk->device, &ask, &told);
	CHECK(want.size > 77 * 33 * 5 * 2 && same_requirements(&want, &told.memoryRequirements));
	FN(vk, vkDestroyImage)(vk->device, image, NULL);
	OK(FN(vk, vkCreateBuffer)(vk->device, &buffer_info, NULL, &buffer));
	FN(vk, vkGetBufferMemoryRequirements)(vk->device, buffer, &want);
	FN(vk, vkGetDeviceBufferMemoryRequirementsKHR)(vk->device, &ask_buffer, &told);
	CHECK(want.size >= 1001 && same_requirements(&want, &told.memoryRequirements));
	FN(vk, vkDestroyBuffer)(vk->device, buffer, NULL);
}

static void format_features(struct vk *vk)
{
	const VkFormatFeatureFlags2 formatless = VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT |
		VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT;
	for (VkFormat f = VK_FORMAT_R4G4_UNORM_PACK8; f < VK_FORMAT_BC1_RGB_UNORM_BLOCK; f++) {
		VkFormatProperties3 three = { .sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3 };
		VkFormatProperties2 two = { .sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &three };
		IFN(vk, vkGetPhysicalDeviceFormatProperties2)(vk->physical, f, &two);
		const VkFormatFeatureFlags optimal = two.formatProperties.optimalTilingFeatures;
		bool stores = optimal & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
		CHECK((uint32_t)three.optimalTilingFeatures == (optimal | (uint32_t)(three.optimalTilingFeatures & formatless)));
		CHECK((three.optimalTilingFeatures & formatless) == (stores ? formatless : 0));
	}
}

static void clocks(struct vk *vk)
{
	VkCalibratedTimestampInfoEXT info[3] = { { 0 } };
	VkTimeDomainEXT domain[8];
	uint64_t first[3], second[3], deviation;
	uint32_t count = 8;
	OK(IFN(vk, vkGetPhysicalDeviceCalibrateableTimeDomainsEXT)(vk->physical, &count, domain));
	CHECK(count == 3 && domain[0] == VK_TIME_DOMAIN_DEVICE_EXT && domain[1] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT);
	for (int i = 0; i < 3; i++)
		info[i] = (VkCalibratedTimestampInfoEXT){ .sType = VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT,
			.timeDomain = domain[i] };
	OK(FN(vk, vkGetCalibratedTimestampsEXT)(vk->device, 3, info, first, &deviation));
	CHECK(deviation > 0 && first[1] - first[0] <= deviation);
	OK(FN(vk, vkGetCalibratedTimestampsEXT)(vk->device, 3, info, second, &deviation));
	for (int i = 0; i < 3; i++)
		CHECK(second[i] >= first[i]);
}

/* --- pipelines --- */

static VkResult compute(struct vk *vk, const struct storage *s, VkPipelineCache cache, const void *next,
	VkPipelineCreateFlags flags, const void *stage_next, VkShaderModule module, VkPipeline *out)
{
	const VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = next,
		.flags = flags, .layout = s->layout, .stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.pNext = stage_next, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main" } };
	return FN(vk, vkCreateComputePipelines)(vk->device, cache, 1, &info, NULL, out);
}

/* The second time the cache has it, also by the module's name alone. */
static void feedback(struct vk *vk)
{
	const VkPipelineCreationFeedbackFlags hit = VK_PIPELINE_CREATION_FEEDBACK_APPLICATION_PIPELINE_CACHE_HIT_BIT;
	const VkPipelineCacheCreateInfo cache_info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkShaderModuleIdentifierEXT id = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT };
	struct storage s = { .binding = 1 };
	VkPipelineCache cache;
	VkPipeline p;
	OK(FN(vk, vkCreatePipelineCache)(vk->device, &cache_info, NULL, &cache));
	OK(storage_layouts(vk, twice_comp, sizeof twice_comp, &s));
	FN(vk, vkGetShaderModuleIdentifierEXT)(vk->device, s.module, &id);
	const VkPipelineShaderStageModuleIdentifierCreateInfoEXT name = { .identifierSize = id.identifierSize,
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT, .pIdentifier = id.identifier };
	CHECK(compute(vk, &s, cache, NULL, VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &name, VK_NULL_HANDLE,
		&p) == VK_PIPELINE_COMPILE_REQUIRED && !p);
	for (int round = 0; round < 3; round++) {
		VkPipelineCreationFeedback all = { 0 }, stage = { 0 };
		const VkPipelineCreationFeedbackCreateInfo f = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO, .pPipelineCreationFeedback = &all,
			.pipelineStageCreationFeedbackCount = 1, .pPipelineStageCreationFeedbacks = &stage };
		OK(compute(vk, &s, cache, &f, round == 2 ? VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT : 0,
			round == 2 ? &name : NULL, round == 2 ? VK_NULL_HANDLE : s.module, &p));
		CHECK(all.flags & VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT && stage.flags == all.flags);
		CHECK(!!(all.flags & hit) == (round > 0) && all.duration >= stage.duration && stage.duration > 0);
		FN(vk, vkDestroyPipeline)(vk->device, p, NULL);
	}
	FN(vk, vkDestroyPipelineCache)(vk->device, cache, NULL);
	storage_destroy(vk, &s);
}

static void run(struct vk *vk, VkCommandBuffer cmd)
{
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
}

/* --- conditional rendering --- */

/* Each of four dispatches by a condition of its own doubles; 0 and inverted 1 do not. */
static void conditions(struct vk *vk)
{
	struct vk_buffer data = vk_buffer(vk, 4 * WORDS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	struct vk_buffer condition = vk_buffer(vk, 16, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
	struct storage s = { .binding = 1 };
	uint32_t *words = data.map;
	memcpy(condition.map, (uint32_t[]){ 0, 5, 0, 5 }, 16);
	words[0] = 1;
	OK(storage_layouts(vk, twice_comp, sizeof twice_comp, &s));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &s));
	OK(storage_set(vk, data.buffer, &s));
	OK(storage_begin(vk, 0, &s));
	FN(vk, vkCmdBindPipeline)(s.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.pipeline);
	FN(vk, vkCmdBindDescriptorSets)(s.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set, 0, NULL);
	for (uint32_t i = 0; i < 4; i++) {
		const VkConditionalRenderingBeginInfoEXT info = { .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
			.buffer = condition.buffer, .offset = 4 * i,
			.flags = i < 2 ? 0 : VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT };
		FN(vk, vkCmdBeginConditionalRenderingEXT)(s.cmd, &info);
		for (uint32_t n = 0; n <= i; n++)
			FN(vk, vkCmdDispatch)(s.cmd, 1, 1, 1);
		FN(vk, vkCmdEndConditionalRenderingEXT)(s.cmd);
	}
	OK(FN(vk, vkEndCommandBuffer)(s.cmd));
	run(vk, s.cmd);
	CHECK(words[0] == 1u << (2 + 3)); /* conditions 1 and 2 hold */
	storage_destroy(vk, &s);
	vk_buffer_free(vk, &data);
	vk_buffer_free(vk, &condition);
}

static void begin_if(struct vk *vk, VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset)
{
	const VkConditionalRenderingBeginInfoEXT info = { .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
		.buffer = buffer, .offset = offset };
	FN(vk, vkCmdBeginConditionalRenderingEXT)(cmd, &info);
}

static void dispatch(struct vk *vk, const struct storage *s, VkCommandBuffer cmd)
{
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
}

/* A secondary command buffer with a dispatch, that what it is executed in may leave out, or not. */
static VkCommandBuffer make_secondary(struct vk *vk, const struct storage *s, VkBool32 inherits)
{
	const VkCommandBufferInheritanceConditionalRenderingInfoEXT conditional = { .conditionalRenderingEnable = inherits,
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_CONDITIONAL_RENDERING_INFO_EXT };
	const VkCommandBufferInheritanceInfo inheritance = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.pNext = &conditional };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.pInheritanceInfo = &inheritance };
	const VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = s->commands, .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY, .commandBufferCount = 1 };
	VkCommandBuffer cmd;
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &info, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	dispatch(vk, s, cmd);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	return cmd;
}

/* Conditions that the submission itself writes: by the dispatch that makes 0 of word 0, by a copy to
 * it, before secondary command buffers of which one inherits the condition.  A copy is never left out. */
static void written_conditions(struct vk *vk)
{
	struct vk_buffer data = vk_buffer(vk, 4 * WORDS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
		VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
	struct storage s = { .binding = 1 };
	uint32_t *words = data.map;
	words[0] = 0x80000000;
	words[1] = 1;
	OK(storage_layouts(vk, twice_comp, sizeof twice_comp, &s));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &s));
	OK(storage_set(vk, data.buffer, &s));
	OK(storage_begin(vk, 0, &s));
	const VkCommandBuffer inherits = make_secondary(vk, &s, VK_TRUE);
	const VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT };
	for (unsigned i = 0; i < 3; i++) {
		if (i == 0)
			dispatch(vk, &s, s.cmd); /* 0, 2 */
		FN(vk, vkCmdPipelineBarrier)(s.cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT,
			0, 1, &all, 0, NULL, 0, NULL);
		begin_if(vk, s.cmd, data.buffer, 0);
		if (i == 0)
			dispatch(vk, &s, s.cmd); /* left out */
		else
			FN(vk, vkCmdExecuteCommands)(s.cmd, 1, &inherits); /* 7 becomes 14, 2 becomes 4; then left out */
		FN(vk, vkCmdFillBuffer)(s.cmd, data.buffer, 0, 4, i == 0 ? 7 : 0);
		FN(vk, vkCmdEndConditionalRenderingEXT)(s.cmd);
	}
	FN(vk, vkCmdExecuteCommands)(s.cmd, 1, &inherits); /* nothing is to be inherited: 8 */
	OK(FN(vk, vkEndCommandBuffer)(s.cmd));
	run(vk, s.cmd);
	EXPECT(words[0] == 0 && words[1] == 8, "conditions that were written: %u, %u", words[0], words[1]);
	storage_destroy(vk, &s);
	vk_buffer_free(vk, &data);
}

/* --- inline uniform blocks --- */

struct blocks { VkDescriptorSetLayout layout; VkDescriptorPool pool; VkDescriptorSet set[2]; };

static void make_blocks(struct vk *vk, VkBuffer buffer, struct blocks *b)
{
	const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 2, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 64, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 2, .pBindings = bindings };
	const VkDescriptorPoolSize sizes[2] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
		{ VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 128 } };
	const VkDescriptorPoolInlineUniformBlockCreateInfo count = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, .maxInlineUniformBlockBindings = 2 };
	const VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .pNext = &count,
		.maxSets = 2, .poolSizeCount = 2, .pPoolSizes = sizes };
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &b->layout));
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &b->pool));
	const VkDescriptorSetLayout layouts[2] = { b->layout, b->layout };
	const VkDescriptorSetAllocateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = b->pool, .descriptorSetCount = 2, .pSetLayouts = layouts };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &sets, b->set));
	const VkDescriptorBufferInfo data = { buffer, 0, VK_WHOLE_SIZE };
	for (int i = 0; i < 2; i++) {
		const VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = b->set[i],
			.descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &data };
		FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	}
}

/* Bytes of a block come by two writes, and for the second set by a copy of 48 and a write of 16. */
static void write_block(struct vk *vk, VkDescriptorSet set, uint32_t first, uint32_t bytes, const void *data)
{
	const VkWriteDescriptorSetInlineUniformBlock block = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, .dataSize = bytes, .pData = data };
	const VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .pNext = &block, .dstSet = set,
		.dstBinding = 2, .dstArrayElement = first, .descriptorCount = bytes,
		.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
}

static void inline_blocks(struct vk *vk)
{
	struct vk_buffer data = vk_buffer(vk, 4 * WORDS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	struct storage s = { .binding = 0 };
	struct blocks b;
	uint32_t value[16], *words = data.map;
	make_blocks(vk, data.buffer, &b);
	for (uint32_t i = 0; i < 16; i++)
		value[i] = 1000 + 17 * i;
	write_block(vk, b.set[0], 0, 20, value);
	write_block(vk, b.set[0], 20, 44, value + 5);
	const VkCopyDescriptorSet copy = { .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = b.set[0], .srcBinding = 2,
		.srcArrayElement = 16, .dstSet = b.set[1], .dstBinding = 2, .descriptorCount = 48 };
	FN(vk, vkUpdateDescriptorSets)(vk->device, 0, NULL, 1, &copy);
	write_block(vk, b.set[1], 48, 16, value);
	OK(storage_layouts(vk, inline_comp, sizeof inline_comp, &s));
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &b.layout };
	FN(vk, vkDestroyPipelineLayout)(vk->device, s.layout, NULL);
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &s.layout));
	OK(storage_pipeline(vk, VK_NULL_HANDLE, &s));
	memset(words, 0, 4 * WORDS);
	OK(storage_begin(vk, 0, &s));
	FN(vk, vkCmdBindPipeline)(s.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.pipeline);
	FN(vk, vkCmdBindDescriptorSets)(s.cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &b.set[0], 0, NULL);
	FN(vk, vkCmdDispatch)(s.cmd, 1, 1, 1);
	s.set = b.set[1];
	OK(storage_end(vk, 1, &s));
	run(vk, s.cmd);
	for (uint32_t i = 0; i < 16; i++)
		CHECK(words[i] == value[i] + value[(i + 4) % 16]);
	storage_destroy(vk, &s);
	FN(vk, vkDestroyDescriptorPool)(vk->device, b.pool, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, b.layout, NULL);
	vk_buffer_free(vk, &data);
}

/* --- attribute divisors --- */

static VkPipeline steps_pipeline(struct vk *vk, const struct storage *s, VkRenderPass pass, uint32_t divisor)
{
	const VkPipelineShaderStageCreateInfo stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = VK_SHADER_STAGE_VERTEX_BIT, .module = s->module, .pName = "main" };
	const VkVertexInputBindingDescription bindings[3] = { { 0, 4, VK_VERTEX_INPUT_RATE_INSTANCE },
		{ 1, 4, VK_VERTEX_INPUT_RATE_INSTANCE }, { 2, 4, VK_VERTEX_INPUT_RATE_INSTANCE } };
	const VkVertexInputAttributeDescription attributes[3] = { { 0, 0, VK_FORMAT_R32_UINT, 0 },
		{ 1, 1, VK_FORMAT_R32_UINT, 0 }, { 2, 2, VK_FORMAT_R32_UINT, 0 } };
	const VkVertexInputBindingDivisorDescriptionEXT divisors[2] = { { 1, divisor }, { 2, 0 } };
	const VkPipelineVertexInputDivisorStateCreateInfoEXT steps = { .vertexBindingDivisorCount = 2,
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT, .pVertexBindingDivisors = divisors };
	const VkPipelineVertexInputStateCreateInfo input = { .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
		.pNext = &steps, .vertexBindingDescriptionCount = 3, .pVertexBindingDescriptions = bindings,
		.vertexAttributeDescriptionCount = 3, .pVertexAttributeDescriptions = attributes };
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST };
	const VkPipelineRasterizationStateCreateInfo raster = { .rasterizerDiscardEnable = VK_TRUE, .lineWidth = 1,
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO };
	const VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 1,
		.pStages = &stage, .pVertexInputState = &input, .pInputAssemblyState = &assembly, .pRasterizationState = &raster,
		.layout = s->layout, .renderPass = pass };
	VkPipeline pipeline;
	OK(FN(vk, vkCreateGraphicsPipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
	return pipeline;
}

static void divisors(struct vk *vk)
{
	static const uint32_t of[] = { 1, 2, 3, 5, 7, 10, 64, 641, 0x7fffffff, 0x80000000, 0x80000001, UINT32_MAX };
	const VkSubpassDescription subpass = { 0 };
	const VkRenderPassCreateInfo pass_info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1,
		.pSubpasses = &subpass };
	const VkFramebufferCreateInfo fb_info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .width = 4, .height = 4,
		.layers = 1 };
	struct vk_buffer in = vk_buffer(vk, 4 * (INSTANCES + BASE), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
	struct vk_buffer out = vk_buffer(vk, 16 * (INSTANCES + BASE), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	const VkBuffer buffers[3] = { in.buffer, in.buffer, in.buffer };
	const VkDeviceSize offsets[3] = { 0 };
	struct storage s = { .binding = 0 };
	const uint32_t (*got)[4] = out.map;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	for (uint32_t i = 0; i < INSTANCES + BASE; i++)
		((uint32_t *)in.map)[i] = 100 + i;
	OK(FN(vk, vkCreateRenderPass)(vk->device, &pass_info, NULL, &pass));
	VkFramebufferCreateInfo with = fb_info;
	with.renderPass = pass;
	OK(FN(vk, vkCreateFramebuffer)(vk->device, &with, NULL, &framebuffer));
	for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
		memset(&s, 0, sizeof s);
		OK(storage_layouts(vk, steps_vert, sizeof steps_vert, &s));
		OK(storage_set(vk, out.buffer, &s));
		s.pipeline = steps_pipeline(vk, &s, pass, of[k]);
		const VkRenderPassBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass,
			.framebuffer = framebuffer, .renderArea = { { 0, 0 }, { 4, 4 } } };
		memset(out.map, 0, 16 * (INSTANCES + BASE));
		OK(storage_begin(vk, 0, &s));
		FN(vk, vkCmdBeginRenderPass)(s.cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
		FN(vk, vkCmdBindPipeline)(s.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipeline);
		FN(vk, vkCmdBindDescriptorSets)(s.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
		FN(vk, vkCmdBindVertexBuffers)(s.cmd, 0, 3, buffers, offsets);
		FN(vk, vkCmdDraw)(s.cmd, 1, INSTANCES, 0, BASE);
		FN(vk, vkCmdEndRenderPass)(s.cmd);
		OK(FN(vk, vkEndCommandBuffer)(s.cmd));
		run(vk, s.cmd);
		for (uint32_t i = 0; i < INSTANCES; i++) {
			const uint32_t *g = got[BASE + i];
			CHECK(g[0] == 100 + BASE + i && g[1] == 100 + BASE + i / of[k] && g[2] == 100 + BASE && g[3] == BASE + i);
		}
		storage_destroy(vk, &s);
	}
	FN(vk, vkDestroyFramebuffer)(vk->device, framebuffer, NULL);
	FN(vk, vkDestroyRenderPass)(vk->device, pass, NULL);
	vk_buffer_free(vk, &in);
	vk_buffer_free(vk, &out);
}

int main(void)
{
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, names, sizeof names / sizeof *names));
	private_data(&vk);
	requirements(&vk);
	format_features(&vk);
	clocks(&vk);
	feedback(&vk);
	conditions(&vk);
	written_conditions(&vk);
	inline_blocks(&vk);
	divisors(&vk);
	vk_stop(&vk);
	return failures != 0;
}
