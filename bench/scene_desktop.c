/* SPDX-License-Identifier: MIT */
/* Windows over windows: sRGB content, blended into an sRGB attachment. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>

#include "desktop_frag.h"
#include "desktop_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { WINDOWS = 24, CONTENT = 256, TITLE = 18 };

static uint8_t ramp(uint32_t i)
{
	return (uint8_t)(i < CONTENT / 2 ? 2 * i : 2 * (CONTENT - 1 - i));
}

static void setup(struct bench *b)
{
	static const VkPipelineColorBlendAttachmentState over = { VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA,
		VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
		VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, 15 };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR };
	const size_t size = 4 * CONTENT * CONTENT;
	b->texels = malloc(size);
	if (!b->texels)
		vh_fail("out of memory");
	for (uint32_t i = 0; i < CONTENT * CONTENT; i++) {
		const uint32_t x = i % CONTENT, y = i / CONTENT;
		uint8_t *texel = b->texels + 4 * (size_t)i;
		texel[0] = ramp(x);
		texel[1] = ramp(y);
		texel[2] = (uint8_t)(255 - ramp(x) / 2 - ramp(y) / 2);
		texel[3] = 255;
	}
	b->texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_SRGB, CONTENT, CONTENT, b->texels, size);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_SRGB);
	const struct bench_step_info step = { .color = &b->target, .sampled = &b->texture, .sampler = &sampler,
		.vertex = SHADER(&b->vh, desktop_vert), .fragment = SHADER(&b->vh, desktop_frag), .blend = &over, .vertices = 6,
		.instances = WINDOWS, .shown = true };
	bench_add_step(b, &step);
}

/* What window i adds at a pixel, as desktop.vert and desktop.frag do it. */
static bool in_window(const struct bench *b, int i, int x, int y, float rgb[3])
{
	const int left = i * 173 % 1000, top = i * 97 % 500;
	const int width = i ? 200 + i * 61 % 280 : BENCH_WIDTH, height = i ? 140 + i * 43 % 200 : BENCH_HEIGHT;
	if (x < left || x >= left + width || y < top || y >= top + height)
		return false;
	const float u = 0.7f * ((float)(x - left) + 0.5f) / CONTENT + 0.13f * (float)i;
	const float v = 0.7f * ((float)(y - top) + 0.5f) / CONTENT + 0.13f * (float)i;
	for (int c = 0; c < 3; c++)
		rgb[c] = bench_bilinear(b->texels, CONTENT, u, v, c, true);
	if (i > 0 && y - top < TITLE) {
		rgb[0] = 0.1f;
		rgb[1] = 0.2f;
		rgb[2] = 0.03f * (float)i;
	}
	return true;
}

/* The attachment rounds after each window. */
static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	float window[3];
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int i = 0; i < WINDOWS; i++)
		for (int c = 0; in_window(b, i, (int)x, (int)y, window) && c < 3; c++) {
			const float old = bench_linear_of_srgb(rgb[c]);
			rgb[c] = rintf(255 * bench_srgb_of_linear(old + (i ? 0.8f : 1) * (window[c] - old))) / 255;
		}
	return true;
}

const struct bench_scene bench_desktop = { .name = "desktop", .unit = "frame/s",
	.what = "a background and 23 windows of sRGB content, blended into an sRGB attachment, 1280x720",
	.setup = setup, .record = bench_record_steps, .work = 1, .expect = expect, .tolerance = 4 };
