/* SPDX-License-Identifier: MIT */
/* SPI: pixel waves: packing, LDS attributes, VGPRs, launch. Kernels
 * of one level: seen by *_kernel.c alone. */
#ifndef RASTER_BACK_SPI_H
#define RASTER_BACK_SPI_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/draw.h"

struct rs_open_wave;
struct rs_prim;
struct rs_worker;

void CU_FN(rs_spi_block)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask);
void CU_FN(rs_spi_append)(struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t mask);
void CU_FN(rs_spi_append_small)(struct rs_worker *w, const struct rs_prim *prim, unsigned qx, unsigned qy,
	uint32_t mask);
/* At the end of a primitive: blocks of it that rs_spi_block has kept. */
void CU_FN(rs_spi_run)(struct rs_worker *w);
void CU_FN(rs_spi_flush)(struct rs_worker *w);
void CU_FN(rs_spi_inputs)(struct rs_worker *w, const struct rs_open_wave *o);
void CU_FN(rs_spi_block_msaa)(struct rs_worker *w, const struct rs_prim *prim, unsigned block,
	const uint64_t mask[RS_MAX_SAMPLES], const uint64_t covered[RS_MAX_SAMPLES]);
void CU_FN(rs_spi_finish_msaa)(struct rs_worker *w, const struct rs_open_wave *o); /* rs_order_wave, many */
void CU_FN(rs_spi_inputs_msaa)(struct rs_worker *w, const struct rs_open_wave *o);

#endif
