/* SPDX-License-Identifier: MIT */
/* Compressed images of which all texels are decoded beside them (isa/decoded.h): once they are, an instruction is one of an image
 * in rows, of the texels' format, with the same bits.  Until then, and of what has been written to anew, it goes by blocks, and
 * every so many waves decode a piece, so that nobody waits and what is hardly read costs hardly anything. */
#ifndef CORE_TEX_TEX_DECODED_H
#define CORE_TEX_TEX_DECODED_H

#include <stdbool.h>
#include <stdint.h>
#include "core/format/block.h"
#include "isa/decoded.h"

/* Of a T# that has such a plane. */
struct tex_decoded {
	struct isa_decoded *plane; /* NULL: none */
	uint64_t bytes;            /* of it, as far as the view's last level */
	uint32_t t[8];             /* T# of the texels */
	struct surf_plane blocks;  /* level 0 of the image */
	uint32_t first, last;      /* levels */
	int32_t left;              /* waves until the next piece */
};

/* t: of blocks of the format, of two dimensions, which the texture unit can read; blocks: their level 0. */
void tex_decoded_begin(struct tex_decoded *d, const uint32_t t[8], struct surf_plane blocks, const struct cu_block_format *format);

/* Whether all texels of the view are there.  The plane is memory of the device, as in tex_decoded_go_on. */
static inline bool tex_decoded_is_whole(const struct tex_decoded *d)
{
	for (uint32_t l = d->first; l <= d->last; l++)
		if (__atomic_load_n(&d->plane->done[l], __ATOMIC_ACQUIRE) != ISA_DECODED_ALL)
			return false;
	return true;
}

/* Decodes a piece, where another thread is not at it.  The image is memory of the device. */
void tex_decoded_go_on(struct tex_decoded *d, const struct cu_block_format *format);

#endif
