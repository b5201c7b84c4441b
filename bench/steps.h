/* SPDX-License-Identifier: MIT */
/* Frames of several passes: each step draws once into a pass of its own and may sample
 * what a step before has left.  And what such scenes expect of colours and filters. */
#ifndef QW_BENCH_STEPS_H
#define QW_BENCH_STEPS_H

#include "bench/bench.h"

struct bench_step_info {
	const struct vh_image *color, *depth; /* at least one */
	const struct vh_image *sampled;       /* binding 0 of both stages, or NULL */
	const struct vh_sampler_info *sampler;
	VkShaderModule vertex, fragment;      /* vertex: none: bench_cover_shader */
	const VkSpecializationInfo *constants;
	const VkPipelineColorBlendAttachmentState *blend;
	uint32_t vertices, instances;         /* 0: 3 and 1 */
	bool points;
	bool depth_write; /* nearest wins */
	bool shown;       /* its colour is what the scene shows, else a step samples it */
};

/* Adds a step to b; images, layouts and pipelines live as long as b. */
void bench_add_step(struct bench *b, const struct bench_step_info *info);
/* bench_scene.record of scenes that are nothing but steps. */
void bench_record_steps(struct bench *b, VkCommandBuffer commands);

/* b's target (RGBA8), depth of this format, and pass; with more than one sample the target is what these are resolved to. */
void bench_make_samples_target(struct bench *b, VkFormat depth, unsigned samples);

/* Begins b's pass with its pipeline, set (if any), vertices and indices of two bytes. */
void bench_begin_mesh(struct bench *b, VkCommandBuffer commands);

/* What most meshes' vertices have; the pipeline of b's pass and layout for such, where the nearest wins and back faces are culled. */
struct bench_vertex { float position[3], normal[3], tangent[4], uv[2]; };
void bench_make_mesh_pipeline(struct bench *b, VkShaderModule vertex, VkShaderModule fragment, VkFrontFace front_face);
/* Of such a pass a draw of `count` indices with its push constants. */
void bench_draw_object(struct bench *b, VkCommandBuffer commands, const void *push, uint32_t size, uint32_t count, int32_t first_vertex);

/* Makes b's target, which nothing draws to, show an image of its size. */
void bench_show(struct bench *b, VkCommandBuffer commands, const struct vh_image *image, VkImageLayout layout);

/* A colour attachment of BENCH_WIDTH by BENCH_HEIGHT, to be sampled and downloaded. */
struct vh_image bench_make_attachment(struct bench *b, VkFormat format);
/* A sampled image of one level. */
struct vh_image bench_make_texture(struct bench *b, VkFormat format, uint32_t width, uint32_t height, const uint8_t *texels,
	size_t size);

/* What several scenes share: a triangle over all with uv at location 0; texture 0 at that uv. */
VkShaderModule bench_cover_shader(struct bench *b);
VkShaderModule bench_texture_shader(struct bench *b);
/* A quad whose x, y, width and height in clip space are push constants, with 0.1 to 0.9 of the texture. */
VkShaderModule bench_object_shader(struct bench *b);

/* Layers over the whole picture, one an instance of 6 vertices, each of another colour (layer.glsl).  The pipeline, for b->pass and
 * b->layout; blend: alpha is 1/4, the farthest is first, or NULL; what they are over one another; a layer's colour at a pixel. */
enum { BENCH_LAYERS = 16 };
extern const VkPipelineColorBlendAttachmentState bench_over;
VkShaderModule bench_full_shader(struct bench *b); /* constant 0: is the farthest first? */
VkShaderModule bench_layer_shader(struct bench *b);
void bench_make_layers(struct bench *b, const VkPipelineColorBlendAttachmentState *blend);
void bench_layer_color(uint32_t x, uint32_t y, int layer, float rgb[3]);

/* Of 0 to 1, IEC 61966-2-1. */
float bench_linear_of_srgb(float c);
float bench_srgb_of_linear(float c);

/* Channel c of size x size texels of four bytes, repeated, filtered as UNORM or as sRGB. */
float bench_bilinear(const uint8_t *texels, unsigned size, float u, float v, int c, bool srgb);

#endif
