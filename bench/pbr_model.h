/* SPDX-License-Identifier: MIT */
/* What the scene `pbr` shows: its environment, its material and its light, as numbers.  All is of
 * sums, products, quotients and roots, so that textures have the same bits everywhere. */
#ifndef QW_BENCH_PBR_MODEL_H
#define QW_BENCH_PBR_MODEL_H

#include <stdbool.h>

enum { PBR_LIGHTS = 4, PBR_LEVELS = 6, PBR_CELLS = 4 };

struct pbr_light { float at[4], color[4]; };
struct pbr_frame { /* as pbr.glsl has it */
	float view[4][4], eye[4], tilt[4];
	struct pbr_light light[PBR_LIGHTS];
};
struct pbr_object {
	float place[4], base[4], factor[4];
};

/* Light from a direction, after a mirror of this roughness; 1 and more: what falls on a surface. */
void pbr_environment(const float way[3], float rough, float rgb[3]);
/* Scale and bias of f0, by the cosine to the eye. */
void pbr_brdf(float cosine, float rough, float out[2]);

/* The material at u, v of 0 to 1: bytes of sRGB albedo; occlusion, roughness, metal; and the
 * normal, of -1 to 1.  False at the seams of its plates, which filters blur. */
bool pbr_material(float u, float v, float albedo[3], float material[3], float normal[3]);

/* pbr.frag and pbr_sky.frag, before the attachment encodes. */
struct pbr_point {
	float at[3], normal[3], tangent[4], uv[2];
};
bool pbr_shade(const struct pbr_frame *frame, const struct pbr_object *object, const struct pbr_point *point, float rgb[3]);
void pbr_sky(const struct pbr_frame *frame, float x, float y, float rgb[3]); /* -1 to 1 */

#endif
