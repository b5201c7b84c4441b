/* SPDX-License-Identifier: MIT */
/* Draws and dispatches, and the state that must stand before them. */
#include <string.h>
#include "icd/cmd.h"
#include "icd/pm4_build.h"
#include "isa/abi.h"
#include "isa/resource.h"

/* --- state --- */

/* Dirty groups to the stream, in one piece. */
static void flush_registers(struct icd_command_buffer *cmd, uint32_t groups)
{
	struct icd_pm4 pm4;
	pm4.count = 0;
	icd_graphics_emit(&pm4, &cmd->state.draw, groups);
	if (!pm4.count)
		return;
	uint32_t *p = icd_stream_dwords(&cmd->stream, pm4.count);
	if (p)
		memcpy(p, pm4.dw, pm4.count * sizeof *p);
}

static_assert((int)ICD_PM4_MAX <= (int)ICD_STREAM_MAX, "one piece has room");

/* --- tables in memory --- */

static bool flush_attributes(struct icd_command_buffer *cmd)
{
	const struct icd_pipeline *p = cmd->state.graphics.pipeline;
	/* vkCmdBindVertexBuffers2 may have given strides that do not count. */
	const uint16_t *strides = p->dynamic & ICD_STATE_BIT(STRIDE) ? cmd->state.draw.stride : p->state.stride;
	uint32_t locations = 0;
	for (uint32_t i = 0; i < p->attr_count; i++)
		if (p->attr[i].location >= locations)
			locations = p->attr[i].location + 1u;
	if (!locations)
		return true;
	uint32_t (*table)[4] = icd_stream_data(&cmd->stream, locations * 16, 16);
	if (!table)
		return false;
	for (uint32_t i = 0; i < p->attr_count; i++) {
		const struct icd_vertex_attr *a = &p->attr[i];
		const struct icd_vertex_buffer *vb = &cmd->state.vertex[a->binding];
		uint32_t *v = table[a->location];
		uint64_t address = vb->address + a->offset;
		ISA_SET(v, V_BASE_LO, icd_lo(address));
		ISA_SET(v, V_BASE_HI, icd_hi(address));
		uint32_t stride = strides[a->binding];
		ISA_SET(v, V_STRIDE, stride);
		v[2] = vb->bytes > a->offset ? icd_attr_records(a, stride, vb->bytes - a->offset) : 0;
		v[3] = a->v3;
	}
	const uint64_t address = icd_address(table);
	icd_emit_regs(cmd, PM4_SET_SH_REG, isa_user_data(p->vertex_hw, ABI_VS_S_ATTRS), &address, 2);
	return true;
}

/* The root table of a bind point; its address, or 0 without memory.  What the layout has nothing for is left as it is: the
 * less is written for each draw, the less has to go from one CPU to another. */
static uint64_t write_root(struct icd_command_buffer *cmd, const struct icd_bind_state *bind)
{
	const struct icd_pipeline_layout *layout = bind->pipeline->layout;
	const size_t sets = 8 * (layout ? layout->set_count : 0), dynamic = 16 * (layout ? layout->dynamic_count : 0);
	const size_t bytes = dynamic ? ABI_ROOT_DYNAMIC + dynamic : ABI_ROOT_SETS + sets;
	uint8_t *root = icd_stream_unset(&cmd->stream, bytes, 64);
	if (!root)
		return 0;
	memcpy(root + ABI_ROOT_PUSH, cmd->state.push, layout ? layout->push_bytes : 0);
	memcpy(root + ABI_ROOT_SETS, bind->set, sets);
	if (dynamic)
		memcpy(root + ABI_ROOT_DYNAMIC, bind->dynamic_v, dynamic);
	return icd_address(root);
}

/* A root table to those of a bind point's stages, a bit of hw each, that have an old one. */
static bool flush_root(struct icd_command_buffer *cmd, struct icd_bind_state *bind, uint32_t hw)
{
	uint64_t root;
	if (!(hw &= bind->dirty_root))
		return true;
	bind->dirty_root &= ~hw;
	root = write_root(cmd, bind);
	if (!root)
		return false;
	for (; hw; hw &= hw - 1)
		icd_emit_regs(cmd, PM4_SET_SH_REG, isa_user_data((unsigned)__builtin_ctz(hw), ABI_S_ROOT), &root, 2);
	bind->push.used = true;
	return true;
}

bool icd_flush_graphics(struct icd_command_buffer *cmd)
{
	struct icd_command_state *state = &cmd->state;
	struct icd_bind_state *bind = &state->graphics;
	if (!bind->pipeline)
		return false;
	if (state->dirty) {
		flush_registers(cmd, state->dirty);
		if (state->dirty & ICD_GROUP_BIT(ATTRIBUTES) && !flush_attributes(cmd))
			return false;
		state->dirty = 0;
	}
	return flush_root(cmd, bind, bind->pipeline->hw_stages) && !cmd->stream.failed;
}

bool icd_flush_compute(struct icd_command_buffer *cmd)
{
	struct icd_bind_state *bind = &cmd->state.compute;
	return bind->pipeline && flush_root(cmd, bind, 1u << ISA_HW_CS) && !cmd->stream.failed;
}

/* --- draws --- */

static void emit_view(struct icd_command_buffer *cmd, uint32_t view)
{
	for (uint32_t left = cmd->state.graphics.pipeline->hw_stages; left; left &= left - 1) {
		unsigned hw = (unsigned)__builtin_ctz(left);
		icd_emit_reg(cmd, PM4_SET_SH_REG, isa_user_data(hw, isa_hw_stages[hw].view_sgpr), view);
	}
}

/* Emits once a view, or once without multiview, where shaders find view 0. */
static void for_each_view(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n)
{
	uint32_t mask = cmd->state.rendering.formats.view_mask;
	if (!mask) {
		icd_emit_conditional(cmd, op, payload, n);
		return;
	}
	for (; mask; mask &= mask - 1) {
		uint32_t view = (uint32_t)__builtin_ctz(mask);
		emit_view(cmd, view);
		icd_emit_conditional(cmd, op, payload, n);
	}
	emit_view(cmd, 0);
}

/* Of the bound pipeline's vertex program. */
static uint32_t vertex_user_data(const struct icd_command_buffer *cmd, unsigned sgpr)
{
	return isa_user_data(cmd->state.graphics.pipeline->vertex_hw, sgpr);
}

static void emit_draw_values(struct icd_command_buffer *cmd, uint32_t base_vertex, uint32_t base_instance,
	uint32_t instances, uint32_t draw)
{
	const uint32_t user[3] = { base_vertex, base_instance, draw };
	icd_emit_regs(cmd, PM4_SET_SH_REG, vertex_user_data(cmd, ABI_VS_S_BASE_VERTEX), user, 3);
	icd_emit(cmd, PM4_NUM_INSTANCES, &instances, 1);
}

/* number: of the draw within its command, what shaders see as DrawIndex. */
static void draw(struct icd_command_buffer *cmd, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
	uint32_t first_instance, uint32_t number)
{
	if (!vertices || !instances || !icd_flush_graphics(cmd))
		return;
	emit_draw_values(cmd, first_vertex, first_instance, instances, number);
	const struct pm4_draw_index_auto p = { .vertices = vertices, .source = PM4_DI_SRC_AUTO };
	for_each_view(cmd, PM4_DRAW_INDEX_AUTO, &p, PM4_DWORDS(pm4_draw_index_auto));
}

void icd_CmdDraw(VkCommandBuffer cmd, uint32_t vertices, uint32_t instances, uint32_t first_vertex,
	uint32_t first_instance)
{
	draw(icd_command_buffer_from_handle(cmd), vertices, instances, first_vertex, first_instance, 0);
}

/* As many vertices as transform feedback wrote, by the counter that it left. */
void icd_CmdDrawIndirectByteCountEXT(VkCommandBuffer _cmd, uint32_t instances, uint32_t first_instance, VkBuffer _buffer,
	VkDeviceSize at, uint32_t offset, uint32_t stride)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	const uint64_t counter = icd_buffer_from_handle(_buffer)->address + at;
	if (!instances || !icd_flush_graphics(cmd))
		return;
	emit_draw_values(cmd, 0, first_instance, instances, 0);
	const struct pm4_copy_data copy = { .control = PM4_COPY_DATA_MEM_TO_REG, .src_lo = icd_lo(counter),
		.src_hi = icd_hi(counter), .reg = R_VGT_STRMOUT_DRAW_OPAQUE_BUFFER_FILLED_SIZE };
	icd_emit(cmd, PM4_COPY_DATA, &copy, PM4_DWORDS(pm4_copy_data));
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_VGT_STRMOUT_DRAW_OPAQUE_OFFSET, offset);
	icd_emit_reg(cmd, PM4_SET_CONTEXT_REG, R_VGT_STRMOUT_DRAW_OPAQUE_VERTEX_STRIDE, stride);
	const struct pm4_draw_index_auto p = { .source = PM4_DI_SRC_AUTO | PM4_DI_USE_OPAQUE };
	for_each_view(cmd, PM4_DRAW_INDEX_AUTO, &p, PM4_DWORDS(pm4_draw_index_auto));
}

void icd_CmdDrawMultiEXT(VkCommandBuffer cmd, uint32_t count, const VkMultiDrawInfoEXT *infos, uint32_t instances,
	uint32_t first_instance, uint32_t stride)
{
	for (uint32_t i = 0; i < count; i++) {
		const VkMultiDrawInfoEXT *d = (const void *)((const uint8_t *)infos + (size_t)i * stride);
		draw(icd_command_buffer_from_handle(cmd), d->vertexCount, instances, d->firstVertex, first_instance, i);
	}
}

static uint32_t index_bytes(const struct icd_command_state *state)
{
	return state->index_type == VGT_INDEX_32 ? 4 : state->index_type == VGT_INDEX_8 ? 1 : 2;
}

static void draw_indexed(struct icd_command_buffer *cmd, uint32_t indices, uint32_t instances, uint32_t first_index,
	int32_t vertex_offset, uint32_t first_instance, uint32_t number)
{
	struct icd_command_state *state = &cmd->state;
	if (!indices || !instances || !icd_flush_graphics(cmd))
		return;
	emit_draw_values(cmd, (uint32_t)vertex_offset, first_instance, instances, number);
	uint64_t at = (uint64_t)first_index * index_bytes(state), address = state->index_address + at;
	uint64_t left = at < state->index_bytes ? (state->index_bytes - at) / index_bytes(state) : 0;
	const struct pm4_draw_index_2 p = { .max_indices = left > UINT32_MAX ? UINT32_MAX : (uint32_t)left,
		.address_lo = icd_lo(address), .address_hi = icd_hi(address), .indices = indices };
	for_each_view(cmd, PM4_DRAW_INDEX_2, &p, PM4_DWORDS(pm4_draw_index_2));
}

void icd_CmdDrawIndexed(VkCommandBuffer cmd, uint32_t indices, uint32_t instances, uint32_t first_index,
	int32_t vertex_offset, uint32_t first_instance)
{
	draw_indexed(icd_command_buffer_from_handle(cmd), indices, instances, first_index, vertex_offset, first_instance, 0);
}

void icd_CmdDrawMultiIndexedEXT(VkCommandBuffer cmd, uint32_t count, const VkMultiDrawIndexedInfoEXT *infos,
	uint32_t instances, uint32_t first_instance, uint32_t stride, const int32_t *vertex_offset)
{
	for (uint32_t i = 0; i < count; i++) {
		const VkMultiDrawIndexedInfoEXT *d = (const void *)((const uint8_t *)infos + (size_t)i * stride);
		draw_indexed(icd_command_buffer_from_handle(cmd), d->indexCount, instances, d->firstIndex,
			vertex_offset ? *vertex_offset : d->vertexOffset, first_instance, i);
	}
}

/* SH registers that indirect records fill. */
static uint32_t record_locs(const struct icd_command_buffer *cmd)
{
	return vertex_user_data(cmd, ABI_VS_S_BASE_VERTEX) | vertex_user_data(cmd, ABI_VS_S_BASE_INSTANCE) << 16;
}
static uint32_t draw_index_loc(const struct icd_command_buffer *cmd)
{
	return vertex_user_data(cmd, ABI_VS_S_DRAW_INDEX);
}

/* Draws by the records at `at`: as many as the dword at count_at says (0: of which there is
 * none, `count`), `count` at most. */
static void draw_indirect(struct icd_command_buffer *cmd, uint64_t at, uint64_t count_at, uint32_t count, uint32_t stride)
{
	if (!count || !icd_flush_graphics(cmd))
		return;
	const struct pm4_draw_indirect_multi p = { .address_lo = icd_lo(at), .address_hi = icd_hi(at),
		.locs = record_locs(cmd), .draw_index_loc = draw_index_loc(cmd), .count = count,
		.count_address_lo = icd_lo(count_at), .count_address_hi = icd_hi(count_at), .stride = stride };
	for_each_view(cmd, PM4_DRAW_INDIRECT_MULTI, &p, PM4_DWORDS(pm4_draw_indirect_multi));
}

static void draw_indexed_indirect(struct icd_command_buffer *cmd, uint64_t at, uint64_t count_at, uint32_t count,
	uint32_t stride)
{
	const struct icd_command_state *state = &cmd->state;
	if (!count || !icd_flush_graphics(cmd))
		return;
	uint64_t max = state->index_bytes / index_bytes(state);
	const struct pm4_draw_index_indirect_multi p = { .address_lo = icd_lo(at), .address_hi = icd_hi(at),
		.locs = record_locs(cmd), .draw_index_loc = draw_index_loc(cmd), .count = count,
		.count_address_lo = icd_lo(count_at), .count_address_hi = icd_hi(count_at), .stride = stride,
		.index_base_lo = icd_lo(state->index_address), .index_base_hi = icd_hi(state->index_address),
		.max_indices = max > UINT32_MAX ? UINT32_MAX : (uint32_t)max };
	for_each_view(cmd, PM4_DRAW_INDEX_INDIRECT_MULTI, &p, PM4_DWORDS(pm4_draw_index_indirect_multi));
}

void icd_CmdDrawIndirect(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, uint32_t count, uint32_t stride)
{
	draw_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset, 0, count, stride);
}

void icd_CmdDrawIndexedIndirect(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
	uint32_t stride)
{
	draw_indexed_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset, 0,
		count, stride);
}

void icd_CmdDrawIndirectCount(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, VkBuffer counter,
	VkDeviceSize counter_offset, uint32_t max, uint32_t stride)
{
	draw_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset,
		icd_buffer_from_handle(counter)->address + counter_offset, max, stride);
}

void icd_CmdDrawIndexedIndirectCount(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, VkBuffer counter,
	VkDeviceSize counter_offset, uint32_t max, uint32_t stride)
{
	draw_indexed_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset,
		icd_buffer_from_handle(counter)->address + counter_offset, max, stride);
}

/* --- meshes --- */

void icd_CmdDrawMeshTasksEXT(VkCommandBuffer _cmd, uint32_t x, uint32_t y, uint32_t z)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	if (!x || !y || !z || !icd_flush_graphics(cmd))
		return;
	const struct pm4_draw_mesh p = { .groups_x = x, .groups_y = y, .groups_z = z };
	for_each_view(cmd, PM4_QW_DRAW_MESH, &p, PM4_DWORDS(pm4_draw_mesh));
}

/* As draw_indirect. */
static void draw_mesh_indirect(struct icd_command_buffer *cmd, uint64_t at, uint64_t count_at, uint32_t count,
	uint32_t stride)
{
	if (!count || !icd_flush_graphics(cmd))
		return;
	const struct pm4_draw_mesh_indirect_multi p = { .address_lo = icd_lo(at), .address_hi = icd_hi(at), .count = count,
		.count_address_lo = icd_lo(count_at), .count_address_hi = icd_hi(count_at), .stride = stride };
	for_each_view(cmd, PM4_QW_DRAW_MESH_INDIRECT_MULTI, &p, PM4_DWORDS(pm4_draw_mesh_indirect_multi));
}

void icd_CmdDrawMeshTasksIndirectEXT(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
	uint32_t stride)
{
	draw_mesh_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset, 0, count,
		stride);
}

void icd_CmdDrawMeshTasksIndirectCountEXT(VkCommandBuffer cmd, VkBuffer buffer, VkDeviceSize offset, VkBuffer counter,
	VkDeviceSize counter_offset, uint32_t max, uint32_t stride)
{
	draw_mesh_indirect(icd_command_buffer_from_handle(cmd), icd_buffer_from_handle(buffer)->address + offset,
		icd_buffer_from_handle(counter)->address + counter_offset, max, stride);
}

/* --- dispatches --- */

void icd_CmdDispatchBase(VkCommandBuffer _cmd, uint32_t base_x, uint32_t base_y, uint32_t base_z, uint32_t x,
	uint32_t y, uint32_t z)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	if (!x || !y || !z || !icd_flush_compute(cmd))
		return;
	const uint32_t base[3] = { base_x, base_y, base_z };
	const struct pm4_dispatch_direct p = { .groups_x = x, .groups_y = y, .groups_z = z };
	icd_emit_regs(cmd, PM4_SET_SH_REG, R_COMPUTE_START_X, base, 3);
	icd_emit_conditional(cmd, PM4_DISPATCH_DIRECT, &p, PM4_DWORDS(pm4_dispatch_direct));
}

void icd_CmdDispatch(VkCommandBuffer cmd, uint32_t x, uint32_t y, uint32_t z)
{
	icd_CmdDispatchBase(cmd, 0, 0, 0, x, y, z);
}

void icd_CmdDispatchIndirect(VkCommandBuffer _cmd, VkBuffer _buffer, VkDeviceSize offset)
{
	ICD_FROM_HANDLE(icd_command_buffer, cmd, _cmd);
	ICD_FROM_HANDLE(icd_buffer, buffer, _buffer);
	if (!icd_flush_compute(cmd))
		return;
	static const uint32_t base[3] = { 0 };
	uint64_t address = buffer->address + offset;
	const struct pm4_dispatch_indirect p = { .address_lo = icd_lo(address), .address_hi = icd_hi(address) };
	icd_emit_regs(cmd, PM4_SET_SH_REG, R_COMPUTE_START_X, base, 3);
	icd_emit_conditional(cmd, PM4_DISPATCH_INDIRECT, &p, PM4_DWORDS(pm4_dispatch_indirect));
}
