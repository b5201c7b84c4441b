/* SPDX-License-Identifier: MIT */
/* image_load, image_store, image_atomic and image_get_resinfo: integer
 * coordinates, no sampler.  Texels outside the view read zero, before DST_SEL
 * adds its constants, and are not written. */
#include "core/journal.h"
#include "core/mem/atomic_lanes.h"
#include "core/tex/tex_column.h"
#include "core/tex/tex_fetch.h"
#include "core/tex/tex_output.h"

/* Integer coordinates of VL lanes; `inside`: live lanes within the view. */
struct texel_lanes {
	struct tex_lanes_level lv;
	vi x, y, slice, live, inside;
};

static struct texel_lanes texel_lanes(const struct tex_op *op, int lane)
{
	const struct tex_image *img = op->image;
	struct texel_lanes tl;
	vi level = v_set(0), slices = v_set((int32_t)img->slices);
	unsigned n = 0;
	tl.y = tl.slice = v_set(0);
	tl.live = tl.inside = v_mask_of(tex_live(op->w, lane));
	tl.x = v_load(&op->address[n++][lane]);
	if (img->dims >= 2)
		tl.y = v_load(&op->address[n++][lane]);
	if (img->arrayed || img->is_3d)
		tl.slice = v_load(&op->address[n++][lane]);
	if (op->flags & TEX_MIP) {
		level = v_load(&op->address[n][lane]);
		tl.inside &= v_less_u(level, v_set((int32_t)img->levels)) & (level >= v_set((int32_t)img->min_lod));
		level &= tl.inside;
	}
	tl.lv = tex_level_of(img, level);
	if (img->is_3d)
		slices = tl.lv.size[2];
	tl.inside &= v_less_u(tl.x, tl.lv.size[0]) & v_less_u(tl.y, tl.lv.size[1]) & v_less_u(tl.slice, slices);
	if (img->msaa) {
		vi sample = v_load(&op->address[n][lane]);
		tl.inside &= v_less_u(sample, v_set(img->level->samples));
		tl.x = (((tl.x >> 2) * img->level->samples + sample) << 2) | (tl.x & 3); /* surf_ms_x */
	}
	return tl;
}

/* The dwords of a texel, without its format: a narrow one zero- or
 * sign-extended, absent ones zero. */
static void fetch_dwords(const struct tex_op *op, const struct texel_lanes *tl, vi raw[4])
{
	const struct tex_image *img = op->image;
	for (unsigned c = 0; c < 4; c++)
		raw[c] = v_set(0);
	if (img->wide)
		tex_gather_wide(img, tl->lv.level, tl->x, tl->y, tl->slice, tl->inside, raw);
	else
		tex_gather_narrow(img->base, img->level->bpe, tex_offset(img, &tl->lv, tl->x, tl->y, tl->slice),
			tl->inside, raw);
	if (op->flags & TEX_SGN && img->level->bpe < 4)
		raw[0] = raw[0] << (32 - 8 * img->level->bpe) >> (32 - 8 * img->level->bpe);
}

void tex_load(struct tex_op *op)
{
	if (op->plan->loads && !(op->flags & (TEX_PCK | TEX_MIP))) {
		tex_load_wave(op);
		return;
	}
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		if (!tex_live(op->w, lane))
			continue;
		struct texel_lanes tl = texel_lanes(op, lane);
		vi mem[4];
		bool packed = op->flags & TEX_PCK;
		if (packed)
			fetch_dwords(op, &tl, mem);
		else
			tex_fetch(op, &tl.lv, tl.x, tl.y, tl.slice, tl.inside, mem);
		for (unsigned c = 0; c < 4; c++)
			mem[c] &= tl.inside;
		unsigned n = 0;
		for (unsigned c = 0; c < 4; c++)
			if (op->in->dmask >> c & 1)
				tex_write(op, n++, lane, tl.live, packed ? mem[c] : tex_channel(op->image, mem, c));
	}
}

static uint8_t *texel_pointer(const struct tex_image *img, const struct texel_lanes *tl, int i)
{
	return tex_pointer(img, tl->lv.level[i], (uint32_t)tl->x[i], (uint32_t)tl->y[i], (uint32_t)tl->slice[i]);
}

static void note_texels(const struct tex_op *op, const struct texel_lanes *tl)
{
	for (uint32_t live = v_bits(tl->inside); live; live &= live - 1)
		cu_note_store(op->w, op->w->pc, texel_pointer(op->image, tl, __builtin_ctz(live)), op->image->level->bpe);
}

static void store_texels(const struct tex_image *img, const struct texel_lanes *tl, const vi raw[4])
{
	uint32_t live = v_bits(tl->inside);
	if (img->wide) {
		for (; live; live &= live - 1) {
			int i = __builtin_ctz(live);
			uint32_t texel[4] = { (uint32_t)raw[0][i], (uint32_t)raw[1][i], (uint32_t)raw[2][i], (uint32_t)raw[3][i] };
			memcpy(texel_pointer(img, tl, i), texel, img->level->bpe);
		}
		return;
	}
	const vi at = tex_offset(img, &tl->lv, tl->x, tl->y, tl->slice);
	for (; live; live &= live - 1) {
		int i = __builtin_ctz(live);
		uint32_t texel[4] = { (uint32_t)raw[0][i], (uint32_t)raw[1][i], (uint32_t)raw[2][i], (uint32_t)raw[3][i] };
		memcpy(img->base + at[i], texel, img->level->bpe);
	}
}

void tex_store(struct tex_op *op)
{
	const struct tex_image *img = op->image;
	tex_encode_fn encode = CU_FN(cu_tex_encoder)(img->level->dfmt, img->level->nfmt);
	if (op->plan->store && !op->w->journal && !(op->flags & (TEX_PCK | TEX_MIP))) {
		op->plan->store(op);
		return;
	}
	const uint32_t *row[4];
	tex_find_stored(op, row);
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		if (!tex_live(op->w, lane))
			continue;
		struct texel_lanes tl = texel_lanes(op, lane);
		vi mem[4], raw[4];
		raw[0] = raw[1] = raw[2] = raw[3] = v_set(0);
		for (unsigned c = 0; c < 4; c++)
			mem[c] = v_load(row[c] + lane);
		if (op->flags & TEX_PCK)
			memcpy(raw, mem, sizeof(raw));
		else
			encode(mem, raw);
		if (op->w->journal)
			note_texels(op, &tl);
		store_texels(img, &tl, raw);
	}
}

static enum cu_atomic atomic_of(unsigned op)
{
	switch (op) {
#define KIND(NAME) case GCN_IMAGE_ATOMIC_##NAME: return CU_ATOMIC_##NAME;
	KIND(CMPSWAP) KIND(ADD) KIND(SUB) KIND(RSUB) KIND(SMIN) KIND(UMIN) KIND(SMAX) KIND(UMAX)
	KIND(AND) KIND(OR) KIND(XOR) KIND(INC) KIND(DEC) KIND(FCMPSWAP) KIND(FMIN) KIND(FMAX)
#undef KIND
	default: return CU_ATOMIC_SWAP;
	}
}

/* In lane order, lowest first.  One data dword (compare and swap: two) works on
 * 32-bit texels, two on those of two dwords; others are out of range. */
void tex_atomic(struct tex_op *op)
{
	const struct tex_image *img = op->image;
	const enum cu_atomic kind = atomic_of(op->in->op);
	const bool wide = __builtin_popcount(op->in->dmask) > (cu_atomic_compares(kind) ? 2 : 1);
	struct cu_atomic_lanes lanes = { .op = kind, .wide = wide, .data = op->data[0], .old = op->in->glc ? op->data[0] : NULL,
		.exec = cu_exec(op->w) };
	for (int lane = 0; lane < CU_LANES && img->level->dfmt == (wide ? DFMT_32_32 : DFMT_32); lane += VL) {
		if (!tex_live(op->w, lane))
			continue;
		const struct texel_lanes tl = texel_lanes(op, lane);
		const uint32_t live = v_bits(tl.inside);
		const vi at = img->wide ? v_set(0) : tex_offset(img, &tl.lv, tl.x, tl.y, tl.slice);
		for (uint32_t left = live; left; left &= left - 1) {
			const int i = __builtin_ctz(left);
			lanes.at[lane + i] = img->wide ? texel_pointer(img, &tl, i) : img->base + at[i];
		}
		lanes.live |= (uint64_t)live << lane;
	}
	cu_atomic_wave(op->w, op->w->pc, &lanes);
}

/* Width, height, depth or slices (of cubes: faces), levels of the view or
 * samples; all zero but these last for a level outside. Sizes a type lacks are 1. */
void tex_resinfo(struct tex_op *op)
{
	const struct tex_image *img = op->image;
	for (int lane = 0; lane < CU_LANES; lane += VL) {
		vi live = v_mask_of(tex_live(op->w, lane)), level = v_load(&op->address[0][lane]);
		vi inside = v_less_u(level, v_set((int32_t)img->levels)) & live;
		struct tex_lanes_level lv = tex_level_of(img, level & inside);
		vi count = v_set(img->msaa ? img->level->samples : (int32_t)img->levels);
		vi depth = img->is_3d ? lv.size[2] : v_set((int32_t)img->slices);
		vi info[4] = { lv.size[0] & inside, lv.size[1] & inside, depth & inside, count };
		unsigned n = 0;
		for (unsigned c = 0; c < 4; c++)
			if (op->in->dmask >> c & 1)
				tex_write(op, n++, lane, live, info[c]);
	}
}
