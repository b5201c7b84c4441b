/* CB: what a wave exports, blended, converted and stored, 16 lanes at a time.
 *
 * Blending follows the Vulkan specification, "Blending": for normalised
 * targets what the factors are made of is clamped first (1 - x of an SNORM
 * target may so be 2, as the CTS expects); sRGB blends in linear values.
 * Masks and logic operations work on packed texels, so bits
 * that are not written keep their value exactly. */
#include "raster/back_vec.h"
#include "raster/back_mem.h"

enum { F_ZERO = 0, F_ONE = 1, F_SRC = 2, F_INV_SRC = 3, F_SRC_A = 4, F_INV_SRC_A = 5, F_DST_A = 6,
	F_INV_DST_A = 7, F_DST = 8, F_INV_DST = 9, F_SATURATE = 10, F_CONST = 13, F_INV_CONST = 14,
	F_SRC1 = 15, F_INV_SRC1 = 16, F_SRC1_A = 17, F_INV_SRC1_A = 18, F_CONST_A = 19, F_INV_CONST_A = 20 };
enum { OP_ADD = 0, OP_SUBTRACT = 1, OP_MIN = 2, OP_MAX = 3, OP_REVERSE = 4 };

/* One vector of lanes of everything that blending reads. */
struct inputs {
	vf src[4], dst[4], src1[4], constant[4];
};

static inline vf factor(unsigned f, unsigned ch, const struct inputs *in)
{
	vf one = vf_set(1);
	switch (f) {
	case F_ONE: return one;
	case F_SRC: return in->src[ch];
	case F_INV_SRC: return one - in->src[ch];
	case F_SRC_A: return in->src[3];
	case F_INV_SRC_A: return one - in->src[3];
	case F_DST_A: return in->dst[3];
	case F_INV_DST_A: return one - in->dst[3];
	case F_DST: return in->dst[ch];
	case F_INV_DST: return one - in->dst[ch];
	case F_SATURATE: return ch == 3 ? one : vf_min(in->src[3], one - in->dst[3]);
	case F_CONST: return in->constant[ch];
	case F_INV_CONST: return one - in->constant[ch];
	case F_SRC1: return in->src1[ch];
	case F_INV_SRC1: return one - in->src1[ch];
	case F_SRC1_A: return in->src1[3];
	case F_INV_SRC1_A: return one - in->src1[3];
	case F_CONST_A: return in->constant[3];
	case F_INV_CONST_A: return one - in->constant[3];
	default: return vf_set(0);
	}
}

static inline vf clamp_input(const struct rs_color *c, vf v)
{
	if (c->clamp_lo > c->clamp_hi)
		return v;
	/* NaN of a normalised target is 0, as when it is packed */
	v = vf_pick((vi)(v == v), v, vf_set(0));
	return vf_clamp(v, vf_set(c->clamp_lo), vf_set(c->clamp_hi));
}

static inline vf combine(const struct rs_color *c, unsigned ch, unsigned fs, unsigned fd,
	unsigned op, const struct inputs *in)
{
	vf s = in->src[ch], d = in->dst[ch];
	/* the destination where either is NaN */
	if (op == OP_MIN)
		return vf_min(s, d);
	if (op == OP_MAX)
		return vf_max(s, d);
	vf a = factor(fs, ch, in), b = factor(fd, ch, in);
	s = s * a;
	d = d * b;
	return op == OP_SUBTRACT ? s - d : op == OP_REVERSE ? d - s : s + d;
}

/* Everything but the destination, from the exports at `lane`. */
static inline void load_inputs(const struct rs_worker *w, const struct rs_color *c, unsigned lane, struct inputs *in)
{
	const struct cu_exports *e = w->exports;
	RS_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		in->src[ch] = clamp_input(c, vf_load(&e->data[c->index][ch][lane]));
		in->constant[ch] = clamp_input(c, vf_set(w->state->constant[ch]));
		in->src1[ch] = vf_set(0);
		if (w->state->dual_source)
			in->src1[ch] = clamp_input(c, vf_load(&e->data[1][ch][lane]));
	}
}

static inline void blend_vector(const struct rs_color *c, const struct inputs *in, vf out[4])
{
	const struct rs_blend *b = c->blend;
	RS_UNROLL for (unsigned ch = 0; ch < 3; ch++)
		out[ch] = combine(c, ch, b->color_src, b->color_dst, b->color_op, in);
	out[3] = combine(c, 3, b->alpha_src, b->alpha_dst, b->alpha_op, in);
}

/* Blends 16 lanes: destination by memory component, result by channel. */
static void blend_group(const struct rs_worker *w, const struct rs_color *c, unsigned lane,
	const uint32_t dst[4][RS_GROUP], uint32_t out[4][RS_GROUP])
{
	for (unsigned i = 0; i < RS_GROUP; i += VW) {
		struct inputs in;
		vf result[4];
		load_inputs(w, c, lane + i, &in);
		for (unsigned ch = 0; ch < 4; ch++)
			in.dst[ch] = c->from[ch] >= 0 ? vf_load(&dst[c->from[ch]][i]) : vf_set(ch == 3);
		blend_vector(c, &in, result);
		for (unsigned ch = 0; ch < 4; ch++)
			vf_store(&out[ch][i], result[ch]);
	}
}

/* Channels (rows of `stride` words) to memory components. */
static inline void to_memory_order(const struct rs_target *t, const uint32_t *channel, size_t stride,
	uint32_t out[4][RS_GROUP])
{
	bool integer = t->nfmt == NFMT_UINT || t->nfmt == NFMT_SINT;
	for (unsigned m = 0; m < 4; m++) {
		unsigned sel = t->sel[m];
		for (unsigned i = 0; i < RS_GROUP; i += VW)
			vi_store(&out[m][i], sel >= SEL_R ? vi_load(channel + (sel - SEL_R) * stride + i) :
				vi_set(sel == SEL_0 ? 0 : integer ? 1 : 0x3f800000));
	}
}

/* new = rop(new, old) in the bits that may be written, old elsewhere. */
static void merge(const struct rs_color *c, uint8_t *texels, const uint8_t *old)
{
	unsigned bpe = c->target->bpe, rop = c->rop & 15;
	for (unsigned i = 0; i < RS_GROUP * bpe; i++) {
		unsigned s = texels[i], d = old[i], m = c->texel_mask[i % bpe], r = s;
		if (rop != 0xc)
			r = (rop & 1 ? ~s & ~d : 0) | (rop & 2 ? ~s & d : 0) | (rop & 4 ? s & ~d : 0) |
				(rop & 8 ? s & d : 0);
		texels[i] = (uint8_t)((r & m) | (d & ~m));
	}
}

static inline void store_group(const struct rs_group *g, unsigned bpe, uint32_t lanes, const uint8_t *texels)
{
	if (g->block && bpe == 4) {
		for (unsigned i = 0; i < RS_VECS; i++)
			vi_store_lanes(g->quad[0] + 4 * VW * i, vi_load(texels + 4 * VW * i), lanes >> VW * i);
		return;
	}
	rs_scatter(g, bpe, lanes, texels);
}

/* Lanes 16 n .. of the wave into one target, at g. */
static void write_group(const struct rs_worker *w, const struct rs_color *c,
	const struct rs_group *at, unsigned n, uint32_t lanes)
{
	const struct rs_target *t = c->target;
	const struct rs_group g = *at;
	_Alignas(64) uint32_t memory[4][RS_GROUP], channel[4][RS_GROUP];
	_Alignas(64) uint8_t texels[16 * RS_GROUP], loaded[16 * RS_GROUP];
	const uint8_t *old = g.quad[0];
	if ((c->read || c->partial) && !g.block) {
		memset(loaded, 0, (size_t)RS_GROUP * t->bpe);
		rs_gather(&g, t->bpe, lanes, loaded);
		old = loaded;
	}
	if (c->blend) {
		c->unpack(old, memory);
		blend_group(w, c, 16 * n, (const uint32_t (*)[RS_GROUP])memory, channel);
		to_memory_order(t, channel[0], RS_GROUP, memory);
	} else {
		to_memory_order(t, &w->exports->data[c->index][0][16 * n], CU_LANES, memory);
	}
	bool whole = g.block && lanes == 0xffff;
	if (whole && !c->partial && c->rop == 0xcc) {
		c->pack((const uint32_t (*)[RS_GROUP])memory, g.quad[0]);
		return;
	}
	c->pack((const uint32_t (*)[RS_GROUP])memory, texels);
	if (c->partial || c->rop != 0xcc)
		merge(c, texels, old);
	store_group(&g, t->bpe, lanes, texels);
}

/* 8_8_8_8 UNORM without going through memory: the same values as the block
 * functions of core/format.h give. */
static inline vi pack_rgba8(const struct rs_color *c, const vf channel[4])
{
	vi out = vi_set((int32_t)c->fixed);
	RS_UNROLL for (unsigned ch = 0; ch < 4; ch++)
		out |= vi_shift_left(vf_scale_round(vf_clamp(channel[ch], vf_set(0), vf_set(1)), 255), c->shift[ch]);
	return out;
}

static inline void unpack_rgba8(const struct rs_color *c, vi texel, vf channel[4])
{
	/* v / 255, correctly rounded, by a reciprocal of two terms */
	const float hi = 1.0f / 255, lo = (float)(1.0 / 255 - (double)hi);
	RS_UNROLL for (unsigned ch = 0; ch < 4; ch++) {
		vf v = vi_to_float(vi_shift_right(texel, c->shift[ch]) & 255);
		channel[ch] = vf_fma(v, vf_set(hi), v * vf_set(lo));
	}
	if (c->shift[3] == 32)
		channel[3] = vf_set(1);
}

static void write_rgba8(const struct rs_worker *w, const struct rs_color *c,
	const struct rs_group *at, unsigned n, uint32_t lanes)
{
	const struct rs_group g = *at;
	_Alignas(64) uint8_t texels[4 * RS_GROUP], loaded[4 * RS_GROUP];
	const uint8_t *old = g.quad[0];
	bool read = c->blend || c->partial;
	uint32_t keep;
	memcpy(&keep, c->texel_mask, 4);
	if (read && !g.block) {
		memset(loaded, 0, sizeof loaded);
		if (rs_group_quads(&g, 4))
			rs_gather_quads(&g, lanes, loaded);
		else
			rs_gather_n(&g, 4, lanes, loaded);
		old = loaded;
	}
	for (unsigned i = 0; i < RS_GROUP; i += VW) {
		vf out[4];
		vi before = read ? vi_load(old + 4 * i) : vi_set(0);
		if (c->blend) {
			struct inputs in;
			load_inputs(w, c, 16 * n + i, &in);
			unpack_rgba8(c, before, in.dst);
			blend_vector(c, &in, out);
		} else {
			RS_UNROLL for (unsigned ch = 0; ch < 4; ch++)
				out[ch] = vf_load(&w->exports->data[c->index][ch][16 * n + i]);
		}
		vi packed = pack_rgba8(c, out);
		if (c->partial)
			packed = vi_pick(vi_set((int32_t)keep), packed, before);
		if (g.block)
			vi_store_lanes(g.quad[0] + 4 * i, packed, lanes >> i);
		else
			vi_store(texels + 4 * i, packed);
	}
	if (g.block)
		return;
	if (rs_group_quads(&g, 4))
		rs_scatter_quads(&g, lanes, texels);
	else
		rs_scatter_n(&g, 4, lanes, texels);
}

/* Components that the program did not export are 0, not what an earlier wave
 * left there. */
static void fill_missing(struct cu_exports *e, unsigned target)
{
	for (unsigned ch = 0; ch < 4; ch++)
		if (!rs_exported(e, target, ch))
			memset(e->data[target][ch], 0, sizeof e->data[target][ch]);
}

/* Lanes that a target gets something for; what is missing of it becomes 0. */
static uint64_t exported_lanes(const struct rs_worker *w, const struct rs_color *c)
{
	struct cu_exports *e = w->exports;
	/* The second source alone still blends, with a first of 0. */
	unsigned from = w->state->dual_source && !(e->targets & 1) ? 1 : c->index;
	if (!(e->targets >> from & 1))
		return 0;
	if (from != c->index || e->mask[c->index] != 15)
		fill_missing(e, c->index);
	return e->exec[from];
}

static inline void write_lanes(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g,
	unsigned n, uint32_t lanes)
{
	if (c->rgba8)
		write_rgba8(w, c, g, n, lanes);
	else
		write_group(w, c, g, n, lanes);
}

void CU_FN(rs_cb_wave)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live)
{
	if (w->state->dual_source)
		fill_missing(w->exports, 1);
	for (unsigned i = 0; i < w->color_count; i++) {
		const struct rs_color *c = &w->color[i];
		uint64_t lanes = live & exported_lanes(w, c);
		for (unsigned n = 0; lanes && n < 4; n++) {
			uint32_t m = (uint32_t)(lanes >> 16 * n) & 0xffff;
			if (!m)
				continue;
			struct rs_group g = rs_group_wave(c->target, o, n);
			write_lanes(w, c, &g, n, m);
		}
	}
}

/* Group n of a target in which no sample depends on what was there: packed
 * once, stored for every sample. */
static void spread_group(const struct rs_worker *w, const struct rs_color *c, struct rs_group g, unsigned n,
	const uint64_t lanes[RS_MAX_SAMPLES])
{
	const struct rs_target *t = c->target;
	const uint32_t *exported = &w->exports->data[c->index][0][16 * n];
	_Alignas(64) uint32_t memory[4][RS_GROUP];
	_Alignas(64) uint8_t texels[16 * RS_GROUP];
	to_memory_order(t, exported, CU_LANES, memory);
	c->pack((const uint32_t (*)[RS_GROUP])memory, texels);
	for (unsigned k = 0; k < w->state->samples; k++, rs_group_sample(&g, t, 1)) {
		uint32_t m = (uint32_t)(lanes[k] >> 16 * n) & 0xffff;
		if (m)
			store_group(&g, t->bpe, m, texels);
	}
}

void CU_FN(rs_cb_wave_msaa)(struct rs_worker *w, const struct rs_open_wave *o, const uint64_t live[RS_MAX_SAMPLES])
{
	unsigned samples = w->state->samples;
	if (w->state->dual_source)
		fill_missing(w->exports, 1);
	for (unsigned i = 0; i < w->color_count; i++) {
		const struct rs_color *c = &w->color[i];
		uint64_t exported = exported_lanes(w, c), lanes[RS_MAX_SAMPLES], any = 0;
		for (unsigned k = 0; k < samples; k++)
			any |= lanes[k] = live[k] & exported;
		for (unsigned n = 0; any && n < 4; n++) {
			if (!(any >> 16 * n & 0xffff))
				continue;
			struct rs_group g = rs_group_wave(c->target, o, n);
			if (!c->read && !c->partial) {
				spread_group(w, c, g, n, lanes);
				continue;
			}
			for (unsigned k = 0; k < samples; k++, rs_group_sample(&g, c->target, 1)) {
				uint32_t m = (uint32_t)(lanes[k] >> 16 * n) & 0xffff;
				if (m)
					write_lanes(w, c, &g, n, m);
			}
		}
	}
}
