/* SPDX-License-Identifier: MIT */
/* CB: targets of common formats beside 8_8_8_8, from memory to registers and back: the same values as the block functions of
 * core/format/format.h and the equations of cb_blend.h give.
 *
 * An equation is a sum of products, whose factors lie side by side as vectors: one code for all of them. */
#include "core/cu.h"
#include "core/format/format_vec.h"
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "raster/back/cb.h"
#include "raster/back/cb_blend.h"
#include "raster/back/cb_wave.h"
#include "raster/back/group.h"
#include "raster/back/group_mem.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/pass.h"

/* What a group is made of, and with. */
struct job {
	const struct rs_color *c;
	const uint32_t *row[4]; /* exported, by component of memory */
	const uint32_t *alpha;  /* the source's */
};

/* Everything but the source's or destination's own colour: enum rs_factor. */
struct factors { vf of[RS_FACTORS]; };

INLINE void find_factors(vf source, vf destination, struct factors *f)
{
	f->of[RS_FACTOR_ZERO] = v_setf(0);
	f->of[RS_FACTOR_ONE] = v_setf(1);
	f->of[RS_FACTOR_SRC_ALPHA] = source;
	f->of[RS_FACTOR_ONE_MINUS_SRC_ALPHA] = v_setf(1) - source;
	f->of[RS_FACTOR_DST_ALPHA] = destination;
	f->of[RS_FACTOR_ONE_MINUS_DST_ALPHA] = v_setf(1) - destination;
}

INLINE vf sum(const struct factors *f, const uint8_t which[2], vf source, vf destination)
{
	return source * f->of[which[0]] + destination * f->of[which[1]];
}

/* VL texels, from old to new, of lanes of a wave from `lane` on. */
INLINE void blend_run(unsigned dfmt, unsigned nfmt, const struct job *j, unsigned lane, const uint8_t *old, uint8_t *new)
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	const struct rs_direct *d = &j->c->direct;
	vi raw[4] = { v_set(0), v_set(0), v_set(0), v_set(0) }, dst[4], out[4];
	struct factors f;
	tex_load_run(l.bytes, old, raw);
	tex_unpack(dfmt, nfmt, raw, dst);
	find_factors(rs_known_source(nfmt != NFMT_FLOAT, v_loadf(j->alpha + lane)), (vf)dst[3], &f);
	V_UNROLL
	for (unsigned m = 0; m < l.count; m++)
		out[m] = (vi)sum(&f, m == 3 ? d->alpha : d->color, rs_known_source(nfmt != NFMT_FLOAT, v_loadf(j->row[m] + lane)), (vf)dst[m]);
	tex_pack(dfmt, nfmt, out, raw);
	tex_store_run(l.bytes, new, raw);
}

INLINE void copy_run(unsigned dfmt, unsigned nfmt, const struct job *j, unsigned lane, uint8_t *new)
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	vi raw[4], out[4];
	V_UNROLL
	for (unsigned m = 0; m < l.count; m++)
		out[m] = v_load(j->row[m] + lane);
	tex_pack(dfmt, nfmt, out, raw);
	tex_store_run(l.bytes, new, raw);
}

/* Lanes 16 n .. of a wave. */
INLINE void write_group(unsigned dfmt, unsigned nfmt, const struct job *j, const struct rs_group *g, unsigned n, uint32_t lanes)
{
	const unsigned bytes = cu_format_layout(dfmt).bytes;
	const bool whole = g->block && lanes == 0xffff, part = rs_has_part(g, bytes, lanes);
	_Alignas(64) uint8_t loaded[16 * RS_GROUP], texels[16 * RS_GROUP];
	const uint8_t *old = g->block ? g->quad[0] : loaded;
	uint8_t *new = whole ? g->quad[0] : texels;
	if (j->c->blend && part) {
		rs_load_part(g, bytes, loaded);
	} else if (j->c->blend && !g->block) {
		memset(loaded, 0, (size_t)RS_GROUP * bytes);
		rs_gather_n(g, bytes, lanes, loaded);
	}
	V_UNROLL
	for (unsigned i = 0; i < RS_GROUP; i += VL) {
		if (j->c->blend)
			blend_run(dfmt, nfmt, j, 16 * n + i, old + i * bytes, new + i * bytes);
		else
			copy_run(dfmt, nfmt, j, 16 * n + i, new + i * bytes);
	}
	if (part)
		rs_store_part(g, bytes, texels);
	else if (!whole)
		rs_scatter(g, bytes, lanes, texels);
}

/* A pixel may be in several groups of a wave: each is done before the next one is read. */
INLINE void write_wave(unsigned dfmt, unsigned nfmt, const struct job *j, const struct rs_open_wave *o, uint64_t lanes)
{
	for (unsigned n = 0; n < 4; n++) {
		const uint32_t m = (uint32_t)(lanes >> 16 * n) & 0xffff;
		if (!m)
			continue;
		const struct rs_group g = rs_group_wave(j->c->target, o, n);
		write_group(dfmt, nfmt, j, &g, n, m);
	}
}

/* Functions of their own, each with all registers. */
#define FORMAT(dfmt, nfmt) \
static __attribute__((noinline)) void wave_##dfmt##_##nfmt(const struct job *j, const struct rs_open_wave *o, uint64_t lanes) \
{ \
	write_wave(DFMT_##dfmt, NFMT_##nfmt, j, o, lanes); \
} \
static __attribute__((noinline)) void group_##dfmt##_##nfmt(const struct job *j, const struct rs_group *g, unsigned n, uint32_t lanes) \
{ \
	write_group(DFMT_##dfmt, NFMT_##nfmt, j, g, n, lanes); \
}
RS_DIRECT_FORMATS(FORMAT)
#undef FORMAT

INLINE struct job job_of(const struct rs_worker *w, const struct rs_color *c)
{
	struct job j = { .c = c, .alpha = cu_exported(w->slot.wave, c->index, 3) };
	V_UNROLL
	for (unsigned m = 0; m < 4; m++)
		j.row[m] = cu_exported(w->slot.wave, c->index, c->direct.channel[m]);
	return j;
}

void CU_FN(rs_cb_direct)(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes)
{
	const struct job j = job_of(w, c);
	switch (c->direct.format) {
#define FORMAT(dfmt, nfmt) case RS_DIRECT_##dfmt##_##nfmt: wave_##dfmt##_##nfmt(&j, o, lanes); break;
	RS_DIRECT_FORMATS(FORMAT)
#undef FORMAT
	}
}

void CU_FN(rs_cb_direct_group)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, unsigned n,
	uint32_t lanes)
{
	const struct job j = job_of(w, c);
	switch (c->direct.format) {
#define FORMAT(dfmt, nfmt) case RS_DIRECT_##dfmt##_##nfmt: group_##dfmt##_##nfmt(&j, g, n, lanes); break;
	RS_DIRECT_FORMATS(FORMAT)
#undef FORMAT
	}
}
