/* SPDX-License-Identifier: MIT */
/* Binding of pipelines, descriptor sets, buffers; push constants. */
#include <string.h>
#include "icd/cmd.h"

void icd_command_state_reset(struct icd_command_state *state)
{
	memset(state, 0, sizeof *state);
	state->graphics.dirty_root = state->compute.dirty_root = ~0u;
}

struct icd_bind_state *icd_bind_state(struct icd_command_buffer *cmd, VkPipelineBindPoint point)
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
	struct icd_bind_state *bind = icd_bind_state(cmd, point);
	bool graphics = point == VK_PIPELINE_BIND_POINT_GRAPHICS;
	/* State that the pipeline fixes may have been set since it was bound. */
	if (bind->pipeline == pipeline && !(graphics && cmd->state.set & ~pipeline->dynamic))
		return;
	bind->pipeline = pipeline;
	bind->dirty_root = ~0u;
	uint32_t *p = icd_stream_dwords(&cmd->stream, pipeline->pm4_dwords);
	if (p)
		memcpy(p, pipeline->pm4, pipeline->pm4_dwords * 4);
	if (graphics)
		take_state(&cmd->state, pipeline);
}

/* Sets that the layout does not have, and dynamic buffers that it does not, are left out. */
void icd_CmdBindDescriptorSets(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipelineLayout _layout,
	uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_pipeline_layout, layout, _layout);
	struct icd_bind_state *bind = icd_bind_state(cmd, point);
	bind->dirty_root = ~0u;
	for (uint32_t i = 0; i < count && first < layout->set_count && i < layout->set_count - first; i++) {
		ICD_FROM_HANDLE(icd_descriptor_set, set, sets[i]);
		if (!set)
			continue;
		bind->set[first + i] = icd_address(set->memory);
		uint32_t base = layout->dynamic_base[first + i];
		for (uint32_t d = 0; d < set->layout->dynamic_count && offset_count; d++, offset_count--, offsets++)
			if (base + d < ABI_MAX_DYNAMIC)
				icd_dynamic_v(&set->dynamic[d], *offsets, bind->dynamic_v[base + d]);
	}
}

/* The set to push to: with what is in it, in memory that no draw uses yet.  False without
 * memory, or if the layout has no such set. */
static bool push_set(struct icd_command_buffer *cmd, VkPipelineBindPoint point, const struct icd_pipeline_layout *layout,
	uint32_t number, struct icd_descriptor_set *set)
{
	struct icd_bind_state *bind = icd_bind_state(cmd, point);
	struct icd_push_set *push = &bind->push;
	if (number >= layout->set_count || layout->set[number]->dynamic_count)
		return false;
	const uint32_t bytes = layout->set[number]->bytes;
	const bool same = push->memory && push->set == number && push->bytes == bytes;
	if (!same || push->used) {
		uint8_t *memory = icd_stream_data(&cmd->stream, bytes + 1, 64);
		if (!memory)
			return false;
		if (same)
			memcpy(memory, push->memory, bytes);
		*push = (struct icd_push_set){ .memory = memory, .bytes = bytes, .set = number };
	}
	*set = (struct icd_descriptor_set){ .layout = layout->set[number], .memory = push->memory, .bytes = bytes };
	icd_descriptor_set_write_fixed(set);
	bind->set[number] = icd_address(push->memory);
	bind->dirty_root = ~0u;
	return true;
}

void icd_CmdPushDescriptorSetKHR(VkCommandBuffer _cmd, VkPipelineBindPoint point, VkPipelineLayout layout,
	uint32_t number, uint32_t count, const VkWriteDescriptorSet *writes)
{
	struct icd_descriptor_set set;
	if (!push_set(icd_command_buffer_from_handle(_cmd), point, icd_pipeline_layout_from_handle(layout), number, &set))
		return;
	for (uint32_t i = 0; i < count; i++)
		icd_descriptor_set_write(&set, &writes[i]);
}

void icd_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer _cmd, VkDescriptorUpdateTemplate _t,
	VkPipelineLayout layout, uint32_t number, const void *data)
{
	ICD_FROM_HANDLE(icd_descriptor_update_template, t, _t);
	struct icd_descriptor_set set;
	if (push_set(icd_command_buffer_from_handle(_cmd), t->bind_point, icd_pipeline_layout_from_handle(layout), number, &set))
		icd_descriptor_set_write_template(&set, t, data);
}

/* What is beyond the limit is left out. */
void icd_CmdPushConstants(VkCommandBuffer _cmd, VkPipelineLayout layout, VkShaderStageFlags stages,
	uint32_t offset, uint32_t size, const void *values)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	if (offset >= sizeof cmd->state.push)
		return;
	if (size > sizeof cmd->state.push - offset)
		size = (uint32_t)sizeof cmd->state.push - offset;
	memcpy(cmd->state.push + offset, values, size);
	/* Who has constants there is among the stages.  Fragments that have none keep their table, so that what differs
	 * between draws for vertices alone does not set their waves apart. */
	const uint32_t ps = 1u << ISA_HW_PS;
	if (stages & VK_SHADER_STAGE_FRAGMENT_BIT)
		cmd->state.graphics.dirty_root |= ps;
	if (stages & ~(VkShaderStageFlags)(VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT))
		cmd->state.graphics.dirty_root |= ~ps;
	if (stages & VK_SHADER_STAGE_COMPUTE_BIT)
		cmd->state.compute.dirty_root = ~0u;
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
