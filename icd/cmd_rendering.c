/* SPDX-License-Identifier: MIT */
/* Rendering: targets, load operations, clears, resolves. */
#include <string.h>
#include "icd/cmd.h"

/* --- targets --- */

static uint32_t clamp16(int64_t v)
{
	return v < 0 ? 0 : v > 0x7fff ? 0x7fff : (uint32_t)v;
}

static void emit_area(struct icd_command_buffer *cmd, const VkRect2D *r)
{
	const uint32_t tl_br[2] = {
		REG_SET(PA_SC_SCREEN_SCISSOR_TL, TL_X, clamp16(r->offset.x)) |
			REG_SET(PA_SC_SCREEN_SCISSOR_TL, TL_Y, clamp16(r->offset.y)),
		REG_SET(PA_SC_SCREEN_SCISSOR_BR, BR_X, clamp16((int64_t)r->offset.x + r->extent.width)) |
			REG_SET(PA_SC_SCREEN_SCISSOR_BR, BR_Y, clamp16((int64_t)r->offset.y + r->extent.height)) };
	icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_PA_SC_SCREEN_SCISSOR_TL, tl_br, 2);
}

/* One view is the target of both aspects, or of one that it has: the other is none then. */
static void emit_depth_target(struct icd_command_buffer *cmd, const struct icd_rendering *r,
	const struct icd_image_view *view)
{
	uint32_t db[6] = { 0 };
	if (view)
		memcpy(db, view->db, sizeof db);
	if (!r->depth.view) {
		db[0] &= REG_SET(DB_Z_INFO, NUM_SAMPLES, ~0u);
		db[2] = db[3] = 0;
	}
	if (!r->stencil.view)
		db[1] = db[4] = db[5] = 0;
	icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_DB_Z_INFO, db, 6);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_DB_DEPTH_VIEW, view ? view->db_depth_view : 0);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_DB_DEPTH_SIZE, view ? view->db_depth_size : 0);
}

static void emit_targets(struct icd_command_buffer *cmd, const struct icd_rendering *r)
{
	static const uint32_t none[6] = { 0 };
	const struct icd_image_view *depth = r->depth.view ? r->depth.view : r->stencil.view, *any = depth;
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++) {
		const struct icd_image_view *view = r->color[i].view;
		any = view ? view : any;
		icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_CB_COLOR_BASE + i * CB_COLOR_BASE__STRIDE, view ? view->cb : none, 6);
	}
	emit_depth_target(cmd, r, depth);
	/* Clears want this to fit as well; without targets the pipeline knows. */
	if (any)
		icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_PA_SC_AA_CONFIG, REG_SET(PA_SC_AA_CONFIG, MSAA_NUM_SAMPLES,
			(uint32_t)__builtin_ctz(any->image->samples)));
	cmd->state.dirty |= ICD_GROUP_BIT(AA_CONFIG);
}

/* --- clears --- */

typedef void emitter(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n);

/* A rectangle of bound targets, for a run of layers or for the views of a mask. */
static void emit_clear(struct icd_command_buffer *cmd, emitter *emit, uint32_t targets, const VkClearValue *value,
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
		emit(cmd, PM4_QW_CLEAR_TARGET, &p, PM4_DWORDS(pm4_clear_target));
		return;
	}
	for (; view_mask; view_mask &= view_mask - 1) {
		p.first_slice = (uint32_t)__builtin_ctz(view_mask);
		p.slice_count = 1;
		emit(cmd, PM4_QW_CLEAR_TARGET, &p, PM4_DWORDS(pm4_clear_target));
	}
}

static bool is_cleared(const struct icd_target *t)
{
	return t->view && t->load == VK_ATTACHMENT_LOAD_OP_CLEAR;
}

/* PM4_CLEAR_UNREAD of a color target. */
static uint32_t unread(const struct icd_target *t)
{
	return t->input || t->view->image->usage & VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT ? 0 : PM4_CLEAR_UNREAD;
}

static void emit_loads(struct icd_command_buffer *cmd, const struct icd_rendering *r)
{
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		if (is_cleared(&r->color[i]))
			emit_clear(cmd, icd_emit, PM4_CLEAR_COLOR0 << i | unread(&r->color[i]), &r->color[i].clear, &r->area, 0, r->layers,
				r->color[i].clear_views);
	uint32_t targets = (is_cleared(&r->depth) ? PM4_CLEAR_DEPTH : 0u) | (is_cleared(&r->stencil) ? PM4_CLEAR_STENCIL : 0u);
	const VkClearValue value = { .depthStencil = { r->depth.clear.depthStencil.depth,
		r->stencil.clear.depthStencil.stencil } };
	if (targets)
		emit_clear(cmd, icd_emit, targets, &value, &r->area, 0, r->layers,
			is_cleared(&r->depth) ? r->depth.clear_views : r->stencil.clear_views);
}

void icd_CmdClearAttachments(VkCommandBuffer _cmd, uint32_t count, const VkClearAttachment *clears,
	uint32_t rect_count, const VkClearRect *rects)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	const struct icd_target_formats *f = &cmd->state.rendering.formats;
	for (uint32_t i = 0; i < count; i++) {
		VkImageAspectFlags aspects = clears[i].aspectMask & icd_target_aspects(f);
		uint32_t targets = 0, n = clears[i].colorAttachment;
		if (!(clears[i].aspectMask & VK_IMAGE_ASPECT_COLOR_BIT))
			targets = (aspects & VK_IMAGE_ASPECT_DEPTH_BIT ? PM4_CLEAR_DEPTH : 0u) |
				(aspects & VK_IMAGE_ASPECT_STENCIL_BIT ? PM4_CLEAR_STENCIL : 0u);
		else if (n < f->color_count && f->color[n])
			targets = PM4_CLEAR_COLOR0 << n;
		for (uint32_t r = 0; r < rect_count && targets; r++)
			emit_clear(cmd, icd_emit_conditional, targets, &clears[i].clearValue, &rects[r].rect, rects[r].baseArrayLayer,
				rects[r].layerCount, f->view_mask);
	}
}

/* --- resolves --- */

static uint32_t resolve_mode(VkResolveModeFlagBits mode)
{
	switch (mode) {
	case VK_RESOLVE_MODE_SAMPLE_ZERO_BIT: return PM4_RESOLVE_SAMPLE_ZERO;
	case VK_RESOLVE_MODE_MIN_BIT: return PM4_RESOLVE_MIN;
	case VK_RESOLVE_MODE_MAX_BIT: return PM4_RESOLVE_MAX;
	default: return PM4_RESOLVE_AVERAGE;
	}
}

/* The area of a color target, of each layer or view, while its samples are at hand; false: it is of another format than
 * what it goes to. */
static bool resolve_target(struct icd_command_buffer *cmd, const struct icd_rendering *r, uint32_t n)
{
	const struct icd_target *t = &r->color[n];
	struct pm4_resolve_target p = { .target = PM4_CLEAR_COLOR0 << n, .x = (uint32_t)r->area.offset.x,
		.y = (uint32_t)r->area.offset.y, .width = r->area.extent.width, .height = r->area.extent.height };
	icd_image_view_surface(t->resolve, VK_IMAGE_ASPECT_COLOR_BIT, &p.dst);
	const uint32_t info = t->view->cb[R_CB_COLOR_INFO - R_CB_COLOR_BASE];
	if (REG_GET(info, CB_COLOR_INFO, FORMAT) != p.dst.dfmt || REG_GET(info, CB_COLOR_INFO, NUMBER_TYPE) != p.dst.nfmt)
		return false;
	uint32_t views = r->formats.view_mask ? r->formats.view_mask : 1;
	for (; views; views &= views - 1) {
		p.first_slice = (uint32_t)__builtin_ctz(views);
		p.slice_count = r->formats.view_mask ? 1 : r->layers;
		p.dst_z = t->resolve->range.baseArrayLayer + p.first_slice;
		icd_emit(cmd, PM4_QW_RESOLVE_TARGET, &p, PM4_DWORDS(pm4_resolve_target));
	}
	return true;
}

/* Resolves what can be resolved tile by tile, and takes it off the list. */
static void resolve_targets(struct icd_command_buffer *cmd, struct icd_rendering *r)
{
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		if (r->color[i].view && r->color[i].resolve && r->color[i].resolve_mode && resolve_target(cmd, r, i))
			r->color[i].resolve = NULL;
}

/* Whether only draws to it can see what is in it, and it will not be read again. */
static bool is_discarded(const struct icd_target *t)
{
	const VkImageUsageFlags seen = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
		VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
	return t->view && t->store == VK_ATTACHMENT_STORE_OP_DONT_CARE && !t->resolve && !(t->view->image->usage & seen);
}

static void discard_targets(struct icd_command_buffer *cmd, const struct icd_rendering *r)
{
	struct pm4_discard_target p = { .targets = 0, .x = (uint32_t)r->area.offset.x, .y = (uint32_t)r->area.offset.y,
		.width = r->area.extent.width, .height = r->area.extent.height };
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		p.targets |= (uint32_t)is_discarded(&r->color[i]) << i;
	p.targets |= is_discarded(&r->depth) ? PM4_CLEAR_DEPTH : 0u;
	p.targets |= is_discarded(&r->stencil) ? PM4_CLEAR_STENCIL : 0u;
	if (p.targets)
		icd_emit(cmd, PM4_QW_DISCARD_TARGET, &p, PM4_DWORDS(pm4_discard_target));
}

/* The area of one aspect, of each layer or view. */
static void emit_resolve(struct icd_command_buffer *cmd, const struct icd_rendering *r, const struct icd_target *t,
	VkImageAspectFlags aspect)
{
	const VkRect2D *area = &r->area;
	if (!t->view || !t->resolve || !t->resolve_mode)
		return;
	struct pm4_resolve_image p = { .src_x = (uint32_t)area->offset.x, .src_y = (uint32_t)area->offset.y,
		.dst_x = (uint32_t)area->offset.x, .dst_y = (uint32_t)area->offset.y, .width = area->extent.width,
		.height = area->extent.height, .mode = resolve_mode(t->resolve_mode) };
	icd_image_view_surface(t->view, aspect, &p.src);
	icd_image_view_surface(t->resolve, aspect, &p.dst);
	uint32_t views = r->formats.view_mask ? r->formats.view_mask : 1;
	for (; views; views &= views - 1) {
		uint32_t layer = (uint32_t)__builtin_ctz(views);
		p.src_z = t->view->range.baseArrayLayer + layer;
		p.dst_z = t->resolve->range.baseArrayLayer + layer;
		p.depth = r->formats.view_mask ? 1 : r->layers;
		icd_emit(cmd, PM4_QW_RESOLVE_IMAGE, &p, PM4_DWORDS(pm4_resolve_image));
	}
}

static void emit_resolves(struct icd_command_buffer *cmd, const struct icd_rendering *r)
{
	for (uint32_t i = 0; i < ICD_MAX_COLOR; i++)
		emit_resolve(cmd, r, &r->color[i], VK_IMAGE_ASPECT_COLOR_BIT);
	emit_resolve(cmd, r, &r->depth, VK_IMAGE_ASPECT_DEPTH_BIT);
	emit_resolve(cmd, r, &r->stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
}

/* --- begin and end --- */

void icd_load_targets(struct icd_command_buffer *cmd, const struct icd_rendering *r)
{
	emit_targets(cmd, r);
	emit_loads(cmd, r);
}

void icd_begin_rendering(struct icd_command_buffer *cmd)
{
	struct icd_rendering *r = &cmd->state.rendering;
	r->active = true;
	emit_targets(cmd, r);
	emit_area(cmd, &r->area);
	if (!(r->flags & VK_RENDERING_RESUMING_BIT))
		emit_loads(cmd, r);
}

void icd_end_rendering(struct icd_command_buffer *cmd)
{
	struct icd_rendering *r = &cmd->state.rendering;
	if (!(r->flags & VK_RENDERING_SUSPENDING_BIT)) {
		resolve_targets(cmd, r);
		discard_targets(cmd, r);
	}
	icd_emit_barrier(cmd);
	if (!(r->flags & VK_RENDERING_SUSPENDING_BIT))
		emit_resolves(cmd, r);
	memset(r, 0, sizeof *r);
	icd_flush_queries(cmd);
}

/* --- VK_KHR_dynamic_rendering --- */

static struct icd_target target_of(const VkRenderingAttachmentInfo *a, uint32_t view_mask)
{
	struct icd_target t = { .view = a ? icd_image_view_from_handle(a->imageView) : NULL };
	if (!t.view)
		return t;
	if (a->resolveMode)
		t.resolve = icd_image_view_from_handle(a->resolveImageView);
	t.resolve_mode = a->resolveMode;
	t.load = a->loadOp;
	t.store = a->storeOp;
	t.clear = a->clearValue;
	t.clear_views = view_mask;
	return t;
}

void icd_CmdBeginRendering(VkCommandBuffer _cmd, const VkRenderingInfo *info)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	struct icd_rendering *r = &cmd->state.rendering;
	struct icd_target_formats *f = &r->formats;
	*r = (struct icd_rendering){ .flags = info->flags, .area = info->renderArea, .layers = info->layerCount };
	f->view_mask = info->viewMask;
	f->color_count = info->colorAttachmentCount < ICD_MAX_COLOR ? info->colorAttachmentCount : ICD_MAX_COLOR;
	for (uint32_t i = 0; i < f->color_count; i++) {
		r->color[i] = target_of(&info->pColorAttachments[i], info->viewMask);
		f->color[i] = r->color[i].view ? r->color[i].view->format : NULL;
	}
	r->depth = target_of(info->pDepthAttachment, info->viewMask);
	r->stencil = target_of(info->pStencilAttachment, info->viewMask);
	icd_target_depth(f, r->depth.view ? r->depth.view->format : NULL,
		r->stencil.view ? r->stencil.view->format : NULL);
	icd_begin_rendering(cmd);
}

void icd_CmdEndRendering(VkCommandBuffer _cmd)
{
	icd_end_rendering(icd_command_buffer_from_handle(_cmd));
}
