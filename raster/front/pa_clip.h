/* SPDX-License-Identifier: MIT */
/* Clipping, in double. */
#ifndef RASTER_FRONT_PA_CLIP_H
#define RASTER_FRONT_PA_CLIP_H

#include <stdint.h>

struct rs_batch;
struct rs_front;
struct rs_pa_state;
struct rs_viewport;

struct rs_clip_vertex {
	double p[4], dist[8];
	double weight[3];            /* of the primitive's vertices, linear in clip space */
	int vertex;                  /* 0..2 when it is one of them, else -1 */
};
void rs_clip_load(const struct rs_front *f, const struct rs_batch *b, unsigned slot, unsigned vertex,
	struct rs_clip_vertex *v);
/* Distance to the plane of a code bit, inside >= 0. */
double rs_clip_distance(const struct rs_pa_state *pa, const struct rs_viewport *vp,
	const struct rs_clip_vertex *v, uint32_t code);
/* The point where the way from `in` to `out` leaves the plane. */
void rs_clip_cross(struct rs_clip_vertex *r, const struct rs_clip_vertex *in,
	const struct rs_clip_vertex *out, double d_in, double d_out);
/* Planes to clip against for these or-ed codes. */
uint32_t rs_clip_planes(uint32_t codes);
/* Window coordinates; exactly the vertex stage's for unclipped vertices. */
void rs_clip_window(const struct rs_front *f, const struct rs_batch *b, unsigned viewport, const unsigned slot[3],
	const struct rs_clip_vertex *v, double win[3]);
/* A window coordinate of a clipped primitive kept on the guard band, off which
 * rounding or infinities may have thrown it. */
double rs_clip_guard(double v);
/* Params of the vertex that takes slot k of a cut primitive: weighted, flat ones from attr[0],
 * those of each vertex from attr[k]; RS_WEIGHTS are the weights.  NULL without memory. */
const float *rs_clip_attr(struct rs_front *f, const float *const attr[3], const double weight[3], unsigned k);

/* Slow path: triangles that need clipping, polygon modes, mixed viewports. */
void rs_pa_clip_triangle(struct rs_front *f, const struct rs_batch *b, const unsigned slot[3]);

#endif
