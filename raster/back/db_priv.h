/* SPDX-License-Identifier: MIT */
/* What DB's files have of one another: the tests of one sample of 16 lanes, and of a block. */
#ifndef RASTER_BACK_DB_PRIV_H
#define RASTER_BACK_DB_PRIV_H

#include "raster/back/plane.h"

struct rs_open_wave;
struct rs_prim;
struct rs_target;
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
/* Codes of a group's depths in memory. */
struct vf16 CU_FN(rs_db_codes)(const struct rs_target *t, const struct rs_group *g, uint32_t lanes);
/* The range of a primitive in the tile. */
void CU_FN(rs_db_hiz_begin)(struct rs_worker *w, const struct rs_prim *prim);
/* Depths of these lanes of the block were stored, codes in [z_lo, z_hi]; all: of
 * all its samples. */
void CU_FN(rs_db_wrote)(struct rs_worker *w, unsigned block, uint64_t wrote, bool all);
/* Late depth of lanes of group n was stored: ranges of their blocks have one bound left. */
void CU_FN(rs_db_wrote_late)(struct rs_worker *w, const struct rs_open_wave *o, unsigned n, uint32_t wrote);

/* rs_depth.quick: one sample of a block, whose z is on `plane`. */
struct rs_db_quick {
	const struct rs_prim *prim;
	const struct rs_plane *plane;
	const double *lane;   /* of the plane: rs_plane_lanes */
	unsigned sample, block;
	uint64_t mask;        /* covered */
	const float *z;       /* exported, by lanes of the block; NULL: that of the plane */
	bool write;           /* what passes; else there is but the test */
	bool plain;           /* the block's range is that of rs_depth, and z_plain */
	float *code;          /* a test alone leaves covered parts' codes here, or NULL */
};

/* Returns the lanes that pass.  As rs_db_block, but for the ranges of hierarchical Z.  The
 * second: of depth alone. */
uint64_t CU_FN(rs_db_quick_block)(const struct rs_worker *w, const struct rs_db_quick *q);
uint64_t CU_FN(rs_db_quick_depth)(const struct rs_worker *w, const struct rs_db_quick *q, uint64_t mask);
/* Depths of these lanes, which pass, are those codes. */
void CU_FN(rs_db_quick_store)(const struct rs_worker *w, const struct rs_prim *prim, unsigned block, uint64_t lanes, const float *code);
/* All of a wave that is a block, after its shader: sample k. */
uint64_t CU_FN(rs_db_quick_late)(struct rs_worker *w, const struct rs_open_wave *o, unsigned k, uint64_t live, bool may_write);

#endif
