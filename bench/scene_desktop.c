/* SPDX-License-Identifier: MIT */
/* Windows over windows: sRGB content, blended into an sRGB attachment. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "desktop_frag.h"
#include "desktop_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { WINDOWS = 24, CONTENT = 256, TITLE = 18 };

static uint8_t ramp(uint32_t i)
{
	return (uint8_t)(i < CONTENT / 2 ? 2 * i : 2 * (CONTENT - 1 - i));
}

/* Colours everywhere, no two texels alike. */
static void draw_ramps(uint32_t x, uint32_t y, uint8_t texel[4])
{
	texel[0] = ramp(x);
	texel[1] = ramp(y);
	texel[2] = (uint8_t)(255 - ramp(x) / 2 - ramp(y) / 2);
	texel[3] = 255;
}

/* Whether a letter of a text has ink at (x, y): five columns of seven, seven rows of twelve; every sixth is a space. */
static bool is_ink(uint32_t x, uint32_t y)
{
	const uint32_t letter = x / 7 + 41 * (y / 12), at = x % 7 + 5 * (y % 12);
	const uint32_t of = (letter * 2654435761u >> 7) % 26, form = of * 0x9e3779b9u ^ of << 11;
	return letter % 6 && x % 7 < 5 && y % 12 < 7 && (form >> at % 31 & 3) == 1;
}

/* What programs show: paper with a frame, a title, text, and a picture in it. */
static void draw_paper(uint32_t x, uint32_t y, uint8_t texel[4])
{
	static const uint8_t paper[4] = { 246, 245, 244, 255 }, line[4] = { 60, 60, 66, 255 }, title[4] = { 52, 101, 164, 255 };
	const bool frame = x < 2 || y < 2, text = x >= 12 && x < 240 && y >= 36 && y < 240;
	if (text && x >= 150 && y < 120)
		draw_ramps(x, y, texel);
	else if (frame || (text && is_ink(x - 12, y - 36)))
		memcpy(texel, line, sizeof line);
	else
		memcpy(texel, y < 24 ? title : paper, sizeof paper);
}

static void set_up(struct bench *b, void (*draw)(uint32_t x, uint32_t y, uint8_t texel[4]))
{
	static const VkPipelineColorBlendAttachmentState over = { VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA,
		VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
		VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, 15 };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR };
	const size_t size = 4 * CONTENT * CONTENT;
	b->texels = malloc(size);
	if (!b->texels)
		vh_fail("out of memory");
	for (uint32_t i = 0; i < CONTENT * CONTENT; i++)
		draw(i % CONTENT, i / CONTENT, b->texels + 4 * (size_t)i);
	b->texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_SRGB, CONTENT, CONTENT, b->texels, size);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_SRGB);
	const struct bench_step_info step = { .color = &b->target, .sampled = &b->texture, .sampler = &sampler,
		.vertex = SHADER(&b->vh, desktop_vert), .fragment = SHADER(&b->vh, desktop_frag), .blend = &over, .vertices = 6,
		.instances = WINDOWS, .shown = true };
	bench_add_step(b, &step);
}

static void set_up_ramps(struct bench *b) { set_up(b, draw_ramps); }
static void set_up_paper(struct bench *b) { set_up(b, draw_paper); }

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
	.setup = set_up_ramps, .record = bench_record_steps, .work = 1, .expect = expect, .tolerance = 4 };

const struct bench_scene bench_windows = { .name = "windows", .unit = "frame/s",
	.what = "the same windows with what programs show in them: paper, frames, text, a picture",
	.setup = set_up_paper, .record = bench_record_steps, .work = 1, .expect = expect, .tolerance = 4 };
