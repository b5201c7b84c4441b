/* SPDX-License-Identifier: MIT */
/* A tile: its targets, its state at hand, its clears and resolves. */
#ifndef RASTER_BACK_TILE_H
#define RASTER_BACK_TILE_H

struct pm4_clear_target;
struct rs_bin;
struct rs_draw;
struct rs_target_resolve;
struct rs_worker;

/* Makes `draw` the state at hand; closes the open wave when it must. */
void rs_worker_bind(struct rs_worker *w, const struct rs_draw *draw);
/* Adds the samples and invocations counted so far to their counters. */
void rs_worker_count(struct rs_worker *w);
/* Clears one rectangle of the tile at hand. */
void rs_tile_clear(struct rs_worker *w, const struct pm4_clear_target *c);

/* A rectangle of the tile at hand of one color target, to its other image. */
void rs_tile_resolve(struct rs_worker *w, const struct rs_target_resolve *r);
/* Where the targets of the tile at hand are: those of the pass, or in memory of the worker. */
void rs_tile_targets(struct rs_worker *w, const struct rs_bin *bin);

#endif
