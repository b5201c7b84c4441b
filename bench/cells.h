/* SPDX-License-Identifier: MIT */
/* Pipelines of which each fills one cell of 8 x 4 and differs from the others in
 * constants that its code holds, so none can be shared (scene_pipelines.c). */
#ifndef QW_BENCH_CELLS_H
#define QW_BENCH_CELLS_H

#include "bench/bench.h"

enum { CELLS_X = 8, CELLS_Y = 4, CELLS = CELLS_X * CELLS_Y };

struct cells {
	const struct bench *b;
	VkShaderModule vertex, fragment;
};

/* After bench_make_target. */
struct cells cells_begin(struct bench *b);
/* The pipeline of a cell; another salt makes another program of the same
 * picture.  Any thread; the caller keeps or destroys it. */
VkPipeline cells_make(const struct cells *c, int32_t cell, uint32_t salt, VkPipelineCache cache);
void cells_draw(struct bench *b, const VkPipeline *pipelines, int32_t count);
/* bench_scene.expect after `count` cells were drawn. */
bool cells_expect(uint32_t x, uint32_t y, int count, float rgb[3]);

#endif
