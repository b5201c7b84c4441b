/* SPDX-License-Identifier: MIT */
/* Geometry programs: their waves, and the assembly of what they emit. */
#include "raster/front/gs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/stages.h"
#include "raster/arena.h"
#include "raster/draw.h"
#include "raster/front/ds.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"
#include "raster/pass.h"

static bool fail(struct rs_front *f, const struct cu_error *error)
{
	rs_pass_fail(f->pass, isa_hw_stages[ISA_HW_GS].wave, f->draw->vs.program, error);
	return false;
}

/* --- memory --- */

void rs_gs_finish(struct rs_front *f)
{
	if (!f->gs)
		return;
	cu_scratch_free(&f->gs->scratch);
	free(f->gs);
	f->gs = NULL;
}

/* Scratch and LDS for the draw.  What its program never writes is 0, or what QW_POISON says. */
static bool reserve(struct rs_front *f)
{
	const struct rs_gs_state *s = f->draw->gs;
	const size_t own = f->draw->vs.scratch_bytes, bytes = (size_t)s->ring_dwords * ABI_MERGED_ROW_BYTES;
	if (!f->gs) {
		f->gs = aligned_alloc(64, (sizeof *f->gs + 63) & ~(size_t)63);
		if (!f->gs)
			return false;
		memset(f->gs, 0, sizeof *f->gs);
	}
	struct rs_gs *g = f->gs;
	const uint8_t *before = g->scratch.base;
	if (!cu_scratch_reserve(&g->scratch, own + bytes) || (!f->slot.lds && !cu_slot_init(&f->slot, CU_SLOT_LDS)))
		return false;
	g->gsvs = (uint32_t *)(g->scratch.base + own);
	if (g->program != f->draw->vs.program || g->scratch.base != before) {
		cu_fresh_fill(g->gsvs, bytes, f->slot.bounds.poison);
		cu_fresh_fill(f->slot.lds, s->lds_bytes, f->slot.bounds.poison);
		g->program = f->draw->vs.program;
	}
	return true;
}

/* --- waves --- */

bool rs_gs_fetch(struct rs_front *f, struct rs_counter *stats)
{
	const struct rs_gs_state *s = f->draw->gs;
	if (!reserve(f))
		return rs_front_no_memory(f);
	struct rs_gs *g = f->gs;
	g->room = rs_gs_room(s);
	g->lane = g->ran = g->assembled = 0;
	if (!f->draw->tess)
		rs_vgt_fetch(f, &g->in);
	else if (!rs_ds_fetch_wave(f, &g->in, g->room, g->corner, g->prim_id, stats))
		return false;
	if (stats) {
		rs_count(stats, PM4_STAT_VS_INVOCATIONS, f->draw->tess ? 0 : g->in.count);
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

/* Of the lanes of the next wave: which primitive, and which invocation of it. */
static void lanes_to_prims(const struct rs_front *f, unsigned lanes, uint8_t prim[CU_LANES], uint32_t invocation[CU_LANES])
{
	const unsigned invocations = f->draw->gs->invocations;
	unsigned p = f->gs->lane / invocations, i = f->gs->lane % invocations;
	for (unsigned l = 0; l < lanes; l++) {
		prim[l] = (uint8_t)p;
		invocation[l] = i;
		p += i + 1 == invocations;
		i = i + 1 == invocations ? 0 : i + 1;
	}
}

/* VGPRs of both halves; lanes that do not run have zeros. */
static void set_vgprs(struct rs_front *f, unsigned vertices, unsigned lanes)
{
	const struct rs_gs *g = f->gs;
	const unsigned corners = f->draw->tess ? f->draw->tess->corners : rs_vgt_all_corners(f->draw->topology);
	static const uint8_t pair[3] = { 0, 1, 4 };
	struct cu_wave *w = f->slot.wave;
	memset(w->vgpr, 0, ABI_MERGED_VGPRS * sizeof w->vgpr[0]);
	if (f->draw->tess) {
		rs_ds_set_inputs(f, &g->in, 0, vertices, ABI_ES_S_PATCHES, ABI_ES_V_COORD);
	} else {
		memcpy(w->vgpr[ABI_ESGS_V_VERTEX], g->in.vertex, vertices * 4);
		memcpy(w->vgpr[ABI_ESGS_V_INSTANCE], g->in.instance, vertices * 4);
	}
	uint8_t prim[CU_LANES];
	lanes_to_prims(f, lanes, prim, w->vgpr[ABI_ESGS_V_INVOCATION]);
	for (unsigned i = 0; i < corners; i++)
		for (unsigned l = 0; l < lanes; l++)
			w->vgpr[pair[i / 2]][l] |= (uint32_t)g->corner[i][prim[l]] << i % 2 * 16;
	for (unsigned l = 0; l < lanes; l++)
		w->vgpr[ABI_ESGS_V_PRIM][l] = g->prim_id[prim[l]];
}

/* The program's own scratch, blank, and behind it the vertices that it emits. */
static void set_scratch(struct rs_front *f)
{
	const struct rs_gs_state *s = f->draw->gs;
	struct rs_gs *g = f->gs;
	const uint32_t own = f->draw->vs.scratch_bytes;
	struct cu_wave *w = f->slot.wave;
	cu_wave_scratch_some(w, &g->scratch, 0, own, f->slot.bounds.poison);
	w->scratch_bytes = own + s->ring_dwords * ABI_MERGED_ROW_BYTES;
	w->sgpr[ABI_MERGED_S_GSVS] = own / CU_LANES;
}

/* What the wave before told, of the streams that there are. */
static void forget_told(struct rs_front *f)
{
	struct cu_gs *told = &f->gs->told;
	memset(told->count, 0, sizeof told->count);
	for (unsigned i = 0; i < ISA_STREAMS; i++)
		if (!i || f->draw->gs->stream_at[i])
			memset(told->cut[i], 0, sizeof told->cut[i]);
}
static_assert(CU_GS_STREAMS == ISA_STREAMS && CU_GS_VERTICES == ABI_GS_MAX_VERTICES, "of what geometry programs may emit");

bool rs_gs_run(struct rs_front *f)
{
	struct rs_gs *g = f->gs;
	struct cu_program_use use = f->draw->vs;
	const struct cu_inputs inputs = CU_INPUTS(ABI_MERGED_VGPRS, CU_SETS_ALL);
	/* Further waves of a primitive find its vertices where the first has left them. */
	unsigned vertices = g->lane ? 0 : g->in.count, lanes = lanes_left(f);
	lanes = lanes < CU_LANES ? lanes : CU_LANES;
	use.scratch_bytes = 0; /* not the slot's */
	cu_launch(&f->slot, &use, &inputs, ~0ull, 0);
	set_scratch(f);
	set_vgprs(f, vertices, lanes);
	f->slot.wave->sgpr[ABI_MERGED_S_WAVE_INFO] = vertices | lanes << 8 | 1u << 28;
	f->slot.wave->lds_bytes = f->draw->gs->lds_bytes;
	f->slot.wave->gs = &g->told;
	forget_told(f);
	g->lane += lanes;
	g->ran = lanes;
	g->stream = g->assembled = 0;
	switch (cu_slot_run(&f->slot, &use)) {
	case CU_DONE: return true;
	case CU_BARRIER: return fail(f, &(struct cu_error){ "s_barrier in a geometry program" });
	case CU_FAULT: break;
	}
	return fail(f, &f->slot.wave->error);
}

/* --- assembly --- */

static unsigned vertices_of(const struct rs_front *f, unsigned lane)
{
	unsigned n = f->gs->told.count[f->gs->stream][lane], most = f->draw->gs->max_vertices;
	return n < most ? n : most;
}

/* Vectors of a vertex in GSVS in front of its params. */
static unsigned position_vectors(const struct rs_pa_state *pa)
{
	return 1u + pa->misc + pa->ccdist[0] + pa->ccdist[1];
}

/* What the program says nothing of is 0. */
static struct isa_gsvs_component component(const struct rs_gs_state *s, unsigned c)
{
	return c < s->components ? s->component[c] : (struct isa_gsvs_component){ ISA_GSVS_FIXED, 0 };
}

/* Component c of n vertices, `step` dwords apart; in GSVS they are rows of lanes. */
static inline __attribute__((always_inline)) void take_component(const struct rs_front *f, unsigned c, unsigned n,
	size_t step, uint32_t *restrict to)
{
	const struct isa_gsvs_component what = component(f->draw->gs, c);
	const uint32_t *restrict from = f->gs->from, *restrict row = f->gs->gsvs + (size_t)what.dword * CU_LANES;
	if (what.dword == ISA_GSVS_FIXED)
		for (unsigned v = 0; v < n; v++)
			to[v * step] = what.value;
	else
		for (unsigned v = 0; v < n; v++)
			to[v * step] = row[from[v]];
}

static void take(const struct rs_front *f, const struct rs_batch *b, unsigned c, void *to)
{
	take_component(f, c, b->count, 1, to);
}

static void take_positions(const struct rs_front *f, struct rs_batch *b)
{
	const struct rs_pa_state *pa = f->pa;
	unsigned at = 4;
	for (unsigned c = 0; c < 4; c++)
		take(f, b, c, b->pos[c]);
	if (pa->misc) {
		take(f, b, at, b->size);
		take(f, b, at + 2, b->layer);
		take(f, b, at + 3, b->viewport);
		at += 4;
	}
	for (unsigned half = 0; half < 2; half++) {
		for (unsigned c = 0; pa->ccdist[half] && c < 4; c++)
			take(f, b, at + c, b->dist[4 * half + c]);
		at += pa->ccdist[half] ? 4 : 0;
	}
	if (f->draw->gs->components < at)
		for (unsigned v = 0; v < b->count; v++)
			memcpy(&b->pos[0][v], &(uint32_t){ 0x7fc00000 }, 4); /* dropped */
}

/* Where no two vertices have different params they all have the first one's. */
static bool take_params(struct rs_front *f, struct rs_batch *b)
{
	const unsigned first = 4 * position_vectors(f->pa), n = 4 * f->pa->params;
	unsigned differ = 0;
	for (unsigned c = 0; c < n; c++)
		differ += component(f->draw->gs, first + c).dword != ISA_GSVS_FIXED;
	const unsigned records = differ ? b->count : 1;
	uint32_t *attr = rs_arena_alloc(&f->arena, (size_t)records * n * 4 + 16);
	if (!attr)
		return rs_front_no_memory(f);
	b->attr = (float *)attr;
	b->stride = differ ? n : 0;
	for (unsigned c = 0; c < n; c++)
		take_component(f, first + c, records, n, attr + c);
	return true;
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

/* Strips of the n vertices of a lane, which the batch has from `first` on. */
static void take_strips(const struct rs_front *f, struct rs_batch *b, unsigned lane, unsigned first, unsigned n)
{
	const uint64_t *cut = f->gs->told.cut[f->gs->stream][lane];
	unsigned begin = 0;
	for (unsigned at = 0; at < n; at += 64)
		for (uint64_t left = cut[at / 64]; left; left &= left - 1) {
			unsigned end = at + (unsigned)__builtin_ctzll(left);
			if (end >= n)
				break;
			take_strip(f, b, first + begin, end - begin);
			begin = end;
		}
	take_strip(f, b, first + begin, n - begin);
}

static void take_lane(const struct rs_front *f, struct rs_batch *b, unsigned lane)
{
	const unsigned n = vertices_of(f, lane), first = b->count;
	const uint32_t stride = f->draw->gs->item_dwords * CU_LANES;
	const uint32_t from = f->draw->gs->stream_at[f->gs->stream] * CU_LANES + lane;
	for (unsigned i = 0; i < n; i++)
		f->gs->from[first + i] = from + i * stride;
	take_strips(f, b, lane, first, n);
	b->count += n;
}

/* The lanes from `assembled` on that a batch has room for: their end, and *count vertices, of the first
 * stream that has any left. */
static unsigned find_lanes(struct rs_front *f, unsigned *count)
{
	struct rs_gs *g = f->gs;
	for (;;) {
		unsigned end = g->assembled, next = g->stream + 1;
		for (*count = 0; end < g->ran && *count + vertices_of(f, end) <= RS_BATCH_VERTICES; end++)
			*count += vertices_of(f, end);
		while (next < ISA_STREAMS && !f->draw->gs->stream_at[next])
			next++;
		if (*count || next == ISA_STREAMS)
			return end;
		g->stream = next;
		g->assembled = 0;
	}
}

bool rs_gs_assemble(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	struct rs_gs *g = f->gs;
	unsigned count, end = find_lanes(f, &count);
	if (!count) {
		g->assembled = end;
		return false;
	}
	b->count = b->prims = 0;
	b->stream = g->stream;
	b->corners = f->draw->gs->out_corners;
	for (; g->assembled < end; g->assembled++)
		take_lane(f, b, g->assembled);
	take_positions(f, b);
	if (!take_params(f, b))
		return false;
	if (stats)
		rs_count(stats, PM4_STAT_GS_PRIMITIVES, b->prims);
	return true;
}
