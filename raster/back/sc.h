/* SPDX-License-Identifier: MIT */
/* SC: scan conversion, 8x8 block by 8x8 block. Kernels
 * of one level: seen by *_kernel.c alone. */
#ifndef RASTER_BACK_SC_H
#define RASTER_BACK_SC_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/draw.h"

struct rs_item;
struct rs_prim;
struct rs_worker;

void CU_FN(rs_sc_prim)(struct rs_worker *w, const struct rs_prim *prim, bool full);
void CU_FN(rs_sc_small)(struct rs_worker *w, const struct rs_prim *prim, const struct rs_item *item);
void CU_FN(rs_sc_line)(struct rs_worker *w, const struct rs_prim *prim);
void CU_FN(rs_sc_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask);
void CU_FN(rs_sc_prim_msaa)(struct rs_worker *w, const struct rs_prim *prim, bool full);
void CU_FN(rs_sc_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t covered[RS_MAX_SAMPLES]);

#endif
