/* SPDX-License-Identifier: MIT */
/* A wave of image_sample or image_load in one go: levels, then for each level where the texels are, then the kernel of
 * the format (tex_footprint.h).  Which way a lane goes depends on its own quad, descriptors and opcode alone. */
#include "core/tex/tex_column.h"
#include "core/tex/tex_filter.h"
#include "core/tex/tex_footprint.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_loads.h"
#include "core/tex/tex_output.h"
#include "core/tex/tex_plane.h"

/* --- the plan --- */

static enum tex_body plan_body(const struct tex_plan *plan, const struct tex_image *img)
{
	if (plan->odd || (img->dims == 1 && (img->arrayed || img->block)))
		return TEX_BODY_OTHER;
	if (img->dims == 1)
		return TEX_BODY_LINE;
	if (img->cube)
		return img->arrayed ? TEX_BODY_CUBE : TEX_BODY_OTHER;
	return img->arrayed ? TEX_BODY_LAYERS : img->is_3d ? TEX_BODY_VOLUME : TEX_BODY_FLAT;
}

static void plan_level(struct tex_plan *plan, const struct tex_image *img, const struct tex_sampler *smp,
	unsigned level)
{
	const struct surf_plane *p = &img->level[level];
	struct tex_place *at = &plan->level[level];
	const bool parts = p->tiling == TILING_4X4;
	at->base = p->base;
	at->stride = (int32_t)p->slice_stride << plan->up;
	at->pitch = (int32_t)p->pitch << plan->up;
	if (parts || img->block)
		at->pitch /= 4;
	for (int i = 0; i < 4; i++)
		at->part_y[i] = (img->block ? 4 * i : parts ? SURF_4X4_Y(i) * p->bpe : i * at->pitch) - i * at->pitch;
	for (unsigned d = 0; d < 3; d++) {
		const int32_t size = d < img->dims ? img->size[d][level] : 1;
		at->last[d] = size - 1;
		if (!smp)
			continue;
		const bool wrap = !img->cube && smp->clamp[d] == S_WRAP;
		at->scale[d] = smp->unnormalized ? 1 : (float)size;
		at->inverse[d] = smp->unnormalized ? 1 : 1 / (float)size;
		at->low[d] = wrap ? size - 1 : 0;
		at->high[d] = wrap ? 0 : size - 1;
	}
}

/* Whether coordinates that are not normalized can be folded: Vulkan allows no other modes with them. */
static bool can_fold(const struct tex_image *img, const struct tex_sampler *smp)
{
	for (unsigned d = 0; smp->unnormalized && d < img->dims; d++)
		if (smp->clamp[d] != S_CLAMP_LAST_TEXEL && smp->clamp[d] != S_MIRROR_ONCE_LAST_TEXEL)
			return false;
	return !smp->any_border || img->cube;
}

void tex_make_plan(struct tex_plan *plan, const struct tex_image *img, const struct tex_sampler *smp)
{
	const struct surf_plane *p = img->level;
	const bool parts = p->tiling == TILING_4X4, large = img->block && !tex_small_block(img->block);
	plan->loads = plan->samples = plan->probes = false;
	plan->inside = NULL;
	plan->store = NULL;
	if (img->wide || img->msaa || img->bytes >= (large ? 1u << 27 : 1u << 30))
		return;
	tex_choose_filters(plan, img);
	plan->loads = plan->filter[0][0];
	plan->probes = smp && plan->loads && can_fold(img, smp) && !smp->special;
	plan->samples = plan->probes && smp->max_aniso == 1;
	plan->quick = plan->samples ? tex_choose_rows(img, smp) : NULL;
	if (!plan->loads)
		return;
	plan->parts = parts || img->block;
	plan->odd = large || (parts && img->block) || (p->bpe & (p->bpe - 1)) != 0;
	plan->up = !img->block ? 0 : large ? 4 : p->bpe == 8;
	plan->shift = img->block ? 2 : (uint8_t)(__builtin_ctz(p->bpe) + (parts ? 2 : 0));
	for (int i = 0; i < 4; i++)
		plan->part_x[i] = (img->block ? i : parts ? SURF_4X4_X(i) * p->bpe : i << plan->shift) - (i << plan->shift);
	plan->body = (uint8_t)plan_body(plan, img);
	plan->fold = (uint8_t)(plan->body == TEX_BODY_CUBE ? TEX_FOLD_CLAMP : smp && plan->body == TEX_BODY_FLAT ? tex_fold_of(smp) :
		TEX_FOLD_ANY);
	for (unsigned l = 0; l < img->levels; l++)
		plan_level(plan, img, smp, l);
	plan->store = tex_choose_store(plan, img);
}

/* --- coordinates to texels --- */

/* linear: lanes that have neighbours. */
V_INLINE struct tex_texels mixed_texels(bool bytes, const struct tex_ends *e, vf v, vi linear)
{
	const vi one = tex_nearest_texel(e, v);
	const struct tex_texels two = tex_two_texels(bytes, e, v);
	return (struct tex_texels){ { v_sel(linear, two.i[0], one), v_sel(linear, two.i[1], one) }, two.weight & linear };
}

/* --- texels to places --- */

/* What find_plain is compiled for. */
enum filter { NEAREST, LINEAR, LINEAR_BYTES };
struct plain { enum filter filter; enum tex_body body; enum tex_fold_way fold; bool parts; };

/* What a lane's third axis adds: in images of three dimensions. */
struct depth { alignas(64) int32_t step[CU_LANES]; alignas(64) uint32_t weight[CU_LANES]; };

V_INLINE void store_four(const struct tex_plane *pl, bool parts, const vi i[2], vi slice, int lane, struct tex_footprint *p)
{
	vi at[4];
	tex_find_four(pl, parts, i, slice, at);
	V_UNROLL
	for (int t = 0; t < 4; t++)
		v_store(&p->at[t][lane], at[t]);
}

/* The same in parts, of texels that have others behind them. */
V_INLINE void store_four_inside(const struct tex_plane *pl, const vi i[2], vi slice, int lane, struct tex_footprint *p)
{
	const vi column = v_shift_left(i[0], pl->shift), line = i[1] * pl->pitch + slice;
	const vi x[2] = { column + v_pick4(pl->part_x, i[0]), column + (1 << pl->shift) + v_pick4(pl->part_x, i[0] + 1) };
	const vi y[2] = { line + v_pick4(pl->part_y, i[1]), line + pl->pitch + v_pick4(pl->part_y, i[1] + 1) };
	V_UNROLL
	for (int t = 0; t < 4; t++)
		v_store(&p->at[t][lane], x[t & 1] + y[t >> 1]);
}

/* Of first texels: whether they all have one behind them. */
V_INLINE bool are_inside(const struct tex_ends *e, vi i) { return v_bits(i | (e->last - 1 - i)) == 0; }

/* Whether bytes are read pixel by pixel: kernels look at nothing but first texels then. */
V_INLINE bool on_centres(const struct tex_footprint *p, int lane)
{
	return !((p->weight[0][lane] | p->weight[1][lane]) & 255) && /* most often that says it */
		!v_any((v_load(&p->weight[0][lane]) | v_load(&p->weight[1][lane])) << 24 != 0);
}

/* Where a lane's slice begins. */
V_INLINE vi find_slice(struct plain k, const struct tex_op *op, const struct tex_place *at, const struct tex_plane *pl, vf v,
	int lane, struct depth *z)
{
	vi slice, face;
	if (k.body == TEX_BODY_LAYERS)
		return tex_slice(v, op->image->slices) * pl->stride;
	if (k.body == TEX_BODY_CUBE) {
		tex_cube_slice(op->image, v, &slice, &face);
		return (slice + face) * pl->stride;
	}
	const struct tex_ends ends = tex_ends_of(op, at, 2);
	v = tex_fold_axis(k.fold, op, 2, v, ends.limit);
	if (k.filter == NEAREST)
		return tex_nearest_texel(&ends, v) * pl->stride;
	const vi i = tex_first_texel(k.filter == LINEAR_BYTES, &ends, v, &z->weight[lane]);
	const vi first = tex_texel_of_two(&ends, i, 0);
	v_store(&z->step[lane], (tex_texel_of_two(&ends, i, 1) - first) * pl->stride);
	return first * pl->stride;
}

/* Returns lanes whose texels are on several faces of a cube. */
V_INLINE uint64_t find_plain(struct plain k, const struct tex_op *op, const struct tex_place *at, struct tex_footprint *p,
	struct depth *z)
{
	const struct tex_plane pl = tex_plane_of(op, at);
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	uint32_t apart = 0;
	uint64_t beyond = 0;
	EACH_STRIP(p->strips, lane) {
		vi i[2], slice = v_set(0), over = slice;
		V_UNROLL
		for (unsigned d = 0; d < 2; d++) {
			if (d == 1 && k.body == TEX_BODY_LINE) {
				i[1] = v_set(0);
				v_store(&p->weight[1][lane], i[1]);
				continue;
			}
			vf v = v_loadf(&coord[d][lane]);
			if (k.body == TEX_BODY_CUBE)
				v = tex_cube_coordinate(v);
			v = tex_fold_axis(k.fold, op, d, v, pl.ends[d].limit);
			if (k.body == TEX_BODY_CUBE)
				over |= (v < pl.edge[d]) | (v >= v_setf(1) - pl.edge[d]);
			if (k.filter == NEAREST)
				i[d] = tex_nearest_texel(&pl.ends[d], v);
			else
				i[d] = tex_first_texel(k.filter == LINEAR_BYTES, &pl.ends[d], v, &p->weight[d][lane]);
		}
		if (k.body == TEX_BODY_CUBE && k.filter != NEAREST)
			beyond |= (uint64_t)v_bits(over) << lane;
		if (k.body != TEX_BODY_FLAT && k.body != TEX_BODY_LINE)
			slice = find_slice(k, op, at, &pl, v_loadf(&coord[2][lane]), lane, z);
		if (k.filter == NEAREST) {
			v_store(&p->at[0][lane], tex_find_one(&pl, k.parts, i[0], i[1], slice));
		} else if (k.parts && k.filter == LINEAR_BYTES && k.body != TEX_BODY_VOLUME && on_centres(p, lane)) {
			v_store(&p->at[0][lane], tex_find_one(&pl, true, tex_texel_of_two(&pl.ends[0], i[0], 0),
				tex_texel_of_two(&pl.ends[1], i[1], 0), slice));
		} else if (k.parts && are_inside(&pl.ends[0], i[0]) && are_inside(&pl.ends[1], i[1])) {
			store_four_inside(&pl, i, slice, lane, p);
		} else if (k.parts) {
			store_four(&pl, true, i, slice, lane, p);
		} else if (__builtin_expect(!are_inside(&pl.ends[0], i[0]), 0)) {
			store_four(&pl, false, i, slice, lane, p);
			apart |= 1u << lane / VL;
		} else {
			const vi x = v_shift_left(i[0], pl.shift) + slice, y = i[1] * pl.pitch;
			v_store(&p->at[0][lane], x + v_sel_sign(i[1], pl.low_line, y));
			v_store(&p->at[2][lane], x + v_sel_sign(pl.ends[1].last - 1 - i[1], pl.high_line, y + pl.pitch));
		}
	}
	p->pairs = k.parts ? 0 : ~apart;
	return beyond;
}

/* Any image.  linear: lanes with neighbours.  Returns lanes whose texels are on several faces of a cube. */
static uint64_t find_any(const struct tex_op *op, const struct tex_place *at, const int32_t linear[CU_LANES],
	struct tex_footprint *p, struct depth *z)
{
	const struct tex_plan *plan = op->plan;
	const struct tex_image *img = op->image;
	const vi part_x = v_repeat4(plan->part_x), part_y = v_repeat4(at->part_y);
	const int32_t pitch = (int32_t)img->level[at - plan->level].pitch;
	const bool seams = img->cube && op->sampler->cube_wrap;
	uint64_t beyond = 0;
	p->pairs = 0;
	EACH_STRIP(p->strips, lane) {
		struct tex_strip st;
		const struct tex_texels none = { { v_set(0), v_set(0) }, v_set(0) };
		struct tex_texels a[3] = { none, none, none };
		vi x[2], y[2], over = v_set(0), m = v_load(linear + lane);
		tex_read_strip(op, lane, &st);
		for (unsigned d = 0; d < img->dims; d++) {
			const struct tex_ends ends = tex_ends_of(op, at, d);
			vf v = st.coord[d];
			if (op->flags & TEX_O && !img->cube)
				v = v_fma(v_float(st.offset[d]), v_setf(at->inverse[d]), v);
			v = tex_fold(img->cube ? S_CLAMP_LAST_TEXEL : op->sampler->clamp[d], v, ends.limit);
			a[d] = plan->bytes ? mixed_texels(true, &ends, v, m) : mixed_texels(false, &ends, v, m);
			if (seams)
				over |= m & ((v < v_setf(0.5f * at->inverse[d])) | (v >= v_setf(1 - 0.5f * at->inverse[d])));
		}
		beyond |= (uint64_t)v_bits(over) << lane;
		vi slice = tex_slice_at(img, at, img->is_3d ? a[2].i[0] : img->cube ? st.slice + st.face : st.slice);
		for (int k = 0; k < 2; k++) {
			x[k] = plan->odd ? tex_odd_column(img, plan, a[0].i[k]) : tex_column(plan, true, part_x, a[0].i[k]);
			y[k] = slice + (plan->odd ? tex_odd_line(img, plan, pitch, a[1].i[k]) : tex_line(true, v_set(at->pitch), part_y, a[1].i[k]));
		}
		for (int t = 0; t < 4; t++)
			v_store(&p->at[t][lane], x[t & 1] + y[t >> 1]);
		v_store(&p->weight[0][lane], a[0].weight);
		v_store(&p->weight[1][lane], a[1].weight);
		v_store(&z->step[lane], tex_slice_at(img, at, a[2].i[1]) - tex_slice_at(img, at, a[2].i[0]));
		v_store(&z->weight[lane], a[2].weight);
	}
	return beyond;
}

/* --- a level --- */

struct wave {
	const struct tex_op *op;
	tex_filter_fn filter;
	enum tex_body body;
	bool linear; /* all lanes have neighbours */
	uint64_t exec, beyond;
	struct tex_components *aside; /* what is read goes there if `beyond` says something; NULL: to the rows whatever it says */
	struct lods *lods;
	struct tex_footprint p;
};

static enum tex_body body_of(const struct tex_op *op)
{
	return op->flags & TEX_O && op->image->cube ? TEX_BODY_OTHER : (enum tex_body)op->plan->body;
}

static void find(struct wave *w, const struct tex_place *at, struct depth *z)
{
	alignas(64) int32_t same[CU_LANES];
	if (w->body == TEX_BODY_OTHER || (w->lods && w->lods->mixed)) {
		if (!w->lods)
			memset(same, w->linear ? -1 : 0, sizeof same);
		w->beyond |= find_any(w->op, at, w->lods ? w->lods->linear : same, &w->p, z);
		return;
	}
	const enum filter filter = !w->linear ? NEAREST : w->op->plan->bytes ? LINEAR_BYTES : LINEAR;
#define PLAIN(filter, body, fold, parts) \
	case WAY(filter, body, fold, parts): \
		w->beyond |= find_plain((struct plain){ filter, body, fold, parts }, w->op, at, &w->p, z); \
		break;
#define WAYS(filter, parts) \
	PLAIN(filter, TEX_BODY_FLAT, TEX_FOLD_WRAP, parts) PLAIN(filter, TEX_BODY_FLAT, TEX_FOLD_CLAMP, parts) \
	PLAIN(filter, TEX_BODY_FLAT, TEX_FOLD_ANY, parts) PLAIN(filter, TEX_BODY_LINE, TEX_FOLD_ANY, parts) PLAIN(filter, TEX_BODY_LAYERS, TEX_FOLD_ANY, parts) \
	PLAIN(filter, TEX_BODY_CUBE, TEX_FOLD_CLAMP, parts) PLAIN(filter, TEX_BODY_VOLUME, TEX_FOLD_ANY, parts)
#define WAY(filter, body, fold, parts) ((((filter) * 5 + (body)) * 3 + (fold)) * 2 + (parts))
	switch (WAY(filter, w->body, w->op->plan->fold, w->op->plan->parts)) {
	WAYS(NEAREST, 0) WAYS(LINEAR, 0) WAYS(LINEAR_BYTES, 0) WAYS(NEAREST, 1) WAYS(LINEAR, 1) WAYS(LINEAR_BYTES, 1)
	}
#undef WAY
#undef WAYS
#undef PLAIN
}

/* Whether all lanes of a strip may be written. */
V_INLINE bool is_free(const struct tex_op *op, uint64_t exec) { return exec == ~0ull || op->loose; }

/* Where read_level puts memory components. */
V_INLINE void read_to(struct wave *w, struct tex_components *to)
{
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		w->p.row[c] = to->c[c];
	w->p.first_alone = false;
}

/* The same, straight to the outputs where `whole` says so; what nobody asked for goes to rest. */
V_INLINE void read_to_outputs(struct tex_footprint *p, const struct tex_outputs *o, bool whole, struct tex_components *rest)
{
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		p->row[c] = whole && o->row[c] ? o->row[c] : rest->c[c];
	p->first_alone = !(o->row[1] || o->row[2] || o->row[3]);
}

static inline bool find_texel_tile(struct wave *w, unsigned level)
{
	struct tex_patience *patience = w->op->plan->patience;
	if (!patience->rest)
		return tex_find_texel_tile(w->op, level, w->exec, &w->p);
	patience->rest--;
	return false;
}

static inline bool may_tile(const struct wave *w, unsigned level)
{
	return w->op->plan->tile[w->linear] && (w->body == TEX_BODY_FLAT || w->body == TEX_BODY_LAYERS) &&
		!(w->lods && (w->lods->mixed || w->lods->far >> level & 1));
}

/* The instruction without offsets: its coordinates are moved by them, as texels of the level. */
struct moved { struct tex_op op; alignas(64) uint32_t row[4][CU_LANES]; };

static const struct tex_op *move(struct moved *m, const struct tex_op *op, const struct tex_place *at, uint32_t strips)
{
	const unsigned compared = !!(op->flags & TEX_C), dims = op->image->dims;
	uint32_t (*const coord)[CU_LANES] = tex_coords(op), (*const to)[CU_LANES] = m->row + compared;
	m->op = *op;
	m->op.flags = (op->flags & TEX_KIND) | (op->flags & TEX_C);
	m->op.address = m->row;
	EACH_STRIP(strips, lane) {
		for (unsigned d = 0; d < dims; d++) {
			const vf offset = v_float(tex_texel_offset(op, d, lane));
			v_storef((float *)&to[d][lane], v_fma(offset, v_setf(at->inverse[d]), v_loadf(&coord[d][lane])));
		}
		if (op->image->arrayed)
			v_store(&to[dims][lane], v_load(&coord[dims][lane]));
	}
	return &m->op;
}

static bool moves(const struct wave *w)
{
	return w->op->flags & TEX_O && w->body != TEX_BODY_OTHER && !(w->lods && w->lods->mixed);
}

/* Strips `strips` of a level, all their lanes, to w->p.row. */
static void read_unmoved(struct wave *w, unsigned level, uint32_t strips)
{
	const struct tex_place *at = &w->op->plan->level[level];
	struct depth z;
	w->p.base = at->base;
	w->p.pitch = at->pitch;
	w->p.strips = strips;
	if (may_tile(w, level)) {
		if (w->op->image->block ? tex_find_tile(w->op, level, w->linear, w->lods && w->lods->again, w->exec, &w->p) : find_texel_tile(w, level)) {
			w->op->plan->tile[w->linear](w->op, &w->p);
			return;
		}
		if (w->lods)
			w->lods->far |= 1u << level;
	}
	find(w, at, &z);
	if (w->beyond && w->aside)
		read_to(w, w->aside);
	w->filter(w->op, &w->p);
	if (w->op->image->dims < 3 || !w->linear)
		return;
	struct tex_components far;
	uint32_t *row[4];
	for (unsigned c = 0; c < 4; c++)
		row[c] = w->p.row[c];
	read_to(w, &far);
	EACH_STRIP(strips, lane)
		for (int t = 0; t < 4; t++)
			v_store(&w->p.at[t][lane], v_load(&w->p.at[t][lane]) + v_load(&z.step[lane]));
	w->filter(w->op, &w->p);
	EACH_STRIP(strips, lane) {
		const vi z_weight = v_load(&z.weight[lane]);
		const vf weight = w->op->plan->bytes ? v_float(z_weight & 255) * v_setf(1 / 256.0f) : (vf)z_weight;
		for (unsigned c = 0; c < 4; c++)
			v_storef(row[c] + lane, tex_lerp_float(v_loadf(row[c] + lane), v_loadf(far.c[c] + lane), weight));
	}
	for (unsigned c = 0; c < 4; c++)
		w->p.row[c] = row[c];
}

static void read_level(struct wave *w, unsigned level, uint32_t strips)
{
	const struct tex_op *op = w->op;
	struct moved m;
	if (moves(w))
		w->op = move(&m, op, &op->plan->level[level], strips);
	read_unmoved(w, level, strips);
	w->op = op;
}

/* The first (k 0) or second levels, each lane's own; the second ones are mixed with the first by delta. */
static void read_levels(struct wave *w, int k, struct tex_components *out)
{
	const struct lods *l = w->lods;
	struct tex_components one;
	const bool alone = k == 0 && !l->part && !(l->used[0] & (l->used[0] - 1));
	read_to(w, alone ? out : &one);
	for (uint32_t used = l->used[k]; used; used &= used - 1) {
		const int level = __builtin_ctz(used);
		uint64_t lanes = alone ? w->exec : 0;
		const uint64_t beyond = w->beyond;
		EACH_STRIP(alone ? 0 : live_strips(w->exec), lane) {
			vi in = v_load(&l->level[k][lane]) == level;
			if (k)
				in &= v_loadf(&l->delta[lane]) > v_setf(0);
			lanes |= (uint64_t)v_bits(in) << lane;
		}
		lanes &= w->exec;
		if (!lanes)
			continue;
		const uint32_t strips = live_strips(lanes);
		w->beyond = 0;
		read_level(w, (unsigned)level, strips);
		w->beyond = beyond | (w->beyond & lanes); /* not those that read no such level */
		if (alone)
			return;
		EACH_STRIP(strips, lane) {
			const vf delta = v_loadf(&l->delta[lane]);
			vi in = v_load(&l->level[k][lane]) == level;
			if (k)
				in &= delta > v_setf(0);
			for (unsigned c = 0; c < 4; c++) {
				vi *to = (vi *)(out->c[c] + lane), new = v_load(one.c[c] + lane);
				if (k)
					new = (vi)tex_lerp((vf)*to, (vf)new, delta);
				*to = v_sel(in, new, *to);
			}
		}
	}
}

static void read_both_levels(struct wave *w, struct tex_components *out)
{
	read_levels(w, 0, out);
	if (w->lods->used[1])
		read_levels(w, 1, out);
}

void tex_read_lods(const struct tex_op *op, uint64_t exec, struct lods *lods, struct tex_components *out)
{
	struct wave w; /* the footprint is large: not to be cleared */
	w.op = op;
	w.exec = exec;
	w.beyond = 0;
	w.aside = NULL;
	w.lods = lods;
	w.linear = op->sampler->mag_linear || op->sampler->min_linear;
	w.filter = op->plan->filter[0][w.linear];
	w.body = body_of(op);
	read_both_levels(&w, out);
}

/* A wave of common levels. */
static void read_common(struct wave *w, const struct quads *q, const struct common *l, const struct tex_outputs *o)
{
	const bool whole = is_free(w->op, w->exec) && !o->more_count;
	const bool all = whole && w->op->in->dmask == 15;
	const uint32_t strips = live_strips(w->exec);
	struct tex_components near, far;
	read_to_outputs(&w->p, o, whole && !l->between, &near);
	read_level(w, (unsigned)l->level[0], strips);
	if (!l->between && whole)
		return;
	if (l->between) {
		read_to(w, &far);
		read_level(w, (unsigned)l->level[1], strips);
	}
	EACH_STRIP(strips, lane) {
		const vf delta = tex_of_quads(q->delta, lane);
		vi mem[4];
		V_UNROLL
		for (unsigned c = 0; c < 4; c++) {
			const vf first = v_loadf(near.c[c] + lane);
			mem[c] = (vi)first;
			if (l->between)
				mem[c] = v_sel(delta > v_setf(0), (vi)tex_lerp(first, v_loadf(far.c[c] + lane), delta), (vi)first);
		}
		tex_write_strip(o, all, lane, (uint32_t)(w->exec >> lane) & ((1u << VL) - 1), mem);
	}
}

/* --- the door --- */

static void write_lanes(const struct tex_op *op, const struct tex_outputs *o, const struct tex_components *from,
	uint64_t lanes)
{
	EACH_STRIP(live_strips(lanes), lane) {
		const uint32_t live = (uint32_t)(lanes >> lane) & ((1u << VL) - 1);
		vi mem[4];
		for (unsigned c = 0; c < 4; c++)
			mem[c] = v_load(from->c[c] + lane);
		tex_write_strip(o, false, lane, live, mem);
	}
}

/* What texels are compared with: the operand itself where that will do, else `own`. */
static void read_compare(struct wave *w, float own[CU_LANES])
{
	const struct tex_image *img = w->op->image;
	w->p.compare = (const float *)*tex_compared(w->op);
	if (img->level->nfmt != NFMT_UNORM && !img->is_3d) /* whose first half is written when the second is read */
		return;
	tex_copy_compared(w->op, own);
	w->p.compare = own;
}

/* Lanes that are filtered, and those that have the nearest texel, for themselves. */
static void read_by_filter(struct wave *w, const struct lods *all, const tex_filter_fn filter[2], struct tex_components *out)
{
	const uint64_t exec = w->exec;
	for (int linear = 0; linear < 2; linear++) {
		struct lods some = *all;
		uint64_t lanes = 0;
		some.mixed = false;
		some.part = true;
		for (int lane = 0; lane < CU_LANES; lane += VL) {
			const vi in = linear ? v_load(&all->linear[lane]) : ~v_load(&all->linear[lane]);
			for (int k = 0; k < 2; k++)
				v_store(&some.level[k][lane], v_load(&all->level[k][lane]) | ~in);
			lanes |= (uint64_t)v_bits(in) << lane;
		}
		w->exec = exec & lanes;
		w->linear = linear;
		w->filter = filter[linear];
		w->lods = &some;
		if (w->exec)
			read_both_levels(w, out);
	}
	w->exec = exec;
	w->lods = NULL;
}

/* A wave of several levels or of two filters.  True: it is written. */
static __attribute__((noinline)) bool read_mixed(struct wave *w, const struct tex_outputs *o, struct tex_components *all)
{
	const struct tex_op *op = w->op;
	const struct tex_sampler *smp = op->sampler;
	const tex_filter_fn *filter = op->plan->filter[!!(op->flags & TEX_C)];
	const bool flat = w->body != TEX_BODY_OTHER && w->body != TEX_BODY_CUBE && !(op->flags & TEX_CL);
	struct lods lods;
	struct quads quads;
	struct common common;
	const bool by_quads = flat && find_quads(op, w->exec, &quads);
	if (by_quads && find_common(op, w->exec, &quads, &common) &&
	    (smp->mag_linear == smp->min_linear || !(common.magnified && common.minified))) {
		w->linear = common.magnified ? smp->mag_linear : smp->min_linear;
		w->filter = filter[w->linear];
		read_common(w, &quads, &common, o);
		return true;
	}
	find_lods(op, by_quads ? quads.base : NULL, w->exec, &lods);
	if (lods.mixed && flat) {
		read_by_filter(w, &lods, filter, all);
		return false;
	}
	w->linear |= smp->min_linear;
	w->lods = &lods;
	w->filter = filter[w->linear];
	read_both_levels(w, all);
	return false;
}

static inline bool few(uint32_t strips) { return 2 * __builtin_popcount(strips) <= CU_LANES / VL; }

void tex_sample_wave(const struct tex_op *op)
{
	const struct tex_sampler *smp = op->sampler;
	struct wave w; /* the footprint is large: not to be cleared */
	struct tex_outputs o;
	struct tex_components all;
	alignas(64) float compare[CU_LANES];
	if (op->plan->quick && few(live_strips(cu_exec(op->w))) && !(op->flags & ~(uint32_t)(TEX_KIND | TEX_L | TEX_LZ)) && op->plan->quick(op))
		return;
	w.op = op;
	w.exec = cu_exec(op->w);
	w.beyond = 0;
	w.aside = NULL;
	w.lods = NULL;
	w.linear = smp->mag_linear;
	w.filter = op->plan->filter[!!(op->flags & TEX_C)][w.linear];
	w.body = body_of(op);
	tex_find_outputs(op, &o);
	if (op->flags & TEX_C)
		read_compare(&w, compare);
	if (!smp->fixed) {
		if (read_mixed(&w, &o, &all))
			return;
	} else {
		const bool whole = is_free(op, w.exec);
		read_to_outputs(&w.p, &o, whole, &all);
		w.aside = &all;
		read_level(&w, 0, live_strips(w.exec));
		if (whole && !w.beyond) {
			tex_write_more(&o, 0);
			return;
		}
	}
	w.beyond &= w.exec;
	if (w.beyond)
		tex_sample_lanes(op, w.beyond);
	write_lanes(op, &o, &all, w.exec & ~w.beyond);
}

/* Whether nothing is to be decided about lanes, which are of one level and filter. */
static bool is_whole(const struct tex_op *op, enum tex_body body)
{
	return !(op->flags & TEX_C) && !op->plan->inside && body != TEX_BODY_OTHER && body != TEX_BODY_CUBE && op->sampler->fixed;
}

unsigned tex_sample_whole(struct tex_op *op, unsigned count)
{
	const struct gcn_inst *first = op->in;
	struct wave w;
	struct tex_outputs o;
	struct tex_components rest;
	unsigned n = 0;
	w.exec = cu_exec(op->w);
	const uint32_t strips = live_strips(w.exec);
	if (!is_free(op, w.exec) || (w.exec != ~0ull && op->plan->quick && few(strips)))
		return 0;
	w.body = body_of(op);
	if (!is_whole(op, w.body) || !tex_find_operands(op, first))
		return 0;
	const uint32_t *const begin = *op->data, *from = begin;
	tex_find_outputs(op, &o);
	w.op = op;
	w.beyond = 0;
	w.aside = NULL;
	w.lods = NULL;
	w.linear = op->sampler->mag_linear;
	w.filter = op->plan->filter[0][w.linear];
	read_to_outputs(&w.p, &o, true, &rest);
	do {
		read_level(&w, 0, strips);
		tex_write_more(&o, from - begin);
		if (++n == count || first[n].dmask != first->dmask || !tex_goes_on(first, first + n) || !tex_find_operands(op, first + n))
			break;
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			w.p.row[c] += o.row[c] ? *op->data - from : 0;
		from = *op->data;
	} while (true);
	return n;
}

void tex_load_wave(const struct tex_op *op)
{
	const struct tex_image *img = op->image;
	const uint64_t exec = cu_exec(op->w);
	const bool plain = img->dims == 2 && !img->arrayed && !op->plan->odd;
	struct tex_footprint p;
	struct tex_components all;
	struct tex_outputs o;
	alignas(64) int32_t inside[CU_LANES];
	tex_find_outputs(op, &o);
	p.base = op->plan->level->base;
	p.pitch = op->plan->level->pitch;
	p.strips = live_strips(exec);
	const bool in = plain ? tex_find_loads(true, op, &p, inside) : tex_find_loads(false, op, &p, inside);
	const bool whole = in && is_free(op, exec);
	read_to_outputs(&p, &o, whole, &all);
	op->plan->filter[0][0](op, &p);
	if (whole) {
		tex_write_more(&o, 0);
		return;
	}
	EACH_STRIP(p.strips, lane) {
		vi mem[4];
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			mem[c] = v_load(&all.c[c][lane]) & v_load(&inside[lane]);
		tex_write_strip(&o, false, lane, (uint32_t)(exec >> lane) & ((1u << VL) - 1), mem);
	}
}
