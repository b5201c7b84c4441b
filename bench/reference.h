/* SPDX-License-Identifier: MIT */
/* What meshes look like, drawn once more on the host: which triangle a pixel's middle
 * shows, and where in it.  Only what is wholly in front of the eye. */
#ifndef QW_BENCH_REFERENCE_H
#define QW_BENCH_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/vkhelp.h"

struct reference_hit {
	uint32_t draw, vertex[3];
	float weight[3]; /* of the vertices, perspective included; they sum up to 1 */
	float w;         /* clip space's, 0: nothing is there */
};
struct reference {
	uint32_t width, height;
	struct reference_hit *hit;
};

/* The projection of a lens at eye that looks along z and down by an angle of this sine, in columns. */
void reference_view(float view[4][4], const float eye[3], float sine);

struct reference *reference_create(uint32_t width, uint32_t height);
void reference_destroy(struct reference *r);
/* Triangles of a draw; positions by index, each at float[stride], after `place`, three more floats and a scale, if any. */
void reference_draw(struct reference *r, uint32_t draw, const float view[4][4], const float *positions, size_t stride,
	const float place[4], const uint16_t *indices, uint32_t count);
/* What a pixel shows, or w is 0; false where a pixel beside it shows another draw, or is further off than `near`. */
bool reference_find(const struct reference *r, uint32_t x, uint32_t y, float near, struct reference_hit *hit);

#endif
