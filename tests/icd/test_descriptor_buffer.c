/* SPDX-License-Identifier: MIT */
/* VK_EXT_descriptor_buffer: what layouts say of sets in buffers, what is written of a
 * descriptor, a dispatch that reads of two buffers, pushed and embedded sets; sets,
 * buffers, formats and types that there are not, which change nothing; and descriptors that
 * are nonsense, which can lose the device and nothing else.  Of these more: ROUNDS SEED. */
#include "harness.h"
#include "descriptor_buffer_comp.h"

enum { LANES = 64, OUT = 0, PUSHED = 1024, UNIFORM = 1280, TEXELS = 1536, DATA = 2048, BYTES = 4096, SETS = 4,
	DESCRIPTORS = 1024 };

struct rig {
	struct vk vk;
	VkPhysicalDeviceDescriptorBufferPropertiesEXT props;
	struct vk_buffer b, d[2];          /* data; descriptors */
	VkDeviceAddress address, descriptors[2];
	VkImage image;
	VkDeviceMemory memory;
	VkImageView view;
	VkSampler samplers[2];             /* beyond the image 0; 1 */
	VkDescriptorSetLayout sets[SETS];
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkCommandPool commands;
};

static VkDeviceAddress address_of(struct vk *vk, VkBuffer buffer)
{
	const VkBufferDeviceAddressInfo info = { VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, buffer };
	return FN(vk, vkGetBufferDeviceAddressKHR)(vk->device, &info);
}

static void make_buffers(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkBufferUsageFlags address = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
	r->b = vk_buffer(vk, BYTES, address | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
		VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
	r->address = address_of(vk, r->b.buffer);
	for (int i = 0; i < 2; i++) {
		r->d[i] = vk_buffer(vk, DESCRIPTORS, address | VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
			VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT);
		r->descriptors[i] = address_of(vk, r->d[i].buffer);
		memset(r->d[i].map, 0, DESCRIPTORS);
	}
	uint32_t *words = r->b.map;
	memset(words, 0, BYTES);
	words[PUSHED / 4] = 500;
	words[UNIFORM / 4] = 3000;
	for (uint32_t i = 0; i < 4; i++)
		words[TEXELS / 4 + i] = 7 * i;
	words[DATA / 4] = 1;
	words[DATA / 4 + 16] = 2;
}

/* A white texel. */
static void make_image(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = { 1, 1, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = 1,
		.tiling = VK_IMAGE_TILING_LINEAR, .usage = VK_IMAGE_USAGE_SAMPLED_BIT };
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	void *map;
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &r->image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, r->image, &req);
	memory.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &r->memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, r->image, r->memory, 0));
	OK(FN(vk, vkMapMemory)(vk->device, r->memory, 0, VK_WHOLE_SIZE, 0, &map));
	memset(map, 0xff, (size_t)req.size);
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = r->image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = info.format,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &r->view));
	for (int i = 0; i < 2; i++) {
		const VkSamplerAddressMode mode = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
		const VkSamplerCreateInfo sampler = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .addressModeU = mode,
			.addressModeV = mode, .addressModeW = mode,
			.borderColor = i ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK };
		OK(FN(vk, vkCreateSampler)(vk->device, &sampler, NULL, &r->samplers[i]));
	}
}

static VkDescriptorSetLayout make_set(struct vk *vk, VkDescriptorSetLayoutCreateFlags flags, const void *next,
	const VkDescriptorSetLayoutBinding *bindings, uint32_t count)
{
	const VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.pNext = next, .flags = flags | VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, .bindingCount = count,
		.pBindings = bindings };
	VkDescriptorSetLayout set;
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &set));
	return set;
}

static void make_layouts(struct rig *r)
{
	const VkShaderStageFlags cs = VK_SHADER_STAGE_COMPUTE_BIT;
	static const VkDescriptorType types[] = { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER };
	const VkMutableDescriptorTypeListEXT lists[3] = { [2] = { 2, types } };
	const VkMutableDescriptorTypeCreateInfoEXT mutable_types = {
		VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, NULL, 3, lists };
	const VkDescriptorSetLayoutBinding first[] = { { 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, cs, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 48, cs, NULL }, { 2, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, 2, cs, NULL } };
	const VkDescriptorSetLayoutBinding pushed = { 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, cs, NULL };
	const VkDescriptorSetLayoutBinding embedded = { 1, VK_DESCRIPTOR_TYPE_SAMPLER, 2, cs, r->samplers };
	const VkDescriptorSetLayoutBinding last[] = { { 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, cs, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2, cs, NULL }, { 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, cs, NULL } };
	struct vk *vk = &r->vk;
	r->sets[0] = make_set(vk, 0, &mutable_types, first, 3);
	r->sets[1] = make_set(vk, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, NULL, &pushed, 1);
	r->sets[2] = make_set(vk, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, NULL, &embedded, 1);
	r->sets[3] = make_set(vk, 0, NULL, last, 3);
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = SETS, .pSetLayouts = r->sets };
	const VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = sizeof descriptor_buffer_comp, .pCode = descriptor_buffer_comp };
	const VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = cs, .pName = "main" } };
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &r->layout));
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &info.stage.module));
	info.layout = r->layout;
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &r->pipeline));
	FN(vk, vkDestroyShaderModule)(vk->device, info.stage.module, NULL);
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &r->commands));
}

static VkDeviceSize offset_of(struct rig *r, uint32_t set, uint32_t binding)
{
	VkDeviceSize offset = ~0ull;
	FN(&r->vk, vkGetDescriptorSetLayoutBindingOffsetEXT)(r->vk.device, r->sets[set], binding, &offset);
	return offset;
}

static VkDeviceSize size_of(struct rig *r, uint32_t set)
{
	VkDeviceSize size = ~0ull;
	FN(&r->vk, vkGetDescriptorSetLayoutSizeEXT)(r->vk.device, r->sets[set], &size);
	return size;
}

/* Bindings stand side by side, as large as the properties say. */
static void layouts(struct rig *r)
{
	const VkPhysicalDeviceDescriptorBufferPropertiesEXT *p = &r->props;
	CHECK(offset_of(r, 0, 1) - offset_of(r, 0, 0) >= p->robustStorageBufferDescriptorSize);
	CHECK(offset_of(r, 0, 2) - offset_of(r, 0, 1) >= 48);
	CHECK(size_of(r, 0) - offset_of(r, 0, 2) >= 2 * p->uniformBufferDescriptorSize);
	CHECK(offset_of(r, 3, 1) - offset_of(r, 3, 0) >= p->sampledImageDescriptorSize);
	CHECK(offset_of(r, 3, 2) - offset_of(r, 3, 1) >= 2 * p->combinedImageSamplerDescriptorSize);
	CHECK(size_of(r, 3) - offset_of(r, 3, 2) >= 3 * p->storageBufferDescriptorSize);
	CHECK(offset_of(r, 3, 7) == 0 && offset_of(r, 3, UINT32_MAX) == 0); /* which it does not have */
	CHECK(size_of(r, 0) <= DESCRIPTORS / 2 && size_of(r, 3) <= DESCRIPTORS / 2);
	CHECK(p->descriptorBufferOffsetAlignment <= DESCRIPTORS / 2 && p->bufferlessPushDescriptors);
}

static void get(struct rig *r, VkDescriptorType type, VkDescriptorDataEXT data, size_t size, void *to)
{
	const VkDescriptorGetInfoEXT info = { VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, NULL, type, data };
	FN(&r->vk, vkGetDescriptorEXT)(r->vk.device, &info, size, to);
}

static VkDescriptorAddressInfoEXT at(VkDeviceAddress address, VkDeviceSize range)
{
	return (VkDescriptorAddressInfoEXT){ VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT, NULL, address, range,
		VK_FORMAT_R32_UINT };
}

/* The number of bytes that differ from `byte`, and the last one that does. */
static size_t others(const uint8_t *bytes, size_t n, uint8_t byte, size_t *end)
{
	size_t count = 0;
	*end = 0;
	for (size_t i = 0; i < n; i++)
		if (bytes[i] != byte) {
			count++;
			*end = i + 1;
		}
	return count;
}

/* No byte beyond what is asked for; what no descriptor can be is a null one. */
static void descriptors(struct rig *r)
{
	const VkPhysicalDeviceDescriptorBufferPropertiesEXT *p = &r->props;
	const VkDescriptorImageInfo image = { r->samplers[1], r->view, VK_IMAGE_LAYOUT_GENERAL };
	VkDescriptorAddressInfoEXT buffer = at(r->address, 64), odd = buffer, null = at(0, VK_WHOLE_SIZE);
	const struct { VkDescriptorType type; VkDescriptorDataEXT data; size_t size; bool null; } cases[] = {
		{ VK_DESCRIPTOR_TYPE_SAMPLER, { .pSampler = &r->samplers[1] }, p->samplerDescriptorSize, false },
		{ VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, { .pCombinedImageSampler = &image },
			p->combinedImageSamplerDescriptorSize, false },
		{ VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, { .pSampledImage = &image }, p->sampledImageDescriptorSize, false },
		{ VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, { .pStorageImage = &image }, p->storageImageDescriptorSize, false },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, { .pStorageBuffer = &buffer }, p->storageBufferDescriptorSize, false },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, { .pUniformTexelBuffer = &buffer }, p->uniformTexelBufferDescriptorSize,
			false },
		{ VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, { .pSampledImage = NULL }, p->sampledImageDescriptorSize, true },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, { .pUniformBuffer = NULL }, p->uniformBufferDescriptorSize, true },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, { .pStorageBuffer = &null }, p->storageBufferDescriptorSize, true },
		{ VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, { .pStorageTexelBuffer = &odd }, p->storageTexelBufferDescriptorSize, true },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, { .pStorageBuffer = &buffer }, 16, true },
		{ (VkDescriptorType)12345, { .pStorageBuffer = &buffer }, 16, true },
	};
	odd.format = (VkFormat)123456;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint8_t bytes[256];
		size_t end, few = cases[i].size / 2;
		memset(bytes, 0xa5, sizeof bytes);
		get(r, cases[i].type, cases[i].data, cases[i].size, bytes);
		others(bytes, sizeof bytes, 0xa5, &end);
		EXPECT(end <= cases[i].size, "case %zu: %zu bytes of %zu", i, end, cases[i].size);
		EXPECT((others(bytes, cases[i].size, 0, &end) == 0) == cases[i].null, "case %zu: null or not", i);
		memset(bytes, 0xa5, sizeof bytes);
		get(r, cases[i].type, cases[i].data, few, bytes);
		others(bytes, sizeof bytes, 0xa5, &end);
		EXPECT(end <= few, "case %zu: %zu bytes, asked for %zu", i, end, few);
	}
}

static void fill_sets(struct rig *r)
{
	const VkPhysicalDeviceDescriptorBufferPropertiesEXT *p = &r->props;
	uint8_t *first = (uint8_t *)r->d[0].map + p->descriptorBufferOffsetAlignment, *last = r->d[1].map;
	VkDescriptorAddressInfoEXT out = at(r->address + OUT, 4 * LANES), uniform = at(r->address + UNIFORM, 16);
	VkDescriptorAddressInfoEXT texels = at(r->address + TEXELS, 16), data[3] = { at(r->address + DATA, 4),
		at(r->address + DATA + 64, 4), at(0, VK_WHOLE_SIZE) };
	const VkDescriptorImageInfo image = { r->samplers[0], r->view, VK_IMAGE_LAYOUT_GENERAL };
	const uint32_t words[12] = { [1] = 1, [5] = 2, [11] = 40 };
	const size_t combined = p->combinedImageSamplerDescriptorSize;
	get(r, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, (VkDescriptorDataEXT){ .pStorageBuffer = &out }, p->storageBufferDescriptorSize,
		first + offset_of(r, 0, 0));
	memcpy(first + offset_of(r, 0, 1), words, sizeof words);
	get(r, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, (VkDescriptorDataEXT){ .pUniformBuffer = &uniform },
		p->uniformBufferDescriptorSize, first + offset_of(r, 0, 2));
	get(r, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, (VkDescriptorDataEXT){ .pUniformTexelBuffer = &texels },
		p->uniformTexelBufferDescriptorSize, first + offset_of(r, 0, 2) + p->uniformBufferDescriptorSize);
	get(r, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, (VkDescriptorDataEXT){ .pSampledImage = &image }, p->sampledImageDescriptorSize,
		last + offset_of(r, 3, 0));
	for (uint32_t i = 0; i < 2; i++)
		get(r, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, (VkDescriptorDataEXT){ .pCombinedImageSampler = &image }, combined,
			last + offset_of(r, 3, 1) + i * combined);
	for (uint32_t i = 0; i < 3; i++)
		get(r, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, (VkDescriptorDataEXT){ .pStorageBuffer = &data[i] },
			p->storageBufferDescriptorSize, last + offset_of(r, 3, 2) + i * p->storageBufferDescriptorSize);
}

/* What the layout does not have, and buffers that are not bound. */
static void bad_offsets(struct rig *r, VkCommandBuffer cmd)
{
	struct vk *vk = &r->vk;
	const VkPipelineBindPoint cs = VK_PIPELINE_BIND_POINT_COMPUTE;
	const uint32_t unbound[2] = { 2, UINT32_MAX };
	const VkDeviceSize offsets[2] = { 0, 0 };
	FN(vk, vkCmdSetDescriptorBufferOffsetsEXT)(cmd, cs, r->layout, 0, 2, unbound, offsets);
	FN(vk, vkCmdSetDescriptorBufferOffsetsEXT)(cmd, cs, r->layout, SETS, 2, unbound, offsets);
	FN(vk, vkCmdSetDescriptorBufferOffsetsEXT)(cmd, cs, r->layout, UINT32_MAX, 2, (uint32_t[2]){ 0, 0 }, offsets);
	FN(vk, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)(cmd, cs, r->layout, SETS);
	FN(vk, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)(cmd, cs, r->layout, UINT32_MAX);
}

/* The set 0 is at `offset`. */
static VkCommandBuffer record(struct rig *r, VkDeviceSize offset)
{
	struct vk *vk = &r->vk;
	const VkPipelineBindPoint cs = VK_PIPELINE_BIND_POINT_COMPUTE;
	VkDescriptorBufferBindingInfoEXT infos[100];
	for (uint32_t i = 0; i < 100; i++) /* many more than can be: the others are left out */
		infos[i] = (VkDescriptorBufferBindingInfoEXT){ .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
			.address = r->descriptors[i == 1], .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT };
	const VkDescriptorBufferInfo pushed = { r->b.buffer, PUSHED, 16 };
	const VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .pBufferInfo = &pushed };
	const VkDeviceSize zero = 0;
	VkCommandBuffer cmd = vk_begin(&r->vk, r->commands);
	FN(vk, vkCmdBindPipeline)(cmd, cs, r->pipeline);
	FN(vk, vkCmdBindDescriptorBuffersEXT)(cmd, 100, infos);
	FN(vk, vkCmdBindDescriptorBuffersEXT)(cmd, 2, infos);
	FN(vk, vkCmdSetDescriptorBufferOffsetsEXT)(cmd, cs, r->layout, 0, 1, (uint32_t[1]){ 0 }, &offset);
	FN(vk, vkCmdSetDescriptorBufferOffsetsEXT)(cmd, cs, r->layout, 3, 1, (uint32_t[1]){ 1 }, &zero);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, cs, r->layout, 1, 1, &write);
	FN(vk, vkCmdBindDescriptorBufferEmbeddedSamplersEXT)(cmd, cs, r->layout, 2);
	bad_offsets(r, cmd);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	return cmd;
}

static VkResult submit(struct vk *vk, VkCommandBuffer cmd)
{
	const VkSubmitInfo info = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &info, VK_NULL_HANDLE));
	return FN(vk, vkQueueWaitIdle)(vk->queue);
}

static void dispatch(struct rig *r)
{
	VkCommandBuffer cmd = record(r, r->props.descriptorBufferOffsetAlignment);
	fill_sets(r); /* only now */
	OK(submit(&r->vk, cmd));
	const uint32_t *out = (const uint32_t *)r->b.map + OUT / 4;
	for (uint32_t lane = 0; lane < LANES; lane++) {
		uint32_t i = lane % 3, want = 1 + (lane & 1) + 40 + 500 + 3000 + 7 * (lane & 3) + 10 * (i == 2 ? 0 : 1 + i) + 6000;
		EXPECT(out[lane] == want, "lane %u: %u, not %u", lane, out[lane], want);
	}
}

/* Dynamic buffers have their place in no set. */
static void refused(struct rig *r)
{
	struct vk *vk = &r->vk;
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_ALL, NULL };
	const VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT, .bindingCount = 1, .pBindings = &binding };
	VkDescriptorSetLayoutSupport support = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_SUPPORT };
	VkDescriptorSetLayout set;
	FN(vk, vkGetDescriptorSetLayoutSupport)(vk->device, &info, &support);
	CHECK(!support.supported && FN(vk, vkCreateDescriptorSetLayout)(vk->device, &info, NULL, &set) < 0);
}

static void start(struct rig *r)
{
	static const char *const names[] = { VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
		VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME, VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME,
		VK_EXT_INLINE_UNIFORM_BLOCK_EXTENSION_NAME, VK_KHR_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
		VK_EXT_ROBUSTNESS_2_EXTENSION_NAME, VK_KHR_SYNCHRONIZATION_2_EXTENSION_NAME };
	struct vk *vk = &r->vk;
	*r = (struct rig){ .props = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT } };
	VkPhysicalDeviceProperties2 all = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &r->props, { 0 } };
	vk_open(vk);
	OK(vk_instance(vk, NULL));
	OK(vk_device_with(vk, NULL, names, sizeof names / sizeof names[0]));
	IFN(vk, vkGetPhysicalDeviceProperties2)(vk->physical, &all);
	make_buffers(r);
	make_image(r);
	make_layouts(r);
}

static void stop(struct rig *r)
{
	struct vk *vk = &r->vk;
	FN(vk, vkDestroyCommandPool)(vk->device, r->commands, NULL);
	FN(vk, vkDestroyPipeline)(vk->device, r->pipeline, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, r->layout, NULL);
	for (int i = 0; i < SETS; i++)
		FN(vk, vkDestroyDescriptorSetLayout)(vk->device, r->sets[i], NULL);
	for (int i = 0; i < 2; i++) {
		FN(vk, vkDestroySampler)(vk->device, r->samplers[i], NULL);
		vk_buffer_free(vk, &r->d[i]);
	}
	FN(vk, vkDestroyImageView)(vk->device, r->view, NULL);
	FN(vk, vkDestroyImage)(vk->device, r->image, NULL);
	FN(vk, vkFreeMemory)(vk->device, r->memory, NULL);
	vk_buffer_free(vk, &r->b);
	vk_stop(vk);
}

static uint32_t random_of(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	return *state ^= *state << 5;
}

/* Some bits of what is right, or nothing that is. */
static void damage(uint8_t *bytes, uint32_t n, uint32_t *state)
{
	if (random_of(state) % 4 == 0)
		for (uint32_t i = 0; i < n; i++)
			bytes[i] = (uint8_t)random_of(state);
	for (uint32_t i = random_of(state) % 8; i; i--)
		bytes[random_of(state) % n] ^= (uint8_t)(1u << random_of(state) % 8);
}

static void nonsense(uint32_t rounds, uint32_t seed)
{
	for (uint32_t i = 0; i < rounds; i++) {
		uint32_t state = (seed + i) * 2654435761u | 1;
		struct rig r;
		start(&r);
		fill_sets(&r);
		VkDeviceSize offset = r.props.descriptorBufferOffsetAlignment;
		damage((uint8_t *)r.d[0].map + offset, (uint32_t)size_of(&r, 0), &state);
		damage(r.d[1].map, (uint32_t)size_of(&r, 3), &state);
		if (i % 8 == 0)
			offset = (VkDeviceSize)random_of(&state) << (16 + i % 24);
		VkResult result = submit(&r.vk, record(&r, offset));
		CHECK(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST, "seed %u: %d", seed + i, result);
		stop(&r);
	}
}

int main(int argc, char **argv)
{
	struct rig r;
	start(&r);
	layouts(&r);
	descriptors(&r);
	dispatch(&r);
	refused(&r);
	stop(&r);
	nonsense(argc > 1 ? (uint32_t)atoi(argv[1]) : 16, argc > 2 ? (uint32_t)atoi(argv[2]) : 1);
	return failures != 0;
}
