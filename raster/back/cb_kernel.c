/* SPDX-License-Identifier: MIT */
/* CB: what a wave exports, blended, converted and stored, 16 lanes at a time.
 *
 * Blending follows the Vulkan specification, "Blending": for normalised
 * targets what the factors are made of is clamped first (1 - x of an SNORM
 * target may so be 2, as the CTS expects); sRGB blends in linear values.
 * Masks and logic operations work on packed texels, so bits
 * that are not written keep their value exactly. */
#include "raster/back/cb.h"

#include <immintrin.h>
#include <string.h>
#include "core/cu.h"
#include "core/level.h"
#include "core/vec.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "raster/back/cb_blend.h"
#include "raster/back/cb_wave.h"
#include "raster/back/group.h"
#include "raster/back/group_mem.h"
#include "raster/back/plane.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/draw.h"
#include "raster/pass.h"

/* --- known equations --- */

/* 16 lanes by a known equation, in the order of memory: of components that are there, and of nothing that it does not use. */
INLINE void blend_known(const struct rs_worker *w, const struct rs_color *c, enum rs_blend_kind kind, bool normalized, unsigned lane,
	uint32_t memory[4][RS_GROUP])
{
	const struct rs_blend b = rs_known_blend(kind), *alpha = rs_owns_alpha(kind) ? c->blend : &b;
	const uint32_t *row[4];
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
		row[ch] = cu_exported(w->slot.wave, c->index, ch) + lane;
	V_UNROLL for (unsigned i = 0; i < RS_GROUP; i += VL) {
		struct inputs in;
		in.src[3] = rs_known_source(normalized, v_loadf(row[3] + i));
		in.dst[3] = c->from[3] >= 0 ? v_loadf(memory[c->from[3]] + i) : v_setf(1);
		in.constant[3] = in.src1[3] = v_setf(0); /* in none of the factors */
		for (unsigned ch = 0; ch < 3; ch++) {
			if (c->from[ch] < 0)
				continue;
			in.src[0] = rs_known_source(normalized, v_loadf(row[ch] + i));
			in.dst[0] = v_loadf(memory[c->from[ch]] + i);
			v_storef(memory[c->from[ch]] + i, combine(c, 0, b.color_src, b.color_dst, COMB_ADD, &in));
		}
		if (c->from[3] >= 0)
			v_storef(memory[c->from[3]] + i, combine(c, 3, alpha->alpha_src, alpha->alpha_dst, COMB_ADD, &in));
	}
}

/* Functions of their own, each with all registers. */
#define KIND(name, ...) \
static __attribute__((noinline)) void blend_##name(const struct rs_worker *w, const struct rs_color *c, unsigned lane, \
	uint32_t memory[4][RS_GROUP]) \
{ \
	if (c->clamp_lo > c->clamp_hi) \
		blend_known(w, c, RS_BLEND_##name, false, lane, memory); \
	else \
		blend_known(w, c, RS_BLEND_##name, true, lane, memory); \
}
RS_BLEND_SUMS(KIND)
RS_BLEND_OWN_ALPHA_KINDS(KIND)
#undef KIND

/* False where the equation is none of those, or a channel is in two places or clamped to -1. */
static inline bool blend_as_known(const struct rs_worker *w, const struct rs_color *c, unsigned lane, uint32_t memory[4][RS_GROUP])
{
	if (!c->single || c->clamp_lo == -1)
		return false;
	switch (c->blend_kind) {
#define KIND(name, ...) case RS_BLEND_##name: blend_##name(w, c, lane, memory); return true;
	RS_BLEND_SUMS(KIND)
	RS_BLEND_OWN_ALPHA_KINDS(KIND)
#undef KIND
	default: return false;
	}
}

/* --- any equation --- */

/* Blends 16 lanes: destination by memory component, result by channel. */
static __attribute__((noinline)) void blend_group(const struct rs_worker *w, const struct rs_color *c, unsigned lane,
	const uint32_t dst[4][RS_GROUP], uint32_t out[4][RS_GROUP])
{
	for (unsigned i = 0; i < RS_GROUP; i += VL) {
		struct inputs in;
		vf result[4];
		load_inputs(w, c, lane + i, &in);
		for (unsigned ch = 0; ch < 4; ch++)
			in.dst[ch] = c->from[ch] >= 0 ? v_loadf(&dst[c->from[ch]][i]) : v_setf(ch == 3);
		blend_vector(c, &in, result);
		for (unsigned ch = 0; ch < 4; ch++)
			v_storef(&out[ch][i], result[ch]);
	}
}

/* Channels to memory components. */
static inline void to_memory_order(const struct rs_target *t, const uint32_t *const channel[4], uint32_t out[4][RS_GROUP])
{
	bool integer = t->plane.nfmt == NFMT_UINT || t->plane.nfmt == NFMT_SINT;
	for (unsigned m = 0; m < 4; m++) {
		unsigned sel = t->sel[m];
		for (unsigned i = 0; i < RS_GROUP; i += VL)
			v_store(&out[m][i], sel >= SEL_R ? v_load(channel[sel - SEL_R] + i) :
				v_set(sel == SEL_0 ? 0 : integer ? 1 : 0x3f800000));
	}
}

/* The same of what lanes 16 n .. exported. */
static inline void exported_to_memory_order(const struct rs_worker *w, const struct rs_color *c, unsigned n,
	uint32_t out[4][RS_GROUP])
{
	const uint32_t *row[4];
	for (unsigned ch = 0; ch < 4; ch++)
		row[ch] = cu_exported(w->slot.wave, c->index, ch) + 16 * n;
	to_memory_order(c->target, row, out);
}

/* What is written where both are, by the two bits that say it for each. */
static inline __m128i raster_operation(unsigned rop, __m128i s, __m128i d)
{
	const __m128i ones = _mm_set1_epi32(-1);
	__m128i r = _mm_setzero_si128();
	if (rop & 1)
		r = _mm_andnot_si128(_mm_or_si128(s, d), ones);
	if (rop & 2)
		r = _mm_or_si128(r, _mm_andnot_si128(s, d));
	if (rop & 4)
		r = _mm_or_si128(r, _mm_andnot_si128(d, s));
	return rop & 8 ? _mm_or_si128(r, _mm_and_si128(s, d)) : r;
}

void CU_FN(rs_cb_merge)(const struct rs_color *c, const uint8_t *old, uint8_t *texels, unsigned bytes)
{
	const unsigned rop = c->rop & 15; /* both halves are the same */
	for (unsigned i = 0, at = 0; i < bytes; i += 16, at = at + 16 < sizeof c->texel_mask ? at + 16 : 0) {
		const __m128i m = _mm_loadu_si128((const __m128i *)(c->texel_mask + at)), d = _mm_loadu_si128((const __m128i *)(old + i));
		const __m128i s = _mm_loadu_si128((const __m128i *)(texels + i));
		const __m128i r = rop == (ROP3_COPY & 15) ? s : raster_operation(rop, s, d);
		_mm_storeu_si128((__m128i *)(texels + i), _mm_or_si128(_mm_and_si128(r, m), _mm_andnot_si128(m, d)));
	}
}

static inline void store_group(const struct rs_group *g, const struct surf_plane *plane, uint32_t lanes, const uint8_t *texels)
{
	if (g->block && plane->bpe == 4)
		for (unsigned i = 0; i < RS_VECS; i++)
			v_store_lanes(g->quad[0] + 4 * VL * i, v_load(texels + 4 * VL * i), lanes >> VL * i);
	else if (plane->bpe == 4 && plane->tiling == TILING_4X4)
		rs_scatter_quads(g, lanes, texels);
	else
		rs_scatter(g, plane->bpe, lanes, texels);
}

/* Lanes 16 n .. of the wave into one target, at g: a value, which no store changes, and not one copied by way of memory. */
static inline __attribute__((always_inline)) void write_group(const struct rs_worker *w, const struct rs_color *c,
	const struct rs_group g, unsigned n, uint32_t lanes)
{
	const struct rs_target *t = c->target;
	_Alignas(64) uint32_t memory[4][RS_GROUP], channel[4][RS_GROUP];
	_Alignas(64) uint8_t texels[16 * RS_GROUP], loaded[16 * RS_GROUP];
	const uint8_t *old = g.quad[0];
	const bool part = rs_has_part(&g, t->plane.bpe, lanes);
	if ((c->read || c->partial) && part) {
		rs_load_part(&g, t->plane.bpe, loaded);
		old = loaded;
	} else if ((c->read || c->partial) && !g.block) {
		memset(loaded, 0, (size_t)RS_GROUP * t->plane.bpe);
		rs_gather(&g, t->plane.bpe, lanes, loaded);
		old = loaded;
	}
	if (c->blend) {
		c->unpack(old, memory);
		if (!blend_as_known(w, c, 16 * n, memory)) {
			const uint32_t *const blended[4] = { channel[0], channel[1], channel[2], channel[3] };
			blend_group(w, c, 16 * n, (const uint32_t (*)[RS_GROUP])memory, channel);
			to_memory_order(t, blended, memory);
		}
	} else {
		exported_to_memory_order(w, c, n, memory);
	}
	bool whole = g.block && lanes == 0xffff;
	if (whole && !c->partial && c->rop == ROP3_COPY) {
		c->pack((const uint32_t (*)[RS_GROUP])memory, g.quad[0]);
		return;
	}
	c->pack((const uint32_t (*)[RS_GROUP])memory, texels);
	if (c->partial || c->rop != ROP3_COPY)
		CU_FN(rs_cb_merge)(c, old, texels, RS_GROUP * t->plane.bpe);
	if (part)
		rs_store_part(&g, t->plane.bpe, texels);
	else
		store_group(&g, &t->plane, lanes, texels);
}

/* Components that the program did not export are 0, not what an earlier wave
 * left there. */
static void fill_missing(struct cu_exports *e, unsigned target)
{
	for (unsigned ch = 0; ch < 4; ch++)
		if (!rs_exported(e, target, ch))
			memset(e->data[target][ch], 0, sizeof e->data[target][ch]);
}

/* Lanes that a target gets something for; where it needs what is missing, that becomes 0. */
static uint64_t exported_lanes(const struct rs_worker *w, const struct rs_color *c)
{
	struct cu_exports *e = w->slot.exports;
	/* The second source alone still blends, with a first of 0. */
	unsigned from = w->state->dual_source && !(e->targets & 1) ? 1 : c->index;
	if (!(e->targets >> from & 1))
		return 0;
	if (from != c->index || c->needs & ~e->mask[c->index])
		fill_missing(e, c->index);
	return e->exec[from];
}

static inline void write_lanes(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g,
	unsigned n, uint32_t lanes)
{
	if (c->rgba8)
		CU_FN(rs_cb_rgba8_group)(w, c, g, n, lanes);
	else if (c->direct.format)
		CU_FN(rs_cb_direct_group)(w, c, g, n, lanes);
	else
		write_group(w, c, *g, n, lanes);
}

/* Targets whose format has no kernel of its own. */
static __attribute__((noinline)) void write_groups(const struct rs_worker *w, const struct rs_color *c,
	const struct rs_open_wave *o, uint64_t lanes)
{
	for (unsigned n = 0; n < 4; n++) {
		uint32_t m = (uint32_t)(lanes >> 16 * n) & 0xffff;
		if (!m)
			continue;
		write_group(w, c, rs_group_wave(c->target, o, n), n, m);
	}
}

void CU_FN(rs_cb_wave)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live)
{
	if (w->state->dual_source)
		fill_missing(w->slot.exports, 1);
	for (const struct rs_color *c = w->color, *end = c + w->color_count; c < end; c++) {
		const uint64_t lanes = live & exported_lanes(w, c);
		if (lanes && c->rgba8)
			CU_FN(rs_cb_rgba8)(w, c, o, lanes);
		else if (lanes && c->direct.format)
			CU_FN(rs_cb_direct)(w, c, o, lanes);
		else if (lanes)
			write_groups(w, c, o, lanes);
	}
}

/* Group n of a target in which no sample depends on what was there: packed
 * once, stored for every sample. */
static void spread_group(const struct rs_worker *w, const struct rs_color *c, struct rs_group g, unsigned n,
	const uint64_t lanes[RS_MAX_SAMPLES])
{
	const struct rs_target *t = c->target;
	_Alignas(64) uint32_t memory[4][RS_GROUP];
	_Alignas(64) uint8_t texels[16 * RS_GROUP];
	exported_to_memory_order(w, c, n, memory);
	c->pack((const uint32_t (*)[RS_GROUP])memory, texels);
	for (unsigned k = 0; k < w->state->samples; k++, rs_group_sample(&g, t, 1)) {
		uint32_t m = (uint32_t)(lanes[k] >> 16 * n) & 0xffff;
		if (m)
			store_group(&g, &t->plane, m, texels);
	}
}

void CU_FN(rs_cb_wave_msaa)(struct rs_worker *w, const struct rs_open_wave *o, const uint64_t live[RS_MAX_SAMPLES])
{
	unsigned samples = w->state->samples;
	if (w->state->dual_source)
		fill_missing(w->slot.exports, 1);
	for (unsigned i = 0; i < w->color_count; i++) {
		const struct rs_color *c = &w->color[i];
		uint64_t exported = exported_lanes(w, c), lanes[RS_MAX_SAMPLES], any = 0;
		for (unsigned k = 0; k < samples; k++)
			any |= lanes[k] = live[k] & exported;
		for (unsigned n = 0; any && n < 4; n++) {
			if (!(any >> 16 * n & 0xffff))
				continue;
			struct rs_group g = rs_group_wave(c->target, o, n);
			if (!c->read && !c->partial && !w->state->iterate) {
				spread_group(w, c, g, n, lanes);
				continue;
			}
			if (c->rgba8 && c->rgba8 != RS_RGBA8_OTHER && CU_FN(rs_cb_rgba8_samples)(w, c, &g, n, lanes))
				continue;
			for (unsigned k = 0; k < samples; k++, rs_group_sample(&g, c->target, 1)) {
				uint32_t m = (uint32_t)(lanes[k] >> 16 * n) & 0xffff;
				if (m)
					write_lanes(w, c, &g, n, m);
			}
		}
	}
}
