/* SPDX-License-Identifier: MIT */
/* CB: what waves export, blended, converted, stored. Kernels
 * of one level: seen by *_kernel.c alone. */
#ifndef RASTER_BACK_CB_WAVE_H
#define RASTER_BACK_CB_WAVE_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/draw.h"

struct rs_color;
struct rs_group;
struct rs_open_wave;
struct rs_worker;

void CU_FN(rs_cb_rgba8)(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o,
	uint64_t lanes);
void CU_FN(rs_cb_rgba8_group)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g,
	unsigned n, uint32_t lanes);
/* The same of all samples, each with its lanes of the wave; false: nothing is done, for it does not know the equation. */
bool CU_FN(rs_cb_rgba8_samples)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, unsigned n,
	const uint64_t lanes[RS_MAX_SAMPLES]);
/* new = rop(new, old) in the bits that may be written, old elsewhere: of whole texels, `bytes` a multiple of 16. */
void CU_FN(rs_cb_merge)(const struct rs_color *c, const uint8_t *old, uint8_t *new, unsigned bytes);
/* Of c->direct. */
void CU_FN(rs_cb_direct)(const struct rs_worker *w, const struct rs_color *c, const struct rs_open_wave *o, uint64_t lanes);
void CU_FN(rs_cb_direct_group)(const struct rs_worker *w, const struct rs_color *c, const struct rs_group *g, unsigned n,
	uint32_t lanes);
void CU_FN(rs_cb_wave)(struct rs_worker *w, const struct rs_open_wave *o, uint64_t live);
void CU_FN(rs_cb_wave_msaa)(struct rs_worker *w, const struct rs_open_wave *o, const uint64_t live[RS_MAX_SAMPLES]);

#endif
