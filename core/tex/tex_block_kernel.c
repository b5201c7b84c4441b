/* SPDX-License-Identifier: MIT */
/* Texels of compressed images: a block is decoded when a texel of it is first read, and kept by its bytes, not by its
 * address, so that nobody has to say when memory changes. */
#include <stdlib.h>
#include "core/tex/tex_fetch.h"
#include "core/tex/tex_footprint.h"

enum { BLOCKS = 64, SLOTS = 256, SLOT_BYTES = 128 };

struct decoded {
	const struct cu_block_format *format; /* NULL: nothing yet */
	uint64_t block[2];
	alignas(16) uint8_t texels[CU_BLOCK_BYTES];
};

/* For kernels that read blocks of 4x4 by vectors.  While memory stays as it is a block is found by its place: key
 * is which block from `first` on, that of the image, a slot has been found to hold, -1 none yet. */
struct tex_slots {
	uint64_t call;
	const uint8_t *first;
	const struct cu_block_format *format;
	alignas(64) int32_t key[SLOTS];
	struct { const struct cu_block_format *format; uint64_t block[2]; } of[SLOTS];
	alignas(64) uint8_t texels[SLOTS][SLOT_BYTES];
};

struct cache { struct decoded any[BLOCKS]; struct tex_slots slots; };

static void read_block(const struct cu_block_format *f, const uint8_t *at, uint64_t block[2])
{
	block[0] = block[1] = 0;
	if (f->bytes == 8)
		memcpy(block, at, 8);
	else
		memcpy(block, at, 16);
}

static const uint8_t *decoded(struct decoded *cache, const struct cu_block_format *f, const uint8_t *at)
{
	uint64_t block[2];
	read_block(f, at, block);
	struct decoded *d = &cache[(block[0] ^ block[1] * 3) * 0x9e3779b97f4a7c15ull / (UINT64_MAX / BLOCKS + 1)];
	if (d->format != f || d->block[0] != block[0] || d->block[1] != block[1]) {
		f->decode(block, d->texels);
		d->format = f;
		memcpy(d->block, block, sizeof block);
	}
	return d->texels;
}

static struct cache *cache_of(const struct tex_op *op)
{
	struct cu_tex_cache *c = op->w->tex;
	if (c && !c->blocks) {
		c->blocks = aligned_alloc(alignof(struct cache), sizeof(struct cache));
		if (c->blocks)
			memset(c->blocks, 0, sizeof(struct cache));
	}
	return c ? c->blocks : NULL;
}

void *tex_begin_blocks(const struct tex_op *op)
{
	struct cache *c = cache_of(op);
	const uint8_t *first = op->plan->level->base;
	const struct cu_block_format *format = op->image->block;
	if (c && !(c->slots.call == op->w->tex->call && c->slots.first == first && c->slots.format == format)) {
		memset(c->slots.key, -1, sizeof c->slots.key);
		c->slots.call = op->w->tex->call;
		c->slots.first = first;
		c->slots.format = format;
	}
	return c;
}

V_INLINE vi slots_of(vi block) { return (vi)(((vu)block * v_setu(0x9e3779b1)) >> 24); }
_Static_assert(SLOTS == 1 << (32 - 24), "slots_of");

static const uint8_t *block_at(const struct cu_block_format *f, const uint8_t *base, int32_t block)
{
	return base + (ptrdiff_t)block * f->bytes;
}

/* Makes `slot` hold the block. */
static void fill_slot(struct tex_slots *s, const struct cu_block_format *f, int32_t slot, int32_t block)
{
	uint64_t bytes[2];
	read_block(f, block_at(f, s->first, block), bytes);
	s->key[slot] = block;
	if (s->of[slot].format == f && s->of[slot].block[0] == bytes[0] && s->of[slot].block[1] == bytes[1])
		return;
	f->decode(bytes, s->texels[slot]);
	s->of[slot].format = f;
	memcpy(s->of[slot].block, bytes, sizeof bytes);
}

/* Lane by lane: where two blocks want one slot, where blocks are too large for slots, and where there is no memory. */
static void fetch_lanes(struct cache *cache, const struct cu_block_format *f, const uint8_t *base, vi at, vi raw[4])
{
	alignas(16) uint8_t own[CU_BLOCK_BYTES];
	uint32_t texel[4][VL];
	const uint8_t *last = NULL, *texels = own;
	memset(texel, 0, sizeof texel);
	for (int i = 0; i < VL; i++) {
		const uint8_t *from = block_at(f, base, at[i] >> TEX_BLOCK_BITS(f));
		if (from != last && cache)
			texels = decoded(cache->any, f, from);
		else if (from != last)
			f->decode(from, own);
		last = from;
		const uint8_t *t = texels + (at[i] & ((1 << TEX_BLOCK_BITS(f)) - 1)) * f->texel_bytes;
		for (int c = 0; 4 * c < f->texel_bytes; c++)
			memcpy(&texel[c][i], t + 4 * c, 4);
	}
	for (int c = 0; c < 4; c++)
		raw[c] = v_load(texel[c]);
}

/* Fills the slots of lanes whose block has none yet; false where two blocks want one slot. */
static bool fill_slots(struct tex_slots *s, const struct cu_block_format *f, vi block, vi slots, uint32_t miss)
{
	for (; miss; miss &= miss - 1) {
		int i = __builtin_ctz(miss);
		if (s->key[slots[i]] != block[i])
			fill_slot(s, f, slots[i], block[i]);
	}
	return !v_any(v_gather_index(s->key, slots) != block);
}

void tex_fetch_blocks(void *blocks, const struct cu_block_format *f, const uint8_t *base, vi at, vi raw[4])
{
	struct cache *cache = blocks;
	struct tex_slots *s = cache && tex_small_block(f) ? &cache->slots : NULL;
	const vi from_first = v_set(s ? (int32_t)((base - s->first) >> (f->bytes == 8 ? 3 : 4)) : 0);
	vi block = (at >> 4) + from_first, slots = slots_of(block);
	uint32_t miss = s ? v_bits(v_gather_index(s->key, slots) != block) : 0;
	if (!s || (miss && !fill_slots(s, f, block, slots, miss))) {
		fetch_lanes(cache, f, base, at, raw);
		return;
	}
	vi offset = slots * SLOT_BYTES + (at & 15) * f->texel_bytes;
	raw[0] = v_gather(s->texels, offset);
	if (f->texel_bytes == 8)
		raw[1] = v_gather(s->texels[0] + 4, offset);
}

void tex_gather_blocks(const struct tex_op *op, vi level, vi x, vi y, vi slice, vi mask, vi raw[4])
{
	const struct tex_image *img = op->image;
	const struct cu_block_format *f = img->block;
	struct cache *cache = cache_of(op);
	alignas(16) uint8_t own[CU_BLOCK_BYTES];
	uint32_t texel[4][VL];
	const uint8_t *last = NULL, *texels = NULL; /* neighbours are often of one block */
	memset(texel, 0, sizeof texel);
	for (uint32_t live = v_bits(mask); live; live &= live - 1) {
		int i = __builtin_ctz(live);
		uint32_t tx = (uint32_t)x[i], ty = (uint32_t)y[i], tz = (uint32_t)slice[i], dwords[4] = { 0 }, z = 0;
		if (f->depth > 1) {
			z = tz % f->depth;
			tz /= f->depth;
		}
		const uint8_t *at = tex_pointer(img, level[i], tx / f->width, ty / f->height, tz);
		if (at != last && cache) {
			texels = decoded(cache->any, f, at);
		} else if (at != last) { /* no memory: slower, that is all */
			f->decode(at, own);
			texels = own;
		}
		last = at;
		memcpy(dwords, texels + ((z * f->height + ty % f->height) * f->width + tx % f->width) * f->texel_bytes, f->texel_bytes);
		for (int c = 0; c < 4; c++)
			texel[c][i] = dwords[c];
	}
	for (int c = 0; c < 4; c++)
		raw[c] = v_load(texel[c]);
}
