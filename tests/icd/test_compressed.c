/* SPDX-License-Identifier: MIT */
/* A compressed image is sampled again and again and written to in between, by copies from a buffer and from another image, whole
 * or in part: each sample is of what was written last, whatever the driver keeps of texels. */
#include "kernel_rig.h"
#include "ycbcr_comp.h"

enum { WIDTH = 256, HEIGHT = 64, TEXELS = WIDTH * HEIGHT, COLUMNS = WIDTH / 4, ROWS = HEIGHT / 4, BLOCKS = COLUMNS * ROWS, LEVELS = 2, DISPATCHES = 6 };

static uint32_t rnd(void)
{
	static uint32_t state = 1;
	return (state = 1664525 * state + 1013904223) >> 8;
}

static struct kernel_image make_image(struct vk *vk)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_BC1_RGB_UNORM_BLOCK, .extent = { WIDTH, HEIGHT, 1 }, .mipLevels = LEVELS, .arrayLayers = 1, .samples = 1,
		.tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT };
	return kernel_image_make(vk, &info, VK_IMAGE_VIEW_TYPE_2D, (VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, 0, LEVELS, 0, 1 });
}

static const VkDescriptorType types[3] = { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
	VK_DESCRIPTOR_TYPE_STORAGE_BUFFER };

/* What the level is to be: of each block one colour, 5_6_5. */
static uint16_t wanted[BLOCKS];

/* Another colour for blocks of [x, x + w) x [y, y + h), into a buffer of blocks of 8 bytes. */
static void change(uint8_t *blocks, uint32_t x, uint32_t y, uint32_t w, uint32_t h)
{
	for (uint32_t j = y; j < y + h; j++)
		for (uint32_t i = x; i < x + w; i++, blocks += 8) {
			const uint16_t color = wanted[j * COLUMNS + i] = (uint16_t)rnd();
			memset(blocks, 0, 8);
			memcpy(blocks, &color, 2);
		}
}

static void barrier(struct vk *vk, VkCommandBuffer cmd)
{
	const VkMemoryBarrier all = { .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT };
	FN(vk, vkCmdPipelineBarrier)(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &all, 0, NULL, 0, NULL);
}

/* Part of a level, from the buffer, maybe by way of the other image. */
static void write_part(struct vk *vk, VkCommandBuffer cmd, VkBuffer from, VkImage by, VkImage to, uint32_t level, const uint32_t part[4])
{
	const VkImageSubresourceLayers layers = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1 };
	const VkOffset3D at = { 4 * (int32_t)part[0], 4 * (int32_t)part[1], 0 };
	const VkExtent3D size = { 4 * part[2], 4 * part[3], 1 };
	const VkBufferImageCopy copy = { .imageSubresource = layers, .imageOffset = at, .imageExtent = size };
	const VkImageCopy move = { layers, at, layers, at, size };
	FN(vk, vkCmdCopyBufferToImage)(cmd, from, by ? by : to, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
	barrier(vk, cmd);
	if (by)
		FN(vk, vkCmdCopyImage)(cmd, by, VK_IMAGE_LAYOUT_GENERAL, to, VK_IMAGE_LAYOUT_GENERAL, 1, &move);
	barrier(vk, cmd);
}

static void sample(struct vk *vk, VkCommandBuffer cmd, const struct kernel *p, VkSampler sampler, VkImageView view, VkBuffer at, VkBuffer out)
{
	const VkDescriptorBufferInfo buffers[2] = { { at, 0, VK_WHOLE_SIZE }, { out, 0, VK_WHOLE_SIZE } };
	const VkDescriptorImageInfo image = { sampler, view, VK_IMAGE_LAYOUT_GENERAL };
	VkWriteDescriptorSet writes[3];
	for (uint32_t i = 0; i < 3; i++)
		writes[i] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = i, .descriptorCount = 1,
			.descriptorType = types[i],
			.pImageInfo = &image, .pBufferInfo = i ? &buffers[i - 1] : NULL };
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 3, writes);
	for (int i = 0; i < DISPATCHES; i++)
		FN(vk, vkCmdDispatch)(cmd, TEXELS / 64, 1, 1);
	barrier(vk, cmd);
}

static void judge(const float (*said)[4], unsigned round)
{
	unsigned wrong = 0;
	for (uint32_t i = 0; i < TEXELS; i++) {
		const uint32_t color = wanted[i / WIDTH / 4 * COLUMNS + i % WIDTH / 4], r = color >> 11, g = color >> 5 & 63, b = color & 31;
		const float right[4] = { (float)(r << 3 | r >> 2) / 255, (float)(g << 2 | g >> 4) / 255, (float)(b << 3 | b >> 2) / 255, 1 };
		for (int c = 0; c < 4; c++)
			wrong += said[i][c] != right[c];
	}
	EXPECT(!wrong, "round %u: %u of %u values", round, wrong, 4 * TEXELS);
}

int main(void)
{
	static const char *const names[] = { VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME };
	static const uint32_t whole[4] = { 0, 0, COLUMNS, ROWS }, second[4] = { 0, 0, COLUMNS / 2, ROWS / 2 };
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, names, 1));
	const VkSamplerCreateInfo nearest = { .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .maxLod = VK_LOD_CLAMP_NONE };
	VkSampler sampler;
	OK(FN(&vk, vkCreateSampler)(vk.device, &nearest, NULL, &sampler));
	struct kernel p = kernel_make(&vk, types, 3, ycbcr_comp, sizeof ycbcr_comp);
	struct kernel_image images[2] = { make_image(&vk), make_image(&vk) };
	struct vk_buffer blocks = vk_buffer(&vk, 8 * BLOCKS, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
	struct vk_buffer at = vk_buffer(&vk, 8 * TEXELS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	struct vk_buffer out = vk_buffer(&vk, 16 * TEXELS, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	for (uint32_t i = 0; i < TEXELS; i++) {
		((float *)at.map)[2 * i] = ((float)(i % WIDTH) + 0.5f) / WIDTH;
		((float *)at.map)[2 * i + 1] = ((float)(i / WIDTH) + 0.5f) / HEIGHT;
	}
	for (unsigned round = 0; round < 12; round++) {
		const uint32_t some[4] = { rnd() % 40, rnd() % 8, 1 + rnd() % 20, 1 + rnd() % 8 }, *part = round < 2 || rnd() % 3 == 0 ? whole : some;
		VkCommandBuffer cmd = vk_begin(&vk, p.commands);
		change(blocks.map, part[0], part[1], part[2], part[3]);
		write_part(&vk, cmd, blocks.buffer, round & 1 ? images[1].image : VK_NULL_HANDLE, images[0].image, 0, part);
		if (round % 4 == 3) /* the other level alone is written to as well */
			write_part(&vk, cmd, blocks.buffer, VK_NULL_HANDLE, images[0].image, 1, second);
		sample(&vk, cmd, &p, sampler, images[0].view, at.buffer, out.buffer);
		vk_run(&vk, cmd);
		judge((const float (*)[4])out.map, round);
	}
	vk_buffer_free(&vk, &blocks);
	vk_buffer_free(&vk, &at);
	vk_buffer_free(&vk, &out);
	kernel_image_free(&vk, &images[0]);
	kernel_image_free(&vk, &images[1]);
	kernel_free(&vk, &p);
	FN(&vk, vkDestroySampler)(vk.device, sampler, NULL);
	vk_stop(&vk);
	return failures != 0;
}
