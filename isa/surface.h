/* SPDX-License-Identifier: MIT */
/* Where the elements of an image plane lie in memory: texels, or blocks of texels that
 * are compressed together (isa/formats.def); bpe is bytes of one.  Driver, texture unit,
 * colour and depth blocks and the copy engine all describe a plane by struct surf_plane
 * and find its elements by these functions.
 *
 * Level-major: level 0 with all its slices (array layers, cube faces, or z),
 * then level 1 ...; every level and every slice starts 256-byte aligned.
 *
 * TILING_LINEAR: rows, the pitch a multiple of 64 bytes.
 * TILING_4X4: parts of 4x4 elements, 16 consecutive ones each, in Morton order
 * inside (bit 0 x0, bit 1 y0, bit 2 x1, bit 3 y1: quad order); parts lie row
 * by row; columns and rows are padded to multiples of 8, so an 8x8 block is two
 * pairs of adjacent parts.
 *
 * Both are separable: offset(x, y) = x_part(x) + y_part(y).
 *
 * Multisampled planes (2, 4 or 8 samples, one level, TILING_4X4 only): a 4x4
 * part is 16 texels of sample 0, then 16 of sample 1 ..., so that sample k of
 * 16 pixels is one aligned piece.  Pitch and size are those of a plane of one
 * sample whose texels have bpe * samples bytes. */
#ifndef ISA_SURFACE_H
#define ISA_SURFACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "isa/resource.h"

#define SURF_MAX_LEVELS 15
#define SURF_MAX_SAMPLES 8

/* One level of a plane, or texels in a buffer (one level, TILING_LINEAR). */
struct surf_plane {
	uint8_t *base;          /* element (0, 0), sample 0, of slice 0; NULL: there is no plane */
	uint64_t slice_stride;  /* bytes from slice to slice, of blocks if they are deep */
	uint32_t pitch;         /* LINEAR: bytes a row; 4X4: bytes a row of parts */
	uint32_t width, height; /* texels */
	uint32_t slices;
	uint8_t is_3d;          /* the slices are z: they shrink with the level */
	uint8_t tiling;         /* TILING_* */
	uint8_t samples;        /* 1, 2, 4, 8 */
	uint8_t bpe;            /* bytes of an element */
	uint8_t block_width, block_height, block_depth; /* its texels across, down, and from slice to slice */
	uint8_t dfmt, nfmt;     /* DFMT_*, NFMT_* */
};

/* --- elements of texels: the only places that know both --- */

/* Bytes of an element of a data format (isa/formats.def); 0 for DFMT_INVALID and unknown ones. */
static inline unsigned surf_dfmt_bytes(unsigned dfmt)
{
	switch (dfmt) {
#define DATA_FORMAT(name, number, bytes, ...) case DFMT_##name: return bytes;
	ISA_DATA_FORMATS(DATA_FORMAT)
#undef DATA_FORMAT
	default: return 0;
	}
}

/* Its texels across, and << 8 those down. */
static inline unsigned surf_dfmt_block(unsigned dfmt)
{
	switch (dfmt) {
#define DATA_FORMAT(name, number, bytes, across, down, ...) case DFMT_##name: return (across) | (down) << 8;
	ISA_DATA_FORMATS(DATA_FORMAT)
#undef DATA_FORMAT
	default: return 1 | 1 << 8;
	}
}

/* Its slices. */
static inline unsigned surf_dfmt_depth(unsigned dfmt)
{
	switch (dfmt) {
#define DEEP_FORMAT(name, slices) case DFMT_##name: return slices;
	ISA_DEEP_FORMATS(DEEP_FORMAT)
#undef DEEP_FORMAT
	default: return 1;
	}
}

/* Elements that texels [0, texels) take part of. */
static inline uint32_t surf_elements(uint32_t texels, unsigned block) { return (texels + block - 1) / block; }
static inline uint32_t surf_columns(const struct surf_plane *p) { return surf_elements(p->width, p->block_width); }
static inline uint32_t surf_rows(const struct surf_plane *p) { return surf_elements(p->height, p->block_height); }

static inline uint32_t surf_layers(const struct surf_plane *p) { return surf_elements(p->slices, p->block_depth); }

/* From texels to elements, in place; false where `at` is not the first texel of one. */
static inline bool surf_place(const struct surf_plane *p, uint32_t at[3])
{
	bool first = at[0] % p->block_width == 0 && at[1] % p->block_height == 0 && at[2] % p->block_depth == 0;
	at[0] /= p->block_width;
	at[1] /= p->block_height;
	at[2] /= p->block_depth;
	return first;
}

/* The box of elements lies within the plane. */
static inline bool surf_holds(const struct surf_plane *p, const uint32_t at[3], const uint32_t size[3])
{
	const uint32_t limit[3] = { surf_columns(p), surf_rows(p), surf_layers(p) };
	for (int i = 0; i < 3; i++)
		if (at[i] > limit[i] || size[i] > limit[i] - at[i])
			return false;
	return true;
}

/* --- the geometry of planes --- */

static inline uint32_t surf_minify(uint32_t size, unsigned level)
{
	uint32_t s = size >> level;
	return s ? s : 1;
}

/* Pitch and slices' stride of the rest. */
static inline void surf_lay(struct surf_plane *p)
{
	uint32_t columns = surf_columns(p), rows = surf_rows(p), bytes = (uint32_t)p->bpe * p->samples;
	if (p->tiling == TILING_4X4) {
		p->pitch = (columns + 7) / 8 * 8 * 4 * bytes;
		rows = (rows + 7) / 8 * 2;
	} else {
		p->pitch = (columns * bytes + 63) & ~63u;
	}
	p->slice_stride = ((uint64_t)rows * p->pitch + 255) & ~255ull;
}

/* Fills in what follows from base, sizes, tiling, samples and format. */
static inline void surf_init(struct surf_plane *p)
{
	unsigned block = surf_dfmt_block(p->dfmt);
	p->bpe = (uint8_t)surf_dfmt_bytes(p->dfmt);
	p->block_width = (uint8_t)block;
	p->block_height = (uint8_t)(block >> 8);
	p->block_depth = (uint8_t)surf_dfmt_depth(p->dfmt);
	surf_lay(p);
}

/* Why there can be no such plane; NULL: there can. */
static inline const char *surf_fault(const struct surf_plane *p)
{
	if (!p->bpe)
		return "an unknown data format";
	if (p->tiling != TILING_LINEAR && p->tiling != TILING_4X4)
		return "an unknown tiling";
	if (!p->samples || p->samples > SURF_MAX_SAMPLES || p->samples & (p->samples - 1) ||
	    (p->samples > 1 && (p->tiling != TILING_4X4 || p->is_3d)))
		return "a number of samples that its kind cannot have";
	if (p->block_depth > 1 && !p->is_3d)
		return "blocks of several slices, of which its kind has none";
	return p->base ? NULL : "no address";
}

/* Goes on to the next level; base may be 0 (offsets) or wrap (of descriptors that nobody
 * has checked). */
static inline void surf_next_level(struct surf_plane *p)
{
	p->base = (uint8_t *)((uintptr_t)p->base + surf_layers(p) * p->slice_stride);
	p->width = surf_minify(p->width, 1);
	p->height = surf_minify(p->height, 1);
	if (p->is_3d)
		p->slices = surf_minify(p->slices, 1);
	surf_lay(p);
}

/* Level `level` of the plane whose level 0 is p. */
static inline struct surf_plane surf_level(struct surf_plane p, unsigned level)
{
	while (level--)
		surf_next_level(&p);
	return p;
}

/* Bytes of all of the first `levels` levels of the plane whose level 0 is p. */
static inline uint64_t surf_plane_bytes(const struct surf_plane *p, unsigned levels)
{
	return (uintptr_t)surf_level(*p, levels).base - (uintptr_t)p->base;
}

/* `count` slices of p from slice `first` on. */
static inline struct surf_plane surf_slices(struct surf_plane p, uint32_t first, uint32_t count)
{
	p.base = (uint8_t *)((uintptr_t)p.base + first * p.slice_stride);
	p.slices = count;
	return p;
}

/* --- where an element is: x, y and z count elements --- */

/* The order within a part of TILING_4X4: where column x is, in elements from the start of
 * its row of parts, and row y from the start of its part.  Of numbers and of vectors. */
#define SURF_4X4_X(x) ((((x) & ~3) << 2) + ((x) & 1) + (((x) & 2) << 1))
#define SURF_4X4_Y(y) ((((y) & 1) << 1) + (((y) & 2) << 2))

static inline uint64_t surf_x_part(unsigned tiling, unsigned bpe, uint32_t x)
{
	if (tiling == TILING_4X4)
		return (uint64_t)SURF_4X4_X((int64_t)x) * bpe;
	return (uint64_t)x * bpe;
}
static inline uint64_t surf_y_part(unsigned tiling, unsigned bpe, uint32_t pitch, uint32_t y)
{
	if (tiling == TILING_4X4)
		return (uint64_t)(y >> 2) * pitch + SURF_4X4_Y(y) * bpe;
	return (uint64_t)y * pitch;
}

/* Part (x, y) of a slice of TILING_4X4. */
static inline uint64_t surf_part(unsigned bpe, uint32_t pitch, uint32_t x, uint32_t y)
{
	return x * 16 * bpe + (uint64_t)y * pitch;
}

/* The x at which x_part finds sample `sample` of pixel x: samples are parts side by side. */
static inline uint32_t surf_ms_x(unsigned samples, uint32_t x, unsigned sample)
{
	return ((x >> 2) * samples + sample) << 2 | (x & 3);
}
/* Bytes from a sample of an element to the next. */
static inline size_t surf_sample_stride(const struct surf_plane *p) { return 16u * p->bpe; }

/* Row (y, z), to which surf_x_part adds. */
static inline uint8_t *surf_row(const struct surf_plane *p, uint32_t y, uint32_t z)
{
	return p->base + z * p->slice_stride + surf_y_part(p->tiling, p->bpe, p->pitch, y);
}
/* Element (x, y, z), its sample 0. */
static inline uint8_t *surf_at(const struct surf_plane *p, uint32_t x, uint32_t y, uint32_t z)
{
	uint8_t *row = surf_row(p, y, z);
	if (p->samples > 1)
		x = surf_ms_x(p->samples, x, 0);
	return row + surf_x_part(p->tiling, p->bpe, x);
}

#endif
