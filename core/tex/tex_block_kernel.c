/* SPDX-License-Identifier: MIT */
/* Texels of compressed images: a block is decoded when a texel of it is first read, and kept by its bytes, not by its
 * address, so that nobody has to say when memory changes. */
#include <stdlib.h>
#include "core/tex/tex_fetch.h"

enum { BLOCKS = 64 };

struct decoded {
	const struct cu_block_format *format; /* NULL: nothing yet */
	uint64_t block[2];
	alignas(16) uint8_t texels[CU_BLOCK_BYTES];
};

static const uint8_t *decoded(struct decoded *cache, const struct cu_block_format *f, const uint8_t *at)
{
	uint64_t block[2] = { 0, 0 };
	if (f->bytes == 8)
		memcpy(block, at, 8);
	else
		memcpy(block, at, 16);
	struct decoded *d = &cache[(block[0] ^ block[1] * 3) * 0x9e3779b97f4a7c15ull / (UINT64_MAX / BLOCKS + 1)];
	if (d->format != f || d->block[0] != block[0] || d->block[1] != block[1]) {
		f->decode(block, d->texels);
		d->format = f;
		memcpy(d->block, block, sizeof block);
	}
	return d->texels;
}

void tex_gather_blocks(const struct tex_op *op, vi level, vi x, vi y, vi slice, vi mask, vi raw[4])
{
	const struct tex_image *img = op->image;
	const struct cu_block_format *f = img->block;
	struct cu_tex_cache *cache = op->w->tex;
	alignas(16) uint8_t own[CU_BLOCK_BYTES];
	uint32_t texel[4][VL];
	const uint8_t *last = NULL, *texels = NULL; /* neighbours are often of one block */
	if (cache && !cache->blocks)
		cache->blocks = calloc(BLOCKS, sizeof(struct decoded));
	memset(texel, 0, sizeof texel);
	for (uint32_t live = v_bits(mask); live; live &= live - 1) {
		int i = __builtin_ctz(live);
		uint32_t tx = (uint32_t)x[i], ty = (uint32_t)y[i], tz = (uint32_t)slice[i], dwords[4] = { 0 }, z = 0;
		if (f->depth > 1) {
			z = tz % f->depth;
			tz /= f->depth;
		}
		const uint8_t *at = tex_pointer(img, level[i], tx / f->width, ty / f->height, tz);
		if (at != last && cache && cache->blocks) {
			texels = decoded(cache->blocks, f, at);
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
