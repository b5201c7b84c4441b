/* SPDX-License-Identifier: MIT */
/* Sixteen lanes of a target.  Lane order everywhere is the memory order of
 * TILING_4X4: a block of 8x8 pixels is four parts of 4x4 (part p at ((p & 1) * 4,
 * (p >> 1) * 4)), 16 lanes each, Morton order inside, so four consecutive lanes are a
 * quad.  A "group" is 16 consecutive lanes: a part of a block, or any four quads of a
 * packed wave. */
#ifndef RASTER_BACK_GROUP_H
#define RASTER_BACK_GROUP_H

#include <stdbool.h>
#include <stdint.h>
#include "isa/resource.h"
#include "isa/surface.h"
#include "raster/pass.h"

#define RS_GROUP 16

/* Addresses of 16 lanes in a target. */
struct rs_group {
	uint8_t *quad[4];     /* first pixel of each quad */
	uint32_t row;         /* bytes from the first to the second row of a quad */
	bool block;           /* the 16 texels are contiguous */
	bool part;            /* they are four rows of four */
};

/* A depth as it is compared: the float itself, or its integer (exact as a float). */
static inline float rs_depth_code(const struct rs_target *t, float z)
{
	if (!t->code_max)
		return z;
	z = z > 0 ? z : 0;
	z = z < 1 ? z : 1;
	return (float)__builtin_rint((double)z * t->code_max); /* the product is exact */
}

/* Sample 0 of pixel (x, y) of slice `layer`. */
static inline uint8_t *rs_address(const struct rs_target *t, unsigned layer, uint32_t x, uint32_t y)
{
	return surf_at(&t->plane, x, y, layer);
}

/* Pixel (x, y) of a target of 4x4 parts and 4 bytes a texel, from a pixel whose place is a
 * multiple of 4. */
static inline size_t rs_offset_4x4(const struct rs_target *t, uint32_t x, uint32_t y)
{
	return surf_x_part(TILING_4X4, 4, x) + surf_y_part(TILING_4X4, 4, t->plane.pitch, y);
}

/* The group of sample k from that of sample 0. */
static inline void rs_group_sample(struct rs_group *g, const struct rs_target *t, unsigned k)
{
	for (unsigned q = 0; q < 4; q++)
		g->quad[q] += k * surf_sample_stride(&t->plane);
}

static inline uint32_t rs_row_step(const struct rs_target *t)
{
	return t->plane.tiling == TILING_4X4 ? 2u * t->plane.bpe : t->plane.pitch;
}

/* Group of the 4x4 part whose first pixel is (x, y). */
static inline __attribute__((always_inline)) struct rs_group rs_group_part(const struct rs_target *t, unsigned layer,
	uint32_t x, uint32_t y)
{
	struct rs_group g;
	uint8_t *p = rs_address(t, layer, x, y);
	g.block = t->plane.tiling == TILING_4X4;
	g.part = !g.block;
	g.row = rs_row_step(t);
	uint32_t right = g.block ? 4u * t->plane.bpe : 2u * t->plane.bpe;
	uint32_t down = g.block ? 8u * t->plane.bpe : 2u * t->plane.pitch;
	g.quad[0] = p;
	g.quad[1] = p + right;
	g.quad[2] = p + down;
	g.quad[3] = p + down + right;
	return g;
}

#endif
