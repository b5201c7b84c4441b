/* SPDX-License-Identifier: MIT */
/* What commands do with the pass under construction. */
#ifndef RASTER_CP_CP_PASS_H
#define RASTER_CP_CP_PASS_H

#include <stdbool.h>
#include <stdint.h>

struct pm4_clear_target;
struct rs_counter;
struct rs_discard;
struct rs_gpu;
struct rs_strmout_update;
struct rs_target_resolve;
struct rs_vdraw;

/* Opens a pass for the current targets if none fits, and snapshots the context. */
bool rs_pass_prepare(struct rs_gpu *gpu);
/* Whatever comes next may see what the pass leaves in memory.  Clears of its own
 * targets do not: the pass ends before the next packet that is none. */
void rs_pass_barrier(struct rs_gpu *gpu);
/* Renders what came before a barrier, for packets that may read memory. */
bool rs_pass_settle(struct rs_gpu *gpu);
bool rs_pass_add_draw(struct rs_gpu *gpu, struct rs_vdraw *d);
bool rs_pass_add_clear(struct rs_gpu *gpu, const struct pm4_clear_target *c);
bool rs_pass_add_resolve(struct rs_gpu *gpu, const struct rs_target_resolve *r);
/* Of the pass as it is now: what is added to it may read them. */
void rs_pass_discard_targets(struct rs_gpu *gpu, const struct rs_discard *d);
/* In order with draws; at once if there is no pass. */
bool rs_pass_add_update(struct rs_gpu *gpu, const struct rs_strmout_update *u);

/* Renders everything collected; false after a fault. */
bool rs_pass_flush(struct rs_gpu *gpu);
/* The counter for draws from now on; NULL without memory. */
struct rs_counter *rs_pass_counter(struct rs_gpu *gpu);
/* Writes totals so far, enum rs_total, when what came before is done. */
bool rs_pass_sample(struct rs_gpu *gpu, uint64_t address, unsigned total);
/* Frees what a flush leaves; for destroy. */
void rs_pass_discard(struct rs_gpu *gpu);

#endif
