/* SPDX-License-Identifier: MIT */
/* Render passes: a subpass as an icd_rendering; secondary command buffers. */
#include <string.h>
#include "icd/cmd.h"

/* --- subpasses --- */

static const struct icd_image_view *view_of(const struct icd_pass_state *p, uint32_t attachment)
{
	return attachment == VK_ATTACHMENT_UNUSED ? NULL : p->view[attachment];
}

/* An attachment as the target of one aspect, which is cleared where it is used first. */
static struct icd_target target_of(const struct icd_pass_state *p, uint32_t attachment, VkImageAspectFlags aspect)
{
	const struct icd_attachment *a;
	struct icd_target t = { .load = VK_ATTACHMENT_LOAD_OP_LOAD };
	if (attachment == VK_ATTACHMENT_UNUSED || !(p->pass->attachment[attachment].format->aspects & aspect))
		return t;
	a = &p->pass->attachment[attachment];
	t.view = view_of(p, attachment);
	t.store = VK_ATTACHMENT_STORE_OP_STORE;
	if (p->subpass + 1 == p->pass->subpass_count)
		t.store = aspect & VK_IMAGE_ASPECT_STENCIL_BIT ? a->stencil_store : a->store;
	t.clear = p->clear[attachment];
	t.clear_views = a->view_mask;
	if (a->first_subpass == p->subpass)
		t.load = aspect & VK_IMAGE_ASPECT_STENCIL_BIT ? a->stencil_load : a->load;
	return t;
}

static bool is_input(const struct icd_subpass *s, uint32_t attachment)
{
	bool input = false;
	for (uint32_t i = 0; i < s->input_count; i++)
		input |= attachment == s->input[i];
	return input;
}

static void fill_color(const struct icd_pass_state *p, const struct icd_subpass *s, struct icd_rendering *r)
{
	for (uint32_t i = 0; i < s->color_count; i++) {
		struct icd_target *t = &r->color[i];
		*t = target_of(p, s->color[i], VK_IMAGE_ASPECT_COLOR_BIT);
		t->input = is_input(s, s->color[i]);
		t->resolve = view_of(p, s->color_resolve[i]);
		t->resolve_mode = VK_RESOLVE_MODE_AVERAGE_BIT;
		/* Who is there twice is cleared once. */
		for (uint32_t before = 0; before < i; before++)
			if (s->color[before] == s->color[i])
				t->load = VK_ATTACHMENT_LOAD_OP_LOAD;
	}
}

static void fill_depth(const struct icd_pass_state *p, const struct icd_subpass *s, struct icd_rendering *r)
{
	VkImageAspectFlags resolved = s->depth_resolve == VK_ATTACHMENT_UNUSED ? 0 :
		p->pass->attachment[s->depth_resolve].format->aspects;
	r->depth = target_of(p, s->depth, VK_IMAGE_ASPECT_DEPTH_BIT);
	r->stencil = target_of(p, s->depth, VK_IMAGE_ASPECT_STENCIL_BIT);
	if (resolved & VK_IMAGE_ASPECT_DEPTH_BIT)
		r->depth.resolve = view_of(p, s->depth_resolve);
	if (resolved & VK_IMAGE_ASPECT_STENCIL_BIT)
		r->stencil.resolve = view_of(p, s->depth_resolve);
	r->depth.resolve_mode = s->depth_mode;
	r->stencil.resolve_mode = s->stencil_mode;
}

static bool is_target(const struct icd_subpass *subpass, uint32_t attachment)
{
	bool target = attachment == subpass->depth;
	for (uint32_t c = 0; c < subpass->color_count; c++)
		target |= attachment == subpass->color[c];
	return target;
}

/* Attachments that are first used as input or for resolving only are no targets
 * of the subpass: they become some for the clear, before its own ones do. */
static void load_other(struct icd_command_buffer *cmd, uint32_t n)
{
	const struct icd_pass_state *p = &cmd->state.pass;
	struct icd_rendering r = { .area = p->area, .layers = p->framebuffer->layers };
	if (n == VK_ATTACHMENT_UNUSED || is_target(&p->pass->subpass[p->subpass], n))
		return;
	r.color[0] = target_of(p, n, VK_IMAGE_ASPECT_COLOR_BIT);
	r.depth = target_of(p, n, VK_IMAGE_ASPECT_DEPTH_BIT);
	r.stencil = target_of(p, n, VK_IMAGE_ASPECT_STENCIL_BIT);
	if (r.color[0].load == VK_ATTACHMENT_LOAD_OP_CLEAR || r.depth.load == VK_ATTACHMENT_LOAD_OP_CLEAR ||
		r.stencil.load == VK_ATTACHMENT_LOAD_OP_CLEAR)
		icd_load_targets(cmd, &r);
}

static void begin_subpass(struct icd_command_buffer *cmd)
{
	const struct icd_pass_state *p = &cmd->state.pass;
	const struct icd_subpass *s = &p->pass->subpass[p->subpass];
	struct icd_rendering *r = &cmd->state.rendering;
	for (uint32_t i = 0; i < s->input_count; i++)
		load_other(cmd, s->input[i]);
	for (uint32_t i = 0; i < s->color_count; i++)
		load_other(cmd, s->color_resolve[i]);
	load_other(cmd, s->depth_resolve);
	*r = (struct icd_rendering){ .area = p->area, .layers = p->framebuffer->layers, .formats = s->formats };
	fill_color(p, s, r);
	fill_depth(p, s, r);
	icd_begin_rendering(cmd);
}

/* --- render passes --- */

/* Of the framebuffer, or of an imageless one's beginning. */
static void find_views(struct icd_pass_state *p, const VkRenderPassAttachmentBeginInfo *info)
{
	const struct icd_framebuffer *fb = p->framebuffer;
	for (uint32_t i = 0; i < p->pass->attachment_count; i++) {
		if (i < fb->attachment_count)
			p->view[i] = fb->attachment[i];
		else if (info && i < info->attachmentCount)
			p->view[i] = icd_image_view_from_handle(info->pAttachments[i]);
	}
}

void icd_CmdBeginRenderPass2(VkCommandBuffer _cmd, const VkRenderPassBeginInfo *info, const VkSubpassBeginInfo *begin)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_render_pass, pass, info->renderPass);
	struct icd_pass_state *p = &cmd->state.pass;
	uint32_t count = pass->attachment_count;
	*p = (struct icd_pass_state){ .pass = pass, .framebuffer = icd_framebuffer_from_handle(info->framebuffer),
		.area = info->renderArea, .clear = icd_stream_data(&cmd->stream, (count + 1) * sizeof *p->clear, 16),
		.view = icd_stream_data(&cmd->stream, (count + 1) * sizeof *p->view, 16) };
	if (!p->clear || !p->view)
		return;
	find_views(p, icd_find_struct(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO));
	if (count > info->clearValueCount)
		count = info->clearValueCount;
	for (uint32_t i = 0; i < count; i++)
		p->clear[i] = info->pClearValues[i];
	begin_subpass(cmd);
}

void icd_CmdBeginRenderPass(VkCommandBuffer cmd, const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
	icd_CmdBeginRenderPass2(cmd, info, NULL);
}

void icd_CmdNextSubpass2(VkCommandBuffer _cmd, const VkSubpassBeginInfo *begin, const VkSubpassEndInfo *end)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	icd_end_rendering(cmd);
	cmd->state.pass.subpass++;
	if (cmd->state.pass.clear && cmd->state.pass.view)
		begin_subpass(cmd);
}

void icd_CmdNextSubpass(VkCommandBuffer cmd, VkSubpassContents contents)
{
	icd_CmdNextSubpass2(cmd, NULL, NULL);
}

void icd_CmdEndRenderPass2(VkCommandBuffer _cmd, const VkSubpassEndInfo *end)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	icd_end_rendering(cmd);
}

void icd_CmdEndRenderPass(VkCommandBuffer cmd)
{
	icd_CmdEndRenderPass2(cmd, NULL);
}

/* --- secondary command buffers --- */

void icd_CmdExecuteCommands(VkCommandBuffer _cmd, uint32_t count, const VkCommandBuffer *buffers)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	struct icd_command_state *state = &cmd->state;
	for (uint32_t i = 0; i < count; i++) {
		ICD_FROM_HANDLE(icd_command_buffer, secondary, buffers[i]);
		for (struct icd_chunk *c = secondary->stream.first; c; c = c->next) {
			uint64_t address = icd_address(c->dw);
			const struct pm4_indirect_buffer p = { .address_lo = icd_lo(address), .address_hi = icd_hi(address),
				.dwords = c->used };
			if (c->used)
				icd_emit(cmd, PM4_INDIRECT_BUFFER, &p, PM4_DWORDS(pm4_indirect_buffer));
		}
	}
	/* Bound state is undefined from here on: everything must be set again. */
	state->graphics = state->compute = (struct icd_bind_state){ .dirty_root = ~0u };
	state->dirty = ICD_GROUPS_ALL;
}
