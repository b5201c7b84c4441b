/* SPDX-License-Identifier: MIT */
/* Descriptors of all kinds of sets as a shader sees them: pushed ones, arrays without a
 * length whose indices differ from lane to lane, mutable and null ones, inline uniform
 * blocks; and sets and push constants that there are not, which change nothing. */
#include "harness.h"
#include "dynamic_comp.h"
#include "indexing_comp.h"

enum { LANES = 64, DATA = 5, OUT = 0, RUNS = 4096, UNIFORM = 8192, STORAGE = 8448, TEXELS = 8704, BUFFERS = 9216,
	BYTES = 16384 };

struct rig {
	struct vk vk;
	struct vk_buffer b;
	VkBufferView texels;
	VkDescriptorSetLayout pushed, set_layout;
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorPool pool;
	VkDescriptorSet set;
	VkCommandPool commands;
};

static VkDescriptorSetLayout set_layout(struct vk *vk, VkDescriptorSetLayoutCreateFlags flags,
	const VkDescriptorSetLayoutBinding *bindings, uint32_t count, const void *next)
{
	VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.pNext = next, .flags = flags, .bindingCount = count, .pBindings = bindings };
	VkDescriptorSetLayout layout;
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &layout));
	return layout;
}

static VkPipeline pipeline(struct vk *vk, const uint32_t *words, size_t bytes, VkPipelineLayout layout)
{
	VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.pName = "main" } };
	VkPipeline made;
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &info.stage.module));
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &made));
	FN(vk, vkDestroyShaderModule)(vk->device, info.stage.module, NULL);
	return made;
}

static VkPipelineLayout pipeline_layout(struct vk *vk, const VkDescriptorSetLayout *sets, uint32_t count)
{
	VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 256 };
	VkPipelineLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = count,
		.pSetLayouts = sets, .pushConstantRangeCount = 1, .pPushConstantRanges = &range };
	VkPipelineLayout layout;
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &info, NULL, &layout));
	return layout;
}

/* Mutable: uniform or storage buffer or texels.  Of the last binding the layout allows a million. */
static const VkDescriptorType types[] = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER };
static const VkMutableDescriptorTypeListEXT lists[3] = { [1] = { 3, types } };
static const VkMutableDescriptorTypeCreateInfoEXT mutable_types = {
	VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, NULL, 3, lists };
enum { MILLION = 1 << 20 };

static void make_layouts(struct rig *r)
{
	const VkDescriptorSetLayoutBinding pushed[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const VkDescriptorSetLayoutBinding bindings[3] = {
		{ 0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 32, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 3, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MILLION, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const VkDescriptorBindingFlags flags[3] = { [2] = VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT |
		VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT };
	const VkDescriptorSetLayoutBindingFlagsCreateInfo chain = {
		VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, &mutable_types, 3, flags };
	r->pushed = set_layout(&r->vk, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, pushed, 2, NULL);
	r->set_layout = set_layout(&r->vk, 0, bindings, 3, &chain);
	r->layout = pipeline_layout(&r->vk, (VkDescriptorSetLayout[]){ r->pushed, r->set_layout }, 2);
	r->pipeline = pipeline(&r->vk, indexing_comp, sizeof indexing_comp, r->layout);
}

/* A pool with room for one set of DATA buffers, and no more. */
static void make_set(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkDescriptorPoolSize sizes[3] = { { VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 32 },
		{ VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 3 }, { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, DATA } };
	const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
		VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO, &mutable_types, 1 };
	const VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .pNext = &blocks,
		.maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes };
	uint32_t count = MILLION;
	const VkDescriptorSetVariableDescriptorCountAllocateInfo counts = {
		VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO, NULL, 1, &count };
	const VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.pNext = &counts, .descriptorPool = r->pool, .descriptorSetCount = 1, .pSetLayouts = &r->set_layout };
	VkDescriptorSetAllocateInfo one = info;
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &r->pool));
	one.descriptorPool = r->pool;
	CHECK(FN(vk, vkAllocateDescriptorSets)(vk->device, &one, &r->set) == VK_ERROR_OUT_OF_POOL_MEMORY);
	count = DATA;
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &one, &r->set));
}

static VkDescriptorBufferInfo at(const struct rig *r, VkDeviceSize offset, VkDeviceSize bytes)
{
	return (VkDescriptorBufferInfo){ r->b.buffer, offset, bytes };
}

static void write_set(struct rig *r)
{
	struct vk *vk = &r->vk;
	const uint32_t words[2] = { 0, 5000 };
	VkWriteDescriptorSetInlineUniformBlock block = {
		VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK, NULL, sizeof words, words };
	VkDescriptorBufferInfo data[DATA], uniform = at(r, UNIFORM, 16), storage = at(r, STORAGE, 16);
	for (uint32_t i = 0; i < DATA; i++)
		data[i] = i == 3 ? (VkDescriptorBufferInfo){ VK_NULL_HANDLE, 0, VK_WHOLE_SIZE } : at(r, BUFFERS + 256 * i, 8);
	VkWriteDescriptorSet writes[] = {
		{ .dstBinding = 0, .dstArrayElement = 16, .descriptorCount = 8, .pNext = &block,
			.descriptorType = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK },
		{ .dstBinding = 1, .descriptorCount = 1, .descriptorType = types[0], .pBufferInfo = &uniform },
		{ .dstBinding = 1, .dstArrayElement = 1, .descriptorCount = 1, .descriptorType = types[1], .pBufferInfo = &storage },
		{ .dstBinding = 1, .dstArrayElement = 2, .descriptorCount = 1, .descriptorType = types[2],
			.pTexelBufferView = &r->texels },
		{ .dstBinding = 2, .descriptorCount = DATA, .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
			.pBufferInfo = data },
		/* Beyond what the set has: not written. */
		{ .dstBinding = 2, .dstArrayElement = DATA, .descriptorCount = 1, .pBufferInfo = data,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER } };
	for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++) {
		writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
		writes[i].dstSet = r->set;
	}
	FN(vk, vkUpdateDescriptorSets)(vk->device, sizeof writes / sizeof writes[0], writes, 0, NULL);
}

static void make_data(struct rig *r)
{
	struct vk *vk = &r->vk;
	r->b = vk_buffer(vk, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
		VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
	uint32_t *words = r->b.map;
	memset(words, 0, BYTES);
	for (uint32_t i = 0; i < 3; i++) { /* base, plus */
		words[RUNS / 4 + 64 * i] = LANES * i;
		words[RUNS / 4 + 64 * i + 1] = 1000000 * (i + 1);
	}
	words[UNIFORM / 4] = 10;
	words[STORAGE / 4] = 20;
	for (uint32_t i = 0; i < 4; i++)
		words[TEXELS / 4 + i] = 200 * i;
	for (uint32_t i = 0; i < DATA; i++)
		words[(BUFFERS + 256 * i) / 4] = 1 + i;
	const VkBufferViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = r->b.buffer,
		.format = VK_FORMAT_R32_UINT, .offset = TEXELS, .range = 16 };
	OK(FN(vk, vkCreateBufferView)(vk->device, &view, NULL, &r->texels));
	const VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &r->commands));
}

static void run(struct rig *r, VkCommandBuffer cmd)
{
	struct vk *vk = &r->vk;
	vk_run(vk, cmd);
}

/* Three dispatches: all of the set pushed, then the second binding alone, then that by a
 * template.  The set is written when it is bound already. */
static void pushes(struct rig *r)
{
	struct vk *vk = &r->vk;
	VkDescriptorBufferInfo out = at(r, OUT, 4 * 3 * LANES), runs[3];
	for (uint32_t i = 0; i < 3; i++)
		runs[i] = at(r, RUNS + 256 * i, 8);
	const VkWriteDescriptorSet writes[3] = {
		{ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 0, .descriptorCount = 1,
			.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &out },
		{ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 1, .descriptorCount = 1,
			.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &runs[0] },
		{ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = 1, .descriptorCount = 1,
			.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &runs[1] } };
	const VkDescriptorUpdateTemplateEntry entry = { 1, 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 0, 0 };
	const VkDescriptorUpdateTemplateCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO, .descriptorUpdateEntryCount = 1,
		.pDescriptorUpdateEntries = &entry, .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
		.pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE, .pipelineLayout = r->layout };
	VkDescriptorUpdateTemplate template;
	VkCommandBuffer cmd = vk_begin(&r->vk, r->commands);
	OK(FN(vk, vkCreateDescriptorUpdateTemplate)(vk->device, &info, NULL, &template));
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->pipeline);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 1, 1, &r->set, 0, NULL);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 2, writes);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, r->layout, 0, 1, &writes[2]);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	FN(vk, vkCmdPushDescriptorSetWithTemplateKHR)(cmd, template, r->layout, 0, &runs[2]);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	write_set(r);
	run(r, cmd);
	FN(vk, vkDestroyDescriptorUpdateTemplate)(vk->device, template, NULL);
}

static void judge(const struct rig *r)
{
	const uint32_t *words = r->b.map;
	uint32_t counts[DATA] = { 0 }, wrong = 0;
	for (uint32_t n = 0; n < 3 * LANES; n++) {
		uint32_t lane = n % LANES, i = lane * 7 % 5, want = 5000 + 10 + 20 + 200 * (lane & 3) + 1000000 * (n / LANES + 1);
		want += (i == 3 ? 0 : 1 + i) + (lane % 2 ? 100000 : 0);
		counts[i] += lane;
		if (words[OUT / 4 + n] != want && !wrong++)
			fprintf(stderr, "dispatch %u lane %u: %u, not %u\n", n / LANES, lane, words[OUT / 4 + n], want);
	}
	CHECK(wrong == 0);
	for (uint32_t i = 0; i < DATA; i++)
		CHECK(words[(BUFFERS + 256 * i) / 4 + 1] == (i == 3 ? 0 : counts[i]));
}

/* A dynamic buffer is what it was after sets and push constants that the layout has not. */
static void bad_bindings(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkDescriptorSetLayoutBinding bindings[2] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const VkDescriptorPoolSize sizes[2] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1 } };
	const VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 2, .pPoolSizes = sizes };
	VkDescriptorSetLayout sets = set_layout(vk, 0, bindings, 2, NULL);
	VkPipelineLayout layout = pipeline_layout(vk, &sets, 1);
	VkPipeline dynamic = pipeline(vk, dynamic_comp, sizeof dynamic_comp, layout);
	VkDescriptorSetAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1, .pSetLayouts = &sets };
	VkDescriptorBufferInfo buffers[2] = { at(r, OUT, 4 * LANES), at(r, UNIFORM, 16) };
	VkDescriptorSet set[2];
	VkPhysicalDeviceProperties all;
	IFN(vk, vkGetPhysicalDeviceProperties)(vk->physical, &all);
	const uint32_t offsets[2] = { STORAGE - UNIFORM, 0 }, words[64] = { 0 };
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &info, NULL, &one.descriptorPool));
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &one, set));
	set[1] = set[0];
	for (uint32_t i = 0; i < 2; i++) {
		const VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set[0],
			.dstBinding = i, .descriptorCount = 1, .descriptorType = sizes[i].type, .pBufferInfo = &buffers[i] };
		FN(vk, vkUpdateDescriptorSets)(vk->device, 1, &write, 0, NULL);
	}
	VkCommandBuffer cmd = vk_begin(&r->vk, r->commands);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, dynamic);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, set, 1, offsets);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, all.limits.maxBoundDescriptorSets, 1, set,
		0, NULL);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, UINT32_MAX, 2, set, 2, offsets);
	FN(vk, vkCmdPushConstants)(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, 128, sizeof words, words);
	FN(vk, vkCmdPushConstants)(cmd, layout, VK_SHADER_STAGE_COMPUTE_BIT, UINT32_MAX - 255, 256, words);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	run(r, cmd);
	const uint32_t *out = r->b.map;
	CHECK(out[0] == 20 && out[LANES - 1] == 20);
	FN(vk, vkDestroyPipeline)(vk->device, dynamic, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, sets, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, one.descriptorPool, NULL);
}

/* What no set can hold is refused, and its size does not wrap. */
static void refused(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1u << 26,
		VK_SHADER_STAGE_ALL, NULL };
	const VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1, .pBindings = &binding };
	const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1u << 26 };
	const VkDescriptorPoolCreateInfo pool = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 1, .pPoolSizes = &size };
	VkDescriptorSetLayoutSupport support = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT };
	VkDescriptorSetLayout layout;
	VkDescriptorPool made;
	FN(vk, vkGetDescriptorSetLayoutSupport)(vk->device, &info, &support);
	CHECK(!support.supported);
	CHECK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &layout) < 0);
	CHECK(FN(vk, vkCreateDescriptorPool)(vk->device, &pool, NULL, &made) == VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

int main(void)
{
	static const char *const names[] = { VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
		VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
		VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME };
	struct rig r;
	struct vk *vk = &r.vk;
	vk_open(vk);
	OK(vk_instance(vk, NULL));
	OK(vk_device_with(vk, NULL, names, sizeof names / sizeof names[0]));
	make_layouts(&r);
	make_set(&r);
	make_data(&r);
	pushes(&r);
	judge(&r);
	bad_bindings(&r);
	refused(&r);
	FN(vk, vkDestroyCommandPool)(vk->device, r.commands, NULL);
	FN(vk, vkDestroyDescriptorPool)(vk->device, r.pool, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, r.pipeline, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, r.layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, r.set_layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, r.pushed, NULL);
	FN(vk, vkDestroyBufferView)(vk->device, r.texels, NULL);
	vk_buffer_free(vk, &r.b);
	vk_stop(vk);
	return 0;
}
