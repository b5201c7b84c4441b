/* SPDX-License-Identifier: MIT */
/* Filling memory with a repeated texel. */
#ifndef RASTER_BACK_FILL_H
#define RASTER_BACK_FILL_H

#include <stddef.h>
#include <stdint.h>
#include "core/level.h"

/* `bytes` bytes of dst from a pattern that is a whole number of
 * texels of every size. */
enum { RS_FILL_PATTERN = 192 };
typedef void (*rs_fill_fn)(uint8_t *dst, size_t bytes, const uint8_t *pattern);
#ifdef CU_LEVEL
void CU_FN(rs_fill)(uint8_t *dst, size_t bytes, const uint8_t *pattern);
#endif

#endif
