/* SPDX-License-Identifier: MIT */
/* image_gather4 of whole waves: a channel of each of the four texels that a filter would weigh.  They are by the positions
 * that strips have (tex_filter.h), to which offsets are added as whole texels. */
#include "core/format/format_vec.h"
#include "core/tex/tex_column.h"
#include "core/tex/tex_fetch_taps.h"
#include "core/tex/tex_filter.h"
#include "core/tex/tex_levels.h"
#include "core/tex/tex_texels.h"

/* In the order of the results: i0j1, i1j1, i1j0, i0j0. */
static const uint8_t gathered[4] = { 2, 3, 1, 0 };

static void find(const struct tex_op *op, struct tex_footprint *p)
{
	const struct tex_plan *plan = op->plan;
	const struct tex_image *img = op->image;
	const struct tex_place *at = plan->level;
	const vi part_x = v_repeat4(plan->part_x), part_y = v_repeat4(at->part_y), pitch = v_set(at->pitch);
	uint32_t (*const coord)[CU_LANES] = tex_coords(op);
	p->base = at->base;
	p->pitch = at->pitch;
	p->pairs = 0;
	EACH_STRIP(p->strips, lane) {
		struct tex_axis a[2];
		vi x[2], y[2], border = v_set(0), slice = v_set(0);
		V_UNROLL
		for (unsigned d = 0; d < 2; d++) {
			const vi size = v_set(at->last[d] + 1);
			const vf v = v_loadf(&coord[d][lane]);
			tex_axis_indices(op->sampler->unnormalized ? v : v * v_float(size), tex_texel_offset(op, d, lane), v_set(-1), &a[d]);
			for (int k = 0; k < 2; k++)
				a[d].i[k] = tex_wrap(a[d].i[k], size, op->sampler->clamp[d], img->pow2[d], &border);
		}
		if (img->arrayed)
			slice = tex_slice_at(img, at, tex_slice(v_loadf(&coord[2][lane]), img->slices));
		for (int k = 0; k < 2; k++) {
			x[k] = plan->odd ? tex_odd_column(img, plan, a[0].i[k]) : tex_column(plan, true, part_x, a[0].i[k]);
			y[k] = slice + (plan->odd ? tex_odd_line(img, plan, (int32_t)img->level->pitch, a[1].i[k]) :
				tex_line(true, pitch, part_y, a[1].i[k]));
		}
		for (int t = 0; t < 4; t++)
			v_store(&p->at[t][lane], x[t & 1] + y[t >> 1]);
		p->pairs |= (uint32_t)!v_any(x[1] - x[0] != (int)img->level->bpe) << lane / VL;
	}
}

/* --- texels of a dword --- */

enum how { BYTES, TABLE, RAW, COMPARED };

V_INLINE vi value_of(enum how how, const struct tex_op *op, vi raw, unsigned byte, vf compare)
{
	const vi code = v_shr(raw, 8 * byte) & 255;
	switch (how) {
	case BYTES: return (vi)tex_unorm_byte(code, 0);
	case TABLE: return (vi)tex_srgb_decode(code);
	case COMPARED: return tex_compare(op->sampler->compare, compare, (vf)raw) & (vi)v_setf(1);
	default: return raw;
	}
}

V_INLINE void gather(enum how how, const struct tex_op *op, const struct tex_footprint *p, unsigned byte)
{
	EACH_STRIP(p->strips, lane) {
		const vi live = v_mask_of(tex_live(op->w, lane));
		const vf compare = how == COMPARED ? v_loadf(p->compare + lane) : v_setf(0);
		vi raw[4];
		for (int t = 0; t < 4; t += 2) {
			vi two[4];
			if (p->pairs >> lane / VL & 1) {
				tex_load_qwords(p->base, &p->at[t][lane], two);
			} else {
				two[0] = v_load_at(p->base, &p->at[t][lane]);
				two[1] = v_load_at(p->base, &p->at[t + 1][lane]);
			}
			raw[t] = two[0];
			raw[t + 1] = two[1];
		}
		V_UNROLL
		for (unsigned n = 0; n < 4; n++)
			tex_write(op, n, lane, live, value_of(how, op, raw[gathered[n]], byte, compare));
	}
}

/* False: the texels are others. */
static bool gather_dwords(const struct tex_op *op, const struct tex_footprint *p, unsigned component)
{
	const struct surf_plane *plane = op->image->level;
	if (plane->dfmt == DFMT_32 && component == 0 && op->flags & TEX_C && plane->nfmt == NFMT_FLOAT)
		gather(COMPARED, op, p, 0);
	else if (op->flags & TEX_C)
		return false;
	else if (plane->dfmt == DFMT_32 && component == 0)
		gather(RAW, op, p, 0);
	else if (plane->dfmt == DFMT_8_8_8_8 && (plane->nfmt == NFMT_UNORM || (plane->nfmt == NFMT_SRGB && component == 3)))
		gather(BYTES, op, p, component);
	else if (plane->dfmt == DFMT_8_8_8_8 && plane->nfmt == NFMT_SRGB)
		gather(TABLE, op, p, component);
	else
		return false;
	return true;
}

/* --- components that are read alone, or are fields of a dword --- */

V_INLINE void gather_component(unsigned nfmt, unsigned bits, unsigned shift, bool alone, const struct tex_op *op,
	const struct tex_footprint *p, unsigned component)
{
	const uint8_t *const base = p->base + (alone ? component * bits / 8 : 0);
	EACH_STRIP(p->strips, lane) {
		const vi live = v_mask_of(tex_live(op->w, lane));
		vi value[4];
		V_UNROLL
		for (unsigned n = 0; n < 4; n++) {
			const int32_t *const at = &p->at[gathered[n]][lane];
			const vi raw[4] = { alone ? tex_load_narrow(bits / 8, base, at) : v_load_at(base, at) };
			value[n] = tex_unpack_component(nfmt, bits, shift, component, raw);
		}
		V_UNROLL
		for (unsigned n = 0; n < 4; n++)
			tex_write(op, n, lane, live, value[n]);
	}
}

V_INLINE void gather_fields(unsigned dfmt, unsigned nfmt, const struct tex_op *op, const struct tex_footprint *p, unsigned component)
{
	const struct cu_format_layout l = cu_format_layout(dfmt);
	switch (component) {
	case 0: gather_component(nfmt, l.bits[0], l.shift[0], false, op, p, 0); break;
	case 1: gather_component(nfmt, l.bits[1], l.shift[1], false, op, p, 1); break;
	case 2: gather_component(nfmt, l.bits[2], l.shift[2], false, op, p, 2); break;
	default: gather_component(nfmt, l.bits[3], l.shift[3], false, op, p, 3); break;
	}
}

/* The same. */
static bool gather_components(const struct tex_op *op, const struct tex_footprint *p, unsigned component)
{
	const unsigned dfmt = op->image->level->dfmt, nfmt = op->image->level->nfmt;
	const bool words = dfmt == DFMT_16 || dfmt == DFMT_16_16 || dfmt == DFMT_16_16_16_16;
	if (op->flags & TEX_C || component >= cu_format_layout(dfmt).count)
		return false;
	if (words && nfmt == NFMT_FLOAT)
		gather_component(NFMT_FLOAT, 16, 0, true, op, p, component);
	else if (words && nfmt == NFMT_UNORM)
		gather_component(NFMT_UNORM, 16, 0, true, op, p, component);
	else if ((dfmt == DFMT_8 || dfmt == DFMT_8_8) && nfmt == NFMT_UNORM)
		gather_component(NFMT_UNORM, 8, 0, true, op, p, component);
	else if (dfmt == DFMT_10_11_11 && nfmt == NFMT_FLOAT)
		gather_fields(DFMT_10_11_11, NFMT_FLOAT, op, p, component);
	else if (dfmt == DFMT_2_10_10_10 && nfmt == NFMT_UNORM)
		gather_fields(DFMT_2_10_10_10, NFMT_UNORM, op, p, component);
	else
		return false;
	return true;
}

/* A channel that no texel has. */
static void gather_constant(const struct tex_op *op, uint32_t strips, unsigned channel)
{
	const vi none[4] = { v_set(0), v_set(0), v_set(0), v_set(0) }, value = tex_channel(op->image, none, channel);
	EACH_STRIP(strips, lane) {
		for (unsigned n = 0; n < 4; n++)
			tex_write(op, n, lane, v_mask_of(tex_live(op->w, lane)), value);
	}
}

/* --- any texels --- */

/* By the kernel of nearest texels, one after the other. */
static void gather_any(const struct tex_op *op, struct tex_footprint *p, unsigned channel)
{
	const tex_filter_fn filter = op->plan->filter[!!(op->flags & TEX_C)][0];
	alignas(64) int32_t first[CU_LANES];
	struct tex_components all;
	for (unsigned c = 0; c < 4; c++)
		p->row[c] = all.c[c];
	p->first_alone = false;
	memcpy(first, p->at[0], sizeof first);
	for (unsigned n = 0; n < 4; n++) {
		memcpy(p->at[0], gathered[n] ? p->at[gathered[n]] : first, sizeof first);
		filter(op, p);
		EACH_STRIP(p->strips, lane) {
			vi mem[4];
			for (unsigned c = 0; c < 4; c++)
				mem[c] = v_load(all.c[c] + lane);
			tex_write(op, n, lane, v_mask_of(tex_live(op->w, lane)), tex_channel(op->image, mem, channel));
		}
	}
}

void tex_gather_wave(const struct tex_op *op)
{
	const unsigned channel = (unsigned)__builtin_ctz(op->in->dmask), sel = op->image->sel[channel];
	alignas(64) float compare[CU_LANES];
	struct tex_footprint p;
	p.strips = live_strips(cu_exec(op->w));
	if (sel < SEL_R) {
		gather_constant(op, p.strips, channel);
		return;
	}
	if (op->flags & TEX_C) {
		tex_copy_compared(op, compare); /* which a result may replace */
		p.compare = compare;
	}
	find(op, &p);
	if (op->image->block || (!gather_dwords(op, &p, sel - SEL_R) && !gather_components(op, &p, sel - SEL_R)))
		gather_any(op, &p, channel);
}
