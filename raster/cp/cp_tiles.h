/* SPDX-License-Identifier: MIT */
/* The tiles of a pass: which go first, which thread takes which. */
#ifndef RASTER_CP_CP_TILES_H
#define RASTER_CP_CP_TILES_H

#include <stdbool.h>

struct rs_gpu;

/* False, with the message, when a wave faulted or the gpu was aborted. */
bool rs_pass_check(struct rs_gpu *gpu);
/* Renders the bins and empties them. */
bool rs_pass_render(struct rs_gpu *gpu);

#endif
