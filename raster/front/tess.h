/* SPDX-License-Identifier: MIT */
/* The tessellator: levels of a patch to points of its domain and primitives of them.
 *
 * Vulkan, "Tessellation".  Levels are exact (a float from 1 to 64 is a multiple of 2^-23), all
 * else is integers, and coordinates are multiples of 2^-24, so that u, v, 1 - u and 1 - u - v are
 * exact and the same everywhere.  An edge depends on its own level alone, whichever it is of
 * whichever domain, and its second half mirrors the first. */
#ifndef RASTER_FRONT_TESS_H
#define RASTER_FRONT_TESS_H

#include <stdbool.h>
#include <stdint.h>

/* A domain cut 64 x 64 times. */
enum { RS_TESS_MAX_LEVEL = 64, RS_TESS_MAX_POINTS = 65 * 65, RS_TESS_MAX_PRIMS = 2 * 64 * 64 };

/* What VGT_TF_PARAM says: TESS_*, PART_* but POW2, OUTPUT_*. */
struct rs_tess_mode { uint8_t type, partitioning, topology; };

struct rs_tess_point { float u, v; };

struct rs_tess_pattern {
	unsigned points, prims;
	unsigned corners;            /* of a primitive, 1 to 3 */
	const struct rs_tess_point *point;
	const uint16_t *index;       /* `corners` a primitive */
};

/* The last patterns of a thread: their points by levels, and their primitives by numbers of
 * segments, since that is all that each depends on. */
struct rs_tess_cache;
struct rs_tess_cache *rs_tess_cache_create(void); /* NULL without memory */
void rs_tess_cache_destroy(struct rs_tess_cache *c);

/* Whether an outer level that counts is not above 0 or NaN: such a patch has no primitives. */
bool rs_tess_is_discarded(unsigned type, const float outer[4]);
/* Fills in the pattern of a patch that is not discarded, valid until the next call; false without
 * memory.  Levels are in the order of TessLevelOuter and TessLevelInner, of which the domain
 * takes what it has; they are clamped and rounded here, so any will do. */
bool rs_tess_find(struct rs_tess_cache *c, struct rs_tess_mode mode, const float outer[4], const float inner[2],
	struct rs_tess_pattern *out);

#endif
