/* SPDX-License-Identifier: MIT */
/* Geometry programs: their waves, and the assembly of what they emit. */
#include "raster/front/gs.h"

#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "core/memory.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/stages.h"
#include "raster/arena.h"
#include "raster/draw.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"
#include "raster/pass.h"

static bool fail(struct rs_front *f, const struct cu_error *error)
{
	rs_pass_fail(f->pass, isa_hw_stages[ISA_HW_GS].wave, f->draw->vs.program, error);
	return false;
}

static bool no_memory(struct rs_front *f)
{
	f->no_memory = true;
	return false;
}

/* --- memory --- */

static void free_ring(struct rs_front *f)
{
	if (f->memory && f->gs->ring)
		cu_memory_remove(f->memory, f->gs->ring);
	free(f->gs->ring);
	f->gs->ring = NULL;
	f->gs->ring_bytes = 0;
}

void rs_gs_finish(struct rs_front *f)
{
	if (!f->gs)
		return;
	free_ring(f);
	free(f->gs);
	f->gs = NULL;
}

static bool reserve_ring(struct rs_front *f, size_t bytes)
{
	enum { UNIT = 65536 };
	struct rs_gs *g = f->gs;
	if (g->ring_bytes >= bytes)
		return true;
	free_ring(f);
	bytes = (bytes + UNIT - 1) / UNIT * UNIT;
	g->ring = aligned_alloc(4096, bytes);
	if (!g->ring || (f->memory && !cu_memory_add(f->memory, g->ring, bytes))) {
		free(g->ring);
		g->ring = NULL;
		return false;
	}
	g->ring_bytes = bytes;
	g->program = NULL;
	return true;
}

/* The ring and LDS for the draw.  What its program never writes is 0, or what QW_POISON says. */
static bool reserve(struct rs_front *f)
{
	const struct rs_gs_state *s = f->draw->gs;
	const size_t bytes = (size_t)s->item_dwords * s->max_vertices * ABI_MERGED_ROW_BYTES;
	if (!f->gs) {
		f->gs = aligned_alloc(64, (sizeof *f->gs + 63) & ~(size_t)63);
		if (!f->gs)
			return false;
		memset(f->gs, 0, sizeof *f->gs);
	}
	if (!reserve_ring(f, bytes) || (!f->slot.lds && !cu_slot_init(&f->slot, CU_SLOT_LDS)))
		return false;
	if (f->gs->program != f->draw->vs.program) {
		cu_fresh_fill(f->gs->ring, bytes, f->slot.bounds.poison);
		cu_fresh_fill(f->slot.lds, s->lds_bytes, f->slot.bounds.poison);
		f->gs->program = f->draw->vs.program;
	}
	return cu_slot_reserve(&f->slot, &f->draw->vs, 1);
}

/* --- waves --- */

bool rs_gs_fetch(struct rs_front *f, struct rs_counter *stats)
{
	const struct rs_gs_state *s = f->draw->gs;
	if (!reserve(f))
		return no_memory(f);
	struct rs_gs *g = f->gs;
	g->room = s->invocations < CU_LANES ? CU_LANES / s->invocations : 1;
	g->lane = g->ran = g->assembled = 0;
	rs_vgt_fetch(f, &g->in);
	if (stats) {
		rs_count(stats, PM4_STAT_VS_INVOCATIONS, g->in.count);
		rs_count(stats, PM4_STAT_GS_INVOCATIONS, (uint64_t)g->in.prims * s->invocations);
	}
	return true;
}

static unsigned lanes_left(const struct rs_front *f)
{
	return f->gs->in.prims * f->draw->gs->invocations - f->gs->lane;
}

bool rs_gs_lanes(const struct rs_front *f)
{
	return lanes_left(f);
}

/* VGPRs of both halves; lanes that do not run have zeros. */
static void set_vgprs(struct rs_front *f, unsigned vertices, unsigned lanes)
{
	const struct rs_gs *g = f->gs;
	const unsigned invocations = f->draw->gs->invocations, corners = rs_vgt_all_corners(f->draw->topology);
	static const uint8_t pair[3] = { 0, 1, 4 };
	struct cu_wave *w = f->slot.wave;
	memset(w->vgpr, 0, ABI_ESGS_VGPRS * sizeof w->vgpr[0]);
	memcpy(w->vgpr[ABI_ESGS_V_VERTEX], g->in.vertex, vertices * 4);
	memcpy(w->vgpr[ABI_ESGS_V_INSTANCE], g->in.instance, vertices * 4);
	for (unsigned l = 0; l < lanes; l++) {
		unsigned prim = (g->lane + l) / invocations;
		for (unsigned i = 0; i < corners; i++)
			w->vgpr[pair[i / 2]][l] |= (uint32_t)g->corner[i][prim] << i % 2 * 16;
		w->vgpr[ABI_ESGS_V_PRIM][l] = g->prim_id[prim];
		w->vgpr[ABI_ESGS_V_INVOCATION][l] = (g->lane + l) % invocations;
	}
}

static void set_sgprs(struct rs_front *f, unsigned vertices, unsigned lanes)
{
	uint32_t *s = f->slot.wave->sgpr;
	const uint64_t ring = (uintptr_t)f->gs->ring;
	s[ABI_MERGED_S_RING] = (uint32_t)ring;
	s[ABI_MERGED_S_RING + 1] = (uint32_t)(ring >> 32);
	s[ABI_MERGED_S_GSVS] = 0;
	s[ABI_MERGED_S_WAVE_INFO] = vertices | lanes << 8 | 1u << 28;
}

bool rs_gs_run(struct rs_front *f)
{
	struct rs_gs *g = f->gs;
	const struct cu_program_use *use = &f->draw->vs;
	const struct cu_inputs inputs = CU_INPUTS(ABI_ESGS_VGPRS, CU_SETS_ALL);
	/* Further waves of a primitive find its vertices where the first has left them. */
	unsigned vertices = g->lane ? 0 : g->in.count, lanes = lanes_left(f);
	lanes = lanes < CU_LANES ? lanes : CU_LANES;
	cu_launch(&f->slot, use, &inputs, ~0ull, 0);
	set_vgprs(f, vertices, lanes);
	set_sgprs(f, vertices, lanes);
	f->slot.wave->lds_bytes = f->draw->gs->lds_bytes;
	f->slot.wave->gs = &g->told;
	memset(&g->told, 0, sizeof g->told);
	g->lane += lanes;
	g->ran = lanes;
	g->assembled = 0;
	switch (cu_slot_run(&f->slot, use)) {
	case CU_DONE: return true;
	case CU_BARRIER: return fail(f, &(struct cu_error){ "s_barrier in a geometry program" });
	case CU_FAULT: break;
	}
	return fail(f, &f->slot.wave->error);
}

/* --- assembly --- */

static unsigned vertices_of(const struct rs_front *f, unsigned lane)
{
	unsigned n = f->gs->told.count[0][lane], most = f->draw->gs->max_vertices;
	return n < most ? n : most;
}

/* Vectors of a vertex in the ring in front of its params. */
static unsigned position_vectors(const struct rs_pa_state *pa)
{
	return 1u + pa->misc + pa->ccdist[0] + pa->ccdist[1];
}

/* A vertex out of the ring, where dwords are 64 apart; what it lacks is 0. */
static void take_vertex(const struct rs_front *f, struct rs_batch *b, const uint32_t *from, unsigned v)
{
	const struct rs_pa_state *pa = f->pa;
	const unsigned first = position_vectors(pa), have = f->draw->gs->item_dwords / 4;
	const unsigned params = have > first ? have - first : 0;
	if (have < first) {
		for (unsigned c = 0; c < 4; c++)
			memcpy(&b->pos[c][v], &(uint32_t){ 0x7fc00000 }, 4); /* dropped */
		return;
	}
	for (unsigned c = 0; c < 4; c++)
		memcpy(&b->pos[c][v], from + c * CU_LANES, 4);
	from += 4 * CU_LANES;
	if (pa->misc) {
		memcpy(&b->size[v], from, 4);
		b->layer[v] = from[2 * CU_LANES];
		b->viewport[v] = from[3 * CU_LANES];
		from += 4 * CU_LANES;
	}
	for (unsigned half = 0; half < 2; half++) {
		for (unsigned c = 0; pa->ccdist[half] && c < 4; c++)
			memcpy(&b->dist[4 * half + c][v], from + c * CU_LANES, 4);
		from += pa->ccdist[half] ? 4 * CU_LANES : 0;
	}
	float *attr = b->attr + (size_t)v * b->stride;
	for (unsigned i = 0; i < 4 * pa->params; i++)
		if (i < 4 * params)
			memcpy(attr + i, from + i * CU_LANES, 4);
		else
			attr[i] = 0;
}

static bool is_cut(const struct rs_gs *g, unsigned lane, unsigned vertex)
{
	return g->told.cut[0][lane][vertex / 64] >> vertex % 64 & 1;
}

/* Primitives of vertices [v, v + n), which are a strip. */
static void take_strip(const struct rs_front *f, struct rs_batch *b, unsigned v, unsigned n)
{
	const bool last = f->pa->provoking_last;
	for (unsigned i = 0; i + b->corners <= n; i++) {
		unsigned a = v + i, odd = i & 1, p = b->prims++;
		b->prim[0][p] = (uint8_t)(b->corners == 3 && last ? a + 2 : a);
		if (b->corners == 2)
			b->prim[1][p] = (uint8_t)(a + 1);
		if (b->corners == 3) {
			b->prim[1][p] = (uint8_t)(last ? a + odd : a + 1 + odd);
			b->prim[2][p] = (uint8_t)(last ? a + 1 - odd : a + 2 - odd);
		}
	}
}

static void take_lane(const struct rs_front *f, struct rs_batch *b, unsigned lane)
{
	const unsigned n = vertices_of(f, lane), first = b->count;
	const size_t stride = (size_t)f->draw->gs->item_dwords * CU_LANES;
	unsigned begin = 0;
	for (unsigned i = 0; i < n; i++) {
		take_vertex(f, b, f->gs->ring + i * stride + lane, first + i);
		if (i && is_cut(f->gs, lane, i)) {
			take_strip(f, b, first + begin, i - begin);
			begin = i;
		}
	}
	take_strip(f, b, first + begin, n - begin);
	b->count += n;
}

bool rs_gs_assemble(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	struct rs_gs *g = f->gs;
	unsigned end = g->assembled, count = 0;
	for (; end < g->ran && count + vertices_of(f, end) <= RS_BATCH_VERTICES; end++)
		count += vertices_of(f, end);
	if (!count) {
		g->assembled = end;
		return false;
	}
	b->count = b->prims = 0;
	b->corners = f->draw->gs->out_corners;
	b->stride = f->pa->params * 4;
	b->attr = rs_arena_alloc(&f->arena, (size_t)count * b->stride * 4 + 16);
	if (!b->attr)
		return no_memory(f);
	for (; g->assembled < end; g->assembled++)
		take_lane(f, b, g->assembled);
	if (stats)
		rs_count(stats, PM4_STAT_GS_PRIMITIVES, b->prims);
	return true;
}
