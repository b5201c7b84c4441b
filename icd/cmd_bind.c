/* SPDX-License-Identifier: MIT */
/* Binding of pipelines, descriptor sets, buffers; push constants. */
#include <string.h>
#include "icd/cmd.h"

void icd_command_state_reset(struct icd_command_state *state)
{
	memset(state, 0, sizeof *state);
	state->graphics.dirty_root = state->compute.dirty_root = true;
}

static struct icd_bind_state *bind_state(struct icd_command_buffer *cmd, VkPipelineBindPoint point)
{
	return point == VK_PIPELINE_BIND_POINT_COMPUTE ? &cmd->state.compute : &cmd->state.graphics;
}

/* Takes the static states; what is dynamic stays. */
static void take_state(struct icd_command_state *state, const struct icd_pipeline *p)
{
	struct icd_graphics_state next = p->state;
	icd_graphics_state_take(&next, &state->draw, p->dynamic);
	state->draw = next;
	state->dirty = (state->dirty & ~p->baked) | p->mixed;
	state->set = 0;
}

void icd_CmdBindPipeline(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipeline _pipeline)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline, pipeline, _pipeline);
	struct icd_bind_state *bind = bind_state(cmd, point);
	bool graphics = point == VK_PIPELINE_BIND_POINT_GRAPHICS;
	/* State that the pipeline fixes may have been set since it was bound. */
	if (bind->pipeline == pipeline && !(graphics && cmd->state.set & ~pipeline->dynamic))
		return;
	bind->pipeline = pipeline;
	bind->dirty_root = true;
	uint32_t *p = icd_stream_dwords(&cmd->stream, pipeline->pm4_dwords);
	if (p)
		memcpy(p, pipeline->pm4, pipeline->pm4_dwords * 4);
	if (graphics)
		take_state(&cmd->state, pipeline);
}

void icd_CmdBindDescriptorSets(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipelineLayout _layout,
	uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline_layout, layout, _layout);
	struct icd_bind_state *bind = bind_state(cmd, point);
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

/* Strides are state; those of a pipeline that fixes them go before (cmd_draw.c). */
void icd_CmdBindVertexBuffers2(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkBuffer *buffers,
	const VkDeviceSize *offsets, const VkDeviceSize *sizes, const VkDeviceSize *strides)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	struct icd_command_state *state = &cmd->state;
	for (uint32_t i = 0; i < count && first < ICD_MAX_VERTEX_BINDINGS - i; i++) {
		ICD_FROM_HANDLE(icd_buffer, buffer, buffers[i]);
		struct icd_vertex_buffer *vb = &state->vertex[first + i];
		*vb = (struct icd_vertex_buffer){ 0 };
		if (buffer && offsets[i] <= buffer->size)
			*vb = (struct icd_vertex_buffer){ buffer->address + offsets[i], buffer->size - offsets[i] };
		if (sizes && sizes[i] < vb->bytes)
			vb->bytes = sizes[i];
		if (strides)
			state->draw.stride[first + i] = (uint16_t)strides[i];
	}
	state->dirty |= ICD_GROUP_BIT(ATTRIBUTES);
	if (strides)
		state->set |= ICD_STATE_BIT(STRIDE);
}

void icd_CmdBindVertexBuffers(VkCommandBuffer cmd, uint32_t first, uint32_t count, const VkBuffer *buffers,
	const VkDeviceSize *offsets)
{
	icd_CmdBindVertexBuffers2(cmd, first, count, buffers, offsets, NULL, NULL);
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
