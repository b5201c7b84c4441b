/* SPDX-License-Identifier: MIT */
/* Render passes: targets, load operations, subpasses, attachment clears;
 * secondary command buffers. */
#include <string.h>
#include "icd/cmd.h"

static uint32_t clamp16(int64_t v)
{
	return v < 0 ? 0 : v > 0x7fff ? 0x7fff : (uint32_t)v;
}

static void emit_render_area(struct icd_command_buffer *cmd)
{
	const VkRect2D *r = &cmd->state.render_area;
	const uint32_t tl_br[2] = {
		REG_SET(PA_SC_SCREEN_SCISSOR_TL, TL_X, clamp16(r->offset.x)) |
			REG_SET(PA_SC_SCREEN_SCISSOR_TL, TL_Y, clamp16(r->offset.y)),
		REG_SET(PA_SC_SCREEN_SCISSOR_BR, BR_X, clamp16((int64_t)r->offset.x + r->extent.width)) |
			REG_SET(PA_SC_SCREEN_SCISSOR_BR, BR_Y, clamp16((int64_t)r->offset.y + r->extent.height)) };
	icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_PA_SC_SCREEN_SCISSOR_TL, tl_br, 2);
}

static const struct icd_image_view *view_of(const struct icd_command_state *state, uint32_t attachment)
{
	return attachment == VK_ATTACHMENT_UNUSED ? NULL : state->framebuffer->attachment[attachment];
}

/* What draws and clears write: up to ICD_MAX_COLOR views and one of depth, any NULL. */
struct targets { const struct icd_image_view *color[ICD_MAX_COLOR], *depth; };

static void emit_targets(struct icd_command_buffer *cmd, const struct targets *t)
{
	static const uint32_t none[6] = { 0 };
	const struct icd_image_view *depth = t->depth, *any = depth;
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++) {
		const struct icd_image_view *view = t->color[i];
		any = view ? view : any;
		icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_CB_COLOR_BASE + i * CB_COLOR_BASE__STRIDE, view ? view->cb : none, 6);
	}
	icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_DB_Z_INFO, depth ? depth->db : none, 6);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_DB_DEPTH_VIEW, depth ? depth->db_depth_view : 0);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_DB_DEPTH_SIZE, depth ? depth->db_depth_size : 0);
	/* Clears want this to fit as well; without targets the pipeline knows. */
	if (any)
		icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_PA_SC_AA_CONFIG, REG_SET(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES,
			(uint32_t)__builtin_ctz(any->image->samples)));
	cmd->state.dirty |= ICD_GROUP_BIT(AA_CONFIG);
}

void icd_emit_subpass(struct icd_command_buffer *cmd)
{
	const struct icd_command_state *state = &cmd->state;
	const struct icd_subpass *subpass = &state->pass->subpass[state->subpass];
	struct targets t = { .depth = view_of(state, subpass->depth) };
	for (uint32_t i = 0; i < subpass->color_count; i++)
		t.color[i] = view_of(state, subpass->color[i]);
	emit_targets(cmd, &t);
	emit_render_area(cmd);
}

/* --- clears --- */

/* A rectangle of bound targets, for a run of layers or for the views of a mask. */
static void emit_clear(struct icd_command_buffer *cmd, uint32_t targets, const VkClearValue *value,
	const VkRect2D *rect, uint32_t first_layer, uint32_t layers, uint32_t view_mask)
{
	struct pm4_clear_target p = { .targets = targets, .x = (uint32_t)rect->offset.x, .y = (uint32_t)rect->offset.y,
		.width = rect->extent.width, .height = rect->extent.height, .first_slice = first_layer,
		.slice_count = layers };
	if (targets & (PM4_CLEAR_DEPTH | PM4_CLEAR_STENCIL)) {
		memcpy(&p.value[0], &value->depthStencil.depth, 4);
		p.value[1] = value->depthStencil.stencil;
	} else {
		memcpy(p.value, value->color.uint32, sizeof p.value);
	}
	if (!view_mask) {
		icd_emit(cmd, PM4_QW_CLEAR_TARGET, &p, PM4_DWORDS(pm4_clear_target));
		return;
	}
	for (; view_mask; view_mask &= view_mask - 1) {
		p.first_slice = (uint32_t)__builtin_ctz(view_mask);
		p.slice_count = 1;
		icd_emit(cmd, PM4_QW_CLEAR_TARGET, &p, PM4_DWORDS(pm4_clear_target));
	}
}

static uint32_t depth_clears(const struct icd_attachment *a)
{
	uint32_t targets = 0;
	if ((a->format->aspects & VK_IMAGE_ASPECT_DEPTH_BIT) && a->load == VK_ATTACHMENT_LOAD_OP_CLEAR)
		targets |= PM4_CLEAR_DEPTH;
	if ((a->format->aspects & VK_IMAGE_ASPECT_STENCIL_BIT) && a->stencil_load == VK_ATTACHMENT_LOAD_OP_CLEAR)
		targets |= PM4_CLEAR_STENCIL;
	return targets;
}

/* Load operations of attachments that this subpass is the first to use. */
static void emit_loads(struct icd_command_buffer *cmd)
{
	const struct icd_command_state *state = &cmd->state;
	const struct icd_subpass *subpass = &state->pass->subpass[state->subpass];
	uint64_t done = 0;
	for (uint32_t i = 0; i < subpass->color_count; i++) {
		uint32_t n = subpass->color[i];
		if (n == VK_ATTACHMENT_UNUSED || (n < 64 && done >> n & 1))
			continue;
		const struct icd_attachment *a = &state->pass->attachment[n];
		done |= n < 64 ? 1ull << n : 0;
		if (a->first_subpass == state->subpass && a->load == VK_ATTACHMENT_LOAD_OP_CLEAR)
			emit_clear(cmd, PM4_CLEAR_COLOR0 << i, &state->clear[n], &state->render_area, 0,
				state->framebuffer->layers, a->view_mask);
	}
	if (subpass->depth == VK_ATTACHMENT_UNUSED)
		return;
	const struct icd_attachment *a = &state->pass->attachment[subpass->depth];
	uint32_t targets = depth_clears(a);
	if (a->first_subpass == state->subpass && targets)
		emit_clear(cmd, targets, &state->clear[subpass->depth], &state->render_area, 0, state->framebuffer->layers,
			a->view_mask);
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
static void emit_other_load(struct icd_command_buffer *cmd, uint32_t n)
{
	const struct icd_command_state *state = &cmd->state;
	const struct icd_subpass *subpass = &state->pass->subpass[state->subpass];
	if (n == VK_ATTACHMENT_UNUSED || is_target(subpass, n) || state->pass->attachment[n].first_subpass != state->subpass)
		return;
	const struct icd_attachment *a = &state->pass->attachment[n];
	bool color = a->format->aspects & VK_IMAGE_ASPECT_COLOR_BIT;
	uint32_t clears = !color ? depth_clears(a) : a->load == VK_ATTACHMENT_LOAD_OP_CLEAR ? PM4_CLEAR_COLOR0 : 0;
	struct targets t = { .depth = NULL };
	if (color)
		t.color[0] = view_of(state, n);
	else
		t.depth = view_of(state, n);
	if (!clears)
		return;
	emit_targets(cmd, &t);
	emit_clear(cmd, clears, &state->clear[n], &state->render_area, 0, state->framebuffer->layers, a->view_mask);
}

static void emit_other_loads(struct icd_command_buffer *cmd)
{
	const struct icd_command_state *state = &cmd->state;
	const struct icd_subpass *subpass = &state->pass->subpass[state->subpass];
	for (uint32_t i = 0; i < subpass->input_count; i++)
		emit_other_load(cmd, subpass->input[i]);
	for (uint32_t i = 0; i < subpass->color_count; i++)
		emit_other_load(cmd, subpass->color_resolve[i]);
	emit_other_load(cmd, subpass->depth_resolve);
}

/* --- resolves --- */

/* The render area of one attachment into another, of each layer or view. */
static void emit_resolve(struct icd_command_buffer *cmd, uint32_t from, uint32_t to, VkImageAspectFlags aspect,
	uint32_t mode)
{
	const struct icd_command_state *state = &cmd->state;
	const struct icd_image_view *src = view_of(state, from), *dst = view_of(state, to);
	const VkRect2D *area = &state->render_area;
	if (!src || !dst)
		return;
	struct pm4_resolve_image p = { .src_x = (uint32_t)area->offset.x, .src_y = (uint32_t)area->offset.y,
		.dst_x = (uint32_t)area->offset.x, .dst_y = (uint32_t)area->offset.y, .width = area->extent.width,
		.height = area->extent.height, .mode = mode };
	icd_image_view_surface(src, aspect, &p.src);
	icd_image_view_surface(dst, aspect, &p.dst);
	uint32_t views = state->view_mask ? state->view_mask : 1;
	for (; views; views &= views - 1) {
		uint32_t layer = (uint32_t)__builtin_ctz(views);
		p.src_z = src->range.baseArrayLayer + layer;
		p.dst_z = dst->range.baseArrayLayer + layer;
		p.depth = state->view_mask ? 1 : state->framebuffer->layers;
		icd_emit(cmd, PM4_QW_RESOLVE_IMAGE, &p, PM4_DWORDS(pm4_resolve_image));
	}
}

static uint32_t resolve_mode(VkResolveModeFlagBits mode)
{
	switch (mode) {
	case VK_RESOLVE_MODE_SAMPLE_ZERO_BIT: return PM4_RESOLVE_SAMPLE_ZERO;
	case VK_RESOLVE_MODE_MIN_BIT: return PM4_RESOLVE_MIN;
	case VK_RESOLVE_MODE_MAX_BIT: return PM4_RESOLVE_MAX;
	default: return PM4_RESOLVE_AVERAGE;
	}
}

/* At the end of a subpass, when its draws are complete. */
static void emit_resolves(struct icd_command_buffer *cmd)
{
	const struct icd_subpass *s = &cmd->state.pass->subpass[cmd->state.subpass];
	for (uint32_t i = 0; i < s->color_count; i++)
		emit_resolve(cmd, s->color[i], s->color_resolve[i], VK_IMAGE_ASPECT_COLOR_BIT, PM4_RESOLVE_AVERAGE);
	if (s->depth == VK_ATTACHMENT_UNUSED || s->depth_resolve == VK_ATTACHMENT_UNUSED)
		return;
	VkImageAspectFlags both = cmd->state.pass->attachment[s->depth].format->aspects &
		cmd->state.pass->attachment[s->depth_resolve].format->aspects;
	if (s->depth_mode && both & VK_IMAGE_ASPECT_DEPTH_BIT)
		emit_resolve(cmd, s->depth, s->depth_resolve, VK_IMAGE_ASPECT_DEPTH_BIT, resolve_mode(s->depth_mode));
	if (s->stencil_mode && both & VK_IMAGE_ASPECT_STENCIL_BIT)
		emit_resolve(cmd, s->depth, s->depth_resolve, VK_IMAGE_ASPECT_STENCIL_BIT, resolve_mode(s->stencil_mode));
}

/* --- clears of a subpass --- */

void icd_CmdClearAttachments(VkCommandBuffer _cmd, uint32_t count, const VkClearAttachment *clears,
	uint32_t rect_count, const VkClearRect *rects)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	const struct icd_subpass *subpass = &cmd->state.pass->subpass[cmd->state.subpass];
	for (uint32_t i = 0; i < count; i++) {
		uint32_t targets = 0;
		if (clears[i].aspectMask & VK_IMAGE_ASPECT_COLOR_BIT) {
			uint32_t n = clears[i].colorAttachment;
			if (n >= subpass->color_count || subpass->color[n] == VK_ATTACHMENT_UNUSED)
				continue;
			targets = PM4_CLEAR_COLOR0 << n;
		} else if (subpass->depth != VK_ATTACHMENT_UNUSED) {
			VkImageAspectFlags aspects = clears[i].aspectMask & cmd->state.pass->attachment[subpass->depth].format->aspects;
			targets |= aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? PM4_CLEAR_DEPTH : 0;
			targets |= aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? PM4_CLEAR_STENCIL : 0;
		}
		for (uint32_t r = 0; r < rect_count && targets; r++)
			emit_clear(cmd, targets, &clears[i].clearValue, &rects[r].rect, rects[r].baseArrayLayer,
				rects[r].layerCount, cmd->state.view_mask);
	}
}

/* --- subpasses --- */

static void begin_subpass(struct icd_command_buffer *cmd)
{
	struct icd_command_state *state = &cmd->state;
	state->view_mask = state->pass->subpass[state->subpass].view_mask;
	emit_other_loads(cmd);
	icd_emit_subpass(cmd);
	emit_loads(cmd);
}

void icd_CmdBeginRenderPass2(VkCommandBuffer _cmd, const VkRenderPassBeginInfo *info, const VkSubpassBeginInfo *begin)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	struct icd_command_state *state = &cmd->state;
	state->pass = icd_render_pass_from_handle(info->renderPass);
	state->framebuffer = icd_framebuffer_from_handle(info->framebuffer);
	state->render_area = info->renderArea;
	state->subpass = 0;
	uint32_t count = state->pass->attachment_count;
	state->clear = icd_stream_data(&cmd->stream, (count + 1) * sizeof *state->clear, 16);
	if (!state->clear)
		return;
	if (count > info->clearValueCount)
		count = info->clearValueCount;
	for (uint32_t i = 0; i < count; i++)
		state->clear[i] = info->pClearValues[i];
	begin_subpass(cmd);
}

void icd_CmdBeginRenderPass(VkCommandBuffer cmd, const VkRenderPassBeginInfo *info, VkSubpassContents contents)
{
	icd_CmdBeginRenderPass2(cmd, info, NULL);
}

void icd_CmdNextSubpass2(VkCommandBuffer _cmd, const VkSubpassBeginInfo *begin, const VkSubpassEndInfo *end)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	icd_emit_barrier(cmd);
	emit_resolves(cmd);
	icd_flush_queries(cmd);
	cmd->state.subpass++;
	if (cmd->state.clear)
		begin_subpass(cmd);
}

void icd_CmdNextSubpass(VkCommandBuffer cmd, VkSubpassContents contents)
{
	icd_CmdNextSubpass2(cmd, NULL, NULL);
}

void icd_CmdEndRenderPass2(VkCommandBuffer _cmd, const VkSubpassEndInfo *end)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	icd_emit_barrier(cmd);
	emit_resolves(cmd);
	cmd->state.pass = NULL;
	cmd->state.framebuffer = NULL;
	cmd->state.view_mask = 0;
	icd_flush_queries(cmd);
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
	state->graphics = state->compute = (struct icd_bind_state){ .dirty_root = true };
	state->dirty = ICD_GROUPS_ALL;
}
