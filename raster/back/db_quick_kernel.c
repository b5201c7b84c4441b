/* SPDX-License-Identifier: MIT */
/* DB: the depth test of a block where nothing else is tested (quick_z): no
 * stencil, no bounds, before the shader, 4 bytes a texel in 4x4 parts.  The same values
 * as the general tests give, with the comparison known to the compiler. */
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/db.h"
#include "raster/back/depth_code.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

#define INLINE static inline __attribute__((always_inline))

/* All ones where `z func old`; unordered only for NOTEQUAL (and ALWAYS). */
INLINE vi passes(unsigned func, vf z, vf old)
{
	switch (func) {
	case COMPARE_LESS: return (vi)(z < old);
	case COMPARE_EQUAL: return (vi)(z == old);
	case COMPARE_LEQUAL: return (vi)(z <= old);
	case COMPARE_GREATER: return (vi)(z > old);
	case COMPARE_NOTEQUAL: return (vi)(z != old);
	case COMPARE_GEQUAL: return (vi)(z >= old);
	case COMPARE_ALWAYS: return v_set(-1);
	default: return v_set(0);
	}
}

/* One 4x4 part at p, with these lanes covered (not zero).  integer: of depths that are 24 bits. */
INLINE uint32_t test_part(unsigned func, bool integer, bool write, uint8_t *p, const struct vf16 *z, uint32_t lanes)
{
	uint32_t pass = 0;
	V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
		pass |= v_bits(passes(func, z->v[i], rs_code_in_dword(integer, v_loadf(p + 4 * VL * i)))) << VL * i;
	pass &= lanes;
	if (!write)
		return pass;
	V_UNROLL for (unsigned i = 0; i < RS_VECS; i++) {
		if (pass == 0xffff)
			v_storef(p + 4 * VL * i, rs_dword_of_code(integer, z->v[i]));
		else
			v_store_lanes(p + 4 * VL * i, (vi)rs_dword_of_code(integer, z->v[i]), pass >> VL * i);
	}
	return pass;
}

INLINE uint64_t test_parts(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask,
	unsigned func, bool integer)
{
	const struct rs_ps_state *s = w->state;
	const struct rs_target *t = &w->targets->depth;
	const vf lo = v_setf(s->clamp_min[prim->viewport]), hi = v_setf(s->clamp_max[prim->viewport]);
	const bool write = s->z_write;
	uint8_t *first = w->depth.z_tile + prim->layer * t->plane.slice_stride +
		surf_part(4, t->plane.pitch, 2 * (block & 7), 2 * (block >> 3));
	_Alignas(64) double base[8];
	uint64_t out = 0;
	rs_plane_bases(&prim->z, w->x + 8 * (int)(block & 7), w->y + 8 * (int)(block >> 3), base);
	for (unsigned n = 0; n < 4; n++) {
		uint32_t lanes = (uint32_t)(mask >> 16 * n) & 0xffff;
		if (!lanes)
			continue; /* the part may be outside of the image */
		struct vf16 z = rs_plane_part_of(base, w->depth.z_lane, n);
		V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
			z.v[i] = v_clampf(z.v[i], lo, hi);
		V_UNROLL for (unsigned i = 0; i < RS_VECS && integer; i++)
			z.v[i] = rs_code_24(z.v[i]);
		uint8_t *part = first + surf_part(4, t->plane.pitch, n & 1, n >> 1);
		out |= (uint64_t)test_part(func, integer, write, part, &z, lanes) << 16 * n;
	}
	return out;
}

INLINE uint64_t test_block(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask,
	unsigned func)
{
	if (w->targets->depth.code_max)
		return test_parts(w, prim, block, mask, func, true);
	return test_parts(w, prim, block, mask, func, false);
}

/* Tests and writes; returns the lanes that pass.  As rs_db_block, but for the
 * ranges of hierarchical Z. */
uint64_t CU_FN(rs_db_quick_block)(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask)
{
	switch (w->state->z_func) {
	case COMPARE_LESS: return test_block(w, prim, block, mask, COMPARE_LESS);
	case COMPARE_EQUAL: return test_block(w, prim, block, mask, COMPARE_EQUAL);
	case COMPARE_LEQUAL: return test_block(w, prim, block, mask, COMPARE_LEQUAL);
	case COMPARE_GREATER: return test_block(w, prim, block, mask, COMPARE_GREATER);
	case COMPARE_NOTEQUAL: return test_block(w, prim, block, mask, COMPARE_NOTEQUAL);
	case COMPARE_GEQUAL: return test_block(w, prim, block, mask, COMPARE_GEQUAL);
	case COMPARE_ALWAYS: return test_block(w, prim, block, mask, COMPARE_ALWAYS);
	default: return 0;
	}
}
