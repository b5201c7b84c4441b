/* SPDX-License-Identifier: MIT */
/* Vertex waves: runs the vertex program over a batch and takes its exports:
 * positions and distances stay in SoA form, params are transposed to one
 * record a vertex. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "core/cu.h"
#include "core/launch.h"
#include "isa/abi.h"
#include "isa/gcn_operand.h"
#include "isa/stages.h"
#include "raster/arena.h"
#include "raster/front/ds.h"
#include "raster/front/front.h"
#include "raster/front/params.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"
#include "raster/front/vgt.h"
#include "raster/pass.h"

static bool fail(struct rs_front *f, const struct cu_error *error)
{
	rs_pass_fail(f->pass, isa_hw_stages[ISA_HW_VS].wave, f->draw->vs.program, error);
	return false;
}

static bool run_wave(struct rs_front *f, const struct rs_batch *b, unsigned first, unsigned n)
{
	const struct cu_program_use *vs = &f->draw->vs;
	const struct cu_inputs inputs = CU_INPUTS(f->draw->tess ? ABI_TES_VGPRS : 2, CU_SETS_LANES);
	struct cu_wave *w = f->slot.wave;
	cu_launch(&f->slot, vs, &inputs, n == 64 ? ~0ull : (1ull << n) - 1, 0);
	if (__builtin_expect(f->draw->tess != NULL, 0)) {
		rs_ds_set_inputs(f, b, first, n, ABI_TES_S_PATCHES, ABI_TES_V_COORD);
	} else {
		memcpy(w->vgpr[0], b->vertex + first, n * 4);
		memcpy(w->vgpr[1], b->instance + first, n * 4);
	}
	enum cu_status status = cu_slot_run(&f->slot, vs);
	switch (status) {
	case CU_DONE: return true;
	case CU_BARRIER: return fail(f, &(struct cu_error){ "s_barrier in a vertex program" });
	case CU_FAULT: break;
	}
	return fail(f, &w->error);
}

/* One component of a position export; absent lanes and components are `absent`.
 * dst has room for a whole wave. */
static void take(const struct cu_exports *e, unsigned target, unsigned c, void *dst,
	unsigned n, uint32_t absent)
{
	uint32_t *out = dst;
	bool written = e->targets >> target & 1 && e->mask[target] >> c & 1;
	if (written && out != e->data[target][c]) /* 16 lanes at a time: those past n are garbage */
		for (unsigned l = 0; l < n; l += 16)
			memcpy(out + l, &e->data[target][c][l], 16 * sizeof *out);
	uint64_t lanes = written ? e->exec[target] : 0;
	uint64_t wanted = n == 64 ? ~0ull : (1ull << n) - 1;
	if (!lanes) { /* as those of components that no program of the kind has */
		for (unsigned l = 0; l < n; l += 16)
			for (unsigned i = 0; i < 16; i++)
				out[l + i] = absent;
		return;
	}
	for (uint64_t missing = wanted & ~lanes; missing; missing &= missing - 1)
		out[__builtin_ctzll(missing)] = absent;
}

static void take_positions(struct rs_front *f, struct rs_batch *b, unsigned first, unsigned n)
{
	const struct cu_exports *e = f->slot.exports;
	const struct rs_pa_state *pa = f->pa;
	unsigned target = GCN_EXP_POS0;
	for (unsigned c = 0; c < 4; c++) /* what has no position is dropped */
		take(e, target, c, &b->pos[c][first], n, 0x7fc00000);
	if (pa->misc) {
		target++;
		take(e, target, 0, &b->size[first], n, 0x3f800000);
		take(e, target, 2, &b->layer[first], n, 0);
		take(e, target, 3, &b->viewport[first], n, 0);
	}
	for (unsigned half = 0; half < 2; half++) {
		if (!pa->ccdist[half])
			continue;
		target++;
		for (unsigned c = 0; c < 4; c++)
			take(e, target, c, &b->dist[4 * half + c][first], n, 0);
	}
}

/* Params to one record a vertex, four vertices at a time. */
static void take_params(struct rs_front *f, struct rs_batch *b, unsigned first, unsigned n)
{
	for (unsigned p = 0; p < f->pa->params; p++) {
		uint32_t (*src)[CU_LANES] = f->slot.exports->data[GCN_EXP_PARAM0 + p];
		for (unsigned c = 0; c < 4; c++) { /* in place: exports are this thread's */
			uint64_t have = f->slot.exports->targets >> (GCN_EXP_PARAM0 + p) & 1 &&
				f->slot.exports->mask[GCN_EXP_PARAM0 + p] >> c & 1 ?
				f->slot.exports->exec[GCN_EXP_PARAM0 + p] : 0;
			if (have != f->slot.exports->exec[GCN_EXP_POS0] || !have)
				take(f->slot.exports, GCN_EXP_PARAM0 + p, c, src[c], n, 0);
		}
		float *dst = b->attr + (size_t)first * b->stride + 4 * p;
		rs_params_store(dst, b->stride, src[0], src[1], src[2], src[3], n);
	}
}

bool rs_vgt_run_vertices(struct rs_front *f, struct rs_batch *b)
{
	if (!cu_slot_reserve(&f->slot, &f->draw->vs, 1))
		return fail(f, &(struct cu_error){ "no memory for scratch" });
	b->stride = f->pa->params * 4;
	/* Rounded up: the transposition writes four vertices at a time. */
	b->attr = rs_arena_alloc(&f->arena, (size_t)((b->count + 3) & ~3u) * b->stride * 4 + 16);
	if (!b->attr)
		return rs_front_no_memory(f);
	for (unsigned first = 0; first < b->count; first += CU_LANES) {
		unsigned n = b->count - first < CU_LANES ? b->count - first : CU_LANES;
		if (!run_wave(f, b, first, n))
			return false;
		take_positions(f, b, first, n);
		take_params(f, b, first, n);
	}
	return true;
}
