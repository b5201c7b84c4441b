/* SPDX-License-Identifier: MIT */
/* How the elements of an image plane lie in memory: texels, or blocks of texels that
 * are compressed together (isa/formats.def); sizes and positions count elements, and
 * bpe is bytes of one.  Driver, texture unit, colour and depth blocks and the copy
 * engine all use these functions.
 *
 * Level-major: level 0 with all its slices (array layers, cube faces, or z),
 * then level 1 ...; every level and every slice starts 256-byte aligned.
 *
 * TILING_LINEAR: rows, the pitch a multiple of 64 bytes.
 * TILING_4X4: 4x4-texel blocks, 16 consecutive texels each, in Morton order
 * inside (bit 0 x0, bit 1 y0, bit 2 x1, bit 3 y1: quad order); blocks lie row
 * by row; width and height are padded to multiples of 8 texels, so an 8x8
 * block is two pairs of adjacent blocks.
 *
 * Both are separable: offset(x, y) = x_part(x) + y_part(y).
 *
 * Multisampled planes (2, 4 or 8 samples, one level, TILING_4X4 only): a 4x4
 * block is 16 texels of sample 0, then 16 of sample 1 ..., so that sample k of
 * 16 pixels is one aligned piece.  Pitch and size are those of a plane of one
 * sample whose texels have bpe * samples bytes; surf_ms_offset says where a
 * sample is. */
#ifndef ISA_SURFACE_H
#define ISA_SURFACE_H

#include <stdint.h>
#include "isa/resource.h"

#define SURF_MAX_LEVELS 15

struct surf_level {
	uint64_t offset;       /* of slice 0, from the plane's base */
	uint64_t slice_stride; /* bytes from slice to slice */
	uint32_t pitch;        /* LINEAR: bytes a row; 4X4: bytes a row of blocks */
	uint32_t width, height, slices;
};

static inline uint32_t surf_minify(uint32_t size, unsigned level)
{
	uint32_t s = size >> level;
	return s ? s : 1;
}

static inline uint32_t surf_pitch(unsigned tiling, unsigned bpe, uint32_t width)
{
	if (tiling == TILING_4X4)
		return (width + 7) / 8 * 8 * 4 * bpe;
	return (width * bpe + 63) & ~63u;
}

static inline uint64_t surf_slice_bytes(unsigned tiling, unsigned bpe, uint32_t width, uint32_t height)
{
	uint64_t rows = tiling == TILING_4X4 ? (height + 7) / 8 * 2 : height;
	return (rows * surf_pitch(tiling, bpe, width) + 255) & ~255ull;
}

/* Geometry of one level of a plane whose level 0 is width x height with
 * `slices` slices; is_3d: the slices shrink with the level. bpe: bytes an element. */
static inline struct surf_level surf_level_at(unsigned tiling, unsigned bpe, uint32_t width,
	uint32_t height, uint32_t slices, int is_3d, unsigned level)
{
	uint64_t offset = 0;
	for (unsigned l = 0; l < level; l++)
		offset += surf_slice_bytes(tiling, bpe, surf_minify(width, l), surf_minify(height, l)) *
			(is_3d ? surf_minify(slices, l) : slices);
	uint32_t w = surf_minify(width, level), h = surf_minify(height, level);
	return (struct surf_level){ offset, surf_slice_bytes(tiling, bpe, w, h),
		surf_pitch(tiling, bpe, w), w, h, is_3d ? surf_minify(slices, level) : slices };
}

/* Bytes of a whole plane with `levels` levels. */
static inline uint64_t surf_plane_bytes(unsigned tiling, unsigned bpe, uint32_t width,
	uint32_t height, uint32_t slices, int is_3d, unsigned levels)
{
	return surf_level_at(tiling, bpe, width, height, slices, is_3d, levels).offset;
}

static inline uint64_t surf_x_part(unsigned tiling, unsigned bpe, uint32_t x)
{
	if (tiling == TILING_4X4)
		return ((uint64_t)(x >> 2) * 16 + (x & 1) + (x & 2) * 2) * bpe;
	return (uint64_t)x * bpe;
}
static inline uint64_t surf_y_part(unsigned tiling, unsigned bpe, uint32_t pitch, uint32_t y)
{
	if (tiling == TILING_4X4)
		return (uint64_t)(y >> 2) * pitch + ((y & 1) * 2 + (y & 2) * 4) * bpe;
	return (uint64_t)y * pitch;
}

/* Bytes of a plane with `samples` samples (1, 2, 4, 8) and one level. */
static inline uint64_t surf_ms_plane_bytes(unsigned bpe, unsigned samples, uint32_t width,
	uint32_t height, uint32_t slices)
{
	return surf_slice_bytes(TILING_4X4, bpe * samples, width, height) * slices;
}

/* The x at which x_part finds sample `sample` of pixel x: samples are blocks
 * side by side. */
static inline uint32_t surf_ms_x(unsigned samples, uint32_t x, unsigned sample)
{
	return ((x >> 2) * samples + sample) << 2 | (x & 3);
}

/* Sample `sample` of pixel (x, y) from the start of a slice; pitch: surf_pitch
 * of bpe * samples. */
static inline uint64_t surf_ms_offset(unsigned bpe, unsigned samples, uint32_t pitch, uint32_t x,
	uint32_t y, unsigned sample)
{
	return surf_x_part(TILING_4X4, bpe, surf_ms_x(samples, x, sample)) +
		surf_y_part(TILING_4X4, bpe, pitch, y);
}

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

#endif
