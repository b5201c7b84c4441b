/* Fast paths of image_sample: 2D images (or one slice of an array) of
 * 8_8_8_8 UNORM or SRGB, without border, comparison or a mix of filters.
 *
 * UNORM channels are filtered as integers 0..255 and divided once, so a
 * filtered result may differ in its last bits from the general path's; which
 * path runs depends on descriptors and opcode alone, never on lanes. */
#include "core/tex_filter.h"

/* What a kernel is specialised for. */
struct fast_kind { bool srgb, tiled, linear; };

V_INLINE vi fast_x(struct fast_kind k, vi x)
{
	if (!k.tiled)
		return x << 2;
	return ((x & ~3) << 4) + ((x & 1) << 2) + ((x & 2) << 3);
}

V_INLINE vi fast_y(struct fast_kind k, vi pitch, vi y)
{
	if (!k.tiled)
		return y * pitch;
	return (y >> 2) * pitch + ((y & 1) << 3) + ((y & 2) << 4);
}

/* Component c of texels as a float: linear light, or 0..255. */
V_INLINE vf fast_component(struct fast_kind k, vi texel, unsigned c)
{
	vi v = c == 3 ? v_shr(texel, 24) : v_shr(texel, 8 * c) & 255;
	return k.srgb && c < 3 ? tex_srgb_decode(v) : v_float(v);
}

/* The texels of one axis: byte offsets of the first and second, and weight. */
struct fast_axis { vi part[2]; vf weight; };

V_INLINE vi fast_part(struct fast_kind k, const struct tex_op *op, const struct tex_lanes_level *lv, unsigned d, vi i)
{
	vi border = v_set(0);
	i = tex_wrap(i, lv->size[d], op->sampler.clamp[d], op->image.pow2[d], &border);
	return d == 0 ? fast_x(k, i) : fast_y(k, lv->pitch, i);
}

V_INLINE void fast_axis(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st,
	const struct tex_lanes_level *lv, unsigned d, struct fast_axis *out)
{
	struct tex_axis a;
	tex_axis_indices(tex_texels(op, st, lv, d), st->offset[d], v_set(k.linear ? -1 : 0), &a);
	out->part[0] = fast_part(k, op, lv, d, a.i[0]);
	if (k.linear)
		out->part[1] = fast_part(k, op, lv, d, a.i[1]);
	out->weight = a.weight;
}

V_INLINE vi fast_texel(const struct tex_op *op, const struct tex_strip *st, vi offset)
{
	return v_gather_mask(op->image.base, offset, st->live);
}

V_INLINE void fast_level(struct fast_kind k, const struct tex_op *op, const struct tex_strip *st, vi level,
	unsigned need, vf out[4])
{
	struct tex_lanes_level lv = tex_level_of(&op->image, level);
	struct fast_axis x, y;
	vi texel[4], base = lv.offset + st->slice * lv.stride;
	fast_axis(k, op, st, &lv, 0, &x);
	fast_axis(k, op, st, &lv, 1, &y);
	texel[0] = fast_texel(op, st, base + x.part[0] + y.part[0]);
	if (k.linear) {
		texel[1] = fast_texel(op, st, base + x.part[1] + y.part[0]);
		texel[2] = fast_texel(op, st, base + x.part[0] + y.part[1]);
		texel[3] = fast_texel(op, st, base + x.part[1] + y.part[1]);
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		if (!(need >> c & 1))
			continue;
		out[c] = fast_component(k, texel[0], c);
		if (k.linear) {
			vf top = tex_lerp(out[c], fast_component(k, texel[1], c), x.weight);
			vf bottom = tex_lerp(fast_component(k, texel[2], c), fast_component(k, texel[3], c), x.weight);
			out[c] = tex_lerp(top, bottom, y.weight);
		}
	}
}

V_INLINE void fast_strip(struct fast_kind k, struct tex_op *op, int lane, struct tex_strip *st)
{
	vi first, second, mem[4];
	vf delta, value[4], more[4];
	unsigned need = tex_needed(op, op->in->dmask), n = 0;
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		value[c] = more[c] = v_setf(0);
	tex_select_levels(op, st->lambda, &first, &second, &delta);
	fast_level(k, op, st, first, need, value);
	vi between = delta > v_setf(0);
	bool blend = v_any(between & st->live);
	if (blend)
		fast_level(k, op, st, second, need, more);
	V_UNROLL
	for (unsigned c = 0; c < 4; c++) {
		if (blend)
			value[c] = v_self(between, tex_lerp(value[c], more[c], delta), value[c]);
		mem[c] = (vi)(k.srgb && c < 3 ? value[c] : tex_divide(value[c], 255));
	}
	V_UNROLL
	for (unsigned c = 0; c < 4; c++)
		if (op->in->dmask >> c & 1)
			tex_write(op, n++, lane, st->live, tex_channel(&op->image, mem, c));
}

/* One function per kind; the bits of its number are srgb, tiled, linear. */
#define FAST(n) \
static void fast_strip_##n(struct tex_op *op, int lane, struct tex_strip *st) \
{ \
	fast_strip((struct fast_kind){ (n) & 1, (n) >> 1 & 1, (n) >> 2 & 1 }, op, lane, st); \
}
FAST(0) FAST(1) FAST(2) FAST(3) FAST(4) FAST(5) FAST(6) FAST(7)
#undef FAST

tex_strip_fn tex_fast_path(const struct tex_op *op)
{
	static const tex_strip_fn table[8] = { fast_strip_0, fast_strip_1, fast_strip_2, fast_strip_3, fast_strip_4,
		fast_strip_5, fast_strip_6, fast_strip_7 };
	const struct tex_image *img = &op->image;
	const struct tex_sampler *smp = &op->sampler;
	if ((op->flags & TEX_KIND) != TEX_SAMPLE || op->flags & TEX_C || img->dfmt != DFMT_8_8_8_8 || img->dims != 2 ||
	    img->cube || img->wide || smp->any_border || smp->mag_linear != smp->min_linear ||
	    (img->nfmt != NFMT_UNORM && img->nfmt != NFMT_SRGB))
		return NULL;
	return table[(img->nfmt == NFMT_SRGB) | (img->tiling == TILING_4X4) << 1 | smp->mag_linear << 2];
}
