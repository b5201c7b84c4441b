/* SPDX-License-Identifier: MIT */
/* A shadow map, drawn and then compared with, nine times a pixel. */
#include "bench/steps.h"

#include <math.h>

#include "shadow_map_vert.h"
#include "shadow_pcf_frag.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { MAP = 1024, CELL = 64, SQUARE = 24, SQUARES = (MAP / CELL) * (MAP / CELL) };

static void setup(struct bench *b)
{
	const struct vh_image_info map = { .format = VK_FORMAT_D32_SFLOAT, .width = MAP, .height = MAP,
		.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT };
	const struct vh_sampler_info sampler = { .compare = VK_COMPARE_OP_LESS_OR_EQUAL };
	if (!vh_format_can(&b->vh, map.format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT |
		VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
		vh_lacks("D32_SFLOAT that is drawn and sampled");
	b->depth = vh_make_image(&b->vh, &map);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
	const struct bench_step_info steps[] = {
		{ .depth = &b->depth, .depth_write = true, .vertex = SHADER(&b->vh, shadow_map_vert), .vertices = 6,
			.instances = SQUARES },
		{ .color = &b->target, .sampled = &b->depth, .sampler = &sampler,
			.fragment = SHADER(&b->vh, shadow_pcf_frag), .shown = true },
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		bench_add_step(b, &steps[i]);
}

/* 0 where a square of shadow_map.vert stands on a texel. */
static float lit(int x, int y)
{
	const int u = x & (MAP - 1), v = y & (MAP - 1), i = v / CELL * (MAP / CELL) + u / CELL;
	const int left = 2 + i * 7 % 36, top = 2 + i * 11 % 36, fu = u % CELL, fv = v % CELL;
	return fu >= left && fu < left + SQUARE && fv >= top && fv < top + SQUARE ? 0 : 1;
}

/* Where rounding does not decide which texel is the nearest. */
static bool expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	const float x = ((float)px + 0.5f) / BENCH_WIDTH, y = ((float)py + 0.5f) / BENCH_HEIGHT;
	const float u = MAP * (0.9f * x + 0.1f * y), v = MAP * (0.5f * y - 0.1f * x + 0.2f);
	float sum = 0;
	if (fabsf(u - rintf(u)) < 0.02f || fabsf(v - rintf(v)) < 0.02f)
		return false;
	for (int i = 0; i < 9; i++)
		sum += lit((int)u + i % 3 - 1, (int)v + i / 3 - 1);
	const float light = 0.25f + sum / 12;
	rgb[0] = light * 0.9f;
	rgb[1] = light * (0.4f + 0.5f * x);
	rgb[2] = light * (0.4f + 0.5f * y);
	return true;
}

const struct bench_scene bench_shadow_pcf = { .name = "shadow_pcf", .unit = "frame/s",
	.what = "256 squares into a D32 map of 1024x1024, then nine comparisons a pixel, 1280x720",
	.setup = setup, .record = bench_record_steps, .work = 1, .expect = expect, .tolerance = 2 };
