/* SPDX-License-Identifier: MIT */
/* Ambient occlusion: depths of one component, filtered at scattered places. */
#include "bench/steps.h"

#include <math.h>

#include "ambient_depth_frag.h"
#include "ambient_frag.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

static void setup(struct bench *b)
{
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	const struct vh_image depth = bench_make_attachment(b, VK_FORMAT_R32_SFLOAT);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
	const struct bench_step_info steps[] = {
		{ .color = &depth, .fragment = SHADER(&b->vh, ambient_depth_frag) },
		{ .color = &b->target, .sampled = &depth, .sampler = &sampler, .fragment = SHADER(&b->vh, ambient_frag), .shown = true },
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		bench_add_step(b, &steps[i]);
}

static double wave(double x)
{
	return fabs(x - floor(x) - 0.5);
}

/* The texel, or the one at the edge. */
static double texel(double x, double y)
{
	x = fmin(fmax(x, 0), BENCH_WIDTH - 1) + 0.5;
	y = fmin(fmax(y, 0), BENCH_HEIGHT - 1) + 0.5;
	return 4 + 3 * wave(x / 173) + 2 * wave(y / 131);
}

static double filtered(double x, double y)
{
	const double left = floor(x - 0.5), top = floor(y - 0.5), a = x - 0.5 - left, b = y - 0.5 - top;
	return (1 - b) * ((1 - a) * texel(left, top) + a * texel(left + 1, top)) +
		b * ((1 - a) * texel(left, top + 1) + a * texel(left + 1, top + 1));
}

static bool expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	const double x = px + 0.5, y = py + 0.5;
	double hidden = 0;
	for (int i = 0; i < 12; i++) {
		const double angle = 2.4 * i, radius = 2 * i + 1.3;
		hidden += fmin(fmax(2 * (texel(px, py) - filtered(x + radius * cos(angle), y + radius * sin(angle))), 0), 1);
	}
	rgb[0] = rgb[1] = rgb[2] = (float)(1 - hidden / 12);
	return true;
}

const struct bench_scene bench_ambient = { .name = "ambient", .unit = "frame/s",
	.what = "depths in R32F, then occlusion by twelve places around each pixel, linear, 1280x720",
	.setup = setup, .record = bench_record_steps, .work = 1, .expect = expect, .tolerance = 2 };
