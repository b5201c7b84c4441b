/* SPDX-License-Identifier: MIT */
/* The kernels of tex_kernels.def: texels of a footprint to memory components. */
#include "core/tex/tex_bc1.h"
#include "core/tex/tex_components.h"
#include "core/tex/tex_fetch_taps.h"
#include "core/tex/tex_footprint.h"
#include "core/tex/tex_kernels.def"

/* Of a call; base and strips are the footprint's, which stores do not change. */
struct source { const struct tex_op *op; const struct tex_footprint *p; void *blocks; const uint8_t *base; uint32_t strips; };

#define EACH_STRIP(s, lane) \
	for (int lane = 0; lane < CU_LANES; lane += VL) \
		if ((s).strips >> lane / VL & 1)

V_INLINE void fetch(struct tex_texel k, const struct source *s, unsigned tap, int lane, vi raw[4])
{
	const int32_t *at = &s->p->at[tap][lane];
	__asm__("" : "+r"(at)); /* so that nothing of it is done ahead where texels are read in pairs */
	if (k.bc1)
		raw[0] = tex_bc1_texels(s->base, v_load(at));
	else if (k.blocks)
		tex_fetch_blocks(s->blocks, s->op->image->block, s->base, v_load(at), raw);
	else
		tex_fetch_texels(k.dfmt ? cu_format_layout(k.dfmt).bytes : s->op->image->level->bpe, s->base, at, raw);
}

V_INLINE bool in_pairs(struct tex_texel k, const struct tex_footprint *p, int lane)
{
	return !k.blocks && p->pairs >> lane / VL & 1;
}

V_INLINE struct source source_of(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	return (struct source){ op, p, k.blocks ? tex_begin_blocks(op) : NULL, p->base, p->strips };
}

/* The footprint's rows, which stores do not change, and its first_alone. */
struct rows { uint32_t *row[4]; bool first_alone; };

V_INLINE struct rows rows_of(const struct tex_footprint *p)
{
	return (struct rows){ { p->row[0], p->row[1], p->row[2], p->row[3] }, p->first_alone };
}

V_INLINE void write(struct tex_texel k, const struct rows *r, int lane, const vi mem[4])
{
	if (k.compare && r->first_alone) {
		v_store(r->row[0] + lane, mem[0]);
		return;
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		v_store(r->row[c] + lane, mem[c]);
}

/* --- the nearest texel --- */

/* Texels that follow one another as lanes do, as those of an attachment that is read pixel by pixel: in one piece where
 * images are in parts, else in rows of four.  `on` until a strip's texels do not, and not to begin with for some waves
 * after that. */
struct run { vi step; size_t pitch; bool begun, parts, on; };
enum { LOOSE_WAVES = 64 };

V_INLINE struct run begin_run(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	struct tex_patience *patience = op->plan->patience;
	struct run r = { .begun = true, .parts = op->plan->parts, .pitch = (size_t)p->pitch };
	if (k.blocks || k.bc1 || cu_format_layout(k.dfmt).bytes != 4)
		return r;
	if (patience->loose) {
		patience->loose--;
		return r;
	}
	r.on = true;
	r.step = tex_steps(r.parts, p->pitch);
	return r;
}

V_INLINE bool in_a_row(const struct run *run, const int32_t *at)
{
	return !v_any(v_load(at) - run->step != at[0]);
}

/* run: NULL where nobody expects texels in a row. */
V_INLINE void fetch_first(struct tex_texel k, const struct source *s, struct run *run, int lane, vi raw[4])
{
	const int32_t *at = &s->p->at[0][lane];
	if (run && run->on && !in_a_row(run, at)) {
		run->on = false;
		s->op->plan->patience->loose = LOOSE_WAVES;
	}
	if (!run || !run->on)
		fetch(k, s, 0, lane, raw);
	else if (run->parts)
		raw[0] = v_load(s->base + at[0]);
	else
		raw[0] = tex_load_rows(s->base + at[0], run->pitch);
}

/* The first texel of each lane. */
V_INLINE void read_first(struct tex_texel k, const struct source *s, struct run *run, int lane, vi mem[4])
{
	vi raw[4];
	fetch_first(k, s, run, lane, raw);
	if (k.dfmt)
		tex_unpack(k.dfmt, k.nfmt, raw, mem);
	else
		s->op->image->decode(raw, mem);
}

/* 8_8_8_8 SRGB: all texels first, so that stores of them are done when their bytes are loaded. */
V_INLINE void nearest_srgb(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p, struct run *run)
{
	alignas(64) uint32_t texels[CU_LANES];
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	EACH_STRIP(s, lane) {
		vi raw[4];
		fetch_first(k, &s, run, lane, raw);
		v_store(texels + lane, raw[0]);
		v_store(rows.row[3] + lane, tex_unpack_component(NFMT_SRGB, 8, 24, 3, raw));
	}
	EACH_STRIP(s, lane) {
		V_UNROLL
		for (unsigned c = 0; c < 3; c++)
			v_store(rows.row[c] + lane, tex_by_byte(cu_srgb_decode_bits, texels + lane, c));
	}
}

V_INLINE void nearest_any(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p, struct run *run)
{
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	EACH_STRIP(s, lane) {
		vi mem[4];
		read_first(k, &s, run, lane, mem);
		if (k.compare)
			tex_compare_texels(op->sampler, v_loadf(p->compare + lane), mem);
		write(k, &rows, lane, mem);
	}
}

V_INLINE void nearest_of(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p, struct run *run)
{
	if (k.dfmt == DFMT_8_8_8_8 && k.nfmt == NFMT_SRGB)
		nearest_srgb(k, op, p, run);
	else
		nearest_any(k, op, p, run);
}

V_INLINE void nearest(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	struct run run = begin_run(k, op, p);
	if (run.on)
		nearest_of(k, op, p, &run);
	else
		nearest_of(k, op, p, NULL);
}

/* --- bytes --- */

V_INLINE void linear_bytes(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	const struct tex_bytes_constants constants = tex_bytes_constants();
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	struct run run = { .begun = false };
	EACH_STRIP(s, lane) {
		const vi x = v_load(&p->weight[0][lane]), y = v_load(&p->weight[1][lane]);
		struct tex_row row[2];
		vf value[4];
		if (!v_any((x | y) << 24 != 0)) { /* pixel by pixel */
			vi mem[4];
			if (!run.begun)
				run = begin_run(k, op, p);
			read_first(k, &s, &run, lane, mem);
			write(k, &rows, lane, mem);
			continue;
		}
		V_UNROLL
		for (unsigned r = 0; r < 2; r++) {
			vi a[4], b[4];
			if (in_pairs(k, p, lane)) {
				row[r] = tex_load_row(s.base, &p->at[2 * r][lane]);
				continue;
			}
			fetch(k, &s, 2 * r, lane, a);
			fetch(k, &s, 2 * r + 1, lane, b);
			row[r] = tex_row_of(a[0], b[0]);
		}
		tex_weigh_bytes(&constants, row, x, y, value);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			v_storef(rows.row[c] + lane, value[c]);
	}
}

/* --- floats --- */

/* Returns of how many strips lanes' texels were all the same. */
V_INLINE unsigned linear_strips(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	const struct cu_format_layout l = cu_format_layout(k.dfmt);
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	unsigned same = 0;
	EACH_STRIP(s, lane) {
		const vf x = v_loadf(&p->weight[0][lane]);
		const vf y = v_loadf(&p->weight[1][lane]);
		vi tap[4][4], mem[4];
		if (in_pairs(k, p, lane)) {
			tex_fetch_pair(l.bytes, s.base, &p->at[0][lane], tap[0], tap[1]);
			tex_fetch_pair(l.bytes, s.base, &p->at[2][lane], tap[2], tap[3]);
		} else {
			V_UNROLL
			for (unsigned t = 0; t < 4; t++)
				fetch(k, &s, t, lane, tap[t]);
		}
		const vf ref = k.compare ? v_loadf(p->compare + lane) : v_setf(0);
		if (k.look && tex_are_same(tap)) {
			tex_weigh_same(k, tap[0], mem);
			same++;
		} else if (k.nfmt == NFMT_FLOAT && !k.compare && !k.linear && !tex_all_count(x, y)) {
			tex_weigh(k, op->sampler, true, tap, x, y, ref, mem);
		} else {
			tex_weigh(k, op->sampler, false, tap, x, y, ref, mem);
		}
		write(k, &rows, lane, mem);
	}
	return same;
}

V_INLINE void linear(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	linear_strips(k, op, p);
}

/* Lines of a wave's texels, all at once, of lanes at the left and at the right of a block: a strip is so much work that the loads
 * of the next one do not overlap with its own. */
V_INLINE void fetch_lines(const struct tex_footprint *p)
{
	static const uint8_t lanes[] = { 0, 21, 2, 23, 8, 29, 10, 31, 32, 53, 34, 55, 40, 61, 42, 63 };
	if (p->strips != (1u << CU_LANES / VL) - 1)
		return;
	for (unsigned i = 0; i < sizeof lanes; i++)
		for (unsigned row = 0; row < 4; row += 2)
			_mm_prefetch((const char *)p->base + p->at[row][lanes[i]], _MM_HINT_T0);
}

/* Windows, text and sky are of one texel for the most part, photographs nowhere: there the look costs a twentieth. */
enum { VARIED_WAVES = 15 };

V_INLINE void linear_by(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	struct tex_patience *patience = op->plan->patience;
	if (patience->varied) {
		patience->varied--;
		linear(k, op, p);
		return;
	}
	k.look = true;
	if (linear_strips(k, op, p))
		patience->varied_before = 0;
	else if (patience->varied_before < VARIED_WAVES)
		patience->varied_before = 2 * patience->varied_before + 1;
	patience->varied = patience->varied_before;
}

V_INLINE void linear_srgb(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	if (!k.blocks)
		fetch_lines(p);
	k.table = true;
	if (tex_srgb_by_table()) {
		linear_by(k, op, p);
		return;
	}
	k.table = false;
	linear_by(k, op, p);
}

/* Of a texel tile. */
V_INLINE void linear_texels(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	float texel[4];
	vi mem[4];
	if (!p->one_texel) {
		linear(k, op, p);
		return;
	}
	memcpy(texel, s.base + p->at[0][__builtin_ctz(s.strips) * VL], sizeof texel);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		mem[c] = (vi)(c == 3 ? tex_divide(v_setf(texel[c]), 255) : v_setf(texel[c]));
	EACH_STRIP(s, lane) {
		write(k, &rows, lane, mem);
	}
}

/* Texels of four components that are singles, halves, or codes of UNORM of two bytes. */
enum lines { SINGLES, HALVES, CODES };

/* Eight of two bytes. */
V_INLINE __m256 widen(enum lines kind, __m128i words)
{
	return kind == HALVES ? _mm256_cvtph_ps(words) : _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(words));
}

/* Four components of lanes l, l + 4 and on in a line each. */
V_INLINE vf load_lines(enum lines kind, const uint8_t *base, const int32_t at[VL], int l)
{
	if (kind == SINGLES)
		return (vf)v_load_lines_at(16, base, at, l);
	__m128i texel[VL / 4];
	V_UNROLL
	for (int n = 0; n < VL / 4; n++)
		texel[n] = _mm_loadl_epi64((const __m128i *)(base + at[l + 4 * n]));
#if VL == 16
	const __m256 low = widen(kind, _mm_unpacklo_epi64(texel[0], texel[1])), high = widen(kind, _mm_unpacklo_epi64(texel[2], texel[3]));
	return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);
#else
	return (vf)(kind == HALVES ? _mm256_set_m128(_mm_cvtph_ps(texel[1]), _mm_cvtph_ps(texel[0])) :
		widen(kind, _mm_unpacklo_epi64(texel[0], texel[1])));
#endif
}

/* The same of two texels that follow one another in memory. */
V_INLINE void load_line_pairs(enum lines kind, const uint8_t *base, const int32_t at[VL], int l, vf tap[2])
{
	__m256 pair[VL / 4];
	V_UNROLL
	for (int n = 0; n < VL / 4; n++) {
		const uint8_t *p = base + at[l + 4 * n];
		pair[n] = kind == SINGLES ? _mm256_loadu_ps((const float *)p) : widen(kind, _mm_loadu_si128((const __m128i *)p));
	}
#if VL == 16
	const __m512 a = _mm512_insertf32x8(_mm512_castps256_ps512(pair[0]), pair[1], 1);
	const __m512 b = _mm512_insertf32x8(_mm512_castps256_ps512(pair[2]), pair[3], 1);
	tap[0] = (vf)_mm512_shuffle_f32x4(a, b, 0x88);
	tap[1] = (vf)_mm512_shuffle_f32x4(a, b, 0xdd);
#else
	tap[0] = (vf)_mm256_permute2f128_ps(pair[0], pair[1], 0x20);
	tap[1] = (vf)_mm256_permute2f128_ps(pair[0], pair[1], 0x31);
#endif
}

/* Filtered as they lie in memory, lane by lane, and then by component. */
V_INLINE void filter_lines(enum lines kind, bool pairs, bool any, const struct source *s, const struct tex_footprint *p, int lane,
	vf x, vf y, vi mem[4])
{
	const vf wx[4] = { V_QUAD(x, 0), V_QUAD(x, 1), V_QUAD(x, 2), V_QUAD(x, 3) };
	const vf wy[4] = { V_QUAD(y, 0), V_QUAD(y, 1), V_QUAD(y, 2), V_QUAD(y, 3) };
	v_int_reg line[4];
	V_UNROLL
	for (int l = 0; l < 4; l++) {
		vf row[2];
		V_UNROLL
		for (int r = 0; r < 2; r++) {
			const int32_t *first = &p->at[2 * r][lane];
			vf tap[2];
			if (pairs) {
				load_line_pairs(kind, s->base, first, l, tap);
			} else {
				tap[0] = load_lines(kind, s->base, first, l);
				tap[1] = load_lines(kind, s->base, first + CU_LANES, l);
			}
			row[r] = tex_lerp_of(any, tap[0], tap[1], wx[l]);
		}
		line[l] = (v_int_reg)tex_lerp_of(any, row[0], row[1], wy[l]);
	}
	v_transpose(line, mem);
	V_UNROLL
	for (int c = 0; c < 4 && kind == CODES; c++)
		mem[c] = (vi)tex_divide((vf)mem[c], 65535);
}

/* Two of two components, halves or codes, that follow one another, of lanes l, l + 4 and on in a line each; those that are not
 * pairs are CU_LANES apart. */
V_INLINE vf load_twos(enum lines kind, bool pairs, const uint8_t *base, const int32_t at[VL], int l)
{
	__m256 two[VL / 8];
	V_UNROLL
	for (int n = 0; n < VL / 8; n++) {
		const int32_t *first = at + l + 8 * n;
		if (pairs)
			two[n] = widen(kind, _mm_castpd_si128(tex_two_qwords(base, first[0], first[4])));
		else
			two[n] = widen(kind, v_four_dwords(base, (const int32_t[4]){ first[0], first[CU_LANES], first[4], first[CU_LANES + 4] }));
	}
#if VL == 16
	return (vf)_mm512_insertf32x8(_mm512_castps256_ps512(two[0]), two[1], 1);
#else
	return (vf)two[0];
#endif
}

/* The same of texels of two components: two lanes in a line. */
V_INLINE void filter_twos(enum lines kind, bool pairs, bool any, const struct source *s, const struct tex_footprint *p, int lane,
	vf x, vf y, vi mem[4])
{
	vf by_lane[2];
	V_UNROLL
	for (int h = 0; h < 2; h++) {
		const vf wx = (vf)(h ? V_TWO(unpackhi_epi32, (vi)x, (vi)x) : V_TWO(unpacklo_epi32, (vi)x, (vi)x));
		const vf wy = (vf)(h ? V_TWO(unpackhi_epi32, (vi)y, (vi)y) : V_TWO(unpacklo_epi32, (vi)y, (vi)y));
		vf row[2];
		V_UNROLL
		for (int r = 0; r < 2; r++) {
			const int32_t *first = &p->at[2 * r][lane];
			const vf a = load_twos(kind, pairs, s->base, first, 2 * h), b = load_twos(kind, pairs, s->base, first, 2 * h + 1);
			const vf from = (vf)V_TWO(unpacklo_epi64, (vi)a, (vi)b), to = (vf)V_TWO(unpackhi_epi64, (vi)a, (vi)b);
			row[r] = tex_lerp_of(any, from, to, wx);
		}
		by_lane[h] = tex_lerp_of(any, row[0], row[1], wy);
	}
	mem[0] = (vi)V_OP(shuffle_ps)((v_float_reg)by_lane[0], (v_float_reg)by_lane[1], 0x88);
	mem[1] = (vi)V_OP(shuffle_ps)((v_float_reg)by_lane[0], (v_float_reg)by_lane[1], 0xdd);
	mem[2] = v_set(0);
	mem[3] = (vi)v_setf(1);
	V_UNROLL
	for (int c = 0; c < 2 && kind == CODES; c++)
		mem[c] = (vi)tex_divide((vf)mem[c], 65535);
}

V_INLINE void filter_strip(struct tex_texel k, bool pairs, const struct source *s, const struct tex_footprint *p, int lane, vi mem[4])
{
	const vf x = v_loadf(&p->weight[0][lane]), y = v_loadf(&p->weight[1][lane]);
	const enum lines kind = k.dfmt == DFMT_32_32_32_32 ? SINGLES : k.nfmt == NFMT_FLOAT ? HALVES : CODES;
	if (k.dfmt == DFMT_16_16 && kind != CODES && !tex_all_count(x, y))
		filter_twos(kind, pairs, true, s, p, lane, x, y, mem);
	else if (k.dfmt == DFMT_16_16)
		filter_twos(kind, pairs, false, s, p, lane, x, y, mem);
	else if (kind != CODES && !tex_all_count(x, y))
		filter_lines(kind, pairs, true, s, p, lane, x, y, mem);
	else
		filter_lines(kind, pairs, false, s, p, lane, x, y, mem);
}

V_INLINE void linear_lines(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	EACH_STRIP(s, lane) {
		vi mem[4];
		if (in_pairs(k, p, lane))
			filter_strip(k, true, &s, p, lane, mem);
		else
			filter_strip(k, false, &s, p, lane, mem);
		write(k, &rows, lane, mem);
	}
}

/* Of any format. */
V_INLINE void linear_any(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	const struct source s = source_of(k, op, p);
	const struct rows rows = rows_of(p);
	const bool any = op->image->level->nfmt == NFMT_FLOAT || k.blocks;
	EACH_STRIP(s, lane) {
		const vf x = v_loadf(&p->weight[0][lane]);
		const vf y = v_loadf(&p->weight[1][lane]);
		vi raw[4][4], tap[4][4], mem[4];
		if (in_pairs(k, p, lane)) {
			tex_fetch_pair(op->image->level->bpe, s.base, &p->at[0][lane], raw[0], raw[1]);
			tex_fetch_pair(op->image->level->bpe, s.base, &p->at[2][lane], raw[2], raw[3]);
		} else {
			for (unsigned t = 0; t < 4; t++)
				fetch(k, &s, t, lane, raw[t]);
		}
		for (unsigned t = 0; t < 4; t++)
			op->image->decode(raw[t], tap[t]);
		for (unsigned c = 0; c < 4; c++)
			mem[c] = (vi)tex_lerp_of(any, tex_lerp_of(any, (vf)tap[0][c], (vf)tap[1][c], x), tex_lerp_of(any, (vf)tap[2][c], (vf)tap[3][c], x), y);
		write(k, &rows, lane, mem);
	}
}

V_INLINE void linear_of_kind(struct tex_texel k, const struct tex_op *op, const struct tex_footprint *p)
{
	if (k.dfmt == DFMT_8_8_8_8 && k.nfmt == NFMT_UNORM)
		linear_bytes(k, op, p);
	else if (k.dfmt == DFMT_8_8_8_8 && k.nfmt == NFMT_SRGB)
		linear_srgb(k, op, p);
	else if (!k.blocks && (k.nfmt == NFMT_FLOAT || k.nfmt == NFMT_UNORM) &&
		(k.dfmt == DFMT_16_16 || k.dfmt == DFMT_16_16_16_16 || k.dfmt == DFMT_32_32_32_32))
		linear_lines(k, op, p);
	else
		linear(k, op, p);
}

/* --- the table --- */

#define FUNCTION(name, body, ...) \
static void name(const struct tex_op *op, const struct tex_footprint *p) { body((struct tex_texel){ __VA_ARGS__ }, op, p); }

#define K(name, condition, dfmt, nfmt) \
	FUNCTION(run_nearest_##name, nearest, DFMT_##dfmt, NFMT_##nfmt, false, false) \
	FUNCTION(run_linear_##name, linear_of_kind, DFMT_##dfmt, NFMT_##nfmt, false, false)
TEX_KERNELS(K)
#undef K
#define K(name, condition, dfmt, nfmt) \
	FUNCTION(run_nearest_##name, nearest, DFMT_##dfmt, NFMT_##nfmt, false, true) \
	FUNCTION(run_linear_##name, linear, DFMT_##dfmt, NFMT_##nfmt, false, true)
TEX_COMPARE_KERNELS(K)
#undef K
#define K(name, condition, dfmt, nfmt) \
	FUNCTION(run_nearest_blocks_##name, nearest, DFMT_##dfmt, NFMT_##nfmt, true, false) \
	FUNCTION(run_linear_blocks_##name, linear_of_kind, DFMT_##dfmt, NFMT_##nfmt, true, false)
TEX_BLOCK_KERNELS(K)
#undef K
FUNCTION(run_nearest_bc1, nearest, DFMT_8_8_8_8, NFMT_UNORM, false, false, false, true)
FUNCTION(run_nearest_bc1_srgb, nearest, DFMT_8_8_8_8, NFMT_SRGB, false, false, false, true)
FUNCTION(run_nearest_blocks_any, nearest, DFMT_INVALID, 0, true, false)
FUNCTION(run_linear_blocks_any, linear_any, DFMT_INVALID, 0, true, false)
FUNCTION(run_linear_texels, linear_texels, DFMT_32_32_32_32, NFMT_FLOAT, false, false, true)
FUNCTION(run_nearest_any, nearest, DFMT_INVALID, 0, false, false)
FUNCTION(run_linear_any, linear_any, DFMT_INVALID, 0, false, false)

void tex_choose_filters(struct tex_plan *plan, const struct tex_image *img)
{
	const unsigned dfmt = img->block ? img->block->dfmt : img->level->dfmt;
	const unsigned nfmt = img->block ? img->block->nfmt : img->level->nfmt;
#define IS(d, n) (dfmt == DFMT_##d && nfmt == NFMT_##n)
#define CHOOSE(to, name, condition) \
	if (!plan->filter[to][0] && (condition)) { \
		plan->filter[to][0] = run_nearest_##name; \
		plan->filter[to][1] = run_linear_##name; \
	}
#define K(name, condition, d, n) CHOOSE(0, name, condition)
#define K_COMPARE(name, condition, d, n) CHOOSE(1, name, condition)
#define K_BLOCKS(name, condition, d, n) CHOOSE(0, blocks_##name, condition)
#define K_TILE(name, condition, d, n) \
	if (condition) { \
		plan->tile[0] = run_nearest_##name; \
		plan->tile[1] = run_linear_##name; \
	}
	memset(plan->filter, 0, sizeof plan->filter);
	memset(plan->tile, 0, sizeof plan->tile);
	plan->bytes = IS(8_8_8_8, UNORM);
	if (img->block) {
		TEX_BLOCK_KERNELS(K_BLOCKS)
		CHOOSE(0, blocks_any, true)
		if (tex_can_tile(img->block)) {
			TEX_BLOCK_KERNELS(K_TILE)
		}
		if (img->level->dfmt == DFMT_BC1) {
			plan->filter[0][0] = nfmt == NFMT_SRGB ? run_nearest_bc1_srgb : run_nearest_bc1;
			plan->tile[0] = NULL;
		}
		return;
	}
	if (IS(8_8_8_8, SRGB))
		plan->tile[1] = run_linear_texels;
	TEX_KERNELS(K)
	TEX_COMPARE_KERNELS(K_COMPARE)
	CHOOSE(0, any, true)
}
