/* SPDX-License-Identifier: MIT */
/* What shaders are told of images: sizes of a view's levels, its layers and levels, samples; nothing of a null descriptor. */
#include "kernel_rig.h"
#include "image_sizes_comp.h"

enum { LANES = 64, BINDINGS = 9, SAID = 64 };

struct kind { VkImageType type; VkImageViewType view; VkExtent3D extent; uint32_t levels, layers, first_level, first_layer, in_view, samples; };
static const struct kind kinds[] = {
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, { 100, 37, 1 }, 5, 3, 1, 1, 1, 1 },
	{ VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, { 40, 1, 9 }, 3, 1, 2, 0, 1, 1 },
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, { 16, 16, 1 }, 1, 24, 0, 6, 12, 1 },
	{ VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, { 300, 1, 1 }, 1, 7, 0, 2, 5, 1 },
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, { 33, 65, 1 }, 1, 1, 0, 0, 1, 4 },
	{ VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, { 16384, 1, 1 }, 2, 2000, 1, 3, 1990, 1 } };
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static struct kernel_image make_image(struct vk *vk, const struct kind *k)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = k->type,
		.flags = k->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = k->extent, .mipLevels = k->levels, .arrayLayers = k->layers,
		.samples = (VkSampleCountFlagBits)k->samples, .tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | (k->samples == 1 ? VK_IMAGE_USAGE_STORAGE_BIT : 0) };
	return kernel_image_make(vk, &info, k->view, (VkImageSubresourceRange){ VK_IMAGE_ASPECT_COLOR_BIT, k->first_level,
		k->view == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? 1 : VK_REMAINING_MIP_LEVELS, k->first_layer, k->in_view });
}

static VkDescriptorType type_of(uint32_t binding)
{
	return binding == 0 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : binding == 6 || binding == 8 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
		: VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

static struct kernel make_kernel(struct vk *vk)
{
	VkDescriptorType types[BINDINGS];
	for (uint32_t i = 0; i < BINDINGS; i++)
		types[i] = type_of(i);
	return kernel_make(vk, types, BINDINGS, image_sizes_comp, sizeof image_sizes_comp);
}

static void run(struct vk *vk, const struct kernel *p, const struct vk_buffer *b, const struct kernel_image *images)
{
	const VkDescriptorBufferInfo out = { b->buffer, 0, VK_WHOLE_SIZE };
	VkDescriptorImageInfo info[BINDINGS] = { { 0 } };
	VkWriteDescriptorSet writes[BINDINGS];
	for (uint32_t i = 0; i < BINDINGS; i++) {
		if (i >= 1 && i <= KINDS)
			info[i] = (VkDescriptorImageInfo){ .imageView = images[i - 1].view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
		writes[i] = (VkWriteDescriptorSet){ .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstBinding = i, .descriptorCount = 1,
			.descriptorType = type_of(i), .pImageInfo = &info[i], .pBufferInfo = &out };
	}
	VkCommandBuffer cmd = vk_begin(vk, p->commands);
	FN(vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
	FN(vk, vkCmdPushDescriptorSetKHR)(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, BINDINGS, writes);
	FN(vk, vkCmdDispatch)(cmd, 1, 1, 1);
	vk_run(vk, cmd);
}

static void judge(const int32_t *said)
{
	static const int32_t right[] = { 50, 18, 25, 9, 12, 4, 4, 10, 1, 2, 1, 16, 16, 2, 300, 5, 33, 65, 4, 8192, 1, 1990, 0, 0, 0, 0, 0, 0, 0 };
	static const int32_t widths[4] = { 50, 25, 12, 6 };
	for (unsigned i = 0; i < sizeof right / sizeof right[0]; i++)
		EXPECT(said[i] == right[i], "answer %u is %d, not %d", i, said[i], right[i]);
	for (int lane = 0; lane < LANES; lane++)
		EXPECT(said[SAID + lane] == widths[lane & 3] * 1000 + 18 + lane, "lane %d: %d", lane, said[SAID + lane]);
}

int main(void)
{
	static const char *const names[] = { VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME, VK_EXT_ROBUSTNESS_2_EXTENSION_NAME };
	struct vk vk;
	vk_open(&vk);
	OK(vk_instance(&vk, NULL));
	OK(vk_device_with(&vk, NULL, names, sizeof names / sizeof names[0]));
	struct kernel p = make_kernel(&vk);
	struct kernel_image images[KINDS];
	for (unsigned i = 0; i < KINDS; i++)
		images[i] = make_image(&vk, &kinds[i]);
	struct vk_buffer b = vk_buffer(&vk, 4 * (1 + SAID + LANES), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(b.map, 0xee, 4 * (1 + SAID + LANES));
	*(int32_t *)b.map = 2;
	run(&vk, &p, &b, images);
	judge((const int32_t *)b.map + 1);
	vk_buffer_free(&vk, &b);
	for (unsigned i = 0; i < KINDS; i++)
		kernel_image_free(&vk, &images[i]);
	kernel_free(&vk, &p);
	vk_stop(&vk);
	return failures != 0;
}
