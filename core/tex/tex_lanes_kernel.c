/* SPDX-License-Identifier: MIT */
/* Descriptors for strips of translated code (struct cu_mimg_lanes in mimg.h): the same texels and the same bits as the
 * steps of tex_wave_kernel.c give. */
#include "core/format/format_layout.h"
#include "core/interp/interp.h"
#include "core/tex/tex_desc.h"
#include "core/tex/tex_output.h"
#include "isa/regs.h"

enum { LANES = CU_MIMG_LANES };

static void set(void *lanes, const void *dword)
{
	for (unsigned i = 0; i < LANES; i++)
		memcpy((uint8_t *)lanes + 4 * i, dword, 4);
}
static void set_int(void *lanes, int32_t value) { set(lanes, &value); }
static void set_float(void *lanes, float value) { set(lanes, &value); }

/* Of a channel that is byte `byte`, as tex_unorm_byte has it. */
static void set_byte(struct cu_mimg_lanes *l, unsigned c, unsigned byte)
{
	set_int(l->weight[c], 3 << 8 * byte);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned to = 4 * c + i;
		l->order[to / 4] = (l->order[to / 4] & ~(0xffu << to % 4 * 8)) | (byte + 4 * i) << to % 4 * 8;
		l->order[4 + to / 4] = l->order[to / 4];
	}
	set_float(l->unit[c], byte < 2 ? 0x1.56ac02p-10f : 0x1.56ac02p-26f);
	l->flip[c] = l->flip[4 + c] = l->flip[8 + c] = l->flip[12 + c] = 0x80808080;
}

/* Of alpha that is 1. */
static void set_opaque(struct cu_mimg_lanes *l)
{
	set_int(l->weight[3], 0);
	l->order[3] = l->order[7] = 0x80808080;
	l->flip[3] = l->flip[7] = l->flip[11] = l->flip[15] = 0x7f7f7f7f;
	set_float(l->adds[3], 1);
}

/* Channels of texels that have all four components; false where one is a constant, but for alpha that is 1. */
static bool set_bytes(struct cu_mimg_lanes *l, const struct tex_image *img)
{
	set_float(l->adds[3], 0);
	for (unsigned c = 0; c < 4; c++) {
		if (img->sel[c] >= SEL_R)
			set_byte(l, c, img->sel[c] - SEL_R);
		else if (c == 3 && img->sel[c] == SEL_1)
			set_opaque(l);
		else
			return false;
	}
	return true;
}

/* Of texels that are a dword, as those that are compared are, it, 0, 0, 1; or two of them. */
static void set_dwords(struct cu_mimg_lanes *l, const struct tex_image *img)
{
	for (unsigned c = 0; c < 4; c++) {
		const unsigned sel = img->sel[c];
		set_int(l->takes[c], sel == SEL_R ? -1 : 0);
		set_int(l->takes_second[c], sel == SEL_G ? -1 : 0);
		set_int(l->adds[c], sel != SEL_A && sel != SEL_1 ? 0 : img->integer ? 1 : 0x3f800000);
	}
}

static void set_passes(struct cu_mimg_lanes *l, unsigned func)
{
	static const uint8_t passes[8] = { [COMPARE_NEVER] = 0, [COMPARE_LESS] = 1, [COMPARE_EQUAL] = 2, [COMPARE_LEQUAL] = 3,
		[COMPARE_GREATER] = 4, [COMPARE_NOTEQUAL] = 13, [COMPARE_GEQUAL] = 6, [COMPARE_ALWAYS] = 15 };
	for (unsigned k = 0; k < 4; k++)
		set_int(l->passes[k], passes[func & 7] >> k & 1 ? -1 : 0);
	set_float(l->one, 1);
}

/* Whether a channel is the 1 of a texel, which image_load does not read beyond the image, and not that of its view. */
static bool has_one(const struct tex_image *img)
{
	return img->sel[0] == SEL_A || img->sel[1] == SEL_A || img->sel[2] == SEL_A || img->sel[3] == SEL_A;
}

/* Red, green and blue are bytes in this order, or the other way round; behind them is alpha, or it is 1. */
static bool has_order(const struct tex_image *img)
{
	const bool colours = img->sel[1] == SEL_G && (img->sel[0] == SEL_R || img->sel[0] == SEL_B);
	return colours && img->sel[0] + img->sel[2] == SEL_R + SEL_B && (img->sel[3] == SEL_A || img->sel[3] == SEL_1);
}

/* Of texels that are not compared; sets what channels are. */
static enum cu_mimg_way way_of(struct cu_mimg_lanes *l, const struct tex_image *img)
{
	const struct surf_plane *p = img->level;
	if (p->dfmt == DFMT_32) {
		set_dwords(l, img);
		return has_one(img) ? CU_MIMG_NONE : CU_MIMG_DWORD;
	}
	if (p->nfmt == NFMT_UNORM && (p->dfmt == DFMT_8 || p->dfmt == DFMT_8_8)) {
		set_dwords(l, img);
		set_byte(l, 0, 0);
		set_byte(l, 1, 1);
		return has_one(img) ? CU_MIMG_NONE : p->dfmt == DFMT_8 ? CU_MIMG_R8 : CU_MIMG_RG8;
	}
	if (p->dfmt == DFMT_8_8_8_8 && p->nfmt == NFMT_UNORM && set_bytes(l, img))
		return CU_MIMG_UNORM8;
	if (p->dfmt == DFMT_8_8_8_8 && p->nfmt == NFMT_SRGB && set_bytes(l, img) && has_order(img)) {
		l->srgb = cu_srgb_decode_bits;
		l->swapped = img->sel[0] == SEL_B;
		return CU_MIMG_SRGB8;
	}
	if (p->dfmt == DFMT_16_16_16_16 && p->nfmt == NFMT_FLOAT && tex_is_plain(img))
		return CU_MIMG_FLOAT16;
	if (p->dfmt == DFMT_32_32_32_32 && p->nfmt == NFMT_FLOAT && tex_is_plain(img))
		return CU_MIMG_FLOAT32;
	return CU_MIMG_NONE;
}

/* Of a first level, as tex_gather_kernel.c has it. */
static enum cu_mimg_way way_of_gather(struct cu_mimg_lanes *l, const struct tex_plan *plan, const struct tex_image *img,
	const struct tex_sampler *smp)
{
	if (!smp || !plan->probes || plan->body != TEX_BODY_FLAT || img->cube || img->min_lod >= 1 || way_of(l, img) != CU_MIMG_UNORM8)
		return CU_MIMG_NONE;
	for (unsigned d = 0; d < 2; d++) {
		const bool wrap = smp->clamp[d] == S_WRAP;
		if (wrap ? !img->pow2[d] : smp->clamp[d] != S_CLAMP_LAST_TEXEL)
			return CU_MIMG_NONE;
		set_int(l->within[d], wrap ? plan->level->last[d] : -1);
	}
	return CU_MIMG_UNORM8;
}

void tex_make_lanes(struct cu_mimg_lanes *l, const struct tex_plan *plan, const struct tex_image *img,
	const struct tex_sampler *smp)
{
	const struct tex_place *at = plan->level;
	const bool flat = plan->body == TEX_BODY_FLAT, volume = plan->body == TEX_BODY_VOLUME;
	memset(l->way, 0, sizeof l->way);
	l->linear = CU_MIMG_NEAREST;
	l->find = l->read = CU_MIMG_OTHER;
	l->tiles = l->ramp = false;
	l->same = 0;
	if (!plan->loads || img->block || (!flat && !volume && plan->body != TEX_BODY_LAYERS))
		return;
	for (unsigned d = 0; d < 2u + volume; d++) {
		const bool wrap = smp && smp->clamp[d] == S_WRAP;
		const float limit = smp && smp->unnormalized ? (float)(at->last[d] + 1) : 1;
		set_int(l->wrap[d], wrap ? -1 : 0);
		set_float(l->limit[d], limit);
		set_float(l->below[d], limit - 0x1p-24f * limit);
		set_float(l->scale[d], at->scale[d]);
		set_float(l->scale256[d], at->scale[d] * 256);
		if (d < 2)
			set_float(l->inverse[d], at->inverse[d]);
		set_int(l->last[d], at->last[d]);
		set_int(l->beyond[d], at->high[d]);
		set_int(l->before[d], at->low[d]);
	}
	set_int(l->shift, plan->shift);
	for (unsigned i = 0; i < LANES; i++) {
		l->part_x[i] = plan->part_x[i & 3];
		l->part_y[i] = at->part_y[i & 3];
	}
	set_int(l->pitch, at->pitch);
	set_int(l->next, (int32_t)img->level->bpe);
	set_int(l->stride, flat ? 0 : at->stride);
	set_float(l->last_layer, (float)(img->slices - 1));
	set_int(l->last_index, flat ? -1 : volume ? at->last[2] : (int32_t)img->slices - 1);
	l->volume = volume;
	l->base = at->base;
	l->parts = plan->parts;
	l->way[3] = (uint8_t)way_of_gather(l, plan, img, smp);
	bool folds = smp;
	for (unsigned d = 0; d < 2u + volume && folds; d++)
		folds = smp->clamp[d] == S_WRAP || smp->clamp[d] == S_CLAMP_LAST_TEXEL;
	const enum cu_mimg_way way = way_of(l, img);
	l->way[2] = (uint8_t)way;
	if (!plan->samples || !folds || !smp->fixed)
		return;
	const bool narrow = way == CU_MIMG_R8 || way == CU_MIMG_RG8;
	const bool floats = (narrow || img->level->nfmt == NFMT_FLOAT) && !volume;
	l->ends = narrow && !plan->parts && at->last[0] > 0;
	if (smp->mag_linear)
		l->linear = floats ? CU_MIMG_FLOATS : CU_MIMG_BYTES;
	l->way[0] = (uint8_t)(l->linear == CU_MIMG_BYTES && way != CU_MIMG_UNORM8 ? CU_MIMG_NONE : way);
	l->tiles = l->way[0] == CU_MIMG_SRGB8 && flat && img->sel[3] == SEL_A;
	if (!l->linear && !l->tiles)
		l->find = CU_MIMG_ONE;
	else if (l->linear == CU_MIMG_BYTES && !plan->parts && !volume && at->last[0] > 0 && at->last[1] > 0)
		l->find = CU_MIMG_FOUR; /* of a single row or column no texel is away from all ends */
	l->ramp = l->way[0] == CU_MIMG_UNORM8 && l->linear && !plan->parts && !volume && at->last[1] == 0;
	if (l->way[0] == CU_MIMG_UNORM8 && !(l->linear && volume) && !l->ramp)
		l->read = l->linear ? CU_MIMG_FOUR : CU_MIMG_ONE;
	if (!l->linear && !volume && img->level->dfmt == DFMT_32 && img->level->nfmt == NFMT_FLOAT) {
		set_passes(l, smp->compare);
		l->way[1] = CU_MIMG_DWORD;
	}
}

/* --- slots --- */

static const uint32_t *sampler_of(const struct cu_wave *w, const struct gcn_inst *in)
{
	return in->op == GCN_IMAGE_LOAD ? NULL : &w->sgpr[in->src[2]];
}

/* Decoding one descriptor may have made another one's place anew; what both instructions have the same place for are descriptors
 * that are the same. */
static bool are_same(const struct cu_wave *w, const struct gcn_inst *a, const struct gcn_inst *b)
{
	const uint32_t *s[2] = { sampler_of(w, a), sampler_of(w, b) };
	return tex_desc_how(a, s[0]) == tex_desc_how(b, s[1]) && !memcmp(&w->sgpr[a->src[1]], &w->sgpr[b->src[1]], 32) &&
		!(s[0] && memcmp(s[0], s[1], 16));
}

int CU_FN(cu_mimg_slots)(struct cu_wave *w, const struct cu_rec *r, struct cu_mimg_slot *slots, unsigned n)
{
	const struct gcn_inst *in = r->in;
	const uint32_t flags = cu_tex_ops[in->op];
	struct tex_desc own;
	const uint32_t *s = sampler_of(w, in);
	struct tex_desc *const found = tex_desc_of(w, in, &w->sgpr[in->src[1]], s, &own), *d = found;
	if (__builtin_expect(found->decoded.plane != NULL, 0))
		d = tex_desc_decoded(w, in, s, found, true, &own);
	const unsigned way = flags == TEX_LOAD ? 2 : (flags & TEX_KIND) == TEX_GATHER ? 3 : !!(flags & TEX_C);
	if (d == &own || d->image.null || !d->lanes.way[way] || !tex_desc_mapped(w, d))
		return 0;
	if (d->lanes.volume && !in->da) /* of a third coordinate the program has to know */
		return 0;
	const bool tiles = d->lanes.tiles && !d->patience.rest;
	slots[n] = (struct cu_mimg_slot){ .lanes = &d->lanes, .record = r, .find = tiles ? CU_MIMG_TILE : d->lanes.find,
		.read = d->lanes.read, .lie = d->lanes.parts || !w->exports ? CU_MIMG_IN_ROW : CU_MIMG_IN_QUADS };
	d->patience.rest -= d->lanes.tiles && d->patience.rest;
	for (unsigned k = 0; k < n; k++)
		if (slots[k].lanes == &d->lanes ? !are_same(w, slots[k].record->in, in) : slots[k].lanes == &found->lanes)
			return 0;
	return 1;
}
