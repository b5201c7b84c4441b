/* SPDX-License-Identifier: MIT */
/* Binning: which tiles a primitive may touch, and the per-tile lists of a job. */
#ifndef RASTER_FRONT_BIN_H
#define RASTER_FRONT_BIN_H

#include <stdbool.h>
#include <stdint.h>

struct rs_front;
struct rs_job;
struct rs_prim;

bool rs_bin_reserve(struct rs_front *f, uint32_t tiles);
/* Adds the primitive of 2x2 quads at (x, y), both even, to every tile it touches. */
void rs_bin_small(struct rs_front *f, const struct rs_prim *prim, int32_t x, int32_t y, uint32_t mask);
/* Adds the primitive to every tile it may touch. */
void rs_bin_prim(struct rs_front *f, const struct rs_prim *prim);
/* Ends a job: turns its entries into per-tile lists. */
void rs_bin_finish_job(struct rs_front *f, struct rs_job *job);

#endif
