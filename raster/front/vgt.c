/* SPDX-License-Identifier: MIT */
/* Vertex grouper: cuts draws into primitives, and jobs into batches of at
 * most 256 unique vertices. */
#include "raster/front/vgt.h"

#include <string.h>
#include "isa/regs.h"
#include "raster/arena.h"
#include "raster/front/front.h"
#include "raster/front/gs.h"
#include "raster/front/job.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"

/* Primitives of a run of n indices. */
static uint32_t count_prims(const struct rs_vdraw *d, uint32_t n)
{
	switch (d->topology) {
	case DI_PT_PATCH: return d->tess ? n / d->tess->vertices_in : 0;
	case DI_PT_POINTLIST: return n;
	case DI_PT_LINELIST: return n / 2;
	case DI_PT_LINESTRIP: return n > 1 ? n - 1 : 0;
	case DI_PT_TRILIST: return n / 3;
	case DI_PT_TRIFAN: case DI_PT_TRISTRIP: return n > 2 ? n - 2 : 0;
	case DI_PT_LINELIST_ADJ: return n / 4;
	case DI_PT_LINESTRIP_ADJ: return n > 3 ? n - 3 : 0;
	case DI_PT_TRILIST_ADJ: return n / 6;
	case DI_PT_TRISTRIP_ADJ: return n > 5 ? (n - 4) / 2 : 0;
	}
	return 0;
}

unsigned rs_vgt_corners(unsigned t)
{
	switch (t) {
	case DI_PT_POINTLIST: return 1;
	case DI_PT_LINELIST: case DI_PT_LINESTRIP: case DI_PT_LINELIST_ADJ: case DI_PT_LINESTRIP_ADJ: return 2;
	case DI_PT_TRILIST: case DI_PT_TRIFAN: case DI_PT_TRISTRIP: case DI_PT_TRILIST_ADJ: case DI_PT_TRISTRIP_ADJ: return 3;
	}
	return 0;
}

unsigned rs_vgt_all_corners(unsigned t)
{
	switch (t) {
	case DI_PT_LINELIST_ADJ: case DI_PT_LINESTRIP_ADJ: return 4;
	case DI_PT_TRILIST_ADJ: case DI_PT_TRISTRIP_ADJ: return 6;
	default: return rs_vgt_corners(t);
	}
}

static inline uint32_t fetch_index(const struct rs_vdraw *d, uint32_t at)
{
	if (!d->index)
		return at;
	if (at >= d->max_index)
		return 0;
	const uint8_t *p = d->index + (size_t)at * d->index_bytes;
	uint16_t half;
	uint32_t word;
	switch (d->index_bytes) {
	case 1: return *p;
	case 2: memcpy(&half, p, 2); return half;
	default: memcpy(&word, p, 4); return word;
	}
}

/* First restart index at or after `at`, or `end`. */
static uint32_t find_restart(const struct rs_vdraw *d, uint32_t at, uint32_t end, uint32_t value)
{
	while (at < end && fetch_index(d, at) != value)
		at++;
	return at;
}

static bool cut_at_restarts(struct rs_arena *a, struct rs_vdraw *d, uint32_t indices, uint32_t value)
{
	/* The first round counts the runs with primitives, the second keeps them. */
	for (int round = 0; round < 2; round++) {
		struct rs_segment *s = (struct rs_segment *)d->segment;
		d->segments = d->prims = d->vertices = 0;
		for (uint32_t at = 0; at < indices;) {
			uint32_t end = find_restart(d, at, indices, value);
			uint32_t prims = count_prims(d, end - at);
			if (prims && s)
				s[d->segments] = (struct rs_segment){ at, d->prims };
			d->segments += prims != 0;
			d->prims += prims;
			d->vertices += end - at;
			at = end + (end < indices);
		}
		if (round == 0 && !(d->segment = rs_arena_alloc(a, (d->segments + 1) * sizeof *s)))
			return false;
	}
	return true;
}

bool rs_vgt_prepare(struct rs_arena *a, struct rs_vdraw *d, uint32_t indices,
	bool restart, uint32_t restart_index)
{
	static const struct rs_segment whole = { 0, 0 };
	d->corners = rs_vgt_corners(d->topology);
	if (restart) {
		uint32_t mask = d->index_bytes == 4 ? ~0u : (1u << 8 * d->index_bytes) - 1;
		return cut_at_restarts(a, d, indices, restart_index & mask);
	}
	d->prims = count_prims(d, indices);
	d->vertices = indices;
	d->segment = &whole;
	d->segments = 1;
	return true;
}

/* Index positions of primitive i of a run, provoking vertex first; lines keep
 * their direction.  Vulkan, "Primitive Topologies". */
static inline unsigned prim_positions(unsigned t, bool last, uint32_t first, uint32_t i,
	uint32_t out[3])
{
	uint32_t a, odd, step;
	switch (t) {
	case DI_PT_POINTLIST:
		out[0] = first + i;
		return 1;
	case DI_PT_LINELIST:
		out[0] = first + 2 * i;
		out[1] = out[0] + 1;
		return 2;
	case DI_PT_LINESTRIP:
		out[0] = first + i;
		out[1] = out[0] + 1;
		return 2;
	case DI_PT_LINELIST_ADJ:
		out[0] = first + 4 * i + 1;
		out[1] = out[0] + 1;
		return 2;
	case DI_PT_LINESTRIP_ADJ:
		out[0] = first + i + 1;
		out[1] = out[0] + 1;
		return 2;
	case DI_PT_TRILIST: case DI_PT_TRILIST_ADJ: /* adjacent vertices lie between the others */
		step = t == DI_PT_TRILIST ? 1 : 2;
		a = first + 3 * step * i;
		out[0] = last ? a + 2 * step : a;
		out[1] = last ? a : a + step;
		out[2] = last ? a + step : a + 2 * step;
		return 3;
	case DI_PT_TRISTRIP: case DI_PT_TRISTRIP_ADJ:
		step = t == DI_PT_TRISTRIP ? 1 : 2;
		a = first + step * i;
		odd = step * (i & 1);
		out[0] = last ? a + 2 * step : a;
		out[1] = last ? a + odd : a + step + odd;
		out[2] = last ? a + step - odd : a + 2 * step - odd;
		return 3;
	case DI_PT_TRIFAN:
		out[0] = last ? first + i + 2 : first + i + 1;
		out[1] = last ? first : first + i + 2;
		out[2] = last ? first + i + 1 : first;
		return 3;
	}
	return 0;
}

/* Index positions of all vertices of primitive i of a run of n, in the order of Vulkan's
 * "Primitive Topologies"; in odd triangles of strips and in fans the provoking vertex is last, if `last`. */
static void all_positions(unsigned t, bool last, uint32_t first, uint32_t i, uint32_t n, uint32_t out[6])
{
	uint32_t a = first + 2 * i, end = i + 1 == n ? 5 : 6, before = i ? a - 2 : a + 1;
	unsigned corners = rs_vgt_all_corners(t);
	switch (t) {
	case DI_PT_LINELIST_ADJ: case DI_PT_TRILIST_ADJ:
		for (unsigned k = 0; k < corners; k++)
			out[k] = first + corners * i + k;
		break;
	case DI_PT_LINESTRIP_ADJ:
		for (unsigned k = 0; k < 4; k++)
			out[k] = first + i + k;
		break;
	case DI_PT_TRISTRIP_ADJ:
		if (!(i & 1))
			memcpy(out, (uint32_t[]){ a, before, a + 2, a + end, a + 4, a + 3 }, 24);
		else if (last)
			memcpy(out, (uint32_t[]){ a + 2, before, a, a + 3, a + 4, a + end }, 24);
		else
			memcpy(out, (uint32_t[]){ a, a + 3, a + 4, a + end, a + 2, before }, 24);
		break;
	case DI_PT_TRILIST:
		prim_positions(t, false, first, i, out);
		break;
	default: { /* provoking first, or last of three */
		uint32_t at[3];
		prim_positions(t, last, first, i, at);
		for (unsigned k = 0; k < corners; k++)
			out[k] = at[last && corners == 3 ? (k + 1) % 3 : k];
	}
	}
}

/* --- Batches --- */

static void forget_vertices(struct rs_front *f)
{
	if (++f->generation == 0) {
		memset(f->hash, 0, sizeof f->hash);
		f->generation = 1;
	}
}

static inline unsigned new_vertex(struct rs_batch *b, unsigned *count, uint32_t index, uint32_t instance)
{
	unsigned slot = (*count)++;
	b->vertex[slot] = index;
	b->instance[slot] = instance;
	return slot;
}

/* The vertex's slot in the batch; there is room for a new one. */
static inline unsigned find_vertex(struct rs_front *f, struct rs_batch *b, unsigned *count, uint32_t index,
	uint32_t instance)
{
	unsigned h = index * 0x9E3779B1u >> 23;
	for (;; h = (h + 1) & (RS_HASH_SLOTS - 1)) {
		struct rs_hash_entry *e = &f->hash[h];
		if (e->generation != f->generation) {
			unsigned slot = new_vertex(b, count, index, instance);
			*e = (struct rs_hash_entry){ index, f->generation, (uint16_t)slot };
			return slot;
		}
		if (e->key == index)
			return e->slot;
	}
}

static const struct rs_segment *find_segment(const struct rs_vdraw *d, uint32_t prim)
{
	return &d->segment[rs_find_run(&d->segment->prim, sizeof *d->segment / 4, d->segments, prim)];
}

/* Lists without indices have no vertex twice. */
static inline bool vertices_differ(const struct rs_vdraw *d)
{
	switch (d->topology) {
	case DI_PT_POINTLIST: case DI_PT_LINELIST: case DI_PT_TRILIST: case DI_PT_LINELIST_ADJ: case DI_PT_TRILIST_ADJ:
		return !d->index;
	}
	return false;
}

/* Assembles primitives [prim, end) of one instance out of one run, as long as there is
 * room for them; the first that is left.  A function of its own: the loop wants all registers. */
static __attribute__((noinline)) uint32_t walk_run(struct rs_front *f, struct rs_batch *b, const struct rs_segment *s,
	uint32_t prim, uint32_t end, uint32_t instance)
{
	const struct rs_vdraw *d = f->draw;
	unsigned t = d->topology;
	bool last = f->pa->provoking_last;
	bool unique = vertices_differ(d);
	unsigned count = b->count, prims = b->prims;
	for (; prim < end; prim++) {
		uint32_t at[3];
		unsigned n = prim_positions(t, last, s->index, prim - s->prim, at);
		if (count + n > RS_BATCH_VERTICES)
			break;
		unsigned p = prims++;
		for (unsigned i = 0; i < n; i++)
			b->prim[i][p] = (uint8_t)(unique ? new_vertex(b, &count, at[i], instance) :
				find_vertex(f, b, &count, fetch_index(d, at[i]), instance));
	}
	b->count = count;
	b->prims = prims;
	return prim;
}

/* The same without vertices that primitives share. */
static __attribute__((noinline)) uint32_t walk_run_apart(struct rs_front *f, struct rs_batch *b, const struct rs_segment *s,
	uint32_t prim, uint32_t end, uint32_t instance)
{
	const struct rs_vdraw *d = f->draw;
	for (; prim < end && b->count + d->corners <= RS_BATCH_VERTICES; prim++) {
		uint32_t at[3];
		unsigned n = prim_positions(d->topology, f->pa->provoking_last, s->index, prim - s->prim, at), p = b->prims++;
		for (unsigned i = 0; i < n; i++)
			b->prim[i][p] = (uint8_t)new_vertex(b, &b->count, fetch_index(d, at[i]), instance);
	}
	return prim;
}

void rs_vgt_number(const struct rs_front *f, struct rs_batch *b)
{
	for (unsigned p = 0; p < b->prims && f->pa->id_param < f->pa->params; p++) {
		uint32_t id = (uint32_t)((b->first + p) % f->draw->prims);
		for (unsigned i = 0; i < b->corners; i++)
			memcpy(b->attr + b->prim[i][p] * (size_t)b->stride + 4u * f->pa->id_param, &id, 4);
	}
}

/* The same for a geometry program: all vertices of up to a wave of primitives. */
static __attribute__((noinline)) uint32_t walk_run_all(struct rs_front *f, struct rs_batch *b, const struct rs_segment *s,
	uint32_t prim, uint32_t end, uint32_t instance)
{
	const struct rs_vdraw *d = f->draw;
	struct rs_gs *g = f->gs;
	uint32_t run = (s + 1 < d->segment + d->segments ? s[1].prim : d->prims) - s->prim;
	bool unique = vertices_differ(d);
	for (; prim < end && b->prims < g->room; prim++) {
		uint32_t at[6];
		unsigned count = b->count, corners = rs_vgt_all_corners(d->topology);
		all_positions(d->topology, f->pa->provoking_last, s->index, prim - s->prim, run, at);
		if (count + corners > CU_LANES)
			break;
		for (unsigned i = 0; i < corners; i++)
			g->corner[i][b->prims] = (uint8_t)(unique ? new_vertex(b, &count, at[i], instance) :
				find_vertex(f, b, &count, fetch_index(d, at[i]), instance));
		g->prim_id[b->prims++] = prim;
		b->count = count;
	}
	return prim;
}

typedef uint32_t walk_fn(struct rs_front *f, struct rs_batch *b, const struct rs_segment *s, uint32_t prim, uint32_t end,
	uint32_t instance);

/* The same out of all runs of the draw. */
static uint32_t walk_instance(struct rs_front *f, struct rs_batch *b, uint32_t prim, uint32_t end, uint32_t instance)
{
	const struct rs_vdraw *d = f->draw;
	const struct rs_segment *s = find_segment(d, prim), *stop = d->segment + d->segments;
	walk_fn *walk = d->gs ? walk_run_all : f->pa->primitive_id ? walk_run_apart : walk_run;
	bool room = true;
	forget_vertices(f);
	for (; room && prim < end; s++) {
		uint32_t run_end = s + 1 < stop && s[1].prim < end ? s[1].prim : end;
		prim = walk(f, b, s, prim, run_end, instance);
		room = prim == run_end;
	}
	return prim;
}

void rs_vgt_fetch(struct rs_front *f, struct rs_batch *b)
{
	const struct rs_vdraw *d = f->draw;
	bool room = true;
	b->count = b->prims = b->stream = 0;
	b->first = f->next;
	b->corners = d->corners;
	while (room && f->next < f->end) {
		uint32_t instance = (uint32_t)(f->next / d->prims), prim = (uint32_t)(f->next % d->prims);
		uint64_t n = d->prims - prim < f->end - f->next ? d->prims - prim : f->end - f->next;
		uint32_t left = walk_instance(f, b, prim, prim + (uint32_t)n, instance);
		room = left == prim + (uint32_t)n;
		f->next += left - prim;
	}
}

void rs_vgt_fetch_patches(struct rs_front *f, struct rs_patches *p)
{
	const struct rs_vdraw *d = f->draw;
	const unsigned n = d->tess->vertices_in;
	for (p->count = 0; p->count < d->tess->patches && f->next < f->end; f->next++, p->count++) {
		uint32_t instance = (uint32_t)(f->next / d->prims), prim = (uint32_t)(f->next % d->prims);
		const struct rs_segment *s = find_segment(d, prim);
		uint32_t at = s->index + (prim - s->prim) * n;
		p->prim_id[p->count] = prim;
		for (unsigned i = 0; i < n; i++) {
			p->vertex[p->count * n + i] = fetch_index(d, at + i);
			p->instance[p->count * n + i] = instance;
		}
	}
}
