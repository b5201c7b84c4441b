/* SPDX-License-Identifier: MIT */
/* Commands that set graphics state: a line each, of graphics_state.def's rows. */
#include <string.h>
#include "icd/cmd.h"

/* The state that is about to be set. */
static struct icd_graphics_state *set(VkCommandBuffer _cmd, enum icd_state which)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	cmd->state.dirty |= icd_state_rows[which].groups;
	cmd->state.set |= 1ull << which;
	return &cmd->state.draw;
}

/* --- one value --- */

#define SETTER(NAME, type, STATE, member) \
	void icd_CmdSet##NAME(VkCommandBuffer cmd, type value) \
	{ \
		struct icd_graphics_state *s = set(cmd, ICD_STATE_##STATE); \
		s->member = (__typeof__(s->member))value; \
	}
SETTER(PrimitiveTopology, VkPrimitiveTopology, TOPOLOGY, topology)
SETTER(PrimitiveRestartEnable, VkBool32, PRIMITIVE_RESTART, primitive_restart)
SETTER(PatchControlPointsEXT, uint32_t, PATCH_POINTS, patch_points)
SETTER(RasterizerDiscardEnable, VkBool32, RASTERIZER_DISCARD, rasterizer_discard)
SETTER(CullMode, VkCullModeFlags, CULL_MODE, cull_mode)
SETTER(FrontFace, VkFrontFace, FRONT_FACE, front_face)
SETTER(LineWidth, float, LINE_WIDTH, line_width)
SETTER(DepthBiasEnable, VkBool32, DEPTH_BIAS_ENABLE, depth_bias_enable)
SETTER(DepthTestEnable, VkBool32, DEPTH_TEST, depth_test)
SETTER(DepthWriteEnable, VkBool32, DEPTH_WRITE, depth_write)
SETTER(DepthCompareOp, VkCompareOp, DEPTH_COMPARE, depth_compare)
SETTER(DepthBoundsTestEnable, VkBool32, DEPTH_BOUNDS_TEST, depth_bounds_test)
SETTER(StencilTestEnable, VkBool32, STENCIL_TEST, stencil_test)
SETTER(LogicOpEXT, VkLogicOp, LOGIC_OP, logic_op)
SETTER(LogicOpEnableEXT, VkBool32, LOGIC_OP_ENABLE, logic_op_enable)
SETTER(DepthClampEnableEXT, VkBool32, DEPTH_CLAMP, depth_clamp)
SETTER(DepthClipNegativeOneToOneEXT, VkBool32, DEPTH_SYMMETRIC, depth_symmetric)
SETTER(PolygonModeEXT, VkPolygonMode, POLYGON_MODE, polygon_mode)
SETTER(LineRasterizationModeEXT, VkLineRasterizationModeEXT, LINE_MODE, line_mode)
SETTER(AlphaToCoverageEnableEXT, VkBool32, ALPHA_TO_COVERAGE, alpha_to_coverage)
#undef SETTER

/* --- several --- */

void icd_CmdSetDepthBias(VkCommandBuffer cmd, float constant, float clamp, float slope)
{
	set(cmd, ICD_STATE_DEPTH_BIAS)->depth_bias = (struct icd_depth_bias){ constant, clamp, slope };
}

void icd_CmdSetBlendConstants(VkCommandBuffer cmd, const float constants[4])
{
	memcpy(set(cmd, ICD_STATE_BLEND_CONSTANTS)->blend_constants, constants, 4 * sizeof *constants);
}

void icd_CmdSetDepthBounds(VkCommandBuffer cmd, float min, float max)
{
	memcpy(set(cmd, ICD_STATE_DEPTH_BOUNDS)->depth_bounds, (float[]){ min, max }, 2 * sizeof min);
}

void icd_CmdSetDepthClipEnableEXT(VkCommandBuffer cmd, VkBool32 enable)
{
	set(cmd, ICD_STATE_DEPTH_CLIP)->depth_clip = enable ? ICD_CLIP_ON : ICD_CLIP_OFF;
}

void icd_CmdSetProvokingVertexModeEXT(VkCommandBuffer cmd, VkProvokingVertexModeEXT mode)
{
	set(cmd, ICD_STATE_PROVOKING_LAST)->provoking_last = mode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
}

void icd_CmdSetTessellationDomainOriginEXT(VkCommandBuffer cmd, VkTessellationDomainOrigin origin)
{
	set(cmd, ICD_STATE_DOMAIN_LOWER)->domain_lower = origin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

void icd_CmdSetSampleMaskEXT(VkCommandBuffer cmd, VkSampleCountFlagBits samples, const VkSampleMask *mask)
{
	set(cmd, ICD_STATE_SAMPLE_MASK)->sample_mask = mask[0] & 0xffff;
}

/* --- targets --- */

void icd_CmdSetColorWriteEnableEXT(VkCommandBuffer cmd, uint32_t count, const VkBool32 *enables)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_COLOR_WRITE_ENABLE);
	for (uint32_t i = 0; i < count && i < ICD_MAX_COLOR; i++)
		s->color_write_enable[i] = enables[i];
}

void icd_CmdSetColorWriteMaskEXT(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkColorComponentFlags *masks)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_COLOR_WRITE_MASK);
	for (uint32_t i = 0; i < count && first + i < ICD_MAX_COLOR; i++)
		s->color_write_mask[first + i] = masks[i] & 0xf;
}

void icd_CmdSetColorBlendEnableEXT(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkBool32 *enables)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_BLEND_ENABLE);
	for (uint32_t i = 0; i < count && first + i < ICD_MAX_COLOR; i++)
		s->blend_enable[first + i] = enables[i];
}

void icd_CmdSetColorBlendEquationEXT(VkCommandBuffer cmd, uint32_t first, uint32_t count,
	const VkColorBlendEquationEXT *equations)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_BLEND_EQUATION);
	for (uint32_t i = 0; i < count && first + i < ICD_MAX_COLOR; i++) {
		const VkColorBlendEquationEXT *e = &equations[i];
		s->blend_equation[first + i] = (struct icd_blend_equation){
			(uint8_t)e->srcColorBlendFactor, (uint8_t)e->dstColorBlendFactor, (uint8_t)e->colorBlendOp,
			(uint8_t)e->srcAlphaBlendFactor, (uint8_t)e->dstAlphaBlendFactor, (uint8_t)e->alphaBlendOp };
	}
}

/* --- viewports --- */

void icd_CmdSetViewport(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkViewport *viewports)
{
	struct icd_viewports *v = &set(cmd, ICD_STATE_VIEWPORT)->viewport;
	for (uint32_t i = first; i < first + count && i < ICD_MAX_VIEWPORTS; i++) {
		v->at[i] = viewports[i - first];
		v->count = v->count > i ? v->count : i + 1;
	}
}

void icd_CmdSetScissor(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkRect2D *scissors)
{
	struct icd_scissors *s = &set(cmd, ICD_STATE_SCISSOR)->scissor;
	for (uint32_t i = first; i < first + count && i < ICD_MAX_VIEWPORTS; i++) {
		s->at[i] = scissors[i - first];
		s->count = s->count > i ? s->count : i + 1;
	}
}

void icd_CmdSetViewportWithCount(VkCommandBuffer cmd, uint32_t count, const VkViewport *viewports)
{
	set(cmd, ICD_STATE_VIEWPORT)->viewport.count = 0;
	icd_CmdSetViewport(cmd, 0, count, viewports);
}

void icd_CmdSetScissorWithCount(VkCommandBuffer cmd, uint32_t count, const VkRect2D *scissors)
{
	set(cmd, ICD_STATE_SCISSOR)->scissor.count = 0;
	icd_CmdSetScissor(cmd, 0, count, scissors);
}

/* --- stencil --- */

void icd_CmdSetStencilOp(VkCommandBuffer cmd, VkStencilFaceFlags faces, VkStencilOp fail, VkStencilOp pass,
	VkStencilOp depth_fail, VkCompareOp compare)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_STENCIL_OP);
	const struct icd_stencil_op op = { (uint8_t)fail, (uint8_t)pass, (uint8_t)depth_fail, (uint8_t)compare };
	if (faces & VK_STENCIL_FACE_FRONT_BIT)
		s->stencil_op[ICD_FRONT] = op;
	if (faces & VK_STENCIL_FACE_BACK_BIT)
		s->stencil_op[ICD_BACK] = op;
}

static void set_faces(uint8_t value[2], VkStencilFaceFlags faces, uint32_t to)
{
	if (faces & VK_STENCIL_FACE_FRONT_BIT)
		value[ICD_FRONT] = (uint8_t)to;
	if (faces & VK_STENCIL_FACE_BACK_BIT)
		value[ICD_BACK] = (uint8_t)to;
}

void icd_CmdSetStencilCompareMask(VkCommandBuffer cmd, VkStencilFaceFlags faces, uint32_t mask)
{
	set_faces(set(cmd, ICD_STATE_STENCIL_COMPARE_MASK)->stencil_compare_mask, faces, mask);
}

void icd_CmdSetStencilWriteMask(VkCommandBuffer cmd, VkStencilFaceFlags faces, uint32_t mask)
{
	set_faces(set(cmd, ICD_STATE_STENCIL_WRITE_MASK)->stencil_write_mask, faces, mask);
}

void icd_CmdSetStencilReference(VkCommandBuffer cmd, VkStencilFaceFlags faces, uint32_t reference)
{
	set_faces(set(cmd, ICD_STATE_STENCIL_REFERENCE)->stencil_reference, faces, reference);
}

/* --- state that no pipeline here has --- */

/* Pipelines with this state are made for depth that is read while it is tested. */
void icd_CmdSetAttachmentFeedbackLoopEnableEXT(VkCommandBuffer cmd, VkImageAspectFlags aspects)
{
}

/* Commands that VK_EXT_extended_dynamic_state3 has whatever its features are, and whose features this
 * device has not: programs are made for a number of samples and for alpha to one, the rest there is not. */
void icd_CmdSetRasterizationSamplesEXT(VkCommandBuffer cmd, VkSampleCountFlagBits samples)
{
}

void icd_CmdSetAlphaToOneEnableEXT(VkCommandBuffer cmd, VkBool32 enable)
{
}

void icd_CmdSetLineStippleEnableEXT(VkCommandBuffer cmd, VkBool32 enable)
{
}

/* Belongs to VK_EXT_line_rasterization; there are no stippled lines. */
void icd_CmdSetLineStippleEXT(VkCommandBuffer cmd, uint32_t factor, uint16_t pattern)
{
}

/* One device: its mask has nothing to choose from. */
void icd_CmdSetDeviceMask(VkCommandBuffer cmd, uint32_t mask)
{
}
