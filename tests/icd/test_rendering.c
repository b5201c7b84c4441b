/* SPDX-License-Identifier: MIT */
/* The same picture whatever it is rendered by. */
#include "state_rig.h"

static struct rig_picture want, got;

static void draw(struct rig *r, VkCommandBuffer cmd, VkPipeline pipeline)
{
	const VkDeviceSize zero = 0;
	FN(&r->vk, vkCmdBindPipeline)(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
	FN(&r->vk, vkCmdBindVertexBuffers)(cmd, 0, 1, &r->vertices.buffer, &zero);
	rig_draw(r, cmd);
}

static struct rig_states tests_all(void)
{
	struct rig_states s = rig_states();
	s.depth.depthTestEnable = s.depth.depthWriteEnable = VK_TRUE;
	s.depth.depthCompareOp = VK_COMPARE_OP_LESS;
	s.depth.stencilTestEnable = VK_TRUE;
	s.depth.front = (VkStencilOpState){ VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_WRAP,
		VK_STENCIL_OP_DECREMENT_AND_WRAP, VK_COMPARE_OP_ALWAYS, 255, 255, 0 };
	s.depth.back = s.depth.front;
	return s;
}

static void render_pass(struct rig *r, VkCommandBuffer cmd, VkRenderPass pass, struct rig_picture *out)
{
	const VkFramebuffer framebuffer = rig_framebuffer(r, pass);
	const struct rig_states s = tests_all();
	const VkPipeline pipeline = rig_pipeline(r, &s, pass, NULL);
	rig_begin_pass(r, cmd, pass, framebuffer);
	draw(r, cmd, pipeline);
	FN(&r->vk, vkCmdEndRenderPass)(cmd);
	rig_finish(r, &cmd, 1, out);
	FN(&r->vk, vkDestroyPipeline)(r->vk.device, pipeline, NULL);
	FN(&r->vk, vkDestroyFramebuffer)(r->vk.device, framebuffer, NULL);
}

/* Without multiview a shader is in view 0, whatever was drawn before. */
static void view_index(struct rig *r, VkRenderPass pass)
{
	const uint32_t view_mask = 2;
	const VkRenderPassMultiviewCreateInfo multiview = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
		.subpassCount = 1, .pViewMasks = &view_mask };
	const VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS };
	const VkRenderPassCreateInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .pNext = &multiview,
		.subpassCount = 1, .pSubpasses = &subpass };
	const struct rig_states s = rig_states();
	VkFramebufferCreateInfo empty = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .width = RIG_SIZE,
		.height = RIG_SIZE, .layers = 1 };
	VkCommandBuffer cmd = rig_begin_primary(r);
	OK(FN(&r->vk, vkCreateRenderPass)(r->vk.device, &info, NULL, &empty.renderPass));
	VkRenderPassBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = empty.renderPass,
		.renderArea = { { 0, 0 }, { RIG_SIZE, RIG_SIZE } } };
	OK(FN(&r->vk, vkCreateFramebuffer)(r->vk.device, &empty, NULL, &begin.framebuffer));
	const VkPipeline pipeline = rig_pipeline(r, &s, empty.renderPass, NULL);
	FN(&r->vk, vkCmdBeginRenderPass)(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
	draw(r, cmd, pipeline);
	FN(&r->vk, vkCmdEndRenderPass)(cmd);
	render_pass(r, cmd, pass, &got);
	CHECK(!memcmp(&want, &got, sizeof got));
	FN(&r->vk, vkDestroyPipeline)(r->vk.device, pipeline, NULL);
	FN(&r->vk, vkDestroyFramebuffer)(r->vk.device, begin.framebuffer, NULL);
	FN(&r->vk, vkDestroyRenderPass)(r->vk.device, empty.renderPass, NULL);
}

int main(void)
{
	const VkPhysicalDeviceMultiviewFeatures multiview = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
		.multiview = VK_TRUE };
	static struct rig r;
	rig_make(&r, NULL, 0, &multiview);
	const VkRenderPass pass = rig_pass(&r);
	render_pass(&r, rig_begin_primary(&r), pass, &want);
	view_index(&r, pass);
	FN(&r.vk, vkDestroyRenderPass)(r.vk.device, pass, NULL);
	rig_destroy(&r);
	return 0;
}
