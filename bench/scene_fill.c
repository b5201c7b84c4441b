/* SPDX-License-Identifier: MIT */
/* Scenes bound by pixels: clears, textured quads, overdraw. */
#include "bench/steps.h"

#include <math.h>
#include <stdlib.h>

#include "full_vert.h"
#include "layer_blend_frag.h"
#include "layer_frag.h"
#include "quad_vert.h"

#define SHADER(h, name) vh_make_shader(h, name, sizeof name)

/* --- clear --- */

enum { CLEAR_WIDTH = 1920, CLEAR_HEIGHT = 1080, CLEAR_PASSES = 16 };

static void clear_setup(struct bench *b)
{
	bench_make_target(b, CLEAR_WIDTH, CLEAR_HEIGHT, false);
}

static void clear_color(int pass, float rgb[3])
{
	rgb[0] = (float)(16 * pass + 5) / 255;
	rgb[1] = (float)(255 - 16 * pass) / 255;
	rgb[2] = (float)(7 * pass + 31) / 255;
}

static void clear_record(struct bench *b, VkCommandBuffer commands)
{
	for (int i = 0; i < CLEAR_PASSES; i++) {
		clear_color(i, b->pass.clear[0].color.float32);
		vh_begin_pass(commands, &b->pass);
		vkCmdEndRenderPass(commands);
	}
}

static bool clear_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	clear_color(CLEAR_PASSES - 1, rgb);
	return true;
}

const struct bench_scene bench_clear = { .name = "clear", .unit = "Mpixel/s",
	.what = "full-screen clears, 1920x1080, load operation of a render pass",
	.setup = clear_setup, .record = clear_record, .work = 1e-6 * CLEAR_WIDTH * CLEAR_HEIGHT * CLEAR_PASSES,
	.expect = clear_expect, .tolerance = 1 };

/* --- textured quads --- */

enum { QUADS_X = 16, QUADS_Y = 9, QUAD_SIZE = 80, QUAD_LAYERS = 4, TEXTURE_SIZE = 256, MIP_SIZE = 512 };

static void random_texels(uint8_t *texels, size_t size, bool gentle)
{
	uint32_t random = 1;
	for (size_t i = 0; i < size; i++) {
		random = 1664525 * random + 1013904223;
		texels[i] = (uint8_t)(gentle ? 96 + (random >> 26) : random >> 24);
	}
}

/* One level, or two of noise that is weak enough for anybody's logarithm. */
static void make_texture(struct bench *b, uint32_t width, uint32_t levels)
{
	const size_t size = 4 * (size_t)width * width;
	const struct vh_image_info info = { .format = VK_FORMAT_R8G8B8A8_UNORM, .width = width, .height = width,
		.levels = levels, .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT };
	b->texels = malloc(size + size / 4);
	if (!b->texels)
		vh_fail("out of memory");
	random_texels(b->texels, size + size / 4, levels > 1);
	b->texture = vh_make_image(&b->vh, &info);
	vh_upload(&b->vh, &b->texture, 0, 0, b->texels, size, VK_IMAGE_LAYOUT_UNDEFINED,
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	if (levels > 1)
		vh_upload(&b->vh, &b->texture, 1, 0, b->texels + size, size / 4, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
			VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

static void quads_setup_with(struct bench *b, VkFilter filter, bool mips)
{
	const VkDescriptorSetLayoutBinding binding = { 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
		VK_SHADER_STAGE_FRAGMENT_BIT, NULL };
	const struct vh_sampler_info sampler = { .filter = filter, .address = VK_SAMPLER_ADDRESS_MODE_REPEAT,
		.mipmap = mips ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST, .max_lod = mips ? 1 : 0 };
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, false);
	make_texture(b, mips ? MIP_SIZE : TEXTURE_SIZE, mips ? 2 : 1);
	b->layout = vh_make_layout(&b->vh, &binding, 1, 0, 0);
	b->set = vh_make_set(&b->vh, &b->layout);
	vh_set_image(&b->vh, b->set, 0, binding.descriptorType, b->texture.view, vh_make_sampler(&b->vh, &sampler),
		VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
	const struct vh_pipeline_info info = { .vertex = SHADER(&b->vh, quad_vert),
		.fragment = bench_texture_shader(b), .layout = b->layout.pipeline, .pass = &b->pass };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void quads_setup(struct bench *b)
{
	quads_setup_with(b, VK_FILTER_LINEAR, false);
}

static void nearest_setup(struct bench *b)
{
	quads_setup_with(b, VK_FILTER_NEAREST, false);
}

static void mips_setup(struct bench *b)
{
	quads_setup_with(b, VK_FILTER_LINEAR, true);
}

static void quads_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->layout.pipeline, 0, 1, &b->set, 0, NULL);
	vkCmdDraw(commands, 6, QUADS_X * QUADS_Y * QUAD_LAYERS, 0, 0);
	vkCmdEndRenderPass(commands);
}

/* As quad.vert places texture coordinates. */
static void quads_expect_uv(uint32_t x, uint32_t y, float *u, float *v)
{
	const int qx = (int)x / QUAD_SIZE, qy = (int)y / QUAD_SIZE;
	const float fx = ((float)((int)x % QUAD_SIZE) + 0.5f) / QUAD_SIZE;
	const float fy = ((float)((int)y % QUAD_SIZE) + 0.5f) / QUAD_SIZE;
	*u = 0.11f * (float)qx + 0.30f * fx + 0.04f * fy + 0.25f * (QUAD_LAYERS - 1);
	*v = 0.17f * (float)qy - 0.04f * fx + 0.30f * fy + 0.25f * (QUAD_LAYERS - 1);
}

static bool quads_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	float u, v;
	quads_expect_uv(x, y, &u, &v);
	for (int c = 0; c < 3; c++)
		rgb[c] = bench_bilinear(b->texels, TEXTURE_SIZE, u, v, c, false);
	return true;
}

/* Where rounding does not decide. */
static bool nearest_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	float u, v;
	quads_expect_uv(x, y, &u, &v);
	u *= TEXTURE_SIZE;
	v *= TEXTURE_SIZE;
	if (fabsf(u - rintf(u)) < 0.05f || fabsf(v - rintf(v)) < 0.05f)
		return false;
	const unsigned tu = (unsigned)u % TEXTURE_SIZE, tv = (unsigned)v % TEXTURE_SIZE;
	for (unsigned c = 0; c < 3; c++)
		rgb[c] = (float)b->texels[4 * (tv * TEXTURE_SIZE + tu) + c] / 255;
	return true;
}

static bool mips_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	const float dx = MIP_SIZE * 0.30f / QUAD_SIZE, dy = MIP_SIZE * 0.04f / QUAD_SIZE;
	const float lambda = log2f(sqrtf(dx * dx + dy * dy));
	float u, v;
	quads_expect_uv(x, y, &u, &v);
	for (int c = 0; c < 3; c++) {
		const float near = bench_bilinear(b->texels, MIP_SIZE, u, v, c, false);
		const float far = bench_bilinear(b->texels + 4 * MIP_SIZE * MIP_SIZE, MIP_SIZE / 2, u, v, c, false);
		rgb[c] = near + lambda * (far - near);
	}
	return true;
}

#define QUADS_WORK (1e-6 * BENCH_WIDTH * BENCH_HEIGHT * QUAD_LAYERS)

const struct bench_scene bench_quads = { .name = "textured_quads", .unit = "Mpixel/s",
	.what = "576 quads of 80x80, bilinear RGBA8 texture, 1280x720",
	.setup = quads_setup, .record = quads_record, .work = QUADS_WORK, .expect = quads_expect, .tolerance = 6 };

const struct bench_scene bench_quads_nearest = { .name = "quads_nearest", .unit = "Mpixel/s",
	.what = "the same, nearest texel",
	.setup = nearest_setup, .record = quads_record, .work = QUADS_WORK, .expect = nearest_expect, .tolerance = 1 };

const struct bench_scene bench_quads_mips = { .name = "quads_mips", .unit = "Mpixel/s",
	.what = "the same, trilinear between two levels",
	.setup = mips_setup, .record = quads_record, .work = QUADS_WORK, .expect = mips_expect, .tolerance = 4 };

/* --- overdraw --- */

const VkPipelineColorBlendAttachmentState bench_over = { VK_TRUE, VK_BLEND_FACTOR_SRC_ALPHA,
	VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
	VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, 15 };

VkShaderModule bench_full_shader(struct bench *b) { return SHADER(&b->vh, full_vert); }
VkShaderModule bench_layer_shader(struct bench *b) { return SHADER(&b->vh, layer_frag); }

void bench_make_layers(struct bench *b, const VkPipelineColorBlendAttachmentState *blend)
{
	const VkBool32 far_first = blend != NULL;
	const VkSpecializationMapEntry entry = { 0, 0, sizeof far_first };
	const VkSpecializationInfo constants = { 1, &entry, sizeof far_first, &far_first };
	const struct vh_pipeline_info info = { .vertex = bench_full_shader(b),
		.fragment = blend ? SHADER(&b->vh, layer_blend_frag) : bench_layer_shader(b),
		.constants = &constants, .layout = b->layout.pipeline, .pass = &b->pass,
		.depth_test = b->depth.handle, .depth_write = b->depth.handle, .blend = blend };
	b->pipeline = vh_make_pipeline(&b->vh, &info);
}

static void front_setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	bench_make_layers(b, NULL);
}

static void blend_setup(struct bench *b)
{
	bench_make_target(b, BENCH_WIDTH, BENCH_HEIGHT, true);
	bench_make_layers(b, &bench_over);
}

static void overdraw_record(struct bench *b, VkCommandBuffer commands)
{
	vh_begin_pass(commands, &b->pass);
	vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, b->pipeline);
	vkCmdDraw(commands, 6, BENCH_LAYERS, 0, 0);
	vkCmdEndRenderPass(commands);
}

void bench_layer_color(uint32_t x, uint32_t y, int layer, float rgb[3])
{
	const float px = ((float)x + 0.5f) / BENCH_WIDTH - 0.5f, py = ((float)y + 0.5f) / BENCH_HEIGHT - 0.5f;
	const float n[3] = { px, py, 0.5f + 0.05f * (float)layer };
	const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	const float lambert = fmaxf((0.48f * n[0] + 0.6f * n[1] + 0.64f * n[2]) / length, 0);
	const float base[3] = { 0.2f + 0.05f * (float)layer, 0.9f - 0.05f * (float)layer, 0.5f };
	for (int c = 0; c < 3; c++)
		rgb[c] = base[c] * (0.2f + 0.8f * lambert);
}

static bool front_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	bench_layer_color(x, y, 0, rgb);
	return true;
}

static bool blend_expect(const struct bench *b, uint32_t x, uint32_t y, float rgb[3])
{
	rgb[0] = rgb[1] = rgb[2] = 0;
	for (int layer = 0; layer < BENCH_LAYERS; layer++) {
		float color[3];
		bench_layer_color(x, y, layer, color);
		for (int c = 0; c < 3; c++)
			rgb[c] += 0.25f * (color[c] - rgb[c]);
	}
	return true;
}

const struct bench_scene bench_overdraw_front = { .name = "overdraw_front", .unit = "Mpixel/s",
	.what = "16 full-screen layers front to back, depth test and write, 1280x720",
	.setup = front_setup, .record = overdraw_record, .work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT * BENCH_LAYERS,
	.expect = front_expect, .tolerance = 2 };

const struct bench_scene bench_overdraw_blend = { .name = "overdraw_blend", .unit = "Mpixel/s",
	.what = "16 full-screen layers back to front, depth test and blending, 1280x720",
	.setup = blend_setup, .record = overdraw_record, .work = 1e-6 * BENCH_WIDTH * BENCH_HEIGHT * BENCH_LAYERS,
	.expect = blend_expect, .tolerance = 4 };
