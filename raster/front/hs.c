/* SPDX-License-Identifier: MIT */
/* Hull programs: their waves. */
#include "raster/front/hs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "core/launch.h"
#include "core/memory.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/stages.h"
#include "raster/draw.h"
#include "raster/front/vdraw.h"
#include "raster/pass.h"

static bool fail(struct rs_front *f, const struct cu_error *error)
{
	rs_pass_fail(f->pass, isa_hw_stages[ISA_HW_HS].wave, f->draw->tess->hs.program, error);
	return false;
}

/* --- memory --- */

void rs_hs_finish(struct rs_front *f)
{
	if (!f->hs)
		return;
	if (f->memory && f->hs->patches)
		cu_memory_remove(f->memory, f->hs->patches);
	free(f->hs->patches);
	rs_tess_cache_destroy(f->hs->cache);
	free(f->hs);
	f->hs = NULL;
}

static bool create(struct rs_front *f)
{
	struct rs_hs *h = f->hs = calloc(1, sizeof *h);
	if (!h)
		return false;
	h->cache = rs_tess_cache_create();
	h->patches = aligned_alloc(4096, ABI_PATCH_BYTES);
	if (h->cache && h->patches && (!f->memory || cu_memory_add(f->memory, h->patches, ABI_PATCH_BYTES)))
		return true;
	free(h->patches);
	h->patches = NULL;
	rs_hs_finish(f);
	return false;
}

/* Patches and LDS for the draw.  What its program never writes is 0, or what QW_POISON says. */
static bool reserve(struct rs_front *f)
{
	const struct rs_tess_state *s = f->draw->tess;
	if (!f->hs && !create(f))
		return false;
	if (!f->slot.lds && !cu_slot_init(&f->slot, CU_SLOT_LDS))
		return false;
	if (f->hs->program != s->hs.program) {
		cu_fresh_fill(f->hs->patches, ABI_PATCH_BYTES, f->slot.bounds.poison);
		f->hs->program = s->hs.program;
	}
	if (s->lds_bytes)
		cu_fresh_fill(f->slot.lds, s->lds_bytes, f->slot.bounds.poison);
	return cu_slot_reserve(&f->slot, &s->hs, 1);
}

/* --- waves --- */

/* VGPRs of both halves; lanes that do not run have zeros. */
static void set_vgprs(struct rs_front *f, unsigned points, unsigned lanes)
{
	const struct rs_tess_state *s = f->draw->tess;
	const struct rs_patches *in = &f->hs->in;
	struct cu_wave *w = f->slot.wave;
	memset(w->vgpr, 0, ABI_LSHS_VGPRS * sizeof w->vgpr[0]);
	memcpy(w->vgpr[ABI_LSHS_V_VERTEX], in->vertex, points * 4);
	memcpy(w->vgpr[ABI_LSHS_V_INSTANCE], in->instance, points * 4);
	for (unsigned l = 0; l < points; l++)
		w->vgpr[ABI_LSHS_V_VERTEX + 1][l] = l / s->vertices_in;
	for (unsigned l = 0; l < lanes; l++) {
		unsigned patch = l / s->vertices_out;
		w->vgpr[ABI_LSHS_V_PRIM][l] = in->prim_id[patch];
		w->vgpr[ABI_LSHS_V_PATCH][l] = patch | l % s->vertices_out << 8;
	}
}

static void set_sgprs(struct rs_front *f, unsigned points, unsigned lanes)
{
	const struct rs_tess_state *t = f->draw->tess;
	const uint64_t patches = (uintptr_t)f->hs->patches;
	uint32_t *s = f->slot.wave->sgpr;
	s[ABI_MERGED_S_RING] = (uint32_t)patches;
	s[ABI_MERGED_S_RING + 1] = (uint32_t)(patches >> 32);
	s[ABI_MERGED_S_WAVE_INFO] = points | lanes << 8 | 1u << 28;
	s[ABI_MERGED_S_INPUT_CP] = t->vertices_in;
	s[ABI_MERGED_S_OUTPUT_CP] = t->vertices_out;
}

/* A patch whose levels are never written has none: it is discarded, wherever it ran. */
static void clear_levels(struct rs_hs *h)
{
	static_assert(ABI_PATCH_INNER == ABI_PATCH_OUTER + 1, "both at once");
	memset(h->patches + ABI_PATCH_PER_PATCH + ABI_PATCH_OUTER * ABI_MERGED_SLOT_BYTES, 0, 2 * ABI_MERGED_SLOT_BYTES);
}

static bool run(struct rs_front *f)
{
	const struct rs_tess_state *s = f->draw->tess;
	const struct cu_inputs inputs = CU_INPUTS(ABI_LSHS_VGPRS, CU_SETS_ALL);
	struct rs_hs *h = f->hs;
	unsigned points = h->in.count * s->vertices_in, lanes = h->in.count * s->vertices_out;
	cu_launch(&f->slot, &s->hs, &inputs, ~0ull, 0);
	set_vgprs(f, points, lanes);
	set_sgprs(f, points, lanes);
	f->slot.wave->lds_bytes = s->lds_bytes;
	clear_levels(h);
	switch (cu_slot_run(&f->slot, &s->hs)) {
	case CU_DONE: return true;
	case CU_BARRIER: return fail(f, &(struct cu_error){ "s_barrier in a hull program" });
	case CU_FAULT: break;
	}
	return fail(f, &f->slot.wave->error);
}

/* Are the patches at hand those that come next? */
static bool has_next(const struct rs_front *f)
{
	const struct rs_hs *h = f->hs;
	return f->draw->parts > 1 && h && h->serial == f->draw->serial && h->first == f->next;
}

bool rs_hs_run(struct rs_front *f, struct rs_counter *stats)
{
	const bool again = has_next(f);
	const uint64_t first = f->next;
	if (!again && !reserve(f))
		return rs_front_no_memory(f);
	struct rs_hs *h = f->hs;
	rs_vgt_fetch_patches(f, &h->in);
	if (stats && !f->part) {
		rs_count(stats, PM4_STAT_VS_INVOCATIONS, (uint64_t)h->in.count * f->draw->tess->vertices_in);
		rs_count(stats, PM4_STAT_HS_INVOCATIONS, h->in.count);
	}
	h->patch = 0;
	h->open = false;
	if (again)
		return true;
	h->serial = 0;
	if (!run(f))
		return false;
	h->serial = f->draw->serial;
	h->first = first;
	return true;
}
