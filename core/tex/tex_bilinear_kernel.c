/* SPDX-License-Identifier: MIT */
/* Bilinear filtering of 8_8_8_8 UNORM in rows, without border.
 *
 * The two texels of a row come from one 64-bit gather.  They are weighed along x
 * as bytes, two a multiply-add, and the rows along y as words; all of that is
 * exact.  Weights along x are multiples of 1/240, so that sixteenths are exact and
 * nothing is further off than 1/480; 8 bits are asked for.  Those along y are
 * multiples of 1/24576.  With these two numbers one multiplication gives the
 * correctly rounded c / 255 where all texels are c, for each of the 256. */
#include "core/tex/tex_filter.h"
#include "core/tex/tex_output.h"

enum { SUM_X = 240, SUM_Y = 24576, BIAS = 128 * SUM_X * SUM_Y };
enum { TWO_23 = 0x4b000000 }; /* as a float */

/* What a kernel is specialised for: how both axes wrap, that there is but one level,
 * and that there is neither a slice nor an offset to add. */
enum wrap { WRAP_POW2, WRAP_CLAMP, WRAP_ANY };
struct kind { enum wrap wrap; bool one_level, plain; };

/* A level of the image, by lane; in texels.  By one level alone: wrap, of addresses of
 * rows, and shift, the pitch's logarithm, where sizes are powers of two. */
struct plane { const uint8_t *memory; vf scale[2]; vi last[2], pitch, stride, base, wrap, shift; };

/* Where a level's pairs are. */
struct pairs {
	vi row[2];    /* each row's pair, in texels from plane.memory */
	vi apart;     /* the second texel does not follow the first; not with WRAP_CLAMP */
	vi shift;     /* WRAP_ANY's and see_apart's: the pair begins one texel too early */
	vi second[2]; /* likewise: where the second texels are that are apart */
	vf weight[2];
};

/* A row of texels, a qword a pair: lanes 0, 1, 4, 5, ... and lanes 2, 3, 6, 7, ...
 * so that the unpacking of 128-bit lanes brings them into order. */
struct row { vi v[2]; };

#if CU_LEVEL == 4
#define PER_LINE(v) (vi)_mm512_broadcast_i32x4(v)
#define load_row gather_row
V_INLINE struct row gather_row(const uint8_t *base, vi offset)
{
	__m512i at = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), (__m512i)offset);
	return (struct row){ { (vi)_mm512_i32gather_epi64(_mm512_castsi512_si256(at), base, 4),
		(vi)_mm512_i32gather_epi64(_mm512_extracti64x4_epi64(at, 1), base, 4) } };
}
#else
#define PER_LINE(v) (vi)_mm256_broadcastsi128_si256(v)
V_INLINE struct row gather_row(const uint8_t *base, vi offset)
{
	__m256i at = _mm256_permute4x64_epi64((__m256i)offset, 0xd8);
	return (struct row){ { (vi)_mm256_i32gather_epi64((const void *)base, _mm256_castsi256_si128(at), 4),
		(vi)_mm256_i32gather_epi64((const void *)base, _mm256_extracti128_si256(at, 1), 4) } };
}

V_INLINE __m128d load_two(const uint8_t *base, int32_t first, int32_t second)
{
	__m128d v = _mm_load_sd((const double *)(base + 4 * (ptrdiff_t)first));
	return _mm_loadh_pd(v, (const double *)(base + 4 * (ptrdiff_t)second));
}

/* gather_row by single loads.  Alone either is slower than one row by each: loads fill
 * the time that gathers leave the rest of the core idle. */
V_INLINE struct row load_row(const uint8_t *base, vi offset)
{
	alignas(32) int32_t at[VL];
	v_store(at, offset);
	__asm__("" : "+m"(at)); /* in memory indeed, not taken from the vector one by one */
	return (struct row){
		{ (vi)_mm256_insertf128_pd(_mm256_castpd128_pd256(load_two(base, at[0], at[1])), load_two(base, at[4], at[5]), 1),
		(vi)_mm256_insertf128_pd(_mm256_castpd128_pd256(load_two(base, at[2], at[3])), load_two(base, at[6], at[7]), 1) } };
}
#endif
#define V_TWO(op, a, b) (vi)V_OP(op)((v_int_reg)(a), (v_int_reg)(b))

/* Constants of the loop over strips: opaque, so that they are not made anew in it. */
struct constants { vi bias, sum_x, sum_y, ones, flip, by_component, low, high; vf half, whole, to_x, to_y, unit; };

V_INLINE struct constants constants(void)
{
	const __m128i by_component = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
	return (struct constants){ v_opaque(v_set(BIAS)), v_opaque(v_set(SUM_X)),
		v_opaque(v_set(SUM_Y + (int32_t)TWO_23)), v_opaque(v_set(0x00ff00ff)),
		v_opaque(v_set((int32_t)0x80808080)), v_opaque(PER_LINE(by_component)), v_opaque(v_set(0x05040100)),
		v_opaque(v_set(0x0d0c0908)), (vf)v_opaque((vi)v_setf(-0.5f)),
		(vf)v_opaque(v_set((int32_t)TWO_23)), (vf)v_opaque((vi)v_setf(SUM_X)),
		(vf)v_opaque((vi)v_setf(SUM_Y)), (vf)v_opaque((vi)v_setf(0x1.6d8446p-31f)) /* 1 / (255 * SUM_X * SUM_Y) */ };
}

V_INLINE void set_plane(const struct tex_op *op, const struct tex_lanes_level *lv, struct plane *p)
{
	for (int d = 0; d < 2; d++) {
		p->last[d] = v_opaque(lv->size[d] - 1);
		p->scale[d] = op->sampler->unnormalized ? v_setf(1) : v_float(lv->size[d]);
	}
	p->pitch = v_shr(lv->pitch, 2);
	p->stride = v_shr(lv->stride, 2);
	p->base = v_shr(lv->offset, 2);
}

/* One level, the same for all lanes. */
V_INLINE struct plane plane_at(const struct tex_op *op, int32_t level)
{
	const struct tex_image *img = op->image;
	const struct tex_lanes_level lv = { .size = { v_set(img->size[0][level]), v_set(img->size[1][level]) },
		.pitch = v_set(img->pitch[level]), .stride = v_set(img->stride[level]), .offset = v_set(0) };
	struct plane p = { .memory = img->level[level].base };
	set_plane(op, &lv, &p);
	p.shift = v_set(__builtin_ctz((uint32_t)img->pitch[level]) - 2);
	p.wrap = v_opaque(v_set((img->pitch[level] >> 2) * img->size[1][level] - 1));
	return p;
}

/* A level by lane. */
V_INLINE struct plane plane_of(const struct tex_op *op, vi level)
{
	const struct tex_lanes_level lv = tex_level_of(op->image, level);
	struct plane p = { .memory = op->image->base };
	set_plane(op, &lv, &p);
	return p;
}

/* Index of the first of two texels and weight of the second, where wrapping is
 * known.  Where a clamped coordinate leaves the image, the last but one texel is
 * first and the last has all the weight: so the second always follows.  Infinite
 * coordinates give some texel, NaN too. */
V_INLINE vi first_texel(const struct constants *k, struct kind kind, const struct plane *p, unsigned d,
	const struct tex_strip *st, vf *weight)
{
	vf u = v_fma(st->coord[d], p->scale[d], k->half), zero = v_setf(0);
	if (kind.wrap == WRAP_CLAMP) {
		vf last = v_float(p->last[d]);
		if (!kind.plain)
			u = u + v_float(st->offset[d]);
		u = v_minf(v_maxf(u, zero), last);
		vi i = v_min(v_trunc(u), v_max(p->last[d] - 1, v_set(0)));
		*weight = u - v_float(i);
		return i;
	}
	vf whole = v_floor(u);
	*weight = v_maxf(u - whole, zero);
	vi i = v_trunc(whole);
	return (kind.plain ? i : i + st->offset[d]) & p->last[d];
}

V_INLINE void find_known(const struct constants *k, struct kind kind, const struct plane *p, const struct tex_strip *st,
	struct pairs *out)
{
	vi x = first_texel(k, kind, p, 0, st, &out->weight[0]), y = first_texel(k, kind, p, 1, st, &out->weight[1]);
	vi base = x;
	if (!kind.one_level)
		base += p->base;
	if (!kind.plain)
		base += st->slice * p->stride;
	out->apart = kind.wrap == WRAP_POW2 ? x == p->last[0] : v_set(0);
	if (kind.wrap == WRAP_POW2 && kind.one_level) {
		vi row = y << p->shift;
		out->row[0] = base + row;
		out->row[1] = base + ((row + p->pitch) & p->wrap);
		return;
	}
	out->row[0] = base + y * p->pitch;
	if (kind.wrap == WRAP_POW2)
		out->row[1] = base + ((y + 1) & p->last[1]) * p->pitch;
	else
		out->row[1] = out->row[0] + (p->pitch & (p->last[1] > 0));
}

/* Pairs at the end of their rows: the second texel is the row's first. */
V_INLINE void see_apart(const struct plane *p, struct pairs *out)
{
	/* A row's last texel has no successor, maybe not even in memory.  Rows have
	 * 64 bytes and more, so an only texel has. */
	out->shift = out->apart & (p->last[0] > 0);
	V_UNROLL
	for (int k = 0; k < 2; k++) {
		out->second[k] = out->row[k] - p->last[0];
		out->row[k] += out->shift; /* 0 or -1 */
	}
}

V_INLINE void find_any(const struct tex_op *op, const struct plane *p, const struct tex_strip *st, struct pairs *out)
{
	struct tex_axis a[2];
	vi border = v_set(0); /* there is none */
	V_UNROLL
	for (int d = 0; d < 2; d++) {
		tex_axis_indices(st->coord[d] * p->scale[d], st->offset[d], v_set(-1), &a[d]);
		V_UNROLL
		for (int k = 0; k < 2; k++)
			a[d].i[k] = tex_wrap(a[d].i[k], p->last[d] + 1, op->sampler->clamp[d], op->image->pow2[d], &border);
		out->weight[d] = a[d].weight;
	}
	out->apart = a[0].i[1] - a[0].i[0] != 1;
	out->shift = (a[0].i[0] == p->last[0]) & (p->last[0] > 0);
	V_UNROLL
	for (int k = 0; k < 2; k++) {
		vi row = p->base + st->slice * p->stride + a[1].i[k] * p->pitch;
		out->row[k] = row + a[0].i[0] + out->shift;
		out->second[k] = row + a[0].i[1];
	}
}

/* A row where some second texels are apart. */
static struct row gather_apart(const uint8_t *base, const struct pairs *p, int k)
{
	struct row r = gather_row(base, p->row[k]);
	vi low = V_TWO(unpacklo_epi64, r.v[0], r.v[1]), high = V_TWO(unpackhi_epi64, r.v[0], r.v[1]);
	/* lanes 0, 2, ... and 1, 3, ... of each four to first and second texels in order */
	vi even = V_TWO(unpacklo_epi32, low, high), odd = V_TWO(unpackhi_epi32, low, high);
	vi one = V_TWO(unpacklo_epi64, even, odd), two = V_TWO(unpackhi_epi64, even, odd);
	vi first = v_sel(p->shift, two, one);
	vi second = v_sel(p->apart, v_gather_mask(base, p->second[k] << 2, p->apart), two);
	return (struct row){ { V_TWO(unpacklo_epi32, first, second), V_TWO(unpackhi_epi32, first, second) } };
}

/* Texels less 128, weighed along x: words of components 0 of two lanes, 1, 2, 3. */
V_INLINE vi weigh_pairs(const struct constants *k, vi texels, vi weights)
{
	vi bytes = V_TWO(shuffle_epi8, texels, k->by_component) ^ k->flip;
	return V_TWO(maddubs_epi16, weights, bytes);
}

/* The four components by lane, scaled by 255 * SUM_X * SUM_Y. */
V_INLINE void weigh(const struct constants *k, const struct row row[2], const vf weight[2], vf out[4])
{
	/* The sums with 2^23 are integers, with its exponent above them. */
	vi x = (vi)v_fma(weight[0], k->to_x, k->whole), y = (vi)v_fma(weight[1], k->to_y, k->whole);
	x = V_TWO(add_epi16, V_TWO(mullo_epi16, x, k->ones), k->sum_x); /* bytes: weight of the first texel, of the second */
	y = (y << 16) - y + k->sum_y; /* words */
	const vi wx[2] = { V_TWO(shuffle_epi8, x, k->low), V_TWO(shuffle_epi8, x, k->high) };
	const vi wy[2] = { V_TWO(unpacklo_epi64, y, y), V_TWO(unpackhi_epi64, y, y) };
	vi low[2], high[2];
	V_UNROLL
	for (int half = 0; half < 2; half++) {
		vi a = weigh_pairs(k, row[0].v[half], wx[half]), b = weigh_pairs(k, row[1].v[half], wx[half]);
		low[half] = V_TWO(madd_epi16, V_TWO(unpacklo_epi16, a, b), wy[half]);
		high[half] = V_TWO(madd_epi16, V_TWO(unpackhi_epi16, a, b), wy[half]);
	}
	out[0] = v_float(V_TWO(unpacklo_epi64, low[0], low[1]) + k->bias);
	out[1] = v_float(V_TWO(unpackhi_epi64, low[0], low[1]) + k->bias);
	out[2] = v_float(V_TWO(unpacklo_epi64, high[0], high[1]) + k->bias);
	out[3] = v_float(V_TWO(unpackhi_epi64, high[0], high[1]) + k->bias);
}

V_INLINE void read_level(const struct constants *k, struct kind kind, const struct tex_op *op, const struct plane *plane, const struct tex_strip *st,
	vf out[4])
{
	struct pairs p;
	struct row row[2];
	if (kind.wrap == WRAP_ANY)
		find_any(op, plane, st, &p);
	else
		find_known(k, kind, plane, st, &p);
	if (kind.wrap != WRAP_CLAMP && __builtin_expect(v_any(p.apart), 0)) {
		if (kind.wrap == WRAP_POW2)
			see_apart(plane, &p);
		row[0] = gather_apart(plane->memory, &p, 0);
		row[1] = gather_apart(plane->memory, &p, 1);
	} else {
		row[0] = gather_row(plane->memory, p.row[0]);
		row[1] = load_row(plane->memory, p.row[1]);
	}
	weigh(k, row, p.weight, out);
}

V_INLINE void write_strip(const struct constants *k, const struct tex_outputs *o, bool whole, int lane, uint32_t lanes,
	const vf value[4])
{
	vi mem[4];
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		mem[c] = (vi)(value[c] * k->unit);
	tex_write_strip(o, whole, lane, lanes, mem);
}

/* The levels of one strip, each lane's own. */
V_INLINE void read_levels(const struct constants *k, struct kind kind, const struct tex_op *op, const struct tex_strip *st,
	vf value[4])
{
	vi first, second;
	vf delta, more[4];
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	struct plane plane = plane_of(op, first);
	read_level(k, kind, op, &plane, st, value);
	if (!v_any((delta > v_setf(0)) & st->live))
		return;
	plane = plane_of(op, second);
	read_level(k, kind, op, &plane, st, more);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		value[c] = tex_lerp(value[c], more[c], delta);
}

V_INLINE void bilinear_strip(struct kind kind, struct tex_op *op, int lane, struct tex_strip *st)
{
	const struct constants k = constants();
	struct tex_outputs out;
	vf value[4];
	tex_find_outputs(op, &out);
	if (kind.one_level) {
		struct plane only = plane_at(op, 0);
		read_level(&k, kind, op, &only, st, value);
	} else {
		read_levels(&k, kind, op, st, value);
	}
	write_strip(&k, &out, false, lane, tex_live(op->w, lane), value);
}

V_INLINE void read_coords(const struct tex_op *op, int lane, struct tex_strip *st)
{
	st->coord[0] = (vf)v_load(&op->address[0][lane]);
	st->coord[1] = (vf)v_load(&op->address[1][lane]);
	st->offset[0] = st->offset[1] = st->slice = v_set(0);
	st->bias = st->lod = v_setf(0);
}

/* A wave of an image with one level. */
V_INLINE void bilinear_lanes(enum wrap wrap, const struct tex_op *op, const struct tex_outputs *out, uint64_t exec, bool whole)
{
	const struct kind kind = { wrap, true, true };
	const struct constants k = constants();
	struct plane only = plane_at(op, 0);
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		struct tex_strip st;
		vf value[4];
		uint32_t lanes = (uint32_t)exec & ((1u << VL) - 1);
		if (!whole && !lanes)
			continue;
		read_coords(op, lane, &st);
		read_level(&k, kind, op, &only, &st, value);
		write_strip(&k, out, whole, lane, lanes, value);
	}
}

/* The levels of a wave: the same for all quads, but for the weight of the second. */
struct levels {
	int32_t first, second;
	bool between;   /* the second counts */
	alignas(64) float delta[CU_LANES / 4];
};

/* One bit a quad. */
static inline uint32_t live_quads(uint64_t exec)
{
	exec |= exec >> 1;
	return (uint32_t)_pext_u64(exec | exec >> 2, 0x1111111111111111);
}

/* The lambdas before bias and clamps, one a quad. */
V_INLINE void base_lambdas(const struct tex_op *op, float out[CU_LANES / 4])
{
	vi quad_lanes;
	alignas(64) float longer[CU_LANES];
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		struct tex_strip st;
		read_coords(op, lane, &st);
		for (unsigned d = 0; d < 2; d++) {
			vf origin = V_QUAD(st.coord[d], 0);
			st.ddx[d] = V_QUAD(st.coord[d], 1) - origin;
			st.ddy[d] = V_QUAD(st.coord[d], 2) - origin;
		}
		v_store(longer + lane, (vi)tex_longer_squared(op->image, &st));
	}
	for (int i = 0; i < VL; i++)
		quad_lanes[i] = 16 * i;
	for (int q = 0; q < CU_LANES / 4; q += VL)
		v_store(out + q, (vi)tex_lambda_of_squared((vf)v_gather(longer + 4 * q, quad_lanes)));
}

/* False where the quads do not agree. */
static bool find_levels(const struct tex_op *op, uint64_t exec, struct levels *l)
{
	alignas(64) float base[CU_LANES / 4] = { 0 };
	uint32_t quads = live_quads(exec);
	bool same = true, derive = !(op->flags & TEX_LZ) && !op->sampler->unnormalized;
	l->between = false;
	if (derive)
		base_lambdas(op, base);
	for (int q = 0; q < CU_LANES / 4; q += VL) {
		struct tex_strip st;
		vi first, second, live = v_mask_of(quads >> q & ((1u << VL) - 1));
		vf delta;
		st.bias = st.lod = st.lambda = v_setf(0);
		if (!op->sampler->unnormalized)
			tex_set_lambda(op, (vf)v_load(base + q), &st);
		tex_select_levels(op, st.lambda, &first, &second, &delta);
		v_store(l->delta + q, (vi)delta);
		if (q == 0) { /* quads may be dead there: whatever they have is a level */
			l->first = first[0];
			l->second = second[0];
		}
		same = same && !v_any(((first != l->first) | (second != l->second)) & live);
		l->between = l->between || v_any((delta > v_setf(0)) & live);
	}
	return same;
}

/* A wave whose quads agree on the levels. */
V_INLINE void mip_lanes(enum wrap wrap, const struct tex_op *op, const struct tex_outputs *out, uint64_t exec,
	const struct levels *l)
{
	const struct kind kind = { wrap, true, true };
	const struct constants k = constants();
	struct plane first = plane_at(op, l->first), second = plane_at(op, l->second);
	vi quad_of_lane;
	for (int i = 0; i < VL; i++)
		quad_of_lane[i] = i & ~3;
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		struct tex_strip st;
		vf value[4], more[4];
		uint32_t lanes = (uint32_t)exec & ((1u << VL) - 1);
		if (!lanes)
			continue;
		read_coords(op, lane, &st);
		read_level(&k, kind, op, &first, &st, value);
		if (l->between) {
			vf delta = (vf)v_gather(l->delta + lane / 4, quad_of_lane);
			read_level(&k, kind, op, &second, &st, more);
			V_UNROLL
			for (unsigned c = 0; c < 4; c++)
				value[c] = tex_lerp(value[c], more[c], delta);
		}
		write_strip(&k, out, false, lane, lanes, value);
	}
}

V_INLINE void mip_wave(enum wrap wrap, const struct tex_op *op, const struct tex_outputs *out, uint64_t exec)
{
	const struct kind kind = { wrap, false, true };
	const struct constants k = constants();
	struct levels l;
	if (!(op->flags & TEX_L) && find_levels(op, exec, &l)) {
		mip_lanes(wrap, op, out, exec, &l);
		return;
	}
	for (int lane = 0; lane < CU_LANES; lane += VL, exec >>= VL) {
		struct tex_strip st;
		uint32_t lanes = (uint32_t)exec & ((1u << VL) - 1);
		vf value[4];
		if (!lanes)
			continue;
		read_coords(op, lane, &st);
		st.live = v_mask_of(lanes);
		st.lambda = v_setf(0);
		if (op->flags & TEX_L)
			st.lod = (vf)v_load(&op->address[2][lane]);
		if (!op->sampler->unnormalized)
			tex_lambda(op, &st);
		read_levels(&k, kind, op, &st, value);
		write_strip(&k, out, false, lane, lanes, value);
	}
}

/* The usual instruction: coordinates alone, or with a level. */
V_INLINE void bilinear_wave(struct kind kind, const struct tex_op *op)
{
	struct tex_outputs out;
	uint64_t exec = cu_exec(op->w);
	tex_find_outputs(op, &out);
	if (!kind.one_level)
		mip_wave(kind.wrap, op, &out, exec);
	else if (tex_whole(op, &out))
		bilinear_lanes(kind.wrap, op, &out, exec, true);
	else
		bilinear_lanes(kind.wrap, op, &out, exec, false);
}

#define KERNELS(K) K(WRAP_POW2, true) K(WRAP_POW2, false) K(WRAP_CLAMP, true) K(WRAP_CLAMP, false) \
	K(WRAP_ANY, true) K(WRAP_ANY, false)
#define K(w, one) \
static void strip_##w##_##one(struct tex_op *op, int lane, struct tex_strip *st) \
{ \
	bilinear_strip((struct kind){ w, one, false }, op, lane, st); \
} \
static void wave_##w##_##one(const struct tex_op *op) \
{ \
	bilinear_wave((struct kind){ w, one, true }, op); \
}
KERNELS(K)
#undef K

static enum wrap wrap_of(const struct tex_image *img, const struct tex_sampler *smp)
{
	const uint8_t *clamp = smp->clamp;
	if (clamp[0] == S_WRAP && clamp[1] == S_WRAP && img->pow2[0] && img->pow2[1])
		return WRAP_POW2;
	return clamp[0] == S_CLAMP_LAST_TEXEL && clamp[1] == S_CLAMP_LAST_TEXEL ? WRAP_CLAMP : WRAP_ANY;
}

static bool applies(const struct tex_image *img, const struct tex_sampler *smp)
{
	const struct surf_plane *p = img->level;
	return p->dfmt == DFMT_8_8_8_8 && p->nfmt == NFMT_UNORM && p->tiling == TILING_LINEAR && !smp->any_border;
}

tex_strip_fn tex_bilinear_path(const struct tex_op *op)
{
#define K(w, one) [2 * w + one] = strip_##w##_##one,
	static const tex_strip_fn kernel[] = { KERNELS(K) };
#undef K
	if (op->flags & TEX_C || !applies(op->image, op->sampler))
		return NULL;
	return kernel[2 * wrap_of(op->image, op->sampler) + (op->image->levels == 1)];
}

tex_wave_fn tex_bilinear_wave(const struct tex_image *img, const struct tex_sampler *smp)
{
#define K(w, one) [2 * w + one] = wave_##w##_##one,
	static const tex_wave_fn kernel[] = { KERNELS(K) };
#undef K
	bool plain = img->dims == 2 && !img->cube && !img->arrayed && !img->wide && !img->msaa;
	if (!plain || !smp->mag_linear || !smp->min_linear || !applies(img, smp))
		return NULL;
	return kernel[2 * wrap_of(img, smp) + (img->levels == 1)];
}
