/* SPDX-License-Identifier: MIT */
/* A grid that kernels relax step by step, from one image of floats to another; it is then shown by a blit. */
#include "bench/steps.h"

#include <stdlib.h>

#include "relax_comp.h"

enum { STEPS = 4, IMAGES = 3, CELLS = BENCH_WIDTH * BENCH_HEIGHT, GROUP = 16 };

static struct vh_image grid[IMAGES]; /* the first stays what it is */

static unsigned from(unsigned step) { return step == 0 ? 0 : 2 - step % 2; }
static unsigned to(unsigned step) { return 1 + step % 2; }

static void make_grid(struct vh *h, struct vh_image *image, const float *values)
{
	*image = vh_make_image(h, &(struct vh_image_info){ .format = VK_FORMAT_R32_SFLOAT, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT });
	vh_upload(h, image, 0, 0, values, CELLS * sizeof *values, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
}

static float around(const float *v, int x, int y)
{
	const int left = x > 0 ? x - 1 : 0, right = x + 1 < BENCH_WIDTH ? x + 1 : x;
	const int above = y > 0 ? y - 1 : 0, below = y + 1 < BENCH_HEIGHT ? y + 1 : y;
	return v[y * BENCH_WIDTH + left] + v[y * BENCH_WIDTH + right] + v[above * BENCH_WIDTH + x] + v[below * BENCH_WIDTH + x];
}

/* What the steps make of b->values, in place. */
static void make_reference(struct bench *b, const float *source)
{
	float *next = malloc(CELLS * sizeof *next);
	if (!next)
		vh_fail("out of memory");
	for (int step = 0; step < STEPS; step++) {
		for (int i = 0; i < CELLS; i++)
			next[i] = 0.225f * around(b->values, i % BENCH_WIDTH, i / BENCH_WIDTH) + 0.1f * source[i];
		float *const last = b->values;
		b->values = next;
		next = last;
	}
	free(next);
}

static void setup(struct bench *b)
{
	static const VkDescriptorSetLayoutBinding bindings[3] = {
		{ 0, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 1, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL },
		{ 2, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL } };
	static struct vh_image source_image;
	float *source = malloc(CELLS * sizeof *source);
	b->values = malloc(CELLS * sizeof *b->values);
	if (!source || !b->values)
		vh_fail("out of memory");
	for (uint32_t i = 0; i < CELLS; i++) {
		b->values[i] = (float)(i * 2654435761u >> 8) * 0x1p-24f;
		source[i] = (float)(i % 97 + i / BENCH_WIDTH % 61) / 156;
	}
	for (int i = 0; i < IMAGES; i++)
		make_grid(&b->vh, &grid[i], b->values);
	make_grid(&b->vh, &source_image, source);
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH, .height = BENCH_HEIGHT,
		.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT });
	b->layout = vh_make_layout(&b->vh, bindings, 3, 0, 0);
	for (unsigned step = 0; step < STEPS; step++) {
		const struct vh_image *bound[3] = { &grid[from(step)], &source_image, &grid[to(step)] };
		b->sets[step] = vh_make_set(&b->vh, &b->layout);
		for (uint32_t i = 0; i < 3; i++)
			vh_set_image(&b->vh, b->sets[step], i, bindings[i].descriptorType, bound[i]->view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
	}
	b->pipeline = vh_make_compute(&b->vh, b->layout.pipeline, vh_make_shader(&b->vh, relax_comp, sizeof relax_comp));
	make_reference(b, source);
	free(source);
}

static void record(struct bench *b, VkCommandBuffer commands)
{
	for (unsigned step = 0; step < STEPS; step++) {
		b->set = b->sets[step];
		bench_run_kernel(b, commands, BENCH_WIDTH / GROUP, BENCH_HEIGHT / GROUP, NULL, 0);
	}
	bench_show(b, commands, &grid[to(STEPS - 1)], VK_IMAGE_LAYOUT_GENERAL);
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = b->values[y * BENCH_WIDTH + x];
	rgb[1] = rgb[2] = 0;
	return true;
}

const struct bench_scene bench_relax = { .name = "relax", .unit = "Mcell/s",
	.what = "four steps of a fluid's pressure, five loads and a store of R32F a cell, 1280x720",
	.setup = setup, .record = record, .work = 1e-6 * CELLS * STEPS, .expect = expect, .tolerance = 1 };
