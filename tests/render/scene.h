/* SPDX-License-Identifier: MIT */
/* Render tests: small offscreen scenes, each hashed and shown as a picture. */
#ifndef QW_TESTS_RENDER_SCENE_H
#define QW_TESTS_RENDER_SCENE_H

#include "bench/vkhelp.h"
#include "tests/render/picture.h"

enum { SCENE_SIZE = 256 }; /* width and height of all pictures but the seed's */

struct output {
	struct picture picture;
	uint64_t hash; /* FNV-1a, 64 bits, of all texels that were read back */
};

struct scene {
	const char *name;
	VkPhysicalDeviceFeatures features;
	bool mesh;  /* with mesh shaders where there are some; h->mesh says so */
	void (*draw)(struct vh *h, struct output *out);
	/* Against another driver's picture: root mean square difference in percent
	 * of full scale, and percent of pixels with a channel more than 16/255 off. */
	double max_rmse, max_pixels;
	/* What the picture must show whoever drew it; NULL or what is wrong. */
	const char *(*check)(const struct picture *p);
};

extern const struct scene scene_seed_triangle, scene_textured_cube, scene_blend_overlap, scene_stencil_shadow,
	scene_points_lines, scene_instancing_indirect, scene_compute_image, scene_mrt_formats,
	scene_derivatives_discard, scene_clip_scissor_bias, scene_multisample,
	scene_geometry, scene_tessellation, scene_meshlets;

/* Vertices of flat scenes, at locations 0 and 1. */
struct flat_vertex {
	float position[2], color[3];
};
extern const VkVertexInputBindingDescription flat_binding;
extern const VkVertexInputAttributeDescription flat_attributes[2];

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* A target of SCENE_SIZE squared in RGBA8, with a depth image unless its format
 * is UNDEFINED, and the pass that clears and draws into them. */
struct stage {
	struct vh_image color, depth;
	struct vh_pass pass;
};
struct stage stage_make(struct vh *h, VkFormat depth);
/* Reads stage->color into the picture, and color, depth and stencil into the hash. */
void stage_read(struct vh *h, const struct stage *stage, struct output *out);

/* Reads an image of 4 bytes a texel, RGBA8 or BGRA8, into picture and hash. */
void output_picture(struct vh *h, const struct vh_image *image, struct output *out);
/* Reads one aspect of an image, in TRANSFER_SRC_OPTIMAL, into the hash. */
void output_hash(struct vh *h, const struct vh_image *image, VkImageAspectFlags aspect, size_t texel_size,
	struct output *out);

/* Column-major 4x4 matrices, as GLSL has them. */
struct matrix {
	float m[16];
};
struct matrix matrix_multiply(struct matrix a, struct matrix b);
struct matrix matrix_move(float x, float y, float z);
/* Turns about an axis (0, 1, 2) by the angle with this cosine and sine: scenes
 * use exact pairs such as 0.8 and 0.6, so no libm decides a picture. */
struct matrix matrix_turn(int axis, float cosine, float sine);
/* Vulkan's clip space, y down, depth 0 to 1; looks along -z. */
struct matrix matrix_perspective(float focal, float near, float far);

#endif
