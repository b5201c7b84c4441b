/* SPDX-License-Identifier: MIT */
/* The back end's order, from coverage to colour: test, count, pack; shade; test, count,
 * blend.  What comes before the shader goes by pieces of a primitive, what comes after
 * it by waves.  Everything here is inlined into the code of one kind of piece, or of one
 * or many samples. */
#ifndef RASTER_BACK_ORDER_H
#define RASTER_BACK_ORDER_H

#include <stdbool.h>
#include <stdint.h>
#include "core/vec.h"
#include "isa/gcn_operand.h"
#include "raster/back/cb_wave.h"
#include "raster/back/db.h"
#include "raster/back/ps_state.h"
#include "raster/back/spi.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"

/* A piece of a primitive, not rejected by its range of depth: lanes of an 8x8 block, or
 * of 2x2 quads at (qx, qy) of the tile. */
struct rs_piece {
	const struct rs_prim *prim;
	unsigned block, qx, qy;
	uint64_t mask;           /* covered; not zero */
	/* More than one sample: mask of each, and what it was before the tests. */
	uint64_t *sample;
	const uint64_t *covered;
};

/* What the order is made of for a kind of piece; constants. */
struct rs_stages {
	bool (*test)(struct rs_worker *w, struct rs_piece *p, bool write); /* false: nothing is left */
	unsigned (*count)(const struct rs_worker *w, const struct rs_piece *p); /* samples left */
	void (*pack)(struct rs_worker *w, const struct rs_piece *p); /* into waves, which run when full */
};

/* What comes before the shader.  tests: early ones happen. */
V_INLINE void rs_order_piece(struct rs_worker *w, struct rs_piece *p, bool tests, const struct rs_stages *stages)
{
	if (tests && !stages->test(w, p, w->order == RS_Z_EARLY))
		return;
	if (w->order == RS_Z_EARLY)
		w->samples += stages->count(w, p);
	if (w->waves.run_ps)
		stages->pack(w, p);
}
/* The same for 8x8 blocks.  Order by pixel: what is in the open wave comes first.  Early
 * tests and writes have happened already; a test that is repeated later must see what is
 * pending, and a block must not overtake the open wave (pack sees to that). */
V_INLINE void rs_order_block(struct rs_worker *w, struct rs_piece *p, const struct rs_stages *stages)
{
	if (w->order == RS_Z_EARLY_TEST && w->waves.occupied[p->block] & p->mask)
		CU_FN(rs_spi_flush)(w);
	rs_order_piece(w, p, w->depth.tests && w->order != RS_Z_LATE, stages);
}

/* Rare, and inlined they would cost every wave registers. */
#define RS_RARE __attribute__((noinline, unused)) static

/* Lanes whose exported sample mask has sample k. */
RS_RARE uint64_t rs_exported_mask(const struct cu_exports *e, unsigned k)
{
	uint64_t out = 0;
	if (!rs_exported(e, GCN_EXP_MRTZ, 2))
		return ~0ull;
	for (unsigned l = 0; l < CU_LANES; l += VL)
		out |= (uint64_t)v_bits(v_load(&e->data[GCN_EXP_MRTZ][2][l]) << (31 - (int)k)) << l;
	return out;
}
/* Lanes whose alpha covers sample k: from (k + 1/2) / samples on; NaN does not. */
RS_RARE uint64_t rs_alpha_mask(const struct rs_ps_state *s, const struct cu_wave *wave, unsigned k)
{
	uint64_t out = 0;
	unsigned target = s->alpha_from_z ? GCN_EXP_MRTZ : GCN_EXP_MRT0;
	float least = ((float)k + 0.5f) / (float)s->samples;
	if (!rs_exported(wave->exports, target, 3))
		return ~0ull;
	const uint32_t *alpha = cu_exported(wave, target, 3);
	for (unsigned l = 0; l < CU_LANES; l += VL)
		out |= (uint64_t)v_bits((vi)(v_loadf(alpha + l) >= v_setf(least))) << l;
	return out;
}

/* What comes after the shader.  many: more than one sample; a constant. */
V_INLINE void rs_order_wave(struct rs_worker *w, const struct rs_open_wave *o, bool many)
{
	const struct rs_ps_state *s = w->state;
	const struct cu_exports *e = w->slot.exports;
	unsigned samples = many ? s->samples : 1;
	uint64_t live[RS_MAX_SAMPLES], any = 0;
	for (unsigned k = 0; k < samples; k++) {
		live[k] = (many ? o->sample[k] : o->exec) & e->valid;
		if (s->mask_export && live[k])
			live[k] &= rs_exported_mask(e, k);
		if (s->alpha_to_mask && live[k])
			live[k] &= rs_alpha_mask(s, w->slot.wave, k);
	}
	if (w->order != RS_Z_EARLY && w->depth.tests) {
		if (many)
			CU_FN(rs_db_wave_msaa)(w, o, live);
		else if (w->waves.tested)
			live[0] &= w->waves.passed;
		else
			live[0] = CU_FN(rs_db_wave)(w, o, live[0], true);
		w->waves.tested = false;
	}
	for (unsigned k = 0; k < samples; k++) {
		any |= live[k];
		if (w->order != RS_Z_EARLY)
			w->samples += (unsigned)__builtin_popcountll(live[k]);
	}
	if (!any || !w->color_count)
		return;
	if (many)
		CU_FN(rs_cb_wave_msaa)(w, o, live);
	else
		CU_FN(rs_cb_wave)(w, o, live[0]);
}

#endif
