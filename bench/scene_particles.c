/* SPDX-License-Identifier: MIT */
/* Point sprites of an R8 texture, added up. */
#include "bench/steps.h"

#include <math.h>

#include "particle_frag.h"
#include "particle_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

enum { CELL = 8, CELLS_X = BENCH_WIDTH / CELL, CELLS_Y = BENCH_HEIGHT / CELL, CELLS = CELLS_X * CELLS_Y, LAYERS = 3 };
enum { SPRITE = 64, REACH = 2 };

/* Of the distance from the middle, 1 at the sprite's edge. */
static float falloff(float x, float y)
{
	const float inside = fmaxf(1 - x * x - y * y, 0);
	return inside * inside;
}

static void setup(struct bench *b)
{
	static const VkPipelineColorBlendAttachmentState add = { VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,
		VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, 15 };
	const struct vh_sampler_info sampler = { .filter = VK_FILTER_LINEAR, .address = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE };
	uint8_t texels[SPRITE * SPRITE];
	for (int i = 0; i < SPRITE * SPRITE; i++) {
		const float x = (float)(i % SPRITE) + 0.5f, y = (float)(i / SPRITE) + 0.5f;
		texels[i] = (uint8_t)rintf(255 * falloff(2 * x / SPRITE - 1, 2 * y / SPRITE - 1));
	}
	b->texture = bench_make_texture(b, VK_FORMAT_R8_UNORM, SPRITE, SPRITE, texels, sizeof texels);
	b->target = bench_make_attachment(b, VK_FORMAT_R8G8B8A8_UNORM);
	const struct bench_step_info step = { .color = &b->target, .sampled = &b->texture, .sampler = &sampler,
		.vertex = SHADER(&b->vh, particle_vert), .fragment = SHADER(&b->vh, particle_frag), .blend = &add, .points = true,
		.vertices = CELLS * LAYERS, .shown = true };
	bench_add_step(b, &step);
}

/* What point i adds at a place, as particle.vert has it. */
static void add_point(uint32_t i, float x, float y, float rgb[3])
{
	const uint32_t cell = i % CELLS, layer = i / CELLS, random = i * 2654435761u;
	const float px = (float)(cell % CELLS_X * CELL) + (float)(random >> 8 & 255) / 32;
	const float py = (float)(cell / CELLS_X * CELL) + (float)(random >> 16 & 255) / 32;
	const float half = 0.5f * (6 + (float)(random >> 24 & 7) + (float)layer);
	const float tint[3] = { (float)(random >> 4 & 3), (float)(random >> 6 & 3), (float)(1 + layer) };
	for (int c = 0; c < 3; c++)
		rgb[c] += tint[c] / 10 * falloff((x - px) / half, (y - py) / half);
}

static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const int cx = (int)x / CELL, cy = (int)y / CELL;
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int row = cy - REACH; row <= cy + REACH; row++)
		for (int column = cx - REACH; column <= cx + REACH; column++)
			for (int layer = 0; layer < LAYERS; layer++)
				if (row >= 0 && row < CELLS_Y && column >= 0 && column < CELLS_X)
					add_point((uint32_t)(layer * CELLS + row * CELLS_X + column), (float)x + 0.5f,
						(float)y + 0.5f, rgb);
	for (int c = 0; c < 3; c++)
		rgb[c] = fminf(rgb[c], 1);
	return true;
}

const struct bench_scene bench_particles = { .name = "particles", .unit = "Mpoint/s",
	.what = "43,200 point sprites of 6 to 15 pixels, an R8 texture, added up, 1280x720",
	.wants = &(const struct vh_wants){ .core.largePoints = VK_TRUE }, .setup = setup, .record = bench_record_steps,
	.work = 1e-6 * CELLS * LAYERS, .expect = expect, .tolerance = 6 };
