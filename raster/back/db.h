/* SPDX-License-Identifier: MIT */
/* DB: depth and stencil, hierarchical Z, occlusion. Kernels
 * of one level: seen by *_kernel.c alone. */
#ifndef RASTER_BACK_DB_H
#define RASTER_BACK_DB_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/draw.h"

struct rs_open_wave;
struct rs_prim;
struct rs_worker;

void CU_FN(rs_db_begin_prim)(struct rs_worker *w, const struct rs_prim *prim);
void CU_FN(rs_db_begin_small)(struct rs_worker *w, const struct rs_prim *prim);
/* After rs_db_begin_prim, with use_hiz: the ranges of the primitive in row `by` of the tile's blocks.  Returns, by block, where
 * all of its depths fail for certain. */
uint32_t CU_FN(rs_db_hiz_row)(struct rs_worker *w, const struct rs_prim *prim, unsigned by);
/* Depths of a block whose range is not known, or was known too long ago: whether all of the primitive's fail. */
bool CU_FN(rs_db_hiz_look)(struct rs_worker *w, unsigned block);
uint64_t CU_FN(rs_db_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask,
	bool write);
uint64_t CU_FN(rs_db_wave)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live, bool write);
void CU_FN(rs_db_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	uint64_t mask[RS_MAX_SAMPLES], bool write);
void CU_FN(rs_db_wave_msaa)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live[RS_MAX_SAMPLES]);

#endif
