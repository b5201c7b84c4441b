/* SPDX-License-Identifier: MIT */
/* What walks of a primitive over the blocks of a tile have in common. */
#ifndef RASTER_BACK_WALK_H
#define RASTER_BACK_WALK_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/back/db.h"
#include "raster/back/worker.h"
#include "raster/prim.h"

/* Bounds of a primitive in tile pixels; false when they are empty. */
struct rs_bounds { int x0, y0, x1, y1; };
static inline bool rs_bounds_in_tile(struct rs_bounds *b, const struct rs_worker *w, const struct rs_prim *prim)
{
	b->x0 = prim->x0 > w->x ? prim->x0 - w->x : 0;
	b->y0 = prim->y0 > w->y ? prim->y0 - w->y : 0;
	b->x1 = prim->x1 - w->x < w->width ? prim->x1 - w->x : w->width;
	b->y1 = prim->y1 - w->y < w->height ? prim->y1 - w->y : w->height;
	return b->x0 < b->x1 && b->y0 < b->y1;
}

/* Blocks of a row of the tile that the primitive is hidden in. */
static inline uint32_t rs_hidden_of_row(struct rs_worker *w, const struct rs_prim *prim, int by)
{
	return w->depth.use_hiz ? CU_FN(rs_db_hiz_row)(w, prim, (unsigned)by) : 0;
}

/* Whether it is in another one of that row, which is drawn next if it is not. */
static inline bool rs_hiz_hides(struct rs_worker *w, unsigned block)
{
	struct rs_depth *d = &w->depth;
	if (!d->use_hiz)
		return false;
	d->z_lo = d->row.lo[block % 8];
	d->z_hi = d->row.hi[block % 8];
	d->z_plain = d->row.plain >> block % 8 & 1;
	return (!(d->hiz.valid >> block & 1) || d->hiz.stale[block] >= d->hiz.patience[block]) && CU_FN(rs_db_hiz_look)(w, block);
}

#endif
