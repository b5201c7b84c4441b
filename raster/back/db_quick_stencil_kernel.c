/* SPDX-License-Identifier: MIT */
/* DB: the tests of a sample of a block where nothing is odd (rs_depth.quick): without
 * bounds, in 4x4 parts.  Here stencil's half: a primitive has one face, so
 * its comparison and what it makes of values are known before the parts are looked at. */
#include "core/level.h"
#include "raster/back/db.h"
#include "raster/back/db_priv.h"
#include "raster/back/group.h"
#include "raster/back/ps_state.h"
#include "raster/back/stencil_bytes.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

/* What a block brings. */
struct stencil {
	uint8_t *first;          /* of its 16 bytes of each part */
	size_t across, down;     /* bytes to the next part */
	const struct rs_stencil_face *face;
	uint64_t mask;           /* covered */
};

V_INLINE uint8_t *part_at(const struct stencil *s, unsigned n)
{
	return s->first + (n & 1) * s->across + (n >> 1) * s->down;
}
V_INLINE vu8 load(const uint8_t *p) { return (vu8)_mm_loadu_si128((const __m128i *)p); }

/* Parts without a lane may be outside of the image. */
V_INLINE uint64_t compare_parts(const struct stencil *s, unsigned func)
{
	const vu8 mask = u8_set(s->face->mask), ref = u8_set(s->face->ref) & mask;
	uint64_t pass = 0;
	for (unsigned n = 0; n < 4; n++)
		if (s->mask >> 16 * n & 0xffff)
			pass |= (uint64_t)rs_stencil_compare(func, ref, load(part_at(s, n)) & mask) << 16 * n;
	return pass & s->mask;
}

static uint64_t compare(const struct stencil *s)
{
	switch (s->face->func) {
	case COMPARE_LESS: return compare_parts(s, COMPARE_LESS);
	case COMPARE_EQUAL: return compare_parts(s, COMPARE_EQUAL);
	case COMPARE_LEQUAL: return compare_parts(s, COMPARE_LEQUAL);
	case COMPARE_GREATER: return compare_parts(s, COMPARE_GREATER);
	case COMPARE_NOTEQUAL: return compare_parts(s, COMPARE_NOTEQUAL);
	case COMPARE_GEQUAL: return compare_parts(s, COMPARE_GEQUAL);
	case COMPARE_ALWAYS: return s->mask;
	default: return 0;
	}
}

V_INLINE void change_parts(const struct stencil *s, unsigned op, uint64_t lanes)
{
	const vu8 ref = u8_set(s->face->ref), write = u8_set(s->face->write_mask);
	for (unsigned n = 0; n < 4; n++) {
		const uint32_t here = (uint32_t)(lanes >> 16 * n) & 0xffff;
		if (!here)
			continue;
		uint8_t *p = part_at(s, n);
		vu8 old = load(p), bits = here == 0xffff ? write : u8_from_bits(here) & write;
		_mm_storeu_si128((__m128i *)p, (__m128i)(old ^ ((old ^ rs_stencil_op(op, old, ref)) & bits)));
	}
}

/* What op makes of these lanes' values. */
static void change(const struct stencil *s, unsigned op, uint64_t lanes)
{
	if (!lanes || !s->face->write_mask)
		return;
	switch (op) {
	case STENCIL_KEEP: return;
	case STENCIL_ZERO: change_parts(s, STENCIL_ZERO, lanes); return;
	case STENCIL_ONES: change_parts(s, STENCIL_ONES, lanes); return;
	case STENCIL_REPLACE_TEST: change_parts(s, STENCIL_REPLACE_TEST, lanes); return;
	case STENCIL_ADD_CLAMP: change_parts(s, STENCIL_ADD_CLAMP, lanes); return;
	case STENCIL_SUB_CLAMP: change_parts(s, STENCIL_SUB_CLAMP, lanes); return;
	case STENCIL_INVERT: change_parts(s, STENCIL_INVERT, lanes); return;
	case STENCIL_ADD_WRAP: change_parts(s, STENCIL_ADD_WRAP, lanes); return;
	case STENCIL_SUB_WRAP: change_parts(s, STENCIL_SUB_WRAP, lanes); return;
	default: return;
	}
}

/* Lanes that fail stencil are not tested for depth: nothing asks what they would have got. */
uint64_t CU_FN(rs_db_quick_block)(const struct rs_worker *w, const struct rs_db_quick *q)
{
	if (!w->depth.use_stencil)
		return CU_FN(rs_db_quick_depth)(w, q, q->mask);
	const struct surf_plane *p = &w->targets->stencil.plane;
	const size_t part = surf_sample_stride(p), across = p->samples * part, down = p->pitch;
	const struct stencil s = { .face = &w->state->face[q->prim->front_facing], .mask = q->mask, .across = across, .down = down,
		.first = w->depth.stencil_tile + q->prim->layer * p->slice_stride + q->sample * part + 2 * (q->block & 7) * across +
			2 * (q->block >> 3) * down };
	const uint64_t pass = compare(&s);
	uint64_t out = pass;
	if (w->depth.use_z && pass)
		out = CU_FN(rs_db_quick_depth)(w, q, pass);
	if (!q->write)
		return out;
	change(&s, s.face->fail, q->mask & ~pass);
	change(&s, s.face->zfail, pass & ~out);
	change(&s, s.face->zpass, out);
	return out;
}
