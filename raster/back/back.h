/* SPDX-License-Identifier: MIT */
/* The back end as the front sees it: sc -> spi -> db/cb, coverage, pixel waves, depth,
 * stencil, colour.
 *
 *   tile       walks a bin: clears, primitives
 *   sc_*       coverage of primitives, 8x8 block by 8x8 block
 *   *_msaa_*   the same blocks' work for more than one sample
 *   spi_*      pixel waves: packing, LDS attributes, VGPRs, launch
 *   db_*       depth and stencil, hierarchical Z, occlusion
 *   cb_*       blending, conversion, colour stores */
#ifndef RASTER_BACK_BACK_H
#define RASTER_BACK_BACK_H

#include <stdint.h>
#include "core/level.h"

struct cu_program;
struct rs_context;
struct rs_kernels;
struct rs_pass;
struct rs_ps_state;

/* Per thread: pixel wave, exports, LDS, scratch, tile caches; made once. */
struct rs_worker;
struct rs_worker *rs_worker_create(const struct rs_kernels *k);
void rs_worker_destroy(struct rs_worker *w);

/* Decodes blend, depth, stencil, interpolation and export state; allocated
 * with malloc, freed with rs_ps_state_destroy; NULL without memory. */
struct rs_ps_state *rs_ps_state_create(const struct rs_context *context, const struct cu_program *ps);
void rs_ps_state_destroy(struct rs_ps_state *s);

/* Renders `across` tiles of the pass from this one to the right: all items of its bin in order.  More than one: their
 * bins hold the same clears and nothing else.  Runs on any thread; a tile has one owner at a time. */
void rs_tile_render(struct rs_worker *w, struct rs_pass *pass, uint32_t tile_x, uint32_t tile_y, uint32_t across);

#endif
