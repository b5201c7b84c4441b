/* SPDX-License-Identifier: MIT */
/* DB: depth bounds, stencil and depth tests of 16 lanes at a time, and the
 * ranges of hierarchical Z.
 *
 * Depth is compared as a "code": the float itself for Z_32_FLOAT, the integer
 * as a float (exact) for Z_16 and Z_24.  Order of tests as in the Vulkan specification,
 * "Fragment Operations": depth bounds, stencil, depth, sample counting. */
#include "raster/back/db.h"

#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "isa/gcn_operand.h"
#include "isa/regs.h"
#include "raster/back/compare.h"
#include "raster/back/db_priv.h"
#include "raster/back/db_quads.h"
#include "raster/back/depth_code.h"
#include "raster/back/group.h"
#include "raster/back/group_mem.h"
#include "raster/back/hiz.h"
#include "raster/back/lanes.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/stencil_bytes.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/pass.h"
#include "raster/prim.h"

/* What a group of 16 lanes brings to the tests. */
struct test {
	struct vf16 code;
	uint32_t lanes;       /* covered */
	uint32_t front;       /* front-facing */
	const uint8_t *ref;   /* exported stencil references, or NULL */
	bool write;
};

static inline struct vf16 to_code(const struct rs_target *t, struct vf16 z)
{
	if (!t->code_max)
		return z;
	for (unsigned i = 0; i < RS_VECS; i++)
		z.v[i] = t->plane.bpe == 2 ? rs_code_16(z.v[i]) : rs_code_24(z.v[i]);
	return z;
}

static inline struct vf16 clamp_z(const struct rs_ps_state *s, unsigned viewport, struct vf16 z)
{
	for (unsigned i = 0; i < RS_VECS; i++)
		z.v[i] = v_clampf(z.v[i], v_setf(s->clamp_min[viewport]), v_setf(s->clamp_max[viewport]));
	return z;
}

static inline struct vf16 load_codes(const struct rs_target *t, const struct rs_group *g, uint32_t lanes)
{
	struct vf16 out;
	_Alignas(64) uint8_t texels[64] = { 0 };
	const uint8_t *p = g->quad[0];
	if (!g->block) {
		rs_gather(g, t->plane.bpe, lanes, texels);
		p = texels;
	}
	for (unsigned i = 0; i < RS_VECS; i++)
		out.v[i] = t->plane.bpe == 2 ? v_float(v_load_u16(p + 2 * VL * i)) : rs_code_in_dword(t->code_max, v_loadf(p + 4 * VL * i));
	return out;
}

static inline void store_codes(const struct rs_target *t, const struct rs_group *g, uint32_t lanes,
	const struct vf16 *code)
{
	if (g->block && t->plane.bpe == 4) {
		for (unsigned i = 0; i < RS_VECS; i++)
			v_store_lanes(g->quad[0] + 4 * VL * i, (vi)rs_dword_of_code(t->code_max, code->v[i]), lanes >> VL * i);
		return;
	}
	_Alignas(64) uint8_t texels[64];
	for (unsigned i = 0; i < RS_VECS; i++) {
		if (t->plane.bpe == 4)
			v_storef(texels + 4 * VL * i, rs_dword_of_code(t->code_max, code->v[i]));
		else
			v_store_u16(texels + 2 * VL * i, v_round(code->v[i]));
	}
	if (t->plane.bpe == 4)
		rs_scatter_rows(g, lanes, (const uint8_t *)texels);
	else
		rs_scatter_n(g, 2, lanes, texels);
}

/* One face's lanes: which pass the stencil test, and the new values given
 * which lanes pass depth. */
static inline uint32_t face_test(const struct rs_stencil_face *f, vu8 old, vu8 ref,
	uint32_t lanes, uint32_t z_pass, vu8 *value)
{
	uint32_t pass = rs_stencil_compare(f->func, ref & u8_set(f->mask), old & u8_set(f->mask));
	vu8 failed = u8_from_bits(lanes & ~pass), zfail = u8_from_bits(lanes & pass & ~z_pass);
	vu8 zpass = u8_from_bits(lanes & pass & z_pass);
	vu8 result = (failed & rs_stencil_op(f->fail, old, ref)) | (zfail & rs_stencil_op(f->zfail, old, ref)) |
		(zpass & rs_stencil_op(f->zpass, old, ref));
	vu8 bits = (failed | zfail | zpass) & u8_set(f->write_mask);
	*value = (*value & ~bits) | (result & bits);
	return pass;
}

/* The stencil test of a group; z_pass: lanes that pass depth. */
static uint32_t test_stencil(const struct rs_worker *w, const struct rs_group *g,
	const struct test *t, uint32_t lanes, uint32_t z_pass)
{
	vu8 old = { 0 }, value, ref[2];
	if (g->block)
		memcpy(&old, g->quad[0], sizeof old);
	else
		rs_gather(g, 1, lanes, &old);
	value = old;
	for (unsigned f = 0; f < 2; f++) {
		ref[f] = u8_set(w->state->face[f].ref);
		if (t->ref)
			memcpy(&ref[f], t->ref, sizeof ref[f]);
	}
	uint32_t pass = 0;
	if (lanes & t->front)
		pass |= face_test(&w->state->face[1], old, ref[1], lanes & t->front, z_pass, &value) & t->front;
	if (lanes & ~t->front)
		pass |= face_test(&w->state->face[0], old, ref[0], lanes & ~t->front, z_pass, &value) & ~t->front;
	uint32_t changed = u8_bits((vu8)(value != old)) & lanes;
	if (t->write && changed) {
		if (g->block)
			memcpy(g->quad[0], &value, sizeof value);
		else
			rs_scatter(g, 1, changed, &value);
	}
	return pass & lanes;
}

/* All tests of a group; returns the lanes that pass and, with t->write, writes.
 * *wrote: lanes whose depth was stored. */
static inline uint32_t test_group(const struct rs_worker *w, const struct rs_group *zg,
	const struct rs_group *sg, const struct test *t, uint32_t *wrote)
{
	const struct rs_ps_state *s = w->state;
	const struct rs_target *zt = &w->targets->depth;
	uint32_t lanes = t->lanes, z_pass = 0xffff;
	*wrote = 0;
	if (zg && (s->bounds_enable || s->z_func != COMPARE_ALWAYS)) {
		struct vf16 old = load_codes(zt, zg, lanes);
		if (s->z_enable)
			z_pass = rs_compare(s->z_func, &t->code, &old);
		if (s->bounds_enable) {
			struct vf16 lo, hi;
			for (unsigned i = 0; i < RS_VECS; i++) {
				lo.v[i] = v_setf(s->bounds_min);
				hi.v[i] = v_setf(s->bounds_max);
				old.v[i] = zt->code_max ? old.v[i] / v_setf((float)zt->code_max) : old.v[i];
			}
			lanes &= rs_compare(COMPARE_GEQUAL, &old, &lo) & rs_compare(COMPARE_LEQUAL, &old, &hi);
		}
	}
	if (sg && lanes)
		lanes = test_stencil(w, sg, t, lanes, z_pass);
	lanes &= z_pass;
	if (t->write && zg && s->z_write && lanes) {
		store_codes(zt, zg, lanes, &t->code);
		*wrote = lanes;
	}
	return lanes;
}

void CU_FN(rs_db_begin_prim)(struct rs_worker *w, const struct rs_prim *prim)
{
	if (!w->depth.use_z)
		return;
	rs_plane_lanes(&prim->z, w->depth.z_lane);
	if (w->depth.hiz.layer != prim->layer) {
		w->depth.hiz.layer = prim->layer;
		w->depth.hiz.valid = 0;
	}
	if (!w->depth.use_hiz)
		return;
	CU_FN(rs_db_hiz_begin)(w, prim);
}

/* A primitive without a known range: what it writes may be anything. */
void CU_FN(rs_db_begin_small)(struct rs_worker *w, const struct rs_prim *prim)
{
	if (!w->depth.use_z)
		return;
	rs_plane_lanes(&prim->z, w->depth.z_lane);
	if (w->depth.hiz.layer != prim->layer) {
		w->depth.hiz.layer = prim->layer;
		w->depth.hiz.valid = 0;
	}
	w->depth.z_lo = -__builtin_inff();
	w->depth.z_hi = __builtin_inff();
	w->depth.z_plain = false;
}

/* Tests before the shader; returns the lanes that pass.  After
 * rs_db_begin_prim and, with use_hiz, rs_hiz_hides of this block. */
uint64_t CU_FN(rs_db_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	uint64_t mask, bool write)
{
	uint64_t out = 0, wrote = 0;
	if (w->depth.quick) {
		const bool keep = !write && w->depth.use_z && !w->depth.use_stencil;
		out = CU_FN(rs_db_quick_block)(w, &(struct rs_db_quick){ .prim = prim, .plane = &prim->z, .lane = w->depth.z_lane,
			.block = block, .mask = mask, .write = write, .plain = w->depth.use_hiz && w->depth.z_plain,
			.code = keep ? w->depth.code[w->waves.run_count] : NULL });
		w->depth.code_prim = keep ? prim : NULL;
		w->depth.code_block = block;
		if (write && w->depth.use_z && w->state->z_write)
			CU_FN(rs_db_wrote)(w, block, out, out == ~0ull);
		return out;
	}
	for (unsigned p = 0; p < 4; p++) {
		struct test t = { .lanes = (uint32_t)(mask >> 16 * p) & 0xffff, .write = write,
			.front = prim->front_facing ? 0xffff : 0 };
		if (!t.lanes)
			continue;
		int x = w->x + 8 * (int)(block & 7) + 4 * (int)(p & 1);
		int y = w->y + 8 * (int)(block >> 3) + 4 * (int)(p >> 1);
		struct rs_group zg, sg;
		uint32_t stored;
		if (w->depth.use_z) {
			zg = rs_group_part(&w->targets->depth, prim->layer, (uint32_t)x, (uint32_t)y);
			t.code = to_code(&w->targets->depth, clamp_z(w->state, prim->viewport,
				rs_plane_part(&prim->z, w->depth.z_lane, x, y)));
		}
		if (w->depth.use_stencil)
			sg = rs_group_part(&w->targets->stencil, prim->layer, (uint32_t)x, (uint32_t)y);
		uint32_t pass = test_group(w, w->depth.use_z ? &zg : NULL, w->depth.use_stencil ? &sg : NULL, &t, &stored);
		out |= (uint64_t)pass << 16 * p;
		wrote |= (uint64_t)stored << 16 * p;
	}
	CU_FN(rs_db_wrote)(w, block, wrote, wrote == ~0ull);
	return out;
}

/* Front-facing lanes of group n. */
static uint32_t wave_front(const struct rs_open_wave *o, unsigned n)
{
	uint32_t front = 0;
	for (unsigned i = 0; i < 4 && 4 * n + i < o->quads; i++)
		front |= o->prim[o->quad_prim[4 * n + i]]->front_facing ? 15u << 4 * i : 0;
	return front;
}

static unsigned block_of(const struct rs_open_wave *o, unsigned q)
{
	return (o->y[q] >> 3 & 7) * 8 + (o->x[q] >> 3 & 7);
}

/* Late depth changed the blocks of these lanes. */
static void hiz_late(struct rs_worker *w, const struct rs_open_wave *o, unsigned n, uint32_t wrote)
{
	for (unsigned i = 0; i < 4; i++)
		if (wrote >> 4 * i & 15)
			rs_hiz_touch(&w->depth.hiz, w->state->z_func, block_of(o, 4 * n + i), (unsigned)__builtin_popcount(wrote >> 4 * i & 15));
}

/* What its test left of a block whose wave has run; NULL: nothing. */
static inline const float *kept_codes(const struct rs_worker *w, const struct rs_prim *prim, unsigned block)
{
	const struct rs_waves *v = &w->waves;
	if (v->running) /* all of the run, or none */
		return w->depth.code_prim == prim ? w->depth.code[v->run_at] : NULL;
	return w->depth.code_prim == prim && w->depth.code_block == block ? w->depth.code[v->run_count] : NULL;
}

/* Of a primitive that may not be the one at hand. */
uint64_t CU_FN(rs_db_quick_late)(struct rs_worker *w, const struct rs_open_wave *o, unsigned k, uint64_t live, bool may_write)
{
	const struct rs_ps_state *s = w->state;
	const struct rs_prim *prim = o->prim[0];
	const unsigned block = block_of(o, 0);
	const bool write = may_write && w->depth.use_z && s->z_write, exported = s->z_export && rs_exported(w->slot.exports, GCN_EXP_MRTZ, 0);
	uint64_t out = live;
	const float *code = exported ? NULL : kept_codes(w, prim, block);
	if (code) { /* nothing was drawn there since its test */
		if (write)
			CU_FN(rs_db_quick_store)(w, prim, block, live, code);
	} else {
		struct rs_plane plane = prim->z;
		_Alignas(64) double lane[8];
		if (w->depth.use_z)
			rs_plane_lanes(&plane, lane);
		if (s->samples > 1)
			plane.c += plane.dx * s->sample_x[k] + plane.dy * s->sample_y[k];
		out = CU_FN(rs_db_quick_block)(w, &(struct rs_db_quick){ .prim = prim, .plane = &plane, .lane = lane, .sample = k,
			.block = block, .mask = live, .z = exported ? (const float *)w->slot.exports->data[GCN_EXP_MRTZ][0] : NULL, .write = may_write });
	}
	if (out && write)
		rs_hiz_touch(&w->depth.hiz, s->z_func, block, (unsigned)__builtin_popcountll(out));
	return out;
}

/* z of the quads of group n, clamped: what the wave exported, by lane, or (NULL) that of the planes. */
V_INLINE struct vf16 group_z(const struct rs_worker *w, const struct rs_open_wave *o, unsigned n, const float *exported,
	const struct rs_prim **last, double lane[8])
{
	struct vf16 z;
	for (unsigned i = 0; i < 4; i++) {
		const unsigned q = 4 * n + i < o->quads ? 4 * n + i : 4 * n;
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		vf4 of;
		if (exported) {
			memcpy(&of, exported + 4 * q, sizeof of);
		} else {
			if (prim != *last)
				rs_plane_lanes(&prim->z, lane);
			*last = prim;
			of = rs_plane_quad(&prim->z, lane, o->x[q], o->y[q]);
		}
		const __m128 c = rs_clamp_quad(w->state, prim, of);
		memcpy((float *)&z + 4 * i, &c, sizeof c);
	}
	return z;
}

/* Quads of 16 bytes with a depth test alone, wherever they are; two of a group may be the same. */
static uint64_t quick_quads(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live)
{
	const struct rs_target *t = &w->targets->depth;
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	uint64_t out = 0;
	for (unsigned n = 0; n < 4; n++) {
		uint32_t lanes = (uint32_t)(live >> 16 * n) & 0xffff;
		if (!lanes)
			continue;
		const struct rs_group g = rs_group_wave(t, o, n);
		struct vf16 z;
		if (w->depth.quads_coded) /* as the test before the shader found them */
			V_UNROLL for (unsigned i = 0; i < RS_VECS; i++)
				z.v[i] = v_loadf(w->depth.quad_code + 16 * n + VL * i);
		else
			z = to_code(t, group_z(w, o, n, NULL, &last, lane));
		lanes = rs_db_test_quads(w, &g, lanes, z);
		out |= (uint64_t)lanes << 16 * n;
		if (w->state->z_write)
			hiz_late(w, o, n, lanes);
	}
	return out;
}

/* Tests after the shader; returns the lanes of `live` that pass. */
uint64_t CU_FN(rs_db_wave)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live, bool write)
{
	uint64_t out = 0;
	if (w->depth.quick && o->block && !w->state->stencil_export)
		return CU_FN(rs_db_quick_late)(w, o, 0, live, write);
	if (w->depth.quick_late && !w->state->z_export)
		return quick_quads(w, o, live);
	const bool says = w->state->z_export && rs_exported(w->slot.exports, GCN_EXP_MRTZ, 0);
	const float *exported = says ? (const float *)w->slot.exports->data[GCN_EXP_MRTZ][0] : NULL;
	const struct rs_prim *last = NULL;
	_Alignas(64) double lane[8];
	for (unsigned n = 0; n < 4; n++) {
		struct test t = { .lanes = (uint32_t)(live >> 16 * n) & 0xffff, .write = write };
		if (!t.lanes)
			continue;
		t.front = wave_front(o, n);
		uint8_t ref[RS_GROUP];
		if (w->state->stencil_export && rs_exported(w->slot.exports, GCN_EXP_MRTZ, 1)) {
			for (unsigned i = 0; i < RS_GROUP; i++)
				ref[i] = (uint8_t)w->slot.exports->data[GCN_EXP_MRTZ][1][16 * n + i];
			t.ref = ref;
		}
		struct rs_group zg, sg;
		uint32_t stored;
		if (w->depth.use_z) {
			zg = rs_group_wave(&w->targets->depth, o, n);
			t.code = to_code(&w->targets->depth, group_z(w, o, n, exported, &last, lane));
		}
		if (w->depth.use_stencil)
			sg = rs_group_wave(&w->targets->stencil, o, n);
		uint32_t pass = test_group(w, w->depth.use_z ? &zg : NULL, w->depth.use_stencil ? &sg : NULL, &t, &stored);
		hiz_late(w, o, n, stored);
		out |= (uint64_t)pass << 16 * n;
	}
	return out;
}

uint32_t CU_FN(rs_db_group)(const struct rs_worker *w, const struct rs_group *zg, const struct rs_group *sg,
	const struct rs_db_test *t, uint32_t *wrote)
{
	struct test one = { .lanes = t->lanes, .front = t->front, .ref = t->ref, .write = t->write };
	if (zg)
		one.code = to_code(&w->targets->depth, t->z);
	return test_group(w, zg, sg, &one, wrote);
}

struct vf16 CU_FN(rs_db_codes)(const struct rs_target *t, const struct rs_group *g, uint32_t lanes)
{
	return load_codes(t, g, lanes);
}

void CU_FN(rs_db_wrote_late)(struct rs_worker *w, const struct rs_open_wave *o, unsigned n, uint32_t wrote)
{
	hiz_late(w, o, n, wrote);
}
