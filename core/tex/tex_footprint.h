/* SPDX-License-Identifier: MIT */
/* Sampling a wave in two steps: where the texels are (tex_wave_kernel.c: any layout, wrapping, level), and what they
 * come to (tex_kernels.def: a kernel for each format). */
#ifndef CORE_TEX_TEX_FOOTPRINT_H
#define CORE_TEX_TEX_FOOTPRINT_H

#include "core/tex/tex.h"

/* The texels of each lane, (x0, y0), (x1, y0), (x0, y1), (x1, y1); of a kernel of nearest texels the first alone, of pairs
 * those of x0. */
struct tex_footprint {
	/* Bytes from base.  Of blocks: the block's number, its bytes from base over its size, above TEX_BLOCK_BITS, and the
	 * number of the texel in it. */
	alignas(64) int32_t at[4][CU_LANES];
	/* Of x1 and y1.  Where bytes are filtered, the lowest byte, of 256: of the position's nearest multiple of 1/256 texel, so
	 * that a coordinate that a rounding has moved off a texel's centre reads that texel alone.  Elsewhere floats. */
	alignas(64) uint32_t weight[2][CU_LANES];
	const float *compare; /* what texels are compared with; to be read before the rows are written */
	const uint8_t *base;
	int32_t pitch;          /* bytes that rows of an image in rows are apart; no kernel relies on it */
	uint32_t strips, pairs; /* a bit for VL lanes: wanted; x1 follows x0 in memory */
	uint32_t *row[4];       /* where memory components go, of all lanes of a strip */
	bool first_alone;       /* nobody looks at rows 1 to 3: they need not be written */
	bool one_texel;         /* all texels are the same; of texel tiles alone */
};

/* Fills in filter and bytes. */
#define tex_choose_filters CU_FN(cu_tex_choose_filters)
void tex_choose_filters(struct tex_plan *plan, const struct tex_image *img);

static inline bool tex_small_block(const struct cu_block_format *f)
{
	return f->width == 4 && f->height == 4 && f->depth == 1;
}
#define TEX_BLOCK_BITS(f) (tex_small_block(f) ? 4 : 8)

/* i / size, i < 2^16. */
V_INLINE vi tex_block_of(vi i, unsigned size)
{
	return v_trunc((v_float(i) + v_setf(0.5f)) * v_setf(1 / (float)size));
}

/* tex_block_kernel.c: raw dwords of a tap of blocks.  tex_begin_blocks once a call of a kernel: memory
 * may have changed since the last one.  Gives what tex_fetch_blocks wants. */
#define tex_begin_blocks CU_FN(cu_tex_begin_blocks)
void *tex_begin_blocks(const struct tex_op *op);
#define tex_fetch_blocks CU_FN(cu_tex_fetch_blocks)
void tex_fetch_blocks(void *blocks, const struct cu_block_format *f, const uint8_t *base, vi at, vi raw[4]);

/* tex_tile_kernel.c: whether blocks are such that a tile can hold them. */
#define tex_can_tile CU_FN(cu_tex_can_tile)
bool tex_can_tile(const struct cu_block_format *f);
/* Fills in base, at, weight and pairs for texels of p->strips in a tile, in which they follow one another as in an image in
 * rows; false: they are too far apart.  again: the wave samples next to here several times.  exec: lanes that count. */
#define tex_find_tile CU_FN(cu_tex_find_tile)
bool tex_find_tile(const struct tex_op *op, unsigned level, bool linear, bool again, uint64_t exec, struct tex_footprint *p);
/* tex_texel_tile_kernel.c: the same of 8_8_8_8 SRGB that is filtered; fills in one_texel, too. */
#define tex_find_texel_tile CU_FN(cu_tex_find_texel_tile)
bool tex_find_texel_tile(const struct tex_op *op, unsigned level, uint64_t exec, struct tex_footprint *p);

#endif
