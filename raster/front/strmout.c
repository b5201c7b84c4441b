/* SPDX-License-Identifier: MIT */
/* Streamout; see strmout.h. */
#include "raster/front/strmout.h"

#include <assert.h>
#include <string.h>
#include "core/format/format.h"
#include "isa/bits.h"
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/draw.h"
#include "raster/front/front.h"
#include "raster/front/job.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"

/* --- The state --- */

static uint64_t pair(const uint32_t *reg)
{
	return (uint64_t)reg[1] << 32 | reg[0];
}
static_assert(R_QW_STRMOUT_TABLE_HI == R_QW_STRMOUT_TABLE + 1 &&
	R_QW_STRMOUT_BUFFER_BASE_HI == R_QW_STRMOUT_BUFFER_BASE + 1, "lo, hi");

static const char *check_run(const struct rs_strmout *s, const struct isa_strmout_run *r)
{
	unsigned bytes = r->count * isa_strmout_bytes(r->kind);
	if (r->buffer >= ISA_STRMOUT_BUFFERS || r->stream >= ISA_STREAMS || r->source >= ISA_STRMOUT_SOURCES ||
	    r->kind >= ISA_STRMOUT_KINDS || r->first + r->count > 4)
		return "a run of the streamout table names what does not exist";
	if (s->buffer[r->buffer].base && r->offset + bytes > s->buffer[r->buffer].stride)
		return "a run of the streamout table ends behind its vertex";
	return NULL;
}

/* The next run of the buffer that is being described. */
static void add_run(struct rs_strmout *s, const struct isa_strmout_run *r, unsigned *runs, unsigned *pieces)
{
	struct rs_strmout_buffer *b = &s->buffer[r->buffer];
	uint16_t bytes = (uint16_t)(r->count * isa_strmout_bytes(r->kind));
	struct rs_strmout_piece *last = b->pieces ? &s->piece[*pieces - 1] : NULL;
	if (!b->runs)
		b->first_run = *runs;
	b->runs++;
	s->run[(*runs)++] = *r;
	if (last && last->to + last->bytes == r->offset) {
		last->bytes = (uint16_t)(last->bytes + bytes);
	} else {
		if (!b->pieces)
			b->first_piece = *pieces;
		b->pieces++;
		s->piece[(*pieces)++] = (struct rs_strmout_piece){ (uint16_t)b->packed, r->offset, bytes };
	}
	b->packed += bytes;
	if (r->source < ISA_STRMOUT_POSITION && s->params <= r->source)
		s->params = r->source + 1u;
}

static const char *read_table(struct rs_strmout *s, const struct isa_strmout_run *table, uint32_t config)
{
	unsigned runs = 0, pieces = 0;
	for (unsigned i = 0, buffer = 0; table && table[i].count; i++) {
		const struct isa_strmout_run *r = &table[i];
		if (i == ISA_STRMOUT_RUNS)
			return "the streamout table has no end";
		const char *error = check_run(s, r);
		if (error)
			return error;
		if (r->buffer < buffer)
			return "the streamout table is not in the order of buffers";
		buffer = r->buffer;
		if (!s->buffer[buffer].base || !(config >> (4 * r->stream + buffer) & 1))
			continue;
		s->buffers[r->stream] |= (uint8_t)(1 << buffer);
		add_run(s, r, &runs, &pieces);
	}
	return NULL;
}

const char *rs_strmout_init(struct rs_strmout *s, const struct rs_context *c)
{
	const uint32_t *reg = c->reg;
	const struct isa_strmout_run *table = (const void *)(uintptr_t)pair(&reg[R_QW_STRMOUT_TABLE]);
	memset(s, 0, sizeof *s);
	s->enabled = (uint8_t)REG_GET(reg[R_VGT_STRMOUT_CONFIG], VGT_STRMOUT_CONFIG, STREAMOUT_EN);
	for (unsigned i = 0; i < ISA_STRMOUT_BUFFERS; i++) {
		struct rs_strmout_buffer *b = &s->buffer[i];
		b->bytes = 4 * (uint64_t)reg[R_VGT_STRMOUT_BUFFER_SIZE + i * VGT_STRMOUT_BUFFER_SIZE__STRIDE];
		b->stride = 4 * (reg[R_VGT_STRMOUT_VTX_STRIDE + i * VGT_STRMOUT_VTX_STRIDE__STRIDE] & 0xffff);
		if (b->stride > ISA_STRMOUT_MAX_STRIDE)
			return "a vertex of streamout has more than 2048 bytes";
		if (b->bytes && b->stride)
			b->base = (uint8_t *)(uintptr_t)pair(&reg[R_QW_STRMOUT_BUFFER_BASE + i * QW_STRMOUT_BUFFER_BASE__STRIDE]);
	}
	if ((uintptr_t)table % _Alignof(struct isa_strmout_run))
		return "the streamout table is not aligned";
	return read_table(s, table, reg[R_VGT_STRMOUT_BUFFER_CONFIG]);
}

/* --- Gathering --- */

/* Slots of the primitives' vertices, in the order in which they are written: a triangle keeps its
 * winding and begins with the provoking vertex, or ends with it where that is the last one's part. */
struct order { const uint8_t *slot[3]; unsigned corners, prims; };

static struct order order_of(const struct rs_batch *b, bool provoking_last)
{
	unsigned turn = b->corners == 3 && provoking_last;
	struct order o = { .corners = b->corners, .prims = b->prims };
	for (unsigned i = 0; i < b->corners; i++)
		o.slot[i] = b->prim[(i + turn) % b->corners];
	return o;
}

/* `count` words of params, side by side in the vertex and in the record. */
static inline __attribute__((always_inline)) void gather_words(const struct order *o, const float *src, unsigned stride,
	unsigned words, uint8_t *dst, unsigned step)
{
	for (unsigned p = 0; p < o->prims; p++)
		for (unsigned i = 0; i < o->corners; i++, dst += step)
			memcpy(dst, src + (size_t)o->slot[i][p] * stride, 4 * words);
}

static void gather_param(const struct order *o, const float *src, unsigned stride, unsigned words, uint8_t *dst,
	unsigned step)
{
	switch (words) {
	case 1: gather_words(o, src, stride, 1, dst, step); break;
	case 2: gather_words(o, src, stride, 2, dst, step); break;
	case 3: gather_words(o, src, stride, 3, dst, step); break;
	case 4: gather_words(o, src, stride, 4, dst, step); break;
	}
}

/* One component, `stride` words from vertex to vertex. */
static void gather_component(const struct order *o, const void *from, unsigned stride, uint8_t kind, uint8_t *dst,
	unsigned step)
{
	const uint32_t *src = from;
	for (unsigned p = 0; p < o->prims; p++)
		for (unsigned i = 0; i < o->corners; i++, dst += step) {
			uint32_t word = src[(size_t)o->slot[i][p] * stride];
			if (kind == ISA_STRMOUT_HALF)
				word = cu_float_to_half(bits_float(word));
			memcpy(dst, &word, isa_strmout_bytes(kind));
		}
}

/* Component c of what is exported beside the params; NULL: nothing is. */
static const void *component_of(const struct rs_batch *b, const struct rs_pa_state *pa, uint8_t source, unsigned c)
{
	switch (source) {
	case ISA_STRMOUT_POSITION: return b->pos[c];
	case ISA_STRMOUT_SIZE: return pa->misc ? b->size : NULL;
	case ISA_STRMOUT_LAYER: return pa->misc ? b->layer : NULL;
	case ISA_STRMOUT_VIEWPORT: return pa->misc ? b->viewport : NULL;
	}
	return NULL;
}

static void gather_run(const struct rs_batch *b, const struct rs_pa_state *pa, const struct order *o,
	const struct isa_strmout_run *r, uint8_t *dst, unsigned step)
{
	const float *param = r->source < ISA_STRMOUT_POSITION ? b->attr + 4 * r->source + r->first : NULL;
	if (param && r->kind == ISA_STRMOUT_WORD) {
		gather_param(o, param, b->stride, r->count, dst, step);
		return;
	}
	for (unsigned c = 0; c < r->count; c++, dst += isa_strmout_bytes(r->kind)) {
		const void *from = param ? param + c : component_of(b, pa, r->source, r->first + c);
		if (from)
			gather_component(o, from, param ? b->stride : 1, r->kind, dst, step);
		else
			gather_component(o, &(uint32_t){ 0 }, 0, r->kind, dst, step);
	}
}

/* Into records, or where the vertices lie in the buffer. */
static void gather_buffer(const struct rs_front *f, const struct rs_batch *b, const struct order *o,
	const struct rs_strmout_buffer *buffer, uint8_t *dst)
{
	const struct isa_strmout_run *run = &f->draw->strmout->run[buffer->first_run];
	bool placed = f->job->placed;
	for (unsigned r = 0, at = 0; r < buffer->runs; at += run[r].count * isa_strmout_bytes(run[r].kind), r++)
		gather_run(b, f->pa, o, &run[r], dst + (placed ? run[r].offset : at), placed ? buffer->stride : buffer->packed);
}

void rs_strmout_gather(struct rs_front *f, const struct rs_batch *b)
{
	const struct rs_strmout *s = f->draw->strmout;
	struct rs_job *job = f->job;
	unsigned vertices = b->prims * b->corners, mask = s->buffers[b->stream];
	if (!(s->enabled >> b->stream & 1) || !b->prims)
		return;
	size_t bytes = 0;
	for (unsigned left = job->placed ? 0 : mask; left; left &= left - 1)
		bytes += (size_t)vertices * s->buffer[__builtin_ctz(left)].packed;
	struct rs_strmout_chunk *k = rs_arena_alloc(&f->arena, sizeof *k + bytes);
	if (!k) {
		f->no_memory = true;
		return;
	}
	*k = (struct rs_strmout_chunk){ .prims = b->prims, .stream = (uint8_t)b->stream, .corners = (uint8_t)b->corners };
	struct order o = order_of(b, f->pa->provoking_last);
	if (job->placed)
		o.prims = rs_strmout_place(s, k, job->filled);
	uint8_t *at = (uint8_t *)(k + 1);
	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		if (!job->placed) {
			k->record[i] = at;
			at += (size_t)vertices * s->buffer[i].packed;
		}
		gather_buffer(f, b, &o, &s->buffer[i], job->placed ? k->to[i] : (uint8_t *)k->record[i]);
	}
	*(job->captured ? &job->captured_last->next : &job->captured) = k;
	job->captured_last = k;
}

/* --- To the buffers --- */

bool rs_strmout_counts(const struct rs_vdraw *d)
{
	return !d->mesh && !d->gs && !d->tess;
}

void rs_strmout_skip(const struct rs_vdraw *d, uint32_t prims, uint64_t filled[ISA_STRMOUT_BUFFERS])
{
	struct rs_strmout_chunk k = { .prims = prims, .corners = (uint8_t)d->corners };
	if (d->strmout->enabled & 1)
		rs_strmout_place(d->strmout, &k, filled);
}

uint32_t rs_strmout_place(const struct rs_strmout *s, struct rs_strmout_chunk *k, uint64_t filled[ISA_STRMOUT_BUFFERS])
{
	unsigned mask = s->buffers[k->stream];
	uint64_t room = k->prims;
	for (unsigned left = mask; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);
		const struct rs_strmout_buffer *b = &s->buffer[i];
		uint64_t fits = filled[i] < b->bytes ? (b->bytes - filled[i]) / (b->stride * k->corners) : 0;
		room = fits < room ? fits : room;
	}
	k->written = (uint32_t)room;
	for (; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		k->to[i] = s->buffer[i].base + filled[i];
		filled[i] += room * k->corners * s->buffer[i].stride;
	}
	return k->written;
}

static void copy_piece(const struct rs_strmout_piece *piece, const uint8_t *from, unsigned packed, uint8_t *to,
	unsigned stride, size_t vertices)
{
	for (size_t v = 0; v < vertices; v++)
		memcpy(to + v * stride + piece->to, from + v * packed + piece->from, piece->bytes);
}

void rs_strmout_copy(const struct rs_strmout *s, const struct rs_strmout_chunk *k)
{
	size_t vertices = (size_t)k->written * k->corners;
	for (unsigned mask = vertices ? s->buffers[k->stream] : 0; mask; mask &= mask - 1) {
		unsigned i = (unsigned)__builtin_ctz(mask);
		const struct rs_strmout_buffer *b = &s->buffer[i];
		if (!k->record[i]) /* it is there already */
			continue;
		if (b->packed == b->stride) { /* no holes */
			memcpy(k->to[i], k->record[i], vertices * b->stride);
			continue;
		}
		for (unsigned p = 0; p < b->pieces; p++)
			copy_piece(&s->piece[b->first_piece + p], k->record[i], b->packed, k->to[i], b->stride, vertices);
	}
}
