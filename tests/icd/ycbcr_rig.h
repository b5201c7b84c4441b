/* SPDX-License-Identifier: MIT */
/* Images of Y'CbCr for tests: what the formats are, told once more than in icd/format.c; codes into their memory; and
 * a compute shader that samples them through a conversion. */
#ifndef TESTS_ICD_YCBCR_RIG_H
#define TESTS_ICD_YCBCR_RIG_H

#include "harness.h"
#include "ycbcr_comp.h"

/* Planes 1: pairs of texels in memory order, G first (1) or second (2); or order: 3 or 4, components of a texel, R first. */
struct ycc_format { VkFormat format; const char *name; uint8_t planes, half_x, half_y, bits, order; };
#define YCC(format, ...) { VK_FORMAT_##format, #format, __VA_ARGS__ }
#define YCC_PLANAR(bits, g, b, r, br, pack) \
	YCC(g##_##b##_##r##_3PLANE_420_UNORM##pack, 3, 1, 1, bits), YCC(g##_##br##_2PLANE_420_UNORM##pack, 2, 1, 1, bits), \
	YCC(g##_##b##_##r##_3PLANE_422_UNORM##pack, 3, 1, 0, bits), YCC(g##_##br##_2PLANE_422_UNORM##pack, 2, 1, 0, bits), \
	YCC(g##_##b##_##r##_3PLANE_444_UNORM##pack, 3, 0, 0, bits), YCC(g##_##br##_2PLANE_444_UNORM##pack, 2, 0, 0, bits)
static const struct ycc_format ycc_formats[] = {
	YCC_PLANAR(8, G8, B8, R8, B8R8, ),
	YCC(G8B8G8R8_422_UNORM, 1, 1, 0, 8, 1), YCC(B8G8R8G8_422_UNORM, 1, 1, 0, 8, 2),
	YCC_PLANAR(10, G10X6, B10X6, R10X6, B10X6R10X6, _3PACK16),
	YCC(G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, 1, 1, 0, 10, 1), YCC(B10X6G10X6R10X6G10X6_422_UNORM_4PACK16, 1, 1, 0, 10, 2),
	YCC_PLANAR(12, G12X4, B12X4, R12X4, B12X4R12X4, _3PACK16),
	YCC(G12X4B12X4G12X4R12X4_422_UNORM_4PACK16, 1, 1, 0, 12, 1), YCC(B12X4G12X4R12X4G12X4_422_UNORM_4PACK16, 1, 1, 0, 12, 2),
	YCC_PLANAR(16, G16, B16, R16, B16R16, ),
	YCC(G16B16G16R16_422_UNORM, 1, 1, 0, 16, 1), YCC(B16G16R16G16_422_UNORM, 1, 1, 0, 16, 2),
};
enum { YCC_FORMATS = sizeof ycc_formats / sizeof ycc_formats[0] };
/* Some that need no conversion, and may have one. */
static const struct ycc_format ycc_plain[] = {
	YCC(R8G8B8_UNORM, 1, 0, 0, 8, 3), YCC(R16G16B16_UNORM, 1, 0, 0, 16, 3), YCC(R8G8B8A8_UNORM, 1, 0, 0, 8, 4),
	YCC(R16G16B16A16_UNORM, 1, 0, 0, 16, 4), YCC(R10X6G10X6B10X6A10X6_UNORM_4PACK16, 1, 0, 0, 10, 4),
	YCC(R12X4G12X4B12X4A12X4_UNORM_4PACK16, 1, 0, 0, 12, 4),
};
enum { YCC_PLAIN = sizeof ycc_plain / sizeof ycc_plain[0] };

/* Codes: luma of each texel, chroma of each of its own, rows one after another. */
struct ycc_codes { uint32_t width, height; uint16_t *y, *cb, *cr; };

static inline struct ycc_codes ycc_codes_new(uint32_t width, uint32_t height)
{
	uint16_t *all = calloc(3 * (size_t)width * height, sizeof *all);
	CHECK(all);
	return (struct ycc_codes){ width, height, all, all + (size_t)width * height, all + 2 * (size_t)width * height };
}

/* Component c (0: Y', 1: Cb, 2: Cr) of an element, as it is stored; bits that are not used are not 0. */
static inline void ycc_put(const struct ycc_format *f, uint8_t *at, unsigned code)
{
	unsigned wide = f->bits == 8 || f->bits == 16 ? code : code << (16 - f->bits) | (code * 7 & ((1u << (16 - f->bits)) - 1));
	at[0] = (uint8_t)wide;
	if (f->bits > 8)
		at[1] = (uint8_t)(wide >> 8);
}

/* Row y of plane p to memory. */
static inline void ycc_row(const struct ycc_format *f, const struct ycc_codes *k, unsigned p, uint32_t y, uint8_t *row)
{
	unsigned step = f->bits > 8 ? 2 : 1;
	uint32_t chroma = k->width >> f->half_x;
	for (uint32_t x = 0; f->order > 2 && x < k->width; x++) {
		const size_t at = (size_t)y * k->width + x;
		const unsigned texel[4] = { k->cr[at], k->y[at], k->cb[at], (1u << f->bits) - 1 };
		for (unsigned c = 0; c < f->order; c++)
			ycc_put(f, row + (x * f->order + c) * step, texel[c]);
	}
	for (uint32_t x = 0; f->planes == 1 && f->order < 3 && x < k->width / 2; x++) {
		const uint16_t *luma = k->y + (size_t)y * k->width + 2 * x;
		size_t c = (size_t)y * chroma + x;
		unsigned first = f->order == 2; /* of luma, in components */
		ycc_put(f, row + (4 * x + first) * step, luma[0]);
		ycc_put(f, row + (4 * x + first + 2) * step, luma[1]);
		ycc_put(f, row + (4 * x + !first) * step, k->cb[c]);
		ycc_put(f, row + (4 * x + !first + 2) * step, k->cr[c]);
	}
	for (uint32_t x = 0; f->planes > 1 && x < (p ? chroma : k->width); x++) {
		size_t c = (size_t)y * chroma + x;
		if (!p)
			ycc_put(f, row + x * step, k->y[(size_t)y * k->width + x]);
		else if (f->planes == 3)
			ycc_put(f, row + x * step, p == 1 ? k->cb[c] : k->cr[c]);
		else {
			ycc_put(f, row + 2 * x * step, k->cb[c]);
			ycc_put(f, row + (2 * x + 1) * step, k->cr[c]);
		}
	}
}

/* --- images --- */

struct ycc_image { const struct ycc_format *f; VkImage image; VkDeviceMemory memory[3]; uint8_t *map[3]; };

static inline VkImageAspectFlagBits ycc_aspect(const struct ycc_format *f, unsigned p)
{
	return f->planes == 1 ? VK_IMAGE_ASPECT_COLOR_BIT : VK_IMAGE_ASPECT_PLANE_0_BIT << p;
}

/* Each plane in memory of its own, and not at its start. */
static inline void ycc_bind_disjoint(struct vk *vk, struct ycc_image *i)
{
	for (unsigned p = 0; p < i->f->planes; p++) {
		const VkImagePlaneMemoryRequirementsInfo plane = { VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, NULL,
			ycc_aspect(i->f, p) };
		const VkImageMemoryRequirementsInfo2 info = { VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, &plane, i->image };
		VkMemoryRequirements2 req = { .sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2 };
		FN(vk, vkGetImageMemoryRequirements2)(vk->device, &info, &req);
		VkDeviceSize offset = req.memoryRequirements.alignment * (3 - p);
		const VkMemoryAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
			.allocationSize = offset + req.memoryRequirements.size };
		OK(FN(vk, vkAllocateMemory)(vk->device, &alloc, NULL, &i->memory[p]));
		const VkBindImagePlaneMemoryInfo which = { VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL, ycc_aspect(i->f, p) };
		const VkBindImageMemoryInfo bind = { VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &which, i->image, i->memory[p], offset };
		OK(FN(vk, vkBindImageMemory2)(vk->device, 1, &bind));
		OK(FN(vk, vkMapMemory)(vk->device, i->memory[p], 0, VK_WHOLE_SIZE, 0, (void **)&i->map[p]));
		i->map[p] += offset;
	}
}

/* LINEAR, written by the host. */
static inline struct ycc_image ycc_image(struct vk *vk, const struct ycc_format *f, const struct ycc_codes *k, uint32_t layers,
	bool disjoint)
{
	struct ycc_image i = { .f = f };
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.flags = disjoint ? VK_IMAGE_CREATE_DISJOINT_BIT : 0, .format = f->format, .extent = { k->width, k->height, 1 },
		.mipLevels = 1, .arrayLayers = layers, .samples = 1, .tiling = VK_IMAGE_TILING_LINEAR,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT };
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &i.image));
	if (disjoint) {
		ycc_bind_disjoint(vk, &i);
	} else {
		VkMemoryAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
		VkMemoryRequirements req;
		FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
		alloc.allocationSize = req.size;
		OK(FN(vk, vkAllocateMemory)(vk->device, &alloc, NULL, &i.memory[0]));
		OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory[0], 0));
		OK(FN(vk, vkMapMemory)(vk->device, i.memory[0], 0, VK_WHOLE_SIZE, 0, (void **)&i.map[0]));
	}
	for (unsigned p = 0; p < f->planes; p++) {
		const VkImageSubresource last = { ycc_aspect(f, p), 0, layers - 1 };
		VkSubresourceLayout at;
		FN(vk, vkGetImageSubresourceLayout)(vk->device, i.image, &last, &at);
		for (uint32_t y = 0; y < k->height >> (p && f->half_y); y++)
			ycc_row(f, k, p, y, i.map[disjoint ? p : 0] + at.offset + y * at.rowPitch);
	}
	return i;
}

static inline void ycc_image_free(struct vk *vk, struct ycc_image *i)
{
	FN(vk, vkDestroyImage)(vk->device, i->image, NULL);
	for (int p = 0; p < 3; p++)
		FN(vk, vkFreeMemory)(vk->device, i->memory[p], NULL);
}

/* --- conversions --- */

struct ycc_conversion { VkSamplerYcbcrConversion conversion; VkSampler sampler; };

static inline struct ycc_conversion ycc_convert(struct vk *vk, const VkSamplerYcbcrConversionCreateInfo *info, VkFilter luma)
{
	struct ycc_conversion c;
	OK(FN(vk, vkCreateSamplerYcbcrConversion)(vk->device, info, NULL, &c.conversion));
	const VkSamplerYcbcrConversionInfo with = { VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, c.conversion };
	const VkSamplerAddressMode edge = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
	const VkSamplerCreateInfo sampler = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .pNext = &with, .magFilter = luma,
		.minFilter = luma, .addressModeU = edge, .addressModeV = edge, .addressModeW = edge };
	OK(FN(vk, vkCreateSampler)(vk->device, &sampler, NULL, &c.sampler));
	return c;
}

static inline void ycc_conversion_free(struct vk *vk, struct ycc_conversion *c)
{
	FN(vk, vkDestroySampler)(vk->device, c->sampler, NULL);
	FN(vk, vkDestroySamplerYcbcrConversion)(vk->device, c->conversion, NULL);
}

static inline VkImageView ycc_view(struct vk *vk, const struct ycc_image *i, const struct ycc_conversion *c, uint32_t layers)
{
	const VkSamplerYcbcrConversionInfo with = { VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, c->conversion };
	const VkImageViewCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .pNext = &with, .image = i->image,
		.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D, .format = i->f->format,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, layers } };
	VkImageView view;
	OK(FN(vk, vkCreateImageView)(vk->device, &info, NULL, &view));
	return view;
}

/* --- sampling --- */

struct ycc_rig {
	struct vk vk;
	struct vk_buffer in, out;      /* coordinates, two floats each; colours, four */
	uint32_t room;                 /* coordinates */
	VkShaderModule module;
	VkCommandPool commands;
	VkPipelineCache cache;         /* what differs in conversions alone must not be found in it */
};

static inline void ycc_start(struct ycc_rig *r, const uint32_t *words, size_t bytes, uint32_t room)
{
	struct vk *vk = &r->vk;
	const VkShaderModuleCreateInfo code = { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes,
		.pCode = words };
	const VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	r->room = room;
	r->in = vk_buffer(vk, room * 8ull, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	r->out = vk_buffer(vk, room * 16ull, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	OK(FN(vk, vkCreateShaderModule)(vk->device, &code, NULL, &r->module));
	const VkPipelineCacheCreateInfo cache = { .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &r->commands));
	OK(FN(vk, vkCreatePipelineCache)(vk->device, &cache, NULL, &r->cache));
}

static inline void ycc_stop(struct ycc_rig *r)
{
	struct vk *vk = &r->vk;
	FN(vk, vkDestroyPipelineCache)(vk->device, r->cache, NULL);
	FN(vk, vkDestroyCommandPool)(vk->device, r->commands, NULL);
	FN(vk, vkDestroyShaderModule)(vk->device, r->module, NULL);
	vk_buffer_free(vk, &r->in);
	vk_buffer_free(vk, &r->out);
}

/* Two sets: the first is written, the second copied from it and bound. */
static inline VkDescriptorPool ycc_sets(struct ycc_rig *r, VkDescriptorSetLayout layout, const VkDescriptorImageInfo *images,
	uint32_t count, uint32_t each, VkDescriptorSet sets[2])
{
	struct vk *vk = &r->vk;
	const VkDescriptorPoolSize sizes[] = { { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2 * count * each },
		{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4 } };
	const VkDescriptorPoolCreateInfo info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2,
		.poolSizeCount = 2, .pPoolSizes = sizes };
	VkDescriptorPool pool;
	OK(FN(vk, vkCreateDescriptorPool)(vk->device, &info, NULL, &pool));
	const VkDescriptorSetLayout layouts[2] = { layout, layout };
	const VkDescriptorSetAllocateInfo alloc = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool,
		.descriptorSetCount = 2, .pSetLayouts = layouts };
	OK(FN(vk, vkAllocateDescriptorSets)(vk->device, &alloc, sets));
	const VkDescriptorBufferInfo buffers[2] = { { r->in.buffer, 0, VK_WHOLE_SIZE }, { r->out.buffer, 0, VK_WHOLE_SIZE } };
	VkWriteDescriptorSet writes[3];
	VkCopyDescriptorSet copies[3];
	for (uint32_t b = 0; b < 3; b++) {
		writes[b] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = sets[0], .dstBinding = b,
			.descriptorCount = b ? 1 : count, .descriptorType = b ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER :
			VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .pImageInfo = images, .pBufferInfo = &buffers[b > 1] };
		copies[b] = (VkCopyDescriptorSet){ .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, .srcSet = sets[0], .srcBinding = b,
			.dstSet = sets[1], .dstBinding = b, .descriptorCount = b ? 1 : count };
	}
	FN(vk, vkUpdateDescriptorSets)(vk->device, 3, writes, 3, copies);
	return pool;
}

static inline void ycc_dispatch(struct ycc_rig *r, VkPipelineLayout layout, VkDescriptorSet set, uint32_t groups)
{
	struct vk *vk = &r->vk;
	VkPipeline pipeline;
	const VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = layout,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = r->module, .pName = "main" } };
	OK(FN(vk, vkCreateComputePipelines)(vk->device, r->cache, 1, &info, NULL, &pipeline));
	VkCommandBuffer cmd = vk_begin(vk, r->commands);
	const VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd };
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
	FN(vk, vkCmdBindDescriptorSets)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
	FN(vk, vkCmdDispatch)(cmd, groups, 1, 1);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
	OK(FN(vk, vkQueueSubmit)(vk->queue, 1, &submit, VK_NULL_HANDLE));
	OK(FN(vk, vkQueueWaitIdle)(vk->queue));
	FN(vk, vkFreeCommandBuffers)(vk->device, r->commands, 1, &cmd);
	FN(vk, vkDestroyPipeline)(vk->device, pipeline, NULL);
}

/* Samples at the first `count` coordinates of r->in; results in r->out.  `samplers` views and conversions make an
 * array; each: descriptors that one counts as. */
static inline void ycc_sample(struct ycc_rig *r, const VkImageView *views, const struct ycc_conversion *c, uint32_t samplers,
	uint32_t each, uint32_t count)
{
	struct vk *vk = &r->vk;
	const VkShaderStageFlags cs = VK_SHADER_STAGE_COMPUTE_BIT;
	VkSampler immutable[4];
	VkDescriptorImageInfo images[4];
	for (uint32_t i = 0; i < samplers; i++) {
		immutable[i] = c[i].sampler;
		images[i] = (VkDescriptorImageInfo){ c[i].sampler, views[i], VK_IMAGE_LAYOUT_GENERAL };
	}
	const VkDescriptorSetLayoutBinding bindings[] = {
		{ 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, samplers, cs, immutable },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, cs, NULL }, { 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, cs, NULL } };
	const VkDescriptorSetLayoutCreateInfo set = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 3, .pBindings = bindings };
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkDescriptorSet sets[2];
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &set, NULL, &set_layout));
	const VkPipelineLayoutCreateInfo info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
		.pSetLayouts = &set_layout };
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &info, NULL, &layout));
	VkDescriptorPool pool = ycc_sets(r, set_layout, images, samplers, each, sets);
	memset(r->out.map, 0xee, r->room * 16ull);
	ycc_dispatch(r, layout, sets[1], (count + 63) / 64);
	FN(vk, vkDestroyDescriptorPool)(vk->device, pool, NULL);
	FN(vk, vkDestroyPipelineLayout)(vk->device, layout, NULL);
	FN(vk, vkDestroyDescriptorSetLayout)(vk->device, set_layout, NULL);
}

/* Descriptors that a combined one of the format counts as. */
static inline uint32_t ycc_descriptors(struct vk *vk, VkFormat format)
{
	const VkPhysicalDeviceImageFormatInfo2 info = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
		.format = format, .type = VK_IMAGE_TYPE_2D, .tiling = VK_IMAGE_TILING_LINEAR, .usage = VK_IMAGE_USAGE_SAMPLED_BIT };
	VkSamplerYcbcrConversionImageFormatProperties count = {
		.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES };
	VkImageFormatProperties2 properties = { .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, .pNext = &count };
	OK(IFN(vk, vkGetPhysicalDeviceImageFormatProperties2)(vk->physical, &info, &properties));
	return count.combinedImageSamplerDescriptorCount;
}

/* One image, one conversion. */
static inline void ycc_sample_one(struct ycc_rig *r, const struct ycc_image *i, const VkSamplerYcbcrConversionCreateInfo *info,
	VkFilter luma, uint32_t count)
{
	struct ycc_conversion c = ycc_convert(&r->vk, info, luma);
	VkImageView view = ycc_view(&r->vk, i, &c, 1);
	ycc_sample(r, &view, &c, 1, ycc_descriptors(&r->vk, i->f->format), count);
	FN(&r->vk, vkDestroyImageView)(r->vk.device, view, NULL);
	ycc_conversion_free(&r->vk, &c);
}

#endif
