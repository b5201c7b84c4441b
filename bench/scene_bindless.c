/* SPDX-License-Identifier: MIT */
/* Many textures in one array. */
#include "bench/bench.h"

#include <math.h>

#include "bindless_comp.h"

enum { TEXTURES = 1024, TEXTURE_SIZE = 16, GROUPS = 128, INVOCATIONS = 64 * GROUPS, FETCHES = 8 };

/* A multiple of 1/255, RGBA8. */
static uint32_t texel(uint32_t texture, uint32_t x, uint32_t y)
{
	uint32_t h = (texture * TEXTURE_SIZE + y) * TEXTURE_SIZE + x;
	h = (h ^ h >> 15) * 0x2c1b3c6du;
	return h ^ h >> 13;
}

static void make_textures(struct bench *b, VkDescriptorImageInfo *infos)
{
	const struct vh_image_info info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = TEXTURE_SIZE,
		.height = TEXTURE_SIZE, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	for (uint32_t t = 0; t < TEXTURES; t++) {
		uint32_t texels[TEXTURE_SIZE][TEXTURE_SIZE];
		const struct vh_image image = vh_make_image(&b->vh, &info);
		for (uint32_t y = 0; y < TEXTURE_SIZE; y++)
			for (uint32_t x = 0; x < TEXTURE_SIZE; x++)
				texels[y][x] = texel(t, x, y);
		vh_upload(&b->vh, &image, 0, 0, texels, sizeof texels, VK_IMAGE_LAYOUT_UNDEFINED,
			VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
		infos[t] = (VkDescriptorImageInfo){ .imageView = image.view,
			.imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL };
	}
}

static VkDescriptorSet make_set(struct bench *b)
{
	static const VkDescriptorPoolSize sizes[] = { { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, TEXTURES },
		{ VK_DESCRIPTOR_TYPE_SAMPLER, 1 }, { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 } };
	const VkDescriptorPoolCreateInfo info = { VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
		.poolSizeCount = 3, .pPoolSizes = sizes };
	VkDescriptorSetAllocateInfo allocate = { VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1, .pSetLayouts = &b->layout.set };
	VkDescriptorSet set;
	vh_check(vkCreateDescriptorPool(b->vh.device, &info, NULL, &allocate.descriptorPool), "vkCreateDescriptorPool");
	vh_keep(&b->vh, VK_OBJECT_TYPE_DESCRIPTOR_POOL, (uint64_t)allocate.descriptorPool);
	vh_check(vkAllocateDescriptorSets(b->vh.device, &allocate, &set), "vkAllocateDescriptorSets");
	return set;
}

static void bindless_setup(struct bench *b)
{
	static VkDescriptorImageInfo infos[TEXTURES];
	static const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, TEXTURES, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	const struct vh_sampler_info nearest = { .filter = VK_FILTER_NEAREST };
	if (b->vh.properties.limits.maxPerStageDescriptorSampledImages < TEXTURES)
		vh_lacks("%d sampled images in a stage", (int)TEXTURES);
	b->layout = vh_make_layout(&b->vh, bindings, 3, 0, 0);
	b->set = make_set(b);
	make_textures(b, infos);
	const VkWriteDescriptorSet write = { VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = b->set,
		.descriptorCount = TEXTURES, .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, .pImageInfo = infos };
	vkUpdateDescriptorSets(b->vh.device, 1, &write, 0, NULL);
	vh_set_image(&b->vh, b->set, 1, VK_DESCRIPTOR_TYPE_SAMPLER, VK_NULL_HANDLE, vh_make_sampler(&b->vh, &nearest), 0);
	b->result = vh_make_buffer(&b->vh, INVOCATIONS * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, NULL);
	vh_set_buffer(&b->vh, b->set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &b->result);
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline,
		vh_make_shader(&b->vh, bindless_comp, sizeof bindless_comp));
}

static void bindless_record(struct bench *b, VkCommandBuffer commands)
{
	bench_run_kernel(b, commands, GROUPS, 1, NULL, 0);
}

static void bindless_check(const struct bench *b)
{
	const float *got = b->result.map;
	for (uint32_t i = 0; i < INVOCATIONS; i += 3) {
		uint32_t hash = i;
		float sum = 0;
		for (int k = 0; k < FETCHES; k++) {
			hash = hash * 1664525u + 1013904223u;
			const uint32_t t = texel(hash >> 22, hash >> 8 & 15, hash >> 12 & 15);
			sum += (float)(t & 255) / 255 + (float)(t >> 8 & 255) * 2 / 255 + (float)(t >> 16 & 255) * 4 / 255;
		}
		if (!(fabsf(got[i] - sum) < 1e-3f))
			vh_fail("wrong result: invocation %u gives %.6f, not %.6f", i, (double)got[i], (double)sum);
	}
}

static const struct vh_wants bindless_wants = { .version = VK_API_VERSION_1_2,
	.v12.shaderSampledImageArrayNonUniformIndexing = VK_TRUE, .core.shaderSampledImageArrayDynamicIndexing = VK_TRUE,
	.names = "shaderSampledImageArrayNonUniformIndexing" };
const struct bench_scene bench_bindless = { .name = "bindless", .unit = "Mtexel/s",
	.what = "nearest texels of 1,024 textures, each lane with its own",
	.wants = &bindless_wants, .setup = bindless_setup, .record = bindless_record,
	.work = 1e-6 * INVOCATIONS * FETCHES, .check = bindless_check };
