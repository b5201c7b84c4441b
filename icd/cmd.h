/* SPDX-License-Identifier: MIT */
/* Recording: what the cmd_*.c files share.
 *
 * Every vkCmd* appends packets to its command buffer's stream.  Memory that
 * runs out on the way is remembered (stream.failed) and reported by
 * vkEndCommandBuffer, as section 6.4 of the specification wants it. */
#ifndef ICD_CMD_H
#define ICD_CMD_H

#include "icd/buffer.h"
#include "icd/command_buffer.h"
#include "icd/device.h"
#include "isa/pm4.h"
#include "isa/regs.h"

/* --- stream (cmd_stream.c) --- */

void icd_stream_init(struct icd_stream *s, struct icd_chunks *chunks);
/* Gives the chunks back; it is empty then. */
void icd_stream_finish(struct icd_stream *s);
/* Frees the chunks that nobody uses. */
void icd_chunks_trim(struct icd_chunks *c);

/* Room for n dwords at the end of the stream, counted as used; NULL without
 * memory.  n is at most ICD_STREAM_MAX. */
enum { ICD_STREAM_MAX = 16000 };
uint32_t *icd_stream_dwords(struct icd_stream *s, uint32_t n);
/* Zeroed memory for the GPU to read, alive as long as the stream. */
void *icd_stream_data(struct icd_stream *s, size_t bytes, size_t align);
/* The same with whatever is there. */
void *icd_stream_unset(struct icd_stream *s, size_t bytes, size_t align);

/* A packet with the given payload, n >= 1. */
void icd_emit(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n);
/* One of a command that conditional rendering can leave out. */
void icd_emit_conditional(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n);
/* Consecutive registers of a space (SET_CONTEXT_REG ...). */
void icd_emit_regs(struct icd_command_buffer *cmd, enum pm4_op op, uint32_t index, const void *values, uint32_t n);
static inline void icd_emit_reg(struct icd_command_buffer *cmd, enum pm4_op op, uint32_t index, uint32_t value)
{
	icd_emit_regs(cmd, op, index, &value, 1);
}
/* A full barrier: everything before is complete and visible. */
void icd_emit_barrier(struct icd_command_buffer *cmd);
/* `value` (32 or 64 bits by data_sel) to memory after all earlier work. */
void icd_emit_release(struct icd_command_buffer *cmd, uint32_t data_sel, uint64_t address, uint64_t value);

static inline uint32_t icd_lo(uint64_t v) { return (uint32_t)v; }
static inline uint32_t icd_hi(uint64_t v) { return (uint32_t)(v >> 32); }

/* --- state --- */

void icd_command_state_reset(struct icd_command_state *state);
struct icd_bind_state *icd_bind_state(struct icd_command_buffer *cmd, VkPipelineBindPoint point);
/* Brings registers and tables up to date before a draw or dispatch; false when
 * nothing can be recorded (no pipeline, no memory). */
bool icd_flush_graphics(struct icd_command_buffer *cmd);
bool icd_flush_compute(struct icd_command_buffer *cmd);

/* --- rendering (cmd_rendering.c) --- */

/* Sets the targets and loads of cmd->state.rendering. */
void icd_begin_rendering(struct icd_command_buffer *cmd);
/* Resolves; then there is no rendering. */
void icd_end_rendering(struct icd_command_buffer *cmd);
/* Loads other targets, before rendering begins. */
void icd_load_targets(struct icd_command_buffer *cmd, const struct icd_rendering *r);

/* Queries that ended while rendering become available (cmd_sync.c). */
void icd_flush_queries(struct icd_command_buffer *cmd);

#endif
