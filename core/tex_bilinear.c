/* Bilinear filtering of 8_8_8_8 UNORM in rows, without border: the two texels of
 * a row come from one 64-bit gather, are weighed as 16-bit integers, and the
 * rows as floats.
 *
 * The weight along x has 14 bits; 8 are asked for.  Equal texels give exactly
 * their value. */
#include "core/tex_filter.h"

enum { WEIGHT_BITS = 14 };

/* What a kernel is specialised for: how both axes wrap, and that there is but one level. */
enum wrap { WRAP_POW2, WRAP_CLAMP, WRAP_ANY };
struct kind { enum wrap wrap; bool one_level; };

/* Texel pairs of one row: a qword a lane, the lower half of the lanes in v[0]. */
struct row { vi v[2]; };

#if CU_LEVEL == 4
V_INLINE vi gather_half(const uint8_t *base, vi offset, vi live, int half)
{
	__m256i at = half ? _mm512_extracti64x4_epi64((__m512i)offset, 1) : _mm512_castsi512_si256((__m512i)offset);
	return (vi)_mm512_mask_i32gather_epi64(_mm512_setzero_si512(), (__mmask8)(v_bits(live) >> 8 * half), at, base, 1);
}
#define PER_LINE(v) (vi)_mm512_broadcast_i32x4(v)
#else
V_INLINE vi gather_half(const uint8_t *base, vi offset, vi live, int half)
{
	__m128i at = half ? _mm256_extracti128_si256((__m256i)offset, 1) : _mm256_castsi256_si128((__m256i)offset);
	__m128i on = half ? _mm256_extracti128_si256((__m256i)live, 1) : _mm256_castsi256_si128((__m256i)live);
	return (vi)_mm256_mask_i32gather_epi64(_mm256_setzero_si256(), (const void *)base, at,
		_mm256_cvtepi32_epi64(on), 1);
}
#define PER_LINE(v) (vi)_mm256_broadcastsi128_si256(v)
#endif

/* Where a level's pairs are. */
struct pairs {
	vi row[2];   /* byte offset of each row's pair */
	vi shift;    /* the pair begins one texel too early: the first is its second */
	vi apart;    /* the second texel does not follow the first; it is at second[] */
	vi second[2];
	vf weight[2];
};

V_INLINE struct tex_lanes_level level_of(struct kind kind, const struct tex_image *img, vi level)
{
	if (!kind.one_level)
		return tex_level_of(img, level);
	return (struct tex_lanes_level){ .size = { v_set(img->size[0][0]), v_set(img->size[1][0]) },
		.pitch = v_set(img->pitch[0]), .stride = v_set(img->stride32[0]), .offset = v_set(img->offset32[0]) };
}

V_INLINE vi wrap(struct kind kind, const struct tex_op *op, unsigned d, vi i, vi size)
{
	vi border = v_set(0); /* there is none */
	if (kind.wrap == WRAP_ANY)
		return tex_wrap(i, size, op->sampler.clamp[d], op->image.pow2[d], &border);
	return tex_wrap(i, size, kind.wrap == WRAP_POW2 ? S_WRAP : S_CLAMP_LAST_TEXEL, true, &border);
}

V_INLINE void find_pairs(struct kind kind, const struct tex_op *op, const struct tex_strip *st, vi level,
	struct pairs *p)
{
	struct tex_lanes_level lv = level_of(kind, &op->image, level);
	struct tex_axis x, y;
	tex_axis_indices(tex_texels(op, st, &lv, 0), st->offset[0], v_set(-1), &x);
	tex_axis_indices(tex_texels(op, st, &lv, 1), st->offset[1], v_set(-1), &y);
	V_UNROLL
	for (int k = 0; k < 2; k++) {
		x.i[k] = wrap(kind, op, 0, x.i[k], lv.size[0]);
		y.i[k] = wrap(kind, op, 1, y.i[k], lv.size[1]);
	}
	p->weight[0] = x.weight;
	p->weight[1] = y.weight;
	p->apart = x.i[1] - x.i[0] != 1;
	/* A row's last texel has no successor, maybe not even in memory.  Rows have
	 * 64 bytes and more, so an only texel has. */
	p->shift = (x.i[0] == lv.size[0] - 1) & (lv.size[0] > 1);
	vi base = lv.offset + st->slice * lv.stride;
	V_UNROLL
	for (int k = 0; k < 2; k++) {
		vi row = base + y.i[k] * lv.pitch;
		p->row[k] = row + ((x.i[0] + p->shift) << 2);
		p->second[k] = row + (x.i[1] << 2);
	}
}

V_INLINE struct row load_row(const struct tex_op *op, vi live, const struct pairs *p, int k, bool apart)
{
	struct row r;
	V_UNROLL
	for (int half = 0; half < 2; half++)
		r.v[half] = gather_half(op->image.base, p->row[k], live, half);
	if (apart) {
		vi first = v_sel(p->shift, v_odd(r.v[0], r.v[1]), v_even(r.v[0], r.v[1]));
		vi second = v_sel(p->apart, v_gather_mask(op->image.base, p->second[k], live & p->apart),
			v_odd(r.v[0], r.v[1]));
		r.v[0] = v_zip_low(first, second);
		r.v[1] = v_zip_high(first, second);
	}
	return r;
}

/* Components 2 n and 2 n + 1 of both rows, weighed; scaled by 255 << WEIGHT_BITS. */
V_INLINE void weigh(const struct row row[2], const vi wx[2], const vf wy[2], int n, vf *a, vf *b)
{
	const __m128i pick = _mm_add_epi8(_mm_set1_epi8((char)(2 * n)),
		_mm_setr_epi8(0, -128, 4, -128, 1, -128, 5, -128, 8, -128, 12, -128, 9, -128, 13, -128));
	vf out[2];
	V_UNROLL
	for (int half = 0; half < 2; half++) {
		vf line[2];
		V_UNROLL
		for (int k = 0; k < 2; k++) {
			vi words = (vi)V_OP(shuffle_epi8)((v_int_reg)row[k].v[half], (v_int_reg)PER_LINE(pick));
			line[k] = v_float((vi)V_OP(madd_epi16)((v_int_reg)words, (v_int_reg)wx[half]));
		}
		out[half] = tex_lerp(line[0], line[1], wy[half]);
	}
	*a = (vf)v_even((vi)out[0], (vi)out[1]);
	*b = (vf)v_odd((vi)out[0], (vi)out[1]);
}

V_INLINE void filter_pairs(const struct tex_op *op, const struct pairs *p, vi live, unsigned need, vf out[4])
{
	struct row row[2];
	bool apart = v_any(p->apart & live);
	V_UNROLL
	for (int k = 0; k < 2; k++)
		row[k] = load_row(op, live, p, k, apart);
	vi second = (vi)V_OP(cvtps_epi32)(p->weight[0] * v_setf(1 << WEIGHT_BITS));
	vi both = second << 16 | ((1 << WEIGHT_BITS) - second), y = (vi)p->weight[1];
	const vi wx[2] = { v_zip_low(both, both), v_zip_high(both, both) };
	const vf wy[2] = { (vf)v_zip_low(y, y), (vf)v_zip_high(y, y) };
	if (need & 3)
		weigh(row, wx, wy, 0, &out[0], &out[1]);
	if (need & 12)
		weigh(row, wx, wy, 1, &out[2], &out[3]);
}

V_INLINE void read_level(struct kind kind, const struct tex_op *op, const struct tex_strip *st, vi level, unsigned need,
	vf out[4])
{
	struct pairs p;
	find_pairs(kind, op, st, level, &p);
	filter_pairs(op, &p, st->live, need, out);
}

/* v / (255 << WEIGHT_BITS), as exact as tex_divide. */
V_INLINE vf unscale(vf v)
{
	const float hi = 1.0f / 255, lo = (float)(1.0 / 255 - (double)hi), unit = 1.0f / (1 << WEIGHT_BITS);
	return v_fma(v, v_setf(hi * unit), v * v_setf(lo * unit));
}

/* All four channels where memory has them. */
static bool writes_all(const struct tex_op *op)
{
	const uint8_t *sel = op->image.sel;
	return op->in->dmask == 15 && sel[0] == SEL_R && sel[1] == SEL_G && sel[2] == SEL_B && sel[3] == SEL_A;
}

V_INLINE void write_channels(struct tex_op *op, bool all, int lane, vi live, const vf value[4])
{
	vi mem[4];
	unsigned n = 0;
	if (all && !v_any(~live)) {
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			v_store(&op->data[c][lane], (vi)unscale(value[c]));
		return;
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		mem[c] = (vi)unscale(value[c]);
	for (unsigned c = 0; c < 4; c++)
		if (op->in->dmask >> c & 1)
			tex_write(op, n++, lane, live, tex_channel(&op->image, mem, c));
}

V_INLINE void bilinear(struct kind kind, struct tex_op *op, int lane, struct tex_strip *st)
{
	unsigned need = tex_needed(op, op->in->dmask);
	vi first = v_set(0), second;
	vf delta, value[4], more[4];
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		value[c] = more[c] = v_setf(0);
	if (!kind.one_level)
		tex_select_levels(op, st->lambda, &first, &second, &delta);
	read_level(kind, op, st, first, need, value);
	if (!kind.one_level && v_any((delta > v_setf(0)) & st->live)) {
		read_level(kind, op, st, second, need, more);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			value[c] = v_self(delta > v_setf(0), tex_lerp(value[c], more[c], delta), value[c]);
	}
	write_channels(op, writes_all(op), lane, st->live, value);
}

/* The usual instruction: one level, and coordinates alone.  Addresses first, so
 * that the strips' chains of operations overlap. */
V_INLINE void bilinear_wave(enum wrap wrap, struct tex_op *op)
{
	enum { STRIPS = CU_LANES / VL };
	const struct kind kind = { wrap, true };
	unsigned need = tex_needed(op, op->in->dmask);
	bool all = writes_all(op);
	struct pairs p[STRIPS];
	for (int i = 0; i < STRIPS; i++) {
		struct tex_strip st;
		st.coord[0] = (vf)v_load(&op->address[0][i * VL]);
		st.coord[1] = (vf)v_load(&op->address[1][i * VL]);
		st.offset[0] = st.offset[1] = st.slice = v_set(0);
		find_pairs(kind, op, &st, v_set(0), &p[i]);
	}
	for (int i = 0; i < STRIPS; i++) {
		uint32_t lanes = tex_live(op->w, i * VL);
		vf value[4];
		if (!lanes)
			continue;
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			value[c] = v_setf(0);
		filter_pairs(op, &p[i], v_mask_of(lanes), need, value);
		write_channels(op, all, i * VL, v_mask_of(lanes), value);
	}
}

#define KERNELS(K) K(WRAP_POW2, true) K(WRAP_POW2, false) K(WRAP_CLAMP, true) K(WRAP_CLAMP, false) \
	K(WRAP_ANY, true) K(WRAP_ANY, false)
#define K(w, one) \
static void bilinear_##w##_##one(struct tex_op *op, int lane, struct tex_strip *st) \
{ \
	bilinear((struct kind){ w, one }, op, lane, st); \
}
KERNELS(K)
#undef K

static enum wrap wrap_of(const struct tex_op *op)
{
	const uint8_t *clamp = op->sampler.clamp;
	if (clamp[0] == S_WRAP && clamp[1] == S_WRAP && op->image.pow2[0] && op->image.pow2[1])
		return WRAP_POW2;
	return clamp[0] == S_CLAMP_LAST_TEXEL && clamp[1] == S_CLAMP_LAST_TEXEL ? WRAP_CLAMP : WRAP_ANY;
}

static bool applies(const struct tex_op *op)
{
	const struct tex_image *img = &op->image;
	return img->dfmt == DFMT_8_8_8_8 && img->nfmt == NFMT_UNORM && img->tiling == TILING_LINEAR &&
		!op->sampler.any_border && !(op->flags & TEX_C);
}

tex_strip_fn tex_bilinear_path(const struct tex_op *op)
{
#define K(w, one) [2 * w + one] = bilinear_##w##_##one,
	static const tex_strip_fn kernel[] = { KERNELS(K) };
#undef K
	return applies(op) ? kernel[2 * wrap_of(op) + (op->image.levels == 1)] : NULL;
}

bool tex_bilinear_wave(struct tex_op *op)
{
	const struct tex_image *img = &op->image;
	const struct tex_sampler *smp = &op->sampler;
	bool plain = (op->flags & TEX_KIND) == TEX_SAMPLE && !(op->flags & (TEX_O | TEX_B | TEX_C | TEX_D)) &&
		img->dims == 2 && !img->cube && !img->arrayed && !img->wide && img->levels == 1;
	if (!plain || !smp->mag_linear || !smp->min_linear || !applies(op))
		return false;
	switch (wrap_of(op)) {
	case WRAP_POW2: bilinear_wave(WRAP_POW2, op); break;
	case WRAP_CLAMP: bilinear_wave(WRAP_CLAMP, op); break;
	case WRAP_ANY: bilinear_wave(WRAP_ANY, op); break;
	}
	return true;
}
