/* SPDX-License-Identifier: MIT */
/* Atomics on texels of 64 bits and of floats, in images and texel buffers; texels that are
 * not there (outside, null descriptors) are zero, stay nothing, and no lane waits for them. */
#include "kernel_rig.h"
#include "image_atomics_comp.h"

enum { SIZE = 4, LANES = 64, TEXELS = 1024, WHERE = 2048, BYTES = 4096, BINDINGS = 7 };

/* Linear, with memory of its own, mapped. */
struct image { VkImage image; VkDeviceMemory memory; VkImageView view; uint8_t *map; uint32_t pitch; };

static struct image make_image(struct vk *vk, VkFormat format)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = format, .extent = { SIZE, SIZE, 1 }, .mipLevels = 1, .arrayLayers = 1, .samples = 1,
		.tiling = VK_IMAGE_TILING_LINEAR, .usage = VK_IMAGE_USAGE_STORAGE_BIT };
	const VkImageSubresource sub = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0 };
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	VkSubresourceLayout layout;
	struct image i;
	void *map;
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &i.image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
	memory.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &i.memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory, 0));
	OK(FN(vk, vkMapMemory)(vk->device, i.memory, 0, VK_WHOLE_SIZE, 0, &map));
	memset(map, 0, (size_t)req.size);
	FN(vk, vkGetImageSubresourceLayout)(vk->device, i.image, &sub, &layout);
	i.map = (uint8_t *)map + layout.offset;
	i.pitch = (uint32_t)layout.rowPitch;
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.image,
		.viewType = VK_IMAGE_VIEW_TYPE_2D, .format = format, .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 } };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &i.view));
	return i;
}

static void free_image(struct vk *vk, struct image *i)
{
	FN(vk, vkDestroyImageView)(vk->device, i->view, NULL);
	FN(vk, vkDestroyImage)(vk->device, i->image, NULL);
	FN(vk, vkFreeMemory)(vk->device, i->memory, NULL);
}

static uint64_t *wide(const struct image *i, uint32_t x, uint32_t y)
{
	return (uint64_t *)(void *)(i->map + y * i->pitch) + x;
}

static float *real(const struct image *i, uint32_t x, uint32_t y)
{
	return (float *)(void *)(i->map + y * i->pitch) + x;
}

static const VkDescriptorType types[BINDINGS] = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
	VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER };

static void run(struct vk *vk, const struct kernel *p, const VkWriteDescriptorSet *writes)
{
	VkCommandBuffer cmd = vk_begin(vk, p->commands);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, BINDINGS, writes);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	vk_run(vk, cmd);
}

static void judge(const struct image *w, const struct image *r, const struct vk_buffer *b)
{
	const int64_t *texels = (const int64_t *)b->map + TEXELS / 8;
	const uint32_t failed = ((const uint32_t *)b->map)[2 * LANES];
	const uint64_t one = 1;
	EXPECT(!failed, "the shader's checks 0x%x", failed);
	EXPECT(*wide(w, 0, 0) == 0xffffffffull * (LANES * (LANES + 1) / 2), "sum %llx", (unsigned long long)*wide(w, 0, 0));
	EXPECT(*wide(w, 1, 0) == one << 63, "max %llx", (unsigned long long)*wide(w, 1, 0));
	EXPECT(*wide(w, 0, 1) == 1, "min %llx", (unsigned long long)*wide(w, 0, 1));
	EXPECT(*wide(w, 1, 1) == ~0ull, "xor %llx", (unsigned long long)*wide(w, 1, 1));
	EXPECT(texels[0] == -63 * (1ll << 32), "min %lld", (long long)texels[0]);
	EXPECT(texels[1] == -(1ll << 32), "max %lld", (long long)texels[1]);
	EXPECT(texels[2] == 0x700000001, "exchanged %lld", (long long)texels[2]);
	EXPECT(*real(r, 0, 0) == 32, "sum %g", (double)*real(r, 0, 0));
	EXPECT(*real(r, 1, 0) == -53, "min %g", (double)*real(r, 1, 0));
	EXPECT(*real(r, 0, 1) == 63, "max %g", (double)*real(r, 0, 1));
	EXPECT(*real(r, 1, 1) == 7.5f, "exchanged %g", (double)*real(r, 1, 1));
	EXPECT(*wide(w, 2, 0) == 0x123456789abcdef0, "stored %llx", (unsigned long long)*wide(w, 2, 0));
	for (uint32_t lane = 0; lane < LANES; lane++)
		EXPECT(((const uint64_t *)b->map)[lane] == *wide(w, lane & 1, lane >> 1 & 1), "lane %u", lane);
}

int main(void)
{
	static const char *const names[] = { VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
		VK_EXT_SHADER_IMAGE_ATOMIC_INT64_EXTENSION_NAME, VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME };
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, names, sizeof names / sizeof names[0]));
	struct kernel p = kernel_make(&vk, types, BINDINGS, image_atomics_comp, sizeof image_atomics_comp);
	struct image w = make_image(&vk, VK_FORMAT_R64_UINT), r = make_image(&vk, VK_FORMAT_R32_SFLOAT);
	struct vk_buffer b = vk_buffer(&vk, BYTES, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
		VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT);
	const VkBufferViewCreateInfo texels = { .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO, .buffer = b.buffer,
		.format = VK_FORMAT_R64_SINT, .offset = TEXELS, .range = 24 };
	VkBufferView view;
	OK(FN(&vk, vkCreateBufferView)(vk.device, &texels, NULL, &view));
	memset(b.map, 0, BYTES);
	((int64_t *)b.map)[TEXELS / 8 + 1] = INT64_MIN;
	((int64_t *)b.map)[TEXELS / 8 + 2] = 3;
	((uint32_t *)b.map)[WHERE / 4] = SIZE;
	*wide(&w, 0, 1) = ~0ull;
	*real(&r, 1, 1) = 2;

	const VkDescriptorBufferInfo out = { b.buffer, 0, 2 * 4 * LANES + 4 }, where = { b.buffer, WHERE, 8 };
	const VkDescriptorImageInfo images[3] = { { .imageView = w.view }, { .imageView = r.view }, { 0 } };
	const VkDescriptorImageInfo *image[BINDINGS] = { [1] = &images[0], [3] = &images[1], [4] = &images[2], [5] = &images[2] };
	VkWriteDescriptorSet writes[BINDINGS];
	for (uint32_t i = 0; i < BINDINGS; i++)
		writes[i] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = i,
			.descriptorCount = 1, .descriptorType = types[i], .pImageInfo = image[i], .pTexelBufferView = &view,
			.pBufferInfo = i ? &where : &out };
	run(&vk, &p, writes);
	judge(&w, &r, &b);

	FN(&vk, vkDestroyBufferView)(vk.device, view, NULL);
	vk_buffer_free(&vk, &b);
	free_image(&vk, &w);
	free_image(&vk, &r);
	kernel_free(&vk, &p);
	vk_stop(&vk);
	return failures != 0;
}
