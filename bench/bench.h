/* SPDX-License-Identifier: MIT */
/* Benchmarks that run on any Vulkan driver: what a scene is.
 *
 * One process measures one scene on one driver once (bench_measure); the
 * process that the user started only runs those and prints the table.
 */
#ifndef QW_BENCH_BENCH_H
#define QW_BENCH_BENCH_H

#include "bench/reference.h"
#include "bench/vkhelp.h"

enum { BENCH_WIDTH = 1280, BENCH_HEIGHT = 720 };

/* One draw in a pass of its own (steps.h). */
struct bench_step {
	struct vh_pass pass;
	struct vh_image depth; /* to be sampled afterwards, or none */
	VkPipelineLayout layout;
	VkPipeline pipeline;
	VkDescriptorSet set; /* or none */
	uint32_t vertices, instances;
};
enum { BENCH_STEPS = 8, BENCH_SETS = 16 };

/* What the scenes work with; each uses what it needs. */
struct bench {
	struct vh vh;
	struct vh_image target, depth, texture;
	struct vh_pass pass;
	struct vh_layout layout;
	struct bench_step step[BENCH_STEPS];
	uint32_t steps;
	VkDescriptorSet set, sets[BENCH_SETS];
	VkPipeline pipeline, second;
	struct vh_buffer vertices, indices, result;
	struct vh_buffer buffer[3]; /* of a kernel, beside result */
	VkDeviceAddress address[3], result_address;
	uint8_t *texels; /* RGBA8 of texture */
	float *values;   /* or its colours, three a texel */
	struct reference *reference; /* what it must look like, or none */
	const struct bench_scene *scene;
	double seconds; /* to be measured */
};

struct bench_scene {
	const char *name, *unit, *what;
	const void *how; /* its own, where several scenes share their functions */
	bool lower_wins; /* the unit is a time, not a rate */

	/* A warm scene: recorded once (or each time), submitted many times.
	 * Its value is work, in units, over the seconds of one submission. */
	const struct vh_wants *wants; /* or NULL */
	void (*setup)(struct bench *b);
	void (*record)(struct bench *b, VkCommandBuffer commands);
	bool record_each_time;
	double work;

	/* Why it has no value here whatever the driver, or NULL; may be NULL itself. */
	const char *(*absent)(void);

	/* A cold scene instead: opens the device, runs once, returns the value. */
	double (*once)(struct bench *b);

	/* The colour, 0 to 1, that pixel (x, y) of the target must have; false
	 * where rounding may decide.  tolerance is in 1/255. */
	bool (*expect)(const struct bench *b, uint32_t x, uint32_t y, float rgb[3]);
	int tolerance;
	/* Checks what is no picture; ends the process when it is wrong. */
	void (*check)(const struct bench *b);
};

extern const struct bench_scene bench_clear, bench_quads, bench_quads_nearest, bench_quads_mips;
extern const struct bench_scene bench_text, bench_wire, bench_upload, bench_readback;
extern const struct bench_scene bench_image_store, bench_relax, bench_histogram, bench_atomic_max, bench_texel_buffer, bench_scan, bench_sort, bench_nbody, bench_fft, bench_sha256;
extern const struct bench_scene bench_blit_mips, bench_blit_scale;
extern const struct bench_scene bench_overdraw_front, bench_overdraw_blend;
extern const struct bench_scene bench_triangles, bench_draws, bench_feedback;
extern const struct bench_scene bench_geometry_quads, bench_geometry_volumes, bench_meshlets, bench_terrain, bench_tess_model;
extern const struct bench_scene bench_fragment_fma, bench_compute_fma;
extern const struct bench_scene bench_pipelines, bench_first_frame, bench_first_lag, bench_first_shader;
extern const struct bench_scene bench_pipelines_2t, bench_pipelines_4t, bench_pipelines_shared, bench_pipelines_warm;
extern const struct bench_scene bench_fp16_fma, bench_int64, bench_float64;
extern const struct bench_scene bench_ssbo_stream, bench_bda_stream, bench_submit, bench_ssbo_chase, bench_bda_chase, bench_bindless;
extern const struct bench_scene bench_sgemm, bench_matvec_q8, bench_async_compute;
extern const struct bench_scene bench_first_cube, bench_first_cube_warm, bench_memory, bench_memory_cube;

extern const struct bench_scene bench_ambient, bench_desktop, bench_windows, bench_particles, bench_shadow_pcf;
extern const struct bench_scene bench_deferred, bench_objects, bench_material, bench_pbr, bench_skinned, bench_around, bench_present;

enum { BENCH_POSTS = 4, BENCH_TEXTURES = 53, BENCH_TARGETS = 19, BENCH_DEPTHS = 9, BENCH_TOYS = 9, BENCH_SURFACES = 6 };
extern const struct bench_scene bench_posts[BENCH_POSTS];
extern const struct bench_scene bench_targets[BENCH_TARGETS];
extern const struct bench_scene bench_depths[BENCH_DEPTHS];
extern const struct bench_scene bench_toys[BENCH_TOYS];
extern const struct bench_scene bench_surfaces[BENCH_SURFACES];
extern const struct bench_scene bench_textures[BENCH_TEXTURES];

/* Makes target (RGBA8), depth if wanted, pass and an empty layout. */
void bench_make_target(struct bench *b, uint32_t width, uint32_t height, bool depth);

/* A compute pipeline, and a set in which b->buffer[0] to [count - 1] have bindings 0 to
 * count - 1, and b->result the next. */
void bench_make_kernel(struct bench *b, const uint32_t *words, size_t size, uint32_t count, uint32_t push_size);
#define KERNEL(b, name, count, push_size) bench_make_kernel(b, name, sizeof name, count, push_size)
/* Dispatches it with these push constants. */
void bench_run_kernel(struct bench *b, VkCommandBuffer commands, uint32_t x, uint32_t y, const void *push, uint32_t size);

/* Pages that are this process's now, in MiB. */
double bench_resident(void);

/* Whoever wants to know when the work that is measured begins and ends, in this process. */
struct bench_watch {
	void (*begin)(void *context), (*end)(void *context);
	void *context;
	const char *picture; /* file for the target's picture, a PPM, or NULL */
};

void bench_nobody(void *context); /* who begins and ends nothing */

struct bench_result {
	double value;
	uint64_t hash; /* of the picture and of the result, whichever the scene has */
};

/* Measures a scene once, for about that many seconds, and checks its answer.
 * watch may be NULL.  Ends the process as vkhelp.h says when it cannot. */
struct bench_result bench_measure(const struct bench_scene *scene, double seconds, const struct bench_watch *watch);

#endif
