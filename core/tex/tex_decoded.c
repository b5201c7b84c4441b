/* SPDX-License-Identifier: MIT */
#include "core/tex/tex_decoded.h"

#include <stdalign.h>
#include <string.h>

/* A wave that goes by blocks takes about as much longer as decoding some 16 of them does: by then half of that was for nothing
 * at most.  A piece is some tens of microseconds. */
enum { PIECE = 1024, WAVES = PIECE / 16 };

void tex_decoded_begin(struct tex_decoded *d, const uint32_t t[8], struct surf_plane blocks, const struct cu_block_format *format)
{
	const uint64_t at = t_decoded(t), base = (at + ISA_DECODED_HEADER) >> 8;
	d->plane = (struct isa_decoded *)(uintptr_t)at;
	d->blocks = blocks;
	d->first = ISA_GET(t, T_BASE_LEVEL);
	d->last = ISA_GET(t, T_LAST_LEVEL);
	d->bytes = isa_decoded_bytes(&blocks, d->last + 1, format->dfmt, format->nfmt);
	d->left = WAVES;
	memcpy(d->t, t, sizeof d->t);
	ISA_SET(d->t, T_BASE_LO, (uint32_t)base);
	ISA_SET(d->t, T_BASE_HI, (uint32_t)(base >> 32));
	ISA_SET(d->t, T_DATA_FORMAT, format->dfmt);
	ISA_SET(d->t, T_NUM_FORMAT, format->nfmt);
	ISA_SET(d->t, T_TILING_INDEX, TILING_LINEAR);
	ISA_SET(d->t, T_DECODED_LO, 0);
	ISA_SET(d->t, T_DECODED_HI, 0);
	ISA_SET(d->t, T_OF_BLOCKS, 1);
}

/* Row y of a slice's blocks; what of them is beyond the image is left out. */
static void decode_row(const struct surf_plane *from, const struct surf_plane *to, const struct cu_block_format *f, uint32_t y, uint32_t slice)
{
	alignas(16) uint8_t texels[CU_BLOCK_BYTES];
	const uint32_t columns = surf_columns(from), top = y * f->height, across = f->width * (uint32_t)f->texel_bytes;
	const uint32_t rows = to->height - top < f->height ? to->height - top : f->height;
	for (uint32_t x = 0; x < columns; x++) {
		const uint32_t left = (to->width - x * f->width) * f->texel_bytes, bytes = left < across ? left : across;
		uint8_t *line = surf_at(to, x * f->width, top, slice);
		f->decode(surf_at(from, x, y, slice), texels);
		for (uint32_t r = 0; r < rows; r++, line += to->pitch) {
			if (bytes == 16) /* most formats' */
				memcpy(line, texels + r * across, 16);
			else
				memcpy(line, texels + r * across, bytes);
		}
	}
}

/* Some rows of a level from `done` on, which nobody else is at; how many there are then. */
static uint32_t decode_rows(const struct surf_plane *from, const struct surf_plane *to, const struct cu_block_format *f, uint32_t done)
{
	const uint32_t rows = surf_rows(from), columns = surf_columns(from);
	const uint64_t all = (uint64_t)rows * from->slices;
	for (uint32_t blocks = 0; done < all && blocks < PIECE; blocks += columns, done++)
		decode_row(from, to, f, done % rows, done / rows);
	return done < all ? done : ISA_DECODED_ALL;
}

void tex_decoded_go_on(struct tex_decoded *d, const struct cu_block_format *format)
{
	static uint32_t turns;
	struct surf_plane from = d->blocks, to = isa_decoded_plane((uintptr_t)d->plane, &from, format->dfmt, format->nfmt);
	d->left = WAVES;
	if (d->plane->base != (uintptr_t)from.base)
		return;
	for (uint32_t l = 0; l <= d->last; l++, surf_next_level(&from), surf_next_level(&to)) {
		uint32_t *const done = &d->plane->done[l];
		uint32_t before = __atomic_load_n(done, __ATOMIC_ACQUIRE);
		if (l < d->first || before == ISA_DECODED_ALL || before & ISA_DECODED_BUSY)
			continue;
		/* Nobody else's number: what is written meanwhile sets 0, and what was decoded of it counts no more. */
		uint32_t mine = ISA_DECODED_BUSY | __atomic_fetch_add(&turns, 1, __ATOMIC_RELAXED);
		if (__atomic_compare_exchange_n(done, &before, mine, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			__atomic_compare_exchange_n(done, &mine, decode_rows(&from, &to, format, before), false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
		return;
	}
}
