/* SPDX-License-Identifier: MIT */
/* image_sample and image_gather4 where there is a border: lanes that read texels of the image alone go as if it
 * were clamped to its edge, lanes that read the border alone get its colour, and those between, which are few, the general way. */
#include "core/tex/tex_components.h"
#include "core/tex/tex_footprint.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_output.h"

enum { MOST_OPERANDS = 16 };

struct border_lanes { uint64_t inside, outside; };

/* Of an axis of some levels: a position is coordinate * scale + offset - middle; not farther than `inside` from there are texels of
 * the image alone, farther than `outside` is the border alone. */
struct span { vf scale, middle, inside, outside; };

V_INLINE struct span span_of(const struct tex_sampler *smp, vi size)
{
	const vf n = v_float(size), middle = n * v_setf(0.5f);
	const bool linear = smp->mag_linear || smp->min_linear;
	/* of nearest ones the first float below, since the far end is not the image's */
	const vf inside = linear ? middle - v_setf(0.5f) : (vf)((vi)middle - 1);
	return (struct span){ smp->unnormalized ? v_setf(1) : n, middle, inside, linear ? middle + v_setf(0.5f) : middle };
}

V_INLINE vf distance(const struct tex_op *op, const struct span *s, unsigned d, int lane)
{
	return v_absf(v_fma(v_loadf(&tex_coords(op)[d][lane]), s->scale, v_float(tex_texel_offset(op, d, lane)) - s->middle));
}

V_INLINE bool has_border(const struct tex_op *op, unsigned d) { return op->sampler->clamp[d] == S_CLAMP_BORDER; }

/* Of lanes that read a level with these axes; of inside and outside those that still are. */
V_INLINE void sort_strip(const struct tex_op *op, const struct span axis[3], int lane, vi *inside, vi *outside)
{
	vi out = v_set(0);
	for (unsigned d = 0; d < op->image->dims; d++) {
		if (!has_border(op, d))
			continue;
		const vf far = distance(op, &axis[d], d, lane);
		*inside &= far <= axis[d].inside;
		out |= far > axis[d].outside;
	}
	*outside &= out;
}

V_INLINE void add_strip(struct border_lanes *b, int lane, vi inside, vi outside)
{
	b->inside |= (uint64_t)v_bits(inside) << lane;
	b->outside |= (uint64_t)v_bits(outside) << lane;
}

/* Whether that is all lanes, on or not, and most waves are. */
static bool all_inside(const struct tex_op *op, const struct span axis[3])
{
	vi inside = v_set(-1);
	for (unsigned d = 0; d < op->image->dims; d++)
		for (int lane = 0; lane < CU_LANES && has_border(op, d); lane += VL)
			inside &= distance(op, &axis[d], d, lane) <= axis[d].inside;
	return !v_any(~inside);
}

/* What a wave of one level reads, or of two that all lanes have; deltas: of quads, NULL: one. */
static struct border_lanes sort_common(const struct tex_op *op, uint64_t exec, const int32_t level[2], const float *deltas)
{
	const struct tex_image *img = op->image;
	struct border_lanes b = { 0, 0 };
	struct span axis[2][3];
	for (unsigned k = 0; k < (deltas ? 2 : 1); k++)
		for (unsigned d = 0; d < img->dims; d++)
			axis[k][d] = span_of(op->sampler, v_set(img->size[d][level[k]]));
	/* what is inside of the smaller level, which has broader edges, is inside of the larger one */
	if (all_inside(op, axis[!!deltas]) && (!deltas || !(op->flags & TEX_O)))
		return (struct border_lanes){ ~0ull, 0 };
	EACH_STRIP(live_strips(exec), lane) {
		vi inside[2] = { v_set(-1), v_set(-1) }, outside[2] = { v_set(-1), v_set(-1) };
		sort_strip(op, axis[0], lane, &inside[0], &outside[0]);
		if (deltas) {
			const vi one = ~(tex_of_quads(deltas, lane) > v_setf(0));
			sort_strip(op, axis[1], lane, &inside[1], &outside[1]);
			inside[0] &= inside[1] | one;
			outside[0] &= outside[1] | one;
		}
		add_strip(&b, lane, inside[0], outside[0]);
	}
	return b;
}

/* Of a wave whose lanes have levels of their own. */
static struct border_lanes sort_mixed(const struct tex_op *op, uint64_t exec, const struct lods *lods)
{
	const struct tex_image *img = op->image;
	struct border_lanes b = { 0, 0 };
	EACH_STRIP(live_strips(exec), lane) {
		const vi first = v_load(&lods->level[0][lane]);
		const vi second = v_sel(v_loadf(&lods->delta[lane]) > v_setf(0), v_load(&lods->level[1][lane]), first);
		vi inside = v_set(-1), outside = inside;
		struct span axis[2][3];
		for (unsigned d = 0; d < img->dims; d++) {
			axis[0][d] = span_of(op->sampler, v_table16(img->size[d], first));
			axis[1][d] = span_of(op->sampler, v_table16(img->size[d], second));
		}
		sort_strip(op, axis[0], lane, &inside, &outside);
		sort_strip(op, axis[1], lane, &inside, &outside);
		add_strip(&b, lane, inside, outside);
	}
	return b;
}

/* Of image_gather4, of a first level: texels are whole ones. */
static struct border_lanes sort_gather(const struct tex_op *op, uint64_t exec)
{
	const struct tex_image *img = op->image;
	struct border_lanes b = { 0, 0 };
	EACH_STRIP(live_strips(exec), lane) {
		vi inside = v_set(-1), out = v_set(0);
		for (unsigned d = 0; d < img->dims; d++) {
			const vi size = v_set(img->size[d][0]);
			const vf v = v_loadf(&tex_coords(op)[d][lane]);
			struct tex_axis a;
			if (!has_border(op, d))
				continue;
			tex_axis_indices(op->sampler->unnormalized ? v : v * v_float(size), tex_texel_offset(op, d, lane), v_set(-1), &a);
			inside &= (a.i[0] >= 0) & (a.i[1] < size);
			out |= (a.i[1] < 0) | (a.i[0] >= size);
		}
		add_strip(&b, lane, inside, out);
	}
	return b;
}

static inline bool is_gather(const struct tex_op *op) { return (op->flags & TEX_KIND) == TEX_GATHER; }

static struct border_lanes sort_lanes(const struct tex_op *op, uint64_t exec)
{
	static const int32_t first[2] = { 0, 0 };
	struct common common;
	struct lods lods;
	struct quads quads;
	if (is_gather(op))
		return sort_gather(op, exec);
	if (op->sampler->fixed)
		return sort_common(op, exec, first, NULL);
	const bool by_quads = op->plan->body != TEX_BODY_OTHER && !(op->flags & TEX_CL) && find_quads(op, exec, &quads);
	if (by_quads && find_common(op, exec, &quads, &common))
		return sort_common(op, exec, common.level, common.between ? quads.delta : NULL);
	find_lods(op, by_quads ? quads.base : NULL, exec, &lods);
	return sort_mixed(op, exec, &lods);
}

static void write_border(const struct tex_op *op, uint64_t lanes)
{
	const struct tex_sampler *smp = op->sampler;
	const unsigned channel = (unsigned)__builtin_ctz(op->in->dmask | 16);
	struct tex_outputs o;
	vi mem[4];
	tex_find_outputs(op, &o);
	for (unsigned c = 0; c < 4; c++)
		mem[c] = v_set((int32_t)smp->border[c]);
	EACH_STRIP(live_strips(lanes), lane) {
		if (op->flags & TEX_C) {
			mem[0] = v_set((int32_t)smp->border[0]);
			tex_compare_texels(smp, tex_clamp_compared(op->image, v_loadf(*tex_compared(op) + lane)), mem);
		}
		const uint32_t live = (uint32_t)(lanes >> lane) & ((1u << VL) - 1);
		if (!is_gather(op))
			tex_write_strip(&o, false, lane, live, mem);
		for (unsigned n = 0; n < 4 && is_gather(op); n++)
			tex_write(op, n, lane, v_mask_of(live), tex_channel(op->image, mem, channel));
	}
}

static void sample_inside(const struct tex_op *op, uint64_t exec, uint64_t lanes)
{
	struct tex_op inside = *op;
	inside.sampler = op->plan->inside;
	cu_set_exec(op->w, lanes);
	if (is_gather(op))
		tex_gather_wave(&inside);
	else
		tex_sample_wave(&inside);
	cu_set_exec(op->w, exec);
}

/* Operands that the first results may be written over. */
struct operands { alignas(64) uint32_t row[MOST_OPERANDS][CU_LANES]; };

static __attribute__((noinline)) void keep_operands(struct tex_op *op, struct operands *kept)
{
	const struct tex_image *img = op->image;
	const unsigned count = tex_address_count(img->dims, img->dims + img->arrayed, op->flags);
	memcpy(kept->row, op->address, count * sizeof *kept->row);
	op->address = kept->row;
}

void tex_sample_border(const struct tex_op *all)
{
	struct tex_op op = *all;
	struct operands kept;
	const uint64_t exec = cu_exec(op.w);
	struct border_lanes b = sort_lanes(&op, exec);
	b.inside &= exec;
	b.outside &= exec;
	const uint64_t between = exec & ~(b.inside | b.outside);
	if (b.inside != exec && b.outside != exec)
		keep_operands(&op, &kept);
	if (b.inside)
		sample_inside(&op, exec, b.inside);
	if (between)
		tex_sample_lanes(&op, between);
	if (b.outside)
		write_border(&op, b.outside);
}

bool tex_make_inside(struct tex_sampler *inside, const struct tex_sampler *smp, const struct tex_image *img)
{
	if (!smp->any_border || smp->mode != S_MODE_BLEND || smp->mag_cubic || smp->min_cubic || img->cube)
		return false;
	for (unsigned c = 0; c < 4 && !img->integer; c++) /* mixed with themselves, those are no longer what they were */
		if ((smp->border[c] & 0x7f800000) == 0x7f800000)
			return false;
	*inside = *smp;
	inside->any_border = inside->special = false;
	for (unsigned d = 0; d < img->dims; d++) {
		if (smp->clamp[d] == S_CLAMP_BORDER)
			inside->clamp[d] = S_CLAMP_LAST_TEXEL;
		else if (smp->clamp[d] >= S_CLAMP_HALF_BORDER)
			return false;
	}
	return true;
}
