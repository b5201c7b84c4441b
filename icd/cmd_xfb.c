/* SPDX-License-Identifier: MIT */
/* VK_EXT_transform_feedback. */
#include "icd/cmd.h"

/* Sizes in dwords: what is left of one is no room for anything. */
void icd_CmdBindTransformFeedbackBuffersEXT(VkCommandBuffer _cmd, uint32_t first, uint32_t count,
	const VkBuffer *buffers, const VkDeviceSize *offsets, const VkDeviceSize *sizes)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < count && first < ISA_STRMOUT_BUFFERS - i; i++) {
		ICD_FROM_HANDLE(icd_buffer, buffer, buffers[i]);
		struct icd_xfb_buffer *b = &cmd->state.xfb[first + i];
		*b = (struct icd_xfb_buffer){ 0 };
		if (!buffer || offsets[i] > buffer->size)
			continue;
		const uint64_t left = buffer->size - offsets[i], size = sizes && sizes[i] < left ? sizes[i] : left;
		*b = (struct icd_xfb_buffer){ buffer->address + offsets[i], size < UINT32_MAX ? size : UINT32_MAX };
	}
}

static void emit_update(struct icd_command_buffer *cmd, uint32_t buffer, uint32_t control, uint64_t dst, uint64_t src)
{
	const struct pm4_strmout_buffer_update p = { .control = control | buffer << PM4_STRMOUT_BUFFER_LO,
		.dst_lo = icd_lo(dst), .dst_hi = icd_hi(dst), .src_lo = icd_lo(src), .src_hi = icd_hi(src) };
	icd_emit(cmd, PM4_STRMOUT_BUFFER_UPDATE, &p, PM4_DWORDS(pm4_strmout_buffer_update));
}

/* Where the counter of a buffer is; 0: it has none. */
static uint64_t counter_of(uint32_t buffer, uint32_t first, uint32_t count, const VkBuffer *counters,
	const VkDeviceSize *offsets)
{
	if (!counters || buffer < first || buffer - first >= count || !counters[buffer - first])
		return 0;
	return icd_buffer_from_handle(counters[buffer - first])->address + (offsets ? offsets[buffer - first] : 0);
}

static void emit_config(struct icd_command_buffer *cmd, uint32_t streams)
{
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_VGT_STRMOUT_CONFIG, REG_SET(VGT_STRMOUT_CONFIG, STREAMOUT_EN, streams) |
		REG_SET(VGT_STRMOUT_CONFIG, RAST_STREAM, cmd->state.draw.rasterization_stream));
}

void icd_CmdBeginTransformFeedbackEXT(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkBuffer *counters,
	const VkDeviceSize *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < ISA_STRMOUT_BUFFERS; i++) {
		const struct icd_xfb_buffer *b = &cmd->state.xfb[i];
		uint64_t counter = counter_of(i, first, count, counters, offsets);
		icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_VGT_STRMOUT_BUFFER_SIZE + i * VGT_STRMOUT_BUFFER_SIZE__STRIDE,
			(uint32_t)(b->bytes / 4));
		icd_emit_regs(cmd, PM4_SET_CONTEXT_REG, R_QW_STRMOUT_BUFFER_BASE + i * QW_STRMOUT_BUFFER_BASE__STRIDE,
			&b->address, 2);
		emit_update(cmd, i, counter ? PM4_STRMOUT_FROM_MEMORY : PM4_STRMOUT_FROM_PACKET, 0, counter);
	}
	emit_config(cmd, (1u << ISA_STREAMS) - 1);
}

void icd_CmdEndTransformFeedbackEXT(VkCommandBuffer _cmd, uint32_t first, uint32_t count, const VkBuffer *counters,
	const VkDeviceSize *offsets)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < ISA_STRMOUT_BUFFERS; i++) {
		uint64_t counter = counter_of(i, first, count, counters, offsets);
		if (counter)
			emit_update(cmd, i, PM4_STRMOUT_STORE | PM4_STRMOUT_KEEP, counter, 0);
	}
	emit_config(cmd, 0);
}
