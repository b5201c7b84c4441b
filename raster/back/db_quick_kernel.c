/* SPDX-License-Identifier: MIT */
/* DB: depth's half of the tests of a sample of a block where nothing is odd (rs_depth.quick):
 * before the shader, without bounds, in 4x4 parts.  The same values as the general tests
 * give, with the comparison and the format known to the compiler. */
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "raster/back/db.h"
#include "raster/back/db_priv.h"
#include "raster/back/depth_code.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

/* All ones where `z func old`; unordered only for NOTEQUAL (and ALWAYS). */
V_INLINE vi passes(unsigned func, vf z, vf old)
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

/* How depths lie in memory. */
enum kind { FLOAT_32, INT_24, INT_16 };

V_INLINE vf code_of(enum kind kind, vf z)
{
	return kind == FLOAT_32 ? z : kind == INT_24 ? rs_code_24(z) : rs_code_16(z);
}
V_INLINE vf load(enum kind kind, const uint8_t *part, unsigned i)
{
	if (kind == INT_16)
		return v_float(v_load_u16(part + 2 * VL * i));
	return rs_code_in_dword(kind == INT_24, v_loadf(part + 4 * VL * i));
}
/* Those of the lanes' bits; all: of every lane. */
V_INLINE void store(enum kind kind, uint8_t *part, unsigned i, vf code, bool all, uint32_t lanes)
{
	uint8_t *p = part + (kind == INT_16 ? 2 : 4) * VL * i;
	if (kind == INT_16)
		v_store_u16(p, all ? v_round(code) : v_sel(v_mask_of(lanes), v_round(code), v_load_u16(p)));
	else if (all)
		v_storef(p, rs_dword_of_code(kind == INT_24, code));
	else
		v_store_lanes(p, (vi)rs_dword_of_code(kind == INT_24, code), lanes);
}

/* One 4x4 part at p, with these lanes covered (not zero). */
V_INLINE uint32_t test_part(unsigned func, enum kind kind, bool write, uint8_t *p, const struct vf16 *z, uint32_t lanes)
{
	uint32_t pass = 0;
	V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
		pass |= v_bits(passes(func, z->v[i], load(kind, p, i))) << VL * i;
	pass &= lanes;
	if (!write || !pass)
		return pass;
	V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
		store(kind, p, i, z->v[i], pass == 0xffff, pass >> VL * i);
	return pass;
}

/* What a block brings. */
struct quick {
	const struct rs_worker *w;
	const struct rs_plane *plane;
	uint8_t *first;          /* its first depth, and bytes from a part to the one on its right */
	size_t across;
	float lo, hi;            /* z is clamped to these */
	unsigned block;
	uint64_t mask;
};

V_INLINE uint64_t test_parts(const struct quick *q, unsigned func, enum kind kind)
{
	const struct rs_worker *w = q->w;
	const vf lo = v_setf(q->lo), hi = v_setf(q->hi);
	const bool write = w->state->z_write;
	const size_t pitch = w->targets->depth.plane.pitch;
	_Alignas(64) double base[8];
	uint64_t out = 0;
	rs_plane_bases(q->plane, w->x + 8 * (int)(q->block & 7), w->y + 8 * (int)(q->block >> 3), base);
	for (unsigned n = 0; n < 4; n++) {
		uint32_t lanes = (uint32_t)(q->mask >> 16 * n) & 0xffff;
		if (!lanes)
			continue; /* the part may be outside of the image */
		struct vf16 z = rs_plane_part_of(base, w->depth.z_lane, n);
		V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
			z.v[i] = code_of(kind, v_clampf(z.v[i], lo, hi));
		uint8_t *part = q->first + (n & 1) * q->across + (n >> 1) * pitch;
		out |= (uint64_t)test_part(func, kind, write, part, &z, lanes) << 16 * n;
	}
	return out;
}

V_INLINE uint64_t test_block(const struct quick *q, unsigned func)
{
	const struct rs_target *t = &q->w->targets->depth;
	if (!t->code_max)
		return test_parts(q, func, FLOAT_32);
	return t->plane.bpe == 4 ? test_parts(q, func, INT_24) : test_parts(q, func, INT_16);
}

uint64_t CU_FN(rs_db_quick_depth)(const struct rs_worker *w, const struct rs_prim *prim, const struct rs_plane *plane,
	unsigned sample, unsigned block, uint64_t mask)
{
	const struct surf_plane *p = &w->targets->depth.plane;
	const size_t part = surf_sample_stride(p), across = p->samples * part, down = p->pitch;
	const struct quick q = { .w = w, .plane = plane, .across = across, .block = block, .mask = mask,
		.lo = w->state->clamp_min[prim->viewport], .hi = w->state->clamp_max[prim->viewport],
		.first = w->depth.z_tile + prim->layer * p->slice_stride + sample * part + 2 * (block & 7) * across +
			2 * (block >> 3) * down };
	switch (w->state->z_func) {
	case COMPARE_LESS: return test_block(&q, COMPARE_LESS);
	case COMPARE_EQUAL: return test_block(&q, COMPARE_EQUAL);
	case COMPARE_LEQUAL: return test_block(&q, COMPARE_LEQUAL);
	case COMPARE_GREATER: return test_block(&q, COMPARE_GREATER);
	case COMPARE_NOTEQUAL: return test_block(&q, COMPARE_NOTEQUAL);
	case COMPARE_GEQUAL: return test_block(&q, COMPARE_GEQUAL);
	case COMPARE_ALWAYS: return test_block(&q, COMPARE_ALWAYS);
	default: return 0;
	}
}
