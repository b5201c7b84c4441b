/* SPDX-License-Identifier: MIT */
/* A primitive that was set up: what the back end needs to find its pixels. */
#ifndef RASTER_PRIM_H
#define RASTER_PRIM_H

#include <stddef.h>
#include <stdint.h>

struct rs_draw;

/* value at the centre of pixel (x, y) = c + dx * x + dy * y, x and y integers. */
struct rs_plane { double c, dx, dy; };

/* Edge function in 1/256 pixel units at the centre of pixel (x, y), with
 * X = 256 x + 128 and Y = 256 y + 128: e = a X + b Y + c; inside when e >= 0
 * for every edge.  c includes the top-left rule (minus 1 where the edge does
 * not own its points).
 *
 * Widths: vertices lie within the guard band (RS_GUARD and one more), |X|, |Y| <= 2^23, lines'
 * corners half their width beyond; so |a|, |b| < 2^25, |c| < 2^49 + 1, and in a frame of 16384 x 16384
 * (centres < 2^22) |e| < 2^49 + 2^48 + 1: far from the end of int64. */
struct rs_edge { int64_t c; int32_t a, b; };

enum rs_prim_kind { RS_PRIM_EDGES, RS_PRIM_BRESENHAM };

struct rs_prim {
	const struct rs_draw *draw;
	uint8_t kind, edges;                 /* edges 3 or 4; 0: all of its bounds is covered */
	uint8_t front_facing, viewport, is_point;
	uint8_t cut;                         /* its vertices are not the assembled primitive's: RS_WEIGHTS has theirs */
	uint16_t layer;                      /* added to SLICE_START */
	struct rs_plane z;                   /* window depth, depth bias included, not clamped */
	struct rs_plane b1, b2;              /* linear weights of vertices 1 and 2 (b0 = 1 - b1 - b2); a point's coordinates s and t */
	float inv_w[3];                      /* 1 / w_clip of the vertices */
	const float *attr[3];                /* params of the vertices: param n component c at [4 n + c];
	                                      * attr[0] is the provoking vertex */
	/* Those of RS_ITEM_SMALL end here: what follows is allocated for others only.
	 *
	 * Pixel bounds, x1 and y1 exclusive, already cut by scissors, render area
	 * (PA_SC_SCREEN_SCISSOR) and target size. */
	int32_t x0, y0, x1, y1;
	float z_min, z_max;                  /* over the primitive, bias included; for hierarchical Z */
	/* Without edges it ends here. */
	struct rs_edge edge[4];
	/* Of triangles and points it ends here: what follows is allocated for lines only.
	 *
	 * Bresenham: end points in 24.8, half width in pixels replicated along the minor axis. */
	int32_t line_x[2], line_y[2];
	uint32_t line_width;                 /* in pixels, >= 1 */
};
/* Before the params of a vertex of a cut primitive: its weights of the whole one's vertices, in
 * the order of their slots. */
#define RS_WEIGHTS(attr) ((attr) - 4)
#define RS_PRIM_SMALL_BYTES offsetof(struct rs_prim, x0)
#define RS_PRIM_EDGELESS_BYTES offsetof(struct rs_prim, edge)
#define RS_PRIM_TRIANGLE_BYTES offsetof(struct rs_prim, line_x)

#endif
