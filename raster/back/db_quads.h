/* SPDX-License-Identifier: MIT */
/* DB: depths of quads of 16 bytes, wherever they are. */
#ifndef RASTER_BACK_DB_QUADS_H
#define RASTER_BACK_DB_QUADS_H

#include <immintrin.h>
#include "core/vec.h"
#include "raster/back/compare.h"
#include "raster/back/depth_code.h"
#include "raster/back/group_mem.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

/* Depths of a quad of the primitive, as its viewport clamps them. */
V_INLINE __m128 rs_clamp_quad(const struct rs_ps_state *s, const struct rs_prim *prim, vf4 z)
{
	/* max and min give the second operand for NaN */
	const __m128 c = _mm_max_ps((__m128)z, _mm_set1_ps(s->clamp_min[prim->viewport]));
	return _mm_min_ps(c, _mm_set1_ps(s->clamp_max[prim->viewport]));
}

/* A depth test alone of one sample, with these codes; returns the lanes that pass, and writes these. */
V_INLINE uint32_t rs_db_test_quads(const struct rs_worker *w, const struct rs_group *g, uint32_t lanes, struct vf16 code)
{
	const struct rs_target *t = &w->targets->depth;
	struct vf16 old = rs_load_quads(g->quad);
	for (unsigned i = 0; i < RS_VECS; i++)
		old.v[i] = rs_code_in_dword(t->code_max, old.v[i]);
	lanes &= rs_compare(w->state->z_func, &code, &old);
	if (!w->state->z_write || !lanes)
		return lanes;
	for (unsigned i = 0; i < RS_VECS; i++)
		code.v[i] = rs_dword_of_code(t->code_max, code.v[i]);
	rs_scatter_quads(g, lanes, &code);
	return lanes;
}

#endif
