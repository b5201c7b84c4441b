/* SPDX-License-Identifier: MIT */
/* What follows a frame: two blurs and a filter for edges, over attachments. */
#include "bench/steps.h"

#include <math.h>

#include "post_blur_frag.h"
#include "post_draw_frag.h"
#include "post_edge_frag.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

struct post { VkFormat format; };

static void setup(struct bench *b)
{
	const VkFormat format = ((const struct post *)b->scene->how)->format;
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	const VkBool32 along[2] = { VK_FALSE, VK_TRUE };
	const VkSpecializationMapEntry entry = { 0, 0, sizeof *along };
	const VkSpecializationInfo constants[2] = { { 1, &entry, sizeof *along, &along[0] },
		{ 1, &entry, sizeof *along, &along[1] } };
	const VkShaderModule blur = SHADER(&b->vh, post_blur_frag);
	const struct vh_image first = bench_make_attachment(b, format), second = bench_make_attachment(b, format);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
	const struct bench_step_info steps[] = {
		{ .color = &first, .fragment = SHADER(&b->vh, post_draw_frag) },
		{ .color = &second, .sampled = &first, .sampler = &sampler, .fragment = blur, .constants = &constants[0] },
		{ .color = &first, .sampled = &second, .sampler = &sampler, .fragment = blur, .constants = &constants[1] },
		{ .color = &b->target, .sampled = &first, .sampler = &sampler, .fragment = SHADER(&b->vh, post_edge_frag), .shown = true },
	};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		bench_add_step(b, &steps[i]);
}

/* As post_draw.frag. */
static float wave(float x)
{
	return 0.1f + 1.6f * fabsf(x - floorf(x) - 0.5f);
}

static float clamp(float x, float most)
{
	return fminf(fmaxf(x, 0), most - 1) + 0.5f;
}

/* The picture that was drawn, blurred, at a pixel; those beside it repeat the edge. */
static void blurred(float x, float y, float rgb[3])
{
	static const float weight[9] = { 1, 8, 28, 56, 70, 56, 28, 8, 1 };
	const float cx = clamp(x, BENCH_WIDTH) - 0.5f, cy = clamp(y, BENCH_HEIGHT) - 0.5f;
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int j = -4; j <= 4; j++) {
		const float px = clamp(cx + (float)j, BENCH_WIDTH), py = clamp(cy + (float)j, BENCH_HEIGHT);
		rgb[0] += weight[j + 4] / 256 * wave(px / 211);
		rgb[1] += weight[j + 4] / 256 * wave(py / 157);
		for (int i = -4; i <= 4; i++)
			rgb[2] += weight[i + 4] * weight[j + 4] / 65536 * wave((clamp(cx + (float)i, BENCH_WIDTH) + py) / 307);
	}
}

static bool expect(const struct bench *b, uint32_t px, uint32_t py, float rgb[3])
{
	static const int beside[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
	const float x = (float)px, y = (float)py;
	float middle[3], other[3];
	blurred(x, y, middle);
	for (int c = 0; c < 3; c++)
		rgb[c] = 2 * middle[c];
	for (int i = 0; i < 4; i++) {
		blurred(x + (float)beside[i][0], y + (float)beside[i][1], other);
		for (int c = 0; c < 3; c++)
			rgb[c] -= 0.25f * other[c];
	}
	return true;
}

#define POST(which, text, bound, attachments) { .name = "post_" which, .unit = "frame/s", .what = text, .setup = setup, \
	.record = bench_record_steps, .work = 1, .expect = expect, .tolerance = bound, .how = &(const struct post){ attachments } }

const struct bench_scene bench_posts[BENCH_POSTS] = {
	POST("unorm", "a picture, two blurs of nine taps, a filter for edges; RGBA8 attachments, 1280x720", 5, VK_FORMAT_R8G8B8A8_UNORM),
	POST("srgb", "the same over sRGB attachments", 5, VK_FORMAT_R8G8B8A8_SRGB),
	POST("rgba16f", "the same over RGBA16F attachments", 2, VK_FORMAT_R16G16B16A16_SFLOAT),
	POST("r11g11b10f", "the same over R11G11B10F attachments", 24, VK_FORMAT_B10G11R11_UFLOAT_PACK32),
};
