/* SPDX-License-Identifier: MIT */
/* Depth and stencil in the formats that programs use: layers that cut through one another, and paths that are
 * counted in the stencil and then covered, as 2D libraries draw them. */
#include "bench/steps.h"

#include <math.h>

#include "cutout_frag.h"
#include "fragdepth_frag.h"
#include "star_vert.h"
#include "tilted_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

struct depth { VkFormat format; unsigned samples; bool holes, says; };

static void make_targets(struct bench *b)
{
	const struct depth *d = b->scene->how;
	if (!vh_format_can(&b->vh, d->format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
		vh_lacks("format %d as a depth attachment", d->format);
	bench_make_samples_target(b, d->format, d->samples);
	b->layout = vh_make_layout(&b->vh, NULL, 0, 0, 0);
}

/* --- depth --- */

static void depth_setup(struct bench *b)
{
	const struct depth *d = b->scene->how;
	make_targets(b);
	b->pipeline = vh_make_pipeline(&b->vh, &(struct vh_pipeline_info){ .vertex = SHADER(&b->vh, tilted_vert),
		.fragment = d->holes ? SHADER(&b->vh, cutout_frag) :
			d->says ? SHADER(&b->vh, fragdepth_frag) : bench_layer_shader(b), .layout = b->layout.pipeline, .pass = &b->pass, .depth_test = true, .depth_write = true });
}

static void depth_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 6, BENCH_LAYERS, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* Where one layer is nearest by more than a pixel. */
static bool depth_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	static const float slope[8][2] = { { 0.3f, 0 }, { -0.2121f, -0.2121f }, { 0, 0.3f }, { 0.2121f, -0.2121f },
		{ -0.3f, 0 }, { 0.2121f, 0.2121f }, { 0, -0.3f }, { -0.2121f, 0.2121f } };
	const float px = ((float)x + 0.5f) / BENCH_WIDTH * 2 - 1, py = ((float)y + 0.5f) / BENCH_HEIGHT * 2 - 1;
	float nearest = 2, next = 2;
	int best = 0;
	const struct depth *d = b->scene->how;
	for (int i = 0; i < BENCH_LAYERS; i++) {
		if (d->holes && ((x + 3 * y + 5 * (uint32_t)i) & 31) < 12)
			continue;
		const float z = 0.5f + (slope[i & 7][0] * px + slope[i & 7][1] * py) * (i < 8 ? 0.7f : 1);
		if (z < nearest) {
			next = nearest;
			nearest = z;
			best = i;
		} else if (z < next) {
			next = z;
		}
	}
	bench_layer_color(x, y, best, rgb);
	return next - nearest > 0.002f;
}

/* --- stencil --- */

enum { PATHS = 8 };

static void stencil_setup(struct bench *b)
{
	static const VkStencilOpState count = { VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INVERT, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_ALWAYS, 0xff, 0xff, 0 };
	static const VkStencilOpState cover = { VK_STENCIL_OP_KEEP, VK_STENCIL_OP_ZERO, VK_STENCIL_OP_KEEP, VK_COMPARE_OP_NOT_EQUAL, 0xff, 0xff, 0 };
	static const VkPipelineColorBlendAttachmentState nothing = { .colorWriteMask = 0 };
	make_targets(b);
	struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, star_vert), .fragment = bench_layer_shader(b),
		.layout = b->layout.pipeline, .pass = &b->pass, .stencil_front = &count, .stencil_back = &count, .blend = &nothing };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
	info.vertex = bench_full_shader(b);
	info.stencil_front = info.stencil_back = &cover;
	info.blend = NULL;
	b->second = vh_make_pipeline(&b->vh, &info);
}

static void stencil_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	for (uint32_t i = 0; i < PATHS; i++) {
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
		vkCmdDraw(commands, 9, 1, 0, i);
		vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->second);
		vkCmdDraw(commands, 6, 1, 0, i);
	}
	vkCmdEndRenderPass(commands);
}

/* Is p in an odd number of the star's triangles?  *margin: how far it is from their edges, at least. */
static bool in_star(float x, float y, float *margin)
{
	static const float points[5][2] = { { 0, 0.95f }, { 0.5584f, -0.7686f }, { -0.9035f, 0.2936f }, { 0.9035f, 0.2936f }, { -0.5584f, -0.7686f } };
	bool odd = false;
	for (int t = 0; t < 3; t++) {
		const float *const corner[4] = { points[0], points[t + 1], points[t + 2], points[0] };
		int positive = 0;
		for (int e = 0; e < 3; e++) {
			const float dx = corner[e + 1][0] - corner[e][0], dy = corner[e + 1][1] - corner[e][1];
			const float side = (dx * (y - corner[e][1]) - dy * (x - corner[e][0])) / sqrtf(dx * dx + dy * dy);
			positive += side > 0;
			*margin = fminf(*margin, fabsf(side));
		}
		odd ^= positive == 0 || positive == 3;
	}
	return odd;
}

static bool stencil_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	float px = ((float)x + 0.5f) / BENCH_WIDTH * 2 - 1, py = ((float)y + 0.5f) / BENCH_HEIGHT * 2 - 1, margin = 1;
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int i = 0; i < PATHS; i++) {
		if (in_star(px, py, &margin))
			bench_layer_color(x, y, i, rgb);
		const float turned = 0.8f * px + 0.6f * py;
		py = 0.8f * py - 0.6f * px;
		px = turned;
	}
	return margin > 0.004f;
}

#define DEPTH(scene, text, ...) { .name = "depth_" scene, .unit = "Mpixel/s", .what = "16 layers through one another, " text, \
	.setup = depth_setup, .record = depth_record, .work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT * BENCH_LAYERS, .expect = depth_expect, \
	.tolerance = 2, .how = &(const struct depth){ __VA_ARGS__ } }
#define STENCIL(scene, text, ...) { .name = "stencil_" scene, .unit = "Mpixel/s", .what = "8 stars counted in the stencil and covered, " text, \
	.setup = stencil_setup, .record = stencil_record, .work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT * PATHS, .expect = stencil_expect, \
	.tolerance = 2, .how = &(const struct depth){ __VA_ARGS__ } }

const struct bench_scene bench_depths[BENCH_DEPTHS] = {
	DEPTH("d32f", "D32F", VK_FORMAT_D32_SFLOAT, 1),
	DEPTH("d24s8", "D24S8", VK_FORMAT_D24_UNORM_S8_UINT, 1),
	DEPTH("d16", "D16", VK_FORMAT_D16_UNORM, 1),
	DEPTH("d32f_msaa4", "D32F of four samples", VK_FORMAT_D32_SFLOAT, 4),
	DEPTH("d24s8_msaa4", "D24S8 of four samples", VK_FORMAT_D24_UNORM_S8_UINT, 4),
	DEPTH("cutout", "with holes, D24S8", VK_FORMAT_D24_UNORM_S8_UINT, 1, true),
	DEPTH("export", "that say their depth, D24S8", VK_FORMAT_D24_UNORM_S8_UINT, 1, .says = true),
	STENCIL("path", "D24S8", VK_FORMAT_D24_UNORM_S8_UINT, 1),
	STENCIL("path_msaa4", "D24S8 of four samples", VK_FORMAT_D24_UNORM_S8_UINT, 4),
};
