/* SPDX-License-Identifier: MIT */
/* Barriers, events and queries inside command buffers. */
#include "icd/cmd.h"
#include "icd/event.h"
#include "icd/query_pool.h"

/* --- barriers and events --- */

/* The GPU executes packets in order and knows one kind of barrier: a full one. */
void icd_CmdPipelineBarrier(VkCommandBuffer _cmd, VkPipelineStageFlags src, VkPipelineStageFlags dst,
	VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
	const VkBufferMemoryBarrier *buffers, uint32_t image_count, const VkImageMemoryBarrier *images)
{
	icd_emit_barrier(icd_command_buffer_from_handle(_cmd));
}

static void emit_event(VkCommandBuffer _cmd, VkEvent _event, uint32_t value)
{
	ICD_FROM_HANDLE(icd_event, event, _event);
	icd_emit_release(icd_command_buffer_from_handle(_cmd), PM4_DATA_SEL_32, icd_address((void *)&event->dword), value);
}

void icd_CmdSetEvent(VkCommandBuffer cmd, VkEvent event, VkPipelineStageFlags stages)
{
	emit_event(cmd, event, 1);
}

void icd_CmdResetEvent(VkCommandBuffer cmd, VkEvent event, VkPipelineStageFlags stages)
{
	emit_event(cmd, event, 0);
}

void icd_CmdWaitEvents(VkCommandBuffer _cmd, uint32_t count, const VkEvent *events, VkPipelineStageFlags src,
	VkPipelineStageFlags dst, uint32_t memory_count, const VkMemoryBarrier *memory, uint32_t buffer_count,
	const VkBufferMemoryBarrier *buffers, uint32_t image_count, const VkImageMemoryBarrier *images)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	for (uint32_t i = 0; i < count; i++) {
		uint64_t address = icd_address((void *)&icd_event_from_handle(events[i])->dword);
		const struct pm4_wait_reg_mem p = { .function = PM4_WAIT_EQUAL, .address_lo = icd_lo(address),
			.address_hi = icd_hi(address), .reference = 1, .mask = 0xffffffff, .poll_interval = 16 };
		icd_emit(cmd, PM4_WAIT_REG_MEM, &p, PM4_DWORDS(pm4_wait_reg_mem));
	}
	icd_emit_barrier(cmd);
}

/* --- queries --- */

static uint64_t slot_address(const struct icd_query_pool *pool, uint32_t query)
{
	return icd_address(pool->slot + query * pool->stride);
}

static void emit_event_write(struct icd_command_buffer *cmd, uint32_t event, uint64_t address)
{
	const struct pm4_event_write p = { .event = event, .address_lo = icd_lo(address), .address_hi = icd_hi(address) };
	icd_emit(cmd, PM4_EVENT_WRITE, &p, PM4_DWORDS(pm4_event_write));
}

/* RELEASE_MEM would end the GPU's pass, so inside a render pass availability
 * waits for its end. */
void icd_flush_queries(struct icd_command_buffer *cmd)
{
	struct icd_command_state *state = &cmd->state;
	for (uint32_t i = 0; i < state->ended_count; i++)
		icd_emit_release(cmd, PM4_DATA_SEL_64, state->ended[i], 1);
	state->ended_count = 0;
}

static void make_available(struct icd_command_buffer *cmd, const struct icd_query_pool *pool, uint32_t query)
{
	struct icd_command_state *state = &cmd->state;
	if (state->ended_count == ICD_MAX_ENDED_QUERIES)
		icd_flush_queries(cmd);
	state->ended[state->ended_count++] = slot_address(pool, query) + isa_query_available(pool->kind);
	if (!state->rendering.active)
		icd_flush_queries(cmd);
}

/* Counts, or not, what the pool's queries ask for.  Of primitives each stream can have a query; what
 * transform feedback writes is counted anyway. */
static void emit_counting(struct icd_command_buffer *cmd, const struct icd_query_pool *pool, bool on)
{
	uint32_t *active = &cmd->state.primitive_queries;
	switch (pool->type) {
	case VK_QUERY_TYPE_PIPELINE_STATISTICS: case VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT:
		emit_event_write(cmd, on ? PM4_EVENT_PIPELINESTAT_START : PM4_EVENT_PIPELINESTAT_STOP, 0);
		break;
	case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT:
		*active = on ? *active + 1 : *active - (*active != 0);
		emit_event_write(cmd, *active ? PM4_EVENT_QW_PRIMITIVES_START : PM4_EVENT_QW_PRIMITIVES_STOP, 0);
		break;
	case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT: break;
	default:
		icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_DB_COUNT_CONTROL, !on ? 0 :
			REG_SET(DB_COUNT_CONTROL, ZPASS_ENABLE, 1) | REG_SET(DB_COUNT_CONTROL, PERFECT_ZPASS_COUNTS, 1));
	}
}

/* stream: of those queries that have one. */
static uint32_t sample_event(const struct icd_query_pool *pool, uint32_t stream)
{
	switch (pool->type) {
	case VK_QUERY_TYPE_PIPELINE_STATISTICS: case VK_QUERY_TYPE_MESH_PRIMITIVES_GENERATED_EXT:
		return PM4_EVENT_SAMPLE_PIPELINESTAT;
	case VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT: case VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT:
		return stream ? PM4_EVENT_SAMPLE_STREAMOUTSTATS1 + stream - 1 : PM4_EVENT_SAMPLE_STREAMOUTSTATS;
	default: return PM4_EVENT_ZPASS_DONE;
	}
}

void icd_CmdBeginQueryIndexedEXT(VkCommandBuffer _cmd, VkQueryPool _pool, uint32_t query, VkQueryControlFlags flags,
	uint32_t index)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_query_pool, pool, _pool);
	emit_counting(cmd, pool, true);
	emit_event_write(cmd, sample_event(pool, index), slot_address(pool, query));
}

void icd_CmdBeginQuery(VkCommandBuffer cmd, VkQueryPool pool, uint32_t query, VkQueryControlFlags flags)
{
	icd_CmdBeginQueryIndexedEXT(cmd, pool, query, flags, 0);
}

/* Queries that a multiview subpass adds for its other views count nothing. */
static uint32_t query_run(const struct icd_command_buffer *cmd)
{
	uint32_t views = (uint32_t)__builtin_popcount(cmd->state.rendering.formats.view_mask);
	return views ? views : 1;
}

void icd_CmdEndQueryIndexedEXT(VkCommandBuffer _cmd, VkQueryPool _pool, uint32_t query, uint32_t index)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_query_pool, pool, _pool);
	emit_event_write(cmd, sample_event(pool, index), slot_address(pool, query) + isa_query_end(pool->kind));
	emit_counting(cmd, pool, false);
	for (uint32_t i = 0; i < query_run(cmd); i++)
		make_available(cmd, pool, query + i);
}

void icd_CmdEndQuery(VkCommandBuffer cmd, VkQueryPool pool, uint32_t query)
{
	icd_CmdEndQueryIndexedEXT(cmd, pool, query, 0);
}

void icd_CmdWriteTimestamp(VkCommandBuffer _cmd, VkPipelineStageFlagBits stage, VkQueryPool _pool, uint32_t query)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_query_pool, pool, _pool);
	for (uint32_t i = 0; i < query_run(cmd); i++) {
		icd_emit_release(cmd, PM4_DATA_SEL_CLOCK, slot_address(pool, query + i) + isa_query_end(pool->kind), 0);
		make_available(cmd, pool, query + i);
	}
}

void icd_CmdResetQueryPool(VkCommandBuffer _cmd, VkQueryPool _pool, uint32_t first, uint32_t count)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_query_pool, pool, _pool);
	uint64_t address = slot_address(pool, first), bytes = count * pool->stride;
	const struct pm4_fill_buffer p = { .dst_lo = icd_lo(address), .dst_hi = icd_hi(address),
		.bytes_lo = icd_lo(bytes), .bytes_hi = icd_hi(bytes) };
	if (count)
		icd_emit(cmd, PM4_QW_FILL_BUFFER, &p, PM4_DWORDS(pm4_fill_buffer));
}

void icd_CmdCopyQueryPoolResults(VkCommandBuffer _cmd, VkQueryPool _pool, uint32_t first, uint32_t count,
	VkBuffer _dst, VkDeviceSize offset, VkDeviceSize stride, VkQueryResultFlags flags)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_query_pool, pool, _pool);
	ICD_FROM_HANDLE(icd_buffer, dst, _dst);
	uint64_t src = slot_address(pool, first), to = dst->address + offset;
	static_assert((int)PM4_QUERY_64 == (int)VK_QUERY_RESULT_64_BIT &&
		(int)PM4_QUERY_WAIT == (int)VK_QUERY_RESULT_WAIT_BIT &&
		(int)PM4_QUERY_AVAILABILITY == (int)VK_QUERY_RESULT_WITH_AVAILABILITY_BIT &&
		(int)PM4_QUERY_PARTIAL == (int)VK_QUERY_RESULT_PARTIAL_BIT, "the packet has Vulkan's bits");
	const struct pm4_copy_query p = { icd_lo(src), icd_hi(src), count, pool->kind, flags, icd_lo(to), icd_hi(to),
		icd_lo(stride), icd_hi(stride) };
	if (count)
		icd_emit(cmd, PM4_QW_COPY_QUERY, &p, PM4_DWORDS(pm4_copy_query));
}

/* --- VK_EXT_conditional_rendering --- */

static void emit_predication(struct icd_command_buffer *cmd, uint32_t op, uint64_t address)
{
	const struct pm4_set_predication p = { icd_lo(address), icd_hi(address), op };
	icd_emit(cmd, PM4_SET_PREDICATION, &p, PM4_DWORDS(pm4_set_predication));
}

void icd_CmdBeginConditionalRenderingEXT(VkCommandBuffer _cmd, const VkConditionalRenderingBeginInfoEXT *info)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, buffer, info->buffer);
	emit_predication(cmd, info->flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT ? PM4_PREDICATE_SKIP_NONZERO :
		PM4_PREDICATE_SKIP_ZERO, buffer->address + info->offset);
	cmd->state.conditional = true;
}

void icd_CmdEndConditionalRenderingEXT(VkCommandBuffer _cmd)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	emit_predication(cmd, PM4_PREDICATE_OFF, 0);
	cmd->state.conditional = false;
}
