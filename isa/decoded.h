/* SPDX-License-Identifier: MIT */
/* Decoded planes: the texels of a compressed image beside it, which the texture unit reads instead of the blocks once it has
 * decoded them (core/tex/tex_decoded.c).  T_DECODED of a T# names one.  It is a header, then all levels of the image in the format
 * that its blocks decode to (core/format/block.h), laid out by isa/surface.h as TILING_LINEAR: of two dimensions, all slices.
 *
 * The unit alone fills a plane in, a level piece by piece; it begins as zeros.  Whoever writes to a level of the image sets its
 * `done` to 0 after that, by a 32-bit store (RELEASE_MEM).  Nothing but `base` of a header is relied on for more than texels. */
#ifndef ISA_DECODED_H
#define ISA_DECODED_H

#include "isa/surface.h"

#define ISA_DECODED_HEADER 256

struct isa_decoded {
	/* Of a level: rows of blocks, slice by slice, whose texels are there, all of them, or that some thread is at it. */
	uint32_t done[SURF_MAX_LEVELS];
	uint32_t unused;
	uint64_t base; /* address of the image's level 0: a plane is of no other image */
};
enum { ISA_DECODED_ALL = 0x7fffffff };
#define ISA_DECODED_BUSY 0x80000000u

/* Level 0 of what the plane at `plane` holds of an image whose level 0 is *blocks, in the format of its texels. */
static inline struct surf_plane isa_decoded_plane(uint64_t plane, const struct surf_plane *blocks, unsigned dfmt, unsigned nfmt)
{
	struct surf_plane p = { .base = (uint8_t *)(uintptr_t)(plane + ISA_DECODED_HEADER), .width = blocks->width, .height = blocks->height,
		.slices = blocks->slices, .tiling = TILING_LINEAR, .samples = 1, .dfmt = (uint8_t)dfmt, .nfmt = (uint8_t)nfmt };
	surf_init(&p);
	return p;
}

/* Bytes of the plane for so many levels, header included. */
static inline uint64_t isa_decoded_bytes(const struct surf_plane *blocks, unsigned levels, unsigned dfmt, unsigned nfmt)
{
	const struct surf_plane p = isa_decoded_plane(0, blocks, dfmt, nfmt);
	return ISA_DECODED_HEADER + surf_plane_bytes(&p, levels);
}

#endif
