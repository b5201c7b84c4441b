/* SPDX-License-Identifier: MIT */
/* Attributes and buffers beyond maxVertexInputBindings and maxVertexInputAttributes: no
 * pipeline, with a message that names the attribute, and no buffer. */
#include "messages.h"
#define WORK_DRAWS 1
#include "work.h"

/* The pipelines of work.h with another attribute. */
static VkResult pipeline(struct vk *vk, const struct work *w, VkVertexInputAttributeDescription attribute)
{
	VkPipelineShaderStageCreateInfo stages[2] = { { .stage = VK_SHADER_STAGE_VERTEX_BIT, .module = w->vs },
		{ .stage = VK_SHADER_STAGE_FRAGMENT_BIT, .module = w->ps } };
	for (int i = 0; i < 2; i++) {
		stages[i].sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
		stages[i].pName = "main";
	}
	struct work_states states;
	VkGraphicsPipelineCreateInfo info = work_graphics(&states, WORK_SIZE, VK_SAMPLE_COUNT_1_BIT, stages);
	states.attribute = attribute;
	states.binding.binding = attribute.binding;
	info.layout = w->layout;
	info.renderPass = w->pass;
	VkPipeline made = VK_NULL_HANDLE;
	VkResult result = FN(vk, vkCreateGraphicsPipelines)(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &made);
	CHECK((result == VK_SUCCESS) == (made != VK_NULL_HANDLE));
	FN(vk, vkDestroyPipeline)(vk->device, made, NULL);
	return result;
}

static void refused(struct vk *vk, const struct work *w, struct heard *heard, uint32_t location, uint32_t binding)
{
	char number[32];
	memset(heard, 0, sizeof *heard);
	VkResult result = pipeline(vk, w, (VkVertexInputAttributeDescription){ location, binding, VK_FORMAT_R32G32_SFLOAT, 0 });
	printf("location %u, binding %u: %d %s", location, binding, result, heard->text);
	snprintf(number, sizeof number, "location %u and binding %u ", location, binding);
	CHECK(result != VK_SUCCESS && heard->errors == 1);
	CHECK(strstr(heard->text, "vkCreateGraphicsPipelines: vertex attribute 0") && strstr(heard->text, number));
}

/* Buffers at 31 and on; far outside; and where the sum of first and index wraps. */
static void bind(struct vk *vk, const struct work *w)
{
	static const uint32_t first[] = { 31, 32, 0x10000000, 0xffffffff };
	const VkBuffer buffers[2] = { w->buffer, w->buffer };
	const VkDeviceSize offsets[2] = { 0 };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const VkCommandBufferAllocateInfo one = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = w->commands, .commandBufferCount = 1 };
	VkCommandBuffer cmd;
	OK(FN(vk, vkAllocateCommandBuffers)(vk->device, &one, &cmd));
	OK(FN(vk, vkBeginCommandBuffer)(cmd, &begin));
	for (int i = 0; i < 4; i++)
		FN(vk, vkCmdBindVertexBuffers)(cmd, first[i], 2, buffers, offsets);
	OK(FN(vk, vkEndCommandBuffer)(cmd));
}

int main(void)
{
	struct vk vk;
	struct work w = { 0 };
	struct heard heard = { 0 };
	VkDebugUtilsMessengerEXT messenger = open_hearing(&vk, &heard);
	OK(vk_device(&vk, NULL));
	OK(work_make(&vk, NULL, &w));
	OK(pipeline(&vk, &w, (VkVertexInputAttributeDescription){ 0, 31, VK_FORMAT_R32G32_SFLOAT, 0 }));
	CHECK(!heard.count);
	refused(&vk, &w, &heard, 0, 32);
	refused(&vk, &w, &heard, 0, 0x1000);
	refused(&vk, &w, &heard, 32, 0);
	bind(&vk, &w);
	work_destroy(&vk, NULL, &w);
	IFN(&vk, vkDestroyDebugUtilsMessengerEXT)(vk.instance, messenger, NULL);
	vk_stop(&vk);
	return 0;
}
