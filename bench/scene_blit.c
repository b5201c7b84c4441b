/* SPDX-License-Identifier: MIT */
/* Scenes of vkCmdBlitImage: the levels of a texture made each frame, and a frame that is enlarged. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>

enum { SIZE = 1024, LEVELS = 11, SHOWN = 2, SMALL_WIDTH = 800, SMALL_HEIGHT = 450 };

static void make_images(struct bench *b, uint32_t width, uint32_t height, uint32_t levels)
{
	const size_t size = 4 * (size_t)width * height;
	uint32_t random = 1;
	b->texels = malloc(size);
	if (!b->texels)
		vh_fail("out of memory");
	for (size_t i = 0; i < size; i++) {
		random = 1664525 * random + 1013904223;
		b->texels[i] = (uint8_t)(random >> 24);
	}
	b->texture = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = width, .height = height,
		.levels = levels, .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT });
	b->target = vh_make_image(&b->vh, &(struct vh_image_info){ .format = VK_FORMAT_R8G8B8A8_UNORM, .width = BENCH_WIDTH,
		.height = BENCH_HEIGHT, .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT });
	vh_upload(&b->vh, &b->texture, 0, 0, b->texels, size, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
}

/* All of a level to all of the target. */
static void show(struct bench *b, VkCommandBuffer commands, uint32_t level, VkFilter filter)
{
	const VkImageBlit whole = { .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1 },
		.srcOffsets = { { 0, 0, 0 }, { (int32_t)(b->texture.width >> level), (int32_t)(b->texture.height >> level), 1 } },
		.dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 }, .dstOffsets = { { 0, 0, 0 }, { BENCH_WIDTH, BENCH_HEIGHT, 1 } } };
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
	vkCmdBlitImage(commands, b->texture.handle, VK_IMAGE_LAYOUT_GENERAL, b->target.handle,
		VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &whole, filter);
	vh_transition(commands, &b->target, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
}

/* --- levels --- */

static void mips_setup(struct bench *b) { make_images(b, SIZE, SIZE, LEVELS); }

static void mips_record(struct bench *b, VkCommandBuffer commands)
{
	for (uint32_t level = 1; level < LEVELS; level++) {
		const int32_t size = SIZE >> level;
		const VkImageBlit half = { .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level - 1, 0, 1 },
			.srcOffsets = { { 0, 0, 0 }, { 2 * size, 2 * size, 1 } }, .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, 1 },
			.dstOffsets = { { 0, 0, 0 }, { size, size, 1 } } };
		vkCmdBlitImage(commands, b->texture.handle, VK_IMAGE_LAYOUT_GENERAL, b->texture.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &half,
			VK_FILTER_LINEAR);
		vh_barrier(commands);
	}
	show(b, commands, SHOWN, VK_FILTER_NEAREST);
}

/* The texels of level 0 below one of level SHOWN, on an average. */
static bool mips_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const uint32_t u = (2 * x + 1) * (SIZE >> SHOWN), v = (2 * y + 1) * (SIZE >> SHOWN);
	const uint32_t across = u / (2 * BENCH_WIDTH) << SHOWN, down = v / (2 * BENCH_HEIGHT) << SHOWN;
	for (int c = 0; c < 3; c++) {
		unsigned sum = 0;
		for (uint32_t i = 0; i < 1 << 2 * SHOWN; i++)
			sum += b->texels[4 * ((down + (i >> SHOWN)) * SIZE + across + i % (1 << SHOWN)) + (unsigned)c];
		rgb[c] = (float)sum / (255 << 2 * SHOWN);
	}
	return u % (2 * BENCH_WIDTH) && v % (2 * BENCH_HEIGHT); /* at a texel's end rounding decides */
}

const struct bench_scene bench_blit_mips = { .name = "blit_mips", .unit = "Mtexel/s",
	.what = "10 levels of a texture of 1024x1024, each a linear blit of the one before, and one of them enlarged by the nearest",
	.setup = mips_setup, .record = mips_record, .work = 1e-6 * (SIZE * SIZE / 3 + BENCH_WIDTH * BENCH_HEIGHT),
	.expect = mips_expect, .tolerance = 2 };

/* --- a frame --- */

static void scale_setup(struct bench *b) { make_images(b, SMALL_WIDTH, SMALL_HEIGHT, 1); }

static void scale_record(struct bench *b, VkCommandBuffer commands) { show(b, commands, 0, VK_FILTER_LINEAR); }

static float texel(const struct bench *b, int x, int y, int c)
{
	x = x < 0 ? 0 : x >= SMALL_WIDTH ? SMALL_WIDTH - 1 : x;
	y = y < 0 ? 0 : y >= SMALL_HEIGHT ? SMALL_HEIGHT - 1 : y;
	return (float)b->texels[4 * (y * SMALL_WIDTH + x) + c] / 255;
}

static bool scale_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float u = ((float)x + 0.5f) * SMALL_WIDTH / BENCH_WIDTH - 0.5f, v = ((float)y + 0.5f) * SMALL_HEIGHT / BENCH_HEIGHT - 0.5f;
	const int i = (int)floorf(u), k = (int)floorf(v);
	const float s = u - (float)i, t = v - (float)k;
	for (int c = 0; c < 3; c++)
		rgb[c] = (1 - t) * ((1 - s) * texel(b, i, k, c) + s * texel(b, i + 1, k, c)) +
			t * ((1 - s) * texel(b, i, k + 1, c) + s * texel(b, i + 1, k + 1, c));
	return true;
}

const struct bench_scene bench_blit_scale = { .name = "blit_scale", .unit = "Mpixel/s",
	.what = "a frame of 800x450 enlarged to 1280x720 by a linear blit",
	.setup = scale_setup, .record = scale_record, .work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT, .expect = scale_expect, .tolerance = 2 };
