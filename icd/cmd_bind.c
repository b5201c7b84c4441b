/* SPDX-License-Identifier: MIT */
/* Binding of pipelines, descriptor sets, buffers; push constants; dynamic state. */
#include <string.h>
#include "icd/cmd.h"

void icd_command_state_reset(struct icd_command_state *state)
{
	memset(state, 0, sizeof *state);
	state->graphics.dirty_root = state->compute.dirty_root = true;
	state->dirty_vertex = true;
	state->dirty_samples = true;
}

static struct icd_bind_state *bind_state(struct icd_command_buffer *cmd, VkPipelineBindPoint point)
{
	return point == VK_PIPELINE_BIND_POINT_COMPUTE ? &cmd->state.compute : &cmd->state.graphics;
}

/* Takes the state that the pipeline fixes; what is dynamic stays. */
static void take_fixed_state(struct icd_command_state *state, const struct icd_pipeline *p)
{
	const struct icd_dynamic_state *from = &p->fixed;
	struct icd_dynamic_state *to = &state->dynamic;
	uint32_t fixed = ~p->dynamic & ICD_DYN_ALL;
	if (fixed & ICD_DYN_VIEWPORT)
		memcpy(to->viewport, from->viewport, sizeof to->viewport);
	if (fixed & ICD_DYN_SCISSOR)
		memcpy(to->scissor, from->scissor, sizeof to->scissor);
	if (fixed & ICD_DYN_LINE_WIDTH)
		to->line_width = from->line_width;
	if (fixed & ICD_DYN_DEPTH_BIAS) {
		to->bias_constant = from->bias_constant;
		to->bias_clamp = from->bias_clamp;
		to->bias_slope = from->bias_slope;
	}
	if (fixed & ICD_DYN_BLEND_CONSTANTS)
		memcpy(to->blend_constants, from->blend_constants, sizeof to->blend_constants);
	if (fixed & ICD_DYN_DEPTH_BOUNDS) {
		to->depth_min = from->depth_min;
		to->depth_max = from->depth_max;
	}
	for (int i = 0; i < 2; i++) {
		if (fixed & ICD_DYN_STENCIL_COMPARE)
			to->stencil[i].compare_mask = from->stencil[i].compare_mask;
		if (fixed & ICD_DYN_STENCIL_WRITE)
			to->stencil[i].write_mask = from->stencil[i].write_mask;
		if (fixed & ICD_DYN_STENCIL_REF)
			to->stencil[i].ref = from->stencil[i].ref;
	}
	state->dirty_dynamic |= fixed;
}

void icd_CmdBindPipeline(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipeline _pipeline)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline, pipeline, _pipeline);
	struct icd_bind_state *bind = bind_state(cmd, point);
	if (bind->pipeline == pipeline) {
		/* State that the pipeline fixes may have been set since. */
		if (point == VK_PIPELINE_BIND_POINT_GRAPHICS && (cmd->state.dirty_dynamic & ~pipeline->dynamic))
			take_fixed_state(&cmd->state, pipeline);
		return;
	}
	bind->pipeline = pipeline;
	bind->dirty_root = true;
	uint32_t *p = icd_stream_dwords(&cmd->stream, pipeline->pm4_dwords);
	if (p)
		memcpy(p, pipeline->pm4, pipeline->pm4_dwords * 4);
	if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) {
		take_fixed_state(&cmd->state, pipeline);
		/* ZMIN/ZMAX depend on the pipeline's depth clamp. */
		cmd->state.dirty_dynamic |= ICD_DYN_VIEWPORT;
		cmd->state.dirty_vertex = cmd->state.dirty_samples = true;
	}
}

void icd_CmdBindDescriptorSets(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipelineLayout _layout,
	uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline_layout, layout, _layout);
	struct icd_bind_state *bind = bind_state(cmd, point);
	bind->layout = layout;
	bind->dirty_root = true;
	for (uint32_t i = 0; i < count; i++) {
		ICD_FROM_HANDLE(icd_descriptor_set, set, sets[i]);
		if (!set)
			continue;
		bind->set[first + i] = icd_address(set->memory);
		uint32_t base = layout->dynamic_base[first + i];
		for (uint32_t d = 0; d < set->layout->dynamic_count && offset_count; d++, offset_count--)
			icd_dynamic_v(&set->dynamic[d], *offsets++, bind->dynamic_v[base + d]);
	}
}

void icd_CmdPushConstants(VkCommandBuffer _cmd, VkPipelineLayout layout, VkShaderStageFlags stages,
	uint32_t offset, uint32_t size, const void *values)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	memcpy(cmd->state.push + offset, values, size);
	cmd->state.graphics.dirty_root = cmd->state.compute.dirty_root = true;
}

void icd_CmdBindVertexBuffers(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkBuffer *buffers,
	const VkDeviceSize *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < count; i++) {
		ICD_FROM_HANDLE(icd_buffer, buffer, buffers[i]);
		struct icd_vertex_buffer *vb = &cmd->state.vertex[first + i];
		*vb = (struct icd_vertex_buffer){ 0 };
		if (buffer && offsets[i] <= buffer->size)
			*vb = (struct icd_vertex_buffer){ buffer->address + offsets[i], buffer->size - offsets[i] };
	}
	cmd->state.dirty_vertex = true;
}

void icd_CmdBindIndexBuffer(VkCommandBuffer _cmd, VkBuffer _buffer, VkDeviceSize offset, VkIndexType type)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, buffer, _buffer);
	struct icd_command_state *state = &cmd->state;
	state->index_address = buffer->address + offset;
	state->index_bytes = offset < buffer->size ? buffer->size - offset : 0;
	state->index_type = type == VK_INDEX_TYPE_UINT32 ? VGT_INDEX_32 :
		type == VK_INDEX_TYPE_UINT8_EXT ? VGT_INDEX_8 : VGT_INDEX_16;
	static const uint32_t reset[] = { [VGT_INDEX_16] = 0xffff, [VGT_INDEX_32] = 0xffffffff, [VGT_INDEX_8] = 0xff };
	icd_emit_reg(cmd, PM4_SET_UCONFIG_REG, R_VGT_INDEX_TYPE, state->index_type);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_VGT_MULTI_PRIM_IB_RESET_INDX, reset[state->index_type]);
}

void icd_CmdSetViewport(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkViewport *viewports)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	memcpy(cmd->state.dynamic.viewport + first, viewports, count * sizeof *viewports);
	cmd->state.dirty_dynamic |= ICD_DYN_VIEWPORT;
}

void icd_CmdSetScissor(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkRect2D *scissors)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	memcpy(cmd->state.dynamic.scissor + first, scissors, count * sizeof *scissors);
	cmd->state.dirty_dynamic |= ICD_DYN_SCISSOR;
}

void icd_CmdSetLineWidth(VkCommandBuffer _cmd, float width)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	cmd->state.dynamic.line_width = width;
	cmd->state.dirty_dynamic |= ICD_DYN_LINE_WIDTH;
}

void icd_CmdSetDepthBias(VkCommandBuffer _cmd, float constant, float clamp, float slope)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	cmd->state.dynamic.bias_constant = constant;
	cmd->state.dynamic.bias_clamp = clamp;
	cmd->state.dynamic.bias_slope = slope;
	cmd->state.dirty_dynamic |= ICD_DYN_DEPTH_BIAS;
}

void icd_CmdSetBlendConstants(VkCommandBuffer _cmd, const float constants[4])
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	memcpy(cmd->state.dynamic.blend_constants, constants, 4 * sizeof *constants);
	cmd->state.dirty_dynamic |= ICD_DYN_BLEND_CONSTANTS;
}

void icd_CmdSetDepthBounds(VkCommandBuffer _cmd, float min, float max)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	cmd->state.dynamic.depth_min = min;
	cmd->state.dynamic.depth_max = max;
	cmd->state.dirty_dynamic |= ICD_DYN_DEPTH_BOUNDS;
}

void icd_CmdSetStencilCompareMask(VkCommandBuffer _cmd, VkStencilFaceFlags faces, uint32_t mask)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (int i = 0; i < 2; i++)
		if (faces & (i ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT))
			cmd->state.dynamic.stencil[i].compare_mask = (uint8_t)mask;
	cmd->state.dirty_dynamic |= ICD_DYN_STENCIL_COMPARE;
}

void icd_CmdSetStencilWriteMask(VkCommandBuffer _cmd, VkStencilFaceFlags faces, uint32_t mask)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (int i = 0; i < 2; i++)
		if (faces & (i ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT))
			cmd->state.dynamic.stencil[i].write_mask = (uint8_t)mask;
	cmd->state.dirty_dynamic |= ICD_DYN_STENCIL_WRITE;
}

void icd_CmdSetStencilReference(VkCommandBuffer _cmd, VkStencilFaceFlags faces, uint32_t reference)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (int i = 0; i < 2; i++)
		if (faces & (i ? VK_STENCIL_FACE_BACK_BIT : VK_STENCIL_FACE_FRONT_BIT))
			cmd->state.dynamic.stencil[i].ref = (uint8_t)reference;
	cmd->state.dirty_dynamic |= ICD_DYN_STENCIL_REF;
}

/* One device: its mask has nothing to choose from. */
void icd_CmdSetDeviceMask(VkCommandBuffer cmd, uint32_t mask)
{
}
