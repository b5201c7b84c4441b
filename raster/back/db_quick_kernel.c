/* SPDX-License-Identifier: MIT */
/* DB: depth's half of the tests of a sample of a block where nothing is odd (rs_depth.quick):
 * without bounds, in 4x4 parts.  The same values as the general tests
 * give, with the comparison and the format known to the compiler. */
#include <string.h>
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
	return kind == FLOAT_32 ? z : kind == INT_24 ? rs_unit_24(z) : rs_unit_16(z);
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
	const struct rs_db_quick *of;
	uint8_t *first;          /* its first depth, and bytes from a part to the one on its right and below */
	size_t across, down;
	float lo, hi;            /* z is clamped to these, within 0 and 1 where it becomes an integer */
	int x, y;                /* its first pixel */
	uint64_t mask;
	bool write;
};

/* For all that the compiler knows, stores of depths may change what is behind pointers: all is found once. */
V_INLINE uint64_t test_parts(const struct quick *q, unsigned func, enum kind kind)
{
	const vf lo = v_setf(q->lo), hi = v_setf(q->hi);
	const bool write = q->write, plain = q->of->plain;
	const double *const lane = q->of->lane;
	const float *const exported = q->of->z;
	float *const code = q->of->code;
	uint8_t *const first = q->first;
	const size_t across = q->across, down = q->down;
	const uint64_t mask = q->mask;
	_Alignas(64) double base[8];
	uint64_t out = 0;
	if (!exported)
		rs_plane_bases(q->of->plane, q->x, q->y, base);
	for (unsigned n = 0; n < 4; n++) {
		uint32_t lanes = (uint32_t)(mask >> 16 * n) & 0xffff;
		if (!lanes)
			continue; /* the part may be outside of the image */
		struct vf16 z;
		if (exported)
			V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
				z.v[i] = v_loadf(exported + 16 * n + VL * i);
		else
			z = rs_plane_part_of(base, lane, n);
		V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
			z.v[i] = code_of(kind, plain ? z.v[i] : v_clampf(z.v[i], lo, hi));
		if (code)
			V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
				v_storef(code + 16 * n + VL * i, z.v[i]);
		out |= (uint64_t)test_part(func, kind, write, first + (n & 1) * across + (n >> 1) * down, &z, lanes) << 16 * n;
	}
	return out;
}

V_INLINE uint64_t test_block(const struct rs_target *t, const struct quick *q, unsigned func)
{
	if (!t->code_max)
		return test_parts(q, func, FLOAT_32);
	return t->plane.bpe == 4 ? test_parts(q, func, INT_24) : test_parts(q, func, INT_16);
}

/* The first depth of a sample of a block. */
static inline uint8_t *first_of(const struct rs_worker *w, unsigned layer, unsigned sample, unsigned block)
{
	const struct surf_plane *p = &w->targets->depth.plane;
	const size_t part = surf_sample_stride(p);
	return w->depth.z_tile + layer * p->slice_stride + sample * part + 2 * (block & 7) * p->samples * part +
		2 * (block >> 3) * (size_t)p->pitch;
}

V_INLINE void store_parts(enum kind kind, uint8_t *first, size_t down, uint64_t mask, const float *code)
{
	for (unsigned n = 0; n < 4; n++) {
		const uint32_t lanes = (uint32_t)(mask >> 16 * n) & 0xffff;
		uint8_t *part = first + (n & 1) * (kind == INT_16 ? 32 : 64) + (n >> 1) * down;
		if (!lanes)
			continue;
		V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
			store(kind, part, i, v_loadf(code + 16 * n + VL * i), lanes == 0xffff, lanes >> VL * i);
	}
}

void CU_FN(rs_db_quick_store)(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t lanes, const float *code)
{
	const struct rs_target *t = &w->targets->depth;
	uint8_t *first = first_of(w, prim->layer, 0, block);
	if (!t->code_max)
		store_parts(FLOAT_32, first, t->plane.pitch, lanes, code);
	else if (t->plane.bpe == 4)
		store_parts(INT_24, first, t->plane.pitch, lanes, code);
	else
		store_parts(INT_16, first, t->plane.pitch, lanes, code);
}

uint64_t CU_FN(rs_db_quick_depth)(const struct rs_worker *w, const struct rs_db_quick *of, uint64_t mask)
{
	const struct rs_target *t = &w->targets->depth;
	const struct surf_plane *p = &t->plane;
	const unsigned bx = of->block & 7, by = of->block >> 3;
	const float lo = w->state->clamp_min[of->prim->viewport], hi = w->state->clamp_max[of->prim->viewport];
	const struct quick q = { .of = of, .across = p->samples * surf_sample_stride(p), .down = p->pitch, .mask = mask, .write = of->write && w->state->z_write,
		.x = w->x + 8 * (int)bx, .y = w->y + 8 * (int)by,
		.lo = t->code_max ? rs_unit(lo) : lo, .hi = t->code_max ? rs_unit(hi) : hi,
		.first = first_of(w, of->prim->layer, of->sample, of->block) };
	switch (w->state->z_func) {
	case COMPARE_LESS: return test_block(t, &q, COMPARE_LESS);
	case COMPARE_EQUAL: return test_block(t, &q, COMPARE_EQUAL);
	case COMPARE_LEQUAL: return test_block(t, &q, COMPARE_LEQUAL);
	case COMPARE_GREATER: return test_block(t, &q, COMPARE_GREATER);
	case COMPARE_NOTEQUAL: return test_block(t, &q, COMPARE_NOTEQUAL);
	case COMPARE_GEQUAL: return test_block(t, &q, COMPARE_GEQUAL);
	case COMPARE_ALWAYS: return test_block(t, &q, COMPARE_ALWAYS);
	default: return 0;
	}
}
