/* SPDX-License-Identifier: MIT */
/* Objects, each by itself where the bytes and what lives already allow it. */
#include "tests/fuzz/api.h"

static const uint32_t sizes[] = { 256, 1024, 4096, 65536 };
static const uint32_t edges[] = { 1, 16, 64, 65 };

static int allocate(struct session *s, VkMemoryRequirements r)
{
	VkMemoryAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = r.size };
	VkDeviceMemory memory;
	expect(s, CALL(s, vkAllocateMemory)(s->vk.device, &info, NULL, &memory), "vkAllocateMemory");
	int i = add_object(s, MEMORY, memory);
	s->object[i].size = r.size;
	return i;
}

/* New memory for the object; for a buffer, now and then what another has. */
static int memory_for(struct session *s, VkMemoryRequirements r, bool share)
{
	int old = share ? choose(s, MEMORY, -1) : NO_OBJECT;
	return old != NO_OBJECT && s->object[old].size >= r.size ? old : allocate(s, r);
}

static void create_buffer(struct session *s)
{
	VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = sizes[input_pick(s->in, 4)],
		.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
			VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
			VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
			VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT };
	VkMemoryRequirements r;
	VkBuffer buffer;
	if (!has_room(s, 0) || s->objects + 2 > MAX_OBJECTS)
		return;
	expect(s, CALL(s, vkCreateBuffer)(s->vk.device, &info, NULL, &buffer), "vkCreateBuffer");
	CALL(s, vkGetBufferMemoryRequirements)(s->vk.device, buffer, &r);
	int memory = memory_for(s, r, input_pick(s->in, 4) == 0);
	expect(s, CALL(s, vkBindBufferMemory)(s->vk.device, buffer, HANDLE(s, memory, VkDeviceMemory), 0), "vkBindBufferMemory");
	int i = add_object(s, BUFFER, buffer);
	s->object[i].size = info.size;
	add_dep(s, i, memory);
}

static void create_buffer_view(struct session *s)
{
	int buffer = choose(s, BUFFER, -1);
	VkBufferView view;
	if (buffer == NO_OBJECT)
		return;
	VkBufferViewCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
		.buffer = HANDLE(s, buffer, VkBuffer), .format = VK_FORMAT_R32_UINT, .range = VK_WHOLE_SIZE };
	expect(s, CALL(s, vkCreateBufferView)(s->vk.device, &info, NULL, &view), "vkCreateBufferView");
	add_dep(s, add_object(s, BUFFER_VIEW, view), buffer);
}

static VkFormat image_format(unsigned variant)
{
	return variant == COLOR_IMAGE ? VK_FORMAT_R8G8B8A8_UNORM : variant == STORAGE_IMAGE ? VK_FORMAT_R32_UINT :
		VK_FORMAT_D32_SFLOAT_S8_UINT;
}

static void create_image(struct session *s)
{
	static const VkImageUsageFlags usages[] = { VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
		VK_IMAGE_USAGE_STORAGE_BIT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT };
	unsigned variant = input_pick(s->in, 3), samples = variant != STORAGE_IMAGE && input_pick(s->in, 4) == 0 ? 4 : 1;
	VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = image_format(variant), .mipLevels = 1, .arrayLayers = 1, .samples = samples,
		.extent = { edges[input_pick(s->in, 4)], edges[input_pick(s->in, 4)], 1 },
		.usage = usages[variant] | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	VkMemoryRequirements r;
	VkImage image;
	if (!has_room(s, 0) || s->objects + 2 > MAX_OBJECTS)
		return;
	expect(s, CALL(s, vkCreateImage)(s->vk.device, &info, NULL, &image), "vkCreateImage");
	CALL(s, vkGetImageMemoryRequirements)(s->vk.device, image, &r);
	int memory = allocate(s, r);
	expect(s, CALL(s, vkBindImageMemory)(s->vk.device, image, HANDLE(s, memory, VkDeviceMemory), 0), "vkBindImageMemory");
	int i = add_object(s, IMAGE, image);
	s->object[i].variant = variant;
	s->object[i].samples = samples;
	s->object[i].width = info.extent.width;
	s->object[i].height = info.extent.height;
	add_dep(s, i, memory);
}

static void create_image_view(struct session *s)
{
	int image = choose(s, IMAGE, -1);
	VkImageView view;
	if (image == NO_OBJECT)
		return;
	unsigned variant = s->object[image].variant;
	VkImageViewCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.image = HANDLE(s, image, VkImage), .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image_format(variant),
		.subresourceRange = { variant == DEPTH_IMAGE ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT :
			VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	expect(s, CALL(s, vkCreateImageView)(s->vk.device, &info, NULL, &view), "vkCreateImageView");
	int i = add_object(s, IMAGE_VIEW, view);
	s->object[i].variant = variant;
	s->object[i].samples = s->object[image].samples;
	s->object[i].width = s->object[image].width;
	s->object[i].height = s->object[image].height;
	add_dep(s, i, image);
}

static void create_sampler(struct session *s)
{
	VkFilter filter = input_pick(s->in, 2) ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
	VkSamplerCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = filter,
		.minFilter = filter, .addressModeU = (VkSamplerAddressMode)input_pick(s->in, 4) };
	VkSampler sampler;
	expect(s, CALL(s, vkCreateSampler)(s->vk.device, &info, NULL, &sampler), "vkCreateSampler");
	add_object(s, SAMPLER, sampler);
}

/* One shape for all; variant 1 with an immutable sampler. */
static void create_set_layout(struct session *s)
{
	int immutable = input_pick(s->in, 3) ? NO_OBJECT : choose(s, SAMPLER, -1);
	VkSampler sampler = immutable == NO_OBJECT ? VK_NULL_HANDLE : HANDLE(s, immutable, VkSampler);
	VkShaderStageFlags both = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
	const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, both, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, both, sampler ? &sampler : NULL },
		{ 2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, both, NULL },
		{ 3, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, both, NULL },
		{ 4, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, both, NULL } };
	VkDescriptorSetLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 5, .pBindings = bindings };
	VkDescriptorSetLayout layout;
	expect(s, CALL(s, vkCreateDescriptorSetLayout)(s->vk.device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
	int i = add_object(s, SET_LAYOUT, layout);
	s->object[i].variant = sampler != VK_NULL_HANDLE;
	if (sampler)
		add_dep(s, i, immutable);
}

static void create_layout(struct session *s)
{
	int set = choose(s, SET_LAYOUT, -1);
	VkPipelineLayout layout;
	if (set == NO_OBJECT)
		return;
	VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4 };
	VkPipelineLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &(VkDescriptorSetLayout){ HANDLE(s, set, VkDescriptorSetLayout) },
		.pushConstantRangeCount = 1, .pPushConstantRanges = &push };
	expect(s, CALL(s, vkCreatePipelineLayout)(s->vk.device, &info, NULL, &layout), "vkCreatePipelineLayout");
	int i = add_object(s, LAYOUT, layout);
	s->object[i].variant = s->object[set].variant;
	if (s->object[i].variant) /* compatible only with itself */
		add_dep(s, i, set);
}

static void create_set_pool(struct session *s)
{
	static const VkDescriptorPoolSize room[] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8 },
		{ VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 8 }, { VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 8 },
		{ VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 8 }, { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 8 } };
	VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 8,
		.flags = input_pick(s->in, 2) ? VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT : 0,
		.poolSizeCount = 5, .pPoolSizes = room };
	VkDescriptorPool pool;
	expect(s, CALL(s, vkCreateDescriptorPool)(s->vk.device, &info, NULL, &pool), "vkCreateDescriptorPool");
	int i = add_object(s, SET_POOL, pool);
	s->object[i].flags = info.flags;
	s->object[i].size = 0; /* sets taken since it was reset; fragments are not counted on */
}

static void create_set(struct session *s)
{
	int pool = choose(s, SET_POOL, -1), layout = choose(s, SET_LAYOUT, -1);
	VkDescriptorSet set;
	if (pool == NO_OBJECT || layout == NO_OBJECT || s->object[pool].size == 8)
		return;
	VkDescriptorSetAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = HANDLE(s, pool, VkDescriptorPool), .descriptorSetCount = 1,
		.pSetLayouts = &(VkDescriptorSetLayout){ HANDLE(s, layout, VkDescriptorSetLayout) } };
	expect(s, CALL(s, vkAllocateDescriptorSets)(s->vk.device, &info, &set), "vkAllocateDescriptorSets");
	s->object[pool].size++;
	int i = add_object(s, SET, set);
	s->object[i].variant = s->object[layout].variant;
	s->object[i].owner = pool;
	s->object[i].state = 0; /* 1: written */
	s->object[i].size = (uint64_t)layout;
	add_dep(s, i, layout); /* vkUpdateDescriptorSets wants it alive */
}

/* Writes all of a set, at which command buffers that it is bound in become invalid. */
void update_set(struct session *s)
{
	int sets[MAX_OBJECTS], count = 0;
	for (int i = 0; i < s->objects; i++)
		if (s->object[i].kind == SET && s->object[i].handle && usable(s, (int)s->object[i].size) && !busy(s, i))
			sets[count++] = i;
	int buffer = choose(s, BUFFER, -1), view = choose(s, IMAGE_VIEW, COLOR_IMAGE), storage = choose(s, IMAGE_VIEW, STORAGE_IMAGE);
	int sampler = choose(s, SAMPLER, -1), texels = choose(s, BUFFER_VIEW, -1), block = choose(s, BUFFER, -1);
	if (!count || buffer == NO_OBJECT || view == NO_OBJECT || storage == NO_OBJECT || sampler == NO_OBJECT ||
		texels == NO_OBJECT || s->object[view].samples > 1)
		return;
	/* What a shader writes, no other wave may read meanwhile. */
	int written = s->object[buffer].deps[0].object;
	if (s->object[block].deps[0].object == written ||
		s->object[s->object[texels].deps[0].object].deps[0].object == written)
		return;
	int set = sets[input_pick(s->in, count < 256 ? (uint32_t)count : 256)];
	VkDescriptorBufferInfo data = { HANDLE(s, buffer, VkBuffer), 0, VK_WHOLE_SIZE };
	VkDescriptorBufferInfo small = { HANDLE(s, block, VkBuffer), 0, 16 };
	VkDescriptorImageInfo image = { HANDLE(s, sampler, VkSampler), HANDLE(s, view, VkImageView), VK_IMAGE_LAYOUT_GENERAL };
	VkDescriptorImageInfo target = { VK_NULL_HANDLE, HANDLE(s, storage, VkImageView), VK_IMAGE_LAYOUT_GENERAL };
	VkBufferView texel_view = HANDLE(s, texels, VkBufferView);
	VkWriteDescriptorSet writes[] = {
		{ .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &data },
		{ .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .pImageInfo = &image },
		{ .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, .pImageInfo = &target },
		{ .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, .pTexelBufferView = &texel_view },
		{ .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, .pBufferInfo = &small } };
	for (uint32_t b = 0; b < 5; b++) {
		writes[b].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
		writes[b].dstSet = HANDLE(s, set, VkDescriptorSet);
		writes[b].dstBinding = b;
		writes[b].descriptorCount = 1;
	}
	CALL(s, vkUpdateDescriptorSets)(s->vk.device, 5, writes, 0, NULL);
	s->object[set].version++;
	s->object[set].state = 1;
	s->object[set].dep_count = 0;
	const int now[] = { (int)s->object[set].size, buffer, view, storage, sampler, texels, block };
	for (int i = 0; i < 7; i++)
		add_dep(s, set, now[i]);
}

static void create_cmd_pool(struct session *s)
{
	VkCommandPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = input_pick(s->in, 3) ? VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT : 0 };
	VkCommandPool pool;
	expect(s, CALL(s, vkCreateCommandPool)(s->vk.device, &info, NULL, &pool), "vkCreateCommandPool");
	s->object[add_object(s, CMD_POOL, pool)].flags = info.flags;
}

static void create_cmd(struct session *s)
{
	int pool = choose(s, CMD_POOL, -1);
	VkCommandBuffer cmd;
	if (pool == NO_OBJECT)
		return;
	VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = HANDLE(s, pool, VkCommandPool), .commandBufferCount = 1 };
	expect(s, CALL(s, vkAllocateCommandBuffers)(s->vk.device, &info, &cmd), "vkAllocateCommandBuffers");
	s->object[add_object(s, CMD, cmd)].owner = pool;
}

static void create_sync(struct session *s, enum kind kind)
{
	VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkSemaphoreCreateInfo semaphore = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkEventCreateInfo event = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	VkQueryPoolCreateInfo queries = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryCount = QUERY_COUNT,
		.queryType = input_pick(s->in, 2) ? VK_QUERY_TYPE_OCCLUSION : VK_QUERY_TYPE_TIMESTAMP };
	union { VkFence fence; VkSemaphore semaphore; VkEvent event; VkQueryPool queries; void *any; } made;
	VkResult result;
	if (kind == FENCE)
		result = CALL(s, vkCreateFence)(s->vk.device, &fence, NULL, &made.fence);
	else if (kind == SEMAPHORE)
		result = CALL(s, vkCreateSemaphore)(s->vk.device, &semaphore, NULL, &made.semaphore);
	else if (kind == EVENT)
		result = CALL(s, vkCreateEvent)(s->vk.device, &event, NULL, &made.event);
	else
		result = CALL(s, vkCreateQueryPool)(s->vk.device, &queries, NULL, &made.queries);
	expect(s, result, "vkCreate of a fence, semaphore, event or query pool");
	s->object[add_object(s, kind, made.any)].variant = kind == QUERIES && queries.queryType == VK_QUERY_TYPE_OCCLUSION;
}

static void create_cache(struct session *s)
{
	VkPipelineCacheCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	VkPipelineCache cache;
	expect(s, CALL(s, vkCreatePipelineCache)(s->vk.device, &info, NULL, &cache), "vkCreatePipelineCache");
	add_object(s, CACHE, cache);
}

/* What others need comes before them, what is needed most more often. */
static void (*const create[])(struct session *) = { create_buffer, create_buffer, create_buffer, create_buffer_view,
	create_image, create_image, create_image, create_image_view, create_image_view, create_image_view, create_sampler,
	create_set_layout, create_layout, create_set_pool, create_set, update_set, create_module, create_module,
	create_module, create_pass, create_framebuffer, create_framebuffer, create_pipeline, create_pipeline, create_pipeline,
	create_cmd_pool, create_cmd, create_cmd, create_cache };
enum { CREATORS = sizeof create / sizeof *create };

void create_basics(struct session *s)
{
	for (int i = 0; i < CREATORS; i++)
		create[i](s);
	create_sync(s, FENCE);
	create_sync(s, SEMAPHORE);
}

void create_something(struct session *s)
{
	static const enum kind sync[] = { FENCE, SEMAPHORE, EVENT, QUERIES };
	uint32_t which = input_pick(s->in, CREATORS + 4);
	if (!has_room(s, 0) || s->objects + 2 > MAX_OBJECTS)
		return;
	if (which < CREATORS)
		create[which](s);
	else
		create_sync(s, sync[which - CREATORS]);
}
