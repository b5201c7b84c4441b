/* SPDX-License-Identifier: MIT */
/* Domain points: from the levels of patches to batches. */
#include "raster/front/ds.h"

#include <string.h>
#include "core/cu.h"
#include "isa/abi.h"
#include "isa/pm4.h"
#include "isa/regs.h"
#include "raster/draw.h"
#include "raster/front/front.h"
#include "raster/front/hs.h"
#include "raster/front/pa_state.h"
#include "raster/front/vdraw.h"

/* Where primitives go, and how many there may be. */
struct sink {
	struct rs_batch *b;
	uint8_t *corner[3];
	uint32_t *prim_id;           /* of primitives; NULL: nobody asks */
	unsigned points, prims;
};

/* Component c of the patch's levels of a slot. */
static float level(const struct rs_front *f, unsigned slot, unsigned c)
{
	float v;
	memcpy(&v, f->hs->patches + ABI_PATCH_PER_PATCH + slot * ABI_MERGED_SLOT_BYTES + c * ABI_MERGED_ROW_BYTES +
		4 * f->hs->patch, 4);
	return v > f->draw->tess->max_level ? f->draw->tess->max_level : v;
}

/* The pattern of the patch, of which its part is taken; one that is discarded has none. */
static bool open_patch(struct rs_front *f)
{
	struct rs_hs *h = f->hs;
	const struct rs_tess_mode mode = f->draw->tess->mode;
	float outer[4], inner[2];
	for (unsigned c = 0; c < 4; c++)
		outer[c] = level(f, ABI_PATCH_OUTER, c);
	for (unsigned c = 0; c < 2; c++)
		inner[c] = level(f, ABI_PATCH_INNER, c);
	h->pattern.prims = 0;
	h->open = rs_tess_is_discarded(mode.type, outer) || rs_tess_find(h->cache, mode, outer, inner, &h->pattern);
	h->prim = f->part * f->draw->part_prims;
	h->prim_end = h->pattern.prims;
	if (f->draw->parts > 1 && h->prim_end > h->prim + f->draw->part_prims)
		h->prim_end = h->prim + f->draw->part_prims;
	return h->open || rs_front_no_memory(f);
}

/* Slots of the patch that were given out before are no longer. */
static void forget_slots(struct rs_hs *h)
{
	if (++h->generation >> 24) {
		memset(h->slot, 0, sizeof h->slot);
		h->generation = 1;
	}
}

static inline unsigned find_slot(struct rs_hs *h, struct rs_batch *b, unsigned point)
{
	uint32_t have = h->slot[point];
	if (have >> 8 == h->generation)
		return have & 255;
	unsigned slot = b->count++;
	memcpy(&b->vertex[slot], &h->pattern.point[point].u, 4);
	memcpy(&b->instance[slot], &h->pattern.point[point].v, 4);
	h->of[slot] = h->patch;
	h->prim_id[slot] = h->in.prim_id[h->patch];
	h->slot[point] = h->generation << 8 | slot;
	return slot;
}

/* The patch's primitives, as long as there is room; false when there is none left. */
static bool take_patch(struct rs_hs *h, const struct sink *to)
{
	struct rs_batch *b = to->b;
	const unsigned corners = h->pattern.corners;
	forget_slots(h);
	for (; h->prim < h->prim_end; h->prim++) {
		if (b->count + corners > to->points || b->prims == to->prims)
			return false;
		const uint16_t *index = h->pattern.index + (size_t)corners * h->prim;
		for (unsigned i = 0; i < corners; i++)
			to->corner[i][b->prims] = (uint8_t)find_slot(h, b, index[i]);
		if (to->prim_id)
			to->prim_id[b->prims] = h->in.prim_id[h->patch];
		b->prims++;
	}
	return true;
}

static bool fetch(struct rs_front *f, const struct sink *to, struct rs_counter *stats)
{
	struct rs_hs *h = f->hs;
	to->b->count = to->b->prims = to->b->stream = 0;
	to->b->corners = f->draw->tess->corners;
	for (; h->patch < h->in.count; h->patch++) {
		if (!h->open && !open_patch(f))
			return false;
		if (!take_patch(h, to))
			break;
		h->open = false;
	}
	if (stats)
		rs_count(stats, PM4_STAT_DS_INVOCATIONS, to->b->count);
	return to->b->prims;
}

bool rs_ds_fetch(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats)
{
	const struct sink to = { b, { b->prim[0], b->prim[1], b->prim[2] }, NULL, RS_BATCH_VERTICES, RS_JOB_PRIMS };
	return fetch(f, &to, stats);
}

bool rs_ds_fetch_wave(struct rs_front *f, struct rs_batch *b, unsigned room, uint8_t corner[][64], uint32_t *prim_id,
	struct rs_counter *stats)
{
	const struct sink to = { b, { corner[0], corner[1], corner[2] }, prim_id, CU_LANES, room };
	return fetch(f, &to, stats);
}

void rs_ds_number(const struct rs_front *f, struct rs_batch *b)
{
	for (unsigned v = 0; v < b->count && f->pa->id_param < f->pa->params; v++)
		memcpy(b->attr + v * (size_t)b->stride + 4u * f->pa->id_param, &f->hs->prim_id[v], 4);
}

void rs_ds_set_inputs(const struct rs_front *f, const struct rs_batch *b, unsigned first, unsigned n, unsigned sgpr,
	unsigned vgpr)
{
	const struct rs_hs *h = f->hs;
	const uint64_t patches = (uintptr_t)h->patches;
	struct cu_wave *w = f->slot.wave;
	w->sgpr[sgpr] = (uint32_t)patches;
	w->sgpr[sgpr + 1] = (uint32_t)(patches >> 32);
	w->sgpr[sgpr + 2] = f->draw->tess->vertices_out;
	w->sgpr[sgpr + 3] = f->draw->tess->mode.type == TESS_TRIANGLE ? ~0u : 0;
	memcpy(w->vgpr[vgpr], b->vertex + first, n * 4);
	memcpy(w->vgpr[vgpr + 1], b->instance + first, n * 4);
	memcpy(w->vgpr[vgpr + 2], h->of + first, n * 4);
	memcpy(w->vgpr[vgpr + 3], h->prim_id + first, n * 4);
}
