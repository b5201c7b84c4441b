/* SPDX-License-Identifier: MIT */
/* CB: 8_8_8_8 UNORM and sRGB without going through memory: the same values as the block
 * functions of core/format/format.h give.  The usual blend equations have code of
 * their own. */
#include <string.h>
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
#include "raster/back/ps_state.h"
#include "raster/back/wave.h"
#include "raster/back/worker.h"
#include "raster/pass.h"

/* v_scale_round by 255 with an exponent above it, which a shift of 8 and more drops. */
INLINE vi scaled(vf channel)
{
	return (vi)v_fma(v_clampf(channel, v_setf(0), v_setf(1)), v_setf(255), v_setf(0x1p23f));
}

INLINE vi pack(const struct rs_color *c, const vf channel[4])
{
	vi s[4], out = v_set((int32_t)c->fixed);
	if (c->srgb)
		V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
			s[ch] = tex_srgb_encode(channel[ch]);
	else
		V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
			s[ch] = scaled(channel[ch]);
	s[3] = scaled(channel[3]);
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
		out |= v_shift_left(s[ch] & 255, c->shift[ch]);
	return out;
}

INLINE void unpack(const struct rs_color *c, vi texel, vf channel[4])
{
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		const vi above = v_shift_right(texel, c->shift[ch]);
		channel[ch] = c->srgb && ch < 3 ? tex_srgb_decode(above & 255) : tex_unorm_byte(above, 0);
	}
	if (c->shift[3] == 32)
		channel[3] = v_setf(1);
}

/* What is exported, and what blends of the USUAL kind have besides: by component of memory. */
struct source { vf exported[4], second[4], constant[4]; };

INLINE bool is_extreme(enum rs_blend_kind kind) { return kind == RS_BLEND_MIN || kind == RS_BLEND_MAX; }

/* A blend of which the equation is known: what it does not use is not computed.  The exported components are those of
 * memory, as dst is: the equation of red is that of blue.  clamp_input without its detour: max gives 0 for NaN. */
INLINE void blend_known(const struct rs_color *c, enum rs_blend_kind kind, const struct source *s, const vf dst[4], vf out[4])
{
	struct inputs in;
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		in.src[ch] = rs_known_source(true, s->exported[ch]);
		in.dst[ch] = dst[ch];
		if (is_extreme(kind)) /* of sRGB */
			out[ch] = combine(c, ch, 0, 0, kind == RS_BLEND_MIN ? COMB_MIN : COMB_MAX, &in);
		if (kind != RS_BLEND_USUAL)
			continue;
		in.src1[ch] = rs_known_source(true, s->second[ch]);
		in.constant[ch] = rs_known_source(true, s->constant[ch]);
	}
	if (kind == RS_BLEND_USUAL)
		blend_vector(c, &in, out);
	if (kind >= RS_BLEND_MIN)
		return;
	const struct rs_blend b = rs_known_blend(kind);
	V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
		out[ch] = combine(c, ch, b.color_src, b.color_dst, COMB_ADD, &in);
	const struct rs_blend *alpha = rs_owns_alpha(kind) ? c->blend : &b;
	in.constant[3] = in.src1[3] = v_setf(0); /* in none of the factors */
	out[3] = combine(c, 3, alpha->alpha_src, alpha->alpha_dst, COMB_ADD, &in);
}

/* Channels of 8 bits, 255 from 1 on.  The exponent above it, less what it is of 0, leaves a number that packing saturates;
 * any: values of which packing cannot tell, NaN among them, which counts as 0. */
INLINE vi byte_of(vf channel, bool any)
{
	if (any)
		channel = v_maxf(channel, v_setf(0));
	return (vi)v_fma(channel, v_setf(255), v_setf(0x1p23f)) - v_set(0x4b000000);
}

/* A byte each of four numbers, the first lowest. */
INLINE vi pack_bytes(const vi s[4])
{
	static const _Alignas(16) int8_t turn[16] = { 0, 8, 4, 12, 1, 9, 5, 13, 2, 10, 6, 14, 3, 11, 7, 15 };
	const __m128i lines[4] = { *(const __m128i *)turn, *(const __m128i *)turn, *(const __m128i *)turn,
		*(const __m128i *)turn };
	const v_int_reg even = V_OP(packs_epi32)((v_int_reg)s[0], (v_int_reg)s[2]);
	const v_int_reg odd = V_OP(packs_epi32)((v_int_reg)s[1], (v_int_reg)s[3]);
	return (vi)V_OP(shuffle_epi8)(V_OP(packus_epi16)(even, odd), (v_int_reg)v_of_lines(lines));
}

/* What a wave exports to a target, by component of memory; of the USUAL kind: the second source, and constants. */
struct rows { const uint32_t *row[4], *second[4]; const float *constant[4]; };

INLINE struct rows rows_of(const struct rs_worker *w, const struct rs_color *c)
{
	const unsigned low = c->rgba8 == RS_BGRA8 ? 2 : 0;
	const struct cu_wave *wave = w->slot.wave;
	struct rows r;
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		const unsigned from = ch == 0 ? low : ch == 2 ? 2 - low : ch;
		r.row[ch] = cu_exported(wave, c->index, from);
		r.second[ch] = cu_exported(wave, w->state->dual_source ? 1 : c->index, from);
		r.constant[ch] = &w->state->constant[from];
	}
	return r;
}

INLINE struct source source_at(const struct rows *r, enum rs_blend_kind kind, unsigned lane)
{
	struct source s;
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		s.exported[ch] = v_loadf(&r->row[ch][lane]);
		if (kind != RS_BLEND_USUAL)
			continue;
		s.second[ch] = v_loadf(&r->second[ch][lane]);
		s.constant[ch] = v_setf(*r->constant[ch]);
	}
	return s;
}

/* New texels of a usual order of components, in which everything is done; before: what is there. */
INLINE vi texels_of(const struct source *from, const struct rs_color *c, enum rs_blend_kind kind, vi before)
{
	const bool packed = kind == RS_BLEND_NONE || is_extreme(kind);
	vf dst[4], out[4];
	vi s[4];
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		out[ch] = from->exported[ch];
		dst[ch] = tex_unorm_byte(before, ch);
	}
	if (!packed)
		blend_known(c, kind, from, dst, out);
	V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
		s[ch] = byte_of(out[ch], packed);
	const v_int_reg texels = (v_int_reg)pack_bytes(s);
	if (kind == RS_BLEND_MIN) /* of two numbers that are rounded is that of them rounded */
		return (vi)V_OP(min_epu8)(texels, (v_int_reg)before);
	return kind == RS_BLEND_MAX ? (vi)V_OP(max_epu8)(texels, (v_int_reg)before) : (vi)texels;
}

INLINE vi usual_texels(const struct rows *r, const struct rs_color *c, enum rs_blend_kind kind, unsigned lane, vi before)
{
	const struct source s = source_at(r, kind, lane);
	return texels_of(&s, c, kind, before);
}

/* The same of `count` lanes in sRGB, strip by strip, where texels has what is there.  Its tables are read out of memory that was written a
 * while ago: each step is done for all lanes. */
INLINE void srgb_strips(const struct rows *r, const struct rs_color *c, enum rs_blend_kind kind, unsigned first, unsigned count,
	uint32_t texels[])
{
	_Alignas(64) uint32_t alpha[CU_LANES], bits[3][CU_LANES];
	for (unsigned l = 0; l < count; l += VL) {
		const struct source s = source_at(r, kind, first + l);
		vf dst[4], out[4];
		V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
			out[ch] = s.exported[ch];
		if (kind != RS_BLEND_NONE) {
			V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
				dst[ch] = ch < 3 ? (vf)tex_by_byte(cu_srgb_decode_bits, texels + l, ch) : tex_unorm_byte(v_load(texels + l), ch);
			blend_known(c, kind, &s, dst, out);
		}
		V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
			v_store(bits[ch] + l, tex_srgb_bits(out[ch]));
		v_store(alpha + l, byte_of(out[3], kind == RS_BLEND_NONE));
	}
	for (unsigned l = 0; l < count; l += VL) {
		vi code[4] = { [3] = v_load(alpha + l) };
		V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
			code[ch] = tex_srgb_code_of(bits[ch] + l);
		v_store(texels + l, pack_bytes(code));
	}
}

INLINE vi unlike_first(const uint32_t dwords[], unsigned l) { return v_load(dwords + l) ^ v_set((int32_t)dwords[0]); }

/* Whether a wave's lanes export one colour, as windows and sky are, over one colour.  The first and the last one say whether a
 * look at all of them may be worth it. */
INLINE bool is_one_colour(const struct rows *r, enum rs_blend_kind kind, const uint32_t texels[CU_LANES])
{
	const bool blend = kind != RS_BLEND_NONE;
	vi differ = v_set(0);
	if (kind == RS_BLEND_USUAL || r->row[0][0] != r->row[0][CU_LANES - 1] || r->row[1][0] != r->row[1][CU_LANES - 1] ||
		(blend && texels[0] != texels[CU_LANES - 1]))
		return false;
	for (unsigned l = 0; l < CU_LANES; l += VL) {
		if (blend)
			differ |= unlike_first(texels, l);
		V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
			differ |= unlike_first(r->row[ch], l);
	}
	return v_is_zero(differ);
}

INLINE void srgb_texels(const struct rows *r, const struct rs_color *c, enum rs_blend_kind kind, unsigned first, unsigned count,
	uint32_t texels[])
{
	if (count != CU_LANES || !is_one_colour(r, kind, texels)) {
		srgb_strips(r, c, kind, first, count, texels);
		return;
	}
	srgb_strips(r, c, kind, first, VL, texels);
	for (unsigned l = VL; l < CU_LANES; l += VL)
		v_store(texels + l, v_load(texels));
}

/* The same of any equation and order. */
INLINE vi any_texels(const struct rs_worker *w, const struct rs_color *c, unsigned lane, vi before)
{
	struct inputs in;
	vf out[4];
	if (c->blend) {
		unpack(c, before, in.dst);
		load_inputs(w, c, lane, &in);
		blend_vector(c, &in, out);
	} else {
		V_UNROLL for (unsigned ch = 0; ch < 4; ch++)
			out[ch] = v_loadf(cu_exported(w->slot.wave, c->index, ch) + lane);
	}
	return pack(c, out);
}

/* What is there keeps the bits that are not written. */
INLINE vi merge(const struct rs_color *c, vi texels, vi before)
{
	uint32_t keep;
	memcpy(&keep, c->texel_mask, 4);
	const vi bits = v_set((int32_t)keep);
	return (bits & texels) | (~bits & before);
}

enum { VECS = RS_GROUP / VL };

INLINE void group_in_srgb(const struct rows *r, const struct rs_color *c, enum rs_blend_kind kind, unsigned lane, vi texels[VECS])
{
	_Alignas(64) uint32_t memory[RS_GROUP];
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		v_store(memory + VL * i, texels[i]);
	srgb_texels(r, c, kind, lane, RS_GROUP, memory);
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		texels[i] = v_load(memory + VL * i);
}

/* New texels of a group; texels: what is there, if it is read.  RS_BLEND_ANY: also of an order of its own. */
INLINE void renew(const struct rs_worker *w, const struct rs_color *c, const struct rows *r, enum rs_blend_kind kind,
	unsigned lane, vi texels[VECS])
{
	vi before[VECS];
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		before[i] = texels[i];
	if (kind != RS_BLEND_ANY && c->srgb) {
		group_in_srgb(r, c, kind, lane, texels);
	} else {
		V_UNROLL for (unsigned i = 0; i < VECS; i++)
			texels[i] = kind == RS_BLEND_ANY ? any_texels(w, c, lane + VL * i, before[i])
				: usual_texels(r, c, kind, lane + VL * i, before[i]);
	}
	if (c->partial)
		V_UNROLL for (unsigned i = 0; i < VECS; i++)
			texels[i] = merge(c, texels[i], before[i]);
}

/* 16 texels in one piece. */
INLINE void write_block(const struct rs_worker *w, const struct rs_color *c, const struct rows *r, enum rs_blend_kind kind,
	uint8_t *p, unsigned n, uint32_t lanes)
{
	const bool read = kind != RS_BLEND_NONE || c->partial;
	vi texels[VECS];
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		texels[i] = read ? v_load(p + 4 * VL * i) : v_set(0);
	renew(w, c, r, kind, 16 * n, texels);
	V_UNROLL for (unsigned i = 0; i < VECS; i++) {
		if (lanes == 0xffff)
			v_store(p + 4 * VL * i, texels[i]);
		else
			v_store_lanes(p + 4 * VL * i, texels[i], lanes >> VL * i);
	}
}

/* VL lanes of quads from `first` on, whole ones of 16 bytes or rows of 8.  Of quads that no lane is in nothing is read, and
 * at the end of an image whose sides are not even nothing of such rows: `none` instead. */
INLINE vi load_quads(const struct rs_group *g, unsigned first, uint32_t lanes, bool whole, bool even)
{
	static const _Alignas(16) uint8_t none[16];
	__m128i quad[VL / 4];
	V_UNROLL for (unsigned k = 0; k < VL / 4; k++) {
		const uint32_t m = lanes >> 4 * (first + k);
		const uint8_t *p = g->quad[first + k], *up = m & (even ? 15 : 3) ? p : none, *down = m & (even ? 15 : 12) ? p + g->row : none;
		if (whole)
			quad[k] = _mm_loadu_si128((const __m128i *)(m & 15 ? p : none));
		else
			quad[k] = (__m128i)_mm_loadh_pd((__m128d)_mm_loadl_epi64((const __m128i *)up), (const double *)down);
	}
	return v_of_lines(quad);
}

/* What is written is soon loaded back if it is blended with, which stores by masks would delay.  Two quads of a group may
 * be one place, with other lanes each. */
INLINE void write_quads(const struct rs_worker *w, const struct rs_color *c, const struct rows *r, enum rs_blend_kind kind,
	const struct rs_group *g, unsigned n, uint32_t lanes)
{
	const struct surf_plane *plane = &c->target->plane;
	const bool blend = kind != RS_BLEND_NONE, read = blend || c->partial, whole = plane->tiling == TILING_4X4;
	const bool even = !((plane->width | plane->height) & 1);
	_Alignas(64) uint8_t texels[4 * RS_GROUP], none[16];
	vi in[VECS];
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		in[i] = !read ? v_set(0) : even ? load_quads(g, VL / 4 * i, lanes, whole, true) : load_quads(g, VL / 4 * i, lanes, whole, false);
	renew(w, c, r, kind, 16 * n, in);
	V_UNROLL for (unsigned i = 0; i < VECS; i++)
		v_store(texels + 4 * VL * i, in[i]);
	if (whole)
		rs_scatter_quads(g, lanes, texels);
	else if (even)
		rs_scatter_even_rows(g, lanes, texels);
	else if (blend && lanes != 0xffff)
		V_UNROLL for (unsigned q = 0; q < 4; q++)
			rs_store_texels(g->quad[q], g->row, lanes >> 4 * q, _mm_load_si128((const __m128i *)texels + q), none);
	else
		rs_scatter_rows(g, lanes, texels);
}

/* Bytes from the first pixel of a target's slice to those of the quads of a wave. */
INLINE void place_quads(const struct rs_target *t, const struct rs_open_wave *o, uint32_t at[RS_WAVE_QUADS])
{
	const __m256i pitch = _mm256_set1_epi32((int)t->plane.pitch), two = _mm256_set1_epi32(2);
	V_UNROLL for (unsigned i = 0; i < RS_WAVE_QUADS; i += 8) {
		const __m256i x = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(o->x + i)));
		const __m256i y = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(o->y + i)));
		__m256i part;
		if (t->plane.tiling == TILING_4X4) { /* parts of 64 bytes, quads of 16 */
			const __m256i right = _mm256_slli_epi32(_mm256_and_si256(x, two), 3);
			const __m256i down = _mm256_slli_epi32(_mm256_and_si256(y, two), 4);
			part = _mm256_add_epi32(_mm256_slli_epi32(_mm256_srli_epi32(x, 2), 6), _mm256_add_epi32(right, down));
			part = _mm256_add_epi32(part, _mm256_mullo_epi32(_mm256_srli_epi32(y, 2), pitch));
		} else {
			part = _mm256_add_epi32(_mm256_slli_epi32(x, 2), _mm256_mullo_epi32(y, pitch));
		}
		_mm256_storeu_si256((__m256i *)(at + i), part);
	}
}

/* Quads 4 n .. of a wave, which are where `at` says of their slices. */
INLINE void write_group(const struct rs_worker *w, const struct rs_color *c, const struct rows *r, enum rs_blend_kind kind,
	const struct rs_open_wave *o, const uint32_t at[RS_WAVE_QUADS], unsigned n, uint32_t lanes)
{
	const struct rs_target *t = c->target;
	struct rs_group g = { .row = rs_row_step(t), .block = false };
	V_UNROLL for (unsigned i = 0; i < 4; i++) {
		const unsigned q = 4 * n + i < o->quads ? 4 * n + i : 4 * n;
		const struct rs_prim *prim = o->prim[o->block ? 0 : o->quad_prim[q]];
		g.quad[i] = t->plane.base + prim->layer * t->plane.slice_stride + at[4 * n + i];
	}
	write_quads(w, c, r, kind, &g, n, lanes);
}

/* VL lanes of the left part of a block and as many of the right one, from rows of an image and to them. */
#if VL == 16
INLINE void load_rows(const uint8_t *p, size_t pitch, vi part[2])
{
	__m512i row[2];
	V_UNROLL for (unsigned i = 0; i < 2; i++, p += 2 * pitch)
		row[i] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)p)),
			_mm256_loadu_si256((const __m256i *)(p + pitch)), 1);
	part[0] = (vi)_mm512_permutex2var_epi64(row[0], _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13), row[1]);
	part[1] = (vi)_mm512_permutex2var_epi64(row[0], _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15), row[1]);
}

INLINE void store_rows(uint8_t *p, size_t pitch, const vi part[2])
{
	const __m512i a = (__m512i)part[0], b = (__m512i)part[1];
	const __m512i row[2] = { _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 2, 8, 10, 1, 3, 9, 11), b),
		_mm512_permutex2var_epi64(a, _mm512_setr_epi64(4, 6, 12, 14, 5, 7, 13, 15), b) };
	V_UNROLL for (unsigned i = 0; i < 2; i++, p += 2 * pitch) {
		_mm256_storeu_si256((__m256i *)p, _mm512_castsi512_si256(row[i]));
		_mm256_storeu_si256((__m256i *)(p + pitch), _mm512_extracti64x4_epi64(row[i], 1));
	}
}
#else
INLINE void load_rows(const uint8_t *p, size_t pitch, vi part[2])
{
	const __m256i up = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)p), 0xd8);
	const __m256i down = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)(p + pitch)), 0xd8);
	part[0] = (vi)_mm256_unpacklo_epi64(up, down);
	part[1] = (vi)_mm256_unpackhi_epi64(up, down);
}

INLINE void store_rows(uint8_t *p, size_t pitch, const vi part[2])
{
	const __m256i up = _mm256_unpacklo_epi64((__m256i)part[0], (__m256i)part[1]);
	const __m256i down = _mm256_unpackhi_epi64((__m256i)part[0], (__m256i)part[1]);
	_mm256_storeu_si256((__m256i *)p, _mm256_permute4x64_epi64(up, 0xd8));
	_mm256_storeu_si256((__m256i *)(p + pitch), _mm256_permute4x64_epi64(down, 0xd8));
}
#endif

/* A covered block, in a usual order of components.  Nothing that a store might change is read after it. */
INLINE void cover_block(const struct rs_color *c, const struct rows *rows, enum rs_blend_kind kind, bool partial, uint8_t *block)
{
	const bool parts = c->target->plane.tiling == TILING_4X4, read = kind != RS_BLEND_NONE || partial;
	const size_t pitch = c->target->plane.pitch;
	for (unsigned half = 0; half < 2; half++)
		V_UNROLL for (unsigned i = 0; i < RS_GROUP; i += VL) {
			uint8_t *const p = block + (parts ? half * pitch + 4 * i : (4 * half + i / 4) * pitch);
			vi part[2] = { v_set(0), v_set(0) };
			if (read && parts) {
				part[0] = v_load(p);
				part[1] = v_load(p + 4 * RS_GROUP);
			} else if (read) {
				load_rows(p, pitch, part);
			}
			V_UNROLL for (unsigned k = 0; k < 2; k++) {
				const vi texels = usual_texels(rows, c, kind, (2 * half + k) * RS_GROUP + i, part[k]);
				part[k] = partial ? merge(c, texels, part[k]) : texels;
			}
			if (parts) {
				v_store(p, part[0]);
				v_store(p + 4 * RS_GROUP, part[1]);
			} else {
				store_rows(p, pitch, part);
			}
		}
}

/* The same in sRGB, by way of memory. */
INLINE void load_block(const struct rs_color *c, const uint8_t *block, uint32_t texels[CU_LANES])
{
	const bool parts = c->target->plane.tiling == TILING_4X4;
	const size_t pitch = c->target->plane.pitch;
	for (unsigned half = 0; half < 2; half++)
		V_UNROLL for (unsigned i = 0; i < RS_GROUP; i += VL) {
			const uint8_t *const p = block + (parts ? half * pitch + 4 * i : (4 * half + i / 4) * pitch);
			vi part[2];
			if (parts) {
				part[0] = v_load(p);
				part[1] = v_load(p + 4 * RS_GROUP);
			} else {
				load_rows(p, pitch, part);
			}
			V_UNROLL for (unsigned k = 0; k < 2; k++)
				v_store(texels + (2 * half + k) * RS_GROUP + i, part[k]);
		}
}

INLINE void store_block(const struct rs_color *c, uint8_t *block, const uint32_t texels[CU_LANES])
{
	const bool parts = c->target->plane.tiling == TILING_4X4;
	const size_t pitch = c->target->plane.pitch;
	for (unsigned half = 0; half < 2; half++)
		V_UNROLL for (unsigned i = 0; i < RS_GROUP; i += VL) {
			uint8_t *const p = block + (parts ? half * pitch + 4 * i : (4 * half + i / 4) * pitch);
			const uint32_t *from = texels + 2 * half * RS_GROUP + i;
			const vi part[2] = { v_load(from), v_load(from + RS_GROUP) };
			if (parts) {
				v_store(p, part[0]);
				v_store(p + 4 * RS_GROUP, part[1]);
			} else {
				store_rows(p, pitch, part);
			}
		}
}

INLINE void cover_srgb(const struct rs_color *c, const struct rows *rows, enum rs_blend_kind kind, uint8_t *block)
{
	_Alignas(64) uint32_t texels[CU_LANES], before[CU_LANES];
	if (kind != RS_BLEND_NONE || c->partial)
		load_block(c, block, texels);
	if (c->partial)
		memcpy(before, texels, sizeof before);
	srgb_texels(rows, c, kind, 0, CU_LANES, texels);
	for (unsigned l = 0; l < CU_LANES && c->partial; l += VL)
		v_store(texels + l, merge(c, v_load(texels + l), v_load(before + l)));
	store_block(c, block, texels);
}

/* The same of a target's properties that are told apart once. */
INLINE void cover_any(const struct rs_color *c, const struct rows *rows, enum rs_blend_kind kind, uint8_t *block)
{
	if (c->srgb)
		cover_srgb(c, rows, kind, block);
	else if (c->partial)
		cover_block(c, rows, kind, true, block);
	else
		cover_block(c, rows, kind, false, block);
}

/* Whether alpha decides what a blend leaves: 1 the source, 0 what was there. */
INLINE bool by_alpha(enum rs_blend_kind kind)
{
	return kind == RS_BLEND_OVER || kind == RS_BLEND_OVER_ALL || kind == RS_BLEND_PREMULTIPLIED;
}

/* The first lane says whether a look at all of them may be worth it. */
INLINE bool first_is_extreme(const struct rs_worker *w, const struct rs_color *c, uint64_t lanes)
{
	float alpha;
	memcpy(&alpha, cu_exported(w->slot.wave, c->index, 3) + __builtin_ctzll(lanes), sizeof alpha);
	return !(alpha > 0 && alpha < 1);
}

/* Lanes whose blend changes nothing, and whether those of `lanes` are all opaque. */
struct cover { uint64_t clear; bool opaque; };

static __attribute__((noinline)) struct cover cover_of(const struct rs_worker *w, const struct rs_color *c,
	enum rs_blend_kind kind, uint64_t lanes)
{
	const struct rows r = rows_of(w, c);
	const vf zero = v_setf(0), one = v_setf(1);
	struct cover out = { 0, false };
	uint64_t opaque = 0;
	for (unsigned l = 0; l < CU_LANES; l += VL) {
		const vf a = v_loadf(&r.row[3][l]);
		vi seen = (vi)(a > zero);
		if (kind == RS_BLEND_PREMULTIPLIED)
			V_UNROLL for (unsigned ch = 0; ch < 3; ch++)
				seen |= (vi)(v_loadf(&r.row[ch][l]) > zero);
		out.clear |= (uint64_t)v_bits(~seen) << l;
		opaque |= (uint64_t)v_bits((vi)(a >= one)) << l;
	}
	out.opaque = !(lanes & ~opaque);
	return out;
}

/* The four 4x4 parts of a block of an image in such parts; lanes that are clear may be left as they are. */
INLINE void write_wave(const struct rs_worker *w, const struct rs_color *c, enum rs_blend_kind kind,
	const struct rs_open_wave *o, uint64_t lanes, uint64_t clear)
{
	const struct rs_target *t = c->target;
	const bool whole = o->block && t->plane.tiling == TILING_4X4;
	const struct rows rows = rows_of(w, c);
	uint8_t *block = whole ? rs_block_wave(t, o) : NULL;
	uint32_t at[RS_WAVE_QUADS];
	if (!whole)
		place_quads(t, o, at);
	for (unsigned n = 0; n < 4; n++) {
		uint32_t m = (uint32_t)(lanes >> 16 * n) & 0xffff;
		if (!(m & ~(uint32_t)(clear >> 16 * n)))
			continue;
		if (whole) {
			write_block(w, c, &rows, kind, block + surf_part(4, t->plane.pitch, n & 1, n >> 1), n, m);
			continue;
		}
		write_group(w, c, &rows, kind, o, at, n, m);
	}
}

/* Functions of their own, each with all registers. */
#define KIND(name, ...) \
static __attribute__((noinline)) void cover_##name(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o) \
{ \
	const struct rows rows = rows_of(w, c); \
	cover_any(c, &rows, RS_BLEND_##name, rs_block_wave(c->target, o)); \
} \
static __attribute__((noinline)) void write_##name(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes, \
	uint64_t clear) \
{ \
	write_wave(w, c, RS_BLEND_##name, o, lanes, clear); \
}
RS_BLEND_KINDS(KIND)
RS_BLEND_OWN_ALPHA_KINDS(KIND)
RS_BLEND_8_8_8_8_KINDS(KIND)
#undef KIND
static __attribute__((noinline)) void write_any(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o,
	uint64_t lanes)
{
	write_wave(w, c, RS_BLEND_ANY, o, lanes, 0);
}

void CU_FN(rs_cb_rgba8)(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes)
{
	enum rs_blend_kind kind = (enum rs_blend_kind)c->blend_kind;
	struct cover cover = { 0, false };
	if (by_alpha(kind) && first_is_extreme(w, c, lanes)) {
		cover = cover_of(w, c, kind, lanes);
		if (!(lanes & ~cover.clear))
			return;
		if (cover.opaque)
			kind = RS_BLEND_NONE;
	}
	switch (kind) {
#define KIND(name, ...) \
	case RS_BLEND_##name: \
		if (o->block && lanes == ~0ull) \
			cover_##name(w, c, o); \
		else \
			write_##name(w, c, o, lanes, cover.clear); \
		break;
	RS_BLEND_KINDS(KIND)
	RS_BLEND_OWN_ALPHA_KINDS(KIND)
	RS_BLEND_8_8_8_8_KINDS(KIND)
#undef KIND
	default: write_any(w, c, o, lanes); break;
	}
}

/* Lanes 16 n .. of the wave, at g. */
#define GROUP(name, ...) \
static __attribute__((noinline)) void group_##name(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, \
	unsigned n, uint32_t lanes) \
{ \
	const struct rows r = rows_of(w, c); \
	if (g->block) \
		write_block(w, c, &r, RS_BLEND_##name, g->quad[0], n, lanes); \
	else \
		write_quads(w, c, &r, RS_BLEND_##name, g, n, lanes); \
}
RS_BLEND_KINDS(GROUP)
RS_BLEND_OWN_ALPHA_KINDS(GROUP)
RS_BLEND_8_8_8_8_KINDS(GROUP)
GROUP(ANY)
#undef GROUP

void CU_FN(rs_cb_rgba8_group)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g,
	unsigned n, uint32_t lanes)
{
	switch (c->blend_kind) {
#define KIND(name, ...) case RS_BLEND_##name: group_##name(w, c, g, n, lanes); break;
	RS_BLEND_KINDS(KIND)
	RS_BLEND_OWN_ALPHA_KINDS(KIND)
	RS_BLEND_8_8_8_8_KINDS(KIND)
#undef KIND
	default: group_ANY(w, c, g, n, lanes); break;
	}
}

/* The samples of a group in a usual order of components: what is exported is made ready once for all of them. */
INLINE void write_samples(const struct rs_worker *w, const struct rs_color *c, enum rs_blend_kind kind, uint8_t *p, unsigned n,
	const uint64_t lanes[RS_MAX_SAMPLES])
{
	const struct rows r = rows_of(w, c);
	const unsigned samples = w->state->samples;
	const size_t stride = surf_sample_stride(&c->target->plane);
	for (unsigned i = 0; i < RS_GROUP; i += VL) {
		const struct source s = source_at(&r, kind, 16 * n + i);
		for (unsigned k = 0; k < samples; k++) {
			const uint32_t m = (uint32_t)(lanes[k] >> (16 * n + i)) & ((1u << VL) - 1);
			uint8_t *const at = p + k * stride + 4 * i;
			if (!m)
				continue;
			const vi before = v_load(at), made = texels_of(&s, c, kind, before);
			const vi texels = c->partial ? merge(c, made, before) : made;
			if (m == (1u << VL) - 1)
				v_store(at, texels);
			else
				v_store_lanes(at, texels, m);
		}
	}
}

#define KIND(name, ...) \
static __attribute__((noinline)) void samples_##name(const struct rs_worker *w, const struct rs_color *c, uint8_t *p, unsigned n, \
	const uint64_t lanes[RS_MAX_SAMPLES]) \
{ \
	write_samples(w, c, RS_BLEND_##name, p, n, lanes); \
}
RS_BLEND_KINDS(KIND)
RS_BLEND_OWN_ALPHA_KINDS(KIND)
RS_BLEND_8_8_8_8_KINDS(KIND)
#undef KIND

bool CU_FN(rs_cb_rgba8_samples)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, unsigned n,
	const uint64_t lanes[RS_MAX_SAMPLES])
{
	if (c->srgb || !g->block)
		return false;
	switch (c->blend_kind) {
#define KIND(name, ...) case RS_BLEND_##name: samples_##name(w, c, g->quad[0], n, lanes); return true;
	RS_BLEND_KINDS(KIND)
	RS_BLEND_OWN_ALPHA_KINDS(KIND)
	RS_BLEND_8_8_8_8_KINDS(KIND)
#undef KIND
	default: return false;
	}
}
