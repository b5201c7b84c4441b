/* SPDX-License-Identifier: MIT */
/* PM4 streams of command buffers. */
#include <string.h>
#include "core/level.h"
#include "icd/cmd.h"

enum { CHUNK_DWORDS = 16 * 1024, DATA_BYTES = 64 * 1024 };

enum { MOST_SPARE = 16 << 20 }; /* bytes of chunks that a pool keeps */

void icd_stream_init(struct icd_stream *s, struct icd_chunks *chunks)
{
	*s = (struct icd_stream){ .chunks = chunks };
}

static void free_chunk(struct icd_chunks *k, struct icd_chunk *c, bool data)
{
	if (data)
		rs_gpu_remove_memory(k->gpu, c->dw);
	icd_free(&k->alloc, c);
}

static size_t bytes_of(const struct icd_chunk *c, bool data) { return data ? c->size : 4 * (size_t)c->size; }

/* Kept, so that what is recorded again and again gets no new pages each time. */
static void give_back(struct icd_chunks *k, struct icd_chunk *c, bool data)
{
	struct icd_chunk **spare = data ? &k->data : &k->packets;
	while (c) {
		struct icd_chunk *next = c->next;
		if (k->bytes + bytes_of(c, data) > MOST_SPARE) {
			free_chunk(k, c, data);
		} else {
			k->bytes += bytes_of(c, data);
			c->used = 0;
			c->next = *spare;
			*spare = c;
		}
		c = next;
	}
}

void icd_chunks_trim(struct icd_chunks *k)
{
	for (int data = 0; data < 2; data++)
		for (struct icd_chunk *c = data ? k->data : k->packets, *next; c; c = next) {
			next = c->next;
			free_chunk(k, c, data);
		}
	k->packets = k->data = NULL;
	k->bytes = 0;
}

void icd_stream_finish(struct icd_stream *s)
{
	give_back(s->chunks, s->first, false);
	give_back(s->chunks, s->data_first, true);
	icd_stream_init(s, s->chunks);
}

/* A spare chunk of `bytes` or more; NULL: there is none. */
static struct icd_chunk *take(struct icd_chunks *k, size_t bytes, bool data)
{
	struct icd_chunk **at = data ? &k->data : &k->packets;
	while (*at && bytes_of(*at, data) < bytes)
		at = &(*at)->next;
	struct icd_chunk *c = *at;
	if (c) {
		*at = c->next;
		c->next = NULL;
		k->bytes -= bytes_of(c, data);
	}
	return c;
}

/* A new one, `size` as its kind counts. */
static struct icd_chunk *make(struct icd_chunks *k, uint32_t size, bool data)
{
	const size_t bytes = data ? size : 4 * (size_t)size;
	struct icd_chunk *c = icd_zalloc_aligned(&k->alloc, sizeof *c + bytes, 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!c)
		return NULL;
	c->size = size;
	if (!data || rs_gpu_add_memory(k->gpu, c->dw, bytes))
		return c;
	icd_free(&k->alloc, c);
	return NULL;
}

/* Room for `least` at the end, in dwords or bytes; a new chunk is of `size`. */
static struct icd_chunk *add_chunk(struct icd_stream *s, uint32_t least, uint32_t size, bool data)
{
	struct icd_chunk **first = data ? &s->data_first : &s->first, **last = data ? &s->data_last : &s->last;
	struct icd_chunk *c = take(s->chunks, data ? least : 4 * (size_t)least, data);
	if (!c)
		c = make(s->chunks, size, data);
	if (!c) {
		s->failed = true;
		return NULL;
	}
	*(*last ? &(*last)->next : first) = c;
	*last = c;
	return c;
}

/* What the queue has read last is in another CPU's cache, and stores that wait for it keep all behind them waiting: it is asked for
 * before it is written to. */
static inline void ask(void *chunk, size_t at, size_t bytes)
{
	enum { AHEAD = 1024 };
	if (at + AHEAD < bytes)
		cu_fetch_to_write((uint8_t *)chunk + at + AHEAD);
}

/* Small first chunks keep one-time command buffers cheap. */
uint32_t *icd_stream_dwords(struct icd_stream *s, uint32_t n)
{
	struct icd_chunk *c = s->last;
	assert(n <= ICD_STREAM_MAX);
	if (!c || c->size - c->used < n) {
		uint32_t size = c || n > CHUNK_DWORDS / 16 ? CHUNK_DWORDS : CHUNK_DWORDS / 16;
		c = add_chunk(s, n, size, false);
		if (!c)
			return NULL;
	}
	if (c->used == 0)
		s->chunk_count++;
	uint32_t *p = c->dw + c->used;
	c->used += n;
	ask(c->dw, (size_t)c->used * 4, (size_t)c->size * 4);
	return p;
}

void *icd_stream_unset(struct icd_stream *s, size_t bytes, size_t align)
{
	struct icd_chunk *c = s->data_last;
	size_t at = c ? (c->used + align - 1) & ~(align - 1) : 0;
	if (!c || at + bytes > c->size) {
		size_t room = c ? DATA_BYTES : DATA_BYTES / 16;
		if (bytes > room)
			room = bytes;
		c = add_chunk(s, (uint32_t)bytes, (uint32_t)room, true);
		if (!c)
			return NULL;
		at = 0;
	}
	c->used = (uint32_t)(at + bytes);
	ask(c->dw, at + bytes, c->size);
	return (uint8_t *)c->dw + at;
}

void *icd_stream_data(struct icd_stream *s, size_t bytes, size_t align)
{
	void *p = icd_stream_unset(s, bytes, align);
	return p ? memset(p, 0, bytes) : NULL;
}

/* Payloads are of few dwords as a rule, and a call for each would be more than they are.  Dword by dword, as they have just been
 * written: wider loads would wait until the CPU has emptied its queue of stores, the stream's among them. */
static inline void copy(uint32_t *to, const void *payload, uint32_t n)
{
	const volatile uint32_t *from = payload;
	if (n > 8) {
		memcpy(to, payload, n * 4);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		to[i] = from[i];
}

static void emit(struct icd_command_buffer *cmd, enum pm4_op op, const void *payload, uint32_t n, bool predicate)
{
	uint32_t *p = icd_stream_dwords(&cmd->stream, n + 1);
	if (!p)
		return;
	p[0] = pm4_header(op, n, predicate);
	copy(p + 1, payload, n);
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
	copy(p + 2, values, n);
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
