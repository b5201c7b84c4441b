/* SPDX-License-Identifier: MIT */
/* What shaders are told of images: sizes of a view's levels, its layers and levels, samples; nothing of a null descriptor. */
#include "harness.h"
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

struct image { VkImage image; VkDeviceMemory memory; VkImageView view; };

static struct image make_image(struct vk *vk, const struct kind *k)
{
	const VkImageCreateInfo info = { .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = k->type,
		.flags = k->view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
		.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = k->extent, .mipLevels = k->levels, .arrayLayers = k->layers,
		.samples = (VkSampleCountFlagBits)k->samples, .tiling = VK_IMAGE_TILING_OPTIMAL,
		.usage = VK_IMAGE_USAGE_SAMPLED_BIT | (k->samples == 1 ? VK_IMAGE_USAGE_STORAGE_BIT : 0) };
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	VkMemoryRequirements req;
	struct image i;
	OK(FN(vk, vkCreateImage)(vk->device, &info, NULL, &i.image));
	FN(vk, vkGetImageMemoryRequirements)(vk->device, i.image, &req);
	memory.allocationSize = req.size;
	OK(FN(vk, vkAllocateMemory)(vk->device, &memory, NULL, &i.memory));
	OK(FN(vk, vkBindImageMemory)(vk->device, i.image, i.memory, 0));
	const VkImageViewCreateInfo view = { .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = i.image, .viewType = k->view,
		.format = info.format, .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, k->first_level,
			k->view == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? 1 : VK_REMAINING_MIP_LEVELS, k->first_layer, k->in_view } };
	OK(FN(vk, vkCreateImageView)(vk->device, &view, NULL, &i.view));
	return i;
}

static VkDescriptorType type_of(uint32_t binding)
{
	return binding == 0 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : binding == 6 || binding == 8 ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
		: VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

struct program { VkDescriptorSetLayout sets; VkPipelineLayout layout; VkPipeline pipeline; VkCommandPool commands; };

static struct program make_program(struct vk *vk)
{
	VkDescriptorSetLayoutBinding bindings[BINDINGS];
	for (uint32_t i = 0; i < BINDINGS; i++)
		bindings[i] = (VkDescriptorSetLayoutBinding){ i, type_of(i), 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL };
	const VkDescriptorSetLayoutCreateInfo sets = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, .bindingCount = BINDINGS, .pBindings = bindings };
	struct program p;
	const VkPipelineLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1, .pSetLayouts = &p.sets };
	const VkCommandPoolCreateInfo commands = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO };
	VkComputePipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = vk_module(vk, image_sizes_comp, sizeof image_sizes_comp), .pName = "main" } };
	OK(FN(vk, vkCreateDescriptorSetLayout)(vk->device, &sets, NULL, &p.sets));
	OK(FN(vk, vkCreatePipelineLayout)(vk->device, &layout, NULL, &p.layout));
	info.layout = p.layout;
	OK(FN(vk, vkCreateComputePipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &p.pipeline));
	OK(FN(vk, vkCreateCommandPool)(vk->device, &commands, NULL, &p.commands));
	FN(vk, vkDestroyShaderModule)(vk->device, info.stage.module, NULL);
	return p;
}

static void run(struct vk *vk, const struct program *p, const struct vk_buffer *b, const struct image *images)
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
	struct program p = make_program(&vk);
	struct image images[KINDS];
	for (unsigned i = 0; i < KINDS; i++)
		images[i] = make_image(&vk, &kinds[i]);
	struct vk_buffer b = vk_buffer(&vk, 4 * (1 + SAID + LANES), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
	memset(b.map, 0xee, 4 * (1 + SAID + LANES));
	*(int32_t *)b.map = 2;
	run(&vk, &p, &b, images);
	judge((const int32_t *)b.map + 1);
	vk_buffer_free(&vk, &b);
	for (unsigned i = 0; i < KINDS; i++) {
		FN(&vk, vkDestroyImageView)(vk.device, images[i].view, NULL);
		FN(&vk, vkDestroyImage)(vk.device, images[i].image, NULL);
		FN(&vk, vkFreeMemory)(vk.device, images[i].memory, NULL);
	}
	FN(&vk, vkDestroyCommandPool)(vk.device, p.commands, NULL);
	FN(&vk, vkDestroyPipeline)(vk.device, p.pipeline, NULL);
	FN(&vk, vkDestroyPipelineLayout)(vk.device, p.layout, NULL);
	FN(&vk, vkDestroyDescriptorSetLayout)(vk.device, p.sets, NULL);
	vk_stop(&vk);
	return failures != 0;
}
