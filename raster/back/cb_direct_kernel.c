/* SPDX-License-Identifier: MIT */
/* CB: targets of common formats beside 8_8_8_8, from memory to registers and back: the same values as the block functions of
 * core/format/format.h and the equations of cb_blend.h give.
 *
 * Each format and kind of equation has a function for texels that lie side by side: 32 of a block's upper or lower half, 16 of
 * a group, or what a group's quads and rows have been brought together to. */
#include "core/cu.h"
#include "core/format/format_run.h"
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

/* What texels are made of, and with. */
struct job {
	const struct rs_direct *direct;
	const uint32_t *row[4]; /* exported, by component of memory */
	const uint32_t *alpha;  /* the source's */
	const struct rs_worker *w;
	const struct rs_color *c;
};

/* `count` texels, whole vectors, of lanes from `lane` on: from old, which a copy does not read, to new. */
typedef void (*run_fn)(const struct job *j, unsigned lane, unsigned count, const uint8_t *old, uint8_t *new);

/* enum rs_factor, which a branch chooses where it is not a constant: the same way wave after wave. */
INLINE vf factor_of(unsigned which, vf source, vf destination)
{
	switch (which) {
	case RS_FACTOR_ZERO: return v_setf(0);
	case RS_FACTOR_ONE: return v_setf(1);
	case RS_FACTOR_SRC_ALPHA: return source;
	case RS_FACTOR_ONE_MINUS_SRC_ALPHA: return v_setf(1) - source;
	case RS_FACTOR_DST_ALPHA: return destination;
	default: return v_setf(1) - destination;
	}
}

/* Factors of the colour by their kind. */
INLINE unsigned color_factor(enum rs_direct_kind kind, const struct rs_direct *d, unsigned i)
{
	switch (kind) {
#define K(name, source, destination, ...) case RS_DIRECT_##name: return i ? RS_FACTOR_##destination : RS_FACTOR_##source;
	RS_DIRECT_SUMS(K, , )
#undef K
	default: return d->color[i];
	}
}

INLINE vf source_of(unsigned nfmt, vf v)
{
	if (nfmt == NFMT_SNORM) /* a NaN is 0 */
		return v_clampf(v_self((vi)(v == v), v, v_setf(0)), v_setf(-1), v_setf(1));
	return rs_known_source(nfmt != NFMT_FLOAT, v);
}

INLINE void blend(unsigned dfmt, unsigned nfmt, enum rs_direct_kind kind, const struct job *j, unsigned lane, const vi dst[4], vi out[4])
{
	const struct rs_direct *d = j->direct;
	const vf alpha = source_of(nfmt, v_loadf(j->alpha + lane)), there = (vf)dst[3];
	const vf a = factor_of(color_factor(kind, d, 0), alpha, there), b = factor_of(color_factor(kind, d, 1), alpha, there);
	V_UNROLL
	for (unsigned m = 0; m < cu_format_layout(dfmt).count; m++) {
		const vf source = m == 3 ? alpha : source_of(nfmt, v_loadf(j->row[m] + lane));
		if (m == 3)
			out[m] = (vi)(source * factor_of(d->alpha[0], alpha, there) + there * factor_of(d->alpha[1], alpha, there));
		else
			out[m] = (vi)(source * a + (vf)dst[m] * b);
	}
}

/* Any equation, its operands in the order of memory, where alpha is the fourth or not there. */
INLINE void blend_general(unsigned dfmt, unsigned nfmt, const struct job *j, unsigned lane, const vi dst[4], vi out[4])
{
	const struct rs_blend *b = j->c->blend;
	const struct rs_ps_state *s = j->w->state;
	const unsigned count = cu_format_layout(dfmt).count;
	struct inputs in;
	V_UNROLL
	for (unsigned m = 0; m < 4; m++) {
		const unsigned ch = m == 3 ? 3 : j->direct->channel[m];
		in.src1[m] = v_setf(0);
		if (m != 3 && m >= count)
			continue;
		in.src[m] = source_of(nfmt, v_loadf((m == 3 ? j->alpha : j->row[m]) + lane));
		in.dst[m] = (vf)dst[m];
		in.constant[m] = source_of(nfmt, v_setf(s->constant[ch]));
		if (s->dual_source)
			in.src1[m] = source_of(nfmt, v_loadf(cu_exported(j->w->slot.wave, 1, ch) + lane));
	}
	V_UNROLL
	for (unsigned m = 0; m < count; m++)
		out[m] = (vi)(m == 3 ? combine(j->c, 3, b->alpha_src, b->alpha_dst, b->alpha_op, &in) :
			combine(j->c, m, b->color_src, b->color_dst, b->color_op, &in));
}

INLINE void run(unsigned dfmt, unsigned nfmt, enum rs_direct_kind kind, const struct job *j, unsigned lane, unsigned count,
	const uint8_t *old, uint8_t *new)
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	for (unsigned i = 0; i < count; i += VL) {
		vi dst[4], out[4];
		if (kind == RS_DIRECT_COPY) {
			V_UNROLL
			for (unsigned m = 0; m < l.count; m++)
				out[m] = v_load(j->row[m] + lane + i);
		} else {
			tex_read_run(dfmt, nfmt, old + i * l.bytes, dst);
			if (kind == RS_DIRECT_GENERAL)
				blend_general(dfmt, nfmt, j, lane + i, dst, out);
			else
				blend(dfmt, nfmt, kind, j, lane + i, dst, out);
		}
		tex_write_run(dfmt, nfmt, out, new + i * l.bytes);
	}
}

#define RUN(kind, source, destination, dfmt, nfmt) \
static void run_##dfmt##_##nfmt##_##kind(const struct job *j, unsigned lane, unsigned count, const uint8_t *old, uint8_t *new) \
{ \
	run(DFMT_##dfmt, NFMT_##nfmt, RS_DIRECT_##kind, j, lane, count, old, new); \
}
#define ENTRY(kind, source, destination, dfmt, nfmt) [RS_DIRECT_##kind] = run_##dfmt##_##nfmt##_##kind,
#define FORMAT(dfmt, nfmt) RS_DIRECT_KINDS(RUN, dfmt, nfmt)
RS_DIRECT_FORMATS(FORMAT)
#undef FORMAT
#define FORMAT(dfmt, nfmt) RUN(COPY, , , dfmt, nfmt)
RS_DIRECT_INTEGERS(FORMAT)
#undef FORMAT
static const run_fn runs[][RS_DIRECT_KIND_COUNT] = {
#define FORMAT(dfmt, nfmt) [RS_DIRECT_##dfmt##_##nfmt] = { RS_DIRECT_KINDS(ENTRY, dfmt, nfmt) },
	RS_DIRECT_FORMATS(FORMAT)
#undef FORMAT
#define FORMAT(dfmt, nfmt) [RS_DIRECT_##dfmt##_##nfmt] = { ENTRY(COPY, , , dfmt, nfmt) },
	RS_DIRECT_INTEGERS(FORMAT)
#undef FORMAT
};
#undef ENTRY
#undef RUN

INLINE struct job job_of(const struct rs_worker *w, const struct rs_color *c)
{
	struct job j = { .direct = &c->direct, .alpha = cu_exported(w->slot.wave, c->index, 3), .w = w, .c = c };
	V_UNROLL
	for (unsigned m = 0; m < 4; m++)
		j.row[m] = cu_exported(w->slot.wave, c->index, c->direct.channel[m]);
	return j;
}

/* Whether bits of texels are kept, or combined with what is written. */
INLINE bool merges(const struct rs_color *c) { return c->partial || c->rop != ROP3_COPY; }

/* Lanes 16 n .. of a wave, which are where g says. */
INLINE void write_group(run_fn fn, const struct rs_color *c, const struct job *j, const struct rs_group *g, unsigned n, uint32_t lanes)
{
	const unsigned bytes = c->target->plane.bpe;
	_Alignas(64) uint8_t loaded[16 * RS_GROUP], texels[16 * RS_GROUP];
	const bool reads = c->blend || merges(c);
	if (g->block && lanes == 0xffff && !merges(c)) {
		fn(j, 16 * n, RS_GROUP, g->quad[0], g->quad[0]);
		return;
	}
	const bool part = rs_has_part(g, bytes, lanes);
	if (reads && part) {
		rs_load_part(g, bytes, loaded);
	} else if (reads && !g->block) {
		memset(loaded, 0, (size_t)RS_GROUP * bytes);
		rs_gather(g, bytes, lanes, loaded);
	}
	const uint8_t *const old = !reads ? NULL : g->block ? g->quad[0] : loaded;
	fn(j, 16 * n, RS_GROUP, old, texels);
	if (merges(c))
		CU_FN(rs_cb_merge)(c, old, texels, RS_GROUP * bytes);
	if (part)
		rs_store_part(g, bytes, texels);
	else
		rs_scatter(g, bytes, lanes, texels);
}

static __attribute__((noinline)) void write_groups(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o,
	uint64_t lanes)
{
	const struct job j = job_of(w, c);
	/* a pixel may be in several groups of a wave: each is done before the next one is read */
	for (unsigned n = 0; n < 4; n++) {
		const uint32_t m = (uint32_t)(lanes >> 16 * n) & 0xffff;
		if (!m)
			continue;
		const struct rs_group g = rs_group_wave(c->target, o, n);
		write_group(runs[c->direct.format][c->direct.kind], c, &j, &g, n, m);
	}
}

/* A covered block of an image in rows, by way of memory, where lanes lie as in parts. */
INLINE void cover_rows(const struct job *j, run_fn fn, const struct rs_color *c, unsigned bytes, uint8_t *block)
{
	const size_t pitch = c->target->plane.pitch;
	_Alignas(64) uint8_t old[2 * 16 * RS_GROUP], new[2 * 16 * RS_GROUP];
	for (unsigned half = 0; half < 2; half++) {
		uint8_t *const p = block + 4 * half * pitch;
		for (unsigned i = 0; i < 2 && (c->blend || merges(c)); i++)
			rs_load_four_rows(p + 4 * i * bytes, pitch, bytes, old + i * RS_GROUP * bytes);
		fn(j, 2 * half * RS_GROUP, 2 * RS_GROUP, old, new);
		if (merges(c))
			CU_FN(rs_cb_merge)(c, old, new, 2 * RS_GROUP * bytes);
		for (unsigned i = 0; i < 2; i++)
			rs_store_four_rows(p + 4 * i * bytes, pitch, bytes, new + i * RS_GROUP * bytes);
	}
}

/* The same of one in parts, where some bits are kept. */
static __attribute__((noinline)) void cover_parts_merged(const struct job *j, run_fn fn, const struct rs_color *c, unsigned lane, uint8_t *p)
{
	const unsigned bytes = 2 * RS_GROUP * c->target->plane.bpe;
	_Alignas(64) uint8_t new[2 * 16 * RS_GROUP];
	fn(j, lane, 2 * RS_GROUP, p, new);
	CU_FN(rs_cb_merge)(c, p, new, bytes);
	memcpy(p, new, bytes);
}

void CU_FN(rs_cb_direct)(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes)
{
	const struct rs_target *t = c->target;
	if (!o->block || lanes != ~0ull) {
		write_groups(w, c, o, lanes);
		return;
	}
	const struct job j = job_of(w, c);
	const run_fn fn = runs[c->direct.format][c->direct.kind];
	uint8_t *const block = rs_block_wave(t, o);
	if (t->plane.tiling != TILING_4X4) {
		switch (t->plane.bpe) {
		case 1: cover_rows(&j, fn, c, 1, block); break;
		case 2: cover_rows(&j, fn, c, 2, block); break;
		case 4: cover_rows(&j, fn, c, 4, block); break;
		case 8: cover_rows(&j, fn, c, 8, block); break;
		default: cover_rows(&j, fn, c, 16, block); break;
		}
		return;
	}
	uint8_t *const lower = block + surf_part(t->plane.bpe, t->plane.pitch, 0, 1);
	if (merges(c)) {
		cover_parts_merged(&j, fn, c, 0, block);
		cover_parts_merged(&j, fn, c, 2 * RS_GROUP, lower);
		return;
	}
	fn(&j, 0, 2 * RS_GROUP, block, block);
	fn(&j, 2 * RS_GROUP, 2 * RS_GROUP, lower, lower);
}

void CU_FN(rs_cb_direct_group)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, unsigned n,
	uint32_t lanes)
{
	const struct job j = job_of(w, c);
	write_group(runs[c->direct.format][c->direct.kind], c, &j, g, n, lanes);
}
