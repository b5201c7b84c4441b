/* SPDX-License-Identifier: MIT */
/* Fast paths of image_sample: 2D images (or one slice of an array) of common
 * formats, magnified and minified alike, with constant formats so that taps
 * stay in registers.
 *
 * UNORM channels are filtered as integers and divided once, so a filtered
 * result may differ in its last bits from the general path's; which path runs
 * depends on descriptors and opcode alone, never on lanes. */
#include "core/tex/tex_filter.h"

/* What a kernel is specialised for. */
struct fast_kind { uint8_t dfmt, nfmt; bool compare, linear; };

/* One axis: byte offsets of the first and second texel, weight of the second. */
struct fast_axis { vi part[2], border[2]; vf weight; };

/* One tap: raw dwords and where it is border. */
struct fast_tap { vi raw[4], border; };

V_INLINE bool fast_is_integer(struct fast_kind k, unsigned c)
{
	return !k.compare && (k.nfmt == NFMT_UNORM || (k.nfmt == NFMT_SRGB && c == 3));
}

/* Component c as a float; of UNORM still an integer. */
V_INLINE vf fast_component(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st,
	const struct fast_tap *t, unsigned c)
{
	struct cu_format_layout l = cu_format_layout(k.dfmt);
	uint32_t max = fast_is_integer(k, c) ? (1u << (l.bits[c] & 31)) - 1 : 1;
	vf v;
	if (fast_is_integer(k, c))
		v = v_float(tex_field(t->raw, l.shift[c], l.bits[c]));
	else
		v = (vf)tex_unpack_component(k.nfmt, l.bits[c], l.shift[c], c, t->raw);
	if (op->sampler->any_border)
		v = v_self(t->border, v_setf(op->sampler->border[c] ? (float)max : 0), v);
	return k.compare ? (vf)(tex_compare(op->sampler->compare, st->compare, v) & (vi)v_setf(1)) : v;
}

V_INLINE vi fast_part(struct fast_kind k, const struct tex_op *op, const struct tex_lanes_level *lv, unsigned d, vi i,
	vi *border)
{
	unsigned bytes = cu_format_layout(k.dfmt).bytes;
	*border = v_set(0);
	i = tex_wrap(i, lv->size[d], op->sampler->clamp[d], op->image->pow2[d], border);
	unsigned tiling = op->image->level->tiling;
	return d == 0 ? tex_x_part(tiling, bytes, i) : tex_y_part(tiling, bytes, lv->pitch, i);
}

V_INLINE void fast_axis(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st,
	const struct tex_lanes_level *lv, unsigned d, struct fast_axis *out)
{
	struct tex_axis a;
	tex_axis_indices(tex_texels(op, st, lv, d), st->offset[d], v_set(k.linear ? -1 : 0), &a);
	out->part[0] = fast_part(k, op, lv, d, a.i[0], &out->border[0]);
	if (k.linear)
		out->part[1] = fast_part(k, op, lv, d, a.i[1], &out->border[1]);
	out->weight = a.weight;
}

V_INLINE void fast_fetch(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st, vi base,
	const struct fast_axis *x, const struct fast_axis *y, unsigned tap, struct fast_tap *out)
{
	out->border = x->border[tap & 1] | y->border[tap >> 1];
	tex_gather_narrow(op->image->base, cu_format_layout(k.dfmt).bytes, base + x->part[tap & 1] + y->part[tap >> 1],
		st->live & ~out->border, out->raw);
}

V_INLINE vf fast_lerp(struct fast_kind k, vf a, vf b, vf f)
{
	return k.nfmt == NFMT_FLOAT && !k.compare ? tex_lerp_float(a, b, f) : tex_lerp(a, b, f);
}

V_INLINE void fast_level(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st, vi level,
	unsigned need, vf out[4])
{
	struct tex_lanes_level lv = tex_level_of(op->image, level);
	struct fast_axis x, y;
	struct fast_tap tap[4];
	vi base = lv.offset + st->slice * lv.stride;
	unsigned count = k.compare ? 1 : cu_format_layout(k.dfmt).count;
	fast_axis(k, op, st, &lv, 0, &x);
	fast_axis(k, op, st, &lv, 1, &y);
	fast_fetch(k, op, st, base, &x, &y, 0, &tap[0]);
	if (k.linear) {
		fast_fetch(k, op, st, base, &x, &y, 1, &tap[1]);
		fast_fetch(k, op, st, base, &x, &y, 2, &tap[2]);
		fast_fetch(k, op, st, base, &x, &y, 3, &tap[3]);
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		if (c >= count || !(need >> c & 1))
			continue;
		out[c] = fast_component(k, op, st, &tap[0], c);
		if (k.linear) {
			vf top = fast_lerp(k, out[c], fast_component(k, op, st, &tap[1], c), x.weight);
			vf bottom = fast_lerp(k, fast_component(k, op, st, &tap[2], c), fast_component(k, op, st, &tap[3], c),
				x.weight);
			out[c] = fast_lerp(k, top, bottom, y.weight);
		}
	}
}

/* Levels, then the end of the deferred division; absent components. */
V_INLINE void fast_components(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st, vi mem[4])
{
	struct cu_format_layout l = cu_format_layout(k.dfmt);
	vi first, second;
	vf delta, value[4], more[4];
	unsigned need = tex_needed(op, op->in->dmask);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		value[c] = more[c] = v_setf(c == 3 ? 1 : 0);
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	fast_level(k, op, st, first, need, value);
	vi between = delta > v_setf(0);
	if (v_any(between & st->live)) {
		fast_level(k, op, st, second, need, more);
		V_UNROLL
		for (unsigned c = 0; c < 4; c++)
			value[c] = v_self(between, tex_lerp(value[c], more[c], delta), value[c]);
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		if (c < l.count && fast_is_integer(k, c))
			value[c] = tex_divide(value[c], (1u << (l.bits[c] & 31)) - 1);
		mem[c] = (vi)value[c];
	}
}

V_INLINE void fast_strip(struct fast_kind k, struct tex_op *op, int lane, struct tex_strip *st)
{
	vi mem[4];
	unsigned n = 0;
	fast_components(k, op, st, mem);
	for (unsigned c = 0; c < 4; c++)
		if (op->in->dmask >> c & 1)
			tex_write(op, n++, lane, st->live, tex_channel(op->image, mem, c));
}

/* The formats that have one: F(dfmt, nfmt, with comparison). */
#define FAST_FORMATS(F) \
	F(8_8_8_8, UNORM, 0) F(8_8_8_8, SRGB, 0) F(8, UNORM, 0) F(8_8, UNORM, 0) F(16_16_16_16, FLOAT, 0) F(32, FLOAT, 0) \
	F(32_32_32_32, FLOAT, 0) F(16, UNORM, 1) F(32, FLOAT, 1)

#define F(d, n, c) \
static void fast_point_##d##_##n##_##c(struct tex_op *op, int lane, struct tex_strip *st) \
{ \
	fast_strip((struct fast_kind){ DFMT_##d, NFMT_##n, c, false }, op, lane, st); \
} \
static void fast_linear_##d##_##n##_##c(struct tex_op *op, int lane, struct tex_strip *st) \
{ \
	fast_strip((struct fast_kind){ DFMT_##d, NFMT_##n, c, true }, op, lane, st); \
}
FAST_FORMATS(F)
#undef F

tex_strip_fn tex_fast_path(const struct tex_op *op)
{
	const struct tex_image *img = op->image;
	const struct tex_sampler *smp = op->sampler;
	bool compare = op->flags & TEX_C, linear = smp->mag_linear;
	if ((op->flags & TEX_KIND) != TEX_SAMPLE || img->dims != 2 || img->cube || img->wide ||
	    smp->mag_linear != smp->min_linear)
		return NULL;
	tex_strip_fn bilinear = linear ? tex_bilinear_path(op) : NULL;
	if (bilinear)
		return bilinear;
	switch (CU_FORMAT_KEY(img->level->dfmt, img->level->nfmt) << 1 | compare) {
#define F(d, n, c) \
	case CU_FORMAT_KEY(DFMT_##d, NFMT_##n) << 1 | (c): \
		return linear ? fast_linear_##d##_##n##_##c : fast_point_##d##_##n##_##c;
	FAST_FORMATS(F)
#undef F
	default:
		return NULL;
	}
}
