/* SPDX-License-Identifier: MIT */
/* DB: the tests of every sample, each at its own depth. */
#include <string.h>
#include "core/level.h"
#include "core/vec.h"
#include "isa/gcn_operand.h"
#include "raster/back/db.h"
#include "raster/back/db_priv.h"
#include "raster/back/db_quads.h"
#include "raster/back/depth_code.h"
#include "raster/back/group.h"
#include "raster/back/plane.h"
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/prim.h"

static void quick_block(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask[RS_MAX_SAMPLES], bool write)
{
	struct rs_db_quick q = { .prim = prim, .lane = w->depth.z_lane, .block = block, .write = write,
		.plain = w->depth.use_hiz && w->depth.z_plain };
	uint64_t any = 0, all = ~0ull;
	for (q.sample = 0; q.sample < w->state->samples; q.sample++) {
		uint64_t *const m = &mask[q.sample];
		q.plane = &w->depth.z_sample[q.sample];
		q.mask = *m;
		if (*m)
			*m = CU_FN(rs_db_quick_block)(w, &q);
		any |= *m;
		all &= *m;
	}
	if (write && w->depth.use_z && w->state->z_write)
		CU_FN(rs_db_wrote)(w, block, any, all == ~0ull);
}

/* Tests before the shader; takes the lanes that fail from mask.  As
 * rs_db_block. */
void CU_FN(rs_db_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	uint64_t mask[RS_MAX_SAMPLES], bool write)
{
	const struct rs_ps_state *s = w->state;
	uint64_t wrote = 0, all = ~0ull;
	if (w->depth.quick) {
		quick_block(w, prim, block, mask, write);
		return;
	}
	for (unsigned k = 0; k < s->samples; k++) {
		uint64_t out = 0, here = 0;
		for (unsigned p = 0; p < 4; p++) {
			struct rs_db_test t = { .lanes = (uint32_t)(mask[k] >> 16 * p) & 0xffff, .write = write,
				.front = prim->front_facing ? 0xffff : 0 };
			if (!t.lanes)
				continue;
			int x = w->x + 8 * (int)(block & 7) + 4 * (int)(p & 1);
			int y = w->y + 8 * (int)(block >> 3) + 4 * (int)(p >> 1);
			struct rs_group zg, sg;
			uint32_t stored;
			if (w->depth.use_z) {
				zg = rs_group_part(&w->targets->depth, prim->layer, (uint32_t)x, (uint32_t)y);
				rs_group_sample(&zg, &w->targets->depth, k);
				t.z = rs_plane_part(&w->depth.z_sample[k], w->depth.z_lane, x, y);
				for (unsigned i = 0; i < RS_VECS; i++)
					t.z.v[i] = v_clampf(t.z.v[i], v_setf(s->clamp_min[prim->viewport]), v_setf(s->clamp_max[prim->viewport]));
			}
			if (w->depth.use_stencil) {
				sg = rs_group_part(&w->targets->stencil, prim->layer, (uint32_t)x, (uint32_t)y);
				rs_group_sample(&sg, &w->targets->stencil, k);
			}
			uint32_t pass = CU_FN(rs_db_group)(w, w->depth.use_z ? &zg : NULL, w->depth.use_stencil ? &sg : NULL, &t, &stored);
			out |= (uint64_t)pass << 16 * p;
			here |= (uint64_t)stored << 16 * p;
		}
		mask[k] = out;
		wrote |= here;
		all &= here;
	}
	/* only a block with every sample written has a new range */
	CU_FN(rs_db_wrote)(w, block, wrote, all == ~0ull);
}

/* z of sample k of all quads of the wave into w->depth.z, clamped; as group_z of db_kernel.c. */
static void wave_z(struct rs_worker *w, const struct rs_open_wave *o, unsigned k)
{
	const struct rs_ps_state *s = w->state;
	const struct rs_prim *last = NULL;
	struct rs_plane plane = { 0 };
	_Alignas(64) double lane[8];
	bool exported = s->z_export && rs_exported(w->slot.exports, GCN_EXP_MRTZ, 0);
	for (unsigned q = 0; q < o->quads; q++) {
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		vf4 z;
		if (exported) {
			memcpy(&z, &w->slot.exports->data[GCN_EXP_MRTZ][0][4 * q], sizeof z);
		} else {
			if (prim != last) {
				double x = s->sample_x[k], y = s->sample_y[k];
				rs_plane_lanes(&prim->z, lane);
				plane = prim->z;
				plane.c += prim->z.dx * x + prim->z.dy * y;
			}
			last = prim;
			z = rs_plane_quad(&plane, lane, o->x[q], o->y[q]);
		}
		_mm_store_ps(w->depth.z + 4 * q, rs_clamp_quad(s, prim, z));
	}
}

/* Group n of sample k; returns the lanes that pass. */
static uint32_t wave_group(struct rs_worker *w, const struct rs_open_wave *o, unsigned n, unsigned k, uint32_t lanes)
{
	struct rs_db_test t = { .lanes = lanes, .write = true };
	struct rs_group zg, sg;
	uint32_t stored;
	uint8_t ref[RS_GROUP];
	for (unsigned i = 0; i < 4 && 4 * n + i < o->quads; i++)
		t.front |= o->prim[o->quad_prim[4 * n + i]]->front_facing ? 15u << 4 * i : 0;
	if (w->state->stencil_export && rs_exported(w->slot.exports, GCN_EXP_MRTZ, 1)) {
		for (unsigned i = 0; i < RS_GROUP; i++)
			ref[i] = (uint8_t)w->slot.exports->data[GCN_EXP_MRTZ][1][16 * n + i];
		t.ref = ref;
	}
	if (w->depth.use_z) {
		zg = rs_group_wave(&w->targets->depth, o, n);
		rs_group_sample(&zg, &w->targets->depth, k);
		for (unsigned i = 0; i < RS_VECS; i++)
			t.z.v[i] = v_loadf(w->depth.z + 16 * n + VL * i);
	}
	if (w->depth.use_stencil) {
		sg = rs_group_wave(&w->targets->stencil, o, n);
		rs_group_sample(&sg, &w->targets->stencil, k);
	}
	uint32_t pass = CU_FN(rs_db_group)(w, w->depth.use_z ? &zg : NULL, w->depth.use_stencil ? &sg : NULL, &t, &stored);
	CU_FN(rs_db_wrote_late)(w, o, n, stored);
	return pass;
}

/* The z plane of a primitive at four samples. */
struct four_planes {
	const struct rs_prim *prim;
	vd4 c;
	_Alignas(64) double lane[8];
};

V_INLINE void four_planes_of(struct four_planes *f, const struct rs_ps_state *s, const struct rs_prim *prim, unsigned k)
{
	const vd4 x = (vd4)_mm256_cvtps_pd(_mm_loadu_ps(s->sample_x + k)), y = (vd4)_mm256_cvtps_pd(_mm_loadu_ps(s->sample_y + k));
	f->prim = prim;
	f->c = (vd4)_mm256_set1_pd(prim->z.c) + ((vd4)_mm256_set1_pd(prim->z.dx) * x + (vd4)_mm256_set1_pd(prim->z.dy) * y);
	rs_plane_lanes(&prim->z, f->lane);
}

/* Codes of the quads of group n at samples k to k + 3, of depths of 4 bytes. */
V_INLINE void four_codes(const struct rs_worker *w, const struct rs_open_wave *o, unsigned n, unsigned k, struct four_planes *f,
	struct vf16 code[4])
{
	for (unsigned i = 0; i < 4; i++) {
		const unsigned q = 4 * n + i < o->quads ? 4 * n + i : 4 * n;
		const struct rs_prim *prim = o->prim[o->quad_prim[q]];
		if (prim != f->prim)
			four_planes_of(f, w->state, prim, k);
		const vd4 base = (f->c + (vd4)_mm256_set1_pd(prim->z.dx * (o->x[q] & ~3))) + (vd4)_mm256_set1_pd(prim->z.dy * o->y[q]);
		V_UNROLL for (unsigned j = 0; j < 4; j++)
			_mm_store_ps((float *)&code[j] + 4 * i, rs_clamp_quad(w->state, prim, rs_plane_quad_of(base[j], f->lane, o->x[q])));
	}
	for (unsigned j = 0; j < 4 && w->targets->depth.code_max; j++)
		for (unsigned i = 0; i < RS_VECS; i++)
			code[j].v[i] = rs_code_24(code[j].v[i]);
}

/* All of a wave's quads, wherever they are; no two of a group have a sample in common. */
static void quick_quads(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live[RS_MAX_SAMPLES])
{
	const unsigned samples = w->state->samples;
	for (unsigned k = 0; k < samples; k += 4) {
		struct four_planes planes = { .prim = NULL };
		const unsigned end = k + 4 < samples ? k + 4 : samples;
		uint64_t out[4] = { 0 };
		for (unsigned n = 0; n < 4; n++) {
			struct vf16 code[4];
			uint32_t any = 0, passed = 0;
			for (unsigned j = k; j < end; j++)
				any |= (uint32_t)(live[j] >> 16 * n) & 0xffff;
			if (!any)
				continue;
			struct rs_group g = rs_group_wave(&w->targets->depth, o, n);
			rs_group_sample(&g, &w->targets->depth, k);
			four_codes(w, o, n, k, &planes, code);
			for (unsigned j = k; j < end; j++, rs_group_sample(&g, &w->targets->depth, 1)) {
				const uint32_t lanes = (uint32_t)(live[j] >> 16 * n) & 0xffff;
				if (!lanes)
					continue;
				const uint32_t pass = rs_db_test_quads(w, &g, lanes, code[j - k]);
				out[j - k] |= (uint64_t)pass << 16 * n;
				passed |= pass;
			}
			if (w->state->z_write)
				CU_FN(rs_db_wrote_late)(w, o, n, passed);
		}
		for (unsigned j = k; j < end; j++)
			live[j] = out[j - k];
	}
}

/* Tests after the shader; takes the lanes that fail from live. */
void CU_FN(rs_db_wave_msaa)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live[RS_MAX_SAMPLES])
{
	const bool quick = w->depth.quick && o->block && !w->state->stencil_export;
	if (!quick && w->depth.quick_late && !w->state->z_export) {
		quick_quads(w, o, live);
		return;
	}
	for (unsigned k = 0; k < w->state->samples; k++) {
		uint64_t out = 0;
		if (!live[k])
			continue;
		if (quick) {
			live[k] = CU_FN(rs_db_quick_late)(w, o, k, live[k], true);
			continue;
		}
		if (w->depth.use_z)
			wave_z(w, o, k);
		for (unsigned n = 0; n < 4; n++) {
			uint32_t lanes = (uint32_t)(live[k] >> 16 * n) & 0xffff;
			if (lanes)
				out |= (uint64_t)wave_group(w, o, n, k, lanes) << 16 * n;
		}
		live[k] = out;
	}
}
