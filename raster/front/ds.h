/* SPDX-License-Identifier: MIT */
/* Between hull and domain programs: patterns of the patches that a hull wave has left, as vertices of batches, and
 * what waves of domain programs start with. */
#ifndef RASTER_FRONT_DS_H
#define RASTER_FRONT_DS_H

#include <stdbool.h>
#include <stdint.h>

struct rs_batch;
struct rs_counter;
struct rs_front;

/* Fills b with the next primitives of the group's patches; false: there are no more, or no memory. */
bool rs_ds_fetch(struct rs_front *f, struct rs_batch *b, struct rs_counter *stats);
/* The same for up to a wave of a geometry program's lanes: `room` primitives of 64 points at most, corners by
 * number, and each primitive's PrimitiveId. */
bool rs_ds_fetch_wave(struct rs_front *f, struct rs_batch *b, unsigned room, uint8_t corner[][64], uint32_t *prim_id,
	struct rs_counter *stats);
/* Writes each patch's PrimitiveId into a param of its points. */
void rs_ds_number(const struct rs_front *f, struct rs_batch *b);
/* Of a wave of points [first, first + n): SGPRs, and VGPRs from this number of each on. */
void rs_ds_set_inputs(const struct rs_front *f, const struct rs_batch *b, unsigned first, unsigned n, unsigned sgpr,
	unsigned vgpr);

#endif
