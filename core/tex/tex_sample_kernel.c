/* SPDX-License-Identifier: MIT */
/* image_sample, image_gather4, image_get_lod: a footprint of up to eight taps
 * per level, each fetched for VL lanes, then filtered.
 *
 * Weights are full floats; filtering is a + f (b - a), fused, along x, then y,
 * then z, then levels.  A lane's result never depends on its neighbours beyond
 * its quad: shortcuts are taken only where they cannot change any lane. */
#include "core/tex/tex_aniso.h"
#include "core/tex/tex_cubic.h"
#include "core/tex/tex_filter.h"
#include "core/tex/tex_texels.h"

/* Taps of one level: tap k takes the second texel along axis d when bit d of
 * k is set.  Lanes without linear filtering have all taps alike. */
struct tex_taps {
	unsigned count;
	vi x[8], y[8], z[8], border[8];
	vi corner[4]; /* of cubes: no such texel, the mean of the other three */
	vf weight[3];
	vi value[8][4]; /* memory components */
};

/* The kinds of images that the path is compiled for. */
struct tex_shape { unsigned dims; bool cube; };

V_INLINE void tex_footprint(struct tex_shape s, const struct tex_op *op, const struct tex_strip *st,
	const struct tex_lanes_level *lv, vi linear, struct tex_taps *t)
{
	const struct tex_image *img = op->image;
	struct tex_axis axis[3];
	for (unsigned d = 0; d < s.dims; d++) {
		struct tex_axis *a = &axis[d];
		tex_axis_indices(tex_texels(op, st, lv, d), st->offset[d], linear, a);
		for (int k = 0; k < 2; k++) {
			a->border[k] = v_set(0);
			a->i[k] = tex_wrap(a->i[k], lv->size[d], op->sampler->clamp[d], img->pow2[d], &a->border[k]);
		}
		t->weight[d] = a->weight;
	}
	for (unsigned k = 0; k < t->count; k++) {
		t->x[k] = axis[0].i[k & 1];
		t->border[k] = axis[0].border[k & 1];
		t->y[k] = v_set(0);
		t->z[k] = st->slice;
		if (s.dims >= 2) {
			t->y[k] = axis[1].i[k >> 1 & 1];
			t->border[k] |= axis[1].border[k >> 1 & 1];
		}
		if (s.dims == 3) {
			t->z[k] = axis[2].i[k >> 2 & 1];
			t->border[k] |= axis[2].border[k >> 2 & 1];
		}
	}
}

/* Texels over an edge of their face; corners have none. */
static void tex_cube_wrap(const struct tex_strip *st, const struct tex_lanes_level *lv, struct tex_taps *t, unsigned k)
{
	vi out_x = ~v_less_u(t->x[k], lv->size[0]), out_y = ~v_less_u(t->y[k], lv->size[1]);
	t->corner[k] = out_x & out_y;
	uint32_t edge = v_bits(out_x ^ out_y);
	if (edge) {
		int x[VL], y[VL], z[VL];
		v_store(x, t->x[k]);
		v_store(y, t->y[k]);
		v_store(z, t->z[k]);
		for (; edge; edge &= edge - 1) {
			int i = __builtin_ctz(edge), face = st->face[i];
			tex_cube_edge(lv->size[0][i], &face, &x[i], &y[i]);
			z[i] = st->slice[i] + face;
		}
		t->x[k] = v_load(x);
		t->y[k] = v_load(y);
		t->z[k] = v_load(z);
	}
	t->x[k] = v_min(v_max(t->x[k], v_set(0)), lv->size[0] - 1);
	t->y[k] = v_min(v_max(t->y[k], v_set(0)), lv->size[1] - 1);
}

static void tex_cube_footprint(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv,
	vi linear, struct tex_taps *t)
{
	struct tex_axis axis[2];
	vi reach = linear & (op->sampler->cube_wrap ? -1 : 0); /* how far over the edge taps may lie */
	for (unsigned d = 0; d < 2; d++) {
		tex_axis_indices(tex_texels(op, st, lv, d), st->offset[d], linear, &axis[d]);
		axis[d].i[0] = v_min(v_max(axis[d].i[0], reach), lv->size[d] - 1);
		axis[d].i[1] = v_min(v_max(axis[d].i[1], v_set(0)), lv->size[d] - 1 - reach);
		t->weight[d] = axis[d].weight;
	}
	for (unsigned k = 0; k < t->count; k++) {
		t->x[k] = axis[0].i[k & 1];
		t->y[k] = axis[1].i[k >> 1 & 1];
		t->z[k] = st->slice + st->face;
		t->border[k] = v_set(0);
		tex_cube_wrap(st, lv, t, k);
	}
}

V_INLINE void tex_fetch_one(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv,
	const vi at[3], vi border, vi v[4])
{
	tex_fetch(op, lv, at[0], at[1], at[2], st->live & ~border, v);
	if (op->sampler->any_border)
		for (unsigned c = 0; c < 4; c++)
			v[c] = v_sel(border, v_set((int32_t)op->sampler->border[c]), v[c]);
	if (op->flags & TEX_C) {
		v[0] = tex_compare(op->sampler->compare, st->compare, (vf)v[0]) & (vi)v_setf(1);
		v[1] = v[2] = v_set(0);
		v[3] = (vi)v_setf(1);
	}
}

void tex_fetch_tap(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv,
	const vi at[3], vi border, vi v[4])
{
	tex_fetch_one(op, st, lv, at, border, v);
}

static void tex_fetch_taps(const struct tex_op *op, const struct tex_strip *st, const struct tex_lanes_level *lv,
	struct tex_taps *t)
{
	for (unsigned k = 0; k < t->count; k++) {
		const vi at[3] = { t->x[k], t->y[k], t->z[k] };
		tex_fetch_one(op, st, lv, at, t->border[k], t->value[k]);
	}
}

/* A missing corner texel is the mean of its three neighbours (Vulkan, "Cube
 * Map Edge Handling"); of integers, which have no mean, the one beside it. */
static void tex_fill_corners(const struct tex_image *img, struct tex_taps *t)
{
	for (unsigned k = 0; k < t->count; k++) {
		if (!v_any(t->corner[k]))
			continue;
		for (unsigned c = 0; c < 4; c++) {
			vf a = (vf)t->value[k ^ 1][c], b = (vf)t->value[k ^ 2][c], d = (vf)t->value[k ^ 3][c];
			vf third = (a + b + d) / v_setf(3);
			/* Which of several NaNs a sum keeps is the compiler's choice. */
			vi mean = img->integer ? (vi)a : v_sel(third == third, (vi)third, v_set(0x7fc00000));
			t->value[k][c] = v_sel(t->corner[k], mean, t->value[k][c]);
		}
	}
}

/* Fetches the taps of `level`; `linear` lanes have neighbours. */
V_INLINE void tex_read_level(struct tex_shape s, const struct tex_op *op, const struct tex_strip *st, vi level,
	vi linear, struct tex_taps *t)
{
	struct tex_lanes_level lv = tex_level_of(op->image, level);
	t->count = v_any(linear & st->live) ? 1u << s.dims : 1;
	if (s.cube)
		tex_cube_footprint(op, st, &lv, linear, t);
	else
		tex_footprint(s, op, st, &lv, linear, t);
	tex_fetch_taps(op, st, &lv, t);
	if (s.cube && t->count == 4)
		tex_fill_corners(op->image, t);
}

V_INLINE vf tex_mix(bool any_value, vi a, vi b, vf f)
{
	return any_value ? tex_lerp_float((vf)a, (vf)b, f) : tex_lerp((vf)a, (vf)b, f);
}

/* The mean of component c over the taps, by weights. */
V_INLINE vf tex_mean(struct tex_shape s, const struct tex_taps *t, unsigned c, bool any)
{
	vf a = tex_mix(any, t->value[0][c], t->value[1][c], t->weight[0]);
	if (s.dims == 1)
		return a;
	vf b = tex_mix(any, t->value[2][c], t->value[3][c], t->weight[0]);
	a = tex_mix(any, (vi)a, (vi)b, t->weight[1]);
	if (s.dims == 2)
		return a;
	b = tex_mix(any, t->value[4][c], t->value[5][c], t->weight[0]);
	vf d = tex_mix(any, t->value[6][c], t->value[7][c], t->weight[0]);
	b = tex_mix(any, (vi)b, (vi)d, t->weight[1]);
	return tex_mix(any, (vi)a, (vi)b, t->weight[2]);
}

/* The least or greatest of component c over the taps that have a weight. */
static vi tex_extreme(const struct tex_taps *t, unsigned mode, unsigned c)
{
	vf best = (vf)t->value[0][c];
	for (unsigned k = 1; k < t->count; k++) {
		vi counts = v_set(-1);
		for (unsigned d = 0; 1u << d <= k; d++)
			if (k >> d & 1)
				counts &= t->weight[d] > v_setf(0);
		best = v_self(counts, tex_extreme_of(mode, best, (vf)t->value[k][c]), best);
	}
	return (vi)best;
}

V_INLINE void tex_filter(struct tex_shape s, const struct tex_op *op, const struct tex_taps *t, vi linear,
	unsigned need, vi out[4])
{
	const struct tex_image *img = op->image;
	if (op->sampler->mode != S_MODE_BLEND) {
		for (unsigned c = 0; c < 4; c++)
			out[c] = t->count == 1 ? t->value[0][c] : v_sel(linear, tex_extreme(t, op->sampler->mode, c), t->value[0][c]);
		return;
	}
	for (unsigned c = 0; c < 4; c++) {
		out[c] = t->value[0][c];
		if (t->count == 1 || !(need >> c & 1))
			continue;
		vf mean = img->level->nfmt == NFMT_FLOAT ? tex_mean(s, t, c, true) : tex_mean(s, t, c, false);
		out[c] = v_sel(linear, (vi)mean, out[c]);
	}
}

V_INLINE void tex_filter_level(struct tex_shape s, const struct tex_op *op, const struct tex_strip *st, vi level,
	vi linear, unsigned need, vi out[4])
{
	struct tex_taps taps;
	tex_read_level(s, op, st, level, linear, &taps);
	tex_filter(s, op, &taps, linear, need, out);
	if (s.dims < 3 && !s.cube && (op->sampler->mag_cubic || op->sampler->min_cubic))
		tex_cubic_level(op, st, level, out);
}

V_INLINE void tex_sample_shape(struct tex_shape s, const struct tex_op *op, int lane, struct tex_strip *st)
{
	vi first, second, mem[4];
	vf delta;
	unsigned need = tex_needed(op, op->in->dmask), n = 0;
	vi mag = v_set(op->sampler->mag_linear ? -1 : 0), min = v_set(op->sampler->min_linear ? -1 : 0);
	vi linear = v_sel(st->lambda <= v_setf(0), mag, min);
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	tex_filter_level(s, op, st, first, linear, need, mem);
	vi between = (delta > v_setf(0)) & (op->image->integer ? 0 : -1);
	if (v_any(between & st->live)) {
		vi more[4];
		tex_filter_level(s, op, st, second, linear, need, more);
		for (unsigned c = 0; c < 4; c++) {
			vf both = op->sampler->mode == S_MODE_BLEND ? tex_lerp((vf)mem[c], (vf)more[c], delta) :
				tex_extreme_of(op->sampler->mode, (vf)mem[c], (vf)more[c]);
			mem[c] = v_sel(between, (vi)both, mem[c]);
		}
	}
	for (unsigned c = 0; c < 4; c++)
		if (op->in->dmask >> c & 1)
			tex_write(op, n++, lane, st->live, tex_channel(op->image, mem, c));
}

static void tex_sample_1d(const struct tex_op *op, int lane, struct tex_strip *st)
{
	tex_sample_shape((struct tex_shape){ 1, false }, op, lane, st);
}

static void tex_sample_2d(const struct tex_op *op, int lane, struct tex_strip *st)
{
	tex_sample_shape((struct tex_shape){ 2, false }, op, lane, st);
}

static void tex_sample_3d(const struct tex_op *op, int lane, struct tex_strip *st)
{
	tex_sample_shape((struct tex_shape){ 3, false }, op, lane, st);
}

static void tex_sample_cube(const struct tex_op *op, int lane, struct tex_strip *st)
{
	tex_sample_shape((struct tex_shape){ 2, true }, op, lane, st);
}

/* Four texels of one channel: i0j1, i1j1, i1j0, i0j0. */
static void tex_gather_strip(const struct tex_op *op, int lane, struct tex_strip *st)
{
	static const uint8_t order[4] = { 2, 3, 1, 0 };
	struct tex_taps taps;
	vi first, second;
	vf delta;
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	if (op->flags & TEX_LZ)
		first = v_set(0);
	if (op->image->min_lod >= 1) { /* below what the view has: zeros ("Image Sample Operations") */
		const vi none[4] = { v_set(0), v_set(0), v_set(0), v_set(0) };
		for (unsigned n = 0; n < 4; n++)
			tex_write(op, n, lane, st->live, tex_channel(op->image, none, (unsigned)__builtin_ctz(op->in->dmask)));
		return;
	}
	if (op->image->cube)
		tex_read_level((struct tex_shape){ 2, true }, op, st, first, v_set(-1), &taps);
	else
		tex_read_level((struct tex_shape){ 2, false }, op, st, first, v_set(-1), &taps);
	unsigned channel = (unsigned)__builtin_ctz(op->in->dmask);
	for (unsigned n = 0; n < 4; n++)
		tex_write(op, n, lane, st->live, tex_channel(op->image, taps.value[order[n]], channel));
}

/* The level that sampling would read. */
V_INLINE vf tex_level_read(const struct tex_op *op, const struct tex_strip *st)
{
	vi first, second;
	vf delta;
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	return v_float(first) + delta;
}

/* Channel 0: that level; 1: lambda before its clamps. */
V_INLINE void tex_write_lod(const struct tex_op *op, int lane, vi live, vf level, vf raw)
{
	const vi info[4] = { (vi)level, (vi)raw, v_set(0), v_set(0) };
	unsigned n = 0;
	for (unsigned c = 0; c < 4; c++)
		if (op->in->dmask >> c & 1)
			tex_write(op, n++, lane, live, info[c]);
}

static void tex_lod_strip(const struct tex_op *op, int lane, struct tex_strip *st)
{
	tex_write_lod(op, lane, st->live, tex_level_read(op, st), st->lambda_raw);
}

/* The same of a wave, once a quad: of VL quads at a time. */
V_INLINE void tex_lod_quads(const struct tex_op *op, unsigned dims, uint64_t lanes)
{
	for (int q = 0; q < CU_LANES / 4; q += VL) {
		struct tex_strip st = { .bias = v_setf(0), .lod = v_setf(0) }; /* it has neither */
		tex_set_lambda(op, tex_lambda_of_quads(op->image, dims, tex_coords(op), q), &st);
		const vf level = tex_level_read(op, &st);
		for (int n = 0; n < 4; n++) {
			const int lane = 4 * q + n * VL;
			const vi live = v_mask_of((uint32_t)(lanes >> lane) & ((1u << VL) - 1));
			tex_write_lod(op, lane, live, (vf)v_lanes_of_quads((vi)level, n), (vf)v_lanes_of_quads((vi)st.lambda_raw, n));
		}
	}
}

static void tex_lod_wave(const struct tex_op *op, uint64_t lanes)
{
	switch (op->image->dims) {
	case 1: tex_lod_quads(op, 1, lanes); break;
	case 2: tex_lod_quads(op, 2, lanes); break;
	default: tex_lod_quads(op, 3, lanes); break;
	}
}

static void tex_read_body(const struct tex_op *op, int lane, unsigned n, struct tex_strip *st)
{
	const struct tex_image *img = op->image;
	st->slice = st->face = v_set(0);
	for (unsigned d = 0; d < 3; d++)
		st->coord[d] = d < img->dims ? (vf)v_load(&op->address[n + d][lane]) : v_setf(0);
	vf z = img->arrayed ? (vf)v_load(&op->address[n + img->dims][lane]) : v_setf(0);
	if (img->cube) {
		st->coord[0] = tex_cube_coordinate(st->coord[0]);
		st->coord[1] = tex_cube_coordinate(st->coord[1]);
		tex_cube_slice(img, z, &st->slice, &st->face);
	} else if (img->arrayed) {
		st->slice = tex_slice(z, img->slices);
	}
}

void tex_read_strip(const struct tex_op *op, int lane, struct tex_strip *st)
{
	const struct tex_image *img = op->image;
	unsigned n = 0;
	st->live = v_mask_of(tex_live(op->w, lane));
	for (unsigned d = 0; d < 3; d++)
		st->offset[d] = tex_texel_offset(op, d, lane);
	n += !!(op->flags & TEX_O);
	if (op->flags & TEX_B)
		st->bias = (vf)v_load(&op->address[n++][lane]);
	if (op->flags & TEX_C)
		st->compare = tex_clamp_compared(img, (vf)v_load(&op->address[n++][lane]));
	if (op->flags & TEX_D) {
		for (unsigned d = 0; d < img->dims; d++) {
			st->ddx[d] = (vf)v_load(&op->address[n + d][lane]);
			st->ddy[d] = (vf)v_load(&op->address[n + img->dims + d][lane]);
		}
		n += 2 * img->dims;
	}
	tex_read_body(op, lane, n, st);
	n += img->dims + img->arrayed;
	if (op->flags & (TEX_L | TEX_CL))
		st->lod = (vf)v_load(&op->address[n][lane]);
}

static tex_strip_fn strip_path(const struct tex_op *op)
{
	unsigned kind = op->flags & TEX_KIND;
	if (kind != TEX_SAMPLE)
		return kind == TEX_GATHER ? tex_gather_strip : tex_lod_strip;
	if (op->image->cube)
		return tex_sample_cube;
	return op->image->dims == 1 ? tex_sample_1d : op->image->dims == 2 ? tex_sample_2d : tex_sample_3d;
}

void tex_sample_lanes(const struct tex_op *all, uint64_t lanes)
{
	struct tex_op op = *all;
	unsigned kind = op.flags & TEX_KIND;
	const struct tex_sampler *smp = op.sampler;
	tex_strip_fn strip = strip_path(&op);
	const bool aniso = tex_aniso_applies(&op);
	bool use_lod = kind == TEX_GET_LOD || (!smp->unnormalized && !smp->fixed && !(kind == TEX_GATHER && op.flags & TEX_LZ));
	if (aniso && kind == TEX_SAMPLE) {
		op.probe = strip;
		strip = tex_aniso_strip;
	}
	for (int lane = 0; lane < CU_LANES; lane += VL, lanes >>= VL) {
		struct tex_strip st;
		uint32_t live = (uint32_t)lanes & ((1u << VL) - 1);
		if (!live)
			continue;
		tex_read_strip(&op, lane, &st);
		st.live = v_mask_of(live);
		st.lambda = st.lambda_raw = v_setf(0);
		if (aniso)
			tex_set_lambda(&op, tex_aniso_axes(&op, &st), &st);
		else if (use_lod)
			tex_lambda(&op, &st);
		strip(&op, lane, &st);
	}
}

void tex_sample(struct tex_op *op)
{
	const bool sample = (op->flags & TEX_KIND) == TEX_SAMPLE;
	const bool gather = (op->flags & TEX_KIND) == TEX_GATHER && op->flags & TEX_LZ && op->image->min_lod < 1;
	if (gather && op->plan->probes && !op->image->cube && op->plan->filter[!!(op->flags & TEX_C)][0])
		tex_gather_wave(op);
	else if (sample && op->plan->samples && op->plan->filter[!!(op->flags & TEX_C)][0])
		tex_sample_wave(op);
	else if ((sample || gather) && op->plan->inside && op->plan->filter[!!(op->flags & TEX_C)][0])
		tex_sample_border(op);
	else if ((op->flags & TEX_KIND) == TEX_GET_LOD && !op->image->cube && !tex_aniso_applies(op))
		tex_lod_wave(op, cu_exec(op->w));
	else if (tex_aniso_applies(op) && tex_aniso_bytes_applies(op))
		tex_aniso_bytes(op);
	else if (tex_aniso_applies(op) && tex_aniso_wave_applies(op))
		tex_aniso_wave(op);
	else
		tex_sample_lanes(op, cu_exec(op->w));
}
