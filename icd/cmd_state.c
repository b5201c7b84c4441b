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

void icd_CmdSetLineWidth(VkCommandBuffer cmd, float width)
{
	set(cmd, ICD_STATE_LINE_WIDTH)->line_width = width;
}

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

/* --- viewports, of which there is one --- */

void icd_CmdSetViewport(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkViewport *viewports)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_VIEWPORT);
	for (uint32_t i = 0; i < count && first + i < ICD_MAX_VIEWPORTS; i++)
		s->viewport[first + i] = viewports[i];
}

void icd_CmdSetScissor(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkRect2D *scissors)
{
	struct icd_graphics_state *s = set(cmd, ICD_STATE_SCISSOR);
	for (uint32_t i = 0; i < count && first + i < ICD_MAX_VIEWPORTS; i++)
		s->scissor[first + i] = scissors[i];
}

/* --- stencil --- */

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

/* Belongs to VK_EXT_line_rasterization; there are no stippled lines. */
void icd_CmdSetLineStippleEXT(VkCommandBuffer cmd, uint32_t factor, uint16_t pattern)
{
}

/* One device: its mask has nothing to choose from. */
void icd_CmdSetDeviceMask(VkCommandBuffer cmd, uint32_t mask)
{
}
