/* SPDX-License-Identifier: MIT */
/* Primitive assembly: vertices to window coordinates, face and cull tests, setup. */
#ifndef RASTER_FRONT_PA_H
#define RASTER_FRONT_PA_H

#include <stdbool.h>
#include <stdint.h>
#include "core/level.h"
#include "raster/prim.h"

struct rs_batch;
struct rs_front;
struct rs_pa_state;
struct rs_viewport;

/* Clip codes: outside near, far, guard band left right top bottom, w <= 0;
 * then user planes and cull distances. */
enum { RS_CODE_DROP = 1, RS_CODE_W = 2, RS_CODE_NEAR = 4, RS_CODE_FAR = 8,
	RS_CODE_X0 = 16, RS_CODE_X1 = 32, RS_CODE_Y0 = 64, RS_CODE_Y1 = 128,
	RS_CODE_USER = 1 << 8, RS_CODE_CULL = 1 << 16,
	RS_CODE_CLIP = 0xfffe, RS_CODE_REJECT = 0xfffffe };
#define RS_GUARD 32767.0f

/* The batch's vertices to window coordinates and clip codes. */
void rs_pa_project(struct rs_front *f, struct rs_batch *b);
/* Primitives of the batch that clipping leaves something of: those with no plane of the view
 * volume, of the guard band or of a distance that all vertices are outside of. */
unsigned rs_pa_count_visible(const struct rs_front *f, const struct rs_batch *b);
/* Culls, clips and sets up the batch's primitives, and bins what is left of each; whoever
 * is out of memory says so in f->no_memory. */
void rs_pa_set_up(struct rs_front *f, const struct rs_batch *b);

struct rs_pa_kernels {
	/* Derives the batch's vertices; one viewport. Lanes past count are garbage. */
	void (*vertices)(struct rs_batch *b, const struct rs_pa_state *pa);
	/* Sets up the batch's triangles; filled, one viewport. */
	void (*triangles)(struct rs_front *f, const struct rs_batch *b);
};
#ifdef CU_LEVEL
void CU_FN(rs_pa_vertices)(struct rs_batch *b, const struct rs_pa_state *pa);
void CU_FN(rs_pa_triangles)(struct rs_front *f, const struct rs_batch *b);
#endif
/* One triangle with all vertices inside. */
void rs_pa_triangle(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3]);
/* Window coordinates of one clip-space position by a viewport; the kernels'
 * arithmetic, bit for bit. */
void rs_pa_window(const struct rs_pa_state *pa, unsigned viewport, const float pos[4], float win[3]);
int32_t rs_pa_snap(float v);     /* to 1/256, nearest even */

/* What the primitives made from one assembled primitive have in common. */
struct rs_prim_common {
	bool front_facing, cut;
	unsigned viewport, layer;
	double z_bias;
	float inv_w[3], z[3];        /* of the vertices; z in the window, without bias */
	const float *attr[3];
};
struct rs_gradients { struct rs_plane z, b1, b2; };

/* Provoking vertex first; false: dropped, its layer does not exist. */
bool rs_pa_common(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3], struct rs_prim_common *c);

/* Twice the signed area, positive clockwise with y down. */
int64_t rs_pa_area(const int32_t x[3], const int32_t y[3]);
/* Planes from vertices in 1/256 pixels. */
void rs_pa_gradients(struct rs_gradients *g, const double x[3], const double y[3],
	const float z[3], double area);
/* Depth bias of a polygon: Vulkan, "Depth Bias Computation". */
double rs_pa_depth_bias(const struct rs_pa_state *pa, bool front,
	const struct rs_gradients *g, const float z[3]);
/* Pixels whose centres lie in a box in 1/256 pixels, cut by the viewport's; false: none. */
bool rs_pa_bounds(struct rs_prim *p, const struct rs_viewport *vp, int32_t min_x, int32_t min_y,
	int32_t max_x, int32_t max_y);
/* Edge from point 0 to point 1 with the inside on its right (y down), or on
 * its left with flip; top-left rule included. */
void rs_pa_edge(struct rs_edge *e, int32_t x0, int32_t y0, int32_t x1, int32_t y1, bool flip);
/* Fills in all but bounds, edges and planes. */
void rs_pa_fill_prim(struct rs_front *f, struct rs_prim *p, const struct rs_prim_common *c);
/* Sets up and bins a triangle with snapped vertices and nonzero area. */
void rs_pa_emit_triangle(struct rs_front *f, const struct rs_prim_common *c,
	const int32_t x[3], const int32_t y[3], int64_t area, const struct rs_gradients *g);
/* Face test: false when culled. */
bool rs_pa_facing(const struct rs_pa_state *pa, int64_t area, bool *front);

/* Line and point between vertices of a primitive: which[] index slot[] and the
 * common part's arrays, which a point changes. */
void rs_pa_line(struct rs_front *f, const struct rs_batch *b, const struct rs_prim_common *c, const unsigned slot[3],
	unsigned from, unsigned to);
void rs_pa_point(struct rs_front *f, const struct rs_batch *b, struct rs_prim_common *c, const unsigned slot[3],
	unsigned which);

#endif
