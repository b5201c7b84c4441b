/* SPDX-License-Identifier: MIT */
/* Targets of a pass from CB and DB registers. */
#ifndef RASTER_CP_CP_TARGETS_H
#define RASTER_CP_CP_TARGETS_H

#include <stdbool.h>
#include <stdint.h>
#include "raster/cp/build.h"

struct rs_context;
struct rs_gpu;
struct rs_pass;

bool rs_targets_decode(struct rs_gpu *gpu, struct rs_pass *pass);
void rs_targets_key(const struct rs_context *c, uint32_t key[RS_TARGET_KEY]);

#endif
