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

/* --- VK_KHR_dynamic_rendering --- */

/* With several samples the targets are others, which resolve into the rig's. */
struct targets {
	VkSampleCountFlagBits samples;
	struct rig_image color, depth;
	VkImageView views[4]; /* colour, depth, and what they resolve to */
};

static struct targets targets_make(struct rig *r, VkSampleCountFlagBits samples)
{
	struct targets t = { .samples = samples, .views = { r->color.view, r->depth.view } };
	if (samples == VK_SAMPLE_COUNT_1_BIT)
		return t;
	t.color = rig_image(&r->vk, RIG_COLOR, samples, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_IMAGE_ASPECT_COLOR_BIT);
	t.depth = rig_image(&r->vk, RIG_DEPTH, samples, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT,
		VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
	t.views[0] = t.color.view;
	t.views[1] = t.depth.view;
	t.views[2] = r->color.view;
	t.views[3] = r->depth.view;
	return t;
}

static VkRenderPass pass_make(struct rig *r, VkSampleCountFlagBits samples)
{
	const VkAttachmentReference2 refs[4] = { { .attachment = 0 }, { .attachment = 1 }, { .attachment = 2 },
		{ .attachment = 3 } };
	const VkSubpassDescriptionDepthStencilResolve resolve = {
		.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE,
		.depthResolveMode = VK_RESOLVE_MODE_MIN_BIT, .stencilResolveMode = VK_RESOLVE_MODE_MAX_BIT,
		.pDepthStencilResolveAttachment = &refs[3] };
	const bool many = samples != VK_SAMPLE_COUNT_1_BIT;
	const VkSubpassDescription2 subpass = { .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
		.pNext = many ? &resolve : NULL, .colorAttachmentCount = 1, .pColorAttachments = &refs[0],
		.pDepthStencilAttachment = &refs[1], .pResolveAttachments = many ? &refs[2] : NULL };
	VkAttachmentDescription2 attachments[4];
	for (int i = 0; i < 4; i++) {
		const VkAttachmentLoadOp load = i < 2 ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
		attachments[i] = (VkAttachmentDescription2){ .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
			.format = i % 2 ? RIG_DEPTH : RIG_COLOR, .samples = i < 2 ? samples : VK_SAMPLE_COUNT_1_BIT,
			.loadOp = load, .stencilLoadOp = load };
	}
	const VkRenderPassCreateInfo2 info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
		.attachmentCount = many ? 4 : 2, .pAttachments = attachments, .subpassCount = 1, .pSubpasses = &subpass };
	VkRenderPass pass;
	OK(FN(&r->vk, vkCreateRenderPass2KHR)(r->vk.device, &info, NULL, &pass));
	return pass;
}

/* What is to be seen. */
static void by_pass(struct rig *r, const struct targets *t, const struct rig_states *s, struct rig_picture *out)
{
	const VkRenderPass pass = pass_make(r, t->samples);
	const VkFramebufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass,
		.attachmentCount = t->views[2] ? 4 : 2, .pAttachments = t->views, .width = RIG_SIZE, .height = RIG_SIZE,
		.layers = 1 };
	const VkPipeline pipeline = rig_pipeline(r, s, pass, NULL);
	VkCommandBuffer cmd = rig_begin_primary(r);
	VkFramebuffer framebuffer;
	OK(FN(&r->vk, vkCreateFramebuffer)(r->vk.device, &info, NULL, &framebuffer));
	rig_begin_pass(r, cmd, pass, framebuffer);
	for (int i = 0; i < 2; i++)
		draw(r, cmd, pipeline);
	FN(&r->vk, vkCmdEndRenderPass)(cmd);
	rig_finish(r, &cmd, 1, out);
	FN(&r->vk, vkDestroyFramebuffer)(r->vk.device, framebuffer, NULL);
	FN(&r->vk, vkDestroyPipeline)(r->vk.device, pipeline, NULL);
	FN(&r->vk, vkDestroyRenderPass)(r->vk.device, pass, NULL);
}

/* store: of what nobody looks at, which is not the rig's colour. */
static void begin_rendering(struct rig *r, VkCommandBuffer cmd, const struct targets *t, VkRenderingFlags flags,
	VkAttachmentStoreOp store)
{
	VkRenderingAttachmentInfo a[3];
	for (int i = 0; i < 3; i++)
		a[i] = (VkRenderingAttachmentInfo){ .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
			.imageView = t->views[i ? 1 : 0], .resolveImageView = t->views[i ? 3 : 2],
			.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .clearValue = rig_clear[i ? 1 : 0],
			.storeOp = i || t->views[2] ? store : VK_ATTACHMENT_STORE_OP_STORE };
	if (t->views[2]) {
		a[0].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
		a[1].resolveMode = VK_RESOLVE_MODE_MIN_BIT;
		a[2].resolveMode = VK_RESOLVE_MODE_MAX_BIT;
	}
	const VkRenderingInfo info = { .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .flags = flags,
		.renderArea = { { 0, 0 }, { RIG_SIZE, RIG_SIZE } }, .layerCount = 1, .colorAttachmentCount = 1,
		.pColorAttachments = &a[0], .pDepthAttachment = &a[1], .pStencilAttachment = &a[2] };
	FN(&r->vk, vkCmdBeginRenderingKHR)(cmd, &info);
}

static const VkFormat color_format = RIG_COLOR;

static VkCommandBuffer secondary(struct rig *r, VkSampleCountFlagBits samples, VkPipeline pipeline)
{
	const VkCommandBufferInheritanceRenderingInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO, .colorAttachmentCount = 1,
		.pColorAttachmentFormats = &color_format, .depthAttachmentFormat = RIG_DEPTH,
		.stencilAttachmentFormat = RIG_DEPTH, .rasterizationSamples = samples };
	const VkCommandBufferInheritanceInfo inherit = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
		.pNext = &rendering };
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, .pInheritanceInfo = &inherit };
	VkCommandBuffer cmd = rig_begin(r, VK_COMMAND_BUFFER_LEVEL_SECONDARY, &begin);
	/* Clears of targets that only the formats tell of undo a draw. */
	const VkClearAttachment clears[2] = {
		{ .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .clearValue = rig_clear[0] },
		{ .aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, .clearValue = rig_clear[1] } };
	const VkClearRect all = { { { 0, 0 }, { RIG_SIZE, RIG_SIZE } }, 0, 1 };
	draw(r, cmd, pipeline);
	FN(&r->vk, vkCmdClearAttachments)(cmd, 2, clears, 1, &all);
	for (int i = 0; i < 2; i++)
		draw(r, cmd, pipeline);
	OK(FN(&r->vk, vkEndCommandBuffer)(cmd));
	return cmd;
}

enum way { INLINE, SUSPENDED, SECONDARY, DISCARDED, WAYS };

static void by_rendering(struct rig *r, const struct targets *t, const struct rig_states *s, enum way way,
	struct rig_picture *out)
{
	const VkPipelineRenderingCreateInfo formats = { .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
		.colorAttachmentCount = 1, .pColorAttachmentFormats = &color_format, .depthAttachmentFormat = RIG_DEPTH,
		.stencilAttachmentFormat = RIG_DEPTH };
	const VkPipeline pipeline = rig_pipeline(r, s, VK_NULL_HANDLE, &formats);
	VkCommandBuffer cmd[2] = { rig_begin_primary(r), rig_begin_primary(r) };
	/* Nothing is left of the last way. */
	const VkClearColorValue black = { .float32 = { 0 } };
	const VkClearDepthStencilValue zero = { 0, 0 };
	const VkImageSubresourceRange color = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
		depth = { VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, 1, 0, 1 };
	FN(&r->vk, vkCmdClearColorImage)(cmd[0], r->color.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &color);
	FN(&r->vk, vkCmdClearDepthStencilImage)(cmd[0], r->depth.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &depth);
	if (t->views[2]) {
		FN(&r->vk, vkCmdClearColorImage)(cmd[0], t->color.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &color);
		FN(&r->vk, vkCmdClearDepthStencilImage)(cmd[0], t->depth.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &depth);
	}
	VkCommandBuffer inner = way == SECONDARY ? secondary(r, t->samples, pipeline) : NULL;
	/* What is suspended is read when it is resumed, whatever becomes of it in the end. */
	begin_rendering(r, cmd[0], t, way == SUSPENDED ? VK_RENDERING_SUSPENDING_BIT :
		way == SECONDARY ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
		way == SUSPENDED || way == DISCARDED ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE);
	if (inner)
		FN(&r->vk, vkCmdExecuteCommands)(cmd[0], 1, &inner);
	else
		draw(r, cmd[0], pipeline);
	if (way == INLINE || way == DISCARDED)
		draw(r, cmd[0], pipeline);
	FN(&r->vk, vkCmdEndRenderingKHR)(cmd[0]);
	if (way == SUSPENDED) {
		begin_rendering(r, cmd[1], t, VK_RENDERING_RESUMING_BIT, VK_ATTACHMENT_STORE_OP_STORE);
		draw(r, cmd[1], pipeline);
		FN(&r->vk, vkCmdEndRenderingKHR)(cmd[1]);
	}
	rig_finish(r, cmd, 2, out);
	FN(&r->vk, vkDestroyPipeline)(r->vk.device, pipeline, NULL);
}

static void dynamic_rendering(struct rig *r, VkSampleCountFlagBits samples)
{
	struct targets t = targets_make(r, samples);
	struct rig_states s = tests_all();
	s.samples.rasterizationSamples = samples;
	by_pass(r, &t, &s, &want);
	for (enum way way = INLINE; way < WAYS; way++) {
		by_rendering(r, &t, &s, way, &got);
		if (way == DISCARDED && samples == VK_SAMPLE_COUNT_1_BIT) { /* memory is as it was; resolves have read theirs */
			memset(want.depth, 0, sizeof want.depth);
			memset(want.stencil, 0, sizeof want.stencil);
		}
		if (memcmp(&want, &got, sizeof got))
			fprintf(stderr, "%d samples, way %d: not what the render pass shows\n", samples, way);
		CHECK(!memcmp(&want, &got, sizeof got));
	}
	if (samples != VK_SAMPLE_COUNT_1_BIT) {
		rig_image_free(&r->vk, &t.color);
		rig_image_free(&r->vk, &t.depth);
	}
}

int main(void)
{
	static const char *const names[] = { VK_KHR_CREATE_RENDERPASS_2_EXTENSION_NAME,
		VK_KHR_DEPTH_STENCIL_RESOLVE_EXTENSION_NAME, VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME };
	VkPhysicalDeviceMultiviewFeatures multiview = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES,
		.multiview = VK_TRUE };
	const VkPhysicalDeviceDynamicRenderingFeatures dynamic = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .pNext = &multiview,
		.dynamicRendering = VK_TRUE };
	static struct rig r;
	rig_make(&r, names, 3, &dynamic);
	const VkRenderPass pass = rig_pass(&r);
	render_pass(&r, rig_begin_primary(&r), pass, &want);
	view_index(&r, pass);
	dynamic_rendering(&r, VK_SAMPLE_COUNT_1_BIT);
	dynamic_rendering(&r, VK_SAMPLE_COUNT_4_BIT);
	FN(&r.vk, vkDestroyRenderPass)(r.vk.device, pass, NULL);
	rig_destroy(&r);
	return 0;
}
