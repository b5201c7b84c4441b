/* SPDX-License-Identifier: MIT */
/* CB: what a target and the state mean together, decided once a binding. */
#include "raster/back/cb.h"

#include <string.h>
#include "core/format/format.h"
#include "core/format/format_layout.h"
#include "core/level.h"
#include "isa/regs.h"
#include "isa/resource.h"
#include "raster/back/ps_state.h"
#include "raster/pass.h"

void rs_texel_mask(unsigned dfmt, unsigned components, uint8_t mask[16])
{
	const struct cu_format_layout layout = cu_format_layout(dfmt);
	memset(mask, 0, 16);
	for (unsigned c = 0; c < 4; c++)
		for (unsigned i = 0; components >> c & 1 && i < layout.bits[c]; i++)
			mask[(layout.shift[c] + i) / 8] |= (uint8_t)(1 << (layout.shift[c] + i) % 8);
}

static bool blend_is_copy(const struct rs_blend *b)
{
	return b->color_src == BLEND_ONE && b->color_dst == BLEND_ZERO && b->color_op == COMB_ADD &&
		b->alpha_src == BLEND_ONE && b->alpha_dst == BLEND_ZERO && b->alpha_op == COMB_ADD;
}

/* Constants and the second source are not among the inputs of the kinds. */
static bool is_plain_factor(unsigned factor)
{
	return factor <= BLEND_SRC_ALPHA_SATURATE;
}

static enum rs_blend_kind blend_kind(const struct rs_blend *b)
{
	if (!b)
		return RS_BLEND_NONE;
	if (b->color_op != COMB_ADD || b->alpha_op != COMB_ADD)
		return RS_BLEND_ANY;
#define B(name, cs, cd, as, ad) \
	if (b->color_src == cs && b->color_dst == cd && b->alpha_src == as && b->alpha_dst == ad) \
		return RS_BLEND_##name;
	RS_BLEND_KINDS(B)
#undef B
#define B(name, cs, cd) \
	if (b->color_src == cs && b->color_dst == cd && is_plain_factor(b->alpha_src) && is_plain_factor(b->alpha_dst)) \
		return RS_BLEND_##name;
	RS_BLEND_OWN_ALPHA_KINDS(B)
#undef B
	return RS_BLEND_ANY;
}

/* Blending and logic operations that the format takes part in. */
static void bind_operation(struct rs_color *c, const struct rs_ps_state *s)
{
	const struct rs_target *t = c->target;
	bool integer = t->plane.nfmt == NFMT_UINT || t->plane.nfmt == NFMT_SINT;
	bool real = t->plane.nfmt == NFMT_FLOAT || t->plane.nfmt == NFMT_SRGB;
	const struct rs_blend *b = &s->blend[c->index];
	c->rop = real ? ROP3_COPY : s->rop;
	/* a logic operation turns blending off, also where it does not apply */
	c->blend = b->enable && !integer && s->rop == ROP3_COPY && !blend_is_copy(b) ? b : NULL;
	c->clamp_lo = t->plane.nfmt == NFMT_SNORM ? -1 : t->plane.nfmt == NFMT_FLOAT ? 1 : 0;
	c->clamp_hi = t->plane.nfmt == NFMT_FLOAT ? -1 : 1;
	c->read = c->blend || c->rop != ROP3_COPY;
	c->blend_kind = (uint8_t)blend_kind(c->blend);
}

static uint8_t usual_kind(const struct rs_blend *b)
{
	if (b->color_op == COMB_MIN && b->alpha_op == COMB_MIN)
		return RS_BLEND_MIN;
	return b->color_op == COMB_MAX && b->alpha_op == COMB_MAX ? RS_BLEND_MAX : RS_BLEND_USUAL;
}

/* What the kernels for 8_8_8_8 make of it: every channel at most once, and sRGB in a usual order. */
static enum rs_rgba8 bind_rgba8(struct rs_color *c)
{
	static const uint8_t rgba[4] = { 0, 8, 16, 24 }, bgra[4] = { 16, 8, 0, 24 };
	const struct rs_target *t = c->target;
	c->srgb = t->plane.nfmt == NFMT_SRGB;
	if (t->plane.dfmt != DFMT_8_8_8_8 || (t->plane.nfmt != NFMT_UNORM && !c->srgb) || c->rop != ROP3_COPY)
		return RS_RGBA8_NOT;
	c->fixed = 0;
	memset(c->shift, 32, sizeof c->shift);
	for (unsigned i = 0; i < 4; i++) {
		if (t->sel[i] < SEL_R) {
			c->fixed |= t->sel[i] == SEL_0 ? 0 : 0xffu << 8 * i;
			continue;
		}
		if (c->shift[t->sel[i] - SEL_R] != 32)
			return RS_RGBA8_NOT;
		c->shift[t->sel[i] - SEL_R] = (uint8_t)(8 * i);
	}
	const bool is_rgba = !memcmp(c->shift, rgba, sizeof rgba);
	if (is_rgba || !memcmp(c->shift, bgra, sizeof bgra)) {
		if (c->blend_kind == RS_BLEND_ANY)
			c->blend_kind = usual_kind(c->blend);
		return is_rgba ? RS_RGBA8 : RS_BGRA8;
	}
	c->blend_kind = RS_BLEND_ANY;
	return c->srgb ? RS_RGBA8_NOT : RS_RGBA8_OTHER;
}

/* A factor that is the same for red, green and blue; of alpha: what it comes to there. */
static bool bind_factor(unsigned factor, bool alpha, uint8_t *out)
{
	switch (factor) {
	case BLEND_ZERO: *out = RS_FACTOR_ZERO; return true;
	case BLEND_ONE: *out = RS_FACTOR_ONE; return true;
	case BLEND_SRC_ALPHA: *out = RS_FACTOR_SRC_ALPHA; return true;
	case BLEND_ONE_MINUS_SRC_ALPHA: *out = RS_FACTOR_ONE_MINUS_SRC_ALPHA; return true;
	case BLEND_DST_ALPHA: *out = RS_FACTOR_DST_ALPHA; return true;
	case BLEND_ONE_MINUS_DST_ALPHA: *out = RS_FACTOR_ONE_MINUS_DST_ALPHA; return true;
	case BLEND_SRC_COLOR: *out = RS_FACTOR_SRC_ALPHA; return alpha;
	case BLEND_ONE_MINUS_SRC_COLOR: *out = RS_FACTOR_ONE_MINUS_SRC_ALPHA; return alpha;
	case BLEND_DST_COLOR: *out = RS_FACTOR_DST_ALPHA; return alpha;
	case BLEND_ONE_MINUS_DST_COLOR: *out = RS_FACTOR_ONE_MINUS_DST_ALPHA; return alpha;
	case BLEND_SRC_ALPHA_SATURATE: *out = RS_FACTOR_ONE; return alpha;
	default: return false;
	}
}

static enum rs_direct_kind direct_kind(const struct rs_color *c)
{
	const uint8_t *color = c->direct.color;
	if (!c->blend)
		return RS_DIRECT_COPY;
#define K(name, source, destination, ...) \
	if (color[0] == RS_FACTOR_##source && color[1] == RS_FACTOR_##destination) \
		return RS_DIRECT_##name;
	RS_DIRECT_SUMS(K, , )
#undef K
	return RS_DIRECT_ANY;
}

/* Of a target whose other fields are bound. */
static void bind_direct(struct rs_color *c)
{
	const struct rs_target *t = c->target;
	const struct rs_blend *b = c->blend;
	const unsigned count = cu_format_layout(t->plane.dfmt).count;
	struct rs_direct *d = &c->direct;
	*d = (struct rs_direct){ .format = RS_DIRECT_NOT };
	if (!c->single)
		return;
	for (unsigned m = 0; m < count; m++) {
		d->channel[m] = (uint8_t)(t->sel[m] - SEL_R);
		if ((t->sel[m] == SEL_A) != (m == 3))
			return;
	}
	const bool sum = b && b->color_op == COMB_ADD && b->alpha_op == COMB_ADD && bind_factor(b->color_src, false, &d->color[0]) &&
		bind_factor(b->color_dst, false, &d->color[1]) && bind_factor(b->alpha_src, true, &d->alpha[0]) &&
		bind_factor(b->alpha_dst, true, &d->alpha[1]);
	d->kind = (uint8_t)(b && !sum ? RS_DIRECT_GENERAL : direct_kind(c));
#define F(d_, n_) \
	if (t->plane.dfmt == DFMT_##d_ && t->plane.nfmt == NFMT_##n_) \
		d->format = RS_DIRECT_##d_##_##n_;
	RS_DIRECT_FORMATS(F) RS_DIRECT_INTEGERS(F)
#undef F
}

bool rs_color_bind(struct rs_color *c, struct rs_pass *pass, const struct rs_target *t, const struct rs_ps_state *s,
	unsigned n, const struct cu_formats *formats)
{
	uint32_t channels = s->write_mask >> 4 * n & 15;
	if (!t->plane.base || !t->plane.dfmt || !channels)
		return false;
	c->target = t;
	c->index = n;
	c->unpack = formats->unpack_block(t->plane.dfmt, t->plane.nfmt);
	c->pack = formats->pack_block(t->plane.dfmt, t->plane.nfmt);
	if (!c->unpack || !c->pack) {
		rs_pass_fail(pass, "color target", NULL, &(struct cu_error){ "format cannot be rendered to" });
		return false;
	}
	bind_operation(c, s);
	c->rgba8 = (uint8_t)bind_rgba8(c);
	unsigned components = 0;
	c->single = true;
	memset(c->from, -1, sizeof c->from);
	const unsigned count = cu_format_layout(t->plane.dfmt).count;
	for (unsigned i = 0; i < 4; i++) {
		if (t->sel[i] < SEL_R) {
			components |= 1u << i; /* padding: a constant */
			c->single &= i >= count;
			continue;
		}
		components |= (channels >> (t->sel[i] - SEL_R) & 1) << i;
		if (i >= count)
			continue;
		c->single &= c->from[t->sel[i] - SEL_R] < 0;
		c->from[t->sel[i] - SEL_R] = (int8_t)i;
	}
	rs_texel_mask(t->plane.dfmt, components, c->texel_mask);
	c->partial = false;
	for (unsigned i = 0; i < t->plane.bpe; i++)
		c->partial |= c->texel_mask[i] != 0xff;
	for (unsigned i = t->plane.bpe; i < sizeof c->texel_mask; i++)
		c->texel_mask[i] = c->texel_mask[i - t->plane.bpe];
	bind_direct(c);
	c->needs = c->direct.format ? (uint8_t)(c->blend ? 8 : 0) : 15;
	for (unsigned ch = 0; ch < 4; ch++)
		c->needs |= (uint8_t)((c->from[ch] >= 0) << ch);
	return true;
}
