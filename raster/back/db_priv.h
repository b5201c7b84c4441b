/* SPDX-License-Identifier: MIT */
/* What the tests of one sample of 16 lanes take: db_kernel.c does them for
 * db_msaa_kernel.c. */
#ifndef RASTER_BACK_DB_PRIV_H
#define RASTER_BACK_DB_PRIV_H

#include "raster/back/plane.h"

struct rs_open_wave;
struct rs_worker;

struct rs_db_test {
	struct vf16 z;        /* clamped */
	uint32_t lanes;       /* covered */
	uint32_t front;       /* front-facing */
	const uint8_t *ref;   /* exported stencil references, or NULL */
	bool write;
};

/* All tests; zg, sg: where depth and stencil lie, NULL without a test.  Returns
 * the lanes that pass; *wrote: lanes whose depth was stored. */
uint32_t CU_FN(rs_db_group)(const struct rs_worker *w, const struct rs_group *zg, const struct rs_group *sg,
	const struct rs_db_test *t, uint32_t *wrote);
/* Depths of these lanes of the block were stored, codes in [z_lo, z_hi]; all: of
 * all its samples. */
void CU_FN(rs_db_wrote)(struct rs_worker *w, unsigned block, uint64_t wrote, bool all);
/* Late depth of lanes of group n was stored: their blocks' ranges are unknown. */
void CU_FN(rs_db_forget)(struct rs_worker *w, const struct rs_open_wave *o, unsigned n, uint32_t wrote);

#endif
