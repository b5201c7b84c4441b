/* SPDX-License-Identifier: MIT */
/* Between the parts of the tessellator. */
#ifndef RASTER_FRONT_TESS_PRIV_H
#define RASTER_FRONT_TESS_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include "raster/front/tess.h"

enum { TESS_ONE = 1 << 24 };   /* the length of an edge */

/* An edge's level after clamping, in 1/2^23, and how many segments that is. */
struct tess_edge { uint32_t level, segments; };

/* A patch, with what does not matter 0: patches compare by their bytes.  The sides are in the order of
 * points: quads v = 0, u = 1, v = 1, u = 0; triangles v = 0, w = 0, u = 0; isolines their number, and the
 * cut of each.  Within, quads are cut along u by inner[0], along v by inner[1], triangles by inner[0]. */
struct tess_plan {
	uint32_t type;
	struct tess_edge side[4], inner[2];
};

/* One triangle, or two: nothing is divided. */
bool tess_is_whole(const struct tess_plan *p);
unsigned tess_count_points(const struct tess_plan *p);
unsigned tess_count_prims(const struct tess_plan *p, unsigned topology);
/* Outer points first, a side after the other without its last point, counter-clockwise with v
 * upwards from (0, 0).  Then those within: of quads row by row, of triangles ring by ring, a ring as
 * the outer points are.  Isolines: line by line. */
void tess_make_points(const struct tess_plan *p, struct rs_tess_point *out);
/* Primitives of these points.  Triangles are clockwise for OUTPUT_TRIANGLE_CW, with v downwards as
 * Vulkan's upper-left origin has it, else counter-clockwise. */
void tess_make_prims(const struct tess_plan *p, unsigned topology, uint16_t *out);

#endif
