/* SPDX-License-Identifier: MIT */
/* PM4 streams of command buffers. */
#include <string.h>
#include "icd/cmd.h"

enum { CHUNK_DWORDS = 16 * 1024, DATA_BYTES = 64 * 1024 };

void icd_stream_init(struct icd_stream *s, struct rs_gpu *gpu, const VkAllocationCallbacks *alloc)
{
	*s = (struct icd_stream){ .gpu = gpu, .alloc = alloc };
}

static void free_chunks(const VkAllocationCallbacks *alloc, struct icd_chunk *c)
{
	while (c) {
		struct icd_chunk *next = c->next;
		icd_free(alloc, c);
		c = next;
	}
}

void icd_stream_finish(struct icd_stream *s)
{
	free_chunks(s->alloc, s->first);
	for (struct icd_chunk *c = s->data_first; c; c = c->next)
		rs_gpu_remove_memory(s->gpu, c->dw);
	free_chunks(s->alloc, s->data_first);
	icd_stream_init(s, s->gpu, s->alloc);
}

/* Small first chunks keep one-time command buffers cheap. */
static struct icd_chunk *add_chunk(struct icd_stream *s, struct icd_chunk **first, struct icd_chunk **last,
	uint32_t size, size_t bytes)
{
	struct icd_chunk *c = icd_zalloc_aligned(s->alloc, sizeof *c + bytes, 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!c) {
		s->failed = true;
		return NULL;
	}
	c->size = size;
	if (*last)
		(*last)->next = c;
	else
		*first = c;
	*last = c;
	return c;
}

uint32_t *icd_stream_dwords(struct icd_stream *s, uint32_t n)
{
	struct icd_chunk *c = s->last;
	assert(n <= ICD_STREAM_MAX);
	if (!c || c->size - c->used < n) {
		uint32_t size = c || n > CHUNK_DWORDS / 16 ? CHUNK_DWORDS : CHUNK_DWORDS / 16;
		c = add_chunk(s, &s->first, &s->last, size, size * 4);
		if (!c)
			return NULL;
	}
	if (c->used == 0)
		s->chunk_count++;
	uint32_t *p = c->dw + c->used;
	c->used += n;
	return p;
}

void *icd_stream_data(struct icd_stream *s, size_t bytes, size_t align)
{
	struct icd_chunk *c = s->data_last;
	size_t at = c ? (c->used + align - 1) & ~(align - 1) : 0;
	if (!c || at + bytes > c->size) {
		size_t room = c ? DATA_BYTES : DATA_BYTES / 16;
		if (bytes > room)
			room = bytes;
		c = add_chunk(s, &s->data_first, &s->data_last, (uint32_t)room, room);
		if (!c)
			return NULL;
		if (!rs_gpu_add_memory(s->gpu, c->dw, room)) {
			s->failed = true;
			return NULL;
		}
		at = 0;
	}
	c->used = (uint32_t)(at + bytes);
	return (uint8_t *)c->dw + at;
}

static void emit(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n, bool predicate)
{
	uint32_t *p = icd_stream_dwords(&cmd->stream, n + 1);
	if (!p)
		return;
	p[0] = pm4_header(op, n, predicate);
	memcpy(p + 1, payload, n * 4);
}

void icd_emit(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n)
{
	emit(cmd, op, payload, n, false);
}

void icd_emit_conditional(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n)
{
	emit(cmd, op, payload, n, cmd->state.conditional);
}

void icd_emit_regs(struct icd_command_buffer *cmd, enum pm4_op op, uint32_t index, const void *values, uint32_t n)
{
	uint32_t *p = icd_stream_dwords(&cmd->stream, n + 2);
	if (!p)
		return;
	p[0] = pm4_header(op, n + 1, 0);
	p[1] = index;
	memcpy(p + 2, values, n * 4);
}

void icd_emit_barrier(struct icd_command_buffer *cmd)
{
	static const struct pm4_acquire_mem p = { .coher = 0 };
	icd_emit(cmd, PM4_ACQUIRE_MEM, &p, PM4_DWORDS(pm4_acquire_mem));
}

void icd_emit_release(struct icd_command_buffer *cmd, uint32_t data_sel, uint64_t address, uint64_t value)
{
	const struct pm4_release_mem p = { .event = PM4_EVENT_BOTTOM_OF_PIPE, .data_sel = data_sel,
		.address_lo = icd_lo(address), .address_hi = icd_hi(address),
		.data_lo = icd_lo(value), .data_hi = icd_hi(value) };
	icd_emit(cmd, PM4_RELEASE_MEM, &p, PM4_DWORDS(pm4_release_mem));
}
