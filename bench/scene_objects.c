/* SPDX-License-Identifier: MIT */
/* Ten thousand objects, each with the texture of another than the one before, or all with one. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 125, ROWS = 80, OBJECTS = COLUMNS * ROWS, TEXTURES = BENCH_SETS, SIZE = 16, TEXTURE_BYTES = 4 * SIZE * SIZE };

static void fill_texture(int t, uint8_t *texels)
{
	for (int i = 0; i < SIZE * SIZE; i++) {
		texels[4 * i] = (uint8_t)(8 * (i % SIZE) + 7 * t);
		texels[4 * i + 1] = (uint8_t)(255 - 8 * (i / SIZE) - 7 * t);
		texels[4 * i + 2] = (uint8_t)(t & 1 ? 200 : 50);
		texels[4 * i + 3] = 255;
	}
}

static void setup(struct bench *b)
{
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler_info = { .filter = VK_FILTER_LINEAR };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	b->layout = vh_make_layout(&b->vh, &binding, 1, VK_SHADER_STAGE_VERTEX_BIT, 4 * sizeof(float));
	const VkSampler sampler = vh_make_sampler(&b->vh, &sampler_info);
	b->texels = malloc((size_t)TEXTURES * TEXTURE_BYTES);
	if (!b->texels)
		vh_fail("out of memory");
	for (int t = 0; t < TEXTURES; t++) {
		uint8_t *texels = b->texels + (size_t)t * TEXTURE_BYTES;
		fill_texture(t, texels);
		const struct vh_image texture = bench_make_texture(b, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, texels, TEXTURE_BYTES);
		b->sets[t] = vh_make_set(&b->vh, &b->layout);
		vh_set_image(&b->vh, b->sets[t], 0, binding.descriptorType, texture.view, sampler,
			VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	}
	const struct vh_pipeline_info info = { .vertex = bench_object_shader(b),
		.fragment = bench_texture_shader(b), .layout = b->layout.pipeline, .pass = &b->pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

/* textures: that objects have in turn. */
static void record_with(struct bench *b, VkCommandBuffer commands, int textures)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	for (int i = 0; i < OBJECTS; i++) {
		const float rect[4] = { 2.0f * (float)(i % COLUMNS) / COLUMNS - 1, 2.0f * (float)(i / COLUMNS) / ROWS - 1,
			2.0f / COLUMNS, 2.0f / ROWS };
		if (i == 0 || textures > 1)
			vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1,
				&b->sets[i % textures], 0, NULL);
		vkCmdPushConstants(commands, b->layout.pipeline, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof rect, rect);
		vkCmdDraw(commands, 6, 1, 0, 0);
	}
	vkCmdEndRenderPass(commands);
}

static void record(struct bench *b, VkCommandBuffer commands) { record_with(b, commands, TEXTURES); }
static void record_one(struct bench *b, VkCommandBuffer commands) { record_with(b, commands, 1); }

/* Between objects nothing is said. */
static bool expect_with(const struct bench *b, uint32_t x, uint32_t y, float rgb[3], int textures)
{
	const float cx = ((float)x + 0.5f) * COLUMNS / BENCH_WIDTH, cy = ((float)y + 0.5f) * ROWS / BENCH_HEIGHT;
	const float fx = cx - floorf(cx), fy = cy - floorf(cy);
	const uint8_t *texels = b->texels + (size_t)(((int)cy * COLUMNS + (int)cx) % textures) * TEXTURE_BYTES;
	for (int c = 0; c < 3; c++)
		rgb[c] = bench_bilinear(texels, SIZE, 0.1f + 0.8f * fx, 0.1f + 0.8f * fy, c, false);
	return fx > 0.02f && fx < 0.98f && fy > 0.02f && fy < 0.98f;
}
static bool expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	return expect_with(b, x, y, rgb, TEXTURES);
}
static bool expect_one(const struct bench *b, uint32_t x, uint32_t y, float rgb[3]) { return expect_with(b, x, y, rgb, 1); }

const struct bench_scene bench_objects = { .name = "objects", .unit = "kdraw/s",
	.what = "10,000 draws of a textured quad, another texture and push constants each, recorded and run",
	.setup = setup, .record = record, .record_each_time = true, .work = 1e-3 * OBJECTS, .expect = expect, .tolerance = 3 };
const struct bench_scene bench_material = { .name = "material", .unit = "kdraw/s",
	.what = "the same of one texture, which is bound once", .setup = setup, .record = record_one, .record_each_time = true,
	.work = 1e-3 * OBJECTS, .expect = expect_one, .tolerance = 3 };
