/* SPDX-License-Identifier: MIT */
/* A tile: its state at hand, its clears. */
#ifndef RASTER_BACK_TILE_H
#define RASTER_BACK_TILE_H

struct pm4_clear_target;
struct rs_draw;
struct rs_worker;

/* Makes `draw` the state at hand; closes the open wave when it must. */
void rs_worker_bind(struct rs_worker *w, const struct rs_draw *draw);
/* Adds the samples and invocations counted so far to their counters. */
void rs_worker_count(struct rs_worker *w);
/* Clears one rectangle of the tile at hand. */
void rs_tile_clear(struct rs_worker *w, const struct pm4_clear_target *c);

#endif
